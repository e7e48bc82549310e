package engine

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// A Summarizer says what spans say in fewer words: a model, usually.
type Summarizer interface {
	// Summarize gives the summary and its tokens, counted as those of the spans
	// are. It does not change the spans. After an error, or an empty text,
	// nothing goes under the summary.
	Summarize(ctx context.Context, spans []floor.Span) (text string, tokens int64, err error)
}

// A SummarizerFunc is a function that is a Summarizer.
type SummarizerFunc func(ctx context.Context, spans []floor.Span) (text string, tokens int64, err error)

// Summarize calls f.
func (f SummarizerFunc) Summarize(ctx context.Context, spans []floor.Span) (string, int64, error) {
	return f(ctx, spans)
}

// A Request asks Compact to fit a context into a budget.
type Request struct {
	Spans          []floor.Span          // the context, oldest first
	Pins           []string              // ids of spans that stay whatever goes, as spans of kind pin do
	Required       []floor.Class         // what the next consumer needs
	Known          []floor.Class         // what the spans' elements were looked for
	FloorsPermille map[floor.Class]int64 // 0 to 1000; a required class without one has 1000
	Conditions     *floor.Conditions     // nil is the worst case: nothing can be read again, and everything is at stake
	Policy         floor.Policy          // guard where it is ""
	BudgetTokens   int64                 // for all of the result
	Summarizer     Summarizer            // nil writes none
}

// A Result is the shorter context. Decision says how far it can be trusted: of a
// provisional one each new summary is marked.
type Result struct {
	floor.CompactOut
	Spans    []floor.Span // as they are delivered: those that were kept, and summaries; what the next Compact is given
	Tokens   int64        // of Spans
	Failures []error      // of the summarizer, one a summary that it did not write
}

// A FloorViolation says that no context could be made that keeps what has to be
// kept, within the budget. Nothing was changed.
type FloorViolation struct {
	Refusal  floor.CompactOut // the reasons, and the ways on
	Failures []error          // of the summarizer
}

func (e *FloorViolation) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "compaction refused: %d tokens over budget", *e.Refusal.OverBudgetTokens)
	because(&b, "not kept", e.Refusal.MissingClasses)
	because(&b, "elements unknown", e.Refusal.UnknownSpans)
	because(&b, "ancestry not certified", e.Refusal.PoisonedSpans)
	because(&b, "inverting", e.Refusal.UncleanSummaries)
	because(&b, "ways on", e.Refusal.Escalations)
	if len(e.Failures) > 0 {
		fmt.Fprintf(&b, "; the summarizer failed %d times, first: %v", len(e.Failures), e.Failures[0])
	}
	return b.String()
}

// Unwrap gives the failures of the summarizer.
func (e *FloorViolation) Unwrap() []error { return e.Failures }

// because writes a list of names, which may be hostile: few, short and quoted.
func because[T ~string](b *strings.Builder, what string, names []T) {
	const most, longest = 5, 60
	if len(names) == 0 {
		return
	}
	fmt.Fprintf(b, "; %s:", what)
	for i, name := range names[:min(len(names), most)] {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, " %.*q", longest, string(name))
	}
	if more := len(names) - most; more > 0 {
		fmt.Fprintf(b, " and %d more", more)
	}
}

// Compact fits a context into a budget, or refuses. What fits is left as it is.
// Otherwise each stretch of spans between pinned ones is offered to the
// summarizer, and CompactSpans decides what goes. The error is a *FloorViolation
// for a refusal, a *floor.BadRequest for a request that is none, or the
// context's.
func Compact(ctx context.Context, r Request) (Result, error) {
	in := &floor.CompactIn{
		Spans: r.Spans, Required: r.Required, Known: r.Known, FloorsPermille: r.FloorsPermille,
		Conditions:   floor.Conditions{ConsumerStrict: true, ChainingRisk: true, SideEffectCostExceedsRefusal: true},
		BudgetTokens: r.BudgetTokens,
	}
	if r.Conditions != nil {
		in.Conditions = *r.Conditions
	}
	stretches, err := r.stretches()
	if err != nil {
		return Result{}, err
	}
	out, err := CompactSpans(in, r.Policy) // before a model is paid for
	var failures []error
	if err == nil && out.Decision == floor.Refuse && r.Summarizer != nil {
		if in.Summaries, failures, err = r.summaries(ctx, stretches); err == nil {
			out, err = CompactSpans(in, r.Policy)
		}
	}
	switch {
	case err != nil:
		return Result{}, err
	case out.Decision == floor.Refuse:
		return Result{}, &FloorViolation{out, failures}
	}
	spans := Delivered(in, out)
	return Result{out, spans, tokensOf(spans), failures}, nil
}

