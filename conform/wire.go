package conform

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/floorcheck/floorcheck/floor"
)

const (
	// MaxLine is how long a line of the protocol may be, in bytes, its LF not
	// counted. Source: docs/protocol.md, "Framing".
	MaxLine = 16 << 20

	protocolVersion = "1"
	helloID         = 0
	opHello         = "hello"
	opBatch         = "batch"
	opBye           = "bye"
	notUTF8         = "not UTF-8" // the one problem that the other end tells apart

	// keptRest is how much room for half a line is kept for the next one.
	keptRest = 1 << 20
)

// A line is one line of the stream, without its LF or CRLF. Of a line that is
// too long only the beginning is there.
type line struct {
	text []byte
	long bool
}

// A splitter cuts a stream that comes in chunks into lines. It never holds
// more than MaxLine bytes: a longer line is told once, as soon as it is too
// long, and then skipped up to its LF.
type splitter struct {
	rest     []byte // the half line that the chunks so far ended with
	skipping bool
}

// lines gives the lines that end in chunk. A line is good until the next one.
func (s *splitter) lines(chunk []byte) iter.Seq[line] {
	return func(yield func(line) bool) {
		for len(chunk) > 0 {
			part, after, ended := chunk, []byte(nil), false
			if i := bytes.IndexByte(chunk, '\n'); i >= 0 {
				part, after, ended = chunk[:i], chunk[i+1:], true
			}
			chunk = after
			if l, whole := s.add(part, ended); whole && !yield(l) {
				return
			}
		}
	}
}

func (s *splitter) add(part []byte, ended bool) (l line, whole bool) {
	switch {
	case s.skipping:
		s.skipping = !ended
		return line{}, false
	case len(s.rest)+len(part) > MaxLine:
		l = line{beginning(s.rest, part), true}
		s.rest, s.skipping = nil, !ended
		return l, true
	case !ended:
		s.rest = append(s.rest, part...)
		return line{}, false
	case len(s.rest) > 0:
		part = append(s.rest, part...)
		s.rest = part[:0]
		if cap(part) > keptRest {
			s.rest = nil
		}
	}
	return line{text: bytes.TrimSuffix(part, []byte("\r"))}, true
}

// beginning is what a report shows of a line that is too long.
func beginning(rest, part []byte) []byte {
	head := bytes.Clone(rest[:min(len(rest), 2*quoted)])
	return append(head, part[:min(len(part), 2*quoted-len(head))]...)
}

// Encoding. Each appends one line with its LF.

func appendHello(buf []byte, suite string) []byte {
	buf = append(buf, `{"id":0,"op":"hello","protocol":[`+protocolVersion+`],"suite":`...)
	return append(appendString(buf, suite), "}\n"...)
}

func appendSingle(buf []byte, id int64, op floor.Op, in []byte) []byte {
	buf = appendString(appendID(buf, id, `,"op":`), string(op))
	buf = append(append(buf, `,"in":`...), in...)
	return append(buf, "}\n"...)
}

func appendBatch(buf []byte, id int64, op floor.Op, ins [][]byte) []byte {
	buf = appendString(appendID(buf, id, `,"op":"batch","of":`), string(op))
	buf = append(buf, `,"in":[`...)
	for i, in := range ins {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = append(buf, in...)
	}
	return append(buf, "]}\n"...)
}

func appendBye(buf []byte, id int64) []byte {
	return append(appendID(buf, id, `,"op":"bye"`), "}\n"...)
}

func appendID(buf []byte, id int64, then string) []byte {
	return append(strconv.AppendInt(append(buf, `{"id":`...), id, 10), then...)
}

func appendString(buf []byte, s string) []byte {
	quoted, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always has a spelling
	}
	return append(buf, quoted...)
}

