package conform

import (
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

// A Probe says which of these cases, in this order, is the first that is still
// wrong in the same way; -1 is none. An error ends the shrinking.
type Probe func(cases []floor.Case) (first int, err error)

// A Shrinker makes a case smaller, choice by choice. It is the same for every
// driver and every subject.
type Shrinker struct {
	Decode  func(tape []int) Drawn
	Smaller func(size int) iter.Seq[Drawn] // may be nil
	Probe   Probe
	Calls   int         // how many cases may be probed
	Until   time.Time   // and until when
	Spent   func() bool // or until this; may be nil

	best   Drawn
	size   int
	probed map[string]bool
	used   int
	err    error
}

// probeChunk is how many cases are probed at a time where they do not depend
// on each other.
const probeChunk = 64

// Shrink gives the smallest case it found that is still wrong; at worst the one
// it started from.
func (s *Shrinker) Shrink(start Drawn) Drawn {
	s.best, s.size, s.probed = start, Size(start.Case), map[string]bool{}
	for s.alive() {
		before := s.used
		improved := s.deleteSpans() || s.zeroBlocks() || s.lower() || s.lowerPairs() || s.deletePairs()
		if !improved || s.used == before {
			break
		}
	}
	s.lastLook()
	return s.best
}

// Used is how many cases were probed.
func (s *Shrinker) Used() int { return s.used }

func (s *Shrinker) alive() bool {
	return s.err == nil && s.used < s.Calls && (s.Spent == nil || !s.Spent()) && (s.Until.IsZero() || time.Now().Before(s.Until))
}

// smaller orders cases: by size, then by their choices, the first one that
// differs being plainer. A shorter tape is no plainer case.
func (s *Shrinker) smaller(d Drawn, size int) bool {
	if size != s.size {
		return size < s.size
	}
	return slices.Compare(d.Tape, s.best.Tape) < 0
}

// try probes one changed tape and keeps it when it is smaller and still wrong.
func (s *Shrinker) try(tape []int) bool {
	if !s.alive() {
		return false
	}
	d := s.Decode(tape)
	size := Size(d.Case)
	if !s.smaller(d, size) {
		return false
	}
	key := spellTape(d.Tape)
	if s.probed[key] {
		return false
	}
	s.probed[key] = true
	s.used++
	first, err := s.Probe([]floor.Case{d.Case})
	if err != nil {
		s.err = err
		return false
	}
	if first == 0 {
		s.best, s.size = d, size
		return true
	}
	return false
}

func spellTape(tape []int) string {
	b := make([]byte, 0, 2*len(tape))
	for _, v := range tape {
		b = append(b, byte(v), byte(v>>8))
	}
	return string(b)
}

// deleteSpans takes out the rounds of lists, late and long ones first.
func (s *Shrinker) deleteSpans() (improved bool) {
	for i := len(s.best.Spans) - 1; i >= 0; i-- {
		if i < len(s.best.Spans) && s.try(without(s.best.Tape, s.best.Spans[i])) {
			improved = true
		}
	}
	return improved
}

func (s *Shrinker) deletePairs() (improved bool) {
	for i := len(s.best.Spans) - 1; i > 0; i-- {
		for j := i - 1; j >= 0; j-- {
			if i >= len(s.best.Spans) {
				break
			}
			a, b := s.best.Spans[j], s.best.Spans[i]
			if a[1] > b[0] {
				continue // one lies in the other
			}
			if s.try(without(without(s.best.Tape, b), a)) {
				improved = true
			}
		}
	}
	return improved
}

func without(tape []int, span [2]int) []int {
	return append(slices.Clone(tape[:span[0]]), tape[span[1]:]...)
}

// zeroBlocks sets ever shorter stretches of choices to the plainest.
func (s *Shrinker) zeroBlocks() (improved bool) {
	for length := 8; length > 0; length /= 2 {
		for from := 0; from+length <= len(s.best.Tape); from++ {
			tape := slices.Clone(s.best.Tape)
			clear(tape[from : from+length])
			if s.try(tape) {
				improved = true
			}
		}
	}
	return improved
}

// lower makes single choices smaller. Another choice may be followed by more
// choices, or fewer: what stands behind is moved by as many places.
func (s *Shrinker) lower() (improved bool) {
	for i := 0; i < len(s.best.Tape); i++ {
		for _, to := range lowered(s.best.Tape[i]) {
			if s.lowerTo(i, to) {
				improved = true
				break
			}
		}
	}
	return improved
}

// mostMoved is how many places what stands behind a choice is moved at most.
const mostMoved = 5

func (s *Shrinker) lowerTo(i, to int) bool {
	head := append(slices.Clone(s.best.Tape[:i]), to)
	tail := s.best.Tape[i+1:]
	for moved := 0; moved <= mostMoved; moved++ {
		if s.try(slices.Concat(head, make([]int, moved), tail)) {
			return true
		}
		if moved > 0 && moved <= len(tail) && s.try(slices.Concat(head, tail[moved:])) {
			return true
		}
	}
	return false
}

// lowered are values to try instead of v, smallest first.
func lowered(v int) []int {
	var out []int
	for to := 0; to < v && to < 8; to++ {
		out = append(out, to)
	}
	for to := v / 2; to > 8 && to < v; to += (v - to + 1) / 2 {
		out = append(out, to)
		if v-to == 1 {
			break
		}
	}
	return out
}

// lowerPairs makes two choices smaller at once: a class named in two lists, a
// number and the one it is compared with. Near ones first.
func (s *Shrinker) lowerPairs() (improved bool) {
	for i := 0; i < len(s.best.Tape); i++ {
		for j := i + 1; j < len(s.best.Tape) && j < i+24; j++ {
			if s.best.Tape[i] == 0 {
				break
			}
			if !s.alive() {
				return improved
			}
			tape := slices.Clone(s.best.Tape)
			tape[i]--
			switch {
			case tape[j] > 0:
				tape[j]--
			default:
				tape[j]++
			}
			if s.try(tape) {
				improved = true
			}
		}
	}
	return improved
}

// lastLook goes through the plain cases up to the size reached, smallest
// first, so that the same fault ends in the same case whoever found it.
func (s *Shrinker) lastLook() {
	if s.Smaller == nil || !s.alive() {
		return
	}
	var chunk []Drawn
	var cases []floor.Case
	flush := func() (found bool) {
		if len(cases) == 0 {
			return false
		}
		s.used += len(cases)
		first, err := s.Probe(cases)
		if s.err = err; err == nil && first >= 0 {
			s.best, s.size = chunk[first], Size(chunk[first].Case)
			found = true
		}
		chunk, cases = chunk[:0], cases[:0]
		return found
	}
	for d := range s.Smaller(s.size) {
		if !s.smaller(d, Size(d.Case)) {
			continue
		}
		d.Tape = slices.Clone(d.Tape)
		chunk, cases = append(chunk, d), append(cases, d.Case)
		if len(cases) == probeChunk && (flush() || !s.alive()) {
			return
		}
	}
	flush()
}

// shrinkAll shrinks the counterexample of every rule that has one, through the
// live subject, keeping the verdict and the rule.
func (c *checker) shrinkAll(ctx context.Context) {
	p := &prober{ctx: ctx, subject: c.subject, fresh: c.options.Fresh, asker: &c.asker}
	defer p.close()
	for _, s := range c.states {
		for _, v := range worst {
			if s.seen[v] != nil {
				s.Counterexample = c.shrink(p, s.Rule, v, s.seen[v])
				c.replicate(p, s.Rule, s.Counterexample)
				break
			}
		}
	}
}

func (c *checker) shrink(p *prober, r model.Rule, v Verdict, from *candidates) *Counterexample {
	start := time.Now()
	if p.ctx.Err() != nil { // interrupted: as it was found
		return from.smallest().counterexample(r, v)
	}
	if p.fresh != nil && v != Fail && v != Erred {
		// What ends the subject is asked of another: the run's own has only so
		// many restarts.
		_ = p.renew() // else of the same
	}
	w, alone := p.reproducible(r, v, from)
	out := w.counterexample(r, v)
	out.Remembers = !alone
	if !alone || w.stage.Decode == nil || w.drawn.Tape == nil || c.options.ShrinkCalls == 0 || c.result.Interrupted {
		return out
	}
	found, probed := *out, 0
	s := &Shrinker{
		Decode:  w.stage.Decode,
		Smaller: w.stage.Smaller,
		Probe: func(cases []floor.Case) (int, error) {
			probed += len(cases)
			c.tell(Progress{Stage: "shrinking " + r.ID, Done: probed, Total: c.options.ShrinkCalls})
			return p.first(r, v, cases, &found)
		},
		Calls: c.options.ShrinkCalls,
		Spent: c.spent,
		Until: start.Add(c.options.ShrinkTime),
	}
	if r.Fresh && c.options.Fresh != nil {
		s.Smaller, s.Calls = nil, min(s.Calls, mostRestarts) // each costs restarts of a process
	}
	s.Shrink(s.Decode(w.drawn.Tape))
	if wrong, err := p.again(r, v, &found); err == nil && !wrong {
		// The subject remembers, and what it had been asked before made it wrong
		// here. Once more, with a fresh start before each case.
		found = *out
		p.restarts, s.Smaller = true, nil
		s.Calls, s.Until = s.used+mostRestarts, time.Now().Add(c.options.ShrinkTime)
		s.err = nil
		s.Shrink(s.Decode(w.drawn.Tape))
		p.restarts = false
	}
	found.Size, found.Calls, found.Took = Size(found.Case), s.Used(), time.Since(start)
	return &found
}

// replicate asks the counterexample of a black box again: a model inside may
// not answer twice alike. What was wrong once more can be replayed.
func (c *checker) replicate(p *prober, r model.Rule, found *Counterexample) {
	answered := found.Verdict == Fail || found.Verdict == Erred // else each costs a restart or a timeout
	if c.options.Replicates < 2 || !answered || !isTalk(found.Case) {
		return
	}
	for range c.options.Replicates {
		if c.spent() || p.ctx.Err() != nil {
			return
		}
		wrong, err := p.first(r, found.Verdict, []floor.Case{found.Case}, &Counterexample{})
		if err != nil {
			return
		}
		found.Again++
		found.Wrong += ones(wrong == 0)
	}
	found.Remembers = found.Remembers && found.Wrong == 0
}

// mostRestarts bounds the shrinking of a subject that has to be started anew
// for each case.
const mostRestarts = 400

func (w *wrong) counterexample(r model.Rule, v Verdict) *Counterexample {
	out := &Counterexample{Rule: r.ID, Verdict: v, Case: w.drawn.Case, Twin: w.twin, Size: w.size, Stage: w.stage.Name}
	out.tell(&w.seen)
	return out
}

// tell says in words what was seen.
func (c *Counterexample) tell(w *seen) {
	c.Answers, c.At, c.Want, c.Got = w.answers, w.finding.At, w.finding.Want, w.finding.Got
	if w.verdict != Fail {
		c.Want, c.Got = "an answer", w.detail
	}
}

// A prober asks small cases over and over, and starts the subject anew when a
// case has ended it too often.
type prober struct {
	ctx     context.Context
	subject Subject
	fresh   func(context.Context) (Subject, error)
	own     Subject // started here
	asker   *asker  // counts the check's requests

	restarts bool // before every case
}

func (p *prober) close() {
	if p.own != nil {
		p.own.Close()
	}
}

// first finds the first case that the rule judges with this verdict, and
// writes it to out.
func (p *prober) first(r model.Rule, v Verdict, cases []floor.Case, out *Counterexample) (int, error) {
	if r.Fresh {
		return p.firstFresh(r, v, cases, out)
	}
	type ask struct{ of, twin int }
	var plan []ask
	var asks []floor.Case
	for i, c := range cases {
		if !r.Applies(model.Observe(floor.Trace{Case: c})) {
			continue
		}
		plan, asks = append(plan, ask{i, -1}), append(asks, c)
		if r.Vary == nil {
			continue
		}
		for t, twin := range r.Vary(c) {
			plan, asks = append(plan, ask{i, t}), append(asks, twin)
		}
	}
	answers, err := p.ask(asks)
	var base model.Run
	for i, a := range plan {
		if answers[i] == nil {
			break
		}
		run := model.Observe(floor.Trace{Case: asks[i], Answers: answers[i]})
		o := model.Observation{Base: run}
		if a.twin >= 0 {
			o = model.Observation{Base: base, Twin: &run}
		} else {
			base = run
			if r.Vary != nil {
				continue
			}
		}
		if w := look(r, o); w != nil && w.verdict == v {
			out.keep(cases[a.of], o.Twin, w)
			return a.of, nil
		}
	}
	return -1, err
}

// firstFresh is first for a rule about memory: each run begins with a fresh
// start.
func (p *prober) firstFresh(r model.Rule, v Verdict, cases []floor.Case, out *Counterexample) (int, error) {
	for i, c := range cases {
		if !r.Applies(model.Observe(floor.Trace{Case: c})) {
			continue
		}
		base, err := p.afresh(c)
		if err != nil || base == nil {
			return -1, err
		}
		for _, t := range r.Vary(c) {
			twin, err := p.afresh(t)
			if err != nil || twin == nil {
				return -1, err
			}
			if w := look(r, model.Observation{Base: *base, Twin: twin}); w != nil && w.verdict == v {
				out.keep(c, twin, w)
				return i, nil
			}
		}
	}
	return -1, nil
}

// afresh asks a case after a fresh start; nil when it was not answered.
func (p *prober) afresh(c floor.Case) (*model.Run, error) {
	if err := p.restart(); err != nil {
		return nil, err
	}
	answers, err := p.ask([]floor.Case{c})
	if answers[0] == nil {
		return nil, err
	}
	run := model.Observe(floor.Trace{Case: c, Answers: answers[0]})
	return &run, nil
}

func (c *Counterexample) keep(base floor.Case, twin *model.Run, w *seen) {
	c.Case, c.Twin = base, nil
	if twin != nil {
		c.Twin = &twin.Case
	}
	c.tell(w)
}

// reproducible finds the smallest candidate that is wrong after a fresh start
// too. Where there is none, it is the smallest, and it is not alone to blame.
func (p *prober) reproducible(r model.Rule, v Verdict, from *candidates) (w *wrong, alone bool) {
	list := slices.Concat(from.single, from.several)
	for i, w := range list {
		// A case that hangs costs its timeout each time.
		if v == TimedOut && i > 0 {
			break
		}
		if wrong, err := p.again(r, v, w.counterexample(r, v)); wrong || err != nil {
			return w, true // what cannot be asked again is kept as it was found
		}
	}
	return from.smallest(), false
}

func (c *candidates) smallest() *wrong {
	if len(c.single) > 0 {
		return c.single[0]
	}
	return c.several[0]
}

// again asks a case once more, after a fresh start.
func (p *prober) again(r model.Rule, v Verdict, ce *Counterexample) (wrong bool, err error) {
	if err := p.restart(); err != nil {
		return false, err
	}
	first, err := p.first(r, v, []floor.Case{ce.Case}, &Counterexample{})
	return first == 0, err
}

// ask asks the subject, or a fresh one when it can no longer be asked.
// There is one entry for each case, nil where it was not answered.
func (p *prober) ask(cases []floor.Case) ([][]floor.Answer, error) {
	if p.restarts {
		if err := p.restart(); err != nil {
			return make([][]floor.Answer, len(cases)), err
		}
	}
	p.asker.subject = p.subject
	answers, err := p.asker.ask(p.ctx, cases)
	if err == nil || p.fresh == nil || p.ctx.Err() != nil || errors.Is(err, errSpent) {
		return answers, err
	}
	if err := p.renew(); err != nil {
		return answers, err
	}
	p.asker.subject = p.subject
	return p.asker.ask(p.ctx, cases)
}

func (p *prober) restart() error {
	err := p.subject.Restart(p.ctx)
	if err == nil || p.fresh == nil || p.ctx.Err() != nil {
		return err
	}
	return p.renew()
}

// renew gives up a subject that was restarted too often for one of our own.
func (p *prober) renew() error {
	s, err := p.fresh(p.ctx)
	if err != nil {
		return err
	}
	p.close()
	p.own, p.subject = s, s
	return nil
}
