package floor

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden lines")

// The wire lines of every word, as they have always been: one line each, read
// and written again.
func TestGoldenLines(t *testing.T) {
	flags := Conditions{SourceRecoverable: false, ConsumerStrict: true, ChainingRisk: false, SideEffectCostExceedsRefusal: true}
	seven, no := int64(7), false
	talk := []Message{
		{Role: System, Text: "Release."},
		{Role: Assistant, Calls: []Call{{ID: "c1", Name: "run", Args: json.RawMessage(`{"a":[1,"x"],"b":{}}`)}}},
		{Role: Tool, Text: "ok", CallID: "c1"},
	}
	planted := &Planted{
		Plants: []Plant{
			{
				Element: Element{ID: "n1", Class: Negation, Forms: []string{"do not delete it"}, Inverted: []string{"delete it"}},
				Said:    Place{0, 2}, Ended: &Ended{Place{1, 0}, Withdrawn, "w1"},
			},
			{Element: Element{ID: "i1", Class: Identifier, Forms: []string{"db-7"}, Match: Exact}, Shifted: []string{"db"}},
		},
		Decoys:     []Element{{ID: "x1", Class: "dream", Forms: []string{}}},
		Summarizer: "empty",
	}
	words := []struct {
		name string
		word any
	}{
		{"decide.in", DecideIn{Contract{[]Class{Identifier, Negation}, []Class{Identifier}, 2, false}, flags, nil}},
		{"decide.in with riders", DecideIn{Contract{[]Class{}, []Class{}, 0, true}, Conditions{SourceRecoverable: true}, &Riders{SourceTokens: &seven, FluencyPermille: &seven}}},
		{"decide.out", DecideOut{Decision: Certified}},
		{"decide.out refused", DecideOut{Refuse, []Class{Negation}, &seven, &no, nil}},
		{"decide.out refused for the ancestry", DecideOut{Refuse, []Class{}, &seven, &no, nil}},
		{"derive.in", DeriveIn{[]string{"o1"}, []Event{{"e1", []string{"o1"}, []Class{Quantity}, []Fidelity{{Quantity, 3, 4}}, map[Class]int64{Quantity: 700, Identifier: 0}, flags}}}},
		{"derive.in empty", DeriveIn{[]string{}, []Event{}}},
		{"derive.out", DeriveOut{[]Outcome{{ID: "e1", Decision: Certified, Generation: &seven, AncestryCertified: &no, Effective: []Fidelity{{Quantity, 3, 4}}}}}},
		{"derive.out refused", DeriveOut{[]Outcome{{ID: "e1", Decision: Refuse, AncestryCertified: &no, MissingClasses: []Class{"a<b>&c"}}}}},
		{"lineage", Lineage{Generation: 3, AncestryCertified: true, Decision: Provisional, Effective: []Fidelity{{Literal, 0, 0}}}},
		{"case", Case{Policy: Joint, Steps: []Request{{Op: OpDecide, Decide: &DecideIn{Conditions: flags}}, {Op: OpDerive, Raw: []byte(`{"originals":1.0}`)}}}},
		{"reduce.in", ReduceIn{talk, 800}},
		{"reduce.in empty", ReduceIn{Messages: []Message{}}},
		{"reduce.out", ReduceOut{Messages: talk[:1], Mark: MarkProvisional, Generation: &seven}},
		{"reduce.out without a mark or a generation", ReduceOut{}},
		{"reduce.out certified", ReduceOut{Messages: talk[1:], Mark: MarkCertified}},
		{"reduce.out refused", ReduceOut{Refused: true, Reason: "not a word may go"}},
		{"recall.in", RecallIn{"do not <delete> it"}},
		{"recall.out", RecallOut{"Do not <delete> it."}},
		{"case planted", Case{
			Policy:  Guard,
			Steps:   []Request{{Op: OpReduce, Reduce: &ReduceIn{talk, 800}}, {Op: OpReduce, Raw: []byte(`{"messages":[],"target_tokens":0.5}`)}},
			Planted: planted,
		}},
	}
	var got bytes.Buffer
	for _, w := range words {
		line, err := marshal(w.word)
		require.NoError(t, err, w.name)
		got.WriteString(w.name + "\t" + string(line) + "\n")
	}
	path := filepath.Join("testdata", "wire.golden")
	if *update {
		require.NoError(t, os.WriteFile(path, got.Bytes(), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got.String())
}

// What was written is read as the same word.
func TestGoldenLinesAreReadAgain(t *testing.T) {
	file, err := os.Open(filepath.Join("testdata", "wire.golden"))
	require.NoError(t, err)
	defer file.Close()
	read := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		name, line, _ := strings.Cut(lines.Text(), "\t")
		word, _, _ := strings.Cut(name, " ")
		var v any
		switch word {
		case "decide.in":
			v, err = DecodeDecideIn([]byte(line))
		case "decide.out":
			v, err = DecodeDecideOut([]byte(line))
		case "derive.in":
			v, err = DecodeDeriveIn([]byte(line))
		case "derive.out":
			v, err = DecodeDeriveOut([]byte(line))
		case "reduce.in":
			v, err = DecodeReduceIn([]byte(line))
		case "reduce.out":
			v, err = DecodeReduceOut([]byte(line))
		case "recall.in":
			v, err = DecodeRecallIn([]byte(line))
		case "recall.out":
			v, err = DecodeRecallOut([]byte(line))
		case "lineage":
			v, err = DecodeLineage([]byte(line), "lineage")
		case "case":
			c := Case{}
			err = json.Unmarshal([]byte(line), &c)
			v = c
		}
		require.NoError(t, err, name)
		again, err := marshal(v)
		require.NoError(t, err, name)
		require.Equal(t, line, string(again), name)
		read++
	}
	require.Equal(t, 20, read)
}

const (
	goodFlags  = `"source_recoverable":false,"consumer_strict":true,"chaining_risk":false,"side_effect_cost_exceeds_refusal":false`
	goodDecide = `{"contract":{"required_classes":["negation"],"certified_classes":[],"generation":1,"ancestry_certified":true},` + goodFlags + `}`
	goodEvent  = `{"id":"e1","inputs":["o1"],"required_classes":["quantity"],"certificate":[{"class":"quantity","retained":3,"total":4}],"floors_permille":{"quantity":700},` + goodFlags + `}`
	goodDerive = `{"originals":["o1"],"events":[` + goodEvent + `]}`
	goodCall   = `{"id":"c1","name":"run","args":{"n":1}}`
	goodReduce = `{"messages":[{"role":"user","text":"Go."},{"role":"assistant","text":"","calls":[` + goodCall + `]},` +
		`{"role":"tool","text":"ok","call_id":"c1"}],"target_tokens":800}`
	goodRecall = `{"query":"do not"}`
)

// opOf names the op of each good request.
var opOf = map[string]Op{goodDecide: OpDecide, goodDerive: OpDerive, goodReduce: OpReduce, goodRecall: OpRecall}

func decodeIn(op Op, in []byte) (err error) {
	switch op {
	case OpDecide:
		_, err = DecodeDecideIn(in)
	case OpDerive:
		_, err = DecodeDeriveIn(in)
	case OpReduce:
		_, err = DecodeReduceIn(in)
	case OpRecall:
		_, err = DecodeRecallIn(in)
	}
	return err
}

// The bad_request list, an error that names the field for each entry.
func TestBadRequests(t *testing.T) {
	second := strings.Replace(goodEvent, `"e1"`, `"e2"`, 1)
	tests := []struct {
		name     string
		in       string
		old, new string // what is changed in the good request
		want     string
	}{
		{"a flag is missing", goodDecide, `"chaining_risk":false,`, ``, "in.chaining_risk: is missing"},
		{"a name is matched to the letter", goodDecide, `"chaining_risk"`, `"Chaining_risk"`, "in.chaining_risk: is missing"},
		{"a flag is a string", goodDecide, `"consumer_strict":true`, `"consumer_strict":"true"`, "in.consumer_strict: must be true or false, got a string"},
		{"a flag is a number", goodDecide, `"consumer_strict":true`, `"consumer_strict":1`, "in.consumer_strict: must be true or false, got a number"},
		{"a flag is null", goodDecide, `"consumer_strict":true`, `"consumer_strict":null`, "in.consumer_strict: must be true or false, got null"},
		{"the contract is a list", goodDecide, goodDecide, `{"contract":[],` + goodFlags + `}`, "in.contract: must be an object, got a list"},
		{"a class is a number", goodDecide, `["negation"]`, `["negation",7]`, "in.contract.required_classes[1]: must be a string, got a number"},
		{"classes are null", goodDecide, `"certified_classes":[]`, `"certified_classes":null`, "in.contract.certified_classes: must be a list, got null"},
		{"the generation is below 0", goodDecide, `"generation":1`, `"generation":-1`, "in.contract.generation: must be 0 or more, got -1"},
		{"the generation is 2^31", goodDecide, `"generation":1`, `"generation":2147483648`, "in.contract.generation: must be 2147483647 or less, got 2147483648"},
		{"the generation has a fraction", goodDecide, `"generation":1`, `"generation":1.0`, "in.contract.generation: must be written as an integer, got 1.0"},
		{"the generation has an exponent", goodDecide, `"generation":1`, `"generation":1e0`, "in.contract.generation: must be written as an integer, got 1e0"},
		{"riders are null", goodDecide, goodFlags, goodFlags + `,"riders":null`, "in.riders: must be an object, got null"},
		{"a rider has a fraction", goodDecide, goodFlags, goodFlags + `,"riders":{"source_tokens":0.5}`, "in.riders.source_tokens: must be written as an integer, got 0.5"},
		{"a rider is too large", goodDecide, goodFlags, goodFlags + `,"riders":{"source_tokens":9007199254740992}`, "in.riders.source_tokens: must be below 2^53 in size, got 9007199254740992"},
		{"an unknown field holds a fraction", goodDecide, goodFlags, goodFlags + `,"x-note":[{"deep":1.5}]`, "in.x-note[0].deep: must be written as an integer, got 1.5"},
		{"it is no object", goodDecide, goodDecide, `"decide"`, "in: must be an object, got a string"},
		{"it is no JSON", goodDecide, goodDecide, `{`, "in: is not JSON: unexpected EOF"},
		{"something follows", goodDecide, goodDecide, goodDecide + `{}`, "in: is not JSON: something follows the value"},

		{"originals are missing", goodDerive, `"originals":["o1"],`, ``, "in.originals: is missing"},
		{"an event has no id", goodDerive, `"id":"e1",`, ``, "in.events[0].id: is missing"},
		{"an input is unknown", goodDerive, `"inputs":["o1"]`, `"inputs":["o1","o2"]`, `in.events[0].inputs[1]: "o2" is neither an original nor an earlier event`},
		{"an event is its own input", goodDerive, `"inputs":["o1"]`, `"inputs":["e1"]`, `in.events[0].inputs[0]: "e1" is neither an original nor an earlier event`},
		{"inputs are empty", goodDerive, `"inputs":["o1"]`, `"inputs":[]`, "in.events[0].inputs: must not be empty"},
		{"an event's id is used twice", goodDerive, goodEvent, goodEvent + `,` + goodEvent, `in.events[1].id: "e1" is an event already`},
		{"an event has an original's id", goodDerive, `"id":"e1"`, `"id":"o1"`, `in.events[0].id: "o1" is an original already`},
		{"a later event is an input", goodDerive, goodEvent, strings.Replace(goodEvent, `["o1"]`, `["e2"]`, 1) + `,` + second, `in.events[0].inputs[0]: "e2" is neither an original nor an earlier event`},
		{"a class stands twice in a certificate", goodDerive, `"total":4}]`, `"total":4},{"class":"quantity","retained":1,"total":1}]`, `in.events[0].certificate[1].class: "quantity" stands twice`},
		{"more is retained than there is", goodDerive, `"retained":3`, `"retained":5`, "in.events[0].certificate[0].retained: must be 4 or less, got 5"},
		{"less than nothing is retained", goodDerive, `"retained":3`, `"retained":-1`, "in.events[0].certificate[0].retained: must be 0 or more, got -1"},
		{"a total is below 0", goodDerive, `"retained":3,"total":4`, `"retained":0,"total":-1`, "in.events[0].certificate[0].total: must be 0 or more, got -1"},
		{"a floor is above 1000", goodDerive, `"quantity":700`, `"quantity":1001`, "in.events[0].floors_permille.quantity: must be 1000 or less, got 1001"},
		{"floors are null", goodDerive, `{"quantity":700}`, `null`, "in.events[0].floors_permille: must be an object, got null"},

		{"messages are missing", goodReduce, `"messages"`, `"Messages"`, "in.messages: is missing"},
		{"messages are null", goodReduce, goodReduce, `{"messages":null,"target_tokens":1}`, "in.messages: must be a list, got null"},
		{"a message is a string", goodReduce, `{"role":"user","text":"Go."}`, `"Go."`, "in.messages[0]: must be an object, got a string"},
		{"a role is missing", goodReduce, `"role":"user",`, ``, "in.messages[0].role: is missing"},
		{"a role is none", goodReduce, `"user"`, `"human"`, `in.messages[0].role: must be system, user, assistant or tool, got "human"`},
		{"a text is missing", goodReduce, `,"text":"Go."`, ``, "in.messages[0].text: is missing"},
		{"a text is a list", goodReduce, `"Go."`, `["Go."]`, "in.messages[0].text: must be a string, got a list"},
		{"calls are null", goodReduce, `[` + goodCall + `]`, `null`, "in.messages[1].calls: must be a list, got null"},
		{"a call has no id", goodReduce, `"id":"c1",`, ``, "in.messages[1].calls[0].id: is missing"},
		{"a call has no name", goodReduce, `"name":"run",`, ``, "in.messages[1].calls[0].name: is missing"},
		{"a call has no arguments", goodReduce, `,"args":{"n":1}`, ``, "in.messages[1].calls[0].args: is missing"},
		{"arguments are a string", goodReduce, `{"n":1}`, `"{}"`, "in.messages[1].calls[0].args: must be an object, got a string"},
		{"an argument has a fraction", goodReduce, `{"n":1}`, `{"n":[1.5]}`, "in.messages[1].calls[0].args.n[0]: must be written as an integer, got 1.5"},
		{"a call_id is null", goodReduce, `"call_id":"c1"`, `"call_id":null`, "in.messages[2].call_id: must be a string, got null"},
		{"the target is missing", goodReduce, `,"target_tokens":800`, ``, "in.target_tokens: is missing"},
		{"the target is below 0", goodReduce, `800`, `-1`, "in.target_tokens: must be 0 or more, got -1"},
		{"the target is 2^53", goodReduce, `800`, `9007199254740992`, "in.target_tokens: must be below 2^53 in size, got 9007199254740992"},
		{"the target is a string", goodReduce, `800`, `"800"`, "in.target_tokens: must be an integer, got a string"},

		{"the query is missing", goodRecall, `"query"`, `"q"`, "in.query: is missing"},
		{"the query is a list", goodRecall, `"do not"`, `[]`, "in.query: must be a string, got a list"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Contains(t, tt.in, tt.old)
			in := []byte(strings.Replace(tt.in, tt.old, tt.new, 1))
			err := decodeIn(opOf[tt.in], in)
			require.EqualError(t, err, tt.want)
			require.IsType(t, &BadRequest{}, err)
			r := ParseRequest(opOf[tt.in], in)
			require.Nil(t, r.Decide)
			require.Nil(t, r.Derive)
			require.Nil(t, r.Reduce)
			require.Nil(t, r.Recall)
			require.Equal(t, string(in), string(r.Raw), "sent to the letter")
		})
	}
}

