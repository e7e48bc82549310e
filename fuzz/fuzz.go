// Package fuzz holds the native fuzz targets, one a file, with their seed
// corpora under testdata. Each decodes its bytes itself: rapid's MakeFuzz found
// a fifth of what our own decoder finds.
package fuzz

import (
	"context"

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
