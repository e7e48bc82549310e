package model

import (
	"fmt"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// The mark excuses a loss, and not that the text of an error becomes what the
// agent remembers.
var _ = register(Rule{
	ID:      "reduce/error-not-memory",
	Title:   "a summarizer that fails, refuses or gives nothing does not become the history",
	Needs:   "W-27",
	Keyword: Must,
	Op:      floor.OpReduce,
	Minimum: 20,
	Model:   true,

	Applies: func(r Run) bool {
		return r.Case.Planted != nil && slices.Contains(failing, r.Case.Planted.Summarizer) && anyReduce(r)
	},

	Check: func(o Observation) []Finding {
		var found []Finding
		for _, t := range o.Base.outputs() {
			object := func(at, want, got string) {
				found = append(found, Finding{Step: t.step, At: at, Want: want, Got: got})
			}
			for _, text := range failures {
				failure := floor.Element{Forms: []string{text}}
				tellers := t.after.tellers(failure)
				if len(tellers) > 0 && !t.before.Retention(failure).keeps() {
					object(fmt.Sprintf("messages[%d]", tellers[0]), "no word of a summarizer that failed", showText(text))
				}
			}
			if t.provisional() {
				continue
			}
			if t.before.Usable() && !t.after.Usable() {
				object("messages", "the history, a refusal or the mark provisional after the summarizer failed", "no word at all, marked "+showName(string(markOf(t.out))))
				continue
			}
			for _, i := range t.live() {
				if t.before.keeps(i) && t.after.of(i) == Lost {
					object(showPlant(&t.plants[i]), "kept after the summarizer failed: "+showForms(t.plants[i].Forms)+" literally retained, a refusal or the mark provisional", t.showLoss())
				}
			}
		}
		return found
	},

	// The smallest lie: what the summarizer said instead is said to the agent.
	Break: func(o Observation) (Observation, bool) {
		return lieInReduce(o, func(t *turn, out *floor.ReduceOut) bool {
			text := floor.ErrorText
			switch o.Base.Case.Planted.Summarizer {
			case "refusal":
				text = floor.RefusalText
			case "skeleton":
				text = floor.SkeletonText
			}
			sayFirst(out, floor.Message{Role: floor.Assistant, Text: text})
			return true
		})
	},
})

// failing are the summarizers that give no summary.
var failing = []string{"error-status", "timeout", "rate-limit", "error-text", "empty", "refusal", "skeleton", "cut-stream"}

var failures = []string{floor.ErrorText, floor.RefusalText, floor.SkeletonText}
