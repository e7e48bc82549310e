package report

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

// twoSpans asks to compact an original that says not to, and an old summary.
func twoSpans() *floor.CompactIn {
	lost := true
	return &floor.CompactIn{
		Spans: []floor.Span{
			{ID: "s1", Kind: floor.KindMessage, Role: floor.User, Tokens: 9, Text: "Do not push.", Elements: []floor.Element{
				{ID: "x1", Class: floor.Negation, Forms: []string{"do not push"}, Inverted: []string{"push freely"}},
			}},
			{ID: "s2", Kind: floor.KindSummary, Role: floor.Assistant, Tokens: 1, Text: "Earlier: \x1b[2J", Elements: []floor.Element{
				{ID: "x2", Class: floor.Quantity, Forms: []string{"5 ms"}, Match: floor.Exact, Lost: &lost},
			}, Lineage: &floor.Lineage{Generation: 2, AncestryCertified: true, Decision: floor.Provisional, Effective: []floor.Fidelity{{Class: floor.Quantity, Total: 1}}}},
			{ID: "s3", Kind: floor.KindResult, Role: floor.Tool, Tokens: 4, Text: "ok"},
		},
		Required: []floor.Class{floor.Negation}, Known: []floor.Class{floor.Negation}, FloorsPermille: map[floor.Class]int64{floor.Quantity: 500},
		Conditions: floor.Conditions{ConsumerStrict: true}, BudgetTokens: 10,
		Summaries: []floor.Summary{{ID: "m1", Of: []string{"s1"}, Text: "Push is settled.", Tokens: 1, Status: floor.StatusPartial}, {ID: "m2", Text: "Nothing."}},
	}
}

// A compaction is shown whole: what came in, what was proposed, what was asked.
func TestCompactionsAreShown(t *testing.T) {
	c := floor.Case{Policy: floor.Guard, Steps: []floor.Request{{Op: floor.OpCompact, Compact: twoSpans()}}}
	answers := model.Expect(c)
	rule, ok := model.Lookup("compact/refuse")
	require.True(t, ok)
	ce := &conform.Counterexample{Case: c, Answers: answers, Rule: rule.ID, Want: "refuse", Got: "certified"}
	var b bytes.Buffer
	require.NoError(t, WriteFinding(&b, Line{RuleResult: conform.RuleResult{Rule: rule, Verdict: conform.Fail, Counterexample: ce}}, nil))
	require.Equal(t, `
compact/refuse   expected refuse, got certified
    rule       `+rule.Title+`
    span s1 message by user, 9 tokens: "Do not push."
               negation x1, kept by "do not push", inverted by "push freely"
    span s2 summary by assistant, 1 token: "Earlier: \x1b[2J"
               quantity x2, kept by "5 ms", exact, lost before
               lineage: generation 2, ancestry certified, its event provisional, effective {quantity 0 of 1}
    span s3 result by tool, 4 tokens: "ok"
               its elements are not known
    summary m1 of s1, 1 token, status partial: "Push is settled."
    summary m2 of no span, 0 tokens: "Nothing."
    requires   {negation}  known {negation}  floor of quantity 500 permille
    budget     10 tokens of 14 tokens
    conditions not recoverable, consumer strict, no chaining risk, side effects cheap
    model      refuse  missing {}  over budget by 4 tokens  ways on `+strings.Join(answers[0].Compact.Escalations, " ")+`
    subject    refuse  missing {}  over budget by 4 tokens  ways on `+strings.Join(answers[0].Compact.Escalations, " ")+`
    why        floorcheck explain compact/refuse
`, b.String())
}

