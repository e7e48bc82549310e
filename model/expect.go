package model

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// Expect is a right answer to each step of a case, under the case's policy: the
// error bad_request for a malformed one. To decide, derive and certify requests
// it is the only one, but for what may be spelled in more than one way; a
// conversation may be reduced in many, and where one plan for a compaction fits,
// so may others.
func Expect(c floor.Case) []floor.Answer { return expectAfter(c, nil) }

// expectAfter is what follows rightly on answers that were given.
func expectAfter(c floor.Case, given []floor.Answer) []floor.Answer {
	answers := slices.Grow(slices.Clone(given), len(c.Steps)-len(given))
	folds := Observe(floor.Trace{}).folder // made when it is needed
	for step := len(given); step < len(c.Steps); step++ {
		is := read(c.Steps[step], c.Policy, folds)
		if is.reduce == nil {
			answers = append(answers, expected(is))
			continue
		}
		out := echo(Asked(floor.Trace{Case: c, Answers: answers}, step), step)
		if clearlyOver(sizeOf(partsOfAll(out.Messages)), is.reduce.TargetTokens) {
			out = floor.ReduceOut{Refused: true, Reason: "nothing is certified to go"}
		} else if markedBefore(answers) {
			out.Mark = floor.MarkProvisional
		}
		answers = append(answers, floor.Answer{Reduce: &out})
	}
	return answers
}

// markedBefore tells whether the latest output was marked: what it lost is still
// gone, so the mark has to survive.
func markedBefore(answers []floor.Answer) bool {
	for _, a := range slices.Backward(answers) {
		if a.Reduce != nil && !a.Reduce.Refused {
			return a.Reduce.Mark == floor.MarkProvisional
		}
	}
	return false
}

// echo gives back what was asked. Of all right answers this is the one that
// needs no summary; where it would not do, refusing is right.
func echo(asked []floor.Message, step int) floor.ReduceOut {
	generation := int64(step) + 1
	return floor.ReduceOut{Messages: asked, Mark: floor.NoMark, Generation: &generation}
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
	case is.certify != nil:
		return floor.Answer{Certify: is.certify.out()}
	case is.compact != nil:
		return floor.Answer{Compact: is.compact.expected()}
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
