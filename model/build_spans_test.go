package model

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// Words to build certify and compact cases with.

// An element of the tests is of its class in what it is called: i1 is an
// identifier, q1 a quantity, n1 a negation, d1 of a class nobody heard of.
func element(id string) floor.Element {
	switch id[0] {
	case 'i':
		return floor.Element{ID: id, Class: floor.Identifier, Forms: []string{"db-" + id}, Match: floor.Exact}
	case 'q':
		return floor.Element{ID: id, Class: floor.Quantity, Forms: []string{id + " ms"}, Match: floor.Exact}
	case 'n':
		return floor.Element{
			ID: id, Class: floor.Negation, Forms: []string{"do not drop " + id, "never drop " + id}, Inverted: []string{"drop " + id},
		}
	}
	return floor.Element{ID: id, Class: "dream", Forms: []string{"dream " + id}, Inverted: []string{"no dream " + id}}
}

func elements(ids ...string) []floor.Element {
	out := []floor.Element{}
	for _, id := range ids {
		out = append(out, element(id))
	}
	return out
}

// keeping says what keeps each of these elements, and opposing what denies it.
func keeping(ids ...string) string {
	var told []string
	for _, e := range elements(ids...) {
		told = append(told, e.Forms[0])
	}
	return strings.Join(told, ". ")
}

func opposing(id string) string { return element(id).Inverted[0] }

// original is a message of so many tokens that holds these elements.
func original(id string, tokens int64, ids ...string) floor.Span {
	return floor.Span{
		ID: id, Kind: floor.KindMessage, Role: floor.User, Tokens: tokens,
		Text: "Note " + id + ". " + keeping(ids...), Elements: elements(ids...),
	}
}

// unknowing is an original whose elements are not known.
func unknowing(id string, tokens int64) floor.Span {
	s := original(id, tokens)
	s.Elements = nil
	return s
}

// older is a summary of an earlier event, certified through and through. Those
// of its elements that begin with - are lost.
func older(id string, tokens int64, ids ...string) floor.Span {
	s := floor.Span{ID: id, Kind: floor.KindSummary, Role: floor.Assistant, Tokens: tokens, Elements: []floor.Element{}}
	var kept []string
	for _, name := range ids {
		name, gone := strings.CutPrefix(name, "-")
		e := element(name)
		if gone {
			e.Lost = &gone
		} else {
			kept = append(kept, name)
		}
		s.Elements = append(s.Elements, e)
	}
	s.Text = "Earlier " + id + ". " + keeping(kept...)
	return certifiedBefore(s, floor.Identifier, floor.Quantity, floor.Negation)
}

// certifiedBefore gives a span a certified lineage of these classes.
func certifiedBefore(s floor.Span, of ...floor.Class) floor.Span {
	s.Lineage = &floor.Lineage{Generation: 1, AncestryCertified: true, Decision: floor.Certified, Effective: []floor.Fidelity{}}
	for _, class := range of {
		f := floor.Fidelity{Class: class}
		for i := range s.Elements {
			if e := &s.Elements[i]; e.Class == class {
				f.Total++
				if !wasLost(e) {
					f.Retained++
				}
			}
		}
		s.Lineage.Effective = append(s.Lineage.Effective, f)
	}
	return s
}

func tainted(s floor.Span) floor.Span {
	lineage := *s.Lineage
	lineage.Decision = floor.Provisional
	s.Lineage = &lineage
	return s
}

func summary(id string, tokens int64, text string, of ...string) floor.Summary {
	return floor.Summary{ID: id, Tokens: tokens, Text: text, Of: of}
}

// A pack builds a compact case.
type pack struct{ floor.CompactIn }

func packing(budget int64, spans ...floor.Span) *pack {
	return &pack{floor.CompactIn{
		Spans: spans, Required: classes{floor.Negation}, BudgetTokens: budget,
		Known: classes{floor.Identifier, floor.Quantity, floor.Negation, "dream"}, Conditions: harsh,
	}}
}

func (p *pack) proposing(summaries ...floor.Summary) *pack {
	p.Summaries = append(p.Summaries, summaries...)
	return p
}

func (p *pack) requiring(required ...floor.Class) *pack {
	p.Required = required
	return p
}

