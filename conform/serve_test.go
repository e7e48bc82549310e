package conform

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

// fixed is an honest subject with a rule of its own.
func fixed() Subject {
	return InProcess(Hello{Name: "fixed", Language: "go", MaxBatch: 100}, Funcs{
		Decide: func(in *floor.DecideIn) (floor.DecideOut, error) {
			if in.SourceRecoverable {
				return floor.DecideOut{Decision: floor.Provisional}, nil
			}
			return floor.DecideOut{
				Decision:          floor.Refuse,
				MissingClasses:    in.Contract.Required,
				Generation:        &in.Contract.Generation,
				AncestryCertified: &in.Contract.AncestryCertified,
			}, nil
		},
	})
}

const (
	goodIn      = `{"contract":{"required_classes":["negation"],"certified_classes":[],"generation":2,"ancestry_certified":false},"source_recoverable":false,"consumer_strict":false,"chaining_risk":false,"side_effect_cost_exceeds_refusal":false}`
	goodRefusal = `{"decision":"refuse","missing_classes":["negation"],"generation":2,"ancestry_certified":false}`
)

func TestServe(t *testing.T) {
	spaced := strings.ReplaceAll(goodIn, ",", ", ")
	tests := []struct{ name, in, out, notes string }{
		{"hello", `{"id":0,"op":"hello","protocol":[1],"suite":"x"}`,
			`{"id":0,"protocol":1,"name":"fixed","version":"","language":"go","ops":["decide"],"policy":"guard","max_batch":100,"stateful":false}`, ""},
		{"hello to several versions", `{"id":5,"op":"hello","protocol":[3, 1]}`, `{"id":5,"protocol":1,`, ""},
		{"hello of another version", `{"id":0,"op":"hello","protocol":[2]}`,
			`{"id":0,"error":{"code":"unsupported","message":"protocol: only version 1 is spoken here"}}`, ""},
		{"hello without a version", `{"id":0,"op":"hello"}`, `{"id":0,"error":{"code":"bad_request","message":"protocol: is missing"}}`, ""},
		{"hello with a version that is no list", `{"id":0,"op":"hello","protocol":1}`, `{"id":0,"error":{"code":"bad_request","message":"protocol: must be a list"}}`, ""},
		{"a decision", `{"id":1,"op":"decide","in":` + goodIn + `}`, `{"id":1,"out":` + goodRefusal + `}`, ""},
		{"spaces and another order", ` { "in" : ` + spaced + ` , "op" : "decide" , "id" : 1 } `, `{"id":1,"out":` + goodRefusal + `}`, ""},
		{"names are names, however they are escaped", `{"\u0069d":1,"op":"\u0064ecide","in":` + goodIn + `}`, `{"id":1,"out":` + goodRefusal + `}`, ""},
		{"a bad request", `{"id":1,"op":"decide","in":{"contract":7}}`,
			`{"id":1,"error":{"code":"bad_request","message":"in.`, ""},
		{"a name in capitals is another name", `{"id":1,"op":"decide","IN":{},"in":{"Contract":{}}}`,
			`{"id":1,"error":{"code":"bad_request","message":"in.`, ""},
		{"nothing in it", `{"id":1,"op":"decide"}`, `{"id":1,"error":{"code":"bad_request","message":"in: is missing"}}`, ""},
		{"no op", `{"id":1}`, `{"id":1,"error":{"code":"bad_request","message":"op: is missing"}}`, ""},
		{"an op that is no string", `{"id":1,"op":null}`, `{"id":1,"error":{"code":"bad_request","message":"op: must be a string"}}`, ""},
		{"an unknown op", `{"id":1,"op":"decode","in":{}}`, `{"id":1,"error":{"code":"unsupported","message":"op \"decode\" is not offered"}}`, ""},
		{"an op that is not offered", `{"id":1,"op":"derive","in":{}}`, `{"id":1,"error":{"code":"unsupported",`, ""},
		{"two ins", `{"id":1,"op":"decide","in":{},"in":{}}`, `{"id":1,"error":{"code":"bad_request","message":"in stands twice"}}`, ""},
		{"a batch", `{"id":2,"op":"batch","of":"decide","in":[` + goodIn + `,` + spaced + `,{}]}`,
			`{"id":2,"out":[{"out":` + goodRefusal + `},{"out":` + goodRefusal + `},{"error":{"code":"bad_request","message":"in.`, ""},
		{"a plain batch", `{"id":2,"op":"batch","of":"decide","in":[` + goodIn + `,` + goodIn + `]}`,
			`{"id":2,"out":[{"out":` + goodRefusal + `},{"out":` + goodRefusal + `}]}`, ""},
		{"an empty batch", `{"id":2,"op":"batch","of":"decide","in":[]}`, `{"id":2,"out":[]}`, ""},
		{"a batch of what is not offered", `{"id":2,"op":"batch","of":"derive","in":[{},{}]}`, `{"id":2,"error":{"code":"unsupported",`, ""},
		{"a batch of batches", `{"id":2,"op":"batch","of":"batch","in":[]}`, `{"id":2,"error":{"code":"unsupported",`, ""},
		{"a batch of nothing", `{"id":2,"op":"batch","in":[]}`, `{"id":2,"error":{"code":"bad_request","message":"of: is missing"}}`, ""},
		{"a batch that is no list", `{"id":2,"op":"batch","of":"decide","in":{}}`, `{"id":2,"error":{"code":"bad_request","message":"in: must be a list, of a batch"}}`, ""},
		{"not JSON", `decide!`, "", `line 1 cannot be read: not JSON: "decide!"`},
		{"no id", `{"op":"decide"}`, "", `line 1 has no integer id: `},
		{"an id with a fraction", `{"id":1.0,"op":"decide"}`, "", `line 1 has no integer id: `},
		{"an id twice", `{"id":1,"id":2,"op":"decide"}`, "", `line 1 cannot be read: id stands twice: `},
		{"bad UTF-8", `{"id":1,"op":"decide","x":"` + "\xff" + `"}`, "", `line 1 cannot be read: not UTF-8: `},
		{"too long", strings.Repeat(" ", MaxLine+1), "", `line 1 is longer than 16 MiB: `},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var out, notes bytes.Buffer
			in := tt.in + "\r\n" + `{"id":77,"op":"decide","in":` + goodIn + `}` // goes on, and needs no last LF
			require.NoError(t, Serve(context.Background(), strings.NewReader(in), &out, &notes, fixed()))
			first, next := "", out.String()
			if tt.out != "" {
				first, next, _ = strings.Cut(next, "\n")
			}
			require.True(t, strings.HasPrefix(first, tt.out), first)
			require.Equal(t, `{"id":77,"out":`+goodRefusal+"}\n", next)
			require.True(t, strings.HasPrefix(notes.String(), tt.notes), notes.String())
			require.Equal(t, tt.notes == "", notes.Len() == 0)
		})
	}
}

