package model

import "github.com/floorcheck/floorcheck/floor"

var _ = register(Rule{
	ID:      "derive/poison",
	Title:   "once an event is not certified, the ancestry of none of its descendants is",
	Needs:   "A-69",
	Keyword: Must,
	Op:      floor.OpDerive,
	Minimum: 20,

	Applies: whenEvent(poisoned),

	Check: func(o Observation) []Finding {
		var found []Finding
		for _, p := range o.Base.outcomes() {
			if !poisoned(p.due) {
				continue
			}
			if flag := p.got.AncestryCertified; flag == nil || *flag {
				found = append(found, p.object(showAncestry(new(false)), showAncestry(flag)))
			}
			if p.got.Decision == floor.Certified {
				found = append(found, p.object("not certified: an ancestor is not", showDecision(p.got.Decision)))
			}
		}
		return found
	},

	// The smallest lie: call a poisoned ancestry certified.
	Break: func(o Observation) (Observation, bool) {
		return lieInDerive(o, func(p pair, out *floor.Outcome) bool {
			out.AncestryCertified = new(true)
			return poisoned(p.due)
		})
	},
})

// poisoned: some ancestor is not certified.
func poisoned(f *fate) bool { return !f.ancestryCertified }
