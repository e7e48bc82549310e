package conform

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

const (
	chunkSize  = 64 << 10 // a pipe's capacity
	stderrRing = 64 << 10
	stderrEnd  = 4 << 10
	shownLines = 20 // of each stream, when a start fails
	shownHead  = 8 << 10
)

// A child is one life of the subject: a process, the head of its own group.
// Who asks reads its stdout and writes its stdin without a goroutine between,
// which would cost as much as the pipe itself.
type child struct {
	process *os.Process
	pipes   []io.Closer // our ends
	end     sync.Once

	out *outbox

	stdout     deadlineReader
	tryRead    func(buf []byte) (n int, err error) // reads what is there; may be nil
	buf        []byte
	deadline   time.Time // of stdout, no later than it has to be; zero: to be set
	closed     bool      // stdout is at its end
	discarding bool      // nobody wants to know what else it says
	lines      splitter

	exited chan struct{} // closed when the process is gone
	state  string        // how it went, once exited is closed

	tap        *tap
	errs       *tail
	errsClosed chan struct{}

	// owed are the ids of requests that a line without an id spoiled: their
	// answers may come late, once.
	owed    map[int64]bool
	garbage int // garbage lines in a row
}

// A deadlineReader is what a pipe is on most systems.
type deadlineReader interface {
	io.ReadCloser
	SetReadDeadline(t time.Time) error
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
		stdout:     withDeadlines(stdout),
		tryRead:    tryReader(stdout),
		buf:        make([]byte, chunkSize),
		exited:     make(chan struct{}),
		tap:        &tap{},
		errs:       &tail{},
		errsClosed: make(chan struct{}),
		owed:       map[int64]bool{},
	}
	go c.out.run()
	go c.readErrs(stderr)
	go c.wait()
	return c, nil
}

// withDeadlines helps a pipe that has none.
func withDeadlines(stdout io.ReadCloser) deadlineReader {
	if file, ok := stdout.(deadlineReader); ok && file.SetReadDeadline(time.Time{}) == nil {
		return file
	}
	ours, theirs := net.Pipe()
	go func() {
		defer theirs.Close()
		_, _ = io.Copy(theirs, stdout) // an error is an end
	}()
	return ours
}

// wait does not use cmd.Wait, which would close the pipes that still hold the
// last answers.
func (c *child) wait() {
	state, err := c.process.Wait()
	if c.state = state.String(); err != nil {
		c.state = err.Error()
	}
	close(c.exited)
	c.interrupt()
}

func (c *child) hasExited() bool {
	select {
	case <-c.exited:
		return true
	default:
		return false
	}
}

// interrupt ends a listen that waits. What it is to notice must be true
// before.
func (c *child) interrupt() { _ = c.stdout.SetReadDeadline(time.Unix(1, 0)) } // closed: nobody listens

// listen waits for output, but not beyond until, the end of the process, or
// that of ctx; then, or earlier, there is none. A chunk is good until the next
// call.
func (c *child) listen(ctx context.Context, until time.Time) (chunk []byte) {
	if c.closed {
		c.sleep(ctx, until)
		return nil
	}
	if c.deadline.IsZero() || until.Before(c.deadline) { // to set it each time is slow
		c.setDeadline(until)
	}
	if c.hasExited() || ctx.Err() != nil { // after the deadline was set: see interrupt
		return nil
	}
	return c.read()
}

func (c *child) setDeadline(t time.Time) {
	c.deadline = t
	_ = c.stdout.SetReadDeadline(t) // an error comes again when we read
}

func (c *child) read() (chunk []byte) {
	n, err := c.stdout.Read(c.buf)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.deadline = time.Time{}
	case err != nil:
		c.closed = true
	}
	c.tap.note(c.buf[:n])
	return c.buf[:n]
}

// poll gives what has come already.
func (c *child) poll() (chunk []byte) {
	if c.closed {
		return nil
	}
	if c.tryRead == nil {
		c.setDeadline(time.Now().Add(time.Millisecond))
		chunk = c.read()
		c.deadline = time.Time{}
		return chunk
	}
	n, err := c.tryRead(c.buf)
	if err != nil { // the deadline is over
		c.setDeadline(time.Time{})
		n, _ = c.tryRead(c.buf)
	}
	c.tap.note(c.buf[:n])
	return c.buf[:n]
}

// sleep waits for a process that closed its stdout.
func (c *child) sleep(ctx context.Context, until time.Time) {
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case <-c.exited:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// drain hears what an exited process left in its pipe, until hear says that it
// is enough. A grandchild that keeps the pipe open, silent or not, does not
// keep us.
func (c *child) drain(hear func(chunk []byte) (more bool)) {
	now := time.Now()
	most, silent := now.Add(drainMost), now.Add(drainSilence)
	for !c.closed && now.Before(most) && now.Before(silent) {
		c.setDeadline(silent)
		chunk := c.read()
		if len(chunk) > 0 && !hear(chunk) {
			return
		}
		if now = time.Now(); len(chunk) > 0 {
			silent = now.Add(drainSilence)
		}
	}
}

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

// awaitExit waits for the end of the process and throws away what it says from
// now on. A done context does not wait.
func (c *child) awaitExit(ctx context.Context, most time.Duration) (exited bool) {
	if !c.discarding {
		c.discarding = true
		c.setDeadline(time.Time{})
		go func() { _, _ = io.Copy(io.Discard, c.stdout) }() // ends with the process
	}
	c.sleep(ctx, time.Now().Add(most))
	return c.hasExited()
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

// bury ends what is left of the group and lets go of the pipes, of stderr when
// all is read.
func (c *child) bury() {
	c.end.Do(func() {
		killGroup(c.process)
		c.awaitErrs()
		c.out.drop()
		c.stdout.Close()
		for _, pipe := range c.pipes {
			pipe.Close() // the error would be that it is closed already
		}
	})
}

// epitaph says how an exited process ended, and its last words.
func (c *child) epitaph() string {
	c.awaitErrs()
	return c.state + c.withStderr()
}

// awaitErrs waits until all that a process that is gone wrote to stderr is
// read. A grandchild that keeps it open does not keep us.
func (c *child) awaitErrs() {
	select {
	case <-c.errsClosed:
	case <-time.After(drainMost):
	}
}

func (c *child) withStderr() string {
	if end := c.errs.end(); end != "" {
		return "\nstderr:\n" + end
	}
	return ""
}

// seen is what a buried process that could not be started wrote.
func (c *child) seen() string {
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
