package model

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// The lies copy what they touch: an observation is never written to, and a
// run with other answers is observed anew.

// Lies are the rule's own lie about a case that is otherwise answered rightly:
// one, or for a comparing rule one for each twin. None where the rule does not
// apply or there is nothing to lie about.
func (r Rule) Lies(c floor.Case) (lies []Observation) {
	base := Observe(floor.Trace{Case: c, Answers: Expect(c)})
	if !r.Applies(base) {
		return nil
	}
	twins := []*Run{nil}
	if r.Vary != nil {
		twins = nil
		for _, t := range r.Vary(c) {
			twin := Observe(floor.Trace{Case: t, Answers: Expect(t)})
			twins = append(twins, &twin)
		}
	}
	for _, twin := range twins {
		if lied, ok := r.Break(Observation{Base: base, Twin: twin}); ok {
			lies = append(lies, lied)
		}
	}
	return lies
}

// lieInDecide answers one decide step otherwise, at the first step for which
// there is a lie.
func lieInDecide(o Observation, lie func(is *reading, got floor.DecideOut) (*floor.DecideOut, bool)) (Observation, bool) {
	for step := range o.Base.Case.Steps {
		is, got := o.Base.step(step), o.Base.answer(step).Decide
		if is.decide == nil || got == nil {
			continue
		}
		if out, ok := lie(is, *got); ok {
			o.Base = answered(o.Base, step, floor.Answer{Decide: out})
			return o, true
		}
	}
	return o, false
}

// lieInstead is another decision where this one is due.
func lieInstead(due func(is *reading) bool, lie floor.Decision) func(Observation) (Observation, bool) {
	return func(o Observation) (Observation, bool) {
		return lieInDecide(o, func(is *reading, _ floor.DecideOut) (*floor.DecideOut, bool) {
			return decideOut(lie, is.decide.Contract), due(is)
		})
	}
}

// lieInDerive changes one outcome, of the latest event for which there is a
// lie.
func lieInDerive(o Observation, lie func(p pair, out *floor.Outcome) bool) (Observation, bool) {
	for _, p := range slices.Backward(o.Base.outcomes()) {
		out := *p.got
		if !lie(p, &out) {
			continue
		}
		events := slices.Clone(o.Base.answer(p.step).Derive.Events)
		events[p.index] = out
		o.Base = answered(o.Base, p.step, floor.Answer{Derive: &floor.DeriveOut{Events: events}})
		return o, true
	}
	return o, false
}

// lieToMalformed answers a bad request of that op as if it were none.
func lieToMalformed(o Observation, op floor.Op, result floor.Answer) (Observation, bool) {
	for step, request := range o.Base.Case.Steps {
		if request.Op == op && o.Base.step(step).wrong != "" && step < len(o.Base.Answers) {
			o.Base = answered(o.Base, step, result)
			return o, true
		}
	}
	return o, false
}

// withTwinDecision is the observation with the twin decided like that.
func withTwinDecision(o Observation, d floor.Decision) Observation {
	last := len(o.Twin.Case.Steps) - 1
	twin := answered(*o.Twin, last, floor.Answer{Decide: decideOut(d, lastDecideIn(o.Twin.Case).Contract)})
	o.Twin = &twin
	return o
}

func answered(r Run, step int, a floor.Answer) Run {
	answers := slices.Clone(r.Answers)
	answers[step] = a
	return Observe(floor.Trace{Case: r.Case, Answers: answers})
}
