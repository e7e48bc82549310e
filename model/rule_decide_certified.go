package model

import (
	"fmt"

	"github.com/floorcheck/floorcheck/floor"
)

var _ = register(Rule{
	ID:      "decide/certified",
	Title:   "certified exactly when the ancestry is certified and every required class is",
	Needs:   "A-77",
	Keyword: Must,
	Op:      floor.OpDecide,
	Minimum: 20,

	Applies: whenDecide(func(*reading) bool { return true }),

	Check: func(o Observation) []Finding {
		var found []Finding
		for step := range o.Base.Case.Steps {
			is, got := o.Base.step(step), o.Base.answer(step).Decide
			if is.decide == nil || got == nil {
				continue
			}
			if (got.Decision == floor.Certified) != (is.due == floor.Certified) {
				found = append(found, Finding{Step: step, Want: wantCertified(is), Got: showDecision(got.Decision)})
			}
		}
		return found
	},

	// The smallest lie: certify what has a gap, or do not certify what has none.
	Break: func(o Observation) (Observation, bool) {
		return lieInDecide(o, func(is *reading, _ floor.DecideOut) (*floor.DecideOut, bool) {
			if is.due == floor.Certified {
				return decideOut(floor.Provisional, is.decide.Contract), true
			}
			return decideOut(floor.Certified, is.decide.Contract), true
		})
	},
})

// wantCertified says why it is certified or not.
func wantCertified(is *reading) string {
	if is.due == floor.Certified {
		return "certified"
	}
	ancestry := is.decide.Contract.AncestryCertified
	return fmt.Sprintf("not certified (missing %s, %s)", showClasses(given(is.missing)), showAncestry(&ancestry))
}
