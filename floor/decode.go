package floor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The ranges of protocol 1.
const (
	MaxNumber     = int64(1)<<53 - 1 // largest |n|
	MaxGeneration = int64(1)<<31 - 1
	MaxPermille   = int64(1000)
)

// A BadRequest names the field that spoils a request.
type BadRequest struct {
	Path    string // e.g. in.events[1].inputs
	Problem string // e.g. "must not be empty"
}

func (e *BadRequest) Error() string { return e.Path + ": " + e.Problem }

// DecodeDecideIn reads the `in` of a decide request. The error is a
// *BadRequest. Names are matched to the letter, unknown fields are ignored,
// but numbers are judged wherever they stand.
func DecodeDecideIn(data []byte) (*DecideIn, error) {
	d, root := open(data, "in")
	in := &DecideIn{Conditions: d.conditions(root)}
	contract := d.object(root.need("contract"))
	in.Contract = Contract{
		Required:          d.classes(contract.need("required_classes")),
		Certified:         d.classes(contract.need("certified_classes")),
		Generation:        d.number(contract.need("generation")),
		AncestryCertified: d.boolean(contract.need("ancestry_certified")),
	}
	if riders := root.may("riders"); riders.present {
		in.Riders = d.riders(d.object(riders))
	}
	return finish(d, in, in.Validate)
}

// DecodeDeriveIn reads the `in` of a derive request. The error is a
// *BadRequest. Whether an event descends from a refused one is not seen here:
// that takes deciding.
func DecodeDeriveIn(data []byte) (*DeriveIn, error) {
	d, root := open(data, "in")
	in := &DeriveIn{Originals: d.strings(root.need("originals")), Events: []Event{}}
	for _, item := range d.list(root.need("events")) {
		o := d.object(item)
		event := Event{
			ID:         d.text(o.need("id")),
			Inputs:     d.strings(o.need("inputs")),
			Required:   d.classes(o.need("required_classes")),
			Conditions: d.conditions(o),
		}
		event.Certificate = d.fidelities(o.need("certificate"))
		if floors := o.may("floors_permille"); floors.present {
			event.FloorsPermille = d.floors(d.object(floors))
		}
		in.Events = append(in.Events, event)
	}
	return finish(d, in, in.Validate)
}

// DecodeDecideOut reads the `out` of a decide answer; an error says that it is
// none.
func DecodeDecideOut(data []byte) (*DecideOut, error) {
	d, root := open(data, "out")
	out := &DecideOut{Decision: d.decision(root.need("decision"))}
	if out.Decision == Refuse {
		out.MissingClasses = d.optionalClasses(root.may("missing_classes"))
		out.Generation = d.optionalNumber(root.may("generation"))
		out.AncestryCertified = d.optionalBoolean(root.may("ancestry_certified"))
	}
	return finish(d, out, func() error { return nil })
}

// DecodeDeriveOut reads the `out` of a derive answer; an error says that it is
// none.
func DecodeDeriveOut(data []byte) (*DeriveOut, error) {
	d, root := open(data, "out")
	out := &DeriveOut{Events: []Outcome{}}
	for _, item := range d.list(root.need("events")) {
		o := d.object(item)
		outcome := Outcome{ID: d.text(o.need("id")), Decision: d.decision(o.need("decision"))}
		outcome.AncestryCertified = d.optionalBoolean(o.may("ancestry_certified"))
		if outcome.Decision == Refuse {
			outcome.MissingClasses = d.optionalClasses(o.may("missing_classes"))
		} else {
			outcome.Generation = d.optionalNumber(o.may("generation"))
			if effective := o.may("effective"); effective.present {
				outcome.Effective = d.fidelities(effective)
			}
		}
		out.Events = append(out.Events, outcome)
	}
	return finish(d, out, func() error { return nil })
}

// Validate reports what the bad_request list forbids in a request that was
// built in Go. The error is a *BadRequest.
func (in *DecideIn) Validate() error {
	d := &decoder{}
	d.within("in.contract.generation", in.Contract.Generation, 0, MaxGeneration)
	if r := in.Riders; r != nil {
		d.rider("source_tokens", r.SourceTokens)
		d.rider("summary_tokens", r.SummaryTokens)
		d.rider("target_permille", r.TargetPermille)
		d.rider("occupancy_permille", r.OccupancyPermille)
		d.rider("fluency_permille", r.FluencyPermille)
		d.rider("quota_facts", r.QuotaFacts)
	}
	return d.result()
}

// rider may be any integer that the wire can carry.
func (d *decoder) rider(name string, n *int64) {
	if n != nil {
		d.within("in.riders."+name, *n, -MaxNumber, MaxNumber)
	}
}

