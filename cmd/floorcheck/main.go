// Command floorcheck puts an implementation of context compaction under test:
// does it refuse when it must, and only then?
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
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
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "interrupted")
		return report.ExitInterrupted
	}
	fmt.Fprintln(os.Stderr, "error: "+report.EscapeLines(err.Error()))
	var u *usageError
	var b *conform.BrokenRun
	switch {
	case errors.As(err, &u):
		if u.hint != "" {
			fmt.Fprintln(os.Stderr, "hint: "+report.EscapeLines(u.hint))
		}
		return report.ExitUsage
	case errors.As(err, &b):
		if hint := hintFor(b); hint != "" {
			fmt.Fprintln(os.Stderr, "hint: "+hint)
		}
		return report.ExitNotJudged
	}
	return report.ExitUsage // cobra's own
}

// hintFor says how to mend a run that broke off.
func hintFor(b *conform.BrokenRun) string {
	switch {
	case b.Hint != "":
		return b.Hint
	case errors.Is(b.Err, exec.ErrNotFound):
		return "is it on PATH? what lies in this folder is started as ./NAME, a script as python3 NAME"
	case errors.Is(b.Err, fs.ErrPermission):
		return "is it a program? a script is started as python3 NAME or node NAME"
	}
	return ""
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
		Version:                    versionLine(),
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return unknownCommand(cmd, args[0])
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.AddCommand(
		newCheck(exit), newExplore(exit), newReplay(exit), newRules(), newExplain(), newMutants(),
		newVectors(exit), newServe(), newSabotage(), newInit(exit), newSchema(), newCompletion(), newVersion(), newConnect(),
	)
	root.SetFlagErrorFunc(flagError)
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetHelpCommand(newHelp())
	return root
}

// newHelp is cobra's help command, but that a mistyped name is an error here
// as everywhere.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about a command",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return commandNames(cmd.Root()), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(cmd.Root(), args[0])
			}
			about.InitDefaultHelpFlag() // so that the help is the same as that of --help
			about.InitDefaultVersionFlag()
			return about.Help()
		},
	}
}

func unknownCommand(root *cobra.Command, name string) error {
	hint := meant(name, commandNames(root))
	if hint == "" {
		hint = "floorcheck help lists them"
	}
	return usage(hint, "there is no command %q", name)
}

func commandNames(root *cobra.Command) (names []string) {
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			names = append(names, c.Name())
		}
	}
	return names
}

// newCompletion stands in for cobra's own, which answers an unknown shell with
// a page of help and exit code 0.
func newCompletion() *cobra.Command {
	scripts := map[string]func(root *cobra.Command, w io.Writer) error{
		"bash":       func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) },
		"zsh":        (*cobra.Command).GenZshCompletion,
		"fish":       func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) },
		"powershell": (*cobra.Command).GenPowerShellCompletionWithDesc,
	}
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a script that makes a shell complete commands, flags and rules",
		Example: `  source <(floorcheck completion bash)
  floorcheck completion zsh > "${fpath[1]}/_floorcheck"
  floorcheck completion fish > ~/.config/fish/completions/floorcheck.fish`,
		ValidArgsFunction: cobra.FixedCompletions(shells, cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("floorcheck completion bash", "completion takes one shell, got %d; shells are %s", len(args), strings.Join(shells, ", "))
			}
			script, ok := scripts[args[0]]
			if !ok {
				return usage(meant(args[0], shells), "there is no completion for %q; shells are %s", args[0], strings.Join(shells, ", "))
			}
			return script(cmd.Root(), cmd.OutOrStdout())
		},
	}
}

// flagError says of a flag what is wrong with it, and what was probably meant.
func flagError(cmd *cobra.Command, err error) error {
	help := cmd.CommandPath() + " --help"
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var lacking *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := nearest(unknown.GetSpecifiedName(), names); near != "" {
			return usage("did you mean --"+near+"?", "unknown flag --%s", unknown.GetSpecifiedName())
		}
		return usage(help, "unknown flag --%s", unknown.GetSpecifiedName())
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		return usage(help, "--%s: must be %s, got %q", f.Name, wanted(f.Value.Type()), invalid.GetValue())
	case errors.As(err, &lacking):
		return usage(help, "--%s: needs a value", lacking.GetFlag().Name)
	}
	return usage(help, "%v", err)
}

// wanted says what a flag of this type takes.
func wanted(kind string) string {
	switch kind {
	case "int":
		return "a whole number"
	case "uint64":
		return "a whole number from 0 on"
	case "duration":
		return "a duration such as 500ms, 5s or 2m"
	case "bool":
		return "true or false"
	}
	return "a " + kind
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the protocol and the suite",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), versionLine())
			return err
		},
	}
}

func versionLine() string {
	return fmt.Sprintf("floorcheck %s · protocol %d · suite %s", conform.Version, conform.Protocol, conform.Suite)
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage(cmd.CommandPath()+" --help", "%s takes no argument, got %q", cmd.Name(), args[0])
	}
	return nil
}
