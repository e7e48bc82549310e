package model

import (
	"fmt"

	"github.com/floorcheck/floorcheck/floor"
)

// Unlike compact/floor it does not ask what the answer decided: it looks at
// whether the summary that reaches the consumer is marked.
var _ = register(Rule{
	ID:      "compact/summarizer-independent",
	Title:   "whatever the summarizer does, no summary that is not marked is unusable, says the opposite of anything known, or keeps a span below its floor",
	Needs:   "A-59",
	Keyword: Must,
	Op:      floor.OpCompact,
	Minimum: 20,

	Applies: whenCompact(func(c *compaction) bool {
		for _, span := range c.spans {
			if c.tight() && span.failed() {
				return true
			}
		}
		return false
	}),

	Check: func(o Observation) []Finding {
		return aboutDelivered(o, func(r *result) []Finding {
			return r.aboutUsed(func(part *floor.Part, used *proposal, replaced []*candidate) []difference {
				if isMarked(part) {
					return nil
				}
				if !used.clean() {
					return []difference{{"", "a clean summary, or one that is marked", "one " + showWorth(used) + ", " + showMark(part)}}
				}
				for _, span := range replaced {
					if len(span.short) > 0 {
						f := span.short[0]
						want := fmt.Sprintf("%s of %s at %d permille, or a mark", showName(string(f.Class)), showName(span.ID), r.due.floor(f.Class))
						return []difference{{"", want, showFidelity(f) + ", " + showMark(part)}}
					}
				}
				return nil
			})
		})
	},

	// The smallest lie: use one such summary as if it would do.
	Break: func(o Observation) (Observation, bool) {
		return lieInCompact(o, func(r *result, out *floor.CompactOut) bool {
			for _, span := range r.due.spans {
				if r.due.tight() && span.failed() {
					*out = *r.due.answer(plan{span.ID: true}, floor.Certified, "")
					return true
				}
			}
			return false
		})
	},
})

// failed tells whether the summarizer failed the span: what it wrote is not to
// be used, says the opposite of something, or keeps too little.
func (s *candidate) failed() bool {
	return s.under != nil && (!s.under.clean() || len(s.short) > 0)
}
