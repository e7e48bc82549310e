package main

import (
	"slices"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
)

// naive believes its summarizer: all that a summary is of goes under it, whatever
// it says and however it came, and is told as if nothing were lost.
func naive() conform.Subject {
	hello := conform.Hello{Name: "naive", Version: "1", Language: "go", Policy: floor.Guard}
	return conform.InProcess(hello, conform.Funcs{Compact: believe})
}

func believe(in *floor.CompactIn) (floor.CompactOut, error) {
	out := floor.CompactOut{
		Decision: floor.Certified, Kept: []string{}, Evicted: []floor.Evicted{}, Output: []floor.Part{},
		Contract: &floor.Contract{Required: in.Required, Certified: in.Required, AncestryCertified: true},
	}
	under := map[string]*floor.Summary{}
	if spanTokens(in.Spans) > in.BudgetTokens {
		for i := range in.Summaries {
			for _, id := range in.Summaries[i].Of {
				under[id] = &in.Summaries[i]
			}
		}
	}
	told := map[string]*floor.Lineage{}
	for i := range in.Spans {
		s := &in.Spans[i]
		m, generation := under[s.ID], int64(0)
		if s.Lineage != nil {
			generation = s.Lineage.Generation
		}
		if m == nil {
			out.Kept = append(out.Kept, s.ID)
			out.Output = append(out.Output, floor.Part{Kind: floor.PartSpan, Span: s.ID, Text: s.Text})
			out.Contract.Generation = max(out.Contract.Generation, generation)
			continue
		}
		l := told[m.ID]
		if l == nil {
			l = &floor.Lineage{AncestryCertified: true, Decision: floor.Certified, Effective: full(in.Known, nil)}
			told[m.ID] = l
			out.Output = append(out.Output, floor.Part{
				Kind: floor.PartSummary, Summary: m.ID, Text: m.Text, Provisional: new(false), Lineage: l, Lost: []string{},
			})
		}
		l.Generation = max(l.Generation, generation+1)
		out.Contract.Generation = max(out.Contract.Generation, l.Generation)
		own := full(nil, s.Elements)
		out.Evicted = append(out.Evicted, floor.Evicted{Span: s.ID, Summary: m.ID, Fidelity: own})
		l.Effective = full(in.Known, s.Elements, l.Effective...)
	}
	return out, nil
}

// full says of these classes, and of those of these elements, that nothing is
// lost. What was counted before is added.
func full(also []floor.Class, elements []floor.Element, before ...floor.Fidelity) []floor.Fidelity {
	totals := map[floor.Class]int64{}
	list := slices.Clone(also)
	for _, f := range before {
		totals[f.Class] += f.Total
	}
	for _, e := range elements {
		totals[e.Class]++
		list = append(list, e.Class)
	}
	slices.Sort(list)
	out := []floor.Fidelity{}
	for _, class := range slices.Compact(list) {
		out = append(out, floor.Fidelity{Class: class, Retained: totals[class], Total: totals[class]})
	}
	return out
}
