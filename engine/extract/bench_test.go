package extract_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/floorcheck/floorcheck/corpora"
	"github.com/floorcheck/floorcheck/engine/extract"
	"github.com/floorcheck/floorcheck/engine/extract/plain"
)

func corpus() string {
	var b strings.Builder
	for _, tr := range corpora.Transcripts() {
		for _, m := range tr.Messages {
			b.WriteString(m.Text)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func BenchmarkTok(b *testing.B) {
	text := corpus()
	b.SetBytes(int64(len(text)))
	var out []extract.Token
	var x extract.Extractor
	for b.Loop() {
		out = x.AppendTokens(out[:0], text)
	}
}

func BenchmarkPlain(b *testing.B) {
	text := corpus()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		plain.Tokens(text)
	}
}

func TestSpeed(t *testing.T) {
	text := corpus()
	var out []extract.Token
	var x extract.Extractor
	var table [256]uint8
	for i := range table {
		table[i] = uint8(i) & 1
	}
	loop := func() {
		var sum uint64
		for i := range len(text) {
			sum += uint64(table[text[i]])
		}
		sink += sum
	}
	measure := func(f func()) float64 {
		s := time.Now()
		f()
		return time.Since(s).Seconds()
	}
	a, b, c := 1e9, 1e9, 1e9
	for range 1500 {
		a = min(a, measure(loop))
		b = min(b, measure(func() { out = x.AppendTokens(out[:0], text) }))
		c = min(c, measure(func() { x.Extract(text) }))
	}
	mb := float64(len(text)) / 1e6
	fmt.Printf("loop %.0f MB/s, tokens %.1f MB/s (%.1f x), extract %.1f MB/s\n", mb/a, mb/b, b/a, mb/c)
}

var sink uint64
