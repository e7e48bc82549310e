package model

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

// between is a target of which is not clear how the release talk stands to it.
const between = int64(100)

// Each line spoils what a subject gives back that repeats everything, step by
// step.
func TestWhatReduceRulesObjectTo(t *testing.T) {
	type spoil func(step int, a *floor.Answer)
	at := func(step int, do ...func(a *floor.Answer)) spoil {
		return func(s int, a *floor.Answer) {
			for _, d := range do {
				if s == step {
					d(a)
				}
			}
		}
	}
	both := func(do ...func(a *floor.Answer)) spoil {
		return func(_ int, a *floor.Answer) {
			for _, d := range do {
				d(a)
			}
		}
	}
	replace := func(old, new string) func(a *floor.Answer) {
		return func(a *floor.Answer) {
			for i := range a.Reduce.Messages {
				a.Reduce.Messages[i].Text = strings.ReplaceAll(a.Reduce.Messages[i].Text, old, new)
			}
		}
	}
	drop := func(sentence string) func(a *floor.Answer) { return replace(sentence, "") }
	mark := func(m floor.Mark) func(a *floor.Answer) { return func(a *floor.Answer) { a.Reduce.Mark = m } }
	marked := mark(floor.MarkProvisional)
	refused := func(a *floor.Answer) { a.Reduce = &floor.ReduceOut{Refused: true, Reason: "no"} }
	recalled := func(query, text string) func(a *floor.Answer) {
		return func(a *floor.Answer) { a.Recalled = append(a.Recalled, floor.Recalled{Query: query, Text: text}) }
	}
	unable := func(query string) func(a *floor.Answer) {
		return func(a *floor.Answer) {
			a.Recalled = append(a.Recalled, floor.Recalled{Query: query, Err: &floor.AnswerError{Code: floor.UnavailableCode, Message: "gone"}})
		}
	}
	last := func(m floor.Message) func(a *floor.Answer) {
		return func(a *floor.Answer) { a.Reduce.Messages = append(a.Reduce.Messages, m) }
	}
	first := func(m floor.Message) func(a *floor.Answer) {
		return func(a *floor.Answer) { a.Reduce.Messages = append([]floor.Message{m}, a.Reduce.Messages...) }
	}
	says := func(role floor.Role, text string) floor.Message { return floor.Message{Role: role, Text: text} }
	without := func(i int) func(a *floor.Answer) {
		return func(a *floor.Answer) { a.Reduce.Messages = slices.Delete(a.Reduce.Messages, i, i+1) }
	}
	generation := func(n *int64) func(a *floor.Answer) { return func(a *floor.Answer) { a.Reduce.Generation = n } }
	nothing := func(a *floor.Answer) { a.Reduce.Messages = nil }

	const theBan, ban = "Do not delete the staging bucket.", "do not delete the staging bucket"
	middle := release(between, between).Case
	under := release(roomy, roomy).Case
	over := release(tight, tight).Case
	failed := release(between, between).under("error-text").Case
	tests := []struct {
		name  string
		rule  string
		c     floor.Case
		spoil spoil
		want  []string // the findings
	}{
		{"everything", "reduce/no-silent-loss", middle, both(), nil},
		{"one sentence less", "reduce/no-silent-loss", middle, at(0, drop(theBan)), []string{
			`0 negation n1, said in message 2 of generation 1: "do not delete the staging bucket" literally retained in generation 1, a refusal or the mark provisional` +
				` / literally lost from 7 messages marked none`}},
		{"marked provisional", "reduce/no-silent-loss", middle, at(0, drop(theBan), marked), nil},
		{"marked certified", "reduce/no-silent-loss", middle, at(0, drop(theBan), mark(floor.MarkCertified)), []string{
			`0 negation n1, said in message 2 of generation 1: "do not delete the staging bucket" literally retained in generation 1, a refusal or the mark provisional` +
				` / literally lost from 7 messages marked certified`}},
		{"no mark that was built is none", "reduce/no-silent-loss", middle, at(0, drop("A batch is limited to 250 ms."), mark("")), []string{
			`0 quantity q1, said in message 5 of generation 1: "250 ms" literally retained in generation 1, a refusal or the mark provisional` +
				` / literally lost from 7 messages marked none`}},
		{"refused", "reduce/no-silent-loss", middle, at(0, refused), nil},
		{"told in other words of the same meaning", "reduce/no-silent-loss", middle, at(0, replace(theBan, "NEVER  delete\nthe staging bucket!")), nil},
		{"told by a call", "reduce/no-silent-loss", middle, at(0, drop(theBan), func(a *floor.Answer) {
			a.Reduce.Messages[3].Calls = []floor.Call{{ID: "c1", Name: "run", Args: []byte(`{"x":[1,{"y":"don't delete the staging bucket"}]}`)}}
		}), nil},
		{"named by a call's field", "reduce/no-silent-loss", middle, at(0, drop("A batch is limited to 250 ms."), func(a *floor.Answer) {
			a.Reduce.Messages[3].Calls = []floor.Call{{ID: "c1", Name: "run", Args: []byte(`{"250 ms":1}`)}}
		}), []string{
			`0 quantity q1, said in message 5 of generation 1: "250 ms" literally retained in generation 1, a refusal or the mark provisional` +
				` / literally lost from 7 messages marked none`}},
		{"torn over two messages", "reduce/no-silent-loss", middle, at(0, replace("250 ms", "250"), last(says(floor.Tool, "ms"))), []string{
			`0 quantity q1, said in message 5 of generation 1: "250 ms" literally retained in generation 1, a refusal or the mark provisional` +
				` / literally lost from 8 messages marked none`}},
		{"part of a longer name", "reduce/no-silent-loss", middle, at(0, replace("db-7.internal", "db-7.internal.example")), []string{
			`0 identifier i1, said in message 2 of generation 1: "db-7.internal" literally retained in generation 1, a refusal or the mark provisional` +
				` / literally lost from 7 messages marked none`}},
		{"inverted is worse than lost, and another rule's matter", "reduce/no-silent-loss", middle, at(0, replace("Do not delete", "Delete")), nil},
		{"contradictory is not lost", "reduce/no-silent-loss", middle, at(0, last(says(floor.User, "Delete the staging bucket."))), nil},
		{"later generations are another rule's matter", "reduce/no-silent-loss", middle, at(1, nothing), nil},
		{"marked, and it comes back", "reduce/no-silent-loss", middle, at(0, drop(theBan), marked, recalled(ban, "The user said: "+theBan)), nil},
		{"marked, and the opposite comes back", "reduce/no-silent-loss", middle, at(0, drop(theBan), marked, recalled(ban, "Delete the staging bucket.")), []string{
			`0 negation n1, said in message 2 of generation 1: "do not delete the staging bucket", lost under the mark, literally retained by what is recalled in generation 1` +
				` / "Delete the staging bucket."`}},
		{"marked, and an error comes back", "reduce/no-silent-loss", middle, at(0, drop(theBan), marked, unable(ban)), []string{
			`0 negation n1, said in message 2 of generation 1: "do not delete the staging bucket", lost under the mark, literally retained by what is recalled in generation 1` +
				` / the error unavailable`}},
		{"marked, and something else comes back", "reduce/no-silent-loss", middle, at(0, drop(theBan), marked, recalled("250 ms", "250 ms")), []string{
			`0 negation n1, said in message 2 of generation 1: "do not delete the staging bucket", lost under the mark, literally retained by what is recalled in generation 1` +
				` / not recalled`}},
		{"what a subject recalls is shown bounded and escaped", "reduce/no-silent-loss", middle,
			at(0, drop(theBan), marked, recalled(ban, "\x1b[2J"+strings.Repeat("é", 100))), []string{
				`0 negation n1, said in message 2 of generation 1: "do not delete the staging bucket", lost under the mark, literally retained by what is recalled in generation 1` +
					` / "\x1b[2J` + strings.Repeat(`\u00e9`, 38) + `"…`}},

		{"a loss in the second generation", "reduce/chain", middle, at(1, drop(theBan)), []string{
			`1 negation n1, said in message 2 of generation 1: "do not delete the staging bucket" literally retained in generation 2, a refusal or the mark provisional` +
				` / literally lost from 11 messages marked none`}},
		{"a loss of what is new", "reduce/chain", middle, at(1, drop("The backup is done.")), nil}, // the task stays open in the history: inverted
		{"a loss of what is new, of which nothing else is said", "reduce/chain", middle, at(1, drop("Use db-9.internal instead of db-7.internal.")), []string{
			`1 identifier i2, said in message 2 of generation 2: "db-9.internal" literally retained in generation 2, a refusal or the mark provisional` +
				` / literally lost from 11 messages marked none`}},
		{"a loss in the first generation is another rule's matter", "reduce/chain", middle, at(0, drop(theBan)), nil},
		{"what has ended may go", "reduce/chain", middle, at(1, drop("The host is db-7.internal."), drop("You must tag the build.")), nil},
		{"a loss after a refusal", "reduce/chain", middle, func(step int, a *floor.Answer) {
			at(0, refused)(step, a)
			at(1, drop(theBan))(step, a)
		}, []string{
			`1 negation n1, said in message 2 of generation 1: "do not delete the staging bucket" literally retained in generation 2, a refusal or the mark provisional` +
				` / literally lost from 11 messages marked none`}},
		{"the mark of an earlier loss survives", "reduce/chain", middle, both(drop(theBan), marked), nil},
		{"the mark of an earlier loss does not survive", "reduce/chain", middle, at(0, drop(theBan), marked), []string{
			`1 negation n1, said in message 2 of generation 1: "do not delete the staging bucket" literally retained in generation 2, a refusal or the mark provisional` +
				` / literally lost from 11 messages marked none`}},
		{"what was lost under a mark is said again", "reduce/chain", middle, func(step int, a *floor.Answer) {
			at(0, drop(theBan), marked)(step, a)
			at(1, first(says(floor.User, theBan)))(step, a)
		}, nil},
		{"refused after a loss under a mark", "reduce/chain", middle, func(step int, a *floor.Answer) {
			at(0, drop(theBan), marked)(step, a)
			at(1, refused)(step, a)
		}, nil},
		{"what was lost under a mark no longer comes back", "reduce/chain", middle, func(step int, a *floor.Answer) {
			at(0, drop(theBan), marked, recalled(ban, theBan))(step, a)
			at(1, marked, recalled(ban, ""))(step, a)
		}, []string{
			`1 negation n1, said in message 2 of generation 1: "do not delete the staging bucket", lost under the mark, literally retained by what is recalled in generation 2` +
				` / ""`}},

		{"the opposite", "reduce/no-inversion", middle, at(0, replace("Do not delete", "Delete")), []string{
			`0 negation n1, said in message 2 of generation 1: "do not delete the staging bucket" and never its opposite / inverted, as by "delete the staging bucket"`}},
		{"the opposite, marked", "reduce/no-inversion", middle, at(0, replace("Do not delete", "Delete"), marked), []string{
			`0 negation n1, said in message 2 of generation 1: "do not delete the staging bucket" and never its opposite / inverted, as by "delete the staging bucket"`}},
		{"the opposite beside it", "reduce/no-inversion", middle, at(1, last(says(floor.Assistant, "First deploy, then run the tests."))), []string{
			`1 ordering o1, said in message 3 of generation 1: "first run the tests, then deploy" and never its opposite / contradictory, as by "first deploy, then run the tests"`}},
		{"the opposite of what has ended", "reduce/no-inversion", middle, at(1, last(says(floor.Assistant, "The backup is open."))), nil},
		{"done and open side by side, as asked", "reduce/no-inversion", middle, both(), nil},
		{"open alone, where it is done", "reduce/no-inversion", middle, at(1, drop("The backup is done.")), []string{
			`1 status t2, said in message 1 of generation 2: "the backup is done" and never its opposite / inverted, as by "the backup is still open"`}},
		{"a loss", "reduce/no-inversion", middle, both(drop(theBan)), nil},
		{"an opposite is said once", "reduce/no-inversion", middle, both(replace("Do not delete", "Delete")), []string{
			`0 negation n1, said in message 2 of generation 1: "do not delete the staging bucket" and never its opposite / inverted, as by "delete the staging bucket"`}},
		{"the opposite of what was lost", "reduce/no-inversion", middle, func(step int, a *floor.Answer) {
			at(0, drop(theBan), marked)(step, a)
			at(1, first(says(floor.Assistant, "Delete the staging bucket.")))(step, a)
		}, []string{
			`1 negation n1, said in message 2 of generation 1: "do not delete the staging bucket" and never its opposite / inverted, as by "delete the staging bucket"`}},
		{"refused", "reduce/no-inversion", middle, both(refused), nil},

		{"what fits comes back", "reduce/no-op", under, both(), nil},
		{"marked all the same", "reduce/no-op", under, both(marked), nil},
		{"refused though it fits", "reduce/no-op", under, both(refused), nil},
		{"one message less", "reduce/no-op", under, at(0, without(6)), []string{"0 messages: 7 messages as asked: it fits / 6 messages"}},
		{"a word changed", "reduce/no-op", under, at(1, replace("deploy", "wait")), []string{
			`1 messages[2].text: …"rst run the tests, then deploy." as asked: it fits / …"rst run the tests, then wait."`}},
		{"a role changed", "reduce/no-op", under, at(0, func(a *floor.Answer) { a.Reduce.Messages[0].Role = floor.User }), []string{
			"0 messages[0].role: system as asked: it fits / user"}},
		{"an argument changed", "reduce/no-op", under, at(0, func(a *floor.Answer) {
			a.Reduce.Messages[3].Calls = []floor.Call{{ID: "c1", Name: "run", Args: []byte(`{"flags":["--dry-run"],"path":"/srv/app","times":3}`)}}
		}), []string{`0 messages[3].calls[0].args: …"ath\":\"/srv/app\",\"times\":2}" as asked: it fits / …"ath\":\"/srv/app\",\"times\":3}"`}},
		{"arguments in another order", "reduce/no-op", under, at(0, func(a *floor.Answer) {
			a.Reduce.Messages[3].Calls = []floor.Call{{ID: "c1", Name: "run", Args: []byte(` {"times": 2, "flags":["--dry-run"], "path":"/srv/app"}`)}}
		}), nil},
		{"a call's id changed", "reduce/no-op", under, at(0, func(a *floor.Answer) {
			a.Reduce.Messages[3].Calls = []floor.Call{{ID: "c9", Name: "run", Args: a.Reduce.Messages[3].Calls[0].Args}}
		}), []string{"0 messages[3].calls[0].id: \"c1\" as asked: it fits / \"c9\""}},
		{"a call's name changed", "reduce/no-op", under, at(0, func(a *floor.Answer) {
			a.Reduce.Messages[3].Calls = []floor.Call{{ID: "c1", Name: "ran", Args: a.Reduce.Messages[3].Calls[0].Args}}
		}), []string{"0 messages[3].calls[0].name: \"run\" as asked: it fits / \"ran\""}},
		{"calls dropped", "reduce/no-op", under, at(0, func(a *floor.Answer) { a.Reduce.Messages[3].Calls = nil }), []string{
			"0 messages[3].calls: 1 call as asked: it fits / 0 calls"}},
		{"a result's call changed", "reduce/no-op", under, at(0, func(a *floor.Answer) { a.Reduce.Messages[4].CallID = "" }), []string{
			`0 messages[4].call_id: "c1" as asked: it fits / ""`}},
		{"a generation that does not fit may change", "reduce/no-op", release(roomy, between).Case, at(1, nothing), nil},

		{"an error told as memory", "reduce/error-not-memory", failed, at(0, first(says(floor.Assistant, "Summary: "+floor.ErrorText+"."))), []string{
			`0 messages[0]: no word of a summarizer that failed / "` + floor.ErrorText + `"`}},
		{"marked all the same", "reduce/error-not-memory", failed, at(0, last(says(floor.System, strings.ToUpper(floor.RefusalText))), marked), []string{
			`0 messages[7]: no word of a summarizer that failed / "` + floor.RefusalText + `"`}},
		{"a skeleton", "reduce/error-not-memory", failed, at(1, last(says(floor.User, strings.ReplaceAll(floor.SkeletonText, " ", "\n")))), []string{
			`1 messages[11]: no word of a summarizer that failed / "` + floor.SkeletonText + `"`}},
		{"refused", "reduce/error-not-memory", failed, both(refused), nil},
		{"nothing left", "reduce/error-not-memory", failed, at(0, nothing), []string{
			"0 messages: the history, a refusal or the mark provisional after the summarizer failed / no word at all, marked none"}},
		{"nothing left, marked", "reduce/error-not-memory", failed, both(nothing, marked), nil},
		{"something left", "reduce/error-not-memory", failed, at(1, drop("A batch is limited to 250 ms.")), []string{
			`1 quantity q1, said in message 5 of generation 1: kept after the summarizer failed: "250 ms" literally retained, a refusal or the mark provisional` +
				` / literally lost from 11 messages marked none`}},

		{"a generation that does not rise", "reduce/generation", middle, at(1, without(0), generation(new(int64(1)))), []string{
			"1 generation: above generation 1 / generation 1"}},
		{"one that falls", "reduce/generation", middle, at(1, without(0), generation(new(int64(0)))), []string{
			"1 generation: above generation 1 / generation 0"}},
		{"none, where there was one", "reduce/generation", middle, at(1, without(0), generation(nil)), []string{
			"1 generation: above generation 1 / no generation"}},
		{"none ever", "reduce/generation", middle, both(without(0), generation(nil)), nil},
		{"one that jumps", "reduce/generation", middle, at(1, without(0), generation(new(int64(70)))), nil},
		{"nothing was compacted", "reduce/generation", middle, at(1, generation(new(int64(1)))), nil},
		{"the first was refused", "reduce/generation", middle, func(step int, a *floor.Answer) {
			at(0, refused)(step, a)
			at(1, without(0), generation(new(int64(1))))(step, a)
		}, nil},

		{"a name that nobody said", "reduce/no-fabrication", middle, at(0, last(says(floor.Assistant, "See db-66.internal."))), []string{
			`0 messages[7]: no identifier that nobody said / "db-66.internal"`}},
		{"marked all the same", "reduce/no-fabrication", middle, both(last(says(floor.Assistant, "See db-66.internal.")), marked), []string{
			`0 messages[7]: no identifier that nobody said / "db-66.internal"`}},
		{"a name like it", "reduce/no-fabrication", middle, both(last(says(floor.Assistant, "See db-66.internal.example."))), nil},

		{"done told as open", "reduce/status", middle, at(1, drop("The backup is done.")), []string{
			`1 status t2, said in message 1 of generation 2: "the backup is done" and never its opposite / inverted, as by "the backup is still open"`,
			`1 status t1, said in message 7 of generation 1: "the backup is still open" only with "the backup is done", by which it is completed / that alone`}},
		{"open told as done", "reduce/status", middle, at(0, replace("still open", "done")), []string{
			`0 status t1, said in message 7 of generation 1: "the backup is still open" and never its opposite / inverted, as by "the backup is done"`}},
		{"both gone", "reduce/status", middle, at(1, drop("The backup is done."), drop("The backup is still open.")), nil},
		{"open gone", "reduce/status", middle, at(1, drop("The backup is still open.")), nil},
		{"an inverted ban is another rule's matter", "reduce/status", middle, at(0, replace("Do not delete", "Delete")), nil},

		{"the old without the new", "reduce/supersession", middle, at(1, drop("Use db-9.internal instead of db-7.internal."), marked), []string{
			`1 identifier i1, said in message 2 of generation 1: "db-7.internal" only with "db-9.internal", by which it is replaced / that alone`}},
		{"the old after the new", "reduce/supersession", middle, at(1, last(says(floor.Assistant, "On db-7.internal."))), []string{
			`1 identifier i1, said in message 2 of generation 1: "db-7.internal" only with "db-9.internal", by which it is replaced / that after it`}},
		{"the new once more after that", "reduce/supersession", middle, at(1, last(says(floor.Assistant, "On db-7.internal.")), last(says(floor.Assistant, "No, on db-9.internal."))), nil},
		{"the withdrawn without its withdrawal", "reduce/supersession", middle, at(1, without(9), marked), []string{
			`1 obligation d1, said in message 6 of generation 1: "must tag the build" only with "tagging the build is no longer needed", by which it is withdrawn / that alone`}},
		{"the old gone", "reduce/supersession", middle, at(1, drop("The host is db-7.internal.")), nil},
		{"before it is replaced the old is the new", "reduce/supersession", middle, at(0, last(says(floor.Assistant, "On db-7.internal."))), nil},
		{"completed is another rule's matter", "reduce/supersession", middle, at(1, drop("The backup is done.")), nil},

		{"must told as should", "reduce/force", middle, at(0, replace("must tag", "should tag"), marked), []string{
			`0 obligation d1, said in message 6 of generation 1: "must tag the build" with its force / "should tag the build"`}},
		{"should beside must", "reduce/force", middle, at(0, last(says(floor.Assistant, "You should tag the build."))), nil},
		{"must gone", "reduce/force", middle, at(0, drop("You must tag the build."), marked), nil},
		{"what was withdrawn may weaken", "reduce/force", middle, at(1, replace("must tag", "might tag")), nil},
		{"a weak form that goes on into another word", "reduce/force", middle, at(0, replace("must tag the build", "should tag the builder"), marked), nil},

		{"a guess told as fact", "reduce/hypothesis", middle, at(0, replace("Maybe the", "The"), marked), []string{
			`0 hypothesis h1, said in message 6 of generation 1: "maybe the cache is cold" as a guess / "the cache is cold"`}},
		{"a fact beside the guess", "reduce/hypothesis", middle, at(1, last(says(floor.Assistant, "We saw that the cache is cold."))), []string{
			`1 hypothesis h1, said in message 6 of generation 1: "maybe the cache is cold" as a guess / "the cache is cold"`}},
		{"another word for maybe", "reduce/hypothesis", middle, at(0, replace("Maybe", "Perhaps")), nil},

		{"the user's told by the system", "reduce/role", middle, at(0, first(says(floor.System, theBan))), []string{
			"0 negation n1, said in message 2 of generation 1: said by the user / said by the system and the user"}},
		{"the user's told by the assistant alone", "reduce/role", middle, at(0, drop(theBan), last(says(floor.Assistant, theBan))), []string{
			"0 negation n1, said in message 2 of generation 1: said by the user / said by the assistant"}},
		{"the user's repeated by the assistant", "reduce/role", middle, at(0, last(says(floor.Assistant, theBan))), nil},
		{"a tool's told by the user", "reduce/role", middle, at(0, last(says(floor.User, "250 ms"))), []string{
			"0 quantity q1, said in message 5 of generation 1: said by the tool / said by the tool and the user"}},
		{"an assistant's told by a tool too", "reduce/role", middle, at(0, last(says(floor.Tool, "First run the tests, then deploy."))), nil},
		{"the system's told by the user too", "reduce/role", middle, at(0, last(says(floor.User, "You must page the owner."))), nil},
		{"in the next generation that is who said it", "reduce/role", middle, both(first(says(floor.System, theBan))), []string{
			"0 negation n1, said in message 2 of generation 1: said by the user / said by the system and the user"}},

		{"a result without its call", "reduce/pairing", middle, at(0, without(3)), []string{
			"0 messages[3]: a result after its call / no call c1 before it"}},
		{"a call without its result", "reduce/pairing", middle, at(0, without(4)), []string{
			"0 call c1: its result after it / the call alone"}},
		{"both gone", "reduce/pairing", middle, at(0, without(3), without(3)), nil},
		{"a result before its call", "reduce/pairing", middle, at(0, without(4), first(floor.Message{Role: floor.Tool, CallID: "c1"})), []string{
			"0 messages[0]: a result after its call / no call c1 before it",
			"0 call c1: its result after it / the call alone"}},
		{"something between", "reduce/pairing", middle, at(0, func(a *floor.Answer) {
			a.Reduce.Messages = slices.Insert(a.Reduce.Messages, 4, says(floor.Assistant, "One moment."))
		}), []string{"0 messages[5]: a result directly after its call / other messages between call c1 and it"}},
		{"someone else between", "reduce/pairing", middle, at(0, func(a *floor.Answer) {
			a.Reduce.Messages = slices.Insert(a.Reduce.Messages, 4, says(floor.System, "One moment."))
		}), []string{"0 messages[5]: a result directly after its call / other messages between call c1 and it"}},
		{"another result between", "reduce/pairing", newTalk(between).call("z", `{}`).Case, at(0, func(a *floor.Answer) {
			a.Reduce.Messages = append(a.Reduce.Messages,
				floor.Message{Role: floor.Assistant, Calls: []floor.Call{{ID: "a", Args: []byte(`{}`)}, {ID: "b", Args: []byte(`{}`)}}},
				floor.Message{Role: floor.Tool, CallID: "b"}, floor.Message{Role: floor.Tool, CallID: "a"})
		}), nil},
		{"a call twice", "reduce/pairing", middle, at(0, func(a *floor.Answer) {
			a.Reduce.Messages = append(a.Reduce.Messages, a.Reduce.Messages[3], a.Reduce.Messages[4])
		}), []string{"0 messages[7]: each call once / call c1 again"}},
		{"a result for nothing", "reduce/pairing", middle, at(0, last(floor.Message{Role: floor.Tool, Text: "ok"})), []string{
			`0 messages[7]: a result after its call / no call "" before it`}},
		{"a pending call gone", "reduce/pairing", middle, at(1, without(10), marked), []string{
			"1 call c2: kept: it is pending / no such call"}},
		{"a pending call changed", "reduce/pairing", middle, at(1, func(a *floor.Answer) {
			a.Reduce.Messages[10].Calls = []floor.Call{{ID: "c2", Name: "run", Args: []byte(`{"force":true}`)}}
		}), []string{"1 call c2: kept as it was: it is pending / another call of that id"}},
		{"what was asked like that may come back like that", "reduce/pairing", newTalk(between).result("c7", "late").call("c8", `{}`).say(floor.User, "Hello.").result("c8", "done").Case, both(), nil},

		{"the newest turn changed", "reduce/newest-turn", middle, at(1, replace("Forget that", "forget that")), []string{
			`1 newest turn of the user: "Forget that: tagging the build is no longer needed." / "forget that: tagging the build is no longer needed."`}},
		{"another turn after it", "reduce/newest-turn", middle, at(0, last(says(floor.User, "Go on."))), []string{
			`0 newest turn of the user: "The backup is still open." / "Go on."`}},
		{"the newest turn gone", "reduce/newest-turn", middle, at(0, without(6)), []string{
			`0 newest turn of the user: "The backup is still open." / "You must tag the build. Maybe the cache is cold."`}},
		{"no turn of the user left", "reduce/newest-turn", middle, at(0, nothing), []string{
			`0 messages: the user's "The backup is still open." / no turn of the user`}},
		{"told by the assistant", "reduce/newest-turn", middle, at(0, without(6), last(says(floor.Assistant, "The backup is still open."))), []string{
			`0 newest turn of the user: "The backup is still open." / "You must tag the build. Maybe the cache is cold."`}},
		{"an older turn changed", "reduce/newest-turn", middle, at(0, replace("staging", "STAGING")), nil},
		{"refused", "reduce/newest-turn", middle, both(refused), nil},

		{"no smaller", "reduce/progress", over, at(0), []string{
			"0 messages: fewer than 258 characters toward a target of 1 tokens, a refusal or the mark provisional / 258 characters, marked none",
			"1 messages: fewer than 371 characters toward a target of 1 tokens, a refusal or the mark provisional / 371 characters, marked none"}},
		{"a little smaller", "reduce/progress", over, both(replace("build", "buil")), nil},
		{"larger", "reduce/progress", over, func(step int, a *floor.Answer) {
			at(0, refused)(step, a)
			at(1, last(says(floor.Assistant, "é")))(step, a)
		}, []string{
			"1 messages: fewer than 371 characters toward a target of 1 tokens, a refusal or the mark provisional / 372 characters, marked none"}},
		{"no smaller, marked", "reduce/progress", over, both(marked), nil},
		{"refused", "reduce/progress", over, both(refused), nil},
		{"a generation that may fit need not shrink", "reduce/progress", release(tight, between).Case, at(0, nothing), nil},
	}
	for _, tt := range tests {
		t.Run(tt.rule+"/"+tt.name, func(t *testing.T) {
			trace := floor.Trace{Case: tt.c}
			for step := range tt.c.Steps {
				out := echo(slices.Clone(Asked(trace, step)), step)
				a := floor.Answer{Reduce: &out}
				tt.spoil(step, &a)
				trace.Answers = append(trace.Answers, a)
			}
			rule, ok := Lookup(tt.rule)
			require.True(t, ok)
			applied, findings := rule.Judge(Observation{Base: Observe(trace)})
			require.True(t, applied)
			var got []string
			for _, f := range findings {
				require.Equal(t, rule.ID, f.Rule)
				got = append(got, strings.TrimPrefix(f.String(), rule.ID+": step "))
			}
			var want []string
			for _, w := range tt.want {
				step, rest, _ := strings.Cut(w, " ")
				place, rest, _ := strings.Cut(rest, ": ")
				wants, gots, _ := strings.Cut(rest, " / ")
				want = append(want, step+" at "+place+": want "+wants+", got "+gots)
			}
			require.Equal(t, want, got)
		})
	}
}

