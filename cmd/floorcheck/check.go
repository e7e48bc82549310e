package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/reference"
	"github.com/floorcheck/floorcheck/conform/report"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
	"github.com/floorcheck/floorcheck/props/gen"
	"github.com/floorcheck/floorcheck/props/suite"
)

// Flags that check and explore share.
type runFlags struct {
	selection
	policy, suite, color  string
	unix, url             string // of a subject that is not started
	seed                  uint64
	cases                 int
	time                  time.Duration
	timeout, startTimeout time.Duration
	window                int
	shrinkCalls           int
	maxCalls, replicates  int
	model                 modelFlags
	server                *modelServer // runs while the subject does; nil when it is not wanted
	outputs               []string
	failures              string
	strict, exitZero      bool
	quiet, verbose        bool
}

func (f *runFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringSliceVar(&f.run, "run", nil, "only rules that match this `PATTERN` (* one component, ** any; repeatable)")
	flags.StringSliceVar(&f.skip, "skip", nil, "leave out rules that match this `PATTERN`")
	flags.StringSliceVar(&f.levels, "level", nil, "only these levels, a comma `LIST`: decide, derive, reduce")
	flags.StringVar(&f.policy, "policy", "", "the `POLICY` that the subject must declare: guard or joint; without a command, the reference's")
	flags.StringVar(&f.unix, "unix", "", "reach the subject at the `PATH` of a Unix socket instead of starting it")
	flags.StringVar(&f.url, "url", "", "reach the subject at an http or https `URL`, by POST, instead of starting it")
	flags.StringVar(&f.suite, "suite", conform.Suite, "the `SUITE` to run; this version has exactly one")
	flags.DurationVar(&f.timeout, "timeout", 0, "how long one answer may take, as in 500ms; 0 is 5s, and 120s for a compaction or a conversation")
	flags.DurationVar(&f.startTimeout, "start-timeout", conform.DefaultStartTimeout, "how long the answer to hello may take")
	flags.IntVar(&f.window, "window", conform.DefaultWindow, "lines in flight; 1 is lock-step")
	flags.IntVar(&f.shrinkCalls, "shrink-calls", defaultShrinkCalls, "cases asked to shrink one counterexample; 0 leaves it as found")
	flags.IntVar(&f.maxCalls, "max-calls", 0, "stop after so many `REQUESTS`, shrinking included, where each costs money; 0 is no bound")
	flags.IntVar(&f.replicates, "replicates", 1, "ask the counterexample of a black box `N` times, and tell k of N")
	f.model.bind(cmd)
	flags.StringVar(&f.failures, "failures", "failures", "the `DIR` for counterexample files; \"\" saves none")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print the last line only")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "tell about restarts, and what the subject wrote to stderr")
	flags.StringVar(&f.color, "color", "auto", "`WHEN` to paint: auto, always or never")
	complete(cmd, "policy", "guard", "joint")
	complete(cmd, "level", levels...)
	complete(cmd, "run", ruleIDs()...)
	complete(cmd, "skip", ruleIDs()...)
	complete(cmd, "color", "auto", "always", "never")
	if err := cmd.MarkFlagDirname("failures"); err != nil {
		panic("complete --failures: " + err.Error())
	}
}

func complete(cmd *cobra.Command, flag string, words ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic("complete --" + flag + ": " + err.Error())
	}
}

// Shrinking may ask this many cases, and take this long, for one rule.
const (
	defaultShrinkCalls = 20_000
	shrinkTime         = 15 * time.Second
)

