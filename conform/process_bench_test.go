//go:build unix

package conform

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/floorcheck/floorcheck/floor"
)

func benchRequests(n int) []floor.Request {
	requests := make([]floor.Request, n)
	for i := range requests {
		requests[i] = floor.Request{Op: floor.OpDecide, Decide: &floor.DecideIn{
			Contract: floor.Contract{
				Required:          []floor.Class{floor.Negation, floor.Quantity, floor.Identifier},
				Certified:         []floor.Class{floor.Quantity},
				Generation:        int64(i % 7),
				AncestryCertified: i%2 == 0,
			},
			Conditions: floor.Conditions{SourceRecoverable: i%3 == 0},
		}}
	}
	return requests
}

// BenchmarkRawPipe is the anchor: the bytes of a request in lock-step, and
// nobody reads them.
func BenchmarkRawPipe(b *testing.B) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), modeVar+"=echo")
	stdin, _ := cmd.StdinPipe()
	stdout, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	in, err := appendPayload(nil, benchRequests(1)[0])
	if err != nil {
		b.Fatal(err)
	}
	text, answers := appendSingle(nil, 1, floor.OpDecide, in), bufio.NewReader(stdout)
	for b.Loop() {
		if _, err := stdin.Write(text); err != nil {
			b.Fatal(err)
		}
		if _, err := answers.ReadSlice('\n'); err != nil {
			b.Fatal(err)
		}
	}
	stdin.Close()
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
}

func benchmarkAsk(b *testing.B, atOnce int, singles bool) {
	ctx := context.Background()
	p, err := Start(ctx, Command{Args: []string{os.Args[0]}, Env: []string{modeVar + "=serve"}})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	p.singles = singles
	requests := benchRequests(atOnce)
	b.ReportAllocs()
	for b.Loop() {
		answers, err := p.Ask(ctx, requests)
		if err != nil || answers[0].Decide == nil {
			b.Fatal(err, answers[0])
		}
	}
	b.ReportMetric(float64(b.N*atOnce)/b.Elapsed().Seconds(), "requests/s")
}

func BenchmarkLockStep(b *testing.B) { benchmarkAsk(b, 1, true) }
func BenchmarkWindow64(b *testing.B) { benchmarkAsk(b, 10_000, true) }
func BenchmarkBatched(b *testing.B)  { benchmarkAsk(b, 10_000, false) }

// BenchmarkServe is the other end alone.
func BenchmarkServe(b *testing.B) {
	var text []byte
	for i, r := range benchRequests(1000) {
		in, err := appendPayload(nil, r)
		if err != nil {
			b.Fatal(err)
		}
		text = appendSingle(text, int64(i), r.Op, in)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := Serve(context.Background(), bytes.NewReader(text), io.Discard, io.Discard, fixed()); err != nil {
			b.Fatal(err)
		}
	}
}
