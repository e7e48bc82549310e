package mutant

import (
	"cmp"
	"slices"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// budgets are faults in what fits, in which plan is taken, and in how it is
// written down.
func budgets() []slip {
	lid, vent := never("x1", "lift the lid"), never("x2", "open the vent")
	kept := summing("m1", "s1", "Never lift the lid.")
	two := spans(holding("s1", lid), holding("s2"))
	fitting := func(fits func(c *packer, q *packing, cost int64) bool) func(*packer) {
		return func(c *packer) { c.fits = func(q *packing, cost int64) bool { return fits(c, q, cost) } }
	}
	telling := func(tell func(q *packing, out *floor.CompactOut)) func(*packer) {
		return func(c *packer) { c.tell = tell }
	}
	plain := steps(squeezing(12, "negation", two, summaries(kept)))
	return []slip{
		{
			id: "budget/below-not-at", hardness: "E",
			about:   "A plan has to cost less than the budget; as much is too much.",
			compact: fitting(func(_ *packer, q *packing, cost int64) bool { return cost < q.in.BudgetTokens }),
			witness: plain,
		},
		{
			id: "budget/one-token-over", hardness: "M",
			about:   "One token over the budget is let pass.",
			compact: fitting(func(_ *packer, q *packing, cost int64) bool { return cost <= q.in.BudgetTokens+1 }),
			witness: steps(squeezing(11, "negation", two, summaries(kept))),
		},
		{
			id: "budget/thirty-two-bits", hardness: "M",
			about:   "Tokens are added up in 32 bits.",
			compact: func(c *packer) { c.weight = func(tokens int64) int64 { return int64(int32(tokens)) } },
			witness: steps(squeezing(0, "negation", spans(with(holding("s1"), weighing(1<<32))))),
		},
		{
			id: "budget/summaries-cost-nothing", hardness: "M", hidden: tooDear,
			about: "What a summary costs is not counted.",
			compact: func(c *packer) {
				planned := c.plan
				c.plan = func(q *packing, goes func(*stretch) bool) plan {
					p := planned(q, goes)
					for _, m := range q.summaries {
						if len(p.going(m)) > 0 {
							p.cost -= m.Tokens
						}
					}
					return p
				}
			},
			witness: steps(squeezing(11, "negation", two, summaries(kept))),
		},
		{
			id: "budget/first-summary-only", hardness: "M", hidden: tooDear,
			about: "Summaries are tried one at a time, and the first that saves anything is the plan.",
			compact: func(c *packer) {
				planned := c.plan
				c.plan = func(q *packing, goes func(*stretch) bool) plan {
					for _, m := range q.summaries {
						p := planned(q, func(s *stretch) bool { return s.under == m && goes(s) })
						if len(p.goes) > 0 {
							return p
						}
					}
					return planned(q, func(*stretch) bool { return false })
				}
			},
			witness: steps(squeezing(4, "negation", spans(holding("s1", lid), holding("s2", vent)),
				summaries(kept, summing("m2", "s2", "Never open the vent.")))),
		},
		{
			id: "budget/never-keeps-all", hardness: "M", hidden: tooDear,
			about:   "A summary under which something may go is used, even if it costs more than what it saves.",
			compact: func(c *packer) { c.pays = func(saved, _ int64) bool { return saved > 0 } },
			witness: steps(squeezing(12, "negation", spans(holding("s1", lid), holding("s2", vent)),
				summaries(kept, summing("m2", "s2", "Never open the vent.", costing(30))))),
		},
		{
			id: "budget/whole-summaries", hardness: "M", hidden: tooDear,
			about: "A summary is used when all of its spans may go, or not at all.",
			compact: func(c *packer) {
				planned := c.plan
				c.plan = func(q *packing, goes func(*stretch) bool) plan {
					return planned(q, func(s *stretch) bool {
						return !slices.ContainsFunc(s.under.of, func(other *stretch) bool { return !goes(other) })
					})
				}
			},
			witness: steps(squeezing(12, "negation", spans(holding("s1", lid), holding("s2", vent)),
				summaries(summing("m1", "s1 s2", "Never lift the lid.")))),
		},
		{
			id: "budget/fullness-evicts", hardness: "E",
			about: "Where nothing sound fits, spans below their floor go all the same, and it is called certified.",
			compact: func(c *packer) {
				c.refuse = func(q *packing, sound plan) floor.CompactOut {
					if rough := c.roughPlan(q); c.fits(q, rough.cost) {
						return c.deliver(q, rough, floor.Certified)
					}
					return c.refusal(q, sound)
				}
			},
			witness: steps(squeezing(12, "negation", two, summaries(summing("m1", "s1", "Good.")))),
		},
		{
			id: "budget/recoverable-has-none", hardness: "E",
			about: "A source that can be read again is never refused: a provisional plan need not fit.",
			compact: func(c *packer) {
				c.refuse = func(q *packing, sound plan) floor.CompactOut {
					if q.in.SourceRecoverable {
						return c.deliver(q, c.roughPlan(q), floor.Provisional)
					}
					return c.refusal(q, sound)
				}
			},
			witness: steps(squeezing(1, "negation", provided("r"), two, summaries(kept))),
		},
		{
			id: "budget/fifteen-percent", hardness: "M",
			about: "What leaves less than 15 % of the context is refused, whatever it keeps.",
			compact: fitting(func(_ *packer, q *packing, cost int64) bool {
				return cost <= q.in.BudgetTokens && cost*100 >= 15*q.whole
			}),
			witness: steps(squeezing(2, "negation", spans(with(holding("s1", lid), weighing(20))), summaries(kept))),
		},
		{
			id: "budget/quota-passes", hardness: "M", hidden: "riders",
			about: "A quota of facts that rides along passes: with one or more the floors are not looked at.",
			compact: func(c *packer) {
				enough := c.enough
				c.enough = func(q *packing, s *stretch) bool {
					r := q.in.Riders
					return r != nil && r.QuotaFacts != nil && *r.QuotaFacts > 0 || enough(q, s)
				}
			},
			witness: steps(squeezing(12, "negation", two, summaries(summing("m1", "s1", "Good.")), carrying(floor.Riders{QuotaFacts: new(int64(3))}))),
		},
		{
			id: "ordering/by-id", hardness: "M",
			about: "What is delivered comes in the order of its ids.",
			compact: telling(func(_ *packing, out *floor.CompactOut) {
				slices.SortStableFunc(out.Output, func(a, b floor.Part) int { return cmp.Compare(a.Span, b.Span) })
			}),
			hidden:  "ids that sort against the order",
			witness: steps(squeezing(20, "negation", spans(holding("s2"), holding("s1")))),
		},
		{
			id: "ordering/newest-first", hardness: "E",
			about:   "What is delivered comes newest first.",
			compact: telling(func(_ *packing, out *floor.CompactOut) { slices.Reverse(out.Output) }),
			witness: steps(squeezing(20, "negation", spans(holding("s1"), holding("s2")))),
		},
		{
			id: "ordering/trimmed", hardness: "M",
			about: "The texts of kept spans are tidied up: white space in them becomes one space.",
			compact: telling(func(_ *packing, out *floor.CompactOut) {
				for i := range out.Output {
					if out.Output[i].Kind == floor.PartSpan {
						out.Output[i].Text = oneLine(out.Output[i].Text)
					}
				}
			}),
			witness: steps(squeezing(10, "negation", spans(with(holding("s1"), saying("One.\n\nTwo."))))),
		},
		{
			id: "ordering/last-span-falls-off", hardness: "M",
			about: "Of more than two kept spans the last is not delivered.",
			compact: telling(func(_ *packing, out *floor.CompactOut) {
				if n := len(out.Output); n > 2 && out.Output[n-1].Kind == floor.PartSpan {
					out.Output = out.Output[:n-1]
				}
			}),
			witness: steps(squeezing(30, "negation", spans(holding("s1"), holding("s2"), holding("s3")))),
		},
		{
			id: "ordering/summary-for-each-span", hardness: "M",
			about: "A summary is written in the place of each span that it replaces.",
			compact: telling(func(q *packing, out *floor.CompactOut) {
				for _, evicted := range out.Evicted {
					at := slices.IndexFunc(out.Output, func(p floor.Part) bool { return p.Summary == evicted.Summary && p.Summary != "" })
					n := 0
					for _, other := range out.Evicted {
						if other.Summary == evicted.Summary {
							n++
						}
					}
					if at >= 0 && n > 1 {
						out.Output = append(out.Output, out.Output[at])
						return
					}
				}
			}),
			witness: steps(squeezing(2, "negation", spans(holding("s1", lid), holding("s2")), summaries(summing("m1", "s1 s2", "Never lift the lid.")))),
		},
		{
			id: "ordering/tag-of-what-is-kept", hardness: "M",
			about: "A tag has no entry for a class of which nothing is kept.",
			compact: telling(func(_ *packing, out *floor.CompactOut) {
				for i := range out.Evicted {
					tag := out.Evicted[i].Fidelity
					out.Evicted[i].Fidelity = slices.DeleteFunc(slices.Clone(tag), func(f floor.Fidelity) bool { return f.Retained == 0 })
				}
			}),
			witness: steps(squeezing(12, "", spans(holding("s1", lid), holding("s2")), summaries(summing("m1", "s1", "Good.")))),
		},
	}
}

// refusals are faults in what is said of a refusal, and of what is marked.
func refusals() []slip {
	lid := never("x1", "lift the lid")
	empty := summing("m1", "s1", "Good.")
	two := spans(holding("s1", lid), holding("s2"))
	refusing := func(change func(c *packer, q *packing, out *floor.CompactOut)) func(*packer) {
		return func(c *packer) {
			c.refuse = func(q *packing, sound plan) floor.CompactOut {
				out := c.refusal(q, sound)
				change(c, q, &out)
				return out
			}
		}
	}
	refused := steps(squeezing(12, "negation", two, summaries(empty)))
	rough := steps(squeezing(12, "negation", provided("r"), two, summaries(empty)))
	return []slip{
		{
			id: "refusal/unknown-spans-excuse", hardness: "M", hidden: tooDear,
			about: "A span whose elements are unknown keeps no class from going: what is missing for it is not named.",
			compact: refusing(func(c *packer, q *packing, out *floor.CompactOut) {
				out.MissingClasses = classes{}
				for _, s := range q.spans {
					if s.under != nil && s.under.usable && s.Elements != nil {
						out.MissingClasses = append(out.MissingClasses, c.missingOf(q, s)...)
					}
				}
			}),
			witness: steps(squeezing(12, "negation", knowing(""), spans(with(holding("s1"), unknown), holding("s2")), summaries(empty))),
		},
		{
			id: "refusal/unusable-summaries-count", hardness: "M",
			about: "Classes are named that are missing under summaries which nobody could use.",
			compact: refusing(func(c *packer, q *packing, out *floor.CompactOut) {
				for _, s := range q.spans {
					if s.under != nil && !s.under.usable {
						out.MissingClasses = append(out.MissingClasses, c.missingOf(q, s)...)
					}
				}
			}),
			witness: steps(squeezing(12, "negation", two, summaries(summing("m1", "s1", "Good.", arrived(floor.StatusError))))),
		},
		{
			id: "refusal/known-not-asked", hardness: "M",
			about: "Only what is below its floor is named, not what nobody looked for.",
			compact: refusing(func(_ *packer, q *packing, out *floor.CompactOut) {
				out.MissingClasses = slices.DeleteFunc(out.MissingClasses, func(class floor.Class) bool { return !slices.Contains(q.in.Known, class) })
			}),
			witness: steps(squeezing(12, "negation", knowing(""), two, summaries(empty))),
		},
		{
			id: "refusal/over-budget-of-any-plan", hardness: "M",
			about: "By how much the budget is missed is told of the plan that throws most away.",
			compact: refusing(func(c *packer, q *packing, out *floor.CompactOut) {
				over := c.roughPlan(q).cost - q.in.BudgetTokens
				out.OverBudgetTokens = &over
			}),
			witness: refused,
		},
		{
			id: "refusal/over-budget-of-everything", hardness: "M",
			about: "By how much the budget is missed is told of the whole context, although a part of it may go.",
			compact: refusing(func(_ *packer, q *packing, out *floor.CompactOut) {
				over := q.whole - q.in.BudgetTokens
				out.OverBudgetTokens = &over
			}),
			witness: steps(squeezing(3, "negation", two, summaries(summing("m1", "s1", "Never lift the lid.")))),
		},
		{
			id: "refusal/no-way-on", hardness: "E",
			about:   "A refusal names no way on.",
			compact: refusing(func(_ *packer, _ *packing, out *floor.CompactOut) { out.Escalations = []string{} }),
			witness: refused,
		},
		{
			id: "refusal/all-unknown-spans", hardness: "M",
			about: "Every span whose elements are unknown is named, those too that no summary is of.",
			compact: refusing(func(_ *packer, q *packing, out *floor.CompactOut) {
				out.UnknownSpans = []string{}
				for _, s := range q.spans {
					if s.Elements == nil {
						out.UnknownSpans = append(out.UnknownSpans, s.ID)
					}
				}
			}),
			witness: steps(squeezing(2, "negation", spans(with(holding("s1"), unknown)))),
		},
		{
			id: "refusal/all-poisoned-spans", hardness: "M",
			about: "Every summary span without a certified lineage is named, those too that no summary is of.",
			compact: refusing(func(c *packer, q *packing, out *floor.CompactOut) {
				out.PoisonedSpans = []string{}
				for _, s := range q.spans {
					if !c.carries(s.Span) {
						out.PoisonedSpans = append(out.PoisonedSpans, s.ID)
					}
				}
			}),
			witness: steps(squeezing(2, "negation", spans(with(heir("s1", ""), tainted)))),
		},
		{
			id: "refusal/unusable-is-unclean", hardness: "M",
			about: "Summaries that cannot be used are named among those that say the opposite of something.",
			compact: refusing(func(_ *packer, q *packing, out *floor.CompactOut) {
				for _, m := range q.summaries {
					if !m.usable {
						out.UncleanSummaries = append(out.UncleanSummaries, m.ID)
					}
				}
			}),
			witness: steps(squeezing(12, "negation", two, summaries(summing("m1", "s1", "Good.", arrived(floor.StatusError))))),
		},
		{
			id: "refusal/although-provisional-fits", hardness: "E",
			about:   "What is not certified is refused, recoverable or not.",
			compact: func(c *packer) { c.otherwise = func(floor.Conditions) floor.Decision { return floor.Refuse } },
			witness: rough,
		},
		{
			id: "refusal/provisional-not-marked", hardness: "E",
			about:   "The summaries of a provisional plan do not say that they are.",
			compact: func(c *packer) { c.marks = func(floor.Decision) bool { return false } },
			witness: rough,
		},
		{
			id: "refusal/basis-always-recoverable", hardness: "E",
			about:   "The basis of what is provisional is always said to be a source that can be read again.",
			compact: func(c *packer) { c.basis = func(*floor.CompactIn) floor.Basis { return floor.BasisRecoverable } },
			witness: steps(squeezing(12, "negation", provided(""), two, summaries(empty))),
		},
		{
			id: "refusal/mark-on-the-first", hardness: "M", hidden: tooDear,
			about: "Of the summaries of a provisional plan only the first is marked.",
			compact: func(c *packer) {
				c.tell = func(_ *packing, out *floor.CompactOut) {
					first := true
					for i := range out.Output {
						if p := &out.Output[i]; p.Kind == floor.PartSummary && *p.Provisional {
							p.Provisional = new(first)
							first = false
						}
					}
				}
			},
			witness: steps(squeezing(4, "negation", provided("r"), two, summaries(empty, summing("m2", "s2", "Fine.")))),
		},
		{
			id: "request/lists-may-meet", hardness: "M", hidden: badRequest,
			about:   "The same phrase may stand in both lists of an element.",
			compact: func(c *packer) { c.lax = true },
			witness: steps(squeezing(10, "", spans(holding("s1", stating("x1", "blue key", "BLUE  key"))))),
		},
		{
			id: "request/sum-not-bounded", hardness: "M", hidden: badRequest,
			about: "The tokens of all spans and summaries together may pass what can be carried; each by itself may not.",
			compact: repairing(func(in map[string]any) {
				for _, name := range []string{"spans", "summaries"} {
					for _, o := range objects(in[name]) {
						if n, ok := integer(o["tokens"]); ok && n >= 0 && n <= floor.MaxNumber {
							o["tokens"] = number(n >> 20)
						}
					}
				}
			}),
			witness: steps(spoilt(squeezing(10, "", spans(with(holding("s1"), weighing(7)), with(holding("s2"), weighing(floor.MaxNumber-8)))),
				`"tokens":7`, `"tokens":9`)),
		},
		{
			id: "request/lost-on-an-original", hardness: "M", hidden: badRequest,
			about: "That an element was lost is accepted of an original, and not read.",
			compact: repairing(func(in map[string]any) {
				for _, s := range objects(in["spans"]) {
					if _, there := s["lineage"]; !there && s["kind"] != "summary" {
						for _, e := range objects(s["elements"]) {
							if _, isFlag := e["lost"].(bool); isFlag {
								delete(e, "lost")
							}
						}
					}
				}
			}),
			witness: steps(spoilt(squeezing(10, "", spans(holding("s1", lid))), `"class":"negation"`, `"class":"negation","lost":true`)),
		},
		{
			id: "request/effective-disagrees", hardness: "M", hidden: badRequest,
			about: "What a lineage says is effective is not held against the elements of its span.",
			compact: repairing(func(in map[string]any) {
				for _, s := range objects(in["spans"]) {
					l, _ := s["lineage"].(map[string]any)
					for _, f := range objects(l["effective"]) {
						retained, okR := integer(f["retained"])
						total, okT := integer(f["total"])
						class, okC := f["class"].(string)
						if !okR || !okT || !okC || retained < 0 || retained > total || total > floor.MaxNumber {
							continue
						}
						total, retained = 0, 0
						for _, e := range objects(s["elements"]) {
							if e["class"] == class {
								total++
								if e["lost"] != true {
									retained++
								}
							}
						}
						f["retained"], f["total"] = number(retained), number(total)
					}
				}
			}),
			witness: steps(spoilt(squeezing(10, "", spans(heir("s1", "negation", lid))), `"retained":1,"total":1`, `"retained":1,"total":2`)),
		},
		{
			id: "request/span-in-two-summaries", hardness: "M", hidden: badRequest,
			about: "A span may be in two summaries: the first one has it.",
			compact: repairing(func(in map[string]any) {
				var taken []string
				for _, m := range objects(in["summaries"]) {
					items, isList := m["of"].([]any)
					if !isList {
						continue
					}
					m["of"] = slices.DeleteFunc(slices.Clone(items), func(v any) bool {
						id, isText := v.(string)
						again := isText && slices.Contains(taken, id)
						taken = append(taken, id)
						return again
					})
				}
			}),
			witness: steps(spoilt(squeezing(10, "", two, summaries(summing("m1", "s1", "Good."), summing("m2", "s2", "Fine."))), `["s2"]`, `["s1"]`)),
		},
		{
			id: "request/unheard-status-is-ok", hardness: "M", hidden: badRequest,
			about: "A status that nobody heard of is taken for ok.",
			compact: repairing(func(in map[string]any) {
				for _, m := range objects(in["summaries"]) {
					if status, isText := m["status"].(string); isText && !slices.Contains([]string{"ok", "error", "refused", "partial", "opaque"}, status) {
						m["status"] = "ok"
					}
				}
			}),
			witness: steps(spoilt(squeezing(10, "", two, summaries(summing("m1", "s1", "Good.", arrived(floor.StatusOK)))), `"status":"ok"`, `"status":"done"`)),
		},
	}
}

// repairing makes a mutant that mends bad compact requests and answers them; what
// is bad still stays an error.
func repairing(mend func(in map[string]any)) func(*packer) {
	return func(c *packer) {
		c.raw = func(r floor.Request) floor.Answer {
			raw, err := r.In()
			if err != nil {
				return bad(err)
			}
			tree, err := floor.ParseJSON(raw)
			if err != nil {
				return bad(err)
			}
			if in, ok := tree.(map[string]any); ok {
				mend(in)
			}
			in, err := floor.DecodeCompactIn(encode(tree))
			if err != nil {
				return bad(err)
			}
			out, err := c.compact(in)
			if err != nil {
				return bad(err)
			}
			return floor.Answer{Compact: &out}
		}
	}
}

// doubles are pairs of faults, each of which hides something of the other.
func doubles() []slip {
	lid, vent := never("x1", "lift the lid"), never("x2", "open the vent")
	return []slip{
		{
			id: "negation/opposite-in-another-order", hardness: "M",
			about: "Two faults: inverted forms are not read, and a form is kept when all its words are, in any order.",
			certify: func(c *certifier) {
				c.inverted = func(*floor.Element) []string { return nil }
				occurs := c.occurs
				c.occurs = func(text, phrase string, m floor.Match) []extent {
					for _, word := range strings.Fields(phrase) {
						if len(occurs(text, word, m)) == 0 {
							return nil
						}
					}
					return []extent{{0, len(text)}}[:min(1, len(phrase))]
				}
			},
			witness: steps(delivering("Lift the lid, never mind.", "negation", about(lid))),
		},
		{
			id: "certificate/pins-and-status-ignored", hardness: "E",
			about: "Two faults: pins are not looked at, and neither is the status.",
			certify: func(c *certifier) {
				c.delivered = func(in *floor.CertifyIn) []string { return []string{in.Output.Text} }
				c.usable = func(in *floor.CertifyIn) bool { return hasWord(in.Output.Text) }
			},
			witness: steps(delivering("Good.", "negation", about(lid), pinned("Never lift the lid."), arriving(floor.StatusError))),
		},
		{
			id: "lineage/poison-and-losses-forgotten", hardness: "M",
			about: "Two faults: an ancestry that is not certified is no hindrance, and what was lost counts as kept when it is named again.",
			compact: func(c *packer) {
				c.carries = func(*floor.Span) bool { return true }
				c.keeps = func(s *stretch, i int) bool { return s.under != nil && s.now[i].retained() }
			},
			witness: steps(squeezing(12, "negation", spans(with(heir("s1", "negation", gone(lid)), tainted), holding("s2")),
				summaries(summing("m1", "s1", "Never lift the lid.")))),
		},
		{
			id: "budget/over-and-under", hardness: "M",
			about: "Two faults: one token over the budget is let pass, and a summary that says the opposite is used.",
			compact: func(c *packer) {
				c.fits = func(q *packing, cost int64) bool { return cost <= q.in.BudgetTokens+1 }
				c.denies = func(*packing, *proposed) bool { return false }
			},
			witness: steps(squeezing(11, "negation", spans(holding("s1", lid), holding("s2", vent)),
				summaries(summing("m1", "s1", "Never lift the lid. Open the vent.")))),
		},
	}
}
