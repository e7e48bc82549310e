//go:build unix

package conform

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

// outputs are what a rogue black box answers to a conversation that holds the
// word trigger, by its mode: $ID stands for the request's id, $IN for the
// messages, to be followed by others.
var outputs = map[string]string{
	"box-empty-list":             `{"messages":[]}`,
	"box-empty-texts":            `{"messages":[{"role":"user","text":""}]}`,
	"box-no-messages":            `{"mark":"none"}`,
	"box-null":                   `{"messages":null}`,
	"box-null-message":           `{"messages":[null]}`,
	"box-null-text":              `{"messages":[{"role":"user","text":null}]}`,
	"box-no-text":                `{"messages":[{"role":"user"}]}`,
	"box-parts":                  `{"messages":[{"role":"user","text":[{"type":"text","text":"trigger"}]}]}`,
	"box-a-text":                 `"a summary of it all"`,
	"box-unknown-role":           `{"messages":[{"role":"developer","text":"x"}]}`,
	"box-no-role":                `{"messages":[{"text":"x"}]}`,
	"box-unknown-mark":           `{"messages":[],"mark":"partial"}`,
	"box-null-mark":              `{"messages":[],"mark":null}`,
	"box-args-text":              `{"messages":[{"role":"assistant","text":"","calls":[{"id":"c1","name":"n","args":"{}"}]}]}`,
	"box-no-call-id":             `{"messages":[{"role":"assistant","text":"","calls":[{"name":"n","args":{}}]}]}`,
	"box-generation-fraction":    `{"messages":[],"generation":1.5}`,
	"box-generation-negative":    `{"messages":[],"generation":-1}`,
	"box-refused-without-reason": `{"refused":true}`,
	"box-refused-text":           `{"refused":"yes","reason":"x"}`,
	"box-not-refused":            `{"refused":false,"reason":"x"}`,
	"box-refused":                `{"refused":true,"reason":"all of it is needed"}`,
	"box-call-alone":             `{"messages":[$IN,{"role":"assistant","text":"","calls":[{"id":"c7","name":"n","args":{}}]},{"role":"tool","text":"x","call_id":"c8"}]}`,
	"box-call-twice":             `{"messages":[$IN,{"role":"assistant","text":"","calls":[{"id":"c7","name":"n","args":{}},{"id":"c7","name":"n","args":{}}]}]}`,
	"box-bad-utf8":               "{\"messages\":[{\"role\":\"user\",\"text\":\"\xff\"}]}",
	"box-lone-surrogate":         `{"messages":[$IN,{"role":"user","text":"\ud800"}]}`,
	"box-nul":                    `{"messages":[$IN,{"role":"user","text":"\u0000\u001b[2J"}]}`,
	"box-deep":                   `{"messages":[{"role":"assistant","text":"","calls":[{"id":"c","name":"n","args":{"a":` + strings.Repeat("[", 1<<20) + strings.Repeat("]", 1<<20) + `}}]}]}`,
	"box-marks":                  `{"messages":[{"role":"user","text":"gone"}],"mark":"provisional"}`,
}

