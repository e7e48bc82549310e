package mutant

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// quotas are faults in how much of a class is kept, and whether it suffices.
func quotas() []slip {
	lid, vent := never("x1", "lift the lid"), never("x2", "open the vent")
	key := stating("x3", "blue key")
	reached := func(reaches func(f floor.Fidelity, permille int64) bool) func(*certifier) {
		return func(c *certifier) { c.reaches = reaches }
	}
	half := delivering("Never lift the lid.", "negation", about(lid, vent))
	return []slip{
		{
			id: "quota/by-number", hardness: "M",
			about: "Elements count by number: as many forms as a class has elements certify it, whichever they are.",
			certify: func(c *certifier) {
				c.tally = func(q *inquiry, list []*sighted) floor.Fidelity {
					said := 0
					for _, s := range list {
						forms, _ := c.count(s.Element, q.parts)
						said += forms
					}
					return floor.Fidelity{Retained: int64(min(said, len(list))), Total: int64(len(list))}
				}
			},
			witness: steps(delivering("Never lift the lid. Never lift the lid!", "negation", about(lid, vent))),
		},
		{
			id: "quota/ninety-five-percent", hardness: "H", hidden: "twenty elements",
			about:   "95 % retained is taken as good enough.",
			certify: reached(func(f floor.Fidelity, permille int64) bool { return f.Retained*1000 >= min(permille, 950)*f.Total }),
			witness: steps(delivering(saidOf(many(19, id)...), "identifier", about(many(20, id)...))),
		},
		{
			id: "quota/any-retained", hardness: "M",
			about: "One element retained is enough for its class.",
			certify: reached(func(f floor.Fidelity, permille int64) bool {
				return f.Retained > 0 || f.Retained*1000 >= permille*f.Total
			}),
			witness: steps(half),
		},
		{
			id: "quota/empty-is-below", hardness: "E",
			about:   "A class without elements is below every floor.",
			certify: reached(func(f floor.Fidelity, permille int64) bool { return f.Total > 0 && f.Retained*1000 >= permille*f.Total }),
			witness: steps(delivering("Good.", "negation")),
		},
		{
			id: "quota/rounded-to-nearest", hardness: "M",
			about: "Fidelities are rounded to the nearest permille.",
			certify: reached(func(f floor.Fidelity, permille int64) bool {
				return f.Total == 0 || (2000*f.Retained+f.Total)/(2*f.Total) >= permille
			}),
			witness: steps(delivering("N-01, N-02", "identifier", about(many(3, id)...), floored(floor.Identifier, 667))),
		},
		{
			id: "quota/needed-cut-off", hardness: "M",
			about:   "The number of elements needed is worked out first and cut to an integer.",
			certify: reached(func(f floor.Fidelity, permille int64) bool { return f.Retained >= permille*f.Total/1000 }),
			witness: steps(delivering("Good.", "negation", about(lid), floored(floor.Negation, 999))),
		},
		{
			id: "quota/floors-ignored", hardness: "M",
			about:   "Floors are not read: every required class must be wholly kept.",
			certify: func(c *certifier) { c.floorOf = func(*floor.CertifyIn, floor.Class) int64 { return floor.MaxPermille } },
			witness: steps(delivering("Good.", "negation", about(lid), floored(floor.Negation, 0))),
		},
		{
			id: "quota/floor-of-another", hardness: "M", hidden: tooDear,
			about: "The lowest floor that is given holds for every class.",
			certify: func(c *certifier) {
				c.floorOf = func(in *floor.CertifyIn, _ floor.Class) int64 {
					lowest := floor.MaxPermille
					for _, permille := range in.FloorsPermille {
						lowest = min(lowest, permille)
					}
					return lowest
				}
			},
			witness: steps(delivering("Good.", "negation", about(lid), floored(floor.Status, 0))),
		},
		{
			id: "quota/averaged-over-classes", hardness: "M",
			about: "A class is certified when all required ones together are at its floor.",
			certify: func(c *certifier) {
				c.grants = func(q *inquiry, f floor.Fidelity) bool {
					all := floor.Fidelity{}
					for _, s := range q.all {
						if q.requires(s.Class) {
							all.Total++
							all.Retained += map[bool]int64{true: 1}[s.now.retained()]
						}
					}
					return q.usable && q.known && c.reaches(all, c.floorOf(q.in, f.Class))
				}
			},
			witness: steps(delivering("Never lift the lid.", "negation status", about(lid, key))),
		},
		{
			id: "quota/inverted-not-counted", hardness: "M",
			about: "What is inverted is left out of the count, as if it had never been said.",
			certify: func(c *certifier) {
				tally := c.tally
				c.tally = func(q *inquiry, list []*sighted) floor.Fidelity {
					return tally(q, slices.DeleteFunc(slices.Clone(list), func(s *sighted) bool { return s.now.opposed }))
				}
			},
			witness: steps(delivering("Lift the lid.", "negation", about(lid))),
		},
		{
			id: "quota/lost-not-counted", hardness: "M", hidden: tooDear,
			about: "Source elements that were lost before are left out of the count.",
			certify: func(c *certifier) {
				tally := c.tally
				c.tally = func(q *inquiry, list []*sighted) floor.Fidelity {
					return tally(q, slices.DeleteFunc(slices.Clone(list), func(s *sighted) bool { return isLost(s.Element) }))
				}
			},
			witness: steps(delivering("Good.", "negation", from(heir("s1", "negation", gone(lid))))),
		},
	}
}
