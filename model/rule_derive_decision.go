package model

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// It also wants ancestry_certified on events whose ancestry is certified: that
// it is false on the others is derive/poison's matter, but for refusals.
var _ = register(Rule{
	ID:      "derive/decision",
	Title:   "each event is decided by its ancestry, its floors and its flags; a refusal names exactly the required classes below their floor, and the ancestry flag",
	Needs:   "A-88",
	Keyword: Must,
	Op:      floor.OpDerive,
	Minimum: 20,

	Applies: anyHistory,

	Check: func(o Observation) []Finding {
		found := wrongEvents(o.Base)
		for _, p := range o.Base.outcomes() {
			switch {
			case p.got.Decision != p.due.decision:
				found = append(found, p.object(showDecision(p.due.decision), showDecision(p.got.Decision)))
				continue
			case p.got.Decision == floor.Refuse && (p.got.MissingClasses == nil || !sameSet(p.got.MissingClasses, p.due.missing)):
				found = append(found, p.object("missing "+showClasses(given(p.due.missing)), showClasses(p.got.MissingClasses)))
			}
			if judged := p.due.ancestryCertified || p.got.Decision == floor.Refuse; judged && !sameValue(p.got.AncestryCertified, &p.due.ancestryCertified) {
				found = append(found, p.object(showAncestry(&p.due.ancestryCertified), showAncestry(p.got.AncestryCertified)))
			}
		}
		return found
	},

	// The smallest lie: decide the latest event otherwise.
	Break: func(o Observation) (Observation, bool) { return lieInDerive(o, decideOtherwise) },
})

// anyHistory: an empty one too, which has no outcomes.
func anyHistory(r Run) bool {
	for i := range r.Case.Steps {
		if r.step(i).derive != nil {
			return true
		}
	}
	return false
}

// wrongEvents objects where the outcomes are not those of the events, one for
// each, whatever their order.
func wrongEvents(r Run) []Finding {
	var found []Finding
	for step := range r.Case.Steps {
		is, got := r.step(step), r.answer(step).Derive
		if is.derive == nil || got == nil {
			continue
		}
		var want []string
		for _, f := range is.fates {
			want = append(want, f.event.ID)
		}
		ids := idsOf(got.Events)
		if slices.Equal(want, ids) {
			continue
		}
		slices.Sort(want)
		slices.Sort(ids)
		if !slices.Equal(want, ids) {
			found = append(found, Finding{Step: step, At: "events", Want: showNames(want), Got: showNames(ids)})
		}
	}
	return found
}

// decideOtherwise is the nearest other decision.
func decideOtherwise(p pair, out *floor.Outcome) bool {
	lie := floor.Provisional
	if p.due.decision == floor.Provisional {
		lie = floor.Refuse
	}
	*out = p.due.outcomeAs(lie)
	return true
}
