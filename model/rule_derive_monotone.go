package model

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// It compares the subject's answers with each other, not with the model's.
var _ = register(Rule{
	ID:      "derive/monotone",
	Title:   "along every edge the generation rises, no effective fidelity does, and no class appears",
	Needs:   "A-53",
	Keyword: Must,
	Op:      floor.OpDerive,
	Minimum: 20,

	Applies: whenEvent(chained),

	Check: func(o Observation) []Finding {
		var found []Finding
		eachEdge(o.Base, func(parent, child pair) bool {
			found = append(found, againstEdge(parent, child)...)
			return true
		})
		return found
	},

	// The smallest lie: a generation that does not rise.
	Break: func(o Observation) (Observation, bool) {
		lied := false
		eachEdge(o.Base, func(parent, child pair) bool {
			if parent.got.Generation == nil {
				return true
			}
			generation := *parent.got.Generation
			o, lied = lieInDerive(o, func(p pair, out *floor.Outcome) bool {
				out.Generation = &generation
				return p.due == child.due
			})
			return !lied
		})
		return o, lied
	},
})

// eachEdge yields the edges between events that the subject did not refuse.
func eachEdge(r Run, yield func(parent, child pair) (more bool)) {
	pairs := r.outcomes()
	for _, child := range pairs {
		for _, parent := range pairs {
			refused := parent.got.Decision == floor.Refuse || child.got.Decision == floor.Refuse
			if !refused && slices.Contains(child.due.parents, parent.due) && !yield(parent, child) {
				return
			}
		}
	}
}

func againstEdge(parent, child pair) []Finding {
	var found []Finding
	if p, c := parent.got.Generation, child.got.Generation; p != nil && c != nil && *c <= *p {
		found = append(found, child.object("more than "+showGeneration(p)+" of "+showName(parent.due.event.ID), showGeneration(c)))
	}
	above, spoiledAbove := effectiveList(parent.got.Effective)
	below, spoiledBelow := effectiveList(child.got.Effective)
	if spoiledAbove != "" || spoiledBelow != "" {
		return found // derive/chain-minimum's matter
	}
	for class, held := range sideBySide(above, below) {
		if held.inB && (!held.inA || compare(held.b, held.a) > 0) {
			found = append(found, child.object("at most "+showHeld(class, held.a, held.inA)+" of "+showName(parent.due.event.ID), showFidelity(held.b)))
			break // one class tells
		}
	}
	return found
}

// chained: there is an edge to an earlier event, and the outcome shows what
// came over it.
func chained(f *fate) bool { return !f.grounded() && f.decision != floor.Refuse }