func TestReducePreconditionsAreNarrow(t *testing.T) {
	plain := func() *talk { return newTalk(between).say(floor.User, "Hello.") }
	name := identifier("i1", "db-7")
	tests := []struct {
		name string
		rule string
		c    floor.Case
		want bool
	}{
		{"nothing is planted", "reduce/no-silent-loss", plain().Case, false},
		{"nothing is known of what is planted", "reduce/no-silent-loss", floor.Case{Policy: floor.Guard, Steps: plain().Steps}, false},
		{"a plant", "reduce/no-silent-loss", newTalk(between).say(floor.User, "db-7", name).Case, true},
		{"a plant that has ended already", "reduce/no-silent-loss", newTalk(between).say(floor.User, "db-7", name).ends("i1", floor.Withdrawn, "w").Case, false},
		{"a plant of a later generation", "reduce/no-silent-loss", plain().generation(between).say(floor.User, "db-7", name).Case, false},
		{"which is the chain's", "reduce/chain", plain().generation(between).say(floor.User, "db-7", name).Case, true},
		{"one generation is no chain", "reduce/chain", newTalk(between).say(floor.User, "db-7", name).Case, false},
		{"one generation tells no other", "reduce/generation", plain().Case, false},
		{"two do", "reduce/generation", plain().generation(between).Case, true},
		{"a plant without an opposite", "reduce/no-inversion", newTalk(between).say(floor.User, "db-7", name).Case, false},
		{"not clearly under", "reduce/no-op", newTalk(6).say(floor.User, "Hello.").Case, false},
		{"clearly under", "reduce/no-op", newTalk(7).say(floor.User, "Hello.").Case, true},
		{"clearly under in a later generation", "reduce/no-op", newTalk(0).say(floor.User, "Hello.").generation(7).Case, true},
		{"all that was said counts", "reduce/no-op", newTalk(0).say(floor.User, "Hello.").generation(7).say(floor.User, "!").Case, false},
		{"not clearly over", "reduce/progress", newTalk(1).say(floor.User, "12345678").Case, false},
		{"clearly over", "reduce/progress", newTalk(1).say(floor.User, "123456789").Case, true},
		{"characters are no bytes", "reduce/progress", newTalk(1).say(floor.User, "éééééééé").Case, false},
		{"arguments count", "reduce/progress", newTalk(1).call("c1", `{"a":["1234",{"b":"56789"}]}`).Case, true},
		{"a perfect summarizer", "reduce/error-not-memory", plain().Case, false},
		{"one that lies but does not fail", "reduce/error-not-memory", plain().under("fluent").Case, false},
		{"one that fails", "reduce/error-not-memory", plain().under("timeout").Case, true},
		{"no decoy", "reduce/no-fabrication", plain().Case, false},
		{"an end of another kind", "reduce/status", newTalk(between).say(floor.User, "db-7", name).ends("i1", floor.Replaced, "w").Case, false},
		{"an end of that kind", "reduce/supersession", newTalk(between).say(floor.User, "db-7", name).ends("i1", floor.Replaced, "w").Case, true},
		{"an obligation", "reduce/force", newTalk(between).say(floor.User, "You must rest.", duty("d1", "rest")).Case, true},
		{"a guess is no obligation", "reduce/force", newTalk(between).say(floor.User, "Maybe it rains.", guess("h1", "it rains")).Case, false},
		{"a guess", "reduce/hypothesis", newTalk(between).say(floor.User, "Maybe it rains.", guess("h1", "it rains")).Case, true},
		{"no call", "reduce/pairing", plain().Case, false},
		{"a call", "reduce/pairing", plain().call("c1", `{}`).Case, true},
		{"no turn of the user", "reduce/newest-turn", newTalk(between).say(floor.System, "Hello.").Case, false},
		{"a bad request", "reduce/newest-turn", rawCase(floor.OpReduce, `{"messages":[{"role":"user","text":"x"}],"target_tokens":-1}`), false},
	}
	for _, tt := range tests {
		t.Run(tt.rule+"/"+tt.name, func(t *testing.T) {
			rule, ok := Lookup(tt.rule)
			require.True(t, ok)
			require.Equal(t, tt.want, rule.Applies(Observe(floor.Trace{Case: tt.c})))
		})
	}
}

