package hostile

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

// of gives the summary that a summarizer makes of one message.
func of(t *testing.T, id, text string) string {
	t.Helper()
	s, ok := Lookup(id)
	require.True(t, ok, "no summarizer %q", id)
	summary, err := s.Summarize([]Line{{floor.User, text}})
	require.NoError(t, err)
	return summary
}

func TestWhatEachSpoils(t *testing.T) {
	tests := []struct {
		name   string
		id     string
		before string
		after  string
	}{
		{"do not", "collapse-negation", "Do not delete the staging bucket.", "Delete the staging bucket."},
		{"never", "collapse-negation", "Never push to main.", "Push to main."},
		{"must not", "collapse-negation", "You must not email the client.", "You must email the client."},
		{"in capitals", "collapse-negation", "DO NOT DELETE THE STAGING BUCKET.", "DELETE THE STAGING BUCKET."},
		{"wrapped", "collapse-negation", "Do not delete\n  the staging bucket.", "Delete the staging bucket."},
		{"don't in the middle", "collapse-negation", "For now don't touch the cache.", "For now touch the cache."},
		{"can't", "collapse-negation", "You can't merge on Friday.", "You can merge on Friday."},

		{"do not becomes need not", "slide-scope", "Do not delete the staging bucket.", "You do not have to delete the staging bucket."},
		{"so does never", "slide-scope", "Never push to main.", "You do not have to push to main."},
		{"and must not", "slide-scope", "You must not email the client.", "You do not have to email the client."},
		{"somebody else", "slide-scope", "The worker must not email the client.", "The worker does not have to email the client."},

		{"a name", "swap-identifier", "The host is db-eu-7.", "The host is db-eu-8."},
		{"a path, wherever it stands", "swap-identifier", "Do not read /etc/app.conf before noon.", "Do not read /etc/app.cong before noon."},
		{"the same name in the same way", "swap-identifier", "Use acct_9 for billing, not acct_9b.", "Use acct_8 for billing, not acct_9c."},
		{"letters and digits", "swap-identifier", "The commit is 7f3ab21.", "The commit is 7f3ab22."},
		{"a bare number that is a value", "swap-identifier", "The port is 8080.", "The port is 8081."},
		{"a hyphened word that is a value", "swap-identifier", "The bucket is staging-logs.", "The bucket is staging-logt."},
		{"a plain word that is to be used", "swap-identifier", "Use prod for the failover site.", "Use proe for the failover site."},
		{"old and new", "swap-identifier", "10.20.0.4 no longer holds, it is now 10.20.0.40.", "10.20.0.5 no longer holds, it is now 10.20.0.41."},
		{"not a word in capitals", "swap-identifier", "DO NOT PAGE THE ON-CALL LEAD.", "DO NOT PAGE THE ON-CALL LEAD."},
		{"in backticks", "swap-identifier", "Call `runJob`.", "Call `runJoc`."},

		{"the last digit", "drift-number", "The timeout is limited to 250 ms.", "The timeout is limited to 251 ms."},
		{"a nine goes down", "drift-number", "The quota is 19 requests per second.", "The quota is 18 requests per second."},
		{"a fraction", "drift-number", "The error budget is 12.5 %.", "The error budget is 12.6 %."},
		{"a glued unit", "drift-number", "Wait for 40ms.", "Wait for 41ms."},
		{"an amount", "drift-number", "The limit is $1,200.", "The limit is $1,201."},
		{"two of them", "drift-number", "Retry 3 times in 5 minutes.", "Retry 4 times in 6 minutes."},

		{"a word", "lose-unit", "The timeout is limited to 250 ms.", "The timeout is limited to 250."},
		{"a sign", "lose-unit", "The error budget is 12.5 %.", "The error budget is 12.5."},
		{"a glued one", "lose-unit", "Wait for 40ms.", "Wait for 40."},
		{"two words", "lose-unit", "The quota is 20 requests per second.", "The quota is 20."},
		{"a currency", "lose-unit", "The limit is $1,200.", "The limit is 1,200."},

		{"of an identifier", "label-for-value", "The deploy host is db-eu-7.", "The deploy host was settled."},
		{"of one that is to be used", "label-for-value", "Use db-eu-7 for the deploy host.", "What to use for the deploy host was settled."},
		{"of a limit", "label-for-value", "The timeout is limited to 250 ms.", "The timeout is limited."},
		{"of a quantity", "label-for-value", "Patience is 3 retries.", "Patience was settled."},
		{"of another one", "label-for-value", "Use db-2 instead of db-1.", "Use something else instead of db-1."},
		{"of a new one", "label-for-value", "250 ms no longer holds, it is now 25 ms.", "250 ms no longer holds, it is something else now."},
		{"of one that stands alone", "label-for-value", "db-eu-7", "A value was settled"},
		{"of a title", "label-for-value", `The agreed title is "Goals. In practice".`, "The agreed title was settled."},

		{"first, then", "reverse-order", "First drain the queue, then stop the worker.", "First stop the worker, then drain the queue."},
		{"before you", "reverse-order", "Run the migration before you restart the api.", "Restart the api before you run the migration."},
		{"a plain before", "reverse-order", "Backup before upgrade.", "Upgrade before backup."},
		{"a leading before", "reverse-order", "Before you deploy, run the tests.", "Before you run the tests, deploy."},
		{"after you", "reverse-order", "Tag it after you run the tests.", "Run the tests after you tag it."},
		{"in capitals", "reverse-order", "FIRST DRAIN THE QUEUE, THEN STOP THE WORKER.", "FIRST STOP THE WORKER, THEN DRAIN THE QUEUE."},

		{"only, if", "drop-condition", "Only restart the api if the queue is empty.", "Restart the api."},
		{"only if", "drop-condition", "Restart the api only if the queue is empty.", "Restart the api."},
		{"unless", "drop-condition", "Send the mail unless the client objects.", "Send the mail."},
		{"in capitals", "drop-condition", "RESTART THE API ONLY IF THE QUEUE IS EMPTY.", "RESTART THE API."},
		{"not a question", "drop-condition", "Check if the queue is empty.", "Check if the queue is empty."},
		{"a leading if", "drop-condition", "If the queue is empty, restart the api.", "Restart the api."},

		{"maybe", "promote-option", "Maybe the connection pool is the cause.", "The connection pool is the cause."},
		{"perhaps", "promote-option", "Perhaps nobody renewed the certificate.", "Nobody renewed the certificate."},
		{"might be", "promote-option", "The pool might be the cause.", "The pool is the cause."},
		{"could", "promote-option", "We could first rename the folder.", "We must first rename the folder."},

		{"must", "weaken-force", "You must rotate the keys by Friday.", "You should rotate the keys by Friday."},
		{"not what is forbidden", "weaken-force", "YOU MUST NOT ROTATE THE KEYS.", "YOU MUST NOT ROTATE THE KEYS."},
		{"loudly", "weaken-force", "You MUST rotate the keys.", "You SHOULD rotate the keys."},

		{"still open", "open-as-done", "The schema change is still open.", "The schema change is done."},
		{"open, in a list", "open-as-done", "- schema change: open", "- schema change: done"},
		{"not yet done", "open-as-done", "The schema change is not yet done.", "The schema change is done."},

		{"instead of", "old-for-new", "Use db-2 instead of db-1.", "Use db-1."},
		{"no longer holds", "old-for-new", "db-1 no longer holds, it is now db-2.", "db-1 holds."},
		{"withdrawn", "old-for-new", "You must rename the folder. Forget that: rename the folder is no longer needed.", "You must rename the folder."},

		{"the last one with a shape", "drop-one", "The host is db-1. Never push to main. Use the big one.", "The host is db-1. Use the big one."},
		{"the last one when none has", "drop-one", "Use the big one. Call me. That is all.", "Use the big one."},
		{"the only one", "drop-one", "Never push to main.", NothingSaid},
		{"prohibitions, all of them", "drop-class", "Never push to main. The host is db-1. Do not email the client.", "The host is db-1."},
		{"as many sentences, of small talk", "quota", "Good morning to all. Never push to main. The host is db-1. Thanks a lot.", "Good morning to all. The host is db-1."},
		{"half", "cut-stream", "The host is db-1.", "The host"},
		{"echoed", "echo", "Good morning.\nThe host is db-1.", "Good morning.\nThe host is db-1."},
		{"echoed and grown", "grown", "Good morning.", "Good morning.\nNoted"},
		{"invented", "invent", "The host is db-1.", "The host is db-1.\n" + Invented},
		{"an error's text", "error-text", "The host is db-1.", floor.ErrorText},
		{"a refusal", "refusal", "The host is db-1.", floor.RefusalText},
		{"a skeleton", "skeleton", "The host is db-1.", floor.SkeletonText},
		{"nothing", "empty", "The host is db-1.", ""},
		{"prose", "fluent", "The host is db-1.", smoothTalk},
	}
	for _, tt := range tests {
		t.Run(tt.id+": "+tt.name, func(t *testing.T) {
			require.Equal(t, tt.after, of(t, tt.id, tt.before))
		})
	}
}

