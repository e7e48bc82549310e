package model

import "github.com/floorcheck/floorcheck/floor"

var _ = register(Rule{
	ID:      "derive/generation",
	Title:   "an event's generation is one more than the largest among its input events, where originals have 0",
	Needs:   "A-52",
	Keyword: Must,
	Op:      floor.OpDerive,
	Minimum: 20,

	Applies: whenEvent(func(f *fate) bool { return f.decision != floor.Refuse }),

	Check: func(o Observation) []Finding {
		var found []Finding
		for _, p := range o.Base.outcomes() {
			if p.proceeds() && !sameValue(p.got.Generation, &p.due.generation) {
				found = append(found, p.object(showGeneration(&p.due.generation), showGeneration(p.got.Generation)))
			}
		}
		return found
	},

	// The smallest lie: one generation more.
	Break: func(o Observation) (Observation, bool) {
		return lieInDerive(o, func(p pair, out *floor.Outcome) bool {
			out.Generation = new(p.due.generation + 1)
			return p.proceeds()
		})
	},
})

// proceeds: no refusal was due, and none was given. Only then are a generation
// and effective fidelities owed.
func (p pair) proceeds() bool {
	return p.due.decision != floor.Refuse && p.got.Decision != floor.Refuse
}
