package model

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/floorcheck/floorcheck/floor"
	"github.com/stretchr/testify/require"
)

// handMade are cases that put every rule to the test at least once.
func handMade() []floor.Case {
	full, half := share("negation", 2, 2), share("negation", 1, 2)
	return append(append(handMadeTalks(), handMadeSpans()...),
		decideCase(classes{"identifier"}, classes{"identifier", "negation"}, true, harsh),
		decideCase(classes{"identifier", "negation"}, classes{"identifier"}, false, harsh),
		decideCase(classes{"identifier", "identifier"}, classes{"identifier"}, false, harsh),
		decideCase(classes{"identifier", "negation"}, classes{"identifier"}, true, recoverable),
		decideCase(classes{"identifier", "negation"}, nil, true, harmless),
		rawCase(floor.OpDecide, `{}`),
		history(),
		history(event("e1", from("o1"), full), event("e2", from("e1"), full)),
		history(event("e1", from("o1"), half), event("e2", from("e1"), full), event("e3", from("o1"), full)),
		history(requiring(event("e1", from("o1"), half)), event("e2", from("e1"), full)),
		history(requiring(event("e1", from("o1"), half)), under(event("e2", from("e1"), full), harsh)),
		history(event("e1", from("e1"), full)),
	)
}

func TestEveryRuleIsSilentOnTheRightAnswersAndObjectsToItsOwnLie(t *testing.T) {
	require.Len(t, Rules(), 61)
	for _, r := range Rules() {
		t.Run(r.ID, func(t *testing.T) {
			lies := 0
			for _, c := range handMade() {
				lies += breakAll(t, r, c, true)
			}
			require.NotZero(t, lies, "no hand-made case can be lied about")
		})
	}
}

func TestTheSameOfScribbledCases(t *testing.T) {
	sameOfScribbled(t, scribble, floor.OpDecide, floor.OpDerive, floor.OpReduce, "")
}

func TestTheSameOfScribbledSpans(t *testing.T) {
	sameOfScribbled(t, scribbleSpans, floor.OpCertify, floor.OpCompact, "")
}

// sameOfScribbled asks the rules of some ops; what the others say of hand-made
// cases is enough.
func sameOfScribbled(t *testing.T, draw func(rng *rand.Rand) floor.Case, ops ...floor.Op) {
	rng := rand.New(rand.NewPCG(1, 2))
	rules := slices.DeleteFunc(Rules(), func(r Rule) bool { return !slices.Contains(ops, r.Op) })
	lies := map[string]int{}
	for i := range 4000 {
		c := draw(rng)
		for _, r := range rules {
			lies[r.ID] += breakAll(t, r, c, i%20 == 0)
		}
	}
	for _, r := range rules {
		require.GreaterOrEqual(t, lies[r.ID], r.Minimum, r.ID)
	}
}

// breakAll shows a rule right answers, then lies about them, and counts those.
// To see that nothing is written to, which it does when it is told to, takes
// longer than all the rest.
func breakAll(t *testing.T, r Rule, c floor.Case, unwritten bool) (lies int) {
	t.Helper()
	for _, o := range observations(r, c) {
		applied, findings := r.Judge(o)
		require.Equal(t, r.Applies(Observe(floor.Trace{Case: c})), applied)
		if !applied {
			continue
		}
		if len(findings) > 0 {
			require.Empty(t, findings, "%s on %s", r.ID, spelled(t, c))
		}
		before := ""
		if unwritten {
			before = spelled(t, o)
		}
		lie, ok := r.Break(o)
		if unwritten {
			require.Equal(t, before, spelled(t, o), "%s wrote to what it was shown", r.ID)
		}
		if !ok {
			continue
		}
		lies++
		_, findings = r.Judge(lie)
		if len(findings) == 0 {
			require.NotEmpty(t, findings, "%s missed its own lie about %s", r.ID, spelled(t, c))
		}
		for _, f := range findings {
			require.Equal(t, r.ID, f.Rule)
			require.NotEqual(t, f.Want, f.Got)
			require.NotEmpty(t, f.Got)
		}
	}
	return lies
}

func spelled(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return string(data)
}

// beyondTheSeeds are the rules that gate only when asked.
var beyondTheSeeds = []string{
	"reduce/generation", "reduce/no-fabrication", "reduce/status", "reduce/supersession", "reduce/force",
	"reduce/role", "reduce/pairing", "reduce/newest-turn", "reduce/progress", "reduce/hypothesis",
	"certify/no-fabrication",
}

