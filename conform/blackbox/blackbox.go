// Package blackbox holds runtimes that make conversations shorter, as subjects
// in process: some do it right, each in a way of its own, and the others do
// what is done in the wild. They try out the rules of reduce, as the planted
// faults do, which are made of them.
//
// Nothing here knows what is planted. Equal questions get equal answers.
package blackbox

import (
	"slices"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/hostile"
	"github.com/floorcheck/floorcheck/floor"
)

// A Box is one black box.
type Box struct {
	ID      string // in kebab case
	Title   string // one sentence: what it does
	Correct bool   // every rule of reduce is to hold, whatever its keyword

	// New gives a subject that has seen nothing. What asks a model is told in
	// process which summarizer the model plays.
	New func() conform.Subject

	// Asking is New for a box that asks a model: it asks this one, whatever is
	// played. It is nil for the others.
	Asking func(Model) conform.Subject
}

// A Model gives a summary of messages. An error says that it gave none.
type Model func(messages []floor.Message) (string, error)

// All gives every box, the correct ones first.
func All() []Box { return slices.Clone(catalogue) }

// Lookup finds a box by its ID.
func Lookup(id string) (Box, bool) {
	i := slices.IndexFunc(catalogue, func(b Box) bool { return b.ID == id })
	if i < 0 {
		return Box{}, false
	}
	return catalogue[i], true
}

var catalogue = []Box{
	correct("pinning", "drops every sentence that cannot hold an element, and refuses when there is none", NewPinning),
	alone(Box{ID: "refusing", Title: "refuses whatever is over the target", Correct: true}, refusing),
	correct("marking", "keeps the rules, the latest messages and what ends something, marks the rest as left out, and can be asked for it", NewMarking),
	withModel(Box{ID: "guarded", Title: "asks a model for a summary, and takes from it only what was said and what may go", Correct: true},
		func(m *asked) conform.Funcs { return NewGuarded(m.ask).funcs() }),

	alone(Box{ID: "keep-last", Title: "keeps the rules and the last six messages"}, wild(keepLast)),
	alone(Box{ID: "head-tail", Title: "keeps the first two messages and the last four"}, wild(headTail)),
	withModel(Box{ID: "summarize", Title: "puts whatever the model says in the place of everything but the rules and the newest turn"},
		func(m *asked) conform.Funcs { return wild(summarizing(m.ask)) }),
	alone(Box{ID: "truncate", Title: "cuts long texts off"}, wild(truncate)),
}

func correct(id, title string, made func() *Runtime) Box {
	box := Box{ID: id, Title: title, Correct: true}
	box.New = func() conform.Subject {
		return conform.Restartable(hello(id), func() conform.Funcs { return made().funcs() })
	}
	return box
}

func alone(box Box, funcs conform.Funcs) Box {
	box.New = func() conform.Subject { return conform.InProcess(hello(box.ID), funcs) }
	return box
}

// withModel is a box that asks a model.
func withModel(box Box, funcs func(*asked) conform.Funcs) Box {
	h := hello(box.ID)
	h.Reduce = &conform.ReduceHello{Model: true}
	box.New = func() conform.Subject {
		played := &asked{}
		played.ask = played.summarize
		f := funcs(played)
		f.Play = played.play
		return conform.InProcess(h, f)
	}
	box.Asking = func(m Model) conform.Subject { return conform.InProcess(h, funcs(&asked{ask: m})) }
	return box
}

func hello(id string) conform.Hello {
	return conform.Hello{Name: "blackbox/" + id, Version: "1", Language: "go"}
}

// Plant makes a subject of a runtime that is correct but for what plant
// replaces in it. A restart makes it anew: whatever it remembered is gone. Where
// m is nil the model inside, if there is one, is told what it plays.
func Plant(h conform.Hello, made func(Model) *Runtime, plant func(*Runtime), m Model) conform.Subject {
	inside := &asked{ask: m}
	if m == nil {
		inside.ask = inside.summarize
	}
	if made(inside.ask).Summary != nil {
		h.Reduce = &conform.ReduceHello{Model: true}
	}
	return conform.Restartable(h, func() conform.Funcs {
		r := made(inside.ask)
		plant(r)
		f := r.funcs()
		f.Play = inside.play
		return f
	})
}

// An asked is the model inside a box.
type asked struct {
	ask   Model
	plays hostile.Summarizer
}

// play switches the summarizer that is played from now on. The names are the
// suite's own; "" is the right one, and so is one that nobody knows.
func (m *asked) play(name string) {
	found, ok := hostile.Lookup(name)
	if !ok {
		found = hostile.All()[0]
	}
	m.plays = found
}

// summarize is the model that is played.
func (m *asked) summarize(messages []floor.Message) (string, error) {
	if m.plays.ID == "" {
		m.play("")
	}
	return m.plays.Summarize(hostile.Lines(messages))
}
