package model

import "github.com/floorcheck/floorcheck/floor"

// Equal fractions are equal.
var _ = register(Rule{
	ID:      "certify/measured",
	Title:   "the fidelity that is reported of each required class, and of no other, is the one that is measured",
	Needs:   "B-17",
	Keyword: Must,
	Op:      floor.OpCertify,
	Minimum: 20,

	Applies: whenCertify(func(*certificate) bool { return true }),

	Check: func(o Observation) []Finding {
		return aboutClaims(o, func(c *claim) []Finding {
			if c.out.Fidelity == nil {
				return []Finding{c.object("fidelity", "a list", "no fidelity")}
			}
			if d := differInEffective(append([]floor.Fidelity{}, c.due.fidelity...), c.out.Fidelity); d != (difference{}) {
				return []Finding{c.object("fidelity", d.want, d.got)}
			}
			return nil
		})
	},

	// The smallest lie: one element more, or where there is none more one less.
	Break: func(o Observation) (Observation, bool) {
		return lieInCertify(o, func(_ *claim, out *floor.CertifyOut) bool {
			return misreport(out.Fidelity)
		})
	},
})

// misreport changes the first fidelity of a list.
func misreport(entries []floor.Fidelity) bool {
	if len(entries) == 0 {
		return false
	}
	switch f := &entries[0]; {
	case f.Retained < f.Total:
		f.Retained++
	case f.Total > 0:
		f.Retained--
	default:
		f.Total = 1
	}
	return true
}
