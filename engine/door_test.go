package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

// quoting is a summarizer that says a text of four tokens, and notes what it
// was given.
func quoting(text string, given *[]string) Summarizer {
	return SummarizerFunc(func(_ context.Context, spans []floor.Span) (string, int64, error) {
		var ids []string
		for _, s := range spans {
			ids = append(ids, s.ID)
		}
		*given = append(*given, strings.Join(ids, "+"))
		return text, 4, nil
	})
}

// refundRequest is refundCase at the library's door.
func refundRequest(s Summarizer) Request {
	in := refundCase()
	return Request{Spans: in.Spans, Required: in.Required, Known: in.Known, BudgetTokens: in.BudgetTokens, Summarizer: s}
}

func TestCompactCommitsWhatIsCertified(t *testing.T) {
	var given []string
	r := refundRequest(quoting("A-17: not to be refunded.", &given))
	result, err := Compact(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, []string{"s1+s2+s3"}, given)
	require.Equal(t, floor.Certified, result.Decision)
	require.Equal(t, int64(4), result.Tokens)
	require.Empty(t, result.Failures)
	require.Len(t, result.Spans, 1)
	s := result.Spans[0]
	require.Equal(t, "summary-1", s.ID)
	require.Equal(t, floor.KindSummary, s.Kind)
	require.Equal(t, floor.Assistant, s.Role)
	require.Equal(t, "A-17: not to be refunded.", s.Text)
	require.Len(t, s.Elements, 2)
	require.Nil(t, s.Elements[0].Lost)
	require.Equal(t, int64(1), s.Lineage.Generation)

	// And again, with more to say: the new summary stands for the old one.
	r.Spans = append(result.Spans, floor.Span{ID: "s4", Kind: floor.KindMessage, Role: floor.User, Tokens: 30, Text: "Later.", Elements: known()})
	result, err = Compact(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, "summary-1+s4", given[1])
	require.Equal(t, "summary-2", result.Spans[0].ID)
	require.Equal(t, int64(2), result.Spans[0].Lineage.Generation)
	require.Equal(t, []floor.Class{floor.Identifier, floor.Negation}, result.Contract.Certified)
}

func TestCompactRefuses(t *testing.T) {
	var given []string
	r := refundRequest(quoting("They said something about an order.", &given))
	r.BudgetTokens = 13
	result, err := Compact(t.Context(), r)
	var violation *FloorViolation
	require.ErrorAs(t, err, &violation)
	require.Zero(t, result)
	require.Equal(t, []floor.Class{floor.Identifier, floor.Negation}, violation.Refusal.MissingClasses)
	require.EqualError(t, err, `compaction refused: 1 tokens over budget; not kept: "identifier", "negation"; `+
		`ways on: "raise_budget", "split_task", "checkpoint", "human"`)

	// The same where the originals can be read again is provisional, and says so.
	r.Conditions = &floor.Conditions{SourceRecoverable: true, ConsumerStrict: true}
	result, err = Compact(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, floor.Provisional, result.Decision)
	require.Equal(t, floor.BasisRecoverable, result.Basis)
	require.True(t, *result.Output[0].Provisional)
	require.True(t, *result.Spans[0].Elements[0].Lost)
	require.Empty(t, result.Contract.Certified)
}

func TestPinnedSpansStay(t *testing.T) {
	var given []string
	r := refundRequest(quoting("A-17: not to be refunded.", &given))
	r.Pins = []string{"s2"}
	result, err := Compact(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, []string{"s1", "s3"}, given)
	require.Equal(t, []string{"s2"}, result.Kept)
	require.Equal(t, []string{"summary-1", "s2", "summary-2"}, []string{result.Spans[0].ID, result.Spans[1].ID, result.Spans[2].ID})

	r.Pins, given = nil, nil
	r.Spans[2].Kind = floor.KindPin
	result, err = Compact(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, []string{"s1+s2"}, given)
	require.Equal(t, []string{"s3"}, result.Kept)
}

func TestWhatFitsIsLeftAlone(t *testing.T) {
	r := refundRequest(SummarizerFunc(func(context.Context, []floor.Span) (string, int64, error) {
		t.Error("nobody had to be asked")
		return "", 0, nil
	}))
	r.BudgetTokens = 30
	result, err := Compact(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, r.Spans, result.Spans)
}

