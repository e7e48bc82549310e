package bench

import (
	"fmt"
	"strings"
	"testing"

	"github.com/floorcheck/floorcheck/engine"
	"github.com/floorcheck/floorcheck/floor"
)

// newPlan asks to compact spans of a hundred bytes, one element in each, under
// one summary for every eight of them. A quarter of the elements is not kept, so
// that those spans stay, and the budget is what the cheapest sound plan costs.
func newPlan(spans int) *floor.CompactIn {
	in := &floor.CompactIn{
		Required: []floor.Class{floor.Identifier}, Known: []floor.Class{floor.Identifier},
		Conditions: floor.Conditions{ConsumerStrict: true, ChainingRisk: true},
	}
	for i := range spans {
		name := fmt.Sprintf("invoice-%d", 100_000+i)
		in.Spans = append(in.Spans, floor.Span{
			ID: fmt.Sprint("s", i), Kind: floor.KindMessage, Role: floor.User, Tokens: 25,
			Text:     "The " + name + " was archived, and Asha said that the ledger may publish the index of the replica again.",
			Elements: []floor.Element{{ID: fmt.Sprint("x", i), Class: floor.Identifier, Forms: []string{name}, Match: floor.Exact}},
		})
		if i%8 == 0 {
			in.Summaries = append(in.Summaries, floor.Summary{ID: fmt.Sprint("m", i/8), Tokens: 20, Text: "Archived:"})
		}
		m := &in.Summaries[len(in.Summaries)-1]
		m.Of = append(m.Of, in.Spans[i].ID)
		if i%4 != 3 {
			m.Text += " " + name
			continue
		}
		in.BudgetTokens += 25
	}
	in.BudgetTokens += 20 * int64(len(in.Summaries))
	return in
}

// BenchmarkPlan decides what goes, a span at a time, so that the ratio of two
// sizes says how the cost grows; beside looking at each byte of the texts once.
func BenchmarkPlan(b *testing.B) {
	for _, size := range []struct {
		name  string
		spans int
	}{{"1e1", 10}, {"1e3", 1000}, {"1e5", 100_000}} {
		var in *floor.CompactIn
		b.Run(size.name, func(b *testing.B) {
			if in == nil {
				in = newPlan(size.spans)
			}
			b.ReportAllocs()
			timed(b, size.spans, func() {
				out, err := engine.CompactSpans(in, floor.Guard)
				if err != nil || out.Decision != floor.Certified {
					b.Fatal(out.Decision, err)
				}
				sink += uint64(len(out.Evicted))
			})
		})
	}
	b.Run("1e3-bytes", func(b *testing.B) {
		var all strings.Builder
		in := newPlan(1000)
		for i := range in.Spans {
			all.WriteString(in.Spans[i].Text)
		}
		for i := range in.Summaries {
			all.WriteString(in.Summaries[i].Text)
		}
		text := all.String()
		var table [256]uint8
		timed(b, len(in.Spans), func() { sink += byteLoop(text, &table) })
	})
}
