package extract_test

import (
	"fmt"
	"runtime"
	"strings"
	"syscall"
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

func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano())
}

func TestSpeed(t *testing.T) {
	text := corpus()
	var out []extract.Token
	var x extract.Extractor
	runtime.GC()
	best := func(n int, f func()) float64 {
		b := 1e9
		for range 8 {
			s := cpu()
			for range n {
				f()
			}
			b = min(b, (cpu()-s).Seconds()/float64(n))
		}
		return float64(len(text)) / b / 1e6
	}
	fmt.Println("scanner MB/s", best(60, func() { out = x.AppendTokens(out[:0], text) }))
	fmt.Println("extract MB/s", best(30, func() { x.Extract(text) }))
	fmt.Println("plain MB/s", best(1, func() { plain.Tokens(text) }))
	var table [256]uint8
	for i := range table {
		table[i] = uint8(i) & 1
	}
	fmt.Println("loop MB/s", best(500, func() {
		var sum uint64
		for i := range len(text) {
			sum += uint64(table[text[i]])
		}
		sink += sum
	}))
}

var sink uint64