func (p *pack) under(on floor.Conditions) *pack {
	p.Conditions = on
	return p
}

func (p *pack) floored(class floor.Class, permille int64) *pack {
	p.FloorsPermille = map[floor.Class]int64{class: permille}
	return p
}

func (p *pack) request() floor.Request {
	return floor.Request{Op: floor.OpCompact, Compact: &p.CompactIn}
}
func (p *pack) kase() floor.Case { return caseOf(p.request()) }
func (p *pack) compaction() *compaction {
	return newCompaction(&p.CompactIn, floor.Guard, newFolder())
}

// certifying is a certify case.
func certifying(text string, required classes, source ...floor.Span) floor.Case {
	return certifyCase(floor.CertifyIn{Source: source, Output: floor.Delivery{Text: text}, Required: required})
}

func certifyCase(in floor.CertifyIn) floor.Case {
	return caseOf(floor.Request{Op: floor.OpCertify, Certify: &in})
}

// handMadeSpans are certify and compact cases that put every rule to the test.
func handMadeSpans() []floor.Case {
	all := classes{floor.Identifier, floor.Quantity, floor.Negation}
	source := original("s1", 9, "i1", "i2", "q1", "n1", "n2")
	decoyed := func(text string) floor.Case {
		return certifyCase(floor.CertifyIn{
			Source: []floor.Span{source}, Output: floor.Delivery{Text: text}, Required: all, Decoys: elements("i9", "n9"),
		})
	}
	two := []floor.Span{original("s1", 50, "n1"), original("s2", 50, "n2", "i2")}
	return []floor.Case{
		certifying(keeping("i1", "i2", "q1", "n1", "n2"), all, source),
		certifying(keeping("i1", "q1")+". "+opposing("n1"), all, source),
		certifying("non-db-i1 and 1.q1 ms", all, source),
		certifying("…", all, source),
		certifying("", classes{"dream"}),
		certifying(keeping("n1"), all, source, unknowing("s2", 1)),
		decoyed(keeping("n9", "n1")),
		decoyed(keeping("n1")),
		rawCase(floor.OpCertify, `{}`),
		rawCase(floor.OpCompact, `{}`),

		packing(100, two...).proposing(summary("m1", 9, keeping("n1"), "s1")).kase(),
		packing(60, two...).proposing(summary("m1", 9, keeping("n1"), "s1"), summary("m2", 9, "Nothing.", "s2")).kase(),
		packing(20, two...).proposing(summary("m1", 9, keeping("n1", "n2"), "s1", "s2")).kase(),
		packing(60, two...).proposing(summary("m1", 9, "Nothing.", "s1", "s2")).kase(),
		packing(60, two...).proposing(summary("m1", 9, "Nothing.", "s1", "s2")).under(recoverable).kase(),
		packing(60, two...).proposing(summary("m1", 9, "Nothing.", "s1", "s2")).under(harmless).kase(),
		packing(60, two...).proposing(summary("m1", 9, keeping("n1")+". "+opposing("n2"), "s1")).under(recoverable).kase(),
		packing(60, two...).proposing(floor.Summary{ID: "m1", Of: []string{"s1"}, Text: keeping("n1"), Status: floor.StatusError}).kase(),
		packing(60, two...).proposing(summary("m1", 9, keeping("n1"), "s1")).requiring("unheard").kase(),
		packing(60, two...).under(recoverable).kase(),
		packing(60, unknowing("s1", 50), two[1]).proposing(summary("m1", 9, "Nothing.", "s1")).under(recoverable).kase(),
		packing(60, older("s1", 50, "n1", "-n3"), two[1]).proposing(summary("m1", 9, keeping("n1", "n3"), "s1")).under(recoverable).kase(),
		packing(60, older("s1", 50, "n1", "-i3"), two[1]).proposing(summary("m1", 9, keeping("n1", "i3"), "s1")).kase(),
		packing(60, tainted(older("s1", 50, "n1")), two[1]).proposing(summary("m1", 9, keeping("n1"), "s1")).kase(),
		packing(60, certifiedBefore(older("s1", 50, "n1")), two[1]).proposing(summary("m1", 9, keeping("n1"), "s1")).kase(),
		caseOf(
			packing(60, two...).proposing(summary("m1", 9, keeping("n1"), "s1")).request(),
			packing(60, two...).proposing(summary("m1", 9, "Nothing.", "s1")).request(),
		),
	}
}

