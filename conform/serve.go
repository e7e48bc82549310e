package conform

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// Serve is the other end of the wire: it answers the requests that come in on
// behalf of a subject, in their order, until bye or the end of in. What cannot
// be answered, because nobody can say who asked it, is told to notes. The error
// is one of reading, of writing, or of a subject that cannot be asked any more.
func Serve(ctx context.Context, in io.Reader, out, notes io.Writer, subject Subject) error {
	s := &server{ctx: ctx, subject: subject, hello: subject.Hello(), notes: notes, request: make([]floor.Request, 1)}
	chunk := make([]byte, chunkSize)
	var cutter splitter
	for {
		n, readErr := in.Read(chunk)
		bye, err := s.serve(cutter.lines(chunk[:n]), out)
		if bye || err != nil {
			return err
		}
		if readErr == io.EOF && len(cutter.rest) > 0 { // a last line without LF
			_, err := s.serve(cutter.lines([]byte("\n")), out)
			return err
		}
		if readErr == io.EOF {
			return nil
		}
		if readErr != nil {
			return fmt.Errorf("read requests: %w", readErr)
		}
	}
}

type server struct {
	ctx     context.Context
	subject Subject
	hello   Hello
	notes   io.Writer
	number  int    // of the line, from 1
	text    []byte // answers to be written
	request []floor.Request
}

// serve answers the lines of one burst, and writes when there is no more.
func (s *server) serve(lines func(func(line) bool), out io.Writer) (bye bool, err error) {
	for l := range lines {
		s.number++
		if bye, err = s.answer(l); bye || err != nil {
			break
		}
		if len(s.text) > chunkSize {
			if err = s.flush(out); err != nil {
				break
			}
		}
	}
	if flushErr := s.flush(out); err == nil {
		err = flushErr
	}
	return bye, err
}

func (s *server) flush(out io.Writer) error {
	if len(s.text) == 0 {
		return nil
	}
	_, err := out.Write(s.text)
	if s.text = s.text[:0]; cap(s.text) > keptRest {
		s.text = nil
	}
	if err != nil {
		return fmt.Errorf("write answers: %w", err)
	}
	return nil
}

func (s *server) answer(l line) (bye bool, err error) {
	if l.long {
		s.note("is longer than 16 MiB", l.text)
		return false, nil
	}
	if id, r, ok := s.plainRequest(l.text); ok {
		return false, s.single(id, r)
	}
	if id, requests, ok := s.plainBatch(l.text); ok {
		return false, s.askAll(id, requests)
	}
	found, problem := pick(l.text, "id", "op", "of", "in", "protocol")
	id, readable := integer(found[0])
	switch {
	case !readable && problem == "":
		s.note("has no integer id", l.text)
		return false, nil
	case !readable || problem == notUTF8:
		s.note("cannot be read: "+problem, l.text)
		return false, nil
	case problem != "":
		s.fail(id, floor.BadRequestCode, "%s", problem)
		return false, nil
	}
	return s.dispatch(id, found[1], found[2], found[3], found[4])
}

// plainRequest takes apart the line that we write ourselves. A good request
// shows that `in` is one JSON value, and the line what it looks like.
func (s *server) plainRequest(text []byte) (id int64, r floor.Request, ok bool) {
	id, rest, ok := plainID(text)
	if !ok {
		return 0, r, false
	}
	for _, op := range []floor.Op{floor.OpDecide, floor.OpDerive} {
		prefix := `,"op":"decide","in":`
		if op == floor.OpDerive {
			prefix = `,"op":"derive","in":`
		}
		if in, ok := cut(rest, prefix); ok && slices.Contains(s.hello.Ops, op) {
			r = parseRequest(op, in)
			return id, r, r.Decide != nil || r.Derive != nil
		}
	}
	return 0, r, false
}

// plainBatch does the same for a batch.
func (s *server) plainBatch(text []byte) (id int64, requests []floor.Request, ok bool) {
	id, rest, ok := plainID(text)
	in, isBatch := cut(rest, `,"op":"batch","of":"decide","in":`)
	if !ok || !isBatch || !slices.Contains(s.hello.Ops, floor.OpDecide) {
		return 0, nil, false
	}
	requests, ok = plainBatchIn(in)
	return id, requests, ok
}

