package model

import (
	"iter"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/floorcheck/floorcheck/floor"
)

// A Retention says what became of an element in a text. It is literal: it
// proves a loss, and never that a reader will use what is there.
type Retention string

// The four; a form counts where it is not part of an inverted form, and the
// other way round.
const (
	Retained      Retention = "retained"      // a form counts, no inverted form does
	Inverted      Retention = "inverted"      // an inverted form counts, no form does
	Contradictory Retention = "contradictory" // both
	Lost          Retention = "lost"          // neither
)

// keeps tells whether a form counts, whatever counts beside it.
func (r Retention) keeps() bool { return r == Retained || r == Contradictory }

// Retain is what becomes of an element in the parts of what is delivered. An
// occurrence lies within one part; the parts together are judged.
func Retain(e floor.Element, parts []string) Retention { return Deliver(parts).Retention(e) }

// A Delivered is what is delivered, folded once to be asked about many
// elements. It belongs to one goroutine at a time.
type Delivered struct {
	parts []string
	folds *folder
	read  map[floor.Match]*folding
}

// Deliver makes the parts of a delivery ready to be asked.
func Deliver(parts []string) *Delivered { return newFolder().deliver(parts) }

// Retention is what becomes of an element.
func (d *Delivered) Retention(e floor.Element) Retention {
	form := occurs(d.counting(e.Forms, e.Inverted, e.Match))
	inverted := occurs(d.counting(e.Inverted, e.Forms, e.Match))
	switch {
	case form && inverted:
		return Contradictory
	case form:
		return Retained
	case inverted:
		return Inverted
	}
	return Lost
}

// Usable tells whether any part has a word character. What has none keeps
// nothing and certifies nothing.
func (d *Delivered) Usable() bool {
	return slices.ContainsFunc(d.parts, func(part string) bool { return strings.ContainsFunc(part, isWord) })
}

// counting are the occurrences of any of the phrases that lie inside no
// occurrence of the others, phrase by phrase, each from first to last.
func (d *Delivered) counting(phrases, others []string, m floor.Match) iter.Seq[occurrence] {
	text := d.folded(m)
	var around []string
	for _, other := range others {
		around = append(around, d.folds.fold(other, m))
	}
	return func(yield func(occurrence) bool) {
		for _, phrase := range phrases {
			for o := range text.occurrences(d.folds.fold(phrase, m), 0, len(text.all)) {
				if !text.inside(o, around) && !yield(o) {
					return
				}
			}
		}
	}
}

// inverting are the parts in which an inverted form of an element counts, from
// first to last for each of its inverted forms.
func (d *Delivered) inverting(e floor.Element) iter.Seq[int] {
	return func(yield func(int) bool) {
		if len(e.Inverted) == 0 || len(d.parts) == 0 {
			return
		}
		for o := range d.counting(e.Inverted, e.Forms, e.Match) {
			if !yield(d.partOf(o, e.Match)) {
				return
			}
		}
	}
}

func occurs(found iter.Seq[occurrence]) bool {
	for range found {
		return true
	}
	return false
}

// partOf is the index of the part that holds an occurrence.
func (d *Delivered) partOf(o occurrence, m floor.Match) int {
	starts := d.folded(m).starts
	return sort.Search(len(starts), func(i int) bool { return starts[i] > o.from }) - 1
}

func (d *Delivered) folded(m floor.Match) *folding {
	if m != floor.Exact {
		m = floor.Folded
	}
	if d.read[m] == nil {
		d.read[m] = d.folds.join(d.parts, m)
	}
	return d.read[m]
}

// A folding is the folded parts of a delivery, one after the other. Between
// them stands a line feed: folding leaves no white space but the space, so that
// no phrase holds it and no occurrence reaches from one part into another.
type folding struct {
	all    string
	starts []int // of each part in all
	exact  bool
	inRun  []bool           // of exact: see insideRuns; found out at the first hit
	words  map[string][]int // of a long text: where each word begins; found out at the first question
}

// longText is the size in bytes from which a text is not searched from end to
// end for each phrase, but where the rarest word of the phrase stands. What is
// found is the same.
const longText = 1 << 12

// An occurrence is a stretch of bytes of a folding.
type occurrence struct{ from, to int }

// occurrences are those of a folded phrase between two places of the text. One
// may overlap the next.
func (t *folding) occurrences(phrase string, from, to int) iter.Seq[occurrence] {
	if to-from >= longText {
		if word, at := t.rarest(phrase); word != "" {
			return t.around(word, at, phrase, from, to)
		}
	}
	return t.throughout(phrase, from, to)
}

// around looks for a phrase where its word stands, which is at that place of it.
func (t *folding) around(word string, at int, phrase string, from, to int) iter.Seq[occurrence] {
	return func(yield func(occurrence) bool) {
		for _, place := range t.words[word] {
			o := occurrence{place - at, place - at + len(phrase)}
			if from <= o.from && o.to <= to && t.all[o.from:o.to] == phrase && t.free(o.from) && t.free(o.to) && !yield(o) {
				return
			}
		}
	}
}

// rarest is the word of a phrase that stands in the fewest places of the text,
// and where in the phrase it begins; "" of a phrase without a word. An
// occurrence glues nothing to its ends: its words are words of the text.
func (t *folding) rarest(phrase string) (word string, at int) {
	if t.words == nil {
		t.words = map[string][]int{}
		for begin, w := range wordsOf(t.all) {
			t.words[w] = append(t.words[w], begin)
		}
	}
	for begin, w := range wordsOf(phrase) {
		if word == "" || len(t.words[w]) < len(t.words[word]) {
			word, at = w, begin
		}
	}
	return word, at
}

