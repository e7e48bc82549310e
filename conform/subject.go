// Package conform is the loop: it asks a subject, in process or over the wire,
// has the model judge what it answers, and shrinks what the model objects to.
// It takes cases from anywhere and knows no generator.
package conform

import (
	"context"
	"fmt"

	"github.com/floorcheck/floorcheck/floor"
)

// A Hello is what a subject says of itself.
type Hello struct {
	Name     string       `json:"name"`
	Version  string       `json:"version"`
	Language string       `json:"language"`
	Ops      []floor.Op   `json:"ops"`
	Policy   floor.Policy `json:"policy"`
	MaxBatch int          `json:"max_batch"` // requests in one line, at least 1
	Stateful bool         `json:"stateful"`
	Reduce   *ReduceHello `json:"reduce,omitempty"`
}

// A ReduceHello is what a black box says of itself. The triggers tell how long
// a conversation must be before it is touched at all; 0 is any.
type ReduceHello struct {
	TriggerMessages int64 `json:"trigger_messages,omitempty"`
	TriggerTokens   int64 `json:"trigger_tokens,omitempty"` // counted as the subject counts
	Model           bool  `json:"model,omitempty"`          // it asks a model for its summaries
}

// HasModel says whether the subject is a black box with a model inside.
func (h Hello) HasModel() bool { return h.Reduce != nil && h.Reduce.Model }

// A Subject is the implementation under test.
type Subject interface {
	// Hello is what the subject said of itself; it does not change.
	Hello() Hello

	// Ask puts the requests in this order and gives one answer each, in the
	// same order. A request that got no answer has one that is Broken. The
	// error is the context's, or a *BrokenRun when the subject cannot be asked
	// any more; the answers that there are come with it.
	Ask(ctx context.Context, requests []floor.Request) ([]floor.Answer, error)

	// Restart gives the subject a fresh start.
	Restart(ctx context.Context) error

	// Close ends the subject.
	Close() error
}

// A BrokenRun says that a subject could not be judged: it could not be
// started, or kept dying. It is never a finding.
type BrokenRun struct {
	Doing string // what we were doing, e.g. "start python3 adapter.py"
	Err   error
	Hint  string // how to mend it, or ""
}

func (e *BrokenRun) Error() string { return fmt.Sprintf("%s: %v", e.Doing, e.Err) }

// Unwrap gives the cause.
func (e *BrokenRun) Unwrap() error { return e.Err }

// Funcs is an implementation in Go: the decisions of one policy. A refusal is
// a result; an error says that the request is bad.
type Funcs struct {
	Decide func(*floor.DecideIn) (floor.DecideOut, error)
	Derive func(*floor.DeriveIn) (floor.DeriveOut, error)
	Reduce func(*floor.ReduceIn) (floor.ReduceOut, error) // a refusal is a result too
	Recall func(*floor.RecallIn) (floor.RecallOut, error)

	Certify func(*floor.CertifyIn) (floor.CertifyOut, error)
	Compact func(*floor.CompactIn) (floor.CompactOut, error) // a refusal is a result too

	// Play, if set, is told which summarizer the model inside has to play.
	Play func(summarizer string)

	// Raw, if set, is given every request that is bad by its spelling; it
	// stands for the decoding that Go's types do for everyone else. An answer
	// without Err is a lie that decide/fail-closed looks for.
	Raw func(floor.Request) floor.Answer
}

// InProcess makes a subject of Go functions. Hello's Ops are filled in from
// the functions that are there, Policy and MaxBatch where they are zero.
func InProcess(hello Hello, f Funcs) Subject {
	return Restartable(hello, func() Funcs { return f })
}

// Restartable is InProcess for an implementation that remembers: make gives it
// anew, and is called at the start and at every restart.
func Restartable(hello Hello, make func() Funcs) Subject {
	f := make()
	if hello.Ops == nil {
		if f.Decide != nil {
			hello.Ops = append(hello.Ops, floor.OpDecide)
		}
		if f.Derive != nil {
			hello.Ops = append(hello.Ops, floor.OpDerive)
		}
		if f.Certify != nil {
			hello.Ops = append(hello.Ops, floor.OpCertify)
		}
		if f.Compact != nil {
			hello.Ops = append(hello.Ops, floor.OpCompact)
		}
		if f.Reduce != nil {
			hello.Ops = append(hello.Ops, floor.OpReduce)
		}
		if f.Recall != nil {
			hello.Ops = append(hello.Ops, floor.OpRecall)
		}
	}
	if hello.Policy == "" {
		hello.Policy = floor.Guard
	}
	hello.MaxBatch = max(hello.MaxBatch, 1)
	return &inProcess{hello, f, make}
}