func TestEveryRuleIsComplete(t *testing.T) {
	for _, r := range Rules() {
		require.NotEmpty(t, r.Title, r.ID)
		require.NotEmpty(t, r.Needs, r.ID)
		require.Contains(t, []Keyword{Must, Should}, r.Keyword, r.ID)
		require.Equal(t, r.Keyword == Should, slices.Contains(beyondTheSeeds, r.ID), r.ID)
		require.Positive(t, r.Minimum, r.ID)
		require.NotNil(t, r.Applies, r.ID)
		require.NotNil(t, r.Check, r.ID)
		require.NotNil(t, r.Break, r.ID)
		found, ok := Lookup(r.ID)
		require.True(t, ok)
		require.Equal(t, r.ID, found.ID)
	}
}

func TestTwinsLeaveTheCaseAloneAndAreFew(t *testing.T) {
	for _, r := range Rules() {
		for _, c := range handMade() {
			if r.Vary == nil || !r.Applies(Observe(floor.Trace{Case: c})) {
				continue
			}
			before := spelled(t, c)
			twins := r.Vary(c)
			require.Equal(t, before, spelled(t, c), r.ID)
			require.LessOrEqual(t, len(twins), 7, r.ID)
			for _, twin := range twins {
				_, bad := Malformed(twin.Steps[len(twin.Steps)-1], twin.Policy)
				require.False(t, bad, "%s: %s", r.ID, spelled(t, twin))
			}
		}
	}
}

// What a rule says of wrong answers: one line per answer.
func TestWhatDeriveRulesObjectTo(t *testing.T) {
	one, half := share("negation", 2, 2), share("negation", 1, 2)
	chain := history(event("e1", from("o1"), half), event("e2", from("e1"), one))
	late := history(requiring(event("e1", from("o1"), half)), under(event("e2", from("e1"), one), harsh))
	tests := []struct {
		name string
		rule string
		c    floor.Case
		lie  func(out *floor.DeriveOut)
		want string
	}{
		{"an event without outcome", "derive/decision", chain,
			func(out *floor.DeriveOut) { out.Events = out.Events[:1] }, "events: [e1 e2] / [e1]"},
		{"an outcome twice", "derive/decision", chain,
			func(out *floor.DeriveOut) { out.Events = append(out.Events, out.Events[0]) }, "events: [e1 e2] / [e1 e1 e2]"},
		{"another order is fine", "derive/decision", chain,
			func(out *floor.DeriveOut) { out.Events[0], out.Events[1] = out.Events[1], out.Events[0] }, ""},
		{"no ancestry flag where it is certified", "derive/decision", chain,
			func(out *floor.DeriveOut) { out.Events[0].AncestryCertified = nil },
			"events[0] (e1): ancestry_certified true / no ancestry_certified"},
		{"the flag of a poisoned event is another rule's matter", "derive/decision", chain,
			func(out *floor.DeriveOut) { out.Events[1].AncestryCertified = nil }, ""},
		{"which is this one's", "derive/poison", chain,
			func(out *floor.DeriveOut) { out.Events[1].AncestryCertified = nil },
			"events[1] (e2): ancestry_certified false / no ancestry_certified"},
		{"no generation", "derive/generation", chain,
			func(out *floor.DeriveOut) { out.Events[1].Generation = nil }, "events[1] (e2): generation 2 / no generation"},
		{"no effective", "derive/chain-minimum", chain,
			func(out *floor.DeriveOut) { out.Events[1].Effective = nil }, "events[1] (e2): effective / no effective"},
		{"the latest instead of the minimum", "derive/chain-minimum", chain,
			func(out *floor.DeriveOut) { out.Events[1].Effective = []floor.Fidelity{one} },
			"events[1] (e2): negation 1 of 2 / negation 2 of 2"},
		{"an equal fraction is equal", "derive/chain-minimum", chain,
			func(out *floor.DeriveOut) { out.Events[1].Effective = []floor.Fidelity{share("negation", 3, 6)} }, ""},
		{"a fidelity that is none", "derive/chain-minimum", chain,
			func(out *floor.DeriveOut) { out.Events[1].Effective = []floor.Fidelity{share("negation", -1, -2)} },
			"events[1] (e2): effective / negation -1 of -2"},
		{"the latest instead of the minimum, seen in the answers alone", "derive/monotone", chain,
			func(out *floor.DeriveOut) { out.Events[1].Effective = []floor.Fidelity{one} },
			"events[1] (e2): at most negation 1 of 2 of e1 / negation 2 of 2"},
		{"a class that appears", "derive/monotone", chain,
			func(out *floor.DeriveOut) { out.Events[0].Effective = []floor.Fidelity{} },
			"events[1] (e2): at most no negation of e1 / negation 1 of 2"},
		{"a refusal that names too few", "derive/widening", late,
			func(out *floor.DeriveOut) { out.Events[1].MissingClasses = classes{} },
			"events[1] (e2): [negation] among the missing classes / []"},
		{"a refusal that names too many", "derive/decision", late,
			func(out *floor.DeriveOut) { out.Events[1].MissingClasses = classes{"negation", "a b"} },
			`events[1] (e2): missing [negation] / ["a b" negation]`},
		{"a certificate that heals", "derive/regrounding", chain,
			func(out *floor.DeriveOut) { out.Events[1].Decision = floor.Certified },
			"events[1] (e2): no clean start from summaries / certified, ancestry_certified false"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answers := Expect(tt.c)
			tt.lie(answers[0].Derive)
			rule, ok := Lookup(tt.rule)
			require.True(t, ok)
			applied, findings := rule.Judge(Observation{Base: Observe(floor.Trace{Case: tt.c, Answers: answers})})
			require.True(t, applied)
			got := ""
			if len(findings) > 0 {
				got = findings[0].At + ": " + findings[0].Want + " / " + findings[0].Got
			}
			require.Equal(t, tt.want, got)
		})
	}
}