// What is well-formed stays so with fields that nobody knows, in any order,
// and with sets that repeat themselves.
func TestGoodRequests(t *testing.T) {
	tests := []struct{ name, in, old, new string }{
		{"unknown fields", goodDecide, goodFlags, goodFlags + `,"x-a":null,"x-b":{"c":[true,"1.5"]}`},
		{"riders of other types", goodDecide, goodFlags, goodFlags + `,"riders":{"source_tokens":"many","x":null}`},
		{"the largest generation", goodDecide, `"generation":1`, `"generation":2147483647`},
		{"minus nothing", goodDecide, `"generation":1`, `"generation":-0`},
		{"a class twice", goodDecide, `["negation"]`, `["negation","negation"]`},
		{"an original twice", goodDerive, `"originals":["o1"]`, `"originals":["o1","o1"]`},
		{"an input twice", goodDerive, `"inputs":["o1"]`, `"inputs":["o1","o1"]`},
		{"nothing of nothing", goodDerive, `"retained":3,"total":4`, `"retained":0,"total":0`},
		{"no floors", goodDerive, `"floors_permille":{"quantity":700},`, ``},
		{"no history", goodDerive, goodEvent, ``},
		{"unknown fields of a message", goodReduce, `"role":"user"`, `"role":"user","x-mood":null`},
		{"the largest target", goodReduce, `800`, `9007199254740991`},
		{"no calls in a list", goodReduce, goodCall, ``},
		{"a result of a call that nobody made", goodReduce, `"call_id":"c1"`, `"call_id":"c9"`},
		{"any arguments", goodReduce, `{"n":1}`, `{"n":{"a":[true,null,"x",-7]}}`},
		{"no conversation", goodReduce, goodReduce, `{"target_tokens":0,"messages":[]}`},
		{"an empty query", goodRecall, `"do not"`, `""`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := []byte(strings.Replace(tt.in, tt.old, tt.new, 1))
			require.Contains(t, tt.in, tt.old)
			require.NoError(t, decodeIn(opOf[tt.in], in))
		})
	}
}

