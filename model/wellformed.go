package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/floorcheck/floorcheck/floor"
)

// Malformed tells whether a decide, derive, reduce, certify or compact request is
// a bad one, and where, by a reading of its own. The policy matters because a
// child of a refused event is one. A request of another op is not judged.
func Malformed(r floor.Request, p floor.Policy) (path string, bad bool) {
	switch r.Op { // these need no more than to be read
	case floor.OpCertify:
		_, path = readCertify(r, newFolder())
	case floor.OpCompact:
		_, path = readCompact(r, newFolder())
	default:
		path = read(r, p, newFolder).wrong
	}
	return path, path != ""
}

// readDecide is what a decide request says, or where it is wrong. What is sent
// counts: where Raw is set, Decide is not looked at.
func readDecide(r floor.Request) (in *floor.DecideIn, wrong string) {
	if r.Raw == nil {
		if r.Decide == nil {
			return nil, "in"
		}
		return r.Decide, faultOfDecide(r.Decide)
	}
	c, root := criticize(r.Raw)
	in = c.decideIn(root)
	if c.wrong != "" {
		return nil, c.wrong
	}
	return in, faultOfDecide(in)
}

// readDerive is what a derive request says, or where it is wrong.
func readDerive(r floor.Request) (in *floor.DeriveIn, wrong string) {
	if r.Raw == nil {
		if r.Derive == nil {
			return nil, "in"
		}
		return r.Derive, faultOfDerive(r.Derive)
	}
	c, root := criticize(r.Raw)
	in = c.deriveIn(root)
	if c.wrong != "" {
		return nil, c.wrong
	}
	return in, faultOfDerive(in)
}

// readReduce is what a reduce request says, or where it is wrong.
func readReduce(r floor.Request) (in *floor.ReduceIn, wrong string) {
	if r.Raw == nil {
		if r.Reduce == nil {
			return nil, "in"
		}
		if wrong = faultOfReduce(r.Reduce); wrong != "" {
			return nil, wrong
		}
		return r.Reduce, ""
	}
	c, root := criticize(r.Raw)
	in = c.reduceIn(root)
	if c.wrong == "" {
		c.wrong = faultOfReduce(in)
	}
	if c.wrong != "" {
		return nil, c.wrong
	}
	return in, ""
}

// faultOfDecide is where a value is out of its range; "" when none is.
func faultOfDecide(in *floor.DecideIn) string {
	if in.Contract.Generation < 0 || in.Contract.Generation > floor.MaxGeneration {
		return "in.contract.generation"
	}
	return faultOfRiders(in.Riders)
}

func faultOfRiders(r *floor.Riders) string {
	if r == nil {
		return ""
	}
	figures := [...]*int64{r.SourceTokens, r.SummaryTokens, r.TargetPermille, r.OccupancyPermille, r.FluencyPermille, r.QuotaFacts}
	for _, n := range figures {
		if n != nil && !(-floor.MaxNumber <= *n && *n <= floor.MaxNumber) {
			return "in.riders"
		}
	}
	return ""
}

// faultOfDerive is where a history is not one, but for children of refused
// events: those take deciding.
func faultOfDerive(in *floor.DeriveIn) string {
	known := make(map[string]bool, len(in.Originals)+len(in.Events))
	for _, id := range in.Originals {
		known[id] = true // an original listed twice counts once
	}
	for i := range in.Events {
		e := &in.Events[i]
		unknown := func(id string) bool { return !known[id] } // later events and e itself too
		fault := ""
		switch {
		case known[e.ID]:
			fault = "id"
		case len(e.Inputs) == 0 || slices.ContainsFunc(e.Inputs, unknown):
			fault = "inputs"
		case !properCertificate(e.Certificate):
			fault = "certificate"
		case !properFloors(e.FloorsPermille):
			fault = "floors_permille"
		}
		if fault != "" {
			return fmt.Sprintf("in.events[%d].%s", i, fault)
		}
		known[e.ID] = true
	}
	return ""
}

