package model

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

// Each line spoils the right answer to a hand-made request.
func TestWhatCompactRulesObjectTo(t *testing.T) {
	two := []floor.Span{original("s1", 50, "n1"), original("s2", 50, "n2", "i2")}
	fits := packing(100, two...).proposing(summary("m1", 9, keeping("n1"), "s1"))
	sound := packing(60, two...).proposing(summary("m1", 9, keeping("n1"), "s1"), summary("m2", 9, "Nothing.", "s2"))
	both := packing(60, two...).proposing(summary("m1", 9, keeping("n1", "n2"), "s1", "s2"))
	marked := packing(60, two...).proposing(summary("m1", 9, "Nothing.", "s1", "s2")).under(recoverable)
	unsafe := packing(60, two...).proposing(summary("m1", 9, "Nothing.", "s1", "s2"))
	harmful := packing(60, two...).proposing(summary("m1", 9, keeping("n1")+". Drop n2.", "s1")).under(recoverable)
	failed := packing(60, two...).proposing(floor.Summary{ID: "m1", Of: []string{"s1"}, Text: keeping("n1"), Status: floor.StatusError})
	partly := packing(60, two...).proposing(failed.Summaries[0], summary("m2", 9, "Nothing.", "s2")).under(recoverable)
	unheard := packing(60, two...).proposing(summary("m1", 9, keeping("n1"), "s1")).requiring("unheard")
	blind := packing(60, unknowing("s1", 50), two[1]).proposing(summary("m1", 9, "Nothing.", "s1"))
	taint := packing(60, tainted(older("s1", 50, "n1")), two[1]).proposing(summary("m1", 9, keeping("n1"), "s1"))
	unheld := packing(60, certifiedBefore(older("s1", 50, "n1")), two[1]).proposing(summary("m1", 9, keeping("n1"), "s1"))
	again := packing(60, older("s1", 50, "n1", "-i3"), two[1]).proposing(summary("m1", 9, keeping("n1", "i3"), "s1"))
	denied := packing(60, two[0], older("s2", 50, "i2")).proposing(summary("m1", 9, keeping("n1"), "s1"))
	denied.Spans[1].Text += ". Drop n1."

	type out = floor.CompactOut
	going := func(p *pack, d floor.Decision, b floor.Basis, ids ...string) func(o *out) {
		return func(o *out) { *o = *p.compaction().answer(setOf(ids), d, b) }
	}
	part := func(at int, change func(p *floor.Part)) func(o *out) {
		return func(o *out) { change(&o.Output[at]) }
	}
	tests := []struct {
		name string
		rule string
		p    *pack
		lie  func(o *out)
		want string
	}{
		{"below its floor", "compact/floor", sound, going(sound, floor.Certified, "", "s2"),
			"evicted[0] (s2): negation at 1000 permille in its summary / negation 0 of 1"},
		{"under an unclean summary", "compact/floor", harmful, going(harmful, floor.Certified, "", "s1"),
			"evicted[0] (s1): evicted under a clean summary / evicted under m1, which says the opposite of n2"},
		{"beside a summary that says the opposite", "compact/floor", denied, going(denied, floor.Certified, "", "s1"),
			"evicted[0] (s1): no other summary that says the opposite / the summary s2 does"},
		{"provisionally it may", "compact/floor", sound, going(sound, floor.Provisional, floor.BasisHarmless, "s2"), ""},
		{"what may go", "compact/floor", sound, going(sound, floor.Certified, "", "s1"), ""},

		{"unknown elements", "compact/class-known", blind, going(blind, floor.Certified, "", "s1"), "evicted[0] (s1): known elements / they are unknown"},
		{"an unknown class", "compact/class-known", unheard, going(unheard, floor.Certified, "", "s1"), "evicted[0] (s1): unheard among the known classes / it is not"},
		{"a class that its lineage does not hold", "compact/class-known", unheld, going(unheld, floor.Certified, "", "s1"),
			"evicted[0] (s1): negation in the lineage of what goes / it is not"},

		{"cut by a letter", "compact/retain", sound, part(1, func(p *floor.Part) { p.Text = p.Text[:len(p.Text)-1] }),
			`output (s2): …"s2. do not drop n2. db-i2" / …"s2. do not drop n2. db-i"`},
		{"gone", "compact/retain", sound, going(sound, floor.Certified, "", "s1", "s2"), "output: s2 as it was: it may not go / it is gone"},
		{"what may go is not its matter", "compact/retain", sound, func(o *out) { o.Output = o.Output[1:] }, ""},

		{"provisional with nothing recoverable", "compact/refuse", unsafe, going(unsafe, floor.Provisional, floor.BasisHarmless, "s1"), ": refuse / provisional"},
		{"certified", "compact/refuse", unsafe, going(unsafe, floor.Certified, "", "s1"), ": refuse / certified"},

		{"a refusal where all fits", "compact/no-gratuitous-refusal", fits, func(o *out) { *o = *fits.compaction().refusal() }, ": certified / refuse"},
		{"provisional where all fits is not judged", "compact/no-gratuitous-refusal", fits, going(fits, floor.Provisional, floor.BasisHarmless), ""},
		{"provisional where a sound plan fits", "compact/no-gratuitous-refusal", sound, going(sound, floor.Provisional, floor.BasisHarmless, "s1"),
			": certified: a sound plan fits / provisional"},
		{"a mark where a sound plan fits", "compact/no-gratuitous-refusal", sound, part(0, func(p *floor.Part) { p.Provisional = new(true) }),
			"output[0] (m1): not marked: a sound plan fits / provisional"},
		{"a basis where a sound plan fits", "compact/no-gratuitous-refusal", sound, func(o *out) { o.Basis = floor.BasisHarmless },
			"basis: none: a sound plan fits / harmless"},
		{"a refusal where a provisional plan fits", "compact/no-gratuitous-refusal", marked, func(o *out) { *o = *marked.compaction().refusal() }, ": provisional / refuse"},
		{"another sound plan that fits", "compact/no-gratuitous-refusal", both, going(both, floor.Certified, "", "s1"), ""},

		{"over the budget", "compact/budget", both, going(both, floor.Certified, ""), "output: at most 60 tokens / 100 or more"},
		{"just fitting", "compact/budget", both, going(both, floor.Certified, "", "s2"), ""},
		{"the summary counts", "compact/budget", packing(58, two...).proposing(summary("m1", 9, keeping("n1"), "s1")).under(recoverable),
			going(both, floor.Certified, "", "s1"), "output: at most 58 tokens / 59 or more"},

		{"a span gone without a trace", "compact/conserve", fits, func(o *out) { o.Output = o.Output[:1] }, "output: s2 kept, or evicted under its summary / neither"},
		{"a kept span that is not listed", "compact/conserve", fits, func(o *out) { o.Kept = o.Kept[:1] }, "kept: s2 among what is kept / it stands in the output alone"},
		{"an unknown span kept", "compact/conserve", fits, func(o *out) { o.Kept = append(o.Kept, "s9") }, "kept: spans of the request / s9"},
		{"kept and evicted", "compact/conserve", sound, func(o *out) { o.Kept = append(o.Kept, "s1") }, "kept: s1 kept or evicted / both"},
		{"another order", "compact/conserve", fits, func(o *out) { slices.Reverse(o.Output) }, "output[1] (s1): the order of the request / it comes after a later span"},
		{"a span twice", "compact/conserve", fits, func(o *out) { o.Output = append(o.Output, o.Output[1]) }, "output[2] (s2): each span once / it stands there again"},
		{"a text of nobody's", "compact/conserve", fits, func(o *out) { o.Output = append(o.Output, floor.Part{Kind: floor.PartSpan, Span: "x", Text: "Hi."}) },
			`output[2] (x): a span or a summary of the request / "Hi."`},
		{"another text", "compact/conserve", fits, part(0, func(p *floor.Part) { p.Text = "Note s1!" }), `output[0] (s1): "Note s1. do not drop n1" / "Note s1!"`},
		{"another text of a summary", "compact/conserve", sound, part(0, func(p *floor.Part) { p.Text = "Do not." }), `output[0] (m1): "do not drop n1" / "Do not."`},
		{"a summary that is not delivered", "compact/conserve", sound, func(o *out) { o.Output = o.Output[1:] }, "output: m1, under which spans were evicted / no such summary"},
		{"a summary that replaces nothing", "compact/conserve", sound, func(o *out) {
			o.Output = append(o.Output, floor.Part{Kind: floor.PartSummary, Summary: "m2", Text: "Nothing."})
		},
			"output[2] (m2): a summary that replaces a span / it replaces none"},
		{"a summary twice", "compact/conserve", sound, func(o *out) { o.Output = append(o.Output, o.Output[0]) }, "output[2] (m1): each summary once / it stands there again"},
		{"a summary at the end", "compact/conserve", sound, func(o *out) { slices.Reverse(o.Output) }, ""},
		{"under another summary", "compact/conserve", sound, func(o *out) { o.Evicted[0].Summary = "m2" }, "evicted[0] (s1): evicted under a summary that is of it / evicted under m2"},
		{"under a summary that failed", "compact/conserve", partly, going(partly, floor.Provisional, floor.BasisRecoverable, "s1", "s2"),
			"evicted[0] (s1): evicted under a usable summary / evicted under m1, which has the status error"},
		{"an unknown span evicted", "compact/conserve", sound, func(o *out) { o.Evicted = append(o.Evicted, floor.Evicted{Span: "s9", Summary: "m1"}) },
			"evicted[1] (s9): a span of the request / s9"},
		{"evicted twice", "compact/conserve", sound, func(o *out) { o.Evicted = append(o.Evicted, o.Evicted[0]) }, "evicted[1] (s1): evicted once / evicted again"},
		{"kept and in the output too", "compact/conserve", sound, func(o *out) {
			o.Output = append([]floor.Part{{Kind: floor.PartSpan, Span: "s1", Text: two[0].Text}}, o.Output...)
		}, "output[0] (s1): kept or evicted / both"},
		{"no list of what was evicted", "compact/conserve", fits, func(o *out) { o.Evicted = nil }, ": kept, evicted and output / not all three of them"},

		{"one kept that is not", "compact/tagged", marked, func(o *out) { o.Evicted[0].Fidelity[0].Retained = 1 },
			"evicted[0] (s1).fidelity: negation 0 of 1 / negation 1 of 1"},
		{"no tag", "compact/tagged", sound, func(o *out) { o.Evicted[0].Fidelity = []floor.Fidelity{} }, "evicted[0] (s1).fidelity: negation 1 of 1 / no negation"},
		{"a class that the span does not hold", "compact/tagged", sound, func(o *out) {
			o.Evicted[0].Fidelity = append(o.Evicted[0].Fidelity, share("identifier", 0, 0))
		}, "evicted[0] (s1).fidelity: no identifier / identifier 0 of 0"},
		{"the same fraction", "compact/tagged", sound, func(o *out) { o.Evicted[0].Fidelity[0] = share("negation", 4, 4) }, ""},

		{"unmarked", "compact/marked", marked, part(0, func(p *floor.Part) { p.Provisional = nil }), "output[0] (m1): provisional / not marked provisional"},
		{"called certified", "compact/marked", marked, going(marked, floor.Certified, "", "s1"), "basis: recoverable / no basis"},
		{"another basis", "compact/marked", marked, func(o *out) { o.Basis = floor.BasisHarmless }, "basis: recoverable / harmless"},

		{"no lineage", "compact/lineage", sound, part(0, func(p *floor.Part) { p.Lineage = nil }),
			"output[0] (m1).lineage: generation 1, ancestry_certified true, decision certified / no lineage"},
		{"a generation less", "compact/lineage", again, part(0, func(p *floor.Part) { p.Lineage.Generation = 1 }), "output[0] (m1).lineage: generation 2 / generation 1"},
		{"an ancestry that is not certified", "compact/lineage", taint.under(recoverable), part(0, func(p *floor.Part) { p.Lineage.AncestryCertified = true }),
			"output[0] (m1).lineage: ancestry_certified false / ancestry_certified true"},
		{"the decision of another event", "compact/lineage", marked, part(0, func(p *floor.Part) { p.Lineage.Decision = floor.Certified }),
			"output[0] (m1).lineage: decision provisional / decision certified"},
		{"a class that nobody knew", "compact/lineage", sound, part(0, func(p *floor.Part) {
			p.Lineage.Effective = append(p.Lineage.Effective, share("unheard", 0, 0))
		}), "output[0] (m1).lineage.effective: no unheard / unheard 0 of 0"},
		{"a known class less, without elements", "compact/lineage", sound, part(0, func(p *floor.Part) {
			p.Lineage.Effective = slices.DeleteFunc(p.Lineage.Effective, func(f floor.Fidelity) bool { return f.Class == floor.Quantity })
		}), "output[0] (m1).lineage.effective: quantity 0 of 0 / no quantity"},
		{"a fraction of other counts", "compact/lineage", sound, part(0, func(p *floor.Part) {
			for i := range p.Lineage.Effective {
				p.Lineage.Effective[i].Retained, p.Lineage.Effective[i].Total = 2, 2
			}
		}), "output[0] (m1).lineage.effective: dream 0 of 0 / dream 2 of 2, counted otherwise"},
		{"a lost element that is not named", "compact/lineage", marked, part(0, func(p *floor.Part) { p.Lost = p.Lost[1:] }), "output[0] (m1).lost: [i2 n1 n2] / [i2 n2]"},
		{"no list of what is lost", "compact/lineage", sound, part(0, func(p *floor.Part) { p.Lost = nil }), "output[0] (m1).lost: [] / no lost"},
		{"a poisoned summary goes under certified", "compact/lineage", taint, going(taint, floor.Certified, "", "s1"),
			"evicted[0] (s1): a certified lineage of what goes / generation 1, ancestry_certified true, decision provisional"},

		{"no contract", "compact/contract", fits, func(o *out) { o.Contract = nil }, "contract: generation 0, ancestry_certified true / no contract"},
		{"a contract of another consumer", "compact/contract", fits, func(o *out) { o.Contract.Required = classes{} }, "contract.required_classes: [negation] / []"},
		{"a class that the context holds", "compact/contract", fits, func(o *out) { o.Contract.Certified = classes{} }, "contract.certified_classes: [negation] / []"},
		{"a generation of the context", "compact/contract", sound, func(o *out) { o.Contract.Generation = 0 }, "contract: generation 1 / generation 0"},
		{"an older summary that was provisional", "compact/contract", taint.under(recoverable), func(o *out) { o.Contract.AncestryCertified = true },
			"contract: ancestry_certified false / ancestry_certified true"},
		{"what a provisional summary certifies", "compact/contract", marked, func(o *out) { o.Contract.Certified = classes{floor.Negation} },
			"contract.certified_classes: [] / [negation]"},

		{"found again", "compact/once-lost", again, part(0, func(p *floor.Part) { p.Lost = []string{} }),
			"output[0] (m1).lost: identifier i3: it was lost before / not lost"},
		{"counted again", "compact/once-lost", again, part(0, func(p *floor.Part) {
			p.Lineage.Effective = []floor.Fidelity{share("identifier", 1, 1), share("negation", 1, 1)}
		}), "output[0] (m1).lineage.effective: at most identifier 0 of 1: the others were lost before / identifier 1 of 1"},
		{"tagged again", "compact/once-lost", again, func(o *out) { o.Evicted[0].Fidelity[0].Retained = 1 },
			"output[0] (m1).tag of s1: at most identifier 0 of 1: the others were lost before / identifier 1 of 1"},

		{"something evicted where all fits", "compact/no-op", fits, going(fits, floor.Certified, "", "s1"), "evicted[0] (s1): nothing evicted: everything fits / evicted"},
		{"another text where all fits", "compact/no-op", fits, part(1, func(p *floor.Part) { p.Text = "" }), `output[1] (s2): "Note s2. do not drop n2. db-i2" / ""`},
		{"another order where all fits", "compact/no-op", fits, func(o *out) { slices.Reverse(o.Output) }, "output[0] (s2): the spans as they are / another part in this place"},
		{"a span less where all fits", "compact/no-op", fits, func(o *out) { o.Output = o.Output[:1] }, "output: 2 parts / 1 part"},

		{"nothing is missing", "compact/reason", unsafe, func(o *out) { o.MissingClasses = nil }, "missing_classes: [negation] / no missing_classes"},
		{"too much is missing", "compact/reason", failed, func(o *out) { o.MissingClasses = classes{floor.Negation} }, "missing_classes: [] / [negation]"},
		{"how much is over", "compact/reason", unsafe, func(o *out) { o.OverBudgetTokens = new(int64(41)) }, "over_budget_tokens: 40 tokens / 41 tokens"},
		{"nothing is over", "compact/reason", unsafe, func(o *out) { o.OverBudgetTokens = nil }, "over_budget_tokens: 40 tokens / no number of tokens"},
		{"no way on", "compact/reason", unsafe, func(o *out) { o.Escalations = []string{} }, "escalations: a way on / []"},
		{"a span that is known", "compact/reason", unsafe, func(o *out) { o.UnknownSpans = []string{"s1"} }, "unknown_spans: [] / [s1]"},
		{"a span that is not known", "compact/reason", blind, func(o *out) { o.UnknownSpans = []string{} }, "unknown_spans: [s1] / []"},
		{"a poisoned span", "compact/reason", packing(60, taint.Spans...).proposing(taint.Summaries...), func(o *out) { o.PoisonedSpans = []string{} },
			"poisoned_spans: [s1] / []"},
		{"an unclean summary", "compact/reason", packing(60, two...).proposing(harmful.Summaries...), func(o *out) { o.UncleanSummaries = []string{} },
			"unclean_summaries: [m1] / []"},
		{"reasons that nobody knows", "compact/reason", blind, func(o *out) { o.UnknownSpans, o.PoisonedSpans, o.UncleanSummaries = nil, nil, nil }, ""},

		{"unmarked and below a floor", "compact/summarizer-independent", marked, part(0, func(p *floor.Part) { p.Provisional = nil }),
			"output[0] (m1): negation of s1 at 1000 permille, or a mark / negation 0 of 1, not marked provisional"},
		{"unmarked and unclean", "compact/summarizer-independent", harmful, part(0, func(p *floor.Part) { p.Provisional = nil }),
			"output[0] (m1): a clean summary, or one that is marked / one which says the opposite of n2, not marked provisional"},
		{"unmarked and failed", "compact/summarizer-independent", packing(60, two...).proposing(failed.Summaries...),
			going(failed, floor.Certified, "", "s1"), "output[0] (m1): a clean summary, or one that is marked / one which has the status error, not marked provisional"},
		{"marked", "compact/summarizer-independent", harmful, func(*out) {}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.rule+"/"+tt.name, func(t *testing.T) {
			answers := Expect(tt.p.kase())
			tt.lie(answers[0].Compact)
			require.Equal(t, tt.want, firstObjection(t, tt.rule, tt.p.kase(), answers))
		})
	}
}

