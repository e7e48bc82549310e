package mutant

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// decisions are faults in what follows from the contract and the conditions.
func decisions() []fault {
	return []fault{
		{
			id: "decision/strict-ignored", hardness: "E",
			about: "C1, the strict consumer, is left out of the dangers.",
			plant: func(n *naive) {
				n.dangers = func(c floor.Conditions) []bool {
					return []bool{c.ChainingRisk, c.SideEffectCostExceedsRefusal}
				}
			},
			witness: steps(ask("a", "", under("s"))),
			joint:   steps(ask("a", "", under("cx"))),
		},
		{
			id: "decision/chaining-ignored", hardness: "E",
			about: "C4, the chaining risk, is left out of the dangers.",
			plant: func(n *naive) {
				n.dangers = func(c floor.Conditions) []bool {
					return []bool{c.ConsumerStrict, c.SideEffectCostExceedsRefusal}
				}
			},
			witness: steps(ask("a", "", under("c"))),
			joint:   steps(ask("a", "", under("sx"))),
		},
		{
			id: "decision/side-effect-ignored", hardness: "E",
			about: "C5, the cost of side effects, is left out of the dangers.",
			plant: func(n *naive) {
				n.dangers = func(c floor.Conditions) []bool { return []bool{c.ConsumerStrict, c.ChainingRisk} }
			},
			witness: steps(ask("a", "", under("x"))),
			joint:   steps(ask("a", "", under("sc"))),
		},
		{
			id: "decision/policies-swapped", hardness: "E",
			about: "Guard asks for all dangers and joint for any: OR and AND are taken for each other.",
			plant: func(n *naive) {
				n.dangerous = func(c floor.Conditions) bool {
					if n.policy == floor.Joint {
						return slices.Contains(n.dangers(c), true)
					}
					return !slices.Contains(n.dangers(c), false)
				}
			},
			witness: steps(ask("a", "", under("s"))),
		},
		{
			id: "decision/dangers-by-majority", hardness: "E",
			about: "Two dangers of the three are needed, and enough, for a refusal.",
			plant: func(n *naive) {
				n.dangerous = func(c floor.Conditions) bool { return count(n.dangers(c)) >= 2 }
			},
			witness: steps(ask("a", "", under("s"))),
			joint:   steps(ask("a", "", under("sc"))),
		},
		{
			id: "decision/dangers-by-parity", hardness: "E",
			about: "The dangers are combined by exclusive or: two of them cancel out.",
			plant: func(n *naive) {
				n.dangerous = func(c floor.Conditions) bool { return count(n.dangers(c))%2 == 1 }
			},
			witness: steps(ask("a", "", under("sc"))),
			joint:   steps(ask("a", "", under("s"))),
		},
		{
			id: "decision/recoverable-inverted", hardness: "E",
			about: "A source that can be read again counts as gone, and one that is gone as there.",
			plant: func(n *naive) {
				was := n.settle
				n.settle = func(proven bool, c floor.Conditions) floor.Decision {
					c.SourceRecoverable = !c.SourceRecoverable
					return was(proven, c)
				}
			},
			witness: steps(ask("a", "", refused)),
		},
		{
			id: "decision/recoverable-before-certified", hardness: "E",
			about: "Whether the source can be read again is tested first, so that what is certified comes out provisional.",
			plant: func(n *naive) {
				was := n.settle
				n.settle = func(proven bool, c floor.Conditions) floor.Decision {
					if c.SourceRecoverable {
						return floor.Provisional
					}
					return was(proven, c)
				}
			},
			witness: steps(ask("", "", under("r"))),
		},
		{
			id: "decision/refuses-although-recoverable", hardness: "E",
			about: "The dangers are tested before the source is.",
			plant: func(n *naive) {
				n.settle = func(proven bool, c floor.Conditions) floor.Decision {
					switch {
					case proven:
						return floor.Certified
					case n.dangerous(c):
						return floor.Refuse
					}
					return floor.Provisional
				}
			},
			witness: steps(ask("a", "", under("rscx"))),
		},
		{
			id: "decision/danger-before-certified", hardness: "E",
			about: "Danger with the source gone refuses even what is certified.",
			plant: func(n *naive) {
				was := n.settle
				n.settle = func(proven bool, c floor.Conditions) floor.Decision {
					if proven && was(false, c) == floor.Refuse {
						return floor.Refuse
					}
					return was(proven, c)
				}
			},
			witness: steps(ask("", "", refused)),
		},
		{
			id: "decision/ancestry-ignored", hardness: "E",
			about: "Certified classes are enough, whatever the ancestry.",
			plant: func(n *naive) {
				n.proven = func(_, covered bool, _ floor.Conditions) bool { return covered }
			},
			witness: steps(ask("", "", poisoned)),
		},
		{
			id: "decision/ancestry-excuses-classes", hardness: "E",
			about: "A certified ancestry or certified classes are enough: AND turned into OR.",
			plant: func(n *naive) {
				n.proven = func(ancestry, covered bool, _ floor.Conditions) bool { return ancestry || covered }
			},
			witness: steps(ask("a", "")),
		},
		{
			id: "decision/classes-ignored", hardness: "E",
			about: "A certified ancestry is enough, whatever the classes.",
			plant: func(n *naive) {
				n.proven = func(ancestry, _ bool, _ floor.Conditions) bool { return ancestry }
			},
			witness: steps(ask("a", "")),
		},
		{
			id: "decision/ancestry-only-for-the-strict", hardness: "E",
			about: "The ancestry is looked at only when the consumer is strict.",
			plant: func(n *naive) {
				n.proven = func(ancestry, covered bool, c floor.Conditions) bool {
					return covered && (ancestry || !c.ConsumerStrict)
				}
			},
			witness: steps(ask("", "", poisoned)),
		},
		{
			id: "decision/ancestry-from-generation", hardness: "E",
			about: "The generation stands in for the ancestry: up to 1 is taken as certified, beyond as not.",
			plant: func(n *naive) {
				n.weigh = func(in *floor.DecideIn) floor.Decision {
					c := in.Contract
					covered := n.covers(c.Required, c.Certified)
					return n.settle(n.proven(c.Generation <= 1, covered, in.Conditions), in.Conditions)
				}
			},
			witness: steps(ask("", "", poisoned)),
		},
		{
			id: "decision/certified-needs-recoverable", hardness: "E",
			about: "Nothing is certified unless the source can be read again.",
			plant: func(n *naive) {
				n.proven = func(ancestry, covered bool, c floor.Conditions) bool {
					return ancestry && covered && c.SourceRecoverable
				}
			},
			witness: steps(ask("", "")),
		},
		{
			id: "decision/recoverable-certifies", hardness: "E",
			about: "A source that can be read again is taken for a certificate.",
			plant: func(n *naive) {
				n.proven = func(ancestry, covered bool, c floor.Conditions) bool {
					return ancestry && (covered || c.SourceRecoverable)
				}
			},
			witness: steps(ask("a", "", under("r"))),
		},
		{
			id: "decision/harmless-certifies", hardness: "E",
			about: "No danger is taken for a certificate.",
			plant: func(n *naive) {
				was := n.settle
				n.settle = func(proven bool, c floor.Conditions) floor.Decision {
					if !c.SourceRecoverable && !n.dangerous(c) {
						return floor.Certified
					}
					return was(proven, c)
				}
			},
			witness: steps(ask("a", "")),
		},
		{
			id: "decision/harmless-refused", hardness: "E",
			about: "A source that is gone is enough for a refusal; the dangers are not looked at.",
			plant: func(n *naive) {
				n.dangerous = func(floor.Conditions) bool { return true }
			},
			witness: steps(ask("a", "")),
		},
		{
			id: "decision/all-or-nothing", hardness: "E",
			about: "Two answers instead of three: whatever is not certified is refused.",
			plant: func(n *naive) {
				n.settle = func(proven bool, _ floor.Conditions) floor.Decision {
					if proven {
						return floor.Certified
					}
					return floor.Refuse
				}
			},
			witness: steps(ask("a", "")),
		},
		{
			id: "decision/refusal-swallowed", hardness: "E",
			about: "A refusal comes out as provisional.",
			plant: func(n *naive) {
				n.dangerous = func(floor.Conditions) bool { return false }
			},
			witness: steps(ask("a", "", refused)),
		},
		{
			id: "decision/empty-required-never-certified", hardness: "M",
			about: "A contract that requires nothing is never certified.",
			plant: func(n *naive) {
				was := n.covers
				n.covers = func(required, certified classes) bool { return len(required) > 0 && was(required, certified) }
			},
			witness: steps(ask("", "")),
		},
		{
			id: "decision/empty-required-skips-ancestry", hardness: "M",
			about: "A contract that requires nothing is certified at once, before the ancestry is looked at.",
			plant: func(n *naive) {
				was := n.weigh
				n.weigh = func(in *floor.DecideIn) floor.Decision {
					if len(in.Contract.Required) == 0 {
						return floor.Certified
					}
					return was(in)
				}
			},
			witness: steps(ask("", "", poisoned)),
		},
		{
			id: "decision/original-is-certified", hardness: "M",
			about: "Generation 0 is taken for an original text that has lost nothing yet, and certified.",
			plant: func(n *naive) {
				was := n.weigh
				n.weigh = func(in *floor.DecideIn) floor.Decision {
					if in.Contract.Generation == 0 {
						return floor.Certified
					}
					return was(in)
				}
			},
			witness: steps(ask("a", "")),
		},
		{
			id: "decision/ancestry-of-first-generation", hardness: "M",
			about: "Generation 0 and 1 have no ancestors, so their ancestry flag is not looked at.",
			plant: func(n *naive) {
				n.weigh = func(in *floor.DecideIn) floor.Decision {
					c := in.Contract
					covered, ancestry := n.covers(c.Required, c.Certified), c.AncestryCertified || c.Generation <= 1
					return n.settle(n.proven(ancestry, covered, in.Conditions), in.Conditions)
				}
			},
			witness: steps(ask("", "", poisoned)),
		},
	}
}

