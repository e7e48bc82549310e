package model

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

// Sentence by sentence: which spans may go, and what a refusal says of it.
func TestMayGo(t *testing.T) {
	kept := summary("m1", 5, keeping("n1", "i1"), "s1")
	saying := func(text string) floor.Summary { return summary("m1", 5, text, "s1") }
	with := func(m floor.Summary, s floor.SummaryStatus) floor.Summary {
		m.Status = s
		return m
	}
	one := original("s1", 50, "n1", "i1")
	after := func(s floor.Span, change func(l *floor.Lineage)) floor.Span {
		lineage := *s.Lineage
		change(&lineage)
		s.Lineage = &lineage
		return s
	}
	bare := func(s floor.Span) floor.Span {
		s.Lineage = nil
		return s
	}
	old := older("s1", 50, "n1", "i1")
	tests := []struct {
		name    string
		p       *pack
		may     bool
		missing classes  // of the refusal
		stands  []string // unknown, poisoned, unclean
	}{
		{"kept", packing(9, one).proposing(kept), true, classes{}, nil},
		{"what nobody guards may be lost", packing(9, one).proposing(saying(keeping("n1"))), true, classes{}, nil},
		{"what is required may not", packing(9, one).proposing(saying(keeping("i1"))), false, classes{"negation"}, nil},
		{"unless its floor is 0", packing(9, one).proposing(saying(keeping("i1"))).floored("negation", 0), true, classes{}, nil},
		{"a floor guards what is not required", packing(9, one).proposing(saying(keeping("n1"))).floored("identifier", 1), false, classes{"identifier"}, nil},
		{"a floor that is met exactly", packing(9, original("s1", 50, "i1", "i2")).proposing(saying(keeping("i1"))).floored("identifier", 500), true, classes{}, nil},
		{"a floor that is missed by a permille", packing(9, original("s1", 50, "i1", "i2")).proposing(saying(keeping("i1"))).floored("identifier", 501), false, classes{"identifier"}, nil},
		{"a third is less than 334 permille", packing(9, original("s1", 50, "i1", "i2", "i3")).proposing(saying(keeping("i1"))).floored("identifier", 334), false, classes{"identifier"}, nil},
		{"a guarded class without elements", packing(9, original("s1", 50)).proposing(kept).requiring("dream"), true, classes{}, nil},
		{"nobody looked for a guarded class", packing(9, original("s1", 50)).proposing(kept).requiring("unheard"), false, classes{"unheard"}, nil},
		{"unknown elements", packing(9, unknowing("s1", 50)).proposing(kept), false, classes{}, []string{"s1"}},
		{"unknown elements, nothing required", packing(9, unknowing("s1", 50)).proposing(kept).requiring(), false, classes{}, []string{"s1"}},
		{"unknown elements of an unknown class", packing(9, unknowing("s1", 50)).proposing(kept).requiring("unheard"), false, classes{"unheard"}, []string{"s1"}},
		{"no summary is of it", packing(9, one).proposing(summary("m1", 5, keeping("n1"))), false, classes{}, nil},

		{"an empty summary", packing(9, one).proposing(saying("")), false, classes{}, nil},
		{"a summary without a word", packing(9, one).proposing(saying("…!")), false, classes{}, nil},
		{"one that failed", packing(9, one).proposing(with(kept, floor.StatusError)), false, classes{}, nil},
		{"one that was cut short", packing(9, one).proposing(with(kept, floor.StatusPartial)), false, classes{}, nil},
		{"one that says that it is well", packing(9, one).proposing(with(kept, floor.StatusOK)), true, classes{}, nil},
		{"the opposite of its own element", packing(9, one).proposing(saying("Drop n1.")), false, classes{"negation"}, []string{"m1"}},
		{"the opposite beside it", packing(9, one).proposing(saying(keeping("n1") + ". Drop n1.")), false, classes{"negation"}, []string{"m1"}},
		{"the opposite inside the form does not count", packing(9, one).proposing(saying("Never drop n1.")), true, classes{}, nil},
		{"the opposite of another span's element", packing(9, one, original("s2", 5, "n2")).proposing(saying(keeping("n1") + ". Drop n2.")), false, classes{}, []string{"m1"}},
		{"even of a class nobody guards", packing(9, one, original("s2", 5, "d2")).proposing(saying(keeping("n1") + ". No dream d2.")), false, classes{}, []string{"m1"}},
		{"even of one that was lost", packing(9, one, older("s2", 5, "-n2")).proposing(saying(keeping("n1") + ". Drop n2.")), false, classes{}, []string{"m1"}},
		{"the opposite in another message", packing(9, one, floor.Span{ID: "s2", Kind: floor.KindMessage, Tokens: 5, Text: "Drop n1.", Elements: elements()}).proposing(kept), true, classes{}, nil},
		{"the opposite in an earlier summary", packing(9, one, floor.Span{ID: "s2", Kind: floor.KindSummary, Tokens: 5, Text: "Drop n1."}).proposing(kept), false, classes{}, nil},
		{"the opposite of what nobody guards there", packing(9, original("s1", 50, "d1"), floor.Span{ID: "s2", Kind: floor.KindSummary, Tokens: 5, Text: "No dream d1."}).proposing(kept), true, classes{}, nil},

		{"a certified summary", packing(9, old).proposing(kept), true, classes{}, nil},
		{"a summary without a lineage", packing(9, bare(old)).proposing(kept), false, classes{}, []string{"s1"}},
		{"a pin with a lineage is a summary", packing(9, after(old, func(l *floor.Lineage) { l.AncestryCertified = false })).proposing(kept), false, classes{}, []string{"s1"}},
		{"a provisional one", packing(9, tainted(old)).proposing(kept), false, classes{}, []string{"s1"}},
		{"a class that its lineage does not hold", packing(9, certifiedBefore(old, floor.Identifier)).proposing(kept), false, classes{"negation"}, nil},
		{"of no interest if nobody guards it", packing(9, certifiedBefore(old, floor.Negation)).proposing(kept), true, classes{}, nil},
		{"what was lost before is not kept", packing(9, older("s1", 50, "n1", "-n2")).proposing(saying(keeping("n1", "n2"))), false, classes{"negation"}, nil},
		{"its own text may say the opposite", packing(9, func() floor.Span {
			s := old
			s.Text = "Drop n1."
			return s
		}()).proposing(kept), true, classes{}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := tt.p.compaction()
			require.Equal(t, tt.may, c.spans[0].mayGo)
			require.Equal(t, tt.missing, append(classes{}, c.missing()...))
			stands := slices.Concat(c.unknownSpans(), c.poisonedSpans(), c.uncleanSummaries())
			require.Equal(t, tt.stands, append([]string(nil), stands...))
		})
	}
}

