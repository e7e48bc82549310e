package mutant

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// ancestries are faults in what an event takes over from its inputs.
func ancestries() []fault {
	return []fault{
		{
			id: "ancestry/latest-certificate", hardness: "MT",
			about: "Effective is what the event's own certificate says; the chain before it is not looked at.",
			plant: func(n *naive) {
				n.effective = func(m *made) fidelities { return n.minimum(m.own) }
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e2", "e1", "", "a"))),
		},
		{
			id: "ancestry/grandparents-skipped", hardness: "MT",
			about: "Effective is the least of the event's own certificate and its parents' own: from the third generation on the first is skipped.",
			plant: func(n *naive) {
				n.effective = func(m *made) fidelities { return n.minimum(m.own, certificatesOf(m.parents)...) }
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e2", "e1", "", "a"), event("e3", "e2", "", "a"))),
		},
		{
			id: "ancestry/great-grandparents-skipped", hardness: "MT",
			about: "Effective looks two generations back and no further.",
			plant: func(n *naive) {
				n.effective = func(m *made) fidelities { return n.minimum(m.own, certificatesOf(m.ancestors(2))...) }
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e2", "e1", "", "a"), event("e3", "e2", "", "a"), event("e4", "e3", "", "a"))),
		},
		{
			id: "ancestry/eight-generations-back", hardness: "HT", hidden: "a chain of more than 9 events",
			about: "Effective looks eight generations back and no further: a bounded recursion.",
			plant: func(n *naive) {
				n.effective = func(m *made) fidelities { return n.minimum(m.own, certificatesOf(m.ancestors(8))...) }
			},
			witness: steps(longChain(10, func(i int) string {
				if i == 0 {
					return ""
				}
				return "a"
			})),
		},
		{
			id: "ancestry/even-generations-only", hardness: "MT",
			about: "Of the ancestors only those of an even generation are looked at.",
			plant: func(n *naive) {
				n.effective = func(m *made) fidelities {
					even := slices.DeleteFunc(m.ancestors(-1), func(a *made) bool { return a.generation%2 == 1 })
					return n.minimum(m.own, certificatesOf(even)...)
				}
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e2", "e1", "", "a"))),
		},
		{
			id: "ancestry/oldest-certificate", hardness: "MT",
			about: "Effective is what the first generation certified; what was lost later is not looked at.",
			plant: func(n *naive) {
				n.effective = func(m *made) fidelities {
					if len(m.parents) == 0 {
						return n.minimum(m.own)
					}
					return n.minimum(m.parents[0].effective, effectiveOf(m.parents)...)
				}
			},
			witness: steps(chain(event("e1", "o", "", "a"), event("e2", "e1", "", ""))),
		},
		{
			id: "ancestry/union-over-chain", hardness: "MT",
			about: "A class is effective when any event of the chain has it: union instead of intersection.",
			plant: func(n *naive) {
				n.effective = func(m *made) fidelities {
					union := fidelities{}
					for _, certificate := range append(effectiveOf(m.parents), m.own) {
						for class, f := range certificate {
							if known, there := union[class]; there {
								f = n.least(known, f)
							}
							union[class] = f
						}
					}
					return union
				}
			},
			witness: steps(chain(event("e1", "o", "", "a"), event("e2", "e1", "", ""))),
		},
		{
			id: "ancestry/absent-input-is-full", hardness: "MT",
			about: "A class that an input does not have is taken as wholly kept there.",
			plant: func(n *naive) {
				n.effective = func(m *made) fidelities {
					least := fidelities{}
					for class, f := range m.own {
						for _, p := range m.parents {
							if theirs, there := p.effective[class]; there {
								f = n.least(f, theirs)
							}
						}
						least[class] = f
					}
					return least
				}
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e2", "e1", "", "a"))),
		},
		{
			id: "ancestry/bit-vouches-for-all", hardness: "MT",
			about: "A certified parent vouches for every class, also for those that nobody required of it: the single bit of the seed.",
			plant: func(n *naive) {
				n.effective = func(m *made) fidelities {
					doubtful := slices.DeleteFunc(slices.Clone(m.parents), sound)
					return n.minimum(m.own, effectiveOf(doubtful)...)
				}
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e2", "e1", "", "a"))),
		},
		{
			id: "ancestry/generation-not-raised", hardness: "ET",
			about: "An event has the generation of its newest input; only originals count as one less.",
			plant: func(n *naive) {
				n.generation = func(m *made) int64 { return max(1, newestGeneration(m.parents)) }
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e2", "e1", "", ""))),
		},
		{
			id: "ancestry/generation-from-zero", hardness: "E",
			about: "What is made of originals has generation 0 and counting starts there.",
			plant: func(n *naive) {
				n.generation = func(m *made) int64 {
					if len(m.parents) == 0 {
						return 0
					}
					return 1 + newestGeneration(m.parents)
				}
			},
			witness: steps(chain(event("e1", "o", "", ""))),
		},
		{
			id: "ancestry/generation-of-merge-not-raised", hardness: "MT",
			about: "A merge of several events has the largest of their generations, with nothing added.",
			plant: func(n *naive) {
				n.generation = func(m *made) int64 {
					if len(m.parents) > 1 {
						return newestGeneration(m.parents)
					}
					return 1 + newestGeneration(m.parents)
				}
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e2", "o", "", ""), event("e3", "e1 e2", "", ""))),
		},
		{
			id: "ancestry/generation-of-merge-least", hardness: "MT",
			about: "A merge counts on from the smallest generation among its events.",
			plant: func(n *naive) {
				n.generation = func(m *made) int64 {
					least := newestGeneration(m.parents)
					for _, p := range m.parents {
						least = min(least, p.generation)
					}
					return 1 + least
				}
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e2", "e1", "", ""), event("e3", "e1 e2", "", ""))),
		},
		{
			id: "ancestry/generation-of-mixture-one", hardness: "MT",
			about: "An event that also has an original among its inputs has generation 1: the shortest way back is counted.",
			plant: func(n *naive) {
				was := n.generation
				n.generation = func(m *made) int64 {
					if m.grounded() {
						return 1
					}
					return was(m)
				}
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e2", "o e1", "", ""))),
		},
		{
			id: "ancestry/generations-added", hardness: "MT",
			about: "A merge adds up the generations of its events.",
			plant: func(n *naive) {
				n.generation = func(m *made) int64 {
					sum := int64(1)
					for _, p := range m.parents {
						sum += p.generation
					}
					return sum
				}
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e2", "o", "", ""), event("e3", "e1 e2", "", ""))),
		},
		{
			id: "ancestry/ancestors-counted", hardness: "MT",
			about: "The generation is the number of ancestors, not the length of the longest way back.",
			plant: func(n *naive) {
				n.generation = func(m *made) int64 { return 1 + int64(len(m.ancestors(-1))) }
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e2", "o", "", ""), event("e3", "e1 e2", "", ""))),
		},
		{
			id: "ancestry/generation-is-position", hardness: "ET",
			about: "The generation is the event's place in the history.",
			plant: func(n *naive) {
				n.generation = func(m *made) int64 { return 1 + int64(m.at) }
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e2", "o", "", ""))),
		},
		{
			id: "ancestry/inputs-counted-with-repetition", hardness: "MT", hidden: "an input named twice",
			about: "Every mention of an event among the inputs raises the generation, a second one of the same event too.",
			plant: func(n *naive) {
				was := n.generation
				n.generation = func(m *made) int64 {
					named := slices.DeleteFunc(slices.Clone(m.Inputs), func(id string) bool { return m.past.originals[id] })
					return was(m) + int64(len(named)-len(m.parents))
				}
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e2", "e1 e1", "", ""))),
		},
		{
			id: "ancestry/generation-in-eight-bits", hardness: "HT", hidden: "a chain of more than 255 events",
			about: "The generation is kept in 8 bits and wraps.",
			plant: func(n *naive) {
				was := n.generation
				n.generation = func(m *made) int64 { return int64(uint8(was(m))) }
			},
			witness: steps(longChain(256, func(int) string { return "" })),
		},
		{
			id: "ancestry/merge-of-any-sound", hardness: "MT",
			about: "The ancestry of a merge is certified when that of any input event is: it is poisoned only when all are.",
			plant: func(n *naive) {
				n.ancestry = func(m *made) bool { return len(m.parents) == 0 || slices.ContainsFunc(m.parents, sound) }
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e2", "o", "a", ""), event("e3", "e1 e2", "", ""))),
		},
		{
			id: "ancestry/first-parent-only", hardness: "MT",
			about: "Of several input events only the one named first is followed.",
			plant: func(n *naive) {
				followed(n, func(events []*made) []*made { return events[:min(1, len(events))] })
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e2", "e1", "", ""), event("e3", "e1 e2", "", ""))),
		},
		{
			id: "ancestry/last-parent-only", hardness: "MT",
			about: "Of several input events only the one named last is followed.",
			plant: func(n *naive) {
				followed(n, func(events []*made) []*made { return events[max(0, len(events)-1):] })
			},
			witness: steps(chain(event("e1", "o", "a", ""), event("e2", "o", "", ""), event("e3", "e1 e2", "", ""))),
		},
		{
			id: "ancestry/two-parents-at-most", hardness: "HT",
			about: "An event has a mother and a father; further input events are not followed.",
			plant: func(n *naive) {
				followed(n, func(events []*made) []*made { return events[:min(2, len(events))] })
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e2", "o", "", ""), event("e3", "o", "a", ""), event("e4", "e1 e2 e3", "", ""))),
		},
		{
			id: "ancestry/previous-event-is-parent", hardness: "ET",
			about: "The history is taken for a line: the parent of an event is the one before it, whatever its inputs are.",
			plant: func(n *naive) {
				was := n.parents
				n.parents = func(past *history, m *made) ([]*made, error) {
					if _, err := was(past, m); err != nil {
						return nil, err
					}
					return past.events[max(0, len(past.events)-1):], nil
				}
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e2", "o", "", ""))),
		},
		{
			id: "ancestry/mixture-starts-clean", hardness: "MT",
			about: "One original among the inputs is taken for reading everything again: the events beside it are not followed.",
			plant: func(n *naive) {
				was := n.parents
				n.parents = func(past *history, m *made) ([]*made, error) {
					parents, err := was(past, m)
					if m.grounded() {
						return nil, err
					}
					return parents, err
				}
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e2", "o e1", "", ""))),
		},
		{
			id: "ancestry/rename-keeps-generation", hardness: "MT",
			about: "An event with one parent that requires the same is taken for the parent under a new name: its generation is not raised.",
			plant: func(n *naive) {
				was := n.generation
				n.generation = func(m *made) int64 {
					if isRenamed(m) {
						return m.parents[0].generation
					}
					return was(m)
				}
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e2", "e1", "", ""))),
		},
		{
			id: "ancestry/rename-keeps-ancestry", hardness: "MT",
			about: "An event with one parent that requires the same inherits the parent's ancestry flag, not what became of the parent.",
			plant: func(n *naive) {
				was := n.ancestry
				n.ancestry = func(m *made) bool {
					if isRenamed(m) {
						return m.parents[0].ancestry
					}
					return was(m)
				}
			},
			witness: steps(chain(event("e1", "o", "a", ""), event("e2", "e1", "a", ""))),
		},
		{
			id: "ancestry/second-child-starts-clean", hardness: "MT",
			about: "The first child of an event takes over its standing; the second, as after a split, starts clean.",
			plant: func(n *naive) {
				followed(n, func(events []*made) []*made {
					return slices.DeleteFunc(slices.Clone(events), func(p *made) bool { return p.children > 0 })
				})
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e2", "e1", "", ""), event("e3", "e1", "", ""))),
		},
		{
			id: "ancestry/poison-one-generation-deep", hardness: "MT",
			about: "An event is poisoned by a parent that lacks classes, not by one that is only poisoned itself.",
			plant: func(n *naive) {
				n.ancestry = func(m *made) bool { return all(m.parents, covered) }
			},
			witness: steps(chain(event("e1", "o", "a", ""), event("e2", "e1", "", ""), event("e3", "e2", "", ""))),
		},
		{
			id: "ancestry/poison-two-generations-deep", hardness: "MT",
			about: "An event is poisoned by a parent or grandparent that lacks classes; what lies further back is forgiven.",
			plant: func(n *naive) {
				n.ancestry = func(m *made) bool { return all(m.ancestors(2), covered) }
			},
			witness: steps(chain(event("e1", "o", "a", ""), event("e2", "e1", "", ""), event("e3", "e2", "", ""), event("e4", "e3", "", ""))),
		},
		{
			id: "ancestry/later-certificate-heals", hardness: "MT",
			about: "An event whose own certificate has all it requires at its floor clears its ancestry.",
			plant: func(n *naive) {
				was := n.ancestry
				n.ancestry = func(m *made) bool {
					proved := slices.DeleteFunc(distinct(m.Event.Required), func(class floor.Class) bool {
						f, there := m.own[class]
						return !there || !n.reaches(f, n.floorOf(m, class))
					})
					return was(m) || len(proved) > 0 && len(proved) == len(distinct(m.Event.Required))
				}
			},
			witness: steps(chain(event("e1", "o", "a", ""), event("e2", "e1", "a", "a"))),
		},
		{
			id: "ancestry/recoverable-event-heals", hardness: "MT",
			about: "An event whose source can be read again starts with a certified ancestry.",
			plant: func(n *naive) {
				was := n.ancestry
				n.ancestry = func(m *made) bool { return m.SourceRecoverable || was(m) }
			},
			witness: steps(chain(event("e1", "o", "a", ""), event("e2", "e1", "", "", when("r")))),
		},
		{
			id: "ancestry/recoverable-parent-forgiven", hardness: "MT",
			about: "A parent that is provisional because its source could be read again does not poison.",
			plant: func(n *naive) {
				n.ancestry = func(m *made) bool {
					return all(m.parents, func(p *made) bool { return p.ancestry && (sound(p) || p.SourceRecoverable) })
				}
			},
			witness: steps(chain(event("e1", "o", "a", "", when("r")), event("e2", "e1", "", ""))),
		},
		{
			id: "ancestry/harmless-parent-forgiven", hardness: "MT",
			about: "A parent that is provisional because nothing was in danger does not poison.",
			plant: func(n *naive) {
				n.ancestry = func(m *made) bool {
					return all(m.parents, func(p *made) bool { return p.ancestry && (sound(p) || !p.SourceRecoverable) })
				}
			},
			witness: steps(chain(event("e1", "o", "a", ""), event("e2", "e1", "", ""))),
		},
		{
			id: "ancestry/provisional-taken-for-certified", hardness: "ET",
			about: "A provisional parent is as good as a certified one, so that every ancestry is certified.",
			plant: func(n *naive) {
				n.ancestry = func(*made) bool { return true }
			},
			witness: steps(chain(event("e1", "o", "a", ""), event("e2", "e1", "", ""))),
		},
		{
			id: "ancestry/own-gap-counts", hardness: "E",
			about: "The ancestry flag of an event also looks at the event itself.",
			plant: func(n *naive) {
				was := n.outcome
				n.outcome = func(m *made) floor.Outcome {
					out, ancestry := was(m), m.ancestry && m.covered
					out.AncestryCertified = &ancestry
					return out
				}
			},
			witness: steps(chain(event("e1", "o", "a", ""))),
		},
		{
			id: "ancestry/required-shrinks", hardness: "MT",
			about: "A child answers only for the classes that one of its parents was asked for too.",
			plant: func(n *naive) {
				n.required = func(m *made) classes {
					if len(m.parents) == 0 {
						return m.Event.Required
					}
					return without(m.Event.Required, without(m.Event.Required, requiredOf(m.parents)))
				}
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e2", "e1", "a", ""))),
		},
		{
			id: "ancestry/required-grows", hardness: "MT",
			about: "A child answers for all that its parents were asked for too.",
			plant: func(n *naive) {
				n.required = func(m *made) classes { return slices.Concat(m.Event.Required, requiredOf(m.parents)) }
			},
			witness: steps(chain(event("e1", "o", "a", "a"), event("e2", "e1", "", ""))),
		},
		{
			id: "ancestry/originals-stained", hardness: "MT",
			about: "An original that went into an uncertified event poisons whatever is made of it afterwards.",
			plant: func(n *naive) {
				was := n.ancestry
				n.ancestry = func(m *made) bool {
					stained := func(e *made) bool { return !sound(e) && shareOriginal(e, m) }
					return was(m) && !slices.ContainsFunc(m.past.events, stained)
				}
			},
			witness: steps(chain(event("e1", "o", "a", ""), event("e2", "o", "", ""))),
		},
		{
			id: "ancestry/refusal-poisons-strangers", hardness: "MT",
			about: "After a refusal the ancestry of every later event is not certified, related or not.",
			plant: func(n *naive) {
				was := n.ancestry
				n.ancestry = func(m *made) bool { return was(m) && all(m.past.events, notRefused) }
			},
			witness: steps(chain(event("e1", "o", "a", "", when("scx")), event("e2", "o", "", ""))),
		},
		{
			id: "ancestry/remembered-across-histories", hardness: "MT",
			about: "What became of an event is kept by its name and found again in the next history.",
			plant: func(n *naive) {
				was, kept := n.parents, map[string]*made{}
				n.parents = func(past *history, m *made) ([]*made, error) {
					parents, err := was(past, m)
					for i, p := range parents {
						if old, there := kept[p.ID]; there {
							parents[i] = old
						} else {
							kept[p.ID] = p
						}
					}
					return parents, err
				}
			},
			witness: steps(
				chain(event("e1", "o", "", ""), event("e2", "e1", "", "")),
				chain(event("e1", "o", "a", ""), event("e2", "e1", "", ""))),
		},
		{
			id: "ancestry/poison-remembered", hardness: "ET",
			about: "Once an event was poisoned, so is every event with inputs among events in later histories.",
			plant: func(n *naive) {
				was, poison := n.ancestry, false
				n.ancestry = func(m *made) bool {
					certified := was(m) && !(poison && len(m.parents) > 0)
					poison = poison || !certified
					return certified
				}
			},
			witness: steps(
				chain(event("e1", "o", "a", ""), event("e2", "e1", "", "")),
				chain(event("e1", "o", "", ""), event("e2", "e1", "", ""))),
		},
		{
			id: "ancestry/refused-parent-poisons", hardness: "ET",
			about: "A refused event may be compacted again; its child is merely poisoned.",
			plant: func(n *naive) {
				n.parents = func(past *history, m *made) ([]*made, error) { return knownParents(past, m.Inputs), nil }
			},
			witness: steps(chain(event("e1", "o", "a", "", when("scx")), event("e2", "e1", "", ""))),
		},
		{
			id: "ancestry/refused-parent-looked-through", hardness: "ET",
			about: "A refusal changes nothing, so the child of a refused event is taken as made of what the event would have been made of.",
			plant: func(n *naive) {
				n.parents = func(past *history, m *made) ([]*made, error) {
					var parents []*made
					for _, p := range knownParents(past, m.Inputs) {
						if p.decision == floor.Refuse {
							parents = append(parents, p.parents...)
						} else {
							parents = append(parents, p)
						}
					}
					return parents, nil
				}
			},
			witness: steps(chain(event("e1", "o", "a", "", when("scx")), event("e2", "e1", "", ""))),
		},
		{
			id: "ancestry/history-ends-at-refusal", hardness: "ET",
			about: "A refusal ends the history: the events after it get no outcome.",
			plant: func(n *naive) {
				n.told = func(outcomes []floor.Outcome) []floor.Outcome {
					refused := slices.IndexFunc(outcomes, func(o floor.Outcome) bool { return o.Decision == floor.Refuse })
					if refused < 0 {
						return outcomes
					}
					return outcomes[:refused+1]
				}
			},
			witness: steps(chain(event("e1", "o", "a", "", when("scx")), event("e2", "o", "", ""))),
		},
	}
}

// followed replaces the input events by some of them; what is an error stays
// one.
func followed(n *naive, some func([]*made) []*made) {
	was := n.parents
	n.parents = func(past *history, m *made) ([]*made, error) {
		parents, err := was(past, m)
		return some(parents), err
	}
}

// knownParents are the events among the inputs, refused or not.
func knownParents(past *history, inputs []string) []*made {
	var parents []*made
	for _, id := range inputs {
		if p, isEvent := past.byID[id]; isEvent && !slices.Contains(parents, p) {
			parents = append(parents, p)
		}
	}
	return parents
}

func covered(m *made) bool    { return m.covered }
func notRefused(m *made) bool { return m.decision != floor.Refuse }

// isRenamed says that an event looks like its only parent.
func isRenamed(m *made) bool {
	return len(m.parents) == 1 && !m.grounded() && sameSet(m.Event.Required, m.parents[0].Event.Required)
}

func sameSet(a, b classes) bool { return len(without(a, b)) == 0 && len(without(b, a)) == 0 }

func requiredOf(events []*made) classes {
	var required classes
	for _, m := range events {
		required = append(required, m.required...)
	}
	return distinct(required)
}

func shareOriginal(a, b *made) bool {
	return slices.ContainsFunc(a.Inputs, func(id string) bool {
		return a.past.originals[id] && slices.Contains(b.Inputs, id)
	})
}

// longChain is a line of events, each made of the one before.
func longChain(length int, certificate func(i int) string) floor.Request {
	var events []floor.Event
	input := "o"
	for i := range length {
		e := event("e"+string(rune('0'+i/100))+string(rune('0'+i/10%10))+string(rune('0'+i%10)), input, "", certificate(i))
		events, input = append(events, e), e.ID
	}
	return chain(events...)
}
