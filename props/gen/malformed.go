package gen

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// small are the limits of the request that a bad one starts from: only the
// spoiled field matters.
func small(l Limits) Limits {
	return Limits{Policy: l.Policy, Classes: min(l.Classes, 3), Events: min(l.Events, 3)}
}

// BadDecide draws a decide request and spoils its spelling, mostly: some
// changes are harmless, such as a field that nobody knows.
func BadDecide(s *Source, l Limits) floor.Case {
	c := Decide(s, small(l))
	return spoil(s, c)
}

// BadDerive draws a history and spoils what it says or how it is spelled.
func BadDerive(s *Source, l Limits) floor.Case {
	c := Derive(s, small(l))
	if in := c.Steps[0].Derive; len(in.Events) > 0 && s.Choose(2, "history spoiled") == 1 {
		spoilHistory(s, in)
		return c
	}
	return spoil(s, c)
}

// spoil changes one place of the request's JSON.
func spoil(s *Source, c floor.Case) floor.Case {
	c.Steps = c.Steps[len(c.Steps)-1:]
	r := &c.Steps[0]
	in, err := r.In()
	if err != nil {
		panic("gen: spell a request: " + err.Error())
	}
	tree, err := floor.ParseJSON(in)
	if err != nil {
		panic("gen: read our own request: " + err.Error())
	}
	places := placesOf(tree, nil)
	at := places[s.Choose(len(places), "place")]
	raw := spell(at.spoil(s))
	*r = floor.ParseRequest(r.Op, raw)
	if words := (floor.Request{Op: r.Op, Decide: r.Decide, Derive: r.Derive, Certify: r.Certify, Compact: r.Compact}); saysAll(words, raw) {
		*r = words // no harm done: as anyone would have asked it
	}
	return c
}

// saysAll says whether the words of a request hold all that its spelling does.
func saysAll(r floor.Request, raw json.RawMessage) bool {
	in, err := r.In()
	if err != nil {
		return false // it has no words: a bad request
	}
	tree, err := floor.ParseJSON(in)
	return err == nil && bytes.Equal(spell(tree), raw)
}

// A place is one field of an object or one item of a list.
type place struct {
	root   any
	object map[string]any
	name   string
	list   []any
	index  int
}

// placesOf lists every place below v, in a fixed order.
func placesOf(root any, within []place) []place {
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				within = append(within, place{root: root, object: v, name: name})
				walk(v[name])
			}
		case []any:
			for i := range v {
				within = append(within, place{root: root, list: v, index: i})
				walk(v[i])
			}
		}
	}
	walk(root)
	return within
}

// spoil changes the place and gives the whole tree back. A number is mostly
// spoiled as one: the list has most to say about them.
func (p place) spoil(s *Source) any {
	weights := []int{3, 3, 4, 1, 1, 1, 2}
	if _, isNumber := p.value().(json.Number); isNumber {
		weights = []int{1, 1, 1, 8, 1, 1, 2}
	}
	switch s.Weighted("spoiled", weights...) {
	case 0:
		p.remove()
	case 1:
		p.set(nil)
	case 2:
		p.set(wrong[s.Choose(len(wrong), "wrong")]())
	case 3:
		n := numbers[s.Choose(len(numbers), "number")]
		if strings.HasSuffix(p.name, "_tokens") && n[0] == '-' {
			// The bad_request list says "tokens below 0"; whether that takes in
			// figures that ride along and may not matter, it does not say.
			n = "7"
		}
		p.set(json.Number(n))
	case 4: // a field that nobody knows: harmless, unless its number is not
		if p.object == nil {
			p.set([]any{})
			break
		}
		p.object["x-unknown"] = extras[s.Choose(len(extras), "extra field")]()
	case 5: // almost its name: names are matched to the letter
		if p.object == nil {
			p.set("")
			break
		}
		v := p.value()
		p.remove()
		p.object[strings.ToUpper(p.name[:1])+p.name[1:]] = v
	case 6: // the same as text
		p.set(string(spell(p.value())))
	}
	return p.root
}