func (s *server) dispatch(id int64, rawOp, rawOf, in, protocols json.RawMessage) (bye bool, err error) {
	op, isText := unquote(rawOp)
	switch {
	case rawOp == nil:
		s.fail(id, floor.BadRequestCode, "op: is missing")
	case !isText:
		s.fail(id, floor.BadRequestCode, "op: must be a string")
	case op == opHello:
		s.greet(id, protocols)
	case op == opBye:
		return true, nil
	case op == opBatch:
		return false, s.batch(id, rawOf, in)
	case !slices.Contains(s.hello.Ops, floor.Op(op)):
		s.fail(id, floor.UnsupportedCode, "op %s is not offered", quote([]byte(op)))
	case in == nil:
		s.fail(id, floor.BadRequestCode, "in: is missing")
	default:
		return false, s.single(id, parseRequest(floor.Op(op), in))
	}
	return false, nil
}

func (s *server) greet(id int64, protocols json.RawMessage) {
	if protocols == nil {
		s.fail(id, floor.BadRequestCode, "protocol: is missing")
		return
	}
	versions, isList := elements(protocols)
	if !isList {
		s.fail(id, floor.BadRequestCode, "protocol: must be a list")
		return
	}
	if !slices.ContainsFunc(versions, func(v []byte) bool { return string(v) == protocolVersion }) {
		s.fail(id, floor.UnsupportedCode, "protocol: only version %s is spoken here", protocolVersion)
		return
	}
	hello := s.hello
	hello.Ops = append([]floor.Op{}, hello.Ops...) // never null
	s.reply(id, struct {
		Protocol json.RawMessage `json:"protocol"`
		Hello
	}{json.RawMessage(protocolVersion), hello})
}

func (s *server) single(id int64, r floor.Request) error {
	s.request[0] = r
	answers, err := s.subject.Ask(s.ctx, s.request)
	if err != nil {
		return err
	}
	return s.say(id, sayable(answers[0]))
}

func (s *server) batch(id int64, rawOf, in json.RawMessage) error {
	of, isText := unquote(rawOf)
	switch {
	case rawOf == nil:
		s.fail(id, floor.BadRequestCode, "of: is missing")
		return nil
	case !isText:
		s.fail(id, floor.BadRequestCode, "of: must be a string")
		return nil
	case !slices.Contains(s.hello.Ops, floor.Op(of)):
		s.fail(id, floor.UnsupportedCode, "op %s is not offered", quote([]byte(of)))
		return nil
	case in == nil:
		s.fail(id, floor.BadRequestCode, "in: is missing")
		return nil
	}
	items, isList := elements(in)
	if !isList {
		s.fail(id, floor.BadRequestCode, "in: must be a list, of a batch")
		return nil
	}
	requests := make([]floor.Request, len(items))
	for i, item := range items {
		requests[i] = parseRequest(floor.Op(of), item)
	}
	return s.askAll(id, requests)
}

func (s *server) askAll(id int64, requests []floor.Request) error {
	answers, err := s.subject.Ask(s.ctx, requests)
	if err != nil {
		return err
	}
	s.text = appendID(s.text, id, `,"out":[`)
	for i, a := range answers {
		if i > 0 {
			s.text = append(s.text, ',')
		}
		if s.text, err = appendAnswer(s.text, sayable(a)); err != nil {
			return err
		}
	}
	s.text = append(s.text, "]}\n"...)
	return nil
}

// sayable makes an error of what went wrong with a subject in process: there
// is no other word for it on the wire.
func sayable(a floor.Answer) floor.Answer {
	if a.Broken == "" {
		return a
	}
	return failure(floor.InternalCode, fmt.Errorf("%s: %s", a.Broken, a.Detail))
}

// say writes an answer.
func (s *server) say(id int64, a floor.Answer) (err error) {
	s.text = appendID(s.text, id, ",")
	start := len(s.text)
	s.text, err = appendAnswer(s.text, a)
	s.text = append(append(s.text[:start], s.text[start+1:]...), '\n') // its brace is open already
	return err
}

func (s *server) fail(id int64, code floor.ErrorCode, format string, args ...any) {
	s.reply(id, failure(code, fmt.Errorf(format, args...)))
}

// reply writes an object as the answer to id. Our own words always have a
// spelling.
func (s *server) reply(id int64, object any) {
	text, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	s.text = appendID(s.text, id, ",")
	s.text = append(append(s.text, text[1:]...), '\n')
}

func (s *server) note(problem string, text []byte) {
	fmt.Fprintf(s.notes, "line %d %s: %s\n", s.number, problem, quote(text))
}
