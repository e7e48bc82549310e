package gen

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// mostSummaries bounds the summaries that are proposed.
const mostSummaries = 4

// Compact draws a well-formed compact request, and sometimes the same under other
// conditions before it. Summary spans are such as events before it would have
// left, of events that certified and of others: so one step is a history.
func Compact(s *Source, l Limits) floor.Case {
	c := drawCompaction(s, false)
	in := c.request()
	steps := append(c.earlier(in), floor.Request{Op: floor.OpCompact, Compact: in})
	return floor.Case{Policy: l.Policy, Steps: steps}
}

// A compaction is a compact request that is being drawn.
type compaction struct {
	*sketch
	proposals []*proposal
	demand    demand
	floors    []floorChoice
	slip      int
	gone      int
	scale     int
	budget    budgetChoice
}

// A proposal is a summary that is being drawn.
type proposal struct {
	status     int
	degenerate int
	lead       int
	size, few  int // of its tokens
	turned     bool
	stray      stray

	id     string
	of     []*stretch
	tokens int64
	prose  *prose
}

func (p *proposal) usable() bool {
	return p.status < 2 && p.degenerate == 0 && len(p.prose.parts) > 0
}

func drawCompaction(s *Source, brief bool) *compaction {
	c := &compaction{sketch: newSketch(s, brief)}
	c.drawSpans(func(st *stretch) { st.under = s.Weighted("under", 2, 7, 2, 1) }, func(*element) {})
	summary := func(int) bool {
		c.proposals = append(c.proposals, &proposal{
			id:         c.names.name("m", len(c.proposals)+1),
			status:     s.Weighted("status", statusWeights...),
			degenerate: s.Weighted("degenerate", degenerateWeights...),
			lead:       s.Weighted("lead", leadWeights...),
			size:       s.Weighted("summary tokens", 20, 2, 2, 1, 3),
			few:        s.Choose(9, "few tokens"),
			turned:     s.Weighted("of", 7, 1) == 1,
			stray:      drawStray(s),
		})
		return true
	}
	s.mostly("a first summary", func() { summary(0) })
	s.list(0, c.most(mostSummaries)-1, 3, "another summary", summary)
	c.demand = c.drawClasses()
	c.floors = c.drawFloors()
	c.slip, c.gone = s.Weighted("slip", 16, 3, 3, 2, 2, 2, 3, 2, 3, 3, 3), s.Choose(mostSpans*mostElements, "missing")
	if c.scale = s.Weighted("token scale", 14, 1, 1, 1); brief {
		c.scale = 0
	}
	c.budget = drawBudget(s)
	return c
}

// The slips: what alone keeps a plan from being sound.
const (
	slipElement   = iota // one element is not kept
	slipUnknown          // a span's elements are not known
	slipClass            // a required class is not known
	slipLineage          // a summary span has no lineage,
	slipAncestry         // or no certified ancestry,
	slipDecision         // or was made by an event that did not certify,
	slipEffective        // or does not hold a required class
	slipUsable           // a summary is not usable
	slipClean            // a summary says the opposite of something else
	slipStanding         // a summary that stands already says it
	slipLost             // what was lost is named again
)

// settle bends what was drawn freely to what the pressure wants.
func (c *compaction) settle() {
	for _, st := range c.spans {
		if st.under = min(st.under, len(c.proposals)); st.under > 0 {
			p := c.proposals[st.under-1]
			p.of = append(p.of, st)
		} else if h := st.heritage; h != nil && h.generation == floor.MaxGeneration-1 {
			h.generation++ // the very last, of which there can be no summary
		}
	}
	for _, p := range c.proposals {
		if p.turned {
			slices.Reverse(p.of)
		}
	}
	if c.pressure == apart {
		return
	}
	drawn := make([]fate, len(c.elements))
	for i, e := range c.elements {
		drawn[i], e.mention.fate = e.mention.fate, kept
		if e.lost() && slices.Contains(c.demand.required, e.Class) {
			e.Lost = nil
		}
	}
	for _, st := range c.spans {
		h := st.heritage
		if st.under == 0 { // it stays: what is wrong with it shows in the contract alone
			if h != nil {
				st.stray.fate = unsaid
			}
			continue
		}
		st.unknown, st.stray.fate = false, unsaid
		if h != nil {
			h.missing, h.uncertified, h.provisional, h.gap = false, false, false, noGap
		}
	}
	for _, p := range c.proposals {
		p.status, p.degenerate, p.stray.fate = min(p.status, 1), 0, unsaid
	}
	if c.pressure == nearMiss {
		c.miss(drawn)
	}
}

// miss makes the one slip. Where there is nothing to make it on there is none.
func (c *compaction) miss(drawn []fate) {
	at, of := c.needed()
	if at == nil {
		return
	}
	switch c.slip {
	case slipUnknown:
		at.unknown = true
	case slipClass:
		c.forget(of)
	case slipLineage, slipAncestry, slipDecision, slipEffective:
		h := c.inherited(at)
		h.missing = c.slip == slipLineage && at.kind == floor.KindSummary
		h.uncertified = c.slip == slipAncestry
		h.provisional = c.slip == slipDecision
		if c.slip == slipEffective {
			h.gap, h.gone = oneGone, c.gone%len(c.theme)
		}
	case slipUsable:
		p := c.proposals[at.under-1]
		if p.status = 2 + c.gone%4; c.gone%3 == 0 {
			p.status, p.degenerate = 0, 1+c.gone%len(degenerates)
		}
	case slipClean:
		c.proposals[at.under-1].stray = stray{voided, c.gone + 1}
	case slipStanding:
		if other := c.beside(at); other != nil && of != nil {
			c.inherited(other)
			other.stray = stray{voided, slices.Index(c.elements, of)}
		}
	case slipLost:
		if of != nil {
			c.inherited(at)
			gone := true
			of.Lost = &gone
		}
	default:
		if of == nil {
			at.unknown = true
			return
		}
		if of.mention.fate = drawn[slices.Index(c.elements, of)]; of.mention.fate == kept {
			of.mention.fate = unsaid
		}
	}
}