// plansOf are all plans there are for a request.
func plansOf(c *compaction) []plan {
	plans := []plan{{}}
	for _, span := range c.spans {
		if span.under == nil {
			continue
		}
		for _, p := range slices.Clone(plans) {
			more := maps.Clone(p)
			more[span.ID] = true
			plans = append(plans, more)
		}
	}
	return plans
}

// costOf adds up what stays and what is used.
func costOf(c *compaction, p plan) (cost int64) {
	used := map[string]bool{}
	for _, span := range c.in.Spans {
		if !p[span.ID] {
			cost += span.Tokens
		}
	}
	for _, m := range c.in.Summaries {
		for _, id := range m.Of {
			if p[id] && !used[m.ID] {
				used[m.ID] = true
				cost += m.Tokens
			}
		}
	}
	return cost
}

// A reader says of one span what the rules say, word by word and from nothing
// but the request.
type reader struct{ in *floor.CompactIn }

func (r reader) summaryOf(id string) *floor.Summary {
	for i := range r.in.Summaries {
		if slices.Contains(r.in.Summaries[i].Of, id) {
			return &r.in.Summaries[i]
		}
	}
	return nil
}

func (r reader) usable(m *floor.Summary) bool {
	return (m.Status == "" || m.Status == floor.StatusOK) && Deliver([]string{m.Text}).Usable()
}

func (r reader) denies(text string, e floor.Element) bool {
	became := Retain(e, []string{text})
	return became == Inverted || became == Contradictory
}