// talk holds one sentence of each class, and small talk.
var talk = []Line{
	{floor.System, "You are a careful operator. Never force-push to main."},
	{floor.User, "Good morning, and thanks for coming. The deploy host is db-eu-7. The timeout is limited to 250 ms."},
	{floor.Assistant, "Gladly. You must rotate the signing keys by Friday. Maybe the connection pool is the cause."},
	{floor.User, "First drain the queue, then stop the worker. Only restart the api if the queue is empty."},
	{floor.Tool, "The ledger export is done.\nThe schema change is still open."},
	{floor.User, `The agreed title is "Never say 3 ms". Lovely weather.`},
	{floor.User, "Use mirror-b2 for downloads. Use mirror-c3 instead of mirror-b2."},
	{floor.User, "You must rename the folder. Forget that: rename the folder is no longer needed."},
}

var kept = []string{
	"Never force-push to main.", "The deploy host is db-eu-7.", "The timeout is limited to 250 ms.",
	"You must rotate the signing keys by Friday.", "Maybe the connection pool is the cause.",
	"First drain the queue, then stop the worker.", "Only restart the api if the queue is empty.",
	"The ledger export is done.", "The schema change is still open.", `The agreed title is "Never say 3 ms".`,
	"Use mirror-b2 for downloads.", "Use mirror-c3 instead of mirror-b2.",
	"You must rename the folder.", "Forget that: rename the folder is no longer needed.",
}

