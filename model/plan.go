package model

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// A compaction is what docs/protocol.md says of a compact request: what each
// proposed summary is worth, which spans may go under it, and what is due.
type compaction struct {
	in        *floor.CompactIn
	required  map[floor.Class]bool
	known     map[floor.Class]bool
	guarded   []floor.Class // their floor is above 0; sorted
	unwatched []floor.Class // guarded and not known: nobody looked for their elements; sorted

	spans     []*candidate // in their order
	proposals []*proposal  // in their order
	span      map[string]*candidate
	proposal  map[string]*proposal
	folds     *folder

	whole int64          // tokens of all spans
	due   floor.Decision // where everything fits it is certified, and not judged
	basis floor.Basis    // of a provisional one
}

// A proposal is a summary and what it is worth.
type proposal struct {
	*floor.Summary
	spans  []*candidate // that it is of
	usable bool
	denies string // the id of an element that its text says the opposite of; "" where it is of none
	denied bool   // there is such an element
}

// clean: it can be used, and says the opposite of nothing that is known.
func (p *proposal) clean() bool { return p.usable && !p.denied }

// A candidate is a span of the request, and what would become of it under the
// summary that was proposed for it.
type candidate struct {
	*floor.Span
	place int
	under *proposal // nil where no summary is of it

	now    []Retention      // of each element in the summary's text
	tag    []floor.Fidelity // of each class among its elements: kept over total; sorted by class
	short  []floor.Fidelity // of tag those of guarded classes that are below their floor
	denied *candidate       // another summary span that says the opposite of one of its guarded elements
	mayGo  bool
}

// A plan holds the ids of the spans that go, each under the summary that is of
// it. A summary is used when one of its spans goes.
type plan map[string]bool

func newCompaction(in *floor.CompactIn, p floor.Policy, folds *folder) *compaction {
	c := &compaction{
		in: in, required: setOf(in.Required), known: setOf(in.Known), folds: folds,
		span: make(map[string]*candidate, len(in.Spans)), proposal: make(map[string]*proposal, len(in.Summaries)),
	}
	c.guard()
	for i := range in.Spans {
		span := &candidate{Span: &in.Spans[i], place: i}
		c.spans = append(c.spans, span)
		c.span[span.ID] = span
		c.whole += span.Tokens
	}
	for i := range in.Summaries {
		c.propose(&in.Summaries[i])
	}
	c.findDenials()
	for _, span := range c.spans {
		span.mayGo = c.mayGo(span)
	}
	c.decide(p)
	return c
}

// guard finds the classes with a floor above 0.
func (c *compaction) guard() {
	asked := slices.Clone(c.in.Required)
	for class := range c.in.FloorsPermille {
		asked = append(asked, class) // sorted below
	}
	for _, class := range sortedOnce(asked) {
		if c.floor(class) == 0 {
			continue
		}
		c.guarded = append(c.guarded, class)
		if !c.known[class] {
			c.unwatched = append(c.unwatched, class)
		}
	}
}

// floor is the least fidelity of a class, in permille.
func (c *compaction) floor(class floor.Class) int64 {
	permille, given := c.in.FloorsPermille[class]
	if !given && c.required[class] {
		return floor.MaxPermille
	}
	return permille
}

func (c *compaction) guards(class floor.Class) bool { return c.floor(class) > 0 }

// propose measures what a summary keeps of the elements of its spans.
func (c *compaction) propose(s *floor.Summary) {
	text := c.folds.deliver([]string{s.Text})
	p := &proposal{Summary: s, usable: text.Usable() && came(s.Status)}
	c.proposals = append(c.proposals, p)
	c.proposal[s.ID] = p
	for _, id := range s.Of {
		span := c.span[id]
		span.under = p
		p.spans = append(p.spans, span)
		for _, e := range span.Elements {
			span.now = append(span.now, text.Retention(e))
		}
		span.tag = tally([]*candidate{span})
		for _, f := range span.tag {
			if c.guards(f.Class) && !atFloor(f, c.floor(f.Class)) {
				span.short = append(span.short, f)
			}
		}
	}
}

// keeps tells whether the span's summary keeps an element that was not lost
// before. Once lost stays lost, even if the text names it again.
func (s *candidate) keeps(element int) bool {
	return !wasLost(&s.Elements[element]) && s.now[element] == Retained
}

func wasLost(e *floor.Element) bool { return e.Lost != nil && *e.Lost }

// tally counts, class by class, what the summary keeps of the elements of spans.
func tally(spans []*candidate) []floor.Fidelity {
	counts := map[floor.Class]floor.Fidelity{}
	for _, span := range spans {
		for i, e := range span.Elements {
			f := counts[e.Class]
			f.Total++
			if span.keeps(i) {
				f.Retained++
			}
			counts[e.Class] = f
		}
	}
	entries := []floor.Fidelity{}
	for class, f := range counts {
		entries = append(entries, floor.Fidelity{Class: class, Retained: f.Retained, Total: f.Total})
	}
	slices.SortFunc(entries, byClass)
	return entries
}

