package gen

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/floorcheck/floorcheck/floor"
)

// A draft is what an element is made of, with texts whose effect on it is known:
// a test holds each of them against RULES.md 2a. None of its phrases stands in
// what is written about another draft, or around it.
type draft struct {
	match    floor.Match // "" is folded
	forms    []string
	inverted []string

	keeps   []string // texts that keep it; none where nothing can
	voids   []string // texts that say the opposite; none where nothing does
	misses  []string // texts that look as if they kept it, and do neither
	clashes []string // texts that do both at once; empty: keep, then void
}

// A fate is what a text does to an element.
type fate int

// The fates.
const (
	unsaid fate = iota
	kept
	missed
	voided
	clashed
)

// A mention is how a text speaks of an element.
type mention struct {
	fate
	which   int // of the texts that do so
	spelled int // how it is spelled; changes nothing
	wrapped int // what stands around it; changes nothing
}

// mostWhich bounds the choice among the texts of a draft.
const mostWhich = 12

// drawMention draws how a text speaks of an element. It is always the same
// number of choices.
func drawMention(s *Source) mention {
	return mention{
		fate:    fate(s.Weighted("fate", 3, 7, 3, 3, 3)),
		which:   s.Choose(mostWhich, "which"),
		spelled: s.Weighted("spelled as", spelledWeights...),
		wrapped: s.Weighted("wrapped", wrapWeights...),
	}
}

// A prose is a text that is being put together. kept and voided are the drafts
// that it means to keep and those that it says the opposite of.
type prose struct {
	parts        []string
	kept, voided []*draft
}

// say speaks of a draft.
func (p *prose) say(d *draft, m mention) {
	says, denies := m.fate == kept || m.fate == clashed, m.fate == voided || m.fate == clashed
	switch {
	case m.fate == clashed && len(d.clashes) > 0: // one text does both
		p.part(pick(d.clashes, m.which), d, m)
	case m.fate == missed:
		p.part(pick(d.misses, m.which), d, m)
	default:
		if says {
			p.part(pick(d.keeps, m.which), d, m)
		}
		if denies {
			p.part(pick(d.voids, m.which), d, m)
		}
	}
	if says && len(d.keeps) > 0 {
		p.kept = append(p.kept, d)
	}
	if denies && len(d.voids) > 0 {
		p.voided = append(p.voided, d)
	}
}

func pick(list []string, which int) string {
	if len(list) == 0 {
		return ""
	}
	return list[which%len(list)]
}

func (p *prose) part(text string, d *draft, m mention) {
	if text == "" {
		return
	}
	if m.fate != missed { // a miss is a miss as it is written
		text = respelled(text, d.match, m.spelled)
	}
	p.parts = append(p.parts, wrapped(text, m.wrapped))
}

// add appends a sentence that is about no element.
func (p *prose) add(sentence string) {
	if sentence != "" {
		p.parts = append(p.parts, sentence)
	}
}

// text is all that was said. White space between the parts keeps them from
// being glued to each other.
func (p *prose) text() string { return strings.Join(p.parts, " ") }

func (p *prose) retains(d *draft) bool { return slices.Contains(p.kept, d) && !p.denies(d) }

func (p *prose) denies(d *draft) bool { return slices.Contains(p.voided, d) }

// The ways to spell a text in which it stays what it is for the match. The first
// leaves it alone.
var spelledWeights = []int{12, 1, 1, 1, 1, 1, 1}

func respelled(text string, match floor.Match, how int) string {
	switch how {
	case 1:
		if match != floor.Exact {
			return strings.ToUpper(text)
		}
	case 2:
		if match != floor.Exact {
			return capital(text)
		}
	case 3:
		return inTwoParts(text)
	case 4:
		return strings.ReplaceAll(text, " ", "\n  ")
	case 5:
		return strings.ReplaceAll(text, " ", " \t\r\n")
	case 6: // no-break, ideographic and thin: white space, all of them
		return strings.NewReplacer(" ", "\u00a0\u3000\u2009").Replace(text)
	}
	return text
}

// wraps are what stands around a text: before the mark and after it. No word
// character and no joiner touches it, but for periods that end it.
var wraps = []struct{ before, after string }{
	{"", "."}, {"", ""}, {"- ", ""}, {`"`, `"`}, {"(", ")"}, {"", ";"}, {"Note: ", "!"}, {"", ", as agreed."},
	{"…", "…"}, {"—", "—"}, {"", "'s matter"}, {"«", "»"}, {"", "..."}, {"*", "*"}, {"`", "`"}, {"🙂 ", "🙂"}, {"=", "="}, {"\u200f", "\u200f"},
}

var wrapWeights = func() []int {
	weights := slices.Repeat([]int{1}, len(wraps))
	weights[0] = 20
	return weights
}()

func wrapped(text string, how int) string { return wraps[how].before + text + wraps[how].after }

// A vocabulary makes drafts of words that were not used before, as long as there
// are any: drafts are apart from each other.
type vocabulary struct {
	taken  map[string]bool
	curios []*draft
}

func (v *vocabulary) take(list []string, i int) string {
	for n := range list {
		if word := list[(i+n)%len(list)]; !v.taken[word] {
			v.taken[word] = true
			return word
		}
	}
	return list[i%len(list)]
}

