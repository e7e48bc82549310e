package model

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

var _ = register(Rule{
	ID:      "decide/monotone",
	Title:   "more required, less certified, the ancestry dropped, a danger more or the source lost never moves toward certified",
	Needs:   "A-87",
	Keyword: Must,
	Op:      floor.OpDecide,
	Minimum: 20,

	Applies: whenLastDecides,

	// The twins: each is worse off than the base in one thing.
	Vary: func(c floor.Case) []floor.Case {
		return varied(c,
			requireOneMore,
			certifyOneLess,
			func(in *floor.DecideIn) bool { return set(&in.Contract.AncestryCertified, false) },
			func(in *floor.DecideIn) bool { return set(&in.ConsumerStrict, true) },
			func(in *floor.DecideIn) bool { return set(&in.ChainingRisk, true) },
			func(in *floor.DecideIn) bool { return set(&in.SideEffectCostExceedsRefusal, true) },
			func(in *floor.DecideIn) bool { return set(&in.SourceRecoverable, false) },
		)
	},

	Check: func(o Observation) []Finding {
		base, twin, ok := decisions(o)
		if !ok || rank(twin) >= rank(base) {
			return nil
		}
		return againstTwin(o, "", "no more permission than "+showDecision(base), showDecision(twin))
	},

	// The smallest lie: certify the twin; where it is certified, not the base.
	Break: func(o Observation) (Observation, bool) {
		base, twin, ok := decisions(o)
		switch {
		case !ok:
			return o, false
		case base != floor.Certified:
			return withTwinDecision(o, floor.Certified), true
		case twin == floor.Certified:
			o.Base = answered(o.Base, len(o.Base.Case.Steps)-1, floor.Answer{Decide: &floor.DecideOut{Decision: floor.Provisional}})
			return o, true
		}
		return o, false
	},
})

// set tells whether it changed anything.
func set(flag *bool, to bool) bool {
	changed := *flag != to
	*flag = to
	return changed
}

// requireOneMore requires the first of the known classes that is neither
// required nor certified, or else the first that is not required.
func requireOneMore(in *floor.DecideIn) bool {
	known := []floor.Class{
		floor.Identifier, floor.Quantity, floor.Negation, floor.Ordering, floor.Obligation,
		floor.Hypothesis, floor.Constraint, floor.Status, floor.Literal,
	}
	more := slices.DeleteFunc(known, func(c floor.Class) bool { return slices.Contains(in.Contract.Required, c) })
	if len(more) == 0 {
		return false
	}
	plain := max(0, slices.IndexFunc(more, func(c floor.Class) bool { return !slices.Contains(in.Contract.Certified, c) }))
	in.Contract.Required = append(slices.Clone(in.Contract.Required), more[plain])
	return true
}

// certifyOneLess takes the first certified class away, in all its repetitions.
func certifyOneLess(in *floor.DecideIn) bool {
	certified := in.Contract.Certified
	if len(certified) == 0 {
		return false
	}
	in.Contract.Certified = slices.DeleteFunc(slices.Clone(certified), func(c floor.Class) bool { return c == certified[0] })
	return true
}
