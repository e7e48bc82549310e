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
			before := map[[2]string]bool{}
			for _, odd := range oddPairs(asked) {
				before[[2]string{odd.call, odd.want}] = true
			}
			for _, odd := range oddPairs(out) {
				if !before[[2]string{odd.call, odd.want}] {
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
			calls := callsOf(out.Messages)
			isResult := func(m floor.Message) bool { return m.Role == floor.Tool && calls[m.CallID] != nil }
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
	var open map[string]bool // calls of the assistant's message that results may follow now
	for i, m := range messages {
		at := fmt.Sprintf("messages[%d]", i)
		switch {
		case m.Role == floor.Tool && !called[m.CallID]:
			odd = append(odd, oddPair{m.CallID, at, "a result after its call", "no call " + showName(m.CallID) + " before it"})
		case m.Role == floor.Tool && !open[m.CallID]:
			odd = append(odd, oddPair{m.CallID, at, "a result directly after its call", "other messages between call " + showName(m.CallID) + " and it"})
		case m.Role != floor.Tool:
			open = nil
		}
		if m.Role != floor.Assistant {
			continue
		}
		open = map[string]bool{}
		for _, call := range m.Calls {
			if called[call.ID] {
				odd = append(odd, oddPair{call.ID, at, "each call once", "call " + showName(call.ID) + " again"})
			}
			called[call.ID], open[call.ID] = true, true
		}
	}
	return odd
}

// missingPairs are the results that calls of the output no longer have, and the
// calls without a result that are gone. An interim word is no answer: a call
// without a result stays pending wherever it stands.
func missingPairs(asked, out []floor.Message) (missing []oddPair) {
	before, after := callsOf(asked), callsOf(out)
	for _, m := range asked {
		if m.Role != floor.Assistant {
			continue
		}
		for _, call := range m.Calls {
			at, kept := fmt.Sprintf("call %s", showName(call.ID)), after[call.ID]
			switch {
			case before[call.ID].answered:
				if kept != nil && !kept.answered {
					missing = append(missing, oddPair{call.ID, at, "its result after it", "the call alone"})
				}
			case kept == nil:
				missing = append(missing, oddPair{call.ID, at, "kept: it is pending", "no such call"})
			case !slices.ContainsFunc(kept.calls, func(c floor.Call) bool { return sameCall(c, call) }):
				missing = append(missing, oddPair{call.ID, at, "kept as it was: it is pending", "another call of that id"})
			}
		}
	}
	return missing
}

// A calling is the first message in which an assistant makes calls of one id:
// those calls, and whether a result comes after it.
type calling struct {
	message  int
	calls    []floor.Call
	answered bool
}

// callsOf are a conversation's callings by their id. There may be very many: a
// subject gives what it likes.
func callsOf(messages []floor.Message) map[string]*calling {
	found := map[string]*calling{}
	for i, m := range messages {
		switch m.Role {
		case floor.Tool:
			if c := found[m.CallID]; c != nil {
				c.answered = true
			}
		case floor.Assistant:
			for _, call := range m.Calls {
				if found[call.ID] == nil {
					found[call.ID] = &calling{message: i}
				}
				if c := found[call.ID]; c.message == i {
					c.calls = append(c.calls, call)
				}
			}
		}
	}
	return found
}
