package model

import "github.com/floorcheck/floorcheck/floor"

var _ = register(Rule{
	ID:      "decide/ratio-independent",
	Title:   "no token count, ratio, target, occupancy or quota that rides along changes the decision",
	Needs:   "A-28",
	Keyword: Must,
	Op:      floor.OpDecide,
	Minimum: 20,

	Applies: whenLastDecides,

	// The twins: without such riders, and with figures that tempt.
	Vary: func(c floor.Case) []floor.Case {
		const million, most = 1_000_000, floor.MaxNumber
		return varied(c,
			withoutRatios,
			ratios(million, 1, 1, 0, 0),                // next to nothing kept, no pressure
			ratios(million, million, 1000, 1000, most), // everything kept, window full, any quota met
			ratios(million, 1, 1, 1000, most),
			ratios(most, most, 1000, 0, 0),
			ratios(0, 0, 0, 0, 0), // no ratio at all
		)
	},

	Check: sameDecision,

	// The smallest lie: decide one of the two otherwise.
	Break: breakTwinDecision,
})

func withoutRatios(in *floor.DecideIn) bool {
	if in.Riders == nil {
		return false
	}
	fluency := in.Riders.FluencyPermille
	in.Riders = nil
	if fluency != nil {
		in.Riders = &floor.Riders{FluencyPermille: fluency} // the other rule's matter
	}
	return true
}

func ratios(source, summary, target, occupancy, quota int64) func(in *floor.DecideIn) bool {
	return func(in *floor.DecideIn) bool {
		in.Riders = withRatios(in.Riders, source, summary, target, occupancy, quota)
		return true
	}
}

func withRatios(before *floor.Riders, source, summary, target, occupancy, quota int64) *floor.Riders {
	riders := &floor.Riders{
		SourceTokens: &source, SummaryTokens: &summary,
		TargetPermille: &target, OccupancyPermille: &occupancy, QuotaFacts: &quota,
	}
	if before != nil {
		riders.FluencyPermille = before.FluencyPermille
	}
	return riders
}
