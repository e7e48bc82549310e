package model

import "github.com/floorcheck/floorcheck/floor"

// A subject that never gives the field does not claim this. An answer without it
// says nothing of decoys.
var _ = register(Rule{
	ID:      "certify/no-fabrication",
	Title:   "decoys, elements known to be absent from the source, are named when they are in what is delivered, and only then",
	Needs:   "W-15",
	Keyword: Should,
	Op:      floor.OpCertify,
	Minimum: 20,

	Offered: func(a floor.Answer) bool { return a.Certify != nil && a.Certify.Fabricated != nil },

	Applies: whenCertify(func(c *certificate) bool { return len(c.in.Decoys) > 0 }),

	Check: func(o Observation) []Finding {
		return aboutClaims(o, func(c *claim) []Finding {
			if c.out.Fabricated == nil {
				return nil
			}
			if d := differInSet("fabricated", c.due.fabricated(), c.out.Fabricated); d != (difference{}) {
				return []Finding{c.object(d.at, d.want, d.got)}
			}
			return nil
		})
	},

	// The smallest lie: say nothing of a decoy, or name one that is not there.
	Break: func(o Observation) (Observation, bool) {
		return lieInCertify(o, func(c *claim, out *floor.CertifyOut) bool {
			switch {
			case len(c.due.in.Decoys) == 0:
				return false
			case len(out.Fabricated) > 0:
				out.Fabricated = append([]string{}, out.Fabricated[1:]...)
			default:
				out.Fabricated = []string{c.due.in.Decoys[0].ID}
			}
			return true
		})
	},
})
