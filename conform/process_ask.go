package conform

import (
	"context"
	"fmt"
	"time"

	"github.com/floorcheck/floorcheck/floor"
)

const (
	batchRequests  = 100     // in one line, at most
	batchBytes     = 1 << 20 // in one line, unless one request has more
	batchesFlying  = 4
	requestsFlying = batchesFlying * batchRequests // when batches are sent
	bytesFlying    = 4 << 20                       // beyond it no line follows another

	lateness = 5 * time.Millisecond // for our own goroutines to see what came

	garbageRow = 3    // so many garbage lines in a row: restart
	mostOwed   = 1024 // late answers that we look out for

	// Answers of more than smallAnswer bytes a request may have largeAnswers
	// together in one Ask, so that a subject cannot fill our memory.
	smallAnswer  = 4 << 10
	largeAnswers = 256 << 20
)

// Ask puts the requests to the process. What it answered while it lived
// stands; who is to blame for its death is found out by asking again, alone.
func (p *Process) Ask(ctx context.Context, requests []floor.Request) ([]floor.Answer, error) {
	p.turn.Lock()
	defer p.turn.Unlock()
	a := &asking{
		p:        p,
		ctx:      ctx,
		requests: requests,
		answers:  make([]floor.Answer, len(requests)),
		left:     len(requests),
		queue:    make([]int, len(requests)),
		firstID:  p.nextID,
	}
	for i := range a.queue {
		a.queue[i] = i
	}
	defer p.watch(ctx)()
	err := a.run()
	if err != nil {
		a.giveUp(err)
	}
	return a.answers, err
}

// An asking is one Ask.
type asking struct {
	p        *Process
	ctx      context.Context
	requests []floor.Request
	answers  []floor.Answer
	left     int // requests without an answer

	queue   []int    // requests to be asked, in order
	inquiry *inquiry // who ended the process, while that is not known
	large   int      // bytes of large answers

	// What went to the present child in this Ask. The head is the oldest line
	// that has no answer.
	firstID   int64
	flights   []flight // by id - firstID
	head      int
	headSince time.Time
	lines     int // in flight, as are the next three
	batches   int
	asked     int
	bytes     int

	text  []byte   // lines to be written
	ins   [][]byte // of one line
	spelt []byte   // where they stand
}

// open says that there is no answer yet.
func open(a floor.Answer) bool {
	return a.Broken == "" && a.Err == nil && a.Decide == nil && a.Derive == nil && a.Certify == nil && a.Compact == nil &&
		a.Reduce == nil && a.Recall == nil
}

// A flight is a line that we wrote.
type flight struct {
	items  []int // the requests in it
	batch  bool
	landed bool // answered or spoiled
	size   int
}

// An inquiry asks those that were in flight when the process was lost, one at
// a time: only who loses it again is to blame.
type inquiry struct {
	suspects []int
	left     []int // not asked yet
	how      floor.Breakage
	what     string
	batch    bool // the head was a batch
	blamed   bool // another request, spoiled before, may be to blame
}

func (a *asking) run() error {
	for a.left > 0 {
		ready, err := a.attend()
		if err != nil {
			return err
		}
		if ready {
			a.fill()
		}
		if a.lines > 0 {
			if err := a.await(); err != nil {
				return err
			}
		}
		a.conclude()
	}
	return nil
}

// attend sees to it that there is a process, and that it behaved while nothing
// was in flight.
func (a *asking) attend() (ready bool, err error) {
	if a.p.child == nil {
		if err := a.p.launch(a.ctx, "restart"); err != nil {
			return false, err
		}
		a.firstID, a.flights, a.head = a.p.nextID, nil, 0
	}
	if a.lines > 0 {
		return true, nil
	}
	c := a.p.child
	a.overhear(c)
	if a.p.child == c && c.hasExited() {
		a.buryExited(c)
	}
	return a.p.child != nil, nil
}

// overhear takes what came already. Where nothing is in flight, what is more
// than a few chunks will spoil the same request a little later.
func (a *asking) overhear(c *child) {
	for range 4 {
		chunk := c.poll()
		if len(chunk) == 0 {
			return
		}
		if a.hear(c, chunk); a.p.child != c {
			return
		}
	}
}

