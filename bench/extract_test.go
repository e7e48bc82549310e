package bench

import (
	"strings"
	"testing"

	"github.com/floorcheck/floorcheck/corpora"
	"github.com/floorcheck/floorcheck/engine/extract"
	"github.com/floorcheck/floorcheck/engine/extract/plain"
)

// BenchmarkExtract finds elements in this project's own transcripts: names and
// figures by the scanner and by its oracle, which gives the
// same tokens by regular expressions; then every class. Looking at each byte
// once is the anchor.
func BenchmarkExtract(b *testing.B) {
	var text strings.Builder
	for _, t := range corpora.Transcripts() {
		for _, m := range t.Messages {
			text.WriteString(m.Text)
			text.WriteByte('\n')
		}
	}
	all := text.String()
	var x extract.Extractor
	var found []extract.Token
	b.Run("bytes", func(b *testing.B) { benchmarkBytes(b, all) })
	b.Run("tokens", func(b *testing.B) {
		timedEach(b, 1, func() {
			found = x.AppendTokens(found[:0], all)
			sink += uint64(len(found))
		})
	})
	b.Run("oracle", func(b *testing.B) { timedEach(b, 1, func() { sink += uint64(len(plain.Tokens(all))) }) })
	b.Run("elements", func(b *testing.B) { timedEach(b, 1, func() { sink += uint64(len(x.Extract(all))) }) })
}