func (r reader) clean(m *floor.Summary) bool {
	for _, s := range r.in.Spans {
		for _, e := range s.Elements {
			if r.denies(m.Text, e) {
				return false
			}
		}
	}
	return r.usable(m)
}

func (r reader) guarded() map[floor.Class]int64 {
	floors := map[floor.Class]int64{}
	for _, class := range r.in.Required {
		floors[class] = 1000
	}
	maps.Copy(floors, r.in.FloorsPermille)
	maps.DeleteFunc(floors, func(_ floor.Class, permille int64) bool { return permille == 0 })
	return floors
}

func (r reader) mayGo(s floor.Span) bool {
	m := r.summaryOf(s.ID)
	if m == nil || !r.clean(m) || s.Elements == nil {
		return false
	}
	for class, permille := range r.guarded() {
		if !slices.Contains(r.in.Known, class) {
			return false
		}
		total, kept := int64(0), int64(0)
		for _, e := range s.Elements {
			if e.Class != class {
				continue
			}
			total++
			if (e.Lost == nil || !*e.Lost) && Retain(e, []string{m.Text}) == Retained {
				kept++
			}
			for _, other := range r.in.Spans {
				if other.ID != s.ID && (other.Kind == floor.KindSummary || other.Lineage != nil) && r.denies(other.Text, e) {
					return false
				}
			}
		}
		if kept*1000 < permille*total {
			return false
		}
		if s.Lineage != nil && !slices.ContainsFunc(s.Lineage.Effective, func(f floor.Fidelity) bool { return f.Class == class }) {
			return false
		}
	}
	if s.Lineage != nil {
		return s.Lineage.AncestryCertified && s.Lineage.Decision == floor.Certified
	}
	return s.Kind != floor.KindSummary
}

// wellFormed draws compact requests that are none of the bad ones.
func wellFormed(rng *rand.Rand) (*compaction, floor.Case) {
	for {
		c := floor.Case{Policy: []floor.Policy{floor.Guard, floor.Joint}[rng.IntN(2)], Steps: []floor.Request{scribbleCompact(rng)}}
		if due := Observe(floor.Trace{Case: c}).step(0).compact; due != nil {
			return due, c
		}
	}
}

func TestTheCheapestPlansAreTheCheapestOfAll(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	seen := map[string]int{}
	for range 1500 {
		c, kase := wellFormed(rng)
		by := reader{c.in}
		sound, provisional := c.whole, c.whole
		for _, p := range plansOf(c) {
			isSound, isUsable := true, true
			for _, s := range c.in.Spans {
				if p[s.ID] {
					isSound = isSound && by.mayGo(s)
					isUsable = isUsable && by.usable(by.summaryOf(s.ID))
				}
			}
			if isSound {
				sound = min(sound, costOf(c, p))
			}
			if isUsable {
				provisional = min(provisional, costOf(c, p))
			}
		}
		for _, s := range c.spans {
			if by.mayGo(*s.Span) != s.mayGo {
				require.Equal(t, by.mayGo(*s.Span), s.mayGo, "%s of %s", s.ID, spelled(t, kase))
			}
		}
		best, cost := c.soundPlan()
		require.Equal(t, sound, cost, "%s", spelled(t, kase))
		require.Equal(t, cost, costOf(c, best))
		loosest, least := c.provisionalPlan()
		require.Equal(t, provisional, least, "%s", spelled(t, kase))
		require.Equal(t, least, costOf(c, loosest))

		want := decision(sound <= c.in.BudgetTokens, c.in.Conditions, kase.Policy)
		if want == floor.Provisional && provisional > c.in.BudgetTokens {
			want = floor.Refuse
		}
		require.Equal(t, want, c.due)
		seen[string(c.due)+string(c.basis)]++
	}
	for _, kind := range []string{"certified", "provisionalrecoverable", "provisionalharmless", "refuse"} {
		require.Greater(t, seen[kind], 80, kind)
	}
}

// rightPlans are all plans that are due.
func rightPlans(c *compaction) (plans []plan) {
	for _, p := range plansOf(c) {
		right := costOf(c, p) <= c.in.BudgetTokens
		for id := range p {
			span := c.span[id]
			right = right && (c.due == floor.Certified && span.mayGo || c.due == floor.Provisional && span.under.usable)
		}
		if right && (c.tight() || len(p) == 0) {
			plans = append(plans, p)
		}
	}
	return plans
}

