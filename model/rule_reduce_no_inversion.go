package model

import "github.com/floorcheck/floorcheck/floor"

// Marked or not: a mark says that something may be missing, and not that the
// opposite may be said. What was asked may itself be at odds with the plant, as
// where a task was open before it was done: only what is worse is objected to.
var _ = register(Rule{
	ID:      "reduce/no-inversion",
	Title:   "nothing that bears the load comes out as its opposite, whole or in part, marked or not",
	Needs:   "A-19",
	Keyword: Must,
	Op:      floor.OpReduce,
	Minimum: 20,

	Applies: whenPlant(invertible),

	Check: func(o Observation) []Finding {
		return aboutLive(o, func(t *turn, plant int) (Finding, bool) { return t.inversion(plant) })
	},

	// The smallest lie: say the opposite in the place of one plant.
	Break: func(o Observation) (Observation, bool) {
		return lieAboutPlant(o, func(t *turn, plant int, out *floor.ReduceOut) bool { return t.inverts(plant, out) })
	},
})

func invertible(p *floor.Plant) bool { return len(p.Inverted) > 0 }
