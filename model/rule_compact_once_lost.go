package model

import (
	"fmt"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// What was lost comes back from the originals alone, and not because a later
// text happens to say it, or makes it up.
var _ = register(Rule{
	ID:      "compact/once-lost",
	Title:   "an element that was lost stays lost, even if a later text names it again",
	Needs:   "A-24",
	Keyword: Must,
	Op:      floor.OpCompact,
	Minimum: 20,

	Applies: whenCovered(func(_ *compaction, s *candidate) bool { return s.namesLost() >= 0 }),

	Check: func(o Observation) []Finding {
		return aboutDelivered(o, func(r *result) []Finding {
			return r.aboutUsed(func(part *floor.Part, used *proposal, replaced []*candidate) (wrong []difference) {
				gone := setOf(part.Lost)
				for _, span := range replaced {
					for i := range span.Elements {
						if e := &span.Elements[i]; wasLost(e) && !gone[e.ID] {
							wrong = append(wrong, difference{"lost", showElement(e) + ": it was lost before", "not lost"})
						}
					}
				}
				if part.Lineage != nil {
					wrong = append(wrong, resurrected(part.Lineage.Effective, replaced, "lineage.effective")...)
				}
				return append(wrong, r.tagsThatResurrect(used)...)
			})
		})
	},

	// The smallest lie: count one element that the summary names again.
	Break: func(o Observation) (Observation, bool) {
		return lieInCompact(o, func(r *result, out *floor.CompactOut) bool {
			for _, span := range r.due.coverable() {
				again := span.namesLost()
				if again < 0 || !r.due.tight() {
					continue
				}
				going, _ := r.due.provisionalPlan()
				going[span.ID] = true
				*out = *r.due.answer(going, floor.Provisional, r.due.basis)
				for i := range out.Output {
					if part := &out.Output[i]; part.Summary == span.under.ID {
						part.Lost = slices.DeleteFunc(part.Lost, func(id string) bool { return id == span.Elements[again].ID })
					}
				}
				return true
			}
			return false
		})
	},
})

// namesLost finds an element that was lost and is in the summary's text again.
func (s *candidate) namesLost() int {
	for i := range s.Elements {
		if wasLost(&s.Elements[i]) && s.now[i] == Retained {
			return i
		}
	}
	return -1
}

// tagsThatResurrect looks at the tags of the spans that went under a summary.
func (r *result) tagsThatResurrect(used *proposal) (wrong []difference) {
	for i := range r.out.Evicted {
		evicted := &r.out.Evicted[i]
		if span := r.due.span[evicted.Span]; evicted.Summary == used.ID && r.plan[evicted.Span] {
			wrong = append(wrong, resurrected(evicted.Fidelity, []*candidate{span}, "tag of "+showName(evicted.Span))...)
		}
	}
	return wrong
}

// resurrected compares fidelities with what there was to keep before.
func resurrected(entries []floor.Fidelity, spans []*candidate, at string) (wrong []difference) {
	before := map[floor.Class]floor.Fidelity{}
	for _, span := range spans {
		for i := range span.Elements {
			f := before[span.Elements[i].Class]
			f.Total++
			if !wasLost(&span.Elements[i]) {
				f.Retained++
			}
			before[span.Elements[i].Class] = f
		}
	}
	for _, f := range entries {
		most, there := before[f.Class]
		most.Class = f.Class
		if there && sane(f) && compare(f, most) > 0 {
			wrong = append(wrong, difference{at, fmt.Sprintf("at most %s: the others were lost before", showFidelity(most)), showFidelity(f)})
		}
	}
	return wrong
}