type inProcess struct {
	hello Hello
	funcs Funcs
	make  func() Funcs
}

func (s *inProcess) Hello() Hello { return s.hello }
func (s *inProcess) Close() error { return nil }

func (s *inProcess) Restart(context.Context) error {
	s.funcs = s.make()
	return nil
}

// Play passes on which summarizer the model inside has to play.
func (s *inProcess) Play(summarizer string) {
	if s.funcs.Play != nil {
		s.funcs.Play(summarizer)
	}
}

func (s *inProcess) Ask(ctx context.Context, requests []floor.Request) ([]floor.Answer, error) {
	answers := make([]floor.Answer, 0, len(requests))
	for _, r := range requests {
		if err := ctx.Err(); err != nil {
			return answers, err
		}
		answers = append(answers, s.answer(r))
	}
	return answers, nil
}

// answer asks one question. A panic of the implementation is its crash, not
// ours.
func (s *inProcess) answer(r floor.Request) (a floor.Answer) {
	defer func() {
		if p := recover(); p != nil {
			a = floor.Answer{Broken: floor.Crash, Detail: bound(fmt.Sprintf("panic: %v", p))}
		}
	}()
	switch {
	case r.Decide != nil && s.funcs.Decide != nil:
		if err := r.Decide.Validate(); err != nil {
			return s.bad(r, err)
		}
		out, err := s.funcs.Decide(r.Decide)
		if err != nil {
			return failure(floor.BadRequestCode, err)
		}
		return floor.Answer{Decide: &out}
	case r.Derive != nil && s.funcs.Derive != nil:
		if err := r.Derive.Validate(); err != nil {
			return s.bad(r, err)
		}
		out, err := s.funcs.Derive(r.Derive)
		if err != nil {
			return failure(floor.BadRequestCode, err)
		}
		return floor.Answer{Derive: &out}
	case r.Certify != nil && s.funcs.Certify != nil:
		if err := r.Certify.Validate(); err != nil {
			return s.bad(r, err)
		}
		out, err := s.funcs.Certify(r.Certify)
		if err != nil {
			return failure(floor.BadRequestCode, err)
		}
		return floor.Answer{Certify: &out}
	case r.Compact != nil && s.funcs.Compact != nil:
		if err := r.Compact.Validate(); err != nil {
			return s.bad(r, err)
		}
		out, err := s.funcs.Compact(r.Compact)
		if err != nil {
			return failure(floor.BadRequestCode, err)
		}
		return floor.Answer{Compact: &out}
	case r.Reduce != nil && s.funcs.Reduce != nil:
		if err := r.Reduce.Validate(); err != nil {
			return s.bad(r, err)
		}
		out, err := s.funcs.Reduce(r.Reduce)
		if err != nil {
			return failure(floor.InternalCode, err)
		}
		return floor.Answer{Reduce: &out}
	case r.Recall != nil && s.funcs.Recall != nil:
		out, err := s.funcs.Recall(r.Recall)
		if err != nil {
			return failure(floor.UnavailableCode, err)
		}
		return floor.Answer{Recall: &out}
	case r.Decide != nil || r.Derive != nil || r.Certify != nil || r.Compact != nil || r.Reduce != nil || r.Recall != nil:
		return failure(floor.UnsupportedCode, fmt.Errorf("op %s is not offered", r.Op))
	}
	return s.bad(r, whyBad(r))
}

func (s *inProcess) bad(r floor.Request, err error) floor.Answer {
	if s.funcs.Raw != nil {
		return s.funcs.Raw(r)
	}
	return failure(floor.BadRequestCode, err)
}

// whyBad reads a request without words again, for the error that names the
// field.
func whyBad(r floor.Request) (err error) {
	switch r.Op {
	case floor.OpDecide:
		_, err = floor.DecodeDecideIn(r.Raw)
	case floor.OpDerive:
		_, err = floor.DecodeDeriveIn(r.Raw)
	case floor.OpReduce:
		_, err = floor.DecodeReduceIn(r.Raw)
	case floor.OpRecall:
		_, err = floor.DecodeRecallIn(r.Raw)
	case floor.OpCertify:
		_, err = floor.DecodeCertifyIn(r.Raw)
	case floor.OpCompact:
		_, err = floor.DecodeCompactIn(r.Raw)
	default:
		err = fmt.Errorf("op %q is not known", r.Op)
	}
	return err
}

func failure(code floor.ErrorCode, err error) floor.Answer {
	return floor.Answer{Err: &floor.AnswerError{Code: code, Message: bound(err.Error())}}
}

// bound cuts what we repeat of a subject's output.
func bound(s string) string {
	const most = 4096
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}
