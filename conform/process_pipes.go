package conform

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A tap remembers of stdout what a report may need: how it began, and the half
// line that it ends with.
type tap struct {
	mu     sync.Mutex
	head   []byte
	half   []byte // clipped
	length int    // of the half line
	line   bool   // a whole line came
}

func (t *tap) note(chunk []byte) {
	if len(chunk) == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if room := shownHead - len(t.head); room > 0 {
		t.head = append(t.head, chunk[:min(room, len(chunk))]...)
	}
	if i := bytes.LastIndexByte(chunk, '\n'); i >= 0 {
		chunk, t.half, t.length, t.line = chunk[i+1:], t.half[:0], 0, true
	}
	t.length += len(chunk)
	if room := quoted - len(t.half); room > 0 {
		t.half = append(t.half, chunk[:min(room, len(chunk))]...)
	}
}

func (t *tap) hasLine() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.line
}

func (t *tap) beginning() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Clone(t.head)
}

// halfLine describes the line that has no end yet, if there is one.
func (t *tap) halfLine() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.length == 0 {
		return ""
	}
	return fmt.Sprintf("; %d bytes without a line's end: %s", t.length, quote(t.half))
}

// A tail remembers how a stream began and the last 64 KiB of it.
type tail struct {
	mu   sync.Mutex
	head []byte
	last []byte
}

func (t *tail) add(text []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if room := shownHead - len(t.head); room > 0 {
		t.head = append(t.head, text[:min(room, len(text))]...)
	}
	t.last = append(t.last, text...)
	if len(t.last) > 2*stderrRing { // now and then, so that a flood is not copied at every step
		t.last = append(t.last[:0], t.last[len(t.last)-stderrRing:]...)
	}
}

func (t *tail) beginning() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Clone(t.head)
}

// end is the last 4 KiB, harmless to a terminal.
func (t *tail) end() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return printable(t.last[max(0, len(t.last)-stderrEnd):])
}

func printable(text []byte) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return -1
		case r == '\n', r == '\t', unicode.IsPrint(r):
			return r
		}
		return utf8.RuneError
	}, string(text))
}

// An outbox writes to a subject. What the pipe does not take at once is written
// by a goroutine: a subject that does not read must not block us. Who puts
// bounds how much waits. An error of writing is none by itself: it says that
// nobody reads, and the exit will be noticed.
type outbox struct {
	w    io.WriteCloser
	try  func(text []byte) (n int) // writes what does not block; may be nil
	wake chan struct{}

	mu       sync.Mutex
	waiting  []byte
	writing  bool
	finished bool // close w when all is written
	dropped  bool // nobody reads
}

func newOutbox(w io.WriteCloser) *outbox {
	return &outbox{w: w, try: tryWriter(w), wake: make(chan struct{}, 1)}
}

// put copies text.
func (o *outbox) put(text []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.dropped || o.finished {
		return
	}
	if o.try != nil && !o.writing && len(o.waiting) == 0 {
		text = text[o.try(text):]
	}
	if len(text) > 0 {
		o.waiting = append(o.waiting, text...)
		o.signal()
	}
}

// finish closes the stream once all is written.
func (o *outbox) finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.finished = true
	o.signal()
}

// drop gives up.
func (o *outbox) drop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.dropped, o.waiting = true, nil
	o.signal()
}

func (o *outbox) signal() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *outbox) run() {
	var text []byte
	for range o.wake {
		var finished, dropped bool
		if text, finished, dropped = o.take(text); dropped {
			return
		}
		if _, err := o.w.Write(text); err != nil {
			o.drop()
		}
		if finished {
			o.w.Close() // the error would be that it is closed already
			return
		}
		o.written()
	}
}

// take swaps what waits for a buffer that may be used again.
func (o *outbox) take(spare []byte) (text []byte, finished, dropped bool) {
	if cap(spare) > keptRest {
		spare = nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	text, o.waiting = o.waiting, spare[:0]
	o.writing = true
	return text, o.finished, o.dropped
}

func (o *outbox) written() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.writing = false
}
