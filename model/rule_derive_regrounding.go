package model

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// Clean is a chain with a certified ancestry. Renaming is an event of one
// event, splitting two events of one, merging one event of several.
var _ = register(Rule{
	ID:      "derive/regrounding",
	Title:   "only originals start a clean chain, whatever was made of them before; renaming, splitting or merging summaries does not",
	Needs:   "A-24",
	Keyword: Must,
	Op:      floor.OpDerive,
	Minimum: 20,

	Applies: func(r Run) bool {
		for i := range r.Case.Steps {
			fates := r.step(i).fates
			for at, f := range fates {
				if poisoned(f) || regrounded(fates[:at], f) {
					return true
				}
			}
		}
		return false
	},

	Check: func(o Observation) []Finding {
		var found []Finding
		for _, p := range o.Base.outcomes() {
			flag := p.got.AncestryCertified
			switch {
			case poisoned(p.due):
				if flag != nil && *flag || p.got.Decision == floor.Certified {
					found = append(found, p.object("no clean start from summaries", showDecision(p.got.Decision)+", "+showAncestry(flag)))
				}
			case regrounded(o.Base.before(p), p.due):
				if flag == nil || !*flag {
					found = append(found, p.object("a clean start: "+showAncestry(new(true)), showAncestry(flag)))
				}
				if p.proceeds() && !sameValue(p.got.Generation, new(int64(1))) {
					found = append(found, p.object("a clean start: generation 1", showGeneration(p.got.Generation)))
				}
			}
		}
		return found
	},

	// The smallest lie: the flag turned over.
	Break: func(o Observation) (Observation, bool) {
		return lieInDerive(o, func(p pair, out *floor.Outcome) bool {
			out.AncestryCertified = new(!p.due.ancestryCertified)
			return poisoned(p.due) || regrounded(o.Base.before(p), p.due)
		})
	},
})

// before are the fates of the events before a pair's.
func (r Run) before(p pair) []*fate {
	fates := r.step(p.step).fates
	return fates[:slices.Index(fates, p.due)]
}

// regrounded: made of originals alone, one of which an earlier event that is
// not certified was made of, directly or through others.
func regrounded(earlier []*fate, f *fate) bool {
	if !f.grounded() {
		return false
	}
	return slices.ContainsFunc(earlier, func(e *fate) bool {
		return e.decision != floor.Certified && (usesOriginalOf(f)(e) || e.ancestor(usesOriginalOf(f)) != nil)
	})
}

func usesOriginalOf(f *fate) func(e *fate) bool {
	return func(e *fate) bool {
		return slices.ContainsFunc(f.event.Inputs, func(id string) bool { return slices.Contains(e.event.Inputs, id) })
	}
}