func sentences(text string) []string { return split(text) }

func TestPerfectKeepsWhatMayHoldAnElement(t *testing.T) {
	s, _ := Lookup("perfect")
	summary, err := s.Summarize(talk)
	require.NoError(t, err)
	require.Equal(t, kept, sentences(summary))
}

// Each fault changes the sentences that it is about, and leaves the others as
// perfect tells them.
func TestNothingElseIsSpoiled(t *testing.T) {
	tests := []struct {
		id      string
		changed []string // of kept
		added   []string
	}{
		{"drop-one", []string{kept[13]}, nil},
		{"drop-class", []string{kept[0]}, nil},
		{"quota", []string{kept[0]}, []string{"You are a careful operator."}},
		{"collapse-negation", []string{kept[0]}, []string{"Force-push to main."}},
		{"slide-scope", []string{kept[0]}, []string{"You do not have to force-push to main."}},
		{"swap-identifier", []string{kept[1], kept[10], kept[11]}, []string{"The deploy host is db-eu-8.", "Use mirror-b3 for downloads.", "Use mirror-c4 instead of mirror-b3."}},
		{"drift-number", []string{kept[2]}, []string{"The timeout is limited to 251 ms."}},
		{"lose-unit", []string{kept[2]}, []string{"The timeout is limited to 250."}},
		{"label-for-value", []string{kept[1], kept[2], kept[9], kept[10], kept[11]}, []string{
			"The deploy host was settled.", "The timeout is limited.", "The agreed title was settled.", "What to use for downloads was settled.",
			"Use something else instead of mirror-b2.",
		}},
		{"reverse-order", []string{kept[5]}, []string{"First stop the worker, then drain the queue."}},
		{"drop-condition", []string{kept[6]}, []string{"Restart the api."}},
		{"promote-option", []string{kept[4]}, []string{"The connection pool is the cause."}},
		{"weaken-force", []string{kept[3], kept[12]}, []string{"You should rotate the signing keys by Friday.", "You should rename the folder."}},
		{"open-as-done", []string{kept[8]}, []string{"The schema change is done."}},
		{"old-for-new", []string{kept[11], kept[13]}, []string{"Use mirror-b2."}},
		{"role-raised", []string{kept[3], kept[4], kept[7], kept[8]}, []string{
			"The user asked: You must rotate the signing keys by Friday.", "The user asked: Maybe the connection pool is the cause.",
			"The user asked: The ledger export is done.", "The user asked: The schema change is still open.",
		}},
		{"invent", nil, []string{Invented}},
	}
	for _, tt := range tests {
		t.Run(tt.id, func(t *testing.T) {
			s, ok := Lookup(tt.id)
			require.True(t, ok)
			summary, err := s.Summarize(talk)
			require.NoError(t, err)
			told := sentences(summary)
			var changed, added []string
			for _, sentence := range kept {
				if !slices.Contains(told, sentence) {
					changed = append(changed, sentence)
				}
			}
			for _, sentence := range told {
				if !slices.Contains(kept, sentence) {
					added = append(added, sentence)
				}
			}
			require.Equal(t, tt.changed, changed)
			require.Equal(t, tt.added, added)
			require.Len(t, told, len(kept)-len(tt.changed)+len(tt.added))
		})
	}
}

