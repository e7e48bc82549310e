package model

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/floorcheck/floorcheck/floor"
	"github.com/stretchr/testify/require"
)

const (
	decideText = `{"contract":{"required_classes":["negation"],"certified_classes":[],"generation":2,"ancestry_certified":true},` +
		`"source_recoverable":false,"consumer_strict":true,"chaining_risk":false,"side_effect_cost_exceeds_refusal":false,` +
		`"riders":{"source_tokens":100}}`
	deriveText = `{"originals":["o1","o1"],"events":[` +
		`{"id":"e1","inputs":["o1"],"required_classes":["x"],"certificate":[{"class":"x","retained":1,"total":2}],"floors_permille":{"x":500},` +
		`"source_recoverable":false,"consumer_strict":true,"chaining_risk":false,"side_effect_cost_exceeds_refusal":false},` +
		`{"id":"e2","inputs":["e1","e1","o1"],"required_classes":["x"],"certificate":[{"class":"x","retained":2,"total":2}],` +
		`"source_recoverable":true,"consumer_strict":true,"chaining_risk":false,"side_effect_cost_exceeds_refusal":false}]}`
	reduceText = `{"messages":[{"role":"system","text":"Release."},{"role":"assistant","text":"","calls":[` +
		`{"id":"c1","name":"run","args":{"to":"<b>","times":2}}]},{"role":"tool","text":"ok","call_id":"c1"}],"target_tokens":800}`
)

