package conform

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/floorcheck/floorcheck/floor"
)

// What a process is granted. Source: docs/protocol.md, "What may go wrong".
const (
	DefaultTimeout      = 5 * time.Second
	DefaultLongTimeout  = 120 * time.Second // of ops that may wait for a model
	DefaultStartTimeout = 20 * time.Second
	DefaultWindow       = 64

	maxRestarts  = 10
	byeGrace     = 3 * time.Second
	termGrace    = 2 * time.Second
	killGrace    = 2 * time.Second
	drainSilence = 200 * time.Millisecond // an exited process's pipe is empty after so long without data
	drainMost    = time.Second            // however much a grandchild writes
)

// A Command says how a subject is started. No shell reads it.
type Command struct {
	Args         []string
	Env          []string      // added to our own environment
	Dir          string        // "" = ours
	Timeout      time.Duration // for one answer; 0 = DefaultTimeout, or DefaultLongTimeout where the op may wait for a model
	StartTimeout time.Duration // for the answer to hello; 0 = DefaultStartTimeout
	Window       int           // lines in flight; 0 = DefaultWindow
	Suite        string        // what hello says of us
	Log          io.Writer     // restarts are noted there; may be nil

	// Play, if it is set, is told which summarizer the model server that the
	// subject was given has to play, before what is asked under it.
	Play func(summarizer string)
}

func (c Command) withDefaults() Command {
	if c.StartTimeout <= 0 {
		c.StartTimeout = DefaultStartTimeout
	}
	if c.Window <= 0 {
		c.Window = DefaultWindow
	}
	if c.Log == nil {
		c.Log = io.Discard
	}
	return c
}

// timeout is how long the answer to a request of op may take.
func (c Command) timeout(op floor.Op) time.Duration {
	switch {
	case c.Timeout > 0:
		return c.Timeout
	case op == floor.OpReduce || op == floor.OpCompact:
		return DefaultLongTimeout
	}
	return DefaultTimeout
}

// String is the command as it is shown, never as it is run.
func (c Command) String() string {
	shown := make([]string, len(c.Args))
	for i, arg := range c.Args {
		if shown[i] = arg; arg == "" || strings.ContainsFunc(arg, isOdd) {
			shown[i] = strconv.Quote(arg)
		}
	}
	return bound(strings.Join(shown, " "))
}

func isOdd(r rune) bool { return r <= ' ' || r == '"' || r == '\'' || !strconv.IsPrint(r) }

// A Process is a subject in a process of its own. It is started again when it
// dies, hangs, or writes rubbish, up to 10 times.
type Process struct {
	command Command
	hello   Hello

	turn    sync.Mutex // one Ask, Restart or Close at a time
	child   *child     // nil when it ended; the next Ask starts another
	nextID  int64
	losses  int        // times it ended other than by our wish
	singles bool       // it gets no batches any more
	stray   *string    // a line that came when nothing was in flight, for the next request
	broken  *BrokenRun // it cannot be asked any more

	mu          sync.Mutex // what may be read during an Ask
	latest      *child     // whose stderr is shown
	unexplained []string
}

var _ Subject = (*Process)(nil)

// Start starts a command and has it say hello. The error is the context's or
// a *BrokenRun.
func Start(ctx context.Context, command Command) (*Process, error) {
	p := &Process{command: command.withDefaults(), nextID: helloID + 1}
	p.turn.Lock()
	defer p.turn.Unlock()
	defer p.watch(ctx)()
	if err := p.launch(ctx, "start"); err != nil {
		return nil, err
	}
	return p, nil
}

// Hello is what the subject said of itself when it was started.
func (p *Process) Hello() Hello { return p.hello }

// Play has the model server behind the subject play a summarizer.
func (p *Process) Play(summarizer string) {
	if p.command.Play != nil {
		p.command.Play(summarizer)
	}
}

// Losses is how often the process ended other than by our wish; what it
// remembered went with it.
func (p *Process) Losses() int {
	p.turn.Lock()
	defer p.turn.Unlock()
	return p.losses
}

// Stderr is the end of what the process wrote to stderr, at most 4 KiB.
func (p *Process) Stderr() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.latest == nil {
		return ""
	}
	return p.latest.errs.end()
}

// Unexplained tells the crashes that no request could be blamed for. A run
// that has any is not a pass.
func (p *Process) Unexplained() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.unexplained...)
}

// unexplain is called at most once for each restart, which bounds the list.
func (p *Process) unexplain(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unexplained = append(p.unexplained, fmt.Sprintf(format, args...))
}

// Restart ends the process politely and starts it again. Such restarts are
// not among the 10.
func (p *Process) Restart(ctx context.Context) error {
	p.turn.Lock()
	defer p.turn.Unlock()
	if p.broken != nil {
		return p.broken
	}
	defer p.watch(ctx)()
	p.retire(ctx)
	return p.launch(ctx, "restart")
}

