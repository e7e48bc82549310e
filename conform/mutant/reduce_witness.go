package mutant

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// The words in which the tables of reduce write down their witnesses.

// talks is a case: what is planted in a conversation, and its generations.
func talks(planted floor.Planted, generations ...floor.Request) floor.Case {
	return floor.Case{Policy: floor.Guard, Steps: generations, Planted: &planted}
}

// planting numbers the plants p1, p2, … in this order.
func planting(plants ...floor.Plant) floor.Planted {
	for i := range plants {
		plants[i].ID = fmt.Sprintf("p%d", i+1)
	}
	return floor.Planted{Plants: plants}
}

// played is what the model does.
func played(summarizer string, p floor.Planted) floor.Planted {
	p.Summarizer = summarizer
	return p
}

// strange adds a decoy.
func strange(e floor.Element, p floor.Planted) floor.Planted {
	e.ID = "d1"
	p.Decoys = append(p.Decoys, e)
	return p
}

// compact is a generation that is far over its target, and fits one that is far
// under.
func compact(messages ...floor.Message) floor.Request { return toward(1, messages...) }
func fits(messages ...floor.Message) floor.Request    { return toward(10_000, messages...) }

func toward(target int64, messages ...floor.Message) floor.Request {
	return floor.Request{Op: floor.OpReduce, Reduce: &floor.ReduceIn{Messages: messages, TargetTokens: target}}
}

func system(text string) floor.Message { return floor.Message{Role: floor.System, Text: text} }
func user(text string) floor.Message   { return floor.Message{Role: floor.User, Text: text} }

func assistant(text string, calls ...floor.Call) floor.Message {
	return floor.Message{Role: floor.Assistant, Text: text, Calls: calls}
}

func tool(id, text string) floor.Message {
	return floor.Message{Role: floor.Tool, Text: text, CallID: id}
}

// note is a call whose argument says a text.
func note(id, text string) floor.Call {
	return floor.Call{ID: id, Name: "add_note", Args: json.RawMessage(`{"note":"` + text + `"}`)}
}

// nested is note, with the text deeper in the arguments.
func nested(id, text string) floor.Call {
	return floor.Call{ID: id, Name: "create_ticket", Args: json.RawMessage(`{"fields":{"body":"` + text + `"},"priority":2}`)}
}

// What nobody has to keep, and what the user wants now.
var (
	chat = user("Lovely. The weekend is near. Greetings from the balcony. What a day. My coffee is getting cold.")
	goOn = user("Go on.")
)

// chats is so many messages of small talk.
func chats(n int) []floor.Message {
	var out []floor.Message
	for i := range n {
		out = append(out, floor.Message{Role: []floor.Role{floor.User, floor.Assistant}[i%2], Text: "Sounds good to me."})
	}
	return out
}

// at says where a plant is said: generation and message, from 0.
func at(step, message int, p floor.Plant) floor.Plant {
	p.Said = floor.Place{Step: step, Message: message}
	return p
}

// ended says that a plant ends with another one, the number of which is given,
// where that is said.
func ended(how floor.End, by, step, message int, p floor.Plant) floor.Plant {
	p.Ended = &floor.Ended{Place: floor.Place{Step: step, Message: message}, How: how, By: fmt.Sprintf("p%d", by)}
	return p
}

func element(class floor.Class, forms ...string) floor.Plant {
	return floor.Plant{Element: floor.Element{Class: class, Forms: forms}}
}

func exactly(class floor.Class, value string) floor.Plant {
	p := element(class, value)
	p.Match = floor.Exact
	return p
}

func named(id string) floor.Plant      { return exactly(floor.Identifier, id) }
func amounting(q string) floor.Plant   { return exactly(floor.Quantity, q) }
func titled(text string) floor.Plant   { return exactly(floor.Literal, text) }
func binding(cond string) floor.Plant  { return element(floor.Constraint, cond) }
func finished(task string) floor.Plant { return element(floor.Status, task+" is done", task+": done") }

func forbidden(deed string) floor.Plant {
	p := element(floor.Negation, "do not "+deed, "don't "+deed, "never "+deed, "must not "+deed)
	p.Inverted = []string{deed}
	return p
}

func withdrawn(deed string) floor.Plant { return element(floor.Negation, deed+" is no longer needed") }

func due(deed string) floor.Plant {
	p := element(floor.Obligation, "must "+deed)
	p.Shifted = []string{"should " + deed, "could " + deed, "may " + deed, "might " + deed}
	return p
}

func guessed(clause string) floor.Plant {
	p := element(floor.Hypothesis, "maybe "+clause, "perhaps "+clause, "possibly "+clause)
	p.Shifted = []string{clause}
	return p
}

func ordered(a, b string) floor.Plant {
	orders := func(a, b string) []string {
		return []string{"first " + a + ", then " + b, a + " before you " + b, a + " before " + b}
	}
	p := element(floor.Ordering, orders(a, b)...)
	p.Inverted = orders(b, a)
	return p
}

func unfinished(task string) floor.Plant {
	p := element(floor.Status, task+" is still open", task+" is open", task+": open")
	p.Inverted = finished(task).Forms
	return p
}

// padded is a text of at least so many characters, in sentences that hold
// something and mean nothing.
func padded(characters int, text string) string {
	filler := "Row 118 is where the commas begin. "
	return strings.Repeat(filler, characters/len(filler)+1) + text
}
