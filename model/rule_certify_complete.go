package model

import "github.com/floorcheck/floorcheck/floor"

// So that nothing is passed over, it also wants the lists to be there, and no
// names in them but those of elements of required classes.
var _ = register(Rule{
	ID:      "certify/complete",
	Title:   "what is retained is not reported lost, and a required class at its floor is certified",
	Needs:   "B-23",
	Keyword: Must,
	Op:      floor.OpCertify,
	Minimum: 20,

	Applies: whenCertify(func(*certificate) bool { return true }),

	Check: func(o Observation) []Finding {
		return aboutClaims(o, func(c *claim) (found []Finding) {
			certified := setOf(c.out.Certified)
			for _, class := range c.due.certified() {
				if !certified[class] {
					found = append(found, c.object("certified_classes", showName(string(class))+": it is at its floor", showSet("certified_classes", c.out.Certified)))
				}
			}
			for _, id := range c.out.Lost {
				if c.due.byID[id] == Retained {
					found = append(found, c.object("lost", "no "+showName(id)+": it is retained", showName(id)))
				}
			}
			return append(found, c.misfits()...)
		})
	},

	// The smallest lie: report one element lost that is retained, or certify one
	// class less.
	Break: func(o Observation) (Observation, bool) {
		return lieInCertify(o, func(c *claim, out *floor.CertifyOut) bool {
			for _, e := range c.due.elements {
				if e.now == Retained {
					out.Lost = append(out.Lost, e.ID)
					return true
				}
			}
			if len(out.Certified) == 0 {
				return false
			}
			out.Certified = out.Certified[1:]
			return true
		})
	},
})

// misfits are lists that are not there, and names in them that nobody asked for.
func (c *claim) misfits() (found []Finding) {
	if c.out.Certified == nil {
		found = append(found, c.object("certified_classes", "a list", "no certified_classes"))
	}
	for _, list := range []struct {
		name string
		ids  []string
	}{{"lost", c.out.Lost}, {"inverted", c.out.Inverted}} {
		if list.ids == nil {
			found = append(found, c.object(list.name, "a list", "no "+list.name))
		}
		for _, id := range list.ids {
			if c.due.byID[id] == "" {
				found = append(found, c.object(list.name, "elements of required classes", showName(id)))
			}
		}
	}
	return found
}
