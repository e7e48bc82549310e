package engine

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// A Step is one event of a history in masks: what its consumer requires, what
// its own certificate holds, and its conditions (the bits Missing and Poisoned
// are ignored: they follow from the rest).
type Step struct {
	Required, Certified uint64
	Flags               Flags
}

// A Link is what an event hands to its descendants.
type Link struct {
	Certified  uint64 // folded: the minimum over the whole chain, not the latest
	Generation uint32
	Decision   Decision
	Ancestry   bool
}

// carries says whether a descendant's ancestry stays certified through this
// link.
func (l Link) carries() bool { return l.Ancestry && l.Decision == Certified }

// A Chain is a history in masks, a DAG in topological order. Each link holds
// the folded minimum, so appending costs the same after any history.
type Chain struct {
	decider *Decider
	links   []Link
}

// NewChain starts an empty history under a policy.
func NewChain(p floor.Policy) *Chain { return &Chain{decider: ForPolicy(p)} }

// Len is the number of events.
func (c *Chain) Len() int { return len(c.links) }

// Link is the i-th event's, from 0.
func (c *Chain) Link(i int) Link { return c.links[i] }

// Append adds an event made from earlier ones; without parents it is made
// from originals alone and starts clean. The error names a parent that is
// unknown or refused, and nothing is added then.
func (c *Chain) Append(s Step, parents ...int) (Link, error) {
	start, err := c.fold(parents)
	if err != nil {
		return Link{}, err
	}
	start.Certified &= s.Certified
	return c.add(s.Required, start, s.Flags), nil
}

// fold is what the parents hand down: the generation raised, the ancestry and
// the classes that all of them have.
func (c *Chain) fold(parents []int) (Link, error) {
	start := Link{Certified: ^uint64(0), Ancestry: true}
	for _, p := range parents {
		if p < 0 || p >= len(c.links) {
			return Link{}, fmt.Errorf("parent %d: no such event yet", p)
		}
		parent := c.links[p]
		if parent.Decision == Refuse {
			return Link{}, fmt.Errorf("parent %d: was refused and has no descendants", p)
		}
		start.Certified &= parent.Certified
		start.Generation = max(start.Generation, parent.Generation)
		start.Ancestry = start.Ancestry && parent.carries()
	}
	start.Generation++
	return start, nil
}

func (c *Chain) add(required uint64, l Link, f Flags) Link {
	f &^= Missing | Poisoned
	if !l.Ancestry {
		f |= Poisoned
	}
	l.Decision = c.decider.Decide(required, l.Certified, f)
	c.links = append(c.links, l)
	return l
}

// A Line is a history in which each event is made from the one before: the
// steps in columns of equal length, oldest first.
type Line struct {
	Required, Certified []uint64
	Flags               []Flags
}

// A Folded is what became of a line. Only two things ever happen in one: the
// first gap ends its certified stretch, and after that the first event whose
// conditions forbid it is refused and ends the line.
type Folded struct {
	Certified []uint64 // after each event that was decided: the minimum over the chain
	Clean     int      // so many events were certified; those after them are provisional
	Refused   bool     // but for the last one
}

// Link is the i-th event's, from 0.
func (f Folded) Link(i int) Link {
	l := Link{Certified: f.Certified[i], Generation: uint32(i + 1), Ancestry: i <= f.Clean}
	switch {
	case f.Refused && i == len(f.Certified)-1:
		l.Decision = Refuse
	case i >= f.Clean:
		l.Decision = Provisional
	}
	return l
}

// FoldLine decides a line. out, which must be at least as long, becomes the
// result's Certified.
func (d *Decider) FoldLine(out []uint64, line Line) Folded {
	n := len(line.Certified)
	own, required, flags, out := line.Certified, line.Required[:n], line.Flags[:n], out[:n]
	certified, clean := ^uint64(0), 0
	for ; clean < n; clean++ { // no flag matters as long as nothing is missing
		certified &= own[clean]
		if required[clean]&^certified != 0 {
			break
		}
		out[clean] = certified
	}
	for i := clean; i < n; i++ { // nothing that is required matters any more
		certified &= own[i]
		out[i] = certified
		if d.table[(flags[i]|Missing)&allFlags] == Refuse {
			return Folded{out[:i+1], clean, true}
		}
	}
	return Folded{out, clean, false}
}

// Derive answers a derive request. The request must be valid (floor's
// Validate); the error, a *floor.BadRequest, names a child of a refused event
// or an input that is unknown.
func Derive(in *floor.DeriveIn, p floor.Policy) (floor.DeriveOut, error) {
	h := newHistory(in, p)
	out := floor.DeriveOut{Events: make([]floor.Outcome, 0, len(in.Events))}
	for i := range in.Events {
		outcome, err := h.append(i, &in.Events[i])
		if err != nil {
			return floor.DeriveOut{}, err
		}
		out.Events = append(out.Events, outcome)
	}
	return out, nil
}