// faultOfReduce is where a conversation is not one; "" when it is.
func faultOfReduce(in *floor.ReduceIn) string {
	if in.TargetTokens < 0 || in.TargetTokens > floor.MaxNumber {
		return "in.target_tokens"
	}
	for i, m := range in.Messages {
		if !slices.Contains([]floor.Role{floor.System, floor.User, floor.Assistant, floor.Tool}, m.Role) {
			return fmt.Sprintf("in.messages[%d].role", i)
		}
		for j, call := range m.Calls {
			c, root := criticize(call.Args)
			if c.object(root); c.wrong != "" {
				return fmt.Sprintf("in.messages[%d].calls[%d].args%s", i, j, strings.TrimPrefix(c.wrong, root.name))
			}
		}
	}
	return ""
}

func properCertificate(entries []floor.Fidelity) bool {
	once := make(map[floor.Class]bool, len(entries))
	for _, entry := range entries {
		if once[entry.Class] || !sane(entry) {
			return false
		}
		once[entry.Class] = true
	}
	return true
}

func properFloors(floors map[floor.Class]int64) bool {
	for _, permille := range floors {
		if permille < 0 || permille > floor.MaxPermille {
			return false
		}
	}
	return true
}

// A critic reads raw JSON and remembers the first spot that is wrong.
type critic struct{ wrong string }

// A spot is a value in raw JSON, and the way to it.
type spot struct {
	value any // nil also where nothing stands
	there bool
	name  string
	in    *spot
}

func (s spot) path() string {
	if s.in == nil {
		return s.name
	}
	return s.in.path() + s.name
}

func (s spot) field(name string) spot {
	fields, _ := s.value.(map[string]any)
	value, there := fields[name] // to the letter: encoding/json would match case-insensitively
	return spot{value, there, "." + name, &s}
}

func criticize(raw []byte) (*critic, spot) {
	c, root := &critic{}, spot{there: true, name: "in"}
	if !utf8.Valid(raw) || !json.Valid(raw) {
		c.demand(false, root)
		return c, root
	}
	numbersAsText := json.NewDecoder(bytes.NewReader(raw))
	numbersAsText.UseNumber()
	c.demand(numbersAsText.Decode(&root.value) == nil, root)
	c.wholeNumbers(root)
	return c, root
}

func (c *critic) demand(ok bool, s spot) {
	if !ok && c.wrong == "" {
		c.wrong = s.path()
	}
}

// wholeNumbers judges numbers wherever they stand, unknown fields included.
func (c *critic) wholeNumbers(s spot) {
	switch v := s.value.(type) {
	case json.Number:
		_, ok := whole(v)
		c.demand(ok, s)
	case []any:
		for i, item := range v {
			c.wholeNumbers(spot{item, true, fmt.Sprintf("[%d]", i), &s})
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			c.wholeNumbers(spot{v[name], true, "." + showName(name), &s})
		}
	}
}

func whole(text json.Number) (n int64, ok bool) {
	n, err := strconv.ParseInt(string(text), 10, 64)
	return n, err == nil && !strings.ContainsAny(string(text), ".eE") && -floor.MaxNumber <= n && n <= floor.MaxNumber
}

func (c *critic) decideIn(root spot) *floor.DecideIn {
	c.object(root)
	contract := root.field("contract")
	c.object(contract)
	in := &floor.DecideIn{
		Contract: floor.Contract{
			Required:          listOf[floor.Class](c, contract.field("required_classes")),
			Certified:         listOf[floor.Class](c, contract.field("certified_classes")),
			Generation:        c.number(contract.field("generation")),
			AncestryCertified: c.truth(contract.field("ancestry_certified")),
		},
		Conditions: c.conditions(root),
	}
	if riders := root.field("riders"); riders.there {
		c.object(riders)
		in.Riders = ridersAt(riders)
	}
	return in
}

func (c *critic) deriveIn(root spot) *floor.DeriveIn {
	c.object(root)
	in := &floor.DeriveIn{Originals: listOf[string](c, root.field("originals"))}
	for _, at := range c.items(root.field("events")) {
		c.object(at)
		event := floor.Event{
			ID:          c.text(at.field("id")),
			Inputs:      listOf[string](c, at.field("inputs")),
			Required:    listOf[floor.Class](c, at.field("required_classes")),
			Certificate: c.certificate(at.field("certificate")),
			Conditions:  c.conditions(at),
		}
		if floors := at.field("floors_permille"); floors.there {
			event.FloorsPermille = c.floors(floors)
		}
		in.Events = append(in.Events, event)
	}
	return in
}

