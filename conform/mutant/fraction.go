package mutant

import (
	"maps"
	"math/big"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// Two fidelities that 64-bit floating point cannot tell apart.
const (
	hugeOverHuge  = "9007199254740990/9007199254740991" // (2^53-2)/(2^53-1)
	slightlyLower = "9007199254740989/9007199254740990" // (2^53-3)/(2^53-2), the smaller of the two
)

// fractions are faults in counting, in comparing two fidelities, and in the
// minimum.
func fractions() []fault {
	return []fault{
		leastBy("maximum", "MT", "", "Effective is the greatest over the chain, not the least.",
			func(a, b floor.Fidelity) floor.Fidelity {
				if less(a, b) {
					return b
				}
				return a
			},
			steps(chain(event("e1", "o", "", "a:1/2"), event("e2", "e1", "", "a")))),
		leastBy("product", "MT", "", "Fidelities are multiplied along the chain: half of a half is a quarter.",
			product,
			steps(chain(event("e1", "o", "", "a:1/2"), event("e2", "e1", "", "a:1/2")))),
		leastBy("mediant", "MT", "", "Counts are added up along the chain: one of two and one of one are two of three.",
			mediant,
			steps(chain(event("e1", "o", "", "a:1/2"), event("e2", "e1", "", "a")))),
		leastBy("fieldwise-minimum", "MT", "", "The least retained and the least total are taken separately.",
			func(a, b floor.Fidelity) floor.Fidelity {
				return floor.Fidelity{Retained: min(a.Retained, b.Retained), Total: min(a.Total, b.Total)}
			},
			steps(chain(event("e1", "o", "", "a:1/2"), event("e2", "e1", "", "a")))),
		leastBy("compared-by-retained", "MT", "", "Unequal totals are not brought together: the smaller retained count is the smaller fidelity.",
			func(a, b floor.Fidelity) floor.Fidelity {
				if b.Retained < a.Retained {
					return b
				}
				return a
			},
			steps(chain(event("e1", "o", "", "a:1/2"), event("e2", "e1", "", "a")))),
		leastBy("compared-by-lost", "MT", "", "The larger number of lost elements is the smaller fidelity, whatever the totals.",
			func(a, b floor.Fidelity) floor.Fidelity {
				if b.Total-b.Retained > a.Total-a.Retained {
					return b
				}
				return a
			},
			steps(chain(event("e1", "o", "", "a:0/1"), event("e2", "e1", "", "a:1/2")))),
		leastBy("cross-product-in-64-bits", "HT", "counts whose product passes 2^64", "The cross product wraps at 64 bits.",
			func(a, b floor.Fidelity) floor.Fidelity {
				switch {
				case b.Total == 0:
					return a
				case a.Total == 0 || uint64(b.Retained)*uint64(a.Total) < uint64(a.Retained)*uint64(b.Total):
					return b
				}
				return a
			},
			steps(chain(event("e1", "o", "", "a:1/8589934592"), event("e2", "e1", "", "a:4294967296/4294967296")))),
		leastBy("cross-product-in-32-bits", "HT", "counts whose product passes 2^32", "The cross product wraps at 32 bits.",
			func(a, b floor.Fidelity) floor.Fidelity {
				switch {
				case b.Total == 0:
					return a
				case a.Total == 0 || uint32(b.Retained)*uint32(a.Total) < uint32(a.Retained)*uint32(b.Total):
					return b
				}
				return a
			},
			steps(chain(event("e1", "o", "", "a:1/65536"), event("e2", "e1", "", "a:65536/65536")))),
		leastBy("compared-in-float64", "HT", "counts near 2^53", "Fidelities are compared as 64-bit floating point.",
			func(a, b floor.Fidelity) floor.Fidelity {
				if b.Total != 0 && (a.Total == 0 || float64(b.Retained)/float64(b.Total) < float64(a.Retained)/float64(a.Total)) {
					return b
				}
				return a
			},
			steps(chain(event("e1", "o", "", "a:"+slightlyLower), event("e2", "e1", "", "a:"+hugeOverHuge)))),
		leastBy("compared-in-permille", "HT", "two fidelities within one permille", "Fidelities are compared in whole permille, so that the earlier of two close ones is overlooked.",
			func(a, b floor.Fidelity) floor.Fidelity {
				if b.Total != 0 && (a.Total == 0 || b.Retained*1000/b.Total < a.Retained*1000/a.Total) {
					return b
				}
				return a
			},
			steps(chain(event("e1", "o", "", "a:1/2001"), event("e2", "e1", "", "a:1/2000")))),
		leastBy("zero-of-zero-is-least", "MT", "0 of 0", "0 of 0 is less than anything in the minimum.",
			func(a, b floor.Fidelity) floor.Fidelity {
				if b.Total == 0 || a.Total != 0 && less(b, a) {
					return b
				}
				return a
			},
			steps(chain(event("e1", "o", "", "a:0/0"), event("e2", "e1", "", "a:1/2")))),
		leastBy("zero-of-zero-incomparable", "MT", "0 of 0", "The bare cross product: against 0 of 0 nothing is less, so whichever comes first stays.",
			func(a, b floor.Fidelity) floor.Fidelity {
				if a.Total != 0 && b.Total != 0 && less(b, a) {
					return b
				}
				return a
			},
			steps(chain(event("e1", "o", "", "a:1/2"), event("e2", "e1", "", "a:0/0")))),
		leastBy("zero-of-zero-turns-zero", "MT", "0 of 0", "The minimum makes none of one out of 0 of 0.",
			func(a, b floor.Fidelity) floor.Fidelity {
				for _, f := range []floor.Fidelity{a, b} {
					if f.Total == 0 {
						return floor.Fidelity{Retained: 0, Total: 1}
					}
				}
				if less(b, a) {
					return b
				}
				return a
			},
			steps(chain(event("e1", "o", "", "a:0/0"), event("e2", "e1", "", "a")))),
		{
			id: "fraction/absent-as-zero", hardness: "MT",
			about: "A class that is absent somewhere in the chain is listed with none of one, not left out.",
			plant: func(n *naive) {
				n.effective = func(m *made) fidelities {
					sides := append(effectiveOf(m.parents), m.own)
					out := fidelities{}
					for _, side := range sides {
						for class := range side {
							out[class] = floor.Fidelity{Class: class, Retained: 0, Total: 1}
						}
					}
					maps.Copy(out, n.minimum(m.own, effectiveOf(m.parents)...))
					return out
				}
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e2", "e1", "", "a"))),
		},
		{
			id: "fraction/only-required-handed-on", hardness: "E",
			about: "Effective holds the required classes alone; the others are lost to the descendants.",
			plant: func(n *naive) {
				was := n.effective
				n.effective = func(m *made) fidelities { return only(was(m), m.Event.Required) }
			},
			witness: steps(chain(event("e1", "o", "", "a"))),
		},
		{
			id: "fraction/only-required-told", hardness: "E",
			about: "The answer lists the required classes alone; what is handed on is right.",
			plant: func(n *naive) {
				telling(n, func(m *made) fidelities { return only(m.effective, m.Event.Required) })
			},
			witness: steps(chain(event("e1", "o", "", "a"))),
		},
		{
			id: "fraction/own-certificate-told", hardness: "MT",
			about: "The answer lists the event's own certificate; what is decided and handed on is right.",
			plant: func(n *naive) {
				telling(n, func(m *made) fidelities { return m.own })
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e2", "e1", "", "a"))),
		},
		{
			id: "fraction/below-floor-becomes-absent", hardness: "M",
			about: "A required class below its floor is struck from effective.",
			plant: func(n *naive) {
				was := n.effective
				n.effective = func(m *made) fidelities {
					effective := was(m)
					maps.DeleteFunc(effective, func(class floor.Class, f floor.Fidelity) bool {
						return slices.Contains(m.Event.Required, class) && !n.reaches(f, n.floorOf(m, class))
					})
					return effective
				}
			},
			witness: steps(chain(event("e1", "o", "a", "a:0/1"))),
		},
		{
			id: "fraction/certified-rounds-up", hardness: "M", hidden: "a floor below 1000",
			about: "A class at its floor counts as wholly kept from there on: each generation may lose as much again.",
			plant: func(n *naive) {
				was := n.effective
				n.effective = func(m *made) fidelities {
					effective := was(m)
					for class, f := range effective {
						if _, given := m.FloorsPermille[class]; given && n.reaches(f, n.floorOf(m, class)) {
							effective[class] = floor.Fidelity{Class: class, Retained: f.Total, Total: f.Total}
						}
					}
					return effective
				}
			},
			witness: steps(chain(event("e1", "o", "", "a:0/1", atLeast("a", 0)))),
		},
		{
			id: "fraction/kept-in-permille", hardness: "M", hidden: "a fidelity that is no whole permille",
			about: "Fidelities are kept as whole permille, cut off.",
			plant: func(n *naive) {
				was := n.effective
				n.effective = func(m *made) fidelities {
					effective := was(m)
					for class, f := range effective {
						if f.Total > 0 {
							effective[class] = floor.Fidelity{Class: class, Retained: f.Retained * 1000 / f.Total, Total: 1000}
						}
					}
					return effective
				}
			},
			witness: steps(chain(event("e1", "o", "", "a:1/3"))),
		},
	}
}

// leastBy is a fault in which of two fidelities is the least, or in what is
// taken for it.
func leastBy(name, hardness, hidden, about string, least func(a, b floor.Fidelity) floor.Fidelity, witness []floor.Request) fault {
	return fault{
		id: "fraction/" + name, hardness: hardness, hidden: hidden, about: about, witness: witness,
		plant: func(n *naive) { n.least = least },
	}
}

// telling replaces what the answer lists as effective.
func telling(n *naive, effective func(*made) fidelities) {
	was := n.outcome
	n.outcome = func(m *made) floor.Outcome {
		out := was(m)
		if m.decision != floor.Refuse {
			out.Effective = listed(effective(m))
		}
		return out
	}
}

// only keeps the classes of the list.
func only(f fidelities, list classes) fidelities {
	out := fidelities{}
	for class, fidelity := range f {
		if slices.Contains(list, class) {
			out[class] = fidelity
		}
	}
	return out
}

// product multiplies two fidelities, 0 of 0 being 1.
func product(a, b floor.Fidelity) floor.Fidelity {
	switch {
	case a.Total == 0:
		return b
	case b.Total == 0:
		return a
	}
	p := new(big.Rat).Mul(big.NewRat(a.Retained, a.Total), big.NewRat(b.Retained, b.Total))
	return bounding(p.Num(), p.Denom())
}

// mediant adds up what was retained and what there was.
func mediant(a, b floor.Fidelity) floor.Fidelity {
	return bounding(big.NewInt(a.Retained+b.Retained), big.NewInt(a.Total+b.Total))
}

// bounding cuts low bits off both counts until they are in the protocol's
// range.
func bounding(retained, total *big.Int) floor.Fidelity {
	shift := uint(max(0, total.BitLen()-53))
	return floor.Fidelity{
		Retained: new(big.Int).Rsh(retained, shift).Int64(),
		Total:    new(big.Int).Rsh(total, shift).Int64(),
	}
}
