// Package suite is what a check asks: regressions, then every case of a small
// scope, then generated cases, for each op that the subject claims. The binary
// and props.Run ask the same.
package suite

import (
	"iter"
	"slices"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/hostile"
	"github.com/floorcheck/floorcheck/conform/vector"
	"github.com/floorcheck/floorcheck/corpora"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/props/gen"
)

// DefaultSeed is the suite's own: a check without --seed is the same for
// everyone.
const DefaultSeed = 8123

// DefaultCases is how many cases of each kind a check generates. Bad requests
// are half of it.
const DefaultCases = 20_000

// PerText is how many other cases are generated for one about texts, and
// PerConversation for one conversation: they are that much larger.
const (
	PerText         = 4
	PerConversation = 20
)

// Plan says what to ask.
type Plan struct {
	Policy     floor.Policy
	Ops        []floor.Op // in any order
	Seed       uint64
	Cases      int // generated for each kind
	Exhaustive bool
	Reduce     *conform.ReduceHello // what a black box says of itself; may be nil
}

// Ops are those that are tested, in the order in which they are asked.
var Ops = []floor.Op{floor.OpDecide, floor.OpDerive, floor.OpCertify, floor.OpCompact, floor.OpReduce}

// Stages are the stretches of the plan.
func Stages(p Plan) []conform.Stage {
	var out []conform.Stage
	for _, op := range Ops {
		if !slices.Contains(p.Ops, op) {
			continue
		}
		out = append(out, regressions(p, op), vectors(p, op))
		if p.Exhaustive && (op == floor.OpDecide || op == floor.OpDerive) { // there is no end of texts
			out = append(out, exhaustive(p, op))
		}
		for stream, kind := range gen.Kinds {
			if kind.Op() == op {
				out = append(out, generated(p, kind, uint64(stream)))
			}
		}
	}
	return out
}

func regressions(p Plan, op floor.Op) conform.Stage {
	var cases []floor.Case
	for _, r := range corpora.Regressions() {
		cases = append(cases, r.Cases...)
	}
	return written(p, op, "regression", cases)
}

func vectors(p Plan, op floor.Op) conform.Stage { return written(p, op, "vector", vector.Cases(op)) }

// written are the cases of an op that somebody wrote down, under the policy.
func written(p Plan, op floor.Op, name string, cases []floor.Case) conform.Stage {
	cases = slices.DeleteFunc(cases, func(c floor.Case) bool { return c.Op() != op || c.Policy != p.Policy })
	return conform.Stage{Name: name, Op: op, Total: len(cases), Cases: func(yield func(conform.Drawn) bool) {
		for _, c := range cases {
			if !yield(conform.Drawn{Case: c}) {
				return
			}
		}
	}}
}

// exhaustive goes through a scope whole.
func exhaustive(p Plan, op floor.Op) conform.Stage {
	kind, scope, limits, total := gen.KindDecide, gen.DecideScope(), gen.ScopeLimits(p.Policy), gen.DecideScopeSize
	if op == floor.OpDerive {
		kind, scope, limits, total = gen.KindDerive, gen.DeriveScope(), gen.DeriveScopeLimits(p.Policy), gen.DeriveScopeSize(p.Policy)
	}
	st := conform.Stage{Name: "exhaustive", Op: op, Exhaustive: true, Total: total}
	st.Cases = enumerate(gen.NewOdometer(scope), kind, limits)
	return shrinkable(st, p.Policy, kind)
}

// generated draws cases from the seed; case i does not depend on those before
// it.
func generated(p Plan, kind gen.Kind, stream uint64) conform.Stage {
	total, limits := p.Cases, gen.Full(p.Policy)
	switch kind.Op() {
	case floor.OpCertify, floor.OpCompact:
		total = (p.Cases + PerText - 1) / PerText
	case floor.OpReduce:
		total, limits = (p.Cases+PerConversation-1)/PerConversation, ForBlackBox(limits, p.Reduce)
	}
	if kind.Bad() {
		total = (total + 1) / 2
	}
	st := conform.Stage{Name: "generated", Op: kind.Op(), Bad: kind.Bad(), Twins: !kind.Bad(), Total: total}
	st.Cases = Seeded(kind, limits, p.Seed, stream, total)
	if kind == gen.KindReduce {
		st.Decode = DecoderUnder(kind, limits)
		return st
	}
	return shrinkable(st, p.Policy, kind)
}

