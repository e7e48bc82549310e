package engine

import (
	"maps"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// The ways on from a refusal.
const (
	RaiseBudget = "raise_budget"
	SplitTask   = "split_task"
	Retrieve    = "retrieve" // offered only where the originals can be read again
	Checkpoint  = "checkpoint"
	Human       = "human"
)

// CompactSpans fits spans into a budget with the summaries that are proposed for
// them, or refuses (rule 2b). The error, a *floor.BadRequest, is that of floor's
// Validate, or names a phrase that is in both lists of an element.
//
// Where the rule leaves a choice it takes the plainest: of the sound plans the
// cheapest, else of the provisional ones the cheapest, which uses every usable
// summary that is shorter than what it stands for; a summary that saves nothing
// is not used; under a used one goes whatever may. A summary stands where the
// first span stood that it replaces. Classes come sorted, ids in the order of
// the request, and a refusal has all its lists. A no-op says certified.
func CompactSpans(in *floor.CompactIn, p floor.Policy) (floor.CompactOut, error) {
	if err := in.Validate(); err != nil {
		return floor.CompactOut{}, err
	}
	elements, err := elementsOf("in.spans", in.Spans, nil)
	if err != nil {
		return floor.CompactOut{}, err
	}
	c := &compaction{in: in, elements: elements, reader: elements.reader()}
	defer c.reader.done()
	c.lookUp()
	if all := c.keepEverything(); all.cost <= in.BudgetTokens {
		return c.deliver(all, Certified), nil
	}
	c.measure()
	sound := c.plan(c.clean, c.mayGo)
	if sound.cost <= in.BudgetTokens {
		return c.deliver(sound, Certified), nil
	}
	decision := ForPolicy(p).Decide(1, 0, FlagsOf(in.Conditions, true))
	if decision == Provisional {
		if marked := c.plan(c.usable, func(int) bool { return true }); marked.cost <= in.BudgetTokens {
			return c.deliver(marked, Provisional), nil
		}
	}
	return c.refuse(sound.cost - in.BudgetTokens), nil
}

// A compaction is one request, with what was measured of it.
type compaction struct {
	in       *floor.CompactIn
	elements *Elements
	reader   *reader

	first     []int   // by span: where its elements begin among all
	spanOf    []int   // by element
	summaryOf []int   // by span: the summary that is proposed for it, or -1
	under     [][]int // by summary: its spans, in their order
	guarded   []floor.Class
	floors    []int64 // of the guarded classes, in permille
	known     []floor.Class
	allKnown  bool // every guarded class is known

	usable, clean []bool // by summary
	kept          []bool // by element: not lost before, and retained in its span's summary

	// inverters are, by element, the summary spans of the request in whose text
	// an inverted form of it counts: none, one, or several.
	inverters []inverters
	tags      []floor.Fidelity // of the span that was counted last
}

type inverters struct {
	span  int // one of them, if there is any
	count int // 2 is several
}

func (c *compaction) lookUp() {
	in := c.in
	c.first = make([]int, len(in.Spans))
	c.summaryOf = make([]int, len(in.Spans))
	c.under = make([][]int, len(in.Summaries))
	c.spanOf = make([]int, 0, c.elements.Len())
	spans := make(map[string]int, len(in.Spans))
	for i := range in.Spans {
		spans[in.Spans[i].ID] = i
		c.first[i], c.summaryOf[i] = len(c.spanOf), -1
		for range in.Spans[i].Elements {
			c.spanOf = append(c.spanOf, i)
		}
	}
	for m := range in.Summaries {
		for _, id := range in.Summaries[m].Of {
			c.summaryOf[spans[id]] = m
			c.under[m] = append(c.under[m], spans[id])
		}
		slices.Sort(c.under[m])
	}
	for _, class := range sortedSet(slices.AppendSeq(slices.Clone(in.Required), maps.Keys(in.FloorsPermille))) {
		if least := floorOf(class, in.FloorsPermille); least > 0 {
			c.guarded, c.floors = append(c.guarded, class), append(c.floors, least)
		}
	}
	c.known = sortedSet(in.Known)
	c.allKnown = true
	for _, class := range c.guarded {
		c.allKnown = c.allKnown && c.isKnown(class)
	}
}

func (c *compaction) isKnown(class floor.Class) bool {
	_, found := slices.BinarySearch(c.known, class)
	return found
}

// guard is where a class stands among the guarded ones.
func (c *compaction) guard(class floor.Class) (at int, guarded bool) {
	return slices.BinarySearch(c.guarded, class)
}

// isSummary says whether a span stands for originals.
func isSummary(s *floor.Span) bool { return s.Kind == floor.KindSummary || s.Lineage != nil }

// carries says whether what is made of a span can have a certified ancestry:
// it is an original, or a summary whose own ancestry and decision are certified.
func carries(s *floor.Span) bool {
	return !isSummary(s) || s.Lineage != nil && s.Lineage.AncestryCertified && s.Lineage.Decision == floor.Certified
}

// measure reads the usable summaries, and the summary spans for what they
// invert.
func (c *compaction) measure() {
	in := c.in
	c.usable, c.clean = make([]bool, len(in.Summaries)), make([]bool, len(in.Summaries))
	c.kept = make([]bool, c.elements.Len())
	c.inverters = make([]inverters, c.elements.Len())
	for m := range in.Summaries {
		s := &in.Summaries[m]
		if c.usable[m] = isOK(s.Status) && hasWord(s.Text); !c.usable[m] {
			continue
		}
		c.reader.read(s.Text)
		c.clean[m] = true
		for range c.reader.invertedOnes() {
			c.clean[m] = false
			break
		}
		for _, i := range c.under[m] {
			for j := range in.Spans[i].Elements {
				at := c.first[i] + j
				c.kept[at] = !isLost(&in.Spans[i].Elements[j]) && c.reader.retention(at) == Retained
			}
		}
	}
	for i := range in.Spans {
		if !isSummary(&in.Spans[i]) || !c.elements.haveInverted() {
			continue
		}
		c.reader.read(in.Spans[i].Text)
		for e := range c.reader.invertedOnes() {
			if by := &c.inverters[e]; by.count == 0 || by.span != i {
				by.span, by.count = i, min(by.count+1, 2)
			}
		}
	}
}

func isLost(e *floor.Element) bool { return e.Lost != nil && *e.Lost }

// count is kept over total for each class among the elements of a span, by
// class. It is good until the next call.
func (c *compaction) count(i int) []floor.Fidelity {
	c.tags = summed(c.appendEach(c.tags[:0], i))
	return c.tags
}

// appendEach appends one of one, or none of one, for each element of a span.
func (c *compaction) appendEach(counts []floor.Fidelity, i int) []floor.Fidelity {
	for j, e := range c.in.Spans[i].Elements {
		f := floor.Fidelity{Class: e.Class, Total: 1}
		if c.kept[c.first[i]+j] {
			f.Retained = 1
		}
		counts = append(counts, f)
	}
	return counts
}

// summed adds up what is of one class. It writes into counts.
func summed(counts []floor.Fidelity) []floor.Fidelity {
	slices.SortFunc(counts, byClass)
	sum := counts[:0]
	for _, f := range counts {
		if last := len(sum) - 1; last >= 0 && sum[last].Class == f.Class {
			sum[last].Retained += f.Retained
			sum[last].Total += f.Total
		} else {
			sum = append(sum, f)
		}
	}
	return sum
}

// atFloor says whether so much of a class suffices. No product passes 2^63:
// counts are below 2^53.
func atFloor(f floor.Fidelity, least int64) bool { return f.Retained*1000 >= least*f.Total }

// mayGo says whether a span may go under its summary, if that is clean.
func (c *compaction) mayGo(i int) bool {
	s := &c.in.Spans[i]
	if s.Elements == nil || !c.allKnown || !carries(s) {
		return false
	}
	if isSummary(s) && c.guardedIn(s.Lineage.Effective, func(int) {}) < len(c.guarded) {
		return false
	}
	for _, f := range c.count(i) {
		if g, guarded := c.guard(f.Class); guarded && !atFloor(f, c.floors[g]) {
			return false
		}
	}
	for j := range s.Elements {
		by := c.inverters[c.first[i]+j]
		if by.count == 0 || by.count == 1 && by.span == i {
			continue // nobody inverts it, or its own text, which goes
		}
		if _, guarded := c.guard(s.Elements[j].Class); guarded {
			return false
		}
	}
	return true
}

// guardedIn counts the guarded classes of a lineage, and calls do with each.
func (c *compaction) guardedIn(effective []floor.Fidelity, do func(guard int)) (n int) {
	for _, f := range effective { // a class stands there once
		if g, guarded := c.guard(f.Class); guarded {
			do(g)
			n++
		}
	}
	return n
}

// A plan uses some summaries and evicts some of their spans.
type plan struct {
	used    []bool // by summary
	evicted []bool // by span
	cost    int64  // tokens of what is delivered
}

func (c *compaction) keepEverything() plan {
	p := plan{used: make([]bool, len(c.in.Summaries)), evicted: make([]bool, len(c.in.Spans))}
	for i := range c.in.Spans {
		p.cost += c.in.Spans[i].Tokens
	}
	return p
}

// plan is the cheapest that uses these summaries alone and evicts only what may
// go. A summary costs what it costs whatever the others do, so each is judged by
// itself.
func (c *compaction) plan(usable []bool, mayGo func(span int) bool) plan {
	p := c.keepEverything()
	saved := make([]int64, len(c.in.Summaries))
	for i, m := range c.summaryOf {
		if m >= 0 && usable[m] && mayGo(i) {
			p.evicted[i] = true
			saved[m] += c.in.Spans[i].Tokens
		}
	}
	for m := range c.in.Summaries {
		if tokens := c.in.Summaries[m].Tokens; saved[m] > tokens {
			p.used[m] = true
			p.cost -= saved[m] - tokens
		}
	}
	for i, m := range c.summaryOf {
		p.evicted[i] = p.evicted[i] && p.used[m]
	}
	return p
}
