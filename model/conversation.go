package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/floorcheck/floorcheck/floor"
)

// Asked is what a subject is asked at a step of a reduce case: what stands
// after the step before, and then the messages that are new. It is nil where
// there is nothing to ask: at a bad request, and after a step without a result,
// which ends the chain.
func Asked(t floor.Trace, step int) []floor.Message {
	in := reduceAt(t.Case, step)
	before, going := standing(t, step-1)
	if in == nil || !going {
		return nil
	}
	return slices.Concat(before, in.Messages)
}

// Context is what stands after a step of a reduce case: the subject's output,
// or after a refusal what it was asked. A bad request changes nothing. It is
// nil after a step without a result.
func Context(t floor.Trace, step int) []floor.Message {
	messages, _ := standing(t, step)
	return messages
}

// standing is the context after a step; false where the chain has ended.
func standing(t floor.Trace, step int) (messages []floor.Message, going bool) {
	if step < 0 {
		return nil, true
	}
	before, going := standing(t, step-1)
	in := reduceAt(t.Case, step)
	if in == nil || !going {
		return before, going
	}
	out := Run{Trace: t}.answer(step).Reduce
	switch {
	case out == nil:
		return nil, false
	case out.Refused:
		return slices.Concat(before, in.Messages), true
	}
	return out.Messages, true
}

// reduceAt is what a step says; nil where it is no well-formed reduce request.
func reduceAt(c floor.Case, step int) *floor.ReduceIn {
	if step < 0 || step >= len(c.Steps) || c.Steps[step].Op != floor.OpReduce {
		return nil
	}
	in, _ := readReduce(c.Steps[step])
	return in
}

// Recalls are what a subject that offers it is asked to recall after a step:
// when its output is marked provisional, the first form of each live plant that
// the output does not retain, in the order of the plants, each once.
func Recalls(t floor.Trace, step int) []floor.RecallIn {
	var out []floor.RecallIn
	for _, turn := range Observe(t).turnsTo(step) {
		if turn.step != step || turn.out.Refused || !turn.provisional() {
			continue
		}
		for _, i := range turn.live() {
			query := floor.RecallIn{Query: queryFor(turn.plants[i].Element)}
			if query.Query != "" && turn.after.of(i) != Retained && !slices.Contains(out, query) {
				out = append(out, query)
			}
		}
	}
	return out
}

// queryFor is how an element is asked for; "" where it has no form.
func queryFor(e floor.Element) string {
	if len(e.Forms) == 0 {
		return ""
	}
	return e.Forms[0]
}

// A ClassTally counts what stands after one step of the plants of one class.
type ClassTally struct {
	Step     int
	Class    floor.Class
	Live     int // plants that the consumer needs: Kept, Inverted and Lost together
	Kept     int // a form counts and no inverted form does
	Inverted int // inverted or contradictory
	Lost     int
}

// Tally counts, per answered step and per class, what became of the live
// plants: in the output, or after a refusal in what was asked. It is sorted by
// step and class.
func (r Run) Tally() []ClassTally {
	var out []ClassTally
	for _, t := range r.reduced() {
		byClass := map[floor.Class]*ClassTally{}
		for _, i := range t.live() {
			class := t.plants[i].Class
			if byClass[class] == nil {
				byClass[class] = &ClassTally{Step: t.step, Class: class}
			}
			tally := byClass[class]
			tally.Live++
			switch t.standing().of(i) {
			case Retained:
				tally.Kept++
			case Lost:
				tally.Lost++
			default:
				tally.Inverted++
			}
		}
		for _, class := range slices.Sorted(maps.Keys(byClass)) {
			out = append(out, *byClass[class])
		}
	}
	return out
}

// A turn is one answered step of a reduce case.
type turn struct {
	step     int
	in       *floor.ReduceIn
	out      *floor.ReduceOut
	recalled []floor.Recalled
	plants   []floor.Plant
	decoys   []floor.Element
	before   *telling // what was asked
	after    *telling // the output; of a refusal nil
	folds    *folder
}

// reduced are the answered steps of a reduce case, refusals among them.
func (r Run) reduced() []*turn {
	if r.lemmas != nil && r.lemmas.followed {
		return r.lemmas.turns
	}
	turns := r.turnsTo(len(r.Case.Steps) - 1)
	if r.lemmas != nil {
		r.lemmas.followed, r.lemmas.turns = true, turns
	}
	return turns
}

// outputs are the answered steps that are no refusals: a refusal is never
// wrong.
func (r Run) outputs() []*turn {
	return slices.DeleteFunc(slices.Clone(r.reduced()), func(t *turn) bool { return t.out.Refused })
}

