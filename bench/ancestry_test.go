package bench

import (
	"testing"

	"github.com/floorcheck/floorcheck/engine"
	"github.com/floorcheck/floorcheck/floor"
)

var lengths = []struct {
	name     string
	n, times int // events, and how often a line is folded in one call
}{{"1e3", 1e3, 50}, {"1e6", 1e6, 1}}

// BenchmarkFold decides a whole line, beside the prefix minimum over as many
// numbers.
func BenchmarkFold(b *testing.B) {
	for _, length := range lengths {
		// Half a page apart from its input, or stores would be taken for the
		// loads that follow, in the anchor above all.
		line, out := newLine(length.n), make([]uint64, length.n+256)[256:]
		d := engine.ForPolicy(floor.Guard)
		if f := d.FoldLine(out, line); len(f.Certified) != length.n || f.Clean != length.n/2 {
			b.Fatalf("the line is not what it should be: %d, %d", len(f.Certified), f.Clean)
		}
		b.Run(length.name+"-minimum", func(b *testing.B) {
			timed(b, length.n*length.times, func() {
				for range length.times {
					prefixMinimum(out, line.Certified)
				}
			})
		})
		b.Run(length.name, func(b *testing.B) {
			b.ReportAllocs()
			timed(b, length.n*length.times, func() {
				for range length.times {
					sink += uint64(d.FoldLine(out, line).Clean)
				}
			})
		})
	}
}

// prefixMinimum is the anchor.
//
//go:noinline
func prefixMinimum(out, in []uint64) {
	out = out[:len(in)]
	least := ^uint64(0)
	for i := range in {
		least = min(least, in[i])
		out[i] = least
	}
}

// BenchmarkAppend adds one event after so many.
func BenchmarkAppend(b *testing.B) {
	for _, length := range lengths {
		chain := engine.NewChain(floor.Guard)
		line := newLine(length.n)
		for i := range length.n {
			var err error
			step := engine.Step{Required: line.Required[i], Certified: line.Certified[i], Flags: line.Flags[i]}
			if i == 0 {
				_, err = chain.Append(step)
			} else {
				_, err = chain.Append(step, i-1)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
		step := engine.Step{Required: 1, Certified: 3}
		b.Run(length.name, func(b *testing.B) {
			timedEach(b, 1000, func() {
				c := *chain // so that the chain stays as long as it is
				link, err := c.Append(step, length.n-1)
				if err != nil {
					b.Fatal(err)
				}
				sink += link.Certified
			})
		})
	}
}

// BenchmarkDerive answers a request of twenty events, fractions and all.
func BenchmarkDerive(b *testing.B) {
	in := history(20)
	timedEach(b, 10, func() {
		out, err := engine.Derive(in, floor.Guard)
		if err != nil {
			b.Fatal(err)
		}
		sink += uint64(len(out.Events))
	})
}