// No rule objects to any right answer, however it is spelled.
func TestRulesAcceptEveryRightAnswer(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	plans := 0
	for range 2500 {
		c, kase := wellFormed(rng)
		if c.due == floor.Refuse {
			out := c.refusal()
			respell(rng, out)
			requireSilence(t, kase, out)
			out.UnknownSpans, out.PoisonedSpans, out.UncleanSummaries = nil, nil, nil
			out.Escalations = []string{"ask somebody"}
			requireSilence(t, kase, out)
			continue
		}
		for _, p := range rightPlans(c) {
			plans++
			out := c.answer(p, c.due, c.basis)
			respell(rng, out)
			requireSilence(t, kase, out)
			if !c.tight() {
				out.Decision, out.Basis = floor.Provisional, floor.BasisHarmless
				requireSilence(t, kase, out)
			}
		}
	}
	require.Greater(t, plans, 2000)
}

// respell says the same in another way.
func respell(rng *rand.Rand, out *floor.CompactOut) {
	shuffle := func(list []string) []string {
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		return list
	}
	out.Kept = shuffle(out.Kept)
	out.UnknownSpans, out.PoisonedSpans = shuffle(out.UnknownSpans), shuffle(out.PoisonedSpans)
	slices.Reverse(out.MissingClasses)
	slices.Reverse(out.Evicted)
	for i := range out.Evicted {
		slices.Reverse(out.Evicted[i].Fidelity)
		for j := range out.Evicted[i].Fidelity {
			f := &out.Evicted[i].Fidelity[j]
			f.Retained, f.Total = f.Retained*3, f.Total*3
		}
	}
	var spans, summaries []floor.Part
	for _, part := range out.Output {
		if part.Kind == floor.PartSpan {
			spans = append(spans, part)
			continue
		}
		part.Lost = shuffle(part.Lost)
		slices.Reverse(part.Lineage.Effective)
		if !*part.Provisional {
			part.Provisional = nil
		}
		summaries = append(summaries, part)
	}
	for _, part := range summaries { // they may stand anywhere
		at := rng.IntN(len(spans) + 1)
		spans = slices.Insert(spans, at, part)
	}
	if out.Output != nil {
		out.Output = append([]floor.Part{}, spans...)
	}
	if out.Contract != nil {
		out.Contract.Required = append(out.Contract.Required, out.Contract.Required...)
		slices.Reverse(out.Contract.Certified)
	}
}

func objections(c floor.Case, out *floor.CompactOut) (found []Finding) {
	o := Observation{Base: Observe(floor.Trace{Case: c, Answers: []floor.Answer{{Compact: out}}})}
	for _, r := range Rules() {
		if r.Op == floor.OpCompact && r.Vary == nil {
			_, findings := r.Judge(o)
			found = append(found, findings...)
		}
	}
	return found
}

func requireSilence(t *testing.T, c floor.Case, out *floor.CompactOut) {
	t.Helper()
	if found := objections(c, out); len(found) > 0 {
		require.Empty(t, found, "%s answered %s", spelled(t, c), spelled(t, floor.Answer{Compact: out}))
	}
}

// The rules together say the whole of it: what is not a right answer, spelled in
// whatever way, is objected to by one of them.
func TestTheRulesTogetherSayTheWholeAnswer(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 1))
	wrong, right := 0, 0
	for range 4000 {
		c, kase := wellFormed(rng)
		out := c.expected()
		if plans := plansOf(c); rng.IntN(3) == 0 {
			d := []floor.Decision{floor.Certified, floor.Provisional, floor.Refuse}[rng.IntN(3)]
			if out = c.refusal(); d != floor.Refuse {
				out = c.answer(plans[rng.IntN(len(plans))], d, map[bool]floor.Basis{true: c.basis}[d == floor.Provisional])
			}
		}
		for range rng.IntN(3) {
			tamper(rng, c, out)
		}
		if isRight(c, out) {
			right++
			requireSilence(t, kase, out)
		} else if wrong++; len(objections(kase, out)) == 0 {
			require.Fail(t, "nobody objects", "%s answered %s", spelled(t, kase), spelled(t, floor.Answer{Compact: out}))
		}
	}
	require.Greater(t, wrong, 1000)
	require.Greater(t, right, 1000)
}

