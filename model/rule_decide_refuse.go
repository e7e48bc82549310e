package model

import "github.com/floorcheck/floorcheck/floor"

// What is dangerous follows the policy that the subject declares.
var _ = register(Rule{
	ID:      "decide/refuse",
	Title:   "not certified, the source not recoverable, and dangerous under the policy: refuse",
	Needs:   "A-81",
	Keyword: Must,
	Op:      floor.OpDecide,
	Minimum: 20,

	Applies: whenDecide(dangerousLoss),
	Check:   dueDecision(dangerousLoss),

	// The smallest lie: proceed where refusing is due.
	Break: lieInstead(dangerousLoss, floor.Provisional),
})

func dangerousLoss(is *reading) bool { return is.due == floor.Refuse }
