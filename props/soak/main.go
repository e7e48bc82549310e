// Soak looks for a difference between the engine and the model on many texts
// and compactions, and for a hole in what is certified over many histories. Run
// it in the module's root:
//
//	go run ./props/soak                 a million of each, and a hundred thousand histories
//	go run ./props/soak -n 20000        as many as make test has
//	go run ./props/soak -only history   some of it
//
// It can be stopped at any time, and says what it has done by then. Equal seeds
// draw equal cases.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/reference"
	"github.com/floorcheck/floorcheck/engine"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/props/history"
	"github.com/floorcheck/floorcheck/props/suite"
)

func main() {
	o := options{subject: reference.New, compact: engine.CompactSpans}
	flag.IntVar(&o.n, "n", 1_000_000, "texts, and compactions; a tenth as many bad requests of each, and histories")
	flag.Uint64Var(&o.seed, "seed", suite.DefaultSeed, "what the cases are drawn from")
	flag.StringVar(&o.only, "only", "", "run only the stages whose name has this in it")
	flag.DurationVar(&o.every, "every", 10*time.Second, "how often to tell how far it is")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o, os.Stdout); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

type options struct {
	n       int
	seed    uint64
	only    string
	every   time.Duration
	subject func(floor.Policy) conform.Subject // what is compared with the model
	compact history.Compact                    // what plays histories, beside the model
}

// run goes through the stages. The error says that something was found, or that
// it was interrupted.
func run(ctx context.Context, o options, out io.Writer) error {
	fmt.Fprintf(out, "seed %d, %d texts and %[2]d compactions\n", o.seed, o.n)
	found := 0
	for _, st := range stages(o) {
		if !strings.Contains(st.name, o.only) {
			continue
		}
		done, problems, err := st.soak(ctx, o.every, out)
		if err != nil {
			return fmt.Errorf("%s: %w", st.name, err)
		}
		found += len(problems)
		fmt.Fprintf(out, "%-28s %9d of %d  %s: %d\n", st.name, done.cases, st.total, st.counts, len(problems))
		if done.note != "" {
			fmt.Fprintf(out, "%28s %s\n", "", done.note)
		}
		slices.SortFunc(problems, func(a, b problem) int { return a.at - b.at })
		for _, p := range problems[:min(len(problems), mostShown)] {
			fmt.Fprintf(out, "  number %d: %s\n", p.at, p.text)
		}
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted; %d found by then", found)
		}
	}
	if found > 0 {
		return fmt.Errorf("%d found", found)
	}
	return nil
}

// mostShown bounds the problems of a stage that are shown, mostKept those that
// are waited for.
const (
	mostShown = 3
	mostKept  = 100
)

// A stage is many cases, any of which can be tried without the others.
type stage struct {
	name   string
	total  int
	counts string // what its problems are called
	worker func() worker
}

// A worker tries one case after the other; it belongs to one goroutine.
type worker struct {
	try  func(ctx context.Context, i int) (problem string, err error) // "" where there is none
	note func() tally                                                 // what there is to say besides; may be nil
}

type problem struct {
	at   int
	text string
}

type progress struct {
	cases int
	note  string
}

// soak tries all cases, or as many as there is time for. Which worker tries
// which is left to chance; what is found is not.
func (st *stage) soak(ctx context.Context, every time.Duration, out io.Writer) (progress, []problem, error) {
	var next, done atomic.Int64
	var mu sync.Mutex // guards what follows
	var problems []problem
	var failure error
	total := tally{}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	start := time.Now()
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			w := st.worker()
			for inner.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= st.total {
					break
				}
				text, err := w.try(inner, i)
				if err != nil && inner.Err() != nil {
					break // it was stopped in its midst
				}
				done.Add(1)
				if text == "" && err == nil {
					continue
				}
				mu.Lock()
				if err != nil && failure == nil {
					failure = fmt.Errorf("number %d: %w", i, err)
				}
				if text != "" {
					problems = append(problems, problem{i, text})
				}
				if failure != nil || len(problems) >= mostKept {
					cancel()
				}
				mu.Unlock()
			}
			if w.note != nil {
				mu.Lock()
				total.add(w.note())
				mu.Unlock()
			}
		})
	}
	finished := make(chan struct{})
	go func() { workers.Wait(); close(finished) }()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-finished:
			return progress{int(done.Load()), total.String()}, problems, failure
		case <-tick.C:
			mu.Lock()
			found := len(problems)
			mu.Unlock()
			fmt.Fprintf(out, "%6.0fs  %-28s %9d of %d  %s: %d\n", time.Since(start).Seconds(), st.name, done.Load(), st.total, st.counts, found)
		}
	}
}
