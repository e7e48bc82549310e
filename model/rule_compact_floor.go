package model

import (
	"fmt"

	"github.com/floorcheck/floorcheck/floor"
)

// A summary that says the opposite of anything known keeps nothing that can be
// relied on, and neither does one beside an older summary that says the opposite
// of what it is to keep.
var _ = register(Rule{
	ID:      "compact/floor",
	Title:   "under certified no span goes that is below a floor in its summary, nor under or beside a summary that says the opposite",
	Needs:   "B-26",
	Keyword: Must,
	Op:      floor.OpCompact,
	Minimum: 20,

	Applies: whenCovered(belowFloor),

	Check: func(o Observation) []Finding {
		return aboutCertified(o, func(r *result, s *candidate) (want, got string) {
			switch {
			case !s.under.clean():
				return "evicted under a clean summary", "evicted under " + showName(s.under.ID) + ", " + showWorth(s.under)
			case len(s.short) > 0:
				f := s.short[0]
				return fmt.Sprintf("%s at %d permille in its summary", showName(string(f.Class)), r.due.floor(f.Class)), showFidelity(f)
			case s.denied != nil:
				return "no other summary that says the opposite", "the summary " + showName(s.denied.ID) + " does"
			}
			return "", ""
		})
	},

	// The smallest lie: let one such span go.
	Break: func(o Observation) (Observation, bool) { return lieAboutGoing(o, belowFloor) },
})

func belowFloor(_ *compaction, s *candidate) bool {
	return !s.under.clean() || len(s.short) > 0 || s.denied != nil
}