// Validate reports what the bad_request list forbids in a history that was
// built in Go, but for a child of a refused event. The error is a *BadRequest.
func (in *DeriveIn) Validate() error {
	d := &decoder{}
	known := make(map[string]string, len(in.Originals)+len(in.Events)) // id -> what it is
	for _, id := range in.Originals {
		known[id] = "an original"
	}
	for i := range in.Events {
		event, path := &in.Events[i], fmt.Sprintf("in.events[%d]", i)
		if is, used := known[event.ID]; used {
			d.fail(path+".id", "%q is %s already", clip(event.ID), is)
		}
		d.inputs(path+".inputs", event.Inputs, known)
		known[event.ID] = "an event"
		d.certificate(path+".certificate", event.Certificate)
		for _, class := range slices.Sorted(maps.Keys(event.FloorsPermille)) {
			d.within(path+".floors_permille."+clip(string(class)), event.FloorsPermille[class], 0, MaxPermille)
		}
	}
	return d.result()
}

// inputs wants at least one, each known by now.
func (d *decoder) inputs(path string, inputs []string, known map[string]string) {
	if len(inputs) == 0 {
		d.fail(path, "must not be empty")
	}
	for i, input := range inputs {
		if _, ok := known[input]; !ok {
			d.fail(fmt.Sprintf("%s[%d]", path, i), "%q is neither an original nor an earlier event", clip(input))
		}
	}
}

// certificate wants each class once and 0 ≤ retained ≤ total.
func (d *decoder) certificate(path string, entries []Fidelity) {
	for i, entry := range entries {
		at := fmt.Sprintf("%s[%d]", path, i)
		d.within(at+".total", entry.Total, 0, MaxNumber)
		d.within(at+".retained", entry.Retained, 0, entry.Total)
		for _, earlier := range entries[:i] {
			if earlier.Class == entry.Class {
				d.fail(at+".class", "%q stands twice", clip(string(entry.Class)))
			}
		}
	}
}

// A decoder reads strictly and keeps the first thing that is wrong.
type decoder struct{ err *BadRequest }

// A value is a JSON value with the path that leads to it.
type value struct {
	path    string
	present bool
	v       any
}

// An object is a JSON object; fields are looked up by their exact names.
type object struct {
	d    *decoder
	path string
	m    map[string]any
}

func open(data []byte, name string) (*decoder, object) {
	d := &decoder{}
	tree, err := ParseJSON(data)
	if err != nil {
		d.fail(name, "%v", err)
		return d, object{d: d, path: name}
	}
	root := d.object(value{name, true, tree})
	d.numbers(name, tree)
	return d, root
}

