package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/spf13/cobra"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/report"
	"github.com/floorcheck/floorcheck/conform/vector"
	"github.com/floorcheck/floorcheck/corpora"
	"github.com/floorcheck/floorcheck/floor"
)

func newVectors(exit *int) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "vectors",
		Short: "Export the vectors, plain JSON cases with their answers, or check such files",
		Long: `vectors are for people who want no harness: JSON files that hold requests, the
answers that are right, and answers that are wrong with the rules that they break.
A JSON Schema lies beside them.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			hint := meant(args[0], []string{"check", "export"})
			if hint == "" {
				hint = "floorcheck vectors --help"
			}
			return usage(hint, "vectors has no command %q; it has check and export", args[0])
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newVectorsCheck(exit), newVectorsExport())
	return cmd
}

func newVectorsExport() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "export DIR",
		Short: "Write the vectors and their JSON Schema into a folder",
		Long: `export writes a JSON file for each family of vectors, and their JSON Schema, into
a folder, which it makes. The same version writes the same bytes. Where a file is
there and differs nothing is written, unless --force is given.`,
		Example: `  floorcheck vectors export vectors`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] == "" {
				return usage("floorcheck vectors export vectors", "vectors export takes one folder, got %d", len(args))
			}
			return exportVectors(cmd.OutOrStdout(), args[0], force)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "overwrite files that differ")
	return cmd
}

func exportVectors(w io.Writer, dir string, force bool) error {
	files := append(corpora.Vectors(), corpora.VectorFile{Name: corpora.VectorSchema, Data: corpora.VectorsSchema()})
	var differ []string
	var missing []corpora.VectorFile
	for _, f := range files {
		switch there, err := os.ReadFile(filepath.Join(dir, f.Name)); {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, f)
		case err != nil:
			return usage("", "%v", err)
		case !bytes.Equal(there, f.Data):
			differ = append(differ, f.Name)
			missing = append(missing, f)
		}
	}
	if len(differ) > 0 && !force {
		return usage("--force overwrites them", "%s: would be overwritten: %s", dir, strings.Join(differ, ", "))
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return usage("", "%v", err)
	}
	for _, f := range missing {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
			return usage("", "%v", err)
		}
	}
	vectors := 0
	for _, f := range vector.All() {
		vectors += len(f.Vectors)
	}
	_, err := fmt.Fprintf(w, "%s: %s of %s, and their schema; %s written\n", report.Escape(dir),
		report.Count(vectors, "vector"), countFamilies(len(files)-1), report.Count(len(missing), "file"))
	return err
}

func countFamilies(n int) string {
	if n == 1 {
		return "1 family"
	}
	return fmt.Sprintf("%d families", n)
}

func newVectorsCheck(exit *int) *cobra.Command {
	return &cobra.Command{
		Use:   "check [FILE|DIR…]",
		Short: "Derive every expectation of vectors again, by engine and model",
		Long: `check reads vectors, those that come with floorcheck or the files that are named,
holds them against their JSON Schema, and derives again what they say. The right
answer to certify and compact is derived by the engine and by the model. There are
many ways to shorten a conversation, so that reduce is judged by the model alone:
no rule may object to an answer that is called right. To an answer that is called
wrong exactly the rules have to object that the vector names.

Exit codes: 0 every expectation holds · 1 one does not · 2 the command line or a
file is wrong · 70 our own bug: engine and model disagree, or a vector that comes
with floorcheck does not hold.`,
		Example: `  floorcheck vectors check
  floorcheck vectors check vectors/content.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			code, err := checkVectors(cmd.Context(), cmd.OutOrStdout(), args)
			*exit = code
			return err
		},
	}
}

// A vectorSource is a file of vectors and where it comes from.
type vectorSource struct {
	path string
	data []byte
}

func checkVectors(ctx context.Context, w io.Writer, args []string) (int, error) {
	ours := len(args) == 0
	sources, err := vectorSources(args)
	if err != nil {
		return 0, err
	}
	schema, err := vectorSchema()
	if err != nil {
		return 0, err
	}
	var families []vector.File
	for _, s := range sources {
		f, err := readVectors(schema, s)
		if err != nil && ours {
			fmt.Fprintf(w, "OUR BUG  %s\n", report.Escape(err.Error()))
			return report.ExitOurBug, nil
		}
		if err != nil {
			return 0, usage("floorcheck vectors export DIR writes files that can be read", "%v", err)
		}
		families = append(families, f)
	}
	t := &vectorTally{engines: map[floor.Policy]conform.Subject{}, ours: ours}
	fmt.Fprintf(w, "floorcheck %s · suite %s · vectors\n", conform.Version, conform.Suite)
	for _, f := range families {
		if err := t.family(ctx, w, f); err != nil {
			return 0, err
		}
	}
	return t.conclude(w)
}

