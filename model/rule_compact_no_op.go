package model

import "github.com/floorcheck/floorcheck/floor"

// The decision beside it is not judged; that it is no refusal is
// compact/no-gratuitous-refusal's matter.
var _ = register(Rule{
	ID:      "compact/no-op",
	Title:   "where everything fits the budget nothing changes",
	Needs:   "W-38",
	Keyword: Must,
	Op:      floor.OpCompact,
	Minimum: 20,

	Applies: whenCompact(func(c *compaction) bool { return !c.tight() && len(c.spans) > 0 }),

	Check: func(o Observation) []Finding {
		return aboutDelivered(o, func(r *result) []Finding {
			switch {
			case r.due.tight():
				return nil
			case len(r.out.Evicted) > 0:
				return []Finding{r.object(atEvicted(0, r.out.Evicted[0].Span), "nothing evicted: everything fits", "evicted")}
			}
			for i := range r.out.Output {
				part := &r.out.Output[i]
				if i >= len(r.due.spans) || part.Kind != floor.PartSpan || part.Span != r.due.spans[i].ID {
					return []Finding{r.object(atPart(i, part), "the spans as they are", "another part in this place")}
				}
				if part.Text != r.due.spans[i].Text {
					d := differInText(atPart(i, part), r.due.spans[i].Text, part.Text)
					return []Finding{r.object(d.at, d.want, d.got)}
				}
			}
			if len(r.out.Output) != len(r.due.spans) {
				return []Finding{r.object("output", showCount(len(r.due.spans), "part"), showCount(len(r.out.Output), "part"))}
			}
			return nil
		})
	},

	// The smallest lie: let one span go all the same, or if none can, vanish.
	Break: func(o Observation) (Observation, bool) {
		return lieInCompact(o, func(r *result, out *floor.CompactOut) bool {
			if r.due.tight() || len(out.Output) == 0 {
				return false
			}
			if covered := r.due.coverable(); len(covered) > 0 {
				*out = *r.due.answer(plan{covered[0].ID: true}, floor.Certified, "")
			} else {
				out.Kept, out.Output = out.Kept[1:], out.Output[1:]
			}
			return true
		})
	},
})
