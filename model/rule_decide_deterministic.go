package model

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// Answers are compared by their meaning: sets and fractions by value.
var _ = register(Rule{
	ID:      "decide/deterministic",
	Title:   "the same input gives the same answer, after a restart and in another order too",
	Needs:   "A-86",
	Keyword: Must,
	Op:      "", // every op
	Minimum: 20,

	Applies: func(r Run) bool { return r.last().decide != nil || r.last().derive != nil },

	// The twin: the same once more.
	Vary: func(c floor.Case) []floor.Case {
		return []floor.Case{{Policy: c.Policy, Steps: slices.Clone(c.Steps)}}
	},

	Check: sameAnswer,

	// The smallest lie: another decision, of the latest event in a history.
	Break: func(o Observation) (Observation, bool) {
		if o.Twin.lastAnswer().Derive == nil {
			return breakTwinDecision(o)
		}
		twin, ok := lieInDerive(Observation{Base: *o.Twin}, func(p pair, out *floor.Outcome) bool {
			return p.step == len(o.Twin.Case.Steps)-1 && decideOtherwise(p, out)
		})
		o.Twin = &twin.Base
		return o, ok
	},
})
