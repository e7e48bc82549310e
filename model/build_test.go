package model

import (
	"math/rand/v2"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// Words to build cases with.

type classes = []floor.Class

var (
	harsh       = floor.Conditions{ConsumerStrict: true, ChainingRisk: true, SideEffectCostExceedsRefusal: true}
	recoverable = floor.Conditions{SourceRecoverable: true, ConsumerStrict: true}
	harmless    = floor.Conditions{}
)

func decideCase(required, certified classes, ancestry bool, on floor.Conditions) floor.Case {
	return caseOf(decideRequest(floor.DecideIn{
		Contract:   floor.Contract{Required: required, Certified: certified, Generation: 2, AncestryCertified: ancestry},
		Conditions: on,
	}))
}

func caseOf(steps ...floor.Request) floor.Case { return floor.Case{Policy: floor.Guard, Steps: steps} }

func rawCase(op floor.Op, in string) floor.Case { return caseOf(floor.ParseRequest(op, []byte(in))) }

// history is a derive case over the originals o1 and o2.
func history(events ...floor.Event) floor.Case {
	return caseOf(floor.Request{Op: floor.OpDerive, Derive: &floor.DeriveIn{Originals: []string{"o1", "o2"}, Events: events}})
}

// event requires everything that it certifies, from a recoverable source.
func event(id string, inputs []string, certificate ...floor.Fidelity) floor.Event {
	e := floor.Event{ID: id, Inputs: inputs, Certificate: certificate, Conditions: recoverable}
	for _, entry := range certificate {
		e.Required = append(e.Required, entry.Class)
	}
	return e
}

func from(inputs ...string) []string { return inputs }

func share(class floor.Class, retained, total int64) floor.Fidelity {
	return floor.Fidelity{Class: class, Retained: retained, Total: total}
}

func requiring(e floor.Event, required ...floor.Class) floor.Event {
	e.Required = required
	return e
}

func under(e floor.Event, on floor.Conditions) floor.Event {
	e.Conditions = on
	return e
}

func floored(e floor.Event, class floor.Class, permille int64) floor.Event {
	e.FloorsPermille = map[floor.Class]int64{class: permille}
	return e
}

// healthy is what a subject that keeps every rule shows.
func healthy(c floor.Case) Run { return Observe(floor.Trace{Case: c, Answers: Expect(c)}) }

// observations are what a rule sees of healthy answers to a case.
func observations(r Rule, c floor.Case) []Observation {
	if r.Vary == nil {
		return []Observation{{Base: healthy(c)}}
	}
	if !r.Applies(Observe(floor.Trace{Case: c})) {
		return nil
	}
	var out []Observation
	for _, twin := range r.Vary(c) {
		run := healthy(twin)
		out = append(out, Observation{Base: healthy(c), Twin: &run})
	}
	return out
}

// scribble draws small cases, bad ones among them, without any plan: the real
// generators live in props.
func scribble(rng *rand.Rand) floor.Case {
	if rng.IntN(5) == 0 {
		return scribbleTalk(rng)
	}
	policy := []floor.Policy{floor.Guard, floor.Joint}[rng.IntN(2)]
	c := floor.Case{Policy: policy}
	for range 1 + rng.IntN(2) {
		if rng.IntN(2) == 0 {
			c.Steps = append(c.Steps, scribbleDecide(rng))
		} else {
			c.Steps = append(c.Steps, scribbleDerive(rng))
		}
	}
	return c
}

func scribbleDecide(rng *rand.Rand) floor.Request {
	in := floor.DecideIn{
		Contract: floor.Contract{
			Required: scribbleClasses(rng), Certified: scribbleClasses(rng),
			Generation: rng.Int64N(4), AncestryCertified: rng.IntN(3) > 0,
		},
		Conditions: scribbleFlags(rng),
	}
	switch rng.IntN(8) {
	case 0:
		in.Contract.Generation = -1
	case 1:
		in.Riders = &floor.Riders{SourceTokens: new(int64(900)), FluencyPermille: new(int64(12))}
	}
	return decideRequest(in)
}

func scribbleDerive(rng *rand.Rand) floor.Request {
	in := &floor.DeriveIn{Originals: []string{"o1", "o2"}}
	ids := slices.Clone(in.Originals)
	for i := range rng.IntN(5) {
		e := floor.Event{ID: string(rune('a' + i)), Required: scribbleClasses(rng), Conditions: scribbleFlags(rng)}
		if rng.IntN(3) > 0 {
			e.SourceRecoverable = true
		}
		for range 1 + rng.IntN(2) {
			e.Inputs = append(e.Inputs, ids[rng.IntN(len(ids))])
		}
		for _, class := range distinct(append(scribbleClasses(rng), e.Required...)) {
			total := rng.Int64N(3)
			e.Certificate = append(e.Certificate, share(class, max(0, total-rng.Int64N(8)/7), total))
		}
		if rng.IntN(3) == 0 {
			e.FloorsPermille = map[floor.Class]int64{floor.Negation: 500}
		}
		in.Events = append(in.Events, e)
		ids = append(ids, e.ID)
	}
	return floor.Request{Op: floor.OpDerive, Derive: in}
}

func scribbleClasses(rng *rand.Rand) classes {
	out := classes{}
	for range rng.IntN(4) {
		out = append(out, classes{floor.Identifier, floor.Quantity, floor.Negation, "dream"}[rng.IntN(4)])
	}
	return out
}

func scribbleFlags(rng *rand.Rand) floor.Conditions {
	flag := func() bool { return rng.IntN(3) == 0 }
	return floor.Conditions{
		SourceRecoverable: flag(), ConsumerStrict: flag(), ChainingRisk: flag(), SideEffectCostExceedsRefusal: flag(),
	}
}