// fill writes lines while there is room in the window.
func (a *asking) fill() {
	before := a.lines
	if a.inquiry != nil {
		if before == 0 {
			a.write(&a.inquiry.left, 1)
		}
	} else {
		for len(a.queue) > 0 && a.room() {
			a.write(&a.queue, a.lineRequests())
		}
	}
	if len(a.text) == 0 {
		return
	}
	if before == 0 {
		a.headSince = time.Now()
	}
	a.p.child.out.put(a.text) // one burst, one write
	a.text = a.text[:0]
}

func (a *asking) room() bool {
	if a.lines == 0 {
		return true
	}
	if a.lineRequests() > 1 && (a.batches >= batchesFlying || a.asked >= requestsFlying) {
		return false
	}
	return a.lines < a.p.command.Window && a.bytes < bytesFlying
}

// lineRequests is how many requests the next line may hold. A conversation
// goes alone: it is large, and its answer may take long.
func (a *asking) lineRequests() int {
	if a.p.singles {
		return 1
	}
	if op := a.requests[a.queue[0]].Op; op == floor.OpReduce || op == floor.OpRecall {
		return 1
	}
	return min(a.p.hello.MaxBatch, batchRequests)
}

// write takes one line's requests from the queue. A line that came unasked
// spoils the first of them instead.
func (a *asking) write(queue *[]int, most int) {
	first := (*queue)[0]
	if stray := a.p.stray; stray != nil {
		a.p.stray = nil
		a.set(first, floor.Answer{Broken: floor.Garbage, Detail: *stray})
		*queue = (*queue)[1:]
		return
	}
	size, err := a.gather((*queue)[:min(most, len(*queue))])
	if err != nil {
		a.set(first, floor.Answer{Broken: floor.NotRun, Detail: bound(err.Error())})
		*queue = (*queue)[1:]
		return
	}
	n, op, id := len(a.ins), a.requests[first].Op, a.p.nextID
	if a.p.nextID++; n == 1 {
		a.text = appendSingle(a.text, id, op, a.ins[0])
	} else {
		a.text = appendBatch(a.text, id, op, a.ins)
		a.batches++
	}
	a.flights = append(a.flights, flight{items: (*queue)[:n:n], batch: n > 1, size: size})
	a.lines++
	a.asked += n
	a.bytes += size
	*queue = (*queue)[n:]
}

// gather spells the requests that go together in one line: of one op, and not
// too large. The error is that of the first; another's comes in its turn.
func (a *asking) gather(items []int) (size int, err error) {
	a.ins, a.spelt = a.ins[:0], a.spelt[:0]
	if cap(a.spelt) > keptRest {
		a.spelt = nil
	}
	for _, i := range items {
		if a.requests[i].Op != a.requests[items[0]].Op {
			break
		}
		longer, err := appendPayload(a.spelt, a.requests[i])
		in := longer[len(a.spelt):]
		if err != nil && len(a.ins) == 0 {
			return 0, err
		}
		if err != nil || len(a.ins) > 0 && size+len(in) > batchBytes {
			break
		}
		a.ins, a.spelt = append(a.ins, in), longer
		size += len(in) + 1
	}
	return size, nil
}

// await waits for one thing to happen.
func (a *asking) await() error {
	c := a.p.child
	chunk := c.listen(a.ctx, a.headSince.Add(a.timeout()))
	switch {
	case len(chunk) > 0:
		a.hear(c, chunk)
	case a.ctx.Err() != nil:
	case c.hasExited():
		a.buryExited(c)
	default:
		a.lookAtClock(c)
	}
	if err := a.ctx.Err(); err != nil {
		if a.p.child != nil {
			a.p.child.kill()
			a.p.child = nil
		}
		return err
	}
	return nil
}

// hear reads the lines of a chunk; three bad ones may end the child meanwhile.
func (a *asking) hear(c *child, chunk []byte) {
	head := a.head
	for l := range c.lines.lines(chunk) {
		if a.take(c, l); a.p.child != c {
			return
		}
	}
	if a.head != head {
		a.headSince = time.Now()
	}
}

