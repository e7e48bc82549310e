// Command floorcheck puts an implementation of context compaction under test:
// does it refuse when it must, and only then?
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/report"
)

func main() { os.Exit(run()) }

// run is main with the exit code as its result, for the script tests.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// After the first Ctrl-C, which ends the run politely, a second one ends the
	// process as it always does.
	context.AfterFunc(ctx, stop)

	exit := report.ExitHolds
	root := newRoot(&exit)
	if err := root.ExecuteContext(ctx); err != nil {
		return complain(err)
	}
	return exit
}

// complain writes an error as what, where, how to mend it, and gives the exit
// code that goes with it.
func complain(err error) int {
	fmt.Fprintln(os.Stderr, "error: "+report.EscapeLines(err.Error()))
	var u *usageError
	var b *conform.BrokenRun
	switch {
	case errors.As(err, &u):
		if u.hint != "" {
			fmt.Fprintln(os.Stderr, "hint: "+u.hint)
		}
		return report.ExitUsage
	case errors.As(err, &b):
		if b.Hint != "" {
			fmt.Fprintln(os.Stderr, "hint: "+b.Hint)
		}
		return report.ExitNotJudged
	case errors.Is(err, context.Canceled):
		return report.ExitInterrupted
	}
	return report.ExitUsage // cobra's own: an unknown command
}

// A usageError is a command line or a file that cannot be worked with.
type usageError struct{ what, hint string }

func (e *usageError) Error() string { return e.what }

func usage(hint, format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...), hint}
}

func newRoot(exit *int) *cobra.Command {
	root := &cobra.Command{
		Use:   "floorcheck",
		Short: "Does a compactor refuse when it must, and only then?",
		Long: `floorcheck puts an implementation of context compaction under test. It asks
the implementation for decisions, over a line protocol or in process, has an
executable model of the rules judge the answers, and shows the smallest case
that breaks a rule.

The rule: a compaction that cannot certify that the elements its consumer needs
survived, whose source is gone, and whose consumer is strict, must refuse.

  floorcheck check                             the reference engine itself
  floorcheck check -- python3 adapter.py       your implementation
  floorcheck init --lang python                an adapter to start from`,
		SilenceErrors:              true,
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return usage("", "there is no command %q", args[0])
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.AddCommand(
		newCheck(exit), newExplore(exit), newReplay(exit), newRules(), newExplain(), newMutants(),
		newServe(), newInit(exit), newSchema(), newVersion(),
	)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(&cobra.Command{Use: "no-help", Hidden: true})
	return root
}

// flagError adds what was probably meant to an unknown flag.
func flagError(cmd *cobra.Command, err error) error {
	_, unknown, found := strings.Cut(err.Error(), "unknown flag: --")
	if !found {
		return usage("floorcheck "+cmd.Name()+" --help", "%v", err)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := nearest(unknown, names); near != "" {
		return usage("did you mean --"+near+"?", "unknown flag --%s", unknown)
	}
	return usage("floorcheck "+cmd.Name()+" --help", "unknown flag --%s", unknown)
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the protocol and the suite",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "floorcheck %s · protocol %d · suite %s\n", conform.Version, conform.Protocol, conform.Suite)
			return err
		},
	}
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage("floorcheck "+cmd.Name()+" --help", "%s takes no argument, got %q", cmd.Name(), args[0])
	}
	return nil
}
