package mutant

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/blackbox"
	"github.com/floorcheck/floorcheck/floor"
)

func shorteners() []Mutant {
	return slices.DeleteFunc(All(), func(m Mutant) bool { return !m.Reduces() })
}

// soundOne is the correct black box that a mutant is made of.
func soundOne(t *testing.T, m Mutant) conform.Subject {
	t.Helper()
	hello := m.New(floor.Guard).Hello()
	id := "pinning"
	switch {
	case hello.HasModel():
		id = "guarded"
	case slices.Contains(hello.Ops, floor.OpRecall):
		id = "marking"
	}
	box, ok := blackbox.Lookup(id)
	require.True(t, ok)
	return box.New()
}

// converse asks a conversation generation by generation, and after an output
// with a mark for every plant. It writes down what came, and of what was
// recalled whether it says what was asked for.
func converse(t *testing.T, s conform.Subject, c floor.Case) (texts []string) {
	t.Helper()
	if p, ok := s.(interface{ Play(string) }); ok {
		p.Play(c.Planted.Summarizer)
	}
	ask := func(r floor.Request) floor.Answer {
		answers, err := s.Ask(context.Background(), []floor.Request{r})
		require.NoError(t, err)
		return answers[0]
	}
	var stands []floor.Message
	for _, step := range c.Steps {
		asked := slices.Concat(stands, step.Reduce.Messages)
		answer := ask(floor.Request{Op: floor.OpReduce, Reduce: &floor.ReduceIn{Messages: asked, TargetTokens: step.Reduce.TargetTokens}})
		require.NotNil(t, answer.Reduce, "%+v", answer)
		text, err := json.Marshal(answer)
		require.NoError(t, err)
		stands = answer.Reduce.Messages
		if answer.Reduce.Refused {
			stands = asked
		}
		if answer.Reduce.Mark == floor.MarkProvisional {
			for _, p := range c.Planted.Plants {
				back := ask(floor.Request{Op: floor.OpRecall, Recall: &floor.RecallIn{Query: p.Forms[0]}})
				text = fmt.Appendf(text, " %s: %t", p.ID, back.Recall != nil && says(back.Recall.Text, p.Element))
			}
		}
		texts = append(texts, string(text))
	}
	return texts
}

// says looks for a form as it is, in small letters.
func says(text string, e floor.Element) bool {
	return slices.ContainsFunc(e.Forms, func(form string) bool {
		return strings.Contains(strings.ToLower(oneLine(text)), strings.ToLower(form))
	})
}

// A witness shows its fault in its last generation, and is a case that can be
// written to a file and read again.
func TestEveryShortcutIsWrongOnItsWitness(t *testing.T) {
	for _, m := range shorteners() {
		t.Run(m.ID, func(t *testing.T) {
			for _, policy := range policies {
				witness := m.WitnessUnder(policy)
				before, err := json.Marshal(witness)
				require.NoError(t, err)
				right, wrong := converse(t, soundOne(t, m), witness), converse(t, m.New(policy), witness)
				last := len(right) - 1
				assert.NotEqual(t, right[last], wrong[last])
				assert.Equal(t, right[:last], wrong[:last], "the fault shows before the last generation")
				var again floor.Case
				require.NoError(t, json.Unmarshal(before, &again))
				after, err := json.Marshal(again)
				require.NoError(t, err)
				assert.Equal(t, string(before), string(after))
			}
		})
	}
}

// The witnesses of all of them, asked of one subject after the other, tell every
// two apart, and the same subject answers the same from the start.
func TestNoTwoShortcutsAreTheSame(t *testing.T) {
	same := map[string]string{}
	for _, m := range shorteners() {
		everything := func(s conform.Subject) string {
			var text strings.Builder
			for _, other := range shorteners() {
				fmt.Fprintln(&text, converse(t, s, other.Witness))
			}
			return text.String()
		}
		text := everything(m.New(floor.Guard))
		assert.Empty(t, same[text], "%s answers everything as another does", m.ID)
		assert.True(t, text == everything(m.New(floor.Guard)), "%s is not deterministic", m.ID)
		assert.False(t, text == everything(soundOne(t, m)), "%s is no mutant", m.ID)
		same[text] = m.ID
	}
}

func TestManyShortcuts(t *testing.T) {
	two, long := 0, 0
	for _, m := range shorteners() {
		assert.Equal(t, conversation, m.Hidden, m.ID)
		if strings.HasPrefix(m.About, "Two faults: ") {
			two++
		}
		if len(m.Witness.Steps) > 2 {
			long++
		}
		later := len(m.Witness.Steps) > 1
		assert.Equal(t, later, strings.HasSuffix(m.Hardness, "T"), "%s: T says that one generation does not show it", m.ID)
	}
	assert.GreaterOrEqual(t, len(shorteners()), 25)
	assert.GreaterOrEqual(t, two, 3, "with two faults")
	assert.GreaterOrEqual(t, long, 3, "that show in the third generation and not before")
}
