package conform

import (
	"context"
	"errors"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

// An asker asks a subject whole cases. What a case of op reduce asks depends on
// what was answered before: its generations go round by round, each round of
// all cases together, so that the window stays full.
type asker struct {
	subject Subject
	calls   int // requests so far
	most    int // of them; 0 is no bound

	flat []floor.Request // of the cases that are known whole; the memory is kept
}

// ask gives the answers of each case; nil for a case that was not answered
// whole because the run broke off. The error is Ask's, or errSpent.
func (a *asker) ask(ctx context.Context, cases []floor.Case) ([][]floor.Answer, error) {
	answers := make([][]floor.Answer, len(cases))
	var talks []int
	clear(a.flat)
	a.flat = a.flat[:0]
	for i, c := range cases {
		if isTalk(c) {
			talks = append(talks, i)
		} else {
			a.flat = append(a.flat, c.Steps...)
		}
	}
	if len(a.flat) > 0 {
		got, err := a.put(ctx, a.flat)
		next := 0
		for i, c := range cases {
			if isTalk(c) {
				continue
			}
			to := next + len(c.Steps)
			if to > len(got) {
				break
			}
			answers[i] = got[next:to:to]
			next = to
		}
		if err != nil {
			return answers, err
		}
	}
	for len(talks) > 0 { // a model server plays one summarizer at a time
		var same, others []int
		for _, i := range talks {
			if summarizer(cases[i]) == summarizer(cases[talks[0]]) {
				same = append(same, i)
			} else {
				others = append(others, i)
			}
		}
		if p, ok := a.subject.(interface{ Play(string) }); ok {
			p.Play(summarizer(cases[same[0]]))
		}
		if err := a.converse(ctx, cases, same, answers); err != nil {
			return answers, err
		}
		talks = others
	}
	return answers, nil
}

// isTalk says that what the case asks depends on the answers. A case that is no
// more than a bad request does not.
func isTalk(c floor.Case) bool { return len(c.Steps) > 0 && c.Steps[0].Reduce != nil }

func summarizer(c floor.Case) string {
	if c.Planted == nil {
		return ""
	}
	return c.Planted.Summarizer
}

// errSpent says that no more requests may be made.
var errSpent = errors.New("all requests that may be made were made")

// put asks in one go, as much as may be asked. A subject that gives fewer
// answers than it was asked gives an error as well.
func (a *asker) put(ctx context.Context, requests []floor.Request) ([]floor.Answer, error) {
	over := a.most > 0 && a.calls+len(requests) > a.most
	if over {
		requests = requests[:max(a.most-a.calls, 0)]
	}
	if len(requests) == 0 {
		return nil, errSpent
	}
	answers, err := a.subject.Ask(ctx, requests)
	a.calls += len(requests)
	switch {
	case err != nil:
	case len(answers) < len(requests):
		err = &BrokenRun{Doing: "ask the subject", Err: errors.New("it gave fewer answers than it was asked")}
	case over:
		err = errSpent
	}
	return answers, err
}

// converse asks the generations of these cases, and after each asks back what
// an output marked provisional no longer says.
func (a *asker) converse(ctx context.Context, cases []floor.Case, which []int, answers [][]floor.Answer) error {
	open, steps := slices.Clone(which), make([][]floor.Answer, len(cases))
	losses := a.losses()
	for step := 0; len(open) > 0; step++ {
		requests := make([]floor.Request, len(open))
		for i, at := range open {
			requests[i] = generation(cases[at], steps[at], step)
		}
		got, err := a.put(ctx, requests)
		for i, at := range open[:min(len(open), len(got))] {
			if err == nil && step > 0 && got[i].Broken == floor.NotRun { // all that is new is the suite's own
				got[i] = floor.Answer{Broken: floor.Garbage, Detail: "its last output cannot be asked again: " + got[i].Detail}
			}
			steps[at] = append(steps[at], got[i])
		}
		if err == nil && a.losses() == losses { // who remembered may be gone
			err = a.recall(ctx, cases, open, steps, step)
		}
		var going []int
		for _, at := range open {
			switch done := steps[at]; {
			case len(done) <= step, err != nil && a.owes(cases[at], done): // the run broke off before
			case done[step].Reduce != nil && step+1 < len(cases[at].Steps):
				going = append(going, at)
			default:
				answers[at] = whole(done, len(cases[at].Steps))
			}
		}
		if err != nil {
			return err
		}
		open = going
	}
	return nil
}

// owes says that a case's last step was not asked, or not asked back whole.
func (a *asker) owes(c floor.Case, answered []floor.Answer) bool {
	step := len(answered) - 1
	last := answered[step]
	return last.Broken == floor.NotRun || a.recalls() && len(last.Recalled) < len(model.Recalls(floor.Trace{Case: c, Answers: answered}, step))
}

func (a *asker) recalls() bool { return slices.Contains(a.subject.Hello().Ops, floor.OpRecall) }

// losses is how often the subject ended by itself, where that can happen.
func (a *asker) losses() int {
	if s, ok := a.subject.(interface{ Losses() int }); ok {
		return s.Losses()
	}
	return 0
}

// whole fills up the answers of a chain that has ended early.
func whole(answers []floor.Answer, steps int) []floor.Answer {
	for len(answers) < steps {
		answers = append(answers, floor.Answer{Broken: floor.NotRun, Detail: "an earlier generation has no result"})
	}
	return answers
}

// generation is what is asked at a step: what stands after the step before, and
// what is new.
func generation(c floor.Case, answered []floor.Answer, step int) floor.Request {
	request := c.Steps[step]
	if step == 0 || request.Reduce == nil {
		return request
	}
	messages := model.Asked(floor.Trace{Case: c, Answers: answered}, step)
	return floor.Request{Op: floor.OpReduce, Reduce: &floor.ReduceIn{Messages: messages, TargetTokens: request.Reduce.TargetTokens}}
}

// recall asks back what the answers of a step say that they may have lost, and
// writes it into them.
func (a *asker) recall(ctx context.Context, cases []floor.Case, open []int, steps [][]floor.Answer, step int) error {
	if !a.recalls() {
		return nil
	}
	var requests []floor.Request
	var owner []int
	for _, at := range open {
		if len(steps[at]) <= step || steps[at][step].Reduce == nil {
			continue
		}
		for _, query := range model.Recalls(floor.Trace{Case: cases[at], Answers: steps[at]}, step) {
			requests = append(requests, floor.Request{Op: floor.OpRecall, Recall: &query})
			owner = append(owner, at)
		}
	}
	if len(requests) == 0 {
		return nil
	}
	losses := a.losses()
	got, err := a.put(ctx, requests)
	lost := a.losses() != losses
	for i := range requests {
		answer := floor.Answer{Broken: floor.NotRun}
		if i < len(got) {
			answer = got[i]
		}
		last, back := &steps[owner[i]][step], floor.Recalled{Query: requests[i].Recall.Query}
		switch {
		case last.Broken != "": // by an earlier one of its recalls
			continue
		case answer.Recall != nil:
			back.Text = answer.Recall.Text
		case answer.Err != nil:
			back.Err = answer.Err
		default: // to ask back is a part of the case: it has no result
			*last = floor.Answer{Broken: answer.Broken, Detail: "recall: " + answer.Detail}
			continue
		}
		if !lost { // else it may have been asked of one that never heard of it
			last.Recalled = append(last.Recalled, back)
		}
	}
	return err
}
