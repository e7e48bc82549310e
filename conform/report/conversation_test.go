package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

func messages(texts ...string) (out []floor.Message) {
	for _, text := range texts {
		out = append(out, floor.Message{Role: floor.User, Text: text})
	}
	return out
}

func reducing(generations ...floor.ReduceIn) floor.Case {
	c := floor.Case{Policy: floor.Guard, Planted: &floor.Planted{}}
	for i := range generations {
		c.Steps = append(c.Steps, floor.Request{Op: floor.OpReduce, Reduce: &generations[i]})
	}
	return c
}

func plant(id string, class floor.Class, form string, step, message int) floor.Plant {
	return floor.Plant{Element: floor.Element{ID: id, Class: class, Forms: []string{form}}, Said: floor.Place{Step: step, Message: message}}
}

// lossy is a finding about a conversation of three generations, with all that
// can be shown of one.
func lossy(t *testing.T) Line {
	t.Helper()
	first := messages("Hello.", "Never mind this one.")
	for i := range 14 {
		first = append(first, floor.Message{Role: floor.Assistant, Text: fmt.Sprintf("Step %d.", i+1)})
	}
	first = append(first,
		floor.Message{Role: floor.System, Text: "The table is orders_v2."},
		floor.Message{Role: floor.Assistant, Calls: []floor.Call{{ID: "c1", Name: "read_file", Args: []byte(`{"path":"docs/a.txt"}`)}}},
		floor.Message{Role: floor.Tool, CallID: "c1", Text: "Line 1."},
	)
	c := reducing(
		floor.ReduceIn{TargetTokens: 1200, Messages: first},
		floor.ReduceIn{TargetTokens: 1, Messages: messages("Use orders_v3 instead of orders_v2.")},
		floor.ReduceIn{TargetTokens: 40, Messages: messages("Go on.")},
	)
	c.Planted.Summarizer = "drop-one"
	old := plant("p1", floor.Identifier, "orders_v2", 0, 16)
	old.Ended = &floor.Ended{Place: floor.Place{Step: 1}, How: floor.Replaced, By: "p2"}
	c.Planted.Plants = []floor.Plant{old, plant("p2", floor.Identifier, "orders_v3", 1, 0)}

	two := int64(2)
	answers := []floor.Answer{
		{Reduce: &floor.ReduceOut{Refused: true, Reason: "\x1b]0;owned\a not\nnow"}},
		{
			Reduce: &floor.ReduceOut{Mark: floor.MarkProvisional, Generation: &two, Messages: []floor.Message{
				{Role: floor.System, Text: "\x1b[2J" + strings.Repeat("long ", 60)},
				{Role: floor.Assistant, Text: "I call.", Calls: []floor.Call{{ID: "\u202ec1", Name: "a b", Args: []byte(`{"x":"` + strings.Repeat("y", 300) + `"}`)}, {ID: "c2", Name: "n", Args: []byte(`{}`)}}},
				{Role: floor.Tool, CallID: "c\x00", Text: "\tx"},
				{Role: floor.User},
			}},
			Recalled: []floor.Recalled{
				{Query: "orders_v3", Text: "It was \x1b[31mred."},
				{Query: "two words", Err: &floor.AnswerError{Code: floor.UnavailableCode, Message: "gone\r\nPASS"}},
			},
		},
		{Err: &floor.AnswerError{Code: floor.InternalCode, Message: "out of order"}},
	}
	return Line{
		RuleResult: conform.RuleResult{
			Rule: rule(t, "reduce/no-silent-loss"), Verdict: conform.Fail, Cases: 20, Applied: 18, FirstAt: 3, Wrong: 2,
			Counterexample: &conform.Counterexample{
				Rule: "reduce/no-silent-loss", Verdict: conform.Fail, Case: c, Answers: answers,
				Want: `"orders_v3" literally retained`, Got: "lost from \x1b[2J", At: "identifier p2", Size: 9, Again: 5, Wrong: 4,
			},
		},
		File: "failures/reduce-no-silent-loss-3f9a1c20.json",
	}
}

