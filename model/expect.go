package model

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// Expect is the right answer to each step of a case, under the case's policy:
// the error bad_request for a malformed one.
func Expect(c floor.Case) []floor.Answer {
	answers := make([]floor.Answer, len(c.Steps))
	for i, step := range c.Steps {
		answers[i] = expected(read(step, c.Policy))
	}
	return answers
}

func expected(is reading) floor.Answer {
	switch {
	case is.wrong != "":
		return floor.Answer{Err: &floor.AnswerError{Code: floor.BadRequestCode, Message: "bad request at " + is.wrong}}
	case is.decide != nil:
		return floor.Answer{Decide: decideOut(is.due, is.decide.Contract)}
	case is.derive != nil:
		out := &floor.DeriveOut{Events: []floor.Outcome{}}
		for _, f := range is.fates {
			out.Events = append(out.Events, f.outcome())
		}
		return floor.Answer{Derive: out}
	}
	return floor.Answer{Err: &floor.AnswerError{Code: floor.UnsupportedCode, Message: "no such op"}}
}

// decideOut is a decision, with its reason where it is a refusal.
func decideOut(d floor.Decision, c floor.Contract) *floor.DecideOut {
	out := &floor.DecideOut{Decision: d}
	if d == floor.Refuse {
		out.MissingClasses = given(missing(c))
		out.Generation = &c.Generation
		out.AncestryCertified = &c.AncestryCertified
	}
	return out
}

func (f *fate) outcome() floor.Outcome { return f.outcomeAs(f.decision) }

// outcomeAs is the event's outcome, were this its decision.
func (f *fate) outcomeAs(d floor.Decision) floor.Outcome {
	generation, ancestry := f.generation, f.ancestryCertified
	out := floor.Outcome{ID: f.event.ID, Decision: d, AncestryCertified: &ancestry}
	if d == floor.Refuse {
		out.MissingClasses = given(f.missing)
		return out
	}
	out.Generation = &generation
	out.Effective = slices.Clone(f.effective)
	return out
}

// given is a list that is there even when it is empty.
func given(classes []floor.Class) []floor.Class { return append([]floor.Class{}, classes...) }