// What says whether a subject offers what a rule is about.
func TestOfferedAndModel(t *testing.T) {
	one := int64(1)
	for _, r := range Rules() {
		require.Equal(t, r.ID == "reduce/error-not-memory", r.Model, r.ID)
		require.Equal(t, r.ID == "reduce/generation" || r.ID == "certify/no-fabrication", r.Offered != nil, r.ID)
	}
	offered := func(a floor.Answer) bool {
		r, _ := Lookup("reduce/generation")
		return r.Offered(a)
	}
	certify, _ := Lookup("certify/no-fabrication")
	require.True(t, certify.Offered(floor.Answer{Certify: &floor.CertifyOut{Fabricated: []string{}}}))
	require.False(t, certify.Offered(floor.Answer{Certify: &floor.CertifyOut{}}))
	require.False(t, certify.Offered(floor.Answer{Err: &floor.AnswerError{}}))
	require.True(t, offered(floor.Answer{Reduce: &floor.ReduceOut{Generation: &one}}))
	require.False(t, offered(floor.Answer{Reduce: &floor.ReduceOut{}}))
	require.False(t, offered(floor.Answer{Err: &floor.AnswerError{}}))
}

// overlaps says which other rules object to lies of a reduce rule. A lie that
// changes what fits is one about reduce/no-op too, and one told where refusing
// was due about reduce/progress; what is dropped may be the newest turn, may be
// what ended something, or was to be kept by who fails to summarize. A rule that
// is not named is silent on all of its lies.
var overlaps = map[string][]string{
	"reduce/chain":            {"reduce/error-not-memory", "reduce/newest-turn", "reduce/no-op", "reduce/supersession"},
	"reduce/error-not-memory": {"reduce/no-op", "reduce/progress"},
	"reduce/force":            {"reduce/newest-turn", "reduce/no-op"},
	"reduce/generation":       {"reduce/no-op", "reduce/progress"},
	"reduce/hypothesis":       {"reduce/newest-turn", "reduce/no-op"},
	"reduce/newest-turn":      {"reduce/no-op", "reduce/progress"},
	"reduce/no-fabrication":   {"reduce/no-op", "reduce/progress"},
	"reduce/no-inversion":     {"reduce/newest-turn", "reduce/no-op", "reduce/progress", "reduce/status"},
	"reduce/no-silent-loss":   {"reduce/error-not-memory", "reduce/newest-turn", "reduce/no-op", "reduce/supersession"},
	"reduce/pairing":          {"reduce/no-op", "reduce/progress"},
	"reduce/role":             {"reduce/no-op", "reduce/progress"},
	"reduce/status":           {"reduce/newest-turn", "reduce/no-inversion", "reduce/no-op", "reduce/progress"},
	"reduce/supersession":     {"reduce/no-op", "reduce/progress"},
}

