//go:build unix

package conform

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

// soon is a timeout for tests that wait for it; a good answer never takes so
// long.
const soon = 400 * time.Millisecond

// A rogueTest is one subject that misbehaves, and all that we know of it.
type rogueTest struct {
	*testing.T
	*Process
	dir string
	log *lockedBuffer
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func rogueCommand(t *testing.T, mode string) (Command, *lockedBuffer, string) {
	dir, log := t.TempDir(), &lockedBuffer{}
	return Command{
		Args:    []string{os.Args[0]},
		Env:     []string{modeVar + "=" + mode, stateVar + "=" + dir, "GORACE=atexit_sleep_ms=0"},
		Timeout: 20 * time.Second,
		Suite:   "test",
		Log:     log,
	}, log, dir
}

// startRogue starts a subject that is closed, and looked for, when the test
// ends.
func startRogue(t *testing.T, mode string, change func(*Command)) *rogueTest {
	t.Helper()
	t.Parallel()
	command, log, dir := rogueCommand(t, mode)
	if change != nil {
		change(&command)
	}
	t.Cleanup(func() { requireNobodyLeft(t, dir) })
	p, err := Start(context.Background(), command)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	return &rogueTest{t, p, dir, log}
}

func timingOut(c *Command) { c.Timeout = soon }

// requireNobodyLeft wants every process of the test to be gone.
func requireNobodyLeft(t *testing.T, dir string) {
	for _, text := range fileLines(dir, "pids") {
		pid, err := strconv.Atoi(text)
		require.NoError(t, err)
		require.Eventually(t, func() bool { return isGone(pid) }, 3*time.Second, 10*time.Millisecond,
			"process %d is left over", pid)
	}
}

// isGone counts a zombie as gone: its parent, or init, is slow to collect it.
func isGone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || bytes.Contains(stat, []byte(") Z "))
}

func fileLines(dir, file string) []string {
	text, _ := os.ReadFile(filepath.Join(dir, file)) // absent: none
	return strings.Fields(string(text))
}

// starts is how many processes there were.
func (r *rogueTest) starts() int {
	n := 0
	for _, op := range fileLines(r.dir, "asked") {
		if op == "hello" {
			n++
		}
	}
	return n
}

// requestsWith makes n requests that can be told apart; those at trigger bring
// out what the subject does wrong.
func requestsWith(n int, trigger ...int) []floor.Request {
	requests := make([]floor.Request, n)
	for i := range requests {
		requests[i] = floor.Request{Op: floor.OpDecide, Decide: &floor.DecideIn{
			Contract: floor.Contract{Generation: int64(i)},
		}}
	}
	for _, i := range trigger {
		requests[i].Decide.Contract.Required = []floor.Class{"trigger"}
	}
	return requests
}

// ask asks in one go, and wants good answers but for those that broken names.
func (r *rogueTest) ask(requests []floor.Request, broken map[int]floor.Breakage) []floor.Answer {
	r.Helper()
	answers, err := r.Ask(context.Background(), requests)
	require.NoError(r, err)
	r.check(requests, answers, broken)
	return answers
}

// askEach asks in lock-step.
func (r *rogueTest) askEach(requests []floor.Request, broken map[int]floor.Breakage) []floor.Answer {
	r.Helper()
	var answers []floor.Answer
	for _, request := range requests {
		got, err := r.Ask(context.Background(), []floor.Request{request})
		require.NoError(r, err)
		answers = append(answers, got...)
	}
	r.check(requests, answers, broken)
	return answers
}

func (r *rogueTest) check(requests []floor.Request, answers []floor.Answer, broken map[int]floor.Breakage) {
	r.Helper()
	require.Len(r, answers, len(requests))
	for i, a := range answers {
		require.Equal(r, broken[i], a.Broken, "request %d: %s", i, a.Detail)
		if broken[i] == "" {
			require.NotNil(r, a.Decide, "request %d", i)
			require.Equal(r, requests[i].Decide.Contract.Generation, *a.Decide.Generation, "request %d has another's answer", i)
		}
	}
}

type broken = map[int]floor.Breakage

func all(n int, how floor.Breakage) broken {
	m := broken{}
	for i := range n {
		m[i] = how
	}
	return m
}