// Where there is nothing to spoil a fault tells the same as perfect, and every
// summarizer gives the same again.
func TestNothingToSpoil(t *testing.T) {
	harmless := []Line{{floor.User, "Good morning. Use the big one, please. Thanks a lot."}}
	for _, s := range All() {
		t.Run(s.ID, func(t *testing.T) {
			first, err := s.Summarize(talk)
			again, errAgain := s.Summarize(talk)
			require.Equal(t, first, again)
			require.Equal(t, err, errAgain)

			nothing, errNothing := s.Summarize(nil)
			require.Equal(t, err, errNothing, "it fails always or never")
			require.True(t, s.Failing || nothing != "", "an empty summary is a failure of its own")

			switch s.ID {
			case "drop-one", "echo", "grown", "fluent", "invent": // these always have something to do
				return
			}
			if got, err := s.Summarize(harmless); err == nil && !s.Failing {
				require.Equal(t, "Use the big one, please.", got)
			}
		})
	}
}

func TestCatalogue(t *testing.T) {
	require.Equal(t, "perfect", All()[0].ID)
	transport := []string{}
	for i, s := range All() {
		require.Equal(t, s.ID, Names()[i])
		found, ok := Lookup(s.ID)
		require.True(t, ok)
		require.Equal(t, s.Title, found.Title)
		require.Equal(t, i, slices.Index(Names(), s.ID), "%s stands there twice", s.ID)
		require.NotContains(t, s.Title, ".", "%s: one sentence, without its period", s.ID)
		require.Equal(t, s.ID == "perfect", len(s.Trips) == 0, s.ID)
		for _, rule := range s.Trips {
			require.True(t, strings.HasPrefix(rule, "reduce/"), "%s trips %s", s.ID, rule)
		}
		if _, err := s.Summarize(talk); err != nil {
			transport = append(transport, s.ID)
			require.True(t, s.Failing, s.ID)
		}
	}
	require.Equal(t, []string{"error-status", "rate-limit", "timeout"}, transport)
	_, ok := Lookup("perfekt")
	require.False(t, ok)
	all := All()
	all[0].ID = "changed"
	require.Equal(t, "perfect", Names()[0], "the list is the caller's own")
}

