package extract_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/corpora"
	"github.com/floorcheck/floorcheck/engine/extract"
	"github.com/floorcheck/floorcheck/engine/extract/plain"
)

// transcripts is what this project's transcripts say, in one text.
func transcripts() string {
	var b strings.Builder
	for _, tr := range corpora.Transcripts() {
		for _, m := range tr.Messages {
			b.WriteString(m.Text)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// per is how long f takes, in nanoseconds, at best of several times.
func per(times int, f func()) float64 {
	best := time.Duration(1 << 62)
	for range times {
		start := time.Now()
		f()
		best = min(best, time.Since(start))
	}
	return float64(best.Nanoseconds())
}

// BenchmarkTokens is the scanner, and how many times as fast as the oracle it
// is on the same text.
func BenchmarkTokens(b *testing.B) {
	text := transcripts()
	var x extract.Extractor
	var found []extract.Token
	scan := func() { found = x.AppendTokens(found[:0], text) }
	oracle := per(3, func() { plain.Tokens(text) })
	scanner := per(30, scan)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		scan()
	}
	b.ReportMetric(oracle/scanner, "x-oracle")
}

// BenchmarkOracle is the anchor.
func BenchmarkOracle(b *testing.B) {
	text := transcripts()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		plain.Tokens(text)
	}
}

// BenchmarkExtract is all classes.
func BenchmarkExtract(b *testing.B) {
	text := transcripts()
	var x extract.Extractor
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		x.Extract(text)
	}
}

// BenchmarkSizes is how much longer a byte takes in a line of a mebibyte than
// in one of 64 KiB. A loop in a loop would show as 16.
func BenchmarkSizes(b *testing.B) {
	const short, long = 64 << 10, 1 << 20
	for _, m := range monsters {
		b.Run(m.name, func(b *testing.B) {
			var x extract.Extractor
			small, large := m.text(short), m.text(long)
			one := per(5, func() { x.Extract(small) }) / float64(len(small))
			b.SetBytes(int64(len(large)))
			best := time.Duration(1 << 62)
			for b.Loop() {
				start := time.Now()
				x.Extract(large)
				best = min(best, time.Since(start))
			}
			b.ReportMetric(float64(best.Nanoseconds())/float64(len(large))/one, "x-short")
		})
	}
}

// A scanner that has room needs no more, whatever it reads.
func TestTokensNeedNoMemory(t *testing.T) {
	texts := append(hostile(300), transcripts())
	for _, m := range monsters {
		texts = append(texts, m.text(64<<10))
	}
	var x extract.Extractor
	var found []extract.Token
	read := func() {
		for _, text := range texts {
			found = x.AppendTokens(found[:0], text)
		}
	}
	read()
	require.Zero(t, testing.AllocsPerRun(1, read))
}

// All classes together need so much for an element and no more: its forms, its
// place, and what they are made of.
func TestElementsNeedLittleMemory(t *testing.T) {
	const most = 10 // allocations for an element
	text := transcripts()
	var x extract.Extractor
	elements := len(x.Extract(text))
	allocations := testing.AllocsPerRun(3, func() { x.Extract(text) })
	t.Logf("%.1f allocations for an element", allocations/float64(elements))
	require.LessOrEqual(t, allocations, float64(most*elements))
}
