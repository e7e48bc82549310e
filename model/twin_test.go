package model

import (
	"math/rand/v2"
	"testing"

	"github.com/floorcheck/floorcheck/floor"
	"github.com/stretchr/testify/require"
)

// A decider is a faulty subject: it sees a request and those before it.
type decider func(in floor.DecideIn, before []floor.Request) floor.Decision

func (d decider) answer(c floor.Case) Run {
	answers := make([]floor.Answer, len(c.Steps))
	for i, step := range c.Steps {
		if step.Decide != nil {
			answers[i].Decide = decideOut(d(*step.Decide, c.Steps[:i]), step.Decide.Contract)
		}
	}
	return Observe(floor.Trace{Case: c, Answers: answers})
}

func honest(in floor.DecideIn) floor.Decision {
	return decision(in.Contract.AncestryCertified && len(missing(in.Contract)) == 0, in.Conditions, floor.Guard)
}

func bySize(count func(required, certified classes) bool) decider {
	return func(in floor.DecideIn, _ []floor.Request) floor.Decision {
		c := in.Contract
		return decision(c.AncestryCertified && count(c.Required, c.Certified), in.Conditions, floor.Guard)
	}
}

func byRider(tempted func(r floor.Riders) bool, lie floor.Decision) decider {
	return func(in floor.DecideIn, _ []floor.Request) floor.Decision {
		if in.Riders != nil && tempted(*in.Riders) {
			return lie
		}
		return honest(in)
	}
}

// A comparing rule needs no model: it catches these from the answers alone.
func TestTwinsCatch(t *testing.T) {
	above := func(n *int64, least int64) bool { return n != nil && *n >= least }
	tests := []struct {
		name string
		rule string
		d    decider
	}{
		{"a low target refuses", "decide/ratio-independent",
			byRider(func(r floor.Riders) bool { return r.TargetPermille != nil && *r.TargetPermille < 150 }, floor.Refuse)},
		{"a low ratio refuses", "decide/ratio-independent", byRider(func(r floor.Riders) bool {
			return r.SourceTokens != nil && r.SummaryTokens != nil && *r.SummaryTokens*7 < *r.SourceTokens
		}, floor.Refuse)},
		{"a high target certifies", "decide/ratio-independent",
			byRider(func(r floor.Riders) bool { return above(r.TargetPermille, 951) }, floor.Certified)},
		{"a full window skips the check", "decide/ratio-independent",
			byRider(func(r floor.Riders) bool { return above(r.OccupancyPermille, 800) }, floor.Certified)},
		{"a quota passes", "decide/ratio-independent",
			byRider(func(r floor.Riders) bool { return above(r.QuotaFacts, 5000) }, floor.Certified)},
		{"fluency certifies", "decide/fluency-independent",
			byRider(func(r floor.Riders) bool { return above(r.FluencyPermille, 990) }, floor.Certified)},
		{"no fluency refuses", "decide/fluency-independent",
			byRider(func(r floor.Riders) bool { return r.FluencyPermille != nil && *r.FluencyPermille == 0 }, floor.Refuse)},
		{"the subset is the wrong way round", "decide/monotone", bySize(func(required, certified classes) bool {
			return within(certified, required)
		})},
		{"equal sizes certify", "decide/monotone", bySize(func(required, certified classes) bool {
			return len(distinct(required)) == len(distinct(certified))
		})},
		{"a danger calms", "decide/monotone", func(in floor.DecideIn, _ []floor.Request) floor.Decision {
			in.ChainingRisk = !in.ChainingRisk
			return honest(in)
		}},
		{"repetition counts", "decide/set-semantics", bySize(func(required, certified classes) bool {
			return len(required) <= len(certified)
		})},
		{"only the first class counts", "decide/set-semantics", bySize(func(required, certified classes) bool {
			return len(required) == 0 || within(required[:1], certified)
		})},
		{"an unknown class is passed over", "decide/set-semantics", bySize(func(required, certified classes) bool {
			known := classes{"identifier", "quantity", "negation", "dream"}
			for _, class := range required {
				if within(classes{class}, known) && !within(classes{class}, certified) {
					return false
				}
			}
			return true
		})},
		{"flags are remembered for the session", "decide/per-event", func(in floor.DecideIn, before []floor.Request) floor.Decision {
			for _, earlier := range before {
				if earlier.Decide != nil {
					in.Conditions = earlier.Decide.Conditions
					break
				}
			}
			return honest(in)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rule, ok := Lookup(tt.rule)
			require.True(t, ok)
			rng, caught := rand.New(rand.NewPCG(3, 4)), 0
			for range 200 {
				c := caseOf(scribbleDecide(rng))
				if !rule.Applies(Observe(floor.Trace{Case: c})) {
					continue
				}
				for _, twin := range rule.Vary(c) {
					run := tt.d.answer(twin)
					if _, findings := rule.Judge(Observation{Base: tt.d.answer(c), Twin: &run}); len(findings) > 0 {
						caught++
					}
				}
			}
			require.Positive(t, caught)
		})
	}
}