// firstObjection is that of a rule that has to apply.
func firstObjection(t *testing.T, id string, c floor.Case, answers []floor.Answer) string {
	t.Helper()
	rule, ok := Lookup(id)
	require.True(t, ok)
	applied, findings := rule.Judge(Observation{Base: Observe(floor.Trace{Case: c, Answers: answers})})
	require.True(t, applied)
	if len(findings) == 0 {
		return ""
	}
	return findings[0].At + ": " + findings[0].Want + " / " + findings[0].Got
}

func TestWhatCertifyRulesObjectTo(t *testing.T) {
	source := original("s1", 9, "i1", "n1", "n2", "q1")
	kept := certifying(keeping("i1", "n1"), classes{floor.Identifier, floor.Negation}, source)
	turned := certifying("Drop n1. non-db-i1", classes{floor.Identifier, floor.Negation}, source)
	failed := certifyCase(floor.CertifyIn{
		Source: []floor.Span{source}, Required: classes{floor.Identifier}, Output: floor.Delivery{Text: keeping("i1"), Status: floor.StatusOpaque},
	})
	blind := certifying(keeping("i1"), classes{floor.Identifier}, source, unknowing("s2", 1))
	decoys := certifyCase(floor.CertifyIn{Source: []floor.Span{source}, Output: floor.Delivery{Text: keeping("n9")}, Decoys: elements("n8", "n9")})
	type out = floor.CertifyOut
	tests := []struct {
		name string
		rule string
		c    floor.Case
		lie  func(o *out)
		want string
	}{
		{"below its floor", "certify/sound", kept, func(o *out) { o.Certified = append(o.Certified, "negation") },
			"certified_classes: no negation: it is below its floor: negation 1 of 2 / negation"},
		{"a class that nobody requires", "certify/sound", kept, func(o *out) { o.Certified = append(o.Certified, "dream") },
			"certified_classes: required classes alone / dream"},
		{"beside a span whose elements are not known", "certify/sound", blind, func(o *out) { o.Certified = classes{"identifier"} },
			"certified_classes: no identifier: the elements of a source span are not known / identifier"},
		{"an unusable output is another rule's matter", "certify/sound", failed, func(o *out) { o.Certified = classes{"identifier"} }, ""},
		{"which is this one's", "certify/degenerate", failed, func(o *out) { o.Certified = classes{"identifier"} },
			"certified_classes: []: the output is unusable / [identifier]"},
		{"measured all the same", "certify/measured", failed, func(o *out) { o.Fidelity[0].Retained = 0 }, "fidelity: identifier 1 of 1 / identifier 0 of 1"},

		{"retained and reported lost", "certify/complete", kept, func(o *out) { o.Lost = append(o.Lost, "i1") }, "lost: no i1: it is retained / i1"},
		{"at its floor and not certified", "certify/complete", kept, func(o *out) { o.Certified = classes{} },
			"certified_classes: identifier: it is at its floor / []"},
		{"no certified_classes", "certify/complete", failed, func(o *out) { o.Certified = nil }, "certified_classes: a list / no certified_classes"},
		{"no lost", "certify/complete", failed, func(o *out) { o.Lost = nil }, "lost: a list / no lost"},
		{"lost of a class that nobody requires", "certify/complete", kept, func(o *out) { o.Lost = append(o.Lost, "q1") }, "lost: elements of required classes / q1"},
		{"inverted, and nobody's", "certify/complete", kept, func(o *out) { o.Inverted = []string{"x"} }, "inverted: elements of required classes / x"},

		{"a part taken for the whole", "certify/exact", turned, func(o *out) { o.Lost = []string{"n2"} }, "identifier i1: lost / retained"},
		{"there and reported lost", "certify/exact", kept, func(o *out) { o.Lost = append(o.Lost, "i1") }, "identifier i1: retained / lost"},
		{"inverted taken for lost", "certify/polarity", turned, func(o *out) { o.Lost, o.Inverted = append(o.Lost, "n1"), []string{} }, "negation n1: inverted / lost"},
		{"inverted and lost", "certify/polarity", turned, func(o *out) { o.Lost = append(o.Lost, "n1") }, "negation n1: inverted / lost and inverted"},
		{"lost taken for inverted", "certify/polarity", turned, func(o *out) { o.Lost, o.Inverted = []string{"i1"}, []string{"n1", "n2"} }, "negation n2: lost / inverted"},
		{"inverted taken for retained", "certify/polarity", turned, func(o *out) { o.Inverted = []string{} }, "negation n1: inverted / retained"},
		{"another of the class", "certify/identity", kept, func(o *out) { o.Lost = []string{"n1"} }, "negation n1: retained / lost"},
		{"as many, in the other list", "certify/identity", turned, func(o *out) { o.Lost, o.Inverted = []string{"i1", "n1"}, []string{"n2"} }, ""},
		{"one more than measured", "certify/measured", kept, func(o *out) { o.Fidelity[1].Retained = 2 }, "fidelity: negation 1 of 2 / negation 2 of 2"},
		{"the same fraction", "certify/measured", kept, func(o *out) { o.Fidelity[1] = share("negation", 2, 4) }, ""},
		{"a class less", "certify/measured", kept, func(o *out) { o.Fidelity = o.Fidelity[:1] }, "fidelity: negation 1 of 2 / no negation"},
		{"a class more", "certify/measured", kept, func(o *out) { o.Fidelity = append(o.Fidelity, share("quantity", 0, 1)) }, "fidelity: no quantity / quantity 0 of 1"},
		{"no fidelity", "certify/measured", kept, func(o *out) { o.Fidelity = nil }, "fidelity: a list / no fidelity"},

		{"a decoy that is not named", "certify/no-fabrication", decoys, func(o *out) { o.Fabricated = []string{} }, "fabricated: [n9] / []"},
		{"a decoy that is not there", "certify/no-fabrication", decoys, func(o *out) { o.Fabricated = []string{"n9", "n8"} }, "fabricated: [n9] / [n8 n9]"},
		{"nothing is said of decoys", "certify/no-fabrication", decoys, func(o *out) { o.Fabricated = nil }, ""},
	}
	for _, tt := range tests {
		t.Run(tt.rule+"/"+tt.name, func(t *testing.T) {
			answers := Expect(tt.c)
			tt.lie(answers[0].Certify)
			require.Equal(t, tt.want, firstObjection(t, tt.rule, tt.c, answers))
		})
	}
}

