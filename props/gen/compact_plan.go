package gen

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// The generator's own books on the plans that a compact request allows: it has
// to know what they cost, to ask for just as much, or one token less. They hold
// what texts are meant to do. Were they wrong, a budget would be as good as any
// other.

// weigh gives the summaries their tokens, and then everything its scale.
func (c *compaction) weigh() {
	sum := int64(0)
	for _, p := range c.proposals {
		replaced := tokensOf(p.of)
		p.tokens = replaced * int64(p.few) / 16
		switch p.size {
		case 1: // nothing is won
			p.tokens = replaced
		case 2:
			p.tokens = max(replaced-1, 0)
		case 3:
			p.tokens = replaced + 1
		case 4:
			p.tokens = replaced * int64(p.few) / 8
		}
		sum += p.tokens
	}
	sum += tokensOf(c.spans)
	factor := int64(1)
	switch {
	case c.scale == 1:
		factor = 1000
	case c.scale == 2:
		factor = 1 << 31
	case c.scale == 3 && sum > 0: // as much as there may be
		factor = floor.MaxNumber / sum
	}
	for _, st := range c.spans {
		st.tokens *= factor
	}
	for _, p := range c.proposals {
		p.tokens *= factor
	}
	if c.scale == 3 && len(c.spans) > 0 {
		c.spans[0].tokens += floor.MaxNumber - sum*factor
	}
}

func tokensOf(spans []*stretch) (sum int64) {
	for _, st := range spans {
		sum += st.tokens
	}
	return sum
}

// guarded are the classes with a floor above 0.
func (c *compaction) guarded() (out []floor.Class) {
	for _, class := range slices.Concat(c.demand.required, c.theme) { // floors are on classes of the theme
		if c.demand.floor(class) > 0 && !slices.Contains(out, class) {
			out = append(out, class)
		}
	}
	return out
}

// clean: it is usable, and says the opposite of nothing.
func (c *compaction) clean(p *proposal) bool {
	return p.usable() && !slices.ContainsFunc(c.spans, func(st *stretch) bool {
		return !st.unknown && slices.ContainsFunc(st.elements, func(e *element) bool { return p.prose.denies(e.draft) })
	})
}

// mayGo says whether a span may be evicted under its summary, which is clean.
func (c *compaction) mayGo(st *stretch, p *proposal, guarded []floor.Class) bool {
	h := st.heritage
	if st.unknown || h != nil && (h.missing || h.uncertified || h.provisional) {
		return false
	}
	for _, class := range guarded {
		if !slices.Contains(c.demand.known, class) || h != nil && !c.effective(h, class) || !c.demand.atFloor(class, p.keeps(st, class)) {
			return false
		}
	}
	return !slices.ContainsFunc(c.spans, func(other *stretch) bool {
		return other != st && other.heritage != nil && slices.ContainsFunc(st.elements, func(e *element) bool {
			return slices.Contains(guarded, e.Class) && other.prose.denies(e.draft)
		})
	})
}

// cost is that of the cheapest plan in which only these spans go.
func (c *compaction) cost(goes func(*stretch, *proposal) bool) int64 {
	cost := tokensOf(c.spans)
	for _, p := range c.proposals {
		spared := int64(0)
		for _, st := range p.of {
			if goes(st, p) {
				spared += st.tokens
			}
		}
		if spared > p.tokens {
			cost += p.tokens - spared
		}
	}
	return cost
}

// A budgetChoice says how much is to be left.
type budgetChoice struct {
	mode, by, permille int
	used               [mostSummaries]bool
}

func drawBudget(s *Source) (b budgetChoice) {
	b.mode = s.Weighted("budget", 12, 2, 6, 3, 3, 1, 1)
	b.by = []int{0, -1, 1}[s.Weighted("token", 5, 3, 2)]
	b.permille = s.Choose(1001, "budget permille")
	for i := range b.used {
		b.used[i] = s.Choose(2, "used") == 1
	}
	return b
}

// budgetTokens is around what some plan costs, or anywhere.
func (c *compaction) budgetTokens() int64 {
	whole, guarded := tokensOf(c.spans), c.guarded()
	least := c.cost(func(_ *stretch, p *proposal) bool { return p.usable() })
	around := int64(0)
	switch c.budget.mode {
	case 0: // what the cheapest sound plan costs
		around = c.cost(func(st *stretch, p *proposal) bool { return c.clean(p) && c.mayGo(st, p, guarded) })
		if around == whole { // nothing may go
			around = least
		}
	case 1:
		around = whole
	case 2: // what is left when everything goes
		around = least
	case 3: // what is left when these summaries are used
		around = whole
		for i, p := range c.proposals {
			if c.budget.used[i] {
				around += p.tokens - tokensOf(p.of)
			}
		}
	case 4:
		return whole * int64(c.budget.permille) / 1000 // below 2^63
	case 5:
		return 0
	case 6:
		return floor.MaxNumber
	}
	if around += int64(c.budget.by); c.budget.mode != 1 && (least < whole || c.gone%2 == 1) {
		around = min(around, whole-1) // something has to go
	}
	return min(max(around, 0), floor.MaxNumber)
}
