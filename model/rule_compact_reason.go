package model

import "github.com/floorcheck/floorcheck/floor"

// Only a refusal that was due has a reason: of another there is no right one.
// The three lists that say what stands in the way may be left out by a subject
// that does not know.
var _ = register(Rule{
	ID:      "compact/reason",
	Title:   "a refusal names exactly the guarded classes that stand in the way, by how much the cheapest sound plan misses the budget, and ways on",
	Needs:   "A-48",
	Keyword: Must,
	Op:      floor.OpCompact,
	Minimum: 20,

	Applies: whenCompact(refuses),

	Check: func(o Observation) []Finding {
		return aboutResults(o, func(r *result) (found []Finding) {
			if !refuses(r.due) || !r.refused() {
				return nil
			}
			over := r.due.overBudget()
			wrong := []difference{
				differInSet("missing_classes", r.due.missing(), r.out.MissingClasses),
				differIfGiven("unknown_spans", r.due.unknownSpans(), r.out.UnknownSpans),
				differIfGiven("poisoned_spans", r.due.poisonedSpans(), r.out.PoisonedSpans),
				differIfGiven("unclean_summaries", r.due.uncleanSummaries(), r.out.UncleanSummaries),
			}
			if !sameValue(r.out.OverBudgetTokens, &over) {
				wrong = append(wrong, difference{"over_budget_tokens", showTokens(&over), showTokens(r.out.OverBudgetTokens)})
			}
			if len(r.out.Escalations) == 0 {
				wrong = append(wrong, difference{"escalations", "a way on", showSet("escalations", r.out.Escalations)})
			}
			for _, d := range wrong {
				if d != (difference{}) {
					found = append(found, r.object(d.at, d.want, d.got))
				}
			}
			return found
		})
	},

	// The smallest lie: keep one missing class quiet, or miss the budget by less.
	Break: func(o Observation) (Observation, bool) {
		return lieInCompact(o, func(r *result, out *floor.CompactOut) bool {
			if !r.refused() {
				return false
			}
			if len(out.MissingClasses) > 0 {
				out.MissingClasses = given(out.MissingClasses[1:])
				return true
			}
			less := *out.OverBudgetTokens - 1
			out.OverBudgetTokens = &less
			return true
		})
	},
})

// differIfGiven judges what may be left out.
func differIfGiven(at string, want, got []string) difference {
	if got == nil {
		return difference{}
	}
	return differInSet(at, want, got)
}
