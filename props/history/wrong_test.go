package history

import (
	"maps"
	"slices"

	"github.com/floorcheck/floorcheck/engine"
	"github.com/floorcheck/floorcheck/floor"
)

// A wrong is a way to answer that is mistaken somewhere. Each is the engine,
// asked about something else than it was, or with its answer changed.
type wrong struct {
	name   string
	asks   func(in *floor.CompactIn)                        // changes a copy of the request
	answer func(in *floor.CompactIn, out *floor.CompactOut) // changes its answer
}

func (w wrong) compact(in *floor.CompactIn, p floor.Policy) (floor.CompactOut, error) {
	asked := copied(in)
	if w.asks != nil {
		w.asks(asked)
	}
	out, err := engine.CompactSpans(asked, p)
	if err != nil {
		return out, err
	}
	for i := range out.Output { // what is kept is kept as it was
		part := &out.Output[i]
		if at := slices.IndexFunc(in.Spans, func(s floor.Span) bool { return s.ID == part.Span }); part.Kind == floor.PartSpan && at >= 0 {
			part.Text = in.Spans[at].Text
		}
	}
	if w.answer != nil {
		w.answer(in, &out)
	}
	return out, nil
}

func copied(in *floor.CompactIn) *floor.CompactIn {
	out := *in
	out.Spans, out.Known, out.FloorsPermille = slices.Clone(in.Spans), slices.Clone(in.Known), maps.Clone(in.FloorsPermille)
	for i := range out.Spans {
		s := &out.Spans[i]
		s.Elements = slices.Clone(s.Elements)
		if s.Lineage != nil {
			l := *s.Lineage
			l.Effective = slices.Clone(l.Effective)
			s.Lineage = &l
		}
	}
	return &out
}

func eachElement(change func(e *floor.Element)) func(in *floor.CompactIn) {
	return func(in *floor.CompactIn) {
		for i := range in.Spans {
			for j := range in.Spans[i].Elements {
				change(&in.Spans[i].Elements[j])
			}
		}
	}
}

func eachLineage(change func(s *floor.Span)) func(in *floor.CompactIn) {
	return func(in *floor.CompactIn) {
		for i := range in.Spans {
			if in.Spans[i].Lineage != nil {
				change(&in.Spans[i])
			}
		}
	}
}

// counted is how much of a class a span's elements hold that are not lost.
func counted(s *floor.Span, class floor.Class) floor.Fidelity {
	f := floor.Fidelity{Class: class}
	for _, e := range s.Elements {
		if e.Class == class {
			f.Total++
			if e.Lost == nil || !*e.Lost {
				f.Retained++
			}
		}
	}
	return f
}

var wrongs = []wrong{
	{name: "no lineage is looked at: a summary is one more message", asks: func(in *floor.CompactIn) {
		for i := range in.Spans {
			s := &in.Spans[i]
			s.Kind, s.Lineage = floor.KindMessage, nil
			for j := range s.Elements {
				s.Elements[j].Lost = nil
			}
		}
	}},
	{name: "what was lost is there again when it is named again", asks: func(in *floor.CompactIn) {
		eachElement(func(e *floor.Element) { e.Lost = nil })(in)
		eachLineage(func(s *floor.Span) {
			for i, f := range s.Lineage.Effective {
				if s.Elements != nil {
					s.Lineage.Effective[i] = counted(s, f.Class)
				}
			}
		})(in)
	}},
	{name: "old summaries are not read again", asks: eachLineage(func(s *floor.Span) { s.Text = "…" })},
	{name: "a provisional ancestor is forgotten", asks: eachLineage(func(s *floor.Span) {
		s.Lineage.Decision, s.Lineage.AncestryCertified = floor.Certified, true
	})},
	{name: "a class that a lineage leaves out is whole", asks: eachLineage(func(s *floor.Span) {
		for _, class := range classes {
			if !slices.ContainsFunc(s.Lineage.Effective, func(f floor.Fidelity) bool { return f.Class == class }) {
				s.Lineage.Effective = append(s.Lineage.Effective, counted(s, class))
			}
		}
	})},
	{name: "unknown elements are none", asks: func(in *floor.CompactIn) {
		for i := range in.Spans {
			in.Spans[i].Elements = append([]floor.Element{}, in.Spans[i].Elements...)
		}
	}},
	{name: "every class was looked for", asks: func(in *floor.CompactIn) { in.Known = append(in.Known, classes...) }},
	{name: "polarity is not compared", asks: eachElement(func(e *floor.Element) { e.Inverted = nil })},
	{name: "identifiers are compared as words are", asks: eachElement(func(e *floor.Element) { e.Match = floor.Folded })},
	{name: "two thirds are enough", asks: func(in *floor.CompactIn) {
		floors := map[floor.Class]int64{}
		for _, class := range in.Required {
			floors[class] = 667
		}
		maps.Copy(floors, in.FloorsPermille)
		in.FloorsPermille = floors
	}},
	{name: "the contract is the decision", answer: func(in *floor.CompactIn, out *floor.CompactOut) {
		if out.Decision == floor.Certified {
			out.Contract.Certified = in.Required
		}
	}},
	{name: "a provisional decision certifies", answer: func(in *floor.CompactIn, out *floor.CompactOut) {
		if out.Decision == floor.Provisional {
			out.Contract.Certified = in.Required
		}
	}},
	{name: "the contract of the newest summaries alone", answer: func(in *floor.CompactIn, out *floor.CompactOut) {
		if out.Decision != floor.Certified || len(out.Evicted) == 0 {
			return
		}
		out.Contract.Certified = slices.Clone(in.Required)
		for _, part := range out.Output {
			if part.Kind != floor.PartSummary {
				continue
			}
			out.Contract.Certified = slices.DeleteFunc(out.Contract.Certified, func(class floor.Class) bool {
				return !slices.ContainsFunc(part.Lineage.Effective, func(f floor.Fidelity) bool { return f.Class == class && f.Retained == f.Total })
			})
		}
	}},
	{name: "what was kept last does not arrive", answer: func(_ *floor.CompactIn, out *floor.CompactOut) {
		if n := len(out.Output); n > 1 && out.Output[n-1].Kind == floor.PartSpan {
			out.Output = out.Output[:n-1]
		}
	}},
	{name: "texts are cut after they were certified", answer: func(_ *floor.CompactIn, out *floor.CompactOut) {
		for i := range out.Output {
			text := []rune(out.Output[i].Text)
			out.Output[i].Text = string(text[:min(len(text), 30)])
		}
	}},
}
