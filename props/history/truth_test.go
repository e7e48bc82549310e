package history

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
	"github.com/floorcheck/floorcheck/props/gen"
)

// On plain texts what is found by hand is what the model finds.
func TestByHandIsByTheModel(t *testing.T) {
	d := gen.NewSeeded(seed, 1)
	s := gen.NewSource(d)
	seen := map[[2]bool]int{}
	for i := range 30_000 {
		d.Seek(seed, 1, uint64(i))
		s.Reset()
		tongue := tongue{s: s, words: narrowWords, gaps: []string{" ", "\n ", "\t"}, ends: []string{". ", " ", ", ", "... ", "-", "", "."}, find: byHand}
		var e floor.Element
		tongue.element(&e)
		var parts []string
		s.Repeat(0, 3, 6, "another part", func(int) bool {
			var text strings.Builder
			s.Repeat(0, 5, 7, "another word", func(int) bool {
				switch s.Choose(3, "what") {
				case 0:
					tongue.put(&text, tongue.word(), e.Match)
				case 1:
					tongue.say(&text, &e, fate(s.Choose(5, "fate")))
				case 2:
					tongue.put(&text, "not", e.Match)
				}
				return true
			})
			parts = append(parts, text.String())
			return true
		})
		form, inverted := byHand(e, parts)
		byForm, byInverted := byModel(e, parts)
		require.Equal(t, [2]bool{byForm, byInverted}, [2]bool{form, inverted}, "%+q in %+q", e, parts)
		seen[[2]bool{form, inverted}]++
	}
	for form := range 2 {
		for inverted := range 2 {
			require.Greater(t, seen[[2]bool{form == 1, inverted == 1}], 1000)
		}
	}
}

// What is a hole, by hand: three elements of two originals, one of which was
// replaced.
func TestHoles(t *testing.T) {
	const class = floor.Negation
	element := func(id, form string) floor.Element {
		return floor.Element{ID: id, Class: class, Forms: []string{form}, Inverted: []string{"not " + form}}
	}
	all := []floor.Element{element("x1", "abc"), element("x2", "def"), element("x3", "ghi")}
	tests := []struct {
		name      string
		told      []floor.Element // by the request, at its end
		toldOnce  bool            // and before
		floors    map[floor.Class]int64
		certified []floor.Class
		summary   string // of the first original, which holds abc and def
		kept      string // the second, which holds ghi
		want      []string
	}{
		{"all is there", all, true, nil, []floor.Class{class}, "abc def", "ghi", nil},
		{"nothing is certified", all, true, nil, nil, "", "", nil},
		{"another class is certified", all, true, nil, []floor.Class{"tone"}, "", "ghi", nil},
		{"one is lost", all, true, nil, []floor.Class{class}, "abc", "ghi", []string{"x2 lost"}},
		{"at its floor", all, true, map[floor.Class]int64{class: 666}, []floor.Class{class}, "abc", "ghi", nil},
		{"just below it", all, true, map[floor.Class]int64{class: 667}, []floor.Class{class}, "abc", "ghi", []string{"x2 lost"}},
		{"inverted in its summary", all, true, nil, []floor.Class{class}, "not abc def", "ghi", []string{"x1 inverted"}},
		{"inverted by another part", all, true, nil, []floor.Class{class}, "abc def", "ghi not abc", []string{"x1 contradictory"}},
		{"no floor, and inverted all the same", all, true, map[floor.Class]int64{class: 0}, []floor.Class{class}, "not abc", "ghi", []string{"x1 inverted"}},
		{"a kept one is inverted", all, true, nil, []floor.Class{class}, "abc def not ghi", "ghi", []string{"x3 contradictory"}},
		{"nobody was ever told of a kept one", all[:2], false, nil, []floor.Class{class}, "abc def not ghi", "ghi", nil},
		{"nobody was ever told of a replaced one", all[2:], false, nil, []floor.Class{class}, "abc not abc", "ghi", []string{"x1 contradictory", "x2 lost"}},
		{"a replaced one is told of no more", all[2:], true, nil, []floor.Class{class}, "abc not abc", "ghi", []string{"x2 lost"}},
		{"a kept one that its own text never said", all, true, nil, []floor.Class{class}, "abc def", "nothing", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := &History{Originals: []*Original{
				{ID: "o1", Entries: []*Entry{{Element: all[0], Said: true, told: tt.toldOnce}, {Element: all[1], Said: true, told: tt.toldOnce}}},
				{ID: "o2", Entries: []*Entry{{Element: all[2], Said: tt.kept != "nothing", told: tt.toldOnce}}},
			}}
			in := &floor.CompactIn{
				Required: []floor.Class{class}, FloorsPermille: tt.floors,
				Spans: []floor.Span{{ID: "o1"}, {ID: "o2", Elements: tt.told}},
			}
			out := &floor.CompactOut{
				Decision: floor.Certified, Contract: &floor.Contract{Certified: tt.certified},
				Output: []floor.Part{
					{Kind: floor.PartSummary, Summary: "m1", Text: tt.summary}, {Kind: floor.PartSpan, Span: "o2", Text: tt.kept},
				},
			}
			var got []string
			for _, hole := range h.holes(in, out, byHand) {
				got = append(got, hole.Element+" "+hole.Is)
			}
			require.Equal(t, tt.want, got)
			out.Decision = floor.Refuse
			require.Empty(t, h.holes(in, out, byHand), "a refusal delivers nothing")
		})
	}
}

// A word of a wide tongue stands in no other, whatever is around it.
func TestWideWordsAreApart(t *testing.T) {
	seen := map[string]bool{}
	for _, word := range wideWords {
		require.False(t, seen[word], word)
		seen[word] = true
		require.Len(t, word, 5)
		require.Equal(t, model.Lost, model.Retain(floor.Element{Forms: []string{word}}, []string{word + "s", "x" + word}))
	}
}