// appendPayload appends a request's `in`, fit to stand in a line.
func appendPayload(buf []byte, r floor.Request) ([]byte, error) {
	if r.Raw == nil && r.Decide != nil {
		if longer, ok := appendDecideIn(buf, r.Decide); ok {
			return longer, fits(len(longer) - len(buf))
		}
	}
	in, err := r.In()
	if err != nil {
		return buf, err
	}
	if r.Raw != nil { // written by hand or by a generator: it must not break the framing
		if !json.Valid(in) || !utf8.Valid(in) {
			return buf, errors.New("in: is not JSON in UTF-8")
		}
		if bytes.ContainsAny(in, "\r\n") {
			var compact bytes.Buffer
			if err := json.Compact(&compact, in); err != nil {
				return buf, fmt.Errorf("in: %w", err)
			}
			in = compact.Bytes()
		}
	}
	return append(buf, in...), fits(len(in))
}

func fits(size int) error {
	if size > MaxLine-1024 { // what stands around it is shorter
		return errors.New("in: does not fit in a line")
	}
	return nil
}

// An envelope is what stands around an answer.
type envelope struct {
	id       int64
	readable bool            // the id could be read, though the rest may be garbage
	out, err json.RawMessage // nil where it does not stand there
	problem  string          // why the line is garbage, or ""
}

// openAnswer reads the envelope of a line from a subject.
func openAnswer(text []byte) (e envelope) {
	found, problem := pick(text, "id", "out", "error")
	e.out, e.err, e.problem = found[1], found[2], problem
	e.id, e.readable = integer(found[0])
	switch {
	case problem != "":
	case !e.readable:
		e.problem = "no integer id"
	default:
		e.problem = e.either()
	}
	return e
}

// either wants exactly one of out and error.
func (e *envelope) either() (problem string) {
	switch {
	case e.out != nil && e.err != nil:
		return "both out and error"
	case e.out == nil && e.err == nil:
		return "neither out nor error"
	}
	return ""
}

// single reads what the envelope holds as the answer to one request of op.
func (e *envelope) single(op floor.Op) (a floor.Answer, problem string) {
	if e.problem != "" {
		return a, e.problem
	}
	if e.err != nil {
		a.Err, problem = decodeError(e.err)
		return a, problem
	}
	return decodeOut(op, e.out)
}

// batch reads what the envelope holds as the answer to n requests of op. When
// the batch is good, an item that is not is garbage by itself.
func (e *envelope) batch(op floor.Op, n int) (answers []floor.Answer, problem string) {
	if e.problem != "" {
		return nil, e.problem
	}
	if e.err != nil { // one error for all
		a, problem := e.single(op)
		return slices.Repeat([]floor.Answer{a}, n), problem
	}
	items, isList := elements(e.out)
	if !isList {
		return nil, "the out of a batch is not a list"
	}
	if len(items) != n {
		return nil, fmt.Sprintf("%d answers to a batch of %d", len(items), n)
	}
	answers = make([]floor.Answer, n)
	for i, item := range items {
		answers[i] = decodeItem(op, item)
	}
	return answers, ""
}

// decodeItem reads one item of a batch.
func decodeItem(op floor.Op, item []byte) floor.Answer {
	if out, ok := cut(item, `{"out":`); ok {
		if a, problem := decodeOut(op, out); problem == "" {
			return a
		}
	}
	found, problem := pick(item, "out", "error")
	e := envelope{out: found[0], err: found[1], problem: problem}
	if e.problem == "" {
		e.problem = e.either()
	}
	a, problem := e.single(op)
	if problem != "" {
		return garbage(problem, item)
	}
	return a
}

