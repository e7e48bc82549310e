package mutant

import (
	"fmt"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// The words in which the tables of certify and compact write down their
// witnesses. Whatever is not said is plain.

// holding is a message of ten tokens that says its elements.
func holding(id string, elements ...floor.Element) floor.Span {
	s := floor.Span{ID: id, Kind: floor.KindMessage, Role: floor.User, Tokens: 10, Text: "Span " + id + ".", Elements: elements}
	if elements == nil {
		s.Elements = []floor.Element{}
	}
	for _, e := range elements {
		if len(e.Forms) > 0 && !isLost(&e) {
			s.Text += " " + e.Forms[0] + "."
		}
	}
	return s
}

// heir is a summary span of generation 1 that certified every class in classes,
// split at spaces.
func heir(id, held string, elements ...floor.Element) floor.Span {
	s := holding(id, elements...)
	s.Kind, s.Role = floor.KindSummary, floor.Assistant
	s.Lineage = &floor.Lineage{Generation: 1, AncestryCertified: true, Decision: floor.Certified, Effective: []floor.Fidelity{}}
	for _, class := range strings.Fields(held) {
		f := floor.Fidelity{Class: floor.Class(class)}
		for i := range elements {
			if elements[i].Class == f.Class {
				f.Total++
				if !isLost(&elements[i]) {
					f.Retained++
				}
			}
		}
		s.Lineage.Effective = append(s.Lineage.Effective, f)
	}
	return s
}

// with changes a copy of a span.
func with(s floor.Span, changes ...func(*floor.Span)) floor.Span {
	if s.Lineage != nil {
		l := *s.Lineage
		s.Lineage = &l
	}
	for _, change := range changes {
		change(&s)
	}
	return s
}

func unknown(s *floor.Span)                { s.Elements = nil }
func bare(s *floor.Span)                   { s.Lineage = nil }
func tainted(s *floor.Span)                { s.Lineage.AncestryCertified = false }
func undecided(s *floor.Span)              { s.Lineage.Decision = floor.Provisional }
func asPin(s *floor.Span)                  { s.Kind, s.Role = floor.KindPin, floor.System }
func weighing(n int64) func(*floor.Span)   { return func(s *floor.Span) { s.Tokens = n } }
func saying(text string) func(*floor.Span) { return func(s *floor.Span) { s.Text = text } }
func of(generation int64) func(*floor.Span) {
	return func(s *floor.Span) { s.Lineage.Generation = generation }
}

// never is an element of class negation, "never " and the deed.
func never(id, deed string) floor.Element {
	return floor.Element{ID: id, Class: floor.Negation, Forms: []string{"never " + deed}, Inverted: []string{deed}}
}

// id is an identifier, to the letter.
func id(id, value string) floor.Element {
	return floor.Element{ID: id, Class: floor.Identifier, Forms: []string{value}, Match: floor.Exact}
}

// stating is an element of class status; what stands after the first form are
// its inverted forms.
func stating(id, form string, inverted ...string) floor.Element {
	return floor.Element{ID: id, Class: floor.Status, Forms: []string{form}, Inverted: inverted}
}

// formed has these forms instead.
func formed(e floor.Element, forms ...string) floor.Element {
	e.Forms = forms
	return e
}

func ofClass(class floor.Class, e floor.Element) floor.Element {
	e.Class = class
	return e
}

// gone was lost before.
func gone(e floor.Element) floor.Element {
	lost := true
	e.Lost = &lost
	return e
}

// delivering asks which classes, split at spaces, a text keeps.
func delivering(text, required string, changes ...func(*floor.CertifyIn)) floor.Request {
	in := &floor.CertifyIn{Source: []floor.Span{}, Output: floor.Delivery{Text: text}, Required: list(required)}
	for _, change := range changes {
		change(in)
	}
	return floor.Request{Op: floor.OpCertify, Certify: in}
}

// from are the spans.
func from(spans ...floor.Span) func(*floor.CertifyIn) {
	return func(in *floor.CertifyIn) { in.Source = spans }
}

// about is one span with these elements.
func about(elements ...floor.Element) func(*floor.CertifyIn) { return from(holding("s1", elements...)) }

func pinned(pins ...string) func(*floor.CertifyIn) {
	return func(in *floor.CertifyIn) { in.Output.Pins = pins }
}

func arriving(status floor.SummaryStatus) func(*floor.CertifyIn) {
	return func(in *floor.CertifyIn) { in.Output.Status = status }
}

func strangers(decoys ...floor.Element) func(*floor.CertifyIn) {
	return func(in *floor.CertifyIn) { in.Decoys = decoys }
}

func floored(class floor.Class, permille int64) func(*floor.CertifyIn) {
	return func(in *floor.CertifyIn) { in.FloorsPermille = putFloor(in.FloorsPermille, class, permille) }
}

func putFloor(floors map[floor.Class]int64, class floor.Class, permille int64) map[floor.Class]int64 {
	if floors == nil {
		floors = map[floor.Class]int64{}
	}
	floors[class] = permille
	return floors
}

// summing is a summary of two tokens, of spans whose ids are split at spaces.
func summing(id, spans, text string, changes ...func(*floor.Summary)) floor.Summary {
	m := floor.Summary{ID: id, Of: strings.Fields(spans), Text: text, Tokens: 2}
	if spans == "" {
		m.Of = []string{}
	}
	for _, change := range changes {
		change(&m)
	}
	return m
}

func arrived(status floor.SummaryStatus) func(*floor.Summary) {
	return func(m *floor.Summary) { m.Status = status }
}

func costing(n int64) func(*floor.Summary) { return func(m *floor.Summary) { m.Tokens = n } }

// squeezing asks to fit spans into a budget; summaries are proposed, everything
// required is known, and what is not certified is refused. Classes are split at
// spaces.
func squeezing(budget int64, required string, changes ...func(*floor.CompactIn)) floor.Request {
	in := &floor.CompactIn{
		Spans: []floor.Span{}, Required: list(required), Known: list(required), BudgetTokens: budget,
		Conditions: conditions("scx"), Summaries: []floor.Summary{},
	}
	for _, change := range changes {
		change(in)
	}
	return floor.Request{Op: floor.OpCompact, Compact: in}
}

func spans(spans ...floor.Span) func(*floor.CompactIn) {
	return func(in *floor.CompactIn) { in.Spans = spans }
}

func summaries(summaries ...floor.Summary) func(*floor.CompactIn) {
	return func(in *floor.CompactIn) { in.Summaries = summaries }
}

func knowing(classes string) func(*floor.CompactIn) {
	return func(in *floor.CompactIn) { in.Known = list(classes) }
}

func guarding(class floor.Class, permille int64) func(*floor.CompactIn) {
	return func(in *floor.CompactIn) { in.FloorsPermille = putFloor(in.FloorsPermille, class, permille) }
}

// provided sets the conditions by their letters.
func provided(letters string) func(*floor.CompactIn) {
	return func(in *floor.CompactIn) { in.Conditions = conditions(letters) }
}

func carrying(r floor.Riders) func(*floor.CompactIn) {
	return func(in *floor.CompactIn) { in.Riders = &r }
}

// many are so many elements.
func many(n int, one func(id, word string) floor.Element) (out []floor.Element) {
	for i := range n {
		out = append(out, one(fmt.Sprintf("x%d", i+1), fmt.Sprintf("N-%02d", i+1)))
	}
	return out
}

// saidOf is a text that says the first form of each.
func saidOf(elements ...floor.Element) string {
	var texts []string
	for _, e := range elements {
		texts = append(texts, e.Forms[0])
	}
	return strings.Join(texts, ", ")
}
