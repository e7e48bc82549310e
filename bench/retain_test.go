package bench

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/floorcheck/floorcheck/engine"
	"github.com/floorcheck/floorcheck/floor"
)

// What texts are measured with: 80 KB is a session that is about to be
// compacted, 512 KB a context of 128 thousand tokens.
const (
	sessionBytes = 80 << 10
	contextBytes = 512 << 10
)

// A search is elements and a text that keeps one in five of them.
type search struct {
	elements []floor.Element
	text     string
}

// newSearch draws elements of three kinds, in equal parts: an identifier and a
// quantity, to the letter, and something that is not to be done, which what it
// forbids is part of. The text is prose about the same things, so that most of
// its words are words of some form; a wide one is not all ASCII.
func newSearch(elements, bytes int, isWide bool) search {
	rng := rand.New(rand.NewPCG(9, uint64(elements)))
	people := people
	if isWide {
		people = wide
	}
	pick := func(words []string) string { return words[rng.IntN(len(words))] }
	sentence := func(b *strings.Builder) {
		fmt.Fprintf(b, "The %s of the %s was %s at %d:%02d, and %s said that the %s may %s the %s.",
			pick(things), pick(things), pick(deeds), rng.IntN(24), rng.IntN(60), pick(people), pick(things), pick(deeds), pick(things))
		b.WriteString([]string{" ", "\n", "  "}[rng.IntN(3)])
	}
	s := search{}
	kept := map[int]bool{}
	for i := range elements {
		e := floor.Element{ID: fmt.Sprint("x", i), Match: floor.Exact}
		switch i % 3 {
		case 0:
			e.Class, e.Forms = floor.Identifier, []string{fmt.Sprintf("%s-%d", pick(things), 10_000+i)}
		case 1:
			e.Class, e.Forms = floor.Quantity, []string{fmt.Sprintf("%d,%03d %s", i/1000+1, i%1000, pick(units))}
		case 2:
			what := fmt.Sprintf("%s the %s for %s %d", pick(deeds), pick(things), pick(people), i)
			e.Class, e.Match, e.Forms, e.Inverted = floor.Negation, floor.Folded, []string{"Do not " + what}, []string{what}
		}
		s.elements = append(s.elements, e)
		kept[i] = i%5 == 0
	}
	var b strings.Builder
	next := 0
	for b.Len() < bytes {
		sentence(&b)
		for due := 1 + b.Len()*elements/bytes; next < min(due, elements); next++ {
			if kept[next] {
				b.WriteString(s.elements[next].Forms[0])
				b.WriteString(". ")
			}
		}
	}
	s.text = b.String()
	return s
}

var (
	things = []string{
		"worker", "queue", "ledger", "invoice", "refund", "cluster", "gateway", "replica", "backup", "migration",
		"release", "schema", "index", "token", "session", "customer", "shipment", "contract", "policy", "deadline",
	}
	deeds  = []string{"restart", "drop", "deploy", "approve", "cancel", "archive", "merge", "rename", "publish", "delete", "pause", "retry"}
	people = []string{"Asha", "Bruno", "Chloe", "Dmitri", "Elif", "Farid", "Grace", "Hiro"}
	wide   = []string{"Aşa", "Bruño", "Chloé", "Дмитрий", "Elif", "فريد", "Grace", "裕美"}
	units  = []string{"ms", "MB", "EUR", "rows", "requests"}
)

// A foldedSearch is a search's phrases and its texts as the engine folds them,
// which costs the naive loop nothing here.
type foldedSearch struct {
	text, lower      string
	phrases, lowered []string
}

func (s search) folded() (f foldedSearch) {
	f.text = strings.Join(strings.Fields(s.text), " ")
	f.lower = strings.ToLower(f.text)
	for _, e := range s.elements {
		for _, p := range append(e.Forms, e.Inverted...) {
			if e.Match == floor.Exact {
				f.phrases = append(f.phrases, p)
			} else {
				f.lowered = append(f.lowered, strings.ToLower(p))
			}
		}
	}
	return f
}

// naive is what everyone writes first.
//
//go:noinline
func (f foldedSearch) naive() (found uint64) {
	for _, p := range f.phrases {
		if strings.Contains(f.text, p) {
			found++
		}
	}
	for _, p := range f.lowered {
		if strings.Contains(f.lower, p) {
			found++
		}
	}
	return found
}

// byteLoop is the anchor: one look at each byte.
//
//go:noinline
func byteLoop(text string, table *[256]uint8) (sum uint64) {
	for i := range len(text) {
		sum += uint64(table[text[i]])
	}
	return sum
}

func benchmarkBytes(b *testing.B, text string) {
	var table [256]uint8
	for i := range table {
		table[i] = uint8(i) & 1
	}
	timed(b, 10, func() {
		for range 10 {
			sink += byteLoop(text, &table)
		}
	})
}

// BenchmarkRetain asks which elements a text keeps, beside looking at each of
// its bytes once and beside searching for each form. The engine folds the text
// each time; the naive loop is given it folded.
func BenchmarkRetain(b *testing.B) {
	b.Run("bytes", func(b *testing.B) { benchmarkBytes(b, newSearch(5000, sessionBytes, false).text) })
	for _, size := range []struct {
		name     string
		elements int
		isWide   bool
	}{{"10", 10, false}, {"100", 100, false}, {"5000", 5000, false}, {"5000-wide", 5000, true}} {
		var s search
		prepare := func(b *testing.B) *engine.Elements { // not for those that only list or select
			if s.text == "" {
				s = newSearch(size.elements, sessionBytes, size.isWide)
			}
			elements, err := engine.NewElements(s.elements)
			if err != nil {
				b.Fatal(err)
			}
			return elements
		}
		b.Run(size.name, func(b *testing.B) {
			elements := prepare(b)
			out, kept := elements.Retain(nil, s.text), 0
			for _, r := range out {
				if r == engine.Retained {
					kept++
				}
			}
			if kept != size.elements/5 {
				b.Fatalf("%d of %d elements are kept", kept, size.elements)
			}
			timedEach(b, 1, func() {
				out = elements.Retain(out, s.text)
				sink += uint64(out[0])
			})
		})
		b.Run(size.name+"-naive", func(b *testing.B) {
			prepare(b)
			f := s.folded()
			timed(b, 1, func() { sink += f.naive() })
		})
	}
	b.Run("compile", func(b *testing.B) {
		s := newSearch(5000, sessionBytes, false)
		timedEach(b, 1, func() {
			elements, err := engine.NewElements(s.elements)
			if err != nil {
				b.Fatal(err)
			}
			sink += uint64(elements.Len())
		})
	})
}

// BenchmarkCertify answers a whole request about a context of 128 thousand
// tokens, its elements in a hundred spans.
func BenchmarkCertify(b *testing.B) {
	b.Run("bytes", func(b *testing.B) { benchmarkBytes(b, newSearch(5000, contextBytes, false).text) })
	b.Run("context", func(b *testing.B) {
		s := newSearch(5000, contextBytes, false)
		in := &floor.CertifyIn{Output: floor.Delivery{Text: s.text}, Required: []floor.Class{floor.Identifier, floor.Negation}}
		for i := range 100 {
			in.Source = append(in.Source, floor.Span{
				ID: fmt.Sprint("s", i), Kind: floor.KindMessage, Role: floor.User, Elements: s.elements[i*50 : i*50+50],
			})
		}
		timedEach(b, 1, func() {
			out, err := engine.Certify(in)
			if err != nil {
				b.Fatal(err)
			}
			sink += uint64(len(out.Lost))
		})
	})
}
