package gen

import (
	"fmt"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// Version changes whenever a tape may come to mean another case.
const Version = 2

// A Kind is a family of cases. A tape means nothing without its kind.
type Kind string

// The kinds.
const (
	KindDecide    Kind = "decide"
	KindDerive    Kind = "derive"
	KindBadDecide Kind = "bad-decide"
	KindBadDerive Kind = "bad-derive"
	KindReduce    Kind = "reduce"

	KindCertify    Kind = "certify"
	KindBadCertify Kind = "bad-certify"
	KindCompact    Kind = "compact"
	KindBadCompact Kind = "bad-compact"
)

// Kinds are all kinds. A kind's place is its stream of choices: a new one is the
// last. A check takes those of one op after the other.
var Kinds = []Kind{
	KindDecide, KindBadDecide, KindDerive, KindBadDerive, KindReduce,
	KindCertify, KindBadCertify, KindCompact, KindBadCompact,
}

// KindsOf are the kinds of these ops, in the same order.
func KindsOf(ops []floor.Op) (out []Kind) {
	for _, kind := range Kinds {
		if slices.Contains(ops, kind.Op()) {
			out = append(out, kind)
		}
	}
	return out
}

// Op is the op of the kind's cases.
func (k Kind) Op() floor.Op {
	switch k {
	case KindDecide, KindBadDecide:
		return floor.OpDecide
	case KindReduce:
		return floor.OpReduce
	case KindCertify, KindBadCertify:
		return floor.OpCertify
	case KindCompact, KindBadCompact:
		return floor.OpCompact
	}
	return floor.OpDerive
}

// Bad says that the kind's cases are mostly bad requests.
func (k Kind) Bad() bool {
	return k == KindBadDecide || k == KindBadDerive || k == KindBadCertify || k == KindBadCompact
}

// Draw draws a case of the kind.
func (k Kind) Draw(s *Source, l Limits) floor.Case {
	switch k {
	case KindDecide:
		return Decide(s, l)
	case KindDerive:
		return Derive(s, l)
	case KindBadDecide:
		return BadDecide(s, l)
	case KindBadDerive:
		return BadDerive(s, l)
	case KindReduce:
		return Reduce(s, l)
	case KindCertify:
		return Certify(s, l)
	case KindBadCertify:
		return BadCertify(s, l)
	case KindCompact:
		return Compact(s, l)
	case KindBadCompact:
		return BadCompact(s, l)
	}
	panic(fmt.Sprintf("gen: no kind %q", k))
}

// Decode draws the case of a tape, with the tape as it should have been: cut
// or mended where it did not fit, and the spans on it.
func (k Kind) Decode(tape []int, l Limits) (floor.Case, *Source) {
	s := NewSource(NewReplay(tape))
	return k.Draw(s, l), s
}
