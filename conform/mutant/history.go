package mutant

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// badHistories are faults of ancestry that show where there should be an
// error: histories that do not lead back to originals.
func badHistories() []fault {
	return []fault{
		{
			id: "ancestry/unknown-inputs-ignored", hardness: "E", hidden: badRequest,
			about: "An input that is neither an original nor an event of the history is passed over.",
			plant: mending(func(op floor.Op, in map[string]any) {
				known := slices.Concat(texts(in["originals"]), idsOf(in))
				keepInputs(in, func(_ int, id string) bool { return slices.Contains(known, id) })
			}),
			witness: steps(chain(event("e1", "x", "", ""))),
		},
		{
			id: "ancestry/self-parent-accepted", hardness: "H", hidden: badRequest,
			about: "An event that names itself as its input passes: the name is registered before the inputs are looked up.",
			plant: mending(func(op floor.Op, in map[string]any) {
				ids := idsOf(in)
				keepInputs(in, func(at int, id string) bool { return id != ids[at] })
			}),
			witness: steps(chain(event("e1", "e1", "", ""))),
		},
		{
			id: "ancestry/cycle-cut", hardness: "H", hidden: badRequest,
			about: "A cycle is cut where it closes: inputs that are no earlier event are passed over as long as the name occurs.",
			plant: mending(func(op floor.Op, in map[string]any) {
				ids := idsOf(in)
				keepInputs(in, func(at int, id string) bool { return !slices.Contains(ids[at:], id) || slices.Contains(ids[:at], id) })
			}),
			witness: steps(chain(event("e1", "e2", "", ""), event("e2", "e1", "", ""))),
		},
		{
			id: "ancestry/later-inputs-accepted", hardness: "M", hidden: badRequest,
			about: "Events are looked up wherever they stand, so that one may be made of a later one.",
			plant: func(n *naive) {
				n.raw = func(r floor.Request) floor.Answer {
					order := []string(nil)
					answer := n.mended(r, func(_ floor.Op, in map[string]any) {
						order = idsOf(in)
						inputsFirst(in)
					})
					if answer.Derive != nil {
						slices.SortFunc(answer.Derive.Events, func(a, b floor.Outcome) int {
							return slices.Index(order, a.ID) - slices.Index(order, b.ID)
						})
					}
					return answer
				}
			},
			witness: steps(chain(event("e1", "e2", "", ""), event("e2", "o", "", ""))),
		},
		{
			id: "ancestry/duplicate-event-overwrites", hardness: "M", hidden: badRequest,
			about: "A second event of the same id takes the place of the first.",
			plant: func(n *naive) {
				renaming(n, func(in map[string]any) []string { return nil }, func(used []string, id string) []string { return append(used, id) })
			},
			witness: steps(chain(event("e1", "o", "", ""), event("e1", "o", "", ""))),
		},
		{
			id: "ancestry/event-shadows-original", hardness: "M", hidden: badRequest,
			about: "An event may bear the id of an original and hides it from then on.",
			plant: func(n *naive) {
				renaming(n, func(in map[string]any) []string { return texts(in["originals"]) }, func(used []string, _ string) []string { return used })
			},
			witness: steps(chain(event("o", "p", "", ""))),
		},
		{
			id: "ancestry/history-cut-at-bad-event", hardness: "M", hidden: badRequest,
			about: "A history is answered up to the first event that is bad: what could be derived is.",
			plant: func(n *naive) {
				n.raw = func(r floor.Request) floor.Answer {
					for cut := 1; ; cut++ {
						gone := true
						answer := n.mended(r, func(_ floor.Op, in map[string]any) {
							events, _ := in["events"].([]any)
							if gone = len(events) < cut; !gone {
								in["events"] = events[:len(events)-cut]
							}
						})
						if gone || answer.Err == nil {
							return answer
						}
					}
				}
			},
			witness: steps(chain(event("e1", "", "", ""))),
		},
	}
}

// renaming lets ids be used again that it is told of: the event is given a
// name of its own for as long as it takes to answer.
func renaming(n *naive, taken func(in map[string]any) []string, take func(used []string, id string) []string) {
	n.raw = func(r floor.Request) floor.Answer {
		ids := []string(nil)
		answer := n.mended(r, func(_ floor.Op, in map[string]any) {
			ids = idsOf(in)
			used, now := taken(in), map[string]string{}
			for _, e := range objects(in["events"]) {
				inputs, _ := e["inputs"].([]any)
				for i, id := range texts(e["inputs"]) {
					if renamed, there := now[id]; there {
						inputs[i] = renamed
					}
				}
				id, _ := e["id"].(string)
				if slices.Contains(used, id) {
					now[id] = fresh(in)
					e["id"] = now[id]
				}
				used = take(used, id)
			}
		})
		if answer.Derive != nil {
			for i := range answer.Derive.Events {
				answer.Derive.Events[i].ID = ids[i]
			}
		}
		return answer
	}
}

// keepInputs strikes out inputs; an event that has none left is made of a new
// original.
func keepInputs(in map[string]any, keep func(at int, id string) bool) {
	for at, e := range objects(in["events"]) {
		inputs, _ := e["inputs"].([]any)
		kept := slices.DeleteFunc(slices.Clone(inputs), func(v any) bool {
			id, isText := v.(string)
			return isText && !keep(at, id)
		})
		if len(kept) == 0 && len(inputs) > 0 {
			kept = append(kept, addOriginal(in))
		}
		if len(inputs) > 0 {
			e["inputs"] = kept
		}
	}
}

// inputsFirst puts the events in an order in which each comes after its
// inputs; those of a cycle are left where they are.
func inputsFirst(in map[string]any) {
	var done []string
	rest, ordered := objects(in["events"]), []any{}
	for {
		waiting := idsOf(map[string]any{"events": asList(rest)})
		ready := slices.IndexFunc(rest, func(e map[string]any) bool {
			return !slices.ContainsFunc(texts(e["inputs"]), func(id string) bool {
				return slices.Contains(waiting, id) && !slices.Contains(done, id)
			})
		})
		if ready < 0 {
			in["events"] = append(ordered, asList(rest)...)
			return
		}
		id, _ := rest[ready]["id"].(string)
		done, ordered = append(done, id), append(ordered, rest[ready])
		rest = slices.Delete(rest, ready, ready+1)
	}
}
