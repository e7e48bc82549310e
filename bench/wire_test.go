package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/props/gen"
)

// asked is how many requests go to a process at a time, where it is more than
// one.
const asked = 2000

// BenchmarkWire asks the engine in a process of its own, beside the same bytes
// to a process that gives them back unread.
func BenchmarkWire(b *testing.B) {
	requests := make([]floor.Request, 0, asked)
	for _, c := range generated(gen.KindDecide, asked) {
		requests = append(requests, c.Steps...)
	}
	b.Run("raw", func(b *testing.B) { benchmarkEcho(b, spelled(b, requests)) })
	b.Run("lock-step", func(b *testing.B) { benchmarkAsk(b, singles, requests, 1) })
	b.Run("window", func(b *testing.B) { benchmarkAsk(b, singles, requests, asked) })
	b.Run("batched", func(b *testing.B) { benchmarkAsk(b, batches, requests, asked) })
}

// BenchmarkSpelling is what of a question over the wire is JSON.
func BenchmarkSpelling(b *testing.B) {
	var requests []floor.Request
	var answers []floor.Answer
	var ins, outs []json.RawMessage
	for _, t := range answered(b, generated(gen.KindDecide, corpus)) {
		in, err := t.Case.Steps[0].In()
		if err != nil {
			b.Fatal(err)
		}
		out, err := json.Marshal(t.Answers[0].Decide)
		if err != nil {
			b.Fatal(err)
		}
		requests, answers = append(requests, t.Case.Steps[0]), append(answers, t.Answers[0])
		ins, outs = append(ins, in), append(outs, out)
	}
	run := func(name string, f func(i int) error) {
		b.Run(name, func(b *testing.B) {
			i := 0
			timedEach(b, 100, func() {
				if err := f(i % corpus); err != nil {
					b.Fatal(err)
				}
				i++
			})
		})
	}
	run("write-request", func(i int) error { _, err := requests[i].In(); return err })
	run("read-request", func(i int) error { _, err := floor.DecodeDecideIn(ins[i]); return err })
	run("write-answer", func(i int) error { _, err := json.Marshal(answers[i]); return err })
	run("read-answer", func(i int) error { _, err := floor.DecodeDecideOut(outs[i]); return err })
}

// spelled are requests as lines.
func spelled(b *testing.B, requests []floor.Request) (lines [][]byte) {
	for i, r := range requests {
		in, err := r.In()
		if err != nil {
			b.Fatal(err)
		}
		line := append(strconv.AppendInt([]byte(`{"id":`), int64(i), 10), `,"op":"decide","in":`...)
		lines = append(lines, append(append(line, in...), "}\n"...))
	}
	return lines
}

// benchmarkEcho is the anchor: the bytes there and back in lock-step.
func benchmarkEcho(b *testing.B, lines [][]byte) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVar+"="+echoes)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	back := bufio.NewReaderSize(stdout, 64<<10)
	i := 0
	timed(b, 1, func() {
		if err := thereAndBack(stdin, back, lines[i%len(lines)]); err != nil {
			b.Fatal(err)
		}
		i++
	})
	stdin.Close() // it ends when it has nothing to read
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
}

func thereAndBack(there io.Writer, back *bufio.Reader, line []byte) error {
	if _, err := there.Write(line); err != nil {
		return err
	}
	_, err := back.ReadSlice('\n')
	return err
}

func benchmarkAsk(b *testing.B, child string, requests []floor.Request, atOnce int) {
	ctx := context.Background()
	p, err := conform.Start(ctx, conform.Command{Args: []string{os.Args[0]}, Env: []string{childVar + "=" + child}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := p.Close(); err != nil {
			b.Error(err)
		}
	})
	i := 0
	timed(b, atOnce, func() {
		i = (i + atOnce) % (len(requests) - atOnce + 1)
		answers, err := p.Ask(ctx, requests[i:i+atOnce])
		if err != nil {
			b.Fatal(err)
		}
		if last := answers[len(answers)-1]; len(answers) != atOnce || last.Decide == nil {
			b.Fatalf("%d answers, the last %+v", len(answers), last)
		}
	})
}