func newCheck(exit *int) *cobra.Command {
	f := &runFlags{}
	cmd := &cobra.Command{
		Use:   "check [flags] [-- COMMAND ARG…]",
		Short: "Put an implementation under test; without a command, the reference engine",
		Long: `check asks a subject the regression cases, every case of a small scope, and
generated cases, for each level that the subject claims. It prints a line for
each rule, the smallest case that breaks it, and a last line that agrees with
the exit code.

The command after -- is started as it stands; no shell reads it. It speaks
protocol 1 (docs/protocol.md) on stdin and stdout.

Exit codes: 0 holds · 1 violated · 2 usage, or nothing selected · 3 could not
judge (crash, timeout, garbage, too few cases, a level that is not claimed) ·
70 our own bug · 130 interrupted.`,
		Example: `  floorcheck check
  floorcheck check -- python3 adapter.py
  floorcheck check --level decide --run 'decide/refuse' -- node adapter.mjs
  floorcheck check --level reduce --model-env openai -- node compactor.mjs
  floorcheck check -o json=report.json -- ./my-subject`,
		RunE: func(cmd *cobra.Command, args []string) error {
			command, err := commandOf(cmd, args)
			if err != nil {
				return err
			}
			code, err := f.check(cmd, command)
			if err != nil {
				return err
			}
			if f.exitZero && code != report.ExitInterrupted && code != report.ExitOurBug {
				code = report.ExitHolds
			}
			*exit = code
			return nil
		},
	}
	f.bind(cmd)
	flags := cmd.Flags()
	flags.Uint64Var(&f.seed, "seed", suite.DefaultSeed, "the seed of the generated cases")
	flags.IntVar(&f.cases, "cases", suite.DefaultCases, "generated cases of each kind; of bad requests half of it")
	flags.DurationVar(&f.time, "time", 0, "stop asking new cases after this long; the cases asked then depend on the machine")
	flags.StringArrayVarP(&f.outputs, "output", "o", nil, "write a report as `FORMAT=PATH` (text, json, jsonl; - is stdout; repeatable)")
	flags.BoolVar(&f.strict, "strict", false, "SHOULD rules gate too")
	flags.BoolVar(&f.exitZero, "exit-zero", false, "exit 0 whatever was found; the report still says it")
	complete(cmd, "output", "text=", "json=", "jsonl=")
	return cmd
}

// commandOf is what stands after --.
func commandOf(cmd *cobra.Command, args []string) ([]string, error) {
	if err := checkGiven(cmd); err != nil {
		return nil, err
	}
	dash := cmd.ArgsLenAtDash()
	switch {
	case dash < 0 && len(args) > 0:
		return nil, usage("put -- before the command: floorcheck "+cmd.Name()+" -- "+strings.Join(args, " "), "%q is not a flag", args[0])
	case dash > 0:
		return nil, usage("put -- before the whole command", "%q stands before --", args[0])
	case dash == 0 && len(args) == 0:
		return nil, usage("floorcheck "+cmd.Name()+" -- python3 adapter.py", "no command after --")
	}
	return args, nil
}

// validate looks at the flags before anything is started.
func (f *runFlags) validate() error {
	if err := f.selection.check(); err != nil {
		return err
	}
	switch {
	case f.policy != "" && f.policy != string(floor.Guard) && f.policy != string(floor.Joint):
		return usage(meant(f.policy, []string{"guard", "joint"}), "--policy: must be guard or joint, got %q", f.policy)
	case f.suite != conform.Suite:
		return usage(meant(f.suite, []string{conform.Suite}), "--suite: this version has suite %s, not %q", conform.Suite, f.suite)
	case f.cases < 0:
		return usage("", "--cases: must be 0 or more, got %d", f.cases)
	case f.window < 1:
		return usage("", "--window: must be 1 or more, got %d", f.window)
	case f.shrinkCalls < 0:
		return usage("", "--shrink-calls: must be 0 or more, got %d", f.shrinkCalls)
	case f.maxCalls < 0:
		return usage("", "--max-calls: must be 0 or more, got %d", f.maxCalls)
	case f.replicates < 1:
		return usage("", "--replicates: must be 1 or more, got %d", f.replicates)
	case f.timeout < 0 || f.startTimeout <= 0 || f.time < 0:
		return usage("", "--start-timeout must be above 0, --timeout and --time not below")
	case !slices.Contains([]string{"auto", "always", "never"}, f.color):
		return usage(meant(f.color, []string{"auto", "always", "never"}), "--color: must be auto, always or never, got %q", f.color)
	}
	if err := f.model.check(); err != nil {
		return err
	}
	return f.checkOutputs()
}

// checkOutputs finds before a long run what could not be written after it.
func (f *runFlags) checkOutputs() error {
	outputs, err := parseOutputs(f.outputs)
	if err != nil {
		return err
	}
	for _, o := range outputs {
		if o.path == "-" {
			continue
		}
		if dir, err := os.Stat(filepath.Dir(o.path)); err != nil || !dir.IsDir() {
			return usage("make it first: mkdir -p "+filepath.Dir(o.path), "-o %s=%s: the folder %s is not there", o.format, o.path, filepath.Dir(o.path))
		}
		if file, err := os.Stat(o.path); err == nil && file.IsDir() {
			return usage(fmt.Sprintf("-o %s=%s", o.format, filepath.Join(o.path, "report."+o.format)), "-o %s=%s: is a folder", o.format, o.path)
		}
	}
	return nil
}

