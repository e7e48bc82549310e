// Package fuzz holds the native fuzz targets, one a file, with their seed
// corpora under testdata. Each decodes its bytes itself: rapid's MakeFuzz found
// a fifth of what our own decoder finds.
package fuzz

import (
	"context"
	"fmt"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
	"github.com/floorcheck/floorcheck/props/gen"
	"github.com/floorcheck/floorcheck/props/suite"
)

// mostBytes bounds what is decoded: a case has to stay under a millisecond.
const mostBytes = 2048

// rules are read once: a fuzz target judges thousands of cases a second.
var rules = model.Rules()

// Decode makes a case of a kind from bytes. The first byte picks the policy.
func Decode(kind gen.Kind, data []byte) floor.Case {
	data = data[:min(len(data), mostBytes)]
	policy := floor.Guard
	if len(data) > 0 {
		if data[0]&1 == 1 {
			policy = floor.Joint
		}
		data = data[1:]
	}
	return kind.Draw(gen.NewSource(gen.NewBytes(data)), gen.Full(policy))
}

// DecodeFor makes a case that the subject claims to answer: the first byte picks
// the kind.
func DecodeFor(h conform.Hello, data []byte) floor.Case {
	data = data[:min(len(data), mostBytes)]
	kinds, first := gen.KindsOf(h.Ops), 0
	if len(data) > 0 {
		first = int(data[0])
		data = data[1:]
	}
	return kinds[first%len(kinds)].Draw(gen.NewSource(gen.NewBytes(data)), suite.ForBlackBox(gen.Full(h.Policy), h.Reduce))
}

// Objections has every rule judge what a subject in process answers.
func Objections(s conform.Subject, c floor.Case) ([]string, error) {
	return conform.Objections(context.Background(), s, rules, c)
}

var sameAnswers = func() model.Rule {
	rule, ok := model.Lookup("decide/deterministic")
	if !ok {
		panic("fuzz: there is no rule that compares answers")
	}
	return rule
}()

// Differ asks a subject in process one case and says where it answers otherwise
// than the model, step by step and by the judge's own comparison: sets and
// fractions by value, of an error its code. It is "" where they agree. Where a
// rule leaves a choice the subject has to choose as the model does.
func Differ(ctx context.Context, s conform.Subject, c floor.Case) (string, error) {
	got, err := s.Ask(ctx, c.Steps)
	if err != nil {
		return "", err
	}
	want := model.Expect(c)
	if len(got) != len(want) {
		return fmt.Sprintf("%d answers to %d steps", len(got), len(want)), nil
	}
	for i := range want {
		if w, g := kindOf(want[i]), kindOf(got[i]); w != g {
			return fmt.Sprintf("step %d: %s for the model, %s for the subject", i, w, g), nil
		}
	}
	twin := model.Observe(floor.Trace{Case: c, Answers: got})
	for _, f := range sameAnswers.Check(model.Observation{Base: model.Observe(floor.Trace{Case: c, Answers: want}), Twin: &twin}) {
		return f.String(), nil
	}
	return "", nil
}

// kindOf says what kind of answer it is.
func kindOf(a floor.Answer) string {
	switch {
	case a.Err != nil:
		return "the error " + string(a.Err.Code)
	case a.Broken != "":
		return string(a.Broken) + " (" + a.Detail + ")"
	case a.Decide != nil, a.Derive != nil, a.Certify != nil, a.Compact != nil, a.Reduce != nil, a.Recall != nil:
		return "a result"
	}
	return "nothing"
}
