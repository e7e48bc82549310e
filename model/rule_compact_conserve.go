package model

import "github.com/floorcheck/floorcheck/floor"

var _ = register(Rule{
	ID:      "compact/conserve",
	Title:   "every span is kept as it is, or evicted under a usable summary that is of it; their order stays, and nothing else appears",
	Needs:   "B-12",
	Keyword: Must,
	Op:      floor.OpCompact,
	Minimum: 20,

	Applies: whenCompact(delivers),

	Check: func(o Observation) []Finding {
		return aboutDelivered(o, func(r *result) (found []Finding) {
			for _, s := range r.strays {
				found = append(found, r.object(s.at, s.want, s.got))
			}
			return found
		})
	},

	// The smallest lie: let one part of the output vanish.
	Break: func(o Observation) (Observation, bool) {
		return lieInCompact(o, func(r *result, out *floor.CompactOut) bool {
			if r.refused() || len(out.Output) == 0 {
				return false
			}
			out.Output = out.Output[:len(out.Output)-1]
			return true
		})
	},
})
