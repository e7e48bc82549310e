package floor

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// A Request is one question to a subject. Decide, Derive and so on hold what it
// says; one of them is set. Raw, where it is set, is its `in` to the letter: with
// unknown fields, or, when none of the others is set, a bad request that the
// words cannot spell.
type Request struct {
	Op      Op
	Decide  *DecideIn
	Derive  *DeriveIn
	Reduce  *ReduceIn
	Recall  *RecallIn
	Certify *CertifyIn
	Compact *CompactIn
	Raw     json.RawMessage
}

// In is the request's `in` as it goes over the wire.
func (r Request) In() (json.RawMessage, error) {
	switch {
	case r.Raw != nil:
		return r.Raw, nil
	case r.Decide != nil:
		return marshal(r.Decide.spelled())
	case r.Derive != nil:
		return marshal(r.Derive.spelled())
	case r.Reduce != nil:
		return marshal(r.Reduce.spelled())
	case r.Recall != nil:
		return marshal(r.Recall)
	case r.Certify != nil:
		return marshal(r.Certify.spelled())
	case r.Compact != nil:
		return marshal(r.Compact.spelled())
	}
	return nil, fmt.Errorf("request of op %q has no payload", r.Op)
}

// spelled replaces nil lists, which Go would write as null.
func (in DecideIn) spelled() DecideIn {
	in.Contract.Required = orEmpty(in.Contract.Required)
	in.Contract.Certified = orEmpty(in.Contract.Certified)
	return in
}

// spelled replaces nil lists, which Go would write as null.
func (in DeriveIn) spelled() DeriveIn {
	in.Originals = orEmpty(in.Originals)
	in.Events = append([]Event{}, in.Events...)
	for i := range in.Events {
		event := &in.Events[i]
		event.Inputs = orEmpty(event.Inputs)
		event.Required = orEmpty(event.Required)
		event.Certificate = orEmpty(event.Certificate)
	}
	return in
}

// spelled replaces nil lists, which Go would write as null.
func (in ReduceIn) spelled() ReduceIn {
	in.Messages = orEmpty(in.Messages)
	return in
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// A Case is what a subject is asked in one go, in order. Most cases have one
// step; a rule's twin may ask something in between.
//
// In a case of op reduce each step is a generation, and its messages are those
// that are new in it: what is asked is the subject's last output, or what it
// was asked when it refused, and then these.
type Case struct {
	Policy  Policy // the one the subject declared
	Steps   []Request
	Planted *Planted // of a reduce case: what its conversation holds
}

// Op is the op of the case's last step, the one that is judged.
func (c Case) Op() Op {
	if len(c.Steps) == 0 {
		return ""
	}
	return c.Steps[len(c.Steps)-1].Op
}

type stepJSON struct {
	Op Op              `json:"op"`
	In json.RawMessage `json:"in"`
}

type caseJSON struct {
	Policy  Policy     `json:"policy"`
	Steps   []stepJSON `json:"steps"`
	Planted *Planted   `json:"planted,omitempty"`
}

// MarshalJSON writes the case as `{"policy":…,"steps":[{"op":…,"in":…}]}`, and
// what is planted in it. Equal cases give equal bytes.
func (c Case) MarshalJSON() ([]byte, error) {
	out := caseJSON{Policy: c.Policy, Steps: make([]stepJSON, 0, len(c.Steps)), Planted: c.Planted}
	for i, step := range c.Steps {
		in, err := step.In()
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i, err)
		}
		out.Steps = append(out.Steps, stepJSON{step.Op, in})
	}
	return marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes. A payload that is a bad request
// is kept as Raw, to the letter: such cases are there to be sent.
func (c *Case) UnmarshalJSON(data []byte) error {
	var in caseJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("case: %w", err)
	}
	if in.Policy != Guard && in.Policy != Joint {
		return fmt.Errorf("case: policy: must be guard or joint, got %q", clip(string(in.Policy)))
	}
	if len(in.Steps) == 0 {
		return fmt.Errorf("case: steps: must hold at least one request")
	}
	out := Case{Policy: in.Policy, Planted: in.Planted}
	for i, step := range in.Steps {
		switch step.Op {
		case OpDecide, OpDerive, OpReduce, OpCertify, OpCompact:
		default:
			return fmt.Errorf("case: steps[%d].op: must be decide, derive, certify, compact or reduce, got %q", i, clip(string(step.Op)))
		}
		if len(step.In) == 0 {
			return fmt.Errorf("case: steps[%d].in: is missing", i)
		}
		out.Steps = append(out.Steps, ParseRequest(step.Op, step.In))
	}
	*c = out
	return nil
}

