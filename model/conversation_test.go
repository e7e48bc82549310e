package model

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

func said(texts ...string) []floor.Message {
	var out []floor.Message
	for _, text := range texts {
		out = append(out, floor.Message{Role: floor.User, Text: text})
	}
	return out
}

func reducedTo(texts ...string) floor.Answer {
	return floor.Answer{Reduce: &floor.ReduceOut{Messages: said(texts...)}}
}

// What a step asks follows from what was answered before it.
func TestAskedAndContext(t *testing.T) {
	steps := newTalk(9).say(floor.User, "a").say(floor.User, "b").generation(9).say(floor.User, "c").generation(9).say(floor.User, "d").Case
	bad := floor.Case{Policy: floor.Guard, Steps: slices.Clone(steps.Steps)}
	bad.Steps[1] = floor.Request{Op: floor.OpReduce, Raw: json.RawMessage(`{"messages":7,"target_tokens":9}`)}
	raw := floor.Case{Policy: floor.Guard, Steps: slices.Clone(steps.Steps)}
	raw.Steps[1] = floor.Request{Op: floor.OpReduce, Raw: json.RawMessage(`{"messages":[{"role":"user","text":"c"}],"target_tokens":9,"x-note":null}`)}
	refused := floor.Answer{Reduce: &floor.ReduceOut{Refused: true, Reason: "no"}}
	failed := floor.Answer{Err: &floor.AnswerError{Code: floor.InternalCode}}
	crashed := floor.Answer{Broken: floor.Crash}
	unheard := floor.Answer{Err: &floor.AnswerError{Code: floor.BadRequestCode}}
	tests := []struct {
		name    string
		c       floor.Case
		answers []floor.Answer
		step    int
		asked   string // texts, "-" where there is nothing to ask
		context string
	}{
		{"the first step asks what is new", steps, nil, 0, "a b", "-"},
		{"an output stands", steps, []floor.Answer{reducedTo("ab")}, 0, "a b", "ab"},
		{"and then what is new", steps, []floor.Answer{reducedTo("ab")}, 1, "ab c", "-"},
		{"an empty output stands too", steps, []floor.Answer{reducedTo()}, 1, "c", "-"},
		{"after a refusal what was asked stands", steps, []floor.Answer{refused}, 0, "a b", "a b"},
		{"and what is new is asked with it", steps, []floor.Answer{refused, refused}, 2, "a b c d", "-"},
		{"a refusal after an output", steps, []floor.Answer{reducedTo("ab"), refused}, 2, "ab c d", "-"},
		{"an error ends the chain", steps, []floor.Answer{failed}, 1, "-", "-"},
		{"a crash too", steps, []floor.Answer{crashed}, 1, "-", "-"},
		{"for good", steps, []floor.Answer{failed, reducedTo("c"), reducedTo("d")}, 2, "-", "-"},
		{"so does silence", steps, nil, 1, "-", "-"},
		{"a bad request asks nothing", bad, []floor.Answer{reducedTo("ab")}, 1, "-", "ab"},
		{"and changes nothing", bad, []floor.Answer{reducedTo("ab"), unheard}, 2, "ab d", "-"},
		{"whatever was answered to it", bad, []floor.Answer{reducedTo("ab"), reducedTo("x")}, 2, "ab d", "-"},
		{"what is sent to the letter counts", raw, []floor.Answer{reducedTo("ab")}, 1, "ab c", "-"},
		{"there is no such step", steps, nil, 3, "-", "-"},
		{"nor one before the first", steps, nil, -1, "-", "-"},
	}
	show := func(messages []floor.Message) string {
		if messages == nil {
			return "-"
		}
		var texts []string
		for _, m := range messages {
			texts = append(texts, m.Text)
		}
		return strings.Join(texts, " ")
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			trace := floor.Trace{Case: tt.c, Answers: tt.answers}
			require.Equal(t, tt.asked, show(Asked(trace, tt.step)))
			require.Equal(t, tt.context, show(Context(trace, tt.step)))
		})
	}
}

