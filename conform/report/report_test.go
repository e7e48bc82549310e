package report

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

func TestExit(t *testing.T) {
	must, should := model.Rule{Keyword: model.Must}, model.Rule{Keyword: model.Should}
	lines := func(r model.Rule, verdicts ...conform.Verdict) (out []Line) {
		for _, v := range verdicts {
			out = append(out, Line{RuleResult: conform.RuleResult{Rule: r, Verdict: v}})
		}
		return out
	}
	const pass, fail, erred, crash = conform.Pass, conform.Fail, conform.Erred, conform.Crashed
	tests := []struct {
		name    string
		lines   []Line
		outcome Outcome
		strict  bool
		want    int
	}{
		{"all pass", lines(must, pass, pass), Outcome{}, false, 0},
		{"what is not claimed does not count", lines(must, pass, conform.NotClaimed), Outcome{}, false, 0},
		{"a violation", lines(must, pass, fail), Outcome{}, false, 1},
		{"an error where a result was due", lines(must, pass, erred), Outcome{}, false, 1},
		{"a crash", lines(must, pass, crash), Outcome{}, false, 3},
		{"a timeout", lines(must, pass, conform.TimedOut), Outcome{}, false, 3},
		{"garbage", lines(must, pass, conform.Garbled), Outcome{}, false, 3},
		{"too few cases", lines(must, pass, conform.NotRun), Outcome{}, false, 3},
		{"a run that broke off", lines(must, pass), Outcome{Err: errors.New("it died")}, false, 3},
		{"a death that nobody is to blame for", lines(must, pass), Outcome{Broken: true}, false, 3},
		{"a named level that is not claimed", lines(must, pass), Outcome{Unclaimed: true}, false, 3},
		{"no case that could have been refused", lines(must, pass), Outcome{NoCondition: true}, false, 3},

		{"1 before 3", lines(must, crash, fail, conform.NotRun), Outcome{Err: errors.New("it died"), Broken: true}, false, 1},
		{"70 before 1", lines(must, fail, crash), Outcome{OurBug: true}, false, 70},
		{"130 before 70", lines(must, fail, crash), Outcome{OurBug: true, Interrupted: true}, false, 130},
		{"130 before 0", lines(must, pass), Outcome{Interrupted: true}, false, 130},
		{"70 before 0", lines(must, pass), Outcome{OurBug: true}, false, 70},

		{"a SHOULD rule is reported only", lines(should, fail, crash), Outcome{}, false, 0},
		{"with --strict it is violated", lines(should, fail), Outcome{}, true, 1},
		{"with --strict it is not judged", lines(should, crash), Outcome{}, true, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, Exit(tt.lines, tt.outcome, tt.strict))
		})
	}
}

func TestEscape(t *testing.T) {
	tests := []struct {
		name string
		from string
		want string
	}{
		{"plain text stays", "negation, naïve 否定 ✓", "negation, naïve 否定 ✓"},
		{"quotes and backslashes stay", `"a" 'b' \c`, `"a" 'b' \c`},
		{"a screen is not cleared", "\x1b[2J", `\x1b[2J`},
		{"a title is not set", "\x1b]0;owned\a", `\x1b]0;owned\a`},
		{"nor by the 8-bit codes", "\u009b2J", `\u009b2J`},
		{"a line is not overwritten", "pass\rFAIL", `pass\rFAIL`},
		{"a line is not begun", "a\nPASS", `a\nPASS`},
		{"a tab does not shift", "a\tb", `a\tb`},
		{"nothing is deleted", "ab\b\x7f", `ab\b\x7f`},
		{"text does not run backwards", "\u202eabc\u2066", `\u202eabc\u2066`},
		{"nothing hides", "a\u200bb\u00adc\ufeff", `a\u200bb\u00adc\ufeff`},
		{"a space is a space", "a\u00a0b\u2003c", `a\u00a0b\u2003c`},
		{"lines do not end by other means", "a\u2028b\u0085c", `a\u2028b\u0085c`},
		{"bad UTF-8 is marked", "a\xffb", "a\ufffdb"},
		{"beyond the plane of everyday", "\U000e0041", `\U000e0041`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, Escape(tt.from))
		})
	}
	require.Equal(t, "a\n\\x1b[2Jb\n", EscapeLines("a\n\x1b[2Jb\n"))
	require.Equal(t, "it died\n      stderr:\n      \\x1bboom", Note("it died\nstderr:\n\x1bboom\n\n"))
}

