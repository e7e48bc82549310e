package conform

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

// linesOf cuts a text that comes in chunks of a size.
func linesOf(text string, size int) (whole []string, s splitter) {
	for chunk := range slices.Chunk([]byte(text), size) {
		for l := range s.lines(chunk) {
			whole = append(whole, string(l.text))
		}
	}
	return whole, s
}

func TestLinesAreCutWhereverTheChunksEnd(t *testing.T) {
	text := "one\n\ntwo\r\nthr\ree\r\n\r\nhalf"
	for size := 1; size <= len(text); size++ {
		whole, s := linesOf(text, size)
		require.Equal(t, []string{"one", "", "two", "thr\ree", ""}, whole, "in chunks of %d", size)
		require.Equal(t, "half", string(s.rest))
	}
}

func TestALineThatIsTooLongIsToldOnceAndSkipped(t *testing.T) {
	t.Parallel()
	line := func(length int, c string) string { return strings.Repeat(c, length) + "\n" }
	text := []byte(line(1, "a") + line(MaxLine+1, "x") + line(2, "b") + line(MaxLine, "y") + line(3, "c"))
	for _, size := range []int{chunkSize, len(text)} {
		var s splitter
		var lengths []int
		for chunk := range slices.Chunk(text, size) {
			for l := range s.lines(chunk) {
				lengths = append(lengths, len(l.text))
				require.Equal(t, len(lengths) == 2, l.long)
			}
		}
		require.Equal(t, []int{1, 2 * quoted, 2, MaxLine, 3}, lengths)
		require.Less(t, cap(s.rest), 2<<20)
	}
}

func TestASplitterNeverHoldsMoreThanALine(t *testing.T) {
	t.Parallel()
	var s splitter
	chunk := bytes.Repeat([]byte("x"), 1<<20)
	told := 0
	for range 40 {
		for range s.lines(chunk) {
			told++
		}
		require.LessOrEqual(t, len(s.rest), MaxLine)
	}
	require.Equal(t, 1, told)
}

