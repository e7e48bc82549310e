package mutant

import (
	"slices"
	"strings"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
)

// What hides slips from enumeration, as it was measured on 120,000 cases.
const (
	noOpposite  = "an element that has an inverted form"
	otherDrafts = "words that the scopes leave out"
	tooDear     = "cases dearer than those that are gone through"
)

// A slip is a fault of certify or of compact as the tables of this package
// write it down: one of certify and compact is set.
type slip struct {
	id, hardness string
	about        string
	hidden       string
	certify      func(*certifier) // replaces steps of a correct implementation
	compact      func(*packer)
	witness      []floor.Request
}

func (s slip) mutant() Mutant {
	family, _, _ := strings.Cut(s.id, "/")
	m := Mutant{
		ID: s.id, Family: family, Op: floor.OpCertify, Hardness: s.hardness, About: s.about, Hidden: s.hidden,
		New:     func(policy floor.Policy) conform.Subject { return certifySubject(s.id, policy, s.certify) },
		Witness: floor.Case{Policy: floor.Guard, Steps: s.witness},
	}
	if s.compact != nil {
		m.Op = floor.OpCompact
		m.New = func(policy floor.Policy) conform.Subject { return compactSubject(s.id, policy, s.compact) }
	}
	return m
}

// slips are all faults of certify and of compact.
func slips() (out []Mutant) {
	for _, s := range slices.Concat(negations(), matchings(), quotas(), certificates(),
		cleanings(), lineages(), budgets(), refusals(), doubles()) {
		out = append(out, s.mutant())
	}
	return out
}

// Sound is what the mutants of an op are made of, before a fault is planted: one
// more correct implementation. Of decide it derives too. It is nil of reduce.
func Sound(op floor.Op, policy floor.Policy) conform.Subject {
	switch op {
	case floor.OpDecide, floor.OpDerive:
		return subject("naive", policy, func(*naive) {})
	case floor.OpCertify:
		return certifySubject("naive", policy, func(*certifier) {})
	case floor.OpCompact:
		return compactSubject("naive", policy, func(*packer) {})
	}
	return nil
}
