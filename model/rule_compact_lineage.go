package model

import (
	"fmt"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// What is effective is counted, and counts are compared, not fractions: fed back
// they have to be those of the elements.
var _ = register(Rule{
	ID:      "compact/lineage",
	Title:   "every summary that is used has the lineage of what it replaces and names what it does not keep; under certified it replaces no summary whose own lineage is not certified",
	Needs:   "A-55",
	Keyword: Must,
	Op:      floor.OpCompact,
	Minimum: 20,

	Applies: whenCompact(func(c *compaction) bool {
		return shortens(c) || c.tight() && slices.ContainsFunc(c.coverable(), func(s *candidate) bool { return !s.isClean() })
	}),

	Check: func(o Observation) []Finding {
		found := aboutCertified(o, func(_ *result, s *candidate) (want, got string) {
			if s.isClean() {
				return "", ""
			}
			return "a certified lineage of what goes", showLineage(s.Lineage)
		})
		return append(found, aboutDelivered(o, func(r *result) []Finding {
			return r.aboutUsed(func(part *floor.Part, _ *proposal, replaced []*candidate) []difference {
				return wrongLineage(part, r.due.lineage(replaced, r.out.Decision), lost(replaced))
			})
		})...)
	},

	// The smallest lie: no lineage.
	Break: func(o Observation) (Observation, bool) {
		return lieAboutPart(o, func(_ *result, part *floor.Part) bool {
			part.Lineage = nil
			return true
		})
	},
})

func wrongLineage(part *floor.Part, want *floor.Lineage, lost []string) (wrong []difference) {
	if part.Lineage == nil {
		return []difference{{"lineage", showLineage(want), showLineage(nil)}}
	}
	if d := differInLineage(want, part.Lineage); d != (difference{}) {
		wrong = append(wrong, d)
	} else if want, got := showCounts(want.Effective, part.Lineage.Effective); want != got {
		wrong = append(wrong, difference{"lineage.effective", want, got})
	}
	if d := differInSet("lost", lost, part.Lost); d != (difference{}) {
		wrong = append(wrong, d)
	}
	return wrong
}

// showCounts shows the first counts that differ of lists whose fractions are
// equal; nothing where none do.
func showCounts(want, got []floor.Fidelity) (wants, gots string) {
	for _, f := range want {
		at := slices.IndexFunc(got, func(g floor.Fidelity) bool { return g.Class == f.Class })
		if at >= 0 && got[at] != f {
			return showFidelity(f), fmt.Sprintf("%s, counted otherwise", showFidelity(got[at]))
		}
	}
	return "", ""
}
