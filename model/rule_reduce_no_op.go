package model

import "github.com/floorcheck/floorcheck/floor"

// Only a conversation with fewer characters than the target has tokens is known
// to fit, however the subject counts.
var _ = register(Rule{
	ID:      "reduce/no-op",
	Title:   "a conversation that is clearly under the target comes back unchanged",
	Needs:   "W-38",
	Keyword: Must,
	Op:      floor.OpReduce,
	Minimum: 20,

	Applies: whenReduces(func(r Run, step int) bool {
		var said int64 // what was said so far: no less than what a subject that reduces is asked
		for i := 0; i <= step; i++ {
			if in := r.step(i).reduce; in != nil {
				said += sizeOf(partsOfAll(in.Messages))
			}
		}
		return clearlyUnder(said, r.step(step).reduce.TargetTokens)
	}),

	Check: func(o Observation) []Finding {
		var found []Finding
		for _, t := range o.Base.outputs() {
			if !t.under() {
				continue
			}
			if d := differInMessages(t.before.messages, t.out.Messages); d != (difference{}) {
				found = append(found, Finding{Step: t.step, At: d.at, Want: d.want + " as asked: it fits", Got: d.got})
			}
		}
		return found
	},

	// The smallest lie: a remark where nothing was to do.
	Break: func(o Observation) (Observation, bool) {
		return lieInReduce(o, func(t *turn, out *floor.ReduceOut) bool {
			sayFirst(out, floor.Message{Role: floor.Assistant, Text: "Nothing to add."})
			return t.under()
		})
	},
})
