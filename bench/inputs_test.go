package bench

import (
	"math/rand/v2"

	"github.com/floorcheck/floorcheck/engine"
)

// cases is how many entries the inputs of the decision benchmarks have: too
// many random ones for a branch predictor to learn by heart.
const cases = 1 << 16

// A stream is random decisions, column by column.
type stream struct {
	required, certified []uint64
	flags               []engine.Flags
}

func newStream(n int) *stream {
	rng := rand.New(rand.NewPCG(1, 2))
	s := &stream{make([]uint64, n), make([]uint64, n), make([]engine.Flags, n)}
	for i := range n {
		s.required[i], s.certified[i], s.flags[i] = masks(rng)
	}
	return s
}

// masks draws one decision: half of the contracts hold, so that every answer
// is common.
func masks(rng *rand.Rand) (required, certified uint64, f engine.Flags) {
	required = rng.Uint64() & rng.Uint64() & 0x7f
	certified = rng.Uint64()
	if rng.IntN(2) == 0 {
		certified |= required
	}
	return required, certified, engine.Flags(rng.IntN(32))
}
