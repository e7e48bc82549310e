package model

import (
	"testing"

	"github.com/floorcheck/floorcheck/floor"
	"github.com/stretchr/testify/require"
)

func TestFractionsAreComparedExactly(t *testing.T) {
	most := floor.MaxNumber
	tests := []struct {
		name string
		a, b floor.Fidelity
		want int
	}{
		{"equal fractions are equal", share("x", 1, 2), share("x", 2, 4), 0},
		{"0 of 0 is full", share("x", 0, 0), share("x", 5, 5), 0},
		{"0 of 0 is more than almost all", share("x", 0, 0), share("x", most-1, most), 1},
		{"0 of 0 is not 0 of 1", share("x", 0, 0), share("x", 0, 1), 1},
		{"neighbours that no float tells apart", share("x", most-2, most-1), share("x", most-1, most), -1},
		{"products past 64 bits", share("x", most-1, most), share("x", most, most), -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, compare(tt.a, tt.b))
			require.Equal(t, -tt.want, compare(tt.b, tt.a))
		})
	}
}

func TestAtFloor(t *testing.T) {
	tests := []struct {
		name     string
		f        floor.Fidelity
		permille int64
		want     bool
	}{
		{"exactly at the floor", share("x", 7, 10), 700, true},
		{"just below", share("x", 699999, 1000000), 700, false},
		{"0 of 0 at the highest floor", share("x", 0, 0), 1000, true},
		{"nothing of something at floor 0", share("x", 0, 3), 0, true},
		{"one of the largest lost", share("x", floor.MaxNumber-1, floor.MaxNumber), 1000, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, atFloor(tt.f, tt.permille)) })
	}
}

func TestFates(t *testing.T) {
	full, half, third := share("x", 6, 6), share("x", 3, 6), share("x", 2, 6)
	type told struct {
		generation int64
		ancestry   bool
		decision   floor.Decision
		effective  []floor.Fidelity
	}
	tests := []struct {
		name   string
		events []floor.Event
		want   told // of the last event
	}{
		{"originals start clean", []floor.Event{event("a", from("o1", "o1", "o2"), full)},
			told{1, true, floor.Certified, []floor.Fidelity{full}}},
		{"half of a half stays a half", []floor.Event{event("a", from("o1"), half), event("b", from("a"), half)},
			told{2, false, floor.Provisional, []floor.Fidelity{half}}},
		{"a later certificate heals nothing", []floor.Event{event("a", from("o1"), half), event("b", from("a"), full)},
			told{2, false, floor.Provisional, []floor.Fidelity{half}}},
		{"a class that was dropped does not come back",
			[]floor.Event{event("a", from("o1")), requiring(event("b", from("a"), full))},
			told{2, true, floor.Certified, []floor.Fidelity{}}},
		{"a class first required late is not vouched for",
			[]floor.Event{requiring(event("a", from("o1"), half)), event("b", from("a"), full)},
			told{2, true, floor.Provisional, []floor.Fidelity{half}}},
		{"a late floor may be low enough",
			[]floor.Event{requiring(event("a", from("o1"), half)), floored(event("b", from("a"), full), "x", 500)},
			told{2, true, floor.Certified, []floor.Fidelity{half}}},
		{"absent is not effective, even at floor 0",
			[]floor.Event{floored(requiring(event("a", from("o1")), "x"), "x", 0)},
			told{1, true, floor.Provisional, []floor.Fidelity{}}},
		{"a merge takes the least and the oldest", []floor.Event{
			event("a", from("o1"), full), event("b", from("a"), full), requiring(event("c", from("o2"), third)),
			requiring(event("d", from("b", "c", "b"), half)),
		}, told{3, true, floor.Certified, []floor.Fidelity{third}}},
		{"one bad parent poisons a merge", []floor.Event{
			event("a", from("o1"), full), event("b", from("o2"), half), event("c", from("a", "b"), full),
		}, told{2, false, floor.Provisional, []floor.Fidelity{half}}},
		{"a diamond", []floor.Event{
			event("a", from("o1"), full), event("b", from("a"), full), requiring(event("c", from("a"), half)),
			requiring(event("d", from("b", "c"), full)),
		}, told{3, true, floor.Certified, []floor.Fidelity{half}}},
		{"originals again start clean", []floor.Event{event("a", from("o1"), half), event("b", from("o1"), full)},
			told{1, true, floor.Certified, []floor.Fidelity{full}}},
		{"refused", []floor.Event{under(event("a", from("o1"), half), harsh)},
			told{1, true, floor.Refuse, []floor.Fidelity{half}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fates, wrong := chain(history(tt.events...).Steps[0].Derive, floor.Guard)
			require.Empty(t, wrong)
			f := fates[len(fates)-1]
			require.Equal(t, tt.want, told{f.generation, f.ancestryCertified, f.decision, f.effective})
		})
	}
}

func TestDecisionUnderBothPolicies(t *testing.T) {
	strict := floor.Conditions{ConsumerStrict: true}
	tests := []struct {
		name         string
		certified    bool
		on           floor.Conditions
		guard, joint floor.Decision
	}{
		{"certified", true, harsh, floor.Certified, floor.Certified},
		{"recoverable", false, recoverable, floor.Provisional, floor.Provisional},
		{"one danger", false, strict, floor.Refuse, floor.Provisional},
		{"all dangers", false, harsh, floor.Refuse, floor.Refuse},
		{"harmless", false, harmless, floor.Provisional, floor.Provisional},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.guard, decision(tt.certified, tt.on, floor.Guard))
			require.Equal(t, tt.joint, decision(tt.certified, tt.on, floor.Joint))
		})
	}
}

// Seed A's own example: a second-generation summary with an uncertified
// ancestry must not be trusted.
func TestExpectOnSeedA(t *testing.T) {
	c := decideCase(classes{"identifier", "negation"}, classes{"identifier"}, false, harsh)
	for _, policy := range []floor.Policy{floor.Guard, floor.Joint} {
		c.Policy = policy
		require.Equal(t, []floor.Answer{{Decide: &floor.DecideOut{
			Decision: floor.Refuse, MissingClasses: classes{"negation"},
			Generation: new(int64(2)), AncestryCertified: new(false),
		}}}, Expect(c))
	}
}

func TestExpectFollowsThePolicy(t *testing.T) {
	c := decideCase(classes{"identifier"}, nil, true, floor.Conditions{ChainingRisk: true})
	require.Equal(t, floor.Refuse, Expect(c)[0].Decide.Decision)
	c.Policy = floor.Joint
	require.Equal(t, floor.Provisional, Expect(c)[0].Decide.Decision)
}

func TestExpectAnswersEachStep(t *testing.T) {
	c := decideCase(nil, nil, true, harsh)
	c.Steps = append(c.Steps, rawCase(floor.OpDecide, `{"contract":null}`).Steps[0], history().Steps[0])
	answers := Expect(c)
	require.Len(t, answers, 3)
	require.Equal(t, floor.Certified, answers[0].Decide.Decision)
	require.Equal(t, floor.BadRequestCode, answers[1].Err.Code)
	require.Equal(t, &floor.DeriveOut{Events: []floor.Outcome{}}, answers[2].Derive)
}
