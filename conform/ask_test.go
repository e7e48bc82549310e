package conform

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

// A scripted is a subject that answers by a function and keeps what it was
// asked, Ask by Ask.
type scripted struct {
	hello  Hello
	answer func(r floor.Request) floor.Answer
	asks   [][]floor.Request
	did    []string // in order: play NAME, reduce N, recall N, decide N, restart

	breaks   int         // at which Ask, from 1, it breaks off; 0 is never
	answered int         // requests that this Ask still answers
	how      error       // its error
	fills    bool        // the others of it are NotRun, as a process has them; else they are left out
	dies     map[int]int // how often it is lost at which Ask
	lost     int         // and was so far
}

func (s *scripted) Hello() Hello { return s.hello }
func (s *scripted) Close() error { return nil }
func (s *scripted) Losses() int  { return s.lost }

func (s *scripted) Restart(context.Context) error {
	s.did = append(s.did, "restart")
	return nil
}

func (s *scripted) Play(summarizer string) { s.did = append(s.did, "play "+summarizer) }

func (s *scripted) Ask(_ context.Context, requests []floor.Request) (answers []floor.Answer, err error) {
	s.asks = append(s.asks, slices.Clone(requests))
	s.did = append(s.did, fmt.Sprintf("%s %d", requests[0].Op, len(requests)))
	s.lost += s.dies[len(s.asks)]
	for i, r := range requests {
		if len(s.asks) == s.breaks && i == s.answered {
			for s.fills && len(answers) < len(requests) {
				answers = append(answers, floor.Answer{Broken: floor.NotRun, Detail: "it broke off"})
			}
			return answers, s.how
		}
		answers = append(answers, s.answer(r))
	}
	return answers, nil
}

// blackBox is a scripted subject of op reduce, and of the ops that are named.
func blackBox(reduce func(in *floor.ReduceIn) floor.Answer, more ...floor.Op) *scripted {
	return &scripted{
		hello: Hello{Name: "scripted", Ops: append([]floor.Op{floor.OpReduce}, more...), Policy: floor.Guard, MaxBatch: 1},
		answer: func(r floor.Request) floor.Answer {
			switch r.Op {
			case floor.OpReduce:
				return reduce(r.Reduce)
			case floor.OpRecall:
				return floor.Answer{Recall: &floor.RecallOut{Text: "It was " + r.Recall.Query + "."}}
			}
			return floor.Answer{Decide: &floor.DecideOut{Decision: floor.Certified}}
		},
	}
}

func said(texts ...string) (out []floor.Message) {
	for _, text := range texts {
		out = append(out, floor.Message{Role: floor.User, Text: text})
	}
	return out
}

func texts(messages []floor.Message) string {
	var out []string
	for _, m := range messages {
		out = append(out, m.Text)
	}
	return strings.Join(out, "|")
}

// talk is a conversation: what is new in each generation, texts with | between
// them. The target of the first is 100, of the second 200, and so on.
func talk(generations ...string) floor.Case {
	c := floor.Case{Policy: floor.Guard, Planted: &floor.Planted{}}
	for i, text := range generations {
		in := &floor.ReduceIn{TargetTokens: int64(100 * (i + 1)), Messages: said(strings.Split(text, "|")...)}
		c.Steps = append(c.Steps, floor.Request{Op: floor.OpReduce, Reduce: in})
	}
	return c
}

// planted plants words of a conversation: each is an identifier that stands
// where its first message is that holds it.
func planted(c floor.Case, forms ...string) floor.Case {
	p := *c.Planted
	for _, form := range forms {
		said := floor.Place{Step: -1}
		for step, r := range c.Steps {
			at := slices.IndexFunc(r.Reduce.Messages, func(m floor.Message) bool { return strings.Contains(m.Text, form) })
			if at >= 0 && said.Step < 0 {
				said = floor.Place{Step: step, Message: at}
			}
		}
		element := floor.Element{ID: "x" + form, Class: floor.Identifier, Forms: []string{form, form + "!"}, Match: floor.Exact}
		p.Plants = append(p.Plants, floor.Plant{Element: element, Said: said})
	}
	c.Planted = &p
	return c
}

func played(c floor.Case, summarizer string) floor.Case {
	p := *c.Planted
	p.Summarizer = summarizer
	c.Planted = &p
	return c
}

func reducedTo(mark floor.Mark, texts ...string) floor.Answer {
	return floor.Answer{Reduce: &floor.ReduceOut{Messages: said(texts...), Mark: mark}}
}

// newest is a black box that keeps the last message, under this mark.
func newest(mark floor.Mark) func(in *floor.ReduceIn) floor.Answer {
	return func(in *floor.ReduceIn) floor.Answer {
		return reducedTo(mark, in.Messages[len(in.Messages)-1].Text)
	}
}