// Nothing that a rule or the loop does to what is asked reaches the case.
func TestAskedIsACopy(t *testing.T) {
	c := newTalk(9).say(floor.User, "a").generation(9).Case
	asked := Asked(floor.Trace{Case: c}, 0)
	asked[0].Text = "b"
	asked = append(asked[:0], said("x")...)
	require.Equal(t, "a", c.Steps[0].Reduce.Messages[0].Text)
	require.Equal(t, "x", asked[0].Text)
}

func TestDeliveredParts(t *testing.T) {
	m := floor.Message{Role: floor.Assistant, Text: "text", CallID: "not delivered", Calls: []floor.Call{
		{ID: "not", Name: "not", Args: []byte(`{"z":"last","a":["first",{"field":"second"},7,true,null,["third"]],"n":1.5}`)},
		{ID: "not", Name: "not", Args: []byte(`{}`)},
		{ID: "not", Name: "not", Args: []byte(`{`)},
	}}
	require.Equal(t, []string{"text", "first", "second", "third", "last"}, partsOf(m))
	require.Equal(t, []string{""}, partsOf(floor.Message{}))
	require.EqualValues(t, 4+5+6+5+4, sizeOf(partsOf(m)))
	require.EqualValues(t, 3, sizeOf([]string{"é你", "\u0301"}), "characters, not bytes")
}

func TestClearlyUnderAndOver(t *testing.T) {
	for _, tt := range []struct {
		characters, target int64
		under, over        bool
	}{
		{0, 0, false, false},
		{1, 0, false, true},
		{0, 1, true, false},
		{9, 10, true, false},
		{10, 10, false, false},
		{80, 10, false, false},
		{81, 10, false, true},
		{1 << 40, floor.MaxNumber, true, false},
	} {
		require.Equal(t, tt.under, clearlyUnder(tt.characters, tt.target), "%d under %d", tt.characters, tt.target)
		require.Equal(t, tt.over, clearlyOver(tt.characters, tt.target), "%d over %d", tt.characters, tt.target)
	}
}

func TestPlantsAreLiveFromWhenTheyAreSaidUntilTheyEnd(t *testing.T) {
	c := release(between, between).Case
	ids := func(step int) (live []string) {
		for _, i := range liveIn(c, step) {
			live = append(live, c.Planted.Plants[i].ID)
		}
		return live
	}
	require.Equal(t, []string{"s1", "n1", "i1", "o1", "q1", "d1", "h1", "t1"}, ids(0))
	require.Equal(t, []string{"s1", "n1", "o1", "q1", "h1", "t2", "i2", "w1"}, ids(1))
	require.Equal(t, ids(1), ids(4), "what is not said after that changes nothing")
	require.Empty(t, liveIn(floor.Case{}, 0))
}

func TestTheSuccessorOfAnEndedPlant(t *testing.T) {
	ends := func(id, by string, step int) floor.Plant {
		p := identifier(id, id)
		p.Ended = &floor.Ended{Place: floor.Place{Step: step}, How: floor.Replaced, By: by}
		return p
	}
	plants := []floor.Plant{
		ends("a", "b", 0), ends("b", "c", 1), identifier("c", "c"),
		ends("lost", "nobody", 0), ends("x", "y", 0), ends("y", "x", 0),
	}
	for _, tt := range []struct {
		name        string
		plant, step int
		want        int
	}{
		{"who ended it", 0, 0, 1},
		{"who ended that in turn", 0, 1, 2},
		{"itself while it lives", 1, 0, 1},
		{"nobody who is known", 3, 0, -1},
		{"nobody, round in a circle", 4, 0, -1},
	} {
		require.Equal(t, tt.want, (&turn{step: tt.step, plants: plants}).successor(tt.plant), tt.name)
	}
}