// isRight compares with every right answer there is.
func isRight(c *compaction, out *floor.CompactOut) bool {
	if c.due == floor.Refuse || out.Decision == floor.Refuse {
		want := c.refusal()
		if out.UnknownSpans == nil {
			want.UnknownSpans = nil
		}
		if out.PoisonedSpans == nil {
			want.PoisonedSpans = nil
		}
		if out.UncleanSummaries == nil {
			want.UncleanSummaries = nil
		}
		if len(out.Escalations) > 0 {
			want.Escalations = out.Escalations
		}
		got := *out
		got.Basis, got.Kept, got.Evicted, got.Output, got.Contract = "", nil, nil, nil, nil // not of a refusal
		return c.due == floor.Refuse && out.Decision == floor.Refuse && differInCompact(want, &got) == difference{}
	}
	return slices.ContainsFunc(rightPlans(c), func(p plan) bool {
		d, b := c.due, c.basis
		if !c.tight() {
			d, b = out.Decision, out.Basis
		}
		want, got := c.answer(p, d, b), *out
		got.MissingClasses, got.OverBudgetTokens, got.Escalations = nil, nil, nil // of refusals alone
		got.UnknownSpans, got.PoisonedSpans, got.UncleanSummaries = nil, nil, nil
		want.Output, got.Output = sortedParts(want.Output), sortedParts(got.Output)
		for i := range min(len(want.Output), len(got.Output)) {
			a, b := want.Output[i].Lineage, got.Output[i].Lineage
			if a != nil && b != nil && fmt.Sprint(sortedByClass(a.Effective)) != fmt.Sprint(sortedByClass(b.Effective)) {
				return false
			}
		}
		return differInCompact(want, &got) == difference{}
	})
}

// sortedParts puts the summaries behind the spans, whose order stays.
func sortedParts(parts []floor.Part) []floor.Part {
	if parts == nil {
		return nil
	}
	return slices.SortedStableFunc(slices.Values(parts), func(a, b floor.Part) int {
		switch {
		case a.Kind != b.Kind:
			return map[bool]int{true: -1, false: 1}[a.Kind == floor.PartSpan]
		case a.Kind == floor.PartSpan:
			return 0
		}
		return compareText(a.Summary, b.Summary)
	})
}

func compareText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func sortedByClass(entries []floor.Fidelity) []floor.Fidelity {
	return slices.SortedStableFunc(slices.Values(entries), byClass)
}

