package model

import "github.com/floorcheck/floorcheck/floor"

var _ = register(Rule{
	ID:      "derive/fail-closed",
	Title:   "unknown or later inputs, cycles, ids twice and children of a refused event are an error, never a history",
	Needs:   "A-90",
	Keyword: Must,
	Op:      floor.OpDerive,
	Minimum: 20,

	Applies: whenMalformed(floor.OpDerive),
	Check:   wantErrors(floor.OpDerive),

	// The smallest lie: outcomes of nothing.
	Break: func(o Observation) (Observation, bool) {
		return lieToMalformed(o, floor.OpDerive, floor.Answer{Derive: &floor.DeriveOut{Events: []floor.Outcome{}}})
	},
})