var (
	refusal   = floor.Answer{Reduce: &floor.ReduceOut{Refused: true, Reason: "all of it is needed"}}
	nothing   = floor.Answer{Reduce: &floor.ReduceOut{Messages: []floor.Message{}, Mark: floor.NoMark}}
	anError   = floor.Answer{Err: &floor.AnswerError{Code: floor.InternalCode, Message: "out of order"}}
	aCrash    = floor.Answer{Broken: floor.Crash, Detail: "signal: killed"}
	aTimeout  = floor.Answer{Broken: floor.Timeout, Detail: "no answer within 120s"}
	someTrash = floor.Answer{Broken: floor.Garbage, Detail: "not JSON"}
	notRun    = floor.Answer{Broken: floor.NotRun, Detail: "an earlier generation has no result"}
)

// ask asks cases in one go.
func ask(t *testing.T, s Subject, cases ...floor.Case) [][]floor.Answer {
	t.Helper()
	answers, err := (&asker{subject: s}).ask(t.Context(), cases)
	require.NoError(t, err)
	require.Len(t, answers, len(cases))
	return answers
}

// What each generation is asked follows from what the last one answered.
func TestGenerationsAreFedBack(t *testing.T) {
	three := talk("a|b", "c", "d")
	tests := []struct {
		name    string
		c       floor.Case
		answers []floor.Answer // one for each generation that is asked
		asked   []string
	}{
		{"an output, and then what is new", three, []floor.Answer{reducedTo("", "ab"), reducedTo("", "abc"), reducedTo("", "x")}, []string{"a|b", "ab|c", "abc|d"}},
		{"as many messages as it says", three, []floor.Answer{reducedTo("", "b", "a", "z"), reducedTo("", "c", "c"), nothing}, []string{"a|b", "b|a|z|c", "c|c|d"}},
		{"an empty output is one too", three, []floor.Answer{nothing, nothing, nothing}, []string{"a|b", "c", "d"}},
		{"after a refusal the same again", three, []floor.Answer{refusal, refusal, refusal}, []string{"a|b", "a|b|c", "a|b|c|d"}},
		{"a refusal after an output", three, []floor.Answer{reducedTo("", "ab"), refusal, nothing}, []string{"a|b", "ab|c", "ab|c|d"}},
		{"an output after a refusal", three, []floor.Answer{refusal, reducedTo("", "abc"), nothing}, []string{"a|b", "a|b|c", "abc|d"}},
		{"whatever the mark", three, []floor.Answer{reducedTo(floor.MarkProvisional, "p"), reducedTo(floor.MarkCertified, "q"), nothing}, []string{"a|b", "p|c", "q|d"}},
		{"what is one generation is asked once", talk("a"), []floor.Answer{nothing}, []string{"a"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			next := 0
			s := blackBox(func(*floor.ReduceIn) floor.Answer { next++; return tt.answers[next-1] })
			require.Equal(t, [][]floor.Answer{tt.answers}, ask(t, s, tt.c))
			var asked []string
			for i, requests := range s.asks {
				require.Len(t, requests, 1)
				require.Equal(t, int64(100*(i+1)), requests[0].Reduce.TargetTokens, "each generation has its own target")
				asked = append(asked, texts(requests[0].Reduce.Messages))
			}
			require.Equal(t, tt.asked, asked)
		})
	}
}

// What was fed back is not written over by what comes after it.
func TestGenerationsShareNoMemory(t *testing.T) {
	roomy := make([]floor.Message, 1, 9) // room behind it, to write what is new
	roomy[0] = floor.Message{Role: floor.User, Text: "kept"}
	s := blackBox(func(*floor.ReduceIn) floor.Answer { return floor.Answer{Reduce: &floor.ReduceOut{Messages: roomy}} })
	ask(t, s, talk("a", "b"), talk("a", "c"))
	require.Equal(t, "kept|b", texts(s.asks[1][0].Reduce.Messages))
	require.Equal(t, "kept|c", texts(s.asks[1][1].Reduce.Messages))
}

// A generation without a result ends the chain: nothing is asked after it.
func TestAChainEndsWithoutAResult(t *testing.T) {
	for _, bad := range []floor.Answer{anError, aCrash, aTimeout, someTrash} {
		for at := range 3 {
			next := 0
			s := blackBox(func(*floor.ReduceIn) floor.Answer {
				if next++; next-1 == at {
					return bad
				}
				return nothing
			})
			want := []floor.Answer{nothing, nothing, nothing}
			want[at] = bad
			for i := at + 1; i < len(want); i++ {
				want[i] = notRun
			}
			require.Equal(t, [][]floor.Answer{want}, ask(t, s, talk("a", "b", "c")))
			require.Len(t, s.asks, at+1)
		}
	}
}

