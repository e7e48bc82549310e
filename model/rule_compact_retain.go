package model

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// The budget allows it when a sound plan fits.
var _ = register(Rule{
	ID:      "compact/retain",
	Title:   "what may not go stays, byte for byte, when the budget allows it",
	Needs:   "B-27",
	Keyword: Must,
	Op:      floor.OpCompact,
	Minimum: 20,

	Applies: whenCompact(func(c *compaction) bool { return affords(c) && slices.ContainsFunc(c.spans, stays) }),

	Check: func(o Observation) []Finding {
		return aboutDelivered(o, func(r *result) (found []Finding) {
			if !affords(r.due) {
				return nil
			}
			delivered := map[string]*floor.Part{}
			for i := range r.out.Output {
				if part := &r.out.Output[i]; part.Kind == floor.PartSpan {
					delivered[part.Span] = part
				}
			}
			for _, span := range r.due.spans {
				part := delivered[span.ID]
				switch {
				case !stays(span):
				case part == nil:
					found = append(found, r.object("output", showName(span.ID)+" as it was: it may not go", "it is gone"))
				case part.Text != span.Text:
					d := differInText("output ("+showName(span.ID)+")", span.Text, part.Text)
					found = append(found, r.object(d.at, d.want, d.got))
				}
			}
			return found
		})
	},

	// The smallest lie: cut one of them short by a character.
	Break: func(o Observation) (Observation, bool) {
		return lieInCompact(o, func(r *result, out *floor.CompactOut) bool {
			for i := range out.Output {
				part := &out.Output[i]
				if part.Kind == floor.PartSpan && affords(r.due) && stays(r.due.span[part.Span]) && part.Text != "" {
					letters := []rune(part.Text)
					part.Text = string(letters[:len(letters)-1])
					return true
				}
			}
			return false
		})
	},
})

// affords: something has to go, and what may go is enough.
func affords(c *compaction) bool { return c.tight() && c.due == floor.Certified }

func stays(s *candidate) bool { return !s.mayGo }
