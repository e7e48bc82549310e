package model

import "github.com/floorcheck/floorcheck/floor"

var _ = register(Rule{
	ID:      "decide/fluency-independent",
	Title:   "no confidence and no fluency that rides along changes the decision",
	Needs:   "A-51",
	Keyword: Must,
	Op:      floor.OpDecide,
	Minimum: 20,

	Applies: whenLastDecides,

	// The twins: without fluency, with none, with all of it, with too much.
	Vary: func(c floor.Case) []floor.Case {
		return varied(c, withoutFluency, fluency(0), fluency(1000), fluency(floor.MaxNumber))
	},

	Check: sameDecision,

	// The smallest lie: decide one of the two otherwise.
	Break: breakTwinDecision,
})

func withoutFluency(in *floor.DecideIn) bool {
	if in.Riders == nil || in.Riders.FluencyPermille == nil {
		return false
	}
	riders := *in.Riders
	riders.FluencyPermille = nil
	in.Riders = &riders
	return true
}

func fluency(permille int64) func(in *floor.DecideIn) bool {
	return func(in *floor.DecideIn) bool {
		var riders floor.Riders
		if in.Riders != nil {
			riders = *in.Riders
		}
		riders.FluencyPermille = &permille
		in.Riders = &riders
		return true
	}
}