// scribbleSpans draws small certify and compact cases, bad ones among them.
func scribbleSpans(rng *rand.Rand) floor.Case {
	c := floor.Case{Policy: []floor.Policy{floor.Guard, floor.Joint}[rng.IntN(2)]}
	certify := rng.IntN(3) == 0
	for range 1 + rng.IntN(4)/3 {
		if certify {
			c.Steps = append(c.Steps, scribbleCertify(rng))
		} else {
			c.Steps = append(c.Steps, scribbleCompact(rng))
		}
	}
	return c
}

// A scribbler draws the parts of one request; no element's id comes twice.
type scribbler struct {
	*rand.Rand
	next  int
	drawn []floor.Element
}

func (s *scribbler) chance(one int) bool { return s.IntN(one) == 0 }

func (s *scribbler) element() floor.Element {
	s.next++
	e := element(fmt.Sprintf("%c%d", "iqnnd"[s.IntN(5)], s.next))
	s.drawn = append(s.drawn, e)
	return e
}

// telling is a text about some elements: most are kept, some turned round.
func (s *scribbler) telling(about []floor.Element, keeps int) string {
	told := []string{"Notes."}
	for _, e := range about {
		switch {
		case s.IntN(10) < keeps:
			form := e.Forms[s.IntN(len(e.Forms))]
			if e.Match != floor.Exact {
				form = strings.ToUpper(form[:1]) + form[1:]
			}
			told = append(told, form+".")
		case len(e.Inverted) > 0 && s.chance(4):
			told = append(told, "We "+e.Inverted[0]+".")
		case e.Match == floor.Exact && s.chance(3):
			told = append(told, "Not non-"+e.Forms[0]+"x.")
		}
	}
	if s.chance(20) {
		return "…"
	}
	return strings.Join(told, " ")
}

func (s *scribbler) span(id string) floor.Span {
	span := floor.Span{ID: id, Kind: floor.KindMessage, Role: floor.User, Tokens: int64(s.IntN(40)), Elements: []floor.Element{}}
	for range s.IntN(4) {
		span.Elements = append(span.Elements, s.element())
	}
	span.Text = "Note " + id + ". " + s.telling(span.Elements, 10)
	if s.chance(3) {
		span = s.olderSpan(span)
	} else if s.chance(12) {
		span.Elements = nil
	}
	return span
}

// olderSpan makes a summary of a span: its lineage agrees with its elements.
func (s *scribbler) olderSpan(span floor.Span) floor.Span {
	span.Kind, span.Role = floor.KindSummary, floor.Assistant
	if s.chance(8) {
		return span // without a lineage
	}
	for i := range span.Elements {
		if gone := s.chance(2); s.chance(2) {
			span.Elements[i].Lost = &gone
		}
	}
	span.Text = "Earlier " + span.ID + ". " + s.telling(span.Elements, 9)
	var held classes
	for _, class := range (classes{floor.Identifier, floor.Quantity, floor.Negation, "dream"}) {
		if !s.chance(8) {
			held = append(held, class)
		}
	}
	span = certifiedBefore(span, held...)
	span.Lineage.Generation = int64(s.IntN(3))
	span.Lineage.AncestryCertified = !s.chance(8)
	if s.chance(8) {
		span.Lineage.Decision = floor.Provisional
	}
	if s.chance(10) {
		span.Kind = floor.KindPin
	}
	if s.chance(12) {
		span.Elements = nil
	}
	return span
}

func (s *scribbler) required() classes {
	if s.chance(8) {
		return classes{}
	}
	return scribbleClasses(s.Rand)
}

func (s *scribbler) floors() map[floor.Class]int64 {
	if !s.chance(3) {
		return nil
	}
	all := classes{floor.Identifier, floor.Quantity, floor.Negation, "dream"}
	return map[floor.Class]int64{all[s.IntN(4)]: []int64{0, 1, 333, 500, 667, 1000}[s.IntN(6)]}
}

