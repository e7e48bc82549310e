// Package history plays histories of compactions, from raw originals on, and
// holds what is certified of a context against its own books on all that ever
// went in. It is a second opinion beside the judge: it knows the originals and
// what reaches the consumer, and nothing of plans, lineages or certificates.
package history

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// Compact answers a compact request under a policy, as engine.CompactSpans does.
type Compact func(in *floor.CompactIn, p floor.Policy) (floor.CompactOut, error)

// A History is a session that was played: the originals that came, and the
// compactions between them. What one leaves is what the next is given.
type History struct {
	Policy    floor.Policy
	Hostile   bool        // its words are not plain
	Originals []*Original // in the order in which they came
	Steps     []Step
	Err       error // what ended it early: no answer, or one that does not fit its request

	tape []int // of a smallest one
}

// An Original is a span of generation 0, with all its elements, whether a
// request tells of them or not.
type Original struct {
	ID      string
	Text    string
	Entries []*Entry
}

// An Entry is an element of an original in the books.
type Entry struct {
	floor.Element
	Said bool // the original's own text keeps it
	told bool // a request told of it, once
}

// A Step is one compaction, with what of its contract is not so.
type Step struct {
	In    *floor.CompactIn
	Out   floor.CompactOut
	Holes []Hole
}

// A Hole is an element of a class that a contract certifies, and that the
// context as delivered does not hold as it has to.
type Hole struct {
	Class    floor.Class
	Original string // its id
	Element  string // its id
	Is       string // lost, inverted or contradictory
}

func (h Hole) String() string {
	return fmt.Sprintf("%q is certified, and %s of %s is %s", string(h.Class), h.Element, h.Original, h.Is)
}

// Holes are those of all steps.
func (h *History) Holes() (all []Hole) {
	for i := range h.Steps {
		all = append(all, h.Steps[i].Holes...)
	}
	return all
}

// String tells the history: what came, what was asked and answered at each step.
func (h *History) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "policy %s\n", h.Policy)
	for _, o := range h.Originals {
		fmt.Fprintf(&b, "%s %q\n", o.ID, o.Text)
		for _, e := range o.Entries {
			fmt.Fprintf(&b, "   %s %s %s %+q, inverted %+q\n", e.ID, e.Class, e.Match, e.Forms, e.Inverted)
		}
	}
	for i := range h.Steps {
		st := &h.Steps[i]
		fmt.Fprintf(&b, "step %d\n   %s\n   %s\n", i, spelled(st.In), spelled(st.Out))
		for _, hole := range st.Holes {
			fmt.Fprintf(&b, "   HOLE: %s\n", hole)
		}
	}
	if h.Err != nil {
		fmt.Fprintf(&b, "ended by: %v\n", h.Err)
	}
	return b.String()
}

func spelled(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
