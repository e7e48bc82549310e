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

// DecodeAny makes a case of any kind: the first byte picks it. The policy is
// given, as that of a subject is.
func DecodeAny(p floor.Policy, data []byte) floor.Case {
	data = data[:min(len(data), mostBytes)]
	kind := gen.KindDecide
	if len(data) > 0 {
		kind = gen.Kinds[int(data[0])%len(gen.Kinds)]
		data = data[1:]
	}
	return kind.Draw(gen.NewSource(gen.NewBytes(data)), gen.Full(p))
}

// Objections has every rule judge what a subject in process answers.
func Objections(s conform.Subject, c floor.Case) ([]string, error) {
	return conform.Objections(context.Background(), s, rules, c)
}
