package model

import (
	"fmt"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// Where everything fits, the decision beside it is not judged.
var _ = register(Rule{
	ID:      "compact/ratio-independent",
	Title:   "neither filler that stays, its tokens added to the budget, nor tokens and budget scaled together, nor a figure that rides along changes the decision",
	Needs:   "A-28",
	Keyword: Must,
	Op:      floor.OpCompact,
	Minimum: 20,

	Applies: func(r Run) bool { c := r.last().compact; return c != nil && c.tight() },

	// The twins: with a little filler before everything, with nine and with 999
	// times as much of it as there is besides, scaled by seven and by a thousand,
	// and with figures that tempt.
	Vary: func(c floor.Case) []floor.Case {
		const million, most = 1_000_000, floor.MaxNumber
		riders := func(source, summary, target, occupancy, quota int64) func(in *floor.CompactIn) bool {
			return func(in *floor.CompactIn) bool {
				in.Riders = withRatios(in.Riders, source, summary, target, occupancy, quota)
				return true
			}
		}
		return variedCompact(c,
			func(in *floor.CompactIn) bool { return filled(in, 1, true) },
			func(in *floor.CompactIn) bool { return filled(in, 9*wholeOf(in), false) },
			func(in *floor.CompactIn) bool { return filled(in, 999*wholeOf(in), false) },
			func(in *floor.CompactIn) bool { return scaled(in, 7) },
			func(in *floor.CompactIn) bool { return scaled(in, 1000) },
			riders(million, 1, 1, 0, 0),                // next to nothing kept, no pressure
			riders(million, million, 1000, 1000, most), // everything kept, window full, any quota met
		)
	},

	Check: sameDecision,

	// The smallest lie: decide one of the two otherwise.
	Break: breakTwinDecision,
})

// wholeOf are the tokens of all spans, where nine hundred and ninety-nine times
// as many can still be counted; else none.
func wholeOf(in *floor.CompactIn) (sum int64) {
	for i := range in.Spans {
		sum += in.Spans[i].Tokens
	}
	if sum > floor.MaxNumber/1000 {
		return 0
	}
	return sum
}

// filled adds a span that holds no element and stays, and the room for it.
func filled(in *floor.CompactIn, tokens int64, first bool) bool {
	sum := tokens
	for i := range in.Spans {
		sum += in.Spans[i].Tokens
	}
	for i := range in.Summaries {
		sum += in.Summaries[i].Tokens
	}
	if tokens == 0 || sum > floor.MaxNumber || in.BudgetTokens+tokens > floor.MaxNumber {
		return false
	}
	id := "filler"
	for n := 1; slices.ContainsFunc(in.Spans, func(s floor.Span) bool { return s.ID == id }); n++ {
		id = fmt.Sprintf("filler-%d", n)
	}
	filler := floor.Span{
		ID: id, Kind: floor.KindMessage, Role: floor.User, Tokens: tokens,
		Text: "\u2026", Elements: []floor.Element{}, // no word: it says nothing and denies nothing
	}
	in.BudgetTokens += tokens
	if first {
		in.Spans = slices.Concat([]floor.Span{filler}, in.Spans)
	} else {
		in.Spans = slices.Concat(in.Spans, []floor.Span{filler})
	}
	return true
}

// scaled counts in a smaller unit.
func scaled(in *floor.CompactIn, by int64) bool {
	room := floor.MaxNumber / by
	if in.BudgetTokens > room {
		return false
	}
	in.Spans, in.Summaries = slices.Clone(in.Spans), slices.Clone(in.Summaries)
	for i := range in.Spans {
		room -= in.Spans[i].Tokens
		in.Spans[i].Tokens *= by
	}
	for i := range in.Summaries {
		room -= in.Summaries[i].Tokens
		in.Summaries[i].Tokens *= by
	}
	in.BudgetTokens *= by
	return room >= 0
}