func decodeOut(op floor.Op, out []byte) (a floor.Answer, problem string) {
	var err error
	switch op {
	case floor.OpDecide:
		if decide, ok := plainDecideOut(out); ok {
			return floor.Answer{Decide: decide}, ""
		}
		a.Decide, err = floor.DecodeDecideOut(out)
	case floor.OpDerive:
		a.Derive, err = floor.DecodeDeriveOut(out)
	case floor.OpReduce:
		a.Reduce, err = floor.DecodeReduceOut(out)
	case floor.OpRecall:
		a.Recall, err = floor.DecodeRecallOut(out)
	case floor.OpCertify:
		a.Certify, err = floor.DecodeCertifyOut(out)
	case floor.OpCompact:
		a.Compact, err = floor.DecodeCompactOut(out)
	default:
		return a, fmt.Sprintf("a result of op %q, which is not known", op)
	}
	if err != nil {
		return floor.Answer{}, err.Error()
	}
	return a, ""
}

func decodeError(raw []byte) (e *floor.AnswerError, problem string) {
	found, problem := pick(raw, "code", "message")
	code, isCode := unquote(found[0])
	message, isMessage := unquote(found[1])
	switch {
	case problem != "":
		return nil, "error: " + problem
	case !isCode:
		return nil, "error.code: must be a string"
	case !isMessage:
		return nil, "error.message: must be a string"
	}
	switch c := floor.ErrorCode(code); c {
	case floor.BadRequestCode, floor.UnsupportedCode, floor.UnavailableCode, floor.AlteredCode, floor.InternalCode:
		return &floor.AnswerError{Code: c, Message: bound(message)}, ""
	}
	return nil, "error.code: is not known"
}

// DecodeAnswerLine reads one line from a subject as its answer to a request of
// op or, where batch is not 0, to a batch of so many. There is one answer for
// each request asked; what is no answer is Garbage. readable says whether the
// id could be read, even of a line that is garbage otherwise.
func DecodeAnswerLine(text []byte, op floor.Op, batch int) (id int64, readable bool, answers []floor.Answer) {
	e := openAnswer(text)
	var problem string
	if batch > 0 {
		answers, problem = e.batch(op, batch)
	} else {
		var a floor.Answer
		a, problem = e.single(op)
		answers = []floor.Answer{a}
	}
	if problem != "" {
		answers = slices.Repeat([]floor.Answer{garbage(problem, text)}, max(batch, 1))
	}
	return e.id, e.readable, answers
}

// plainAnswer takes apart the line that nearly everyone writes. If out is one
// JSON value, which its decoder finds out, then the line is what it looks
// like, and need not be read twice.
func plainAnswer(text []byte) (id int64, out []byte, ok bool) {
	id, rest, ok := plainID(text)
	if !ok {
		return 0, nil, false
	}
	out, ok = cut(rest, `,"out":`)
	return id, out, ok
}

// plainID reads `{"id":N` at the start of text.
func plainID(text []byte) (id int64, rest []byte, ok bool) {
	const start = `{"id":`
	if len(text) < len(start) || string(text[:len(start)]) != start {
		return 0, nil, false
	}
	rest = text[len(start):]
	digits := 0
	for digits < len(rest) && '0' <= rest[digits] && rest[digits] <= '9' {
		digits++
	}
	id, ok = integer(rest[:digits])
	return id, rest[digits:], ok
}

// cut takes the prefix and the last brace away.
func cut(text []byte, prefix string) (inside []byte, ok bool) {
	last := len(text) - 1
	if last < len(prefix) || string(text[:len(prefix)]) != prefix || text[last] != '}' {
		return nil, false
	}
	return text[len(prefix):last], true
}

// quoted is how many bytes of a line a report repeats.
const quoted = 200

// quote shows bytes from a subject: clipped, and harmless to a terminal.
func quote(text []byte) string {
	if len(text) > quoted {
		return strconv.Quote(string(text[:quoted])) + "…"
	}
	return strconv.Quote(string(text))
}

// garbage is the answer of a request that a bad line spoils.
func garbage(problem string, text []byte) floor.Answer {
	return floor.Answer{Broken: floor.Garbage, Detail: spoiledBy(problem, text)}
}

func spoiledBy(problem string, text []byte) string {
	return strings.ToValidUTF8(bound(problem), "\uFFFD") + ": " + quote(text)
}
