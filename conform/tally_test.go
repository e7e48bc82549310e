package conform

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

func tally(step int, class floor.Class, live, kept, inverted, lost int) model.ClassTally {
	return model.ClassTally{Step: step, Class: class, Live: live, Kept: kept, Inverted: inverted, Lost: lost}
}

// What became of the plants is counted by generation and class, what was
// refused beside it.
func TestRetention(t *testing.T) {
	c := planted(talk("red-1|blue-2|The ban: do not email the vendor.", "green-3", "grey-4"), "red-1", "blue-2", "green-3")
	c.Planted.Plants = append(c.Planted.Plants, floor.Plant{
		Said: floor.Place{Message: 2},
		Element: floor.Element{
			ID: "ban", Class: floor.Negation, Forms: []string{"do not email the vendor"}, Inverted: []string{"email the vendor"},
		},
	})
	all := "red-1 blue-2 do not email the vendor"
	const identifier, negation = floor.Identifier, floor.Negation
	tests := []struct {
		name    string
		answers []floor.Answer
		want    Retention
	}{
		{"all is kept", []floor.Answer{reducedTo("", all), reducedTo("", all, "green-3"), reducedTo("", all, "green-3")}, Retention{
			Reductions: 3,
			Generations: []model.ClassTally{
				tally(0, identifier, 2, 2, 0, 0), tally(0, negation, 1, 1, 0, 0),
				tally(1, identifier, 3, 3, 0, 0), tally(1, negation, 1, 1, 0, 0),
				tally(2, identifier, 3, 3, 0, 0), tally(2, negation, 1, 1, 0, 0),
			},
		}},
		{"some is lost, and one inverted", []floor.Answer{reducedTo("", "red-1. Email the vendor."), nothing, nothing}, Retention{
			Reductions: 3,
			Generations: []model.ClassTally{
				tally(0, identifier, 2, 1, 0, 1), tally(0, negation, 1, 0, 1, 0),
				tally(1, identifier, 3, 0, 0, 3), tally(1, negation, 1, 0, 0, 1),
				tally(2, identifier, 3, 0, 0, 3), tally(2, negation, 1, 0, 0, 1),
			},
		}},
		{"a contradiction counts as inverted", []floor.Answer{reducedTo("", all, "Email the vendor.")}, Retention{
			Reductions:  1,
			Generations: []model.ClassTally{tally(0, identifier, 2, 2, 0, 0), tally(0, negation, 1, 0, 1, 0)},
		}},
		{"a mark is counted, and what it covers", []floor.Answer{reducedTo(floor.MarkProvisional, "red-1"), reducedTo(floor.MarkCertified, "red-1")}, Retention{
			Reductions: 2, Marked: 1,
			Generations: []model.ClassTally{
				tally(0, identifier, 2, 1, 0, 1), tally(0, negation, 1, 0, 0, 1),
				tally(1, identifier, 3, 1, 0, 2), tally(1, negation, 1, 0, 0, 1),
			},
		}},
		{"a refusal is counted by itself", []floor.Answer{refusal, reducedTo("", "red-1"), refusal}, Retention{
			Reductions: 3, Refused: 2,
			Generations: []model.ClassTally{tally(1, identifier, 3, 1, 0, 2), tally(1, negation, 1, 0, 0, 1)},
		}},
		{"who always refuses keeps nothing in these counts", []floor.Answer{refusal, refusal, refusal}, Retention{Reductions: 3, Refused: 3}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got Retention
			got.add(model.Observe(floor.Trace{Case: c, Answers: tt.answers}))
			require.Equal(t, tt.want, got)
		})
	}
}

// Many conversations add up, in one order whatever theirs was.
func TestRetentionAddsUp(t *testing.T) {
	short, long := planted(talk("red-1|x"), "red-1"), planted(talk("x", "blue-2|green-3", "y"), "blue-2", "green-3")
	observed := []model.Run{
		model.Observe(floor.Trace{Case: short, Answers: []floor.Answer{reducedTo("", "red-1")}}),
		model.Observe(floor.Trace{Case: long, Answers: []floor.Answer{nothing, reducedTo(floor.MarkProvisional, "green-3"), refusal}}),
		model.Observe(floor.Trace{Case: short, Answers: []floor.Answer{nothing}}),
	}
	want := Retention{
		Reductions: 5, Refused: 1, Marked: 1,
		Generations: []model.ClassTally{tally(0, floor.Identifier, 2, 1, 0, 1), tally(1, floor.Identifier, 2, 1, 0, 1)},
	}
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}} {
		var got Retention
		for _, i := range order {
			got.add(observed[i])
		}
		require.Equal(t, want, got)
	}
}

// A check counts every conversation that was answered, once; what has none of
// them tells of no retention.
func TestACheckCountsEachConversationOnce(t *testing.T) {
	cases := []floor.Case{planted(talk("red-1|x", "y"), "red-1"), planted(talk("blue-2"), "blue-2")}
	rule := judging("reduce/any", func(*floor.ReduceOut) bool { return false })
	deterministic, ok := model.Lookup("decide/deterministic") // it asks them all again, twice
	require.True(t, ok)
	result, err := Check(t.Context(), blackBox(newest("")), Options{Rules: []model.Rule{rule, deterministic}, Stages: []Stage{talks(cases...)}})
	require.NoError(t, err)
	require.Equal(t, &Retention{
		Reductions:  3,
		Generations: []model.ClassTally{tally(0, floor.Identifier, 2, 1, 0, 1), tally(1, floor.Identifier, 1, 0, 0, 1)},
	}, result.Retention)

	decide := Stage{Op: floor.OpDecide, Cases: func(yield func(Drawn) bool) {
		yield(Drawn{Case: floor.Case{Policy: floor.Guard, Steps: requestsWith(1)}})
	}}
	result, err = Check(t.Context(), blackBox(nil, floor.OpDecide), Options{Rules: []model.Rule{rule}, Stages: []Stage{decide}, Once: true})
	require.NoError(t, err)
	require.Nil(t, result.Retention)
}
