package model

import (
	"fmt"

	"github.com/floorcheck/floorcheck/floor"
)

// Only a conversation with more than eight characters for each token of the
// target is known not to fit, however the subject counts.
var _ = register(Rule{
	ID:      "reduce/progress",
	Title:   "a conversation that is clearly over the target comes back smaller, or is visibly given up",
	Needs:   "W-37",
	Keyword: Should,
	Op:      floor.OpReduce,
	Minimum: 20,

	Applies: whenReduces(func(r Run, step int) bool { // what is new is part of what is asked
		in := r.step(step).reduce
		return clearlyOver(sizeOf(partsOfAll(in.Messages)), in.TargetTokens)
	}),

	Check: func(o Observation) []Finding {
		var found []Finding
		for _, t := range o.Base.outputs() {
			if t.over() && !t.provisional() && t.after.size() >= t.before.size() {
				found = append(found, Finding{
					Step: t.step, At: "messages",
					Want: fmt.Sprintf("fewer than %d characters toward a target of %d tokens, a refusal or the mark provisional", t.before.size(), t.in.TargetTokens),
					Got:  fmt.Sprintf("%d characters, marked %s", t.after.size(), showName(string(markOf(t.out)))),
				})
			}
		}
		return found
	},

	// The smallest lie: give back what was asked, as if that would do.
	Break: func(o Observation) (Observation, bool) {
		return lieInReduce(o, func(t *turn, _ *floor.ReduceOut) bool { return t.over() })
	},
})
