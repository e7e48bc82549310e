//go:build unix

package conform

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	modeVar  = "FLOORCHECK_TEST_SUBJECT" // how the test binary behaves as a subject
	stateVar = "FLOORCHECK_TEST_STATE"   // a directory of the test
)

// TestMain makes the test binary a subject that misbehaves, where it is told
// to be one.
func TestMain(m *testing.M) {
	if mode := os.Getenv(modeVar); mode != "" {
		misbehave(mode)
		os.Exit(0)
	}
	flag.Parse()
	if flag.Lookup("test.fuzz").Value.String() == "" {
		must(flag.Set("test.parallel", "6")) // most of these tests wait for a clock
	}
	os.Exit(m.Run())
}

// A rogue is a subject that goes wrong in one way. Requests that require the
// class "trigger" bring it about, in most modes.
type rogue struct {
	mode  string
	in    *bufio.Reader
	out   *bufio.Writer
	hello string
	late  []string // answers held back
	asked int
}

type asked struct {
	ID int64           `json:"id"`
	Op string          `json:"op"`
	Of string          `json:"of"`
	In json.RawMessage `json:"in"`
}

func misbehave(mode string) {
	note("pids", strconv.Itoa(os.Getpid()))
	if mode == "serve" {
		must(Serve(context.Background(), os.Stdin, os.Stdout, os.Stderr, fixed()))
		return
	}
	if mode == "echo" { // the raw pipe, to compare with
		must2(io.Copy(struct{ io.Writer }{os.Stdout}, struct{ io.Reader }{os.Stdin}))
		return
	}
	r := &rogue{
		mode:  mode,
		in:    bufio.NewReaderSize(os.Stdin, 1<<20),
		out:   bufio.NewWriter(os.Stdout),
		hello: `"protocol":1,"name":"rogue","ops":["decide","derive"]`,
	}
	if strings.HasPrefix(mode, "box-") { // see conversation_test.go
		r.hello = `"protocol":1,"name":"rogue","ops":["reduce","recall"],"max_batch":8`
	}
	r.begin()
	for {
		text, err := r.in.ReadBytes('\n')
		if err == io.EOF {
			if mode == "ignores-bye" {
				select {}
			}
			return
		}
		must(err)
		var q asked
		must(json.Unmarshal(text, &q))
		note("asked", q.Op)
		switch q.Op {
		case "hello":
			r.greet()
		case "bye":
			if mode != "ignores-bye" {
				return
			}
		default:
			r.asked++
			r.ask(q)
		}
		must(r.out.Flush())
	}
}

// begin is what it does before it reads anything.
func (r *rogue) begin() {
	switch r.mode {
	case "reads-nothing", "no-hello", "no-hello-banner":
		if r.mode == "no-hello-banner" {
			fmt.Println("Loading the model…")
			fmt.Fprintln(os.Stderr, "warming up\x1b[2J")
		}
		if r.mode == "reads-nothing" {
			fmt.Printf("{\"id\":0,%s}\n", r.hello)
		}
		time.Sleep(time.Minute)
	case "dies-at-hello":
		fmt.Fprintln(os.Stderr, "no such module")
		os.Exit(3)
	case "banner":
		fmt.Print("Welcome!\n\nto the rogue\n")
	case "ignores-sigterm":
		signal.Ignore(syscall.SIGTERM)
	case "stderr-flood":
		go func() {
			for range 2000 { // 12 MB
				fmt.Fprintln(os.Stderr, strings.Repeat("flood ", 1000))
			}
		}()
	}
}

func (r *rogue) greet() {
	switch r.mode {
	case "wrong-protocol":
		r.hello = `"protocol":2,"name":"rogue","ops":["decide"]`
	case "hello-error":
		r.say(`{"id":0,"error":{"code":"unsupported","message":"not today"}}`)
		return
	case "changes-hello":
		r.hello += fmt.Sprintf(`,"version":"%d"`, lives())
	case "hello-then-dies":
		fmt.Printf("{\"id\":0,%s}\n", r.hello)
		os.Exit(4)
	}
	if strings.HasPrefix(r.mode, "batch-") {
		r.hello += `,"max_batch":8`
	}
	r.say(`{"id":0,%s}`, r.hello)
}

// lives counts how often this test started a subject.
func lives() int {
	text, err := os.ReadFile(os.Getenv(stateVar) + "/pids")
	must(err)
	return bytes.Count(text, []byte("\n"))
}

func (r *rogue) say(format string, args ...any) {
	must2(fmt.Fprintf(r.out, format+"\n", args...))
}

func (r *rogue) ask(q asked) {
	if strings.HasPrefix(r.mode, "box-") {
		r.askBox(q)
		return
	}
	triggered := bytes.Contains(q.In, []byte(`"trigger"`))
	if q.Op == "batch" {
		r.askBatch(q, triggered)
		return
	}
	good := fmt.Sprintf(`{"id":%d,"out":%s}`, q.ID, goodOut(q.In))
	if triggered && r.trigger(q, good) {
		return
	}
	switch r.mode {
	case "hangs":
		select {}
	case "stray-print":
		r.say("thinking about it")
	case "rubbish":
		r.say("I will not answer %d", q.ID)
		return
	case "crlf":
		r.say("%s\r", good)
		return
	case "out-of-order":
		if r.late = append(r.late, good); len(r.late) < 4 {
			return
		}
		for i := len(r.late) - 1; i >= 0; i-- {
			r.say("%s", r.late[i])
		}
		r.late = nil
		return
	case "answers-ahead":
		r.say("%s", good)
		r.say(`{"id":%d,"out":{"decision":"certified"}}`, q.ID+1)
		return
	case "one-shot":
		r.say("%s", good)
		must(r.out.Flush())
		os.Exit(0)
	case "slow":
		time.Sleep(30 * time.Millisecond)
	}
	r.say("%s", good)
}

