package model

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

var _ = register(Rule{
	ID:      "reduce/newest-turn",
	Title:   "the newest turn of the user stays word for word, and stays the newest",
	Needs:   "W-24",
	Keyword: Should,
	Op:      floor.OpReduce,
	Minimum: 20,

	Applies: whenReduces(func(r Run, step int) bool { return newestTurn(r.step(step).reduce.Messages) >= 0 }),

	Check: func(o Observation) []Finding {
		var found []Finding
		for _, t := range o.Base.outputs() {
			asked, out := t.before.messages, t.out.Messages
			was, is := newestTurn(asked), newestTurn(out)
			switch {
			case was < 0: // there is no turn to keep
			case is < 0:
				found = append(found, Finding{Step: t.step, At: "messages", Want: "the user's " + showText(asked[was].Text), Got: "no turn of the user"})
			case out[is].Text != asked[was].Text:
				d := differInText("", asked[was].Text, out[is].Text)
				found = append(found, Finding{Step: t.step, At: "newest turn of the user", Want: d.want, Got: d.got})
			}
		}
		return found
	},

	// The smallest lie: one word more.
	Break: func(o Observation) (Observation, bool) {
		return lieInReduce(o, func(_ *turn, out *floor.ReduceOut) bool {
			i := newestTurn(out.Messages)
			if i < 0 {
				return false
			}
			out.Messages[i].Text += " Thanks."
			return true
		})
	},
})

// newestTurn is the last message of the user; -1 where there is none.
func newestTurn(messages []floor.Message) int {
	for i, m := range slices.Backward(messages) {
		if m.Role == floor.User {
			return i
		}
	}
	return -1
}
