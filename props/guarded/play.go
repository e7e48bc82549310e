package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/hostile"
	"github.com/floorcheck/floorcheck/conform/reference"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
	"github.com/floorcheck/floorcheck/props/gen"
	"github.com/floorcheck/floorcheck/props/suite"
)

// guard is what is measured: the reference's compaction.
func guard() conform.Subject { return reference.New(floor.Guard) }

// A setting is what conversations are compacted under.
type setting struct {
	permille    int64 // the budget, of the tokens of all that was said so far
	recoverable bool  // the originals can be read again
}

// settings in the order of a tape's choices.
var settings = []setting{{750, false}, {500, false}, {250, false}, {750, true}, {500, true}, {250, true}}

// A player has one summarizer write for one compactor.
type player struct {
	ctx        context.Context
	summarizer hostile.Summarizer
	subject    conform.Subject
	done       *atomic.Int64 // conversations compacted so far, all players together
}

// An event is one compaction.
type event struct {
	generation int
	said       int64 // tokens of all messages so far
	in         *floor.CompactIn
	out        *floor.CompactOut
	left       int64    // tokens of the context after it
	holes      []string // see book.look
}

// play compacts a conversation generation by generation: what an answer leaves
// stands before what is said next. Where there is nothing to summarize yet,
// nothing is asked.
func (p *player) play(c *conversation, set setting) ([]event, error) {
	var events []event
	var standing []floor.Span
	b, said := newBook(), int64(0)
	for g := range c.generations {
		said += spanTokens(c.generations[g].spans)
		standing = append(slices.Clone(standing), c.generations[g].spans...)
		b.add(c.generations[g].spans)
		in := p.request(c, g, standing)
		in.SourceRecoverable, in.BudgetTokens = set.recoverable, said*set.permille/1000
		if len(in.Summaries) == 0 {
			continue
		}
		answers, err := p.subject.Ask(p.ctx, []floor.Request{{Op: floor.OpCompact, Compact: in}})
		switch {
		case err != nil:
			return nil, err
		case answers[0].Err != nil:
			return nil, fmt.Errorf("asked for generation %d: %s", g+1, answers[0].Err.Message)
		case answers[0].Compact == nil:
			return nil, errors.New("no answer")
		}
		e := event{generation: g, said: said, in: in, out: answers[0].Compact}
		e.holes = b.look(e.in, e.out)
		if standing, err = after(e.in, e.out); err != nil {
			return nil, err
		}
		e.left = spanTokens(standing)
		events = append(events, e)
	}
	return events, nil
}

// request asks to fit what stands into a budget of 0. Each stretch between spans
// that stay has a summary; where the summarizer fails in transport, an empty one
// that says so. The consumer is strict and will be compacted again.
func (p *player) request(c *conversation, g int, standing []floor.Span) *floor.CompactIn {
	in := &floor.CompactIn{
		Spans: standing, Required: c.classes, Known: c.classes, Summaries: []floor.Summary{},
		Conditions: floor.Conditions{ConsumerStrict: true, ChainingRisk: true},
	}
	var of []string
	var lines []hostile.Line
	for i := range len(standing) + 1 {
		if i < len(standing) {
			s := &standing[i]
			if s.Kind != floor.KindPin && !c.generations[g].stays[s.ID] {
				of = append(of, s.ID)
				if s.Kind == floor.KindSummary {
					lines = append(lines, hostile.Line{Role: s.Role, Text: s.Text})
				}
				lines = append(lines, c.lines[s.ID]...)
				continue
			}
		}
		if len(of) > 0 {
			id := "s" + strconv.Itoa(g+1) + "." + strconv.Itoa(len(in.Summaries)+1)
			in.Summaries = append(in.Summaries, p.summary(id, of, lines))
			of, lines = nil, nil
		}
	}
	return in
}

func (p *player) summary(id string, of []string, lines []hostile.Line) floor.Summary {
	text, err := p.summarizer.Summarize(lines)
	if err != nil {
		return floor.Summary{ID: id, Of: of, Status: floor.StatusError}
	}
	return floor.Summary{ID: id, Of: of, Text: text, Tokens: tokensOf(text), Status: floor.StatusOK}
}

// after is the context that an answer leaves. It is taken at its word: its
// lineages, and what it says is lost.
func after(in *floor.CompactIn, out *floor.CompactOut) ([]floor.Span, error) {
	if out.Decision == floor.Refuse {
		return in.Spans, nil
	}
	var spans []floor.Span
	for i := range out.Output {
		part := &out.Output[i]
		if part.Kind == floor.PartSpan {
			at := slices.IndexFunc(in.Spans, func(s floor.Span) bool { return s.ID == part.Span })
			if at < 0 {
				return nil, fmt.Errorf("output[%d] is no span of the request", i)
			}
			spans = append(spans, in.Spans[at])
			continue
		}
		at := slices.IndexFunc(in.Summaries, func(s floor.Summary) bool { return s.ID == part.Summary })
		if at < 0 {
			return nil, fmt.Errorf("output[%d] is no summary of the request", i)
		}
		s := floor.Span{
			ID: part.Summary, Kind: floor.KindSummary, Role: floor.Assistant, Tokens: in.Summaries[at].Tokens,
			Text: part.Text, Elements: []floor.Element{}, Lineage: part.Lineage,
		}
		for _, replaced := range replacedBy(in, out, part.Summary) {
			for _, e := range replaced.Elements {
				e.Lost = nil
				if slices.Contains(part.Lost, e.ID) {
					e.Lost = new(true)
				}
				s.Elements = append(s.Elements, e)
			}
		}
		spans = append(spans, s)
	}
	return spans, nil
}

