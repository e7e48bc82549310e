// Guarded plays every hostile summarizer to the reference's compaction, which
// measures what it is given, and to a compactor that believes it. It writes
// docs/hostile-summarizers.md and prints the same. Run it in the module's root:
//
//	go run ./props/guarded            all of it, a few minutes
//	go run ./props/guarded -n 20 -out build/hostile.md
//
// Equal seeds give equal bytes.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/hostile"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
	"github.com/floorcheck/floorcheck/props/suite"
)

// What the committed page was made with.
const (
	seed          = suite.DefaultSeed
	conversations = 100
	pagePath      = "docs/hostile-summarizers.md"
)

func main() {
	o := options{shrink: 3000, every: 10 * time.Second, progress: os.Stderr}
	flag.IntVar(&o.n, "n", conversations, "conversations")
	flag.Uint64Var(&o.seed, "seed", seed, "what they are drawn from")
	out := flag.String("out", pagePath, "where the page goes")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o, *out); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

type options struct {
	n        int
	seed     uint64
	shrink   int           // requests for shrinking one counterexample
	every    time.Duration // how often to tell how far it is
	progress io.Writer
}

// run writes the page. The error says that the guard was wrong somewhere, after
// the page was written, or that there is no page.
func run(ctx context.Context, o options, path string) error {
	m, err := measure(ctx, o)
	if err != nil {
		return err
	}
	var page bytes.Buffer
	if err := m.write(&page); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path, page.Bytes(), 0o644); err != nil {
		return err
	}
	if _, err := os.Stdout.Write(page.Bytes()); err != nil {
		return err
	}
	return m.held()
}

// held is an error where the guard was wrong: with whom, and what.
func (m *measured) held() error {
	var errs []error
	for i := range m.rows {
		r := &m.rows[i]
		for _, rule := range r.guard.rules {
			if rule.Wrong > 0 {
				errs = append(errs, fmt.Errorf("%s: the guard broke %s %d times", r.id, rule.Rule.ID, rule.Wrong))
			}
		}
		if holes := r.guard.all().holes; holes > 0 {
			errs = append(errs, fmt.Errorf("%s: the guard left %d holes", r.id, holes))
		}
	}
	return errors.Join(errs...)
}

// A measured is all that came of it.
type measured struct {
	options
	rows     []row
	smallest []finding // of the naive compactor, one a rule that it broke
}

// A row is what came of one summarizer.
type row struct {
	id           string
	guard, naive played
}

// A finding is a shrunk counterexample, and whose summaries are in it.
type finding struct {
	summarizer string
	conform.RuleResult
	guard []floor.Answer // to the same
}

// measure plays every summarizer to both compactors, and shrinks the smallest
// counterexamples. Which worker does which is left to chance; what comes of it is
// not.
func measure(ctx context.Context, o options) (*measured, error) {
	all, drawn := hostile.All(), draw(o.seed, o.n)
	m := &measured{options: o}
	for _, s := range all {
		m.rows = append(m.rows, row{id: s.ID})
	}
	var done atomic.Int64
	stop := o.tell(&done, int64(2*len(all)*len(settings)*len(drawn)))
	defer stop()
	err := together(ctx, 2*len(all), func(i int) (err error) {
		p, r := &player{ctx: ctx, summarizer: all[i/2], done: &done}, &m.rows[i/2]
		if i%2 == 0 {
			p.subject = guard()
			r.guard, err = p.check(drawn, compactRules(), 0)
		} else {
			p.subject = naive()
			r.naive, err = p.check(drawn, compactRules(), 0)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	m.smallest, err = m.shrunk(ctx, drawn)
	return m, err
}

// candidates is with how many summarizers a counterexample to each rule is
// shrunk: which one ends smallest is not seen before.
const candidates = 5

// shrunk are the smallest counterexamples to the rules that the naive compactor
// broke, rule by rule.
func (m *measured) shrunk(ctx context.Context, drawn []conversation) ([]finding, error) {
	type job struct {
		rule       model.Rule
		summarizer hostile.Summarizer
	}
	var jobs []job
	for _, r := range compactRules() {
		for _, i := range m.breakers(r.ID) {
			jobs = append(jobs, job{r, hostile.All()[i]})
		}
	}
	found := make([]finding, len(jobs))
	err := together(ctx, len(jobs), func(i int) error {
		p := &player{ctx: ctx, summarizer: jobs[i].summarizer, subject: naive(), done: new(atomic.Int64)}
		again, err := p.check(drawn, []model.Rule{jobs[i].rule}, m.shrink)
		if err != nil {
			return err
		}
		f := finding{summarizer: p.summarizer.ID, RuleResult: again.rules[0]}
		f.guard, err = guard().Ask(ctx, f.Counterexample.Case.Steps)
		found[i] = f
		return err
	})
	if err != nil {
		return nil, err
	}
	var smallest []finding
	for _, f := range found { // those of one rule stand together
		last := len(smallest) - 1
		switch {
		case last < 0 || smallest[last].Rule.ID != f.Rule.ID:
			smallest = append(smallest, f)
		case f.Counterexample.Size < smallest[last].Counterexample.Size:
			smallest[last] = f
		}
	}
	return smallest, nil
}

// breakers are the summarizers in whose hands the naive compactor broke a rule
// with the smallest requests, as they were found, smallest first.
func (m *measured) breakers(rule string) []int {
	size := func(i int) int { return m.rows[i].naive.rule(rule).Counterexample.Size }
	var broke []int
	for i := range m.rows {
		if m.rows[i].naive.rule(rule).Counterexample != nil {
			broke = append(broke, i)
		}
	}
	slices.SortStableFunc(broke, func(a, b int) int { return size(a) - size(b) })
	return broke[:min(len(broke), candidates)]
}

// together does n things, as many at a time as there are processors. The error is
// that of the first of them that has one.
func together(ctx context.Context, n int, do func(i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				errs[i] = do(i)
			}
		})
	}
	workers.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// tell says every now and then how far it is, until it is stopped.
func (o options) tell(done *atomic.Int64, of int64) (stop func()) {
	start, finished := time.Now(), make(chan struct{})
	tick := time.NewTicker(o.every)
	var teller sync.WaitGroup
	teller.Go(func() {
		for {
			select {
			case <-finished:
				return
			case <-tick.C:
				what := fmt.Sprintf("%d of %d conversations compacted", done.Load(), of)
				if done.Load() == of {
					what = "shrinking"
				}
				fmt.Fprintf(o.progress, "%6.0fs  %s\n", time.Since(start).Seconds(), what)
			}
		}
	})
	return func() { tick.Stop(); close(finished); teller.Wait() }
}