func (r Run) turnsTo(last int) (turns []*turn) {
	folds := r.folder()
	var planted floor.Planted
	if r.Case.Planted != nil {
		planted = *r.Case.Planted
	}
	var context []floor.Message
	for step := 0; step <= last && step < len(r.Case.Steps); step++ {
		in := r.step(step).reduce
		if in == nil {
			continue // a bad request changes nothing
		}
		answer := r.answer(step)
		if answer.Reduce == nil {
			break // the chain has ended
		}
		t := &turn{
			step: step, in: in, out: answer.Reduce, recalled: answer.Recalled,
			plants: planted.Plants, decoys: planted.Decoys, folds: folds,
		}
		t.before = tell(slices.Concat(context, in.Messages), t.plants, folds)
		if !t.out.Refused {
			t.after = tell(t.out.Messages, t.plants, folds)
		}
		context = t.standing().messages
		turns = append(turns, t)
	}
	return turns
}

func (r Run) folder() *folder {
	if r.lemmas == nil {
		return newFolder()
	}
	if r.lemmas.folds == nil {
		r.lemmas.folds = newFolder()
	}
	return r.lemmas.folds
}

// standing is what stands after the step.
func (t *turn) standing() *telling {
	if t.out.Refused {
		return t.before
	}
	return t.after
}

func (t *turn) provisional() bool { return t.out.Mark == floor.MarkProvisional }

// live are the plants that the consumer needs after the step, by their index.
func (t *turn) live() []int { return liveAt(t.plants, t.step) }

func liveAt(plants []floor.Plant, step int) (live []int) {
	for i := range plants {
		if saidBy(&plants[i], step) && !endedBy(&plants[i], step) {
			live = append(live, i)
		}
	}
	return live
}

func saidBy(p *floor.Plant, step int) bool  { return p.Said.Step <= step }
func endedBy(p *floor.Plant, step int) bool { return p.Ended != nil && p.Ended.Step <= step }

// successor is the plant that stands in the place of an ended one at a step,
// through as many ends as there are; -1 where none does.
func (t *turn) successor(i int) int {
	for range t.plants { // ends that go round in a circle lead nowhere
		if !endedBy(&t.plants[i], t.step) {
			return i
		}
		by := t.plants[i].Ended.By
		i = slices.IndexFunc(t.plants, func(p floor.Plant) bool { return p.ID == by })
		if i < 0 {
			return -1
		}
	}
	return -1
}

func (t *turn) under() bool { return clearlyUnder(t.before.size(), t.in.TargetTokens) }
func (t *turn) over() bool  { return clearlyOver(t.before.size(), t.in.TargetTokens) }

// silentLoss objects to a plant that the output has lost, unless the output is
// marked. What a mark covers has to come back when the subject lets itself be
// asked for it.
func (t *turn) silentLoss(plant int) []Finding {
	p := &t.plants[plant]
	if !t.provisional() {
		return []Finding{{
			Step: t.step, At: showPlant(p),
			Want: fmt.Sprintf("%s literally retained in generation %d, a refusal or the mark provisional", showForms(p.Forms), t.step+1),
			Got:  t.showLoss(),
		}}
	}
	if len(t.recalled) == 0 {
		return nil
	}
	got := "not recalled"
	query := queryFor(p.Element)
	for _, r := range t.recalled {
		if r.Query != query {
			continue
		}
		switch {
		case r.Err != nil:
			got = "the error " + showName(string(r.Err.Code))
		case Retain(p.Element, []string{r.Text}).keeps():
			return nil
		default:
			got = showText(r.Text)
		}
		break
	}
	return []Finding{{
		Step: t.step, At: showPlant(p),
		Want: fmt.Sprintf("%s, lost under the mark, literally retained by what is recalled in generation %d", showForms(p.Forms), t.step+1),
		Got:  got,
	}}
}

func (t *turn) showLoss() string { return "literally lost from " + showReduceOut(t.out) }

// inversion objects to a plant that the output turns round, or contradicts,
// more than what was asked did.
func (t *turn) inversion(plant int) (Finding, bool) {
	was, is := t.before.of(plant), t.after.of(plant)
	p := &t.plants[plant]
	f := Finding{Step: t.step, At: showPlant(p), Want: showForms(p.Forms) + " and never its opposite", Got: string(is)}
	if p.Inverted != nil {
		f.Got += ", as by " + showForms(p.Inverted)
	}
	return f, is == Inverted && was != Inverted || is == Contradictory && (was == Retained || was == Lost)
}

// aboutLive collects what is objected to in the live plants of every output.
func aboutLive(o Observation, object func(t *turn, plant int) (Finding, bool)) (found []Finding) {
	for _, t := range o.Base.outputs() {
		for _, i := range t.live() {
			if f, wrong := object(t, i); wrong {
				found = append(found, f)
			}
		}
	}
	return found
}