func TestDecodeHello(t *testing.T) {
	tests := []struct {
		name, text string
		want       Hello
		err        string
	}{
		{name: "defaults", text: `{"id":0,"protocol":1,"name":"a","ops":["decide","dream"]}`,
			want: Hello{Name: "a", Ops: []floor.Op{"decide", "dream"}, Policy: floor.Guard, MaxBatch: 1}},
		{name: "everything", text: `{"id":0,"protocol":1,"name":"a","version":"1","language":"go","ops":[],"policy":"joint","max_batch":7,"stateful":true,"x-more":1.5}`,
			want: Hello{Name: "a", Version: "1", Language: "go", Ops: []floor.Op{}, Policy: floor.Joint, MaxBatch: 7, Stateful: true}},
		{name: "no protocol", text: `{"name":"a","ops":[]}`, err: "protocol: is missing"},
		{name: "protocol 2", text: `{"protocol":2,"name":"a","ops":[]}`, err: "protocol: must be 1, got 2"},
		{name: "protocol 1.0", text: `{"protocol":1.0,"name":"a","ops":[]}`, err: "protocol: must be an integer"},
		{name: "protocol in a list", text: `{"protocol":[1],"name":"a","ops":[]}`, err: "protocol: must be an integer"},
		{name: "no name", text: `{"protocol":1,"ops":[]}`, err: "name: is missing"},
		{name: "a name in capitals", text: `{"protocol":1,"Name":"a","ops":[]}`, err: "name: is missing"},
		{name: "null for a name", text: `{"protocol":1,"name":null,"ops":[]}`, err: "name: must be a string"},
		{name: "no ops", text: `{"protocol":1,"name":"a"}`, err: "ops: is missing"},
		{name: "one op", text: `{"protocol":1,"name":"a","ops":"decide"}`, err: "ops: must be a list"},
		{name: "ops that are numbers", text: `{"protocol":1,"name":"a","ops":[1]}`, err: "ops: must be a list of strings"},
		{name: "another policy", text: `{"protocol":1,"name":"a","ops":[],"policy":"lax"}`, err: "policy: must be guard or joint"},
		{name: "batches of none", text: `{"protocol":1,"name":"a","ops":[],"max_batch":0}`, err: "max_batch: must be 1 or more"},
		{name: "a batch of text", text: `{"protocol":1,"name":"a","ops":[],"max_batch":"9"}`, err: "max_batch: must be an integer"},
		{name: "stateful perhaps", text: `{"protocol":1,"name":"a","ops":[],"stateful":"no"}`, err: "stateful: must be true or false"},
		{name: "an error", text: `{"id":0,"error":{"code":"internal","message":"m"}}`, err: "it answers with an error: "},
		{name: "a list", text: `[]`, err: "is not an object"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := DecodeHello([]byte(tt.text))
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
}

func TestDecodeAnswerLine(t *testing.T) {
	certified := floor.Answer{Decide: &floor.DecideOut{Decision: floor.Certified}}
	internal := floor.Answer{Err: &floor.AnswerError{Code: floor.InternalCode, Message: "m"}}
	tests := []struct {
		name, text string
		id         int64 // -1: cannot be read
		want       floor.Answer
		problem    string
	}{
		{"plain", `{"id":7,"out":{"decision":"certified"}}`, 7, certified, ""},
		{"spaces, order, unknown fields", ` {"x-y" : [{"}":"\"]"},-1.5e3 , null],"out": {"decision" :"certified","more":[]} , "id" : 7 } `, 7, certified, ""},
		{"an error", `{"id":7,"error":{"message":"m","code":"internal"}}`, 7, internal, ""},
		{"nothing", ``, -1, floor.Answer{}, "not JSON"},
		{"a number", `7`, -1, floor.Answer{}, "not an object"},
		{"a byte order mark", "\ufeff" + `{"id":7,"out":{"decision":"certified"}}`, -1, floor.Answer{}, "not JSON"},
		{"two values", `{"id":7,"out":{"decision":"certified"}}{}`, -1, floor.Answer{}, "not JSON"},
		{"an end in the middle", `{"id":7,"out":{"decision":"certified"},"error":{"code":"internal","message":"m"}}`, 7, floor.Answer{}, "both out and error"},
		{"neither", `{"id":7,"Out":{"decision":"certified"}}`, 7, floor.Answer{}, "neither out nor error"},
		{"null stands there too", `{"id":7,"out":{"decision":"certified"},"error":null}`, 7, floor.Answer{}, "both out and error"},
		{"out twice", `{"id":7,"out":{"decision":"refuse"},"out":{"decision":"certified"}}`, 7, floor.Answer{}, "out stands twice"},
		{"id twice", `{"id":7,"id":7,"out":{"decision":"certified"}}`, -1, floor.Answer{}, "id stands twice"},
		{"no id", `{"out":{"decision":"certified"}}`, -1, floor.Answer{}, "no integer id"},
		{"id in capitals", `{"ID":7,"out":{"decision":"certified"}}`, -1, floor.Answer{}, "no integer id"},
		{"id as text", `{"id":"7","out":{"decision":"certified"}}`, -1, floor.Answer{}, "no integer id"},
		{"id with a fraction", `{"id":7.0,"out":{"decision":"certified"}}`, -1, floor.Answer{}, "no integer id"},
		{"id with a zero before", `{"id":07,"out":{"decision":"certified"}}`, -1, floor.Answer{}, "not JSON"},
		{"id out of range", `{"id":9007199254740992,"out":{"decision":"certified"}}`, -1, floor.Answer{}, "no integer id"},
		{"bad UTF-8", "{\"id\":7,\"x\":\"\xff\",\"out\":{\"decision\":\"certified\"}}", 7, floor.Answer{}, "not UTF-8"},
		{"another decision", `{"id":7,"out":{"decision":"Certified"}}`, 7, floor.Answer{}, "out.decision: must be"},
		{"another type", `{"id":7,"out":"certified"}`, 7, floor.Answer{}, "out: must be an object"},
		{"an unknown code", `{"id":7,"error":{"code":"teapot","message":"m"}}`, 7, floor.Answer{}, "error.code: is not known"},
		{"no message", `{"id":7,"error":{"code":"internal"}}`, 7, floor.Answer{}, "error.message: must be a string"},
		{"an error as text", `{"id":7,"error":"internal"}`, 7, floor.Answer{}, "error: not an object"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			id, readable, answers := DecodeAnswerLine([]byte(tt.text), floor.OpDecide, 0)
			require.Len(t, answers, 1)
			require.Equal(t, tt.id >= 0, readable)
			if readable {
				require.Equal(t, tt.id, id)
			}
			if tt.problem == "" {
				require.Equal(t, tt.want, answers[0])
				return
			}
			require.Equal(t, floor.Garbage, answers[0].Broken)
			require.Contains(t, answers[0].Detail, tt.problem)
			require.Nil(t, answers[0].Decide)
		})
	}
}

func TestDecodeBatchLine(t *testing.T) {
	const good, bad = `{"out":{"decision":"certified"}}`, `{"out":{"decision":"no"}}`
	tests := []struct {
		name, text string
		broken     []bool
	}{
		{"good", `{"id":1,"out":[` + good + `, {"error":{"code":"internal","message":"m"}}]}`, []bool{false, false}},
		{"an item is bad", `{"id":1,"out":[` + bad + `,` + good + `]}`, []bool{true, false}},
		{"an item is both", `{"id":1,"out":[` + good + `,{"out":{"decision":"certified"},"error":{"code":"internal","message":"m"}}]}`, []bool{false, true}},
		{"an item is no object", `{"id":1,"out":[` + good + `,null]}`, []bool{false, true}},
		{"too short", `{"id":1,"out":[` + good + `]}`, []bool{true, true}},
		{"too long", `{"id":1,"out":[` + good + `,` + good + `,` + good + `]}`, []bool{true, true}},
		{"no list", `{"id":1,"out":` + good + `}`, []bool{true, true}},
		{"one error for all", `{"id":1,"error":{"code":"unsupported","message":"m"}}`, []bool{false, false}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, answers := DecodeAnswerLine([]byte(tt.text), floor.OpDecide, 2)
			require.Len(t, answers, 2)
			for i, a := range answers {
				require.Equal(t, tt.broken[i], a.Broken == floor.Garbage, "%+v", a)
			}
		})
	}
}

