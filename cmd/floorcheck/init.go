package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/floorcheck/floorcheck/adapters"
	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/report"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/props/suite"
)

// smokeCases is how many cases of each kind the smoke run of init generates.
const smokeCases = 2500

func newInit(exit *int) *cobra.Command {
	var language, level string
	cmd := &cobra.Command{
		Use:   "init --lang python|javascript|go [--level decide|reduce] [DIR]",
		Short: "Write a helper and an adapter to start from, and try them",
		Long: `init writes a one-file helper and an adapter of about 20 lines into DIR (the
current folder when it is not given), then puts the adapter under test. It never
overwrites a file. Level decide is a decision about a summary, reduce a whole
compactor, messages in and messages out.`,
		Example: `  floorcheck init --lang python
  floorcheck init --lang python --level reduce
  floorcheck init --lang javascript floor/`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("floorcheck init --help", "init takes one folder, got %d", len(args))
			}
			if language == "" {
				return usage("floorcheck init --lang python", "--lang is missing; languages are %s", strings.Join(adapters.Languages(), ", "))
			}
			t, err := template(language, level)
			if err != nil {
				return err
			}
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			if err := writeTemplate(cmd, t, level, dir); err != nil {
				return err
			}
			code, err := smoke(cmd, t, dir)
			*exit = code
			return err
		},
	}
	cmd.Flags().StringVar(&language, "lang", "", "the adapter's `LANGUAGE`: python, javascript or go")
	cmd.Flags().StringVar(&level, "level", levelDecide, "the `LEVEL` that the adapter answers at: decide or reduce")
	complete(cmd, "lang", adapters.Languages()...)
	complete(cmd, "level", templateLevels...)
	return cmd
}

// The levels that there are templates of. A history is derived from decisions.
const (
	levelDecide = string(floor.OpDecide)
	levelReduce = string(floor.OpReduce)
)

var templateLevels = []string{levelDecide, levelReduce}

func template(language, level string) (t adapters.Template, err error) {
	if !slices.Contains(templateLevels, level) {
		return t, usage(meant(level, templateLevels), "--level: must be %s, got %q", strings.Join(templateLevels, " or "), level)
	}
	t, ok := adapters.ForLanguage(language)
	if !ok {
		return t, usage(meant(language, adapters.Languages()), "--lang: there is no template for %q; languages are %s", language, strings.Join(adapters.Languages(), ", "))
	}
	if level == levelReduce {
		if t, ok = adapters.ForReduce(language); !ok {
			return t, usage("floorcheck init --lang python --level reduce",
				"--lang: there is no template of level reduce for %s; languages are %s", language, strings.Join(adapters.ReduceLanguages(), ", "))
		}
	}
	return t, nil
}

// writeTemplate writes all files or none.
func writeTemplate(cmd *cobra.Command, t adapters.Template, level, dir string) error {
	again := "floorcheck init --lang " + t.Language
	if level != levelDecide {
		again += " --level " + level
	}
	for _, f := range t.Files {
		path := filepath.Join(dir, f.Name)
		if _, err := os.Lstat(path); err == nil {
			return usage("choose another folder: "+again+" DIR", "%s is there already; nothing was written", path)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return usage("", "%v", err)
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return usage("", "%v", err)
	}
	for _, f := range t.Files {
		path := filepath.Join(dir, f.Name)
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return usage("", "%v", err)
		}
		_, err = file.Write(f.Text)
		if err := errors.Join(err, file.Close()); err != nil {
			return usage("", "write %s: %v", path, err)
		}
		fmt.Fprintln(cmd.OutOrStdout(), "wrote "+path)
	}
	return nil
}

// smoke puts what was written under test, so that the next step starts from
// something that works.
func smoke(cmd *cobra.Command, t adapters.Template, dir string) (int, error) {
	w := cmd.OutOrStdout()
	if t.Smoke != nil {
		return smokeCommand(cmd, t, dir)
	}
	s, err := started(conform.Start(cmd.Context(), conform.Command{Args: t.Subject, Dir: dir, Suite: conform.Suite}))
	if err != nil {
		return 0, err
	}
	defer s.Close()
	f := &runFlags{seed: suite.DefaultSeed, shrinkCalls: defaultShrinkCalls}
	rules, _ := f.rules(s.Hello().Ops)
	ops := f.ops(s.Hello().Ops, rules)
	result, err := conform.Check(cmd.Context(), s, conform.Options{
		Rules: rules, Seed: f.seed,
		Stages: suite.Stages(suite.Plan{Policy: s.Hello().Policy, Ops: ops, Seed: f.seed, Cases: smokeCases, Reduce: s.Hello().Reduce}),
	})
	r := f.report(cmd.Context(), s, result, err, t.Subject, plan{rules: rules, ops: ops})
	if r.ExitCode != report.ExitHolds {
		fmt.Fprintln(w, "tried it, and it does not hold:")
		return r.ExitCode, report.WriteText(w, r, report.Style{})
	}
	fmt.Fprintf(w, "tried it: %s\n", report.Last(r))
	where := ""
	if dir != "." {
		where = "cd " + dir + " && "
	}
	fmt.Fprintf(w, "next: put your own code into it, then %sfloorcheck check -- %s\n", where, strings.Join(t.Subject, " "))
	return r.ExitCode, nil
}

func smokeCommand(cmd *cobra.Command, t adapters.Template, dir string) (int, error) {
	run := exec.CommandContext(cmd.Context(), t.Smoke[0], t.Smoke[1:]...)
	run.Dir = dir
	out, err := run.CombinedOutput()
	if err != nil {
		fmt.Fprint(cmd.ErrOrStderr(), report.EscapeLines(strings.ReplaceAll(string(out), "\t", "  ")))
		return 0, &conform.BrokenRun{
			Doing: "try it: " + strings.Join(t.Smoke, " "), Err: err,
			Hint: "the folder must lie in a Go module that requires github.com/floorcheck/floorcheck: go get github.com/floorcheck/floorcheck",
		}
	}
	fmt.Fprintf(cmd.OutOrStdout(), "tried it: %s", report.EscapeLines(strings.ReplaceAll(string(out), "\t", "  ")))
	fmt.Fprintf(cmd.OutOrStdout(), "next: put your own code into it, then go test .\n")
	return report.ExitHolds, nil
}
