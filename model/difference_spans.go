package model

import (
	"cmp"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// differInCertify compares certificates: sets and fractions by value.
func differInCertify(a, b *floor.CertifyOut) difference {
	if d := differInSet("certified_classes", a.Certified, b.Certified); d != (difference{}) {
		return d
	}
	if d := differInEffective(a.Fidelity, b.Fidelity); d != (difference{}) {
		d.at = "fidelity"
		return d
	}
	return cmp.Or(
		differInSet("lost", a.Lost, b.Lost),
		differInSet("inverted", a.Inverted, b.Inverted),
		differInSet("fabricated", a.Fabricated, b.Fabricated),
	)
}

// differInCompact compares what became of a context. The order of the parts of
// the output counts: it is what the consumer reads.
func differInCompact(a, b *floor.CompactOut) difference {
	d := cmp.Or(
		differInValue("", a.Decision, b.Decision),
		differInValue("basis", a.Basis, b.Basis),
		differInSet("kept", a.Kept, b.Kept),
		differInEvicted(a.Evicted, b.Evicted),
		differInOutput(a.Output, b.Output),
		differInContract(a.Contract, b.Contract),
		differInSet("missing_classes", a.MissingClasses, b.MissingClasses),
		differInSet("escalations", a.Escalations, b.Escalations),
		differInSet("unknown_spans", a.UnknownSpans, b.UnknownSpans),
		differInSet("poisoned_spans", a.PoisonedSpans, b.PoisonedSpans),
		differInSet("unclean_summaries", a.UncleanSummaries, b.UncleanSummaries),
	)
	if d == (difference{}) && !sameValue(a.OverBudgetTokens, b.OverBudgetTokens) {
		d = difference{"over_budget_tokens", showTokens(a.OverBudgetTokens), showTokens(b.OverBudgetTokens)}
	}
	return d
}

// differInSet compares lists that stand for sets; absent and empty differ.
func differInSet[T ~string](at string, a, b []T) difference {
	switch {
	case (a == nil) == (b == nil) && sameMembers(a, b):
		return difference{}
	case max(len(a), len(b)) <= mostShownNames || a == nil || b == nil:
		return difference{at, showSet(at, a), showSet(at, b)}
	}
	with, without := "with ", "without " // of long lists what is shown has to differ
	only := onlyIn(a, b)
	if only == "" {
		only, with, without = onlyIn(b, a), without, with
	}
	return difference{at, with + only, without + only}
}

// onlyIn shows the first of the names that are in one list alone; "" where none
// is.
func onlyIn[T ~string](a, b []T) string {
	inB := setOf(b)
	only := slices.DeleteFunc(slices.Clone(a), func(name T) bool { return inB[name] })
	if len(only) == 0 {
		return ""
	}
	return showName(string(slices.Min(only)))
}

// sameMembers compares long lists too.
func sameMembers[T comparable](a, b []T) bool {
	inA, inB := setOf(a), setOf(b)
	if len(inA) != len(inB) {
		return false
	}
	for member := range inA {
		if !inB[member] {
			return false
		}
	}
	return true
}

func differInValue[T ~string](at string, a, b T) difference {
	if a != b {
		return difference{at, showName(string(a)), showName(string(b))}
	}
	return difference{}
}

// differInEvicted compares by span; the order means nothing.
func differInEvicted(a, b []floor.Evicted) difference {
	bySpan := func(x, y floor.Evicted) int { return cmp.Compare(x.Span, y.Span) }
	as := slices.SortedStableFunc(slices.Values(a), bySpan)
	bs := slices.SortedStableFunc(slices.Values(b), bySpan)
	if d := differInSet("evicted", spansOf(a), spansOf(b)); d != (difference{}) {
		return d
	}
	for i := range min(len(as), len(bs)) {
		at := "evicted " + showName(as[i].Span)
		if d := differInValue(at, as[i].Summary, bs[i].Summary); d != (difference{}) {
			return d
		}
		if d := differInEffective(as[i].Fidelity, bs[i].Fidelity); d != (difference{}) {
			d.at = at
			return d
		}
	}
	if len(as) != len(bs) {
		return difference{"evicted", showCount(len(as), "span"), showCount(len(bs), "span")}
	}
	return difference{}
}

// spansOf are the ids of evicted spans; nil where the list is.
func spansOf(evicted []floor.Evicted) (ids []string) {
	if evicted != nil {
		ids = []string{}
	}
	for _, e := range evicted {
		ids = append(ids, e.Span)
	}
	return ids
}

func differInOutput(a, b []floor.Part) difference {
	if (a == nil) != (b == nil) || len(a) != len(b) {
		return difference{"output", showCount(len(a), "part"), showCount(len(b), "part")}
	}
	for i := range a {
		if d := differInPart(&a[i], &b[i]); d != (difference{}) {
			d.at = atPart(i, &a[i]) + d.at
			return d
		}
	}
	return difference{}
}

func differInPart(a, b *floor.Part) difference {
	if a.Text != b.Text {
		return differInText(".text", a.Text, b.Text)
	}
	d := cmp.Or(
		differInValue(".kind", a.Kind, b.Kind),
		differInValue(".span", a.Span, b.Span),
		differInValue(".summary", a.Summary, b.Summary),
		differInValue(".provisional", showMark(a), showMark(b)),
	)
	if d != (difference{}) || a.Kind != floor.PartSummary {
		return d
	}
	if d := differInLineage(a.Lineage, b.Lineage); d != (difference{}) {
		d.at = "." + d.at
		return d
	}
	return differInSet(".lost", a.Lost, b.Lost)
}

// differInLineage compares fractions by value.
func differInLineage(a, b *floor.Lineage) difference {
	if a == nil || b == nil {
		if a == b {
			return difference{}
		}
		return difference{"lineage", showLineage(a), showLineage(b)}
	}
	switch {
	case a.Generation != b.Generation:
		return difference{"lineage", showGeneration(&a.Generation), showGeneration(&b.Generation)}
	case a.AncestryCertified != b.AncestryCertified:
		return difference{"lineage", showAncestry(&a.AncestryCertified), showAncestry(&b.AncestryCertified)}
	case a.Decision != b.Decision:
		return difference{"lineage", "decision " + showDecision(a.Decision), "decision " + showDecision(b.Decision)}
	}
	d := differInEffective(append([]floor.Fidelity{}, a.Effective...), append([]floor.Fidelity{}, b.Effective...))
	if d != (difference{}) {
		d.at = "lineage.effective"
	}
	return d
}

// differInContract compares what the contract of a delivered context says.
func differInContract(a, b *floor.Contract) difference {
	if a == nil || b == nil {
		if a == b {
			return difference{}
		}
		return difference{"contract", showContract(a), showContract(b)}
	}
	switch {
	case !sameMembers(a.Required, b.Required):
		return difference{"contract.required_classes", showSet("", given(a.Required)), showSet("", given(b.Required))}
	case !sameMembers(a.Certified, b.Certified):
		return difference{"contract.certified_classes", showSet("", given(a.Certified)), showSet("", given(b.Certified))}
	case a.Generation != b.Generation:
		return difference{"contract", showGeneration(&a.Generation), showGeneration(&b.Generation)}
	case a.AncestryCertified != b.AncestryCertified:
		return difference{"contract", showAncestry(&a.AncestryCertified), showAncestry(&b.AncestryCertified)}
	}
	return difference{}
}

// isMarked tells whether a part says that it is provisional. One that says
// nothing is not marked.
func isMarked(p *floor.Part) bool { return p.Provisional != nil && *p.Provisional }

func showMark(p *floor.Part) string {
	if isMarked(p) {
		return "provisional"
	}
	return "not marked provisional"
}

func showLineage(l *floor.Lineage) string {
	if l == nil {
		return "no lineage"
	}
	return showGeneration(&l.Generation) + ", " + showAncestry(&l.AncestryCertified) + ", decision " + showDecision(l.Decision)
}

func showContract(c *floor.Contract) string {
	if c == nil {
		return "no contract"
	}
	return showGeneration(&c.Generation) + ", " + showAncestry(&c.AncestryCertified)
}