func (a *asking) take(c *child, l line) {
	if !l.long && a.takePlain(c, l.text) {
		return
	}
	e := envelope{problem: "a line of more than 16 MiB"}
	if !l.long {
		e = openAnswer(l.text)
	}
	var f *flight
	if e.readable {
		f = a.flight(e.id)
	}
	switch {
	case f != nil && !f.landed:
		a.takeAnswer(c, f, e, l.text)
	case e.readable && c.owed[e.id]: // late, and not waited for
		delete(c.owed, e.id)
		a.count(c, e.problem)
	case f != nil:
		a.spoil(f, "its id is answered twice", l.text)
		a.count(c, "twice")
	default:
		a.misplaced(c, e, l)
		a.count(c, "misplaced")
	}
}

// takePlain takes the answer that nearly everyone writes, and nothing that is
// not exactly that.
func (a *asking) takePlain(c *child, text []byte) bool {
	id, out, ok := plainAnswer(text)
	f := a.flight(id)
	if !ok || f == nil || f.landed || len(text) > f.smallAnswer() {
		return false
	}
	op := a.requests[f.items[0]].Op
	if f.batch {
		answers, ok := plainBatchOut(out, len(f.items))
		if !ok || op != floor.OpDecide {
			return false
		}
		a.settle(f, answers...)
	} else {
		answer, problem := decodeOut(op, out)
		if problem != "" {
			return false
		}
		a.settle(f, answer)
	}
	c.garbage = 0
	return true
}

func (f *flight) smallAnswer() int { return smallAnswer * len(f.items) }

func (a *asking) settle(f *flight, answers ...floor.Answer) {
	for k, i := range f.items {
		a.set(i, answers[k])
	}
	a.land(f)
}

// takeAnswer takes a line that names a request in flight.
func (a *asking) takeAnswer(c *child, f *flight, e envelope, text []byte) {
	answers, problem := a.decode(f, e)
	if len(text) > f.smallAnswer() {
		if a.large += len(text); a.large > largeAnswers {
			problem = "large answers of more than 256 MiB together"
		}
	}
	if problem != "" {
		a.spoil(f, problem, text)
	} else {
		a.settle(f, answers...)
	}
	a.count(c, problem)
}

func (a *asking) decode(f *flight, e envelope) (answers []floor.Answer, problem string) {
	op := a.requests[f.items[0]].Op
	if f.batch {
		return e.batch(op, len(f.items))
	}
	answer, problem := e.single(op)
	return []floor.Answer{answer}, problem
}

// misplaced is a line that names no request that we wait for: the head pays,
// or the next request.
func (a *asking) misplaced(c *child, e envelope, l line) {
	if a.lines == 0 {
		a.p.spoilNext(l)
		return
	}
	problem := e.problem
	if problem == "" {
		problem = fmt.Sprintf("id %d is not in flight", e.id)
	}
	if len(c.owed) < mostOwed {
		c.owed[a.firstID+int64(a.head)] = true
	}
	a.spoil(&a.flights[a.head], problem, l.text)
}

// count counts garbage lines in a row.
func (a *asking) count(c *child, problem string) {
	if problem == "" {
		c.garbage = 0
		return
	}
	if c.garbage++; c.garbage >= garbageRow {
		c.stop(a.ctx)
		a.lose(c, floor.Garbage, fmt.Sprintf("%d garbage lines in a row", garbageRow))
	}
}

// flight finds a line that went to the present child in this Ask.
func (a *asking) flight(id int64) *flight {
	if i := id - a.firstID; 0 <= i && i < int64(len(a.flights)) {
		return &a.flights[i]
	}
	return nil
}

func (a *asking) set(i int, answer floor.Answer) {
	if open(a.answers[i]) {
		a.left--
	}
	a.answers[i] = answer
}

// spoil makes garbage of what the line asked, answered or not.
func (a *asking) spoil(f *flight, problem string, text []byte) {
	for _, i := range f.items {
		a.set(i, garbage(problem, text))
	}
	a.land(f)
}

// land takes a line out of the window.
func (a *asking) land(f *flight) {
	if f.landed {
		return
	}
	f.landed = true
	a.lines--
	a.asked -= len(f.items)
	a.bytes -= f.size
	if f.batch {
		a.batches--
	}
	for a.head < len(a.flights) && a.flights[a.head].landed {
		a.head++
	}
}

