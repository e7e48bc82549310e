package mutant

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/floorcheck/floorcheck/floor"
)

// A retention is what a text does to an element. The zero value is lost.
type retention struct{ kept, opposed bool }

func (r retention) retained() bool { return r.kept && !r.opposed }

// An extent is a stretch of bytes of a folded text.
type extent struct{ from, to int }

// A reading says which elements texts keep, in small steps: every phrase is
// looked for from end to end. newReading fills the steps in correctly; a mutant
// replaces one or two.
type reading struct {
	forms, inverted func(*floor.Element) []string
	parts           func([]string) []string // as they are read: each by itself
	matching        func(*floor.Element) floor.Match
	fold            func(text string, m floor.Match) string
	occurs          func(text, phrase string, m floor.Match) []extent
	word            func(r rune) bool
	joins           func(text string, at int) bool // the character there belongs to a run
	goesOn          func(rest string) bool         // this much of a run holds more than its end
	bounded         func(text string, at extent, m floor.Match) bool
	covered         func(o extent, others []extent) bool // it lies inside one of them, and does not count
	settle          func(forms, inverted int) retention  // of so many occurrences that count
	counted         func(e *floor.Element, parts []string) retention

	folded map[spelling]string // of one request: most texts are asked for often
}

type spelling struct {
	text  string
	match floor.Match
}

func newReading() *reading {
	r := &reading{folded: map[spelling]string{}}
	r.forms = func(e *floor.Element) []string { return e.Forms }
	r.inverted = func(e *floor.Element) []string { return e.Inverted }
	r.parts = func(parts []string) []string { return parts }
	r.matching = func(e *floor.Element) floor.Match {
		if e.Match == floor.Exact {
			return floor.Exact
		}
		return floor.Folded
	}
	// Judged texts stay within letters on which lower case and case folding agree.
	r.fold = func(text string, m floor.Match) string {
		text = oneSpaced(norm.NFC.String(text), isSpace)
		if m == floor.Exact {
			return text
		}
		return norm.NFC.String(strings.Map(unicode.ToLower, text))
	}
	r.occurs = func(text, phrase string, m floor.Match) (found []extent) {
		for from := 0; phrase != "" && from+len(phrase) <= len(text); {
			hit := strings.Index(text[from:], phrase)
			if hit < 0 {
				return found
			}
			o := extent{from + hit, from + hit + len(phrase)}
			if r.bounded(text, o, m) {
				found = append(found, o)
			}
			_, size := utf8.DecodeRuneInString(text[o.from:])
			from = o.from + size
		}
		return found
	}
	r.word = isWord
	r.joins = func(text string, at int) bool {
		c, size := utf8.DecodeRuneInString(text[at:])
		if c == ',' || c == ':' {
			return digitBefore(text, at) && digitAfter(text, at+size)
		}
		return r.word(c) || strings.ContainsRune(`-./\@~+%$#`, c)
	}
	r.goesOn = func(rest string) bool { return strings.Trim(rest, ".") != "" }
	r.bounded = func(text string, o extent, m floor.Match) bool {
		return !r.glued(text, o.from) && !r.glued(text, o.to) &&
			(m != floor.Exact || !r.insideRun(text, o.from) && !r.insideRun(text, o.to))
	}
	r.covered = func(o extent, others []extent) bool {
		return slices.ContainsFunc(others, func(other extent) bool { return other.from <= o.from && o.to <= other.to })
	}
	r.settle = func(forms, inverted int) retention { return retention{forms > 0, inverted > 0} }
	r.counted = func(e *floor.Element, parts []string) retention {
		forms, inverted := r.count(e, parts)
		return r.settle(forms, inverted)
	}
	return r
}

// of is what the parts of a delivery do to an element.
func (r *reading) of(e *floor.Element, parts []string) retention { return r.counted(e, r.parts(parts)) }

// count gives how many occurrences of forms and of inverted forms count.
func (r *reading) count(e *floor.Element, parts []string) (forms, inverted int) {
	m := r.matching(e)
	for _, part := range parts {
		text := r.spelt(part, m)
		kept, opposed := r.all(text, r.forms(e), m), r.all(text, r.inverted(e), m)
		forms += r.outside(kept, opposed)
		inverted += r.outside(opposed, kept)
	}
	return forms, inverted
}

// all are the occurrences of phrases in a folded text.
func (r *reading) all(text string, phrases []string, m floor.Match) (found []extent) {
	for _, phrase := range phrases {
		found = append(found, r.occurs(text, r.spelt(phrase, m), m)...)
	}
	return found
}

func (r *reading) outside(list, others []extent) (n int) {
	for _, o := range list {
		if !r.covered(o, others) {
			n++
		}
	}
	return n
}

// spelt folds a text, and remembers it until afresh.
func (r *reading) spelt(text string, m floor.Match) string {
	key := spelling{text, m}
	folded, known := r.folded[key]
	if !known {
		folded = r.fold(text, m)
		r.folded[key] = folded
	}
	return folded
}

func (r *reading) afresh() { clear(r.folded) }

// glued: word characters to both sides of a place.
func (r *reading) glued(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	return 0 < at && at < len(text) && r.word(before) && r.word(after)
}

// insideRun: a run goes on at a place.
func (r *reading) insideRun(text string, at int) bool {
	if at == 0 || at == len(text) {
		return false
	}
	_, size := utf8.DecodeLastRuneInString(text[:at])
	if !r.joins(text, at-size) {
		return false
	}
	end := at
	for end < len(text) && r.joins(text, end) {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	return r.goesOn(text[at:end])
}

// contradicts says that a phrase is in both lists of an element.
func (r *reading) contradicts(e *floor.Element) bool {
	m := r.matching(e)
	return slices.ContainsFunc(e.Inverted, func(inverted string) bool {
		return slices.ContainsFunc(e.Forms, func(form string) bool { return r.spelt(form, m) == r.spelt(inverted, m) })
	})
}

func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r)
}

func isSpace(r rune) bool { return unicode.Is(unicode.White_Space, r) }

func hasWord(text string) bool { return strings.ContainsFunc(text, isWord) }

func oneSpaced(text string, space func(rune) bool) string {
	return strings.Join(strings.FieldsFunc(text, space), " ")
}

func digitBefore(text string, at int) bool {
	r, _ := utf8.DecodeLastRuneInString(text[:at])
	return unicode.Is(unicode.Nd, r)
}

func digitAfter(text string, at int) bool {
	r, _ := utf8.DecodeRuneInString(text[at:])
	return unicode.Is(unicode.Nd, r)
}

func came(status floor.SummaryStatus) bool { return status == "" || status == floor.StatusOK }

func isLost(e *floor.Element) bool { return e.Lost != nil && *e.Lost }

// sortedOnce is a set of classes in its order, never nil.
func sortedOnce(list classes) classes {
	out := append(classes{}, list...)
	slices.Sort(out)
	return slices.Compact(out)
}