// askBox answers like a box that keeps everything, but where it goes wrong.
func (r *rogue) askBox(q asked) {
	var in struct {
		Messages json.RawMessage `json:"messages"`
		Query    string          `json:"query"`
	}
	must(json.Unmarshal(q.In, &in))
	out := fmt.Sprintf(`{"messages":%s}`, in.Messages)
	if q.Op == "recall" {
		r.recall(q, in.Query)
		return
	}
	if q.Op != "reduce" {
		r.say(`{"id":%d,"error":{"code":"unsupported","message":"%s"}}`, q.ID, q.Op)
		return
	}
	if bytes.Contains(in.Messages, []byte("trigger")) {
		must(r.out.Flush())
		switch kind, _, _ := strings.Cut(strings.TrimPrefix(r.mode, "box-"), "-"); kind {
		case "recall":
			out = outputs["box-marks"]
		case "throws":
			r.say(`{"id":%d,"error":{"code":"internal","message":"RuntimeError: out of \u001b[2Jorder"}}`, q.ID)
			return
		case "silent":
			select {}
		case "slow":
			time.Sleep(4 * soon)
		case "dies":
			fmt.Fprintln(os.Stderr, "Traceback: cannot bear it")
			os.Exit(7)
		case "long": // text that makes the line as long as it may be, or one byte longer
			frame := `{"id":%d,"out":{"messages":[{"role":"user","text":"%s"}]}}`
			room := MaxLine - len(fmt.Sprintf(frame, q.ID, ""))
			if r.mode == "box-long-one-more" {
				room++
			}
			r.say(frame, q.ID, strings.Repeat("x", room))
			return
		case "heavy":
			out = heavyOut(r.mode)
		default:
			if found, ok := outputs[r.mode]; ok {
				out = strings.ReplaceAll(found, "$IN", string(bytes.Trim(in.Messages, "[]")))
			}
		}
	}
	r.say(`{"id":%d,"out":%s}`, q.ID, out)
}

func (r *rogue) recall(q asked, query string) {
	switch r.mode {
	case "box-recall-dies":
		os.Exit(7)
	case "box-recall-silent":
		select {}
	case "box-recall-garbage":
		r.say(`{"id":%d,"out":{"messages":[]}}`, q.ID)
	case "box-recall-error":
		r.say(`{"id":%d,"error":{"code":"unavailable","message":"gone"}}`, q.ID)
	case "box-recall-nothing":
		r.say(`{"id":%d,"out":{"text":""}}`, q.ID)
	default:
		r.say(`{"id":%d,"out":{"text":%q}}`, q.ID, query)
	}
}

// heavyOut is an output of ten megabytes, or of three in tens of thousands of
// messages: enough to show whose time grows with the square of their number.
func heavyOut(mode string) string {
	size := 3 << 20
	if mode == "box-heavy-text" {
		size = 10 << 20
	}
	var b strings.Builder
	b.WriteString(`{"messages":[`)
	add := func(format string, i int) {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, format, i)
	}
	switch mode {
	case "box-heavy-text":
		b.WriteString(`{"role":"assistant","text":"`)
		for b.Len() < size { // near misses of what is planted, and its words
			b.WriteString("Trigger red-11 and non-red-1. ")
		}
		b.WriteString(`"}`)
	case "box-heavy-messages":
		for i := 0; b.Len() < size; i++ {
			add(`{"role":"user","text":"Message %d."}`, i)
		}
	case "box-heavy-calls":
		for i := 0; b.Len() < size; i++ {
			add(`{"role":"assistant","text":"","calls":[{"id":"k%d","name":"n","args":{}}]}`, i)
		}
	case "box-heavy-results":
		for i := 0; b.Len() < size; i++ {
			add(`{"role":"tool","text":"","call_id":"k%d"}`, i)
		}
	}
	b.WriteString("]}")
	return b.String()
}

// conversationRules are the rules about conversations, each content with one
// case.
func conversationRules() (rules []model.Rule) {
	for _, r := range model.Rules() {
		if r.Op == floor.OpReduce && !r.Model {
			r.Minimum = 1
			rules = append(rules, r)
		}
	}
	return rules
}

// triggered is a conversation of two generations that brings out, in the first,
// what a rogue does wrong. An element is planted in each, and a tool is called.
func triggered() floor.Case {
	c := talk("The trigger is red-1.|Go on.", "The other is blue-2.|Go on.")
	in := c.Steps[0].Reduce
	in.Messages = append(in.Messages,
		floor.Message{Role: floor.Assistant, Calls: []floor.Call{{ID: "c1", Name: "read", Args: []byte(`{}`)}}},
		floor.Message{Role: floor.Tool, CallID: "c1", Text: "Nothing."})
	return planted(c, "red-1", "blue-2")
}