func TestGoodSubjects(t *testing.T) {
	for _, mode := range []string{"good", "crlf", "out-of-order", "stderr-flood", "batch-good"} {
		t.Run(mode, func(t *testing.T) {
			r := startRogue(t, mode, nil)
			r.ask(requestsWith(400), nil)
			if mode != "out-of-order" { // it waits for four
				r.askEach(requestsWith(20), nil)
			}
			require.Equal(t, 1, r.starts())
			require.Empty(t, r.Unexplained())
			require.Empty(t, r.log.String())
		})
	}
}

func TestOneRequestIsNoBatch(t *testing.T) {
	r := startRogue(t, "batch-good", nil)
	r.askEach(requestsWith(3), nil)
	require.Empty(t, fileLines(r.dir, "batches"))
	r.ask(requestsWith(20), nil)
	require.Equal(t, []string{"8", "8", "4"}, fileLines(r.dir, "batches"))
}

func TestBatchesHoldOneOp(t *testing.T) {
	r := startRogue(t, "batch-good", nil)
	requests := requestsWith(6)
	requests[2] = floor.Request{Op: floor.OpDerive, Raw: []byte(`{}`)} // answered as a decide: garbage
	r.ask(requests, broken{2: floor.Garbage})
	require.Equal(t, []string{"2", "3"}, fileLines(r.dir, "batches"))
}

func TestLargeBatchesAreSplit(t *testing.T) {
	r := startRogue(t, "batch-good", nil)
	requests := requestsWith(5)
	for i := range requests {
		requests[i].Decide.Contract.Required = []floor.Class{floor.Class(strings.Repeat("c", 400<<10))}
	}
	r.ask(requests, nil)
	require.Equal(t, []string{"2", "2"}, fileLines(r.dir, "batches"))
}

func TestWhatCannotBeSentIsNotRun(t *testing.T) {
	r := startRogue(t, "good", nil)
	requests := requestsWith(6)
	requests[1] = floor.Request{Op: floor.OpDecide}                        // no payload
	requests[2] = floor.Request{Op: floor.OpDecide, Raw: []byte("{}\n{}")} // would break the framing
	requests[3].Raw = []byte("{\"contract\":\n{\"generation\":3}}")        // must not
	requests[5].Decide.Contract.Required = []floor.Class{floor.Class(strings.Repeat("c", MaxLine))}
	r.ask(requests, broken{1: floor.NotRun, 2: floor.NotRun, 5: floor.NotRun})
	require.Equal(t, 1, r.starts())
}

func TestCrashes(t *testing.T) {
	tests := []struct{ mode, detail string }{
		{"crashes", "exit status 7\nstderr:\nTraceback: cannot bear it\n"},
		{"batch-crashes", "exit status 7\nstderr:\nTraceback: cannot bear it\n"},
		{"exits-0", "exit status 0"},
		{"kills-itself", "signal: killed"},
		{"grandchild", "exit status 5"},
		{"noisy-grandchild", "exit status 5"},
	}
	for _, tt := range tests {
		t.Run(tt.mode+" with others in flight", func(t *testing.T) {
			r := startRogue(t, tt.mode, nil)
			answers := r.ask(requestsWith(30, 11), broken{11: floor.Crash})
			require.Equal(t, tt.detail, answers[11].Detail)
			require.Equal(t, 3, r.starts(), "one, one for those in flight, one after the repeat")
			require.Empty(t, r.Unexplained())
			require.Contains(t, r.log.String(), "crash: ")
		})
		t.Run(tt.mode+" in lock-step", func(t *testing.T) {
			r := startRogue(t, tt.mode, nil)
			answers := r.askEach(requestsWith(5, 2, 4), broken{2: floor.Crash, 4: floor.Crash})
			require.Equal(t, tt.detail, answers[2].Detail)
			require.Equal(t, 2, r.starts(), "alone is to blame at once, and nobody asked after the last")
			require.Empty(t, r.Unexplained())
		})
	}
}

func TestTwoCrashersInOneWindow(t *testing.T) {
	r := startRogue(t, "crashes", nil)
	r.ask(requestsWith(20, 3, 8), broken{3: floor.Crash, 8: floor.Crash})
	require.Equal(t, 4, r.starts())
}

