// Package house tests who may import whom. The table is ARCHITECTURE's, in
// CONTRIBUTING.md for those who have only the project.
package house

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/floorcheck/floorcheck"

// anything marks a room that may import every other.
var anything = []string{"*"}

// rooms says what each room may import of ours, tests included. A name means
// that package alone, not its subfolders.
var rooms = map[string][]string{
	"floor":                {},
	"engine":               {"floor"},
	"engine/extract":       {"floor"},
	"engine/extract/plain": {"floor", "engine/extract"},
	"model":                {"floor"},
	"corpora":              {"floor"},
	"conform":              {"floor", "model"},
	"conform/reference":    {"floor", "engine", "conform"},
	"conform/hostile":      {"floor"},
	"conform/blackbox":     {"floor", "conform", "conform/hostile"},
	"conform/mutant":       {"floor", "conform", "conform/blackbox", "conform/hostile"},
	"conform/report":       {"floor", "model", "conform"},
	"conform/vector":       {"floor", "model", "corpora", "conform"},
	"props/gen":            {"floor", "corpora", "conform/hostile"},
	"props/suite":          {"floor", "model", "corpora", "conform", "conform/hostile", "conform/vector", "props/gen"},
	"props/history":        {"floor", "model", "props/gen"},
	"props/guarded":        {"floor", "model", "conform", "conform/hostile", "conform/reference", "conform/report", "props/gen", "props/suite"},
	"props/soak":           anything,
	"props/strength":       {"floor", "model", "conform", "conform/mutant", "props", "props/gen", "props/suite", "internal/sources"},
	"props":                {"floor", "model", "conform", "conform/hostile", "conform/report", "props/gen", "props/suite"},
	"fuzz":                 anything,
	"bench":                anything,
	"bench/ratios":         anything,
	"adapters":             {},
	"adapters/go":          {"floor", "conform", "props"},
	"adapters/real/table":  {"floor", "model", "conform", "conform/report"},
	"cmd/floorcheck":       anything,
	"docs":                 {},
	"internal/sources":     {},
	"internal/house":       {},
}

// meeting are places where a room's own tests may import more: where engine
// and model meet.
var meeting = map[string][]string{
	"engine/extract":    {"engine", "engine/extract/plain", "corpora"},
	"props":             {"engine", "conform/reference", "conform/mutant"},
	"props/suite":       {"engine", "conform/reference", "conform/mutant", "conform/blackbox"},
	"props/history":     {"engine"},
	"conform/reference": {"model", "props/gen", "props/suite"},
	"conform/vector":    {"conform/reference", "conform/blackbox", "conform/hostile", "docs"},
	"internal/house":    {},
}

type pkg struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
	Deps         []string
}

func list(t *testing.T, args ...string) []pkg {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Imports,TestImports,XTestImports,Deps"}, args...)...)
	cmd.Dir = filepath.Join("..", "..")
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		t.Fatalf("go list: %s", exit.Stderr)
	}
	require.NoError(t, err)
	var pkgs []pkg
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else {
			require.NoError(t, err)
		}
		pkgs = append(pkgs, p)
	}
}

func room(path string) (string, bool) {
	if path == module {
		return "", true
	}
	return strings.CutPrefix(path, module+"/")
}

// Every package stands in the table and imports what the table says.
func TestRooms(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range list(t, "./...") {
		name, _ := room(p.ImportPath)
		allowed, known := rooms[name]
		if !known {
			t.Errorf("%s is not in the table: which room is it?", name)
			continue
		}
		seen[name] = true
		check := func(what string, imports, more []string) {
			for _, path := range imports {
				other, ours := room(path)
				if !ours || other == name || slices.Equal(allowed, anything) || slices.Contains(allowed, other) || slices.Contains(more, other) {
					continue
				}
				t.Errorf("%s %s %s, which the table does not allow", name, what, other)
			}
		}
		check("imports", p.Imports, nil)
		check("tests with", p.TestImports, meeting[name])
		check("tests with", p.XTestImports, meeting[name])
	}
	for name := range rooms {
		require.True(t, seen[name], "%s is in the table and not in the house", name)
	}
}

// deps is everything that a package is built from, its tests included.
func deps(t *testing.T, name string, withTests bool) []string {
	t.Helper()
	args := []string{"./" + name}
	if withTests {
		args = append([]string{"-test"}, args...)
	}
	var out []string
	for _, p := range list(t, args...) {
		out = append(out, p.Deps...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Neither the judge nor the judged knows the other, through any number of
// imports, their tests included.
func TestModelAndEngineAreStrangers(t *testing.T) {
	require.NotContains(t, deps(t, "model", true), module+"/engine")
	require.NotContains(t, deps(t, "engine", true), module+"/model")
}

// rapid registers flags at start-up, and so does testing: neither is in the
// binary.
func TestTheBinaryIsNoTest(t *testing.T) {
	all := deps(t, "cmd/floorcheck", false)
	for _, path := range []string{"pgregory.net/rapid", "github.com/leanovate/gopter", "testing", module + "/props"} {
		require.NotContains(t, all, path)
	}
}

// What others import stays light: the standard library, and x/text at most.
func TestLightRooms(t *testing.T) {
	for _, name := range []string{"floor", "engine", "model"} {
		for _, path := range deps(t, name, false) {
			if _, ours := room(path); ours || strings.HasPrefix(path, "golang.org/x/text/") {
				continue
			}
			first, _, _ := strings.Cut(path, "/")
			require.NotContains(t, first, ".", "%s depends on %s", name, path)
		}
	}
}

// rapid and gopter live in props alone.
func TestPropertyLibrariesHaveOneHome(t *testing.T) {
	for _, p := range list(t, "./...") {
		name, _ := room(p.ImportPath)
		if name == "props" || strings.HasPrefix(name, "bench") {
			continue
		}
		for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			require.NotEqual(t, "pgregory.net/rapid", path, name)
			require.False(t, strings.HasPrefix(path, "github.com/leanovate/gopter"), name)
		}
	}
}

// floor decides nothing: no function in it returns a bool or a Decision. Its
// decoder, which reads such values from JSON, is the one that has to.
func TestFloorDecidesNothing(t *testing.T) {
	dir := filepath.Join("..", "..", "floor")
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		require.NoError(t, err)
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Type.Results == nil || receiver(f) == "decoder" {
				continue
			}
			for _, result := range f.Type.Results.List {
				if id, ok := result.Type.(*ast.Ident); ok && (id.Name == "bool" || id.Name == "Decision") {
					t.Errorf("%s: %s returns %s", filepath.Base(path), f.Name.Name, id.Name)
				}
			}
		}
		return nil
	})
	require.NoError(t, err)
}

func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	if star, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok {
		if id, ok := star.X.(*ast.Ident); ok {
			return id.Name
		}
	}
	return ""
}

// No Go file stands at the top.
func TestNoGoFileAtTheTop(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "*.go"))
	require.NoError(t, err)
	require.Empty(t, files)
}