func TestEncoding(t *testing.T) {
	require.Equal(t, `{"id":0,"op":"hello","protocol":[1],"suite":"2026.\"1"}`+"\n", string(appendHello(nil, `2026."1`)))
	require.Equal(t, `{"id":1,"op":"decide","in":{}}`+"\n", string(appendSingle(nil, 1, "decide", []byte("{}"))))
	require.Equal(t, `{"id":2,"op":"batch","of":"decide","in":[{},1]}`+"\n", string(appendBatch(nil, 2, "decide", [][]byte{[]byte("{}"), []byte("1")})))
	require.Equal(t, `{"id":9,"op":"bye"}`+"\n", string(appendBye(nil, 9)))
}

// FuzzDecodeAnswerLine holds the reader to encoding/json: what it takes for an
// answer is one, and who is to blame for the rest is who says so.
func FuzzDecodeAnswerLine(f *testing.F) {
	for _, text := range []string{
		`{"id":7,"out":{"decision":"certified"}}`,
		`{"id":7,"out":{"decision":"refuse","missing_classes":["a","b"],"generation":3,"ancestry_certified":true}}`,
		`{"id":7,"out":[{"out":{"decision":"provisional"}},{"error":{"code":"internal","message":"m"}}]}`,
		`{"id":7,"error":{"code":"internal","message":"\ud800"},"\u006fut":null}`,
		`{"id":7,"out":{"events":[]}}`,
		`{"id":07,"out":{"decision":"certified"},"x":[1,{"y":"\\\""}]}`,
	} {
		f.Add([]byte(text), 0, false)
		f.Add([]byte(text), 2, true)
	}
	f.Fuzz(func(t *testing.T, text []byte, batch int, derive bool) {
		op := floor.OpDecide
		if derive {
			op = floor.OpDerive
		}
		batch = max(0, min(batch, 100))
		id, readable, answers := DecodeAnswerLine(text, op, batch)
		require.Len(t, answers, max(batch, 1))
		var tree map[string]any
		isObject := json.Unmarshal(text, &tree) == nil && tree != nil
		if readable {
			require.True(t, isObject)
			require.EqualValues(t, id, tree["id"])
		}
		for _, a := range answers {
			set := 0
			for _, is := range []bool{a.Decide != nil, a.Derive != nil, a.Err != nil, a.Broken != ""} {
				if is {
					set++
				}
			}
			require.Equal(t, 1, set)
			if a.Broken == "" {
				require.True(t, readable && isObject)
			}
		}
		if plainID, out, ok := plainAnswer(text); ok && json.Valid(out) { // both ways say the same
			require.True(t, readable)
			require.Equal(t, id, plainID)
			e := openAnswer(text)
			require.Equal(t, string(bytes.TrimSpace(out)), string(e.out))
		}
	})
}

// FuzzPlain holds the short way through the wire to the long one.
func FuzzPlain(f *testing.F) {
	f.Add([]byte(goodIn))
	f.Add([]byte(strings.TrimSuffix(goodIn, "}") + `,"riders":{"source_tokens":1000,"fluency_permille":7}}`))
	f.Add([]byte(goodRefusal))
	f.Add([]byte(`{"decision":"certified"}`))
	f.Add([]byte(`{"decision":"refuse","missing_classes":["a","b\u0041","é"],"generation":2147483648,"ancestry_certified":true}`))
	f.Add([]byte(`[{"out":{"decision":"certified"}},{"out":{"decision":"provisional"}}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if in, ok := plainDecideIn(text); ok {
			require.Equal(t, floor.ParseRequest(floor.OpDecide, text), floor.Request{Op: floor.OpDecide, Decide: in})
		}
		if out, ok := plainDecideOut(text); ok {
			want, err := floor.DecodeDecideOut(text)
			require.NoError(t, err)
			require.Equal(t, want, out)
		}
		if requests, ok := plainBatchIn(text); ok {
			items, isList := elements(text)
			require.True(t, json.Valid(text) && isList)
			require.Len(t, items, len(requests))
		}
		for n := range 4 {
			if answers, ok := plainBatchOut(text, n); ok {
				e := envelope{out: text}
				want, problem := e.batch(floor.OpDecide, n)
				require.Empty(t, problem)
				require.Equal(t, want, answers)
			}
		}
		if in, err := floor.DecodeDecideIn(text); err == nil {
			requireSameSpelling(t, floor.Request{Op: floor.OpDecide, Decide: in})
		}
		if out, err := floor.DecodeDecideOut(text); err == nil {
			want, err := floor.Answer{Decide: out}.MarshalJSON()
			require.NoError(t, err)
			got, err := appendAnswer(nil, floor.Answer{Decide: out})
			require.NoError(t, err)
			require.Equal(t, string(want), string(got))
		}
	})
}

func requireSameSpelling(t *testing.T, r floor.Request) {
	want, err := r.In()
	require.NoError(t, err)
	got, err := appendPayload(nil, r)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}
