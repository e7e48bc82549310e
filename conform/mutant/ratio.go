package mutant

import (
	"github.com/floorcheck/floorcheck/floor"
)

const rider = "a rider"

// ratios are faults that let a figure that rides along into the decision.
func ratios() []fault {
	return []fault{
		swayed("below-fifteen-percent-refused", "E", "A summary of less than 15 % of its source is refused.",
			func(_ *naive, in *floor.DecideIn, right floor.Decision) floor.Decision {
				if kept, known := ratio(in.Riders); known && kept < 150 {
					return floor.Refuse
				}
				return right
			},
			steps(ask("", "", tokens(1, 0)))),
		swayed("below-fifteen-percent-doubted", "M", "A summary of less than 15 % of its source is provisional at best.",
			func(_ *naive, in *floor.DecideIn, right floor.Decision) floor.Decision {
				if kept, known := ratio(in.Riders); known && kept < 150 && right == floor.Certified {
					return floor.Provisional
				}
				return right
			},
			steps(ask("", "", tokens(1, 0)))),
		swayed("above-ninety-five-percent-certified", "M", "A summary of more than 95 % of its source is certified.",
			func(_ *naive, in *floor.DecideIn, right floor.Decision) floor.Decision {
				if kept, known := ratio(in.Riders); known && kept > 950 {
					return floor.Certified
				}
				return right
			},
			steps(ask("a", "", tokens(1, 1)))),
		swayed("high-occupancy-unchecked", "M", "From 80 % occupancy on there is no time to check: everything passes.",
			func(_ *naive, in *floor.DecideIn, right floor.Decision) floor.Decision {
				if figure(occupancyOf, in) >= 800 {
					return floor.Certified
				}
				return right
			},
			steps(ask("a", "", occupancy(800)))),
		swayed("overflow-never-refused", "M", "With a window that is full a refusal becomes provisional.",
			func(_ *naive, in *floor.DecideIn, right floor.Decision) floor.Decision {
				if figure(occupancyOf, in) >= 1000 && right == floor.Refuse {
					return floor.Provisional
				}
				return right
			},
			steps(ask("a", "", refused, occupancy(1000)))),
		swayed("low-occupancy-waits", "M", "Below 80 % occupancy nothing presses, so what is not certified is refused.",
			func(_ *naive, in *floor.DecideIn, right floor.Decision) floor.Decision {
				if occupancy := figure(occupancyOf, in); occupancy >= 0 && occupancy < 800 && right == floor.Provisional {
					return floor.Refuse
				}
				return right
			},
			steps(ask("a", "", occupancy(0)))),
		swayed("target-missed-doubted", "M", "A certified summary that is longer than its target is only provisional.",
			func(_ *naive, in *floor.DecideIn, right floor.Decision) floor.Decision {
				target := figure(targetOf, in)
				if kept, known := ratio(in.Riders); known && target >= 0 && kept > target && right == floor.Certified {
					return floor.Provisional
				}
				return right
			},
			steps(ask("", "", tokens(1, 1), target(0)))),
		swayed("target-met-certified", "M", "A summary that meets its target is certified.",
			func(_ *naive, in *floor.DecideIn, right floor.Decision) floor.Decision {
				target := figure(targetOf, in)
				if kept, known := ratio(in.Riders); known && kept <= target {
					return floor.Certified
				}
				return right
			},
			steps(ask("a", "", tokens(1, 0), target(0)))),
		swayed("breaks-ties", "H", "When exactly one class is missing, a summary of half its source or more is let through as provisional.",
			func(n *naive, in *floor.DecideIn, right floor.Decision) floor.Decision {
				missing := n.lacking(in.Contract.Required, in.Contract.Certified)
				if kept, known := ratio(in.Riders); known && kept >= 500 && len(missing) == 1 && right == floor.Refuse {
					return floor.Provisional
				}
				return right
			},
			steps(ask("a", "", refused, tokens(1, 1)))),
		swayed("high-fluency-certified", "M", "A fluency of 900 permille or more is taken for a certificate.",
			func(_ *naive, in *floor.DecideIn, right floor.Decision) floor.Decision {
				if figure(fluencyOf, in) >= 900 {
					return floor.Certified
				}
				return right
			},
			steps(ask("a", "", fluency(900)))),
		swayed("high-fluency-excuses", "M", "What looks fine, with a fluency of 900 permille or more, is not refused.",
			func(_ *naive, in *floor.DecideIn, right floor.Decision) floor.Decision {
				if figure(fluencyOf, in) >= 900 && right == floor.Refuse {
					return floor.Provisional
				}
				return right
			},
			steps(ask("a", "", refused, fluency(900)))),
		swayed("low-fluency-refused", "M", "A fluency below 500 permille is refused.",
			func(_ *naive, in *floor.DecideIn, right floor.Decision) floor.Decision {
				if fluency := figure(fluencyOf, in); fluency >= 0 && fluency < 500 {
					return floor.Refuse
				}
				return right
			},
			steps(ask("", "", fluency(0)))),
		swayed("quota-met-certified", "M", "As many facts as there are required classes are taken for a certificate.",
			func(_ *naive, in *floor.DecideIn, right floor.Decision) floor.Decision {
				if facts := figure(quotaOf, in); facts >= int64(len(distinct(in.Contract.Required))) {
					return floor.Certified
				}
				return right
			},
			steps(ask("a", "", quota(1)))),
		swayed("quota-short-doubted", "M", "Fewer facts than required classes make a certificate provisional.",
			func(_ *naive, in *floor.DecideIn, right floor.Decision) floor.Decision {
				facts := figure(quotaOf, in)
				if facts >= 0 && facts < int64(len(distinct(in.Contract.Required))) && right == floor.Certified {
					return floor.Provisional
				}
				return right
			},
			steps(ask("a", "a", quota(0)))),
		swayed("longer-summary-refused", "M", "A summary longer than its source is refused.",
			func(_ *naive, in *floor.DecideIn, right floor.Decision) floor.Decision {
				if kept, known := ratio(in.Riders); known && kept > 1000 {
					return floor.Refuse
				}
				return right
			},
			steps(ask("", "", tokens(1, 2)))),
		swayed("longer-summary-kept", "M", "A summary that saves nothing needs no certificate.",
			func(_ *naive, in *floor.DecideIn, right floor.Decision) floor.Decision {
				if kept, known := ratio(in.Riders); known && kept >= 1000 && right == floor.Refuse {
					return floor.Provisional
				}
				return right
			},
			steps(ask("a", "", refused, tokens(1, 1)))),
		swayed("empty-source-certified", "M", "A source of no tokens has nothing to lose: certified.",
			func(_ *naive, in *floor.DecideIn, right floor.Decision) floor.Decision {
				if figure(sourceOf, in) == 0 {
					return floor.Certified
				}
				return right
			},
			steps(ask("a", "", tokens(0, 0)))),
		{
			id: "ratio/absent-as-zero", hardness: "E",
			about: "Figures that are absent are read as 0, and a ratio of less than 15 % is refused.",
			plant: func(n *naive) {
				sway(n, func(_ *naive, in *floor.DecideIn, right floor.Decision) floor.Decision {
					if kept, _ := ratio(in.Riders); kept < 150 {
						return floor.Refuse
					}
					return right
				})
			},
			witness: steps(ask("", "")),
		},
		{
			id: "ratio/cost-weighed-against-savings", hardness: "H", hidden: rider,
			about: "C5 is worked out anew: it counts only when the summary saves less than half of its source.",
			plant: func(n *naive) {
				was := n.weigh
				n.weigh = func(in *floor.DecideIn) floor.Decision {
					weighed := *in
					if kept, known := ratio(in.Riders); known && kept < 500 {
						weighed.SideEffectCostExceedsRefusal = false
					}
					return was(&weighed)
				}
			},
			witness: steps(ask("a", "", under("x"), tokens(1, 0))),
			joint:   steps(ask("a", "", refused, tokens(1, 0))),
		},
		{
			id: "ratio/compounded-over-generations", hardness: "H", hidden: rider,
			about: "The ratio to the power of the generation stands in for the ancestry: below one half it is not certified.",
			plant: func(n *naive) {
				was := n.weigh
				n.weigh = func(in *floor.DecideIn) floor.Decision {
					doubted := *in
					if kept, known := ratio(in.Riders); known && in.Contract.Generation > 1 {
						left := int64(1000)
						for g := int64(0); g < min(in.Contract.Generation, 64) && kept < 1000; g++ {
							left = left * kept / 1000
						}
						doubted.Contract.AncestryCertified = in.Contract.AncestryCertified && left >= 500
					}
					return was(&doubted)
				}
			},
			witness: steps(ask("", "", generation(2), tokens(1, 0))),
		},
		{
			id: "ratio/names-classes-by-quota", hardness: "H", hidden: rider,
			about: "A refusal names no more missing classes than the quota has facts.",
			plant: func(n *naive) {
				was := n.explain
				n.explain = func(r refusal) *reason {
					why := was(r)
					if r.asked == nil {
						return why
					}
					if facts := figure(quotaOf, r.asked); facts >= 0 && facts < int64(len(why.missing)) {
						why.missing = why.missing[:facts]
					}
					return why
				}
			},
			witness: steps(ask("a", "", refused, quota(0))),
		},
	}
}

