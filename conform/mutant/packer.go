package mutant

import (
	"fmt"
	"maps"
	"slices"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
)

// A packer is compact in small steps. newPacker fills them in correctly; a
// mutant replaces one or two. A step calls others through the packer, so that a
// replaced one is seen by all.
type packer struct {
	*reading
	policy floor.Policy

	// What a summary is worth.
	usable  func(*floor.Summary) bool
	denies  func(q *packing, m *proposed) bool // it says the opposite of something known
	watched func(q *packing, m *proposed, s *stretch, e *floor.Element) bool
	reads   func(q *packing, s *stretch) []string // the texts in which a span's elements are looked for
	keeps   func(s *stretch, i int) bool          // an element, under its summary
	tag     func(list []*stretch) fidelities      // kept over total of the spans' elements
	reaches func(f floor.Fidelity, permille int64) bool
	enough  func(q *packing, s *stretch) bool // each guarded class at its floor

	// Which classes are guarded, and what stands in the way of a span.
	guarded   func(*floor.CompactIn) classes
	floorOf   func(*floor.CompactIn, floor.Class) int64
	lookedFor func(q *packing, s *stretch) bool // every guarded class is known
	sure      func(s *stretch) bool             // its elements are known
	stands    func(s *floor.Span) bool          // for originals: it is a summary span
	carries   func(s *floor.Span) bool          // an ancestry that is certified, or an original
	holds     func(q *packing, s *stretch) bool // its lineage holds every guarded class
	opposed   func(q *packing, s *stretch) bool // by another summary span
	opposes   func(by, s *stretch, e *floor.Element) bool
	mayGo     func(q *packing, s *stretch) bool

	// Plans.
	weight    func(tokens int64) int64
	pays      func(saved, tokens int64) bool
	plan      func(q *packing, goes func(*stretch) bool) plan
	fits      func(q *packing, cost int64) bool
	otherwise func(c floor.Conditions) floor.Decision // where nothing sound fits
	choose    func(q *packing) floor.CompactOut

	// What is delivered.
	generation    func(*floor.Span) int64
	newGeneration func(replaced []*stretch) int64
	ancestry      func(replaced []*stretch) bool
	effective     func(q *packing, m *proposed, replaced []*stretch) fidelities
	handed        func(q *packing, replaced []*stretch) classes // the classes that can be effective
	lost          func(replaced []*stretch) []string
	marks         func(d floor.Decision) bool
	basis         func(*floor.CompactIn) floor.Basis
	contract      func(q *packing, d *delivered) *floor.Contract
	refuse        func(q *packing, sound plan) floor.CompactOut
	tell          func(q *packing, out *floor.CompactOut) // the whole answer, when it is put together

	raw func(floor.Request) floor.Answer
	lax bool
}

// A stretch is a span of the request, and what its summary does to it.
type stretch struct {
	*floor.Span
	at    int       // its place, from 0
	under *proposed // nil where no summary is of it
	now   []retention
}

// A proposed summary, and the spans that it is of, in their order.
type proposed struct {
	*floor.Summary
	of            []*stretch
	usable, clean bool
}

// A packing is a compact request and what is known of it.
type packing struct {
	in        *floor.CompactIn
	spans     []*stretch
	summaries []*proposed
	guarded   classes
	whole     int64
}

// A plan says which spans go.
type plan struct {
	goes map[int]bool // by place
	cost int64
}

// going are those of a summary's spans that go.
func (p plan) going(m *proposed) (out []*stretch) {
	for _, s := range m.of {
		if p.goes[s.at] {
			out = append(out, s)
		}
	}
	return out
}

func newPacker(policy floor.Policy) *packer {
	c := &packer{reading: newReading(), policy: policy}
	c.worth()
	c.obstacles()
	c.plans()
	c.deliveries()
	return c
}

func (c *packer) worth() {
	c.usable = func(m *floor.Summary) bool { return came(m.Status) && hasWord(m.Text) }
	c.watched = func(*packing, *proposed, *stretch, *floor.Element) bool { return true }
	c.denies = func(q *packing, m *proposed) bool {
		for _, s := range q.spans {
			for i := range s.Elements {
				e := &s.Elements[i]
				if c.watched(q, m, s, e) && c.of(e, []string{m.Text}).opposed {
					return true
				}
			}
		}
		return false
	}
	c.reads = func(_ *packing, s *stretch) []string { return []string{s.under.Text} }
	c.keeps = func(s *stretch, i int) bool { return s.under != nil && !isLost(&s.Elements[i]) && s.now[i].retained() }
	c.tag = func(list []*stretch) fidelities {
		out := fidelities{}
		for _, s := range list {
			for i, e := range s.Elements {
				f := out[e.Class]
				f.Class = e.Class
				f.Total++
				if c.keeps(s, i) {
					f.Retained++
				}
				out[e.Class] = f
			}
		}
		return out
	}
	c.reaches = func(f floor.Fidelity, permille int64) bool { return f.Retained*1000 >= permille*f.Total }
	c.enough = func(q *packing, s *stretch) bool {
		tag := c.tag([]*stretch{s})
		return !slices.ContainsFunc(q.guarded, func(class floor.Class) bool { return !c.reaches(tag[class], c.floorOf(q.in, class)) })
	}
}

