package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

// refundCase is a conversation of 30 tokens into 20: an order and a negation in
// s1, nothing in s2, both under a summary that keeps what there is; s3 under
// none. The worst conditions.
func refundCase() *floor.CompactIn {
	return &floor.CompactIn{
		Spans: []floor.Span{
			{ID: "s1", Kind: floor.KindMessage, Role: floor.User, Tokens: 10, Text: "Order A-17 is not to be refunded.", Elements: known(
				floor.Element{ID: "x1", Class: floor.Identifier, Forms: []string{"A-17"}, Match: floor.Exact},
				floor.Element{ID: "x2", Class: floor.Negation, Forms: []string{"not to be refunded"}, Inverted: []string{"to be refunded"}},
			)},
			{ID: "s2", Kind: floor.KindMessage, Role: floor.User, Tokens: 10, Text: "Good morning!", Elements: known()},
			{ID: "s3", Kind: floor.KindMessage, Role: floor.User, Tokens: 10, Text: "The customer waits.", Elements: known()},
		},
		Required:     []floor.Class{floor.Negation, floor.Identifier},
		Known:        []floor.Class{floor.Identifier, floor.Negation, floor.Quantity},
		Conditions:   floor.Conditions{ConsumerStrict: true, ChainingRisk: true, SideEffectCostExceedsRefusal: true},
		BudgetTokens: 20,
		Summaries:    []floor.Summary{{ID: "m1", Of: []string{"s1", "s2"}, Tokens: 4, Text: "A-17: not to be refunded."}},
	}
}

// summarized makes s1 a summary of an earlier event.
func summarized(in *floor.CompactIn) *floor.Lineage {
	in.Spans[0].Kind = floor.KindSummary
	in.Spans[0].Lineage = &floor.Lineage{Generation: 3, AncestryCertified: true, Decision: floor.Certified, Effective: []floor.Fidelity{
		{Class: floor.Identifier, Retained: 1, Total: 1}, {Class: floor.Negation, Retained: 1, Total: 1},
	}}
	return in.Spans[0].Lineage
}

// gist is what an answer comes to, in one line.
func gist(out floor.CompactOut) string {
	if out.Decision == floor.Refuse {
		why := fmt.Sprintf("refuse: %d over, missing %v", *out.OverBudgetTokens, out.MissingClasses)
		if len(out.UnknownSpans) > 0 {
			why += fmt.Sprintf(", unknown %v", out.UnknownSpans)
		}
		if len(out.PoisonedSpans) > 0 {
			why += fmt.Sprintf(", poisoned %v", out.PoisonedSpans)
		}
		if len(out.UncleanSummaries) > 0 {
			why += fmt.Sprintf(", unclean %v", out.UncleanSummaries)
		}
		return why
	}
	text := string(out.Decision)
	if out.Basis != "" {
		text += "/" + string(out.Basis)
	}
	for _, p := range out.Output {
		if p.Kind == floor.PartSpan {
			text += " " + p.Span
			continue
		}
		var gone []string
		for _, e := range out.Evicted {
			if e.Summary == p.Summary {
				gone = append(gone, e.Span)
			}
		}
		text += fmt.Sprintf(" %s(%s)", p.Summary, strings.Join(gone, " "))
		if *p.Provisional {
			text += "?"
		}
	}
	return text
}