func TestPreconditionsAreNarrow(t *testing.T) {
	one, half := share("negation", 2, 2), share("negation", 1, 2)
	tests := []struct {
		name string
		rule string
		c    floor.Case
		want bool
	}{
		{"one event has no edge", "derive/monotone", history(event("e1", from("o1"), half)), false},
		{"an edge", "derive/chain-minimum", history(event("e1", from("o1"), one), event("e2", from("e1"), one)), true},
		{"an edge to a refusal shows nothing", "derive/monotone",
			history(event("e1", from("o1"), one), under(event("e2", from("e1"), half), harsh)), false},
		{"a certified ancestor poisons nothing", "derive/poison",
			history(event("e1", from("o1"), one), event("e2", from("e1"), half)), false},
		{"a provisional ancestor poisons", "derive/poison",
			history(event("e1", from("o1"), half), event("e2", from("e1"), one)), true},
		{"a class that the ancestor required is not late", "derive/widening",
			history(event("e1", from("o1"), half), event("e2", from("e1"), one)), false},
		{"a late class that the ancestor holds is not lacking", "derive/widening",
			history(requiring(event("e1", from("o1"), one)), event("e2", from("e1"), one)), false},
		{"a late class that the ancestor lacks", "derive/widening",
			history(requiring(event("e1", from("o1"), half)), event("e2", from("e1"), one)), true},
		{"a late class that the ancestor holds at the late floor", "derive/widening",
			history(requiring(event("e1", from("o1"), half)), floored(event("e2", from("e1"), one), "negation", 500)), false},
		{"the same original after a certified event", "derive/regrounding",
			history(event("e1", from("o1"), one), event("e2", from("o1"), one)), false},
		{"the same original after a provisional event", "derive/regrounding",
			history(event("e1", from("o1"), half), event("e2", from("o1"), one)), true},
		{"another original", "derive/regrounding",
			history(event("e1", from("o1"), half), event("e2", from("o2"), one)), false},
		{"every event refused", "derive/generation", history(under(event("e1", from("o1"), half), harsh)), false},
		{"an empty contract is certified", "decide/refuse", decideCase(nil, nil, true, harsh), false},
		{"poison alone is due a reason", "decide/reason", decideCase(nil, nil, false, harsh), true},
		{"nothing malformed", "decide/fail-closed", decideCase(nil, nil, false, harsh), false},
		{"malformed", "decide/fail-closed", rawCase(floor.OpDecide, `[]`), true},
		{"malformed of another op", "derive/fail-closed", rawCase(floor.OpDecide, `[]`), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rule, ok := Lookup(tt.rule)
			require.True(t, ok)
			require.Equal(t, tt.want, rule.Applies(Observe(floor.Trace{Case: tt.c})))
		})
	}
}

func BenchmarkJudgeDecide(b *testing.B) {
	c := decideCase(classes{"identifier", "negation", "ordering"}, classes{"identifier", "negation"}, true, harsh)
	benchmarkJudge(b, c, floor.OpDecide)
}

func BenchmarkJudgeDerive(b *testing.B) {
	full := []floor.Fidelity{share("negation", 2, 2), share("ordering", 3, 3)}
	c := history(event("e1", from("o1"), full...), event("e2", from("e1"), full...), event("e3", from("e2", "o2"), full...))
	benchmarkJudge(b, c, floor.OpDerive)
}

func benchmarkJudge(b *testing.B, c floor.Case, op floor.Op) {
	answers := Expect(c)
	var rules []Rule
	for _, r := range Rules() {
		if r.Op == op && r.Vary == nil {
			rules = append(rules, r)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		o := Observation{Base: Observe(floor.Trace{Case: c, Answers: answers})}
		for _, r := range rules {
			if _, findings := r.Judge(o); findings != nil {
				b.Fatal(findings)
			}
		}
	}
}