// tamper changes one thing in an answer, if it has it.
func tamper(rng *rand.Rand, c *compaction, out *floor.CompactOut) {
	pick := func(n int) int { return rng.IntN(max(1, n)) }
	part := &floor.Part{}
	if len(out.Output) > 0 {
		part = &out.Output[pick(len(out.Output))]
	}
	summaryPart := &floor.Part{Lineage: &floor.Lineage{}}
	for i := range out.Output {
		if out.Output[i].Lineage != nil {
			summaryPart = &out.Output[i]
		}
	}
	contract := &floor.Contract{}
	if out.Contract != nil {
		contract = out.Contract
	}
	evicted := &floor.Evicted{}
	if len(out.Evicted) > 0 {
		evicted = &out.Evicted[pick(len(out.Evicted))]
	}
	lineage := summaryPart.Lineage
	switch rng.IntN(30) {
	case 0:
		out.Decision = []floor.Decision{floor.Certified, floor.Provisional}[rng.IntN(2)]
	case 1:
		out.Basis = []floor.Basis{"", floor.BasisRecoverable, floor.BasisHarmless}[rng.IntN(3)]
	case 2:
		out.Kept = slices.Clone(out.Kept[min(1, len(out.Kept)):])
	case 3:
		out.Kept = append(out.Kept, "s0")
	case 4:
		out.Evicted = slices.Clone(out.Evicted[min(1, len(out.Evicted)):])
	case 5:
		out.Evicted = append(out.Evicted, *evicted)
	case 6:
		evicted.Summary = "m0"
	case 7:
		misreport(evicted.Fidelity)
	case 8:
		evicted.Fidelity = append(evicted.Fidelity, floor.Fidelity{Class: "new", Retained: 1, Total: 1})
	case 9:
		out.Output = slices.Clone(out.Output[min(1, len(out.Output)):])
	case 10:
		out.Output = append(out.Output, *part)
	case 11:
		if n := len(out.Output); n > 1 {
			out.Output[0], out.Output[n-1] = out.Output[n-1], out.Output[0]
		}
	case 12:
		part.Text += " "
	case 13:
		marked := !isMarked(summaryPart)
		summaryPart.Provisional = &marked
	case 14:
		summaryPart.Lineage = nil
	case 15:
		lineage.Generation += int64(rng.IntN(3)) - 1
	case 16:
		lineage.AncestryCertified = !lineage.AncestryCertified
	case 17:
		lineage.Decision = []floor.Decision{floor.Certified, floor.Provisional}[rng.IntN(2)]
	case 18:
		misreport(lineage.Effective)
	case 19:
		lineage.Effective = slices.Clone(lineage.Effective[min(1, len(lineage.Effective)):])
	case 20:
		for i := range lineage.Effective {
			lineage.Effective[i].Retained *= 2
			lineage.Effective[i].Total *= 2
		}
	case 21:
		summaryPart.Lost = summaryPart.Lost[min(1, len(summaryPart.Lost)):]
	case 22:
		summaryPart.Lost = append(summaryPart.Lost, "i1")
	case 23:
		out.Contract = nil
	case 24:
		contract.Generation++
	case 25:
		contract.AncestryCertified = !contract.AncestryCertified
	case 26:
		contract.Certified = append(contract.Certified, floor.Negation)
	case 27:
		contract.Certified = contract.Certified[min(1, len(contract.Certified)):]
	case 28:
		contract.Required = append(contract.Required, "new")
	case 29:
		switch rng.IntN(6) {
		case 0:
			out.MissingClasses = append(out.MissingClasses, "new")
		case 1:
			over := c.overBudget() + int64(rng.IntN(3)) - 1
			out.OverBudgetTokens = &over
		case 2:
			out.Escalations = nil
		case 3:
			out.UnknownSpans = append(out.UnknownSpans, "s0")
		case 4:
			out.PoisonedSpans = out.PoisonedSpans[min(1, len(out.PoisonedSpans)):]
		case 5:
			out.UncleanSummaries = append(out.UncleanSummaries, "m0")
		}
	}
}

// The same of certificates, of which only one is right.
func TestTheRulesTogetherSayTheWholeCertificate(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 1))
	wrong := 0
	for range 4000 {
		kase := caseOf(scribbleCertify(rng))
		c := Observe(floor.Trace{Case: kase}).step(0).certify
		if c == nil {
			continue
		}
		out := c.out()
		drop := func(list []string) []string { return list[min(1, len(list)):] }
		for range 1 + rng.IntN(2) {
			switch rng.IntN(14) {
			case 0:
				out.Certified = out.Certified[min(1, len(out.Certified)):]
			case 1:
				out.Certified = append(out.Certified, floor.Negation)
			case 2:
				misreport(out.Fidelity)
			case 3:
				out.Fidelity = append(out.Fidelity, floor.Fidelity{Class: "new"})
			case 4:
				out.Fidelity = out.Fidelity[min(1, len(out.Fidelity)):]
			case 5:
				out.Lost = drop(out.Lost)
			case 6:
				out.Lost = append(out.Lost, "i1")
			case 7:
				out.Inverted = drop(out.Inverted)
			case 8:
				out.Inverted = append(out.Inverted, "n1")
			case 9:
				out.Lost, out.Inverted = out.Inverted, out.Lost
			case 10:
				out.Fabricated = append(out.Fabricated, "n9")
			case 11:
				out.Lost = nil
			case 12:
				out.Inverted = nil
			case 13:
				out.Certified = nil
			}
		}
		if len(c.in.Decoys) == 0 { // then nobody looks at it
			out.Fabricated = []string{}
		}
		o := Observation{Base: Observe(floor.Trace{Case: kase, Answers: []floor.Answer{{Certify: out}}})}
		objected := false
		for _, r := range Rules() {
			if r.Op == floor.OpCertify {
				_, findings := r.Judge(o)
				objected = objected || len(findings) > 0
			}
		}
		differs := differInCertify(c.out(), out) != difference{}
		if differs {
			wrong++
		}
		if objected != differs {
			require.Equal(t, differs, objected, "%s answered %s", spelled(t, kase), spelled(t, floor.Answer{Certify: out}))
		}
	}
	require.Greater(t, wrong, 1500)
}

