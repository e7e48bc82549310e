package fuzz

import (
	"testing"

	"github.com/floorcheck/floorcheck/engine"
	"github.com/floorcheck/floorcheck/props/gen"
	"github.com/floorcheck/floorcheck/props/history"
)

// FuzzCompact looks for a compact request, well-formed or not, to which the
// engine gives another answer than the model, or panics; and for a history of
// compactions in which what is certified is not there. The first two bits of the
// third byte say which.
func FuzzCompact(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 2 && data[2]>>6 == 3 {
			data = data[:min(len(data), mostBytes)]
			h := history.Play(gen.NewSource(gen.NewBytes(data[3:])), engine.CompactSpans)
			if h.Err != nil || len(h.Holes()) > 0 {
				t.Fatalf("what is certified is not there:\n%s", h)
			}
			return
		}
		agrees(t, data, gen.KindCompact, gen.KindBadCompact)
	})
}