// newEngine makes the reference. The tests put a wrong one in its place, to see
// a bug of our own reported as one.
var newEngine = func(p floor.Policy) conform.Subject { return reference.New(p) }

// start gives the subject: a command's process, or the reference engine. What
// there is to tell of the process goes to log, if that is wished.
func (f *runFlags) start(ctx context.Context, command []string, log io.Writer) (conform.Subject, func(context.Context) (conform.Subject, error), error) {
	if err := checkAddress(f.unix, f.url, command); err != nil {
		return nil, nil, err
	}
	if f.model.given() && len(command) == 0 { // nobody to be told where the model is
		return nil, nil, usage("floorcheck check --level reduce --model-env openai -- python3 adapter.py",
			"--model-env, --model-upstream, --record-answers and --replay-answers need a subject that is started here")
	}
	if f.unix != "" || f.url != "" {
		carrier, err := connectArgs(f.unix, f.url)
		if err != nil {
			return nil, nil, err
		}
		command = carrier
	}
	if len(command) == 0 {
		policy := floor.Guard
		if f.policy != "" {
			policy = floor.Policy(f.policy)
		}
		return newEngine(policy), nil, nil
	}
	server, err := f.model.start(f.selection)
	if err != nil {
		return nil, nil, err
	}
	f.server = server
	c := conform.Command{
		Args: command, Timeout: f.timeout, StartTimeout: f.startTimeout, Window: f.window, Suite: conform.Suite,
		Env: server.env(), Play: server.play,
	}
	if f.verbose {
		c.Log = log
	}
	fresh := func(ctx context.Context) (conform.Subject, error) {
		quiet := c
		quiet.Log = io.Discard
		return started(conform.Start(ctx, quiet))
	}
	s, err := started(conform.Start(ctx, c))
	if err != nil {
		server.end()
		return nil, nil, err
	}
	if f.policy != "" && string(s.Hello().Policy) != f.policy {
		s.Close()
		server.end()
		return nil, nil, usage("leave --policy out: a case is judged under the policy that the subject declares in its hello",
			"the subject declares policy %s, --policy says %s", s.Hello().Policy, f.policy)
	}
	return s, fresh, nil
}

// reach is how the subject is named on a command line; nil is the reference.
func (f *runFlags) reach(command []string) (words []string) {
	if f.timeout > 0 {
		words = append(words, "--timeout", f.timeout.String())
	}
	switch {
	case f.unix != "":
		return append(words, "--unix", f.unix)
	case f.url != "":
		return append(words, "--url", f.url)
	case len(command) > 0:
		return append(append(words, "--"), command...)
	}
	return words
}

// started keeps a nil process from becoming a subject that is not nil.
func started(p *conform.Process, err error) (conform.Subject, error) {
	if err != nil {
		return nil, err
	}
	return p, nil
}

func (f *runFlags) check(cmd *cobra.Command, command []string) (int, error) {
	if err := f.validate(); err != nil {
		return 0, err
	}
	ctx := cmd.Context()
	began := time.Now()
	bar := newProgress(cmd.ErrOrStderr(), f.quiet)
	s, fresh, err := f.start(ctx, command, bar)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	plan, err := f.plan(s.Hello())
	if err != nil {
		return 0, err
	}
	out := newScreen(cmd.OutOrStdout(), f)
	out.head(report.Head(conform.Suite, f.seed, s.Hello()))
	o := conform.Options{
		Rules: plan.rules, Seed: f.seed, Fresh: fresh, Progress: bar.update,
		ShrinkCalls: f.shrinkCalls, ShrinkTime: shrinkTime, MaxCalls: f.maxCalls, Replicates: f.replicates,
		Stages: suite.Stages(suite.Plan{
			Policy: s.Hello().Policy, Ops: plan.ops, Seed: f.seed, Cases: f.cases, Exhaustive: true, Reduce: s.Hello().Reduce,
		}),
	}
	if f.time > 0 {
		o.Until = began.Add(f.time)
	}
	result, err := conform.Check(ctx, s, o)
	bar.done()
	r := f.report(ctx, s, result, err, command, plan)
	r.Notes = append(r.Notes, f.server.end()...)
	r.Scopes = map[floor.Op]int{}
	planned := 0
	for _, st := range o.Stages {
		planned += st.Total
		if st.Exhaustive {
			r.Scopes[st.Op] = st.Total
		}
	}
	if f.maxCalls > 0 && err == nil && result.Cases < planned {
		r.Notes = append(r.Notes, fmt.Sprintf("--max-calls %d were made after %s of %s cases", f.maxCalls, report.Number(result.Cases), report.Number(planned)))
	}
	if f.time > 0 && err == nil && result.Cases < planned {
		r.Notes = append(r.Notes, fmt.Sprintf("--time %s was up after %s of %s cases", f.time, report.Number(result.Cases), report.Number(planned)))
	}
	r.Took = fmt.Sprintf("%.1f s", time.Since(began).Seconds())
	if err := out.write(r, f); err != nil {
		return 0, err
	}
	if f.verbose {
		f.tellStderr(cmd, s)
	}
	return r.ExitCode, nil
}

