package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/spf13/cobra"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/reference"
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
			code, err := f.explore(cmd, command)
			if code == report.ExitViolated && !fail {
				code = report.ExitHolds
			}
			*exit = code
			return err
		},
	}
	f.bind(cmd)
	cmd.Flags().Uint64Var(&f.seed, "seed", 0, "the seed of the first round (default random)")
	cmd.Flags().IntVar(&f.cases, "cases", 0, "stop after about this many generated cases")
	cmd.Flags().DurationVar(&f.time, "time", 0, "stop after this long (default 1m when --cases is not given)")
	cmd.Flags().BoolVar(&fail, "fail", false, "exit 1 when something was found")
	return cmd
}

// A search is one explore: what was found, each once.
type search struct {
	seen  map[string]bool
	found int
	cases int
	code  int
}

func (f *runFlags) explore(cmd *cobra.Command, command []string) (int, error) {
	if err := f.validate(); err != nil {
		return 0, err
	}
	if f.time == 0 && f.cases == 0 {
		f.time = time.Minute
	}
	ctx := cmd.Context()
	s, fresh, err := f.start(ctx, command)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	rules, _ := f.rules(s.Hello().Ops)
	ops := f.ops(s.Hello().Ops, rules)
	if len(rules) == 0 || len(ops) == 0 {
		return 0, usage("floorcheck rules", "nothing selected: the subject claims %s", claims(s.Hello().Ops))
	}
	w := cmd.OutOrStdout()
	fmt.Fprintln(w, report.Head(conform.Suite, f.seed, s.Hello()))
	bar := newProgress(cmd.ErrOrStderr(), f.quiet)
	began := time.Now()
	var until time.Time
	if f.time > 0 {
		until = began.Add(f.time)
	}
	found := search{seen: map[string]bool{}}
	for round := uint64(0); found.goesOn(f, until); round++ {
		seed := f.seed + round
		cases := roundCases
		if f.cases > 0 {
			cases = min(cases, f.cases-found.cases)
		}
		result, err := conform.Check(ctx, s, conform.Options{
			Rules: rules, Seed: seed, Fresh: fresh, Progress: bar.update, Until: until,
			ShrinkCalls: f.shrinkCalls, ShrinkTime: shrinkTime,
			Stages: suite.Stages(suite.Plan{Policy: s.Hello().Policy, Ops: ops, Seed: seed, Cases: cases}),
		})
		found.cases += cases
		f.tell(ctx, cmd, s, seed, command, result, &found)
		if err != nil {
			bar.done()
			return f.brokenOff(err, &found, began, cmd)
		}
	}
	bar.done()
	fmt.Fprintln(w, found.last(f.seed, began))
	return found.code, nil
}

func (s *search) goesOn(f *runFlags, until time.Time) bool {
	if f.cases > 0 && s.cases >= f.cases {
		return false
	}
	return until.IsZero() || time.Now().Before(until)
}

func (s *search) last(seed uint64, began time.Time) string {
	return fmt.Sprintf("EXPLORED  %s generated cases a kind · %d different findings · %.1f s · seed %d",
		report.Number(s.cases), s.found, time.Since(began).Seconds(), seed)
}

// tell prints and saves what a round found that no round before it did.
func (f *runFlags) tell(ctx context.Context, cmd *cobra.Command, s conform.Subject, seed uint64, command []string, result *conform.Result, found *search) {
	for _, rule := range result.Rules {
		ce := rule.Counterexample
		if ce == nil {
			continue
		}
		file := ce.File(seed, gen.Version)
		name, err := file.Name()
		if err != nil || found.seen[name] {
			continue
		}
		found.seen[name] = true
		found.found++
		if ce.Verdict == conform.Fail || ce.Verdict == conform.Erred {
			found.code = report.ExitViolated
		} else if found.code == report.ExitHolds {
			found.code = report.ExitNotJudged
		}
		path := ""
		if f.failures != "" {
			if path, err = file.Save(f.failures); err != nil {
				fmt.Fprintln(cmd.ErrOrStderr(), "error: "+err.Error())
			}
		}
		line := report.Line{RuleResult: rule, File: path}
		line.Engine, _ = reference.New(ce.Case.Policy).Ask(ctx, ce.Case.Steps)
		if err := report.WriteFinding(cmd.OutOrStdout(), line, command); err != nil {
			fmt.Fprintln(cmd.ErrOrStderr(), "error: "+err.Error())
		}
	}
}

func (f *runFlags) brokenOff(err error, found *search, began time.Time, cmd *cobra.Command) (int, error) {
	fmt.Fprintln(cmd.OutOrStdout(), found.last(f.seed, began))
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(cmd.ErrOrStderr(), "interrupted; what was found is saved")
		return report.ExitInterrupted, nil
	}
	return report.ExitNotJudged, err
}
