package history

import (
	"strings"

	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/props/gen"
)

// A tongue is what the texts of a history are made of. In a narrow one there are
// so few words that one element's phrases stand in what is said of another; in a
// wide one each element has words of its own.
type tongue struct {
	s     *gen.Source
	words []string
	gaps  []string // what may stand between two words of a phrase that is said
	ends  []string // what may stand behind what is said
	wide  bool
	next  int // of a wide tongue: the first word that is not used
	find  search
}

var narrowWords = []string{"go", "no", "up", "go-up", "no.go", "go_1"}

// wideWords are 13 times 24 words: no one of them stands in another.
var wideWords = func() (words []string) {
	for _, first := range []string{"ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "na", "pe", "ri"} {
		for i := range 24 {
			words = append(words, first+string("bdfgklmnprst"[i%12])+string("aeiou"[i%5])+string("xz"[i/12]))
		}
	}
	return words
}()

// hostileWords are hard to compare: marks, several ways to write the same,
// letters whose case is no matter of one letter, digits of other scripts.
var hostileWords = []string{
	"é", "e\u0301", "É", "e", "ß", "SS", "ẞ", "ﬁx", "FIX", "İ", "i\u0307", "ı", "I", "Σ", "ς", "σ\u0301", "ᾳ", "α\u0345", "\u0345",
	"²", "٣", "1,5", "1:5", "5", "1", "a.b", "a..", "x_", "_", "a\u200db", "ab", "🙂", "你好", "好", "א", "\u212a", "k", "\u212b", "å", "ǰ",
	"->", "$5", "5%", "a@b", "@b", "\u0301", "Ǆ", "ǆ", "ǅ", "\u1100\u1161", "가", "\U0001e4d0", "Ꭰ", "ꭰ", "a-", "-a", "a/", ".",
}

func drawTongue(s *gen.Source) (t tongue, hostile bool) {
	t = tongue{
		s: s, gaps: []string{" ", "  ", "\n", "\t "}, ends: []string{". ", " ", ", ", "... ", "\n"}, find: byHand,
	}
	switch s.Weighted("tongue", 6, 3, 2, 2) {
	case 0:
		t.words, t.wide = wideWords, true
	case 1:
		t.words = narrowWords
	case 2:
		t.words, hostile = hostileWords, true
	case 3:
		t.words, t.wide, hostile = hostileWords, true, true
	}
	if hostile {
		t.gaps = append(t.gaps, "\u00a0", "\u3000\u2028", " \r\n")
		t.ends = append(t.ends, "。", "; ", "» ", "🙂 ", "\u200b ", "— ")
		t.find = byModel
	}
	return t, hostile
}

func (t *tongue) word() string {
	i := t.s.Choose(len(t.words), "word")
	if t.wide {
		i, t.next = t.next%len(t.words), t.next+1
	}
	return t.words[i]
}

// element draws the words of one: a form or two, and what would be the opposite.
func (t *tongue) element(e *floor.Element) {
	e.Match = []floor.Match{"", floor.Exact, floor.Folded}[t.s.Weighted("match", 3, 2, 1)]
	phrase := func() string {
		words := []string{t.word()}
		if t.s.Weighted("words", 2, 1) == 1 {
			words = append(words, t.word())
		}
		return strings.Join(words, " ")
	}
	e.Forms = []string{phrase()}
	if t.s.Weighted("forms", 3, 1) == 1 {
		e.Forms = append(e.Forms, phrase())
	}
	t.s.Repeat(0, 2, 4, "another inverted form", func(int) bool {
		inverted := ""
		switch t.s.Weighted("inverted as", 3, 1, 2) {
		case 0:
			inverted = "not " + e.Forms[0]
		case 1:
			inverted = e.Forms[0] + " no longer"
		case 2:
			inverted = phrase()
		}
		if !t.among(inverted, e.Forms, e.Match) {
			e.Inverted = append(e.Inverted, inverted)
		}
		return true
	})
}

// among tells whether a phrase is one of these once all are folded: then it
// occurs in it, and it in the phrase.
func (t *tongue) among(phrase string, others []string, m floor.Match) bool {
	for _, other := range others {
		one, _ := t.find(floor.Element{Forms: []string{phrase}, Match: m}, []string{other})
		two, _ := t.find(floor.Element{Forms: []string{other}, Match: m}, []string{phrase})
		if one && two {
			return true
		}
	}
	return false
}

// A fate is what a text does to an element, or means to: in a narrow tongue it
// may come otherwise.
type fate int

const (
	kept fate = iota
	dropped
	missed // it looks as if it were kept
	voided
	clashed
)

// say speaks of an element.
func (t *tongue) say(text *strings.Builder, e *floor.Element, f fate) {
	which := t.s.Choose(2, "which")
	switch f {
	case kept:
		t.put(text, e.Forms[which%len(e.Forms)], e.Match)
	case missed:
		form := e.Forms[which%len(e.Forms)]
		t.put(text, []string{form + "s", "x" + form, form + "-2", "x." + form, form[:strings.LastIndex(form, " ")+1]}[t.s.Choose(5, "missed")], e.Match)
	case clashed, voided:
		if f == clashed {
			t.put(text, e.Forms[which%len(e.Forms)], e.Match)
		}
		if len(e.Inverted) > 0 {
			t.put(text, e.Inverted[which%len(e.Inverted)], e.Match)
		}
	}
}

// put writes a phrase, spelled in one of the ways that are the same.
func (t *tongue) put(text *strings.Builder, phrase string, m floor.Match) {
	switch t.s.Weighted("spelled", 6, 1, 1) {
	case 1:
		if m != floor.Exact {
			phrase = strings.ToUpper(phrase)
		}
	case 2:
		phrase = strings.ReplaceAll(phrase, " ", t.gaps[t.s.Choose(len(t.gaps), "gap")])
	}
	text.WriteString(phrase)
	text.WriteString(t.ends[t.s.Weighted("end", t.endWeights()...)])
}

func (t *tongue) endWeights() []int {
	weights := make([]int, len(t.ends))
	for i := range weights {
		weights[i] = 1
	}
	weights[0] = len(t.ends)
	return weights
}
