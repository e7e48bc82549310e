package model

import (
	"fmt"

	"github.com/floorcheck/floorcheck/floor"
)

var _ = register(Rule{
	ID:      "compact/budget",
	Title:   "the spans that stay and the summaries that are used fit the budget together, or it is a refusal",
	Needs:   "W-35",
	Keyword: Must,
	Op:      floor.OpCompact,
	Minimum: 20,

	Applies: whenCompact(func(c *compaction) bool { return c.tight() }),

	Check: func(o Observation) []Finding {
		return aboutDelivered(o, func(r *result) []Finding {
			budget := r.due.in.BudgetTokens
			if got := r.tokens(budget); got > budget {
				return []Finding{r.object("output", fmt.Sprintf("at most %d tokens", budget), fmt.Sprintf("%d or more", got))}
			}
			return nil
		})
	},

	// The smallest lie: let everything stay.
	Break: func(o Observation) (Observation, bool) {
		return lieInCompact(o, func(r *result, out *floor.CompactOut) bool {
			*out = *r.due.answer(plan{}, r.due.due, r.due.basis)
			return shortens(r.due)
		})
	},
})

// tokens are those of the output, as the request counts them; it stops counting
// above the budget. What the request does not hold is compact/conserve's matter.
func (r *result) tokens(budget int64) (sum int64) {
	for i := range r.out.Output {
		part := &r.out.Output[i]
		if span := r.due.span[part.Span]; part.Kind == floor.PartSpan && span != nil {
			sum += span.Tokens
		}
		if used := r.due.proposal[part.Summary]; part.Kind == floor.PartSummary && used != nil {
			sum += used.Tokens
		}
		if sum > budget {
			break
		}
	}
	return sum
}