// A summarizer that fails writes no memory, whether it says so or says nothing.
func TestASummarizerThatFails(t *testing.T) {
	broken := errors.New("status 503")
	r := refundRequest(SummarizerFunc(func(context.Context, []floor.Span) (string, int64, error) {
		return "Error: status 503", -1, broken
	}))
	r.Conditions = &floor.Conditions{SourceRecoverable: true}
	_, err := Compact(t.Context(), r)
	var violation *FloorViolation
	require.ErrorAs(t, err, &violation)
	require.ErrorIs(t, err, broken)
	require.ErrorContains(t, err, `the summarizer failed 1 times, first: summarize 3 spans from "s1": status 503`)
	require.Equal(t, int64(10), *violation.Refusal.OverBudgetTokens)

	r.Summarizer = SummarizerFunc(func(context.Context, []floor.Span) (string, int64, error) { return "", 0, nil })
	_, err = Compact(t.Context(), r)
	require.ErrorAs(t, err, &violation)
	require.Empty(t, violation.Failures)

	r.Summarizer = nil
	_, err = Compact(t.Context(), r)
	require.ErrorAs(t, err, &violation)
}

// One stretch of two failed; the other's summary suffices.
func TestAFailureBesideASummary(t *testing.T) {
	calls := 0
	r := refundRequest(SummarizerFunc(func(context.Context, []floor.Span) (string, int64, error) {
		if calls++; calls == 2 {
			return "", 0, errors.New("no quota")
		}
		return "A-17, not to be refunded", 4, nil
	}))
	r.Pins, r.BudgetTokens = []string{"s2"}, 24
	result, err := Compact(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, floor.Certified, result.Decision)
	require.Equal(t, []string{"s2", "s3"}, result.Kept)
	require.Len(t, result.Failures, 1)
}

func TestCompactIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := refundRequest(SummarizerFunc(func(ctx context.Context, _ []floor.Span) (string, int64, error) {
		cancel()
		return "", 0, fmt.Errorf("ask: %w", ctx.Err())
	}))
	_, err := Compact(ctx, r)
	require.Equal(t, context.Canceled, err)
}

func TestRequestsThatAreNone(t *testing.T) {
	asked := SummarizerFunc(func(context.Context, []floor.Span) (string, int64, error) { return "x", -1, nil })
	tests := []struct {
		path   string
		change func(r *Request)
	}{
		{"pins[1]", func(r *Request) { r.Pins = []string{"s1", "s9"} }},
		{"in.budget_tokens", func(r *Request) { r.BudgetTokens = -1 }},
		{"in.spans[1].id", func(r *Request) { r.Spans[1].ID = "s1" }},
		{"in.summaries[0].tokens", func(*Request) {}},
	}
	for _, tt := range tests {
		r := refundRequest(asked)
		tt.change(&r)
		_, err := Compact(t.Context(), r)
		var bad *floor.BadRequest
		require.ErrorAs(t, err, &bad)
		require.Equal(t, tt.path, bad.Path)
	}
}

// A summary's number is larger than any in the context, whoever wrote it.
func TestSummariesAreNumbered(t *testing.T) {
	r := Request{Spans: []floor.Span{{ID: "summary-x"}, {ID: "summary-7"}, {ID: "summary-3"}, {ID: "summary-99999999999999999999"}, {ID: "7"}}}
	require.Equal(t, 8, r.nextSummary())
}

// What a refusal shows of names is bounded and quoted.
func TestAViolationIsReadable(t *testing.T) {
	e := &FloorViolation{Refusal: floor.CompactOut{
		OverBudgetTokens: new(int64(3)), UnknownSpans: []string{"a\x1b[31m", "b", "c", "d", "e", "f", "g"},
		PoisonedSpans: []string{strings.Repeat("p", 100)}, UncleanSummaries: []string{"m"},
	}}
	require.EqualError(t, e, `compaction refused: 3 tokens over budget; elements unknown: "a\x1b[31m", "b", "c", "d", "e" and 2 more; `+
		`ancestry not certified: "`+strings.Repeat("p", 60)+`"; inverting: "m"`)
}

// A refusal leaves the context as it is.
func TestDeliveredAfterARefusal(t *testing.T) {
	in := refundCase()
	in.BudgetTokens = 0
	out, err := CompactSpans(in, floor.Guard)
	require.NoError(t, err)
	require.Equal(t, floor.Refuse, out.Decision)
	require.Equal(t, in.Spans, Delivered(in, out))
}