func TestRecalls(t *testing.T) {
	c := release(between, between).Case
	nameless := floor.Plant{Element: floor.Element{ID: "z1", Class: "dream"}}
	again := ban("n2", "delete the staging bucket")
	c.Planted = &floor.Planted{Plants: append(slices.Clone(c.Planted.Plants), nameless, again)}
	outcome := func(mark floor.Mark, texts ...string) floor.Answer {
		a := reducedTo(texts...)
		a.Reduce.Mark = mark
		return a
	}
	refused := floor.Answer{Reduce: &floor.ReduceOut{Refused: true, Reason: "no"}}
	all := []string{
		"must page the owner", "do not delete the staging bucket", "db-7.internal", "first run the tests, then deploy", "250 ms",
		"must tag the build", "maybe the cache is cold", "the backup is still open",
	}
	tests := []struct {
		name    string
		answers []floor.Answer
		step    int
		want    []string
	}{
		{"all that is gone, each once, in the order of the plants", []floor.Answer{outcome(floor.MarkProvisional)}, 0, all},
		{"not what is kept", []floor.Answer{outcome(floor.MarkProvisional, "250 ms", "Must page the owner: db-7.internal")}, 0, slices.Concat(all[1:2], all[3:4], all[5:])},
		{"what is inverted or contradicted", []floor.Answer{outcome(floor.MarkProvisional, "Delete the staging bucket.", "The backup is open.", "The backup is done.", strings.Join(append(slices.Clone(all[2:7]), all[0]), ". "))}, 0,
			[]string{all[1], all[7]}},
		{"nothing without a mark", []floor.Answer{outcome(floor.NoMark)}, 0, nil},
		{"nor under another", []floor.Answer{outcome(floor.MarkCertified)}, 0, nil},
		{"nor after a refusal", []floor.Answer{refused}, 0, nil},
		{"nor without an answer", nil, 0, nil},
		{"nor of another step", []floor.Answer{outcome(floor.MarkProvisional)}, 1, nil},
		{"in a later generation what is live then", []floor.Answer{outcome(floor.NoMark, all...), outcome(floor.MarkProvisional, all...)}, 1,
			[]string{"the backup is done", "db-9.internal", "tagging the build is no longer needed"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, in := range Recalls(floor.Trace{Case: c, Answers: tt.answers}, tt.step) {
				got = append(got, in.Query)
			}
			require.Equal(t, tt.want, got)
		})
	}
}

func TestTally(t *testing.T) {
	c := release(between, between).Case
	refused := floor.Answer{Reduce: &floor.ReduceOut{Refused: true, Reason: "no"}}
	first := reducedTo("Delete the staging bucket.", "It must tag the build, 250 ms.", "First run the tests, then deploy. First deploy, then run the tests.")
	got := Observe(floor.Trace{Case: c, Answers: []floor.Answer{first, refused}}).Tally()
	require.Equal(t, []ClassTally{
		{0, floor.Hypothesis, 1, 0, 0, 1},
		{0, floor.Identifier, 1, 0, 0, 1},
		{0, floor.Negation, 1, 0, 1, 0},
		{0, floor.Obligation, 2, 1, 0, 1},
		{0, floor.Ordering, 1, 0, 1, 0},
		{0, floor.Quantity, 1, 1, 0, 0},
		{0, floor.Status, 1, 0, 0, 1},
		{1, floor.Hypothesis, 1, 0, 0, 1},
		{1, floor.Identifier, 1, 1, 0, 0},
		{1, floor.Negation, 2, 1, 1, 0},
		{1, floor.Obligation, 1, 0, 0, 1},
		{1, floor.Ordering, 1, 0, 1, 0},
		{1, floor.Quantity, 1, 1, 0, 0},
		{1, floor.Status, 1, 1, 0, 0},
	}, got)

	ended := Observe(floor.Trace{Case: c, Answers: []floor.Answer{{Broken: floor.Timeout}, refused}})
	require.Empty(t, ended.Tally(), "what is not answered is not counted")
	require.Empty(t, Observe(floor.Trace{Case: caseOf()}).Tally())
}

