package suite_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
	"github.com/floorcheck/floorcheck/props/gen"
	"github.com/floorcheck/floorcheck/props/suite"
)

// textCases are as many as it takes for a share to stand still within a percent.
const textCases = 5000

// shares counts in how many cases of all something is so.
type shares struct {
	names []string
	bands map[string][2]int // percent
	seen  map[string]int
	of    int
}

func newShares() *shares { return &shares{bands: map[string][2]int{}, seen: map[string]int{}} }

func (s *shares) band(name string, least, most int) {
	s.names, s.bands[name] = append(s.names, name), [2]int{least, most}
}

// count enters one case, of which these are so.
func (s *shares) count(t *testing.T, so map[string]bool) {
	t.Helper()
	s.of++
	for name, yes := range so {
		require.Contains(t, s.bands, name)
		if yes {
			s.seen[name]++
		}
	}
}

func (s *shares) require(t *testing.T) {
	t.Helper()
	for _, name := range s.names {
		percent, band := 100*float64(s.seen[name])/float64(s.of), s.bands[name]
		t.Logf("%-50s %5.1f %% (%d to %d)", name, percent, band[0], band[1])
		if percent < float64(band[0]) || percent > float64(band[1]) {
			t.Errorf("%s: %.1f %% is not within %d and %d", name, percent, band[0], band[1])
		}
	}
}

// Certificates come in every kind often enough: all kept, one thing missing,
// lost, inverted and contradictory.
func TestCertifySpread(t *testing.T) {
	s := newShares()
	s.band("everything required is certified", 15, 60)
	s.band("nothing required is certified", 10, 60)
	s.band("exactly one thing is missing", 20, 60)
	s.band("an element is lost", 25, 70)
	s.band("an element is inverted", 10, 50)
	s.band("an element is contradictory", 10, 50)
	s.band("the output is unusable", 4, 25)
	s.band("the elements of a span are not known", 4, 30)
	s.band("a pin keeps what the text does not", 4, 30)
	s.band("a floor", 20, 60)
	s.band("at its floor below full", 3, 30)
	s.band("decoys", 20, 60)
	s.band("a decoy is there", 8, 40)
	s.band("a decoy is not there", 10, 50)
	s.band("nothing is required", 2, 20)
	s.band("a required class has no element", 10, 60)
	s.band("several questions", 4, 15)
	for d := range suite.Seeded(gen.KindCertify, gen.Full(floor.Guard), 3, 0, textCases) {
		step := len(d.Case.Steps) - 1
		s.count(t, traitsOfCertify(t, d.Case.Steps[step].Certify, model.Expect(d.Case)[step]))
		if step > 0 {
			s.seen["several questions"]++
		}
	}
	s.require(t)
}

func traitsOfCertify(t *testing.T, in *floor.CertifyIn, a floor.Answer) map[string]bool {
	t.Helper()
	require.NotNil(t, a.Certify, "%v", a.Err)
	out, so := a.Certify, map[string]bool{}
	usable := model.Deliver(append([]string{in.Output.Text}, in.Output.Pins...)).Usable() &&
		(in.Output.Status == "" || in.Output.Status == floor.StatusOK)
	text := model.Deliver([]string{in.Output.Text})
	all := model.Deliver(append([]string{in.Output.Text}, in.Output.Pins...))
	missing, unknown := 0, 0
	for _, span := range in.Source {
		if span.Elements == nil {
			unknown++
		}
		for _, e := range span.Elements {
			if !slices.Contains(in.Required, e.Class) {
				continue
			}
			r := all.Retention(e)
			if r != model.Retained {
				missing++
			}
			so["an element is lost"] = so["an element is lost"] || r == model.Lost
			so["an element is inverted"] = so["an element is inverted"] || r == model.Inverted
			so["an element is contradictory"] = so["an element is contradictory"] || r == model.Contradictory
			if r == model.Retained && text.Retention(e) == model.Lost {
				so["a pin keeps what the text does not"] = true
			}
		}
	}
	for _, f := range out.Fidelity {
		so["a required class has no element"] = so["a required class has no element"] || f.Total == 0
		if f.Retained < f.Total && f.Retained > 0 && slices.Contains(out.Certified, f.Class) {
			so["at its floor below full"] = true
		}
	}
	so["exactly one thing is missing"] = missing+unknown+count(!usable) == 1 && len(out.Fidelity) > 0
	so["everything required is certified"] = len(out.Fidelity) > 0 && len(out.Certified) == len(out.Fidelity)
	so["nothing required is certified"] = len(out.Fidelity) > 0 && len(out.Certified) == 0
	so["nothing is required"] = len(out.Fidelity) == 0
	so["the output is unusable"] = !usable
	so["the elements of a span are not known"] = unknown > 0
	so["a floor"] = len(in.FloorsPermille) > 0
	so["decoys"] = len(in.Decoys) > 0
	so["a decoy is there"] = len(out.Fabricated) > 0
	so["a decoy is not there"] = len(out.Fabricated) < len(in.Decoys)
	return so
}

func count(flags ...bool) (n int) {
	for _, on := range flags {
		if on {
			n++
		}
	}
	return n
}

