package bench

import (
	"testing"

	"github.com/floorcheck/floorcheck/engine"
	"github.com/floorcheck/floorcheck/floor"
)

// BenchmarkDecision is the hot path, over a stream that cannot be foreseen.
// The loops stand in functions of their own, all of one shape: b.Loop would
// keep every value in them alive.
func BenchmarkDecision(b *testing.B) {
	d, s := engine.ForPolicy(floor.Guard), newStream()
	run := func(name string, loop func() uint64) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			timed(b, streamed, func() { sink += loop() })
		})
	}
	run("load", func() uint64 { return loads(s.certified) }) // the anchor
	run("alone", func() uint64 { return decisions(d, s.required, s.certified, s.flags) })
	run("reasons", func() uint64 { return verdicts(d, s.required, s.certified, s.flags) })
	refused := newStream().allRefused()
	run("refusals", func() uint64 { return verdicts(d, refused.required, refused.certified, refused.flags) })
	run("refusals-read", func() uint64 { return texts(d, refused.required, refused.certified, refused.flags) })
}

// loads is the anchor: a loop with one load.
//
//go:noinline
func loads(stream []uint64) (sum uint64) {
	for i := range stream {
		sum += stream[i]
	}
	return sum
}

//go:noinline
func decisions(d *engine.Decider, required, certified []uint64, flags []engine.Flags) (sum uint64) {
	certified, flags = certified[:len(required)], flags[:len(required)]
	for i := range required {
		sum += uint64(d.Decide(required[i], certified[i], flags[i]))
	}
	return sum
}

//go:noinline
func verdicts(d *engine.Decider, required, certified []uint64, flags []engine.Flags) (sum uint64) {
	certified, flags = certified[:len(required)], flags[:len(required)]
	for i := range required {
		v := d.Judge(required[i], certified[i], flags[i], uint32(i))
		sum += v.Missing + uint64(v.Generation) + uint64(v.Decision) + uint64(v.Flags)
	}
	return sum
}

// texts shows what it costs to read the text of every refusal.
//
//go:noinline
func texts(d *engine.Decider, required, certified []uint64, flags []engine.Flags) (sum uint64) {
	names := []floor.Class{
		floor.Identifier, floor.Quantity, floor.Negation, floor.Ordering, floor.Obligation, floor.Hypothesis, floor.Constraint,
	}
	certified, flags = certified[:len(required)], flags[:len(required)]
	for i := range required {
		sum += uint64(len(d.Judge(required[i], certified[i], flags[i], uint32(i)).Reason(names)))
	}
	return sum
}

// BenchmarkExhaustive decides all of seven classes: 2^7 sets required, 2^7
// certified, 2^5 flags.
func BenchmarkExhaustive(b *testing.B) {
	for _, p := range []floor.Policy{floor.Guard, floor.Joint} {
		b.Run(string(p), func(b *testing.B) {
			d := engine.ForPolicy(p)
			timed(b, 1<<19, func() { sink += everything(d) })
		})
	}
}

//go:noinline
func everything(d *engine.Decider) (sum uint64) {
	for required := range uint64(1 << 7) {
		for certified := range uint64(1 << 7) {
			for flags := range engine.Flags(1 << 5) {
				sum += uint64(d.Decide(required, certified, flags<<1))
			}
		}
	}
	return sum
}

// BenchmarkRequest is the door that the wire knocks at: names, no masks.
func BenchmarkRequest(b *testing.B) {
	for _, request := range []struct {
		name string
		in   *floor.DecideIn
	}{
		{"typical", typicalContract(floor.Quantity, floor.Identifier, floor.Ordering, floor.Negation)},
		{"refused", typicalContract(floor.Quantity, floor.Identifier)},
		{"wide", wideContract(100)},
	} {
		b.Run(request.name, func(b *testing.B) {
			timedEach(b, 100, func() { sink += uint64(len(engine.Decide(request.in, floor.Guard).Decision)) })
		})
	}
}

// BenchmarkBatch decides packed requests, beside copying the same bytes: in
// memory, where both wait for it, and in a cache, where copying moves 32 bytes
// an instruction and plain Go 8.
func BenchmarkBatch(b *testing.B) {
	for _, size := range []struct {
		name     string
		n, times int // bytes, and how often in one call
	}{{"memory", 64 << 20, 1}, {"cache", 64 << 10, 32}} {
		d := engine.ForPolicy(floor.Guard)
		var src []engine.Flags
		var dst []engine.Decision
		prepare := func() { // not for those that only list or select
			if src == nil {
				src, dst = packed(size.n), make([]engine.Decision, size.n)
				d.Batch(dst, src) // its pages are there from here on
			}
		}
		b.Run(size.name+"-copy", func(b *testing.B) {
			prepare()
			same := make([]engine.Flags, size.n)
			copy(same, src)
			timed(b, size.n*size.times, func() {
				for range size.times {
					copy(same, src)
				}
			})
		})
		b.Run(size.name, func(b *testing.B) {
			prepare()
			b.ReportAllocs()
			timed(b, size.n*size.times, func() {
				for range size.times {
					d.Batch(dst, src)
				}
			})
		})
	}
}