// A request that is sent to the letter stays so, and one that the words cannot
// spell is asked as it stands: it is no conversation.
func TestWhatIsSentToTheLetter(t *testing.T) {
	c := talk("a", "b")
	c.Steps[0].Raw = []byte(`{"messages":[{"role":"user","text":"a"}],"target_tokens":100,"x-note":1}`)
	bad := floor.Case{Policy: floor.Guard, Steps: []floor.Request{{Op: floor.OpReduce, Raw: []byte(`{"messages":7}`)}}}
	s := blackBox(nil)
	s.answer = func(r floor.Request) floor.Answer {
		if r.Reduce == nil {
			return anError
		}
		return nothing
	}
	require.Equal(t, [][]floor.Answer{{nothing, nothing}, {anError}}, ask(t, s, c, bad))
	require.JSONEq(t, `{"messages":7}`, string(s.asks[0][0].Raw))
	require.Contains(t, string(s.asks[1][0].Raw), "x-note")
	require.Equal(t, "b", texts(s.asks[2][0].Reduce.Messages))
}

// What does not depend on answers goes first, whole; then each round of all
// conversations together.
func TestRoundsGoTogether(t *testing.T) {
	s := blackBox(newest(""), floor.OpDecide)
	decide := floor.Case{Policy: floor.Guard, Steps: requestsWith(3)}
	answers := ask(t, s, talk("a", "b", "c"), decide, talk("d"), talk("e", "f"), floor.Case{Policy: floor.Guard, Steps: requestsWith(1)}, talk("g", "h", "i"))
	require.Equal(t, []string{"decide 4", "play ", "reduce 4", "reduce 3", "reduce 2"}, s.did)
	want := []string{"a|d|e|g", "a|b|e|f|g|h", "b|c|h|i"}
	for round, requests := range s.asks[1:] {
		var asked []string
		for _, r := range requests {
			asked = append(asked, texts(r.Reduce.Messages))
		}
		require.Equal(t, want[round], strings.Join(asked, "|"))
	}
	var got []string
	for _, of := range answers {
		var last []string
		for _, a := range of {
			if a.Reduce != nil {
				last = append(last, texts(a.Reduce.Messages))
			} else {
				last = append(last, string(a.Decide.Decision))
			}
		}
		got = append(got, strings.Join(last, " "))
	}
	require.Equal(t, []string{"a b c", "certified certified certified", "d", "e f", "certified", "g h i"}, got)
}

// The model server plays one summarizer at a time, and is told before anything
// is asked under it.
func TestPlayedBeforeItIsAsked(t *testing.T) {
	cases := []floor.Case{
		played(talk("a", "b"), "drop-one"), played(talk("c"), "empty"), played(talk("d"), "drop-one"), talk("e"),
		played(talk("f", "g", "h"), "empty"),
	}
	s := blackBox(newest(""))
	answers := ask(t, s, cases...)
	require.Equal(t, []string{
		"play drop-one", "reduce 2", "reduce 1", "play empty", "reduce 2", "reduce 1", "reduce 1", "play ", "reduce 1",
	}, s.did)
	for i, want := range []string{"b", "c", "d", "e", "h"} {
		require.Equal(t, want, texts(answers[i][len(answers[i])-1].Reduce.Messages))
	}

	s = blackBox(newest(""))
	bare := floor.Case{Policy: floor.Guard, Steps: talk("a").Steps} // nothing planted at all
	ask(t, s, bare)
	require.Equal(t, []string{"play ", "reduce 1"}, s.did)

	s = blackBox(nil, floor.OpDecide)
	ask(t, s, floor.Case{Policy: floor.Guard, Steps: requestsWith(1)})
	require.Equal(t, []string{"decide 1"}, s.did, "no conversation, no model")
}

// A subject in this process is told too.
func TestPlayInProcess(t *testing.T) {
	var did []string
	s := InProcess(Hello{}, Funcs{
		Play: func(name string) { did = append(did, "play "+name) },
		Reduce: func(in *floor.ReduceIn) (floor.ReduceOut, error) {
			did = append(did, "reduce")
			return floor.ReduceOut{}, nil
		},
	})
	require.Equal(t, []floor.Op{floor.OpReduce}, s.Hello().Ops)
	ask(t, s, played(talk("a"), "quota"))
	require.Equal(t, []string{"play quota", "reduce"}, did)
	ask(t, InProcess(Hello{}, Funcs{Reduce: func(*floor.ReduceIn) (floor.ReduceOut, error) { return floor.ReduceOut{}, nil }}), played(talk("a"), "quota"))
}