// harmless is a conversation that nobody goes wrong about.
func harmless() floor.Case { return planted(talk("The base is grey-4.|Go on."), "grey-4") }

// checkRogue has rules judge a rogue on a conversation that brings it out,
// between two that do not.
func checkRogue(t *testing.T, mode string, rules []model.Rule, change func(*Command)) (*rogueTest, map[string]RuleResult, *Result) {
	t.Helper()
	r := startRogue(t, mode, change)
	result, err := Check(t.Context(), r.Process, Options{
		Rules: rules, Stages: []Stage{talks(harmless(), triggered(), harmless())}, Once: true,
	})
	require.NoError(t, err)
	byID := map[string]RuleResult{}
	for _, of := range result.Rules {
		byID[of.Rule.ID] = of
	}
	return r, byID, result
}

// Whatever a black box does wrong has a verdict of its own, one conversation is
// blamed for it, and nothing but a refusal with its reason is one.
func TestEachWrongHasItsVerdict(t *testing.T) {
	const loss, paired = "reduce/no-silent-loss", "reduce/pairing"
	oneInFlight := func(c *Command) { c.Window, c.Timeout = 1, 2*time.Minute } // so that blame is certain
	hurried := func(c *Command) { c.Window, c.Timeout = 1, soon }
	tests := []struct {
		mode, rule string
		want       Verdict
		got        string // in what the report says
	}{
		{"box-good", loss, Pass, ""},
		{"box-refused", loss, Pass, ""},
		{"box-nul", loss, Pass, ""},
		{"box-lone-surrogate", loss, Pass, ""},

		{"box-empty-list", loss, Fail, "literally lost from 0 messages marked none"},
		{"box-empty-texts", loss, Fail, "literally lost from 1 message marked none"},
		{"box-call-alone", paired, Fail, "no call c8 before it"},
		{"box-call-twice", paired, Fail, "call c7 again"},

		{"box-no-messages", loss, Garbled, "out.messages: is missing"},
		{"box-null", loss, Garbled, "out.messages: must be a list, got null"},
		{"box-null-message", loss, Garbled, "out.messages[0]: must be an object, got null"},
		{"box-null-text", loss, Garbled, "out.messages[0].text: must be a string, got null"},
		{"box-no-text", loss, Garbled, "out.messages[0].text: is missing"},
		{"box-parts", loss, Garbled, "out.messages[0].text: must be a string, got a list"},
		{"box-a-text", loss, Garbled, "out: must be an object, got a string"},
		{"box-unknown-role", loss, Garbled, `out.messages[0].role: must be system, user, assistant or tool, got "developer"`},
		{"box-no-role", loss, Garbled, "out.messages[0].role: is missing"},
		{"box-unknown-mark", loss, Garbled, `out.mark: must be none, provisional or certified, got "partial"`},
		{"box-null-mark", loss, Garbled, "out.mark: must be a string, got null"},
		{"box-args-text", loss, Garbled, "out.messages[0].calls[0].args: must be an object, got a string"},
		{"box-no-call-id", loss, Garbled, "out.messages[0].calls[0].id: is missing"},
		{"box-generation-fraction", loss, Garbled, "out.generation: must be an integer"},
		{"box-generation-negative", loss, Garbled, "out.generation: must be"},
		{"box-refused-without-reason", loss, Garbled, "out.reason: is missing"},
		{"box-refused-text", loss, Garbled, "out.refused: must be true or false, got a string"},
		{"box-not-refused", loss, Garbled, "out.messages: is missing"},
		{"box-bad-utf8", loss, Garbled, "not UTF-8"},
		{"box-deep", loss, Garbled, "not JSON"},
		{"box-long-as-may-be", loss, Garbled, "its last output cannot be asked again: in: does not fit in a line"},
		{"box-long-one-more", loss, Garbled, "a line of more than 16 MiB"},

		{"box-throws", loss, Erred, "internal: RuntimeError: out of \x1b[2Jorder"},
		{"box-silent", loss, TimedOut, "no answer within " + soon.String()},
		{"box-dies", loss, Crashed, "exit status 7"},

		{"box-recall-good", loss, Pass, ""},
		{"box-recall-error", loss, Fail, "the error unavailable"},
		{"box-recall-nothing", loss, Fail, `""`},
		{"box-recall-garbage", loss, Garbled, "recall: out.text: is missing"},
		{"box-recall-silent", loss, TimedOut, "recall: no answer within " + soon.String()},
		{"box-recall-dies", loss, Crashed, "recall: exit status 7"},
	}
	named := map[string]bool{}
	for _, tt := range tests {
		named[tt.mode] = true
		t.Run(tt.mode, func(t *testing.T) {
			if testing.Short() && strings.HasPrefix(tt.mode, "box-long") {
				t.Skip("sixteen megabytes through a pipe, twice")
			}
			change := oneInFlight
			if tt.want == TimedOut {
				change = hurried
			}
			rule, ok := model.Lookup(tt.rule)
			require.True(t, ok)
			rule.Minimum = 1
			r, byID, result := checkRogue(t, tt.mode, []model.Rule{rule}, change)
			got := byID[tt.rule]
			require.Equal(t, tt.want, got.Verdict, "%+v", got.Counterexample)
			require.Equal(t, 3, result.Cases, "the others are judged too")
			require.Empty(t, result.Broken)
			require.Empty(t, r.Unexplained())
			answered := 3 + 1 // generations
			if tt.want == Pass || tt.want == Fail {
				require.Equal(t, answered, result.Retention.Reductions)
			} else {
				require.Equal(t, 2, result.Retention.Reductions)
			}
			refused := 0
			if tt.mode == "box-refused" {
				refused = 2
			}
			require.Equal(t, refused, result.Retention.Refused)
			if tt.want == Pass {
				require.Zero(t, got.Wrong)
				return
			}
			require.Equal(t, 1, got.Wrong)
			require.Equal(t, 2, got.FirstAt)
			require.Contains(t, got.Counterexample.Got, tt.got)
			require.Less(t, len(got.Counterexample.Got), 6000)
		})
	}
	for mode := range outputs {
		require.True(t, named[mode] || mode == "box-marks", "%s is not tested", mode)
	}
}