// classSets are faults in what it means that a class is among others.
func classSets() []fault {
	return []fault{
		{
			id: "decision/subset-reversed", hardness: "E",
			about: "The certified classes must be among the required ones, not the other way round.",
			plant: func(n *naive) {
				n.covers = func(required, certified classes) bool { return len(without(certified, required)) == 0 }
			},
			witness: steps(ask("a", "")),
		},
		{
			id: "decision/subset-as-overlap", hardness: "M",
			about: "One required class among the certified ones is enough.",
			plant: func(n *naive) {
				n.covers = func(required, certified classes) bool {
					return len(required) == 0 || len(without(required, certified)) < len(distinct(required))
				}
			},
			witness: steps(ask("a b", "a")),
		},
		{
			id: "decision/subset-as-size", hardness: "M",
			about: "As many certified classes as required ones are enough, whichever they are.",
			plant: func(n *naive) {
				n.covers = func(required, certified classes) bool {
					return len(distinct(certified)) >= len(distinct(required))
				}
			},
			witness: steps(ask("a", "b")),
		},
		{
			id: "decision/subset-as-equality", hardness: "E",
			about: "Nothing may be certified beyond what is required.",
			plant: func(n *naive) {
				n.covers = func(required, certified classes) bool {
					return len(without(required, certified)) == 0 && len(without(certified, required)) == 0
				}
			},
			witness: steps(ask("", "a")),
		},
		{
			id: "decision/one-gap-tolerated", hardness: "M",
			about: "One class may be missing; only two are a gap.",
			plant: func(n *naive) {
				n.covers = func(required, certified classes) bool { return len(n.lacking(required, certified)) <= 1 }
			},
			witness: steps(ask("a", "")),
		},
		{
			id: "decision/majority-of-classes", hardness: "M",
			about: "More than half of the required classes are enough.",
			plant: func(n *naive) {
				n.covers = func(required, certified classes) bool {
					return len(required) == 0 || 2*len(n.lacking(required, certified)) < len(distinct(required))
				}
			},
			witness: steps(ask("a b c", "a b")),
		},
		{
			id: "decision/only-first-required", hardness: "M",
			about: "Only the class that is required first is looked for: the loop returns too early.",
			plant: func(n *naive) {
				n.covers = func(required, certified classes) bool {
					return len(required) == 0 || slices.Contains(certified, required[0])
				}
			},
			witness: steps(ask("a b", "a")),
		},
		{
			id: "decision/only-last-required", hardness: "M",
			about: "Only the class that is required last counts: the loop overwrites what it found.",
			plant: func(n *naive) {
				n.covers = func(required, certified classes) bool {
					return len(required) == 0 || slices.Contains(certified, required[len(required)-1])
				}
			},
			witness: steps(ask("a b", "b")),
		},
		{
			id: "decision/lists-by-position", hardness: "E",
			about: "The two lists are compared position by position.",
			plant: func(n *naive) {
				n.covers = func(required, certified classes) bool {
					return len(certified) >= len(required) && slices.Equal(required, certified[:len(required)])
				}
			},
			witness: steps(ask("b", "a b")),
		},
		{
			id: "decision/lists-merged-unsorted", hardness: "M", hidden: "lists in different orders",
			about: "Both lists are walked through once, as if they were sorted, which nobody did.",
			plant: func(n *naive) {
				n.covers = func(required, certified classes) bool {
					for _, class := range distinct(certified) {
						if len(required) > 0 && required[0] == class {
							required = required[1:]
						}
					}
					return len(required) == 0
				}
			},
			witness: steps(ask("a b", "b a")),
		},
		{
			id: "decision/repetition-counts", hardness: "M", hidden: "a class listed twice",
			about: "Matches are counted with repetition, so that one certified class listed twice stands for two.",
			plant: func(n *naive) {
				n.covers = func(required, certified classes) bool {
					matches := 0
					for _, class := range certified {
						if slices.Contains(required, class) {
							matches++
						}
					}
					return matches >= len(distinct(required))
				}
			},
			witness: steps(ask("a b", "a a")),
		},
		{
			id: "decision/repetition-required", hardness: "M", hidden: "a class listed twice",
			about: "A class required twice must be certified twice: lists are taken for multisets.",
			plant: func(n *naive) {
				n.lacking = func(required, certified classes) classes {
					rest, lacking := slices.Clone(certified), classes(nil)
					for _, class := range required {
						if i := slices.Index(rest, class); i >= 0 {
							rest = slices.Delete(rest, i, i+1)
						} else {
							lacking = append(lacking, class)
						}
					}
					return lacking
				}
			},
			witness: steps(ask("a a", "a")),
		},
		{
			id: "decision/repetition-cancels", hardness: "M", hidden: "a class listed twice",
			about: "A set is built by toggling, so that a class required twice is not required.",
			plant: func(n *naive) {
				was := n.covers
				n.covers = func(required, certified classes) bool {
					return was(slices.DeleteFunc(slices.Clone(required), func(class floor.Class) bool {
						return times(required, class)%2 == 0
					}), certified)
				}
			},
			witness: steps(ask("a a", "")),
		},
		matching("prefix-match", "M", "a class whose name begins another's",
			"A required class is found wherever a certified one begins with its name.",
			isPrefix, steps(ask("a", "ab"))),
		matching("substring-match", "M", "a class whose name stands in another's",
			"A required class is looked up as a text within the certified ones.",
			isWithin, steps(ask("b", "ab"))),
		matching("case-folded-match", "M", "names that differ in case",
			"Class names are compared without regard to case.",
			equalFold, steps(ask("a", "A"))),
		matching("trimmed-match", "M", "names that differ in white space",
			"Class names are compared without the white space around them.",
			equalTrimmed, steps(spoilt(ask("a", "b"), `"b"`, `" a"`))),
		matching("match-by-initial", "M", "two classes with one initial",
			"Class names are compared by their first character.",
			sameInitial, steps(ask("ab", "ac"))),
		matching("match-by-length", "M", "",
			"Class names are compared by their length, as a poor hash does.",
			sameLength, steps(ask("a", "b"))),
		{
			id: "decision/required-beyond-eight-ignored", hardness: "H", hidden: "more than 8 required classes",
			about: "Only the first eight required classes are looked for.",
			plant: func(n *naive) {
				n.covers = func(required, certified classes) bool {
					return len(n.lacking(required[:min(8, len(required))], certified)) == 0
				}
			},
			witness: steps(ask("a b c d e f g h i", "a b c d e f g h")),
		},
		{
			id: "decision/classes-in-eight-bits", hardness: "H", hidden: "more than 8 different classes",
			about: "Classes are numbered as they are met and kept as bits of one byte, so that the ninth is taken for the first.",
			plant: func(n *naive) {
				n.covers = func(required, certified classes) bool {
					order := distinct(slices.Concat(required, certified))
					bit := func(class floor.Class) int { return slices.Index(order, class) % 8 }
					have := uint8(0)
					for _, class := range certified {
						have |= 1 << bit(class)
					}
					return !slices.ContainsFunc(required, func(class floor.Class) bool { return have>>bit(class)&1 == 0 })
				}
			},
			witness: steps(ask("a b c d e f g h i", "a b c d e f g h")),
		},
		{
			id: "decision/certified-cut-at-six", hardness: "M", hidden: "a list of more than 6 classes",
			about: "A list of certified classes is cut after the sixth.",
			plant: func(n *naive) {
				n.lacking = func(required, certified classes) classes {
					return without(required, certified[:min(6, len(certified))])
				}
			},
			witness: steps(ask("g", "a b c d e f g")),
		},
		{
			id: "decision/unknown-class-certified", hardness: "M", hidden: "a class that the sources do not name",
			about: "A required class that is none of the nine of the sources is dropped from the contract.",
			plant: func(n *naive) {
				n.lacking = func(required, certified classes) classes {
					unknown := without(required, nine)
					return without(required, slices.Concat(certified, unknown))
				}
			},
			witness: steps(ask("unheard-of", "")),
		},
		{
			id: "decision/unknown-class-spoils", hardness: "M", hidden: "a class that the sources do not name",
			about: "A certified class that is none of the nine of the sources voids the certificate.",
			plant: func(n *naive) {
				was := n.covers
				n.covers = func(required, certified classes) bool {
					return was(required, certified) && len(without(certified, nine)) == 0
				}
			},
			witness: steps(ask("", "unheard-of")),
		},
	}
}

