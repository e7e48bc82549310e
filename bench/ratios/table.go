package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchmath"
)

// A measured is the figures of each benchmark and unit, one a round, by
// "Decision/alone sec/case".
type measured map[string][]float64

func read(text io.Reader, name string) (measured, error) {
	m := measured{}
	r := benchfmt.NewReader(text, name)
	for r.Scan() {
		result, ok := r.Result().(*benchfmt.Result)
		if !ok {
			continue // a note, a unit, or a line that is none of ours
		}
		bench := withoutProcs(result.Name)
		for _, v := range result.Values {
			key := bench + " " + v.Unit
			m[key] = append(m[key], v.Value)
		}
	}
	return m, r.Err()
}

// withoutProcs drops the -2 that says how many processors there were.
func withoutProcs(n benchfmt.Name) string {
	base, parts := n.Parts()
	name := string(base)
	for _, part := range parts {
		if !strings.HasPrefix(string(part), "-") {
			name += string(part)
		}
	}
	return name
}

func (m measured) of(bench string) []float64 {
	if !strings.Contains(bench, " ") {
		bench += " sec/case"
	}
	return m[bench]
}

// write prints a row for each goal that was measured.
func write(w io.Writer, goals []goal, m measured) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "what\tmedian\tanchor\tmedian\tratio\t95 % of\tgoal\t")
	missed := 0
	for _, g := range goals {
		own := scaled(m.of(g.of), g.times)
		if len(own) == 0 {
			continue
		}
		row := []string{g.what, seconds(median(own).Center), "", "", "", "", g.limit(), g.verdict(median(own).Center)}
		if anchor := m.of(g.anchor); g.anchor != "" && len(anchor) > 0 {
			ratio := median(g.ratios(own, anchor))
			row[2], row[3] = strings.Fields(g.anchor)[0], seconds(median(anchor).Center)
			row[4] = figure(ratio.Center)
			if !math.IsInf(ratio.Lo, 0) { // six rounds at least
				row[5] = figure(ratio.Lo) + " to " + figure(ratio.Hi)
			}
			row[7] = g.verdict(ratio.Center)
		} else if g.anchor != "" {
			row[7] = ""
		}
		if row[7] == "missed" {
			missed++
		}
		fmt.Fprintln(table, strings.TrimRight(strings.Join(row, "\t"), "\t"))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%d missed. A ratio is the median over the rounds, each against its own anchor; ×: times as fast.\n", missed)
	return err
}

func scaled(values []float64, times float64) []float64 {
	if times == 0 {
		return values
	}
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = v * times
	}
	return out
}

// ratios are those of each round.
func (g goal) ratios(own, anchor []float64) []float64 {
	out := make([]float64, min(len(own), len(anchor)))
	for i := range out {
		out[i] = own[i] / anchor[i]
		if g.faster {
			out[i] = anchor[i] / own[i]
		}
	}
	return out
}

func (g goal) limit() string {
	unit := figure
	if g.anchor == "" {
		unit = seconds
	}
	switch {
	case g.atMost > 0:
		return "≤ " + unit(g.atMost)
	case g.atLeast > 0:
		return "≥ " + unit(g.atLeast) + " ×"
	}
	return ""
}

func (g goal) verdict(v float64) string {
	switch {
	case g.atMost == 0 && g.atLeast == 0:
		return ""
	case g.atMost > 0 && v > g.atMost, v < g.atLeast:
		return "missed"
	}
	return "met"
}

// median has the interval that needs no assumption on how the noise lies.
func median(values []float64) benchmath.Summary {
	values = slices.Clone(values) // a sample sorts them, and their order says which round they are of
	return benchmath.AssumeNothing.Summary(benchmath.NewSample(values, &benchmath.DefaultThresholds), 0.95)
}

// seconds writes a time with three digits.
func seconds(s float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}} {
		if s >= unit.size {
			return figure(s/unit.size) + " " + unit.name
		}
	}
	return figure(s*1e9) + " ns"
}

func figure(v float64) string {
	switch {
	case v >= 1e5:
		return strconv.FormatFloat(v, 'e', 1, 64)
	case v >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}