func TestNumber(t *testing.T) {
	for n, want := range map[int]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", 131_072: "131,072", 1_000_000: "1,000,000", 12_345_678: "12,345,678",
	} {
		require.Equal(t, want, Number(n))
	}
	require.Equal(t, "1 rule", Count(1, "rule"))
	require.Equal(t, "0 rules", Count(0, "rule"))
	require.Equal(t, "2,000 cases", Count(2000, "case"))
}

func TestQuoteArg(t *testing.T) {
	for from, want := range map[string]string{
		"python3": "python3", "./a-b_c.py": "./a-b_c.py", "a b": "'a b'", "": "''", "it's": `'it'\''s'`,
		"$HOME": "'$HOME'", "a;b": "'a;b'", "*": "'*'", "--x=1": "--x=1", "\x1b[2J": `'\x1b[2J'`,
	} {
		require.Equal(t, want, quoteArg(from), "%q", from)
	}
}

// rule is one of the model's, so that a report has a title and an op.
func rule(t *testing.T, id string) model.Rule {
	t.Helper()
	r, ok := model.Lookup(id)
	require.True(t, ok, id)
	return r
}

func decideCase(edit func(in *floor.DecideIn)) floor.Case {
	in := &floor.DecideIn{Contract: floor.Contract{
		Required: []floor.Class{"negation"}, Certified: []floor.Class{}, Generation: 1, AncestryCertified: true,
	}}
	edit(in)
	return floor.Case{Policy: floor.Guard, Steps: []floor.Request{{Op: floor.OpDecide, Decide: in}}}
}

// small is a report with one rule of each sort.
func small(t *testing.T) *Report {
	t.Helper()
	refuse := rule(t, "decide/refuse")
	ce := &conform.Counterexample{
		Rule: refuse.ID, Verdict: conform.Fail, Case: decideCase(func(in *floor.DecideIn) { in.ConsumerStrict = true }),
		Answers: []floor.Answer{{Decide: &floor.DecideOut{Decision: floor.Provisional}}},
		Want:    "refuse", Got: "provisional", Size: 3, Stage: "exhaustive", Calls: 40, Took: 200 * time.Millisecond,
	}
	return &Report{
		Suite: "2026.1", Seed: 8123, Cases: 2500, Took: "1.4 s", ExitCode: ExitViolated, Reach: []string{"--", "python3", "my adapter.py"},
		Hello:  conform.Hello{Name: "acme", Version: "3.2", Language: "python", Policy: floor.Guard, Ops: []floor.Op{floor.OpDecide}, MaxBatch: 1},
		Notes:  []string{"<it> & more"},
		Scopes: map[floor.Op]int{floor.OpDecide: 2000},
		Rules: []Line{
			{RuleResult: conform.RuleResult{Rule: rule(t, "decide/certified"), Verdict: conform.Pass, Cases: 2500, Applied: 2400, Exhaustive: true}},
			{RuleResult: conform.RuleResult{Rule: rule(t, "decide/monotone"), Verdict: conform.NotRun, Cases: 4, Applied: 1}},
			{
				RuleResult: conform.RuleResult{Rule: refuse, Verdict: conform.Fail, Cases: 2500, Applied: 900, FirstAt: 37, Wrong: 12, Exhaustive: true, Counterexample: ce},
				File:       "failures/decide-refuse-3f9a1c20.json", PassesIf: "consumer strict → no",
				Engine: model.Expect(ce.Case),
			},
			{RuleResult: conform.RuleResult{Rule: rule(t, "derive/poison"), Verdict: conform.NotClaimed}},
		},
	}
}

