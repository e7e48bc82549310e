package model

import "github.com/floorcheck/floorcheck/floor"

// It does not matter what the decision calls itself: where nothing sound fits,
// what is used is provisional.
var _ = register(Rule{
	ID:      "compact/marked",
	Title:   "where a provisional plan is all that fits, every summary that is used says so, and the answer says on which basis",
	Needs:   "A-45",
	Keyword: Must,
	Op:      floor.OpCompact,
	Minimum: 20,

	Applies: whenCompact(provisional),

	Check: func(o Observation) []Finding {
		return aboutDelivered(o, func(r *result) (found []Finding) {
			if !provisional(r.due) {
				return nil
			}
			if r.out.Basis != r.due.basis {
				found = append(found, r.object("basis", showName(string(r.due.basis)), showBasis(r.out.Basis)))
			}
			return append(found, r.aboutUsed(func(part *floor.Part, _ *proposal, _ []*candidate) []difference {
				if !isMarked(part) {
					return []difference{{"", "provisional", showMark(part)}}
				}
				return nil
			})...)
		})
	},

	// The smallest lie: leave one summary unmarked.
	Break: func(o Observation) (Observation, bool) {
		return lieAboutPart(o, func(r *result, part *floor.Part) bool {
			unmarked := false
			part.Provisional = &unmarked
			return provisional(r.due)
		})
	},
})

func provisional(c *compaction) bool { return c.due == floor.Provisional }

func showBasis(b floor.Basis) string {
	if b == "" {
		return "no basis"
	}
	return showName(string(b))
}
