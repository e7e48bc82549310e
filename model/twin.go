package model

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// varied are the twins of a decide case: for each change that changes
// something, the case with its last request changed. A change is handed a
// copy; lists in it are shared and must be replaced, not written to.
func varied(c floor.Case, changes ...func(in *floor.DecideIn) bool) []floor.Case {
	in := lastDecideIn(c)
	if in == nil {
		return nil
	}
	var twins []floor.Case
	for _, change := range changes {
		twin := *in
		if change(&twin) {
			twins = append(twins, withLast(c, decideRequest(twin)))
		}
	}
	return twins
}

// lastDecideIn is what the judged request says; nil when it is none.
func lastDecideIn(c floor.Case) *floor.DecideIn {
	if len(c.Steps) == 0 || c.Op() != floor.OpDecide {
		return nil
	}
	in, wrong := readDecide(c.Steps[len(c.Steps)-1])
	if wrong != "" {
		return nil
	}
	return in
}

func decideRequest(in floor.DecideIn) floor.Request {
	return floor.Request{Op: floor.OpDecide, Decide: &in}
}

// withLast is the case with these requests in place of its last one.
func withLast(c floor.Case, instead ...floor.Request) floor.Case {
	steps := slices.Clone(c.Steps[:len(c.Steps)-1])
	return floor.Case{Policy: c.Policy, Steps: append(steps, instead...)}
}

// decisions are those of the judged steps; false when one is no decision.
func decisions(o Observation) (base, twin floor.Decision, ok bool) {
	a, b := o.Base.lastAnswer().Decide, o.Twin.lastAnswer().Decide
	if a == nil || b == nil {
		return "", "", false
	}
	return a.Decision, b.Decision, true
}

// sameDecision objects when the twin was decided otherwise.
func sameDecision(o Observation) []Finding {
	base, twin, ok := decisions(o)
	if !ok || base == twin {
		return nil
	}
	return againstTwin(o, "", showDecision(base)+" as before", showDecision(twin))
}

func againstTwin(o Observation, at, want, got string) []Finding {
	return []Finding{{Step: len(o.Base.Case.Steps) - 1, At: at, Want: want, Got: got}}
}

// sameAnswer objects when the twin's judged answer means something else. In a
// reduce case every step is judged: each hangs on those before.
func sameAnswer(o Observation) []Finding {
	for step := range o.Base.Case.Steps {
		a, b := o.Base.answer(step).Reduce, o.Twin.answer(step).Reduce
		if a == nil || b == nil {
			continue
		}
		if d := differInReduce(a, b); d != (difference{}) {
			return []Finding{{Step: step, At: d.at, Want: d.want + " as before", Got: d.got}}
		}
	}
	a, b := o.Base.lastAnswer(), o.Twin.lastAnswer()
	var d difference
	switch {
	case a.Decide != nil && b.Decide != nil:
		d = differInDecide(a.Decide, b.Decide)
	case a.Derive != nil && b.Derive != nil:
		d = differInDerive(a.Derive, b.Derive)
	}
	if d == (difference{}) {
		return nil
	}
	return againstTwin(o, d.at, d.want+" as before", d.got)
}

// breakTwinDecision is the smallest lie of a rule that wants equal decisions.
func breakTwinDecision(o Observation) (Observation, bool) {
	_, twin, ok := decisions(o)
	if !ok {
		return o, false
	}
	lie := floor.Certified
	if twin == floor.Certified {
		lie = floor.Provisional
	}
	return withTwinDecision(o, lie), true
}