// Compactions come in every kind often enough: each decision, exactly one thing
// missing, chains, what fits and what misses the budget by a token.
func TestCompactSpread(t *testing.T) {
	for _, policy := range []floor.Policy{floor.Guard, floor.Joint} {
		t.Run(string(policy), func(t *testing.T) {
			s := newShares()
			s.band("certified", 15, 50)
			s.band("provisional", 15, 50)
			s.band("refuse", 15, 50)
			s.band("no-op", 5, 25)
			s.band("certified, and something goes", 12, 45)
			s.band("recoverable", 5, 40)
			s.band("harmless", 4, 40)
			s.band("exactly one thing is missing", 25, 60)
			s.band("one token is missing", 4, 30)
			s.band("just enough tokens", 5, 40)
			s.band("an element is lost", 20, 70)
			s.band("an element is inverted", 10, 50)
			s.band("an element is contradictory", 10, 50)
			s.band("a summary span", 20, 80)
			s.band("a generation of 2 or more is replaced", 8, 50)
			s.band("a chain: something of generation 2 or more", 20, 60)
			s.band("a lost element is named again", 3, 30)
			s.band("a poisoned span", 5, 40)
			s.band("a span that is not known", 5, 40)
			s.band("an unclean summary", 5, 50)
			s.band("an unusable summary", 5, 40)
			s.band("a summary of no span", 5, 50)
			s.band("a floor", 20, 60)
			s.band("riders", 10, 40)
			s.band("tokens beyond 2^32", 5, 30)
			s.band("the contract holds less than the decision", 3, 50)
			s.band("several questions", 4, 15)
			for d := range suite.Seeded(gen.KindCompact, gen.Full(policy), 3, 0, textCases) {
				step := len(d.Case.Steps) - 1
				s.count(t, traitsOfCompact(t, d.Case.Steps[step].Compact, policy))
				if step > 0 {
					s.seen["several questions"]++
				}
			}
			s.require(t)
		})
	}
}

func expect(t *testing.T, in *floor.CompactIn, p floor.Policy) *floor.CompactOut {
	t.Helper()
	c := floor.Case{Policy: p, Steps: []floor.Request{{Op: floor.OpCompact, Compact: in}}}
	a := model.Expect(c)[0]
	require.NotNil(t, a.Compact, "%v", a.Err)
	return a.Compact
}

func traitsOfCompact(t *testing.T, in *floor.CompactIn, p floor.Policy) map[string]bool {
	t.Helper()
	out, so := expect(t, in, p), map[string]bool{}

	// What stands against it is what a refusal would say, were all dangers there.
	alarmed := *in
	alarmed.Conditions = floor.Conditions{ConsumerStrict: true, ChainingRisk: true, SideEffectCostExceedsRefusal: true}
	if alarm := expect(t, &alarmed, p); alarm.Decision == floor.Refuse {
		gaps := len(alarm.MissingClasses) + len(alarm.UnknownSpans) + len(alarm.PoisonedSpans) + len(alarm.UncleanSummaries)
		so["exactly one thing is missing"] = gaps == 1 || gaps == 0 && *alarm.OverBudgetTokens == 1
		so["one token is missing"] = *alarm.OverBudgetTokens == 1
		so["a poisoned span"] = len(alarm.PoisonedSpans) > 0
		so["a span that is not known"] = len(alarm.UnknownSpans) > 0
		so["an unclean summary"] = len(alarm.UncleanSummaries) > 0
	}
	whole, delivered := int64(0), int64(0)
	spans := map[string]*floor.Span{}
	for i := range in.Spans {
		span := &in.Spans[i]
		spans[span.ID] = span
		whole += span.Tokens
		if slices.Contains(out.Kept, span.ID) {
			delivered += span.Tokens
		}
		so["a summary span"] = so["a summary span"] || span.Kind == floor.KindSummary || span.Lineage != nil
		if span.Lineage != nil && span.Lineage.Generation > 1 {
			so["a chain: something of generation 2 or more"] = true
		}
	}
	for _, m := range in.Summaries {
		text := model.Deliver([]string{m.Text})
		if len(m.Of) == 0 {
			so["a summary of no span"] = true
		}
		if !text.Usable() || m.Status != "" && m.Status != floor.StatusOK {
			so["an unusable summary"] = true
		}
		whole += 0
		for _, id := range m.Of {
			for _, e := range spans[id].Elements {
				r := text.Retention(e)
				so["an element is lost"] = so["an element is lost"] || r == model.Lost
				so["an element is inverted"] = so["an element is inverted"] || r == model.Inverted
				so["an element is contradictory"] = so["an element is contradictory"] || r == model.Contradictory
				if e.Lost != nil && *e.Lost && r == model.Retained {
					so["a lost element is named again"] = true
				}
			}
		}
		used := slices.ContainsFunc(out.Evicted, func(e floor.Evicted) bool { return e.Summary == m.ID })
		if used {
			delivered += m.Tokens
		}
	}
	for _, part := range out.Output {
		if part.Lineage != nil && part.Lineage.Generation > 1 {
			so["a generation of 2 or more is replaced"] = true
			so["a chain: something of generation 2 or more"] = true
		}
	}
	noOp := whole <= in.BudgetTokens
	so["no-op"] = noOp
	so[string(out.Decision)] = true
	so["certified, and something goes"] = out.Decision == floor.Certified && !noOp
	so["recoverable"] = out.Basis == floor.BasisRecoverable
	so["harmless"] = out.Basis == floor.BasisHarmless
	so["just enough tokens"] = out.Decision != floor.Refuse && delivered == in.BudgetTokens
	so["a floor"] = len(in.FloorsPermille) > 0
	so["riders"] = in.Riders != nil
	so["tokens beyond 2^32"] = whole > 1<<32
	if out.Decision == floor.Certified && !noOp {
		required := slices.Clone(in.Required)
		slices.Sort(required)
		so["the contract holds less than the decision"] = len(out.Contract.Certified) < len(slices.Compact(required))
	}
	return so
}
