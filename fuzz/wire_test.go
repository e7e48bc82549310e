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
		for _, op := range []floor.Op{floor.OpDecide, floor.OpDerive, floor.OpReduce, floor.OpRecall} {
			for _, batch := range []int{0, 1, 3} {
				answer(t, line, op, batch)
			}
			if op != floor.OpRecall { // the model does not judge it
				request(t, op, line)
			}
		}
	})
}

// answer reads the line as a subject's.
func answer(t *testing.T, line []byte, op floor.Op, batch int) {
	_, _, answers := conform.DecodeAnswerLine(line, op, batch)
	for _, a := range answers {
		if a.Decide == nil && a.Derive == nil && a.Reduce == nil && a.Recall == nil {
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
	case a.Reduce != nil && !saysWhatItMay(a.Reduce):
		t.Fatalf("%+v was read from %q", a.Reduce, line)
	case a.Err != nil || a.Broken != "":
		t.Fatalf("a result that is an error too was read from %q", line)
	case a.Reduce != nil && !a.Reduce.Refused && a.Reduce.Mark != floor.NoMark && a.Reduce.Mark != floor.MarkProvisional && a.Reduce.Mark != floor.MarkCertified:
		t.Fatalf("mark %q was read from %q", a.Reduce.Mark, line)
	case !bytes.Contains(line, []byte(`"`)):
		t.Fatalf("a result was read from %q", line)
	}
}

// saysWhatItMay: a refusal says nothing else, and an output only what the
// protocol knows.
func saysWhatItMay(out *floor.ReduceOut) bool {
	if out.Refused {
		return out.Messages == nil && out.Mark == "" && out.Generation == nil
	}
	for _, m := range out.Messages {
		switch m.Role {
		case floor.System, floor.User, floor.Assistant, floor.Tool:
		default:
			return false
		}
		for _, call := range m.Calls {
			if !json.Valid(call.Args) || call.Args[0] != '{' {
				return false
			}
		}
	}
	return out.Mark == floor.NoMark || out.Mark == floor.MarkProvisional || out.Mark == floor.MarkCertified
}

// request reads the line as the in of a request, by both readers.
func request(t *testing.T, op floor.Op, in []byte) {
	if !json.Valid(in) {
		return // neither is ever asked: the line is none
	}
	r := floor.ParseRequest(op, in)
	badForFloor := r.Decide == nil && r.Derive == nil && r.Reduce == nil && r.Recall == nil
	for _, p := range []floor.Policy{floor.Guard, floor.Joint} {
		path, badForModel := model.Malformed(floor.Request{Op: op, Raw: in}, p)
		// Descent from a refused event takes deciding: only the model sees it.
		if badForFloor && !badForModel || badForModel && !badForFloor && op != floor.OpDerive {
			t.Fatalf("%s under %s: bad for floor %t, for the model %t (%s): %s", op, p, badForFloor, badForModel, path, in)
		}
	}
}