func TestSpanPreconditionsAreNarrow(t *testing.T) {
	source := original("s1", 9, "i1", "n1")
	two := []floor.Span{original("s1", 50, "n1"), original("s2", 50, "n2", "i2")}
	kept, nothing := summary("m1", 9, keeping("n1", "n2"), "s1", "s2"), summary("m1", 9, "Nothing.", "s1", "s2")
	twins := func(budget int64, m floor.Summary) floor.Case { return packing(budget, two...).proposing(m).kase() }
	tests := []struct {
		name string
		rule string
		c    floor.Case
		want bool
	}{
		{"an exact element that the text is far from", "certify/exact", certifying("Nothing.", classes{floor.Identifier}, source), false},
		{"one that it is near to", "certify/exact", certifying("DB-I1", classes{floor.Identifier}, source), true},
		{"one that nobody requires", "certify/exact", certifying(keeping("i1"), classes{floor.Negation}, source), false},
		{"a usable output", "certify/degenerate", certifying("x", classes{floor.Negation}, source), false},
		{"nothing to certify", "certify/degenerate", certifying("", nil, source), false},
		{"no decoys", "certify/no-fabrication", certifying("x", nil, source), false},
		{"nothing required", "certify/identity", certifying("x", nil, source), false},
		{"nothing malformed", "certify/fail-closed", certifying("x", nil, source), false},

		{"everything fits", "compact/budget", twins(100, kept), false},
		{"everything fits, and so nothing tempts", "compact/floor", twins(100, nothing), false},
		{"nothing is below its floor", "compact/floor", twins(60, kept), false},
		{"something is", "compact/floor", twins(60, nothing), true},
		{"everything may go", "compact/retain", twins(60, kept), false},
		{"nothing is due but a refusal", "compact/tagged", twins(60, nothing), false},
		{"a refusal is due", "compact/reason", twins(60, nothing), true},
		{"a sound plan fits", "compact/refuse", twins(60, kept), false},
		{"a sound plan fits too", "compact/marked", twins(60, kept), false},
		{"all is known", "compact/class-known", twins(60, nothing), false},
		{"nothing was lost", "compact/once-lost", twins(60, kept), false},
		{"lost and not named", "compact/once-lost", packing(50, older("s1", 60, "n1", "-i3")).proposing(summary("m1", 9, "Nothing.", "s1")).kase(), false},
		{"something has to go", "compact/no-op", twins(60, kept), false},
		{"no spans", "compact/no-op", packing(0).kase(), false},
		{"everything fits: no decision is judged", "compact/ratio-independent", twins(100, kept), false},
		{"the summarizer did well", "compact/summarizer-independent", twins(60, kept), false},
		{"a summary of nothing", "compact/summarizer-independent", twins(60, floor.Summary{ID: "m1"}), false},
	}
	for _, tt := range tests {
		t.Run(tt.rule+"/"+tt.name, func(t *testing.T) {
			rule, ok := Lookup(tt.rule)
			require.True(t, ok)
			require.Equal(t, tt.want, rule.Applies(Observe(floor.Trace{Case: tt.c})))
		})
	}
}