// An answer that came later is looked at, whatever was asked of the case alone.
func TestAnsweredForgetsOtherAnswers(t *testing.T) {
	c := release(between, between).Case
	run := Observe(floor.Trace{Case: c, Answers: Expect(c)})
	rule, _ := Lookup("reduce/no-silent-loss")
	_, findings := rule.Judge(Observation{Base: run})
	require.Empty(t, findings)
	_, findings = rule.Judge(Observation{Base: run.Answered([]floor.Answer{reducedTo("nothing"), reducedTo("nothing")})})
	require.Len(t, findings, 8)
	_, findings = rule.Judge(Observation{Base: Run{Trace: floor.Trace{Case: c, Answers: []floor.Answer{reducedTo("nothing")}}}})
	require.Len(t, findings, 8, "a run that nobody observed is judged the same")
}

func TestSameMessages(t *testing.T) {
	base := floor.Message{Role: floor.Assistant, Text: "a", Calls: []floor.Call{{ID: "c1", Name: "run", Args: []byte(`{"a":1,"b":["x"]}`)}}, CallID: "c0"}
	with := func(change func(m *floor.Message)) []floor.Message {
		m := base
		m.Calls = slices.Clone(base.Calls)
		change(&m)
		return []floor.Message{m}
	}
	args := func(text string) []floor.Message {
		return with(func(m *floor.Message) { m.Calls[0].Args = []byte(text) })
	}
	tests := []struct {
		name string
		b    []floor.Message
		want bool
	}{
		{"the same", []floor.Message{base}, true},
		{"arguments spelled otherwise", args(` { "b" : ["\u0078"], "a" : 1 }`), true},
		{"an argument more", args(`{"a":1,"b":["x"],"c":null}`), false},
		{"another number", args(`{"a":2,"b":["x"]}`), false},
		{"a number told as text", args(`{"a":"1","b":["x"]}`), false},
		{"another order of a list", args(`{"a":1,"b":["x","y"]}`), false},
		{"another role", with(func(m *floor.Message) { m.Role = floor.User }), false},
		{"white space in the text", with(func(m *floor.Message) { m.Text = "a " }), false},
		{"capitals in the text", with(func(m *floor.Message) { m.Text = "A" }), false},
		{"another call's result", with(func(m *floor.Message) { m.CallID = "" }), false},
		{"no call", with(func(m *floor.Message) { m.Calls = nil }), false},
		{"another tool", with(func(m *floor.Message) { m.Calls[0].Name = "ran" }), false},
		{"another id", with(func(m *floor.Message) { m.Calls[0].ID = "c2" }), false},
		{"a message more", []floor.Message{base, base}, false},
		{"none", nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := []floor.Message{base}
			require.Equal(t, tt.want, sameMessages(a, tt.b))
			require.Equal(t, tt.want, sameMessages(tt.b, a))
			d := differInMessages(a, tt.b)
			require.Equal(t, tt.want, d == difference{}, "%v", d)
			if !tt.want {
				require.NotEqual(t, d.want, d.got)
			}
		})
	}
	require.True(t, sameMessages(nil, []floor.Message{}))
	require.True(t, sameMessage(floor.Message{}, floor.Message{Calls: []floor.Call{}}))
}