// A lineage of a newer version passes through without loss.
func TestLineageKeepsUnknownFields(t *testing.T) {
	const in = `{"ancestry_certified":true,"decision":"certified","effective":[{"class":"negation","retained":1,"total":2}],"generation":2,"x-from":{"n":12345678901234567890}}`
	var l Lineage
	require.EqualError(t, json.Unmarshal([]byte(in), &l), "lineage.x-from.n: must be below 2^53 in size, got 12345678901234567890")
	fine := strings.Replace(in, "12345678901234567890", `9007199254740991,"z":[null]`, 1)
	require.NoError(t, json.Unmarshal([]byte(fine), &l))
	require.EqualValues(t, 2, l.Generation)
	out, err := json.Marshal(l)
	require.NoError(t, err)
	require.JSONEq(t, fine, string(out))
	require.Contains(t, string(out), "9007199254740991", "to the letter")

	refused := strings.Replace(fine, `"certified","eff`, `"refuse","eff`, 1)
	require.EqualError(t, json.Unmarshal([]byte(refused), &l), "lineage.decision: must not be refuse: a refused event makes no summary")
}

// An answer's decision is one of three, and only a refusal has reasons.
func TestAnswers(t *testing.T) {
	_, err := DecodeDecideOut([]byte(`{"decision":"Refuse"}`))
	require.EqualError(t, err, `out.decision: must be certified, provisional or refuse, got "Refuse"`)
	_, err = DecodeDecideOut([]byte(`{"Decision":"refuse"}`))
	require.EqualError(t, err, `out.decision: is missing`)
	out, err := DecodeDecideOut([]byte(`{"decision":"certified","missing_classes":7}`))
	require.NoError(t, err, "what a decision other than a refusal says besides is nobody's")
	require.Equal(t, &DecideOut{Decision: Certified}, out)
	out, err = DecodeDecideOut([]byte(`{"decision":"refuse"}`))
	require.NoError(t, err)
	require.Nil(t, out.MissingClasses, "absent is not empty")
	_, err = DecodeDecideOut([]byte(`{"decision":"refuse","generation":1.0}`))
	require.EqualError(t, err, `out.generation: must be written as an integer, got 1.0`)
}

