package model

import (
	"fmt"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// A conversation may have been at odds with this before: what was asked like
// that may come back like that.
var _ = register(Rule{
	ID:      "reduce/pairing",
	Title:   "calls and their results stay together, and a pending call is kept",
	Needs:   "W-25",
	Keyword: Should,
	Op:      floor.OpReduce,
	Minimum: 20,

	Applies: whenReduces(func(r Run, step int) bool {
		return slices.ContainsFunc(r.step(step).reduce.Messages, func(m floor.Message) bool {
			return m.Role == floor.Tool || m.Role == floor.Assistant && len(m.Calls) > 0
		})
	}),

	Check: func(o Observation) []Finding {
		var found []Finding
		for _, t := range o.Base.outputs() {
			asked, out := t.before.messages, t.out.Messages
			before := oddPairs(asked)
			for _, odd := range oddPairs(out) {
				if !slices.ContainsFunc(before, func(b oddPair) bool { return b.call == odd.call && b.want == odd.want }) {
					found = append(found, Finding{Step: t.step, At: odd.at, Want: odd.want, Got: odd.got})
				}
			}
			for _, missing := range missingPairs(asked, out) {
				found = append(found, Finding{Step: t.step, At: missing.at, Want: missing.want, Got: missing.got})
			}
		}
		return found
	},

	// The smallest lie: move a result before its call, or drop a pending call
	// under a mark.
	Break: func(o Observation) (Observation, bool) {
		return lieInReduce(o, func(t *turn, out *floor.ReduceOut) bool {
			isResult := func(m floor.Message) bool {
				return m.Role == floor.Tool && callAt(out.Messages, m.CallID) >= 0
			}
			if i := slices.IndexFunc(out.Messages, isResult); i >= 0 {
				result := out.Messages[i]
				out.Messages = slices.Delete(out.Messages, i, i+1)
				sayFirst(out, result)
				return !oddBefore(t, result.CallID)
			}
			for i, m := range out.Messages {
				if m.Role == floor.Assistant && len(m.Calls) > 0 && !slices.ContainsFunc(m.Calls, func(c floor.Call) bool { return oddBefore(t, c.ID) }) {
					out.Messages[i].Calls = nil
					out.Mark = floor.MarkProvisional
					return true
				}
			}
			return false
		})
	},
})

func oddBefore(t *turn, id string) bool {
	return slices.ContainsFunc(oddPairs(t.before.messages), func(p oddPair) bool { return p.call == id })
}

// An oddPair is what is wrong with a call or with a result, by the call's id.
type oddPair struct{ call, at, want, got string }

// oddPairs are what is wrong with a conversation whatever it came from.
func oddPairs(messages []floor.Message) (odd []oddPair) {
	called := map[string]bool{}
	var open []floor.Call // of the assistant's message that results may follow now
	for i, m := range messages {
		at := fmt.Sprintf("messages[%d]", i)
		switch {
		case m.Role == floor.Tool && !called[m.CallID]:
			odd = append(odd, oddPair{m.CallID, at, "a result after its call", "no call " + showName(m.CallID) + " before it"})
		case m.Role == floor.Tool && !slices.ContainsFunc(open, func(c floor.Call) bool { return c.ID == m.CallID }):
			odd = append(odd, oddPair{m.CallID, at, "a result directly after its call", "other messages between call " + showName(m.CallID) + " and it"})
		case m.Role != floor.Tool:
			open = nil
		}
		if m.Role != floor.Assistant {
			continue
		}
		open = m.Calls
		for _, call := range m.Calls {
			if called[call.ID] {
				odd = append(odd, oddPair{call.ID, at, "each call once", "call " + showName(call.ID) + " again"})
			}
			called[call.ID] = true
		}
	}
	return odd
}

// missingPairs are the results that calls of the output no longer have, and the
// calls without a result that are gone. An interim word is no answer: a call
// without a result stays pending wherever it stands.
func missingPairs(asked, out []floor.Message) (missing []oddPair) {
	for _, m := range asked {
		if m.Role != floor.Assistant {
			continue
		}
		for _, call := range m.Calls {
			at, kept := fmt.Sprintf("call %s", showName(call.ID)), callAt(out, call.ID)
			switch {
			case resultAfter(asked, callAt(asked, call.ID), call.ID):
				if kept >= 0 && !resultAfter(out, kept, call.ID) {
					missing = append(missing, oddPair{call.ID, at, "its result after it", "the call alone"})
				}
			case kept < 0:
				missing = append(missing, oddPair{call.ID, at, "kept: it is pending", "no such call"})
			case !slices.ContainsFunc(out[kept].Calls, func(c floor.Call) bool { return sameCall(c, call) }):
				missing = append(missing, oddPair{call.ID, at, "kept as it was: it is pending", "another call of that id"})
			}
		}
	}
	return missing
}

// callAt is the first message in which an assistant makes a call of that id; -1
// where none does.
func callAt(messages []floor.Message, id string) int {
	return slices.IndexFunc(messages, func(m floor.Message) bool {
		return m.Role == floor.Assistant && slices.ContainsFunc(m.Calls, func(c floor.Call) bool { return c.ID == id })
	})
}

func resultAfter(messages []floor.Message, call int, id string) bool {
	return slices.ContainsFunc(messages[call+1:], func(m floor.Message) bool { return m.Role == floor.Tool && m.CallID == id })
}