// draftChoices say what to make a draft of. They are always drawn together.
type draftChoices struct {
	kind               int // ordinary, a curio, or the draft before
	shape, word, other int
	match              int
}

// The kinds of drafts.
const (
	ordinary = iota
	curious
	sameAgain
)

func drawDraft(s *Source) draftChoices {
	return draftChoices{
		kind:  s.Weighted("draft", 8, 5, 1),
		shape: s.Choose(3, "shape"),
		word:  s.Choose(mostWords, "word"),
		other: s.Choose(mostWords, "other word"),
		match: s.Weighted("match", 8, 1, 1),
	}
}

// draft makes one for an element of a class.
func (v *vocabulary) draft(class floor.Class, c draftChoices) *draft {
	if c.kind == curious {
		return v.curio(c.word)
	}
	d := v.ordinary(class, c)
	if c.match == 2 && d.match != floor.Exact {
		d.match = floor.Exact // what is said is said to the letter
	}
	return d
}

// curio is one from the list, from the i-th on; one that was used already where
// there are no more.
func (v *vocabulary) curio(i int) *draft {
	for n := range curios {
		if d := &curios[(i+n)%len(curios)]; !slices.Contains(v.curios, d) {
			v.curios = append(v.curios, d)
			return d
		}
	}
	return &curios[i%len(curios)]
}

// ordinary is a draft of what conversations are planted with. A class that the
// sources do not name may hold anything.
func (v *vocabulary) ordinary(class floor.Class, c draftChoices) *draft {
	if !slices.Contains(planted, class) {
		class = planted[c.other%len(planted)]
	}
	switch class {
	case floor.Identifier:
		return v.value(names, c)
	case floor.Quantity:
		return v.value(figures, c)
	case floor.Literal:
		return valued(v.take(headings, c.word), titles, c.shape)
	}
	first, second := wordsFor(class, c.shape)
	a, b := v.take(first, c.word), ""
	if second != nil {
		b = v.take(second, c.other)
	}
	switch class {
	case floor.Negation:
		return sentenced(forbidding(c.shape, a))
	case floor.Ordering:
		return sentenced(ordering(c.shape, a, b))
	case floor.Obligation:
		p := obliging(c.shape, a, deadlines[c.other%len(deadlines)])
		p.Inverted = []string{"must not " + a, "need not " + a}
		return sentenced(p)
	case floor.Hypothesis:
		p := guessing(c.shape, a)
		p.Inverted = p.Shifted // told as a fact
		return sentenced(p)
	case floor.Constraint:
		p := allowing(c.shape, a, b)
		if p.Inverted = []string{"in any case " + a, a + " in any case"}; b == "" {
			p.Inverted = []string{"do it even if " + a}
		}
		return sentenced(p)
	}
	return sentenced(statusOf(c.shape, a))
}

func (v *vocabulary) value(of lexicon, c draftChoices) *draft {
	f := &of[c.word%len(of)]
	return valued(v.take(f.values, c.other), f, c.shape)
}

// sentenced is a draft that is said in so many words.
func sentenced(p *plant) *draft {
	d := &draft{match: p.Match, forms: p.Forms, inverted: p.Inverted, keeps: p.Forms, voids: p.Inverted}
	form := p.Forms[0]
	last := strings.LastIndex(form, " ")
	d.misses = []string{
		form[:last],                             // not all of it
		form + "s",                              // glued at its end: a letter,
		form + "_2",                             // a low line
		form + "\u0308",                         // and a mark
		form[:last] + " \u200b" + form[last+1:], // a character without a width, which is no white space
		form[:last] + form[last+1:],             // no space
		form[:last] + " …" + form[last:],        // something between
	}
	return d
}

// valued is a draft of a value, which is compared to the letter.
func valued(value string, of *family, shape int) *draft {
	d := &draft{match: floor.Exact, forms: []string{value}, keeps: []string{value}}
	if shape > 0 { // who voids a value names it
		d.inverted = []string{"not " + value, value + " no longer"}
		d.voids = d.inverted
	}
	for _, other := range of.values {
		if other != value {
			d.misses = append(d.misses, other)
		}
	}
	d.misses = append(d.misses, value+"-x", value+".5", value+"/x", value+"x", "1."+value, "x-"+value, value+"\u0301", halved(value))
	if turned := turnedRound(value); turned != value {
		d.misses = append(d.misses, turned)
	}
	return d
}

// halved has a character without a width in its middle.
func halved(value string) string {
	r := []rune(value)
	return string(r[:len(r)/2]) + "\u200d" + string(r[len(r)/2:])
}

// turnedRound has its letters in the other case.
func turnedRound(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, text)
}

// torn are the two halves of a form: what stands in two parts of a delivery keeps
// nothing. Both are empty where it cannot be torn.
func torn(d *draft, which int) (first, second string) {
	if len(d.keeps) == 0 || utf8.RuneCountInString(d.forms[0]) < 2 {
		return "", ""
	}
	form := d.forms[0]
	at := strings.LastIndex(form, " ")
	if which%2 == 1 || at < 0 || slices.Contains(d.inverted, form[at+1:]) {
		_, size := utf8.DecodeLastRuneInString(form)
		at = len(form) - size
	}
	return form[:at], strings.TrimPrefix(form[at:], " ")
}