func TestTextsAreShownBoundedAndDifferent(t *testing.T) {
	tests := []struct{ name, a, b, wantA, wantB string }{
		{"short", "a", "b", `"a"`, `"b"`},
		{"one longer", "a", "ab", `"a"`, `"ab"`},
		{"far in", strings.Repeat("x", 500) + "a", strings.Repeat("x", 500) + "b",
			`…"` + strings.Repeat("x", 24) + `a"`, `…"` + strings.Repeat("x", 24) + `b"`},
		{"far in, between two bytes of a character", strings.Repeat("é", 500) + "à", strings.Repeat("é", 500) + "á",
			`…"` + strings.Repeat(`\u00e9`, 12) + `\u00e0"`, `…"` + strings.Repeat(`\u00e9`, 12) + `\u00e1"`},
		{"much more", "a", "a" + strings.Repeat("y", 500), `"a"`, `"a` + strings.Repeat("y", 79) + `"…`},
		{"escapes", "\x1b[2J", "\u202e", `"\x1b[2J"`, `"\u202e"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, difference{"at", tt.wantA, tt.wantB}, differInText("at", tt.a, tt.b))
		})
	}
}

// Asked twice, a conversation is answered the same, step by step; how a refusal
// is worded is nobody's.
func TestTheSameAnswerToAConversation(t *testing.T) {
	c := release(between, between).Case
	refused := func(reason string) floor.Answer {
		return floor.Answer{Reduce: &floor.ReduceOut{Refused: true, Reason: reason}}
	}
	other := func(change func(out *floor.ReduceOut)) floor.Answer {
		out := echo(said("a", "b"), 0)
		change(&out)
		return floor.Answer{Reduce: &out}
	}
	same := other(func(*floor.ReduceOut) {})
	tests := []struct {
		name string
		a, b []floor.Answer
		want string
	}{
		{"the same", []floor.Answer{same, same}, []floor.Answer{same, same}, ""},
		{"no mark is none", []floor.Answer{same}, []floor.Answer{other(func(out *floor.ReduceOut) { out.Mark = "" })}, ""},
		{"a refusal for another reason", []floor.Answer{refused("full"), refused("full")}, []floor.Answer{refused("too long"), refused("")}, ""},
		{"refused the second time", []floor.Answer{same, same}, []floor.Answer{same, refused("no")},
			"decide/deterministic: step 1: want 2 messages marked none as before, got a refusal"},
		{"another text in the first step", []floor.Answer{same, same}, []floor.Answer{other(func(out *floor.ReduceOut) { out.Messages = said("a", "c") }), same},
			`decide/deterministic: step 0 at messages[1].text: want "b" as before, got "c"`},
		{"another mark", []floor.Answer{same, same}, []floor.Answer{same, other(func(out *floor.ReduceOut) { out.Mark = floor.MarkProvisional })},
			"decide/deterministic: step 1 at mark: want none as before, got provisional"},
		{"no generation", []floor.Answer{same, same}, []floor.Answer{same, other(func(out *floor.ReduceOut) { out.Generation = nil })},
			"decide/deterministic: step 1 at generation: want generation 1 as before, got no generation"},
	}
	rule, _ := Lookup("decide/deterministic")
	require.Equal(t, []floor.Case{c}, rule.Vary(c), "what is planted and who summarizes belong to it")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			twin := Observe(floor.Trace{Case: c, Answers: tt.b})
			applied, findings := rule.Judge(Observation{Base: Observe(floor.Trace{Case: c, Answers: tt.a}), Twin: &twin})
			require.True(t, applied)
			if tt.want == "" {
				require.Empty(t, findings)
				return
			}
			require.Len(t, findings, 1)
			require.Equal(t, tt.want, findings[0].String())
		})
	}
}

// The right answers repeat what was asked, refuse where that would be no
// progress, and keep the mark of an earlier loss.
func TestExpectOnConversations(t *testing.T) {
	c := release(between, tight).Case
	answers := Expect(c)
	require.Equal(t, echo(c.Steps[0].Reduce.Messages, 0), *answers[0].Reduce)
	require.Equal(t, &floor.ReduceOut{Refused: true, Reason: "nothing is certified to go"}, answers[1].Reduce)

	bad := newTalk(between).say(floor.Role("ghost"), "boo").generation(between).say(floor.User, "Hello.").Case
	answers = Expect(bad)
	require.Equal(t, "bad request at in.messages[0].role", answers[0].Err.Message)
	require.Equal(t, said("Hello."), answers[1].Reduce.Messages)

	marked := reducedTo("short")
	marked.Reduce.Mark = floor.MarkProvisional
	answers = expectAfter(release(between, between).Case, []floor.Answer{marked})
	require.Equal(t, floor.MarkProvisional, answers[1].Reduce.Mark)
	require.Equal(t, "short", answers[1].Reduce.Messages[0].Text)
}