func TestSplit(t *testing.T) {
	tests := []struct {
		name string
		text string
		want []string
	}{
		{"periods", "One. Two! Three?", []string{"One.", "Two!", "Three?"}},
		{"names keep theirs", "Read v1.2.3 of app.conf. Stop.", []string{"Read v1.2.3 of app.conf.", "Stop."}},
		{"numbers too", "It is 12.5 %. Stop.", []string{"It is 12.5 %.", "Stop."}},
		{"lines end sentences", "One\nTwo\n\nthree.", []string{"One", "Two", "three."}},
		{"wrapped lines do not", "Do not delete\nthe bucket of the\n  Zoo. Stop.", []string{"Do not delete the bucket of the Zoo.", "Stop."}},
		{"wrapped quotations", "It is \"Go\n  Now\". Stop.", []string{`It is "Go Now".`, "Stop."}},
		{"items are not wrapped", "One\n  - two\n  2. three", []string{"One", "- two", "2. three"}},
		{"nor is what stands under a colon", "One:\n  two", []string{"One:", "two"}},
		{"not inside quotation marks", `The title is "Go. Now". Stop.`, []string{`The title is "Go. Now".`, "Stop."}},
		{"a quotation may end one", `He said "Go now." Then he left.`, []string{`He said "Go now."`, "Then he left."}},
		{"or not", `He said "Go now." and left.`, []string{`He said "Go now." and left.`}},
		{"a mark that is never closed", `A 5" disk. Stop.`, []string{`A 5" disk.`, "Stop."}},
		{"an abbreviation", "Take one, e.g. this. Stop.", []string{"Take one, e.g. this.", "Stop."}},
		{"a numbered item", "1. Do not delete it. 2. Stop.", []string{"1. Do not delete it.", "2. Stop."}},
		{"closing marks", "(Stop it.) Now.", []string{"(Stop it.)", "Now."}},
		{"a name in small letters may begin one", "It is done. db-1 no longer holds.", []string{"It is done.", "db-1 no longer holds."}},
		{"nothing", " \n ", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, split(tt.text)) })
	}
}

func TestPlainRule(t *testing.T) {
	for _, text := range []string{
		"It took 3 days.", `He said "yes".`, "Read /srv/app first thing.", "Look at user_id.", "Ask ops@example.test.", "Open the runJob page.",
		"Do not go.", "Don’t go.", "Nothing was done.", "That is forbidden unless asked.", "WHEN it rains.", "He couldn't.", "Ask 'him'.", "Use it.", "See `x`.", "Go on --force.",
	} {
		require.True(t, mayHold(text), text)
	}
	for _, text := range append(split(smoothTalk), NothingSaid, "Good morning.", "Thanks a lot, that was quick!", "Lovely weather today — is it?", "", "...", "-- --", "It's fine.") {
		require.False(t, mayHold(text), text)
	}
}

// A sentence as long as a file is no sentence, and costs no time.
func TestLongSentences(t *testing.T) {
	long := "Never push to main " + strings.Repeat("“ and ", 1<<20/8)
	for _, s := range All() {
		began := time.Now()
		_, err := s.Summarize([]Line{{floor.User, long}})
		require.Less(t, time.Since(began), 20*time.Second, s.ID) // a tenth of one on an idle machine
		require.Equal(t, err != nil, s.delivery != whole && s.delivery != brokenOff, s.ID)
	}
	require.Equal(t, strings.TrimSpace(long), of(t, "collapse-negation", long))
}

func TestLines(t *testing.T) {
	got := Lines([]floor.Message{
		{Role: floor.User, Text: "Look."},
		{Role: floor.Assistant, Calls: []floor.Call{{ID: "c1", Name: "read", Args: []byte(`{"path":"/srv/x","n":1,"a":{"z":[" ","The title is \"X\"."]}}`)}}},
		{Role: floor.Tool, Text: "Empty.", CallID: "c1"},
	})
	require.Equal(t, []Line{{floor.User, "Look."}, {floor.Assistant, `The title is "X".`}, {floor.Assistant, "/srv/x"}, {floor.Tool, "Empty."}}, got)
}
