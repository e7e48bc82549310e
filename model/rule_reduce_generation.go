package model

import "github.com/floorcheck/floorcheck/floor"

// How a subject counts is its own affair, as long as the count rises. An output
// that is what was asked is no further generation.
var _ = register(Rule{
	ID:      "reduce/generation",
	Title:   "what was compacted again can be told from what was compacted once: its generation is higher",
	Needs:   "A-52",
	Keyword: Should,
	Op:      floor.OpReduce,
	Minimum: 20,

	Offered: func(a floor.Answer) bool { return a.Reduce != nil && a.Reduce.Generation != nil },

	Applies: whenReduces(func(_ Run, step int) bool { return step > 0 }),

	Check: func(o Observation) []Finding {
		var found []Finding
		var latest *int64
		for _, t := range o.Base.outputs() {
			now := t.out.Generation
			if latest != nil && !sameMessages(t.before.messages, t.out.Messages) && (now == nil || *now <= *latest) {
				found = append(found, Finding{Step: t.step, At: "generation", Want: "above " + showGeneration(latest), Got: showGeneration(now)})
			}
			if now != nil {
				latest = now
			}
		}
		return found
	},

	// The smallest lie: compact again under the generation of the last time.
	Break: func(o Observation) (Observation, bool) {
		var latest *int64
		return lieInReduce(o, func(t *turn, out *floor.ReduceOut) bool {
			last := latest
			if t.out.Generation != nil {
				latest = t.out.Generation
			}
			sayFirst(out, floor.Message{Role: floor.Assistant, Text: "Compacted again."})
			out.Generation = last
			return last != nil
		})
	},
})
