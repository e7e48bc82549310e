package model

import "github.com/floorcheck/floorcheck/floor"

// A certified plan whose summaries are marked, or that gives a basis, is a
// provisional one in disguise. Where everything fits, the plan that changes
// nothing is sound: a refusal is wrong, and another decision is not judged.
var _ = register(Rule{
	ID:      "compact/no-gratuitous-refusal",
	Title:   "no refusal and nothing provisional when a sound plan fits; no refusal when the flags allow a provisional plan and one fits",
	Needs:   "B-08",
	Keyword: Must,
	Op:      floor.OpCompact,
	Minimum: 20,

	Applies: whenCompact(delivers),

	Check: func(o Observation) []Finding {
		return aboutResults(o, func(r *result) []Finding {
			switch {
			case !delivers(r.due):
				return nil
			case r.refused():
				return []Finding{r.object("", showDecision(r.due.due), showDecision(floor.Refuse))}
			case !affords(r.due):
				return nil
			case r.out.Decision != floor.Certified:
				return []Finding{r.object("", "certified: a sound plan fits", showDecision(r.out.Decision))}
			case r.out.Basis != "":
				return []Finding{r.object("basis", "none: a sound plan fits", showName(string(r.out.Basis)))}
			}
			return r.aboutUsed(func(part *floor.Part, _ *proposal, _ []*candidate) []difference {
				if isMarked(part) {
					return []difference{{"", "not marked: a sound plan fits", showMark(part)}}
				}
				return nil
			})
		})
	},

	// The smallest lie: refuse.
	Break: func(o Observation) (Observation, bool) {
		return lieInCompact(o, func(r *result, out *floor.CompactOut) bool {
			*out = *r.due.refusal()
			return delivers(r.due)
		})
	},
})
