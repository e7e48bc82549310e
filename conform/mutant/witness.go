package mutant

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// The words in which the tables write down their witnesses. Whatever is not
// said is plain: ancestry certified, generation 0, the source gone, no danger.

func steps(requests ...floor.Request) []floor.Request { return requests }

// ask is a decide request; classes are split at spaces.
func ask(required, certified string, with ...func(*floor.DecideIn)) floor.Request {
	in := &floor.DecideIn{Contract: floor.Contract{
		Required:          list(required),
		Certified:         list(certified),
		AncestryCertified: true,
	}}
	for _, w := range with {
		w(in)
	}
	return floor.Request{Op: floor.OpDecide, Decide: in}
}

func generation(g int64) func(*floor.DecideIn) {
	return func(in *floor.DecideIn) { in.Contract.Generation = g }
}

func poisoned(in *floor.DecideIn) { in.Contract.AncestryCertified = false }

// under sets the conditions; their letters are r, s, c and x for
// source_recoverable, consumer_strict, chaining_risk and
// side_effect_cost_exceeds_refusal.
func under(letters string) func(*floor.DecideIn) {
	return func(in *floor.DecideIn) { in.Conditions = conditions(letters) }
}

func conditions(letters string) floor.Conditions {
	return floor.Conditions{
		SourceRecoverable:            strings.Contains(letters, "r"),
		ConsumerStrict:               strings.Contains(letters, "s"),
		ChainingRisk:                 strings.Contains(letters, "c"),
		SideEffectCostExceedsRefusal: strings.Contains(letters, "x"),
	}
}

// refused is under all dangers: both policies refuse what is not certified.
func refused(in *floor.DecideIn) { in.Conditions = conditions("scx") }

func tokens(source, summary int64) func(*floor.DecideIn) {
	return riding(func(r *floor.Riders) { r.SourceTokens, r.SummaryTokens = &source, &summary })
}

func riding(set func(*floor.Riders)) func(*floor.DecideIn) {
	return func(in *floor.DecideIn) {
		if in.Riders == nil {
			in.Riders = &floor.Riders{}
		}
		set(in.Riders)
	}
}

func target(n int64) func(*floor.DecideIn) {
	return riding(func(r *floor.Riders) { r.TargetPermille = &n })
}

func occupancy(n int64) func(*floor.DecideIn) {
	return riding(func(r *floor.Riders) { r.OccupancyPermille = &n })
}

func fluency(n int64) func(*floor.DecideIn) {
	return riding(func(r *floor.Riders) { r.FluencyPermille = &n })
}

func quota(n int64) func(*floor.DecideIn) {
	return riding(func(r *floor.Riders) { r.QuotaFacts = &n })
}

// chain is a derive request over the original "o" and, for merges of several,
// "p".
func chain(events ...floor.Event) floor.Request {
	in := &floor.DeriveIn{Originals: []string{"o", "p"}, Events: events}
	return floor.Request{Op: floor.OpDerive, Derive: in}
}

// event is one; inputs and required classes are split at spaces, and so is the
// certificate: "a" is one of one, "a:1/2" one of two.
func event(id, inputs, required, certificate string, with ...func(*floor.Event)) floor.Event {
	e := floor.Event{ID: id, Inputs: strings.Fields(inputs), Required: list(required), Certificate: []floor.Fidelity{}}
	for _, entry := range strings.Fields(certificate) {
		class, counts, given := strings.Cut(entry, ":")
		f := floor.Fidelity{Class: floor.Class(class), Retained: 1, Total: 1}
		if given {
			if _, err := fmt.Sscanf(counts, "%d/%d", &f.Retained, &f.Total); err != nil {
				panic(fmt.Sprintf("witness of a mutant: %q: %v", entry, err))
			}
		}
		e.Certificate = append(e.Certificate, f)
	}
	for _, w := range with {
		w(&e)
	}
	return e
}

// when sets the conditions of an event.
func when(letters string) func(*floor.Event) {
	return func(e *floor.Event) { e.Conditions = conditions(letters) }
}

// atLeast sets the floor of a class, in permille.
func atLeast(class floor.Class, permille int64) func(*floor.Event) {
	return func(e *floor.Event) {
		if e.FloorsPermille == nil {
			e.FloorsPermille = map[floor.Class]int64{}
		}
		e.FloorsPermille[class] = permille
	}
}

// spoilt is a request with one text in its JSON replaced by another.
func spoilt(r floor.Request, from, to string) floor.Request {
	in, err := r.In()
	if err != nil {
		panic(fmt.Sprintf("witness of a mutant: %v", err))
	}
	text := strings.Replace(string(in), from, to, 1)
	if text == string(in) {
		panic(fmt.Sprintf("witness of a mutant: %s does not hold %s", in, from))
	}
	return floor.ParseRequest(r.Op, json.RawMessage(text))
}

func list(spaced string) classes {
	out := classes{}
	for _, name := range strings.Fields(spaced) {
		out = append(out, floor.Class(name))
	}
	return out
}