// Asked back is exactly what is lost, in the words it is sought by, after an
// output that says that something may be missing, and of who offers it.
func TestRecallAsksForWhatIsLost(t *testing.T) {
	two := planted(talk("red-1, blue-2|green-3", "grey-4"), "red-1", "blue-2", "green-3", "grey-4")
	ended := planted(talk("red-1, blue-2|green-3"), "red-1", "blue-2", "green-3")
	ended.Planted.Plants[0].Ended = &floor.Ended{Place: floor.Place{Message: 1}, How: floor.Replaced, By: "xgreen-3"}
	same := planted(talk("red-1|x"), "red-1", "red-1")
	tests := []struct {
		name    string
		c       floor.Case
		answers []floor.Answer
		offers  bool
		asked   []string // back, by generation
	}{
		{"what is lost under the mark", two, []floor.Answer{reducedTo(floor.MarkProvisional, "blue-2"), refusal}, true, []string{"red-1 green-3", ""}},
		{"it is not offered", two, []floor.Answer{reducedTo(floor.MarkProvisional, "blue-2"), refusal}, false, []string{"", ""}},
		{"nothing is marked", two, []floor.Answer{reducedTo("", "blue-2"), reducedTo(floor.NoMark, "x")}, true, []string{"", ""}},
		{"a wrong certificate is no mark", two, []floor.Answer{reducedTo(floor.MarkCertified, "x"), nothing}, true, []string{"", ""}},
		{"a refusal loses nothing", two, []floor.Answer{refusal, refusal}, true, []string{"", ""}},
		{"nothing is lost", two, []floor.Answer{reducedTo(floor.MarkProvisional, "red-1 blue-2 green-3"), nothing}, true, []string{"", ""}},
		{"another form keeps it", two, []floor.Answer{reducedTo(floor.MarkProvisional, "red-1! blue-2! green-3!"), nothing}, true, []string{"", ""}},
		{"and what a later generation lost", two, []floor.Answer{reducedTo("", "red-1 green-3"), reducedTo(floor.MarkProvisional, "green-3")}, true, []string{"", "red-1 blue-2 grey-4"}},
		{"once more for each generation", two, []floor.Answer{reducedTo(floor.MarkProvisional, "red-1 green-3"), reducedTo(floor.MarkProvisional, "red-1")}, true, []string{"blue-2", "blue-2 green-3 grey-4"}},
		{"not what holds no more", ended, []floor.Answer{reducedTo(floor.MarkProvisional, "x")}, true, []string{"blue-2 green-3"}},
		{"the same words once", same, []floor.Answer{reducedTo(floor.MarkProvisional, "x")}, true, []string{"red-1"}},
		{"not of who failed", two, []floor.Answer{anError, notRun}, true, []string{"", ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			next := 0
			s := blackBox(func(*floor.ReduceIn) floor.Answer { next++; return tt.answers[next-1] })
			if tt.offers {
				s.hello.Ops = append(s.hello.Ops, floor.OpRecall)
			}
			answers := ask(t, s, tt.c)[0]
			recalls := 0
			for step, want := range tt.asked {
				var asked []string
				for _, back := range answers[step].Recalled {
					require.Equal(t, floor.Recalled{Query: back.Query, Text: "It was " + back.Query + "."}, back)
					asked = append(asked, back.Query)
				}
				require.Equal(t, want, strings.Join(asked, " "), "generation %d", step+1)
				recalls += len(asked)
			}
			for _, requests := range s.asks {
				if requests[0].Op == floor.OpRecall {
					recalls -= len(requests)
				}
			}
			require.Zero(t, recalls, "what is asked back is noted")
		})
	}
}

// The recalls of all conversations of a round go together, before the next
// round, and each gets its own.
func TestRecallsGoTogether(t *testing.T) {
	s := blackBox(newest(floor.MarkProvisional), floor.OpRecall)
	answers := ask(t, s, planted(talk("red-1|x", "y"), "red-1"), planted(talk("blue-2|green-3|x"), "blue-2", "green-3"), planted(talk("grey-4"), "grey-4"))
	require.Equal(t, []string{"play ", "reduce 3", "recall 3", "reduce 1", "recall 1"}, s.did)
	require.Equal(t, "red-1", answers[0][0].Recalled[0].Query)
	require.Equal(t, "red-1", answers[0][1].Recalled[0].Query)
	require.Len(t, answers[1][0].Recalled, 2)
	require.Empty(t, answers[2][0].Recalled)
}

// An error is what came back; where no answer came back, the case has none.
func TestRecallsThatFail(t *testing.T) {
	c := planted(talk("red-1|blue-2|x", "y"), "red-1", "blue-2")
	for _, tt := range []struct {
		name     string
		back     floor.Answer
		want     floor.Answer
		recalled int
	}{
		{"an error", floor.Answer{Err: &floor.AnswerError{Code: floor.UnavailableCode, Message: "gone"}}, reducedTo(floor.MarkProvisional, "x"), 2},
		{"a crash", aCrash, floor.Answer{Broken: floor.Crash, Detail: "recall: signal: killed"}, 0},
		{"a timeout", aTimeout, floor.Answer{Broken: floor.Timeout, Detail: "recall: no answer within 120s"}, 0},
		{"garbage", someTrash, floor.Answer{Broken: floor.Garbage, Detail: "recall: not JSON"}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := blackBox(newest(floor.MarkProvisional), floor.OpRecall)
			plain := s.answer
			s.answer = func(r floor.Request) floor.Answer {
				if r.Op == floor.OpRecall {
					return tt.back
				}
				return plain(r)
			}
			answers := ask(t, s, c)[0]
			require.Len(t, answers, 2)
			first := answers[0]
			require.Len(t, first.Recalled, tt.recalled)
			for _, back := range first.Recalled {
				require.Equal(t, tt.back.Err, back.Err)
			}
			first.Recalled = nil
			require.Equal(t, tt.want, first)
			if tt.recalled == 0 {
				require.Equal(t, notRun, answers[1], "nothing is asked after it")
			}
		})
	}
}

