package mutant

import (
	"maps"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// reasons are faults in what a refusal says; the decision is right.
func reasons() []fault {
	return []fault{
		naming("all-required", "E", "", "A refusal names every required class.",
			func(r refusal) classes { return r.required },
			steps(ask("a", "a", poisoned, refused))),
		naming("certified-ones", "E", "", "A refusal names the certified classes.",
			func(r refusal) classes { return r.certified },
			steps(ask("a", "", refused))),
		naming("symmetric-difference", "E", "", "A refusal also names what is certified without being required.",
			func(r refusal) classes { return slices.Concat(r.lacking, without(r.certified, r.required)) },
			steps(ask("", "a", poisoned, refused))),
		naming("one-short", "M", "", "Of two or more missing classes the last is left out.",
			func(r refusal) classes {
				if len(r.lacking) < 2 {
					return r.lacking
				}
				return r.lacking[:len(r.lacking)-1]
			},
			steps(ask("a b", "", refused))),
		naming("first-only", "M", "", "Only the first missing class is named: the loop stops at it.",
			func(r refusal) classes { return r.lacking[:min(1, len(r.lacking))] },
			steps(ask("a b", "", refused))),
		naming("three-at-most", "M", "", "No more than three missing classes are named.",
			func(r refusal) classes { return r.lacking[:min(3, len(r.lacking))] },
			steps(ask("a b c d", "", refused))),
		naming("none", "E", "", "The list of missing classes is always empty.",
			func(refusal) classes { return nil },
			steps(ask("a", "", refused))),
		naming("none-when-ancestry-fails", "M", "", "Where the ancestry is not certified no classes are named, missing or not.",
			func(r refusal) classes {
				if !r.ancestry {
					return nil
				}
				return r.lacking
			},
			steps(ask("a", "", poisoned, refused))),
		naming("all-when-ancestry-fails", "M", "", "Where the ancestry is not certified every required class is named: nothing of it can be trusted.",
			func(r refusal) classes {
				if !r.ancestry {
					return r.required
				}
				return r.lacking
			},
			steps(ask("a", "a", poisoned, refused))),
		naming("ancestry-as-class", "M", "", "A failed ancestry is named among the missing classes.",
			func(r refusal) classes {
				if !r.ancestry {
					return append(slices.Clone(r.lacking), "ancestry")
				}
				return r.lacking
			},
			steps(ask("", "", poisoned, refused))),
		counting("generation-plus-one", "E", "", "A refusal gives the generation that the summary would have had: one too many.",
			func(generation int64) int64 { return generation + 1 },
			steps(ask("a", "", refused))),
		counting("generation-zero", "E", "", "A refusal gives generation 0.",
			func(int64) int64 { return 0 },
			steps(ask("a", "", refused, generation(1)))),
		counting("generation-one-at-most", "M", "", "A refusal tells only originals from summaries: generation 0 or 1.",
			func(generation int64) int64 { return min(1, generation) },
			steps(ask("a", "", refused, generation(2)))),
		counting("generation-in-eight-bits", "H", "a generation above 255", "A refusal gives the generation in 8 bits.",
			func(generation int64) int64 { return int64(uint8(generation)) },
			steps(ask("a", "", refused, generation(256)))),
		flagging("ancestry-always-true", "E", "A refusal says that the ancestry was certified.",
			func(refusal) bool { return true },
			steps(ask("", "", poisoned, refused))),
		flagging("ancestry-always-false", "E", "A refusal says that the ancestry was not certified.",
			func(refusal) bool { return false },
			steps(ask("a", "", refused))),
		flagging("ancestry-inverted", "E", "A refusal gives the ancestry flag inverted.",
			func(r refusal) bool { return !r.ancestry },
			steps(ask("a", "", refused))),
		flagging("ancestry-from-classes", "M", "The ancestry flag of a refusal says that no class is missing.",
			func(r refusal) bool { return len(r.lacking) == 0 },
			steps(ask("a", "", refused))),
		{
			id: "reason/left-out", hardness: "E",
			about: "A refusal comes without reasons.",
			plant: func(n *naive) {
				n.explain = func(refusal) *reason { return nil }
			},
			witness: steps(ask("a", "", refused)),
		},
		{
			id: "reason/of-previous-refusal", hardness: "ET",
			about: "The reasons of the refusal before are given again, by a message that is made too late.",
			plant: func(n *naive) {
				was, previous := n.explain, (*reason)(nil)
				n.explain = func(r refusal) *reason {
					why := was(r)
					if previous == nil {
						previous = why
					}
					why, previous = previous, why
					return why
				}
			},
			witness: steps(ask("a", "", refused), ask("b", "", refused)),
		},
		{
			id: "reason/missing-pile-up", hardness: "ET",
			about: "A refusal also names what was missing in the refusals before it.",
			plant: func(n *naive) {
				was, pile := n.explain, classes(nil)
				n.explain = func(r refusal) *reason {
					why := was(r)
					pile = distinct(slices.Concat(pile, why.missing))
					why.missing = slices.Clone(pile)
					return why
				}
			},
			witness: steps(ask("a", "", refused), ask("b", "", refused)),
		},
		blaming("below-full", "M", lowFloor, "A refused event names the required classes below 1000, at their floor or not.",
			func(_ *naive, m *made) classes {
				return without(m.Event.Required, having(m.effective, func(_ floor.Class, f floor.Fidelity) bool {
					return f.Retained == f.Total
				}))
			},
			steps(chain(event("e1", "o", "a b", "a:0/1", atLeast("a", 0), when("scx"))))),
		blaming("absent-only", "M", "", "A refused event names the classes that are not effective at all, not those below their floor.",
			func(_ *naive, m *made) classes {
				return without(m.Event.Required, having(m.effective, func(floor.Class, floor.Fidelity) bool { return true }))
			},
			steps(chain(event("e1", "o", "a", "a:0/1", when("scx"))))),
		blaming("below-floor-only", "M", "", "A refused event names the classes below their floor, not those that are not effective at all.",
			func(_ *naive, m *made) classes {
				there := having(m.effective, func(floor.Class, floor.Fidelity) bool { return true })
				return without(without(m.Event.Required, m.held), without(m.Event.Required, there))
			},
			steps(chain(event("e1", "o", "a", "", when("scx"))))),
		blaming("own-certificate", "MT", "", "A refused event names the classes that its own certificate lacks, not what the chain lost.",
			func(n *naive, m *made) classes {
				return without(m.Event.Required, having(m.own, func(class floor.Class, f floor.Fidelity) bool {
					return n.reaches(f, n.floorOf(m, class))
				}))
			},
			steps(chain(event("e1", "o", "", ""), event("e2", "e1", "a", "a", when("scx"))))),
		blaming("chain-only", "MT", "", "A refused event names the classes that its inputs lack, not what it lost itself.",
			func(n *naive, m *made) classes {
				if len(m.parents) == 0 {
					return without(m.Event.Required, m.held)
				}
				inherited := n.minimum(m.parents[0].effective, effectiveOf(m.parents)...)
				return without(m.Event.Required, having(inherited, func(class floor.Class, f floor.Fidelity) bool {
					return n.reaches(f, n.floorOf(m, class))
				}))
			},
			steps(chain(event("e1", "o", "", "a"), event("e2", "e1", "a", "", when("scx"))))),
	}
}

// naming is a fault in the classes that a refusal names.
func naming(name, hardness, hidden, about string, missing func(refusal) classes, witness []floor.Request) fault {
	return explaining("names-"+name, hardness, hidden, about, func(r refusal, why *reason) { why.missing = missing(r) }, witness)
}

// counting is a fault in the generation that a refusal gives.
func counting(name, hardness, hidden, about string, told func(int64) int64, witness []floor.Request) fault {
	return explaining(name, hardness, hidden, about, func(r refusal, why *reason) { why.generation = told(r.generation) }, witness)
}

// flagging is a fault in the ancestry flag of a refusal.
func flagging(name, hardness, about string, told func(refusal) bool, witness []floor.Request) fault {
	return explaining(name, hardness, "", about, func(r refusal, why *reason) { why.ancestry = told(r) }, witness)
}

func explaining(name, hardness, hidden, about string, spoil func(refusal, *reason), witness []floor.Request) fault {
	return fault{
		id: "reason/" + name, hardness: hardness, hidden: hidden, about: about, witness: witness,
		plant: func(n *naive) {
			was := n.explain
			n.explain = func(r refusal) *reason {
				why := was(r)
				spoil(r, why)
				return why
			}
		},
	}
}

// blaming is a fault in the classes that a refused event of a history names.
func blaming(name, hardness, hidden, about string, missing func(*naive, *made) classes, witness []floor.Request) fault {
	return fault{
		id: "reason/derive-names-" + name, hardness: hardness, hidden: hidden, about: about, witness: witness,
		plant: func(n *naive) {
			was := n.outcome
			n.outcome = func(m *made) floor.Outcome {
				out := was(m)
				if m.decision == floor.Refuse {
					out.MissingClasses = some(missing(n, m))
				}
				return out
			}
		},
	}
}

// having lists the classes whose fidelity is as asked for.
func having(f fidelities, as func(floor.Class, floor.Fidelity) bool) classes {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(f)), func(class floor.Class) bool { return !as(class, f[class]) })
}