// A finding about a conversation shows it as it went, the end of what is long,
// and nothing that moves the reader's cursor.
func TestConversation(t *testing.T) {
	long := strings.Repeat("long ", 47) + "l…"
	want := `
reduce/no-silent-loss   expected "orders_v3" literally retained
    got        lost from \x1b[2J
    at         identifier p2
    rule       nothing that bears the load is lost without a refusal or the mark provisional
    the model  played drop-one
    generation 1: asked, target 1,200 tokens
      … 3 messages before
      assistant  Step 2.
      assistant  Step 3.
      assistant  Step 4.
      assistant  Step 5.
      assistant  Step 6.
      assistant  Step 7.
      assistant  Step 8.
      assistant  Step 9.
      assistant  Step 10.
      assistant  Step 11.
      assistant  Step 12.
      assistant  Step 13.
      assistant  Step 14.
      system     The table is orders_v2.   (identifier)
      assistant  [call c1 read_file {"path":"docs/a.txt"}]
      tool       [result of c1] Line 1.
    answered   refused: \x1b]0;owned\a not\nnow
    generation 2: asked the same, and, target 1 token
      user       Use orders_v3 instead of orders_v2.   (ends identifier, replaced; identifier)
    answered   4 messages, marked provisional, generation 2
      system     \x1b[2J` + long + `
      assistant  I call. [call "\u202ec1" "a b" {"x":"` + strings.Repeat("y", 234) + `…] [call c2 n {}]
      tool       [result of "c\x00"] \tx
      user
    recalled   orders_v3 → "It was \x1b[31mred."
    recalled   "two words" → error unavailable: gone\r\nPASS
    generation 3: asked its last output, and, target 40 tokens
      user       Go on.
    answered   error internal: out of order
    again      wrong in 4 of 5
    replay     floorcheck replay failures/reduce-no-silent-loss-3f9a1c20.json -- python3 box.py
    why        floorcheck explain reduce/no-silent-loss
`
	var got bytes.Buffer
	require.NoError(t, WriteFinding(&got, lossy(t), []string{"--", "python3", "box.py"}))
	require.Equal(t, want, got.String())
}

// One generation has no number, and a model that does as it should no mention.
func TestConversationOfOneGeneration(t *testing.T) {
	l := lossy(t)
	ce := l.Counterexample
	ce.Case = reducing(floor.ReduceIn{TargetTokens: 0, Messages: messages("Only if it rains.")})
	ce.Case.Planted.Plants = []floor.Plant{plant("p1", "a\x1bb", "it rains", 0, 0)}
	ce.Answers = []floor.Answer{{Reduce: &floor.ReduceOut{Mark: floor.NoMark}}}
	ce.Again, ce.Remembers, l.File = 0, true, ""
	var got bytes.Buffer
	require.NoError(t, WriteFinding(&got, l, nil))
	require.Contains(t, got.String(), `
    asked, target 0 tokens
      user       Only if it rains.   ("a\x1bb")
    answered   0 messages, marked none
    remembers  alone, `)
	require.NotContains(t, got.String(), "the model")
	require.NotContains(t, got.String(), "replay ")
}

// However much a subject gives, a report stays one that can be read.
func TestEnormousConversation(t *testing.T) {
	l := lossy(t)
	enormous := floor.Message{Role: floor.Assistant, Text: strings.Repeat("\x1b", 1<<20), CallID: strings.Repeat("i", 1<<20)}
	for range 10_000 {
		enormous.Calls = append(enormous.Calls, floor.Call{ID: "c", Name: "n", Args: []byte(`{}`)})
	}
	l.Counterexample.Answers[1].Reduce.Messages = append(make([]floor.Message, 100_000), enormous)
	var got bytes.Buffer
	require.NoError(t, WriteFinding(&got, l, nil))
	require.Less(t, got.Len(), 10_000)
	require.Contains(t, got.String(), "answered   100,001 messages, marked provisional")
	require.Contains(t, got.String(), "      … 99,985 messages before\n")
	require.Contains(t, got.String(), " [call c n {}] … and 9,992 calls more\n")
	require.NotContains(t, got.String(), "\x1b")
}

// keeping is a report of a black box that loses in its second generation.
func keeping(t *testing.T) *Report {
	t.Helper()
	return &Report{
		Suite: "2026.1", Seed: 8123, Cases: 40, ExitCode: ExitViolated,
		Hello: conform.Hello{Name: "box", Policy: floor.Guard, Ops: []floor.Op{floor.OpReduce, floor.OpRecall}, MaxBatch: 1},
		Rules: []Line{
			{RuleResult: conform.RuleResult{Rule: rule(t, "reduce/chain"), Verdict: conform.Pass, Cases: 40, Applied: 30}},
			{RuleResult: conform.RuleResult{Rule: rule(t, "reduce/error-not-memory"), Verdict: conform.NotClaimed, Cases: 40}},
			{RuleResult: conform.RuleResult{Rule: rule(t, "reduce/generation"), Verdict: conform.NotClaimed, Cases: 40, Applied: 30}},
			{RuleResult: conform.RuleResult{Rule: rule(t, "reduce/role"), Verdict: conform.NotRun, Cases: 40, Applied: 7}},
		},
		Retention: &conform.Retention{
			Reductions: 1234, Refused: 6, Marked: 1,
			Generations: []model.ClassTally{
				{Step: 0, Class: "a\x1bb", Live: 3, Kept: 3}, {Step: 0, Class: floor.Identifier, Live: 2000, Kept: 1999, Lost: 1},
				{Step: 2, Class: floor.Identifier, Live: 3, Kept: 1, Inverted: 1, Lost: 1}, {Step: 2, Class: floor.Negation, Live: 8},
			},
		},
	}
}

