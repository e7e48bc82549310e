package conform

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

// textual is a subject of the ops about texts: it certifies what is required, and
// refuses to compact; a budget of 13 is none to it.
func textual() Subject {
	return InProcess(Hello{Name: "texts"}, Funcs{
		Certify: func(in *floor.CertifyIn) (floor.CertifyOut, error) {
			return floor.CertifyOut{Certified: in.Required, Fidelity: []floor.Fidelity{}, Lost: []string{}, Inverted: []string{}}, nil
		},
		Compact: func(in *floor.CompactIn) (floor.CompactOut, error) {
			if in.BudgetTokens == 13 {
				return floor.CompactOut{}, errors.New("in.budget_tokens: is unlucky")
			}
			return floor.CompactOut{
				Decision: floor.Refuse, MissingClasses: in.Required, OverBudgetTokens: &in.BudgetTokens, Escalations: []string{"human"},
			}, nil
		},
	})
}

const (
	certifyIn = `{"source":[],"output":{"text":"a"},"required_classes":["negation"]}`
	compactIn = `{"spans":[],"required_classes":["negation"],"known_classes":[],"source_recoverable":false,"consumer_strict":false,` +
		`"chaining_risk":false,"side_effect_cost_exceeds_refusal":false,"budget_tokens":7,"summaries":[]}`
)

func TestOpsAboutTexts(t *testing.T) {
	s := textual()
	require.Equal(t, []floor.Op{floor.OpCertify, floor.OpCompact}, s.Hello().Ops)
	tests := []struct {
		name string
		op   floor.Op
		in   string
		want string // of the answer
	}{
		{"certify", floor.OpCertify, certifyIn, `{"out":{"certified_classes":["negation"],"fidelity":[],"lost":[],"inverted":[]}}`},
		{"compact", floor.OpCompact, compactIn, `{"out":{"decision":"refuse","missing_classes":["negation"],"over_budget_tokens":7,"escalations":["human"]}}`},
		{"a bad certify", floor.OpCertify, strings.Replace(certifyIn, `"a"`, `1`, 1),
			`{"error":{"code":"bad_request","message":"in.output.text: must be a string, got a number"}}`},
		{"a bad compact", floor.OpCompact, strings.Replace(compactIn, `:7`, `:-7`, 1),
			`{"error":{"code":"bad_request","message":"in.budget_tokens: must be 0 or more, got -7"}}`},
		{"what the function objects to", floor.OpCompact, strings.Replace(compactIn, `:7`, `:13`, 1),
			`{"error":{"code":"bad_request","message":"in.budget_tokens: is unlucky"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := s.Ask(t.Context(), []floor.Request{floor.ParseRequest(tt.op, []byte(tt.in))})
			require.NoError(t, err)
			text, err := got[0].MarshalJSON()
			require.NoError(t, err)
			require.Equal(t, tt.want, string(text))

			// Over the wire it is the same, alone and in a batch.
			var out bytes.Buffer
			lines := `{"id":1,"op":"` + string(tt.op) + `","in":` + tt.in + "}\n" + `{"id":2,"op":"batch","of":"` + string(tt.op) + `","in":[` + tt.in + "]}\n"
			require.NoError(t, Serve(t.Context(), strings.NewReader(lines), &out, &out, s))
			answers := strings.Split(out.String(), "\n")
			require.Equal(t, `{"id":1,`+tt.want[1:], answers[0])
			for i, batch := range []int{0, 1} {
				_, _, again := DecodeAnswerLine([]byte(answers[i]), tt.op, batch)
				require.Equal(t, got, again)
				require.False(t, open(again[0]))
			}
		})
	}
}

// A request that was built in Go is validated too, and one that is not offered
// is not answered.
func TestOpsAboutTextsBuiltInGo(t *testing.T) {
	ask := func(s Subject, r floor.Request) *floor.AnswerError {
		got, err := s.Ask(t.Context(), []floor.Request{r})
		require.NoError(t, err)
		require.NotNil(t, got[0].Err)
		return got[0].Err
	}
	certify := floor.Request{Op: floor.OpCertify, Certify: &floor.CertifyIn{Output: floor.Delivery{Status: "fine"}}}
	compact := floor.Request{Op: floor.OpCompact, Compact: &floor.CompactIn{BudgetTokens: -1}}
	require.Equal(t, floor.BadRequestCode, ask(textual(), certify).Code)
	require.Equal(t, floor.BadRequestCode, ask(textual(), compact).Code)
	require.Equal(t, floor.UnsupportedCode, ask(fixed(), certify).Code)
	require.Equal(t, floor.UnsupportedCode, ask(fixed(), compact).Code)

	broken := InProcess(Hello{}, Funcs{Certify: func(*floor.CertifyIn) (floor.CertifyOut, error) { return floor.CertifyOut{}, errors.New("no") }})
	certify.Certify.Output.Status = ""
	require.Equal(t, &floor.AnswerError{Code: floor.BadRequestCode, Message: "no"}, ask(broken, certify))
}

// What may wait for a model is waited for.
func TestHowLongAnAnswerMayTake(t *testing.T) {
	for op, want := range map[floor.Op]any{
		floor.OpDecide: DefaultTimeout, floor.OpCertify: DefaultTimeout, floor.OpCompact: DefaultLongTimeout, floor.OpReduce: DefaultLongTimeout,
	} {
		require.Equal(t, want, Command{}.timeout(op), op)
	}
	require.EqualValues(t, 7, Command{Timeout: 7}.timeout(floor.OpCompact))
}
