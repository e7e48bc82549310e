package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/report"
	"github.com/floorcheck/floorcheck/floor"
)

// replayTimes is how often a case is asked again: enough to see that a failure
// comes and goes.
const replayTimes = 5

func newReplay(exit *int) *cobra.Command {
	f := &runFlags{}
	cmd := &cobra.Command{
		Use:   "replay FILE [flags] [-- COMMAND ARG…]",
		Short: "Ask the exact case of a counterexample file again",
		Long: `replay asks a kept case again, to the letter.

Exit codes: 1 it still violates the rule · 0 fixed · 2 the file or the command
line is wrong · 3 no answer.`,
		Example: `  floorcheck replay failures/decide-refuse-3f9a1c20.json -- python3 adapter.py`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkGiven(cmd); err != nil {
				return err
			}
			dash := cmd.ArgsLenAtDash()
			files, command := args, []string(nil)
			if dash >= 0 {
				files, command = args[:dash], args[dash:]
				if len(command) == 0 {
					return usage("floorcheck replay FILE -- python3 adapter.py", "no command after --")
				}
			}
			if len(files) != 1 {
				return usage("floorcheck replay FILE -- python3 adapter.py", "replay takes one file before --, got %d", len(files))
			}
			code, err := f.replay(cmd, files[0], command)
			*exit = code
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.unix, "unix", "", "reach the subject at the `PATH` of a Unix socket instead of starting it")
	flags.StringVar(&f.url, "url", "", "reach the subject at an http or https `URL`, by POST, instead of starting it")
	flags.DurationVar(&f.timeout, "timeout", 0, "how long one answer may take; 0 is 5s, and 120s for a compaction or a conversation")
	flags.DurationVar(&f.startTimeout, "start-timeout", conform.DefaultStartTimeout, "how long the answer to hello may take")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "tell about restarts")
	flags.IntVar(&f.window, "window", conform.DefaultWindow, "lines in flight")
	f.model.bind(cmd)
	return cmd
}

func (f *runFlags) replay(cmd *cobra.Command, path string, command []string) (int, error) {
	file, err := conform.Load(path)
	if err != nil {
		var hint string
		if errors.Is(err, fs.ErrNotExist) {
			hint = "check saves them under failures/"
		}
		return 0, usage(hint, "%v", err)
	}
	if err := checkSummarizer(file.Case); err != nil {
		return 0, err
	}
	if file.Twin != nil {
		if err := checkSummarizer(*file.Twin); err != nil {
			return 0, err
		}
	}
	if f.timeout < 0 || f.startTimeout <= 0 || f.window < 1 {
		return 0, usage("", "--start-timeout and --window must be above 0, --timeout not below")
	}
	if err := f.model.check(); err != nil {
		return 0, err
	}
	f.run = []string{file.Rule} // the model server runs when the rule is about a black box
	if file.Case.Op() == floor.OpReduce {
		f.run = []string{"reduce/**"}
	}
	if len(f.reach(command)) == 0 {
		f.policy = string(file.Case.Policy)
	}
	s, _, err := f.start(cmd.Context(), command, cmd.ErrOrStderr())
	if err != nil {
		return 0, err
	}
	defer f.server.end()
	defer s.Close()
	if s.Hello().Policy != file.Case.Policy {
		return 0, usage("", "the case is judged under policy %s, the subject declares %s", file.Case.Policy, s.Hello().Policy)
	}
	times := replayTimes
	if file.Verdict == conform.TimedOut || file.Verdict == conform.Crashed {
		times = 1 // each costs a restart
	}
	got, err := conform.Replay(cmd.Context(), s, file, times)
	if err != nil {
		return 0, err
	}
	w := cmd.OutOrStdout()
	again := fmt.Sprintf("%d of %d", got.Wrong, got.Times)
	switch {
	case got.Wrong > 0:
		if got.Wrong < got.Times {
			again += ", flaky"
		}
		fmt.Fprintf(w, "%s   expected %s, got %s\n", file.Rule, report.Escape(got.Want), report.Escape(got.Got))
		if len(got.Answers) > 0 {
			fmt.Fprintf(w, "    answered   %s\n", report.Answer(got.Answers[len(got.Answers)-1]))
		}
		if got.Verdict != conform.Fail && got.Verdict != conform.Erred {
			fmt.Fprintf(w, "NO ANSWER  %s, reproduced %s\n", got.Verdict, again)
			return report.ExitNotJudged, nil
		}
		fmt.Fprintf(w, "STILL VIOLATED  reproduced %s\n", again)
		return report.ExitViolated, nil
	case got.Broken > 0 || got.Times == 0:
		fmt.Fprintf(w, "NO ANSWER  %s: %s\n", got.Verdict, report.Escape(got.Got))
		return report.ExitNotJudged, nil
	}
	fmt.Fprintf(w, "FIXED  %s holds on this case, asked %s\n", file.Rule, report.Count(got.Times, "time"))
	return report.ExitHolds, nil
}