// A plan is what a selection comes to for one subject.
type plan struct {
	rules     []model.Rule
	ops       []floor.Op   // to be asked
	unclaimed []model.Rule // selected, but of ops that the subject does not offer
	missing   []string     // levels that were named and that it does not offer
}

// plan fits the selection to the subject. The error says that nothing of it
// could be asked; a level that was named and is not claimed is no error but a
// run that cannot be judged.
func (f *runFlags) plan(h conform.Hello) (plan, error) {
	var p plan
	p.rules, p.unclaimed = f.rules(h.Ops)
	p.ops = f.ops(h.Ops, p.rules)
	for _, level := range f.levels {
		if !slices.Contains(h.Ops, floor.Op(level)) {
			p.missing = append(p.missing, level)
		}
	}
	if len(p.rules) > 0 && len(p.ops) > 0 {
		return p, nil
	}
	p.rules, p.ops = nil, nil
	if len(p.missing) == 0 {
		return p, usage("floorcheck rules lists what there is", "nothing selected: the subject claims %s", claims(h.Ops))
	}
	return p, nil
}

func claims(ops []floor.Op) string {
	names := make([]string, 0, len(ops))
	for _, op := range ops {
		names = append(names, string(op))
	}
	return strings.Join(names, ", ")
}

// report makes of a result what is written, saving the counterexamples on the
// way.
func (f *runFlags) report(ctx context.Context, s conform.Subject, result *conform.Result, runErr error, command []string, p plan) *report.Report {
	r := &report.Report{
		Suite: conform.Suite, Seed: f.seed, Hello: s.Hello(), Cases: result.Cases,
		Reach: f.reach(command), Strict: f.strict, Notes: slices.Clone(result.Broken), Retention: result.Retention,
	}
	interrupted := result.Interrupted || ctx.Err() != nil // while shrinking, say
	o := report.Outcome{Interrupted: interrupted, Err: runErr, Broken: len(result.Broken) > 0}
	o.NoCondition = result.Conditioned == 0 && conform.Conditional(p.ops) && runErr == nil
	o.Unclaimed = len(p.missing) > 0
	if runErr != nil && !interrupted {
		r.Notes = append(r.Notes, runErr.Error())
	}
	if o.NoCondition {
		r.Notes = append(r.Notes, "no case with a strict consumer and a source that is gone was asked: nothing could have been refused")
	}
	for _, level := range p.missing {
		r.Notes = append(r.Notes, fmt.Sprintf("--level names %s, which the subject does not claim", level))
	}
	for _, rule := range result.Rules {
		line := report.Line{RuleResult: rule}
		if rule.Unfinished && rule.Verdict == conform.Pass {
			line.Verdict = conform.NotRun // nothing is known of the cases that were not asked
		}
		if ce := rule.Counterexample; ce != nil {
			notes, ourBug := f.explainFinding(ctx, s, &line, f.seed)
			r.Notes = append(r.Notes, notes...)
			o.OurBug = o.OurBug || ourBug
		}
		r.Rules = append(r.Rules, line)
	}
	for _, rule := range p.unclaimed {
		r.Rules = append(r.Rules, report.Line{RuleResult: conform.RuleResult{Rule: rule, Verdict: conform.NotClaimed}})
	}
	r.ExitCode = report.Exit(r.Rules, o, f.strict)
	return r
}

