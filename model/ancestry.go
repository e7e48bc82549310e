package model

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// A fate is what docs/protocol.md says of one event of a history.
type fate struct {
	event             *floor.Event
	parents           []*fate // its input events, each once
	generation        int64
	ancestryCertified bool
	effective         []floor.Fidelity // sorted by class, each once
	missing           []floor.Class    // required, not effective at its floor; sorted, each once
	decision          floor.Decision
}

// chain tells the fates of a history whose inputs are in order, or where an
// event descends from a refused one.
func chain(in *floor.DeriveIn, p floor.Policy) (fates []*fate, wrong string) {
	byID := make(map[string]*fate, len(in.Events))
	for i := range in.Events {
		f := &fate{event: &in.Events[i], ancestryCertified: true}
		for _, input := range f.event.Inputs {
			parent, isEvent := byID[input]
			if !isEvent || slices.Contains(f.parents, parent) {
				continue
			}
			if parent.decision == floor.Refuse {
				return nil, fmt.Sprintf("in.events[%d].inputs", i)
			}
			f.parents = append(f.parents, parent)
		}
		f.settle(p)
		byID[f.event.ID] = f
		fates = append(fates, f)
	}
	return fates, ""
}

func (f *fate) settle(p floor.Policy) {
	for _, parent := range f.parents {
		f.generation = max(f.generation, parent.generation)
		if !parent.ancestryCertified || parent.decision != floor.Certified {
			f.ancestryCertified = false
		}
	}
	f.generation++
	f.effective = leastOverChain(f.event.Certificate, f.parents)
	for _, class := range f.event.Required {
		if !f.holds(class, f.event) && !slices.Contains(f.missing, class) {
			f.missing = append(f.missing, class)
		}
	}
	slices.Sort(f.missing)
	f.decision = decision(f.ancestryCertified && len(f.missing) == 0, f.event.Conditions, p)
}

// leastOverChain is an event's own certificate, cut down to what every input
// event holds; a class that one of them lacks is gone.
func leastOverChain(own []floor.Fidelity, parents []*fate) []floor.Fidelity {
	least := []floor.Fidelity{}
	for _, entry := range own {
		everywhere := true
		for _, parent := range parents {
			theirs, holds := parent.fidelity(entry.Class)
			everywhere = everywhere && holds
			if holds && compare(theirs, entry) < 0 {
				entry = theirs
			}
		}
		if everywhere {
			least = append(least, entry)
		}
	}
	slices.SortFunc(least, byClass)
	return least
}

func byClass(a, b floor.Fidelity) int { return cmp.Compare(a.Class, b.Class) }

// fidelity is the effective one of a class.
func (f *fate) fidelity(class floor.Class) (entry floor.Fidelity, present bool) {
	at := slices.IndexFunc(f.effective, func(e floor.Fidelity) bool { return e.Class == class })
	if at < 0 {
		return floor.Fidelity{}, false
	}
	return f.effective[at], true
}

// holds tells whether a class is effective here at the floor that an event
// sets. A class that is absent is not, whatever the floor.
func (f *fate) holds(class floor.Class, by *floor.Event) bool {
	entry, present := f.fidelity(class)
	return present && atFloor(entry, floorOf(by, class))
}

// floorOf is the least fidelity, in permille, that an event asks of a class
// that it requires.
func floorOf(e *floor.Event, class floor.Class) int64 {
	if permille, given := e.FloorsPermille[class]; given {
		return permille
	}
	return floor.MaxPermille
}

// grounded tells whether only originals went into the event.
func (f *fate) grounded() bool { return len(f.parents) == 0 }

// ancestor finds an event above f that is like that; nil when there is none.
func (f *fate) ancestor(like func(a *fate) bool) *fate {
	seen := map[*fate]bool{}
	var climb func(f *fate) *fate
	climb = func(f *fate) *fate {
		for _, parent := range f.parents {
			if seen[parent] {
				continue
			}
			seen[parent] = true
			if like(parent) {
				return parent
			}
			if found := climb(parent); found != nil {
				return found
			}
		}
		return nil
	}
	return climb(f)
}

// atFloor: retained of total is at least so many permille. 0 of 0 always is.
func atFloor(f floor.Fidelity, permille int64) bool {
	return compareProducts(f.Retained, floor.MaxPermille, permille, f.Total) >= 0
}

// compare compares two fidelities exactly. 0 of 0 is full fidelity.
func compare(a, b floor.Fidelity) int {
	a, b = full(a), full(b)
	return compareProducts(a.Retained, b.Total, b.Retained, a.Total)
}

func full(f floor.Fidelity) floor.Fidelity {
	if f.Total == 0 {
		f.Retained, f.Total = 1, 1
	}
	return f
}

// sane tells whether an answered fidelity is one at all.
func sane(f floor.Fidelity) bool {
	return 0 <= f.Retained && f.Retained <= f.Total && f.Total <= floor.MaxNumber
}

// compareProducts compares a·b with c·d, none of them negative. Small numbers,
// the usual ones, are spared the big ones.
func compareProducts(a, b, c, d int64) int {
	if max(a, b, c, d) < 1<<31 {
		return cmp.Compare(a*b, c*d)
	}
	product := func(x, y int64) *big.Int { return new(big.Int).Mul(big.NewInt(x), big.NewInt(y)) }
	return product(a, b).Cmp(product(c, d))
}