func tokensOf(spans []floor.Span) (sum int64) {
	for i := range spans {
		sum += spans[i].Tokens
	}
	return sum
}

// stretches are the spans that may go, cut where one is pinned.
func (r *Request) stretches() (out [][]floor.Span, err error) {
	pinned := make(map[string]bool, len(r.Pins))
	for i, id := range r.Pins {
		if !slices.ContainsFunc(r.Spans, func(s floor.Span) bool { return s.ID == id }) {
			return nil, &floor.BadRequest{Path: fmt.Sprintf("pins[%d]", i), Problem: fmt.Sprintf("%.60q is no span", id)}
		}
		pinned[id] = true
	}
	from := 0
	for to := range len(r.Spans) + 1 {
		if to < len(r.Spans) && r.Spans[to].Kind != floor.KindPin && !pinned[r.Spans[to].ID] {
			continue
		}
		if from < to {
			out = append(out, slices.Clone(r.Spans[from:to]))
		}
		from = to + 1
	}
	return out, nil
}

// summaries has a summary written for each stretch.
func (r *Request) summaries(ctx context.Context, stretches [][]floor.Span) (out []floor.Summary, failures []error, err error) {
	next := r.nextSummary()
	for i, spans := range stretches {
		s := floor.Summary{ID: summaryPrefix + strconv.Itoa(next+i), Status: floor.StatusOK}
		for k := range spans {
			s.Of = append(s.Of, spans[k].ID)
		}
		var failure error
		if s.Text, s.Tokens, failure = r.Summarizer.Summarize(ctx, spans); failure != nil {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			s.Text, s.Tokens, s.Status = "", 0, floor.StatusError
			failures = append(failures, fmt.Errorf("summarize %d spans from %.60q: %w", len(spans), spans[0].ID, failure))
		}
		out = append(out, s)
	}
	return out, failures, nil
}

const summaryPrefix = "summary-"

// nextSummary is one more than the largest number among the summaries of the
// context: as each replaces those before it, no number comes again.
func (r *Request) nextSummary() int {
	most := 0
	for i := range r.Spans {
		if digits, ours := strings.CutPrefix(r.Spans[i].ID, summaryPrefix); ours {
			if n, err := strconv.ParseInt(digits, 10, 32); err == nil {
				most = max(most, int(n))
			}
		}
	}
	return most + 1
}

// Delivered is the context that an answer of CompactSpans makes of its request:
// the spans that were kept as they were, and each summary that was used as a
// span of kind summary and role assistant. Its elements are all those of what it
// replaced, with those marked that it does not keep; they are unknown if any of
// what it replaced is. A refusal changes nothing.
func Delivered(in *floor.CompactIn, out floor.CompactOut) []floor.Span {
	if out.Decision == floor.Refuse {
		return slices.Clone(in.Spans)
	}
	spans := make(map[string]*floor.Span, len(in.Spans))
	for i := range in.Spans {
		spans[in.Spans[i].ID] = &in.Spans[i]
	}
	tokens := make(map[string]int64, len(in.Summaries))
	for _, s := range in.Summaries {
		tokens[s.ID] = s.Tokens
	}
	replaced := make(map[string][]*floor.Span, len(in.Summaries))
	for _, e := range out.Evicted {
		replaced[e.Summary] = append(replaced[e.Summary], spans[e.Span])
	}
	delivered := make([]floor.Span, 0, len(out.Output))
	for _, part := range out.Output {
		if part.Kind == floor.PartSpan {
			delivered = append(delivered, *spans[part.Span])
			continue
		}
		delivered = append(delivered, floor.Span{
			ID: part.Summary, Kind: floor.KindSummary, Role: floor.Assistant, Tokens: tokens[part.Summary], Text: part.Text,
			Elements: union(replaced[part.Summary], part.Lost), Lineage: part.Lineage,
		})
	}
	return delivered
}

// union is the elements of spans, those marked that are lost by now.
func union(spans []*floor.Span, lost []string) []floor.Element {
	gone := make(map[string]bool, len(lost))
	for _, id := range lost {
		gone[id] = true
	}
	all := []floor.Element{}
	for _, s := range spans {
		if s.Elements == nil {
			return nil
		}
		for _, e := range s.Elements {
			e.Lost = nil
			if gone[e.ID] {
				e.Lost = new(true)
			}
			all = append(all, e)
		}
	}
	return all
}
