package suite_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/reference"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
	"github.com/floorcheck/floorcheck/props/suite"
)

// The reference holds under both policies, and every rule had its cases.
func TestReferenceHolds(t *testing.T) {
	for _, p := range []floor.Policy{floor.Guard, floor.Joint} {
		t.Run(string(p), func(t *testing.T) {
			start := time.Now()
			s := reference.New(p)
			claimed := slices.DeleteFunc(model.Rules(), func(r model.Rule) bool { return r.Op != "" && !slices.Contains(s.Hello().Ops, r.Op) })
			result, err := conform.Check(context.Background(), s, conform.Options{
				Rules: claimed,
				Stages: suite.Stages(suite.Plan{Policy: p, Ops: s.Hello().Ops,
					Seed: suite.DefaultSeed, Cases: 5000, Exhaustive: true}),
				ShrinkCalls: 5000, ShrinkTime: 5 * time.Second,
			})
			require.NoError(t, err)
			for _, r := range result.Rules {
				t.Logf("%-28s %s cases %d applied %d", r.Rule.ID, r.Verdict, r.Cases, r.Applied)
				if r.Counterexample != nil {
					t.Logf("want %s got %s at %s", r.Counterexample.Want, r.Counterexample.Got, r.Counterexample.At)
				}
			}
			t.Log(result.Cases, time.Since(start))
			for _, r := range result.Rules {
				require.Equal(t, conform.Pass, r.Verdict, r.Rule.ID)
			}
		})
	}
}
