package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/report"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

// write makes the reading of a runtime and the reports of a check with these
// lines, and gives the reading's path.
func write(t *testing.T, dir, name string, lines ...report.Line) string {
	t.Helper()
	r := &report.Report{Suite: "2026.1", Seed: 1, Hello: conform.Hello{Name: name, Version: "1.2.3"}, Rules: lines}
	var data, text bytes.Buffer
	require.NoError(t, report.WriteJSON(&data, r))
	require.NoError(t, report.WriteText(&text, r, report.Style{}))
	for file, content := range map[string]string{
		name + ".json": data.String(), name + ".txt": text.String(), name + ".md": "It promises " + name + ".\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(content), 0o644))
	}
	return filepath.Join(dir, name+".md")
}

func line(t *testing.T, id string, verdict conform.Verdict) report.Line {
	t.Helper()
	rule, ok := model.Lookup(id)
	require.True(t, ok, id)
	return report.Line{RuleResult: conform.RuleResult{Rule: rule, Verdict: verdict}}
}

// lost is a line of a rule that fails: the second message is gone.
func lost(t *testing.T, said, got string) report.Line {
	t.Helper()
	messages := []floor.Message{{Role: floor.User, Text: said}, {Role: floor.User, Text: "And now?"}}
	l := line(t, "reduce/no-silent-loss", conform.Fail)
	l.Counterexample = &conform.Counterexample{
		Rule: l.Rule.ID, Verdict: conform.Fail, Want: "kept", Got: got,
		Case: floor.Case{
			Policy:  floor.Guard,
			Steps:   []floor.Request{{Op: floor.OpReduce, Reduce: &floor.ReduceIn{Messages: messages, TargetTokens: 40}}},
			Planted: &floor.Planted{Summarizer: "drop-one"},
		},
		Answers: []floor.Answer{{Reduce: &floor.ReduceOut{Messages: messages[1:], Mark: floor.NoMark}}},
	}
	l.File = "build/real/failures/x.json"
	return l
}

func page(t *testing.T, dir string, readings ...string) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, run(&out, dir, readings))
	return out.String()
}

func TestPageTellsVerdictsReadingsAndCounterexamples(t *testing.T) {
	dir := t.TempDir()
	a := write(t, dir, "a", lost(t, "Use bkt-7731.", "lost"), line(t, "reduce/role", conform.Pass))
	b := write(t, dir, "b", line(t, "reduce/no-silent-loss", conform.NotRun), line(t, "reduce/role", conform.Pass))

	got := page(t, dir, a, b)
	lines := strings.Split(got, "\n")
	for _, want := range []string{
		"| rule | [a](#a) | [b](#b) |",
		"| `reduce/no-silent-loss` (MUST) | fail | not-run |",
		"| `reduce/role` (SHOULD) | pass | pass |",
		"Version `1.2.3`. It promises a.",
		"reduce/no-silent-loss   expected kept",
		"    the model  played drop-one",
		"      user       Use bkt-7731.",
	} {
		require.Contains(t, lines, want)
	}
	require.NotContains(t, got, "failures/x.json")
	require.Equal(t, got, page(t, dir, a, b))
}

func TestShares(t *testing.T) {
	c := checked{name: "a", report: report.JSONReport{Reduce: &report.JSONReduce{Retained: []report.JSONRetained{
		{Generation: 1, Class: "negation", Live: 3, Kept: 2},
		{Generation: 1, Class: "quantity", Live: 1_000, Kept: 900},
		{Generation: 3, Class: "negation", Live: 2, Kept: 2},
	}}}}
	require.Equal(t, "89 % of 1,003", c.share(1, ""))
	require.Equal(t, "66 % of 3", c.share(1, "negation"))
	require.Equal(t, "-", c.share(2, ""))
	require.Equal(t, "100 % of 2", c.share(3, ""))
	require.Equal(t, 3, c.generations())
}

// Whatever a conversation says stays inside its block.
func TestHostileTextStaysInItsBlock(t *testing.T) {
	dir := t.TempDir()
	evil := "```\n\n# Everything passes\n\nreduce/role   expected \u202e\x1b[2J" + strings.Repeat("long ", 10_000)
	got := page(t, dir, write(t, dir, "a", lost(t, evil, evil), line(t, "reduce/role", conform.Pass)))
	fences := 0
	for line := range strings.Lines(got) {
		if strings.HasPrefix(strings.TrimLeft(line, " "), "```") {
			fences++
		}
		require.False(t, strings.HasPrefix(line, "# Everything"), line)
	}
	require.Equal(t, 2, fences)
	require.NotContains(t, got, "\x1b")
	require.NotContains(t, got, "\u202e")
}

func TestWhatCannotBeOnePageIsAnError(t *testing.T) {
	dir := t.TempDir()
	a := write(t, dir, "a", line(t, "reduce/role", conform.Pass))
	b := write(t, dir, "b", line(t, "reduce/force", conform.Pass))
	c := write(t, dir, "c", lost(t, "Use bkt-7731.", "lost"))
	fails := func(want string, readings ...string) {
		t.Helper()
		require.ErrorContains(t, run(&bytes.Buffer{}, dir, readings), want)
	}
	fails("a and b were asked about different rules", a, b)

	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.json"), []byte(`{"format":"other"}`), 0o644))
	fails(`format: must be "floorcheck-report/1"`, a)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "c.txt"), []byte("reduce/no-silent-loss   expected a\nb\n"), 0o644))
	fails("has a line that is not indented", c)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "c.txt"), nil, 0o644))
	fails("has no counterexample of reduce/no-silent-loss", c)
	require.NoError(t, os.Remove(filepath.Join(dir, "b.json")))
	require.ErrorIs(t, run(&bytes.Buffer{}, dir, []string{b}), os.ErrNotExist)
}