// vectorSources reads the files that are named, those of a folder sorted by name
// and without the schema; without a name, those that come with floorcheck.
func vectorSources(args []string) (sources []vectorSource, err error) {
	if len(args) == 0 {
		for _, f := range corpora.Vectors() {
			sources = append(sources, vectorSource{f.Name, f.Data})
		}
		return sources, nil
	}
	for _, arg := range args {
		paths := []string{arg}
		if info, err := os.Stat(arg); err != nil {
			return nil, usage("", "%v", err)
		} else if info.IsDir() {
			paths, err = filepath.Glob(filepath.Join(escapeGlob(arg), "*.json")) // sorted
			if err != nil {
				return nil, usage("", "%s: %v", arg, err)
			}
			paths = slices.DeleteFunc(paths, func(path string) bool { return filepath.Base(path) == corpora.VectorSchema })
			if len(paths) == 0 {
				return nil, usage("floorcheck vectors export "+arg, "%s: holds no file of vectors", arg)
			}
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				return nil, usage("", "%v", err)
			}
			sources = append(sources, vectorSource{path, data})
		}
	}
	return sources, nil
}

// escapeGlob makes a folder's name mean itself in a pattern.
func escapeGlob(dir string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
}

func vectorSchema() (*jsonschema.Schema, error) {
	const url = "floorcheck:///" + corpora.VectorSchema // nothing is fetched
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(corpora.VectorsSchema()))
	if err != nil {
		return nil, fmt.Errorf("read the schema of vectors: %w", err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource(url, doc); err != nil {
		return nil, fmt.Errorf("read the schema of vectors: %w", err)
	}
	return c.Compile(url)
}

func readVectors(schema *jsonschema.Schema, s vectorSource) (vector.File, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(s.data))
	if err != nil {
		return vector.File{}, fmt.Errorf("%s: is not JSON: %w", s.path, err)
	}
	var invalid *jsonschema.ValidationError
	if err := schema.Validate(doc); errors.As(err, &invalid) {
		at := deepest(invalid)
		return vector.File{}, fmt.Errorf("%s: does not keep the schema: /%s: %s", s.path,
			strings.Join(at.InstanceLocation, "/"), at.ErrorKind.LocalizedString(message.NewPrinter(language.English)))
	} else if err != nil {
		return vector.File{}, fmt.Errorf("%s: %w", s.path, err)
	}
	f, err := vector.Parse(s.data)
	if err != nil {
		return vector.File{}, fmt.Errorf("%s: %w", s.path, err)
	}
	return f, nil
}

// deepest is the cause that lies deepest in the document, the first of several:
// it says most.
func deepest(e *jsonschema.ValidationError) *jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return e
	}
	found := deepest(e.Causes[0])
	for _, cause := range e.Causes[1:] {
		if d := deepest(cause); len(d.InstanceLocation) > len(found.InstanceLocation) {
			found = d
		}
	}
	return found
}

// A vectorTally counts what was checked.
type vectorTally struct {
	engines map[floor.Policy]conform.Subject
	ours    bool // the vectors come with floorcheck

	vectors, derived, right, wrong int
	bad, disagree                  int // vectors
}

// mostProblems is how many problems of a family are shown.
const mostProblems = 20

func (t *vectorTally) family(ctx context.Context, w io.Writer, f vector.File) error {
	var problems []vector.Problem
	ops, bad := map[floor.Op]int{}, 0
	for _, v := range f.Vectors {
		engine := t.engines[v.Case.Policy]
		if engine == nil {
			engine = newEngine(v.Case.Policy)
			t.engines[v.Case.Policy] = engine
		}
		found, err := vector.Check(ctx, v, engine)
		if err != nil {
			return err
		}
		if len(found) > 0 {
			bad++
		}
		if slices.ContainsFunc(found, func(p vector.Problem) bool { return p.Ours }) {
			t.disagree++
		}
		problems = append(problems, found...)
		ops[v.Case.Op()]++
		t.derived += len(v.Expect)
		t.right += len(v.Right)
		t.wrong += len(v.Wrong)
	}
	t.vectors += len(f.Vectors)
	t.bad += bad
	verdict, of := "HOLDS", []string{}
	if bad > 0 {
		verdict = "WRONG"
	}
	for _, op := range []floor.Op{floor.OpCertify, floor.OpCompact, floor.OpReduce} {
		if ops[op] > 0 {
			of = append(of, fmt.Sprintf("%d %s", ops[op], op))
		}
	}
	fmt.Fprintf(w, "  %s  %-14s %3d  %s\n", verdict, report.Escape(f.Family), len(f.Vectors), strings.Join(of, ", "))
	for _, p := range problems[:min(len(problems), mostProblems)] {
		fmt.Fprintf(w, "    %s\n", report.Escape(p.String()))
	}
	if more := len(problems) - mostProblems; more > 0 {
		fmt.Fprintf(w, "    and %d more\n", more)
	}
	return nil
}

func (t *vectorTally) conclude(w io.Writer) (code int, err error) {
	verdict := "HOLDS"
	switch {
	case t.disagree > 0, t.ours && t.bad > 0:
		verdict, code = "OUR BUG", report.ExitOurBug
	case t.bad > 0:
		verdict, code = "WRONG", report.ExitViolated
	}
	fmt.Fprint(w, "\n  Of certify and compact engine and model derive the answer, each for itself. Reduce is judged by the model alone.\n")
	of := report.Count(t.vectors, "vector")
	if t.bad > 0 {
		of = fmt.Sprintf("%d of %s not as derived", t.bad, of)
	}
	_, err = fmt.Fprintf(w, "\n%s  %s · %s derived twice · %s and %s judged\n", verdict, of,
		report.Count(t.derived, "expected answer"), report.Count(t.right, "right answer"), report.Count(t.wrong, "wrong answer"))
	return code, err
}