// Each sentence of rule 2b, in its order. The changes are to refundCase.
func TestCompaction(t *testing.T) {
	type in = *floor.CompactIn
	m1 := func(in in) *floor.Summary { return &in.Summaries[0] }
	tests := []struct {
		name   string
		change func(in in)
		want   string
	}{
		{"the cost is that of kept spans and used summaries", func(in in) { in.BudgetTokens = 14 }, "certified m1(s1 s2) s3"},
		{"and not a token less", func(in in) { in.BudgetTokens = 13 }, "refuse: 1 over, missing []"},
		{"a summary stands where its first span stood", func(in in) { m1(in).Of = []string{"s3", "s2"} }, "certified s1 m1(s2 s3)"},

		{"a summary that is not usable is not used", func(in in) { m1(in).Status = floor.StatusPartial }, "refuse: 10 over, missing []"},
		{"nor one without a word", func(in in) { m1(in).Text = "..." }, "refuse: 10 over, missing []"},
		{"a summary that inverts is not clean", func(in in) { m1(in).Text += " A-17 is to be refunded." },
			"refuse: 10 over, missing [negation], unclean [m1]"},
		{"nor if it inverts what stays, of any class", func(in in) {
			in.Spans[2].Elements = known(floor.Element{ID: "x3", Class: "mood", Forms: []string{"waits"}, Inverted: []string{"refunded"}})
		}, "refuse: 10 over, missing [], unclean [m1]"},
		{"an inverted form inside a form does not count", func(in in) {
			in.Spans[2].Elements = known(floor.Element{ID: "x3", Class: "mood", Forms: []string{"not to be refunded"}, Inverted: []string{"refunded"}})
		}, "certified m1(s1 s2) s3"},
		{"one nobody offers a summary of is not asked", func(in in) { in.Spans[2].Elements = nil }, "certified m1(s1 s2) s3"},

		{"unknown elements stay", func(in in) { in.Spans[1].Elements = nil }, "refuse: 4 over, missing [], unknown [s2]"},
		{"a guarded class that is not known keeps everything", func(in in) { in.Known = []floor.Class{floor.Identifier} }, "refuse: 10 over, missing [negation]"},
		{"a class guarded by its floor alone too", func(in in) { in.FloorsPermille = map[floor.Class]int64{"mood": 1} }, "refuse: 10 over, missing [mood]"},
		{"a floor of 0 guards nothing", func(in in) {
			in.FloorsPermille, in.Known = map[floor.Class]int64{floor.Negation: 0, "mood": 0}, []floor.Class{floor.Identifier}
			m1(in).Text = "A-17"
		}, "certified m1(s1 s2) s3"},
		{"a summary span without a lineage stays", func(in in) { in.Spans[0].Kind = floor.KindSummary }, "refuse: 4 over, missing [], poisoned [s1]"},
		{"a certified one may go", func(in in) { summarized(in) }, "certified m1(s1 s2) s3"},
		{"whatever kind it says", func(in in) { summarized(in); in.Spans[0].Kind = floor.KindMessage }, "certified m1(s1 s2) s3"},
		{"one without a certified ancestry stays", func(in in) { summarized(in).AncestryCertified = false }, "refuse: 4 over, missing [], poisoned [s1]"},
		{"one without a certified decision stays", func(in in) { summarized(in).Decision = floor.Provisional }, "refuse: 4 over, missing [], poisoned [s1]"},
		{"one in which a guarded class is not effective stays", func(in in) {
			l := summarized(in)
			l.Effective = l.Effective[:1]
		}, "refuse: 4 over, missing [negation]"},
		{"a class that is not guarded need not be", func(in in) {
			l := summarized(in)
			l.Effective, in.Required = l.Effective[:1], []floor.Class{floor.Identifier}
		}, "certified m1(s1 s2) s3"},
		{"below its floor it stays", func(in in) { m1(in).Text = "not to be refunded" }, "refuse: 4 over, missing [identifier]"},
		{"what stays leaves the rest to go", func(in in) { m1(in).Text, in.BudgetTokens = "not to be refunded", 24 }, "certified s1 m1(s2) s3"},
		{"a lower floor", func(in in) {
			m1(in).Text, in.FloorsPermille = "not to be refunded", map[floor.Class]int64{floor.Identifier: 500}
			in.Spans[0].Elements = append(in.Spans[0].Elements, floor.Element{ID: "x3", Class: floor.Identifier, Forms: []string{"refunded"}})
		}, "certified m1(s1 s2) s3"},
		{"a floor holds span by span", func(in in) {
			m1(in).Text, in.FloorsPermille = "not to be refunded", map[floor.Class]int64{floor.Identifier: 500}
			in.Spans[1].Elements = known(floor.Element{ID: "x3", Class: floor.Identifier, Forms: []string{"refunded"}})
		}, "refuse: 4 over, missing [identifier]"},
		{"once lost stays lost, though the text names it", func(in in) {
			in.Spans[0].Elements[0].Lost = new(true)
			summarized(in).Effective[0].Retained = 0
		}, "refuse: 4 over, missing [identifier]"},
		{"another summary span that inverts one of its own", func(in in) {
			in.Spans[2].Kind, in.Spans[2].Text = floor.KindSummary, "A-17 is to be refunded."
		}, "refuse: 4 over, missing []"},
		{"a message that does is none", func(in in) { in.Spans[2].Text = "A-17 is to be refunded." }, "certified m1(s1 s2) s3"},
		{"nor is its own text another", func(in in) { summarized(in); in.Spans[0].Text += " It is to be refunded." }, "certified m1(s1 s2) s3"},
		{"nor is one that inverts an element that is not guarded", func(in in) {
			in.Spans[2].Kind, in.Spans[2].Text, in.Required = floor.KindSummary, "A-17 is to be refunded.", []floor.Class{floor.Identifier}
		}, "certified m1(s1 s2) s3"},

		{"summary by summary", func(in in) {
			m1(in).Of = []string{"s1"}
			in.Summaries = append(in.Summaries, floor.Summary{ID: "m2", Of: []string{"s2"}, Text: "Hi", Tokens: 10}, floor.Summary{ID: "m3", Of: []string{"s3"}, Text: "Waits", Tokens: 2})
			in.BudgetTokens = 16
		}, "certified m1(s1) s2 m3(s3)"},
		{"a summary that saves nothing is not used", func(in in) { m1(in).Tokens = 20 }, "refuse: 10 over, missing []"},
		{"everything fits", func(in in) { in.BudgetTokens = 30 }, "certified s1 s2 s3"},
		{"and nothing is nothing", func(in in) { *in = floor.CompactIn{} }, "certified"},

		{"recoverable is provisional", func(in in) { m1(in).Text, in.SourceRecoverable = "Hi", true }, "provisional/recoverable m1(s1 s2)? s3"},
		{"harmless is", func(in in) { m1(in).Text, in.Conditions = "Hi", floor.Conditions{} }, "provisional/harmless m1(s1 s2)? s3"},
		{"any danger is enough", func(in in) { m1(in).Text, in.Conditions = "Hi", floor.Conditions{ChainingRisk: true} },
			"refuse: 4 over, missing [identifier negation]"},
		{"a provisional plan takes what may not go, and inverts", func(in in) {
			m1(in).Text, in.SourceRecoverable = "A-17 is to be refunded", true
			in.Spans[1].Elements = nil
		}, "provisional/recoverable m1(s1 s2)? s3"},
		{"but no summary that is not usable", func(in in) { m1(in).Status, in.SourceRecoverable = floor.StatusRefused, true }, "refuse: 10 over, missing []"},
		{"and fits", func(in in) { in.BudgetTokens, in.SourceRecoverable = 13, true }, "refuse: 1 over, missing []"},
		{"a sound plan is never provisional", func(in in) { in.SourceRecoverable = true }, "certified m1(s1 s2) s3"},

		{"over budget is against the cheapest sound plan", func(in in) { m1(in).Text, in.BudgetTokens = "A-17", 20 }, "refuse: 4 over, missing [negation]"},
		{"missing is under a usable summary only", func(in in) {
			m1(in).Status, in.Known = floor.StatusOpaque, nil
			in.Spans[0].Elements, in.Spans[1].Kind = nil, floor.KindSummary
		}, "refuse: 10 over, missing []"},
		{"missing of a span whose elements are unknown", func(in in) {
			l := summarized(in)
			l.Effective, in.Spans[0].Elements = l.Effective[:1], nil
		}, "refuse: 4 over, missing [negation], unknown [s1]"},
		{"missing under a summary that is not clean", func(in in) { m1(in).Text = "to be refunded" },
			"refuse: 10 over, missing [identifier negation], unclean [m1]"},
		{"a summary of no span can be unclean", func(in in) {
			in.Summaries = []floor.Summary{{ID: "m2", Text: "to be refunded"}}
		}, "refuse: 10 over, missing [], unclean [m2]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := refundCase()
			tt.change(in)
			out, err := CompactSpans(in, floor.Guard)
			require.NoError(t, err)
			require.Equal(t, tt.want, gist(out))
		})
	}
}

