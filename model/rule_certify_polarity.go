package model

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// A text that says both is as dangerous as one that says the opposite alone.
// Whether what is not inverted is lost is certify/identity's matter.
var _ = register(Rule{
	ID:      "certify/polarity",
	Title:   "what comes out as its opposite, whole or in part, is reported inverted; what is lost is not, and is told apart",
	Needs:   "A-19",
	Keyword: Must,
	Op:      floor.OpCertify,
	Minimum: 20,

	Applies: whenElement(func(m measured) bool { return m.now != Retained || len(m.Inverted) > 0 }),

	Check: func(o Observation) []Finding {
		return aboutClaims(o, func(c *claim) (found []Finding) {
			for _, e := range c.due.elements {
				got := c.reported(e.ID)
				if isInverted(e.now) != c.inverted[e.ID] || isInverted(e.now) && c.lost[e.ID] {
					found = append(found, c.object(showElement(e.Element), e.due(), got))
				}
			}
			return found
		})
	},

	// The smallest lie: take one for the other.
	Break: func(o Observation) (Observation, bool) {
		return lieInCertify(o, func(c *claim, out *floor.CertifyOut) bool {
			for _, e := range c.due.elements {
				isIt := func(id string) bool { return id == e.ID }
				switch {
				case isInverted(e.now):
					out.Inverted = slices.DeleteFunc(out.Inverted, isIt)
					out.Lost = append(out.Lost, e.ID)
					return true
				case e.now == Lost && len(e.Inverted) > 0:
					out.Lost = slices.DeleteFunc(out.Lost, isIt)
					out.Inverted = append(out.Inverted, e.ID)
					return true
				}
			}
			return false
		})
	},
})
