// Package gen draws cases from any source of choices, plainest first. There is
// one generator and many drivers: seeded runs, bytes, enumeration and replay
// are here, rapid and gopter in props. Whoever drives it, the choices made are
// a tape, and the same tape is the same case for ever.
package gen

// A Driver makes the choices. Pick returns an index below n; weights, where
// they are not nil, say how often each should come. Index 0 is the plainest.
type Driver interface {
	Pick(label string, n int, weights []int) int
}

// A Source hands a driver's choices to the generator and keeps them on a tape.
type Source struct {
	driver Driver
	tape   []int
	spans  []Span
}

// A Span is one round of a Repeat on the tape: the token that asked for it and
// all that was drawn in it. A shrinker deletes it whole.
type Span struct{ From, To int }

// NewSource starts an empty tape.
func NewSource(d Driver) *Source { return &Source{driver: d} }

// Reset empties the tape and keeps its memory, for drivers that draw millions
// of cases.
func (s *Source) Reset() { s.tape, s.spans = s.tape[:0], s.spans[:0] }

// Tape is what was chosen so far. It is the source's own memory.
func (s *Source) Tape() []int { return s.tape }

// Spans are the rounds of every Repeat so far, inner ones before outer ones.
func (s *Source) Spans() []Span { return s.spans }

// Choose draws a number from 0 to n-1, all alike. It is written on the tape even
// where there is nothing to choose: a shrinker that leaves one of two things
// must not shift what stands behind.
func (s *Source) Choose(n int, label string) int { return s.pick(label, max(n, 1), nil) }

// Weighted draws an index of weights, each as often as its weight says.
func (s *Source) Weighted(label string, weights ...int) int {
	return s.pick(label, len(weights), weights)
}

func (s *Source) pick(label string, n int, weights []int) int {
	v := s.driver.Pick(label, n, weights)
	if v < 0 || v >= n {
		panic("gen: driver picked out of range for " + label)
	}
	s.tape = append(s.tape, v)
	return v
}

// stop draws a token that can only be the plainest under the limits of this run.
// It stands on the tape where an ordinary run has a choice, so that a tape means
// the same under any limits.
func (s *Source) stop(label string) { s.pick(label, 1, nil) }

var anotherWeights = func() (w [9][]int) {
	for eighths := range w {
		w[eighths] = []int{8 - eighths, eighths}
	}
	return w
}()

// Repeat runs body from least to most times, or until it says that there can
// be no more. Before each round beyond least it asks "another?", with the given
// odds in eighths, and it draws its stop token wherever another was possible,
// so that a round can be deleted from the tape.
func (s *Source) Repeat(least, most, eighths int, label string, body func(round int) (more bool)) {
	for round := 0; round < most; round++ {
		from := len(s.tape)
		if round >= least && s.pick(label, 2, anotherWeights[eighths]) == 0 {
			return
		}
		more := body(round)
		if round >= least {
			s.spans = append(s.spans, Span{from, len(s.tape)})
		}
		if !more {
			return
		}
	}
}

// list is a Repeat that ends with a stop token however it ends, also where it
// is full or its body says so. So a round can be deleted from the tape even of
// a list that was full: what stands behind stays where it is read.
func (s *Source) list(least, most, eighths int, label string, body func(round int) (more bool)) {
	ended := most <= least
	s.Repeat(least, most, eighths, label, func(round int) bool {
		more := body(round)
		ended = !more || round == most-1
		return more
	})
	if ended {
		s.stop(label)
	}
}

// mostly is a list of one, which is there in fifteen cases of sixteen.
func (s *Source) mostly(label string, body func()) {
	from := len(s.tape)
	if s.pick(label, 2, mostlyWeights) == 0 {
		return
	}
	body()
	s.spans = append(s.spans, Span{from, len(s.tape)})
	s.stop(label)
}

var mostlyWeights = []int{1, 15}
