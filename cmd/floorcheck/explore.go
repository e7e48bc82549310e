package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/spf13/cobra"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/report"
	"github.com/floorcheck/floorcheck/props/gen"
	"github.com/floorcheck/floorcheck/props/suite"
)

// roundCases is how many cases of each kind a round of explore generates.
const roundCases = 10_000

func newExplore(exit *int) *cobra.Command {
	f := &runFlags{}
	var fail bool
	cmd := &cobra.Command{
		Use:   "explore [flags] [-- COMMAND ARG…]",
		Short: "Search long for cases that break a rule; saves each smallest one",
		Long: `explore generates cases round after round, each from a seed of its own, until
--time or --cases is used up. What it finds is shrunk, told apart by rule and
smallest case, and saved. Findings do not change the exit code unless --fail is
given; what could not be judged does.`,
		Example: `  floorcheck explore --time 10m -- python3 adapter.py
  floorcheck explore --cases 1000000 --seed 7 --fail -- ./my-subject`,
		RunE: func(cmd *cobra.Command, args []string) error {
			command, err := commandOf(cmd, args)
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("seed") {
				f.seed = rand.Uint64() >> 11 // short enough to type, exact in any JSON
			}
			found, err := f.explore(cmd, command)
			if err != nil {
				return err
			}
			*exit = found.code(fail)
			return nil
		},
	}
	f.bind(cmd)
	cmd.Flags().Uint64Var(&f.seed, "seed", 0, "the seed of the first round (default random)")
	cmd.Flags().IntVar(&f.cases, "cases", 0, "stop after this many generated cases of each kind")
	cmd.Flags().DurationVar(&f.time, "time", 0, "stop after this long (default 1m when --cases is not given)")
	cmd.Flags().BoolVar(&fail, "fail", false, "exit 1 when something was found")
	return cmd
}

// A search is one explore: what was found, each once.
type search struct {
	files    map[string]bool // of what was found, by name
	notes    map[string]bool
	drawn    int // generated cases of each kind
	asked    int // cases in all
	requests int
	violated bool
	unjudged bool
	ourBug   bool
	broken   error
}

// code is the exit code: findings count only where that is wished.
func (s *search) code(fail bool) int {
	switch {
	case s.interrupted():
		return report.ExitInterrupted
	case s.ourBug:
		return report.ExitOurBug
	case s.violated && fail:
		return report.ExitViolated
	case s.unjudged || s.broken != nil:
		return report.ExitNotJudged
	}
	return report.ExitHolds
}

func (s *search) interrupted() bool { return errors.Is(s.broken, context.Canceled) }

func (f *runFlags) explore(cmd *cobra.Command, command []string) (*search, error) {
	if err := f.validate(); err != nil {
		return nil, err
	}
	if f.time == 0 && f.cases == 0 {
		f.time = time.Minute
	}
	ctx := cmd.Context()
	bar := newProgress(cmd.ErrOrStderr(), f.quiet)
	s, fresh, err := f.start(ctx, command, bar)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	plan, err := f.plan(s.Hello())
	if err != nil {
		return nil, err
	}
	out := newScreen(cmd.OutOrStdout(), f)
	out.head(report.Head(conform.Suite, f.seed, s.Hello()))
	began := time.Now()
	var until time.Time
	if f.time > 0 {
		until = began.Add(f.time)
	}
	found := &search{files: map[string]bool{}, notes: map[string]bool{}, unjudged: len(plan.missing) > 0}
	for _, level := range plan.missing {
		found.note(cmd, fmt.Sprintf("--level names %s, which the subject does not claim", level))
	}
	for round := uint64(0); len(plan.ops) > 0 && found.goesOn(f, until); round++ {
		seed := f.seed + round
		cases := roundCases
		if f.cases > 0 {
			cases = min(cases, f.cases-found.drawn)
		}
		result, err := conform.Check(ctx, s, conform.Options{
			Rules: plan.rules, Seed: seed, Fresh: fresh, Progress: bar.update, Until: until,
			ShrinkCalls: f.shrinkCalls, ShrinkTime: shrinkTime, MaxCalls: max(f.maxCalls-found.requests, 0), Replicates: f.replicates,
			Stages: suite.Stages(suite.Plan{Policy: s.Hello().Policy, Ops: plan.ops, Seed: seed, Cases: cases, Reduce: s.Hello().Reduce}),
		})
		bar.done()
		found.drawn += cases
		found.asked += result.Cases
		found.requests += result.Requests
		if found.broken = err; ctx.Err() != nil {
			found.broken = ctx.Err() // while shrinking, say
		}
		f.tell(ctx, cmd, s, seed, command, result, found)
	}
	for _, text := range f.server.end() {
		found.note(cmd, text)
	}
	switch {
	case found.interrupted():
		found.note(cmd, "interrupted; what was found before is saved")
	case found.broken != nil:
		found.note(cmd, found.broken.Error())
	}
	if !f.quiet {
		fmt.Fprintln(cmd.OutOrStdout())
	}
	fmt.Fprintln(cmd.OutOrStdout(), found.last(f.seed, began))
	if f.verbose {
		f.tellStderr(cmd, s)
	}
	return found, nil
}

func (s *search) goesOn(f *runFlags, until time.Time) bool {
	if s.broken != nil || f.cases > 0 && s.drawn >= f.cases || f.maxCalls > 0 && s.requests >= f.maxCalls {
		return false
	}
	return until.IsZero() || time.Now().Before(until)
}

func (s *search) last(seed uint64, began time.Time) string {
	word := "EXPLORED"
	switch s.code(false) {
	case report.ExitInterrupted:
		word = "INTERRUPTED"
	case report.ExitOurBug:
		word = "OUR OWN BUG"
	case report.ExitNotJudged:
		word = "NOT JUDGED"
	}
	return fmt.Sprintf("%s  %s · %s · %.1f s · seed %d", word,
		report.Count(len(s.files), "finding"), report.Count(s.asked, "case"), time.Since(began).Seconds(), seed)
}

// note tells each thing once.
func (s *search) note(cmd *cobra.Command, text string) {
	if !s.notes[text] {
		s.notes[text] = true
		fmt.Fprintln(cmd.ErrOrStderr(), "note: "+report.Note(text))
	}
}

// tell prints and saves what a round found that no round before it did.
func (f *runFlags) tell(ctx context.Context, cmd *cobra.Command, s conform.Subject, seed uint64, command []string, result *conform.Result, found *search) {
	for _, text := range result.Broken {
		found.unjudged = true
		found.note(cmd, text)
	}
	for _, rule := range result.Rules {
		ce := rule.Counterexample
		if ce == nil {
			continue
		}
		name, err := ce.File(seed, gen.Version).Name()
		if err != nil || found.files[name] {
			continue
		}
		found.files[name] = true
		if ce.Verdict == conform.Fail || ce.Verdict == conform.Erred {
			found.violated = true
		} else {
			found.unjudged = true
		}
		line := report.Line{RuleResult: rule}
		notes, ourBug := f.explainFinding(ctx, s, &line, seed)
		found.ourBug = found.ourBug || ourBug
		for _, text := range notes {
			found.note(cmd, text)
		}
		if f.quiet {
			continue
		}
		if err := report.PaintFinding(cmd.OutOrStdout(), line, f.reach(command), newScreen(cmd.OutOrStdout(), f).style); err != nil {
			found.note(cmd, err.Error())
		}
	}
}