// Who was lost meanwhile is not asked back: another process never heard of it.
func TestNobodyIsAskedBackForAnother(t *testing.T) {
	cases := []floor.Case{planted(talk("red-1|x", "y"), "red-1"), planted(talk("blue-2|x", "y"), "blue-2")}
	for at, want := range map[int][]string{
		1: {"play ", "reduce 2", "reduce 2"},                         // in the first round
		2: {"play ", "reduce 2", "recall 2", "reduce 2"},             // while it recalled
		3: {"play ", "reduce 2", "recall 2", "reduce 2"},             // in the second round
		4: {"play ", "reduce 2", "recall 2", "reduce 2", "recall 2"}, // at the end
	} {
		s := blackBox(newest(floor.MarkProvisional), floor.OpRecall)
		s.dies = map[int]int{at: 1}
		answers := ask(t, s, cases...)
		require.Equal(t, want, s.did, "lost at Ask %d", at)
		for _, of := range answers {
			require.Equal(t, at > 2, len(of[0].Recalled) == 1, "lost at Ask %d", at)
			require.Empty(t, of[1].Recalled, "lost at Ask %d", at)
		}
		s.dies = nil
		require.Len(t, ask(t, s, cases...)[0][1].Recalled, 1, "the next conversations are another matter")
	}
}

// When a run breaks off, what was answered whole stands; nothing else does.
func TestWhatStandsWhenTheRunBreaksOff(t *testing.T) {
	done := errors.New("it would not start again")
	cases := []floor.Case{talk("short"), talk("fails", "b", "c"), talk("long", "d", "e"), talk("two", "f"), talk("long", "g")}
	tests := []struct {
		name             string
		breaks, answered int
		want             []int // answers that are not NotRun, of each case; -1 is nil
	}{
		{"at once", 1, 0, []int{-1, -1, -1, -1, -1}},
		{"in the first round", 1, 2, []int{1, 1, -1, -1, -1}},
		{"before the second round", 2, 0, []int{1, 1, -1, -1, -1}},
		{"in the second round", 2, 2, []int{1, 1, -1, 2, -1}},
		{"in the last round", 3, 0, []int{1, 1, -1, 2, 2}},
		{"not at all", 4, 0, []int{1, 1, 3, 2, 2}},
	}
	for _, tt := range tests {
		for _, fills := range []bool{true, false} {
			for _, how := range []error{done, nil} {
				t.Run(fmt.Sprintf("%s, NotRun %v, %v", tt.name, fills, how), func(t *testing.T) {
					if fills && how == nil {
						t.Skip("NotRun without an error says that a request cannot be spelled")
					}
					s := blackBox(func(in *floor.ReduceIn) floor.Answer {
						if in.Messages[0].Text == "fails" {
							return anError
						}
						return nothing
					})
					s.breaks, s.answered, s.how, s.fills = tt.breaks, tt.answered, how, fills
					answers, err := (&asker{subject: s}).ask(t.Context(), cases)
					require.Equal(t, tt.breaks <= 3, err != nil)
					if how != nil && err != nil {
						require.ErrorIs(t, err, done)
					}
					for i, want := range tt.want {
						if want < 0 {
							require.Nil(t, answers[i], "case %d", i)
							continue
						}
						require.Len(t, answers[i], len(cases[i].Steps), "case %d", i)
						for step, a := range answers[i] {
							require.Equal(t, step >= want, a.Broken == floor.NotRun, "case %d, step %d", i, step)
						}
					}
				})
			}
		}
	}
}

// Nor does a case stand whose recalls were not all asked.
func TestARunThatBreaksOffInARecall(t *testing.T) {
	cases := []floor.Case{planted(talk("red-1|x"), "red-1"), planted(talk("blue-2|green-3|x"), "blue-2", "green-3"), talk("plain")}
	for _, fills := range []bool{true, false} {
		s := blackBox(newest(floor.MarkProvisional), floor.OpRecall)
		s.breaks, s.answered, s.how, s.fills = 2, 2, context.Canceled, fills
		answers, err := (&asker{subject: s}).ask(t.Context(), cases)
		require.ErrorIs(t, err, context.Canceled)
		require.Len(t, answers[0][0].Recalled, 1)
		require.Nil(t, answers[1])
		require.Len(t, answers[2], 1)
	}
}

