package model

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

func TestCertificatesAreComparedByMeaning(t *testing.T) {
	out := func(change func(o *floor.CertifyOut)) *floor.CertifyOut {
		o := &floor.CertifyOut{
			Certified: classes{"a", "b"}, Fidelity: []floor.Fidelity{share("a", 1, 2), share("b", 0, 0)},
			Lost: []string{"x", "y"}, Inverted: []string{}, Fabricated: []string{},
		}
		change(o)
		return o
	}
	same := out(func(*floor.CertifyOut) {})
	require.Zero(t, differInCertify(same, out(func(o *floor.CertifyOut) {
		slices.Reverse(o.Fidelity)
		o.Fidelity[1] = share("a", 2, 4)
		o.Certified, o.Lost = classes{"b", "a", "b"}, []string{"y", "x"}
	})))
	tests := map[string]func(o *floor.CertifyOut){
		"certified_classes: [a b] / [a]":          func(o *floor.CertifyOut) { o.Certified = classes{"a"} },
		"fidelity: a 1 of 2 / a 2 of 2":           func(o *floor.CertifyOut) { o.Fidelity[0].Retained = 2 },
		"lost: [x y] / no lost":                   func(o *floor.CertifyOut) { o.Lost = nil },
		"inverted: [] / [z]":                      func(o *floor.CertifyOut) { o.Inverted = []string{"z"} },
		"fabricated: [] / no fabricated":          func(o *floor.CertifyOut) { o.Fabricated = nil },
		"certified_classes: without d3 / with d3": func(o *floor.CertifyOut) { o.Certified = append(o.Certified, "d1", "d2", "d3", "d4", "d5", "d6", "d7") },
	}
	many := out(func(o *floor.CertifyOut) { o.Certified = append(o.Certified, "d1", "d2", "d4", "d5", "d6", "d7") })
	for want, change := range tests {
		base := same
		if len(out(change).Certified) > 2 {
			base = many
		}
		d := differInCertify(base, out(change))
		require.Equal(t, want, d.at+": "+d.want+" / "+d.got)
	}
}