// A history is a Chain whose certificates are fractions. The chain keeps
// generation, ancestry and decision; effective keeps, per event, the folded
// minimum of each class as a list sorted by class.
type history struct {
	chain     *Chain
	index     map[string]int // of events; an original has none
	effective [][]floor.Fidelity
}

const original = -1

func newHistory(in *floor.DeriveIn, p floor.Policy) *history {
	h := &history{
		chain:     NewChain(p),
		index:     make(map[string]int, len(in.Originals)+len(in.Events)),
		effective: make([][]floor.Fidelity, 0, len(in.Events)),
	}
	h.chain.links = make([]Link, 0, len(in.Events))
	for _, id := range in.Originals {
		h.index[id] = original
	}
	return h
}

func (h *history) append(i int, e *floor.Event) (floor.Outcome, error) {
	parents, err := h.parents(i, e)
	if err != nil {
		return floor.Outcome{}, err
	}
	start, err := h.chain.fold(parents)
	if err != nil {
		return floor.Outcome{}, &floor.BadRequest{Path: fmt.Sprintf("in.events[%d].inputs", i), Problem: err.Error()}
	}
	effective := append(make([]floor.Fidelity, 0, len(e.Certificate)), e.Certificate...) // never nil: an empty one is written
	slices.SortFunc(effective, byClass)
	for _, p := range parents {
		effective = leastOf(effective, h.effective[p])
	}
	gap := h.gap(e, effective)
	start.Certified = 0
	link := h.chain.add(min(uint64(len(gap)), 1), start, FlagsOf(e.Conditions, true))
	h.effective = append(h.effective, effective)
	h.index[e.ID] = i
	return outcome(e.ID, link, effective, gap), nil
}

// parents are the positions of the inputs that are events.
func (h *history) parents(i int, e *floor.Event) ([]int, error) {
	parents := make([]int, 0, len(e.Inputs))
	for k, input := range e.Inputs {
		at, known := h.index[input]
		switch {
		case known && at != original:
			parents = append(parents, at)
		case !known:
			path := fmt.Sprintf("in.events[%d].inputs[%d]", i, k)
			return nil, &floor.BadRequest{Path: path, Problem: "is neither an original nor an earlier event"}
		}
	}
	return parents, nil
}

// gap are the required classes that are not effective at their floor, sorted.
func (h *history) gap(e *floor.Event, effective []floor.Fidelity) []floor.Class {
	gap := []floor.Class{}
	for _, class := range e.Required {
		least, given := e.FloorsPermille[class]
		if !given {
			least = floor.MaxPermille
		}
		at, found := slices.BinarySearchFunc(effective, class, func(f floor.Fidelity, c floor.Class) int {
			return compare(f.Class, c)
		})
		// Both products stay below 2^63: counts are below 2^53.
		if !found || effective[at].Retained*1000 < least*effective[at].Total {
			gap = append(gap, class)
		}
	}
	slices.Sort(gap)
	return slices.Compact(gap)
}

// leastOf keeps the classes that both lists have, each at its lesser fidelity.
// It writes into a.
func leastOf(a, b []floor.Fidelity) []floor.Fidelity {
	out, j := a[:0], 0
	for _, own := range a {
		for j < len(b) && b[j].Class < own.Class {
			j++
		}
		if j == len(b) || b[j].Class != own.Class {
			continue
		}
		if less(b[j], own) {
			own = b[j]
		}
		out = append(out, own)
	}
	return out
}

// less compares fidelities exactly; 0 of 0 is 1 of 1.
func less(a, b floor.Fidelity) bool {
	if a.Total == 0 {
		return false
	}
	if b.Total == 0 {
		return a.Retained < a.Total
	}
	aHigh, aLow := bits.Mul64(uint64(a.Retained), uint64(b.Total))
	bHigh, bLow := bits.Mul64(uint64(b.Retained), uint64(a.Total))
	return aHigh < bHigh || aHigh == bHigh && aLow < bLow
}

func outcome(id string, l Link, effective []floor.Fidelity, gap []floor.Class) floor.Outcome {
	out := floor.Outcome{ID: id, Decision: l.Decision.Floor(), AncestryCertified: new(l.Ancestry)}
	if l.Decision == Refuse {
		out.MissingClasses = gap
		return out
	}
	out.Generation = new(int64(l.Generation))
	out.Effective = effective
	return out
}

func byClass(a, b floor.Fidelity) int { return compare(a.Class, b.Class) }

func compare(a, b floor.Class) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
