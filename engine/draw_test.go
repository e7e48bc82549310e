package engine

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// A drawing makes requests about a small world: a few words, four classes, so
// that what is said, what is not, and what is said the other way round all come
// often. What it makes is valid.
type drawing struct {
	rng             *rand.Rand
	spans, elements int
}

var fewWords = []string{"no", "a", "b", "c", "A-1", "a-1", "5,0", "-", "."}

func (g *drawing) oneIn(n int) bool { return g.rng.IntN(n) == 0 }

func (g *drawing) text(most int) string {
	var words []string
	for range g.rng.IntN(most + 1) {
		words = append(words, fewWords[g.rng.IntN(len(fewWords))])
	}
	return strings.Join(words, " ")
}

func (g *drawing) class() floor.Class { return someClasses[g.rng.IntN(len(someClasses))] }

func (g *drawing) classes() []floor.Class {
	out := []floor.Class{}
	for range g.rng.IntN(4) {
		out = append(out, g.class())
	}
	return out
}

func (g *drawing) floors() map[floor.Class]int64 {
	out := map[floor.Class]int64{}
	for range g.rng.IntN(3) {
		out[g.class()] = []int64{0, 1, 333, 334, 500, 666, 667, 1000}[g.rng.IntN(8)]
	}
	return out
}

func (g *drawing) status() floor.SummaryStatus {
	if g.oneIn(8) {
		return []floor.SummaryStatus{floor.StatusError, floor.StatusRefused, floor.StatusPartial, floor.StatusOpaque}[g.rng.IntN(4)]
	}
	return []floor.SummaryStatus{"", floor.StatusOK}[g.rng.IntN(2)]
}

func (g *drawing) element() floor.Element {
	for {
		e := floor.Element{Class: g.class(), Forms: []string{g.text(2)}, Match: []floor.Match{"", floor.Folded, floor.Exact}[g.rng.IntN(3)]}
		if g.oneIn(3) {
			e.Forms = append(e.Forms, g.text(3))
		}
		if g.oneIn(4) {
			e.Inverted = []string{g.text(3)}
		}
		if !oracleTwice(e) {
			g.elements++
			e.ID = fmt.Sprint("x", g.elements)
			return e
		}
	}
}

// span is an original, or a summary with or without a lineage.
func (g *drawing) span() floor.Span {
	g.spans++
	s := floor.Span{ID: fmt.Sprint("s", g.spans), Kind: floor.KindMessage, Role: floor.User, Tokens: int64(g.rng.IntN(12)), Text: g.text(5)}
	if !g.oneIn(8) {
		s.Elements = []floor.Element{}
		for range g.rng.IntN(4) {
			s.Elements = append(s.Elements, g.element())
		}
	}
	if !g.oneIn(4) {
		return s
	}
	s.Kind = floor.KindSummary
	for i := range s.Elements {
		if g.oneIn(4) {
			s.Elements[i].Lost = new(g.oneIn(2))
		}
	}
	if g.oneIn(6) {
		return s
	}
	l := &floor.Lineage{Generation: 1 + int64(g.rng.IntN(3)), AncestryCertified: !g.oneIn(6), Decision: floor.Certified, Effective: []floor.Fidelity{}}
	if g.oneIn(6) {
		l.Decision = floor.Provisional
	}
	for _, class := range someClasses {
		if g.oneIn(6) {
			continue
		}
		f := floor.Fidelity{Class: class}
		for _, e := range s.Elements {
			if e.Class == class {
				f.Total++
				if !isLost(&e) {
					f.Retained++
				}
			}
		}
		if s.Elements == nil {
			f.Total, f.Retained = 3, int64(g.rng.IntN(4))
		}
		l.Effective = append(l.Effective, f)
	}
	s.Lineage = l
	return s
}

// compactIn has summaries that tend to say what their spans do.
func (g *drawing) compactIn() *floor.CompactIn {
	in := &floor.CompactIn{Required: g.classes(), Known: append(g.classes(), g.classes()...), FloorsPermille: g.floors()}
	if !g.oneIn(4) {
		in.Known = someClasses
	}
	in.Conditions = floor.Conditions{
		SourceRecoverable: g.oneIn(3), ConsumerStrict: g.oneIn(2), ChainingRisk: g.oneIn(2), SideEffectCostExceedsRefusal: g.oneIn(2),
	}
	for range g.rng.IntN(6) {
		in.Spans = append(in.Spans, g.span())
	}
	for m := range g.rng.IntN(4) {
		in.Summaries = append(in.Summaries, floor.Summary{ID: fmt.Sprint("m", m), Tokens: int64(g.rng.IntN(8)), Status: g.status()})
	}
	for i := range in.Spans {
		if len(in.Summaries) == 0 || g.oneIn(4) {
			continue
		}
		s := &in.Summaries[g.rng.IntN(len(in.Summaries))]
		s.Of = append(s.Of, in.Spans[i].ID)
		for _, e := range in.Spans[i].Elements {
			if !g.oneIn(8) {
				s.Text += e.Forms[0] + " ; "
			}
		}
	}
	for m := range in.Summaries {
		if s := &in.Summaries[m]; g.oneIn(4) || s.Text == "" {
			s.Text += g.text(4)
		}
	}
	for i := range in.Spans {
		in.BudgetTokens += in.Spans[i].Tokens
	}
	in.BudgetTokens = max(in.BudgetTokens-int64(g.rng.IntN(16)), 0)
	return in
}
