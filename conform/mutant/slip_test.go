package mutant

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
)

func readers() []Mutant {
	return slices.DeleteFunc(All(), func(m Mutant) bool { return !m.ReadsTexts() })
}

// spoken asks everything and writes down what was answered; of an error only that
// it is one.
func spoken(t *testing.T, s conform.Subject, requests []floor.Request) (texts []string) {
	t.Helper()
	got, err := s.Ask(context.Background(), requests)
	require.NoError(t, err)
	for _, a := range got {
		require.Empty(t, a.Broken, a.Detail)
		if a.Err != nil {
			texts = append(texts, "error")
			continue
		}
		text, err := json.Marshal(a)
		require.NoError(t, err)
		texts = append(texts, string(text))
	}
	return texts
}

// A witness shows its fault at its last step, under both policies, and is a case
// that can be written to a file and read again. Where the right answer is an
// error the request is bad; elsewhere it is good.
func TestEverySlipIsWrongOnItsWitness(t *testing.T) {
	for _, m := range readers() {
		t.Run(m.ID, func(t *testing.T) {
			for _, policy := range policies {
				witness := m.WitnessUnder(policy)
				before, err := json.Marshal(witness)
				require.NoError(t, err)
				right, wrong := spoken(t, Sound(m.Op, policy), witness.Steps), spoken(t, m.New(policy), witness.Steps)
				last := len(right) - 1
				assert.NotEqual(t, right[last], wrong[last])
				assert.Equal(t, right[:last], wrong[:last], "the fault shows before the last step")
				for _, answer := range right {
					assert.Equal(t, m.Hidden == badRequest, answer == "error")
				}
				assert.Equal(t, len(right) > 1, strings.HasSuffix(m.Hardness, "T"), "T says that one request does not show it")
				var again floor.Case
				require.NoError(t, json.Unmarshal(before, &again))
				after, err := json.Marshal(again)
				require.NoError(t, err)
				assert.Equal(t, string(before), string(after))
			}
		})
	}
}

// The witnesses of all of them tell every two of one op apart, and the same
// subject answers the same from the start.
func TestNoTwoSlipsAreTheSame(t *testing.T) {
	for _, op := range []floor.Op{floor.OpCertify, floor.OpCompact} {
		var asked []floor.Request
		for _, m := range readers() {
			if m.Op == op {
				asked = append(asked, m.Witness.Steps...)
			}
		}
		same := map[string]string{}
		for _, m := range readers() {
			if m.Op != op {
				continue
			}
			text := strings.Join(spoken(t, m.New(floor.Guard), asked), "\n")
			assert.Empty(t, same[text], "%s answers everything as another does", m.ID)
			assert.True(t, text == strings.Join(spoken(t, m.New(floor.Guard), asked), "\n"), "%s is not deterministic", m.ID)
			same[text] = m.ID
		}
	}
}

func TestManySlips(t *testing.T) {
	two := 0
	for _, m := range readers() {
		if strings.HasPrefix(m.About, "Two faults: ") {
			two++
		}
	}
	assert.GreaterOrEqual(t, len(readers()), 70)
	assert.GreaterOrEqual(t, two, 4, "with two faults")
}
