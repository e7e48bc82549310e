package mutant

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// cleanings are faults in what a summary is worth, and in what may go under it.
func cleanings() []slip {
	lid, vent, key := never("x1", "lift the lid"), never("x2", "open the vent"), stating("x3", "blue key", "key is lost")
	one := spans(holding("s1", lid), holding("s2"))
	kept := summing("m1", "s1", "Never lift the lid.")
	turned := summing("m1", "s1", "Never lift the lid. Open the vent.")
	watching := func(watched func(q *packing, m *proposed, s *stretch, e *floor.Element) bool) func(*packer) {
		return func(c *packer) { c.watched = watched }
	}
	accepting := func(more ...floor.SummaryStatus) func(*packer) {
		return func(c *packer) {
			c.usable = func(m *floor.Summary) bool {
				return (came(m.Status) || slices.Contains(more, m.Status)) && hasWord(m.Text)
			}
		}
	}
	return []slip{
		{
			id: "cleanliness/unclean-used", hardness: "E", hidden: noOpposite,
			about:   "A summary that says the opposite of something known is used like any other.",
			compact: func(c *packer) { c.denies = func(*packing, *proposed) bool { return false } },
			witness: steps(squeezing(12, "negation", spans(holding("s1", key), holding("s2")), summaries(summing("m1", "s1", "The key is lost.")))),
		},
		{
			id: "cleanliness/own-spans-only", hardness: "M", hidden: noOpposite,
			about:   "A summary is clean when it says the opposite of nothing in the spans that it is of.",
			compact: watching(func(_ *packing, m *proposed, s *stretch, _ *floor.Element) bool { return s.under == m }),
			witness: steps(squeezing(12, "negation", spans(holding("s1", lid), holding("s2", vent)), summaries(turned))),
		},
		{
			id: "cleanliness/guarded-only", hardness: "M", hidden: noOpposite,
			about: "A summary may say the opposite of what nobody guards, and is clean.",
			compact: watching(func(q *packing, _ *proposed, _ *stretch, e *floor.Element) bool {
				return slices.Contains(q.guarded, e.Class)
			}),
			witness: steps(squeezing(12, "negation", spans(holding("s1", lid), holding("s2", key)),
				summaries(summing("m1", "s1", "Never lift the lid. The key is lost.")))),
		},
		{
			id: "cleanliness/lost-unwatched", hardness: "M", hidden: noOpposite,
			about:   "What was lost before is not looked for: a summary may say the opposite of it.",
			compact: watching(func(_ *packing, _ *proposed, _ *stretch, e *floor.Element) bool { return !isLost(e) }),
			witness: steps(squeezing(12, "negation", spans(holding("s1", lid), heir("s2", "negation", gone(vent))), summaries(turned))),
		},
		{
			id: "cleanliness/contradiction-clean", hardness: "M", hidden: noOpposite,
			about: "A summary that says both is clean: what it contradicts it keeps too.",
			compact: func(c *packer) {
				c.denies = func(q *packing, m *proposed) bool {
					return slices.ContainsFunc(q.spans, func(s *stretch) bool {
						return slices.ContainsFunc(s.Elements, func(e floor.Element) bool {
							now := c.of(&e, []string{m.Text})
							return now.opposed && !now.kept
						})
					})
				}
			},
			witness: steps(squeezing(12, "status", spans(holding("s1", key), holding("s2", lid)),
				summaries(summing("m1", "s1", "Blue key. Never lift the lid; lift the lid.")))),
		},
		{
			id: "cleanliness/status-ignored", hardness: "M",
			about:   "The status of a summary is not read.",
			compact: accepting(floor.StatusError, floor.StatusRefused, floor.StatusPartial, floor.StatusOpaque),
			witness: steps(squeezing(12, "negation", one, summaries(summing("m1", "s1", "Never lift the lid.", arrived(floor.StatusError))))),
		},
		{
			id: "cleanliness/partial-accepted", hardness: "M", hidden: "a status that the scopes leave out",
			about:   "A summary that was cut short is used like a whole one.",
			compact: accepting(floor.StatusPartial),
			witness: steps(squeezing(12, "negation", one, summaries(summing("m1", "s1", "Never lift the lid.", arrived(floor.StatusPartial))))),
		},
		{
			id: "cleanliness/wordless-used", hardness: "M",
			about:   "A summary without a word is used for what holds no element.",
			compact: func(c *packer) { c.usable = func(m *floor.Summary) bool { return came(m.Status) } },
			witness: steps(squeezing(12, "negation", spans(holding("s1"), holding("s2")), summaries(summing("m1", "s1", "…")))),
		},
		{
			id: "cleanliness/standing-summary-ignored", hardness: "M", hidden: noOpposite,
			about:   "Older summaries are not read: one that says the opposite does not matter.",
			compact: func(c *packer) { c.opposed = func(*packing, *stretch) bool { return false } },
			witness: steps(squeezing(12, "negation",
				spans(holding("s1", lid), with(heir("s2", "negation"), saying("Lift the lid."))), summaries(kept))),
		},
		{
			id: "cleanliness/any-span-opposes", hardness: "M", hidden: noOpposite,
			about: "Whatever stands beside it may oppose an element, messages too.",
			compact: func(c *packer) {
				c.opposes = func(by, s *stretch, e *floor.Element) bool { return by != s && c.of(e, []string{by.Text}).opposed }
			},
			witness: steps(squeezing(12, "negation", spans(holding("s1", lid), with(holding("s2"), saying("Lift the lid."))), summaries(kept))),
		},
		{
			id: "cleanliness/own-text-opposes", hardness: "M", hidden: noOpposite,
			about: "A summary span that is replaced opposes its own elements.",
			compact: func(c *packer) {
				c.opposes = func(by, _ *stretch, e *floor.Element) bool {
					return c.stands(by.Span) && c.of(e, []string{by.Text}).opposed
				}
			},
			witness: steps(squeezing(12, "negation", spans(with(heir("s1", "negation", lid), saying("Lift the lid.")), holding("s2")), summaries(kept))),
		},
		{
			id: "guard/unknown-elements-go", hardness: "E", hidden: tooDear,
			about:   "A span whose elements are unknown is taken to hold none.",
			compact: func(c *packer) { c.sure = func(*stretch) bool { return true } },
			witness: steps(squeezing(12, "negation", spans(with(holding("s1"), unknown), holding("s2")), summaries(summing("m1", "s1", "Good.")))),
		},
		{
			id: "guard/known-classes-ignored", hardness: "E",
			about:   "That a class was never looked for is not asked.",
			compact: func(c *packer) { c.lookedFor = func(*packing, *stretch) bool { return true } },
			witness: steps(squeezing(12, "negation", knowing(""), one, summaries(kept))),
		},
		{
			id: "guard/required-only", hardness: "M",
			about: "A floor guards required classes only.",
			compact: func(c *packer) {
				guarded := c.guarded
				c.guarded = func(in *floor.CompactIn) classes {
					return slices.DeleteFunc(guarded(in), func(class floor.Class) bool { return !slices.Contains(in.Required, class) })
				}
			},
			witness: steps(squeezing(12, "", knowing("negation"), guarding(floor.Negation, 1), one, summaries(summing("m1", "s1", "Good.")))),
		},
		{
			id: "guard/mean-over-spans", hardness: "M", hidden: tooDear,
			about: "A floor holds for the spans of a summary together, not for each of them.",
			compact: func(c *packer) {
				c.enough = func(q *packing, s *stretch) bool {
					tag := c.tag(s.under.of)
					return !slices.ContainsFunc(q.guarded, func(class floor.Class) bool { return !c.reaches(tag[class], c.floorOf(q.in, class)) })
				}
			},
			witness: steps(squeezing(12, "negation", guarding(floor.Negation, 500), spans(holding("s1", lid), holding("s2", vent), holding("s3")),
				summaries(summing("m1", "s1 s2", "Never lift the lid.")))),
		},
		{
			id: "guard/lost-kept-again", hardness: "M",
			about: "An element that was lost and is named again counts as kept.",
			compact: func(c *packer) {
				c.keeps = func(s *stretch, i int) bool { return s.under != nil && s.now[i].retained() }
			},
			witness: steps(squeezing(12, "negation", spans(heir("s1", "negation", gone(lid)), holding("s2")), summaries(kept))),
		},
		{
			id: "guard/any-summary-keeps", hardness: "M", hidden: tooDear,
			about: "An element is looked for in all summaries together, not in that of its span.",
			compact: func(c *packer) {
				c.reads = func(q *packing, _ *stretch) (texts []string) {
					for _, m := range q.summaries {
						texts = append(texts, m.Text)
					}
					return texts
				}
			},
			witness: steps(squeezing(12, "negation", spans(holding("s1", lid), holding("s2")),
				summaries(summing("m1", "s1", "Good."), summing("m2", "", "Never lift the lid.")))),
		},
		{
			id: "guard/floor-exceeded", hardness: "M", hidden: tooDear,
			about: "A fidelity must be above its floor or full; at the floor is not enough.",
			compact: func(c *packer) {
				c.reaches = func(f floor.Fidelity, permille int64) bool {
					return f.Retained == f.Total || f.Retained*1000 > permille*f.Total
				}
			},
			witness: steps(squeezing(12, "negation", guarding(floor.Negation, 500), spans(holding("s1", lid, vent), holding("s2")), summaries(kept))),
		},
	}
}
