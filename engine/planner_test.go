package engine

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

// The planner below is rule 2b read aloud: it tries every plan.

type planner struct {
	in *floor.CompactIn
}

func (o planner) guarded() (out []floor.Class) {
	for _, c := range slices.Concat(someClasses, o.in.Required) {
		if o.floor(c) > 0 && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

func (o planner) floor(c floor.Class) int64 {
	if least, given := o.in.FloorsPermille[c]; given {
		return least
	}
	if slices.Contains(o.in.Required, c) {
		return 1000
	}
	return 0
}

func (o planner) usable(m floor.Summary) bool {
	return Usable(floor.Delivery{Text: m.Text, Status: m.Status})
}

func (o planner) clean(m floor.Summary) bool {
	for _, s := range o.in.Spans {
		for _, e := range s.Elements {
			if oracleRetention(e, m.Text).inverts() {
				return false
			}
		}
	}
	return o.usable(m)
}

func effectiveIn(l *floor.Lineage, c floor.Class) bool {
	return slices.ContainsFunc(l.Effective, func(f floor.Fidelity) bool { return f.Class == c })
}

// whyNot are the reasons that keep a span from going under a summary, the
// summary's own uncleanness aside.
func (o planner) whyNot(s floor.Span, m floor.Summary) (reasons []string) {
	if s.Elements == nil {
		reasons = append(reasons, "unknown")
	}
	if isSummary(&s) && (s.Lineage == nil || !s.Lineage.AncestryCertified || s.Lineage.Decision != floor.Certified) {
		reasons = append(reasons, "poisoned")
	}
	for _, c := range o.guarded() {
		kept, total := int64(0), int64(0)
		for _, e := range s.Elements {
			if e.Class != c {
				continue
			}
			total++
			if !isLost(&e) && oracleRetention(e, m.Text) == Retained {
				kept++
			}
			for _, other := range o.in.Spans {
				if isSummary(&other) && other.ID != s.ID && oracleRetention(e, other.Text).inverts() {
					reasons = append(reasons, "inverted elsewhere")
				}
			}
		}
		if kept*1000 < o.floor(c)*total || !slices.Contains(o.in.Known, c) || s.Lineage != nil && !effectiveIn(s.Lineage, c) {
			reasons = append(reasons, "class "+string(c))
		}
	}
	return reasons
}

func (o planner) summaryOf(s floor.Span) (floor.Summary, bool) {
	for _, m := range o.in.Summaries {
		if slices.Contains(m.Of, s.ID) {
			return m, true
		}
	}
	return floor.Summary{}, false
}

// cheapest is the least cost of all plans under a rule of what may go: every
// set of evicted spans is tried.
func (o planner) cheapest(mayGo func(floor.Span, floor.Summary) bool) int64 {
	least := int64(-1)
	for set := range 1 << len(o.in.Spans) {
		cost, fine, used := int64(0), true, map[string]int64{}
		for i, s := range o.in.Spans {
			if set>>i&1 == 0 {
				cost += s.Tokens
				continue
			}
			m, has := o.summaryOf(s)
			fine = fine && has && mayGo(s, m)
			used[m.ID] = m.Tokens
		}
		for _, tokens := range used {
			cost += tokens
		}
		if fine && (least < 0 || cost < least) {
			least = cost
		}
	}
	return least
}

func (o planner) sound(s floor.Span, m floor.Summary) bool {
	return o.clean(m) && len(o.whyNot(s, m)) == 0
}

// Whatever is asked, the decision is the one that trying every plan gives, the
// result is a plan of its kind, what it says of itself was measured, and fed
// back it can be asked again.
func TestCompactSpansIsThePlanner(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	seen := map[string]int{}
	for round := range 6000 {
		in := (&drawing{rng: rng}).compactIn()
		p := policies[round%2]
		out, err := CompactSpans(in, p)
		require.NoError(t, err, "%+v", in)
		o := planner{in}
		all := tokensOf(in.Spans)
		soundCost := o.cheapest(o.sound)
		anyCost := o.cheapest(func(_ floor.Span, m floor.Summary) bool { return o.usable(m) })
		want := question{missing: true, ancestryCertified: true, Conditions: in.Conditions}.answer(p)
		switch {
		case soundCost <= in.BudgetTokens:
			want = floor.Certified
		case anyCost > in.BudgetTokens:
			want = floor.Refuse
		}
		require.Equal(t, want, out.Decision, "%+v", in)
		what := string(out.Decision)
		switch {
		case want == floor.Refuse:
			require.Equal(t, soundCost-in.BudgetTokens, *out.OverBudgetTokens)
			o.requireReasons(t, out)
		case all <= in.BudgetTokens:
			require.Empty(t, out.Evicted)
			what = "no-op"
		default:
			cost := soundCost
			if want == floor.Provisional {
				cost = anyCost
			}
			require.Equal(t, cost, tokensOf(Delivered(in, out)), "%+v", in)
		}
		if want != floor.Refuse {
			o.requireResult(t, out)
		}
		seen[what]++
	}
	for _, what := range []string{"certified", "provisional", "refuse", "no-op"} {
		require.Greater(t, seen[what], 300, "%v", seen)
	}
}

func (o planner) requireReasons(t *testing.T, out floor.CompactOut) {
	t.Helper()
	missing, unknown, poisoned, unclean := []floor.Class{}, []string{}, []string{}, []string{}
	for _, s := range o.in.Spans {
		m, has := o.summaryOf(s)
		if !has || !o.usable(m) {
			continue
		}
		for _, reason := range o.whyNot(s, m) {
			switch class, isClass := strings.CutPrefix(reason, "class "); {
			case isClass:
				missing = append(missing, floor.Class(class))
			case reason == "unknown":
				unknown = append(unknown, s.ID)
			case reason == "poisoned":
				poisoned = append(poisoned, s.ID)
			}
		}
	}
	for _, m := range o.in.Summaries {
		if o.usable(m) && !o.clean(m) {
			unclean = append(unclean, m.ID)
		}
	}
	require.Equal(t, sortedSet(missing), out.MissingClasses, "%+v", o.in)
	require.Equal(t, unknown, out.UnknownSpans)
	require.Equal(t, poisoned, out.PoisonedSpans)
	require.Equal(t, unclean, out.UncleanSummaries)
}

func (o planner) requireResult(t *testing.T, out floor.CompactOut) {
	t.Helper()
	var ids []string
	evicted := map[string]string{}
	for _, e := range out.Evicted {
		evicted[e.Span] = e.Summary
	}
	for _, s := range o.in.Spans {
		if evicted[s.ID] == "" {
			ids = append(ids, s.ID)
			continue
		}
		m, _ := o.summaryOf(s)
		require.Equal(t, m.ID, evicted[s.ID])
		if out.Decision == floor.Certified {
			require.Empty(t, o.whyNot(s, m))
		}
		require.True(t, out.Decision == floor.Certified && o.clean(m) || out.Decision == floor.Provisional && o.usable(m))
	}
	require.Equal(t, append([]string{}, ids...), out.Kept)

	// Fed back, with whatever came of it, it is a valid request.
	next := &floor.CompactIn{Spans: Delivered(o.in, out), Required: o.in.Required, Known: o.in.Known, FloorsPermille: o.in.FloorsPermille, BudgetTokens: floor.MaxNumber}
	again, err := CompactSpans(next, floor.Guard)
	require.NoError(t, err, "%+v", o.in)
	require.Equal(t, out.Contract, again.Contract, "the contract of what was delivered is that of what comes back")
	require.Equal(t, o.certified(next), out.Contract.Certified)
	for i := range next.Spans {
		s := &next.Spans[i]
		if at := slices.IndexFunc(o.in.Summaries, func(m floor.Summary) bool { return m.ID == s.ID }); at >= 0 {
			o.requireSummary(t, s, o.in.Summaries[at], evicted, out.Decision)
		}
	}
}

// certified are the required classes that a context holds: rule 2b's contract.
func (o planner) certified(context *floor.CompactIn) []floor.Class {
	out := []floor.Class{}
	var parts []string
	for _, s := range context.Spans {
		parts = append(parts, s.Text)
	}
	for _, c := range sortedSet(context.Required) {
		fine := true
		for _, s := range context.Spans {
			if isSummary(&s) {
				fine = fine && s.Lineage != nil && s.Lineage.AncestryCertified && s.Lineage.Decision == floor.Certified &&
					slices.ContainsFunc(s.Lineage.Effective, func(f floor.Fidelity) bool {
						return f.Class == c && f.Retained*1000 >= o.floor(c)*f.Total
					})
			}
		}
		for _, s := range o.in.Spans { // kept or replaced
			for _, e := range s.Elements {
				fine = fine && (e.Class != c || !oracleRetention(e, parts...).inverts())
			}
		}
		if fine {
			out = append(out, c)
		}
	}
	return out
}

// requireSummary looks at a summary as it comes back.
func (o planner) requireSummary(t *testing.T, s *floor.Span, m floor.Summary, evicted map[string]string, d floor.Decision) {
	t.Helper()
	generation, ancestry, unknown := int64(0), true, false
	want := []floor.Element{}
	var summaries []*floor.Lineage
	for _, r := range o.in.Spans {
		if evicted[r.ID] != m.ID {
			continue
		}
		generation = max(generation, generationOf(&r))
		if isSummary(&r) {
			ancestry = ancestry && r.Lineage != nil && r.Lineage.AncestryCertified && r.Lineage.Decision == floor.Certified
			if r.Lineage == nil {
				r.Lineage = &floor.Lineage{}
			}
			summaries = append(summaries, r.Lineage)
		}
		unknown = unknown || r.Elements == nil
		for _, e := range r.Elements {
			lost := isLost(&e) || oracleRetention(e, m.Text) != Retained
			e.Lost = nil
			if lost {
				e.Lost = new(true)
			}
			want = append(want, e)
		}
	}
	require.Equal(t, generation+1, s.Lineage.Generation)
	require.Equal(t, ancestry, s.Lineage.AncestryCertified)
	require.Equal(t, d, s.Lineage.Decision)
	require.Equal(t, m.Text, s.Text)
	if unknown {
		require.Nil(t, s.Elements)
	} else {
		require.Equal(t, want, s.Elements)
	}
	for _, c := range slices.Concat(someClasses, o.in.Known) {
		effective := slices.Contains(o.in.Known, c)
		for _, l := range summaries {
			effective = effective && effectiveIn(l, c)
		}
		require.Equal(t, effective, effectiveIn(s.Lineage, c), "%s in %+v", c, o.in)
	}
}
