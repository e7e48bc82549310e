package suite_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
	"github.com/floorcheck/floorcheck/props/gen"
	"github.com/floorcheck/floorcheck/props/suite"
)

// An echo keeps everything as it was: no rule objects to it but the one that
// wants a conversation shorter, and that one only where it is clearly over.
func TestAnEchoLosesNothing(t *testing.T) {
	echo := conform.InProcess(conform.Hello{Name: "echo"}, conform.Funcs{
		Reduce: func(in *floor.ReduceIn) (floor.ReduceOut, error) {
			return floor.ReduceOut{Messages: in.Messages, Mark: floor.NoMark}, nil
		},
	})
	applied := map[string]int{}
	limits := suite.ForBlackBox(gen.Full(floor.Guard), &conform.ReduceHello{Model: true})
	for d := range suite.Seeded(gen.KindReduce, limits, 7, 0, 4000) {
		answers := ask(t, echo, d.Case)
		run := model.Observe(floor.Trace{Case: d.Case, Answers: answers})
		for _, r := range model.Rules() {
			if r.Op != floor.OpReduce {
				continue
			}
			ok, findings := r.Judge(model.Observation{Base: run})
			if ok {
				applied[r.ID]++
			}
			if r.ID != "reduce/progress" {
				require.Empty(t, findings, "tape %v", d.Tape)
			}
		}
	}
	for _, r := range model.Rules() {
		if r.Op == floor.OpReduce {
			require.Greater(t, applied[r.ID], 100, "%s is hardly put to the test", r.ID)
		}
	}
}

// ask asks one case whole, as the loop does.
func ask(t *testing.T, s conform.Subject, c floor.Case) (answers []floor.Answer) {
	t.Helper()
	for step := range c.Steps {
		in := &floor.ReduceIn{
			Messages:     model.Asked(floor.Trace{Case: c, Answers: answers}, step),
			TargetTokens: c.Steps[step].Reduce.TargetTokens,
		}
		got, err := s.Ask(context.Background(), []floor.Request{{Op: floor.OpReduce, Reduce: in}})
		require.NoError(t, err)
		answers = append(answers, got...)
	}
	return answers
}

// A black box with triggers is given conversations that are long enough.
func TestTriggersAreMet(t *testing.T) {
	limits := suite.ForBlackBox(gen.Full(floor.Guard), &conform.ReduceHello{TriggerMessages: 20, TriggerTokens: 300})
	long := 0
	for d := range suite.Seeded(gen.KindReduce, limits, 3, 0, 500) {
		characters := 0
		for _, m := range d.Case.Steps[0].Reduce.Messages {
			characters += len([]rune(m.Text))
		}
		if len(d.Case.Steps[0].Reduce.Messages) > 20 && characters > 8*300 {
			long++
		}
	}
	require.Greater(t, long, 300, "of 500 first generations pass both triggers")
}
