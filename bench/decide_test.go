package bench

import (
	"testing"

	"github.com/floorcheck/floorcheck/engine"
	"github.com/floorcheck/floorcheck/floor"
)

var sink uint64

func BenchmarkAnchorLoad(b *testing.B) {
	in := newStream(cases).flags
	sum := uint64(0)
	b.ResetTimer()
	for b.Loop() {
		for i := range in {
			sum += uint64(in[i])
		}
	}
	sink = sum
	perCase(b, len(in))
}
func BenchmarkAnchorLoad64(b *testing.B) {
	in := newStream(cases).required
	sum := uint64(0)
	b.ResetTimer()
	for b.Loop() {
		for i := range in {
			sum += uint64(in[i])
		}
	}
	sink = sum
	perCase(b, len(in))
}
func BenchmarkAnchorTable(b *testing.B) {
	in := newStream(cases).flags
	var table [64]uint8
	for i := range table { table[i] = uint8(i*7) }
	sum := uint64(0)
	b.ResetTimer()
	for b.Loop() {
		for i := range in {
			sum += uint64(table[in[i]&63])
		}
	}
	sink = sum
	perCase(b, len(in))
}

func BenchmarkDecision(b *testing.B) {
	s, d := newStream(cases), engine.ForPolicy(floor.Guard)
	required, certified, flags := s.required, s.certified[:len(s.required)], s.flags[:len(s.required)]
	sum := uint64(0)
	b.ResetTimer()
	for b.Loop() {
		for i := range required {
			sum += uint64(d.Decide(required[i], certified[i], flags[i]))
		}
	}
	sink = sum
	perCase(b, len(required))
}

func BenchmarkDecisionWithReasons(b *testing.B) {
	s, d := newStream(cases), engine.ForPolicy(floor.Guard)
	required, certified, flags := s.required, s.certified[:len(s.required)], s.flags[:len(s.required)]
	sum := uint64(0)
	b.ResetTimer()
	for b.Loop() {
		for i := range required {
			v := d.Judge(required[i], certified[i], flags[i], uint32(i))
			sum += uint64(v.Decision) + v.Missing + uint64(v.Generation)
			if v.Ancestry { sum++ }
		}
	}
	sink = sum
	perCase(b, len(required))
}

func perCase(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/case")
}
