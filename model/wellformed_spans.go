package model

import (
	"fmt"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// The words that may stand where a word is one of a few. Where a field may be
// absent its absence is no word.
var (
	kinds    = []floor.Kind{floor.KindMessage, floor.KindCall, floor.KindResult, floor.KindSummary, floor.KindPin}
	matches  = []floor.Match{floor.Folded, floor.Exact}
	statuses = []floor.SummaryStatus{floor.StatusOK, floor.StatusError, floor.StatusRefused, floor.StatusPartial, floor.StatusOpaque}
	makers   = []floor.Decision{floor.Certified, floor.Provisional} // of summaries: a refused event makes none
)

// readCertify is what a certify request says, or where it is wrong.
func readCertify(r floor.Request, folds *folder) (in *floor.CertifyIn, wrong string) {
	in = r.Certify
	if r.Raw != nil {
		c, root := criticize(r.Raw)
		if in, wrong = c.certifyIn(root), c.wrong; wrong != "" {
			return nil, wrong
		}
	}
	if in == nil {
		return nil, "in"
	}
	if wrong = faultOfCertify(in, folds); wrong != "" {
		return nil, wrong
	}
	return in, ""
}

// readCompact is what a compact request says, or where it is wrong.
func readCompact(r floor.Request, folds *folder) (in *floor.CompactIn, wrong string) {
	in = r.Compact
	if r.Raw != nil {
		c, root := criticize(r.Raw)
		if in, wrong = c.compactIn(root), c.wrong; wrong != "" {
			return nil, wrong
		}
	}
	if in == nil {
		return nil, "in"
	}
	if wrong = faultOfCompact(in, folds); wrong != "" {
		return nil, wrong
	}
	return in, ""
}

// An inspector goes through the spans of one request. It remembers the ids of
// elements, which are used once in all of them together.
type inspector struct {
	folds    *folder
	spans    map[string]*floor.Span
	elements map[string]bool
}

func newInspector(folds *folder) *inspector {
	return &inspector{folds: folds, spans: map[string]*floor.Span{}, elements: map[string]bool{}}
}

// faultOfCertify is where a value is out of its range, or at odds with another;
// "" when none is.
func faultOfCertify(in *floor.CertifyIn, folds *folder) string {
	i := newInspector(folds)
	if fault := i.faultOfSpans(in.Source); fault != "" {
		return "in.source" + fault
	}
	if in.Output.Status != "" && !slices.Contains(statuses, in.Output.Status) {
		return "in.output.status"
	}
	if !properFloors(in.FloorsPermille) {
		return "in.floors_permille"
	}
	for j := range in.Decoys {
		if fault := i.faultOfElement(&in.Decoys[j], false); fault != "" {
			return fmt.Sprintf("in.decoys[%d]%s", j, fault)
		}
	}
	return ""
}

func faultOfCompact(in *floor.CompactIn, folds *folder) string {
	i := newInspector(folds)
	if fault := i.faultOfSpans(in.Spans); fault != "" {
		return "in.spans" + fault
	}
	if !properFloors(in.FloorsPermille) {
		return "in.floors_permille"
	}
	if !inRange(in.BudgetTokens) {
		return "in.budget_tokens"
	}
	sum := int64(0)
	for j := range in.Spans {
		if sum += in.Spans[j].Tokens; sum > floor.MaxNumber {
			return "in.spans"
		}
	}
	ids, covered := map[string]bool{}, map[string]bool{}
	for j := range in.Summaries {
		s := &in.Summaries[j]
		fault := ""
		switch {
		case ids[s.ID]:
			fault = ".id"
		case !inRange(s.Tokens):
			fault = ".tokens"
		case s.Status != "" && !slices.Contains(statuses, s.Status):
			fault = ".status"
		default:
			fault = i.faultOfCover(s.Of, covered)
		}
		if fault != "" {
			return fmt.Sprintf("in.summaries[%d]%s", j, fault)
		}
		ids[s.ID] = true
		if sum += s.Tokens; sum > floor.MaxNumber {
			return "in.summaries"
		}
	}
	return faultOfRiders(in.Riders)
}

// faultOfCover is where a summary is of a span that is none, or in a summary
// already, or of a generation that no summary can follow.
func (i *inspector) faultOfCover(of []string, covered map[string]bool) string {
	for j, id := range of {
		span := i.spans[id]
		if span == nil || covered[id] || span.Lineage != nil && span.Lineage.Generation == floor.MaxGeneration {
			return fmt.Sprintf(".of[%d]", j)
		}
		covered[id] = true
	}
	return ""
}

func inRange(tokens int64) bool { return 0 <= tokens && tokens <= floor.MaxNumber }

// faultOfSpans is where spans are wrong, from "[0]" on.
func (i *inspector) faultOfSpans(spans []floor.Span) string {
	for j := range spans {
		if fault := i.faultOfSpan(&spans[j]); fault != "" {
			return fmt.Sprintf("[%d]%s", j, fault)
		}
	}
	return ""
}

func (i *inspector) faultOfSpan(s *floor.Span) string {
	switch {
	case i.spans[s.ID] != nil:
		return ".id"
	case !slices.Contains(kinds, s.Kind):
		return ".kind"
	case !inRange(s.Tokens):
		return ".tokens"
	}
	i.spans[s.ID] = s
	for j := range s.Elements {
		if fault := i.faultOfElement(&s.Elements[j], s.Kind == floor.KindSummary || s.Lineage != nil); fault != "" {
			return fmt.Sprintf(".elements[%d]%s", j, fault)
		}
	}
	if s.Lineage == nil {
		return ""
	}
	return faultOfLineage(s)
}

// faultOfElement wants an id of its own, lost on the elements of summary spans
// alone, and no phrase that is a form and an inverted form.
func (i *inspector) faultOfElement(e *floor.Element, ofSummary bool) string {
	switch {
	case i.elements[e.ID]:
		return ".id"
	case e.Match != "" && !slices.Contains(matches, e.Match):
		return ".match"
	case e.Lost != nil && !ofSummary:
		return ".lost"
	}
	i.elements[e.ID] = true
	for j, inverted := range e.Inverted {
		inverted = i.folds.fold(inverted, e.Match)
		if slices.ContainsFunc(e.Forms, func(form string) bool { return i.folds.fold(form, e.Match) == inverted }) {
			return fmt.Sprintf(".inverted_forms[%d]", j)
		}
	}
	return ""
}

// faultOfLineage wants what is effective to be what the span's elements say,
// where they are known.
func faultOfLineage(s *floor.Span) string {
	l := s.Lineage
	switch {
	case l.Generation < 0 || l.Generation > floor.MaxGeneration:
		return ".lineage.generation"
	case !slices.Contains(makers, l.Decision):
		return ".lineage.decision"
	case !properCertificate(l.Effective):
		return ".lineage.effective"
	case s.Elements == nil:
		return ""
	}
	total, kept := map[floor.Class]int64{}, map[floor.Class]int64{}
	for i := range s.Elements {
		class := s.Elements[i].Class
		total[class]++
		if !wasLost(&s.Elements[i]) {
			kept[class]++
		}
	}
	for i, f := range l.Effective {
		if f.Total != total[f.Class] || f.Retained != kept[f.Class] {
			return fmt.Sprintf(".lineage.effective[%d]", i)
		}
	}
	return ""
}

func (c *critic) certifyIn(root spot) *floor.CertifyIn {
	c.object(root)
	in := &floor.CertifyIn{Source: c.spans(root.field("source"))}
	output := root.field("output")
	c.object(output)
	in.Output.Text = c.text(output.field("text"))
	if pins := output.field("pins"); pins.there {
		in.Output.Pins = listOf[string](c, pins)
	}
	in.Output.Status = optional(c, output.field("status"), statuses)
	in.Required = listOf[floor.Class](c, root.field("required_classes"))
	if floors := root.field("floors_permille"); floors.there {
		in.FloorsPermille = c.floors(floors)
	}
	if decoys := root.field("decoys"); decoys.there {
		in.Decoys = c.elements(decoys)
	}
	return in
}

func (c *critic) compactIn(root spot) *floor.CompactIn {
	c.object(root)
	in := &floor.CompactIn{
		Spans:      c.spans(root.field("spans")),
		Required:   listOf[floor.Class](c, root.field("required_classes")),
		Known:      listOf[floor.Class](c, root.field("known_classes")),
		Conditions: c.conditions(root),
		Summaries:  []floor.Summary{},
	}
	if floors := root.field("floors_permille"); floors.there {
		in.FloorsPermille = c.floors(floors)
	}
	in.BudgetTokens = c.number(root.field("budget_tokens"))
	for _, at := range c.items(root.field("summaries")) {
		c.object(at)
		in.Summaries = append(in.Summaries, floor.Summary{
			ID:     c.text(at.field("id")),
			Of:     listOf[string](c, at.field("of")),
			Text:   c.text(at.field("text")),
			Tokens: c.number(at.field("tokens")),
			Status: optional(c, at.field("status"), statuses),
		})
	}
	if riders := root.field("riders"); riders.there {
		c.object(riders)
		in.Riders = ridersAt(riders)
	}
	return in
}

func (c *critic) spans(at spot) []floor.Span {
	spans := []floor.Span{}
	for _, at := range c.items(at) {
		c.object(at)
		s := floor.Span{
			ID:     c.text(at.field("id")),
			Kind:   oneOf(c, at.field("kind"), kinds),
			Role:   floor.Role(c.text(at.field("role"))), // any: it is the runtime's own word
			Tokens: c.number(at.field("tokens")),
			Text:   c.text(at.field("text")),
		}
		if elements := at.field("elements"); elements.there {
			s.Elements = c.elements(elements)
		}
		if lineage := at.field("lineage"); lineage.there {
			s.Lineage = c.lineage(lineage)
		}
		spans = append(spans, s)
	}
	return spans
}

func (c *critic) elements(at spot) []floor.Element {
	elements := []floor.Element{}
	for _, at := range c.items(at) {
		c.object(at)
		e := floor.Element{
			ID:    c.text(at.field("id")),
			Class: floor.Class(c.text(at.field("class"))),
			Forms: listOf[string](c, at.field("forms")),
			Match: optional(c, at.field("match"), matches),
		}
		if inverted := at.field("inverted_forms"); inverted.there {
			e.Inverted = listOf[string](c, inverted)
		}
		if lost := at.field("lost"); lost.there {
			is := c.truth(lost)
			e.Lost = &is
		}
		elements = append(elements, e)
	}
	return elements
}

// lineage keeps the fields that are judged.
func (c *critic) lineage(at spot) *floor.Lineage {
	c.object(at)
	return &floor.Lineage{
		Generation:        c.number(at.field("generation")),
		AncestryCertified: c.truth(at.field("ancestry_certified")),
		Decision:          oneOf(c, at.field("decision"), makers),
		Effective:         c.certificate(at.field("effective")),
	}
}

// oneOf is one of a few words.
func oneOf[T ~string](c *critic, at spot, words []T) T {
	word := T(c.text(at))
	c.demand(slices.Contains(words, word), at)
	return word
}

// optional is one of a few words, where it stands at all.
func optional[T ~string](c *critic, at spot, words []T) T {
	if !at.there {
		return ""
	}
	return oneOf(c, at, words)
}
