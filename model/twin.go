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

// variedCompact are the twins of a compact case, in the same way.
func variedCompact(c floor.Case, changes ...func(in *floor.CompactIn) bool) []floor.Case {
	if len(c.Steps) == 0 || c.Op() != floor.OpCompact {
		return nil
	}
	in, wrong := readCompact(c.Steps[len(c.Steps)-1], newFolder())
	if wrong != "" {
		return nil
	}
	var twins []floor.Case
	for _, change := range changes {
		twin := *in
		if change(&twin) {
			twins = append(twins, withLast(c, floor.Request{Op: floor.OpCompact, Compact: &twin}))
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
	a, b := o.Base.lastAnswer(), o.Twin.lastAnswer()
	switch {
	case a.Decide != nil && b.Decide != nil:
		return a.Decide.Decision, b.Decide.Decision, true
	case a.Compact != nil && b.Compact != nil:
		return a.Compact.Decision, b.Compact.Decision, true
	}
	return "", "", false
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
// case of op reduce, certify or compact every step is judged: each hangs on
// those before, or is an event of its own.
func sameAnswer(o Observation) []Finding {
	for step := range o.Base.Case.Steps {
		a, b := o.Base.answer(step), o.Twin.answer(step)
		var d difference
		switch {
		case a.Reduce != nil && b.Reduce != nil:
			d = differInReduce(a.Reduce, b.Reduce)
		case a.Certify != nil && b.Certify != nil:
			d = differInCertify(a.Certify, b.Certify)
		case a.Compact != nil && b.Compact != nil:
			d = differInCompact(a.Compact, b.Compact)
		}
		if d != (difference{}) {
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