func TestCompactionsAreComparedByMeaning(t *testing.T) {
	p := packing(60, original("s1", 50, "n1"), original("s2", 50, "n2")).under(recoverable)
	p.proposing(summary("m1", 9, keeping("n1"), "s1"))
	refusal := packing(60, p.Spans...).proposing(summary("m1", 9, "Nothing.", "s1"))
	fresh := func(p *pack) *floor.CompactOut { return Expect(p.kase())[0].Compact }
	tests := []struct {
		name   string
		p      *pack
		change func(o *floor.CompactOut)
		want   string
	}{
		{"the same", p, func(*floor.CompactOut) {}, ""},
		{"sets in another order", p, func(o *floor.CompactOut) {
			o.Kept = append(o.Kept, o.Kept...)
			slices.Reverse(o.Output[0].Lineage.Effective)
			o.Contract.Required = append(o.Contract.Required, o.Contract.Required...)
		}, ""},
		{"a mark that is not there", p, func(o *floor.CompactOut) { o.Output[0].Provisional = nil }, ""},
		{"decision", p, func(o *floor.CompactOut) { o.Decision = floor.Provisional }, ": certified / provisional"},
		{"basis", p, func(o *floor.CompactOut) { o.Basis = floor.BasisHarmless }, `basis: "" / harmless`},
		{"kept", p, func(o *floor.CompactOut) { o.Kept = nil }, "kept: [s2] / no kept"},
		{"evicted", p, func(o *floor.CompactOut) { o.Evicted = nil }, "evicted: [s1] / no evicted"},
		{"evicted under", p, func(o *floor.CompactOut) { o.Evicted[0].Summary = "m2" }, "evicted s1: m1 / m2"},
		{"evicted twice", p, func(o *floor.CompactOut) { o.Evicted = append(o.Evicted, o.Evicted[0]) }, "evicted: 1 span / 2 spans"},
		{"tag", p, func(o *floor.CompactOut) { o.Evicted[0].Fidelity[0].Retained = 0 }, "evicted s1: negation 1 of 1 / negation 0 of 1"},
		{"the order of the output", p, func(o *floor.CompactOut) { slices.Reverse(o.Output) }, `output[0] (m1).text: "do not drop n1" / "Note s2. do not drop n2"`},
		{"text", p, func(o *floor.CompactOut) { o.Output[0].Text = "x" }, `output[0] (m1).text: "do not drop n1" / "x"`},
		{"parts", p, func(o *floor.CompactOut) { o.Output = o.Output[:1] }, "output: 2 parts / 1 part"},
		{"mark", p, func(o *floor.CompactOut) { o.Output[0].Provisional = new(true) }, "output[0] (m1).provisional: \"not marked provisional\" / provisional"},
		{"lost", p, func(o *floor.CompactOut) { o.Output[0].Lost = []string{"n1"} }, "output[0] (m1).lost: [] / [n1]"},
		{"no lineage", p, func(o *floor.CompactOut) { o.Output[0].Lineage = nil },
			"output[0] (m1).lineage: generation 1, ancestry_certified true, decision certified / no lineage"},
		{"generation", p, func(o *floor.CompactOut) { o.Output[0].Lineage.Generation = 7 }, "output[0] (m1).lineage: generation 1 / generation 7"},
		{"ancestry", p, func(o *floor.CompactOut) { o.Output[0].Lineage.AncestryCertified = false },
			"output[0] (m1).lineage: ancestry_certified true / ancestry_certified false"},
		{"effective", p, func(o *floor.CompactOut) { o.Output[0].Lineage.Effective = nil }, "output[0] (m1).lineage.effective: dream 0 of 0 / no dream"},
		{"contract", p, func(o *floor.CompactOut) { o.Contract.Certified = nil }, "contract.certified_classes: [negation] / []"},
		{"no contract", p, func(o *floor.CompactOut) { o.Contract = nil }, "contract: generation 1, ancestry_certified true / no contract"},
		{"missing", refusal, func(o *floor.CompactOut) { o.MissingClasses = nil }, "missing_classes: [negation] / no missing_classes"},
		{"over", refusal, func(o *floor.CompactOut) { o.OverBudgetTokens = nil }, "over_budget_tokens: 40 tokens / no number of tokens"},
		{"escalations", refusal, func(o *floor.CompactOut) { o.Escalations = []string{} }, "escalations: [checkpoint human raise_budget split_task] / []"},
		{"unknown", refusal, func(o *floor.CompactOut) { o.UnknownSpans = nil }, "unknown_spans: [] / no unknown_spans"},
		{"poisoned", refusal, func(o *floor.CompactOut) { o.PoisonedSpans = []string{"s1"} }, "poisoned_spans: [] / [s1]"},
		{"unclean", refusal, func(o *floor.CompactOut) { o.UncleanSummaries = []string{"m1"} }, "unclean_summaries: [] / [m1]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := fresh(tt.p)
			tt.change(out)
			got := ""
			if d := differInCompact(fresh(tt.p), out); d != (difference{}) {
				got = d.at + ": " + d.want + " / " + d.got
			}
			require.Equal(t, tt.want, got)
		})
	}
}

// Every step of a certify or compact case is compared, not the last alone.
func TestEveryStepIsCompared(t *testing.T) {
	certify := certifying("x", classes{"a"}).Steps[0]
	c := caseOf(certify, certify)
	rule, _ := Lookup("decide/deterministic")
	base, other := healthy(c), Expect(c)
	other[0].Certify.Certified = classes{}
	twin := Observe(floor.Trace{Case: c, Answers: other})
	_, findings := rule.Judge(Observation{Base: base, Twin: &twin})
	require.Len(t, findings, 1)
	require.Equal(t, "decide/deterministic: step 0 at certified_classes: want [a] as before, got []", fmt.Sprint(findings[0]))
}