// The comparing rule needs no model: it catches these from the answers alone.
func TestCompactTwinsCatch(t *testing.T) {
	by := func(faulty func(in *floor.CompactIn) bool) func(c floor.Case) Run {
		return func(c floor.Case) Run {
			d := floor.Certified
			if in := c.Steps[0].Compact; faulty(in) {
				d = floor.Refuse
			}
			return Observe(floor.Trace{Case: c, Answers: []floor.Answer{{Compact: &floor.CompactOut{Decision: d}}}})
		}
	}
	whole := func(in *floor.CompactIn) (sum int64) {
		for _, s := range in.Spans {
			sum += s.Tokens
		}
		return sum
	}
	subjects := map[string]func(in *floor.CompactIn) bool{
		"a low ratio refuses":     func(in *floor.CompactIn) bool { return in.BudgetTokens*4 < whole(in) },
		"a large context refuses": func(in *floor.CompactIn) bool { return whole(in) > 10_000 },
		"a small budget refuses":  func(in *floor.CompactIn) bool { return in.BudgetTokens < 200 },
		"many spans refuse":       func(in *floor.CompactIn) bool { return len(in.Spans) > 5 },
		"an odd budget refuses":   func(in *floor.CompactIn) bool { return in.BudgetTokens%2 == 1 },
		"a full window refuses": func(in *floor.CompactIn) bool {
			return in.Riders != nil && in.Riders.OccupancyPermille != nil && *in.Riders.OccupancyPermille > 900
		},
		"a low target refuses": func(in *floor.CompactIn) bool {
			return in.Riders != nil && in.Riders.TargetPermille != nil && *in.Riders.TargetPermille < 150
		},
		"the last span is not read": func(in *floor.CompactIn) bool { return len(in.Spans) > 0 && in.Spans[len(in.Spans)-1].ID != "filler" },
	}
	rule, ok := Lookup("compact/ratio-independent")
	require.True(t, ok)
	for name, faulty := range subjects {
		rng, caught := rand.New(rand.NewPCG(3, 4)), 0
		for range 200 {
			_, c := wellFormed(rng)
			if !rule.Applies(Observe(floor.Trace{Case: c})) {
				continue
			}
			for _, twin := range rule.Vary(c) {
				run := by(faulty)(twin)
				if _, findings := rule.Judge(Observation{Base: by(faulty)(c), Twin: &run}); len(findings) > 0 {
					caught++
				}
			}
		}
		require.Positive(t, caught, name)
	}
}

