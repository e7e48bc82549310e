package bench

import (
	"fmt"
	"math/rand/v2"

	"github.com/floorcheck/floorcheck/engine"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/props/gen"
)

// streamed is how many decisions a stream holds: too many random ones for a
// branch predictor to learn by heart.
const streamed = 1 << 16

// A stream is decisions in columns.
type stream struct {
	required, certified []uint64
	flags               []engine.Flags
}

// newStream draws requests over seven classes of which half have a gap, with
// any conditions: every answer is common, and none can be foreseen.
func newStream() stream {
	rng := rand.New(rand.NewPCG(1, 2))
	s := stream{make([]uint64, streamed), make([]uint64, streamed), make([]engine.Flags, streamed)}
	for i := range streamed {
		s.required[i] = rng.Uint64() & 0x7f
		s.certified[i] = rng.Uint64()
		if rng.IntN(2) == 0 {
			s.certified[i] |= s.required[i]
		}
		s.flags[i] = engine.Flags(rng.IntN(32) << 1)
	}
	return s
}

// allRefused makes every request of a stream one that is refused.
func (s stream) allRefused() stream {
	for i := range s.flags {
		s.required[i] |= 1
		s.certified[i] &^= 1
		s.flags[i] |= engine.Unrecoverable | engine.Strict
	}
	return s
}

// packed is n random bytes, as a batch takes them.
func packed(n int) []engine.Flags {
	rng := rand.New(rand.NewPCG(3, 4))
	out := make([]engine.Flags, n)
	for i := range out {
		out[i] = engine.Flags(rng.IntN(64))
	}
	return out
}

// newLine is a history of n events that loses one class in the middle, so that
// half of it is certified and half provisional, and certifies ever less.
func newLine(n int) engine.Line {
	rng := rand.New(rand.NewPCG(5, 6))
	line := engine.Line{Required: make([]uint64, n), Certified: make([]uint64, n), Flags: make([]engine.Flags, n)}
	for i := range n {
		line.Required[i] = rng.Uint64() & 0x7f
		line.Certified[i] = ^(rng.Uint64() & rng.Uint64() & rng.Uint64() &^ 0x7f)
		line.Flags[i] = engine.Flags(rng.IntN(32)<<1) &^ engine.Unrecoverable
	}
	line.Required[n/2], line.Certified[n/2] = 0x7f, ^uint64(1)
	return line
}

// typicalContract requires three classes of which one may be missing.
func typicalContract(certified ...floor.Class) *floor.DecideIn {
	in := &floor.DecideIn{Conditions: floor.Conditions{ConsumerStrict: true, ChainingRisk: true}}
	in.Contract = floor.Contract{
		Required:          []floor.Class{floor.Negation, floor.Quantity, floor.Identifier},
		Certified:         certified,
		Generation:        2,
		AncestryCertified: true,
	}
	return in
}

// wideContract requires more classes than a word has bits, all certified in
// another order.
func wideContract(n int) *floor.DecideIn {
	in := typicalContract()
	in.Contract.Required = make([]floor.Class, n)
	in.Contract.Certified = make([]floor.Class, n)
	for i := range n {
		class := floor.Class(fmt.Sprintf("class-%03d", i))
		in.Contract.Required[i], in.Contract.Certified[n-1-i] = class, class
	}
	return in
}

// history is n events in a row, three classes each, a little lost each time.
func history(n int) *floor.DeriveIn {
	in := &floor.DeriveIn{Originals: []string{"o"}}
	input := "o"
	for i := range n {
		id := fmt.Sprintf("e%d", i)
		in.Events = append(in.Events, floor.Event{
			ID:       id,
			Inputs:   []string{input},
			Required: []floor.Class{floor.Quantity, floor.Negation},
			Certificate: []floor.Fidelity{
				{Class: floor.Quantity, Retained: int64(100 - i), Total: 100},
				{Class: floor.Negation, Retained: 7, Total: 7},
				{Class: floor.Ordering, Retained: 1, Total: 2},
			},
			FloorsPermille: map[floor.Class]int64{floor.Quantity: 850},
			Conditions:     floor.Conditions{SourceRecoverable: true, ChainingRisk: true},
		})
		input = id
	}
	return in
}

// generated are n cases of a kind, as a check draws them.
func generated(kind gen.Kind, n int) []floor.Case {
	out := make([]floor.Case, n)
	d := gen.NewSeeded(7, 1)
	s := gen.NewSource(d)
	for i := range out {
		d.Seek(7, 1, uint64(i))
		s.Reset()
		out[i] = kind.Draw(s, gen.Full(floor.Guard))
	}
	return out
}
