package bench

import (
	"testing"

	"github.com/floorcheck/floorcheck/engine"
	"github.com/floorcheck/floorcheck/floor"
)

// BenchmarkDecision is the hot path, over a stream that cannot be foreseen.
// The loops stand in functions of their own, all of one shape: b.Loop would
// keep every value in them alive.
//
// How the linker lays a loop of a dozen instructions over the cache lines of
// the code makes it 2.1 or 3.0 cycles a round. That is chance, and any edit
// anywhere changes it; so these loops stand here twice, half a line apart, and
// the better place counts. The anchor takes a cycle wherever it stands.
func BenchmarkDecision(b *testing.B) {
	type loop func(*engine.Decider, []uint64, []uint64, []engine.Flags) uint64
	d := engine.ForPolicy(floor.Guard)
	run := func(name string, s stream, loops ...loop) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var copies []func()
			for _, f := range loops {
				copies = append(copies, func() { sink += f(d, s.required, s.certified, s.flags) })
			}
			timed(b, streamed, copies...)
		})
	}
	s, refused := newStream(), newStream().allRefused()
	run("load", s, loads) // the anchor
	run("alone", s, decisions, decisionsElsewhere)
	run("reasons", s, verdicts, verdictsElsewhere)
	run("refusals", refused, verdicts, verdictsElsewhere)
	run("refusals-read", refused, texts)
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

// loads is the anchor: a loop with one load. It stands between the copies to
// keep them half a line apart.
//
//go:noinline
func loads(_ *engine.Decider, stream, _ []uint64, _ []engine.Flags) (sum uint64) {
	for i := range stream {
		sum += stream[i]
	}
	return sum
}

//go:noinline
func decisionsElsewhere(d *engine.Decider, required, certified []uint64, flags []engine.Flags) (sum uint64) {
	certified, flags = certified[:len(required)], flags[:len(required)]
	for i := range required {
		sum += uint64(d.Decide(required[i], certified[i], flags[i]))
	}
	return sum
}

//go:noinline
func verdictsElsewhere(d *engine.Decider, required, certified []uint64, flags []engine.Flags) (sum uint64) {
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
