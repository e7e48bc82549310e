package model

import "github.com/floorcheck/floorcheck/floor"

// It is measured like any other; that is certify/measured's matter.
var _ = register(Rule{
	ID:      "certify/degenerate",
	Title:   "an output without a word, or one whose status is not ok, certifies nothing, not even a class without elements",
	Needs:   "W-28",
	Keyword: Must,
	Op:      floor.OpCertify,
	Minimum: 20,

	Applies: whenCertify(func(c *certificate) bool { return !c.usable && len(c.in.Required) > 0 }),

	Check: func(o Observation) []Finding {
		return aboutClaims(o, func(c *claim) []Finding {
			if c.due.usable || c.out.Certified != nil && len(c.out.Certified) == 0 {
				return nil
			}
			return []Finding{c.object("certified_classes", "[]: the output is unusable", showSet("certified_classes", c.out.Certified))}
		})
	},

	// The smallest lie: certify one class.
	Break: func(o Observation) (Observation, bool) {
		return lieInCertify(o, func(c *claim, out *floor.CertifyOut) bool {
			if c.due.usable || len(c.due.fidelity) == 0 {
				return false
			}
			out.Certified = append(out.Certified, c.due.fidelity[0].Class)
			return true
		})
	},
})
