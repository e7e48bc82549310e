package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/hostile"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

// few is what the tests measure once: enough that every summarizer has something
// to spoil.
const few = 6

var measuredOnce = sync.OnceValues(func() (*measured, error) { return measure(context.Background(), small(few)) })

func small(n int) options {
	return options{n: n, seed: seed, shrink: 40, every: time.Minute, progress: io.Discard}
}

func measuredFew(t *testing.T) *measured {
	t.Helper()
	m, err := measuredOnce()
	require.NoError(t, err)
	require.Len(t, m.rows, len(hostile.All()))
	return m
}

// harms says whether a summarizer loses or inverts something, by its catalogue.
func harms(t *testing.T, id string) bool {
	s, ok := hostile.Lookup(id)
	require.True(t, ok, id)
	return slices.Contains(s.Trips, "reduce/no-silent-loss") || slices.Contains(s.Trips, "reduce/no-inversion")
}

func TestTheGuardLeavesNothingUnmarkedBelowAFloor(t *testing.T) {
	m := measuredFew(t)
	for i := range m.rows {
		r := &m.rows[i]
		for _, rule := range r.guard.rules {
			require.Zero(t, rule.Wrong, "%s: %s", r.id, rule.Rule.ID)
		}
		all := r.guard.all()
		require.Zero(t, all.holes, r.id)
		require.Equal(t, all.events, all.certified+all.provisional+all.refused, r.id)
		require.Zero(t, r.guard.gone.provisional, "%s: nothing can be read again", r.id)
		require.Equal(t, harms(t, r.id), r.guard.rule(failed).Applied > 0, "%s fails spans", r.id)
	}
	require.NoError(t, m.held())
	sum := m.sum().guard
	for _, rule := range sum.rules {
		if rule.Rule.ID != "compact/class-known" && rule.Rule.ID != "compact/fail-closed" { // no such request is among them
			require.Positive(t, rule.Applied, rule.Rule.ID)
		}
	}
	require.Positive(t, sum.kept.provisional)
	require.Positive(t, sum.gone.refused)
}

// Whose summaries keep everything, and are shorter, is not refused for being one
// of these.
func TestWhoKeepsEverythingIsCertified(t *testing.T) {
	m := measuredFew(t)
	for i := range m.rows {
		r := &m.rows[i]
		if slices.Contains([]string{"perfect", "role-raised", "invent"}, r.id) {
			require.Positive(t, r.guard.gone.replacing, r.id)
			require.Equal(t, r.guard.gone, r.guard.kept, "%s: nothing hangs on the originals", r.id)
		}
	}
}

func TestTheNaiveCompactorIsCaughtTwice(t *testing.T) {
	m := measuredFew(t)
	for i := range m.rows {
		r := &m.rows[i]
		require.Equal(t, harms(t, r.id), r.naive.rule(failed).Wrong > 0, "%s: by a rule", r.id)
		require.Equal(t, harms(t, r.id), r.naive.all().holes > 0, "%s: by the look", r.id)
	}
	var broken []string
	for _, rule := range m.sum().naive.rules {
		if rule.Wrong > 0 {
			broken = append(broken, rule.Rule.ID)
		}
	}
	require.Contains(t, broken, "compact/floor")
	unguarded := &measured{}
	for _, r := range m.rows {
		unguarded.rows = append(unguarded.rows, row{id: r.id, guard: r.naive})
	}
	require.ErrorContains(t, unguarded.held(), "drop-class: the guard broke compact/floor")
	require.ErrorContains(t, unguarded.held(), "drop-class: the guard left")
	var told []string
	for _, f := range m.smallest {
		told = append(told, f.Rule.ID)
		require.Equal(t, conform.Fail, f.Counterexample.Verdict, f.Rule.ID)
		found := m.rows[m.breakers(f.Rule.ID)[0]].naive.rule(f.Rule.ID).Counterexample
		require.LessOrEqual(t, f.Counterexample.Size, found.Size, f.Rule.ID)
		if f.Rule.ID == "compact/floor" {
			require.Less(t, f.Counterexample.Size, found.Size, "it was not shrunk")
		}
	}
	require.Equal(t, broken, told)
}

// What the look does not see, it must not be trusted with.
func TestTheLookSeesWhatLeaks(t *testing.T) {
	tests := []struct {
		name       string
		summarizer string
		leak       func(*floor.CompactOut) // from a right answer
	}{
		{"a mark is left out", "fluent", func(out *floor.CompactOut) {
			for i := range out.Output {
				if out.Output[i].Kind == floor.PartSummary {
					out.Output[i].Provisional = new(false)
				}
			}
		}},
		{"a mark is left out, and nothing is said to be lost", "drop-class", func(out *floor.CompactOut) {
			for i := range out.Output {
				out.Output[i].Provisional, out.Output[i].Lost = nil, nil
			}
		}},
		{"what was kept does not arrive", "fluent", func(out *floor.CompactOut) {
			out.Output = slices.DeleteFunc(out.Output, func(p floor.Part) bool { return p.Kind == floor.PartSpan })
		}},
	}
	drawn := draw(seed, 4*few)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			right := guard()
			leaky := conform.InProcess(conform.Hello{Name: "leaky", Policy: floor.Guard}, conform.Funcs{
				Compact: func(in *floor.CompactIn) (floor.CompactOut, error) {
					answers, err := right.Ask(t.Context(), caseOf(in).Steps)
					if err != nil {
						return floor.CompactOut{}, err
					}
					out := *answers[0].Compact
					tt.leak(&out)
					return out, nil
				},
			})
			require.Zero(t, holesOf(t, tt.summarizer, right, drawn))
			require.Positive(t, holesOf(t, tt.summarizer, leaky, drawn))
		})
	}
}