// Close ends the process: bye, then SIGTERM after 3 s, SIGKILL after 2 more.
func (p *Process) Close() error {
	p.turn.Lock()
	defer p.turn.Unlock()
	p.retire(context.Background())
	if p.broken == nil {
		p.broken = &BrokenRun{Doing: "ask " + p.command.String(), Err: errors.New("it is closed")}
	}
	return nil
}

// watch has the end of ctx interrupt whoever listens to the process.
func (p *Process) watch(ctx context.Context) (unwatch func()) {
	if ctx.Done() == nil {
		return func() {}
	}
	stop := context.AfterFunc(ctx, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.latest != nil {
			p.latest.interrupt()
		}
	})
	return func() { stop() } // one that comes late interrupts in vain
}

// retire is a polite end. A process that we find dead did not end at our wish.
func (p *Process) retire(ctx context.Context) {
	c := p.child
	if c == nil {
		return
	}
	if c.hasExited() {
		p.diedIdle(c)
	}
	c.leave(ctx, p.nextID)
	p.nextID++
	p.child = nil
}

// diedIdle notes a death that came when nothing was in flight, unless the
// request is blamed already whose answer it still owed.
func (p *Process) diedIdle(c *child) {
	if len(c.owed) == 0 {
		p.unexplain("crash with nothing in flight: %s", c.epitaph())
	}
}

// lost notes that the process is gone other than by our wish.
func (p *Process) lost(how floor.Breakage, what string) {
	p.child = nil
	p.losses++
	first, _, _ := strings.Cut(what, "\n")
	p.logf("%s: %s: %s (%d of %d restarts)", p.command, how, first, min(p.losses, maxRestarts), maxRestarts)
	if p.losses > maxRestarts && p.broken == nil {
		p.broken = &BrokenRun{
			Doing: "restart " + p.command.String(),
			Err:   fmt.Errorf("it had to be restarted %d times and is lost again: %s: %s", maxRestarts, how, what),
		}
	}
}

func (p *Process) logf(format string, args ...any) { fmt.Fprintf(p.command.Log, format+"\n", args...) }

// launch starts a process and greets it; doing is the verb for errors.
func (p *Process) launch(ctx context.Context, doing string) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case p.broken != nil:
		return p.broken
	}
	doing += " " + p.command.String()
	c, err := startChild(p.command)
	if err != nil {
		p.broken = &BrokenRun{Doing: doing, Err: err}
		return p.broken
	}
	p.mu.Lock()
	p.latest = c
	p.mu.Unlock()
	hello, err := p.greet(ctx, c)
	greeted := p.hello.MaxBatch > 0 // every hello has it
	if err == nil && greeted && !reflect.DeepEqual(hello, p.hello) {
		err = fmt.Errorf("it says another hello than before: %s", bound(fmt.Sprintf("%+v, was %+v", hello, p.hello)))
	}
	if err != nil {
		c.kill()
		return p.notStarted(ctx, doing, c, err)
	}
	p.hello, p.child = hello, c
	return nil
}

func (p *Process) notStarted(ctx context.Context, doing string, c *child, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	p.broken = &BrokenRun{Doing: doing, Err: fmt.Errorf("%w%s", err, c.seen())}
	if errors.Is(err, os.ErrDeadlineExceeded) && !c.tap.hasLine() {
		p.broken.Hint = "Is stdout buffered? python: print(…, flush=True)"
	}
	return p.broken
}

// greet says hello and waits for the answer. What else comes is for the next
// request to suffer.
func (p *Process) greet(ctx context.Context, c *child) (Hello, error) {
	c.out.put(appendHello(nil, p.command.Suite))
	until := time.Now().Add(p.command.StartTimeout)
	for {
		if hello, found, err := p.findHello(c, c.listen(ctx, until)); found {
			return hello, err
		}
		switch {
		case ctx.Err() != nil:
			return Hello{}, ctx.Err()
		case c.hasExited():
			return p.lastWords(c)
		case !time.Now().Before(until):
			return Hello{}, fmt.Errorf("no answer to hello within %v: %w", p.command.StartTimeout, os.ErrDeadlineExceeded)
		}
	}
}

// lastWords looks for the answer to hello in what an exited process left.
func (p *Process) lastWords(c *child) (hello Hello, err error) {
	err = fmt.Errorf("it ended before its answer to hello: %s", c.state)
	found := false
	c.drain(func(chunk []byte) bool {
		if h, is, problem := p.findHello(c, chunk); is {
			hello, found, err = h, true, problem
		}
		return !found
	})
	return hello, err
}

func (p *Process) findHello(c *child, chunk []byte) (hello Hello, found bool, err error) {
	for l := range c.lines.lines(chunk) {
		if e := openAnswer(l.text); !found && !l.long && e.readable && e.id == helloID {
			hello, err = DecodeHello(l.text)
			found = true
			continue
		}
		p.spoilNext(l)
	}
	return hello, found, err
}

// spoilNext keeps a line that came when nothing was in flight.
func (p *Process) spoilNext(l line) {
	if p.stray == nil {
		detail := spoiledBy("a line that answers nothing", l.text)
		p.stray = &detail
	}
}