// A case file that cannot be one says why.
func TestCaseErrors(t *testing.T) {
	for in, want := range map[string]string{
		`{"policy":"any","steps":[{"op":"decide","in":{}}]}`:   `case: policy: must be guard or joint, got "any"`,
		`{"policy":"guard","steps":[]}`:                        `case: steps: must hold at least one request`,
		`{"policy":"guard","steps":[{"op":"session","in":1}]}`: `case: steps[0].op: must be decide, derive, certify, compact or reduce, got "session"`,
		`{"policy":"guard","steps":[{"op":"decide"}]}`:         `case: steps[0].in: is missing`,
	} {
		var c Case
		require.EqualError(t, json.Unmarshal([]byte(in), &c), want)
	}
}

// A conversation that was built in Go is as good as one that was read.
func TestConversationsBuiltInGo(t *testing.T) {
	calling := func(args string) Message {
		return Message{Role: Assistant, Calls: []Call{{Args: json.RawMessage(args)}}}
	}
	for _, tt := range []struct {
		name string
		in   ReduceIn
		want string
	}{
		{"nothing", ReduceIn{}, ""},
		{"a call", ReduceIn{Messages: []Message{calling(` { "a": 1 }`)}}, ""},
		{"no role", ReduceIn{Messages: []Message{{Text: "x"}}}, `in.messages[0].role: must be system, user, assistant or tool, got ""`},
		{"a target below 0", ReduceIn{TargetTokens: -1}, "in.target_tokens: must be 0 or more, got -1"},
		{"a target of 2^53", ReduceIn{TargetTokens: 1 << 53}, "in.target_tokens: must be 9007199254740991 or less, got 9007199254740992"},
		{"no arguments", ReduceIn{Messages: []Message{calling(``)}}, "in.messages[0].calls[0].args: must be an object, got null"},
		{"arguments that are a list", ReduceIn{Messages: []Message{calling(`[]`)}}, "in.messages[0].calls[0].args: must be an object, got a list"},
		{"a fraction in arguments", ReduceIn{Messages: []Message{calling(`{"a":{"b":0.5}}`)}}, "in.messages[0].calls[0].args.a.b: must be written as an integer, got 0.5"},
	} {
		err := tt.in.Validate()
		if tt.want == "" {
			require.NoError(t, err, tt.name)
			continue
		}
		require.EqualError(t, err, tt.want, tt.name)
	}
}

