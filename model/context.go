package model

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// expected is a right answer. Where a sound or a provisional plan is due, any
// that fits would do; this one is the cheapest.
func (c *compaction) expected() *floor.CompactOut {
	if c.due == floor.Refuse {
		return c.refusal()
	}
	return c.answer(c.duePlan(), c.due, c.basis)
}

// answer is the right way to deliver a plan, under whatever decision.
func (c *compaction) answer(p plan, d floor.Decision, b floor.Basis) *floor.CompactOut {
	out := &floor.CompactOut{
		Decision: d, Basis: b, Contract: c.contract(p, d),
		Kept: []string{}, Evicted: []floor.Evicted{}, Output: []floor.Part{},
	}
	told := map[*proposal]bool{}
	for _, span := range c.spans {
		if !p[span.ID] {
			out.Kept = append(out.Kept, span.ID)
			out.Output = append(out.Output, floor.Part{Kind: floor.PartSpan, Span: span.ID, Text: span.Text})
			continue
		}
		out.Evicted = append(out.Evicted, floor.Evicted{Span: span.ID, Summary: span.under.ID, Fidelity: slices.Clone(span.tag)})
		if !told[span.under] {
			told[span.under] = true
			out.Output = append(out.Output, c.part(p, span.under, d))
		}
	}
	return out
}

// part is how a used summary stands in the context.
func (c *compaction) part(p plan, used *proposal, d floor.Decision) floor.Part {
	replaced, marked := p.going(used), d == floor.Provisional
	return floor.Part{
		Kind: floor.PartSummary, Summary: used.ID, Text: used.Text,
		Provisional: &marked, Lineage: c.lineage(replaced, d), Lost: lost(replaced),
	}
}

// lineage is what a summary hands down that stands for these spans.
func (c *compaction) lineage(replaced []*candidate, d floor.Decision) *floor.Lineage {
	l := &floor.Lineage{AncestryCertified: true, Decision: d, Effective: []floor.Fidelity{}}
	counts := map[floor.Class]floor.Fidelity{}
	for _, f := range tally(replaced) {
		counts[f.Class] = f
	}
	classes := sortedOnce(c.in.Known)
	for _, span := range replaced {
		l.Generation = max(l.Generation, span.generation())
		l.AncestryCertified = l.AncestryCertified && span.isClean()
		if span.isSummary() {
			held := heldBy(span.Lineage)
			classes = slices.DeleteFunc(classes, func(class floor.Class) bool {
				_, holds := held[class]
				return !holds
			})
		}
	}
	l.Generation++
	for _, class := range classes {
		l.Effective = append(l.Effective, floor.Fidelity{Class: class, Retained: counts[class].Retained, Total: counts[class].Total})
	}
	return l
}

// lost are the elements that a summary does not keep of these spans.
func lost(replaced []*candidate) []string {
	ids := []string{}
	for _, span := range replaced {
		for i := range span.Elements {
			if !span.keeps(i) {
				ids = append(ids, span.Elements[i].ID)
			}
		}
	}
	return ids
}

// contract is that of the context as a plan delivers it: the spans that stay,
// older summaries among them, and the summaries that are used. So it may hold
// less than the decision, which speaks of what is replaced now.
func (c *compaction) contract(p plan, d floor.Decision) *floor.Contract {
	out := &floor.Contract{Required: sortedOnce(c.in.Required), Certified: []floor.Class{}, AncestryCertified: true}
	var parts []string
	holds := setOf(c.in.Required) // what every summary holds at its floor
	include := func(generation int64, clean, summary bool, l *floor.Lineage) {
		out.Generation = max(out.Generation, generation)
		out.AncestryCertified = out.AncestryCertified && clean
		if !summary {
			return
		}
		held := heldBy(l)
		for _, class := range out.Required {
			f, there := held[class]
			holds[class] = holds[class] && clean && there && atFloor(f, c.floor(class))
		}
	}
	for _, span := range c.spans {
		if !p[span.ID] {
			parts = append(parts, span.Text)
			include(span.generation(), span.isClean(), span.isSummary(), span.Lineage)
		}
	}
	for _, used := range c.proposals {
		if replaced := p.going(used); len(replaced) > 0 {
			parts = append(parts, used.Text)
			l := c.lineage(replaced, d)
			include(l.Generation, l.AncestryCertified && d == floor.Certified, true, l)
		}
	}
	delivered := c.folds.deliver(parts)
	for _, span := range c.spans {
		for _, e := range span.Elements {
			if holds[e.Class] && len(e.Inverted) > 0 && isInverted(delivered.Retention(e)) {
				holds[e.Class] = false
			}
		}
	}
	for _, class := range out.Required {
		if holds[class] {
			out.Certified = append(out.Certified, class)
		}
	}
	return out
}

// SpansAfter are the spans of the context after an answer to a well-formed
// request: those that were kept, and in the place of the others a span for each
// summary that was used, with the lineage that the answer gives it. A refusal
// changes nothing. The elements of a summary are all those of the spans that it
// stands for, the ones it does not keep marked as lost; they are unknown where
// those of one of these spans are. It is nil where the answer does not fit the
// request.
func SpansAfter(in *floor.CompactIn, out *floor.CompactOut) []floor.Span {
	if out.Decision == floor.Refuse {
		return in.Spans
	}
	r := readResult(0, newCompaction(in, floor.Guard, newFolder()), out)
	if len(r.strays) > 0 {
		return nil
	}
	spans := []floor.Span{}
	for i := range out.Output {
		if part := &out.Output[i]; part.Kind == floor.PartSpan {
			spans = append(spans, *r.due.span[part.Span].Span)
		} else {
			spans = append(spans, spanOf(r.due.proposal[part.Summary], r.plan, part))
		}
	}
	return spans
}

// spanOf is a used summary as it stands in the context from now on.
func spanOf(used *proposal, p plan, part *floor.Part) floor.Span {
	s := floor.Span{
		ID: used.ID, Kind: floor.KindSummary, Role: floor.Assistant, Tokens: used.Tokens, Text: used.Text,
		Elements: []floor.Element{}, Lineage: part.Lineage,
	}
	known := true
	for _, span := range p.going(used) {
		known = known && span.Elements != nil
		for i, e := range span.Elements {
			e.Lost = nil
			if !span.keeps(i) {
				gone := true
				e.Lost = &gone
			}
			s.Elements = append(s.Elements, e)
		}
	}
	if !known {
		s.Elements = nil
	}
	return s
}