func TestJointWantsEveryDanger(t *testing.T) {
	in := refundCase()
	in.Summaries[0].Text = "Hi"
	out, err := CompactSpans(in, floor.Joint)
	require.NoError(t, err)
	require.Equal(t, "refuse: 4 over, missing [identifier negation]", gist(out))
	in.ChainingRisk = false
	out, err = CompactSpans(in, floor.Joint)
	require.NoError(t, err)
	require.Equal(t, "provisional/harmless m1(s1 s2)? s3", gist(out))
}

// What nobody gave is written as an empty list, never as null.
func TestAnEmptyRequest(t *testing.T) {
	out, err := CompactSpans(&floor.CompactIn{}, floor.Guard)
	require.NoError(t, err)
	text, err := floor.Answer{Compact: &out}.MarshalJSON()
	require.NoError(t, err)
	require.JSONEq(t, `{"out":{"decision":"certified","kept":[],"evicted":[],"output":[],
		"contract":{"required_classes":[],"certified_classes":[],"generation":0,"ancestry_certified":true}}}`, string(text))
}

// What an answer holds, in full.
func TestTheWholeOfAnAnswer(t *testing.T) {
	in := refundCase()
	summarized(in)
	in.Spans[0].Elements = append(in.Spans[0].Elements, floor.Element{ID: "x4", Class: "mood", Forms: []string{"morning"}})
	out, err := CompactSpans(in, floor.Guard)
	require.NoError(t, err)
	one := func(c floor.Class) floor.Fidelity { return floor.Fidelity{Class: c, Retained: 1, Total: 1} }
	require.Equal(t, floor.CompactOut{
		Decision: floor.Certified,
		Kept:     []string{"s3"},
		Evicted: []floor.Evicted{
			{Span: "s1", Summary: "m1", Fidelity: []floor.Fidelity{one(floor.Identifier), {Class: "mood", Retained: 0, Total: 1}, one(floor.Negation)}},
			{Span: "s2", Summary: "m1", Fidelity: []floor.Fidelity{}},
		},
		Output: []floor.Part{
			{Kind: floor.PartSummary, Summary: "m1", Text: "A-17: not to be refunded.", Provisional: new(false), Lost: []string{"x4"},
				Lineage: &floor.Lineage{Generation: 4, AncestryCertified: true, Decision: floor.Certified, Effective: []floor.Fidelity{
					one(floor.Identifier), one(floor.Negation), // quantity is known, and not effective in s1
				}}},
			{Kind: floor.PartSpan, Span: "s3", Text: "The customer waits."},
		},
		Contract: &floor.Contract{
			Required: []floor.Class{floor.Identifier, floor.Negation}, Certified: []floor.Class{floor.Identifier, floor.Negation},
			Generation: 4, AncestryCertified: true,
		},
	}, out)

	in.Summaries[0].Status, in.SourceRecoverable = floor.StatusError, true
	out, err = CompactSpans(in, floor.Guard)
	require.NoError(t, err)
	require.Equal(t, floor.CompactOut{
		Decision: floor.Refuse, MissingClasses: []floor.Class{}, OverBudgetTokens: new(int64(10)),
		Escalations:  []string{RaiseBudget, SplitTask, Checkpoint, Human, Retrieve},
		UnknownSpans: []string{}, PoisonedSpans: []string{}, UncleanSummaries: []string{},
	}, out)
}

