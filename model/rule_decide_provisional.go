package model

import "github.com/floorcheck/floorcheck/floor"

var _ = register(Rule{
	ID:      "decide/provisional",
	Title:   "not certified and the source recoverable: provisional, never refuse",
	Needs:   "A-44",
	Keyword: Must,
	Op:      floor.OpDecide,
	Minimum: 20,

	Applies: whenDecide(recoverableLoss),
	Check:   dueDecision(recoverableLoss),

	// The smallest lie: refuse although the source can be read again.
	Break: lieInstead(recoverableLoss, floor.Refuse),
})

func recoverableLoss(is *reading) bool {
	return is.due != floor.Certified && is.decide.SourceRecoverable
}

// dueDecision objects to a step like that which is decided otherwise than due.
func dueDecision(like func(is *reading) bool) func(Observation) []Finding {
	return func(o Observation) []Finding {
		var found []Finding
		for step := range o.Base.Case.Steps {
			is, got := o.Base.step(step), o.Base.answer(step).Decide
			if is.decide != nil && got != nil && like(is) && got.Decision != is.due {
				found = append(found, Finding{Step: step, Want: showDecision(is.due), Got: showDecision(got.Decision)})
			}
		}
		return found
	}
}
