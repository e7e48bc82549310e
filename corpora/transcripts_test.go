package corpora

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

// The bounds of a transcript.
const (
	fewestMessages, mostMessages = 6, 24
	mostBytes                    = 6 << 10
	fewestInDomain               = 8
)

// There are enough transcripts in each domain, in order of id, each named by
// its file and within its bounds.
func TestTranscriptsAreThere(t *testing.T) {
	files, err := transcripts.ReadDir("transcripts")
	require.NoError(t, err)
	all := Transcripts()
	require.Len(t, all, len(files))
	inDomain := map[string]int{}
	titles := map[string]string{}
	for i, tr := range all {
		require.Equal(t, tr.ID+".json", files[i].Name())
		require.True(t, strings.HasPrefix(tr.ID, tr.Domain+"-"), "%s is in domain %q", tr.ID, tr.Domain)
		require.Contains(t, Domains, tr.Domain, tr.ID)
		require.NotEmpty(t, tr.Title, tr.ID)
		require.Empty(t, titles[tr.Title], "%s has the title of %s", tr.ID, titles[tr.Title])
		titles[tr.Title] = tr.ID
		inDomain[tr.Domain]++
		require.GreaterOrEqual(t, len(tr.Messages), fewestMessages, tr.ID)
		require.LessOrEqual(t, len(tr.Messages), mostMessages, tr.ID)
		info, err := files[i].Info()
		require.NoError(t, err)
		require.Less(t, info.Size(), int64(mostBytes), tr.ID)
	}
	for _, domain := range Domains {
		require.GreaterOrEqual(t, inDomain[domain], fewestInDomain, domain)
	}
	require.True(t, slices.IsSorted(Domains))
	require.GreaterOrEqual(t, len(all), 40)
}

// Every transcript is a conversation that a provider would take: rules of the
// system first, then a user, every call followed by its result.
func TestTranscriptsAreLegal(t *testing.T) {
	for _, tr := range Transcripts() {
		spoke := false // somebody other than the system
		ids := map[string]bool{}
		var owed []string // results, in the order of their calls
		for i, m := range tr.Messages {
			at := func(problem string) string { return tr.ID + ": " + problem + ": " + m.Text }
			if m.Role == floor.System {
				require.False(t, spoke, at("the system speaks late"))
			} else if !spoke {
				require.Equal(t, floor.User, m.Role, at("the user does not begin"))
				spoke = true
			}
			if m.Role == floor.Tool {
				require.NotEmpty(t, owed, at("a result of nothing"))
				require.Equal(t, owed[0], m.CallID, at("a result of another call"))
				owed = owed[1:]
			} else {
				require.Empty(t, owed, at("a result is missing before"))
				require.Empty(t, m.CallID, at("a call_id on no result"))
			}
			require.True(t, m.Role == floor.Tool || m.Text == strings.TrimSpace(m.Text), at("white space around"))
			require.True(t, m.Text != "" || len(m.Calls) > 0, "%s: message %d says nothing", tr.ID, i)
			require.True(t, m.Role == floor.Assistant || len(m.Calls) == 0, at("a call by another than the assistant"))
			for _, c := range m.Calls {
				require.NotEmpty(t, c.Name, at("a call of nothing"))
				require.False(t, ids[c.ID], at("a call's id twice"))
				ids[c.ID] = true
				owed = append(owed, c.ID)
			}
		}
		require.True(t, spoke, tr.ID)
		require.Empty(t, owed, "%s ends with a call", tr.ID)
	}
}

// A transcript is spelled as the wire spells it, down to the arguments: what is
// sent is read back the same.
func TestTranscriptsGoOverTheWire(t *testing.T) {
	for _, tr := range Transcripts() {
		sent, err := floor.Request{Op: floor.OpReduce, Reduce: &floor.ReduceIn{Messages: tr.Messages}}.In()
		require.NoError(t, err, tr.ID)
		read, err := floor.DecodeReduceIn(sent)
		require.NoError(t, err, tr.ID)
		require.Equal(t, tr.Messages, read.Messages, tr.ID)
	}
}

// No two transcripts are written after one pattern: no eight words in a row
// stand in two of them.
func TestTranscriptsAreNotAlike(t *testing.T) {
	const run = 8
	where := map[string]string{}
	for _, tr := range Transcripts() {
		var texts []string
		for _, m := range tr.Messages {
			texts = append(texts, m.Text)
			for _, c := range m.Calls {
				texts = append(texts, c.Name+" "+string(c.Args))
			}
		}
		for _, text := range texts {
			words := strings.Fields(strings.ToLower(text))
			for i := 0; i+run <= len(words); i++ {
				key := strings.Join(words[i:i+run], " ")
				if other, met := where[key]; met {
					require.Equal(t, other, tr.ID, "%q", key)
				}
				where[key] = tr.ID
			}
		}
	}
	require.Greater(t, len(where), 5_000)
}

// A file that says more than it should, or more than one value, is not read.
func TestTranscriptsAreReadStrictly(t *testing.T) {
	const whole = `{"id":"a","domain":"office","title":"A","messages":[{"role":"user","text":"Hi."}]}`
	tests := []struct {
		name, data string
		ok         bool
	}{
		{"a whole one", whole, true},
		{"an unknown field", strings.Replace(whole, `"id"`, `"author":"x","id"`, 1), false},
		{"an unknown field of a message", strings.Replace(whole, `"text"`, `"name":"x","text"`, 1), false},
		{"two values", whole + whole, false},
		{"half a value", whole[:20], false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := readStrictly[Transcript]([]byte(tt.data))
			require.Equal(t, tt.ok, err == nil, "%v", err)
		})
	}
}
