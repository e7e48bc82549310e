// Package reference makes the engine one more subject, put under test through
// the same door as a foreign one.
package reference

import (
	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/engine"
	"github.com/floorcheck/floorcheck/floor"
)

// New gives the reference engine under a policy.
func New(p floor.Policy) conform.Subject {
	return conform.InProcess(conform.Hello{
		Name:     "reference",
		Version:  conform.Version,
		Language: "go",
		Policy:   p,
		MaxBatch: 100,
	}, conform.Funcs{
		Decide:  func(in *floor.DecideIn) (floor.DecideOut, error) { return engine.Decide(in, p), nil },
		Derive:  func(in *floor.DeriveIn) (floor.DeriveOut, error) { return engine.Derive(in, p) },
		Certify: engine.Certify,
		Compact: func(in *floor.CompactIn) (floor.CompactOut, error) { return engine.CompactSpans(in, p) },
	})
}
