package history

import (
	"slices"

	"github.com/floorcheck/floorcheck/props/gen"
)

// mostReplays bounds what is spent on making a history smaller.
const mostReplays = 20_000

// Smallest makes a history with a hole smaller, as long as there is one: what
// was chosen is left out or made plainer. It is nil where the tape has no hole.
func Smallest(tape []int, compact Compact) *History {
	var best *History
	var rounds []gen.Span
	replays := 0
	try := func(tape []int) bool {
		if replays++; replays > mostReplays {
			return false
		}
		s := gen.NewSource(gen.NewReplay(tape))
		h := Play(s, compact)
		if len(h.Holes()) == 0 || best != nil && slices.Compare(s.Tape(), best.tape) == 0 {
			return false
		}
		if best != nil && (len(s.Tape()) > len(best.tape) || len(s.Tape()) == len(best.tape) && slices.Compare(s.Tape(), best.tape) > 0) {
			return false
		}
		best, rounds = h, slices.Clone(s.Spans())
		best.tape = slices.Clone(s.Tape())
		return true
	}
	if !try(tape) {
		return nil
	}
	for better := true; better; {
		better = false
		for i := len(rounds) - 1; i >= 0; i-- { // outer rounds come last
			if i < len(rounds) {
				better = try(slices.Delete(slices.Clone(best.tape), rounds[i].From, rounds[i].To)) || better
			}
		}
		for i := 0; i < len(best.tape); i++ {
			for _, less := range []int{0, best.tape[i] / 2, best.tape[i] - 1} {
				if i < len(best.tape) && less < best.tape[i] {
					plainer := slices.Clone(best.tape)
					plainer[i] = max(less, 0)
					better = try(plainer) || better
				}
			}
		}
	}
	return best
}
