package vector

import (
	"context"
	"slices"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/blackbox"
	"github.com/floorcheck/floorcheck/conform/hostile"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

// believing takes every summary at its word: whatever is required is kept, and
// whatever has a summary goes under it. It is how a runtime behaves that looks at
// no text.
func believing() conform.Subject {
	return conform.InProcess(conform.Hello{Name: "believing", Version: "1", Language: "go"}, conform.Funcs{
		Certify: believeDelivery, Compact: believeSummaries,
	})
}

func believeDelivery(in *floor.CertifyIn) (floor.CertifyOut, error) {
	return floor.CertifyOut{
		Certified: in.Required, Fidelity: believed(in.Required, in.Source),
		Lost: []string{}, Inverted: []string{}, Fabricated: []string{},
	}, nil
}

func believeSummaries(in *floor.CompactIn) (floor.CompactOut, error) {
	under := map[string]int{}
	for i, s := range in.Summaries {
		for _, id := range s.Of {
			under[id] = i
		}
	}
	out := floor.CompactOut{
		Decision: floor.Certified, Kept: []string{}, Evicted: []floor.Evicted{}, Output: []floor.Part{},
		Contract: &floor.Contract{Required: in.Required, Certified: in.Required, AncestryCertified: true},
	}
	told := map[int]bool{}
	for _, span := range in.Spans {
		at, covered := under[span.ID]
		if !covered {
			out.Kept = append(out.Kept, span.ID)
			out.Output = append(out.Output, floor.Part{Kind: floor.PartSpan, Span: span.ID, Text: span.Text})
			continue
		}
		s := in.Summaries[at]
		out.Evicted = append(out.Evicted, floor.Evicted{Span: span.ID, Summary: s.ID, Fidelity: believed(classesOf(span), []floor.Span{span})})
		if told[at] {
			continue
		}
		told[at] = true
		out.Contract.Generation = 1
		out.Output = append(out.Output, floor.Part{
			Kind: floor.PartSummary, Summary: s.ID, Text: s.Text, Provisional: new(false), Lost: []string{},
			Lineage: &floor.Lineage{Generation: 1, AncestryCertified: true, Decision: floor.Certified, Effective: believed(in.Known, coveredBy(in, s))},
		})
	}
	return out, nil
}

func coveredBy(in *floor.CompactIn, s floor.Summary) (spans []floor.Span) {
	for _, span := range in.Spans {
		for _, id := range s.Of {
			if id == span.ID {
				spans = append(spans, span)
			}
		}
	}
	return spans
}

// classesOf are those of a span's elements, in their order.
func classesOf(s floor.Span) (classes []floor.Class) {
	seen := map[floor.Class]bool{}
	for _, e := range s.Elements {
		if !seen[e.Class] {
			seen[e.Class] = true
			classes = append(classes, e.Class)
		}
	}
	return classes
}

// believed says that all there was is there.
func believed(classes []floor.Class, spans []floor.Span) []floor.Fidelity {
	all := []floor.Fidelity{}
	for i, class := range classes {
		if slices.Contains(classes[:i], class) {
			continue
		}
		f := floor.Fidelity{Class: class}
		for _, span := range spans {
			for _, e := range span.Elements {
				if e.Class == class {
					f.Total++
				}
			}
		}
		f.Retained = f.Total
		all = append(all, f)
	}
	return all
}

// keepLast is the black box of that name.
func keepLast() conform.Subject {
	box, ok := blackbox.Lookup("keep-last")
	if !ok {
		panic("the black box keep-last has another name now")
	}
	return box.New()
}

// fluent puts smooth prose in the place of everything but the rules and the
// newest turn.
func fluent() conform.Subject {
	box, known := blackbox.Lookup("summarize")
	smooth, plays := hostile.Lookup("fluent")
	if !known || !plays {
		panic("the black box summarize or the summarizer fluent has another name now")
	}
	return box.Asking(func(messages []floor.Message) (string, error) { return smooth.Summarize(hostile.Lines(messages)) })
}

// ask puts a case to a subject: of a conversation each generation is what stands
// after the one before, and what is new.
func ask(ctx context.Context, s conform.Subject, c floor.Case) ([]floor.Answer, error) {
	var answers []floor.Answer
	for step, request := range c.Steps {
		if request.Reduce != nil {
			messages := model.Asked(floor.Trace{Case: c, Answers: answers}, step)
			request = floor.Request{Op: floor.OpReduce, Reduce: &floor.ReduceIn{Messages: messages, TargetTokens: request.Reduce.TargetTokens}}
		}
		got, err := s.Ask(ctx, []floor.Request{request})
		if err != nil {
			return nil, err
		}
		answers = append(answers, got...)
	}
	return answers, nil
}