// timeout is that of the request at the head.
func (a *asking) timeout() time.Duration {
	if a.head < len(a.flights) && len(a.flights[a.head].items) > 0 {
		return a.p.command.timeout(a.requests[a.flights[a.head].items[0]].Op)
	}
	return a.p.command.timeout("")
}

// lookAtClock is called when the head may be late.
func (a *asking) lookAtClock(c *child) {
	timeout := a.timeout()
	if time.Since(a.headSince) < timeout {
		return
	}
	if head := a.head; a.lastChance(c) || a.head != head {
		return
	}
	if c.hasExited() {
		a.buryExited(c)
		return
	}
	what := fmt.Sprintf("no answer within %v%s%s", timeout, c.tap.halfLine(), c.withStderr())
	c.stop(a.ctx)
	if a.ctx.Err() == nil {
		a.lose(c, floor.Timeout, what)
	}
}

// lastChance hears what may have come in time: it may be we who are late, on a
// busy machine.
func (a *asking) lastChance(c *child) (lost bool) {
	time.Sleep(lateness)
	a.overhear(c)
	return a.p.child != c
}

// buryExited hears the last words of a process that ended by itself.
func (a *asking) buryExited(c *child) {
	c.drain(func(chunk []byte) bool {
		a.hear(c, chunk)
		return a.p.child == c
	})
	if a.p.child != c {
		return // lost already, to garbage
	}
	what := c.epitaph()
	c.bury()
	if a.lines == 0 {
		a.p.diedIdle(c)
		a.p.lost(floor.Crash, what)
		return
	}
	a.lose(c, floor.Crash, what)
}

// lose decides what becomes of the requests that were in flight when the
// process was lost: one alone is to blame, several are suspects. Garbage has
// been blamed already, on others.
func (a *asking) lose(c *child, how floor.Breakage, what string) {
	batch := a.lines > 0 && a.flights[a.head].batch
	owing := len(c.owed) > 0 // a spoiled request may have been at work still
	items, alone := a.ground()
	a.p.lost(how, what)
	switch {
	case a.inquiry != nil && (how == floor.Garbage || owing):
		a.inquiry.left = append(items, a.inquiry.left...)
	case how == floor.Garbage:
		a.queue = append(items, a.queue...)
	case alone && !owing:
		a.set(items[0], floor.Answer{Broken: how, Detail: what})
	default:
		a.inquiry = &inquiry{suspects: items, left: items, how: how, what: what, batch: batch, blamed: owing}
	}
}

// ground gives the requests in flight, oldest first, and lands them all. alone
// says that there is one, in a line of its own.
func (a *asking) ground() (items []int, alone bool) {
	alone = a.lines == 1 && !a.flights[a.head].batch
	for k := range a.flights[a.head:] {
		if f := &a.flights[a.head+k]; !f.landed {
			items = append(items, f.items...)
		}
	}
	a.flights, a.head = nil, 0
	a.lines, a.batches, a.asked, a.bytes = 0, 0, 0, 0
	return items, alone
}

// conclude ends an inquiry when all its suspects were heard.
func (a *asking) conclude() {
	q := a.inquiry
	if q == nil || len(q.left) > 0 || a.lines > 0 {
		return
	}
	a.inquiry = nil
	for _, i := range q.suspects {
		switch a.answers[i].Broken {
		case floor.Crash, floor.Timeout, floor.Garbage:
			q.blamed = true
		}
	}
	if q.blamed {
		return
	}
	if q.batch {
		a.p.singles = true
		a.p.logf("%s: no request of a batch repeats its %s alone: no batches from now on", a.p.command, q.how)
	}
	if !q.batch || q.how == floor.Crash { // else the batches were too slow, and that is all
		a.p.unexplain("%s with %d requests in flight, and none repeats it alone: %s", q.how, len(q.suspects), q.what)
	}
}

// giveUp says of the requests without an answer that they were not run.
func (a *asking) giveUp(err error) {
	notRun := floor.Answer{Broken: floor.NotRun, Detail: bound(err.Error())}
	for i := range a.answers {
		if open(a.answers[i]) {
			a.set(i, notRun)
		}
	}
}
