package mutant

import (
	"maps"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// A delivered context is a plan that is written down.
type delivered struct {
	plan     plan
	decision floor.Decision
	kept     []*stretch
	used     []*proposed
	lineages []*floor.Lineage // of the used ones
}

func (c *packer) deliveries() {
	c.generation = func(s *floor.Span) int64 {
		switch {
		case s.Lineage != nil:
			return s.Lineage.Generation
		case c.stands(s):
			return 1
		}
		return 0
	}
	c.newGeneration = func(replaced []*stretch) int64 {
		newest := int64(0)
		for _, s := range replaced {
			newest = max(newest, c.generation(s.Span))
		}
		return newest + 1
	}
	c.ancestry = func(replaced []*stretch) bool {
		return !slices.ContainsFunc(replaced, func(s *stretch) bool { return !c.carries(s.Span) })
	}
	c.handed = func(q *packing, replaced []*stretch) classes {
		handed := sortedOnce(q.in.Known)
		for _, s := range replaced {
			if !c.stands(s.Span) {
				continue
			}
			held := classes{}
			if s.Lineage != nil {
				held = effectiveIn(s.Lineage)
			}
			handed = slices.DeleteFunc(handed, func(class floor.Class) bool { return !slices.Contains(held, class) })
		}
		return handed
	}
	c.effective = func(q *packing, _ *proposed, replaced []*stretch) fidelities {
		out, counts := fidelities{}, c.tag(replaced)
		for _, class := range c.handed(q, replaced) {
			f := counts[class]
			f.Class = class
			out[class] = f
		}
		return out
	}
	c.lost = func(replaced []*stretch) []string {
		out := []string{}
		for _, s := range replaced {
			for i := range s.Elements {
				if !c.keeps(s, i) {
					out = append(out, s.Elements[i].ID)
				}
			}
		}
		return out
	}
	c.marks = func(d floor.Decision) bool { return d == floor.Provisional }
	c.basis = func(in *floor.CompactIn) floor.Basis {
		if in.SourceRecoverable {
			return floor.BasisRecoverable
		}
		return floor.BasisHarmless
	}
	c.contract = c.contractOf
	c.refuse = c.refusal
	c.tell = func(*packing, *floor.CompactOut) {}
}

// deliver writes down a plan: each summary where its first span stood.
func (c *packer) deliver(q *packing, p plan, d floor.Decision) floor.CompactOut {
	out := floor.CompactOut{Decision: d, Kept: []string{}, Evicted: []floor.Evicted{}, Output: []floor.Part{}}
	if d == floor.Provisional {
		out.Basis = c.basis(q.in)
	}
	done := &delivered{plan: p, decision: d}
	for _, s := range q.spans {
		if !p.goes[s.at] {
			done.kept = append(done.kept, s)
			out.Kept = append(out.Kept, s.ID)
			out.Output = append(out.Output, floor.Part{Kind: floor.PartSpan, Span: s.ID, Text: s.Text})
			continue
		}
		m := s.under
		out.Evicted = append(out.Evicted, floor.Evicted{Span: s.ID, Summary: m.ID, Fidelity: listed(c.tag([]*stretch{s}))})
		if slices.Contains(done.used, m) {
			continue
		}
		replaced, marked := p.going(m), c.marks(d)
		l := &floor.Lineage{
			Generation: c.newGeneration(replaced), AncestryCertified: c.ancestry(replaced), Decision: d,
			Effective: listed(c.effective(q, m, replaced)),
		}
		done.used, done.lineages = append(done.used, m), append(done.lineages, l)
		out.Output = append(out.Output, floor.Part{
			Kind: floor.PartSummary, Summary: m.ID, Text: m.Text, Provisional: &marked, Lineage: l, Lost: c.lost(replaced),
		})
	}
	out.Contract = c.contract(q, done)
	return out
}

// summaryLineages are those of the summary spans that are delivered, kept ones
// and new ones; nil stands for one that has none.
func (c *packer) summaryLineages(done *delivered) (out []*floor.Lineage) {
	for _, s := range done.kept {
		if c.stands(s.Span) {
			out = append(out, s.Lineage)
		}
	}
	return append(out, done.lineages...)
}

func certifiedLineage(l *floor.Lineage) bool {
	return l != nil && l.AncestryCertified && l.Decision == floor.Certified
}

// contractOf is that of the context as it is delivered.
func (c *packer) contractOf(q *packing, done *delivered) *floor.Contract {
	lineages := c.summaryLineages(done)
	out := &floor.Contract{Required: sortedOnce(q.in.Required), Certified: classes{}, AncestryCertified: true}
	for _, s := range done.kept {
		out.Generation = max(out.Generation, c.generation(s.Span))
	}
	for _, l := range done.lineages {
		out.Generation = max(out.Generation, l.Generation)
	}
	out.AncestryCertified = !slices.ContainsFunc(lineages, func(l *floor.Lineage) bool { return !certifiedLineage(l) })
	for _, class := range out.Required {
		if c.inContract(q, done, lineages, class) {
			out.Certified = append(out.Certified, class)
		}
	}
	return out
}

// inContract says whether a class is certified in what is delivered.
func (c *packer) inContract(q *packing, done *delivered, lineages []*floor.Lineage, class floor.Class) bool {
	return c.heldByAll(q, lineages, class) && !c.turned(q, c.texts(done), class)
}

func (c *packer) heldByAll(q *packing, lineages []*floor.Lineage, class floor.Class) bool {
	return !slices.ContainsFunc(lineages, func(l *floor.Lineage) bool {
		if !certifiedLineage(l) {
			return true
		}
		f, there := byClass(l.Effective)[class]
		return !there || !c.reaches(f, c.floorOf(q.in, class))
	})
}

// texts are those of what is delivered.
func (c *packer) texts(done *delivered) (out []string) {
	for _, s := range done.kept {
		out = append(out, s.Text)
	}
	for _, m := range done.used {
		out = append(out, m.Text)
	}
	return out
}

// turned says whether an element of a class is inverted in texts.
func (c *packer) turned(q *packing, texts []string, class floor.Class) bool {
	return slices.ContainsFunc(q.spans, func(s *stretch) bool {
		return slices.ContainsFunc(s.Elements, func(e floor.Element) bool { return e.Class == class && c.of(&e, texts).opposed })
	})
}

// refusal says why nothing may be changed.
func (c *packer) refusal(q *packing, sound plan) floor.CompactOut {
	over := sound.cost - c.weight(q.in.BudgetTokens)
	out := floor.CompactOut{
		Decision: floor.Refuse, MissingClasses: classes{}, OverBudgetTokens: &over, Escalations: []string{"raise_budget", "human"},
		UnknownSpans: []string{}, PoisonedSpans: []string{}, UncleanSummaries: []string{},
	}
	missing := map[floor.Class]bool{}
	for _, s := range q.spans {
		if s.under == nil || !s.under.usable {
			continue
		}
		if s.Elements == nil {
			out.UnknownSpans = append(out.UnknownSpans, s.ID)
		}
		if !c.carries(s.Span) {
			out.PoisonedSpans = append(out.PoisonedSpans, s.ID)
		}
		for _, class := range c.missingOf(q, s) {
			missing[class] = true
		}
	}
	out.MissingClasses = append(out.MissingClasses, slices.Sorted(maps.Keys(missing))...)
	for _, m := range q.summaries {
		if m.usable && !m.clean {
			out.UncleanSummaries = append(out.UncleanSummaries, m.ID)
		}
	}
	return out
}

// missingOf are the guarded classes that keep a span from going: below their
// floor, not known, or not held by its lineage.
func (c *packer) missingOf(q *packing, s *stretch) (out classes) {
	tag := c.tag([]*stretch{s})
	for _, class := range q.guarded {
		if !c.reaches(tag[class], c.floorOf(q.in, class)) {
			out = append(out, class)
		}
	}
	out = append(out, without(q.guarded, q.in.Known)...)
	if s.Lineage != nil {
		out = append(out, without(q.guarded, effectiveIn(s.Lineage))...)
	}
	return out
}