// The names and their order are stable: programs read them.
func TestWriteJSON(t *testing.T) {
	const want = `{
  "format": "floorcheck-report/1",
  "suite": "2026.1",
  "seed": "8123",
  "subject": {
    "name": "acme",
    "version": "3.2",
    "language": "python",
    "policy": "guard",
    "ops": [
      "decide"
    ]
  },
  "rules": [
    {
      "id": "decide/certified",
      "keyword": "MUST",
      "verdict": "pass",
      "cases": 2500,
      "applied": 2400,
      "exhaustive": true,
      "known": false,
      "counterexample": null
    },
    {
      "id": "decide/monotone",
      "keyword": "MUST",
      "verdict": "not-run",
      "cases": 4,
      "applied": 1,
      "exhaustive": false,
      "known": false,
      "counterexample": null
    },
    {
      "id": "decide/refuse",
      "keyword": "MUST",
      "verdict": "fail",
      "cases": 2500,
      "applied": 900,
      "exhaustive": true,
      "known": false,
      "counterexample": {
        "file": "failures/decide-refuse-3f9a1c20.json",
        "case": {
          "policy": "guard",
          "steps": [
            {
              "op": "decide",
              "in": {
                "contract": {
                  "required_classes": [
                    "negation"
                  ],
                  "certified_classes": [],
                  "generation": 1,
                  "ancestry_certified": true
                },
                "source_recoverable": false,
                "consumer_strict": true,
                "chaining_risk": false,
                "side_effect_cost_exceeds_refusal": false
              }
            }
          ]
        },
        "want": "refuse",
        "got": "provisional",
        "size": 3
      }
    },
    {
      "id": "derive/poison",
      "keyword": "MUST",
      "verdict": "not-claimed",
      "cases": 0,
      "applied": 0,
      "exhaustive": false,
      "known": false,
      "counterexample": null
    }
  ],
  "cases": 2500,
  "holds": false,
  "exit_code": 1
}
`
	var got bytes.Buffer
	require.NoError(t, WriteJSON(&got, small(t)))
	require.Equal(t, want, got.String())
}

// A report without anything in it has no null where a list belongs.
func TestWriteJSONOfNothing(t *testing.T) {
	var got bytes.Buffer
	require.NoError(t, WriteJSON(&got, &Report{}))
	require.Contains(t, got.String(), `"rules": []`)
	require.NotContains(t, got.String(), "notes")
	require.NotContains(t, got.String(), "null")
}

func TestWriteJSONL(t *testing.T) {
	var got bytes.Buffer
	require.NoError(t, WriteJSONL(&got, small(t)))
	lines := strings.Split(strings.TrimSuffix(got.String(), "\n"), "\n")
	require.Len(t, lines, 6)
	require.Equal(t, `{"type":"run","format":"floorcheck-report/1","suite":"2026.1","seed":"8123",`+
		`"subject":{"name":"acme","version":"3.2","language":"python","policy":"guard","ops":["decide"]}}`, lines[0])
	require.Equal(t, `{"type":"rule","id":"decide/certified","keyword":"MUST","verdict":"pass","cases":2500,"applied":2400,`+
		`"exhaustive":true,"known":false,"counterexample":null}`, lines[1])
	require.Equal(t, `{"type":"end","cases":2500,"holds":false,"exit_code":1,"notes":["<it> & more"]}`, lines[5])
}

