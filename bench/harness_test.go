package bench

import (
	"context"
	"iter"
	"math/rand/v2"
	"testing"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/engine"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
	"github.com/floorcheck/floorcheck/props"
	"github.com/floorcheck/floorcheck/props/gen"
)

// corpus is how many generated cases a benchmark goes round in.
const corpus = 1 << 10

// BenchmarkJudge has every rule that judges one answer look at one case.
func BenchmarkJudge(b *testing.B) {
	for _, kind := range []gen.Kind{gen.KindDecide, gen.KindDerive} {
		b.Run(string(kind), func(b *testing.B) {
			traces, rules := answered(b, generated(kind, corpus)), oracles(kind.Op())
			i := 0
			timedEach(b, corpus/4, func() {
				judge(b, rules, traces[i%corpus])
				i++
			})
		})
	}
	// All of seven classes, with the judge: a stride that meets each once.
	b.Run("exhaustive", func(b *testing.B) {
		rules := oracles(floor.OpDecide)
		i := uint64(0)
		timedEach(b, 100, func() {
			i = (i + 314159) % (1 << 19)
			in := numbered(i)
			out := engine.Decide(in, floor.Guard)
			judge(b, rules, floor.Trace{
				Case:    floor.Case{Policy: floor.Guard, Steps: []floor.Request{{Op: floor.OpDecide, Decide: in}}},
				Answers: []floor.Answer{{Decide: &out}},
			})
		})
	})
}

func judge(b *testing.B, rules []model.Rule, t floor.Trace) {
	o := model.Observation{Base: model.Observe(t)}
	for _, r := range rules {
		if _, findings := r.Judge(o); len(findings) > 0 {
			b.Fatal(findings[0])
		}
	}
}

// oracles are the rules of an op that judge one answer alone.
func oracles(op floor.Op) (rules []model.Rule) {
	for _, r := range rulesOf(op) {
		if r.Vary == nil {
			rules = append(rules, r)
		}
	}
	return rules
}

func rulesOf(op floor.Op) (rules []model.Rule) {
	for _, r := range model.Rules() {
		if r.Op == "" || r.Op == op {
			rules = append(rules, r)
		}
	}
	return rules
}

func answered(b *testing.B, cases []floor.Case) []floor.Trace {
	traces := make([]floor.Trace, len(cases))
	for i, c := range cases {
		answers, err := subject(1).Ask(context.Background(), c.Steps)
		if err != nil {
			b.Fatal(err)
		}
		traces[i] = floor.Trace{Case: c, Answers: answers}
	}
	return traces
}

// numbered is one of the 2^19 requests over seven classes.
func numbered(i uint64) *floor.DecideIn {
	classes := []floor.Class{
		floor.Identifier, floor.Quantity, floor.Negation, floor.Ordering, floor.Obligation, floor.Hypothesis, floor.Constraint,
	}
	in := &floor.DecideIn{}
	for bit, class := range classes {
		if i>>bit&1 == 1 {
			in.Contract.Required = append(in.Contract.Required, class)
		}
		if i>>(7+bit)&1 == 1 {
			in.Contract.Certified = append(in.Contract.Certified, class)
		}
	}
	flag := func(bit int) bool { return i>>(14+bit)&1 == 1 }
	in.Contract.AncestryCertified = flag(0)
	in.Conditions = floor.Conditions{
		SourceRecoverable: flag(1), ConsumerStrict: flag(2), ChainingRisk: flag(3), SideEffectCostExceedsRefusal: flag(4),
	}
	return in
}

// A drawer draws one case after another.
type drawer func() floor.Case

// drivers are the ways to draw cases that stop after each.
var drivers = []struct {
	name string
	new  func(kind gen.Kind) drawer
}{
	{"seeded", seeded},
	{"bytes", fromBytes},
	{"replay", replayed},
	{"odometer", enumerated},
}