// What is fed back is a valid request; what was lost stays lost, and the
// contract of the context is the same, asked at once or when it is handed on.
func TestWhatIsFedBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 1))
	shortened := 0
	for range 1500 {
		c, kase := wellFormed(rng)
		out := c.expected()
		if plans := plansOf(c); rng.IntN(2) == 0 {
			out = c.answer(plans[rng.IntN(len(plans))], floor.Certified, "")
		}
		spans := SpansAfter(c.in, out)
		if spans == nil { // an unusable summary was used
			continue
		}
		if len(out.Evicted) > 0 {
			shortened++
		}
		next := *c.in
		next.Spans, next.Summaries, next.BudgetTokens = spans, nil, floor.MaxNumber
		request := floor.Request{Op: floor.OpCompact, Compact: &next}
		path, bad := Malformed(request, kase.Policy)
		require.False(t, bad, "%s of %s", path, spelled(t, request.Compact))
		require.NoError(t, next.Validate())
		again := newCompaction(&next, kase.Policy, newFolder()).expected()
		if out.Decision != floor.Refuse {
			require.Equal(t, difference{}, differInContract(out.Contract, again.Contract), "%s answered %s", spelled(t, kase), spelled(t, floor.Answer{Compact: out}))
		}
		gone := map[string]bool{}
		for _, s := range c.in.Spans {
			for i := range s.Elements {
				gone[s.Elements[i].ID] = wasLost(&s.Elements[i])
			}
		}
		for _, s := range spans {
			for i := range s.Elements {
				if e := &s.Elements[i]; gone[e.ID] {
					require.True(t, wasLost(e), "%s is back in %s", e.ID, s.ID)
				}
			}
		}
	}
	require.Greater(t, shortened, 300)
}