// An explicit timeout holds for every op; without one a conversation, behind
// which a model may be, has more time than a decision.
func TestTimeoutsOfConversations(t *testing.T) {
	tests := []struct {
		given  time.Duration
		op     floor.Op
		wanted time.Duration
	}{
		{0, floor.OpReduce, 120 * time.Second},
		{0, floor.OpRecall, 5 * time.Second},
		{0, floor.OpDecide, 5 * time.Second},
		{0, floor.OpDerive, 5 * time.Second},
		{0, "", 5 * time.Second},
		{7 * time.Second, floor.OpReduce, 7 * time.Second},
		{7 * time.Second, floor.OpDecide, 7 * time.Second},
		{time.Hour, floor.OpReduce, time.Hour},
		{time.Hour, floor.OpDecide, time.Hour},
	}
	for _, tt := range tests {
		require.Equal(t, tt.wanted, Command{Timeout: tt.given}.timeout(tt.op), "%v %s", tt.given, tt.op)
	}
	r := startRogue(t, "box-slow", nil)
	r.command.Timeout = soon
	requests := []floor.Request{triggered().Steps[0], harmless().Steps[0]}
	answers, err := r.Ask(t.Context(), requests)
	require.NoError(t, err)
	require.Equal(t, floor.Timeout, answers[0].Broken)
	require.NotNil(t, answers[1].Reduce)
	r.command.Timeout = 0
	answers, err = r.Ask(t.Context(), requests)
	require.NoError(t, err)
	require.NotNil(t, answers[0].Reduce)
}