// An output that no longer fits in a line is the subject's fault, and not ours.
func TestAnOutputThatCannotBeAskedAgain(t *testing.T) {
	unspelt := floor.Answer{Broken: floor.NotRun, Detail: "in: does not fit in a line"}
	s := blackBox(func(in *floor.ReduceIn) floor.Answer {
		if len(in.Messages) > 1 {
			return unspelt
		}
		return reducedTo("", "enormous")
	})
	answers := ask(t, s, talk("a", "b", "c"), talk("d|e", "f"))
	require.Equal(t, floor.Answer{Broken: floor.Garbage, Detail: "its last output cannot be asked again: in: does not fit in a line"}, answers[0][1])
	require.Equal(t, notRun, answers[0][2])
	require.Equal(t, []floor.Answer{unspelt, notRun}, answers[1], "the suite's own conversation was too long")
}

// A bound holds for all requests together, whatever they are.
func TestNoMoreRequestsThanMayBeMade(t *testing.T) {
	cases := []floor.Case{
		planted(talk("red-1|x", "y"), "red-1"), planted(talk("blue-2|x", "y"), "blue-2"), {Policy: floor.Guard, Steps: requestsWith(2)},
	}
	const needed = 2 + 4 + 4
	for most := 1; most <= needed+1; most++ {
		s := blackBox(newest(floor.MarkProvisional), floor.OpRecall, floor.OpDecide)
		a := &asker{subject: s, most: most}
		answers, err := a.ask(t.Context(), cases)
		require.Equal(t, most < needed, errors.Is(err, errSpent), "%d", most)
		if most >= needed {
			require.NoError(t, err)
		}
		made := 0
		for _, requests := range s.asks {
			made += len(requests)
		}
		require.Equal(t, min(most, needed), made)
		require.Equal(t, made, a.calls)
		require.Equal(t, most >= 2, answers[2] != nil, "%d", most)
		require.Equal(t, most >= 9, answers[0] != nil, "%d", most)
		require.Equal(t, most >= 10, answers[1] != nil, "%d", most)
	}
}

// judging is a rule of op reduce that objects to outputs by a function.
func judging(id string, objects func(out *floor.ReduceOut) bool) model.Rule {
	return model.Rule{
		ID: id, Op: floor.OpReduce, Applies: func(model.Run) bool { return true },
		Check: func(o model.Observation) (found []model.Finding) {
			for step, a := range o.Base.Answers {
				if a.Reduce != nil && objects(a.Reduce) {
					found = append(found, model.Finding{Step: step, Want: "another", Got: texts(a.Reduce.Messages)})
				}
			}
			return found
		},
	}
}

// talks is a stage of these conversations, which are not shrunk.
func talks(cases ...floor.Case) Stage {
	return Stage{Name: "talks", Op: floor.OpReduce, Total: len(cases), Cases: func(yield func(Drawn) bool) {
		for _, c := range cases {
			if !yield(Drawn{Case: c}) {
				return
			}
		}
	}}
}

func requests(s *scripted) (made int) {
	for _, of := range s.asks {
		made += len(of)
	}
	return made
}

// Conversations go to a subject in smaller chunks than other cases, and in still
// smaller ones until it is known how much comes back.
func TestConversationsGoInSmallChunks(t *testing.T) {
	tests := []struct {
		name  string
		bytes int // of each output
		want  string
	}{
		{"the most it gets", 1, "4 4 8 8 16 16 32 32 32 32 8 8"},
		{"half a megabyte each", 512 << 10, "4 4 8 8 16 16 32 32 32 32 8 8"},
		{"two megabytes each", 2 << 20, "4 4 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8"},
		{"ten megabytes each", 10 << 20, "4 4" + strings.Repeat(" 2 2", 48)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, told := reducedTo("", strings.Repeat("x", tt.bytes)), 0
			s := blackBox(func(*floor.ReduceIn) floor.Answer { return out })
			_, err := Check(t.Context(), s, Options{
				Rules:  []model.Rule{judging("reduce/any", func(*floor.ReduceOut) bool { return false })},
				Stages: []Stage{talks(slices.Repeat([]floor.Case{talk("a", "b")}, 100)...)}, Once: true,
				Progress: func(Progress) { told++ },
			})
			require.NoError(t, err)
			var sizes []string
			for _, requests := range s.asks {
				sizes = append(sizes, fmt.Sprint(len(requests)))
			}
			require.Equal(t, tt.want, strings.Join(sizes, " "))
			require.GreaterOrEqual(t, told, len(sizes)/2)
		})
	}
}

