package conform

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

// The size of a conversation counts what somebody who reads it has to read.
func TestSizeOfConversations(t *testing.T) {
	call := func(args string) floor.Case {
		c := talk("a")
		c.Steps[0].Reduce.Messages[0].Calls = []floor.Call{{ID: "c1", Name: "read the file", Args: []byte(args)}}
		return c
	}
	decoyed := planted(talk("one two"), "one")
	decoyed.Planted.Decoys = []floor.Element{{ID: "d1", Forms: []string{"three"}}}
	bare := talk("one two")
	bare.Planted = nil
	raw := floor.Case{Policy: floor.Guard, Steps: []floor.Request{{Op: floor.OpReduce, Raw: []byte(`{"messages":[1,2],"target_tokens":0}`)}}}
	empty := floor.Case{Policy: floor.Guard, Steps: []floor.Request{{Op: floor.OpReduce, Reduce: &floor.ReduceIn{TargetTokens: 1 << 40}}}}
	tests := []struct {
		name string
		c    floor.Case
		want int
	}{
		{"no message at all, whatever the target", empty, 0},
		{"one for a message, one for each word", talk("one two three"), 4},
		{"a message without a word", talk(""), 1},
		{"white space is no word", talk(" one  \n\t two "), 3},
		{"each message", talk("one|two|three four"), 7},
		{"one for each generation after the first", talk("one", "two", "three"), 2 + 3 + 3},
		{"nothing planted is nothing", bare, 3},
		{"a plant", planted(talk("one two"), "one"), 4},
		{"two plants", planted(talk("one two"), "one", "two"), 5},
		{"a decoy", decoyed, 5},
		{"the perfect summarizer", played(talk("one two"), ""), 3},
		{"another one", played(talk("one two"), "drop-one"), 4},
		{"a call, and the words of its arguments", call(`{}`), 2 + 1 + 1},
		{"longer arguments", call(`{"path":"docs/a.txt","note":"read all of it"}`), 2 + 1 + 4},
		{"a bad request by its items", raw, 2 + 1 + 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, Size(tt.c))
		})
	}
}

// The size of a request about texts counts spans, words, elements, and what is
// not plain about them.
func TestSizeOfTexts(t *testing.T) {
	yes := true
	x := floor.Element{ID: "x1", Class: "c", Forms: []string{"a b"}}
	certify := func(edit func(in *floor.CertifyIn)) floor.Case {
		in := &floor.CertifyIn{Source: []floor.Span{{ID: "s1", Kind: floor.KindMessage, Elements: []floor.Element{}}}}
		edit(in)
		return floor.Case{Steps: []floor.Request{{Op: floor.OpCertify, Certify: in}}}
	}
	compact := func(edit func(in *floor.CompactIn)) floor.Case {
		in := &floor.CompactIn{Spans: []floor.Span{{ID: "s1", Kind: floor.KindMessage, Elements: []floor.Element{}}}}
		edit(in)
		return floor.Case{Steps: []floor.Request{{Op: floor.OpCompact, Compact: in}}}
	}
	tests := []struct {
		name string
		c    floor.Case
		want int
	}{
		{"a span", certify(func(*floor.CertifyIn) {}), 1},
		{"its words", certify(func(in *floor.CertifyIn) { in.Source[0].Text = " one\ttwo " }), 3},
		{"its elements are unknown", certify(func(in *floor.CertifyIn) { in.Source[0].Elements = nil }), 2},
		{"an element, and its forms", certify(func(in *floor.CertifyIn) { in.Source[0].Elements = []floor.Element{x} }), 3},
		{"what is delivered", certify(func(in *floor.CertifyIn) { in.Output = floor.Delivery{Text: "one", Pins: []string{"two", ""}} }), 1 + 1 + 2 + 1},
		{"a status", certify(func(in *floor.CertifyIn) { in.Output.Status = floor.StatusPartial }), 2},
		{"classes, floors and decoys", certify(func(in *floor.CertifyIn) {
			in.Required, in.FloorsPermille, in.Decoys = []floor.Class{"c"}, map[floor.Class]int64{"c": 1}, []floor.Element{x}
		}), 1 + 1 + 1 + 2},
		{"a span to compact", compact(func(*floor.CompactIn) {}), 1},
		{"a summary of it", compact(func(in *floor.CompactIn) {
			in.Summaries = []floor.Summary{{ID: "m1", Of: []string{"s1"}, Text: "one", Tokens: 1}}
		}), 1 + 1 + 1 + 1 + 1},
		{"tokens, a budget, a condition", compact(func(in *floor.CompactIn) {
			in.Spans[0].Tokens, in.BudgetTokens, in.ConsumerStrict = 1, 1, true
		}), 1 + 3},
		{"a summary span with all that can be wrong", compact(func(in *floor.CompactIn) {
			s := &in.Spans[0]
			lost := x
			lost.Lost, lost.Match = &yes, floor.Exact
			s.Kind, s.Elements = floor.KindSummary, []floor.Element{lost}
			s.Lineage = &floor.Lineage{Generation: 2, Decision: floor.Provisional, Effective: []floor.Fidelity{{Class: "c", Total: 1}}}
		}), 1 + 1 + 4 + 1 + 1 + 3},
		{"riders", compact(func(in *floor.CompactIn) { in.Riders = &floor.Riders{SourceTokens: new(int64)} }), 1 + 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, Size(tt.c)) })
	}
}
