package fuzz

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/floorcheck/floorcheck/engine/extract"
	"github.com/floorcheck/floorcheck/engine/extract/plain"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

// FuzzExtract looks for a text in which the scanner finds other names and
// figures than its slow oracle, or of which something is extracted that is not
// what it is said to be: an id twice, a span outside the text, an element that
// the text itself does not keep.
func FuzzExtract(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		text = text[:min(len(text), mostBytes)]
		var x extract.Extractor
		tokens := x.AppendTokens(nil, text)
		if want := plain.Tokens(text); !slices.Equal(tokens, want) {
			t.Fatalf("the scanner finds %v, the oracle %v in %+q", tokens, want, text)
		}
		if !utf8.ValidString(text) {
			text = strings.ToValidUTF8(text, "\uFFFD") // the rules are about Unicode
		}
		found := x.Extract(text)
		again := extract.Extract(text)
		if len(again) != len(found) {
			t.Fatalf("%d elements, and %d the second time, of %+q", len(found), len(again), text)
		}
		delivered := model.Deliver([]string{text})
		ids := map[string]bool{}
		for i := range found {
			e := &found[i]
			if ids[e.ID] {
				t.Fatalf("%s is there twice in %+q", e.ID, text)
			}
			ids[e.ID] = true
			if len(e.Forms) == 0 || len(e.Spans) == 0 {
				t.Fatalf("%s has no form or no span in %+q", e.ID, text)
			}
			for k, s := range e.Spans {
				if s.Start < 0 || s.Start >= s.End || s.End > len(text) || !utf8.ValidString(text[s.Start:s.End]) {
					t.Fatalf("%s is said from %d to %d of %+q", e.ID, s.Start, s.End, text)
				}
				if k > 0 && s.Start < e.Spans[k-1].Start {
					t.Fatalf("%s is not said from first to last: %v in %+q", e.ID, e.Spans, text)
				}
			}
			if now := delivered.Retention(e.Element); now != model.Retained && now != model.Contradictory {
				t.Fatalf("%s is %s in its own text: forms %+q, inverted %+q, %s, in %+q", e.ID, now, e.Forms, e.Inverted, e.Match, text)
			}
			other := again[i].Element
			other.ID = e.ID
			if !sameElement(other, e.Element) || !slices.Equal(again[i].Spans, e.Spans) {
				t.Fatalf("%v, and %v the second time, of %+q", e, again[i], text)
			}
		}
	})
}

func sameElement(a, b floor.Element) bool {
	return a.Class == b.Class && a.Match == b.Match && slices.Equal(a.Forms, b.Forms) && slices.Equal(a.Inverted, b.Inverted)
}
