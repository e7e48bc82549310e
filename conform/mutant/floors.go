package mutant

import (
	"maps"
	"math/big"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

const (
	lowFloor  = "a floor below 1000"
	zeroFloor = "a floor of 0"
)

// floors are faults in whether a fidelity reaches a floor, and in which floor
// it must reach.
func floors() []fault {
	return []fault{
		reachedBy("floor-exceeded", "E", "", "A fidelity must be above its floor; at the floor is not enough, wholly kept neither.",
			func(f floor.Fidelity, permille int64) bool { return f.Retained*1000 > permille*f.Total },
			steps(chain(event("e1", "o", "a", "a")))),
		reachedBy("floor-exceeded-unless-full", "M", lowFloor, "A fidelity must be above its floor or wholly kept; at the floor is not enough.",
			func(f floor.Fidelity, permille int64) bool {
				return f.Retained == f.Total || f.Retained*1000 > permille*f.Total
			},
			steps(chain(event("e1", "o", "a", "a:0/1", atLeast("a", 0))))),
		reachedBy("rounded-to-nearest", "H", "a fidelity within half a permille below its floor", "Fidelities are rounded to the nearest permille.",
			func(f floor.Fidelity, permille int64) bool {
				return f.Total == 0 || (2000*uint64(f.Retained)+uint64(f.Total))/(2*uint64(f.Total)) >= uint64(permille)
			},
			steps(chain(event("e1", "o", "a", "a:2/3", atLeast("a", 667))))),
		reachedBy("integer-percent", "M", "a floor that is no whole percent", "Fidelity and floor are compared in whole percent, cut off.",
			func(f floor.Fidelity, permille int64) bool {
				return f.Total == 0 || f.Retained*100/f.Total >= permille/10
			},
			steps(chain(event("e1", "o", "a", "a:0/1", atLeast("a", 1))))),
		reachedBy("float32-division", "H", "counts beyond 2^24, or as close as that to a floor", "The division is done in 32-bit floating point.",
			func(f floor.Fidelity, permille int64) bool {
				return f.Total == 0 || float32(f.Retained)/float32(f.Total) >= float32(permille)/1000
			},
			steps(chain(event("e1", "o", "a", "a:16777216/16777217")))),
		reachedBy("ninety-five-percent", "H", "a fidelity of 95 % or more below its floor", "95 % retained is taken as good enough for any floor.",
			func(f floor.Fidelity, permille int64) bool {
				return f.Retained*100 >= 95*f.Total || f.Retained*1000 >= permille*f.Total
			},
			steps(chain(event("e1", "o", "a", "a:19/20")))),
		reachedBy("any-retained", "M", "", "The total is not looked at: one element retained is enough.",
			func(f floor.Fidelity, permille int64) bool {
				return f.Retained > 0 || f.Retained*1000 >= permille*f.Total
			},
			steps(chain(event("e1", "o", "a", "a:1/2")))),
		reachedBy("one-lost-tolerated", "M", "", "One lost element of a class is forgiven.",
			func(f floor.Fidelity, permille int64) bool { return (f.Retained+1)*1000 >= permille*f.Total },
			steps(chain(event("e1", "o", "a", "a:1/2")))),
		reachedBy("needed-count-cut-off", "M", lowFloor, "The number of elements needed is worked out first and cut to an integer.",
			func(f floor.Fidelity, permille int64) bool { return f.Retained >= permille*f.Total/1000 },
			steps(chain(event("e1", "o", "a", "a:0/1", atLeast("a", 1))))),
		reachedBy("zero-of-zero-is-nothing", "M", "0 of 0", "0 of 0 reaches no floor above 0.",
			func(f floor.Fidelity, permille int64) bool {
				return f.Retained*1000 >= permille*max(1, f.Total)
			},
			steps(chain(event("e1", "o", "a", "a:0/0")))),
		floorBy("floor-zero-as-default", "M", zeroFloor, "A floor of 0 is taken for none given, and the default of 1000 put in its place.",
			func(m *made, class floor.Class) int64 {
				if permille := m.FloorsPermille[class]; permille != 0 {
					return permille
				}
				return floor.MaxPermille
			},
			steps(chain(event("e1", "o", "a", "a:0/1", atLeast("a", 0))))),
		floorBy("floors-ignored", "M", lowFloor, "Floors are not read: every required class must be wholly kept.",
			func(*made, floor.Class) int64 { return floor.MaxPermille },
			steps(chain(event("e1", "o", "a", "a:0/1", atLeast("a", 0))))),
		floorBy("no-floor-is-zero", "E", "", "A required class without a floor has none to reach.",
			func(m *made, class floor.Class) int64 { return m.FloorsPermille[class] },
			steps(chain(event("e1", "o", "a", "a:0/1")))),
		floorBy("floors-free-the-others", "M", "floors for some classes only", "Where an event gives floors, the classes it does not name are free.",
			func(m *made, class floor.Class) int64 {
				if len(m.FloorsPermille) == 0 {
					return floor.MaxPermille
				}
				return m.FloorsPermille[class]
			},
			steps(chain(event("e1", "o", "a", "a:0/1", atLeast("b", 1))))),
		floorBy("lowest-floor-for-all", "M", lowFloor, "The lowest of the floors given holds for every class.",
			func(m *made, _ floor.Class) int64 {
				lowest := floor.MaxPermille
				for _, permille := range m.FloorsPermille {
					lowest = min(lowest, permille)
				}
				return lowest
			},
			steps(chain(event("e1", "o", "a", "a:0/1", atLeast("b", 0))))),
		floorBy("highest-floor-for-all", "M", "floors of several classes below 1000", "The highest of the floors given holds for every class that has one.",
			func(m *made, class floor.Class) int64 {
				highest, given := m.FloorsPermille[class]
				if !given {
					return floor.MaxPermille
				}
				for _, permille := range m.FloorsPermille {
					highest = max(highest, permille)
				}
				return highest
			},
			steps(chain(event("e1", "o", "a", "a:0/1", atLeast("a", 0), atLeast("b", 1))))),
		floorBy("floor-of-parent", "MT", lowFloor, "The floor is that of the first input event, where there is one.",
			func(m *made, class floor.Class) int64 {
				if len(m.parents) > 0 {
					m = m.parents[0]
				}
				if permille, given := m.FloorsPermille[class]; given {
					return permille
				}
				return floor.MaxPermille
			},
			steps(chain(event("e1", "o", "", "a:0/1", atLeast("a", 0)), event("e2", "e1", "a", "a:0/1")))),
		floorBy("strictest-floor-of-chain", "MT", lowFloor, "The highest floor that any ancestor gave still holds.",
			func(m *made, class floor.Class) int64 {
				strictest, given := m.FloorsPermille[class]
				if !given {
					return floor.MaxPermille
				}
				for _, a := range m.ancestors(-1) {
					strictest = max(strictest, a.FloorsPermille[class])
				}
				return strictest
			},
			steps(chain(event("e1", "o", "", "a:0/1", atLeast("a", 1)), event("e2", "e1", "a", "a:0/1", atLeast("a", 0))))),
		floorBy("loosest-floor-of-chain", "MT", lowFloor, "The lowest floor that any ancestor gave is enough.",
			func(m *made, class floor.Class) int64 {
				loosest := floor.MaxPermille
				for _, a := range append(m.ancestors(-1), m) {
					if permille, given := a.FloorsPermille[class]; given {
						loosest = min(loosest, permille)
					}
				}
				return loosest
			},
			steps(chain(event("e1", "o", "", "a:0/1", atLeast("a", 0)), event("e2", "e1", "a", "a:0/1")))),
		{
			id: "fraction/absent-meets-floor-zero", hardness: "M", hidden: zeroFloor,
			about: "A required class with a floor of 0 need not be in the certificate at all.",
			plant: func(n *naive) {
				was := n.held
				n.held = func(m *made) classes {
					free := slices.DeleteFunc(distinct(m.required), func(class floor.Class) bool { return n.floorOf(m, class) > 0 })
					return distinct(slices.Concat(was(m), free))
				}
			},
			witness: steps(chain(event("e1", "o", "a", "", atLeast("a", 0)))),
		},
		{
			id: "fraction/floor-makes-required", hardness: "M", hidden: "a floor for a class that is not required",
			about: "A class with a floor is answered for although nobody requires it.",
			plant: func(n *naive) {
				n.required = func(m *made) classes {
					guarded := slices.DeleteFunc(slices.Sorted(maps.Keys(m.FloorsPermille)), func(class floor.Class) bool {
						return m.FloorsPermille[class] == 0
					})
					return distinct(slices.Concat(m.Event.Required, guarded))
				}
			},
			witness: steps(chain(event("e1", "o", "", "", atLeast("a", 1)))),
		},
		{
			id: "fraction/floors-averaged", hardness: "M", hidden: "a floor below 1000",
			about: "The mean fidelity of the required classes must reach the mean of their floors.",
			plant: func(n *naive) {
				was := n.held
				n.held = func(m *made) classes {
					fidelity, permille := new(big.Rat), new(big.Rat)
					for _, class := range distinct(m.required) {
						if f, there := m.effective[class]; there {
							fidelity.Add(fidelity, share(f))
						}
						permille.Add(permille, big.NewRat(n.floorOf(m, class), 1000))
					}
					if fidelity.Cmp(permille) >= 0 {
						return distinct(slices.Concat(was(m), m.required))
					}
					return was(m)
				}
			},
			witness: steps(chain(event("e1", "o", "a b", "a b:0/1", atLeast("a", 0)))),
		},
		{
			id: "fraction/counts-pooled", hardness: "M", hidden: "a floor below 1000",
			about: "The counts of all required classes are added up, so that a large class carries a small one.",
			plant: func(n *naive) {
				was := n.held
				n.held = func(m *made) classes {
					present := slices.DeleteFunc(distinct(m.required), func(class floor.Class) bool {
						_, there := m.effective[class]
						return !there
					})
					have, need := new(big.Int), new(big.Int)
					for _, class := range present {
						f := m.effective[class]
						have.Add(have, big.NewInt(f.Retained*1000))
						need.Add(need, big.NewInt(f.Total*n.floorOf(m, class)))
					}
					if have.Cmp(need) >= 0 {
						return distinct(slices.Concat(was(m), present))
					}
					return was(m)
				}
			},
			witness: steps(chain(event("e1", "o", "a b", "a b:0/1", atLeast("a", 0)))),
		},
	}
}

// reachedBy is a fault in whether a fidelity reaches a floor.
func reachedBy(name, hardness, hidden, about string, reaches func(f floor.Fidelity, permille int64) bool, witness []floor.Request) fault {
	return fault{
		id: "fraction/" + name, hardness: hardness, hidden: hidden, about: about, witness: witness,
		plant: func(n *naive) { n.reaches = reaches },
	}
}

// floorBy is a fault in which floor a class must reach.
func floorBy(name, hardness, hidden, about string, floorOf func(*made, floor.Class) int64, witness []floor.Request) fault {
	return fault{
		id: "fraction/" + name, hardness: hardness, hidden: hidden, about: about, witness: witness,
		plant: func(n *naive) { n.floorOf = floorOf },
	}
}

// share is a fidelity as a number.
func share(f floor.Fidelity) *big.Rat {
	if f.Total == 0 {
		return big.NewRat(1, 1)
	}
	return big.NewRat(f.Retained, f.Total)
}