// A twin that could not be counted any more is none; an id that is used is not
// used again.
func TestTwinsStayWithinTheNumbers(t *testing.T) {
	rule, _ := Lookup("compact/ratio-independent")
	huge := packing(floor.MaxNumber-50, floor.Span{ID: "filler", Kind: floor.KindMessage, Tokens: floor.MaxNumber - 20}).kase()
	require.Len(t, rule.Vary(huge), 3, "a filler of one token, and the riders")
	for _, twin := range rule.Vary(huge) {
		_, bad := Malformed(twin.Steps[0], twin.Policy)
		require.False(t, bad)
	}
	require.Equal(t, "filler-1", rule.Vary(huge)[0].Steps[0].Compact.Spans[0].ID)
	require.Empty(t, rule.Vary(rawCase(floor.OpCompact, `{}`)))
}

// spanOverlaps says which other rules object to lies of a certify or compact
// rule. What is reported wrongly of an element may be about several sentences. A
// span that goes and may not is objected to by each rule that says why, and as
// it goes under another decision than is due, by those about that. A rule that
// is not named is silent on all of its lies.
var spanOverlaps = map[string][]string{
	"certify/complete":    {"certify/exact", "certify/identity"},
	"certify/exact":       {"certify/complete", "certify/identity"},
	"certify/identity":    {"certify/complete", "certify/exact"},
	"compact/class-known": {"compact/budget", "compact/floor", "compact/lineage", "compact/marked", "compact/refuse", "compact/retain", "compact/summarizer-independent"},
	"compact/conserve":    {"compact/no-op", "compact/retain"},
	"compact/floor":       {"compact/budget", "compact/class-known", "compact/lineage", "compact/marked", "compact/refuse", "compact/retain", "compact/summarizer-independent"},
	"compact/marked":      {"compact/summarizer-independent"},
	"compact/no-op":       {"compact/budget", "compact/conserve", "compact/lineage"},
	"compact/once-lost":   {"compact/budget", "compact/lineage", "compact/no-gratuitous-refusal", "compact/refuse", "compact/retain"},
	"compact/refuse":      {"compact/budget"},
	"compact/retain":      {"compact/conserve"},
	"compact/summarizer-independent": {
		"compact/budget", "compact/class-known", "compact/conserve", "compact/floor", "compact/lineage", "compact/marked", "compact/refuse", "compact/retain",
	},
	"compact/tagged": {"compact/once-lost"},
}