// A conversation is never in a batch, whatever hello allows; nor is a recall.
func TestConversationsAreNoBatch(t *testing.T) {
	r := startRogue(t, "box-good", nil)
	require.Equal(t, 8, r.Hello().MaxBatch)
	requests := make([]floor.Request, 40)
	for i := range requests {
		requests[i] = talk(fmt.Sprintf("conversation %d", i)).Steps[0]
		if i%4 == 3 {
			requests[i] = floor.Request{Op: floor.OpRecall, Recall: &floor.RecallIn{Query: fmt.Sprintf("query %d", i)}}
		}
	}
	answers, err := r.Ask(t.Context(), requests)
	require.NoError(t, err)
	for i, a := range answers {
		if i%4 == 3 {
			require.Equal(t, fmt.Sprintf("query %d", i), a.Recall.Text)
		} else {
			require.Equal(t, fmt.Sprintf("conversation %d", i), texts(a.Reduce.Messages))
		}
	}
	require.NotContains(t, fileLines(r.dir, "asked"), "batch")
	require.Len(t, fileLines(r.dir, "asked"), 41)
}

// Several in flight do not spoil each other: the one that ends the process is
// found, and what the others answered stands.
func TestOneConversationOfManyIsBlamed(t *testing.T) {
	for mode, want := range map[string]floor.Breakage{"box-dies": floor.Crash, "box-silent": floor.Timeout} {
		t.Run(mode, func(t *testing.T) {
			r := startRogue(t, mode, timingOut)
			cases := []floor.Case{harmless(), triggered(), harmless(), harmless()}
			answers, err := (&asker{subject: r.Process}).ask(t.Context(), cases)
			require.NoError(t, err)
			for i := range cases {
				require.Equal(t, i == 1, answers[i][0].Broken == want, "case %d: %+v", i, answers[i][0])
				require.Equal(t, i != 1, answers[i][0].Reduce != nil)
			}
			require.Equal(t, notRun, answers[1][1])
			require.Empty(t, r.Unexplained())
			require.Positive(t, r.Losses())
		})
	}
}

// An output of ten megabytes is judged like any other, in seconds, fed back and
// all, and in bounded memory. Not parallel: it measures.
func TestHeavyOutputs(t *testing.T) {
	if testing.Short() {
		t.Skip("tens of megabytes through a pipe")
	}
	for _, mode := range []string{"box-heavy-text", "box-heavy-messages", "box-heavy-calls", "box-heavy-results"} {
		t.Run(mode, func(t *testing.T) {
			command, _, dir := rogueCommand(t, mode)
			command.Timeout = 0
			p, err := Start(t.Context(), command)
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, p.Close()); requireNobodyLeft(t, dir) })

			began, peak := time.Now(), watchHeap(t)
			c := triggered()
			answers := ask(t, p, c)[0]
			require.Greater(t, weigh(answers), 6<<20, "twice an output")
			run, failed := model.Observe(floor.Trace{Case: c, Answers: answers}), map[string]bool{}
			for _, r := range conversationRules() {
				_, found := r.Judge(model.Observation{Base: run})
				failed[r.ID] = len(found) > 0
			}
			t.Logf("%v, %d MiB", time.Since(began), peak()>>20)
			require.Less(t, time.Since(began), 30*time.Second) // on an idle machine one or two
			require.Less(t, peak(), uint64(1)<<30)
			require.True(t, failed["reduce/no-silent-loss"])
			require.True(t, failed["reduce/newest-turn"])
			require.Equal(t, mode == "box-heavy-results", failed["reduce/pairing"])
		})
	}
}

// watchHeap measures how much of the heap is in use at most, from now on.
func watchHeap(t *testing.T) (most func() uint64) {
	var peak uint64
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		var m runtime.MemStats
		for ctx.Err() == nil {
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapAlloc)
			time.Sleep(20 * time.Millisecond)
		}
	}()
	t.Cleanup(stop)
	return func() uint64 {
		stop()
		<-done
		return peak
	}
}