// trigger goes wrong; done says that there is no good answer besides.
func (r *rogue) trigger(q asked, good string) (done bool) {
	must(r.out.Flush())
	switch r.mode {
	case "crashes", "changes-hello", "batch-crashes":
		fmt.Fprintln(os.Stderr, "Traceback: cannot bear it")
		os.Exit(7)
	case "crashes-once":
		if lives() == 1 {
			os.Exit(7)
		}
		return false
	case "prints-and-crashes":
		fmt.Println("fatal error")
		os.Exit(7)
	case "exits-0":
		os.Exit(0)
	case "kills-itself":
		must(syscall.Kill(os.Getpid(), syscall.SIGKILL))
		select {}
	case "hangs-on", "ignores-sigterm", "batch-hangs-on":
		select {}
	case "half-line":
		must2(os.Stdout.WriteString(good[:10]))
		select {}
	case "bad-utf8":
		r.say(`{"id":%d,"out":{"decision":"certified","x":"%s"}}`, q.ID, "\xff")
	case "bad-utf8-no-id":
		r.say("\xff\xfe")
		r.say("%s", good)
	case "over-long":
		r.say("%s", strings.Repeat("x", MaxLine+1))
		r.say("%s", good)
	case "endless-line":
		flood := bytes.Repeat([]byte("x"), 1<<16)
		for {
			if _, err := os.Stdout.Write(flood); err != nil {
				os.Exit(1)
			}
		}
	case "unknown-id":
		r.say(`{"id":%d,"out":{"decision":"certified"}}`, q.ID+1000)
		r.say("%s", good)
	case "id-twice":
		r.say("%s", good)
		r.say("%s", good)
	case "wrong-type":
		r.say(`{"id":%d,"out":{"decision":true}}`, q.ID)
	case "out-and-error":
		r.say(`{"id":%d,"out":{"decision":"certified"},"error":{"code":"internal","message":""}}`, q.ID)
	case "unknown-code":
		r.say(`{"id":%d,"error":{"code":"whatever","message":"m"}}`, q.ID)
	case "error":
		r.say(`{"id":%d,"error":{"code":"internal","message":"m"}}`, q.ID)
	case "grandchild":
		orphan()
		os.Exit(5)
	case "noisy-grandchild":
		orphanSaying()
		os.Exit(5)
	default:
		return false
	}
	return true
}

func (r *rogue) askBatch(q asked, triggered bool) {
	var ins []json.RawMessage
	must(json.Unmarshal(q.In, &ins))
	note("batches", strconv.Itoa(len(ins)))
	switch {
	case r.mode == "batch-crashes" && triggered:
		os.Exit(7)
	case r.mode == "batch-hangs-on" && triggered, r.mode == "batch-hangs":
		select {}
	case r.mode == "batch-dies":
		os.Exit(8)
	case r.mode == "batch-error":
		r.say(`{"id":%d,"error":{"code":"unsupported","message":"no batches"}}`, q.ID)
		return
	}
	var items []string
	for _, in := range ins {
		item := fmt.Sprintf(`{"out":%s}`, goodOut(in))
		if r.mode == "batch-bad-item" && bytes.Contains(in, []byte(`"trigger"`)) {
			item = `{"out":{"decision":"perhaps"}}`
		}
		items = append(items, item)
	}
	if r.mode == "batch-wrong-length" && triggered {
		items = items[1:]
	}
	r.say(`{"id":%d,"out":[%s]}`, q.ID, strings.Join(items, ","))
}

// goodOut echoes what tells one request from another: nobody gets another's
// answer unnoticed.
func goodOut(in json.RawMessage) string {
	var q struct {
		Contract struct {
			Generation int64 `json:"generation"`
		} `json:"contract"`
	}
	must(json.Unmarshal(in, &q))
	return fmt.Sprintf(`{"decision":"refuse","missing_classes":[],"generation":%d,"ancestry_certified":false}`, q.Contract.Generation)
}

// orphan leaves a silent process that holds our pipes.
func orphan() {
	cmd := exec.Command("sleep", "60")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	must(cmd.Start())
	note("pids", strconv.Itoa(cmd.Process.Pid))
}

// orphanSaying leaves one that never falls silent.
func orphanSaying() {
	cmd := exec.Command("sh", "-c", "while :; do printf x; sleep 0.05; done")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	must(cmd.Start())
	note("pids", strconv.Itoa(cmd.Process.Pid))
}

// note adds a line to a file of the test.
func note(file, text string) {
	dir := os.Getenv(stateVar)
	if dir == "" {
		return
	}
	f, err := os.OpenFile(dir+"/"+file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	must(err)
	must2(f.WriteString(text + "\n"))
	must(f.Close())
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "rogue:", err)
		os.Exit(9)
	}
}

func must2[T any](_ T, err error) { must(err) }