func (s *scribbler) status() floor.SummaryStatus {
	if s.chance(8) {
		return statuses[s.IntN(len(statuses))]
	}
	return ""
}

func scribbleCertify(rng *rand.Rand) floor.Request {
	s := &scribbler{Rand: rng}
	in := &floor.CertifyIn{Required: s.required(), FloorsPermille: s.floors()}
	for i := range s.IntN(4) {
		in.Source = append(in.Source, s.span(fmt.Sprintf("s%d", i)))
	}
	in.Output = floor.Delivery{Text: s.telling(s.drawn, 8), Status: s.status()}
	if s.chance(3) && len(s.drawn) > 0 {
		in.Output.Pins = append(in.Output.Pins, s.drawn[s.IntN(len(s.drawn))].Forms[0], "Pinned.")
	}
	if s.chance(2) {
		for range 1 + s.IntN(2) {
			in.Decoys = append(in.Decoys, s.element())
		}
		in.Output.Text += " " + s.telling(in.Decoys, 4)
	}
	if s.chance(6) {
		s.spoil(in.Source, &in.FloorsPermille)
	}
	return floor.Request{Op: floor.OpCertify, Certify: in}
}

func scribbleCompact(rng *rand.Rand) floor.Request {
	s := &scribbler{Rand: rng}
	in := &floor.CompactIn{
		Required: s.required(), FloorsPermille: s.floors(), Conditions: scribbleFlags(rng),
		Known: classes{floor.Identifier, floor.Quantity, floor.Negation, "dream"},
	}
	if s.chance(6) {
		in.Known = in.Known[s.IntN(4):]
	}
	for i := range s.IntN(6) {
		in.Spans = append(in.Spans, s.span(fmt.Sprintf("s%d", i)))
	}
	s.propose(in)
	c := newCompaction(in, floor.Guard, newFolder())
	_, sound := c.soundPlan()
	_, provisional := c.provisionalPlan()
	in.BudgetTokens = []int64{
		sound, sound, max(0, sound-1), max(0, sound-1), provisional, provisional, max(0, provisional-1), c.whole, s.Int64N(c.whole + 1),
	}[s.IntN(9)]
	if s.chance(5) {
		in.Riders = &floor.Riders{FluencyPermille: new(int64(999))}
	}
	if s.chance(10) {
		s.spoil(in.Spans, &in.FloorsPermille)
	}
	return floor.Request{Op: floor.OpCompact, Compact: in}
}

// propose draws summaries of some of the spans.
func (s *scribbler) propose(in *floor.CompactIn) {
	free := s.Perm(len(in.Spans))
	for i := range 1 + s.IntN(3) {
		m := floor.Summary{ID: fmt.Sprintf("m%d", i), Tokens: int64(s.IntN(20)), Status: s.status()}
		var about []floor.Element
		for range s.IntN(5) {
			if len(free) > 0 {
				m.Of = append(m.Of, in.Spans[free[0]].ID)
				about = append(about, in.Spans[free[0]].Elements...)
				free = free[1:]
			}
		}
		if s.chance(6) {
			about = append(about, s.drawn...)
		}
		m.Text = s.telling(about, 9)
		in.Summaries = append(in.Summaries, m)
	}
}

// spoil makes a bad request of one, in one of the ways that the words can spell.
func (s *scribbler) spoil(spans []floor.Span, floors *map[floor.Class]int64) {
	if len(spans) == 0 || s.chance(5) {
		*floors = map[floor.Class]int64{floor.Negation: 1001}
		return
	}
	span := &spans[s.IntN(len(spans))]
	switch {
	case s.chance(4):
		span.Tokens = -1
	case s.chance(4):
		span.Kind = "thought"
	case s.chance(2) && len(span.Elements) > 0:
		e := &span.Elements[0]
		e.Inverted = append(append([]string{}, e.Inverted...), " "+strings.ReplaceAll(e.Forms[0], " ", "\t"))
	case span.Lineage == nil && len(span.Elements) > 0 && span.Kind != floor.KindSummary:
		span.Elements[0].Lost = new(bool)
	default:
		span.Lineage = &floor.Lineage{Generation: -1, Decision: floor.Certified}
	}
}