// ForBlackBox fits the limits to what a black box says of itself.
func ForBlackBox(l gen.Limits, h *conform.ReduceHello) gen.Limits {
	if h == nil {
		return l
	}
	l.TriggerMessages = int(min(h.TriggerMessages, mostTrigger))
	l.TriggerTokens = int(min(h.TriggerTokens, mostTrigger))
	if h.Model {
		l.Model, l.Summarizers = true, hostile.Names()
	}
	return l
}

// mostTrigger bounds what a subject says of itself; the generator has bounds of
// its own.
const mostTrigger = 1 << 20

// Seeded draws n cases of a kind. Each case's tape lives until the next.
func Seeded(kind gen.Kind, l gen.Limits, seed, stream uint64, n int) iter.Seq[conform.Drawn] {
	return func(yield func(conform.Drawn) bool) {
		d := gen.NewSeeded(seed, stream)
		s := gen.NewSource(d)
		for i := range n {
			d.Seek(seed, stream, uint64(i))
			s.Reset()
			c := kind.Draw(s, l)
			if !yield(conform.Drawn{Case: c, Tape: slices.Clone(s.Tape())}) {
				return
			}
		}
	}
}

func enumerate(o *gen.Odometer, kind gen.Kind, l gen.Limits) iter.Seq[conform.Drawn] {
	return func(yield func(conform.Drawn) bool) {
		o.Rewind()
		s := gen.NewSource(o)
		for more := true; more; more = o.Next() {
			s.Reset()
			c := kind.Draw(s, l)
			if !yield(conform.Drawn{Case: c, Tape: slices.Clone(s.Tape())}) {
				return
			}
		}
	}
}

// shrinkable adds what a shrinker needs: the way back from tapes, and the
// plain small cases.
func shrinkable(st conform.Stage, p floor.Policy, kind gen.Kind) conform.Stage {
	st.Decode = Decoder(kind, p)
	st.Smaller = Smaller(kind, p)
	return st
}

// Decoder draws cases of a kind from tapes, under full limits.
func Decoder(kind gen.Kind, p floor.Policy) func(tape []int) conform.Drawn {
	return DecoderUnder(kind, gen.Full(p))
}

// DecoderUnder draws them under the limits that they were drawn under before.
func DecoderUnder(kind gen.Kind, l gen.Limits) func(tape []int) conform.Drawn {
	return func(tape []int) conform.Drawn {
		c, s := kind.Decode(tape, l)
		spans := make([][2]int, 0, len(s.Spans()))
		for _, span := range s.Spans() {
			spans = append(spans, [2]int{span.From, span.To})
		}
		return conform.Drawn{Case: c, Tape: slices.Clone(s.Tape()), Spans: spans}
	}
}

// lastLookCost bounds the shrinker's last look: dearer cases are too many to go
// through. Of those about texts there are ten thousand at these costs, and a
// hundred thousand at the next.
func lastLookCost(kind gen.Kind) int {
	switch kind.Op() {
	case floor.OpCertify:
		return 3
	case floor.OpCompact:
		return 2
	}
	return 6
}

// Smaller enumerates the plain cases of a kind, cheapest first, up to a size.
func Smaller(kind gen.Kind, p floor.Policy) func(size int) iter.Seq[conform.Drawn] {
	return func(size int) iter.Seq[conform.Drawn] {
		return func(yield func(conform.Drawn) bool) {
			for cost := 0; cost <= min(size, lastLookCost(kind)); cost++ {
				for d := range OfCost(kind, p, cost) {
					if !yield(d) {
						return
					}
				}
			}
		}
	}
}

// Deep enumerates the narrow and deep corners of a kind, whole.
func Deep(kind gen.Kind, p floor.Policy) iter.Seq[conform.Drawn] {
	return func(yield func(conform.Drawn) bool) {
		for _, scope := range gen.DeepScopes(p) {
			if scope.Kind != kind {
				continue
			}
			for d := range enumerate(gen.NewOdometer(scope.Scope), kind, scope.Limits) {
				if !yield(d) {
					return
				}
			}
		}
	}
}

// OfCost enumerates the cases of exactly this cost, in all scopes of a kind.
func OfCost(kind gen.Kind, p floor.Policy, cost int) iter.Seq[conform.Drawn] {
	return func(yield func(conform.Drawn) bool) {
		for _, scope := range gen.Scopes(p) {
			if scope.Kind != kind {
				continue
			}
			o := scope.ByCost(cost)
			for d := range enumerate(o, kind, scope.Limits) {
				if o.Cost() == cost && !yield(d) {
					return
				}
			}
		}
	}
}