// Of a subject that answers more than anybody needs little is held in memory,
// and its smallest counterexamples are found all the same.
func TestHeavyAnswersAreNotKept(t *testing.T) {
	c := &checker{samples: map[floor.Op]*sample{}, options: Options{Seed: 1}}
	st := &Stage{Op: floor.OpReduce}
	heavy := reducedTo("", strings.Repeat("x", 3<<20))
	for range 100 {
		c.sample(st, Drawn{}, floor.Trace{Answers: []floor.Answer{heavy}})
	}
	require.Len(t, c.samples[floor.OpReduce].runs, 10)
	for range 500 {
		c.sample(st, Drawn{}, floor.Trace{Answers: []floor.Answer{reducedTo("", "x")}})
	}
	kept := c.samples[floor.OpReduce]
	require.Len(t, kept.runs, sampleConversations)
	held := 0
	for _, run := range kept.runs {
		held += weigh(run.Answers)
	}
	require.Equal(t, held, kept.bytes)

	var list candidates
	for _, size := range []int{9, 4, 7, 4, 2, 8} {
		list.add(&wrong{seen: seen{answers: []floor.Answer{heavy}}, drawn: Drawn{Case: talk("a")}, stage: st, size: size})
	}
	require.Len(t, list.single, 1)
	require.Equal(t, 2, list.single[0].size)
	for _, size := range []int{9, 1} {
		list.add(&wrong{seen: seen{answers: []floor.Answer{nothing}}, drawn: Drawn{Case: talk("a")}, stage: st, size: size})
	}
	require.Len(t, list.single, 3)
}

func TestMaxCallsBoundsACheck(t *testing.T) {
	cases := slices.Repeat([]floor.Case{planted(talk("red-1|x", "y"), "red-1")}, 100)
	good := judging("reduce/good", func(*floor.ReduceOut) bool { return false })
	bad := judging("reduce/bad", func(*floor.ReduceOut) bool { return true })
	for _, tt := range []struct{ most, made, cases int }{
		{0, 400, 100}, {1, 1, 0}, {3, 3, 0}, {7, 7, 1}, {64, 64, 16}, {400, 400, 100}, {10_000, 400, 100},
	} {
		s := blackBox(newest(floor.MarkProvisional), floor.OpRecall)
		result, err := Check(t.Context(), s, Options{
			Rules: []model.Rule{good}, Stages: []Stage{talks(cases...)}, MaxCalls: tt.most,
		})
		require.NoError(t, err, "%d", tt.most)
		require.False(t, result.Interrupted)
		require.Equal(t, tt.made, requests(s), "%d", tt.most)
		require.Equal(t, tt.made, result.Requests)
		require.Equal(t, tt.cases, result.Cases, "%d", tt.most)
		require.False(t, result.Rules[0].Unfinished, "it was agreed")
		want := Pass
		if tt.cases == 0 {
			want = NotRun
		}
		require.Equal(t, want, result.Rules[0].Verdict)
	}

	// To look at a finding again counts too.
	s := blackBox(newest(floor.MarkProvisional), floor.OpRecall)
	result, err := Check(t.Context(), s, Options{
		Rules: []model.Rule{bad}, Stages: []Stage{talks(cases...)}, MaxCalls: 405, Replicates: 50, ShrinkCalls: 1000,
	})
	require.NoError(t, err)
	require.Equal(t, 405, requests(s))
	require.Equal(t, Fail, result.Rules[0].Verdict)
	require.NotNil(t, result.Rules[0].Counterexample)
}

// moody is wrong every third time.
func moody() *scripted {
	asked := 0
	return blackBox(func(*floor.ReduceIn) floor.Answer {
		if asked++; asked%3 == 1 {
			return reducedTo("", "wrong")
		}
		return reducedTo("", "right")
	})
}

func TestReplicatesTellKOfN(t *testing.T) {
	wrong := judging("reduce/right", func(out *floor.ReduceOut) bool { return texts(out.Messages) == "wrong" })
	tests := []struct {
		name       string
		subject    *scripted
		replicates int
		again      int
		wrong      int
		remembers  bool
	}{
		{"always wrong", blackBox(func(*floor.ReduceIn) floor.Answer { return reducedTo("", "wrong") }), 5, 5, 5, false},
		{"now and then", moody(), 6, 6, 2, false},
		{"once is no replicate", blackBox(func(*floor.ReduceIn) floor.Answer { return reducedTo("", "wrong") }), 1, 0, 0, false},
		{"nor is none", blackBox(func(*floor.ReduceIn) floor.Answer { return reducedTo("", "wrong") }), 0, 0, 0, false},
		{"what cannot be shown again is no case to keep", moody(), 1, 0, 0, true},
		{"and not asked often enough it was not shown", moody(), 2, 2, 1, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			result, err := Check(t.Context(), tt.subject, Options{
				Rules: []model.Rule{wrong}, Stages: []Stage{talks(talk("a"))}, Replicates: tt.replicates, Once: true,
			})
			require.NoError(t, err)
			c := result.Rules[0].Counterexample
			require.NotNil(t, c)
			require.Equal(t, tt.again, c.Again)
			require.Equal(t, tt.wrong, c.Wrong)
			require.Equal(t, tt.remembers, c.Remembers)
		})
	}

	// Other cases are what they are: the same answer to the same question.
	strict := model.Rule{
		ID: "decide/wrong", Op: floor.OpDecide, Applies: func(model.Run) bool { return true },
		Check: func(model.Observation) []model.Finding { return []model.Finding{{Want: "x"}} },
	}
	decide := Stage{Op: floor.OpDecide, Cases: func(yield func(Drawn) bool) {
		yield(Drawn{Case: floor.Case{Policy: floor.Guard, Steps: requestsWith(1)}})
	}}
	result, err := Check(t.Context(), blackBox(nil, floor.OpDecide), Options{Rules: []model.Rule{strict}, Stages: []Stage{decide}, Replicates: 5, Once: true})
	require.NoError(t, err)
	require.Zero(t, result.Rules[0].Counterexample.Again)
}