func (c *critic) reduceIn(root spot) *floor.ReduceIn {
	c.object(root)
	in := &floor.ReduceIn{Messages: []floor.Message{}}
	for _, at := range c.items(root.field("messages")) {
		c.object(at)
		m := floor.Message{Role: floor.Role(c.text(at.field("role"))), Text: c.text(at.field("text"))}
		if calls := at.field("calls"); calls.there {
			m.Calls = c.calls(calls)
		}
		if id := at.field("call_id"); id.there {
			m.CallID = c.text(id)
		}
		in.Messages = append(in.Messages, m)
	}
	in.TargetTokens = c.number(root.field("target_tokens"))
	return in
}

func (c *critic) calls(at spot) (calls []floor.Call) {
	for _, item := range c.items(at) {
		c.object(item)
		args := item.field("args")
		c.object(args)
		calls = append(calls, floor.Call{ID: c.text(item.field("id")), Name: c.text(item.field("name")), Args: written(args.value)})
	}
	return calls
}

// written is a JSON value as text, its fields sorted.
func written(value any) json.RawMessage {
	var out bytes.Buffer
	plain := json.NewEncoder(&out)
	plain.SetEscapeHTML(false)
	if plain.Encode(value) != nil {
		return nil // what was read can be written
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

func (c *critic) conditions(at spot) floor.Conditions {
	return floor.Conditions{
		SourceRecoverable:            c.truth(at.field("source_recoverable")),
		ConsumerStrict:               c.truth(at.field("consumer_strict")),
		ChainingRisk:                 c.truth(at.field("chaining_risk")),
		SideEffectCostExceedsRefusal: c.truth(at.field("side_effect_cost_exceeds_refusal")),
	}
}

func (c *critic) certificate(at spot) (entries []floor.Fidelity) {
	for _, item := range c.items(at) {
		c.object(item)
		entries = append(entries, floor.Fidelity{
			Class:    floor.Class(c.text(item.field("class"))),
			Retained: c.number(item.field("retained")),
			Total:    c.number(item.field("total")),
		})
	}
	return entries
}

func (c *critic) floors(at spot) map[floor.Class]int64 {
	c.object(at)
	fields, _ := at.value.(map[string]any)
	floors := make(map[floor.Class]int64, len(fields))
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		floors[floor.Class(name)] = c.number(spot{fields[name], true, "." + showName(name), &at})
	}
	return floors
}

// ridersAt keeps the figures that have a name; of other types inside riders
// nothing is said.
func ridersAt(at spot) *floor.Riders {
	figure := func(name string) *int64 {
		if text, ok := at.field(name).value.(json.Number); ok {
			n, _ := whole(text)
			return &n
		}
		return nil
	}
	return &floor.Riders{
		SourceTokens:      figure("source_tokens"),
		SummaryTokens:     figure("summary_tokens"),
		TargetPermille:    figure("target_permille"),
		OccupancyPermille: figure("occupancy_permille"),
		FluencyPermille:   figure("fluency_permille"),
		QuotaFacts:        figure("quota_facts"),
	}
}

func (c *critic) object(at spot) {
	_, ok := at.value.(map[string]any)
	c.demand(ok, at)
}

func (c *critic) text(at spot) string {
	s, ok := at.value.(string)
	c.demand(ok, at)
	return s
}

func (c *critic) truth(at spot) bool {
	b, ok := at.value.(bool)
	c.demand(ok, at)
	return b
}

func (c *critic) number(at spot) int64 {
	text, isNumber := at.value.(json.Number)
	n, isWhole := whole(text)
	c.demand(isNumber && isWhole, at)
	return n
}

func (c *critic) items(at spot) (items []spot) {
	list, ok := at.value.([]any)
	c.demand(ok, at)
	for i, value := range list {
		items = append(items, spot{value, true, fmt.Sprintf("[%d]", i), &at})
	}
	return items
}

func listOf[T ~string](c *critic, at spot) []T {
	out := []T{}
	for _, item := range c.items(at) {
		out = append(out, T(c.text(item)))
	}
	return out
}