func TestSpanRulesAreSilentOnOtherRulesLies(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	cases := handMadeSpans()
	for range 500 {
		cases = append(cases, scribbleSpans(rng))
	}
	ofSpans := slices.DeleteFunc(Rules(), func(r Rule) bool { return r.Op != floor.OpCertify && r.Op != floor.OpCompact })
	got := map[string][]string{}
	for _, r := range ofSpans {
		for _, c := range cases {
			for _, lied := range r.Lies(c) {
				for _, other := range ofSpans {
					if other.Op != r.Op || other.ID == r.ID || slices.Contains(got[r.ID], other.ID) {
						continue
					}
					if _, findings := other.Judge(lied); len(findings) > 0 {
						got[r.ID] = append(got[r.ID], other.ID)
					}
				}
			}
		}
		slices.Sort(got[r.ID])
	}
	for _, r := range ofSpans {
		require.Equal(t, spanOverlaps[r.ID], got[r.ID], r.ID)
	}
}

// A finding repeats little of what a subject says, however much that is, and
// nothing of it reaches a terminal unescaped.
func TestSpanFindingsAreBounded(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	hostile := func() string {
		return strings.Repeat([]string{"\x1b[31m", "\u202e", "é", "x", "\n", "\xff"}[rng.IntN(6)], 1+rng.IntN(3000))
	}
	list := func(ids []string) []string {
		for range rng.IntN(20) {
			ids = append(ids, hostile())
		}
		return ids
	}
	classList := func(list classes) classes { return append(list, floor.Class(hostile())) }
	fidelities := []floor.Fidelity{{Class: floor.Class(hostile()), Retained: 3, Total: 2}}
	lineage := &floor.Lineage{Decision: floor.Decision(hostile()), Effective: fidelities}
	seen := map[string]bool{}
	for range 600 {
		c := scribbleSpans(rng)
		answers := Expect(c)
		for i := range answers {
			if out := answers[i].Certify; out != nil {
				out.Certified, out.Lost, out.Inverted = classList(out.Certified), list(out.Lost), list(out.Inverted)
				out.Fidelity, out.Fabricated = fidelities, list(nil)
			}
			out := answers[i].Compact
			if out == nil {
				continue
			}
			out.Kept, out.MissingClasses, out.UnknownSpans = list(out.Kept), classList(out.MissingClasses), list(out.UnknownSpans)
			out.PoisonedSpans, out.UncleanSummaries, out.Basis = list(out.PoisonedSpans), list(out.UncleanSummaries), floor.Basis(hostile())
			if rng.IntN(2) == 0 {
				out.Contract = &floor.Contract{Required: classList(nil), Certified: classList(nil)}
			}
			for j := range out.Evicted {
				out.Evicted[j].Fidelity = fidelities
			}
			for j := range out.Output {
				out.Output[j].Lineage, out.Output[j].Lost = lineage, list(nil)
				if rng.IntN(3) == 0 {
					out.Output[j].Text += hostile()
				}
			}
			if rng.IntN(3) == 0 {
				out.Output = append(out.Output, floor.Part{Kind: hostile(), Span: hostile(), Text: hostile()})
				out.Evicted = append(out.Evicted, floor.Evicted{Span: hostile(), Summary: hostile()})
			}
			if rng.IntN(4) == 0 {
				out.Decision = floor.Decision(hostile())
			}
		}
		run := Observe(floor.Trace{Case: c, Answers: answers})
		for _, r := range Rules() {
			if r.Op != floor.OpCertify && r.Op != floor.OpCompact || r.Vary != nil {
				continue
			}
			_, findings := r.Judge(Observation{Base: run})
			for _, f := range findings {
				seen[r.ID] = true
				require.Less(t, len(f.At)+len(f.Want)+len(f.Got), 1200, "%s", r.ID)
				for _, c := range f.At + f.Want + f.Got {
					require.True(t, ' ' <= c && c <= '~' || c == '…', "%s: %q", r.ID, f)
				}
			}
		}
	}
	require.Greater(t, len(seen), 14, "so many rules object")
}

