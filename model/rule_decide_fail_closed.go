package model

import "github.com/floorcheck/floorcheck/floor"

var _ = register(Rule{
	ID:      "decide/fail-closed",
	Title:   "a flag missing, a wrong type or a negative generation is an error, never a decision",
	Needs:   "A-78",
	Keyword: Must,
	Op:      floor.OpDecide,
	Minimum: 20,

	Applies: whenMalformed(floor.OpDecide),
	Check:   wantErrors(floor.OpDecide),

	// The smallest lie: proceed provisionally.
	Break: func(o Observation) (Observation, bool) {
		return lieToMalformed(o, floor.OpDecide, floor.Answer{Decide: &floor.DecideOut{Decision: floor.Provisional}})
	},
})

// wantErrors objects to a result where the request was a bad one. Any error
// will do; a broken answer is the loop's matter.
func wantErrors(op floor.Op) func(Observation) []Finding {
	return func(o Observation) []Finding {
		var found []Finding
		for step, request := range o.Base.Case.Steps {
			if wrong := o.Base.step(step).wrong; request.Op == op && wrong != "" {
				if got := showResult(o.Base.answer(step)); got != "" {
					found = append(found, Finding{Step: step, Want: "an error: bad request at " + wrong, Got: got})
				}
			}
		}
		return found
	}
}

// showResult is "" when the answer is no result.
func showResult(a floor.Answer) string {
	switch {
	case a.Decide != nil:
		return showDecision(a.Decide.Decision)
	case a.Derive != nil:
		return "outcomes of " + showNames(idsOf(a.Derive.Events))
	case a.Certify != nil:
		return "a certificate of " + showSet("certified_classes", a.Certify.Certified)
	case a.Compact != nil:
		return showDecision(a.Compact.Decision)
	}
	return ""
}