func holesOf(t *testing.T, summarizer string, s conform.Subject, drawn []conversation) (n int) {
	t.Helper()
	for _, e := range eventsOf(t, summarizer, s, drawn) {
		n += len(e.holes)
	}
	return n
}

func eventsOf(t *testing.T, summarizer string, s conform.Subject, drawn []conversation) (all []event) {
	t.Helper()
	p := &player{ctx: t.Context(), subject: s, done: new(atomic.Int64)}
	p.summarizer, _ = hostile.Lookup(summarizer)
	for i := range drawn {
		for _, set := range settings {
			events, err := p.play(&drawn[i], set)
			require.NoError(t, err)
			all = append(all, events...)
		}
	}
	return all
}

// The judge has the same idea of what an answer leaves.
func TestAfter(t *testing.T) {
	compared, chained := 0, 0
	for _, summarizer := range []string{"perfect", "drop-one", "fluent", "cut-stream"} {
		for _, e := range eventsOf(t, summarizer, guard(), draw(seed, 2*few)) {
			got, err := after(e.in, e.out)
			require.NoError(t, err)
			require.Equal(t, model.SpansAfter(e.in, e.out), got)
			require.Equal(t, spanTokens(got), e.left)
			compared++
			for i := range e.in.Spans {
				if e.in.Spans[i].Lineage != nil {
					chained++
					break
				}
			}
		}
	}
	require.Greater(t, compared, 200)
	require.Greater(t, chained, 20)
}

func TestConversations(t *testing.T) {
	elements, again := 0, 0
	for _, c := range draw(seed, 4*few) {
		ids, calls := map[string]bool{}, 0
		for g, gen := range c.generations {
			for i := range gen.spans {
				s := &gen.spans[i]
				require.False(t, ids[s.ID])
				ids[s.ID] = true
				for _, e := range s.Elements {
					require.Equal(t, model.Retained, model.Retain(e, []string{s.Text}), "%s of %q", e.ID, s.Text)
					require.Contains(t, c.classes, e.Class)
					elements++
				}
				if s.Kind == floor.KindCall {
					calls++
				}
			}
			for id := range gen.stays {
				require.True(t, ids[id], "%s was not said yet", id)
			}
			if g > 0 {
				again++
			}
		}
		require.GreaterOrEqual(t, len(c.generations[0].spans)+calls, leastMessages/2)
		require.LessOrEqual(t, len(c.generations), mostGenerations)
	}
	require.Greater(t, elements, 50)
	require.Greater(t, again, 5)
}

func TestCallsStayUntilTheirResultsAreThere(t *testing.T) {
	call := floor.Message{Role: floor.Assistant, Calls: []floor.Call{{ID: "c1", Name: "look", Args: []byte(`{"at":"one"}`)}, {ID: "c2", Name: "look", Args: []byte(`{}`)}}}
	result := func(id string) floor.Message { return floor.Message{Role: floor.Tool, Text: "seen", CallID: id} }
	user := floor.Message{Role: floor.User, Text: "Look."}
	step := func(messages ...floor.Message) floor.Request {
		return floor.Request{Op: floor.OpReduce, Reduce: &floor.ReduceIn{Messages: messages}}
	}
	c := inSpans(conform.Drawn{Case: floor.Case{
		Steps: []floor.Request{step(user, call, result("c1")), step(result("c2"), user)},
		Planted: &floor.Planted{Plants: []floor.Plant{
			{Element: floor.Element{ID: "p1", Class: floor.Literal, Forms: []string{"seen"}}, Said: floor.Place{Step: 0, Message: 2}},
			{Element: floor.Element{ID: "p2", Class: floor.Status, Forms: []string{"look"}}, Said: floor.Place{Step: 0, Message: 0}, Ended: &floor.Ended{By: "p1"}},
		}},
	}})
	require.Equal(t, map[string]bool{"m1": true, "m2": true}, c.generations[0].stays, "the newest message of the user, and the call")
	require.Equal(t, map[string]bool{"m4": true}, c.generations[1].stays)
	require.Equal(t, "one\nseen", c.generations[0].spans[1].Text)
	require.Equal(t, floor.KindResult, c.generations[1].spans[0].Kind)
	require.Empty(t, c.generations[0].spans[0].Elements, "it was ended")
	require.Equal(t, "p1", c.generations[0].spans[1].Elements[0].ID)
	require.Equal(t, []floor.Class{floor.Literal}, c.classes)
}

func TestEqualSeedsGiveEqualPages(t *testing.T) {
	var pages [2]bytes.Buffer
	for i := range pages {
		m, err := measure(t.Context(), small(1))
		require.NoError(t, err)
		require.NoError(t, m.write(&pages[i]))
	}
	require.Equal(t, pages[0].String(), pages[1].String())
}

func TestACounterexampleEndsNoBlock(t *testing.T) {
	var page bytes.Buffer
	require.NoError(t, measuredFew(t).write(&page))
	require.Equal(t, 2*len(measuredFew(t).smallest), strings.Count(page.String(), "\n```"))
}

func TestTheCommittedPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(pagePath)))
	require.NoError(t, err)
	require.Contains(t, string(page), madeWith(seed, conversations), "run make hostile")
	require.Contains(t, string(page), "rules objected 0 times, and there were 0 holes")
	for _, s := range hostile.All() {
		require.Equal(t, 2, strings.Count(string(page), "\n| "+s.ID+" |"), "run make hostile")
	}
}