// findDenials looks for inverted forms where they must not be: those of any
// element in the summaries that were proposed, and those of guarded elements in
// the summary spans that stand in the context already.
func (c *compaction) findDenials() {
	var proposed, standing []string
	var standers []*candidate
	for _, p := range c.proposals {
		proposed = append(proposed, p.Text)
	}
	for _, span := range c.spans {
		if span.isSummary() {
			standing = append(standing, span.Text)
			standers = append(standers, span)
		}
	}
	inProposed, inStanding := c.folds.deliver(proposed), c.folds.deliver(standing)
	for _, span := range c.spans {
		for _, e := range span.Elements {
			for part := range inProposed.inverting(e) {
				c.proposals[part].denied, c.proposals[part].denies = true, e.ID
			}
			if !c.guards(e.Class) {
				continue
			}
			for part := range inStanding.inverting(e) {
				if standers[part] != span {
					span.denied = standers[part]
				}
			}
		}
	}
}

// mayGo tells whether a span may be evicted under its summary with nothing
// marked.
func (c *compaction) mayGo(s *candidate) bool {
	return s.under != nil && s.under.clean() && s.Elements != nil && len(c.unwatched) == 0 &&
		s.isClean() && len(c.unheld(s)) == 0 && len(s.short) == 0 && s.denied == nil
}

// isSummary: it stands for originals.
func (s *candidate) isSummary() bool { return s.Kind == floor.KindSummary || s.Lineage != nil }

// isClean: it is an original, or a summary whose lineage is there, with a
// certified ancestry and a certified decision.
func (s *candidate) isClean() bool {
	return !s.isSummary() || s.Lineage != nil && s.Lineage.AncestryCertified && s.Lineage.Decision == floor.Certified
}

// generation is 0 of an original, and 1 of a summary that does not say.
func (s *candidate) generation() int64 {
	switch {
	case s.Lineage != nil:
		return s.Lineage.Generation
	case s.isSummary():
		return 1
	}
	return 0
}

// unheld are the guarded classes that the lineage of a summary span does not
// hold; none of one without a lineage, which is not clean to begin with.
func (c *compaction) unheld(s *candidate) (classes []floor.Class) {
	if s.Lineage == nil {
		return nil
	}
	held := heldBy(s.Lineage)
	for _, class := range c.guarded {
		if _, holds := held[class]; !holds {
			classes = append(classes, class)
		}
	}
	return classes
}

// heldBy is what a lineage says of each class; nothing where there is none.
func heldBy(l *floor.Lineage) map[floor.Class]floor.Fidelity {
	held := map[floor.Class]floor.Fidelity{}
	if l != nil {
		for _, f := range l.Effective {
			held[f.Class] = f
		}
	}
	return held
}

// decide says what is due. What fits needs no decision.
func (c *compaction) decide(p floor.Policy) {
	_, sound := c.soundPlan()
	c.due = decision(sound <= c.in.BudgetTokens, c.in.Conditions, p)
	if c.due != floor.Provisional {
		return
	}
	if _, least := c.provisionalPlan(); least > c.in.BudgetTokens {
		c.due = floor.Refuse
		return
	}
	c.basis = floor.BasisHarmless
	if c.in.SourceRecoverable {
		c.basis = floor.BasisRecoverable
	}
}

// tight tells whether anything has to go at all.
func (c *compaction) tight() bool { return c.whole > c.in.BudgetTokens }

// soundPlan is the cheapest plan in which every used summary is clean and every
// span that goes may.
func (c *compaction) soundPlan() (plan, int64) {
	return c.cheapest(func(s *candidate) bool { return s.mayGo })
}

// provisionalPlan is the cheapest plan in which every used summary is usable.
func (c *compaction) provisionalPlan() (plan, int64) {
	return c.cheapest(func(s *candidate) bool { return s.under.usable })
}

// cheapest is found summary by summary: keep all its spans, or use it and keep
// only what does not go. It keeps where both cost the same.
func (c *compaction) cheapest(goes func(s *candidate) bool) (plan, int64) {
	best, cost := plan{}, c.whole
	for _, p := range c.proposals {
		var going []*candidate
		spared := int64(0)
		for _, span := range p.spans {
			if goes(span) {
				going = append(going, span)
				spared += span.Tokens
			}
		}
		if spared <= p.Tokens {
			continue
		}
		for _, span := range going {
			best[span.ID] = true
		}
		cost += p.Tokens - spared
	}
	return best, cost
}

// duePlan is a right plan where no refusal is due.
func (c *compaction) duePlan() plan {
	switch {
	case !c.tight():
		return plan{}
	case c.due == floor.Provisional:
		p, _ := c.provisionalPlan()
		return p
	}
	p, _ := c.soundPlan()
	return p
}

// going are the spans of a summary that a plan evicts.
func (p plan) going(under *proposal) (spans []*candidate) {
	for _, span := range under.spans {
		if p[span.ID] {
			spans = append(spans, span)
		}
	}
	return spans
}
