package suite_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/blackbox"
	"github.com/floorcheck/floorcheck/conform/hostile"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
	"github.com/floorcheck/floorcheck/props/gen"
	"github.com/floorcheck/floorcheck/props/suite"
)

// conversations has every rule judge a black box on n conversations of a seed.
func conversations(t *testing.T, box blackbox.Box, seed uint64, n int) *conform.Result {
	t.Helper()
	s := box.New()
	h := s.Hello()
	stages := suite.Stages(suite.Plan{Policy: h.Policy, Ops: h.Ops, Seed: seed, Cases: suite.PerConversation * n, Reduce: h.Reduce})
	result, err := conform.Check(t.Context(), s, conform.Options{Rules: reduceRules(), Seed: seed, Stages: stages})
	require.NoError(t, err)
	require.GreaterOrEqual(t, result.Cases, n)
	return result
}

func reduceRules() (out []model.Rule) {
	for _, r := range model.Rules() {
		if r.Op == "" || r.Op == floor.OpReduce {
			out = append(out, r)
		}
	}
	return out
}

// Black boxes that do it right, each in its own way, hold every rule on every
// seed; only what is about a model is not claimed by those that have none.
func TestCorrectBlackBoxesHold(t *testing.T) {
	seeds := uint64(10)
	if testing.Short() {
		seeds = 2
	}
	for _, box := range blackbox.All() {
		if !box.Correct {
			continue
		}
		t.Run(box.ID, func(t *testing.T) {
			t.Parallel()
			reductions, refused, marked := 0, 0, 0
			for seed := uint64(1); seed <= seeds; seed++ {
				result := conversations(t, box, seed, 200)
				require.Empty(t, result.Broken)
				for _, r := range result.Rules {
					if c := r.Counterexample; c != nil {
						t.Errorf("seed %d: %s: %s at %s: want %s, got %s", seed, r.Rule.ID, r.Verdict, c.At, c.Want, c.Got)
					}
					if want := conform.Pass; r.Verdict != want && (!r.Rule.Model || box.Asking != nil) {
						t.Errorf("seed %d: %s: %s after %d cases", seed, r.Rule.ID, r.Verdict, r.Applied)
					}
				}
				reductions += result.Retention.Reductions
				refused += result.Retention.Refused
				marked += result.Retention.Marked
			}
			t.Logf("%d reductions, %d refused, %d marked", reductions, refused, marked)
			if box.ID != "refusing" {
				require.Less(t, 2*refused, reductions, "who mostly refuses shows nothing")
			}
		})
	}
}

// What is done in the wild is found, each by at least one rule that gates.
func TestNaiveBlackBoxesFail(t *testing.T) {
	for _, box := range blackbox.All() {
		if box.Correct {
			continue
		}
		t.Run(box.ID, func(t *testing.T) {
			t.Parallel()
			var failed []string
			for _, r := range conversations(t, box, 1, 200).Rules {
				if r.Verdict == conform.Fail && r.Rule.Keyword == model.Must {
					failed = append(failed, r.Rule.ID)
				}
			}
			t.Log(failed)
			require.Contains(t, failed, "reduce/no-silent-loss")
		})
	}
}

// Every hostile summarizer makes the runtime that takes a summary for the
// history break the rules that it is said to trip, where under the right
// summarizer the same conversation breaks none of them; and what it comes down
// to is a conversation that can be read at a glance.
func TestEverySummarizerTripsItsRules(t *testing.T) {
	box, ok := blackbox.Lookup("summarize")
	require.True(t, ok)
	// One message holds the summary, and one role: who said what is lost under
	// any summarizer.
	always := []string{"reduce/role"}
	var sizes []int
	for _, s := range hostile.All() {
		for _, rule := range s.Trips {
			smallest, found := trips(t, box, s.ID, rule, slices.Contains(always, rule))
			if !found {
				t.Errorf("%s: %s never objects", s.ID, rule)
				continue
			}
			sizes = append(sizes, smallest)
			t.Logf("%-18s %-24s %d", s.ID, rule, smallest)
		}
	}
	slices.Sort(sizes)
	require.LessOrEqual(t, sizes[len(sizes)/2], 4, "messages of the smallest conversations, in the median")
	require.LessOrEqual(t, sizes[len(sizes)-1], 6, "messages of the largest of them")
}

// trips finds a conversation on which a rule objects to a box because of a
// summarizer, and gives how many messages the smallest one has that it comes
// down to. Where the rule always objects, it need not be because of it.
func trips(t *testing.T, box blackbox.Box, summarizer, ruleID string, always bool) (messages int, found bool) {
	t.Helper()
	rule, ok := model.Lookup(ruleID)
	require.True(t, ok, ruleID)
	subject := box.New()
	objects := func(c floor.Case) bool {
		ids, err := conform.Objections(t.Context(), subject, []model.Rule{rule}, c)
		require.NoError(t, err)
		return len(ids) > 0
	}
	wrong := func(c floor.Case) bool {
		if c.Planted.Summarizer != summarizer || !objects(c) {
			return false
		}
		right := *c.Planted
		right.Summarizer = ""
		c.Planted = &right
		return always || !objects(c)
	}
	limits := gen.Full(floor.Guard)
	limits.Model, limits.Summarizers = true, []string{summarizer}
	var all []conform.Drawn
	for d := range suite.Seeded(gen.KindReduce, limits, 1, 0, 1000) {
		if wrong(d.Case) {
			all = append(all, d)
		}
		if len(all) == 24 { // the smallest of two dozen is small enough to begin with
			break
		}
	}
	if len(all) == 0 {
		return 0, false
	}
	start := slices.MinFunc(all, func(a, b conform.Drawn) int { return cmp.Compare(conform.Size(a.Case), conform.Size(b.Case)) })
	decode := suite.DecoderUnder(gen.KindReduce, limits)
	s := conform.Shrinker{
		Decode: decode, Calls: 3000,
		Probe: func(cases []floor.Case) (int, error) { return slices.IndexFunc(cases, wrong), nil },
	}
	for _, step := range s.Shrink(decode(start.Tape)).Case.Steps {
		messages += len(step.Reduce.Messages)
	}
	return messages, true
}

// Who asks a model that somebody else runs is told nothing of what it plays.
func TestAskingAnotherModel(t *testing.T) {
	for _, box := range blackbox.All() {
		if box.Asking == nil {
			continue
		}
		var heard []string
		s := box.Asking(func(messages []floor.Message) (string, error) {
			for _, m := range messages {
				heard = append(heard, fmt.Sprint(m.Role, ": ", m.Text))
			}
			return "Nothing of note.", nil
		})
		answers, err := s.Ask(t.Context(), []floor.Request{{Op: floor.OpReduce, Reduce: &floor.ReduceIn{TargetTokens: 1, Messages: []floor.Message{
			{Role: floor.System, Text: "Use plain words."},
			{Role: floor.User, Text: "The base branch is release/4.2. " + strings.Repeat("What a day. ", 9)},
			{Role: floor.User, Text: "Go on."},
		}}}})
		require.NoError(t, err)
		require.Len(t, heard, 1, "%s: neither the rules nor the newest turn", box.ID)
		require.True(t, strings.HasPrefix(heard[0], "user: The base branch is release/4.2."))
		text := fmt.Sprint(answers[0].Reduce.Messages)
		require.Equal(t, box.Correct, strings.Contains(text, "release/4.2"))
		require.Equal(t, !box.Correct, strings.Contains(text, "Nothing of note."))
	}
}