// aboutEnded collects what is objected to in the plants that have ended by an
// output, each beside the one that stands in its place now.
func aboutEnded(o Observation, object func(t *turn, plant, by int) (Finding, bool)) (found []Finding) {
	for _, t := range o.Base.outputs() {
		for i := range t.plants {
			by := t.successor(i)
			if by < 0 || !saidBy(&t.plants[i], t.step) || !endedBy(&t.plants[i], t.step) {
				continue
			}
			if f, wrong := object(t, i, by); wrong {
				found = append(found, f)
			}
		}
	}
	return found
}

// A telling is messages, and what is delivered with them: each message's text,
// and each string in its calls' arguments.
type telling struct {
	messages []floor.Message
	*Delivered
	message []int // which holds each part
	plants  []floor.Plant
	known   []Retention // of the plants, as far as they were asked for
}

func tell(messages []floor.Message, plants []floor.Plant, folds *folder) *telling {
	t := &telling{messages: messages, plants: plants, known: make([]Retention, len(plants))}
	var parts []string
	for i, m := range messages {
		for _, part := range partsOf(m) {
			parts = append(parts, part)
			t.message = append(t.message, i)
		}
	}
	t.Delivered = folds.deliver(parts)
	return t
}

// of is what becomes of a plant, worked out once.
func (t *telling) of(plant int) Retention {
	if t.known[plant] == "" {
		t.known[plant] = t.Retention(t.plants[plant].Element)
	}
	return t.known[plant]
}

// keeps tells whether a form of a plant counts.
func (t *telling) keeps(plant int) bool { return t.of(plant).keeps() }

// tellers are the messages in which a form of an element counts, in order.
func (t *telling) tellers(e floor.Element) (messages []int) {
	for o := range t.counting(e.Forms, e.Inverted, e.Match) {
		messages = append(messages, t.message[t.partOf(o, e.Match)])
	}
	slices.Sort(messages)
	return slices.Compact(messages)
}

// shifts tells whether a text that changes a plant's force counts, outside of
// the plant's own forms.
func (t *telling) shifts(plant int) bool {
	p := &t.plants[plant]
	return occurs(t.counting(p.Shifted, p.Forms, p.Match))
}

// size is the number of characters that are delivered.
func (t *telling) size() (characters int64) { return sizeOf(t.parts) }

func sizeOf(parts []string) (characters int64) {
	for _, part := range parts {
		characters += int64(utf8.RuneCountInString(part))
	}
	return characters
}

// The subject's count of tokens is not ours. Only what is clear is judged:
// fewer characters than the target has tokens, or more than eight times as many.
const mostCharactersPerToken = 8

func clearlyUnder(characters, target int64) bool { return characters < target }

func clearlyOver(characters, target int64) bool {
	return characters > mostCharactersPerToken*target // targets are below 2^53
}

// partsOf are the delivered parts of a message.
func partsOf(m floor.Message) []string {
	parts := []string{m.Text}
	for _, call := range m.Calls {
		parts = appendStrings(parts, argsOf(call))
	}
	return parts
}

func partsOfAll(messages []floor.Message) (parts []string) {
	for _, m := range messages {
		parts = append(parts, partsOf(m)...)
	}
	return parts
}

// appendStrings appends every string in a JSON value; fields in the order of
// their names, which are no part of what is delivered.
func appendStrings(parts []string, value any) []string {
	switch value := value.(type) {
	case string:
		return append(parts, value)
	case []any:
		for _, item := range value {
			parts = appendStrings(parts, item)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			parts = appendStrings(parts, value[name])
		}
	}
	return parts
}

// argsOf reads a call's arguments, numbers as they are written; nil where they
// are no JSON.
func argsOf(c floor.Call) (value any) {
	asText := json.NewDecoder(bytes.NewReader(c.Args))
	asText.UseNumber()
	if asText.Decode(&value) != nil {
		return nil
	}
	return value
}

// sameMessages compares word for word; arguments by what they mean.
func sameMessages(a, b []floor.Message) bool { return slices.EqualFunc(a, b, sameMessage) }

func sameMessage(a, b floor.Message) bool {
	return a.Role == b.Role && a.Text == b.Text && a.CallID == b.CallID && slices.EqualFunc(a.Calls, b.Calls, sameCall)
}

func sameCall(a, b floor.Call) bool {
	return a.ID == b.ID && a.Name == b.Name && (bytes.Equal(a.Args, b.Args) || reflect.DeepEqual(argsOf(a), argsOf(b)))
}