// What a summary hands down, and what the contract of the context then is.
func TestLineageAndContract(t *testing.T) {
	s1, s2 := original("s1", 9, "n1", "i1"), older("s2", 9, "n2", "-n3", "i2")
	second := older("s2", 9, "n2", "-n3", "i2")
	second.Lineage.Generation = 4
	plain := second
	plain.Lineage = nil
	narrow := certifiedBefore(second, floor.Identifier)
	narrow.Lineage.Generation = 4
	told := summary("m1", 5, keeping("n1", "n2", "n3"), "s1", "s2")
	full := func(i, n floor.Fidelity) []floor.Fidelity {
		return []floor.Fidelity{share("dream", 0, 0), i, n, share("quantity", 0, 0)}
	}
	tests := []struct {
		name      string
		p         *pack
		goes      []string
		d         floor.Decision
		lineage   *floor.Lineage // of m1; nil where it is not used
		lost      []string
		generates int64   // of the contract
		ancestry  bool    // of the contract
		certifies classes // of the contract
	}{
		{"an original", packing(99, s1).proposing(summary("m1", 5, told.Text, "s1")), []string{"s1"}, floor.Certified,
			&floor.Lineage{Generation: 1, AncestryCertified: true, Decision: floor.Certified, Effective: full(share("identifier", 0, 1), share("negation", 1, 1))},
			[]string{"i1"}, 1, true, classes{"negation"}},
		{"provisionally", packing(99, s1).proposing(summary("m1", 5, told.Text, "s1")), []string{"s1"}, floor.Provisional,
			&floor.Lineage{Generation: 1, AncestryCertified: true, Decision: floor.Provisional, Effective: full(share("identifier", 0, 1), share("negation", 1, 1))},
			[]string{"i1"}, 1, false, classes{}},
		{"nothing goes", packing(99, s1), nil, floor.Certified, nil, nil, 0, true, classes{"negation"}},
		{"no spans", packing(99), nil, floor.Certified, nil, nil, 0, true, classes{"negation"}},
		{"an older summary that stays, and lost a negation", packing(99, s1, second), nil, floor.Certified, nil, nil, 4, true, classes{}},
		{"one that did not know negations", packing(99, s1, narrow).requiring("negation", "identifier"), nil, floor.Certified, nil, nil, 4, true, classes{"identifier"}},
		{"one that was provisional", packing(99, tainted(older("s2", 9, "n2"))), nil, floor.Certified, nil, nil, 1, false, classes{}},
		{"one without a lineage", packing(99, plain), nil, floor.Certified, nil, nil, 1, false, classes{}},
		{"at the floor that is given", packing(99, s1, second).floored("negation", 500), nil, floor.Certified, nil, nil, 4, true, classes{"negation"}},
		{"a class that is required with a floor of 0 has to be known still", packing(99, narrow).floored("negation", 0), nil, floor.Certified, nil, nil, 4, true, classes{}},
		{"unknown elements of an original that stays", packing(99, unknowing("s1", 9)), nil, floor.Certified, nil, nil, 0, true, classes{"negation"}},
		{"a message that says the opposite", packing(99, s1, floor.Span{ID: "x", Kind: floor.KindMessage, Text: "Drop n1."}), nil, floor.Certified, nil, nil, 0, true, classes{}},
		{"not across two parts", packing(99, s1, floor.Span{ID: "x", Kind: floor.KindMessage, Text: "Drop"}, floor.Span{ID: "y", Kind: floor.KindMessage, Text: "n1."}),
			nil, floor.Certified, nil, nil, 0, true, classes{"negation"}},
		{"both, the lost one named again", packing(99, s1, s2).proposing(told), []string{"s1", "s2"}, floor.Certified,
			&floor.Lineage{Generation: 2, AncestryCertified: true, Decision: floor.Certified, Effective: full(share("identifier", 0, 2), share("negation", 2, 3))[1:]},
			[]string{"i1", "n3", "i2"}, 2, true, classes{}},
		{"one of the two", packing(99, s1, s2).proposing(told), []string{"s2"}, floor.Certified,
			&floor.Lineage{Generation: 2, AncestryCertified: true, Decision: floor.Certified, Effective: full(share("identifier", 0, 1), share("negation", 1, 2))[1:]},
			[]string{"n3", "i2"}, 2, true, classes{}},
		{"a class that what goes does not hold", packing(99, s1, narrow).proposing(told), []string{"s1", "s2"}, floor.Certified,
			&floor.Lineage{Generation: 5, AncestryCertified: true, Decision: floor.Certified, Effective: []floor.Fidelity{share("identifier", 0, 2)}},
			[]string{"i1", "n3", "i2"}, 5, true, classes{}},
		{"a summary without a lineage holds nothing", packing(99, s1, plain).proposing(told), []string{"s1", "s2"}, floor.Provisional,
			&floor.Lineage{Generation: 2, Decision: floor.Provisional, Effective: []floor.Fidelity{}},
			[]string{"i1", "n3", "i2"}, 2, false, classes{}},
		{"a provisional ancestor", packing(99, tainted(older("s2", 9, "n2"))).proposing(summary("m1", 5, keeping("n2"), "s2")), []string{"s2"}, floor.Provisional,
			&floor.Lineage{Generation: 2, Decision: floor.Provisional, Effective: full(share("identifier", 0, 0), share("negation", 1, 1))[1:]},
			[]string{}, 2, false, classes{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := tt.p.compaction()
			out := c.answer(setOf(tt.goes), tt.d, "")
			require.Equal(t, len(c.spans)-len(tt.goes), len(out.Kept))
			var used *floor.Part
			for i := range out.Output {
				if out.Output[i].Kind == floor.PartSummary {
					used = &out.Output[i]
				}
			}
			if tt.lineage == nil {
				require.Nil(t, used)
			} else {
				require.Equal(t, tt.lineage, used.Lineage)
				require.Equal(t, tt.lost, used.Lost)
			}
			require.Equal(t, &floor.Contract{
				Required: sortedOnce(tt.p.Required), Certified: tt.certifies, Generation: tt.generates, AncestryCertified: tt.ancestry,
			}, out.Contract)
		})
	}
}