// Of many spans each is held against one long summary and against the whole
// context: were every text searched from end to end, this would not end.
func TestLargeRequestsAreJudged(t *testing.T) {
	c := large(20_000)
	answers := Expect(c)
	require.Equal(t, floor.Certified, answers[0].Compact.Decision)
	require.Greater(t, len(answers[0].Compact.Evicted), 19_000)
	run := Observe(floor.Trace{Case: c, Answers: answers})
	for _, r := range Rules() {
		if r.Op == floor.OpCompact && r.Vary == nil {
			_, findings := r.Judge(Observation{Base: run})
			require.Empty(t, findings, r.ID)
		}
	}
	answers[0].Compact.Evicted[7].Fidelity[0].Retained = 0
	require.NotEmpty(t, firstObjection(t, "compact/tagged", c, answers))
}

func BenchmarkJudgeCertify(b *testing.B) {
	source := []floor.Span{original("s1", 9, "i1", "q1", "n1"), original("s2", 9, "n2", "d2")}
	c := certifying(keeping("i1", "n1")+". "+opposing("n2"), classes{floor.Identifier, floor.Negation}, source...)
	benchmarkJudge(b, c, floor.OpCertify)
}

func BenchmarkJudgeCompact(b *testing.B) {
	p := packing(60, original("s1", 40, "n1", "i1"), original("s2", 40, "n2"), older("s3", 40, "q3", "-n3"))
	p.proposing(summary("m1", 9, keeping("n1"), "s1"), summary("m2", 9, keeping("n2"), "s2", "s3"))
	benchmarkJudge(b, p.kase(), floor.OpCompact)
}

func BenchmarkJudgeLargeCompact(b *testing.B) { benchmarkJudge(b, large(100_000), floor.OpCompact) }

// large is a compact case of so many spans, each with an element that all say in
// nearly the same words, under a summary for every hundred and one for the rest.
func large(spans int) floor.Case {
	p := packing(int64(spans)*6, older("old", 10, "i0", "n0"))
	rest := summary("rest", 5, "")
	var of, told, restTold []string
	for i := 1; i <= spans; i++ {
		id, name := fmt.Sprintf("s%d", i), fmt.Sprintf("%c%d", "inq"[i%3], i)
		p.Spans = append(p.Spans, original(id, 10, name))
		switch {
		case i%2 == 0:
			rest.Of, restTold = append(rest.Of, id), append(restTold, keeping(name)+".")
		case len(of) < 100:
			of, told = append(of, id), append(told, keeping(name)+".")
		default:
			p.proposing(summary("m"+id, 5, strings.Join(told, " "), of...))
			of, told = nil, nil
		}
	}
	rest.Text = strings.Join(restTold, " ")
	return p.proposing(rest).kase()
}
