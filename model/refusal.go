package model

import "github.com/floorcheck/floorcheck/floor"

// refusal says why, and how to go on.
func (c *compaction) refusal() *floor.CompactOut {
	over := c.overBudget()
	out := &floor.CompactOut{
		Decision: floor.Refuse, MissingClasses: c.missing(), OverBudgetTokens: &over,
		Escalations:  []string{"raise_budget", "split_task", "checkpoint", "human"},
		UnknownSpans: c.unknownSpans(), PoisonedSpans: c.poisonedSpans(), UncleanSummaries: c.uncleanSummaries(),
	}
	if c.in.SourceRecoverable {
		out.Escalations = append(out.Escalations, "retrieve")
	}
	return out
}

// missing are the guarded classes that keep some span with a usable summary
// from going, one with unknown elements too: below their floor, not known, or
// not held by its lineage.
func (c *compaction) missing() []floor.Class {
	classes := []floor.Class{}
	for _, span := range c.coverable() {
		classes = append(classes, c.unwatched...)
		classes = append(classes, c.unheld(span)...)
		for _, f := range span.short {
			classes = append(classes, f.Class)
		}
	}
	return sortedOnce(classes)
}

// coverable are the spans with a usable summary.
func (c *compaction) coverable() (spans []*candidate) {
	for _, span := range c.spans {
		if span.under != nil && span.under.usable {
			spans = append(spans, span)
		}
	}
	return spans
}

// unknownSpans are those whose elements are not known, under a usable summary.
func (c *compaction) unknownSpans() []string {
	return idsOfSpans(c.coverable(), func(s *candidate) bool { return s.Elements == nil })
}

// poisonedSpans are the summary spans without a certified lineage, ancestry and
// decision, under a usable summary.
func (c *compaction) poisonedSpans() []string {
	return idsOfSpans(c.coverable(), func(s *candidate) bool { return !s.isClean() })
}

func (c *compaction) uncleanSummaries() []string {
	ids := []string{}
	for _, p := range c.proposals {
		if p.usable && !p.clean() {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

func idsOfSpans(spans []*candidate, like func(s *candidate) bool) []string {
	ids := []string{}
	for _, span := range spans {
		if like(span) {
			ids = append(ids, span.ID)
		}
	}
	return ids
}

// overBudget is by how much the cheapest sound plan misses the budget.
func (c *compaction) overBudget() int64 {
	_, cost := c.soundPlan()
	return cost - c.in.BudgetTokens
}