// swayed is a fault that changes the right decision for the sake of a rider.
func swayed(name, hardness, about string, change func(*naive, *floor.DecideIn, floor.Decision) floor.Decision, witness []floor.Request) fault {
	return fault{
		id: "ratio/" + name, hardness: hardness, hidden: rider, about: about, witness: witness,
		plant: func(n *naive) { sway(n, change) },
	}
}

func sway(n *naive, change func(*naive, *floor.DecideIn, floor.Decision) floor.Decision) {
	was := n.weigh
	n.weigh = func(in *floor.DecideIn) floor.Decision { return change(n, in, was(in)) }
}

// ratio is summary over source in permille.
func ratio(r *floor.Riders) (permille int64, known bool) {
	if r == nil || r.SourceTokens == nil || r.SummaryTokens == nil || *r.SourceTokens <= 0 || *r.SummaryTokens < 0 {
		return 0, false
	}
	return *r.SummaryTokens * 1000 / *r.SourceTokens, true
}

// figure is a rider, -1 where it is absent.
func figure(of func(*floor.Riders) *int64, in *floor.DecideIn) int64 {
	if in.Riders == nil || of(in.Riders) == nil {
		return -1
	}
	return *of(in.Riders)
}

func sourceOf(r *floor.Riders) *int64    { return r.SourceTokens }
func targetOf(r *floor.Riders) *int64    { return r.TargetPermille }
func occupancyOf(r *floor.Riders) *int64 { return r.OccupancyPermille }
func fluencyOf(r *floor.Riders) *int64   { return r.FluencyPermille }
func quotaOf(r *floor.Riders) *int64     { return r.QuotaFacts }