func TestWriteText(t *testing.T) {
	const want = `  PASS        decide/certified            applied to 2,400 of 2,500 cases; the cases include a whole scope of 2,000
  NOT-RUN     decide/monotone             applied to 1 of 4 pairs; at least 20 are needed
  FAIL        decide/refuse               first at case 37, 12 of 900 wrong; smallest has size 3 (shrunk in 0.2 s)
  NOT-CLAIMED derive/poison               the subject does not offer derive

decide/refuse   expected refuse, got provisional
    rule       not certified, the source not recoverable, and dangerous under the policy: refuse
    contract   required {negation}  certified {}  generation 1  ancestry certified
    conditions not recoverable, consumer strict, no chaining risk, side effects cheap
    engine     refuse  missing {negation}  generation 1  ancestry certified
    model      refuse  missing {negation}  generation 1  ancestry certified
    subject    provisional
    passes if  consumer strict → no
    replay     floorcheck replay failures/decide-refuse-3f9a1c20.json -- python3 'my adapter.py'
    why        floorcheck explain decide/refuse

note: <it> & more

VIOLATED  1 of 3 rules · 2,500 cases · 1.4 s · seed 8123
`
	r := small(t)
	var got bytes.Buffer
	require.NoError(t, WriteText(&got, r, Style{}))
	require.Equal(t, want, got.String())
	require.Equal(t, "VIOLATED  1 of 3 rules · 2,500 cases · 1.4 s · seed 8123", Last(r))
	require.Equal(t, "floorcheck "+conform.Version+" · protocol 1 · suite 2026.1 · seed 8123 · acme 3.2 (python), policy guard, claims decide",
		Head(r.Suite, r.Seed, r.Hello))
}

func TestLast(t *testing.T) {
	tests := []struct {
		name string
		code int
		take []int // rules of the small report
		want string
	}{
		{"holds", ExitHolds, []int{0, 3}, "HOLDS  1 rule · "},
		{"violated counts what is", ExitViolated, []int{0, 1, 2}, "VIOLATED  1 of 3 rules · "},
		{"not judged counts what was not", ExitNotJudged, []int{0, 1}, "NOT JUDGED  1 of 2 rules · "},
		{"not judged as a whole", ExitNotJudged, []int{0}, "NOT JUDGED  1 rule · "},
		{"our own bug", ExitOurBug, []int{0, 2}, "OUR OWN BUG  1 of 2 rules · "},
		{"interrupted", ExitInterrupted, []int{0, 1}, "INTERRUPTED  2 rules · "},
		{"interrupted with a violation", ExitInterrupted, []int{0, 2}, "INTERRUPTED  1 of 2 rules violated so far · "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := small(t)
			rules := r.Rules
			r.Rules, r.ExitCode = nil, tt.code
			for _, i := range tt.take {
				r.Rules = append(r.Rules, rules[i])
			}
			require.Equal(t, tt.want+"2,500 cases · 1.4 s · seed 8123", Last(r))
		})
	}
}

// A pass says what it is worth, and no more.
func TestWhatAPassProves(t *testing.T) {
	r := small(t)
	r.Rules, r.ExitCode, r.Notes = r.Rules[:1], ExitHolds, nil
	var whole bytes.Buffer
	require.NoError(t, WriteText(&whole, r, Style{}))
	require.Contains(t, whole.String(), "Proved, by the rules with a whole scope:\n    decide  every request over 5 classes")
	require.NotContains(t, whole.String(), "derive")
	require.NotContains(t, whole.String(), "sample")
	require.Contains(t, whole.String(), "Not looked at: ")

	r.Rules[0].Exhaustive = false
	var sample bytes.Buffer
	require.NoError(t, WriteText(&sample, r, Style{}))
	require.NotContains(t, sample.String(), "Proved")
	require.Contains(t, sample.String(), "All of this is a sample: a violation that shows in more than 1 in 800 of such cases")
	require.Contains(t, sample.String(), "(3/n, at decide/certified, the rule with the fewest)")
}

// soft is a subject that never refuses.
func soft() conform.Subject {
	return conform.InProcess(conform.Hello{Name: "soft"}, conform.Funcs{
		Decide: func(in *floor.DecideIn) (floor.DecideOut, error) {
			if in.Contract.AncestryCertified && len(in.Contract.Required) == 0 {
				return floor.DecideOut{Decision: floor.Certified}, nil
			}
			return floor.DecideOut{Decision: floor.Provisional}, nil
		},
		Derive: func(in *floor.DeriveIn) (floor.DeriveOut, error) {
			return floor.DeriveOut{}, errors.New("no history")
		},
	})
}

