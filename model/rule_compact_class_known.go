package model

import (
	"github.com/floorcheck/floorcheck/floor"
)

var _ = register(Rule{
	ID:      "compact/class-known",
	Title:   "unknown elements and unknown classes never count as certified: no span goes under certified whose elements, or a guarded class of them, nobody looked for",
	Needs:   "B-20",
	Keyword: Must,
	Op:      floor.OpCompact,
	Minimum: 20,

	Applies: whenCovered(unknown),

	Check: func(o Observation) []Finding {
		return aboutCertified(o, func(r *result, s *candidate) (want, got string) {
			switch {
			case s.Elements == nil:
				return "known elements", "they are unknown"
			case len(r.due.unwatched) > 0:
				return showName(string(r.due.unwatched[0])) + " among the known classes", "it is not"
			case len(r.due.unheld(s)) > 0:
				return showName(string(r.due.unheld(s)[0])) + " in the lineage of what goes", "it is not"
			}
			return "", ""
		})
	},

	// The smallest lie: let one such span go.
	Break: func(o Observation) (Observation, bool) { return lieAboutGoing(o, unknown) },
})

// unknown: of the span itself, of the request, or of what the span stands for.
func unknown(c *compaction, s *candidate) bool {
	return s.Elements == nil || len(c.unwatched) > 0 || len(c.unheld(s)) > 0
}
