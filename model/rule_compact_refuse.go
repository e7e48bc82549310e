package model

import "github.com/floorcheck/floorcheck/floor"

// What is dangerous follows the policy that the subject declares. Where no
// provisional plan fits, a recoverable source does not help.
var _ = register(Rule{
	ID:      "compact/refuse",
	Title:   "where nothing sound fits, and the flags or the budget leave no room for a provisional plan: refuse",
	Needs:   "B-28",
	Keyword: Must,
	Op:      floor.OpCompact,
	Minimum: 20,

	Applies: whenCompact(refuses),

	Check: func(o Observation) []Finding {
		return aboutDelivered(o, func(r *result) []Finding {
			if !refuses(r.due) {
				return nil
			}
			return []Finding{r.object("", showDecision(floor.Refuse), showDecision(r.out.Decision))}
		})
	},

	// The smallest lie: go on provisionally, with whatever can be used.
	Break: func(o Observation) (Observation, bool) {
		return lieInCompact(o, func(r *result, out *floor.CompactOut) bool {
			most, _ := r.due.provisionalPlan()
			*out = *r.due.answer(most, floor.Provisional, floor.BasisHarmless)
			return refuses(r.due)
		})
	},
})

func refuses(c *compaction) bool { return c.due == floor.Refuse }
