package main

import (
	"fmt"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

// A book holds what the originals of one conversation said, whatever became of
// them. It knows of no rule.
type book struct {
	behind map[string][]floor.Element // by span, also those that are summaries: of the originals that it stands for
	lost   map[string]bool            // elements that an answer said are lost, when it marked its summaries
}

func newBook() *book { return &book{map[string][]floor.Element{}, map[string]bool{}} }

func (b *book) add(originals []floor.Span) {
	for i := range originals {
		b.behind[originals[i].ID] = originals[i].Elements
	}
}

// look reads what is delivered. In each part that carries no mark, every element
// that it stands for has to be literally retained, and where no part carries one,
// every element in all parts together; but for what was lost under a mark before,
// and is said to be. A mark is the word provisional, or an older summary's
// lineage. All classes are guarded. A hole names its element, each once.
func (b *book) look(in *floor.CompactIn, out *floor.CompactOut) (holes []string) {
	if out.Decision == floor.Refuse {
		return nil
	}
	var texts, lost []string
	marks, found := false, map[string]bool{}
	want := func(elements []floor.Element, parts []string, where string) {
		for _, e := range elements {
			if is := model.Retain(e, parts); is != model.Retained && !b.lost[e.ID] && !found[e.ID] {
				found[e.ID] = true
				holes = append(holes, fmt.Sprintf("%s %s in %s", e.ID, is, where))
			}
		}
	}
	for i := range out.Output {
		part := &out.Output[i]
		texts = append(texts, part.Text)
		stands, marked := b.behind[part.Span], b.isMarked(in, part)
		if part.Kind == floor.PartSummary {
			stands = nil
			for _, s := range replacedBy(in, out, part.Summary) {
				stands = append(stands, b.behind[s.ID]...)
			}
			b.behind[part.Summary] = stands
		}
		if marked {
			marks = true
			lost = append(lost, part.Lost...)
			continue
		}
		want(stands, []string{part.Text}, "its part")
	}
	for i := range in.Spans {
		if !marks {
			want(b.behind[in.Spans[i].ID], texts, "all parts")
		}
	}
	for _, id := range lost {
		b.lost[id] = true
	}
	return holes
}

func (b *book) isMarked(in *floor.CompactIn, part *floor.Part) bool {
	if part.Kind == floor.PartSummary {
		return part.Provisional != nil && *part.Provisional
	}
	i := slices.IndexFunc(in.Spans, func(s floor.Span) bool { return s.ID == part.Span })
	if i < 0 || in.Spans[i].Kind != floor.KindSummary {
		return false
	}
	l := in.Spans[i].Lineage
	return l == nil || !l.AncestryCertified || l.Decision != floor.Certified
}
