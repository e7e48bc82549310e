package model

import "github.com/floorcheck/floorcheck/floor"

// What cannot be known cannot be certified: a source span whose elements are not
// known may hold elements of any class. An unusable output is
// certify/degenerate's matter.
var _ = register(Rule{
	ID:      "certify/sound",
	Title:   "a certified class is a required one that is at its floor in what is delivered, pins included",
	Needs:   "A-43",
	Keyword: Must,
	Op:      floor.OpCertify,
	Minimum: 20,

	Applies: whenCertify(func(*certificate) bool { return true }),

	Check: func(o Observation) []Finding {
		return aboutClaims(o, func(c *claim) (found []Finding) {
			for _, class := range sortedOnce(c.out.Certified) {
				f, required := c.due.of(class)
				switch {
				case !required:
					found = append(found, c.object("certified_classes", "required classes alone", showName(string(class))))
				case c.due.usable && c.due.whyNot(f) != "":
					found = append(found, c.object("certified_classes", "no "+showName(string(class))+": "+c.due.whyNot(f), showName(string(class))))
				}
			}
			return found
		})
	},

	// The smallest lie: certify one class more.
	Break: func(o Observation) (Observation, bool) {
		return lieInCertify(o, func(c *claim, out *floor.CertifyOut) bool {
			for _, f := range c.due.fidelity {
				if c.due.usable && c.due.whyNot(f) != "" {
					out.Certified = append(out.Certified, f.Class)
					return true
				}
			}
			return false
		})
	},
})
