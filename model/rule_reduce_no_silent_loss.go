package model

import "github.com/floorcheck/floorcheck/floor"

// The first generation only: what comes after is reduce/chain's matter. An
// inverted plant is not lost but worse, which is reduce/no-inversion's.
var _ = register(Rule{
	ID:      "reduce/no-silent-loss",
	Title:   "nothing that bears the load is lost without a refusal or the mark provisional",
	Needs:   "A-12",
	Keyword: Must,
	Op:      floor.OpReduce,
	Minimum: 20,

	Applies: whenReduces(func(r Run, step int) bool { return step == 0 && len(liveIn(r.Case, step)) > 0 }),

	Check: func(o Observation) []Finding {
		var found []Finding
		for _, t := range o.Base.outputs() {
			for _, i := range t.live() {
				if t.step == 0 && t.before.keeps(i) && t.after.of(i) == Lost {
					found = append(found, t.silentLoss(i)...)
				}
			}
		}
		return found
	},

	// The smallest lie: drop the sentence of one plant, and say nothing.
	Break: func(o Observation) (Observation, bool) {
		return lieAboutPlant(o, func(t *turn, plant int, out *floor.ReduceOut) bool {
			return t.step == 0 && t.loses(plant, out)
		})
	},
})