// BenchmarkGenerate draws cases.
func BenchmarkGenerate(b *testing.B) {
	for _, kind := range []gen.Kind{gen.KindDecide, gen.KindDerive} {
		for _, driver := range drivers {
			b.Run(string(kind)+"-"+driver.name, func(b *testing.B) {
				draw := driver.new(kind)
				timedEach(b, 200, func() { sink += uint64(len(draw().Steps)) })
			})
		}
		kinds, limits := props.Only(kind), gen.Full(floor.Guard)
		b.Run(string(kind)+"-rapid", func(b *testing.B) {
			draw := func() int { return props.Rapid(quiet{b}, kinds, limits, visit) }
			n := draw() // -rapid.checks says how many
			timed(b, n, func() { draw() })
		})
		b.Run(string(kind)+"-gopter", func(b *testing.B) {
			timed(b, 100, func() { props.GopterRun(b, kinds, limits, 7, 100, visit) })
		})
	}
}

func visit(_ gen.Kind, d conform.Drawn) bool {
	sink += uint64(len(d.Case.Steps))
	return true
}

// quiet keeps rapid's word that all went well out of the figures.
type quiet struct{ testing.TB }

func (quiet) Logf(string, ...any) {}

func seeded(kind gen.Kind) drawer {
	d, i := gen.NewSeeded(7, 1), uint64(0)
	s, limits := gen.NewSource(d), gen.Full(floor.Guard)
	return func() floor.Case {
		d.Seek(7, 1, i)
		i++
		s.Reset()
		return kind.Draw(s, limits)
	}
}

func fromBytes(kind gen.Kind) drawer {
	rng := rand.New(rand.NewPCG(8, 9))
	data := make([]byte, corpus+256)
	for i := range data {
		data[i] = byte(rng.Uint32())
	}
	i, limits := 0, gen.Full(floor.Guard)
	return func() floor.Case {
		i = (i + 1) % corpus
		return kind.Draw(gen.NewSource(gen.NewBytes(data[i:i+256])), limits)
	}
}

func replayed(kind gen.Kind) drawer {
	tapes := make([][]int, corpus)
	d, limits := gen.NewSeeded(7, 1), gen.Full(floor.Guard)
	for i := range tapes {
		s := gen.NewSource(d)
		kind.Draw(s, limits)
		tapes[i] = s.Tape()
	}
	i := 0
	return func() floor.Case {
		i = (i + 1) % corpus
		c, _ := kind.Decode(tapes[i], limits)
		return c
	}
}

func enumerated(kind gen.Kind) drawer {
	scope, limits := gen.DecideScope(), gen.ScopeLimits(floor.Guard)
	if kind == gen.KindDerive {
		scope, limits = gen.DeriveScope(), gen.DeriveScopeLimits(floor.Guard)
	}
	o := gen.NewOdometer(scope)
	s, more := gen.NewSource(o), true
	return func() floor.Case {
		if !more {
			o = gen.NewOdometer(scope)
			s = gen.NewSource(o)
		}
		s.Reset()
		c := kind.Draw(s, limits)
		more = o.Next()
		return c
	}
}

// looped is how many cases one run of the whole loop asks.
const looped = 1000

// BenchmarkLoop is a check in process: generate, ask, judge by every rule,
// twins included, sample and ask again.
func BenchmarkLoop(b *testing.B) {
	for _, kind := range []gen.Kind{gen.KindDecide, gen.KindDerive} {
		b.Run(string(kind), func(b *testing.B) {
			rules := rulesOf(kind.Op())
			timed(b, looped, func() {
				result, err := conform.Check(context.Background(), subject(1), conform.Options{
					Rules:  rules,
					Stages: []conform.Stage{{Name: "generated", Op: kind.Op(), Twins: true, Total: looped, Cases: drawn(kind, looped)}},
					Seed:   7,
				})
				if err != nil {
					b.Fatal(err)
				}
				for _, r := range result.Rules {
					if r.Wrong > 0 {
						b.Fatalf("%s: %d wrong", r.Rule.ID, r.Wrong)
					}
				}
			})
		})
	}
}

func drawn(kind gen.Kind, n int) iter.Seq[conform.Drawn] {
	return func(yield func(conform.Drawn) bool) {
		draw := seeded(kind)
		for range n {
			if !yield(conform.Drawn{Case: draw()}) {
				return
			}
		}
	}
}