func (c *packer) obstacles() {
	c.guarded = func(in *floor.CompactIn) classes {
		asked := append(slices.Clone(in.Required), slices.Collect(maps.Keys(in.FloorsPermille))...)
		return slices.DeleteFunc(sortedOnce(asked), func(class floor.Class) bool { return c.floorOf(in, class) == 0 })
	}
	c.floorOf = func(in *floor.CompactIn, class floor.Class) int64 {
		permille, given := in.FloorsPermille[class]
		if !given && slices.Contains(in.Required, class) {
			return floor.MaxPermille
		}
		return permille
	}
	c.lookedFor = func(q *packing, _ *stretch) bool { return len(without(q.guarded, q.in.Known)) == 0 }
	c.sure = func(s *stretch) bool { return s.Elements != nil }
	c.stands = func(s *floor.Span) bool { return s.Kind == floor.KindSummary || s.Lineage != nil }
	c.carries = func(s *floor.Span) bool {
		return !c.stands(s) || s.Lineage != nil && s.Lineage.AncestryCertified && s.Lineage.Decision == floor.Certified
	}
	c.holds = func(q *packing, s *stretch) bool {
		return s.Lineage == nil || len(without(q.guarded, effectiveIn(s.Lineage))) == 0
	}
	c.opposes = func(by, s *stretch, e *floor.Element) bool {
		return by != s && c.stands(by.Span) && c.of(e, []string{by.Text}).opposed
	}
	c.opposed = func(q *packing, s *stretch) bool {
		return slices.ContainsFunc(s.Elements, func(e floor.Element) bool {
			return slices.Contains(q.guarded, e.Class) && slices.ContainsFunc(q.spans, func(by *stretch) bool { return c.opposes(by, s, &e) })
		})
	}
	c.mayGo = func(q *packing, s *stretch) bool {
		return s.under.clean && c.sure(s) && c.lookedFor(q, s) && c.carries(s.Span) && c.holds(q, s) && c.enough(q, s) && !c.opposed(q, s)
	}
}

func (c *packer) plans() {
	decides := newNaive(c.policy)
	c.weight = func(tokens int64) int64 { return tokens }
	c.pays = func(saved, tokens int64) bool { return saved > tokens }
	c.plan = func(q *packing, goes func(*stretch) bool) plan {
		p := plan{goes: map[int]bool{}, cost: q.whole}
		for _, m := range q.summaries {
			var going []*stretch
			saved := int64(0)
			for _, s := range m.of {
				if goes(s) {
					going = append(going, s)
					saved += c.weight(s.Tokens)
				}
			}
			if tokens := c.weight(m.Tokens); c.pays(saved, tokens) {
				p.cost += tokens - saved
				for _, s := range going {
					p.goes[s.at] = true
				}
			}
		}
		return p
	}
	c.fits = func(q *packing, cost int64) bool { return cost <= c.weight(q.in.BudgetTokens) }
	c.otherwise = func(flags floor.Conditions) floor.Decision { return decides.settle(false, flags) }
	c.choose = func(q *packing) floor.CompactOut {
		if c.fits(q, q.whole) {
			return c.deliver(q, plan{}, floor.Certified)
		}
		sound := c.plan(q, func(s *stretch) bool { return c.mayGo(q, s) })
		if c.fits(q, sound.cost) {
			return c.deliver(q, sound, floor.Certified)
		}
		if c.otherwise(q.in.Conditions) == floor.Provisional {
			if rough := c.roughPlan(q); c.fits(q, rough.cost) {
				return c.deliver(q, rough, floor.Provisional)
			}
		}
		return c.refuse(q, sound)
	}
}

func (c *packer) roughPlan(q *packing) plan {
	return c.plan(q, func(s *stretch) bool { return s.under.usable })
}

func effectiveIn(l *floor.Lineage) (out classes) {
	for _, f := range l.Effective {
		out = append(out, f.Class)
	}
	return out
}

func compactSubject(name string, policy floor.Policy, plant func(*packer)) conform.Subject {
	return conform.Restartable(conform.Hello{Name: name, Version: "1", Language: "go", Policy: policy}, func() conform.Funcs {
		c := newPacker(policy)
		plant(c)
		return conform.Funcs{Compact: c.compact, Raw: c.raw}
	})
}

func (c *packer) compact(in *floor.CompactIn) (floor.CompactOut, error) {
	c.afresh()
	for i := range in.Spans {
		if err := c.consistent(fmt.Sprintf("in.spans[%d].elements", i), in.Spans[i].Elements); err != nil && !c.lax {
			return floor.CompactOut{}, err
		}
	}
	q := c.read(in)
	out := c.choose(q)
	c.tell(q, &out)
	return out, nil
}

// read measures what the summaries do to their spans.
func (c *packer) read(in *floor.CompactIn) *packing {
	q := &packing{in: in, guarded: c.guarded(in)}
	byID := map[string]*stretch{}
	for i := range in.Spans {
		s := &stretch{Span: &in.Spans[i], at: i}
		byID[s.ID] = s
		q.spans = append(q.spans, s)
		q.whole += c.weight(s.Tokens)
	}
	for i := range in.Summaries {
		m := &proposed{Summary: &in.Summaries[i]}
		for _, s := range q.spans {
			if slices.Contains(m.Of, s.ID) {
				s.under = m
				m.of = append(m.of, s)
			}
		}
		q.summaries = append(q.summaries, m)
	}
	for _, m := range q.summaries {
		m.usable = c.usable(m.Summary)
		m.clean = m.usable && !c.denies(q, m)
		for _, s := range m.of {
			for i := range s.Elements {
				s.now = append(s.now, c.of(&s.Elements[i], c.reads(q, s)))
			}
		}
	}
	return q
}
