package fuzz

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

// FuzzRetained looks for an element and a text on which the model differs from
// an oracle that goes rune by rune, or from itself when it is asked again.
func FuzzRetained(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		e, parts := decodeElement(data)
		want := oracle(e, parts)
		if got := model.Retain(e, parts); got != want {
			t.Fatalf("%s for the model, %s for the oracle: %s in %+q", got, want, spelledElements([]floor.Element{e}), parts)
		}
		d := model.Deliver(parts)
		turned := floor.Element{Forms: e.Inverted, Inverted: e.Forms, Match: e.Match}
		for range 2 {
			if got := d.Retention(turned); got != oracle(turned, parts) {
				t.Fatalf("turned round %s for the model: %s in %+q", got, spelledElements([]floor.Element{turned}), parts)
			}
			if got := d.Retention(e); got != want {
				t.Fatalf("%s the second time, %s the first: %s in %+q", got, want, spelledElements([]floor.Element{e}), parts)
			}
		}
	})
}

// decodeElement reads bytes as a match, forms, inverted forms and parts: lists
// end with a record separator, what is in them with a unit separator.
func decodeElement(data []byte) (e floor.Element, parts []string) {
	data = data[:min(len(data), mostBytes)]
	if len(data) > 0 {
		e.Match = []floor.Match{"", floor.Exact, floor.Folded}[int(data[0])%3]
		data = data[1:]
	}
	fold := cases.Fold()
	judged := func(r rune) rune { // where folding and lower-casing agree: the oracle lower-cases
		if fold.String(string(r)) != string(unicode.ToLower(r)) {
			return -1
		}
		return r
	}
	lists := strings.SplitN(strings.Map(judged, strings.ToValidUTF8(string(data), "\uFFFD")), "\x1e", 3)
	for i, list := range []*[]string{&e.Forms, &e.Inverted, &parts} {
		if i < len(lists) {
			*list = strings.Split(lists[i], "\x1f")
		}
	}
	const most = 8 // phrases: the oracle is slow
	e.Forms, e.Inverted = e.Forms[:min(len(e.Forms), most)], e.Inverted[:min(len(e.Inverted), most)]
	return e, parts
}

// oracle is RULES 2a once more, as slow as it is said.
func oracle(e floor.Element, parts []string) model.Retention {
	form, inverted := false, false
	for _, part := range parts {
		text := oracleFold(part, e.Match)
		forms, opposites := spans(text, e.Forms, e.Match), spans(text, e.Inverted, e.Match)
		form = form || slices.ContainsFunc(forms, outside(opposites))
		inverted = inverted || slices.ContainsFunc(opposites, outside(forms))
	}
	switch {
	case form && inverted:
		return model.Contradictory
	case form:
		return model.Retained
	case inverted:
		return model.Inverted
	}
	return model.Lost
}

// outside holds for what lies inside none of these.
func outside(others [][2]int) func([2]int) bool {
	return func(s [2]int) bool {
		return !slices.ContainsFunc(others, func(o [2]int) bool { return o[0] <= s[0] && s[1] <= o[1] })
	}
}

// spans are the occurrences of phrases, as places between runes.
func spans(text []rune, phrases []string, m floor.Match) (found [][2]int) {
	runs := runsOf(text)
	parted := func(place int) bool {
		if place == 0 || place == len(text) {
			return true
		}
		glued := inWord(text[place-1]) && inWord(text[place])
		return !glued && (m != floor.Exact || runs[place-1] == 0 || runs[place-1] != runs[place])
	}
	for _, p := range phrases {
		phrase := oracleFold(p, m)
		for from := 0; len(phrase) > 0 && from+len(phrase) <= len(text); from++ {
			to := from + len(phrase)
			if slices.Equal(text[from:to], phrase) && parted(from) && parted(to) {
				found = append(found, [2]int{from, to})
			}
		}
	}
	return found
}

// runsOf numbers the runs from 1; what belongs to none has 0.
func runsOf(text []rune) []int {
	runs := make([]int, len(text))
	number := 0
	for i, r := range text {
		member := inWord(r)
		switch r {
		case '-', '.', '/', '\\', '@', '~', '+', '%', '$', '#':
			member = true
		case ',', ':':
			member = i > 0 && i+1 < len(text) && unicode.IsDigit(text[i-1]) && unicode.IsDigit(text[i+1])
		}
		if !member {
			continue
		}
		if i == 0 || runs[i-1] == 0 {
			number++
		}
		runs[i] = number
	}
	for i := len(text) - 1; i >= 0; i-- { // the periods at the end of a run are left out
		last := i+1 == len(text) || runs[i+1] == 0
		if text[i] == '.' && last {
			runs[i] = 0
		}
	}
	return runs
}

func inWord(r rune) bool { return unicode.In(r, unicode.L, unicode.M, unicode.N) || r == '_' }

// oracleFold takes apart, lower-cases and puts together again.
func oracleFold(text string, m floor.Match) []rune {
	var folded []rune
	space := false
	for _, r := range norm.NFD.String(text) {
		if unicode.IsSpace(r) {
			space = len(folded) > 0
			continue
		}
		if space {
			folded = append(folded, ' ')
			space = false
		}
		if m != floor.Exact {
			r = unicode.ToLower(r)
		}
		folded = append(folded, r)
	}
	return []rune(norm.NFC.String(string(folded)))
}