// The neighbour that passes undoes what the case sets, before it sets more.
func TestNeighbour(t *testing.T) {
	tests := []struct {
		name string
		edit func(in *floor.DecideIn)
		want string
	}{
		{"the one danger", func(in *floor.DecideIn) { in.ConsumerStrict = true }, "consumer strict → no"},
		{"another danger", func(in *floor.DecideIn) { in.ChainingRisk = true }, "chaining risk → no"},
		{"of two dangers none alone", func(in *floor.DecideIn) { in.ConsumerStrict, in.ChainingRisk = true, true }, "source recoverable → yes"},
		{"the ancestry", func(in *floor.DecideIn) {
			in.ConsumerStrict, in.ChainingRisk = true, true
			in.Contract.Required, in.Contract.AncestryCertified = []floor.Class{}, false
		}, "ancestry certified → yes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ce := &conform.Counterexample{Case: decideCase(tt.edit)}
			require.Equal(t, tt.want, Neighbour(context.Background(), soft(), ce, model.Rules()))
		})
	}
}

// A neighbour is a case that can be asked: one change, and no bad request.
func TestNeighboursAreGoodRequests(t *testing.T) {
	derive := &floor.DeriveIn{Originals: []string{"o1"}, Events: []floor.Event{
		{ID: "e1", Inputs: []string{"o1"}, Required: []floor.Class{"negation", "negation"}, Certificate: []floor.Fidelity{}},
		{ID: "e2", Inputs: []string{"e1"}, Required: []floor.Class{}, Certificate: []floor.Fidelity{}},
	}}
	cases := []floor.Case{
		decideCase(func(in *floor.DecideIn) { in.Riders = &floor.Riders{} }),
		{Policy: floor.Guard, Steps: []floor.Request{{Op: floor.OpDerive, Derive: derive}}},
	}
	for _, c := range cases {
		list := neighbours(c)
		require.Greater(t, len(list), 6)
		set := true
		for _, n := range list {
			_, bad := model.Malformed(n.c.Steps[0], n.c.Policy)
			require.False(t, bad, n.change)
			require.True(t, set || !n.undo, "%s: to undo comes first", n.change)
			set = n.undo
		}
	}
	raw := floor.Case{Policy: floor.Guard, Steps: []floor.Request{{Op: floor.OpDecide, Raw: []byte(`{}`)}}}
	require.Empty(t, neighbours(raw))
}

// What comes from a subject, or from a file, is shown escaped and bounded.
func TestHostileNames(t *testing.T) {
	evil := "\x1b[2J" + strings.Repeat("z", 500)
	c := floor.Case{Policy: floor.Guard, Steps: []floor.Request{{Op: floor.OpDerive, Derive: &floor.DeriveIn{
		Originals: []string{evil},
		Events: []floor.Event{{ID: evil, Inputs: []string{evil}, Required: []floor.Class{floor.Class(evil)},
			Certificate: []floor.Fidelity{{Class: floor.Class(evil), Retained: 1, Total: 1}}, FloorsPermille: map[floor.Class]int64{floor.Class(evil): 5}}},
	}}}}
	l := Line{RuleResult: conform.RuleResult{Rule: rule(t, "derive/decision"), Verdict: conform.Fail, Counterexample: &conform.Counterexample{
		Rule: "derive/decision", Verdict: conform.Fail, Case: c, Twin: &c, Want: evil, Got: evil, At: evil,
		Answers: []floor.Answer{{Derive: &floor.DeriveOut{Events: []floor.Outcome{{ID: evil, Decision: floor.Decision(evil), MissingClasses: []floor.Class{floor.Class(evil)}}}}}},
	}}, PassesIf: evil, File: evil}
	var got bytes.Buffer
	require.NoError(t, WriteFinding(&got, l, []string{evil}))
	require.NotContains(t, got.String(), "\x1b")
	head := Head("2026.1", 1, conform.Hello{Name: evil, Version: evil, Language: evil, Ops: []floor.Op{floor.Op(evil)}})
	require.NotContains(t, head, "\x1b")
	require.Less(t, len(head), 500)
}