// The lineage of a summary, and the contract of what is delivered.
func TestLineageAndContract(t *testing.T) {
	type in = *floor.CompactIn
	type want struct {
		generation int64
		ancestry   bool
		effective  string // class retained/total
		lost       string

		contractGeneration int64
		contractAncestry   bool
		certified          string
	}
	tests := []struct {
		name   string
		change func(in in)
		want   want
	}{
		{"of originals", func(in) {}, want{1, true, "identifier 1/1, negation 1/1, quantity 0/0", "[]", 1, true, "[identifier negation]"}},
		{"one more than the largest", func(in in) { summarized(in) }, want{4, true, "identifier 1/1, negation 1/1", "[]", 4, true, "[identifier negation]"}},
		{"a summary span without a lineage is a first one", func(in in) {
			in.Spans[1].Kind, in.SourceRecoverable, in.Summaries[0].Text = floor.KindSummary, true, "Hi"
			in.BudgetTokens = 14
		}, want{2, false, "", "[x1 x2]", 2, false, "[]"}},
		{"ancestry is that of all it replaced", func(in in) {
			summarized(in).Decision, in.SourceRecoverable, in.BudgetTokens = floor.Provisional, true, 14
		}, want{4, false, "identifier 1/1, negation 1/1", "[]", 4, false, "[]"}},
		{"a provisional one of originals has a certified ancestry, the contract none", func(in in) {
			in.SourceRecoverable, in.Summaries[0].Text = true, "A-17"
		}, want{1, true, "identifier 1/1, negation 0/1, quantity 0/0", "[x2]", 1, false, "[]"}},
		{"effective is for what is known", func(in in) { in.Known, in.Required = []floor.Class{floor.Negation}, []floor.Class{floor.Negation} },
			want{1, true, "negation 1/1", "[]", 1, true, "[negation]"}},
		{"effective is counted over all that is replaced", func(in in) {
			in.Spans[1].Elements = known(floor.Element{ID: "x3", Class: floor.Quantity, Forms: []string{"5"}}, floor.Element{ID: "x4", Class: floor.Negation, Forms: []string{"refunded"}})
		}, want{1, true, "identifier 1/1, negation 2/2, quantity 0/1", "[x3]", 1, true, "[identifier negation]"}},
		{"not over what stays", func(in in) {
			in.Spans[1].Elements = known(floor.Element{ID: "x3", Class: floor.Negation, Forms: []string{"5"}})
			in.BudgetTokens = 24
		}, want{1, true, "identifier 1/1, negation 1/1, quantity 0/0", "[]", 1, true, "[identifier negation]"}},
		{"unknown elements add nothing", func(in in) { in.Spans[1].Elements, in.SourceRecoverable = nil, true },
			want{1, true, "identifier 1/1, negation 1/1, quantity 0/0", "[]", 1, false, "[]"}},
		{"what was lost is lost", func(in in) {
			in.Spans[0].Elements[0].Lost = new(true)
			summarized(in).Effective[0].Retained = 0
			in.Required = []floor.Class{floor.Negation}
		}, want{4, true, "identifier 0/1, negation 1/1", "[x1]", 4, true, "[negation]"}},
		{"the contract is of kept summaries too", func(in in) {
			in.Spans[2].Kind = floor.KindSummary
			in.Spans[2].Lineage = &floor.Lineage{Generation: 7, AncestryCertified: true, Decision: floor.Certified, Effective: []floor.Fidelity{
				{Class: floor.Negation, Retained: 0, Total: 0},
			}}
		}, want{1, true, "identifier 1/1, negation 1/1, quantity 0/0", "[]", 7, true, "[negation]"}},
		{"a kept one that lost a class", func(in in) {
			in.Spans[2].Kind = floor.KindSummary
			in.Spans[2].Elements = known(floor.Element{ID: "x3", Class: floor.Identifier, Forms: []string{"waits"}, Lost: new(true)})
			in.Spans[2].Lineage = &floor.Lineage{Generation: 1, AncestryCertified: true, Decision: floor.Certified, Effective: []floor.Fidelity{
				{Class: floor.Negation}, {Class: floor.Identifier, Retained: 0, Total: 1},
			}}
		}, want{1, true, "identifier 1/1, negation 1/1, quantity 0/0", "[]", 1, true, "[negation]"}},
		{"a kept one without a certified decision", func(in in) {
			in.Spans[2].Lineage = &floor.Lineage{Generation: 1, AncestryCertified: true, Decision: floor.Provisional}
		}, want{1, true, "identifier 1/1, negation 1/1, quantity 0/0", "[]", 1, false, "[]"}},
		{"a kept one without a lineage", func(in in) { in.Spans[2].Kind = floor.KindSummary },
			want{1, true, "identifier 1/1, negation 1/1, quantity 0/0", "[]", 1, false, "[]"}},
		{"inverted by what is kept", func(in in) { in.Spans[2].Text = "It is to be refunded." },
			want{1, true, "identifier 1/1, negation 1/1, quantity 0/0", "[]", 1, true, "[identifier]"}},
		{"an inverted element that is not required", func(in in) {
			in.Spans[2].Text, in.Required = "It is to be refunded.", []floor.Class{floor.Identifier}
		}, want{1, true, "identifier 1/1, negation 1/1, quantity 0/0", "[]", 1, true, "[identifier]"}},
		{"a floor of 0 wants the class to be effective all the same", func(in in) {
			in.FloorsPermille, in.Known, in.Required = map[floor.Class]int64{"mood": 0}, []floor.Class{floor.Identifier}, []floor.Class{floor.Identifier, "mood"}
		}, want{1, true, "identifier 1/1", "[]", 1, true, "[identifier]"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := refundCase()
			tt.change(in)
			out, err := CompactSpans(in, floor.Guard)
			require.NoError(t, err)
			at := slices.IndexFunc(out.Output, func(p floor.Part) bool { return p.Kind == floor.PartSummary })
			require.GreaterOrEqual(t, at, 0, "no summary is used: %s", gist(out))
			p := out.Output[at]
			require.Equal(t, out.Decision, p.Lineage.Decision)
			var effective []string
			for _, f := range p.Lineage.Effective {
				effective = append(effective, fmt.Sprintf("%s %d/%d", f.Class, f.Retained, f.Total))
			}
			require.Equal(t, tt.want, want{
				p.Lineage.Generation, p.Lineage.AncestryCertified, strings.Join(effective, ", "), fmt.Sprint(p.Lost),
				out.Contract.Generation, out.Contract.AncestryCertified, fmt.Sprint(out.Contract.Certified),
			})
		})
	}
}

