// Command table writes docs/real-runtimes.md: what runtimes that others wrote
// did when they were checked.
//
//	table REPORTS READING.md...
//
// A reading tells what a runtime's documentation promises and how it was asked.
// REPORTS holds for each the JSON and the text report of its check, of the same
// name: the one has the verdicts, the other the counterexamples as a person
// reads them. Equal inputs give equal bytes.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/floorcheck/floorcheck/conform/report"
	"github.com/floorcheck/floorcheck/floor"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: table REPORTS READING.md...")
		os.Exit(2)
	}
	if err := run(os.Stdout, os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, reports string, readings []string) error {
	var all []checked
	for _, path := range readings {
		c, err := load(reports, path)
		if err != nil {
			return err
		}
		if len(all) > 0 && !slices.Equal(all[0].rules(), c.rules()) {
			return fmt.Errorf("%s and %s were asked about different rules", all[0].name, c.name)
		}
		all = append(all, c)
	}
	out := bufio.NewWriter(w)
	fmt.Fprint(out, introduction)
	writeVerdicts(out, all)
	writeSurvival(out, all)
	for _, c := range all {
		c.write(out)
	}
	return out.Flush()
}

// A checked is a runtime: what is to be read about it, and what it did.
type checked struct {
	name, reading string
	report        report.JSONReport
	findings      map[string]string // by rule: the counterexample, lines that end with LF
}

func load(reports, readingPath string) (checked, error) {
	c := checked{name: strings.TrimSuffix(filepath.Base(readingPath), ".md"), findings: map[string]string{}}
	reading, err := os.ReadFile(readingPath)
	if err != nil {
		return c, err
	}
	c.reading = strings.TrimSpace(string(reading))

	path := filepath.Join(reports, c.name+".json")
	data, err := os.ReadFile(path)
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(data, &c.report); err != nil {
		return c, fmt.Errorf("%s: is not a report: %w", path, err)
	}
	if c.report.Format != report.Format {
		return c, fmt.Errorf("%s: format: must be %q, got %q", path, report.Format, c.report.Format)
	}

	path = filepath.Join(reports, c.name+".txt")
	text, err := os.ReadFile(path)
	if err != nil {
		return c, err
	}
	for _, rule := range c.report.Rules {
		if rule.Counterexample == nil {
			continue
		}
		if c.findings[rule.ID], err = finding(string(text), rule.ID); err != nil {
			return c, fmt.Errorf("%s: %w", path, err)
		}
	}
	return c, nil
}

func (c checked) rules() []string {
	var ids []string
	for _, r := range c.report.Rules {
		ids = append(ids, r.ID)
	}
	return ids
}

// finding is the paragraph of a text report that tells a counterexample, but
// for what a reader of a page cannot do. Every line but the first is indented,
// so that nothing which a subject wrote can end the block that it stands in.
func finding(text, rule string) (string, error) {
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if !strings.HasPrefix(paragraph, rule+"   expected ") {
			continue
		}
		var kept strings.Builder
		for i, line := range strings.Split(strings.TrimRight(paragraph, "\n"), "\n") {
			switch {
			case i > 0 && !strings.HasPrefix(line, "    "):
				return "", fmt.Errorf("the counterexample of %s has a line that is not indented: %q", rule, line)
			case strings.HasPrefix(line, "    replay "), strings.HasPrefix(line, "    why "):
			default:
				fmt.Fprintln(&kept, line)
			}
		}
		return kept.String(), nil
	}
	return "", fmt.Errorf("has no counterexample of %s", rule)
}

const introduction = `# Real runtimes

What compactors that others wrote do when floorcheck asks them. ` + "`make real`" + ` installs them, checks them and writes this page.

A ` + "`fail`" + ` says that a conversation was found after which a rule does not hold, with the options told below; it does not say that the runtime breaks a promise of its own: what each of them promises is told first.
A rule asks for what a consumer of the shorter conversation needs, whoever promised it. A ` + "`pass`" + ` says that no such conversation was found.
Where a model writes the summaries, the suite's own server plays it, and plays it badly: what fails then is that a bad summary was taken for the history without a look or a mark. "The model played" says which one it was; where that line is missing it was one that keeps everything.
The rules are in [rules.md](rules.md), what a pass means in [what-a-pass-means.md](what-a-pass-means.md).
`

