package bench

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/engine"
	"github.com/floorcheck/floorcheck/floor"
)

// childVar makes this test binary a process under test.
const childVar = "FLOORCHECK_BENCH_CHILD"

// What a child does.
const (
	echoes  = "echo"    // gives back the bytes that come
	singles = "singles" // the engine, one request a line
	batches = "batches" // the engine, a hundred requests a line
)

func TestMain(m *testing.M) {
	var err error
	switch child := os.Getenv(childVar); child {
	case "":
		os.Exit(m.Run())
	case echoes:
		err = echo()
	case singles:
		err = conform.Serve(context.Background(), os.Stdin, os.Stdout, os.Stderr, subject(1))
	case batches:
		err = conform.Serve(context.Background(), os.Stdin, os.Stdout, os.Stderr, subject(100))
	default:
		err = fmt.Errorf("%s: no such child: %s", childVar, child)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// subject is the engine, as anyone would put it under test.
func subject(maxBatch int) conform.Subject {
	return conform.InProcess(conform.Hello{Name: "engine", MaxBatch: maxBatch}, conform.Funcs{
		Decide: func(in *floor.DecideIn) (floor.DecideOut, error) { return engine.Decide(in, floor.Guard), nil },
		Derive: func(in *floor.DeriveIn) (floor.DeriveOut, error) { return engine.Derive(in, floor.Guard) },
	})
}

func echo() error {
	chunk := make([]byte, 64<<10)
	for {
		n, err := os.Stdin.Read(chunk)
		if n == 0 {
			return nil // the end; its error says no more
		}
		if _, err := os.Stdout.Write(chunk[:n]); err != nil {
			return err
		}
		if err != nil {
			return err
		}
	}
}

// timed measures f, which takes n cases and microseconds at least, by its
// median call: one in which the machine did something else counts as one call,
// not by how long it was away. The mean is in ns/op. Of several copies of f,
// called in turn, the fastest counts.
func timed(b *testing.B, n int, copies ...func()) {
	calls := make([][]time.Duration, len(copies))
	for i := range calls {
		calls[i] = make([]time.Duration, 0, 1<<14)
	}
	i := 0
	for b.Loop() {
		start := time.Now()
		copies[i]()
		if took := time.Since(start); len(calls[i]) < cap(calls[i]) {
			calls[i] = append(calls[i], took)
		}
		i = (i + 1) % len(copies)
	}
	perCase := math.Inf(1)
	for _, c := range calls {
		if len(c) > 0 { // with one iteration the second copy had no turn
			slices.Sort(c)
			perCase = min(perCase, float64(c[len(c)/2].Nanoseconds())/float64(n))
		}
	}
	b.ReportMetric(perCase, "ns/case")
	b.ReportMetric(1e9/perCase, "cases/s")
}

// timedEach is timed for what is too short for a clock: one op is so many
// calls of f, its allocations too.
func timedEach(b *testing.B, calls int, f func()) {
	b.ReportAllocs()
	timed(b, calls, func() {
		for range calls {
			f()
		}
	})
}

// sink keeps the compiler from dropping what nobody reads.
var sink uint64