// Each line changes a well-formed request in one place.
func TestMalformed(t *testing.T) {
	type change struct{ name, old, new, want string } // want is the path, "" where it stays well-formed
	families := []struct {
		op      floor.Op
		text    string
		changes []change
	}{
		{floor.OpDecide, decideText, []change{
			{"nothing changed", ``, ``, ""},
			{"no riders", `,"riders":{"source_tokens":100}`, ``, ""},
			{"riders of another type inside", `100`, `"many"`, ""},
			{"null inside riders", `100`, `null`, ""},
			{"an unknown rider", `"source_tokens"`, `"mood"`, ""},
			{"an unknown field", `"riders"`, `"x-note":[null,{"a":-7}],"riders"`, ""},
			{"minus zero", `"generation":2`, `"generation":-0`, ""},
			{"the largest generation", `"generation":2`, `"generation":2147483647`, ""},
			{"the largest number", `100`, `9007199254740991`, ""},
			{"a class twice", `["negation"]`, `["negation","negation"]`, ""},
			{"an empty class", `["negation"]`, `[""]`, ""},
			{"white space", `"riders":`, "\"riders\" :\r\n ", ""},

			{"null riders", `{"source_tokens":100}`, `null`, "in.riders"},
			{"a list of riders", `{"source_tokens":100}`, `[]`, "in.riders"},
			{"a fraction in riders", `100`, `0.5`, "in.riders.source_tokens"},
			{"an exponent in riders", `100`, `1e2`, "in.riders.source_tokens"},
			{"an integer written as a fraction", `"generation":2`, `"generation":2.0`, "in.contract.generation"},
			{"2^53 in riders", `100`, `9007199254740992`, "in.riders.source_tokens"},
			{"-2^53 in an unknown field", `"riders"`, `"x":[0,-9007199254740992],"riders"`, "in.x[1]"},
			{"a number past 64 bits", `100`, `100000000000000000000`, "in.riders.source_tokens"},
			{"a fraction deep in an unknown field", `"riders"`, `"x-y z":{"a":[1.5]},"riders"`, `in."x-y z".a[0]`},
			{"a negative generation", `"generation":2`, `"generation":-1`, "in.contract.generation"},
			{"generation 2^31", `"generation":2`, `"generation":2147483648`, "in.contract.generation"},
			{"a generation as text", `"generation":2`, `"generation":"2"`, "in.contract.generation"},
			{"no generation", `"generation":2,`, ``, "in.contract.generation"},
			{"a null generation", `"generation":2`, `"generation":null`, "in.contract.generation"},
			{"no ancestry flag", `,"ancestry_certified":true`, ``, "in.contract.ancestry_certified"},
			{"a flag as a number", `"consumer_strict":true`, `"consumer_strict":1`, "in.consumer_strict"},
			{"a flag as text", `"consumer_strict":true`, `"consumer_strict":"true"`, "in.consumer_strict"},
			{"a null flag", `"chaining_risk":false`, `"chaining_risk":null`, "in.chaining_risk"},
			{"a flag missing", `"source_recoverable":false,`, ``, "in.source_recoverable"},
			{"a flag in other letters", `"chaining_risk"`, `"Chaining_Risk"`, "in.chaining_risk"},
			{"no required classes", `"required_classes":["negation"],`, ``, "in.contract.required_classes"},
			{"null for an empty list", `"certified_classes":[]`, `"certified_classes":null`, "in.contract.certified_classes"},
			{"a class that is no text", `["negation"]`, `["negation",3]`, "in.contract.required_classes[1]"},
			{"classes as an object", `["negation"]`, `{"negation":true}`, "in.contract.required_classes"},
			{"no contract", `"contract"`, `"contrast"`, "in.contract"},
			{"a list", decideText, `[]`, "in"},
			{"null", decideText, `null`, "in"},
			{"nothing", decideText, ``, "in"},
			{"half a request", `"riders":{"source_tokens":100}}`, ``, "in"},
			{"two requests", decideText, decideText + decideText, "in"},
			{"bytes that are no text", `"negation"`, "\"\xff\"", "in"},
		}},
		{floor.OpDerive, deriveText, []change{
			{"nothing changed", ``, ``, ""},
			{"an empty history", deriveText, `{"originals":[],"events":[]}`, ""},
			{"0 of 0", `"retained":1,"total":2`, `"retained":0,"total":0`, ""},
			{"the largest total", `"retained":2,"total":2`, `"retained":2,"total":9007199254740991`, ""},
			{"a floor of a class that is not required", `{"x":500}`, `{"x":500,"y":0}`, ""},
			{"an empty id", `"id":"e2"`, `"id":""`, ""},
			{"an unknown field in a certificate", `"retained":1`, `"note":null,"retained":1`, ""},

			{"a child of a refused event", `"x":500`, `"x":501`, "in.events[1].inputs"},
			{"a child of an event refused for want of floors", `"floors_permille":{"x":500},`, ``, "in.events[1].inputs"},
			{"an unknown input", `["o1"],"required`, `["o9"],"required`, "in.events[0].inputs"},
			{"a later input", `["o1"],"required`, `["o1","e2"],"required`, "in.events[0].inputs"},
			{"its own input", `["o1"],"required`, `["e1"],"required`, "in.events[0].inputs"},
			{"empty inputs", `["o1"],"required`, `[],"required`, "in.events[0].inputs"},
			{"an input that is no text", `["o1"],"required`, `[1],"required`, "in.events[0].inputs[0]"},
			{"an id twice", `"id":"e2"`, `"id":"e1"`, "in.events[1].id"},
			{"an id of an original", `"id":"e2"`, `"id":"o1"`, "in.events[1].id"},
			{"no id", `"id":"e2",`, ``, "in.events[1].id"},
			{"a class twice", `[{"class":"x","retained":2,"total":2}]`,
				`[{"class":"x","retained":2,"total":2},{"class":"x","retained":2,"total":2}]`, "in.events[1].certificate"},
			{"more than all", `"retained":2`, `"retained":3`, "in.events[1].certificate"},
			{"less than nothing", `"retained":2`, `"retained":-1`, "in.events[1].certificate"},
			{"no total", `"retained":1,"total":2`, `"retained":1`, "in.events[0].certificate[0].total"},
			{"a certificate of classes", `[{"class":"x","retained":2,"total":2}]`, `["x"]`, "in.events[1].certificate[0]"},
			{"null floors", `{"x":500}`, `null`, "in.events[0].floors_permille"},
			{"a floor above all", `{"x":500}`, `{"x":1001}`, "in.events[0].floors_permille"},
			{"a negative floor", `{"x":500}`, `{"x":-1}`, "in.events[0].floors_permille"},
			{"a floor as text", `{"x":500}`, `{"x":"500"}`, "in.events[0].floors_permille.x"},
			{"a list of floors", `{"x":500}`, `[500]`, "in.events[0].floors_permille"},
			{"no originals", `"originals":["o1","o1"],`, ``, "in.originals"},
			{"no events", `"events"`, `"Events"`, "in.events"},
			{"events as an object", deriveText, `{"originals":[],"events":{}}`, "in.events"},
			{"a null event", deriveText, `{"originals":[],"events":[null]}`, "in.events[0]"},
			{"a flag missing", `"source_recoverable":true,`, ``, "in.events[1].source_recoverable"},
		}},
		{floor.OpReduce, reduceText, []change{
			{"nothing changed", ``, ``, ""},
			{"no messages at all", reduceText, `{"messages":[],"target_tokens":0}`, ""},
			{"the largest target", `800`, `9007199254740991`, ""},
			{"an unknown field in a message", `"role":"system"`, `"x-mood":null,"role":"system"`, ""},
			{"empty calls", `"text":"Release."`, `"text":"","calls":[]`, ""},
			{"an empty call_id", `"call_id":"c1"`, `"call_id":""`, ""},
			{"a result of no call", `"call_id":"c1"`, `"call_id":"c9"`, ""},
			{"calls of a user", `"assistant"`, `"user"`, ""},
			{"anything in arguments", `{"to":"<b>","times":2}`, `{"a":[null,{"b":-7}],"c":true}`, ""},

			{"no messages", `"messages"`, `"Messages"`, "in.messages"},
			{"null messages", reduceText, `{"messages":null,"target_tokens":0}`, "in.messages"},
			{"messages as an object", reduceText, `{"messages":{},"target_tokens":0}`, "in.messages"},
			{"a message that is text", `{"role":"system","text":"Release."}`, `"Release."`, "in.messages[0]"},
			{"no role", `"role":"system",`, ``, "in.messages[0].role"},
			{"a role that is none", `"system"`, `"developer"`, "in.messages[0].role"},
			{"a role in capitals", `"system"`, `"System"`, "in.messages[0].role"},
			{"a null role", `"system"`, `null`, "in.messages[0].role"},
			{"no text", `,"text":"Release."`, ``, "in.messages[0].text"},
			{"a null text", `"Release."`, `null`, "in.messages[0].text"},
			{"a list of texts", `"Release."`, `["Release."]`, "in.messages[0].text"},
			{"null calls", `"text":"Release."`, `"text":"","calls":null`, "in.messages[0].calls"},
			{"a call without an id", `"id":"c1",`, ``, "in.messages[1].calls[0].id"},
			{"a call without a name", `"name":"run",`, ``, "in.messages[1].calls[0].name"},
			{"a call without arguments", `,"args":{"to":"<b>","times":2}`, ``, "in.messages[1].calls[0].args"},
			{"null arguments", `{"to":"<b>","times":2}`, `null`, "in.messages[1].calls[0].args"},
			{"arguments as text", `{"to":"<b>","times":2}`, `"{}"`, "in.messages[1].calls[0].args"},
			{"a fraction in arguments", `"times":2`, `"times":2.5`, "in.messages[1].calls[0].args.times"},
			{"a null call_id", `"call_id":"c1"`, `"call_id":null`, "in.messages[2].call_id"},
			{"a call_id as a number", `"call_id":"c1"`, `"call_id":1`, "in.messages[2].call_id"},
			{"no target", `,"target_tokens":800`, ``, "in.target_tokens"},
			{"a negative target", `800`, `-1`, "in.target_tokens"},
			{"a target of 2^53", `800`, `9007199254740992`, "in.target_tokens"},
			{"a target with a fraction", `800`, `800.0`, "in.target_tokens"},
			{"a target as text", `800`, `"800"`, "in.target_tokens"},
			{"a list", reduceText, `[]`, "in"},
			{"nothing", reduceText, ``, "in"},
		}},
	}
	for _, family := range families {
		for _, tt := range family.changes {
			t.Run(string(family.op)+"/"+tt.name, func(t *testing.T) {
				require.Contains(t, family.text, tt.old)
				text := strings.Replace(family.text, tt.old, tt.new, 1)
				path, bad := Malformed(floor.Request{Op: family.op, Raw: json.RawMessage(text)}, floor.Guard)
				require.Equal(t, tt.want, path)
				require.Equal(t, tt.want != "", bad)

				// floor's decoder agrees, and on the meaning, but for what takes deciding.
				parsed := floor.ParseRequest(family.op, json.RawMessage(text))
				if !bad {
					requireSameMeaning(t, parsed, text)
				} else if !strings.HasPrefix(tt.name, "a child of ") {
					require.True(t, parsed.Decide == nil && parsed.Derive == nil && parsed.Reduce == nil)
				}
			})
		}
	}
}

