package gen

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// Decide draws a well-formed decide request.
func Decide(s *Source, l Limits) floor.Case {
	in := &floor.DecideIn{}
	pressure := s.Weighted("pressure", pressureWeights...)
	required := subset(s, l, 7)
	certified := certify(s, l, pressure, required)
	in.Contract.AncestryCertified = true
	switch pressure {
	case apart:
		in.Contract.AncestryCertified = s.Choose(2, "ancestry") == 0
	case gapBehind:
		in.Contract.AncestryCertified = false
	}
	in.Conditions = conditions(s)
	in.Contract.Generation = number(s, "scale", floor.MaxGeneration)
	in.Contract.Required = spelling(s, required)
	in.Contract.Certified = spelling(s, certified)
	if s.Weighted("riders", 2, 1) == 1 {
		in.Riders = riders(s)
	}
	return floor.Case{Policy: l.Policy, Steps: append(before(s, in), floor.Request{Op: floor.OpDecide, Decide: in})}
}

// before draws what is asked in the same breath before the case's own request:
// the same contract under other conditions. Who keeps a decision for a
// contract, or for a system, is found by what he answers next.
func before(s *Source, in *floor.DecideIn) (steps []floor.Request) {
	if s.Weighted("before", 11, 1) == 0 {
		return nil
	}
	s.Repeat(1, 3, 2, "another before", func(int) bool {
		other := &floor.DecideIn{Contract: in.Contract, Conditions: conditions(s)}
		steps = append(steps, floor.Request{Op: floor.OpDecide, Decide: other})
		return true
	})
	return steps
}

// certify draws what is certified, as the pressure wants it.
func certify(s *Source, l Limits, pressure int, required []floor.Class) []floor.Class {
	if pressure == apart {
		return subset(s, l, 6)
	}
	certified := slices.Clone(required)
	if len(required) == 0 {
		pressure = covered // there is nothing to miss
	}
	switch pressure {
	case covered, gapBehind: // all of it
	case nearMiss, lookAlike:
		gone := s.Choose(len(required), "missing")
		certified = slices.Delete(certified, gone, gone+1)
		if alike := lookAlikes[required[gone]]; pressure == lookAlike && len(alike) > 0 {
			certified = append(certified, without(alike, required)...)
		}
	}
	s.Repeat(0, 2, 2, "another extra", func(int) bool {
		if class := classes[s.Choose(l.Classes, "extra")]; !slices.Contains(required, class) {
			certified = append(certified, class)
		}
		return true
	})
	return certified
}

func without(list, taken []floor.Class) []floor.Class {
	return slices.DeleteFunc(slices.Clone(list), func(c floor.Class) bool { return slices.Contains(taken, c) })
}

// riders draws figures that tempt: a ratio over the whole range, and
// occupancies, targets and fluencies as they are met.
func riders(s *Source) *floor.Riders {
	r := &floor.Riders{}
	if s.Choose(2, "ratio") == 1 {
		source := 100 + number(s, "figure", 1<<20)
		r.SourceTokens = &source
		r.SummaryTokens = new(source * int64(s.Choose(1101, "ratio permille")) / 1000)
	}
	for _, field := range []**int64{&r.TargetPermille, &r.OccupancyPermille, &r.FluencyPermille} {
		if s.Choose(2, "permille") == 1 {
			*field = new(int64(s.Choose(1001, "permille value")))
		}
	}
	if s.Choose(2, "quota") == 1 {
		r.QuotaFacts = new(number(s, "figure", 1<<20))
	}
	return r
}
