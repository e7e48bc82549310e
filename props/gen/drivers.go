package gen

import "math/rand/v2"

// Seeded makes choices from a seed: equal seeds, equal choices.
type Seeded struct {
	pcg rand.PCG
	rng *rand.Rand
}

// NewSeeded starts the choices of a seed. stream keeps the runs of one seed
// apart, such as the families of a check.
func NewSeeded(seed, stream uint64) *Seeded {
	s := &Seeded{}
	s.pcg.Seed(seed, stream)
	s.rng = rand.New(&s.pcg)
	return s
}

// Seek restarts the choices at case number i, so that any case of a run can be
// drawn without those before it.
func (s *Seeded) Seek(seed, stream, i uint64) {
	s.pcg.Seed(seed^i*0x9e3779b97f4a7c15, stream+i)
}

// Pick implements Driver.
func (s *Seeded) Pick(_ string, n int, weights []int) int {
	if weights == nil {
		return s.below(n)
	}
	return heaviest(weights, s.below(sum(weights)))
}

// below is IntN without its call overhead: the bias is under n/2^32.
func (s *Seeded) below(n int) int { return int(s.pcg.Uint64() >> 32 * uint64(n) >> 32) }

// Bytes makes choices from bytes, as a fuzzer hands them out. Byte 0x30, which
// go fuzz's minimiser drives toward, is choice 0; when the bytes run out every
// choice is 0.
type Bytes struct{ data []byte }

// NewBytes reads choices from data.
func NewBytes(data []byte) *Bytes { return &Bytes{data} }

// Pick implements Driver.
func (b *Bytes) Pick(_ string, n int, weights []int) int {
	if weights != nil {
		return heaviest(weights, b.below(sum(weights)))
	}
	return b.below(n)
}

func (b *Bytes) below(n int) int {
	v := int(b.next())
	if n > 256 {
		v |= int(b.next()) << 8
	}
	return v % n
}

func (b *Bytes) next() byte {
	if len(b.data) == 0 {
		return 0
	}
	v := b.data[0] - 0x30
	b.data = b.data[1:]
	return v
}

// Replay makes the choices of a tape again. Where the tape was cut or changed
// it stays in range: too large a choice is the largest, a missing one is 0.
type Replay struct{ tape []int }

// NewReplay reads choices from a tape.
func NewReplay(tape []int) *Replay { return &Replay{tape} }

// Pick implements Driver.
func (r *Replay) Pick(_ string, n int, _ []int) int {
	if len(r.tape) == 0 {
		return 0
	}
	v := min(max(r.tape[0], 0), n-1)
	r.tape = r.tape[1:]
	return v
}

// heaviest finds the index whose share of the weights holds v.
func heaviest(weights []int, v int) int {
	for i, w := range weights {
		if v < w {
			return i
		}
		v -= w
	}
	return 0
}

func sum(weights []int) (total int) {
	for _, w := range weights {
		total += w
	}
	return total
}

// A Scope bounds an enumeration: for the labels it names, only these indices
// are tried. Any other choice is tried whole.
type Scope map[string][]int

// An Odometer makes every combination of choices, one case after another, the
// last choice turning fastest.
type Odometer struct {
	scope Scope
	wheel []wheel
	at    int
	cost  int
	most  int                           // bounds a case's cost; -1 is no bound
	price func(label string, v int) int // what a choice costs; nil is nothing
}

type wheel struct {
	values []int // nil: 0..n-1
	n, pos int
	label  string
	before int // cost of the choices before this one
}

// NewOdometer enumerates a scope whole.
func NewOdometer(scope Scope) *Odometer { return &Odometer{scope: scope, most: -1} }

// Cost is that of the case just drawn.
func (o *Odometer) Cost() int { return o.cost }

// Pick implements Driver.
func (o *Odometer) Pick(label string, n int, _ []int) int {
	if o.at == len(o.wheel) {
		w := wheel{n: n, label: label, before: o.cost}
		if allowed, bounded := o.scope[label]; bounded {
			w.values = within(allowed, n)
			w.n = len(w.values)
		}
		o.wheel = append(o.wheel, w)
	}
	w := &o.wheel[o.at]
	o.at++
	v := w.value()
	if o.price != nil {
		o.cost += o.price(label, v)
	}
	return v
}

// within keeps the allowed indices that exist; the plainest always does.
func within(allowed []int, n int) []int {
	out := make([]int, 0, len(allowed))
	for _, v := range allowed {
		if v < n {
			out = append(out, v)
		}
	}
	if len(out) == 0 {
		out = append(out, 0)
	}
	return out
}

func (w *wheel) value() int {
	if w.values == nil {
		return w.pos
	}
	return w.values[w.pos]
}

// Rewind starts the enumeration again from the plainest case.
func (o *Odometer) Rewind() { o.wheel, o.at, o.cost = o.wheel[:0], 0, 0 }

// Next turns to the next combination; false when all were made. Call it after
// a case was drawn.
func (o *Odometer) Next() bool {
	o.wheel = o.wheel[:o.at]
	for len(o.wheel) > 0 {
		w := &o.wheel[len(o.wheel)-1]
		for w.pos+1 < w.n {
			w.pos++
			if o.most < 0 || w.before+o.price(w.label, w.value()) <= o.most {
				o.at, o.cost = 0, 0
				return true
			}
		}
		o.wheel = o.wheel[:len(o.wheel)-1]
	}
	return false
}