func TestServeEndsAtBye(t *testing.T) {
	var out bytes.Buffer
	in := "{\"id\":1,\"op\":\"bye\"}\n{\"id\":2,\"op\":\"decide\",\"in\":{}}\n"
	require.NoError(t, Serve(context.Background(), strings.NewReader(in), &out, &out, fixed()))
	require.Empty(t, out.String())
}

func TestServeSaysThatItsSubjectPanicked(t *testing.T) {
	panics := InProcess(Hello{Name: "p"}, Funcs{Decide: func(*floor.DecideIn) (floor.DecideOut, error) { panic("no") }})
	var out bytes.Buffer
	in := `{"id":1,"op":"decide","in":` + goodIn + `}`
	require.NoError(t, Serve(context.Background(), strings.NewReader(in), &out, &out, panics))
	require.Equal(t, `{"id":1,"error":{"code":"internal","message":"crash: panic: no"}}`+"\n", out.String())
}

type failing struct{}

func (failing) Read([]byte) (int, error)  { return 0, errors.New("gone") }
func (failing) Write([]byte) (int, error) { return 0, errors.New("gone") }

func TestServeReportsBrokenStreams(t *testing.T) {
	ctx := context.Background()
	require.EqualError(t, Serve(ctx, failing{}, &bytes.Buffer{}, &bytes.Buffer{}, fixed()), "read requests: gone")
	hello := strings.NewReader("{\"id\":0,\"op\":\"hello\",\"protocol\":[1]}\n")
	require.EqualError(t, Serve(ctx, hello, failing{}, &bytes.Buffer{}, fixed()), "write answers: gone")
}

// What goes over the wire comes back as it does in process.
func TestServeAnswersAsInProcess(t *testing.T) {
	ctx := context.Background()
	requests := []floor.Request{
		floor.ParseRequest(floor.OpDecide, []byte(goodIn)),
		floor.ParseRequest(floor.OpDecide, []byte(strings.Replace(goodIn, "negation", "aé<\\n\\u2028", 1))),
		floor.ParseRequest(floor.OpDecide, []byte(strings.Replace(goodIn, `"source_recoverable":false`, `"source_recoverable":true`, 1))),
		floor.ParseRequest(floor.OpDecide, []byte(`{}`)),
	}
	want, err := fixed().Ask(ctx, requests)
	require.NoError(t, err)
	var text []byte
	for i, r := range requests {
		in, err := appendPayload(nil, r)
		require.NoError(t, err)
		text = appendSingle(text, int64(i), r.Op, in)
	}
	var out bytes.Buffer
	require.NoError(t, Serve(ctx, bytes.NewReader(text), &out, &out, fixed()))
	for i, answer := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		_, _, got := DecodeAnswerLine([]byte(answer), floor.OpDecide, 0)
		require.Equal(t, want[i:i+1], got)
	}
}