// explainFinding saves a counterexample, asks the engine the same, and looks
// for a neighbour that passes. It tells whether the engine breaks the rule too:
// then the bug is ours.
func (f *runFlags) explainFinding(ctx context.Context, s conform.Subject, line *report.Line, seed uint64) (notes []string, ourBug bool) {
	ce := line.Counterexample
	file := ce.File(seed, gen.Version)
	if f.failures != "" && !ce.Remembers { // what does not show alone cannot be replayed
		path, err := file.Save(f.failures)
		if err != nil {
			notes = append(notes, err.Error())
		}
		line.File = path
	}
	engine, always := newEngine(ce.Case.Policy), context.WithoutCancel(ctx) // it is in process, and fast
	if !slices.Contains(engine.Hello().Ops, ce.Case.Op()) {
		return notes, false
	}
	if replayed, err := conform.Replay(always, engine, file, 1); err == nil && replayed.Wrong > 0 {
		notes = append(notes, "the reference engine breaks "+ce.Rule+" on the same case: floorcheck itself is wrong, please report it with this file")
		ourBug = true
	}
	line.Engine, _ = engine.Ask(always, ce.Case.Steps) // no error but the context's
	if ce.Verdict == conform.Fail && ce.Twin == nil && !ce.Remembers {
		line.PassesIf = report.Neighbour(ctx, s, ce, model.Rules())
	}
	return notes, ourBug
}

func (f *runFlags) tellStderr(cmd *cobra.Command, s conform.Subject) {
	if p, ok := s.(*conform.Process); ok && p.Stderr() != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "the subject's stderr ends:\n%s\n", report.EscapeLines(p.Stderr()))
	}
}

// An output is one report to write.
type output struct{ format, path string }

func parseOutputs(specs []string) ([]output, error) {
	formats := []string{"text", "json", "jsonl"}
	var out []output
	onStdout := ""
	for _, spec := range specs {
		format, path, _ := strings.Cut(spec, "=")
		if !slices.Contains(formats, format) {
			return nil, usage(meant(format, formats), "-o %s: there is no format %q; formats are %s", spec, format, strings.Join(formats, ", "))
		}
		if path == "" {
			path = "-"
		}
		if path == "-" && onStdout != "" {
			return nil, usage(fmt.Sprintf("-o %s=FILE", format), "-o %s: %s goes to stdout already", spec, onStdout)
		}
		if path == "-" {
			onStdout = format
		}
		out = append(out, output{format, path})
	}
	return out, nil
}

// A screen is stdout: text, unless -o puts another format there.
type screen struct {
	w     io.Writer
	plain bool // the text report goes there
	quiet bool
	style report.Style
}

func newScreen(w io.Writer, f *runFlags) *screen {
	s := &screen{w: w, plain: true, quiet: f.quiet}
	outputs, err := parseOutputs(f.outputs)
	if err != nil {
		return s // validate has said so
	}
	for _, o := range outputs {
		if o.path == "-" {
			s.plain = false
		}
	}
	if f.color == "always" || f.color == "auto" && isTerminal(w) && os.Getenv("NO_COLOR") == "" {
		s.style = colours
	}
	return s
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

func (s *screen) head(line string) {
	if s.plain && !s.quiet {
		fmt.Fprintln(s.w, line)
	}
}

// write writes every report that was asked for.
func (s *screen) write(r *report.Report, f *runFlags) error {
	if s.plain {
		if s.quiet {
			fmt.Fprintln(s.w, report.Last(r))
		} else if err := report.WriteText(s.w, r, s.style); err != nil {
			return fmt.Errorf("write report: %w", err)
		}
	}
	outputs, err := parseOutputs(f.outputs)
	if err != nil {
		return err
	}
	for _, o := range outputs {
		if err := o.write(s, r); err != nil {
			return err
		}
	}
	return nil
}

func (o output) write(s *screen, r *report.Report) (err error) {
	w := s.w
	if o.path != "-" {
		file, createErr := os.Create(o.path)
		if createErr != nil {
			return usage("", "-o %s: %v", o.format, createErr)
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		w = file
	}
	switch o.format {
	case "json":
		return report.WriteJSON(w, r)
	case "jsonl":
		return report.WriteJSONL(w, r)
	}
	if _, err := fmt.Fprintln(w, report.Head(r.Suite, r.Seed, r.Hello)); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return report.WriteText(w, r, report.Style{})
}
