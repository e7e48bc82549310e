package conform

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
	"unicode"
)

const (
	chunkSize  = 64 << 10 // a pipe's capacity
	stderrRing = 64 << 10
	stderrEnd  = 4 << 10
	shownLines = 20 // of each stream, when a start fails
	shownHead  = 8 << 10
)

// A child is one life of the subject: a process, the head of its own group,
// and the goroutines at its three pipes.
type child struct {
	process *os.Process
	pipes   []io.Closer // our ends
	end     sync.Once

	out    *outbox
	lines  splitter
	chunks chan []byte // what stdout gives; closed at its end, then set to nil
	free   chan []byte // chunks to be filled again

	exited chan struct{} // closed when the process is gone
	state  string        // how it went, once exited is closed
	gone   chan struct{} // closed when nobody reads its output any more

	tap        *tap
	errs       *tail
	errsClosed chan struct{}

	// owed are the ids of requests that a line without an id spoiled: their
	// answers may come late, once.
	owed    map[int64]bool
	garbage int // garbage lines in a row
}

func startChild(command Command) (*child, error) {
	if len(command.Args) == 0 {
		return nil, errors.New("there is no command")
	}
	cmd := exec.Command(command.Args[0], command.Args[1:]...)
	cmd.Dir = command.Dir
	cmd.Env = append(os.Environ(), command.Env...)
	ownGroup(cmd)
	stdin, err1 := cmd.StdinPipe()
	stdout, err2 := cmd.StdoutPipe()
	stderr, err3 := cmd.StderrPipe()
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &child{
		process:    cmd.Process,
		pipes:      []io.Closer{stdin, stdout, stderr},
		out:        newOutbox(stdin),
		chunks:     make(chan []byte, 1),
		free:       make(chan []byte, 3),
		exited:     make(chan struct{}),
		gone:       make(chan struct{}),
		tap:        &tap{},
		errs:       &tail{},
		errsClosed: make(chan struct{}),
		owed:       map[int64]bool{},
	}
	for range cap(c.free) {
		c.free <- make([]byte, chunkSize)
	}
	go c.out.run()
	go c.read(stdout)
	go c.readErrs(stderr)
	go c.wait()
	return c, nil
}

// wait does not use cmd.Wait, which would close the pipes that still hold the
// last answers.
func (c *child) wait() {
	state, err := c.process.Wait()
	if c.state = state.String(); err != nil {
		c.state = err.Error()
	}
	close(c.exited)
}

func (c *child) hasExited() bool {
	select {
	case <-c.exited:
		return true
	default:
		return false
	}
}

// read hands stdout over in chunks. There are three: a subject that writes
// faster than it is read waits at its pipe.
func (c *child) read(stdout io.Reader) {
	defer close(c.chunks)
	for {
		var chunk []byte
		select {
		case chunk = <-c.free:
		case <-c.gone:
			return
		}
		n, err := stdout.Read(chunk[:chunkSize])
		if n > 0 {
			c.tap.note(chunk[:n])
			select {
			case c.chunks <- chunk[:n]:
			case <-c.gone:
				return
			}
		} else {
			c.recycle(chunk)
		}
		if err != nil {
			return
		}
	}
}

func (c *child) recycle(chunk []byte) { c.free <- chunk } // as many as there is room for

func (c *child) readErrs(stderr io.Reader) {
	defer close(c.errsClosed)
	buf := make([]byte, chunkSize/2)
	for {
		n, err := stderr.Read(buf)
		c.errs.add(buf[:n])
		if err != nil {
			return
		}
	}
}

// drain hears what an exited process left in its pipe, until hear says that it
// is enough. A grandchild that keeps the pipe open, silent or not, does not
// keep us.
func (c *child) drain(hear func(chunk []byte) (more bool)) {
	most := time.After(drainMost)
	for c.chunks != nil {
		select {
		case chunk, ok := <-c.chunks:
			if !ok {
				c.chunks = nil
			} else if !hear(chunk) {
				return
			}
		case <-time.After(drainSilence):
			return
		case <-most:
			return
		}
	}
}

// awaitExit waits for the end of the process and throws its output away. A
// done context does not wait.
func (c *child) awaitExit(ctx context.Context, most time.Duration) (exited bool) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	for {
		select {
		case <-c.exited:
			return true
		case chunk, ok := <-c.chunks:
			if !ok {
				c.chunks = nil
			} else {
				c.recycle(chunk)
			}
		case <-timer.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// leave ends the process politely.
func (c *child) leave(ctx context.Context, id int64) {
	c.out.put(appendBye(nil, id))
	c.out.finish()
	if !c.awaitExit(ctx, byeGrace) {
		c.stop(ctx)
	}
	c.bury()
}

// stop ends it by SIGTERM and, where that does not help, by SIGKILL.
func (c *child) stop(ctx context.Context) {
	if ctx.Err() == nil {
		terminate(c.process)
		c.awaitExit(ctx, termGrace)
	}
	c.kill()
}

func (c *child) kill() {
	killGroup(c.process)
	c.awaitExit(context.Background(), killGrace)
	c.bury()
}

// bury ends what is left of the group and lets go of the pipes.
func (c *child) bury() {
	c.end.Do(func() {
		killGroup(c.process)
		close(c.gone)
		c.out.drop()
		for _, pipe := range c.pipes {
			pipe.Close() // the error would be that it is closed already
		}
	})
}

// epitaph says how an exited process ended, and its last words.
func (c *child) epitaph() string {
	select {
	case <-c.errsClosed:
	case <-time.After(drainSilence):
	}
	return c.state + c.withStderr()
}

func (c *child) withStderr() string {
	if end := c.errs.end(); end != "" {
		return "\nstderr:\n" + end
	}
	return ""
}

// seen is what a process that could not be started wrote.
func (c *child) seen() string {
	select { // a process that is gone has said all it had to say
	case <-c.errsClosed:
	case <-time.After(drainSilence):
	}
	return firstLines("stdout", c.tap.beginning()) + firstLines("stderr", c.errs.beginning())
}

func firstLines(name string, text []byte) string {
	if len(text) == 0 {
		return "\n" + name + ": nothing"
	}
	var b strings.Builder
	b.WriteString("\n" + name + ":")
	n := 0
	for l := range bytes.Lines(text) {
		if n++; n > shownLines {
			b.WriteString("\n  …")
			break
		}
		b.WriteString("\n  " + quote(bytes.TrimRight(l, "\r\n")))
	}
	return b.String()
}

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
		if r == '\r' {
			return -1
		}
		if r == '\n' || r == '\t' || unicode.IsPrint(r) {
			return r
		}
		return '\uFFFD'
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
