package model

import (
	"fmt"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// lemmas keeps what the rules asked about a run, so that nothing is worked out
// twice. It belongs to one goroutine at a time.
type lemmas struct {
	readings []reading
	room     [1]reading // the usual case has one step
	paired   bool
	pairs    []pair
	folds    *folder
	followed bool
	turns    []*turn
	claimed  bool
	claims   []claim
	resulted bool
	results  []*result
}

// A reading is what a request means and what is due. Of wrong, decide, derive,
// reduce, certify and compact exactly one is set, none for an op that is not
// judged here.
type reading struct {
	done  bool
	wrong string // where it is a bad request

	decide  *floor.DecideIn
	missing []floor.Class  // of decide: required, not certified; sorted, each once
	due     floor.Decision // of decide

	derive *floor.DeriveIn
	fates  []*fate // of derive: one per event

	reduce *floor.ReduceIn // what is due for it hangs on the steps before

	certify *certificate
	compact *compaction
}

// read finds out what a request means under a policy. The folder is made when
// texts are there to be folded.
func read(r floor.Request, p floor.Policy, folds func() *folder) reading {
	is := reading{done: true}
	switch r.Op {
	case floor.OpDecide:
		if is.decide, is.wrong = readDecide(r); is.wrong == "" {
			contract := is.decide.Contract
			is.missing = missing(contract)
			is.due = decision(contract.AncestryCertified && len(is.missing) == 0, is.decide.Conditions, p)
		}
	case floor.OpDerive:
		if is.derive, is.wrong = readDerive(r); is.wrong == "" {
			is.fates, is.wrong = chain(is.derive, p)
		}
	case floor.OpReduce:
		is.reduce, is.wrong = readReduce(r)
	case floor.OpCertify:
		var in *floor.CertifyIn
		if in, is.wrong = readCertify(r, folds()); is.wrong == "" {
			is.certify = newCertificate(in, folds())
		}
	case floor.OpCompact:
		var in *floor.CompactIn
		if in, is.wrong = readCompact(r, folds()); is.wrong == "" {
			is.compact = newCompaction(in, p, folds())
		}
	}
	if is.wrong != "" {
		is.decide, is.derive, is.fates, is.reduce = nil, nil, nil, nil
	}
	return is
}

// step is the reading of one step's request.
func (r Run) step(i int) *reading {
	if r.lemmas == nil { // a run that Observe did not make
		fresh := read(r.Case.Steps[i], r.Case.Policy, r.folder)
		return &fresh
	}
	l := r.lemmas
	if l.readings == nil {
		l.readings = l.room[:]
		if len(r.Case.Steps) > 1 {
			l.readings = make([]reading, len(r.Case.Steps))
		}
	}
	if !l.readings[i].done {
		l.readings[i] = read(r.Case.Steps[i], r.Case.Policy, r.folder)
	}
	return &l.readings[i]
}

// last is the reading of the step that twins are judged by.
func (r Run) last() *reading {
	if len(r.Case.Steps) == 0 {
		return &reading{}
	}
	return r.step(len(r.Case.Steps) - 1)
}

// answer is what came back for a step; empty when nothing did.
func (r Run) answer(step int) floor.Answer {
	if step < 0 || step >= len(r.Answers) {
		return floor.Answer{}
	}
	return r.Answers[step]
}

func (r Run) lastAnswer() floor.Answer { return r.answer(len(r.Case.Steps) - 1) }

// A pair is an event's fate and what was answered for that event.
type pair struct {
	step  int
	due   *fate
	got   *floor.Outcome
	index int // of got in the answer
}

func (p pair) at() string { return fmt.Sprintf("events[%d] (%s)", p.index, showName(p.due.event.ID)) }

func (p pair) object(want, got string) Finding {
	return Finding{Step: p.step, At: p.at(), Want: want, Got: got}
}

// outcomes pairs the events of all derive steps with their outcomes by id. An
// event that was not answered has no pair.
func (r Run) outcomes() []pair {
	if r.lemmas != nil && r.lemmas.paired {
		return r.lemmas.pairs
	}
	var pairs []pair
	for step := range r.Case.Steps {
		out := r.answer(step).Derive
		if out == nil {
			continue
		}
		for i, due := range r.step(step).fates {
			if index := find(out.Events, due.event.ID, i); index >= 0 {
				pairs = append(pairs, pair{step, due, &out.Events[index], index})
			}
		}
	}
	if r.lemmas != nil {
		r.lemmas.paired, r.lemmas.pairs = true, pairs
	}
	return pairs
}

// find looks for an event's outcome, first where it should stand.
func find(outcomes []floor.Outcome, id string, place int) int {
	if place < len(outcomes) && outcomes[place].ID == id {
		return place
	}
	for i := range outcomes {
		if outcomes[i].ID == id {
			return i
		}
	}
	return -1
}

// whenDecide holds when some well-formed decide step is like that.
func whenDecide(like func(is *reading) bool) func(Run) bool {
	return func(r Run) bool {
		for i := range r.Case.Steps {
			if is := r.step(i); is.decide != nil && like(is) {
				return true
			}
		}
		return false
	}
}

// whenLastDecides holds when the judged step is a well-formed decide.
func whenLastDecides(r Run) bool { return r.last().decide != nil }

// whenEvent holds when some event of a well-formed history is like that.
func whenEvent(like func(f *fate) bool) func(Run) bool {
	return func(r Run) bool {
		for i := range r.Case.Steps {
			for _, f := range r.step(i).fates {
				if like(f) {
					return true
				}
			}
		}
		return false
	}
}

// whenMalformed holds when some step of that op is a bad request.
func whenMalformed(op floor.Op) func(Run) bool {
	return func(r Run) bool {
		for i := range r.Case.Steps {
			if r.Case.Steps[i].Op == op && r.step(i).wrong != "" {
				return true
			}
		}
		return false
	}
}

// whenReduces holds when some well-formed reduce step is like that.
func whenReduces(like func(r Run, step int) bool) func(Run) bool {
	return func(r Run) bool {
		for i := range r.Case.Steps {
			if r.step(i).reduce != nil && like(r, i) {
				return true
			}
		}
		return false
	}
}

// anyReduce holds when some step is a well-formed reduce.
func anyReduce(r Run) bool { return whenReduces(func(Run, int) bool { return true })(r) }

// whenPlant holds when some plant like that was said by the last well-formed
// reduce step.
func whenPlant(like func(p *floor.Plant) bool) func(Run) bool {
	return whenReduces(func(r Run, step int) bool {
		if r.Case.Planted == nil {
			return false
		}
		return slices.ContainsFunc(r.Case.Planted.Plants, func(p floor.Plant) bool { return saidBy(&p, step) && like(&p) })
	})
}

// liveIn are the plants of a case that are live after a step.
func liveIn(c floor.Case, step int) []int {
	if c.Planted == nil {
		return nil
	}
	return liveAt(c.Planted.Plants, step)
}
