package blackbox

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/hostile"
	"github.com/floorcheck/floorcheck/floor"
)

// That the correct ones hold every rule, and the others do not, is tested where
// the rules are: in props/suite.
func TestCatalogue(t *testing.T) {
	ids := []string{}
	for _, b := range All() {
		ids = append(ids, b.ID)
		require.Regexp(t, regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`), b.ID)
		require.NotContains(t, b.Title, ".", "%s: one sentence, without its period", b.ID)
		found, ok := Lookup(b.ID)
		require.True(t, ok)
		require.Equal(t, b.Title, found.Title)
		h := b.New().Hello()
		require.Equal(t, "blackbox/"+b.ID, h.Name)
		require.Equal(t, b.Asking != nil, h.HasModel(), b.ID)
		require.Equal(t, floor.OpReduce, h.Ops[0], b.ID)
	}
	require.Equal(t, []string{"pinning", "refusing", "marking", "guarded", "keep-last", "head-tail", "summarize", "truncate"}, ids)
	_, ok := Lookup("pining")
	require.False(t, ok)
}

func TestSentences(t *testing.T) {
	tests := []struct {
		name string
		text string
		want []string
	}{
		{"each with the white space behind it", "One. Two!  Three?", []string{"One. ", "Two!  ", "Three?"}},
		{"lines end them", "One\nTwo\n\n three", []string{"One\n", "Two\n\n ", "three"}},
		{"wrapped lines do not", "Do not delete\n  the bucket. Stop", []string{"Do not delete\n  the bucket. ", "Stop"}},
		{"nor do lines that go on in small letters", "Do not\ndelete it.", []string{"Do not\ndelete it."}},
		{"stops inside a name or number", "Read v1.2.3 of app.conf. It is 12.5 %. Go.", []string{"Read v1.2.3 of app.conf. ", "It is 12.5 %. ", "Go."}},
		{"stops before small letters", "Take one, e.g. this. Stop.", []string{"Take one, e.g. this. ", "Stop."}},
		{"stops inside a quotation", `It is "Go. Now". Stop.`, []string{`It is "Go. Now". `, "Stop."}},
		{"a mark that is never closed opens nothing", `A 5" disk. Stop.`, []string{`A 5" disk. `, "Stop."}},
		{"items", "All:\n- One.\n- Two.", []string{"All:\n", "- One.\n", "- Two."}},
		{"white space alone", " \n ", []string{" \n "}},
		{"nothing", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := sentences(tt.text)
			require.Equal(t, tt.want, got)
			require.Equal(t, tt.text, strings.Join(got, ""), "nothing is lost by cutting")
		})
	}
}

func TestPlainRule(t *testing.T) {
	for _, text := range []string{
		"It took 3 days.", `He said "yes".`, "Read /srv/app.", "Look at user_id.", "Ask ops@example.test.", "The runJob page.", `In D:\drop.`,
		"Do not go.", "DON’T GO.", "Nothing was done.", "Not unless asked.", "He couldn't.", "Use it.", "See `x`.", "Ask @mira.", "Perhaps.",
	} {
		require.True(t, mayHold(text), text)
	}
	for _, text := range []string{"Good morning.", "Thanks, that was quick!", "Lovely weather today — is it?", "", "...", "It's fine."} {
		require.False(t, mayHold(text), text)
	}
}

var said = []floor.Message{
	{Role: floor.System, Text: "Use plain words. Good."},
	{Role: floor.User, Text: "Hello there. Do not email the vendor. What a day."},
	{Role: floor.Assistant, Text: "Let me look.", Calls: []floor.Call{{ID: "c1", Name: "note", Args: []byte(`{"note":"Lovely."}`)}}},
	{Role: floor.Tool, Text: "saved", CallID: "c1"},
	{Role: floor.Assistant, Text: "The lift works again. Greetings from the balcony."},
	{Role: floor.User, Text: "Sounds good to me."},
}

func reduce(t *testing.T, s conform.Subject, target int64, messages ...floor.Message) *floor.ReduceOut {
	t.Helper()
	answers, err := s.Ask(context.Background(), []floor.Request{{Op: floor.OpReduce, Reduce: &floor.ReduceIn{Messages: messages, TargetTokens: target}}})
	require.NoError(t, err)
	require.NotNil(t, answers[0].Reduce, "%+v", answers[0])
	return answers[0].Reduce
}

func written(out *floor.ReduceOut) string {
	if out.Refused {
		return "refused"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s", out.Mark)
	if out.Generation != nil {
		fmt.Fprintf(&b, " %d", *out.Generation)
	}
	for _, m := range out.Messages {
		fmt.Fprintf(&b, "\n%s: %s", m.Role, m.Text)
		for _, c := range m.Calls {
			fmt.Fprintf(&b, " [%s %s]", c.ID, c.Args)
		}
	}
	return b.String()
}

// What each of them makes of one conversation.
func TestWhatEachMakesOfIt(t *testing.T) {
	tests := []struct {
		id   string
		want string
	}{
		{"pinning", `none 1
system: Compacted, generation 1.
system: Use plain words. Good.
user: Do not email the vendor.
assistant:  [c1 {"note":"Lovely."}]
tool: 
user: Sounds good to me.`},
		{"refusing", "refused"},
		{"marking", `provisional 1
system: Earlier turns are left out, generation 1.
system: Use plain words. Good.
user: Sounds good to me.`},
		{"guarded", `none 1
system: Compacted, generation 1.
system: Use plain words. Good.
user: Do not email the vendor.
user: Sounds good to me.`},
		{"summarize", `none
system: Use plain words. Good.
assistant: Do not email the vendor.
user: Sounds good to me.`},
		{"head-tail", `none
system: Use plain words. Good.
user: Hello there. Do not email the vendor. What a day.
assistant: Let me look. [c1 {"note":"Lovely."}]
tool: saved
assistant: The lift works again. Greetings from the balcony.
user: Sounds good to me.`},
	}
	for _, tt := range tests {
		t.Run(tt.id, func(t *testing.T) {
			box, ok := Lookup(tt.id)
			require.True(t, ok)
			require.Equal(t, tt.want, written(reduce(t, box.New(), 1, said...)))
			out := reduce(t, box.New(), 1000, said...)
			require.Equal(t, said, out.Messages, "what fits comes back as it is")
			require.Equal(t, floor.NoMark, out.Mark)
		})
	}
}

// The generation is told by the conversation itself, and the mark stays with it,
// also where nothing is to do.
func TestCompactedAgain(t *testing.T) {
	for _, id := range []string{"pinning", "marking", "guarded"} {
		box, _ := Lookup(id)
		s := box.New()
		first := reduce(t, s, 1, said...)
		require.Equal(t, int64(1), *first.Generation)
		chat := []floor.Message{{Role: floor.User, Text: "What a day. Greetings from the balcony. It rains again here."}, {Role: floor.User, Text: "Go on."}}
		second := reduce(t, s, 1, append(slices.Clone(first.Messages), chat...)...)
		require.Equal(t, int64(2), *second.Generation, id)
		require.Equal(t, first.Mark, second.Mark)
		third := reduce(t, s, 1000, second.Messages...)
		require.Equal(t, int64(2), *third.Generation, "%s: it was not compacted", id)
		require.Equal(t, first.Mark, third.Mark)
	}
}

// Whatever the model says, guarded keeps what may hold something, where it was
// said, and tells nothing that was not.
func TestGuardedBelievesNothing(t *testing.T) {
	box, _ := Lookup("guarded")
	for _, summarizer := range hostile.Names() {
		s := box.New()
		s.(interface{ Play(string) }).Play(summarizer)
		out := reduce(t, s, 1, said...)
		if out.Refused {
			continue // nothing may go
		}
		require.Contains(t, written(out), "user: ", summarizer)
		require.Contains(t, written(out), "Do not email the vendor.", summarizer)
		for _, m := range out.Messages[1:] {
			require.True(t, slices.ContainsFunc(said, func(before floor.Message) bool {
				return before.Role == m.Role && strings.Contains(before.Text, m.Text)
			}), "%s: %s", summarizer, m.Text)
		}
	}
}

func TestMemory(t *testing.T) {
	box, _ := Lookup("marking")
	s := box.New()
	reduce(t, s, 1, floor.Message{Role: floor.User, Text: "NEVER EMAIL\n  THE VENDOR. The base branch is release/4.2. First merge the hotfix, then freeze the schema."},
		floor.Message{Role: floor.User, Text: "Freeze the schema before you merge the hotfix. Update the re\u0301sume\u0301 template."}, floor.Message{Role: floor.User, Text: "Go on."})
	recall := func(query string) floor.Answer {
		answers, err := s.Ask(context.Background(), []floor.Request{{Op: floor.OpRecall, Recall: &floor.RecallIn{Query: query}}})
		require.NoError(t, err)
		return answers[0]
	}
	for query, want := range map[string]string{
		"do not email the vendor": "NEVER EMAIL\n  THE VENDOR.",
		"release/4.2":             "The base branch is release/4.2.",
		"first merge the hotfix, then freeze the schema": "First merge the hotfix, then freeze the schema.",
		"update the résumé template":                     "Update the re\u0301sume\u0301 template.",
	} {
		answer := recall(query)
		require.NotNil(t, answer.Recall, query)
		first, _, _ := strings.Cut(answer.Recall.Text+"\n", want)
		require.Empty(t, first, "%s: %s", query, answer.Recall.Text)
	}
	require.Equal(t, floor.UnavailableCode, recall("release/4.20").Err.Code)
	require.NoError(t, s.Restart(context.Background()))
	require.NotNil(t, recall("release/4.2").Err, "a fresh start has seen nothing")
}

// A memory forgets what it did not hear again, and holds no more than twice its
// measure.
func TestMemoryMakesRoom(t *testing.T) {
	m := newMemory()
	for i := range 2*mostRemembered + 1 {
		m.put(fmt.Sprintf("Row %d.", i))
	}
	_, err := m.recall("row 0")
	require.Error(t, err)
	text, err := m.recall(fmt.Sprintf("row %d", mostRemembered+1))
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf("Row %d.", mostRemembered+1), text)
	require.LessOrEqual(t, len(m.now.heard)+len(m.before.heard), 2*mostRemembered)
}

// Over the wire of a model server a box hears what it hears in process.
func TestServer(t *testing.T) {
	server, err := hostile.Serve(hostile.Options{Hold: 1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	ask := Server(server.URL())
	for _, s := range hostile.All() {
		require.NoError(t, server.Play(s.ID))
		want, failed := s.Summarize(hostile.Lines(said))
		got, err := ask(said)
		if failed != nil {
			require.Error(t, err, s.ID)
			continue
		}
		require.NoError(t, err, s.ID)
		require.Equal(t, want, got, s.ID)
	}
	_, err = Server("http://127.0.0.1:1")(said)
	require.ErrorContains(t, err, "ask the model: ")
}
