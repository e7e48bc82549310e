package model

import "github.com/floorcheck/floorcheck/floor"

// Equal fractions are equal.
var _ = register(Rule{
	ID:      "compact/tagged",
	Title:   "an evicted span is tagged with what its summary keeps of it: kept over total for each class among its elements",
	Needs:   "B-26",
	Keyword: Must,
	Op:      floor.OpCompact,
	Minimum: 20,

	Applies: whenCompact(shortens),

	Check: func(o Observation) []Finding {
		return aboutDelivered(o, func(r *result) (found []Finding) {
			for i := range r.out.Evicted {
				evicted := &r.out.Evicted[i]
				if !r.plan[evicted.Span] {
					continue
				}
				want, got := r.due.span[evicted.Span].tag, append([]floor.Fidelity{}, evicted.Fidelity...)
				if d := differInEffective(want, got); d != (difference{}) {
					found = append(found, r.object(atEvicted(i, evicted.Span)+".fidelity", d.want, d.got))
				}
			}
			return found
		})
	},

	// The smallest lie: one element more or less, or a class where there is none.
	Break: func(o Observation) (Observation, bool) {
		return lieInCompact(o, func(_ *result, out *floor.CompactOut) bool {
			if len(out.Evicted) == 0 {
				return false
			}
			evicted := &out.Evicted[0]
			if len(evicted.Fidelity) == 0 {
				evicted.Fidelity = []floor.Fidelity{{Class: floor.Literal, Retained: 1, Total: 1}}
				return true
			}
			tag := append([]floor.Fidelity{}, evicted.Fidelity...)
			misreport(tag)
			evicted.Fidelity = tag
			return true
		})
	},
})
