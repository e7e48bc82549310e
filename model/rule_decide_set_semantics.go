package model

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// unheardOf is a class that no subject knows; a number is added where a case
// happens to name it.
const unheardOf floor.Class = "unheard-of"

var _ = register(Rule{
	ID:      "decide/set-semantics",
	Title:   "order and repetition of classes mean nothing; an unheard-of required class is not certified",
	Needs:   "A-73",
	Keyword: Must,
	Op:      floor.OpDecide,
	Minimum: 20,

	Applies: whenLastDecides,

	// The twins: the same sets written otherwise, and one unheard-of class more.
	Vary: func(c floor.Case) []floor.Case {
		return varied(c, reversed, certifiedRepeated, requiredRepeated, eachOnce, requireUnheardOf)
	},

	Check: func(o Observation) []Finding {
		base, twin := lastDecideIn(o.Base.Case), lastDecideIn(o.Twin.Case)
		if base == nil || twin == nil {
			return nil
		}
		if sameSet(base.Contract.Required, twin.Contract.Required) {
			return sameDecision(o)
		}
		if _, d, ok := decisions(o); ok && d == floor.Certified {
			return againstTwin(o, "", "not certified: a required class was never heard of", showDecision(d))
		}
		return nil
	},

	// The smallest lie: decide the twin otherwise; certify the unheard-of.
	Break: breakTwinDecision,
})

func reversed(in *floor.DecideIn) bool {
	c := &in.Contract
	c.Required, c.Certified = slices.Clone(c.Required), slices.Clone(c.Certified)
	slices.Reverse(c.Required)
	slices.Reverse(c.Certified)
	return len(c.Required) > 1 || len(c.Certified) > 1
}

// certifiedRepeated repeats what is certified until it is longer than what is
// required, so that it would pass where lengths are compared.
func certifiedRepeated(in *floor.DecideIn) bool {
	once := in.Contract.Certified
	if len(once) == 0 {
		return false
	}
	times := 2 + len(in.Contract.Required)/len(once)
	in.Contract.Certified = slices.Repeat(once, times)
	return true
}

func requiredRepeated(in *floor.DecideIn) bool {
	in.Contract.Required = slices.Repeat(in.Contract.Required, 2)
	return len(in.Contract.Required) > 0
}

// eachOnce leaves the first of each repeated entry.
func eachOnce(in *floor.DecideIn) bool {
	required, certified := distinct(in.Contract.Required), distinct(in.Contract.Certified)
	shorter := len(required) < len(in.Contract.Required) || len(certified) < len(in.Contract.Certified)
	in.Contract.Required, in.Contract.Certified = required, certified
	return shorter
}

func distinct(list []floor.Class) []floor.Class {
	once := []floor.Class{}
	for _, class := range list {
		if !slices.Contains(once, class) {
			once = append(once, class)
		}
	}
	return once
}

func requireUnheardOf(in *floor.DecideIn) bool {
	class := unheardOf
	for slices.Contains(in.Contract.Required, class) || slices.Contains(in.Contract.Certified, class) {
		class += "-1"
	}
	in.Contract.Required = append(slices.Clone(in.Contract.Required), class)
	return true
}
