// Package extract finds the load-bearing elements of a transcript's text: names
// and figures by a scanner that a slow oracle agrees with (package plain), and
// prohibitions, orders, duties, conditions, states, quotations and guesses by
// the words that make them so. It knows English, and says nothing of what it
// does not find: who extracts has still to decide whether that is all.
package extract

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/floorcheck/floorcheck/floor"
)

// A Span is bytes Start up to End of a text.
type Span struct{ Start, End int }

// A Found is an element, and where the text says it, from first to last.
type Found struct {
	floor.Element
	Spans []Span
}

// Extract gives the elements of a text, each once however often it is said: by
// class, and in a class by where it is said first. An id is the class and a
// number from 1 on. The text keeps each of them (RULES.md 2a), if it does not
// say the opposite as well.
func Extract(text string) []Found {
	var x Extractor
	return x.Extract(text)
}

// An Extractor extracts from one text after the other. Its numbers go on, so
// that no id is there twice among the spans of a request. The zero value is
// ready; it belongs to one goroutine at a time.
type Extractor struct {
	scanner    scanner
	found      []Token
	statements []statement
	known      [len(classes)]map[string]int // by first form, places in byClass
	byClass    [len(classes)][]Found
	numbers    [len(classes)]int // how many there were, in all texts
}

// classes are those that are looked for, in the order of the answer.
var classes = [...]floor.Class{
	floor.Identifier, floor.Quantity, floor.Negation, floor.Ordering, floor.Obligation, floor.Hypothesis, floor.Constraint, floor.Status, floor.Literal,
}

// AppendTokens appends the identifiers and quantities of a text, in order. No
// two overlap. Each begins and ends where a run for exact matching does, or at
// a sign before one, so that the text is found to keep it.
func (x *Extractor) AppendTokens(tokens []Token, text string) []Token {
	x.scanner.read(text)
	return x.scanner.tokens(tokens)
}

// Extract is what the function of that name is, but for the numbers.
func (x *Extractor) Extract(text string) []Found {
	x.found = x.AppendTokens(x.found[:0], text)
	x.statements = x.scanner.statements(x.statements[:0])
	slices.SortStableFunc(x.statements, func(a, b statement) int { return a.span.Start - b.span.Start })
	for i := range classes {
		clear(x.known[i])
		x.byClass[i] = x.byClass[i][:0]
	}
	for _, t := range x.found {
		said := text[t.Start:t.End]
		e := x.element(t.Class, said, Span{t.Start, t.End})
		if e == nil {
			continue
		}
		e.Match = floor.Exact
		if t.Class == floor.Quantity {
			e.Forms = otherwise(e.Forms)
		}
	}
	for _, st := range x.statements {
		if e := x.element(st.class, st.forms[0], st.span); e != nil {
			e.Forms, e.Inverted = st.forms, st.inverted
			if st.class == floor.Literal {
				e.Match = floor.Exact
			}
		}
	}
	return slices.Concat(x.byClass[:]...)
}

// element notes that a text says something; nil where it said so before.
func (x *Extractor) element(class floor.Class, said string, span Span) *Found {
	c := slices.Index(classes[:], class)
	if x.known[c] == nil {
		x.known[c] = map[string]int{}
	}
	if at, again := x.known[c][said]; again {
		e := &x.byClass[c][at]
		e.Spans = append(e.Spans, span)
		return nil
	}
	x.known[c][said] = len(x.byClass[c])
	x.numbers[c]++
	x.byClass[c] = append(x.byClass[c], Found{
		Element: floor.Element{ID: string(class) + "-" + strconv.Itoa(x.numbers[c]), Class: class, Forms: []string{said}},
		Spans:   []Span{span},
	})
	return &x.byClass[c][len(x.byClass[c])-1]
}

// otherwise adds how else a quantity may be written: 250ms for 250 ms, 2 files
// for 2 modified files, 9 of 24 for 9 of 24 pods.
func otherwise(forms []string) []string {
	said := forms[0]
	words := strings.FieldsFunc(said, func(r rune) bool { return r == ' ' || r == '\u00A0' || r == '\u202F' })
	switch n := len(words); {
	case n == 1:
		if end := number(said, signs(said)); end > 0 && end < len(said) && senseOf(said[end:])&unitOf != 0 {
			return append(forms, said[:end]+" "+said[end:])
		}
	case n == 2 && (words[1] == "%" || senseOf(words[1])&unitOf != 0) && amount(words[0]):
		return append(forms, words[0]+words[1])
	case n == 3 && amount(words[0]) && plural(words[2]) && hyphened(words[1]) && !slices.Contains(joining, words[1]):
		return append(forms, words[0]+" "+words[2])
	case n > 3 && words[1] == "of":
		return append(forms, strings.Join(words[:3], " "))
	}
	return forms
}

// joining words stand between two numbers.
var joining = []string{"of", "in", "to", "or", "x", "per"}

// fold is a text as folded forms are compared.
func fold(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if ascii := !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }); ascii {
		return strings.ToLower(text)
	}
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(text)))
}
