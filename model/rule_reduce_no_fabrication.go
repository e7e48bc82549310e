package model

import (
	"fmt"

	"github.com/floorcheck/floorcheck/floor"
)

var _ = register(Rule{
	ID:      "reduce/no-fabrication",
	Title:   "nothing comes out that nobody said: no decoy is in the output",
	Needs:   "W-15",
	Keyword: Should,
	Op:      floor.OpReduce,
	Minimum: 20,

	Applies: func(r Run) bool { return r.Case.Planted != nil && len(r.Case.Planted.Decoys) > 0 && anyReduce(r) },

	Check: func(o Observation) []Finding {
		var found []Finding
		for _, t := range o.Base.outputs() {
			for _, decoy := range t.decoys {
				if tellers := t.after.tellers(decoy); len(tellers) > 0 && !t.before.Retention(decoy).keeps() {
					found = append(found, Finding{
						Step: t.step, At: fmt.Sprintf("messages[%d]", tellers[0]),
						Want: fmt.Sprintf("no %s that nobody said", showName(string(decoy.Class))),
						Got:  showForms(decoy.Forms),
					})
				}
			}
		}
		return found
	},

	// The smallest lie: say one decoy.
	Break: func(o Observation) (Observation, bool) {
		return lieInReduce(o, func(t *turn, out *floor.ReduceOut) bool {
			for _, decoy := range t.decoys {
				said := floor.Message{Role: floor.Assistant, Text: queryFor(decoy) + "."}
				if Retain(decoy, []string{said.Text}).keeps() && !t.before.Retention(decoy).keeps() {
					sayFirst(out, said)
					return true
				}
			}
			return false
		})
	},
})
