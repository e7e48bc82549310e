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

	Applies: func(r Run) bool {
		last := r.last()
		return last.decide != nil || last.derive != nil || last.reduce != nil || last.certify != nil || last.compact != nil
	},

	// The twin: the same once more.
	Vary: func(c floor.Case) []floor.Case {
		c.Steps = slices.Clone(c.Steps)
		return []floor.Case{c}
	},

	Check: sameAnswer,

	// The smallest lie: another decision, of the latest event in a history, or
	// another mark; of a certificate one more class.
	Break: func(o Observation) (Observation, bool) {
		if out := o.Twin.lastAnswer().Certify; out != nil {
			other := *out
			other.Certified = append(slices.Clone(out.Certified), unheardOf)
			twin := answered(*o.Twin, len(o.Twin.Case.Steps)-1, floor.Answer{Certify: &other})
			o.Twin = &twin
			return o, true
		}
		if out := o.Twin.lastAnswer().Reduce; out != nil {
			other := *out
			if other.Refused {
				other = echo(nil, 0)
			} else if other.Mark == floor.MarkProvisional {
				other.Mark = floor.NoMark
			} else {
				other.Mark = floor.MarkProvisional
			}
			twin := answered(*o.Twin, len(o.Twin.Case.Steps)-1, floor.Answer{Reduce: &other})
			o.Twin = &twin
			return o, true
		}
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
