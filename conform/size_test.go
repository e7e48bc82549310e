package conform

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

// The size of a conversation counts what somebody who reads it has to read.
func TestSizeOfConversations(t *testing.T) {
	call := func(args string) floor.Case {
		c := talk("a")
		c.Steps[0].Reduce.Messages[0].Calls = []floor.Call{{ID: "c1", Name: "read the file", Args: []byte(args)}}
		return c
	}
	decoyed := planted(talk("one two"), "one")
	decoyed.Planted.Decoys = []floor.Element{{ID: "d1", Forms: []string{"three"}}}
	bare := talk("one two")
	bare.Planted = nil
	raw := floor.Case{Policy: floor.Guard, Steps: []floor.Request{{Op: floor.OpReduce, Raw: []byte(`{"messages":[1,2],"target_tokens":0}`)}}}
	empty := floor.Case{Policy: floor.Guard, Steps: []floor.Request{{Op: floor.OpReduce, Reduce: &floor.ReduceIn{TargetTokens: 1 << 40}}}}
	tests := []struct {
		name string
		c    floor.Case
		want int
	}{
		{"no message at all, whatever the target", empty, 0},
		{"one for a message, one for each word", talk("one two three"), 4},
		{"a message without a word", talk(""), 1},
		{"white space is no word", talk(" one  \n\t two "), 3},
		{"each message", talk("one|two|three four"), 7},
		{"one for each generation after the first", talk("one", "two", "three"), 2 + 3 + 3},
		{"nothing planted is nothing", bare, 3},
		{"a plant", planted(talk("one two"), "one"), 4},
		{"two plants", planted(talk("one two"), "one", "two"), 5},
		{"a decoy", decoyed, 5},
		{"the perfect summarizer", played(talk("one two"), ""), 3},
		{"another one", played(talk("one two"), "drop-one"), 4},
		{"a call, and the words of its arguments", call(`{}`), 2 + 1 + 1},
		{"longer arguments", call(`{"path":"docs/a.txt","note":"read all of it"}`), 2 + 1 + 4},
		{"a bad request by its items", raw, 2 + 1 + 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, Size(tt.c))
		})
	}
}