func TestRetentionInWords(t *testing.T) {
	const want = `  PASS        reduce/chain                applied to 30 of 40 cases
  NOT-CLAIMED reduce/error-not-memory     the subject says of no model inside
  NOT-CLAIMED reduce/generation           SHOULD; no answer offered what it is about
  NOT-RUN     reduce/role                 SHOULD; applied to 7 of 40 cases; at least 20 are needed

  1,234 reductions: 6 refused, 1 marked provisional. A refusal is never wrong, and a mark excuses a loss.
  Literally retained, of the planted elements that were live; then how many were lost, and inverted:
    generation    1                           2                           3
    "a\x1bb"      3/3 100 %                   -                           -
    identifier    1,999/2,000 99 %, 1/0       -                           1/3 33 %, 1/1
    negation      -                           -                           0/8 0 %

VIOLATED  0 of 2 rules · 40 cases · seed 8123
`
	var got bytes.Buffer
	require.NoError(t, WriteText(&got, keeping(t), Style{}))
	require.Equal(t, want, got.String())

	r := keeping(t)
	r.Retention = &conform.Retention{Reductions: 1, Refused: 1}
	r.Rules, r.ExitCode = r.Rules[:1], ExitHolds
	got.Reset()
	require.NoError(t, WriteText(&got, r, Style{}))
	require.Contains(t, got.String(), "\n  1 reduction: 1 refused, 0 marked provisional. A refusal is never wrong, and a mark excuses a loss.\n")
	require.NotContains(t, got.String(), "Literally retained", "who always refuses shows nothing of what he keeps")
	require.Contains(t, got.String(), "Not looked at: whether what is literally retained is used, and what was said in other words.")
}

// What programs read of conversations; a report without any has no such field.
func TestRetentionInJSON(t *testing.T) {
	const want = `{
  "reductions": 1234,
  "refused": 6,
  "marked": 1,
  "retained": [
    {"generation": 1, "class": "a\u001bb", "live": 3, "kept": 3, "inverted": 0, "lost": 0},
    {"generation": 1, "class": "identifier", "live": 2000, "kept": 1999, "inverted": 0, "lost": 1},
    {"generation": 3, "class": "identifier", "live": 3, "kept": 1, "inverted": 1, "lost": 1},
    {"generation": 3, "class": "negation", "live": 8, "kept": 0, "inverted": 0, "lost": 0}
  ]
}`
	field := func(r *Report) json.RawMessage {
		var text bytes.Buffer
		require.NoError(t, WriteJSON(&text, r))
		require.NotContains(t, text.String(), "\x1b")
		var fields map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(text.Bytes(), &fields))
		require.NotContains(t, fields, "notes")
		return fields["reduce"]
	}
	require.JSONEq(t, want, string(field(keeping(t))))
	require.Regexp(t, `(?s)^\{\s+"reductions".*"refused".*"marked".*"retained".*"generation".*"class".*"live".*"kept".*"inverted".*"lost"`, string(field(keeping(t))))

	r := keeping(t)
	r.Retention = &conform.Retention{Reductions: 2, Refused: 2}
	require.JSONEq(t, `{"reductions": 2, "refused": 2, "marked": 0, "retained": []}`, string(field(r)))
	require.Nil(t, field(small(t)))
	require.Nil(t, field(&Report{}))
}

// A counterexample's case goes into the JSON with what is planted in it.
func TestCounterexampleInJSON(t *testing.T) {
	r := keeping(t)
	r.Rules = []Line{lossy(t)}
	var text bytes.Buffer
	require.NoError(t, WriteJSON(&text, r))
	var back struct {
		Rules []struct{ Counterexample struct{ Case floor.Case } }
	}
	require.NoError(t, json.Unmarshal(text.Bytes(), &back))
	require.Equal(t, lossy(t).Counterexample.Case.Planted, back.Rules[0].Counterexample.Case.Planted)
	require.Equal(t, spelled(lossy(t).Counterexample.Case), spelled(back.Rules[0].Counterexample.Case))
}