func writeVerdicts(w io.Writer, all []checked) {
	fmt.Fprint(w, "\n| rule |")
	for _, c := range all {
		fmt.Fprintf(w, " %s |", c.link())
	}
	fmt.Fprintf(w, "\n|%s\n", strings.Repeat(" --- |", len(all)+1))
	for i, rule := range all[0].report.Rules {
		fmt.Fprintf(w, "| `%s` (%s) |", rule.ID, rule.Keyword)
		for _, c := range all {
			fmt.Fprintf(w, " %s |", c.report.Rules[i].Verdict)
		}
		fmt.Fprintln(w)
	}
}

func (c checked) link() string { return fmt.Sprintf("[%s](#%s)", c.name, c.name) }

// writeSurvival says how much of what was planted stands after each generation,
// all classes together.
func writeSurvival(w io.Writer, all []checked) {
	generations := 0
	for _, c := range all {
		generations = max(generations, c.generations())
	}
	fmt.Fprint(w, "\nHow many of the planted elements that were live stand literally in what came out, by generation: the first is a reduction of the conversation, the next one of what came out of it and what was said since. ")
	fmt.Fprint(w, "A refusal changes nothing; a mark says that something may be missing.\n\n| runtime | reductions | refused | marked |")
	for g := range generations {
		fmt.Fprintf(w, " generation %d |", g+1)
	}
	fmt.Fprintf(w, "\n|%s\n", strings.Repeat(" --- |", generations+4))
	for _, c := range all {
		if c.report.Reduce == nil {
			continue
		}
		r := c.report.Reduce
		fmt.Fprintf(w, "| %s | %s | %s | %s |", c.link(), report.Number(r.Reductions), report.Number(r.Refused), report.Number(r.Marked))
		for g := range generations {
			fmt.Fprintf(w, " %s |", c.share(g+1, ""))
		}
		fmt.Fprintln(w)
	}
}

func (c checked) generations() int {
	last := 0
	if c.report.Reduce != nil {
		for _, r := range c.report.Reduce.Retained {
			last = max(last, r.Generation)
		}
	}
	return last
}

// share is what was kept in a generation, of one class or, for "", of all.
func (c checked) share(generation int, class floor.Class) string {
	kept, live := 0, 0
	for _, r := range c.report.Reduce.Retained {
		if r.Generation == generation && (class == "" || r.Class == class) {
			kept, live = kept+r.Kept, live+r.Live
		}
	}
	if live == 0 {
		return "-"
	}
	return fmt.Sprintf("%d %% of %s", 100*kept/live, report.Number(live))
}

func (c checked) write(w io.Writer) {
	r := c.report
	fmt.Fprintf(w, "\n## %s\n\nVersion %s. %s\n", c.name, inline(r.Subject.Version), c.reading)
	fmt.Fprintf(w, "\nChecked by suite %s with seed %s, in %s.\n", inline(r.Suite), inline(r.Seed), report.Count(r.Cases, "case"))
	if c.generations() > 0 {
		c.writeClasses(w)
	}
	for _, rule := range r.Rules {
		if found := c.findings[rule.ID]; found != "" {
			fmt.Fprintf(w, "\n```text\n%s```\n", found)
		}
	}
}

func (c checked) writeClasses(w io.Writer) {
	var classes []floor.Class
	for _, r := range c.report.Reduce.Retained {
		if !slices.Contains(classes, r.Class) {
			classes = append(classes, r.Class)
		}
	}
	slices.Sort(classes)
	fmt.Fprint(w, "\n| class |")
	for g := range c.generations() {
		fmt.Fprintf(w, " generation %d |", g+1)
	}
	fmt.Fprintf(w, "\n|%s\n", strings.Repeat(" --- |", c.generations()+1))
	for _, class := range classes {
		fmt.Fprintf(w, "| %s |", class)
		for g := range c.generations() {
			fmt.Fprintf(w, " %s |", c.share(g+1, class))
		}
		fmt.Fprintln(w)
	}
}

// inline writes a text of a subject's in a paragraph.
func inline(s string) string { return "`" + strings.ReplaceAll(report.Escape(s), "`", "'") + "`" }