// ParseRequest reads the `in` of a request and keeps it to the letter where
// the words alone would spell it otherwise. A bad request has only Raw.
func ParseRequest(op Op, in json.RawMessage) Request {
	r := Request{Op: op}
	switch op {
	case OpDecide:
		r.Decide, _ = DecodeDecideIn(in) // an error leaves it nil: a bad request
	case OpDerive:
		r.Derive, _ = DecodeDeriveIn(in)
	case OpReduce:
		r.Reduce, _ = DecodeReduceIn(in)
	case OpRecall:
		r.Recall, _ = DecodeRecallIn(in)
	case OpCertify:
		r.Certify, _ = DecodeCertifyIn(in)
	case OpCompact:
		r.Compact, _ = DecodeCompactIn(in)
	}
	if spelled, err := r.In(); err != nil || !bytes.Equal(spelled, in) {
		r.Raw = bytes.Clone(in)
	}
	return r
}

// marshal writes compact JSON without the HTML escapes that would make a class
// such as "a<b" look unlike itself on the wire.
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(buf.Bytes(), "\n"), nil
}

// An ErrorCode says what kind of error a subject answered.
type ErrorCode string

// The error codes of protocol 1.
const (
	BadRequestCode  ErrorCode = "bad_request"
	UnsupportedCode ErrorCode = "unsupported"
	UnavailableCode ErrorCode = "unavailable" // a source that cannot be read now
	AlteredCode     ErrorCode = "altered"     // a digest that differs
	InternalCode    ErrorCode = "internal"
)

// An AnswerError is the `error` of an answer. It is never a refusal.
type AnswerError struct {
	Code    ErrorCode `json:"code"`
	Message string    `json:"message"`
}

// A Breakage says how a subject failed to answer at all.
type Breakage string

// The ways not to answer.
const (
	Crash   Breakage = "crash"   // the process ended
	Timeout Breakage = "timeout" // nothing came in time
	Garbage Breakage = "garbage" // something came that is no answer
	NotRun  Breakage = "not-run" // it was not asked, or gave up asking
)

// An Answer is what came back for one request: exactly one of Decide, Derive,
// Reduce, Recall, Certify, Compact, Err and Broken is set.
type Answer struct {
	Decide   *DecideOut
	Derive   *DeriveOut
	Reduce   *ReduceOut
	Recall   *RecallOut
	Certify  *CertifyOut
	Compact  *CompactOut
	Recalled []Recalled // with Reduce: what was asked back after it
	Err      *AnswerError
	Broken   Breakage
	Detail   string // for Broken: what was seen, bounded
}

// MarshalJSON writes the answer as the protocol does, and a broken one as
// `{"broken":…,"detail":…}`.
func (a Answer) MarshalJSON() ([]byte, error) {
	type broken struct {
		Broken Breakage `json:"broken"`
		Detail string   `json:"detail"`
	}
	switch {
	case a.Decide != nil:
		return marshal(struct {
			Out *DecideOut `json:"out"`
		}{a.Decide})
	case a.Derive != nil:
		return marshal(struct {
			Out *DeriveOut `json:"out"`
		}{a.Derive})
	case a.Reduce != nil:
		return marshal(struct {
			Out      *ReduceOut `json:"out"`
			Recalled []Recalled `json:"recalled,omitempty"`
		}{a.Reduce, a.Recalled})
	case a.Recall != nil:
		return marshal(struct {
			Out *RecallOut `json:"out"`
		}{a.Recall})
	case a.Certify != nil:
		return marshal(struct {
			Out *CertifyOut `json:"out"`
		}{a.Certify})
	case a.Compact != nil:
		return marshal(struct {
			Out *CompactOut `json:"out"`
		}{a.Compact})
	case a.Err != nil:
		return marshal(struct {
			Error *AnswerError `json:"error"`
		}{a.Err})
	}
	return marshal(broken{a.Broken, a.Detail})
}

// A Trace is a case and what the subject answered to each of its steps.
type Trace struct {
	Case    Case
	Answers []Answer
}