// wordsOf are the maximal runs of word characters, each with where it begins.
func wordsOf(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		begin := -1
		for i, r := range text {
			switch {
			case isWord(r) && begin < 0:
				begin = i
			case !isWord(r) && begin >= 0:
				if !yield(begin, text[begin:i]) {
					return
				}
				begin = -1
			}
		}
		if begin >= 0 {
			yield(begin, text[begin:])
		}
	}
}

// throughout looks for a phrase from one place to another.
func (t *folding) throughout(phrase string, from, to int) iter.Seq[occurrence] {
	return func(yield func(occurrence) bool) {
		for phrase != "" {
			hit := strings.Index(t.all[from:to], phrase)
			if hit < 0 {
				return
			}
			o := occurrence{from + hit, from + hit + len(phrase)}
			if t.free(o.from) && t.free(o.to) && !yield(o) {
				return
			}
			_, size := utf8.DecodeRuneInString(t.all[o.from:])
			from = o.from + size
		}
	}
}

// free tells whether an occurrence may begin or end at a place: no word
// character is glued to another there, and for an exact element no run goes on.
func (t *folding) free(place int) bool {
	before, _ := utf8.DecodeLastRuneInString(t.all[:place])
	after, _ := utf8.DecodeRuneInString(t.all[place:])
	if isWord(before) && isWord(after) {
		return false
	}
	if t.exact && t.inRun == nil {
		t.inRun = insideRuns(t.all)
	}
	return !t.exact || !t.inRun[place]
}

// inside tells whether an occurrence lies inside one of these folded phrases:
// whatever occurs within its own length to either side covers it.
func (t *folding) inside(o occurrence, around []string) bool {
	for _, phrase := range around {
		room := len(phrase) - (o.to - o.from)
		if room < 0 {
			continue
		}
		from, to := max(0, o.from-room), min(len(t.all), o.to+room)
		if occurs(t.occurrences(phrase, from, to)) {
			return true
		}
	}
	return false
}

// joiners hold an identifier together; so do , and : between decimal digits.
const joiners = `-./\@~+%$#`

// insideRuns marks each place that has characters of one run to both sides. A
// run is as many word characters and joiners as stand together, but for the
// periods at its end: those end a sentence.
func insideRuns(text string) []bool {
	inside := make([]bool, len(text)+1)
	mark := func(from, to int) {
		to = from + len(strings.TrimRight(text[from:to], "."))
		for place := from + 1; place < to; place++ {
			inside[place] = true
		}
	}
	begin := 0
	for i, r := range text {
		if !joins(text, i, r) {
			mark(begin, i)
			begin = i + utf8.RuneLen(r)
		}
	}
	mark(begin, len(text))
	return inside
}

// joins tells whether the character r at place i belongs to a run.
func joins(text string, i int, r rune) bool {
	if r == ',' || r == ':' {
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+1:])
		return unicode.Is(unicode.Nd, before) && unicode.Is(unicode.Nd, after)
	}
	return isWord(r) || strings.ContainsRune(joiners, r)
}

// isWord: a letter, a mark, a number or the low line.
func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r)
}

func isWhite(r rune) bool { return unicode.Is(unicode.White_Space, r) }

// A folder folds texts and remembers them: a conversation says the same many
// times over.
type folder struct {
	letters cases.Caser // keeps state: not for two goroutines
	known   map[floor.Match]map[string]string
}

func newFolder() *folder {
	return &folder{
		letters: cases.Fold(),
		known:   map[floor.Match]map[string]string{floor.Folded: {}, floor.Exact: {}},
	}
}

func (f *folder) deliver(parts []string) *Delivered {
	return &Delivered{parts: parts, folds: f, read: map[floor.Match]*folding{}}
}

// fold makes texts that are the same for a match equal: composed, each stretch
// of white space one space, none at the ends, and unless the match is exact
// the letters by their full case folding. Bytes that are no text become U+FFFD.
func (f *folder) fold(text string, m floor.Match) string {
	if m != floor.Exact {
		m = floor.Folded
	}
	folded, known := f.known[m][text]
	switch {
	case known:
		return folded
	case m == floor.Exact:
		folded = oneSpace(norm.NFC.String(strings.ToValidUTF8(text, "\uFFFD")))
	default:
		folded = norm.NFC.String(f.caseless(f.fold(text, floor.Exact)))
	}
	f.known[m][text] = folded
	return folded
}

func oneSpace(text string) string {
	var out strings.Builder
	out.Grow(len(text))
	for word := range strings.FieldsFuncSeq(text, isWhite) {
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		out.WriteString(word)
	}
	return out.String()
}

// caseless is the full case folding. x/text takes the small letters of Cherokee
// for the capitals and the other way round: they fold to the capitals, the only
// letters that do.
func (f *folder) caseless(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 0xAB70 <= r && r <= 0xABBF:
			return r - 0xAB70 + 0x13A0
		case 0x13F8 <= r && r <= 0x13FD:
			return r - 0x13F8 + 0x13F0
		}
		return r
	}, f.letters.String(text))
}

func (f *folder) join(parts []string, m floor.Match) *folding {
	t := &folding{exact: m == floor.Exact}
	var all strings.Builder
	for i, part := range parts {
		if i > 0 {
			all.WriteByte('\n')
		}
		t.starts = append(t.starts, all.Len())
		all.WriteString(f.fold(part, m))
	}
	t.all = all.String()
	return t
}