func TestACrashThatNobodyRepeatsIsUnexplained(t *testing.T) {
	r := startRogue(t, "crashes-once", nil)
	r.ask(requestsWith(30, 11), nil)
	require.Equal(t, 2, r.starts())
	require.Len(t, r.Unexplained(), 1)
	require.Contains(t, r.Unexplained()[0], "exit status 7")
}

func TestADeathWithNothingInFlightIsUnexplained(t *testing.T) {
	r := startRogue(t, "hello-then-dies", nil)
	require.Eventually(t, r.child.hasExited, 5*time.Second, time.Millisecond)
	require.NoError(t, r.Restart(context.Background()))
	require.Len(t, r.Unexplained(), 1)
	require.Contains(t, r.Unexplained()[0], "exit status 4")
}

func TestOneProcessPerAnswerEndsInABrokenRun(t *testing.T) {
	r := startRogue(t, "one-shot", nil)
	var brokenRun *BrokenRun
	for range 30 {
		_, err := r.Ask(context.Background(), requestsWith(1))
		if errors.As(err, &brokenRun) {
			break
		}
	}
	require.NotNil(t, brokenRun)
	require.Equal(t, 11, r.starts())
}

func TestTimeouts(t *testing.T) {
	for _, mode := range []string{"hangs-on", "half-line", "batch-hangs-on"} {
		t.Run(mode+" with others in flight", func(t *testing.T) {
			r := startRogue(t, mode, timingOut)
			answers := r.ask(requestsWith(30, 11), broken{11: floor.Timeout})
			if mode == "half-line" {
				require.Contains(t, answers[11].Detail, `10 bytes without a line's end: "{\"id\":`)
			}
			require.Empty(t, r.Unexplained())
		})
		t.Run(mode+" in lock-step", func(t *testing.T) {
			r := startRogue(t, mode, timingOut)
			r.askEach(requestsWith(4, 1), broken{1: floor.Timeout})
			require.Equal(t, 2, r.starts())
		})
	}
}

// It is garbage when the line is too long before it is too late; then the next
// request finds out that nothing else comes.
func TestAnEndlessLineEnds(t *testing.T) {
	r := startRogue(t, "endless-line", func(c *Command) { c.Timeout, c.Window = time.Second, 1 })
	requests := requestsWith(9, 4)
	answers, err := r.Ask(context.Background(), requests)
	require.NoError(t, err)
	want := broken{4: floor.Timeout}
	if answers[4].Broken == floor.Garbage {
		want = broken{4: floor.Garbage}
	}
	r.check(requests, answers, want)
	require.Equal(t, 2, r.starts())
	require.Empty(t, r.Unexplained())
}

func TestASubjectThatHangsOnEverythingIsGivenUp(t *testing.T) {
	r := startRogue(t, "hangs", func(c *Command) { c.Timeout = 100 * time.Millisecond })
	answers, err := r.Ask(context.Background(), requestsWith(30))
	var brokenRun *BrokenRun
	require.ErrorAs(t, err, &brokenRun)
	require.Equal(t, 11, r.starts())
	want := all(30, floor.NotRun)
	for i := range 10 { // the first loss names suspects, each further one a culprit
		want[i] = floor.Timeout
	}
	r.check(requestsWith(30), answers, want)

	answers, err = r.Ask(context.Background(), requestsWith(2))
	require.ErrorAs(t, err, &brokenRun)
	r.check(requestsWith(2), answers, all(2, floor.NotRun))
	require.Error(t, r.Restart(context.Background()))
	require.Equal(t, 11, r.starts())
}

func TestTheClockIsTheHeads(t *testing.T) { // 20 × 30 ms is more than one timeout
	r := startRogue(t, "slow", timingOut)
	r.ask(requestsWith(20), nil)
	require.Equal(t, 1, r.starts())
}

func TestSlowBatchesBecomeSingles(t *testing.T) {
	r := startRogue(t, "batch-hangs", timingOut)
	r.ask(requestsWith(100), nil)
	require.Equal(t, 2, r.starts())
	require.Empty(t, r.Unexplained())
	require.Contains(t, r.log.String(), "no batches from now on")
}

