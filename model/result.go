package model

import (
	"fmt"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// A result is what was answered to a compact step. A refusal has no plan.
type result struct {
	step   int
	due    *compaction
	out    *floor.CompactOut
	plan   plan    // what goes, as far as the request allows it to
	strays []stray // what is answered and is no plan, or not this one

	replaced map[*proposal][]*candidate // by the summaries that the plan uses
}

// A stray is where an answer is at odds with its request or with itself.
type stray struct{ at, want, got string }

// results are the answered compact steps.
func (r Run) results() []*result {
	if r.lemmas != nil && r.lemmas.resulted {
		return r.lemmas.results
	}
	var results []*result
	for step := range r.Case.Steps {
		if due, out := r.step(step).compact, r.answer(step).Compact; due != nil && out != nil {
			results = append(results, readResult(step, due, out))
		}
	}
	if r.lemmas != nil {
		r.lemmas.resulted, r.lemmas.results = true, results
	}
	return results
}

func (r *result) refused() bool { return r.out.Decision == floor.Refuse }

func readResult(step int, due *compaction, out *floor.CompactOut) *result {
	r := &result{step: step, due: due, out: out}
	if r.refused() {
		return r
	}
	r.plan, r.replaced = plan{}, map[*proposal][]*candidate{}
	for i := range out.Evicted {
		r.readEvicted(i)
	}
	for _, used := range due.proposals {
		if going := r.plan.going(used); len(going) > 0 {
			r.replaced[used] = going
		}
	}
	kept := setOf(out.Kept)
	delivered := r.readOutput()
	for _, span := range due.spans {
		switch {
		case r.plan[span.ID]:
		case !delivered[span.ID]:
			r.stray("output", showName(span.ID)+" kept, or evicted under its summary", "neither")
		case !kept[span.ID]:
			r.stray("kept", showName(span.ID)+" among what is kept", "it stands in the output alone")
		}
		if kept[span.ID] && r.plan[span.ID] {
			r.stray("kept", showName(span.ID)+" kept or evicted", "both")
		}
	}
	for _, id := range out.Kept {
		if due.span[id] == nil {
			r.stray("kept", "spans of the request", showName(id))
		}
	}
	if out.Kept == nil || out.Evicted == nil || out.Output == nil {
		r.stray("", "kept, evicted and output", "not all three of them")
	}
	return r
}

func (r *result) stray(at, want, got string) { r.strays = append(r.strays, stray{at, want, got}) }

func (r *result) readEvicted(i int) {
	evicted := &r.out.Evicted[i]
	span, at := r.due.span[evicted.Span], func() string { return atEvicted(i, evicted.Span) }
	switch {
	case span == nil:
		r.stray(at(), "a span of the request", showName(evicted.Span))
	case span.under == nil || span.under.ID != evicted.Summary:
		r.stray(at(), "evicted under a summary that is of it", "evicted under "+showName(evicted.Summary))
	case r.plan[evicted.Span]:
		r.stray(at(), "evicted once", "evicted again")
	default:
		r.plan[evicted.Span] = true
		if !span.under.usable {
			r.stray(at(), "evicted under a usable summary", fmt.Sprintf("evicted under %s, %s", showName(evicted.Summary), showWorth(span.under)))
		}
	}
}

// readOutput compares what is delivered with the request, part by part, and
// gives the ids of the spans in it.
func (r *result) readOutput() (delivered map[string]bool) {
	delivered, told := map[string]bool{}, map[string]bool{}
	last := -1
	for i := range r.out.Output {
		part := &r.out.Output[i]
		span, used := r.due.span[part.Span], r.due.proposal[part.Summary]
		at := func() string { return atPart(i, part) }
		var text string
		switch {
		case part.Kind == floor.PartSpan && span != nil:
			text = span.Text
			switch {
			case delivered[part.Span]:
				r.stray(at(), "each span once", "it stands there again")
			case r.plan[part.Span]:
				r.stray(at(), "kept or evicted", "both")
			case span.place < last:
				r.stray(at(), "the order of the request", "it comes after a later span")
			}
			delivered[part.Span] = true
			last = max(last, span.place)
		case part.Kind == floor.PartSummary && used != nil:
			text = used.Text
			if told[part.Summary] {
				r.stray(at(), "each summary once", "it stands there again")
			} else if r.replaced[used] == nil {
				r.stray(at(), "a summary that replaces a span", "it replaces none")
			}
			told[part.Summary] = true
		default:
			r.stray(at(), "a span or a summary of the request", showText(part.Text))
			continue
		}
		if part.Text != text {
			d := differInText("", text, part.Text)
			r.stray(at(), d.want, d.got)
		}
	}
	for _, used := range r.due.proposals {
		if r.replaced[used] != nil && !told[used.ID] {
			r.stray("output", showName(used.ID)+", under which spans were evicted", "no such summary")
		}
	}
	return delivered
}

func atEvicted(i int, span string) string { return fmt.Sprintf("evicted[%d] (%s)", i, showName(span)) }

func atPart(i int, part *floor.Part) string {
	id := part.Span
	if part.Kind == floor.PartSummary {
		id = part.Summary
	}
	return fmt.Sprintf("output[%d] (%s)", i, showName(id))
}

// showWorth says what is wrong with a summary.
func showWorth(p *proposal) string {
	switch {
	case !came(p.Status):
		return "which has the status " + showName(string(p.Status))
	case !p.usable:
		return "which has no word in it"
	case p.denied:
		return "which says the opposite of " + showName(p.denies)
	}
	return "which is clean"
}

func (r *result) object(at, want, got string) Finding {
	return Finding{Step: r.step, At: at, Want: want, Got: got}
}

// aboutResults collects what is objected to in each answer, refusals too.
func aboutResults(o Observation, object func(r *result) []Finding) (found []Finding) {
	for _, r := range o.Base.results() {
		found = append(found, object(r)...)
	}
	return found
}

// aboutDelivered collects what is objected to in each answer that is no
// refusal.
func aboutDelivered(o Observation, object func(r *result) []Finding) []Finding {
	return aboutResults(o, func(r *result) []Finding {
		if r.refused() {
			return nil
		}
		return object(r)
	})
}

// aboutCertified collects what is objected to in the spans that went under a
// certified decision.
func aboutCertified(o Observation, object func(r *result, s *candidate) (want, got string)) []Finding {
	return aboutResults(o, func(r *result) (found []Finding) {
		if r.out.Decision != floor.Certified {
			return nil
		}
		for i := range r.out.Evicted {
			id := r.out.Evicted[i].Span
			if !r.plan[id] {
				continue
			}
			if want, got := object(r, r.due.span[id]); got != "" {
				found = append(found, r.object(atEvicted(i, id), want, got))
			}
		}
		return found
	})
}

// aboutUsed collects what is objected to in the summaries of the output that
// replace something.
func (r *result) aboutUsed(object func(part *floor.Part, used *proposal, replaced []*candidate) []difference) (found []Finding) {
	for i := range r.out.Output {
		part := &r.out.Output[i]
		used := r.due.proposal[part.Summary]
		replaced := r.replaced[used]
		if part.Kind != floor.PartSummary || replaced == nil {
			continue
		}
		for _, d := range object(part, used, replaced) {
			at := atPart(i, part)
			if d.at != "" {
				at += "." + d.at
			}
			found = append(found, r.object(at, d.want, d.got))
		}
	}
	return found
}

// whenCompact holds when some well-formed compact step is like that.
func whenCompact(like func(c *compaction) bool) func(Run) bool {
	return func(r Run) bool {
		for i := range r.Case.Steps {
			if due := r.step(i).compact; due != nil && like(due) {
				return true
			}
		}
		return false
	}
}

// whenCovered holds when something has to go, and some span with a usable
// summary is like that.
func whenCovered(like func(c *compaction, s *candidate) bool) func(Run) bool {
	return whenCompact(func(c *compaction) bool {
		return c.tight() && slices.ContainsFunc(c.coverable(), func(s *candidate) bool { return like(c, s) })
	})
}

// delivers: the answer is due to be no refusal.
func delivers(c *compaction) bool { return c.due != floor.Refuse }

// shortens: something has to go, and may.
func shortens(c *compaction) bool { return c.tight() && delivers(c) }
