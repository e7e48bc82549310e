package model

import "github.com/floorcheck/floorcheck/floor"

// The reason is judged only of a refusal that was due: of another there is no
// right one.
var _ = register(Rule{
	ID:      "decide/reason",
	Title:   "a refusal names exactly the required classes that are not certified, the generation and the ancestry flag",
	Needs:   "A-83",
	Keyword: Must,
	Op:      floor.OpDecide,
	Minimum: 20,

	Applies: whenDecide(dangerousLoss),

	Check: func(o Observation) []Finding {
		var found []Finding
		for step := range o.Base.Case.Steps {
			is, got := o.Base.step(step), o.Base.answer(step).Decide
			if is.decide == nil || got == nil || is.due != floor.Refuse || got.Decision != floor.Refuse {
				continue
			}
			object := func(at, want, got string) {
				found = append(found, Finding{Step: step, At: at, Want: want, Got: got})
			}
			contract := &is.decide.Contract
			if got.MissingClasses == nil || !sameSet(got.MissingClasses, is.missing) {
				object("missing_classes", showClasses(given(is.missing)), showClasses(got.MissingClasses))
			}
			if !sameValue(got.Generation, &contract.Generation) {
				object("generation", showGeneration(&contract.Generation), showGeneration(got.Generation))
			}
			if !sameValue(got.AncestryCertified, &contract.AncestryCertified) {
				object("ancestry_certified", showAncestry(&contract.AncestryCertified), showAncestry(got.AncestryCertified))
			}
		}
		return found
	},

	// The smallest lie: keep one missing class quiet, or the generation.
	Break: func(o Observation) (Observation, bool) {
		return lieInDecide(o, func(is *reading, got floor.DecideOut) (*floor.DecideOut, bool) {
			if len(is.missing) > 0 {
				got.MissingClasses = given(is.missing[1:])
			} else {
				got.Generation = nil
			}
			return &got, is.due == floor.Refuse
		})
	},
})
