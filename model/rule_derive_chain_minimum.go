package model

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

var _ = register(Rule{
	ID:      "derive/chain-minimum",
	Title:   "effective is the least over the whole chain, and a class that is absent anywhere in it is absent",
	Needs:   "A-54",
	Keyword: Must,
	Op:      floor.OpDerive,
	Minimum: 20,

	Applies: whenEvent(outlives),

	Check: func(o Observation) []Finding {
		var found []Finding
		for _, p := range o.Base.outcomes() {
			if !p.proceeds() {
				continue
			}
			if d := differInEffective(p.due.effective, p.got.Effective); d != (difference{}) {
				found = append(found, p.object(d.want, d.got))
			}
		}
		return found
	},

	// The smallest lie: drop a class that is there, or add one that is not.
	Break: func(o Observation) (Observation, bool) {
		return lieInDerive(o, func(p pair, out *floor.Outcome) bool {
			if n := len(out.Effective); n > 0 {
				out.Effective = slices.Clone(out.Effective[:n-1])
			} else {
				out.Effective = []floor.Fidelity{{Class: floor.Literal}}
			}
			return p.proceeds()
		})
	},
})

// outlives: the event was not refused, and shows what it hands down. A chain of
// one is a chain.
func outlives(f *fate) bool { return f.decision != floor.Refuse }
