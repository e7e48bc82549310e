package model

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// The decision speaks of what is replaced now; the contract of all that is
// delivered, and so of older summaries that are kept.
var _ = register(Rule{
	ID:      "compact/contract",
	Title:   "the contract is that of the context as it is delivered, kept summaries included",
	Needs:   "A-54",
	Keyword: Must,
	Op:      floor.OpCompact,
	Minimum: 20,

	Applies: whenCompact(delivers),

	Check: func(o Observation) []Finding {
		return aboutDelivered(o, func(r *result) []Finding {
			if len(r.strays) > 0 {
				return nil // compact/conserve's matter: it is not clear what is delivered
			}
			if d := differInContract(r.due.contract(r.plan, r.out.Decision), r.out.Contract); d != (difference{}) {
				return []Finding{r.object(d.at, d.want, d.got)}
			}
			return nil
		})
	},

	// The smallest lie: certify one class more, or another generation.
	Break: func(o Observation) (Observation, bool) {
		return lieInCompact(o, func(r *result, out *floor.CompactOut) bool {
			if r.refused() {
				return false
			}
			contract := *out.Contract
			out.Contract = &contract
			for _, class := range contract.Required {
				if !slices.Contains(contract.Certified, class) {
					contract.Certified = append(slices.Clone(contract.Certified), class)
					return true
				}
			}
			contract.Generation++
			return true
		})
	},
})
