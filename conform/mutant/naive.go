package mutant

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
)

type (
	classes    = []floor.Class
	fidelities = map[floor.Class]floor.Fidelity
)

// A naive is decide and derive in small steps. newNaive fills them in
// correctly; a mutant replaces one or two. A step calls others through the
// naive, so that a replaced one is seen by all.
type naive struct {
	policy floor.Policy

	// A single decision.
	weigh     func(*floor.DecideIn) floor.Decision
	lacking   func(required, certified classes) classes // required without certified
	covers    func(required, certified classes) bool    // is nothing lacking?
	proven    func(ancestry, covered bool, c floor.Conditions) bool
	settle    func(proven bool, c floor.Conditions) floor.Decision
	dangerous func(floor.Conditions) bool
	dangers   func(floor.Conditions) []bool // C1, C4, C5
	explain   func(refusal) *reason         // nil: a refusal without reasons

	// An event of a history. Each step fills in what later ones read.
	parents    func(*history, *made) ([]*made, error) // the input events, each once
	generation func(*made) int64
	ancestry   func(*made) bool
	required   func(*made) classes
	effective  func(*made) fidelities
	least      func(a, b floor.Fidelity) floor.Fidelity
	held       func(*made) classes            // effective classes at their floor
	floorOf    func(*made, floor.Class) int64 // in permille
	reaches    func(f floor.Fidelity, permille int64) bool
	outcome    func(*made) floor.Outcome
	told       func([]floor.Outcome) []floor.Outcome // the whole answer

	// What becomes of a bad request; nil: an error.
	raw func(floor.Request) floor.Answer
}

// A refusal is what there is to say of one.
type refusal struct {
	required, certified, lacking classes
	generation                   int64
	ancestry                     bool
	asked                        *floor.DecideIn // nil for an event
}

// A reason is what a refusal says.
type reason struct {
	missing    classes
	generation int64
	ancestry   bool
}

// A history is what is known after some of its events.
type history struct {
	originals map[string]bool
	events    []*made          // oldest first
	byID      map[string]*made // the newest of that name
}

// A made is an event and what became of it.
type made struct {
	*floor.Event
	at       int // its place in the history, from 0
	past     *history
	own      fidelities // its certificate
	parents  []*made
	children int

	generation int64
	ancestry   bool
	required   classes
	effective  fidelities
	held       classes
	covered    bool
	decision   floor.Decision
}

func newNaive(policy floor.Policy) *naive {
	n := &naive{policy: policy}

	n.weigh = func(in *floor.DecideIn) floor.Decision {
		covered := n.covers(in.Contract.Required, in.Contract.Certified)
		return n.settle(n.proven(in.Contract.AncestryCertified, covered, in.Conditions), in.Conditions)
	}
	n.lacking = without
	n.covers = func(required, certified classes) bool { return len(n.lacking(required, certified)) == 0 }
	n.proven = func(ancestry, covered bool, _ floor.Conditions) bool { return ancestry && covered }
	n.settle = func(proven bool, c floor.Conditions) floor.Decision {
		switch {
		case proven:
			return floor.Certified
		case !c.SourceRecoverable && n.dangerous(c):
			return floor.Refuse
		}
		return floor.Provisional
	}
	n.dangerous = func(c floor.Conditions) bool {
		if n.policy == floor.Joint {
			return !slices.Contains(n.dangers(c), false)
		}
		return slices.Contains(n.dangers(c), true)
	}
	n.dangers = func(c floor.Conditions) []bool {
		return []bool{c.ConsumerStrict, c.ChainingRisk, c.SideEffectCostExceedsRefusal}
	}
	n.explain = func(r refusal) *reason { return &reason{r.lacking, r.generation, r.ancestry} }

	n.parents = n.inputEvents
	n.generation = func(m *made) int64 { return 1 + newestGeneration(m.parents) }
	n.ancestry = func(m *made) bool { return all(m.parents, sound) }
	n.required = func(m *made) classes { return m.Event.Required }
	n.effective = func(m *made) fidelities { return n.minimum(m.own, effectiveOf(m.parents)...) }
	n.least = func(a, b floor.Fidelity) floor.Fidelity {
		if less(b, a) {
			return b
		}
		return a
	}
	n.held = func(m *made) classes {
		var held classes
		for _, class := range slices.Sorted(maps.Keys(m.effective)) {
			if n.reaches(m.effective[class], n.floorOf(m, class)) {
				held = append(held, class)
			}
		}
		return held
	}
	n.floorOf = func(m *made, class floor.Class) int64 {
		if permille, given := m.FloorsPermille[class]; given {
			return permille
		}
		return floor.MaxPermille
	}
	n.reaches = func(f floor.Fidelity, permille int64) bool { return f.Retained*1000 >= permille*f.Total }
	n.outcome = n.tell
	n.told = func(outcomes []floor.Outcome) []floor.Outcome { return outcomes }
	return n
}

// subject is a correct implementation with steps replaced. A restart makes it
// anew: whatever it remembered is gone.
func subject(name string, policy floor.Policy, plant func(*naive)) conform.Subject {
	return conform.Restartable(conform.Hello{Name: name, Version: "1", Language: "go", Policy: policy}, func() conform.Funcs {
		n := newNaive(policy)
		plant(n)
		return conform.Funcs{
			Decide: func(in *floor.DecideIn) (floor.DecideOut, error) { return n.decide(in), nil },
			Derive: n.derive,
			Raw:    n.raw,
		}
	})
}

