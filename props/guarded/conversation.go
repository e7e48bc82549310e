package main

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/hostile"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/props/gen"
	"github.com/floorcheck/floorcheck/props/suite"
)

// mostGenerations is how often a conversation is compacted at most.
const mostGenerations = 3

// What a conversation has at least when it is compacted first: small talk is put
// in front of a shorter one. Without any, most of it is worth keeping, and there
// is little to compact. The generator wants nine characters for a token.
const (
	leastMessages   = 40
	leastCharacters = 9 * leastTokens
	leastTokens     = 300
)

// limits are those of the conversations: with small talk in front, or without.
func limits(talk bool) gen.Limits {
	l := gen.Full(floor.Guard)
	l.Generations = mostGenerations
	if talk {
		l.TriggerMessages, l.TriggerTokens = leastMessages, leastTokens
	}
	return l
}

// A conversation is a planted one as a runtime holds it: in spans.
type conversation struct {
	tape        []int
	generations []generation
	lines       map[string][]hostile.Line // of each span, as a summarizer reads them
	classes     []floor.Class             // of its elements: each is required, so its floor is 1000 permille
}

// A generation is what is said before one compaction, and after the one before.
type generation struct {
	spans []floor.Span
	// stays are spans, older ones too, that no summary is asked of: the newest
	// message of the user, and calls that wait for results.
	stays map[string]bool
}

// draw draws planted conversations, as a check of a black box does. Those that
// the generator leaves short are passed over: a check tests with them that
// nothing is done.
func draw(seed uint64, n int) []conversation {
	stream := uint64(slices.Index(gen.Kinds, gen.KindReduce))
	var out []conversation
	for d := range suite.Seeded(gen.KindReduce, limits(true), seed, stream, math.MaxInt) {
		if len(out) == n {
			break
		}
		if len(d.Case.Steps[0].Reduce.Messages) >= leastMessages {
			out = append(out, inSpans(d))
		}
	}
	return out
}

// inSpans makes a span of each message, and one of calls with those results that
// follow at once. Rules of the system are pins.
func inSpans(d conform.Drawn) conversation {
	c := conversation{tape: d.Tape, lines: map[string][]hostile.Line{}, classes: []floor.Class{}}
	var newest string              // message of the user
	waiting := map[string]string{} // by call that has no result yet: its span
	for step := range d.Case.Steps {
		g := generation{stays: map[string]bool{}}
		messages := d.Case.Steps[step].Reduce.Messages
		for from := 0; from < len(messages); {
			to := from + 1
			for len(messages[from].Calls) > 0 && to < len(messages) && messages[to].Role == floor.Tool {
				to++
			}
			s := floor.Span{ID: "m" + strconv.Itoa(len(c.lines)+1), Kind: kindOf(&messages[from]), Role: messages[from].Role}
			c.lines[s.ID] = hostile.Lines(messages[from:to])
			s.Text = textOf(c.lines[s.ID])
			s.Tokens = tokensOf(s.Text)
			s.Elements = elementsOf(d.Case.Planted.Plants, step, from, to)
			for _, e := range s.Elements {
				c.classes = append(c.classes, e.Class)
			}
			for i := from; i < to; i++ {
				for _, call := range messages[i].Calls {
					waiting[call.ID] = s.ID
				}
				delete(waiting, messages[i].CallID)
			}
			if s.Role == floor.User {
				newest = s.ID
			}
			g.spans = append(g.spans, s)
			from = to
		}
		g.stays[newest] = true
		for _, id := range waiting {
			g.stays[id] = true
		}
		c.generations = append(c.generations, g)
	}
	slices.Sort(c.classes)
	c.classes = slices.Compact(c.classes)
	return c
}

func kindOf(m *floor.Message) floor.Kind {
	switch {
	case m.Role == floor.System:
		return floor.KindPin
	case len(m.Calls) > 0:
		return floor.KindCall
	case m.Role == floor.Tool:
		return floor.KindResult
	}
	return floor.KindMessage
}

func textOf(lines []hostile.Line) string {
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = l.Text
	}
	return strings.Join(texts, "\n")
}

// charactersPerToken is a plain count: what is compared is counted alike.
const charactersPerToken = 4

func tokensOf(text string) int64 {
	return int64((utf8.RuneCountInString(text) + charactersPerToken - 1) / charactersPerToken)
}

// elementsOf are the plants that are said in some messages of a step, but for
// those that are withdrawn, replaced or completed later on: nobody needs them in
// the end.
func elementsOf(plants []floor.Plant, step, from, to int) []floor.Element {
	elements := []floor.Element{}
	for i := range plants {
		p := &plants[i]
		if p.Ended == nil && p.Said.Step == step && from <= p.Said.Message && p.Said.Message < to {
			elements = append(elements, p.Element)
		}
	}
	return elements
}
