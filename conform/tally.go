package conform

import (
	"cmp"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

// A Retention says what became of the planted elements in all conversations of
// a check. A refusal is never wrong and a mark excuses a loss: how many there
// were stands beside, so that always refusing is seen for what it is.
type Retention struct {
	Reductions  int // that were answered
	Refused     int
	Marked      int                // provisional
	Generations []model.ClassTally // by step, from 0, and class, refusals not counted
}

// add counts one conversation.
func (r *Retention) add(run model.Run) {
	refused := map[int]bool{}
	for step := range run.Answers {
		out := run.Answers[step].Reduce
		switch {
		case out == nil:
			continue
		case out.Refused:
			r.Refused++
			refused[step] = true
		case out.Mark == floor.MarkProvisional:
			r.Marked++
		}
		r.Reductions++
	}
	for _, t := range run.Tally() {
		if refused[t.Step] {
			continue
		}
		at, found := slices.BinarySearchFunc(r.Generations, t, func(a, b model.ClassTally) int {
			return cmp.Or(a.Step-b.Step, cmp.Compare(a.Class, b.Class))
		})
		if !found {
			r.Generations = slices.Insert(r.Generations, at, model.ClassTally{Step: t.Step, Class: t.Class})
		}
		sum := &r.Generations[at]
		sum.Live += t.Live
		sum.Kept += t.Kept
		sum.Inverted += t.Inverted
		sum.Lost += t.Lost
	}
}