// What a subject gives back is read strictly, and is never a request.
func TestReduceAnswers(t *testing.T) {
	for _, tt := range []struct{ name, out, want string }{
		{"an unknown mark", `{"messages":[],"mark":"maybe"}`, `out.mark: must be none, provisional or certified, got "maybe"`},
		{"a null mark", `{"messages":[],"mark":null}`, "out.mark: must be a string, got null"},
		{"no messages", `{"mark":"none"}`, "out.messages: is missing"},
		{"a refusal without a reason", `{"refused":true}`, "out.reason: is missing"},
		{"a refusal that is no boolean", `{"refused":"yes","reason":"x"}`, "out.refused: must be true or false, got a string"},
		{"not refused, and nothing else", `{"refused":false,"reason":"x"}`, "out.messages: is missing"},
		{"a generation below 0", `{"messages":[],"generation":-1}`, "out.generation: must be 0 or more, got -1"},
		{"a generation of 2^31", `{"messages":[],"generation":2147483648}`, "out.generation: must be 2147483647 or less, got 2147483648"},
		{"a generation with a fraction", `{"messages":[],"generation":1.0}`, "out.generation: must be an integer below 2^53 in size, got 1.0"},
		{"a message without a role", `{"messages":[{"text":"x"}]}`, "out.messages[0].role: is missing"},
		{"a role that is none", `{"messages":[{"role":"summary","text":"x"}]}`, `out.messages[0].role: must be system, user, assistant or tool, got "summary"`},
		{"a list", `[]`, "out: must be an object, got a list"},
		{"no JSON", `{`, "out: is not JSON: unexpected EOF"},
	} {
		_, err := DecodeReduceOut([]byte(tt.out))
		require.EqualError(t, err, tt.want, tt.name)
	}
	out, err := DecodeReduceOut([]byte(`{"messages":[{"role":"assistant","text":"","calls":[{"id":"c1","name":"run","args":{"b":1.5,"a":1e3}}]}],"refused":false}`))
	require.NoError(t, err, "the numbers in a subject's arguments are its own")
	require.JSONEq(t, `{"a":1e3,"b":1.5}`, string(out.Messages[0].Calls[0].Args))
	require.Equal(t, NoMark, out.Mark)
	require.Nil(t, out.Generation)
	out, err = DecodeReduceOut([]byte(`{"refused":true,"reason":"no","messages":7,"mark":7}`))
	require.NoError(t, err, "what a refusal says besides is nobody's")
	require.Equal(t, &ReduceOut{Refused: true, Reason: "no"}, out)
	_, err = DecodeRecallOut([]byte(`{"text":null}`))
	require.EqualError(t, err, "out.text: must be a string, got null")
}

// An answer says what was recalled after it.
func TestAnswersAreWritten(t *testing.T) {
	for want, a := range map[string]Answer{
		`{"out":{"messages":[],"mark":"none"}}`: {Reduce: &ReduceOut{}},
		`{"out":{"messages":[],"mark":"provisional"},"recalled":[{"query":"q","text":"t"},{"query":"r","text":"","error":{"code":"unavailable","message":"gone"}}]}`: {
			Reduce:   &ReduceOut{Mark: MarkProvisional},
			Recalled: []Recalled{{Query: "q", Text: "t"}, {Query: "r", Err: &AnswerError{Code: UnavailableCode, Message: "gone"}}},
		},
		`{"out":{"refused":true,"reason":"no"}}`: {Reduce: &ReduceOut{Refused: true, Reason: "no"}},
		`{"out":{"text":"t"}}`:                   {Recall: &RecallOut{"t"}},
	} {
		got, err := json.Marshal(a)
		require.NoError(t, err)
		require.JSONEq(t, want, string(got))
	}
}
