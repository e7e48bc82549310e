package model

import (
	"testing"

	"github.com/floorcheck/floorcheck/floor"
	"github.com/stretchr/testify/require"
)

func TestAnswersAreComparedByMeaning(t *testing.T) {
	refusal := func(missing ...floor.Class) *floor.DecideOut {
		return &floor.DecideOut{Decision: floor.Refuse, MissingClasses: missing, Generation: new(int64(1)), AncestryCertified: new(true)}
	}
	silent := &floor.DecideOut{Decision: floor.Refuse, MissingClasses: classes{"a"}}
	require.Zero(t, differInDecide(refusal("a", "b"), refusal("b", "a", "b")))
	require.Equal(t, difference{"missing_classes", "[a b]", "[a]"}, differInDecide(refusal("a", "b"), refusal("a")))
	require.Equal(t, difference{"generation", "generation 1", "no generation"}, differInDecide(refusal("a"), silent))
	require.Equal(t, difference{"", "refuse", "provisional"}, differInDecide(silent, &floor.DecideOut{Decision: floor.Provisional}))

	outcome := func(id string, effective ...floor.Fidelity) floor.Outcome {
		return floor.Outcome{ID: id, Decision: floor.Certified, Effective: effective}
	}
	out := func(events ...floor.Outcome) *floor.DeriveOut { return &floor.DeriveOut{Events: events} }
	a := outcome("a", share("x", 0, 0), share("y", 1, 2))
	require.Zero(t, differInDerive(out(a, outcome("b")), out(outcome("b"), outcome("a", share("y", 2, 4), share("x", 7, 7)))))
	require.Equal(t, difference{"events", "[a]", "[a b]"}, differInDerive(out(a), out(outcome("b"), a)))
	require.Equal(t, difference{"event a", "y 1 of 2", "no y"}, differInDerive(out(a), out(outcome("a", share("x", 0, 0)))))
	require.Equal(t, difference{"event a", "effective", "y twice"},
		differInDerive(out(a), out(outcome("a", share("y", 1, 2), share("y", 1, 2)))))
}