// On a no-op the contract is that of the spans as they are.
func TestTheContractOfANoOp(t *testing.T) {
	tests := []struct {
		name   string
		change func(in *floor.CompactIn)
		want   floor.Contract
	}{
		{"originals", func(*floor.CompactIn) {}, floor.Contract{Certified: []floor.Class{floor.Identifier, floor.Negation}, AncestryCertified: true}},
		{"unknown ones", func(in *floor.CompactIn) { in.Spans[0].Elements, in.Known = nil, nil },
			floor.Contract{Certified: []floor.Class{floor.Identifier, floor.Negation}, AncestryCertified: true}},
		{"a summary", func(in *floor.CompactIn) { summarized(in).Effective = nil }, floor.Contract{Certified: []floor.Class{}, Generation: 3, AncestryCertified: true}},
		{"a contradiction", func(in *floor.CompactIn) { in.Spans[1].Text = "to be refunded" },
			floor.Contract{Certified: []floor.Class{floor.Identifier}, AncestryCertified: true}},
		{"a floor that half suffices for", func(in *floor.CompactIn) {
			in.Spans[0].Elements[0].Lost = new(true)
			in.Spans[0].Elements = append(in.Spans[0].Elements, floor.Element{ID: "x3", Class: floor.Identifier})
			summarized(in).Effective[0].Total = 2
			in.FloorsPermille = map[floor.Class]int64{floor.Identifier: 500}
		}, floor.Contract{Certified: []floor.Class{floor.Identifier, floor.Negation}, Generation: 3, AncestryCertified: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := refundCase()
			in.BudgetTokens = 30
			tt.change(in)
			tt.want.Required = []floor.Class{floor.Identifier, floor.Negation}
			out, err := CompactSpans(in, floor.Guard)
			require.NoError(t, err)
			require.Equal(t, tt.want, *out.Contract)
			require.Equal(t, []floor.Evicted{}, out.Evicted)
			require.Equal(t, []string{"s1", "s2", "s3"}, out.Kept)
		})
	}
}

