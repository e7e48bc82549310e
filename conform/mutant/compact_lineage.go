package mutant

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// lineages are faults in what summaries inherit and hand down, and in the
// contract of what is delivered.
func lineages() []slip {
	lid, vent := never("x1", "lift the lid"), never("x2", "open the vent")
	kept, all := summing("m1", "s1", "Never lift the lid."), summing("m1", "s1 s2", "Never lift the lid. Never open the vent.")
	old := heir("s1", "negation", lid)
	replacing := func(s floor.Span) []floor.Request {
		return steps(squeezing(12, "negation", spans(s, holding("s2")), summaries(kept)))
	}
	both := func(a, b floor.Span, changes ...func(*floor.CompactIn)) []floor.Request {
		return steps(squeezing(2, "negation", append(changes, spans(a, b), summaries(all))...))
	}
	contracted := func(change func(c *packer, q *packing, d *delivered, out *floor.Contract)) func(*packer) {
		return func(c *packer) {
			c.contract = func(q *packing, d *delivered) *floor.Contract {
				out := c.contractOf(q, d)
				change(c, q, d, out)
				return out
			}
		}
	}
	raised := func(newGeneration func(c *packer, replaced []*stretch) int64) func(*packer) {
		return func(c *packer) {
			c.newGeneration = func(replaced []*stretch) int64 { return newGeneration(c, replaced) }
		}
	}
	beside := func(s floor.Span) []floor.Request {
		return steps(squeezing(12, "negation", spans(holding("s1", lid), s), summaries(kept)))
	}
	return []slip{
		{
			id: "lineage/poison-ignored", hardness: "M", hidden: tooDear,
			about: "A summary whose ancestry is not certified is replaced like an original.",
			compact: func(c *packer) {
				c.carries = func(s *floor.Span) bool {
					return !c.stands(s) || s.Lineage != nil && s.Lineage.Decision == floor.Certified
				}
			},
			witness: replacing(with(old, tainted)),
		},
		{
			id: "lineage/provisional-ignored", hardness: "M", hidden: tooDear,
			about: "A summary that was made under a provisional decision is replaced like one that was certified.",
			compact: func(c *packer) {
				c.carries = func(s *floor.Span) bool { return !c.stands(s) || s.Lineage != nil && s.Lineage.AncestryCertified }
			},
			witness: replacing(with(old, undecided)),
		},
		{
			id: "lineage/missing-is-clean", hardness: "M",
			about:   "A summary without a lineage is taken for an original.",
			compact: func(c *packer) { c.stands = func(s *floor.Span) bool { return s.Lineage != nil } },
			witness: replacing(with(old, bare)),
		},
		{
			id: "lineage/effective-ignored", hardness: "M", hidden: tooDear,
			about:   "What the lineage of a replaced summary holds is not looked at.",
			compact: func(c *packer) { c.holds = func(*packing, *stretch) bool { return true } },
			witness: replacing(heir("s1", "", lid)),
		},
		{
			id: "lineage/generation-not-raised", hardness: "M",
			about: "A summary of summaries is of their generation.",
			compact: raised(func(c *packer, replaced []*stretch) int64 {
				return max(1, slices.Max(generations(c, replaced)))
			}),
			witness: replacing(old),
		},
		{
			id: "lineage/generation-of-the-oldest", hardness: "M", hidden: tooDear,
			about:   "The generation is one more than the least among what is replaced.",
			compact: raised(func(c *packer, replaced []*stretch) int64 { return 1 + slices.Min(generations(c, replaced)) }),
			witness: both(old, holding("s2", vent)),
		},
		{
			id: "lineage/generation-counts-merges", hardness: "M", hidden: tooDear,
			about: "The generation counts the summaries that are replaced, and one more.",
			compact: raised(func(c *packer, replaced []*stretch) (n int64) {
				for _, s := range replaced {
					if c.stands(s.Span) {
						n++
					}
				}
				return n + 1
			}),
			witness: both(old, heir("s2", "negation", vent)),
		},
		{
			id: "lineage/generation-wraps", hardness: "M", hidden: "a generation of 255",
			about:   "The generation is kept in eight bits.",
			compact: raised(func(c *packer, replaced []*stretch) int64 { return (1 + slices.Max(generations(c, replaced))) & 0xff }),
			witness: replacing(with(old, of(255))),
		},
		{
			id: "lineage/ancestry-of-any", hardness: "M", hidden: tooDear,
			about: "One certified ancestry among those replaced is enough.",
			compact: func(c *packer) {
				c.ancestry = func(replaced []*stretch) bool {
					return slices.ContainsFunc(replaced, func(s *stretch) bool { return c.carries(s.Span) })
				}
			},
			witness: both(with(old, tainted), holding("s2", vent), provided("r")),
		},
		{
			id: "lineage/effective-of-all-spans", hardness: "M", hidden: tooDear,
			about: "What is effective is counted over all spans that a summary is of, those that stay too.",
			compact: func(c *packer) {
				effective := c.effective
				c.effective = func(q *packing, m *proposed, replaced []*stretch) fidelities {
					out, all := effective(q, m, replaced), c.tag(m.of)
					for class := range out {
						f := all[class]
						f.Class = class
						out[class] = f
					}
					return out
				}
			},
			witness: steps(squeezing(12, "negation", spans(holding("s1", lid), holding("s2", vent)),
				summaries(summing("m1", "s1 s2", "Never lift the lid.")))),
		},
		{
			id: "lineage/effective-of-the-first", hardness: "M",
			about: "What is effective is counted over the first of the spans that are replaced.",
			compact: func(c *packer) {
				effective := c.effective
				c.effective = func(q *packing, m *proposed, replaced []*stretch) fidelities { return effective(q, m, replaced[:1]) }
			},
			witness: both(holding("s1", lid), holding("s2", vent)),
		},
		{
			id: "lineage/effective-not-inherited", hardness: "M", hidden: tooDear,
			about:   "A class that is known now is effective, whether the replaced summaries held it or not.",
			compact: func(c *packer) { c.handed = func(q *packing, _ []*stretch) classes { return sortedOnce(q.in.Known) } },
			witness: steps(squeezing(12, "", knowing("negation"), spans(heir("s1", "", lid), holding("s2")), summaries(kept))),
		},
		{
			id: "lineage/effective-of-required", hardness: "M",
			about: "Only required classes are effective.",
			compact: func(c *packer) {
				handed := c.handed
				c.handed = func(q *packing, replaced []*stretch) classes {
					return slices.DeleteFunc(handed(q, replaced), func(class floor.Class) bool { return !slices.Contains(q.in.Required, class) })
				}
			},
			witness: steps(squeezing(12, "", knowing("negation"), spans(holding("s1", lid), holding("s2")), summaries(kept))),
		},
		{
			id: "lineage/old-losses-omitted", hardness: "M",
			about: "What was lost before is not named among what a new summary loses.",
			compact: func(c *packer) {
				c.lost = func(replaced []*stretch) []string {
					out := []string{}
					for _, s := range replaced {
						for i := range s.Elements {
							if !c.keeps(s, i) && !isLost(&s.Elements[i]) {
								out = append(out, s.Elements[i].ID)
							}
						}
					}
					return out
				}
			},
			witness: steps(squeezing(12, "", spans(heir("s1", "negation", gone(lid)), holding("s2")), summaries(kept))),
		},
		{
			id: "contract/of-the-new-alone", hardness: "M",
			about: "The contract is that of the summaries that are used now; those that are kept do not count.",
			compact: func(c *packer) {
				c.contract = func(q *packing, d *delivered) *floor.Contract {
					only := *d
					only.kept = slices.DeleteFunc(slices.Clone(d.kept), func(s *stretch) bool { return c.stands(s.Span) })
					return c.contractOf(q, &only)
				}
			},
			witness: beside(with(heir("s2", "negation"), of(4))),
		},
		{
			id: "contract/decision-certifies", hardness: "M",
			about: "A certified decision certifies every required class, whatever is kept beside it.",
			compact: contracted(func(_ *packer, _ *packing, d *delivered, out *floor.Contract) {
				if d.decision == floor.Certified {
					out.Certified = out.Required
				}
			}),
			witness: beside(heir("s2", "")),
		},
		{
			id: "contract/inverted-ignored", hardness: "M", hidden: noOpposite,
			about: "A class stands in the contract although what is delivered says the opposite of an element of it.",
			compact: func(c *packer) {
				c.contract = func(q *packing, d *delivered) *floor.Contract {
					blind := *q
					blind.spans = nil
					return c.contractOf(&blind, d)
				}
			},
			witness: beside(with(holding("s2"), saying("Lift the lid."))),
		},
		{
			id: "contract/poisoned-classes-stay", hardness: "M",
			about: "Classes stay certified in a contract whose ancestry is not.",
			compact: contracted(func(c *packer, q *packing, d *delivered, out *floor.Contract) {
				for _, class := range out.Required {
					held := !slices.ContainsFunc(c.summaryLineages(d), func(l *floor.Lineage) bool {
						return l == nil || !slices.Contains(effectiveIn(l), class)
					})
					if held && !slices.Contains(out.Certified, class) && !c.turned(q, c.texts(d), class) && !out.AncestryCertified {
						out.Certified = append(out.Certified, class)
					}
				}
			}),
			witness: beside(with(heir("s2", "negation"), tainted)),
		},
		{
			id: "contract/generation-of-what-went", hardness: "M",
			about: "The generation of the contract is the largest among the spans that there were.",
			compact: contracted(func(c *packer, q *packing, _ *delivered, out *floor.Contract) {
				out.Generation = 0
				for _, s := range q.spans {
					out.Generation = max(out.Generation, c.generation(s.Span))
				}
			}),
			witness: beside(holding("s2")),
		},
		{
			id: "contract/no-op-certifies", hardness: "M",
			about: "Where nothing has to go everything is certified, the ancestry too.",
			compact: contracted(func(_ *packer, _ *packing, d *delivered, out *floor.Contract) {
				if len(d.used) == 0 {
					out.Certified, out.AncestryCertified = out.Required, true
				}
			}),
			witness: steps(squeezing(10, "negation", spans(with(old, tainted)))),
		},
	}
}

func generations(c *packer, spans []*stretch) (out []int64) {
	for _, s := range spans {
		out = append(out, c.generation(s.Span))
	}
	return out
}
