package model

import "github.com/floorcheck/floorcheck/floor"

// What is harmless follows the policy that the subject declares.
var _ = register(Rule{
	ID:      "decide/harmless",
	Title:   "not certified, the source not recoverable, but harmless under the policy: provisional",
	Needs:   "A-82",
	Keyword: Must,
	Op:      floor.OpDecide,
	Minimum: 20,

	Applies: whenDecide(harmlessLoss),
	Check:   dueDecision(harmlessLoss),

	// The smallest lie: refuse where nothing is at stake.
	Break: lieInstead(harmlessLoss, floor.Refuse),
})

func harmlessLoss(is *reading) bool {
	return is.due == floor.Provisional && !is.decide.SourceRecoverable
}