func TestBatchesThatCrashAreUnexplained(t *testing.T) {
	r := startRogue(t, "batch-dies", nil)
	r.ask(requestsWith(100), nil)
	require.Equal(t, 2, r.starts())
	require.Len(t, r.Unexplained(), 1)
}

func TestAProcessThatIgnoresSIGTERMIsKilled(t *testing.T) {
	r := startRogue(t, "ignores-sigterm", timingOut)
	r.askEach(requestsWith(3, 1), broken{1: floor.Timeout})
}

func TestASubjectThatReadsNothingDoesNotBlockUs(t *testing.T) {
	r := startRogue(t, "reads-nothing", timingOut)
	requests := requestsWith(1)
	requests[0].Decide.Contract.Required = []floor.Class{floor.Class(strings.Repeat("c", 1<<20))}
	r.askEach(requests, broken{0: floor.Timeout})
}

func TestGarbage(t *testing.T) {
	tests := []struct{ mode, detail string }{
		{"bad-utf8", "not UTF-8: \"{\\\"id\\\":"},
		{"bad-utf8-no-id", `not JSON: "\xff\xfe"`},
		{"over-long", "a line of more than 16 MiB: \"" + strings.Repeat("x", quoted) + "\"…"},
		{"unknown-id", "is not in flight: "},
		{"id-twice", "its id is answered twice: "},
		{"wrong-type", "out.decision: must be a string, got a boolean: "},
		{"out-and-error", "both out and error: "},
		{"unknown-code", "error.code: is not known: "},
	}
	for _, tt := range tests {
		t.Run(tt.mode, func(t *testing.T) {
			r := startRogue(t, tt.mode, func(c *Command) { c.Window = 1 }) // one in flight, in one Ask: blame is certain
			requests := requestsWith(9, 4)
			want := broken{4: floor.Garbage}
			if tt.mode == "id-twice" { // before or after the next one is asked
				answers, err := r.Ask(context.Background(), requests)
				require.NoError(t, err)
				if answers[4].Broken == "" {
					want = broken{5: floor.Garbage}
				}
				r.check(requests, answers, want)
				return
			}
			answers := r.ask(requests, want)
			require.Contains(t, answers[4].Detail, tt.detail)
			require.Equal(t, 1, r.starts())
			require.Empty(t, r.Unexplained())
		})
	}
}

func TestAnIDTwiceSpoilsItsRequest(t *testing.T) {
	r := startRogue(t, "id-twice", nil)
	answers := r.ask(requestsWith(30, 11), broken{11: floor.Garbage})
	require.Contains(t, answers[11].Detail, "its id is answered twice: ")
}

func TestAnIDTwiceInLockStepSpoilsOneRequest(t *testing.T) {
	r := startRogue(t, "id-twice", nil)
	requests, spoiled := requestsWith(4, 1), 0
	for i, request := range requests {
		answers, err := r.Ask(context.Background(), []floor.Request{request})
		require.NoError(t, err)
		if answers[0].Broken == floor.Garbage { // its own, or the next if that is asked by then
			require.Contains(t, []int{1, 2}, i)
			spoiled++
		}
	}
	require.Equal(t, 1, spoiled)
	require.Equal(t, 1, r.starts())
}

func TestAnErrorIsAnAnswer(t *testing.T) {
	r := startRogue(t, "error", nil)
	answers, err := r.Ask(context.Background(), requestsWith(3, 1))
	require.NoError(t, err)
	require.Equal(t, floor.Answer{Err: &floor.AnswerError{Code: floor.InternalCode, Message: "m"}}, answers[1])
	require.NotNil(t, answers[2].Decide)
}

func TestAnAnswerBeforeItsQuestionSpoilsAnother(t *testing.T) {
	r := startRogue(t, "answers-ahead", nil)
	r.askEach(requestsWith(1), nil)
	answers, err := r.Ask(context.Background(), requestsWith(1))
	require.NoError(t, err)
	require.Equal(t, floor.Garbage, answers[0].Broken, "%+v", answers[0])
}