func TestCompactBadRequests(t *testing.T) {
	tests := []struct {
		path   string
		change func(in *floor.CompactIn)
	}{
		{"in.summaries[1].of[0]", func(in *floor.CompactIn) {
			in.Summaries = append(in.Summaries, floor.Summary{ID: "m2", Of: []string{"s1"}}) // a span belongs to one summary
		}},
		{"in.spans[0].elements[1].inverted_forms[0]", func(in *floor.CompactIn) { in.Spans[0].Elements[1].Inverted[0] = "Not  to be refunded" }},
		{"in.spans[0].lineage.effective[0]", func(in *floor.CompactIn) { summarized(in).Effective[0].Retained = 0 }},
	}
	for _, tt := range tests {
		in := refundCase()
		tt.change(in)
		out, err := CompactSpans(in, floor.Guard)
		var bad *floor.BadRequest
		require.ErrorAs(t, err, &bad)
		require.Equal(t, tt.path, bad.Path)
		require.Zero(t, out)
	}
}

// Tokens near 2^53 are counted, and so are fidelities that nobody can list.
func TestNumbersNearTheirLimit(t *testing.T) {
	in := refundCase()
	in.Spans[0].Tokens = floor.MaxNumber - 24
	in.BudgetTokens = 13
	out, err := CompactSpans(in, floor.Guard)
	require.NoError(t, err)
	require.Equal(t, "refuse: 1 over, missing []", gist(out))
	in.BudgetTokens = floor.MaxNumber - 5 // one less than all
	out, err = CompactSpans(in, floor.Guard)
	require.NoError(t, err)
	require.Equal(t, "certified m1(s1 s2) s3", gist(out))

	in = refundCase()
	in.BudgetTokens, in.Spans[2].Elements, in.FloorsPermille = 30, nil, map[floor.Class]int64{floor.Identifier: 999}
	in.Spans[2].Lineage = &floor.Lineage{AncestryCertified: true, Decision: floor.Certified, Effective: []floor.Fidelity{
		{Class: floor.Identifier, Retained: floor.MaxNumber - floor.MaxNumber/1000, Total: floor.MaxNumber},
		{Class: floor.Negation, Retained: floor.MaxNumber - 1, Total: floor.MaxNumber},
	}}
	out, err = CompactSpans(in, floor.Guard)
	require.NoError(t, err)
	require.Equal(t, []floor.Class{floor.Identifier}, out.Contract.Certified)
}