func TestTextAnswers(t *testing.T) {
	over, yes := int64(1), true
	lineage := &floor.Lineage{Generation: 1, AncestryCertified: true, Decision: floor.Provisional, Effective: []floor.Fidelity{{Class: "c", Retained: 1, Total: 2}}}
	tests := []struct {
		name string
		a    floor.Answer
		want string
	}{
		{"a certificate", floor.Answer{Certify: &floor.CertifyOut{
			Certified: []floor.Class{"c"}, Fidelity: []floor.Fidelity{{Class: "c", Retained: 1, Total: 1}}, Lost: []string{"x1"}, Inverted: []string{"x2"}, Fabricated: []string{"d1"},
		}}, "certifies {c}  fidelity {c 1 of 1}  lost x1  inverted x2  fabricated d1"},
		{"an empty one", floor.Answer{Certify: &floor.CertifyOut{}}, "certifies {}  fidelity {}"},
		{"a refusal", floor.Answer{Compact: &floor.CompactOut{
			Decision: floor.Refuse, MissingClasses: []floor.Class{"c"}, OverBudgetTokens: &over, Escalations: []string{"human"},
			UnknownSpans: []string{"s1"}, PoisonedSpans: []string{"s2"}, UncleanSummaries: []string{"m1"},
		}}, "refuse  missing {c}  over budget by 1 token  unknown s1  poisoned s2  unclean m1  ways on human"},
		{"a compaction", floor.Answer{Compact: &floor.CompactOut{
			Decision: floor.Provisional, Basis: floor.BasisHarmless, Kept: []string{"s2"},
			Evicted: []floor.Evicted{{Span: "s1", Summary: "m1", Fidelity: []floor.Fidelity{{Class: "c", Retained: 1, Total: 2}}}},
			Output: []floor.Part{
				{Kind: floor.PartSummary, Summary: "m1", Provisional: &yes, Lineage: lineage, Lost: []string{"x1"}}, {Kind: floor.PartSpan, Span: "s2"},
			},
			Contract: &floor.Contract{Required: []floor.Class{"c"}, Generation: 1, AncestryCertified: true},
		}}, "provisional  basis harmless  kept s2  s1 goes under m1 {c 1 of 2}  m1: provisional, generation 1, ancestry certified, its event provisional, effective {c 1 of 2}  lost x1  contract certifies {} of {c}, generation 1, ancestry certified"},
		{"a summary without lineage", floor.Answer{Compact: &floor.CompactOut{
			Decision: floor.Certified, Output: []floor.Part{{Kind: floor.PartSummary, Summary: "m1"}},
		}}, "certified  m1: no lineage"},
		{"nothing in it moves the cursor", floor.Answer{Compact: &floor.CompactOut{Decision: "\x1b[2J", Kept: []string{"\r"}}}, `"\x1b[2J"  kept "\r"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, Answer(tt.a)) })
	}
	long := Answer(floor.Answer{Compact: &floor.CompactOut{Decision: floor.Certified, Kept: strings.Fields(strings.Repeat("span ", 4000))}})
	require.Less(t, len(long), 2000)
}

// The neighbours of a request about texts are other requests about texts, and
// none of them is the request itself.
func TestNeighboursOfTexts(t *testing.T) {
	certify := &floor.CertifyIn{
		Source: twoSpans().Spans[:1], Output: floor.Delivery{Text: "Push is settled.", Pins: []string{"pin"}, Status: floor.StatusPartial},
		Required: []floor.Class{floor.Negation}, FloorsPermille: map[floor.Class]int64{floor.Negation: 10}, Decoys: []floor.Element{{ID: "d1", Class: "c", Forms: []string{"a"}}},
	}
	compact := twoSpans()
	compact.Riders = &floor.Riders{}
	for _, from := range []floor.Request{{Op: floor.OpCertify, Certify: certify}, {Op: floor.OpCompact, Compact: compact}} {
		c := floor.Case{Policy: floor.Guard, Steps: []floor.Request{from}}
		changes := map[string]bool{}
		for _, n := range neighbours(c) {
			require.False(t, changes[n.change], "%s twice", n.change)
			changes[n.change] = true
			require.NotEqual(t, spelled(c), spelled(n.c), n.change)
		}
		require.GreaterOrEqual(t, len(changes), 6, from.Op)
	}
}

// A subject that keeps everything of what fits is told the change after which
// it is right.
func TestNeighbourOfACompaction(t *testing.T) {
	keepAll := conform.InProcess(conform.Hello{Name: "keeps all"}, conform.Funcs{Compact: func(in *floor.CompactIn) (floor.CompactOut, error) {
		roomy := *in
		roomy.BudgetTokens = floor.MaxNumber
		return *model.Expect(floor.Case{Policy: floor.Guard, Steps: []floor.Request{{Op: floor.OpCompact, Compact: &roomy}}})[0].Compact, nil
	}})
	in := twoSpans()
	c := floor.Case{Policy: floor.Guard, Steps: []floor.Request{{Op: floor.OpCompact, Compact: in}}}
	answers, err := keepAll.Ask(context.Background(), c.Steps)
	require.NoError(t, err)
	ce := &conform.Counterexample{Case: c, Answers: answers, Rule: "compact/budget"}
	require.Equal(t, "everything fits the budget", Neighbour(context.Background(), keepAll, ce, model.Rules()))
}
