package model

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

var _ = register(Rule{
	ID:      "decide/per-event",
	Title:   "the same contract asked under other flags in between changes nothing: conditions are judged per event",
	Needs:   "A-41",
	Keyword: Must,
	Op:      floor.OpDecide,
	Minimum: 20,
	Fresh:   true, // who keeps the first decision for a contract keeps it in both runs

	Applies: whenLastDecides,

	// The twins: the same contract first under each flag's opposite, under the
	// mildest flags, under the harshest, and under both of these in turn.
	Vary: func(c floor.Case) []floor.Case {
		in := lastDecideIn(c)
		if in == nil {
			return nil
		}
		mild := floor.Conditions{SourceRecoverable: true}
		harsh := floor.Conditions{ConsumerStrict: true, ChainingRisk: true, SideEffectCostExceedsRefusal: true}
		var twins []floor.Case
		for _, before := range [][]floor.Conditions{{opposite(in.Conditions)}, {mild}, {harsh}, {mild, harsh}} {
			if len(before) == 1 && before[0] == in.Conditions {
				continue // asked twice, not in between
			}
			twins = append(twins, withLast(c, askedAfter(c, *in, before)...))
		}
		return twins
	},

	Check: sameAnswer,

	// The smallest lie: decide one of the two otherwise.
	Break: breakTwinDecision,
})

// askedAfter is the case's last request, after the same under other conditions.
func askedAfter(c floor.Case, in floor.DecideIn, before []floor.Conditions) []floor.Request {
	var asked []floor.Request
	for _, conditions := range before {
		in.Conditions = conditions
		asked = append(asked, decideRequest(in))
	}
	return append(asked, slices.Clone(c.Steps[len(c.Steps)-1:])...)
}

func opposite(c floor.Conditions) floor.Conditions {
	return floor.Conditions{
		SourceRecoverable:            !c.SourceRecoverable,
		ConsumerStrict:               !c.ConsumerStrict,
		ChainingRisk:                 !c.ChainingRisk,
		SideEffectCostExceedsRefusal: !c.SideEffectCostExceedsRefusal,
	}
}