// ParseJSON reads exactly one JSON value, numbers kept as they are written.
func ParseJSON(data []byte) (any, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("is not UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var tree any
	if err := dec.Decode(&tree); err != nil {
		return nil, fmt.Errorf("is not JSON: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("is not JSON: something follows the value")
	}
	return tree, nil
}

func finish[T any](d *decoder, v *T, validate func() error) (*T, error) {
	if d.err != nil {
		return nil, d.err
	}
	if err := validate(); err != nil {
		return nil, err
	}
	return v, nil
}

func (d *decoder) result() error {
	if d.err != nil {
		return d.err
	}
	return nil
}

func (d *decoder) fail(path, format string, args ...any) {
	if d.err == nil {
		d.err = &BadRequest{path, fmt.Sprintf(format, args...)}
	}
}

// numbers judges every number below v, unknown fields included.
func (d *decoder) numbers(path string, v any) {
	switch v := v.(type) {
	case json.Number:
		if problem := numberProblem(string(v)); problem != "" {
			d.fail(path, "%s, got %s", problem, clip(string(v)))
		}
	case []any:
		for i, item := range v {
			if holdsNumbers(item) != nil {
				d.numbers(fmt.Sprintf("%s[%d]", path, i), item)
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if holdsNumbers(v[name]) != nil {
				d.numbers(path+"."+clip(name), v[name])
			}
		}
	}
}

// holdsNumbers is the value where it may hold a number, else nil: it spares the
// path of what does not, and most of a request is text.
func holdsNumbers(v any) any {
	switch v.(type) {
	case string, bool:
		return nil
	}
	return v
}

func numberProblem(text string) string {
	if strings.ContainsAny(text, ".eE") {
		return "must be written as an integer"
	}
	if n, err := strconv.ParseInt(text, 10, 64); err != nil || n > MaxNumber || n < -MaxNumber {
		return "must be below 2^53 in size"
	}
	return ""
}

func (d *decoder) within(path string, n, least, most int64) {
	switch {
	case n < least:
		d.fail(path, "must be %d or more, got %d", least, n)
	case n > most:
		d.fail(path, "must be %d or less, got %d", most, n)
	}
}

func (d *decoder) object(v value) object {
	m, ok := v.v.(map[string]any)
	if !ok {
		d.fail(v.path, "must be an object, got %s", kind(v.v))
	}
	return object{d, v.path, m}
}

// need is a field that must be there.
func (o object) need(name string) value {
	v := o.may(name)
	if !v.present && o.m != nil {
		o.d.fail(v.path, "is missing")
	}
	return v
}

// may is a field that may be absent, but not null.
func (o object) may(name string) value {
	v, present := o.m[name]
	return value{o.path + "." + name, present, v}
}

func (d *decoder) text(v value) string {
	s, ok := v.v.(string)
	if !ok {
		d.fail(v.path, "must be a string, got %s", kind(v.v))
	}
	return s
}

func (d *decoder) boolean(v value) bool {
	b, ok := v.v.(bool)
	if !ok {
		d.fail(v.path, "must be true or false, got %s", kind(v.v))
	}
	return b
}

func (d *decoder) number(v value) int64 {
	text, ok := v.v.(json.Number)
	if !ok {
		d.fail(v.path, "must be an integer, got %s", kind(v.v))
		return 0
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		d.fail(v.path, "must be an integer below 2^53 in size, got %s", clip(string(text)))
	}
	return n
}

func (d *decoder) list(v value) []value {
	items, ok := v.v.([]any)
	if !ok {
		d.fail(v.path, "must be a list, got %s", kind(v.v))
	}
	out := make([]value, len(items))
	for i, item := range items {
		out[i] = value{v.path + "[" + strconv.Itoa(i) + "]", true, item}
	}
	return out
}

func (d *decoder) strings(v value) []string {
	out := []string{}
	for _, item := range d.list(v) {
		out = append(out, d.text(item))
	}
	return out
}

func (d *decoder) classes(v value) []Class {
	out := []Class{}
	for _, item := range d.list(v) {
		out = append(out, Class(d.text(item)))
	}
	return out
}

func (d *decoder) decision(v value) Decision {
	switch s := Decision(d.text(v)); s {
	case Certified, Provisional, Refuse:
		return s
	default:
		d.fail(v.path, "must be certified, provisional or refuse, got %q", clip(string(s)))
		return ""
	}
}

func (d *decoder) conditions(o object) Conditions {
	return Conditions{
		SourceRecoverable:            d.boolean(o.need("source_recoverable")),
		ConsumerStrict:               d.boolean(o.need("consumer_strict")),
		ChainingRisk:                 d.boolean(o.need("chaining_risk")),
		SideEffectCostExceedsRefusal: d.boolean(o.need("side_effect_cost_exceeds_refusal")),
	}
}

// riders keeps the figures that it knows; what else stands there, of whatever
// type, does not matter.
func (d *decoder) riders(o object) *Riders {
	figure := func(name string) *int64 {
		text, ok := o.m[name].(json.Number)
		if !ok {
			return nil
		}
		n, err := strconv.ParseInt(string(text), 10, 64)
		if err != nil {
			return nil
		}
		return &n
	}
	return &Riders{
		SourceTokens:      figure("source_tokens"),
		SummaryTokens:     figure("summary_tokens"),
		TargetPermille:    figure("target_permille"),
		OccupancyPermille: figure("occupancy_permille"),
		FluencyPermille:   figure("fluency_permille"),
		QuotaFacts:        figure("quota_facts"),
	}
}

func (d *decoder) fidelities(v value) []Fidelity {
	out := []Fidelity{}
	for _, item := range d.list(v) {
		o := d.object(item)
		out = append(out, Fidelity{
			Class:    Class(d.text(o.need("class"))),
			Retained: d.number(o.need("retained")),
			Total:    d.number(o.need("total")),
		})
	}
	d.certificate(v.path, out)
	return out
}

func (d *decoder) floors(o object) map[Class]int64 {
	out := make(map[Class]int64, len(o.m))
	for _, name := range slices.Sorted(maps.Keys(o.m)) {
		out[Class(name)] = d.number(value{o.path + "." + clip(name), true, o.m[name]})
	}
	return out
}

func (d *decoder) optionalClasses(v value) []Class {
	if !v.present {
		return nil
	}
	return d.classes(v)
}

func (d *decoder) optionalNumber(v value) *int64 {
	if !v.present {
		return nil
	}
	n := d.number(v)
	return &n
}

func (d *decoder) optionalBoolean(v value) *bool {
	if !v.present {
		return nil
	}
	b := d.boolean(v)
	return &b
}

// kind names a JSON value's type in an error.
func kind(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case json.Number:
		return "a number"
	case []any:
		return "a list"
	}
	return "an object"
}

// clip bounds what an error repeats of its input.
func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
