// Package vector holds the vectors' words and checks them: plain JSON cases with
// the answer that is right, answers that are wrong and the rules that must object
// to those. They are for people who want no harness, and test the judge as much
// as any subject.
package vector

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/floorcheck/floorcheck/corpora"
	"github.com/floorcheck/floorcheck/floor"
)

// Format names the JSON of a file of vectors.
const Format = "floorcheck-vectors/1"

// A File is one family of vectors.
type File struct {
	Schema  string   `json:"$schema,omitempty"` // for editors; the schema lies beside the file
	Format  string   `json:"format"`
	Family  string   `json:"family"` // in kebab case, and the file's name
	About   string   `json:"about"`
	Vectors []Vector `json:"vectors"` // sorted by id
}

// A Vector is one case with its answers. Its id stays for ever.
type Vector struct {
	ID          string     `json:"id"` // family/name, and family/name/certified for a twin
	Title       string     `json:"title"`
	Requirement string     `json:"requirement"` // in docs/requirements.md
	Flags       []Flag     `json:"flags"`
	Note        string     `json:"note,omitempty"`
	Wild        *Wild      `json:"wild,omitempty"`
	Twin        *Twin      `json:"twin,omitempty"`
	Case        floor.Case `json:"-"`

	// Expect is the right answer to each step of a certify or compact case.
	Expect []floor.Answer `json:"-"`
	// Right are answers to a reduce case that no rule objects to: there are many
	// ways to shorten a conversation.
	Right []Given `json:"-"`
	// Wrong are answers that rules must object to.
	Wrong []Given `json:"-"`
}

// A Flag says what kind of vector it is.
type Flag string

// The flags.
const (
	FromWild   Flag = "wild"       // it tells a report from the wild again
	IsTwin     Flag = "twin"       // it is another vector, changed in one thing
	Structural Flag = "structural" // its failure stays wrong under a mark, or where the source can be read again
	ShouldOnly Flag = "should"     // of the rules only those of keyword SHOULD object to the failure
	Boundary   Flag = "boundary"   // it stands on the edge of a rule
	BadRequest Flag = "bad-request"
)

// Wild is the report that a vector tells again, in other words.
type Wild struct {
	Case   string `json:"case"`   // its number in the collection
	Report string `json:"report"` // repository#number
}

// A Twin says of which vector this one is a twin, and what was changed.
type Twin struct {
	Of  string `json:"of"`
	How Change `json:"how"`
}

// A Change tells a twin from its vector.
type Change string

// The changes.
const (
	Echoed      Change = "echoed"      // the summary says the load-bearing spans word for word
	Recoverable Change = "recoverable" // the originals can be read again
)

// A Given is what somebody answered to the steps of a vector.
type Given struct {
	By      By             // whose answers these are
	Answers []floor.Answer // one for each step
	Breaks  []string       // the rules that object, sorted; none where the answers are right
}

// By names who gives an answer.
type By string

// Those whose answers a vector holds. A test asks them again.
const (
	AsReported By = "as-reported"        // the runtime of the report
	Marked     By = "as-reported-marked" // the same, marked provisional
	Believing  By = "believing"          // takes every summary at its word
	KeepLast   By = "keep-last"          // the black box of that name
	Fluent     By = "fluent"             // a black box that takes smooth prose for a summary
	Echo       By = "echo"               // gives back what was asked
	Shorter    By = "shorter"            // a right answer that is shorter
	Refusing   By = "refusing"           // refuses
	Another    By = "another"            // another wrong answer
)

type vectorJSON struct {
	*plainVector
	Policy  floor.Policy   `json:"policy"`
	Op      floor.Op       `json:"op"`
	Steps   []stepJSON     `json:"steps"`
	Planted *floor.Planted `json:"planted,omitempty"`
	Expect  []answerJSON   `json:"expect,omitempty"`
	Right   []givenJSON    `json:"right,omitempty"`
	Wrong   []givenJSON    `json:"wrong,omitempty"`
}

type plainVector Vector

type stepJSON struct {
	In json.RawMessage `json:"in"`
}

type givenJSON struct {
	By      By           `json:"by"`
	Answers []answerJSON `json:"answers"`
	Breaks  []string     `json:"breaks,omitempty"`
}

// An answerJSON is an answer as it stands on the wire, and with that of a reduce
// step what was recalled after it.
type answerJSON struct {
	Out      json.RawMessage    `json:"out,omitempty"`
	Error    *floor.AnswerError `json:"error,omitempty"`
	Recalled []floor.Recalled   `json:"recalled,omitempty"`
}

// UnmarshalJSON reads a vector, and no field that it does not know.
func (v *Vector) UnmarshalJSON(data []byte) error {
	in := vectorJSON{plainVector: (*plainVector)(v)}
	if err := strictly(data, &in); err != nil {
		return err
	}
	if in.Policy != floor.Guard && in.Policy != floor.Joint {
		return fmt.Errorf("%s: policy: must be guard or joint, got %q", v.ID, in.Policy)
	}
	switch in.Op {
	case floor.OpCertify, floor.OpCompact, floor.OpReduce:
	default:
		return fmt.Errorf("%s: op: must be certify, compact or reduce, got %q", v.ID, in.Op)
	}
	v.Case = floor.Case{Policy: in.Policy, Planted: in.Planted}
	for i, step := range in.Steps {
		request, err := request(in.Op, step.In)
		if err != nil {
			return fmt.Errorf("%s: steps[%d]: %w", v.ID, i, err)
		}
		v.Case.Steps = append(v.Case.Steps, request)
	}
	var err error
	if v.Expect, err = v.answers("expect", in.Op, in.Expect); err != nil {
		return err
	}
	if v.Right, err = v.given("right", in.Op, in.Right); err != nil {
		return err
	}
	v.Wrong, err = v.given("wrong", in.Op, in.Wrong)
	return err
}