func (n *naive) decide(in *floor.DecideIn) floor.DecideOut {
	out := floor.DecideOut{Decision: n.weigh(in)}
	if out.Decision != floor.Refuse {
		return out
	}
	c := in.Contract
	why := n.explain(refusal{c.Required, c.Certified, n.lacking(c.Required, c.Certified), c.Generation, c.AncestryCertified, in})
	if why != nil {
		out.MissingClasses = some(why.missing)
		out.Generation, out.AncestryCertified = &why.generation, &why.ancestry
	}
	return out
}

func (n *naive) derive(in *floor.DeriveIn) (floor.DeriveOut, error) {
	out := floor.DeriveOut{Events: []floor.Outcome{}}
	past := &history{originals: map[string]bool{}, byID: map[string]*made{}}
	for _, id := range in.Originals {
		past.originals[id] = true
	}
	for i := range in.Events {
		m := &made{Event: &in.Events[i], at: i, past: past, own: byClass(in.Events[i].Certificate)}
		parents, err := n.parents(past, m)
		if err != nil {
			return floor.DeriveOut{}, err
		}
		m.parents = parents
		n.judge(m)
		for _, p := range parents {
			p.children++
		}
		past.events = append(past.events, m)
		past.byID[m.ID] = m
		out.Events = append(out.Events, n.outcome(m))
	}
	out.Events = n.told(out.Events)
	return out, nil
}

func (n *naive) judge(m *made) {
	m.generation = n.generation(m)
	m.ancestry = n.ancestry(m)
	m.required = n.required(m)
	m.effective = n.effective(m)
	m.held = n.held(m)
	m.covered = n.covers(m.required, m.held)
	m.decision = n.settle(n.proven(m.ancestry, m.covered, m.Conditions), m.Conditions)
}

func (n *naive) inputEvents(past *history, m *made) ([]*made, error) {
	var parents []*made
	for i, id := range m.Inputs {
		parent, isEvent := past.byID[id]
		switch {
		case !isEvent && !past.originals[id]:
			return nil, badInput(m, i, "is neither an original nor an earlier event")
		case isEvent && parent.decision == floor.Refuse:
			return nil, badInput(m, i, "was refused: there is nothing to compact")
		case isEvent && !slices.Contains(parents, parent):
			parents = append(parents, parent)
		}
	}
	return parents, nil
}

func badInput(m *made, i int, problem string) error {
	return &floor.BadRequest{Path: fmt.Sprintf("in.events[%d].inputs[%d]", m.at, i), Problem: problem}
}

// tell writes down what became of an event.
func (n *naive) tell(m *made) floor.Outcome {
	out := floor.Outcome{ID: m.ID, Decision: m.decision}
	if m.decision != floor.Refuse {
		out.Generation, out.AncestryCertified = &m.generation, &m.ancestry
		out.Effective = listed(m.effective)
		return out
	}
	why := n.explain(refusal{m.required, m.held, n.lacking(m.required, m.held), m.generation, m.ancestry, nil})
	if why != nil {
		out.MissingClasses, out.AncestryCertified = some(why.missing), &why.ancestry
	}
	return out
}

// minimum is the least fidelity of each class that none of them lacks.
func (n *naive) minimum(own fidelities, others ...fidelities) fidelities {
	least := fidelities{}
	for class, f := range own {
		everywhere := true
		for _, other := range others {
			theirs, there := other[class]
			everywhere = everywhere && there
			if there {
				f = n.least(f, theirs)
			}
		}
		if everywhere {
			f.Class = class
			least[class] = f
		}
	}
	return least
}

// less compares by cross-multiplication in 128 bits; 0 of 0 is full.
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

// without gives the members of one list that the other does not have, each
// once.
func without(list, other classes) classes {
	var rest classes
	for _, class := range list {
		if !slices.Contains(other, class) && !slices.Contains(rest, class) {
			rest = append(rest, class)
		}
	}
	return rest
}

// distinct gives each class once, in the order of its first mention.
func distinct(list classes) classes { return without(list, nil) }

func newestGeneration(events []*made) int64 {
	newest := int64(0)
	for _, m := range events {
		newest = max(newest, m.generation)
	}
	return newest
}

// sound says that nothing made from this event is poisoned by it.
func sound(m *made) bool { return m.ancestry && m.decision == floor.Certified }

func all(events []*made, holds func(*made) bool) bool {
	return !slices.ContainsFunc(events, func(m *made) bool { return !holds(m) })
}

func effectiveOf(events []*made) []fidelities {
	var out []fidelities
	for _, m := range events {
		out = append(out, m.effective)
	}
	return out
}

func certificatesOf(events []*made) []fidelities {
	var out []fidelities
	for _, m := range events {
		out = append(out, m.own)
	}
	return out
}

// ancestors gives the events within so many steps back, each once; a negative
// number is all of them.
func (m *made) ancestors(steps int) []*made {
	var found []*made
	for front := m.parents; len(front) > 0 && steps != 0; steps-- {
		var next []*made
		for _, p := range front {
			if !slices.Contains(found, p) {
				found = append(found, p)
				next = append(next, p.parents...)
			}
		}
		front = next
	}
	return found
}

// grounded says that there is an original among the inputs.
func (m *made) grounded() bool {
	return slices.ContainsFunc(m.Inputs, func(id string) bool { return m.past.originals[id] })
}

func byClass(list []floor.Fidelity) fidelities {
	out := fidelities{}
	for _, f := range list {
		out[f.Class] = f
	}
	return out
}

func listed(f fidelities) []floor.Fidelity {
	out := []floor.Fidelity{}
	for _, class := range slices.Sorted(maps.Keys(f)) {
		out = append(out, f[class])
	}
	return out
}

// some is the list, empty where it is nil: nil says that the field is absent.
func some(list classes) classes {
	if list == nil {
		return classes{}
	}
	return list
}
