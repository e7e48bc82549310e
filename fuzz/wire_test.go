package fuzz

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

// FuzzWire looks for hostile subject output that makes the harness panic, or
// that is taken for a result though it is none; and for a request on which
// floor's decoder and the model differ about what is a bad request.
func FuzzWire(f *testing.F) {
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, op := range []floor.Op{floor.OpDecide, floor.OpDerive} {
			for _, batch := range []int{0, 1, 3} {
				answer(t, line, op, batch)
			}
			request(t, op, line)
		}
	})
}

// answer reads the line as a subject's.
func answer(t *testing.T, line []byte, op floor.Op, batch int) {
	_, _, answers := conform.DecodeAnswerLine(line, op, batch)
	for _, a := range answers {
		if a.Decide == nil && a.Derive == nil {
			continue
		}
		// A result has to say what it says in JSON that is read the same again.
		if !json.Valid(line) {
			t.Fatalf("a result was read from a line that is not JSON: %q", line)
		}
		wantResult(t, a, line)
	}
}

func wantResult(t *testing.T, a floor.Answer, line []byte) {
	switch {
	case a.Decide != nil && a.Decide.Decision != floor.Certified && a.Decide.Decision != floor.Provisional && a.Decide.Decision != floor.Refuse:
		t.Fatalf("decision %q was read from %q", a.Decide.Decision, line)
	case a.Err != nil || a.Broken != "":
		t.Fatalf("a result that is an error too was read from %q", line)
	case !bytes.Contains(line, []byte(`"`)):
		t.Fatalf("a result was read from %q", line)
	}
}

// request reads the line as the in of a request, by both readers.
func request(t *testing.T, op floor.Op, in []byte) {
	if !json.Valid(in) {
		return // neither is ever asked: the line is none
	}
	r := floor.ParseRequest(op, in)
	badForFloor := r.Decide == nil && r.Derive == nil
	for _, p := range []floor.Policy{floor.Guard, floor.Joint} {
		path, badForModel := model.Malformed(floor.Request{Op: op, Raw: in}, p)
		// Descent from a refused event takes deciding: only the model sees it.
		if badForFloor && !badForModel || badForModel && !badForFloor && op == floor.OpDecide {
			t.Fatalf("%s under %s: bad for floor %t, for the model %t (%s): %s", op, p, badForFloor, badForModel, path, in)
		}
	}
}
