package model

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// In which of the two lists it stands is certify/polarity's matter.
var _ = register(Rule{
	ID:      "certify/identity",
	Title:   "elements count by identity, never by number: exactly those that are not retained are named, lost or inverted",
	Needs:   "A-21",
	Keyword: Must,
	Op:      floor.OpCertify,
	Minimum: 20,

	Applies: whenElement(func(measured) bool { return true }),

	Check: func(o Observation) []Finding {
		return aboutClaims(o, func(c *claim) (found []Finding) {
			for _, e := range c.due.elements {
				if named := c.lost[e.ID] || c.inverted[e.ID]; named != (e.now != Retained) {
					found = append(found, c.object(showElement(e.Element), e.due(), c.reported(e.ID)))
				}
			}
			return found
		})
	},

	// The smallest lie: name another element of the same class in the place of one
	// that is lost, or where there is no other leave it out.
	Break: func(o Observation) (Observation, bool) {
		return lieInCertify(o, func(c *claim, out *floor.CertifyOut) bool {
			for _, e := range c.due.elements {
				if e.now != Lost {
					continue
				}
				reportOtherwise(e, out)
				other := slices.IndexFunc(c.due.elements, func(m measured) bool { return m.Class == e.Class && m.now == Retained })
				if other >= 0 {
					out.Lost = append(out.Lost, c.due.elements[other].ID)
				}
				return true
			}
			return false
		})
	},
})