func requireSameMeaning(t *testing.T, parsed floor.Request, text string) {
	t.Helper()
	raw := floor.Request{Op: parsed.Op, Raw: json.RawMessage(text)}
	typed := floor.Request{Op: parsed.Op, Decide: parsed.Decide, Derive: parsed.Derive, Reduce: parsed.Reduce}
	require.Equal(t, Expect(caseOf(typed)), Expect(caseOf(raw)))
	if in, _ := readDecide(raw); parsed.Decide != nil {
		require.Equal(t, parsed.Decide, in)
	}
}

func TestMalformedWhereTheWordsSpellIt(t *testing.T) {
	decide := func(change func(in *floor.DecideIn)) floor.Request {
		in := floor.DecideIn{Contract: floor.Contract{Generation: 1}}
		change(&in)
		return decideRequest(in)
	}
	reduce := func(target int64, messages ...floor.Message) floor.Request {
		return floor.Request{Op: floor.OpReduce, Reduce: &floor.ReduceIn{Messages: messages, TargetTokens: target}}
	}
	calling := func(args string) floor.Message {
		return floor.Message{Role: floor.Assistant, Calls: []floor.Call{{Args: json.RawMessage(args)}}}
	}
	derive := func(events ...floor.Event) floor.Request { return history(events...).Steps[0] }
	tests := []struct {
		name string
		r    floor.Request
		want string
	}{
		{"nil lists are empty", decide(func(*floor.DecideIn) {}), ""},
		{"a negative generation", decide(func(in *floor.DecideIn) { in.Contract.Generation = -1 }), "in.contract.generation"},
		{"generation 2^31", decide(func(in *floor.DecideIn) { in.Contract.Generation = 1 << 31 }), "in.contract.generation"},
		{"a rider of 2^53", decide(func(in *floor.DecideIn) { in.Riders = &floor.Riders{QuotaFacts: new(int64(1 << 53))} }), "in.riders"},
		{"no payload", floor.Request{Op: floor.OpDecide}, "in"},
		{"the payload of another op", floor.Request{Op: floor.OpDerive, Decide: &floor.DecideIn{}}, "in"},
		{"what is sent counts, not what stands beside it",
			floor.Request{Op: floor.OpDecide, Decide: &floor.DecideIn{}, Raw: json.RawMessage(`{}`)}, "in.contract"},
		{"an empty history", derive(), ""},
		{"an input twice", derive(event("a", from("o1", "o1"))), ""},
		{"an unknown input", derive(event("a", from("b"))), "in.events[0].inputs"},
		{"itself", derive(event("a", from("a"))), "in.events[0].inputs"},
		{"a later event", derive(event("a", from("b")), event("b", from("o1"))), "in.events[0].inputs"},
		{"no inputs", derive(event("a", nil)), "in.events[0].inputs"},
		{"an id twice", derive(event("a", from("o1")), event("a", from("o1"))), "in.events[1].id"},
		{"an original's id", derive(event("o1", from("o2"))), "in.events[0].id"},
		{"a class twice", derive(event("a", from("o1"), share("x", 1, 1), share("x", 1, 1))), "in.events[0].certificate"},
		{"a total of 2^53", derive(event("a", from("o1"), share("x", 1, 1<<53))), "in.events[0].certificate"},
		{"a floor above all", derive(floored(event("a", from("o1")), "x", 1001)), "in.events[0].floors_permille"},
		{"a child of a refused event",
			derive(under(event("a", from("o1"), share("x", 0, 1)), harsh), event("b", from("a"))), "in.events[1].inputs"},
		{"a child of a provisional event",
			derive(event("a", from("o1"), share("x", 0, 1)), event("b", from("a"))), ""},
		{"no messages", reduce(0), ""},
		{"a message without a role", reduce(0, floor.Message{Text: "x"}), "in.messages[0].role"},
		{"a negative target", reduce(-1), "in.target_tokens"},
		{"a target of 2^53", reduce(1 << 53), "in.target_tokens"},
		{"a call", reduce(0, calling(` {"a": [1, "x"]}`)), ""},
		{"a call without arguments", reduce(0, calling(``)), "in.messages[0].calls[0].args"},
		{"arguments that are a list", reduce(0, calling(`[]`)), "in.messages[0].calls[0].args"},
		{"arguments that are no JSON", reduce(0, calling(`{`)), "in.messages[0].calls[0].args"},
		{"a fraction in arguments", reduce(0, calling(`{"a":[0.5]}`)), "in.messages[0].calls[0].args.a[0]"},
		{"reduce without a payload", floor.Request{Op: floor.OpReduce, Recall: &floor.RecallIn{}}, "in"},
		{"another op is not judged", floor.Request{Op: floor.OpRecall}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path, bad := Malformed(tt.r, floor.Guard)
			require.Equal(t, tt.want, path)
			require.Equal(t, tt.want != "", bad)
		})
	}
}

// Under joint the parent is not refused, and its child is welcome.
func TestMalformedFollowsThePolicy(t *testing.T) {
	r := history(
		under(event("a", from("o1"), share("x", 0, 1)), floor.Conditions{ConsumerStrict: true}),
		event("b", from("a")),
	).Steps[0]
	_, underGuard := Malformed(r, floor.Guard)
	_, underJoint := Malformed(r, floor.Joint)
	require.True(t, underGuard)
	require.False(t, underJoint)
}

func TestNamesAreShownBounded(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "negation", "negation"},
		{"empty", "", `""`},
		{"white space", "a b", `"a b"`},
		{"control characters", "a\x1b[31m", `"a\x1b[31m"`},
		{"no text", "\xff", `"\xff"`},
		{"long", strings.Repeat("n", 99), strings.Repeat("n", 40) + "…"},
		{"cut between runes", strings.Repeat("n", 39) + "éé", strings.Repeat("n", 39) + "…"},
		{"cut where there are none", strings.Repeat("\xff", 99), `"` + strings.Repeat(`\xff`, 40) + `\u2026"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, showName(tt.in)) })
	}
	require.Equal(t, "[0 1 2 3 4 5 6 7 and 2 more]", showNames(strings.Split("0123456789", "")))
}