// Tokens and budget times one number, and filler that the budget pays for,
// change nothing.
func TestDecisionsDoNotDependOnTheRatio(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 44))
	for range 2000 {
		in := (&drawing{rng: rng}).compactIn()
		before, err := CompactSpans(in, floor.Guard)
		require.NoError(t, err)

		scaled, times := *in, int64(2+rng.IntN(1000))
		scaled.Spans, scaled.Summaries = slices.Clone(in.Spans), slices.Clone(in.Summaries)
		scaled.BudgetTokens *= times
		for i := range scaled.Spans {
			scaled.Spans[i].Tokens *= times
		}
		for i := range scaled.Summaries {
			scaled.Summaries[i].Tokens *= times
		}
		after, err := CompactSpans(&scaled, floor.Guard)
		require.NoError(t, err)
		if after.OverBudgetTokens != nil {
			require.Equal(t, *before.OverBudgetTokens*times, *after.OverBudgetTokens)
			after.OverBudgetTokens = before.OverBudgetTokens
		}
		require.Equal(t, before, after)

		padded := *in
		padded.Spans = append(slices.Clone(in.Spans), floor.Span{ID: "filler", Kind: floor.KindMessage, Tokens: 1000, Text: "…", Elements: known()})
		padded.BudgetTokens += 1000
		after, err = CompactSpans(&padded, floor.Guard)
		require.NoError(t, err)
		require.Equal(t, before.Decision, after.Decision)
		require.Equal(t, before.Evicted, after.Evicted)
	}
}
