package model

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// Other matches are not told from an exact one where the text does not come near
// the element.
var _ = register(Rule{
	ID:      "certify/exact",
	Title:   "what has to match exactly is retained to the letter, and never as part of a longer name or number",
	Needs:   "A-16",
	Keyword: Must,
	Op:      floor.OpCertify,
	Minimum: 20,

	Applies: whenCertify(func(c *certificate) bool { return slices.ContainsFunc(c.elements, c.isNear) }),

	Check: func(o Observation) []Finding {
		return aboutClaims(o, func(c *claim) (found []Finding) {
			for _, e := range c.due.elements {
				if got := c.reported(e.ID); e.Match == floor.Exact && got != e.due() {
					found = append(found, c.object(showElement(e.Element), e.due(), got))
				}
			}
			return found
		})
	},

	// The smallest lie: report one of them otherwise.
	Break: func(o Observation) (Observation, bool) {
		return lieInCertify(o, func(c *claim, out *floor.CertifyOut) bool {
			for _, e := range c.due.elements {
				if e.Match == floor.Exact {
					reportOtherwise(e, out)
					return true
				}
			}
			return false
		})
	},
})

// isNear: the element has to match exactly, and is there, or something that
// another match would take for it.
func (c *certificate) isNear(m measured) bool {
	if m.Match != floor.Exact || m.now != Lost {
		return m.Match == floor.Exact
	}
	loosely := *m.Element
	loosely.Match = floor.Folded
	return c.delivered.Retention(loosely) != Lost
}

// reportOtherwise reports what is retained as lost, and what is not as retained.
func reportOtherwise(e measured, out *floor.CertifyOut) {
	if e.now == Retained {
		out.Lost = append(out.Lost, e.ID)
		return
	}
	isIt := func(id string) bool { return id == e.ID }
	out.Lost, out.Inverted = slices.DeleteFunc(out.Lost, isIt), slices.DeleteFunc(out.Inverted, isIt)
}
