package engine

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// deliver writes down a plan.
func (c *compaction) deliver(p plan, d Decision) floor.CompactOut {
	out := floor.CompactOut{Decision: d.Floor(), Kept: []string{}, Evicted: []floor.Evicted{}, Output: []floor.Part{}}
	if d == Provisional {
		out.Basis = floor.BasisHarmless
		if c.in.SourceRecoverable {
			out.Basis = floor.BasisRecoverable
		}
	}
	lineages := make([]*floor.Lineage, len(c.in.Summaries))
	for i := range c.in.Spans {
		s := &c.in.Spans[i]
		if !p.evicted[i] {
			out.Kept = append(out.Kept, s.ID)
			out.Output = append(out.Output, floor.Part{Kind: floor.PartSpan, Span: s.ID, Text: s.Text})
			continue
		}
		m := c.summaryOf[i]
		summary := &c.in.Summaries[m]
		tags := append(make([]floor.Fidelity, 0, 4), c.count(i)...) // never nil
		out.Evicted = append(out.Evicted, floor.Evicted{Span: s.ID, Summary: summary.ID, Fidelity: tags})
		if lineages[m] == nil {
			var lost []string
			lineages[m], lost = c.lineage(p, m, d)
			out.Output = append(out.Output, floor.Part{
				Kind: floor.PartSummary, Summary: summary.ID, Text: summary.Text,
				Provisional: new(d == Provisional), Lineage: lineages[m], Lost: lost,
			})
		}
	}
	out.Contract = c.contract(p, lineages)
	return out
}

// lineage is of a summary that is used; lost are the elements that it does not
// keep. A span whose elements are unknown adds nothing to the counts: only a
// provisional summary replaces one.
func (c *compaction) lineage(p plan, m int, d Decision) (l *floor.Lineage, lost []string) {
	l = &floor.Lineage{AncestryCertified: true, Decision: d.Floor(), Effective: []floor.Fidelity{}}
	classes, lost := c.known, []string{}
	var counts []floor.Fidelity
	for _, i := range c.under[m] {
		if !p.evicted[i] {
			continue
		}
		s := &c.in.Spans[i]
		l.Generation = max(l.Generation, generationOf(s)+1)
		l.AncestryCertified = l.AncestryCertified && carries(s)
		if isSummary(s) {
			classes = inEffective(classes, s.Lineage)
		}
		for j := range s.Elements {
			if !c.kept[c.first[i]+j] {
				lost = append(lost, s.Elements[j].ID)
			}
		}
		counts = c.appendEach(counts, i)
	}
	counts = summed(counts)
	for _, class := range classes {
		f := floor.Fidelity{Class: class}
		if at, found := slices.BinarySearchFunc(counts, f, byClass); found {
			f = counts[at]
		}
		l.Effective = append(l.Effective, f)
	}
	return l, lost
}

// generationOf is that of a span as it stands: a summary without a lineage
// counts as a first one.
func generationOf(s *floor.Span) int64 {
	switch {
	case s.Lineage != nil:
		return s.Lineage.Generation
	case isSummary(s):
		return 1
	}
	return 0
}

// inEffective keeps the classes, which are sorted, that a lineage has; without
// a lineage that is none.
func inEffective(classes []floor.Class, l *floor.Lineage) (both []floor.Class) {
	if l == nil {
		return nil
	}
	for _, f := range slices.SortedFunc(slices.Values(l.Effective), byClass) {
		if _, found := slices.BinarySearch(classes, f.Class); found {
			both = append(both, f.Class)
		}
	}
	return both
}

// contract is that of the context as it is delivered.
func (c *compaction) contract(p plan, lineages []*floor.Lineage) *floor.Contract {
	required := sortedSet(c.in.Required)
	out := &floor.Contract{Required: required, Certified: []floor.Class{}, AncestryCertified: true}
	summaries, effective := 0, make([]int, len(required)) // by class: how many summaries have it at its floor
	summary := func(l *floor.Lineage) {
		summaries++
		for _, f := range l.Effective {
			if at, found := slices.BinarySearch(required, f.Class); found && atFloor(f, floorOf(f.Class, c.in.FloorsPermille)) {
				effective[at]++
			}
		}
	}
	for i := range c.in.Spans {
		if s := &c.in.Spans[i]; !p.evicted[i] {
			out.Generation = max(out.Generation, generationOf(s))
			out.AncestryCertified = out.AncestryCertified && carries(s)
			if s.Lineage != nil {
				summary(s.Lineage)
			}
		}
	}
	for _, l := range lineages {
		if l != nil {
			out.Generation = max(out.Generation, l.Generation)
			out.AncestryCertified = out.AncestryCertified && l.AncestryCertified && l.Decision == floor.Certified
			summary(l)
		}
	}
	if !out.AncestryCertified {
		return out
	}
	opposed := c.opposed(p, required)
	for at, class := range required {
		if effective[at] == summaries && !opposed[at] {
			out.Certified = append(out.Certified, class)
		}
	}
	return out
}

// opposed says of each class whether an element of it is inverted, or
// contradicted, in what is delivered.
func (c *compaction) opposed(p plan, classes []floor.Class) []bool {
	out := make([]bool, len(classes))
	if !c.elements.haveInverted() {
		return out
	}
	read := func(text string) {
		c.reader.read(text)
		for e := range c.reader.invertedOnes() {
			i := c.spanOf[e]
			if at, found := slices.BinarySearch(classes, c.in.Spans[i].Elements[e-c.first[i]].Class); found {
				out[at] = true
			}
		}
	}
	for i := range c.in.Spans {
		if !p.evicted[i] {
			read(c.in.Spans[i].Text)
		}
	}
	for m := range c.in.Summaries {
		if p.used[m] {
			read(c.in.Summaries[m].Text)
		}
	}
	return out
}

// refuse says why nothing may be changed, and what can be done about it.
func (c *compaction) refuse(over int64) floor.CompactOut {
	out := floor.CompactOut{
		Decision: floor.Refuse, MissingClasses: []floor.Class{}, OverBudgetTokens: &over,
		Escalations:  []string{RaiseBudget, SplitTask, Checkpoint, Human},
		UnknownSpans: []string{}, PoisonedSpans: []string{}, UncleanSummaries: []string{},
	}
	if c.in.SourceRecoverable {
		out.Escalations = append(out.Escalations, Retrieve)
	}
	missing := make([]bool, len(c.guarded))
	asked, lineages, effective := 0, 0, make([]int, len(c.guarded)) // by class: how many of these lineages have it
	for i, m := range c.summaryOf {
		if m < 0 || !c.usable[m] {
			continue
		}
		s := &c.in.Spans[i]
		asked++
		if s.Elements == nil {
			out.UnknownSpans = append(out.UnknownSpans, s.ID)
		}
		if !carries(s) {
			out.PoisonedSpans = append(out.PoisonedSpans, s.ID)
		}
		if s.Lineage != nil {
			lineages++
			c.guardedIn(s.Lineage.Effective, func(g int) { effective[g]++ })
		}
		for _, f := range c.count(i) {
			if g, guarded := c.guard(f.Class); guarded && !atFloor(f, c.floors[g]) {
				missing[g] = true
			}
		}
	}
	for g, class := range c.guarded {
		if missing[g] || asked > 0 && !c.isKnown(class) || effective[g] < lineages {
			out.MissingClasses = append(out.MissingClasses, class)
		}
	}
	for m := range c.in.Summaries {
		if c.usable[m] && !c.clean[m] {
			out.UncleanSummaries = append(out.UncleanSummaries, c.in.Summaries[m].ID)
		}
	}
	return out
}
