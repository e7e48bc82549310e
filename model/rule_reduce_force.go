package model

import "github.com/floorcheck/floorcheck/floor"

var _ = register(Rule{
	ID:      "reduce/force",
	Title:   "what must be done or may not be done does not come out as advice",
	Needs:   "W-02",
	Keyword: Should,
	Op:      floor.OpReduce,
	Minimum: 20,

	Applies: whenPlant(forceful),

	Check: func(o Observation) []Finding {
		return aboutLive(o, func(t *turn, plant int) (Finding, bool) {
			p := &t.plants[plant]
			weakened := func(text *telling) bool { return text.shifts(plant) && !text.keeps(plant) }
			return t.shifted(plant, "with its force"), forceful(p) && weakened(t.after) && !weakened(t.before)
		})
	},

	// The smallest lie: say should where must was said, and mark it.
	Break: func(o Observation) (Observation, bool) {
		return lieAboutPlant(o, func(t *turn, plant int, out *floor.ReduceOut) bool {
			return forceful(&t.plants[plant]) && t.shiftsForce(plant, out)
		})
	},
})

func forceful(p *floor.Plant) bool {
	return (p.Class == floor.Obligation || p.Class == floor.Negation) && len(p.Shifted) > 0
}

// shiftsForce retells a live plant under another force. The mark excuses the
// loss, and not the shift.
func (t *turn) shiftsForce(plant int, out *floor.ReduceOut) bool {
	p := &t.plants[plant]
	out.Mark = floor.MarkProvisional
	return !endedBy(p, t.step) && t.before.keeps(plant) && !t.before.shifts(plant) &&
		retell(out, p.Element, p.Shifted[0]) &&
		tell(out.Messages, t.plants, t.folds).shifts(plant)
}

func (t *turn) shifted(plant int, as string) Finding {
	p := &t.plants[plant]
	return Finding{Step: t.step, At: showPlant(p), Want: showForms(p.Forms) + " " + as, Got: showForms(p.Shifted)}
}