// memories are faults that carry something from one question to the next.
func memories() []fault {
	return []fault{
		{
			id: "decision/conditions-of-first-request", hardness: "ET",
			about: "The conditions are judged once for the system, at its first event, and not for each.",
			plant: func(n *naive) {
				was, first := n.settle, (*floor.Conditions)(nil)
				n.settle = func(proven bool, c floor.Conditions) floor.Decision {
					if first == nil {
						first = &c
					}
					return was(proven, *first)
				}
			},
			witness: steps(ask("a", ""), ask("a", "", refused)),
		},
		{
			id: "decision/cached-per-contract", hardness: "ET",
			about: "A decision is kept and given again for the same contract, whatever the conditions by then.",
			plant: func(n *naive) {
				was, kept := n.weigh, map[string]floor.Decision{}
				n.weigh = func(in *floor.DecideIn) floor.Decision {
					c := in.Contract
					key := fmt.Sprintf("%q %q %d %t", sorted(c.Required), sorted(c.Certified), c.Generation, c.AncestryCertified)
					if _, there := kept[key]; !there {
						kept[key] = was(in)
					}
					return kept[key]
				}
			},
			witness: steps(ask("a", ""), ask("a", "", refused)),
		},
		{
			id: "decision/second-asking-allowed", hardness: "MT", hidden: "the same request twice",
			about: "A request that was refused once is let through as provisional when it comes again.",
			plant: func(n *naive) {
				was, refusedBefore := n.weigh, map[string]bool{}
				n.weigh = func(in *floor.DecideIn) floor.Decision {
					key := fingerprint(in)
					decision := was(in)
					if decision == floor.Refuse && refusedBefore[key] {
						return floor.Provisional
					}
					refusedBefore[key] = refusedBefore[key] || decision == floor.Refuse
					return decision
				}
			},
			witness: steps(ask("a", "", refused), ask("a", "", refused)),
		},
		{
			id: "decision/danger-sticks", hardness: "ET",
			about: "A danger once seen counts in all that follows.",
			plant: func(n *naive) {
				was, seen := n.dangers, []bool(nil)
				n.dangers = func(c floor.Conditions) []bool {
					for i, danger := range was(c) {
						if i == len(seen) {
							seen = append(seen, false)
						}
						seen[i] = seen[i] || danger
					}
					return seen
				}
			},
			witness: steps(ask("a", "", refused), ask("a", "")),
		},
		{
			id: "decision/refusal-latches", hardness: "ET",
			about: "After one refusal everything that is not certified is refused.",
			plant: func(n *naive) {
				was, latched := n.weigh, false
				n.weigh = func(in *floor.DecideIn) floor.Decision {
					decision := was(in)
					latched = latched || decision == floor.Refuse
					if latched && decision == floor.Provisional {
						return floor.Refuse
					}
					return decision
				}
			},
			witness: steps(ask("a", "", refused), ask("a", "")),
		},
		{
			id: "decision/every-1009th-provisional", hardness: "HT", hidden: "1,009 requests to one subject",
			about: "Every 1,009th request is answered provisional: an overload path that skips the rule.",
			plant: func(n *naive) {
				was, asked := n.weigh, 0
				n.weigh = func(in *floor.DecideIn) floor.Decision {
					if asked++; asked%1009 == 0 {
						return floor.Provisional
					}
					return was(in)
				}
			},
			witness: slices.Repeat(steps(ask("", "")), 1009),
		},
		{
			id: "decision/previous-ancestry", hardness: "ET",
			about: "The ancestry flag that is judged is that of the request before.",
			plant: func(n *naive) {
				was, previous := n.weigh, []bool(nil)
				n.weigh = func(in *floor.DecideIn) floor.Decision {
					copied := *in
					if previous = append(previous, in.Contract.AncestryCertified); len(previous) > 1 {
						copied.Contract.AncestryCertified, previous = previous[0], previous[1:]
					}
					return was(&copied)
				}
			},
			witness: steps(ask("", ""), ask("", "", poisoned)),
		},
		{
			id: "decision/certificates-pile-up", hardness: "ET",
			about: "A class certified once counts as certified in every request after.",
			plant: func(n *naive) {
				was, pile := n.weigh, classes(nil)
				n.weigh = func(in *floor.DecideIn) floor.Decision {
					pile = distinct(slices.Concat(pile, in.Contract.Certified))
					copied := *in
					copied.Contract.Certified = pile
					return was(&copied)
				}
			},
			witness: steps(ask("", "a"), ask("a", "")),
		},
		{
			id: "decision/second-refusal-allowed", hardness: "ET",
			about: "Two refusals running are taken for a jam, and the second is let through as provisional.",
			plant: func(n *naive) {
				was, jammed := n.weigh, false
				n.weigh = func(in *floor.DecideIn) floor.Decision {
					decision := was(in)
					if jammed && decision == floor.Refuse {
						jammed = false
						return floor.Provisional
					}
					jammed = decision == floor.Refuse
					return decision
				}
			},
			witness: steps(ask("a", "", refused), ask("b", "", refused)),
		},
	}
}

