package hostile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"unicode/utf8"
)

// A recorded is one answer of a recording: a line of JSON.
type recorded struct {
	Digest string `json:"digest"` // SHA-256 over method, path and body of the request, lower-case hex
	Status int    `json:"status"`
	Type   string `json:"type"`
	Body   string `json:"body"`
	Cut    bool   `json:"cut,omitempty"` // the connection broke off behind it
}

// errNotText says why an answer cannot be recorded: JSON holds text only.
var errNotText = errors.New("the answer is not UTF-8, and is not recorded")

func (r recorded) writeTo(w io.Writer) error {
	if !utf8.ValidString(r.Body) {
		return errNotText
	}
	if _, err := w.Write(append(plainJSON(r), '\n')); err != nil {
		return fmt.Errorf("write recording: %w", err)
	}
	return nil
}

// A tape gives recorded answers again: those to one request in the order in
// which they were recorded, the last of them over and over.
type tape struct {
	mu      sync.Mutex
	answers map[string][]recorded
	unknown int // requests that were not on it
}

func readTape(in io.Reader) (*tape, error) {
	t := &tape{answers: map[string][]recorded{}}
	lines := bufio.NewReader(in)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("read recording: %w", err)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			var r recorded
			if err := json.Unmarshal(line, &r); err != nil {
				return nil, fmt.Errorf("read recording: line %d: %w", number, err)
			}
			if len(r.Digest) != 64 || r.Status < 100 || r.Status > 999 {
				return nil, fmt.Errorf("read recording: line %d: is not a recorded answer", number)
			}
			t.answers[r.Digest] = append(t.answers[r.Digest], r)
		}
		if err != nil {
			return t, nil
		}
	}
}

func (t *tape) answer(d dialect, digest string) answer {
	t.mu.Lock()
	defer t.mu.Unlock()
	left := t.answers[digest]
	if len(left) == 0 {
		t.unknown++
		a := failed(d, http.StatusServiceUnavailable, "the recording holds no answer to this request ("+digest+")")
		a.header = [][2]string{{"x-should-retry", "false"}}
		return a
	}
	if len(left) > 1 {
		t.answers[digest] = left[1:]
	}
	r := left[0]
	return answer{status: r.Status, kind: r.Type, chunks: [][]byte{[]byte(r.Body)}, cut: r.Cut, did: "replayed"}
}

func (t *tape) missed() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.unknown
}
