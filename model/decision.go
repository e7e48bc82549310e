package model

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// decision is the three-way decision; everything else is about what certified
// means.
func decision(certified bool, on floor.Conditions, p floor.Policy) floor.Decision {
	switch {
	case certified:
		return floor.Certified
	case on.SourceRecoverable:
		return floor.Provisional
	case dangerous(on, p):
		return floor.Refuse
	}
	return floor.Provisional
}

// dangerous is where the sources disagree: any of C1, C4 and C5 under guard,
// all three under joint.
func dangerous(on floor.Conditions, p floor.Policy) bool {
	if p == floor.Joint {
		return on.ConsumerStrict && on.ChainingRisk && on.SideEffectCostExceedsRefusal
	}
	return on.ConsumerStrict || on.ChainingRisk || on.SideEffectCostExceedsRefusal
}

// missing are the required classes that are not certified, sorted, each once.
func missing(c floor.Contract) []floor.Class {
	var out []floor.Class
	for _, class := range c.Required {
		if !slices.Contains(c.Certified, class) && !slices.Contains(out, class) {
			out = append(out, class)
		}
	}
	slices.Sort(out)
	return out
}

// rank orders decisions from most to least permission.
func rank(d floor.Decision) int {
	return slices.Index([]floor.Decision{floor.Certified, floor.Provisional, floor.Refuse}, d)
}

// sameSet compares lists that stand for sets.
func sameSet(a, b []floor.Class) bool { return within(a, b) && within(b, a) }

func within(a, b []floor.Class) bool {
	for _, class := range a {
		if !slices.Contains(b, class) {
			return false
		}
	}
	return true
}