func (v *Vector) given(name string, op floor.Op, list []givenJSON) (out []Given, err error) {
	for i, g := range list {
		at := fmt.Sprintf("%s[%d]", name, i)
		answers, err := v.answers(at, op, g.Answers)
		if err != nil {
			return nil, err
		}
		if len(answers) != len(v.Case.Steps) {
			return nil, fmt.Errorf("%s: %s: must answer each of %d steps, got %d", v.ID, at, len(v.Case.Steps), len(answers))
		}
		out = append(out, Given{g.By, answers, g.Breaks})
	}
	return out, nil
}

func (v *Vector) answers(at string, op floor.Op, list []answerJSON) (out []floor.Answer, err error) {
	for i, a := range list {
		answer, err := a.read(op)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: answer %d: %w", v.ID, at, i, err)
		}
		out = append(out, answer)
	}
	return out, nil
}

func (a answerJSON) read(op floor.Op) (out floor.Answer, err error) {
	switch {
	case (a.Out == nil) == (a.Error == nil):
		return out, errors.New("must have either out or error")
	case a.Error != nil:
		return floor.Answer{Err: a.Error}, nil
	case op == floor.OpCertify:
		out.Certify, err = floor.DecodeCertifyOut(a.Out)
	case op == floor.OpCompact:
		out.Compact, err = floor.DecodeCompactOut(a.Out)
	case op == floor.OpReduce:
		out.Reduce, err = floor.DecodeReduceOut(a.Out)
		out.Recalled = a.Recalled
	}
	return out, err
}

// request reads a step. How the JSON is laid out means nothing; a bad request,
// and one with fields that the words do not know, is kept to the letter.
func request(op floor.Op, in json.RawMessage) (floor.Request, error) {
	var line bytes.Buffer
	if err := json.Compact(&line, in); err != nil { // also where there is none
		return floor.Request{}, fmt.Errorf("in: %w", err)
	}
	r := floor.ParseRequest(op, line.Bytes())
	if r.Raw == nil {
		return r, nil
	}
	plain := r
	plain.Raw = nil
	if spelled, err := plain.In(); err == nil && sameJSON(spelled, r.Raw) {
		return plain, nil
	}
	return r, nil
}

func sameJSON(a, b []byte) bool {
	x, errX := floor.ParseJSON(a)
	y, errY := floor.ParseJSON(b)
	return errX == nil && errY == nil && reflect.DeepEqual(x, y)
}

// Parse reads a file of vectors. It wants what the schema cannot say: ids that
// begin with the family, each once and sorted, and as many answers as steps.
func Parse(data []byte) (File, error) {
	var f File
	if err := strictly(data, &f); err != nil {
		return File{}, fmt.Errorf("is no file of vectors: %w", err)
	}
	if f.Format != Format {
		return File{}, fmt.Errorf("format: must be %q, got %q", Format, f.Format)
	}
	for i := range f.Vectors {
		v := &f.Vectors[i]
		switch {
		case !strings.HasPrefix(v.ID, f.Family+"/"):
			return File{}, fmt.Errorf("vectors[%d]: id: must begin with %q, got %q", i, f.Family+"/", v.ID)
		case i > 0 && v.ID <= f.Vectors[i-1].ID:
			return File{}, fmt.Errorf("vectors[%d]: id: %q must come after %q", i, v.ID, f.Vectors[i-1].ID)
		case len(v.Case.Steps) == 0:
			return File{}, fmt.Errorf("%s: steps: must hold at least one", v.ID)
		case v.Case.Op() == floor.OpReduce && (len(v.Right) == 0 || v.Expect != nil):
			return File{}, fmt.Errorf("%s: a reduce vector has right answers, and none that is expected", v.ID)
		case v.Case.Op() != floor.OpReduce && (v.Right != nil || len(v.Expect) != len(v.Case.Steps)):
			return File{}, fmt.Errorf("%s: expect: must hold one answer for each step, and right none", v.ID)
		}
	}
	return f, nil
}

// strictly reads exactly one value and no field that it does not know.
func strictly(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something stands behind the value")
	}
	return nil
}

// All are the families of vectors that come with floorcheck, sorted by name. A
// file that cannot be read is our own bug and panics: a test reads them all.
var All = sync.OnceValue(func() []File {
	var out []File
	for _, file := range corpora.Vectors() {
		f, err := Parse(file.Data)
		if err != nil {
			panic(fmt.Sprintf("vector: %s: %v", file.Name, err))
		}
		out = append(out, f)
	}
	return out
})

// Cases are the cases of every vector of an op, in the order of their ids. What
// is right to answer is not in them: the model derives it.
func Cases(op floor.Op) []floor.Case {
	var of []Vector
	for _, f := range All() {
		for _, v := range f.Vectors {
			if v.Case.Op() == op {
				of = append(of, v)
			}
		}
	}
	slices.SortFunc(of, func(a, b Vector) int { return strings.Compare(a.ID, b.ID) })
	var out []floor.Case
	for _, v := range of {
		out = append(out, v.Case)
	}
	return out
}
