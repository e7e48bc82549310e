package history

import (
	"fmt"

	"github.com/floorcheck/floorcheck/floor"
)

// after is the context that an answer leaves: what the runtime would put in the
// place of what it had. The answer is taken at its word: its texts, its
// lineages, what it says is lost. And it is what each of these spans stands for.
// The error says that the answer is none to this request.
func (p *player) after(in *floor.CompactIn, out *floor.CompactOut) ([]floor.Span, error) {
	if out.Decision == floor.Refuse {
		return in.Spans, nil
	}
	spans, summaries := map[string]*floor.Span{}, map[string]*floor.Summary{}
	for i := range in.Spans {
		spans[in.Spans[i].ID] = &in.Spans[i]
	}
	for i := range in.Summaries {
		summaries[in.Summaries[i].ID] = &in.Summaries[i]
	}
	var delivered []floor.Span
	for i := range out.Output {
		part := &out.Output[i]
		span, summary := spans[part.Span], summaries[part.Summary]
		switch {
		case part.Kind == floor.PartSpan && span != nil:
			delivered = append(delivered, *span)
		case part.Kind == floor.PartSummary && summary != nil:
			s := floor.Span{
				ID: summary.ID, Kind: floor.KindSummary, Role: floor.Assistant, Tokens: summary.Tokens,
				Text: part.Text, Elements: []floor.Element{}, Lineage: part.Lineage,
			}
			for j := range out.Evicted {
				gone := spans[out.Evicted[j].Span]
				if out.Evicted[j].Summary != summary.ID || gone == nil {
					continue
				}
				p.behind[s.ID] = append(p.behind[s.ID], p.behind[gone.ID]...)
				if s.Elements == nil || gone.Elements == nil {
					s.Elements = nil // some of it is unknown
					continue
				}
				s.Elements = append(s.Elements, gone.Elements...)
			}
			mark(s.Elements, part.Lost)
			delivered = append(delivered, s)
		default:
			return nil, fmt.Errorf("output[%d] is neither a span nor a summary of the request", i)
		}
	}
	return delivered, nil
}

// mark says of each element whether it is lost.
func mark(elements []floor.Element, lost []string) {
	gone := map[string]bool{}
	for _, id := range lost {
		gone[id] = true
	}
	for i := range elements {
		elements[i].Lost = nil
		if gone[elements[i].ID] {
			is := true
			elements[i].Lost = &is
		}
	}
}