// matching is a fault in how one class is told to be the same as another.
func matching(name, hardness, hidden, about string, same func(required, certified floor.Class) bool, witness []floor.Request) fault {
	return fault{
		id: "decision/" + name, hardness: hardness, hidden: hidden, about: about, witness: witness,
		plant: func(n *naive) {
			n.lacking = func(required, certified classes) classes {
				return slices.DeleteFunc(distinct(required), func(class floor.Class) bool {
					return slices.ContainsFunc(certified, func(other floor.Class) bool { return same(class, other) })
				})
			}
		},
	}
}

// nine are the classes that the sources name.
var nine = classes{
	floor.Identifier, floor.Quantity, floor.Negation, floor.Ordering, floor.Obligation,
	floor.Hypothesis, floor.Constraint, floor.Status, floor.Literal,
}

func count(flags []bool) int {
	n := 0
	for _, flag := range flags {
		if flag {
			n++
		}
	}
	return n
}

func times(list classes, class floor.Class) int {
	n := 0
	for _, other := range list {
		if other == class {
			n++
		}
	}
	return n
}

func sorted(list classes) classes { return slices.Sorted(slices.Values(list)) }

// fingerprint is the text of a request.
func fingerprint(in *floor.DecideIn) string {
	text, err := json.Marshal(in)
	if err != nil {
		panic(fmt.Sprintf("mutant: a request cannot be written down: %v", err))
	}
	return string(text)
}
