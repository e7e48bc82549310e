package fuzz

import (
	"testing"

	"github.com/floorcheck/floorcheck/props/gen"
)

// FuzzDerive looks for a history, well-formed or not, on which a rule objects
// to the engine.
func FuzzDerive(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) { holds(t, data, gen.KindDerive, gen.KindBadDerive) })
}