// needed is a span under a summary, and an element of a required class in it; a
// span alone where no such element is.
func (c *compaction) needed() (at *stretch, of *element) {
	type pair struct {
		*stretch
		*element
	}
	var spans []*stretch
	var all []pair
	for _, st := range c.spans {
		if st.under == 0 {
			continue
		}
		spans = append(spans, st)
		for _, e := range st.elements {
			if slices.Contains(c.demand.required, e.Class) {
				all = append(all, pair{st, e})
			}
		}
	}
	switch {
	case len(all) > 0:
		one := all[c.gone%len(all)]
		return one.stretch, one.element
	case len(spans) > 0:
		return spans[c.gone%len(spans)], nil
	}
	return nil, nil
}

// forget takes a class out of what is known, and puts one in its place that looks
// like it.
func (c *compaction) forget(of *element) {
	class := c.theme[c.gone%len(c.theme)]
	if of != nil {
		class = of.Class
	}
	c.demand.known = slices.DeleteFunc(c.demand.known, func(known floor.Class) bool { return known == class })
	if c.gone%2 == 1 {
		c.demand.known = append(c.demand.known, without(lookAlikes[class], c.demand.known)...)
	}
}

// inherited is the lineage of a summary span; a span that is none becomes one.
func (c *compaction) inherited(st *stretch) *heritage {
	if st.heritage == nil {
		st.kind, st.role = floor.KindSummary, floor.Assistant
		st.heritage = &heritage{generation: 1 + int64(c.gone%3)}
	}
	return st.heritage
}

// beside is another span; nil where there is none.
func (c *compaction) beside(st *stretch) *stretch {
	for i := range c.spans {
		if other := c.spans[(c.gone+i)%len(c.spans)]; other != st {
			return other
		}
	}
	return nil
}

func (c *compaction) request() *floor.CompactIn {
	c.settle()
	for _, st := range c.spans {
		c.tell(st)
	}
	for _, p := range c.proposals {
		c.propose(p)
	}
	c.weigh()
	c.set(&c.demand, c.floors, c.fidelity)
	in := &floor.CompactIn{Spans: make([]floor.Span, 0, len(c.spans)), Summaries: make([]floor.Summary, 0, len(c.proposals))}
	for _, st := range c.spans {
		in.Spans = append(in.Spans, c.span(st))
	}
	for _, p := range c.proposals {
		m := floor.Summary{ID: p.id, Of: make([]string, 0, len(p.of)), Text: p.prose.text(), Tokens: p.tokens, Status: statuses[p.status]}
		if p.degenerate > 0 {
			m.Text = degenerates[p.degenerate-1]
		}
		for _, st := range p.of {
			m.Of = append(m.Of, st.id)
		}
		in.Summaries = append(in.Summaries, m)
	}
	in.FloorsPermille = c.demand.floors
	in.BudgetTokens = c.budgetTokens()
	in.Conditions = eased(c.s)
	in.Required = spelling(c.s, c.demand.required)
	in.Known = spelling(c.s, c.demand.known)
	if c.s.Weighted("riders", 3, 1) == 1 {
		in.Riders = riders(c.s)
	}
	return in
}

// propose writes a summary's text.
func (c *compaction) propose(p *proposal) {
	p.prose = &prose{}
	p.prose.add(leads[p.lead])
	for _, st := range p.of {
		for _, e := range st.elements {
			p.prose.say(e.draft, e.mention)
		}
	}
	c.wander(p.prose, p.stray)
}

// fidelity is the least that is kept of a class in any span under a usable
// summary, for floors that are just at it. It is full where all is kept.
func (c *compaction) fidelity(class floor.Class) fraction {
	least := none
	for _, p := range c.proposals {
		if !p.usable() {
			continue
		}
		for _, st := range p.of {
			if f := p.keeps(st, class); f.total > 0 && (least == none || f.less(least)) {
				least = f
			}
		}
	}
	if least == none {
		return fraction{1, 1}
	}
	return least
}

// keeps is what a summary means to keep of a class of a span.
func (p *proposal) keeps(st *stretch, class floor.Class) (f fraction) {
	for _, e := range st.elements {
		if e.Class == class {
			f.total++
			f.retained += int64(count(!e.lost() && p.prose.retains(e.draft)))
		}
	}
	return f
}

// earlier draws what is asked in the same breath before the case's own request:
// the same context under other conditions and budgets.
func (c *compaction) earlier(in *floor.CompactIn) (steps []floor.Request) {
	if c.brief || c.s.Weighted("before", 11, 1) == 0 {
		return nil
	}
	c.s.Repeat(1, 3, 2, "another before", func(int) bool {
		other := *in
		other.Conditions = eased(c.s)
		switch c.s.Choose(3, "budget before") {
		case 1:
			other.BudgetTokens = 0
		case 2:
			other.BudgetTokens = floor.MaxNumber
		}
		steps = append(steps, floor.Request{Op: floor.OpCompact, Compact: &other})
		return true
	})
	return steps
}
