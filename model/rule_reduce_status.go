package model

import "github.com/floorcheck/floorcheck/floor"

// Open and done may stand side by side, as they did in what was asked: the
// latest counts. To keep the one and drop the other turns it round.
var _ = register(Rule{
	ID:      "reduce/status",
	Title:   "what is open is not told as done, nor what is done as open",
	Needs:   "W-19",
	Keyword: Should,
	Op:      floor.OpReduce,
	Minimum: 20,

	Applies: whenPlant(func(p *floor.Plant) bool {
		return endedAs(p, floor.Completed) || p.Class == floor.Status && invertible(p)
	}),

	Check: func(o Observation) []Finding {
		found := aboutLive(o, func(t *turn, plant int) (Finding, bool) {
			f, inverted := t.inversion(plant)
			return f, inverted && t.plants[plant].Class == floor.Status
		})
		return append(found, aboutEnded(o, func(t *turn, plant, by int) (Finding, bool) {
			reopened := func(text *telling) bool { return text.keeps(plant) && !text.keeps(by) }
			wrong := endedAs(&t.plants[plant], floor.Completed) && reopened(t.after) && !reopened(t.before)
			return t.outdated(plant, by), wrong
		})...)
	},

	// The smallest lie: keep what was open, and drop that it was done.
	Break: func(o Observation) (Observation, bool) {
		return lieAboutPlant(o, func(t *turn, plant int, out *floor.ReduceOut) bool {
			p := &t.plants[plant]
			if !endedBy(p, t.step) {
				return p.Class == floor.Status && t.inverts(plant, out)
			}
			return endedAs(p, floor.Completed) && t.dropsSuccessor(plant, out)
		})
	},
})

func endedAs(p *floor.Plant, how ...floor.End) bool {
	for _, h := range how {
		if p.Ended != nil && p.Ended.How == h {
			return true
		}
	}
	return false
}