func TestAStrayPrintBeforeEachAnswerSpoilsAll(t *testing.T) {
	t.Run("in lock-step", func(t *testing.T) {
		r := startRogue(t, "stray-print", nil)
		r.askEach(requestsWith(10), all(10, floor.Garbage))
		require.Equal(t, 1, r.starts(), "the answers between keep it going")
	})
	t.Run("with a window", func(t *testing.T) {
		r := startRogue(t, "stray-print", nil)
		r.ask(requestsWith(200), all(200, floor.Garbage))
		require.Equal(t, 1, r.starts())
	})
}

func TestThreeGarbageLinesInARowRestart(t *testing.T) {
	r := startRogue(t, "rubbish", nil)
	answers, err := r.Ask(context.Background(), requestsWith(40))
	var brokenRun *BrokenRun
	require.ErrorAs(t, err, &brokenRun)
	want := all(40, floor.NotRun)
	for i := range 33 {
		want[i] = floor.Garbage
	}
	r.check(requestsWith(40), answers, want)
	require.Equal(t, 11, r.starts())
}

func TestABannerSpoilsTheFirstRequest(t *testing.T) {
	r := startRogue(t, "banner", nil)
	answers := r.ask(requestsWith(9), broken{0: floor.Garbage})
	require.Contains(t, answers[0].Detail, `"Welcome!"`)
	require.Equal(t, 1, r.starts())
}

func TestALastWordOnStdoutIsBlamedOnce(t *testing.T) {
	for _, window := range []int{1, 64} {
		t.Run(fmt.Sprint(window), func(t *testing.T) {
			r := startRogue(t, "prints-and-crashes", func(c *Command) { c.Window = window })
			requests := requestsWith(9, 0) // the head, so that the line without an id is surely its own
			r.ask(requests, broken{0: floor.Garbage})
			require.Empty(t, r.Unexplained())
		})
	}
}

func TestABadItemSpoilsOnlyItself(t *testing.T) {
	r := startRogue(t, "batch-bad-item", nil)
	r.ask(requestsWith(30, 11, 12), broken{11: floor.Garbage, 12: floor.Garbage})
}

func TestABatchOfTheWrongLengthSpoilsTheBatch(t *testing.T) {
	r := startRogue(t, "batch-wrong-length", nil)
	want := broken{}
	for i := 8; i < 16; i++ {
		want[i] = floor.Garbage
	}
	answers := r.ask(requestsWith(30, 11), want)
	require.Contains(t, answers[8].Detail, "7 answers to a batch of 8: ")
}

func TestOneErrorForAWholeBatch(t *testing.T) {
	r := startRogue(t, "batch-error", nil)
	answers, err := r.Ask(context.Background(), requestsWith(10))
	require.NoError(t, err)
	for _, a := range answers {
		require.Equal(t, floor.UnsupportedCode, a.Err.Code)
	}
}

func TestSubjectsThatCannotBeStarted(t *testing.T) {
	tests := []struct {
		mode, wants string
		hint        bool
	}{
		{"no-hello", "no answer to hello within", true},
		{"no-hello-banner", "stdout:\n  \"Loading the model…\"\nstderr:\n  \"warming up\\x1b[2J\"", false},
		{"wrong-protocol", "protocol: must be 1, got 2", false},
		{"hello-error", "it answers with an error", false},
		{"dies-at-hello", "it ended before its answer to hello: exit status 3\nstdout: nothing\nstderr:\n  \"no such module\"", false},
	}
	for _, tt := range tests {
		t.Run(tt.mode, func(t *testing.T) {
			t.Parallel()
			command, _, dir := rogueCommand(t, tt.mode)
			if tt.hint || tt.mode == "no-hello-banner" {
				command.StartTimeout = time.Second
			}
			_, err := Start(context.Background(), command)
			var brokenRun *BrokenRun
			require.ErrorAs(t, err, &brokenRun)
			require.Equal(t, "start "+os.Args[0], brokenRun.Doing)
			require.Contains(t, err.Error(), tt.wants)
			require.Equal(t, tt.hint, brokenRun.Hint != "")
			requireNobodyLeft(t, dir)
		})
	}
}

func TestACommandThatIsNotThere(t *testing.T) {
	for _, args := range [][]string{nil, {"/no/such command"}} {
		_, err := Start(context.Background(), Command{Args: args})
		var brokenRun *BrokenRun
		require.ErrorAs(t, err, &brokenRun)
	}
}