func TestReduceRulesAreSilentOnOtherRulesLies(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	cases := handMadeTalks()
	for range 600 {
		cases = append(cases, scribbleTalk(rng))
	}
	got := map[string][]string{}
	for _, r := range Rules() {
		if r.Op != floor.OpReduce {
			continue
		}
		for _, c := range cases {
			for _, lied := range r.Lies(c) {
				for _, other := range Rules() {
					if other.Op != floor.OpReduce || other.ID == r.ID || slices.Contains(got[r.ID], other.ID) {
						continue
					}
					if _, findings := other.Judge(lied); len(findings) > 0 {
						got[r.ID] = append(got[r.ID], other.ID)
					}
				}
			}
		}
		slices.Sort(got[r.ID])
	}
	for _, r := range Rules() {
		require.Equal(t, overlaps[r.ID], got[r.ID], r.ID)
	}
}

// A finding repeats little of what a subject says, however much that is, and
// nothing of it reaches a terminal unescaped.
func TestReduceFindingsAreBounded(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	hostile := func() string {
		return strings.Repeat([]string{"\x1b[31m", "\u202e", "é", "x", "\n", "\xff"}[rng.IntN(6)], 1+rng.IntN(3000))
	}
	seen := map[string]bool{}
	for range 300 {
		c := scribbleTalk(rng)
		run := answeredBy(c, func(step int, asked []floor.Message) floor.ReduceOut {
			out := echo(asked, step)
			out.Mark = floor.Mark(hostile())
			for range 1 + rng.IntN(3) {
				m := floor.Message{Role: floor.Role(hostile()), Text: hostile(), CallID: hostile()}
				m.Calls = []floor.Call{{ID: hostile(), Name: hostile(), Args: []byte(`{"x":"y"}`)}}
				switch rng.IntN(4) {
				case 0:
					m.Role = floor.User
				case 1:
					m.Role = floor.Tool
				case 2:
					m.Role = floor.Assistant
				}
				out.Messages = slices.Insert(out.Messages, rng.IntN(len(out.Messages)+1), m)
			}
			if len(out.Messages) > 4 {
				out.Messages = out.Messages[3:]
			}
			return out
		})
		for _, r := range Rules() {
			if r.Op != floor.OpReduce {
				continue
			}
			_, findings := r.Judge(Observation{Base: run})
			for _, f := range findings {
				seen[r.ID] = true
				require.Less(t, len(f.At)+len(f.Want)+len(f.Got), 1200, "%s", r.ID)
				for _, c := range f.At + f.Want + f.Got {
					require.True(t, ' ' <= c && c <= '~' || c == '…', "%s: %q", r.ID, f)
				}
			}
		}
	}
	require.Greater(t, len(seen), 6, "so many rules object")
}

func BenchmarkJudgeReduce(b *testing.B) {
	t := newTalk(1000)
	rng := rand.New(rand.NewPCG(2, 2))
	said := scribbled{rng: rng, talk: t, names: map[string]bool{}}
	for generation := range 3 {
		if generation > 0 {
			t.generation(1000)
		}
		for range 40 {
			said.message()
		}
	}
	benchmarkJudge(b, t.Case, floor.OpReduce)
}