// replacedBy are the spans that went under a summary, in their order.
func replacedBy(in *floor.CompactIn, out *floor.CompactOut, summary string) (spans []*floor.Span) {
	for i := range in.Spans {
		gone := slices.ContainsFunc(out.Evicted, func(e floor.Evicted) bool {
			return e.Span == in.Spans[i].ID && e.Summary == summary
		})
		if gone {
			spans = append(spans, &in.Spans[i])
		}
	}
	return spans
}

// Counts are of events under one kind of conditions.
type counts struct {
	events      int
	certified   int
	replacing   int // of certified, those in which something went
	provisional int
	refused     int
	said, left  int64 // tokens: of all that was said, and of what the context is after the event
	holes       int
}

func (n *counts) add(o counts) {
	n.events += o.events
	n.certified += o.certified
	n.replacing += o.replacing
	n.provisional += o.provisional
	n.refused += o.refused
	n.said += o.said
	n.left += o.left
	n.holes += o.holes
}

func (n *counts) count(e *event) {
	n.events++
	switch e.out.Decision {
	case floor.Refuse:
		n.refused++
	case floor.Provisional:
		n.provisional++
	default:
		n.certified++
		if len(e.out.Evicted) > 0 {
			n.replacing++
		}
	}
	n.holes += len(e.holes)
	n.said += e.said
	n.left += e.left
}

func spanTokens(spans []floor.Span) (sum int64) {
	for i := range spans {
		sum += spans[i].Tokens
	}
	return sum
}

// permille is how much of what was said is left, in tokens.
func (n *counts) permille() int64 { return 1000 * n.left / max(n.said, 1) }

// A played is what came of one summarizer and one compactor.
type played struct {
	gone, kept counts // where the originals cannot be read again, and where they can
	rules      []conform.RuleResult
}

func (p *played) all() counts {
	sum := p.gone
	sum.add(p.kept)
	return sum
}

// wrong is how often a rule objected, all rules together.
func (p *played) wrong() (n int) {
	for i := range p.rules {
		n += p.rules[i].Wrong
	}
	return n
}

func (p *played) rule(id string) conform.RuleResult {
	for i := range p.rules {
		if p.rules[i].Rule.ID == id {
			return p.rules[i]
		}
	}
	return conform.RuleResult{}
}

// compactRules are the rules that every event is judged by.
func compactRules() []model.Rule {
	return slices.DeleteFunc(model.Rules(), func(r model.Rule) bool { return r.Op != floor.OpCompact })
}

// check plays the conversations under every setting. The requests that come of
// it are what the loop asks once more, judges by these rules, and shrinks.
func (p *player) check(drawn []conversation, rules []model.Rule, shrink int) (played, error) {
	var out played
	var failure error
	stage := conform.Stage{
		Name: p.summarizer.ID, Op: floor.OpCompact, Twins: true, Decode: p.decode,
		Cases: func(yield func(conform.Drawn) bool) {
			for i := range drawn {
				for at, set := range settings {
					events, err := p.play(&drawn[i], set)
					if err != nil {
						failure = fmt.Errorf("conversation %d at %d permille: %w", i, set.permille, err)
						return
					}
					for j := range events {
						if set.recoverable {
							out.kept.count(&events[j])
						} else {
							out.gone.count(&events[j])
						}
						tape := slices.Concat([]int{at, events[j].generation}, drawn[i].tape)
						if !yield(conform.Drawn{Case: caseOf(events[j].in), Tape: tape}) {
							return
						}
					}
					p.done.Add(1)
				}
			}
		},
	}
	result, err := conform.Check(p.ctx, p.subject, conform.Options{
		Rules: rules, Stages: []conform.Stage{stage}, Once: true,
		ShrinkCalls: shrink, ShrinkTime: time.Hour,
	})
	out.rules = result.Rules
	return out, errors.Join(failure, err)
}

func caseOf(in *floor.CompactIn) floor.Case {
	return floor.Case{Policy: floor.Guard, Steps: []floor.Request{{Op: floor.OpCompact, Compact: in}}}
}

// decode makes a request of a tape: the setting, the generation, and the choices
// of the conversation, this time without small talk in front. Where there is no
// such request, it is one about nothing.
func (p *player) decode(tape []int) conform.Drawn {
	const ahead = 2
	choice := func(i, below int) int {
		if i >= len(tape) {
			return 0
		}
		return min(max(tape[i], 0), below-1)
	}
	at, generation := choice(0, len(settings)), choice(1, mostGenerations)
	d := suite.DecoderUnder(gen.KindReduce, limits(false))(tape[min(ahead, len(tape)):])
	for i := range d.Spans {
		d.Spans[i][0] += ahead
		d.Spans[i][1] += ahead
	}
	c := inSpans(d)
	d.Tape = slices.Concat([]int{at, generation}, d.Tape)
	d.Case = caseOf(&floor.CompactIn{Spans: []floor.Span{}, Required: c.classes, Known: c.classes, Summaries: []floor.Summary{}})
	events, err := p.play(&c, settings[at])
	if err != nil {
		return d
	}
	for i := range events {
		if events[i].generation <= generation {
			d.Case = caseOf(events[i].in)
		}
	}
	return d
}