func TestAnotherHelloAfterARestartIsABrokenRun(t *testing.T) {
	r := startRogue(t, "changes-hello", nil)
	answers, err := r.Ask(context.Background(), requestsWith(5, 1))
	var brokenRun *BrokenRun
	require.ErrorAs(t, err, &brokenRun)
	require.Contains(t, err.Error(), "another hello")
	require.NotNil(t, answers[0].Decide, "what was answered stands")
	require.Equal(t, floor.NotRun, answers[1].Broken)
}

func TestRestartsThatWeAskForAreNotCounted(t *testing.T) {
	r := startRogue(t, "good", nil)
	for range 12 {
		require.NoError(t, r.Restart(context.Background()))
		r.ask(requestsWith(2), nil)
	}
	require.Equal(t, 13, r.starts())
	require.Zero(t, r.losses)
	require.Empty(t, r.Unexplained())
}

func TestADoneContextStopsAtOnce(t *testing.T) {
	r := startRogue(t, "ignores-sigterm", nil)
	ctx, cancel := context.WithTimeout(context.Background(), soon)
	defer cancel()
	began := time.Now()
	answers, err := r.Ask(ctx, requestsWith(5, 2))
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Less(t, time.Since(began), 2*time.Second)
	want := broken{2: floor.NotRun, 3: floor.NotRun, 4: floor.NotRun}
	for i := range 2 { // on a busy machine even these are late
		if answers[i].Broken != "" {
			want[i] = floor.NotRun
		}
	}
	r.check(requestsWith(5), answers, want)
	r.ask(requestsWith(5), nil)
	require.Zero(t, r.losses)
}

func TestADoneContextStopsAStart(t *testing.T) {
	t.Parallel()
	command, _, dir := rogueCommand(t, "no-hello")
	ctx, cancel := context.WithTimeout(context.Background(), soon)
	defer cancel()
	_, err := Start(ctx, command)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	requireNobodyLeft(t, dir)
}

func TestCloseEndsAProcessThatWillNotGo(t *testing.T) {
	r := startRogue(t, "ignores-bye", nil)
	r.ask(requestsWith(3), nil)
	require.NoError(t, r.Close())
	require.NoError(t, r.Close())
	requireNobodyLeft(t, r.dir)
	answers, err := r.Ask(context.Background(), requestsWith(1))
	require.Error(t, err)
	require.Equal(t, floor.NotRun, answers[0].Broken)
}

func TestStderrIsShown(t *testing.T) {
	r := startRogue(t, "crashes", nil)
	require.Empty(t, r.Stderr())
	r.askEach(requestsWith(1, 0), broken{0: floor.Crash})
	require.Equal(t, "Traceback: cannot bear it\n", r.Stderr())
}

func TestStderrKeepsItsEnd(t *testing.T) {
	var errs tail
	for i := range 50_000 {
		errs.add(fmt.Appendf(nil, "line %d\n", i))
	}
	require.LessOrEqual(t, cap(errs.last), 3*stderrRing)
	require.Len(t, errs.end(), stderrEnd)
	require.True(t, strings.HasSuffix(errs.end(), "line 49999\n"))
}

func TestCommandIsShownReadably(t *testing.T) {
	require.Equal(t, `python3 "my adapter.py" "" "\x1b[2J"`, Command{Args: []string{"python3", "my adapter.py", "", "\x1b[2J"}}.String())
}

// Not parallel: it counts what the whole test binary has open.
func TestNothingStaysOpen(t *testing.T) {
	open := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("only Linux shows what a process has open: ", err)
		}
		return len(entries) + runtime.NumGoroutine()
	}
	before := open()
	for range 3 {
		command, _, dir := rogueCommand(t, "crashes")
		p, err := Start(context.Background(), command)
		require.NoError(t, err)
		_, err = p.Ask(context.Background(), requestsWith(9, 3))
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(context.Background())
		require.NoError(t, p.Restart(ctx))
		cancel()
		_, err = p.Ask(ctx, requestsWith(2))
		require.ErrorIs(t, err, context.Canceled)
		require.NoError(t, p.Close())
		requireNobodyLeft(t, dir)
	}
	require.Eventually(t, func() bool { return open() <= before+1 }, 3*time.Second, 10*time.Millisecond)
}
