package model

import "github.com/floorcheck/floorcheck/floor"

// What the first generation lost in silence is reduce/no-silent-loss's matter
// and is not said again for every generation after it. What was lost under a
// mark is owed for as long as it is gone: the mark has to survive.
var _ = register(Rule{
	ID:      "reduce/chain",
	Title:   "over every further generation too nothing is lost in silence, and the mark of an earlier loss stays",
	Needs:   "A-23",
	Keyword: Must,
	Op:      floor.OpReduce,
	Minimum: 20,

	Applies: whenReduces(func(r Run, step int) bool { return step > 0 && len(liveIn(r.Case, step)) > 0 }),

	Check: func(o Observation) []Finding {
		var found []Finding
		marked := map[int]bool{} // plants that are gone, and were lost under a mark
		for _, t := range o.Base.outputs() {
			for _, i := range t.live() {
				switch {
				case t.after.of(i) != Lost:
					marked[i] = false
				case marked[i] || t.before.keeps(i):
					if t.step > 0 {
						found = append(found, t.silentLoss(i)...)
					}
					marked[i] = t.provisional()
				}
			}
		}
		return found
	},

	// The smallest lie: drop the sentence of one plant in a later generation.
	Break: func(o Observation) (Observation, bool) {
		return lieAboutPlant(o, func(t *turn, plant int, out *floor.ReduceOut) bool {
			return t.step > 0 && t.loses(plant, out)
		})
	},
})