// What a subject does not offer is not claimed, and no pass.
func TestNotClaimed(t *testing.T) {
	fine := func(*floor.ReduceOut) bool { return false }
	aboutModel := judging("reduce/about-model", fine)
	aboutModel.Model = true
	counting := judging("reduce/counting", fine)
	counting.Offered = func(a floor.Answer) bool { return a.Reduce != nil && a.Reduce.Generation != nil }
	never := judging("reduce/never", fine)
	never.Applies = func(model.Run) bool { return false }
	many := judging("reduce/many", fine)
	many.Minimum = 20

	generation := int64(1)
	counts := func(*floor.ReduceIn) floor.Answer {
		return floor.Answer{Reduce: &floor.ReduceOut{Messages: said("x"), Generation: &generation}}
	}
	tests := []struct {
		name   string
		rule   model.Rule
		reduce func(in *floor.ReduceIn) floor.Answer
		about  *ReduceHello
		want   Verdict
	}{
		{"hello says nothing of black boxes", aboutModel, newest(""), nil, NotClaimed},
		{"hello says of no model", aboutModel, newest(""), &ReduceHello{TriggerMessages: 3}, NotClaimed},
		{"there is a model", aboutModel, newest(""), &ReduceHello{Model: true}, Pass},
		{"no answer shows it", counting, newest(""), nil, NotClaimed},
		{"one answer shows it", counting, counts, nil, Pass},
		{"refusals show nothing", counting, func(*floor.ReduceIn) floor.Answer { return refusal }, nil, NotClaimed},
		{"no case was about it", never, newest(""), nil, NotRun},
		{"too few cases were", many, newest(""), nil, NotRun},
		{"an error before all", aboutModel, func(*floor.ReduceIn) floor.Answer { return anError }, &ReduceHello{Model: true}, Erred},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := blackBox(tt.reduce)
			s.hello.Reduce = tt.about
			result, err := Check(t.Context(), s, Options{Rules: []model.Rule{tt.rule}, Stages: []Stage{talks(talk("a"), talk("b"))}, Once: true})
			require.NoError(t, err)
			require.Equal(t, tt.want, result.Rules[0].Verdict)
		})
	}
}

// Conversations are asked again, shuffled and after a restart, like all else.
func TestConversationsAreAskedAgain(t *testing.T) {
	rule, ok := model.Lookup("decide/deterministic")
	require.True(t, ok)
	check := func(s *scripted) RuleResult {
		result, err := Check(t.Context(), s, Options{Rules: []model.Rule{rule}, Stages: []Stage{talks(talk("a", "b"), talk("c"), talk("d"))}})
		require.NoError(t, err)
		return result.Rules[0]
	}
	steady := blackBox(newest(""))
	got := check(steady)
	require.Equal(t, []string{"play ", "reduce 3", "reduce 1", "play ", "reduce 3", "reduce 1", "restart", "play ", "reduce 3", "reduce 1"}, steady.did)
	require.Equal(t, 6, got.Cases)
	require.Zero(t, got.Wrong)
	require.Positive(t, check(moody()).Wrong)
}

// A conversation is judged for what it got: each way of no result has its own
// verdict, and none is a refusal.
func TestVerdictsOfConversations(t *testing.T) {
	rule := judging("reduce/any", func(*floor.ReduceOut) bool { return false })
	for want, bad := range map[Verdict]floor.Answer{
		Pass: refusal, Erred: anError, Crashed: aCrash, TimedOut: aTimeout, Garbled: someTrash,
	} {
		for at := range 2 {
			asked := 0
			s := blackBox(func(*floor.ReduceIn) floor.Answer {
				if asked++; (asked-1)%2 == at || at == 0 {
					return bad
				}
				return reducedTo("", "x")
			})
			result, err := Check(t.Context(), s, Options{Rules: []model.Rule{rule}, Stages: []Stage{talks(talk("a", "b"))}, Once: true})
			require.NoError(t, err)
			require.Equal(t, want, result.Rules[0].Verdict, "generation %d", at+1)
			require.Equal(t, 1, result.Cases)
			if want == Pass {
				require.Positive(t, result.Retention.Refused)
			} else {
				require.Nil(t, result.Retention, "what got no result is not counted as kept or lost")
			}
		}
	}
}