func (p place) value() any {
	if p.object != nil {
		return p.object[p.name]
	}
	return p.list[p.index]
}

// remove takes a field away; an item of a list becomes null.
func (p place) remove() {
	if p.object != nil {
		delete(p.object, p.name)
	} else {
		p.set(nil)
	}
}

func (p place) set(v any) {
	if p.object != nil {
		p.object[p.name] = v
		return
	}
	p.list[p.index] = v
}

// extras are what a field that nobody knows may hold.
var extras = []func() any{
	func() any { return "" },
	func() any { return nil },
	func() any { return true },
	func() any { return json.Number("7") },
	func() any { return json.Number("1.5") },
	func() any { return json.Number("9007199254740992") },
	func() any { return map[string]any{"deep": []any{json.Number("1e3")}} },
}

// wrong makes values of every type; one of them fits by chance, and two are
// texts that a generous reader takes for something else.
var wrong = []func() any{
	func() any { return "true" },
	func() any { return "1" },
	func() any { return json.Number("0") },
	func() any { return true },
	func() any { return []any{} },
	func() any { return map[string]any{} },
}

// numbers are those that the bad_request list is about, and their neighbours
// on the right side of a limit.
var numbers = []string{
	"-1", "0", "1.0", "0.5", "1e0", "2E+1", "-0.0",
	"2147483647", "2147483648", "9007199254740991", "9007199254740992", "-9007199254740991", "-9007199254740992",
	"18446744073709551616", "1001",
}

func spell(tree any) json.RawMessage {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(tree); err != nil {
		panic("gen: spell a tree: " + err.Error())
	}
	return bytes.TrimRight(buf.Bytes(), "\n")
}

// spoilHistory breaks what a history has to be, in words that are well
// spelled.
func spoilHistory(s *Source, in *floor.DeriveIn) {
	at := s.Choose(len(in.Events), "event")
	e := &in.Events[at]
	e.Inputs = slices.Clone(e.Inputs)
	switch s.Choose(13, "broken") {
	case 0:
		e.Inputs = []string{}
	case 1:
		e.Inputs[s.Choose(len(e.Inputs), "input")] = "nobody"
	case 2: // itself
		e.Inputs[s.Choose(len(e.Inputs), "input")] = e.ID
	case 3: // a later one, or itself when it is the last
		e.Inputs = append(e.Inputs, in.Events[at+s.Choose(len(in.Events)-at, "later")].ID)
	case 4: // an id twice
		e.ID = in.Events[s.Choose(len(in.Events), "same id")].ID
	case 5:
		e.ID = in.Originals[s.Choose(len(in.Originals), "same id")]
	case 6: // a class twice in one certificate
		e.Certificate = append(slices.Clone(e.Certificate), floor.Fidelity{Class: classes[0], Retained: 1, Total: 1},
			floor.Fidelity{Class: classes[0], Retained: 1, Total: 1})
	case 7:
		e.Certificate = []floor.Fidelity{{Class: classes[0], Retained: 2, Total: 1}}
	case 8:
		e.FloorsPermille = map[floor.Class]int64{classes[0]: floor.MaxPermille + 1}
	case 10:
		e.FloorsPermille = map[floor.Class]int64{classes[0]: -1}
	case 11:
		e.Certificate = []floor.Fidelity{{Class: classes[0], Retained: -1, Total: 1}}
	case 12:
		e.Certificate = []floor.Fidelity{{Class: classes[0], Retained: -1, Total: -1}}
	case 9: // a child of what may have been refused
		refuse(&in.Events[0])
		child := floor.Event{ID: "child", Inputs: []string{in.Events[0].ID}, Required: []floor.Class{}, Certificate: []floor.Fidelity{}}
		in.Events = append(in.Events, child)
	}
}

// refuse makes an event one that every policy refuses.
func refuse(e *floor.Event) {
	e.Required, e.Certificate = []floor.Class{classes[0]}, []floor.Fidelity{}
	e.FloorsPermille = nil
	e.Conditions = floor.Conditions{ConsumerStrict: true, ChainingRisk: true, SideEffectCostExceedsRefusal: true}
}
