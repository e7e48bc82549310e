// Package mutant holds planted faults. Each is a small correct implementation
// of decide and derive, of certify or of compact, or a correct black box, with
// one step or two replaced by something that looks much like it: what a harness
// does not find here it will not find elsewhere.
//
// Faults are deterministic: no clock, no chance. Those that remember (hardness
// with a T) remember within one subject; New gives one that has seen nothing.
package mutant

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/blackbox"
	"github.com/floorcheck/floorcheck/floor"
)

// A Mutant is one planted fault.
type Mutant struct {
	ID       string // the family, a slash, a name in kebab case
	Family   string
	Op       floor.Op // that it is asked; those of decide are asked derive too
	Hardness string   // E, M or H; a T follows where several events or questions are needed
	About    string   // what it does wrong
	Hidden   string   // what keeps it from enumeration at small scope; "" when nothing does

	// New gives a subject with this fault that declares the policy.
	New func(policy floor.Policy) conform.Subject

	// Asking is New for a fault in a black box that asks a model: it asks this
	// one. It is nil for the others.
	Asking func(policy floor.Policy, m blackbox.Model) conform.Subject

	// Witness is a small case, for a fresh subject under policy guard, whose
	// last answer is wrong.
	Witness floor.Case

	joint []floor.Request // its steps under joint, where others are needed
}

// Reduces says that it is a black box, and asked nothing but conversations.
func (m Mutant) Reduces() bool { return m.Op == floor.OpReduce }

// ReadsTexts says that it certifies or compacts, and is asked nothing else.
func (m Mutant) ReadsTexts() bool { return m.Op == floor.OpCertify || m.Op == floor.OpCompact }

// WitnessUnder is the witness for a subject of this policy.
func (m Mutant) WitnessUnder(policy floor.Policy) floor.Case {
	witness := m.Witness
	if witness.Policy = policy; policy == floor.Joint && m.joint != nil {
		witness.Steps = m.joint
	}
	return witness
}

// All gives every mutant, sorted by ID.
func All() []Mutant { return slices.Clone(catalogue()) }

// Lookup finds a mutant by its ID.
func Lookup(id string) (Mutant, bool) {
	all := catalogue()
	i, found := slices.BinarySearchFunc(all, id, func(m Mutant, id string) int { return cmp.Compare(m.ID, id) })
	if !found {
		return Mutant{}, false
	}
	return all[i], true
}

var catalogue = sync.OnceValue(func() []Mutant {
	var all []Mutant
	for _, fault := range slices.Concat(decisions(), classSets(), memories(), ancestries(), badHistories(),
		fractions(), floors(), ratios(), reasons(), wires()) {
		all = append(all, fault.mutant())
	}
	all = append(all, slips()...)
	all = append(all, reductions()...)
	slices.SortFunc(all, func(a, b Mutant) int { return cmp.Compare(a.ID, b.ID) })
	return all
})

// A fault is a Mutant as the tables of this package write it down.
type fault struct {
	id, hardness string
	about        string
	hidden       string
	plant        func(*naive) // replaces steps of a correct implementation
	witness      []floor.Request
	joint        []floor.Request // the witness under joint; nil: the same
}

func (f fault) mutant() Mutant {
	family, _, _ := strings.Cut(f.id, "/")
	return Mutant{
		ID:       f.id,
		Family:   family,
		Op:       floor.OpDecide,
		Hardness: f.hardness,
		About:    f.about,
		Hidden:   f.hidden,
		New: func(policy floor.Policy) conform.Subject {
			return subject(f.id, policy, f.plant)
		},
		Witness: floor.Case{Policy: floor.Guard, Steps: f.witness},
		joint:   f.joint,
	}
}
