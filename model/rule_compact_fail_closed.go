package model

import "github.com/floorcheck/floorcheck/floor"

var _ = register(Rule{
	ID:      "compact/fail-closed",
	Title:   "what the protocol calls a bad request is an error, never a decision",
	Needs:   "B-36",
	Keyword: Must,
	Op:      floor.OpCompact,
	Minimum: 20,

	Applies: whenMalformed(floor.OpCompact),
	Check:   wantErrors(floor.OpCompact),

	// The smallest lie: refuse, which is a decision too.
	Break: func(o Observation) (Observation, bool) {
		return lieToMalformed(o, floor.OpCompact, floor.Answer{Compact: &floor.CompactOut{Decision: floor.Refuse}})
	},
})
