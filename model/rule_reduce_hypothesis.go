package model

import "github.com/floorcheck/floorcheck/floor"

// The bare matter of a guess is a fact wherever it stands, also beside the
// guess; inside it, it is the guess.
var _ = register(Rule{
	ID:      "reduce/hypothesis",
	Title:   "a guess is not told as fact",
	Needs:   "W-03",
	Keyword: Should,
	Op:      floor.OpReduce,
	Minimum: 20,

	Applies: whenPlant(guessed),

	Check: func(o Observation) []Finding {
		return aboutLive(o, func(t *turn, plant int) (Finding, bool) {
			return t.shifted(plant, "as a guess"), guessed(&t.plants[plant]) && t.after.shifts(plant) && !t.before.shifts(plant)
		})
	},

	// The smallest lie: leave the maybe out, and mark it.
	Break: func(o Observation) (Observation, bool) {
		return lieAboutPlant(o, func(t *turn, plant int, out *floor.ReduceOut) bool {
			return guessed(&t.plants[plant]) && t.shiftsForce(plant, out)
		})
	},
})

func guessed(p *floor.Plant) bool { return p.Class == floor.Hypothesis && len(p.Shifted) > 0 }
