package model

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

var _ = register(Rule{
	ID:      "derive/widening",
	Title:   "a class first required late counts only if it is effective in every ancestor",
	Needs:   "A-89",
	Keyword: Must,
	Op:      floor.OpDerive,
	Minimum: 20,

	Applies: whenEvent(func(f *fate) bool { return len(widened(f)) > 0 }),

	Check: func(o Observation) []Finding {
		var found []Finding
		for _, p := range o.Base.outcomes() {
			late := widened(p.due)
			switch {
			case len(late) == 0:
			case p.got.Decision == floor.Certified:
				found = append(found, p.object("not certified: no ancestor vouches for "+showClasses(late), showDecision(p.got.Decision)))
			case p.namesReason() && !within(late, p.got.MissingClasses):
				found = append(found, p.object(showClasses(late)+" among the missing classes", showClasses(p.got.MissingClasses)))
			}
		}
		return found
	},

	// The smallest lie: certify, or keep the late class out of a refusal's reason.
	Break: func(o Observation) (Observation, bool) {
		return lieInDerive(o, func(p pair, out *floor.Outcome) bool {
			late := widened(p.due)
			if len(late) == 0 {
				return false
			}
			if p.namesReason() {
				out.MissingClasses = slices.DeleteFunc(given(p.due.missing), func(c floor.Class) bool { return c == late[0] })
				return true
			}
			*out = p.due.outcomeAs(floor.Certified)
			return true
		})
	},
})

// widened are the classes that an event requires and some ancestor neither
// required nor holds at the event's floor: that ancestor may well be certified,
// so the ancestry flag says nothing of them.
func widened(f *fate) []floor.Class {
	var late []floor.Class
	for _, class := range f.missing {
		lacks := func(a *fate) bool { return !slices.Contains(a.event.Required, class) && !a.holds(class, f.event) }
		if f.ancestor(lacks) != nil {
			late = append(late, class)
		}
	}
	return late
}

// namesReason: a refusal was due and given, with its missing classes.
func (p pair) namesReason() bool {
	return p.due.decision == floor.Refuse && p.got.Decision == floor.Refuse && p.got.MissingClasses != nil
}
