package model

import (
	"fmt"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// An old value may stay where the new one stands in the same message or after
// it: "use B instead of A" says both.
var _ = register(Rule{
	ID:      "reduce/supersession",
	Title:   "what was withdrawn or replaced stays so: it does not come out without, or after, what ended it",
	Needs:   "W-20",
	Keyword: Should,
	Op:      floor.OpReduce,
	Minimum: 20,

	Applies: whenPlant(superseded),

	Check: func(o Observation) []Finding {
		return aboutEnded(o, func(t *turn, plant, by int) (Finding, bool) {
			if !superseded(&t.plants[plant]) || t.before.revives(plant, by) {
				return Finding{}, false
			}
			return t.outdated(plant, by), t.after.revives(plant, by)
		})
	},

	// The smallest lie: say the old once more, after the new.
	Break: func(o Observation) (Observation, bool) {
		return lieAboutPlant(o, func(t *turn, plant int, out *floor.ReduceOut) bool {
			p := &t.plants[plant]
			if !superseded(p) || !endedBy(p, t.step) || t.successor(plant) < 0 {
				return false
			}
			last := floor.Message{Role: floor.Assistant, Text: queryFor(p.Element) + "."}
			out.Messages = append(out.Messages, last)
			by := t.plants[t.successor(plant)]
			return Retain(p.Element, []string{last.Text}).keeps() && !Retain(by.Element, []string{last.Text}).keeps() &&
				!t.before.revives(plant, t.successor(plant))
		})
	},
})

func superseded(p *floor.Plant) bool { return endedAs(p, floor.Withdrawn, floor.Replaced) }

// revives: what is old is said, and what ended it is not, or only before.
func (t *telling) revives(old, by int) bool {
	if !t.keeps(old) {
		return false
	}
	lastOld := slices.Max(t.tellers(t.plants[old].Element))
	news := t.tellers(t.plants[by].Element)
	return len(news) == 0 || lastOld > slices.Max(news)
}

// outdated says that a plant came out without what ended it, or after it.
func (t *turn) outdated(plant, by int) Finding {
	old, now := &t.plants[plant], &t.plants[by]
	got := "that alone"
	if t.after.keeps(by) {
		got = "that after it"
	}
	return Finding{
		Step: t.step, At: showPlant(old),
		Want: fmt.Sprintf("%s only with %s, by which it is %s", showForms(old.Forms), showForms(now.Forms), showName(string(old.Ended.How))),
		Got:  got,
	}
}
