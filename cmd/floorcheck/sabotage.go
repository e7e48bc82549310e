package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/hostile"
	"github.com/floorcheck/floorcheck/conform/report"
)

// A sabotage is what the verb was asked for.
type sabotage struct {
	play, listen        string
	interfaces          []string
	log, record, replay string // files
	upstream            string
	hold                time.Duration
	list                bool
}

func newSabotage() *cobra.Command {
	var s sabotage
	cmd := &cobra.Command{
		Use:   "sabotage",
		Short: "Serve models that summarize badly: point a real runtime's base URL at them",
		Long: `sabotage is the hostile model server of the suite on its own. It speaks the
interfaces of OpenAI (chat completions) and of Anthropic (messages), and gives
what one of its summarizers makes of the conversation in the request: every
prohibition left out, a number off by one, an error's text, nothing at all. What
does your runtime do with such a summary?

It prints the variables to export, logs each request to stderr, and runs until
Ctrl-C. With --upstream it asks a real model server instead, with the client's
own headers; --record writes every answer to a file, and --replay gives them
again, without a model and without a key.`,
		Example: `  floorcheck sabotage --list
  floorcheck sabotage --play drop-class
  floorcheck sabotage --upstream https://models.example --record answers.jsonl
  floorcheck sabotage --replay answers.jsonl`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.check(cmd); err != nil {
				return err
			}
			if s.list {
				return listSummarizers(cmd.OutOrStdout())
			}
			return s.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&s.play, "play", "perfect", "the `NAME` of the summarizer")
	flags.BoolVar(&s.list, "list", false, "list the summarizers, and which rules they trip")
	flags.StringVar(&s.listen, "listen", "127.0.0.1:0", "the `ADDRESS` to listen on; port 0 is a free one")
	flags.StringSliceVar(&s.interfaces, "model-env", hostile.Interfaces(), "the interfaces whose variables are printed, a comma `LIST`")
	flags.StringVar(&s.log, "log", "", "write the log to this `FILE` too, as JSON lines")
	flags.StringVar(&s.record, "record", "", "record every answer in this `FILE`")
	flags.StringVar(&s.replay, "replay", "", "give the answers of this recorded `FILE` instead of a summarizer's")
	flags.StringVar(&s.upstream, "upstream", "", "ask the model server at this `URL` instead of a summarizer")
	flags.DurationVar(&s.hold, "timeout-after", hostile.DefaultHold, "how long the summarizer timeout keeps a client waiting")
	complete(cmd, "play", hostile.Names()...)
	complete(cmd, "model-env", hostile.Interfaces()...)
	return cmd
}

// check looks at the command line, before anything is opened.
func (s *sabotage) check(cmd *cobra.Command) error {
	given := func(flag string) bool { return cmd.Flags().Changed(flag) }
	for _, file := range []string{"log", "record", "replay", "upstream", "play", "listen"} {
		if given(file) && cmd.Flags().Lookup(file).Value.String() == "" {
			return usage(cmd.CommandPath()+" --help", "--%s: is empty", file)
		}
	}
	if _, known := hostile.Lookup(s.play); !known {
		hint := meant(s.play, hostile.Names())
		if hint == "" {
			hint = "floorcheck sabotage --list lists them"
		}
		return usage(hint, "--play: there is no summarizer %q", s.play)
	}
	for _, name := range s.interfaces {
		if known := hostile.Interfaces(); !slices.Contains(known, name) {
			return usage(meant(name, known), "--model-env: there is no interface %q; interfaces are %s", name, strings.Join(known, ", "))
		}
	}
	if _, _, err := net.SplitHostPort(s.listen); err != nil {
		return usage("--listen 127.0.0.1:8080", "--listen: %q is not a host and a port", s.listen)
	}
	if s.hold <= 0 {
		return usage("", "--timeout-after: must be above 0, got %v", s.hold)
	}
	if s.upstream != "" {
		if u, err := url.Parse(s.upstream); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return usage("--upstream https://models.example", "--upstream: %q is not an http or https URL", s.upstream)
		}
	}
	for _, two := range [][2]string{{"play", "replay"}, {"play", "upstream"}, {"replay", "upstream"}, {"replay", "record"}} {
		if given(two[0]) && given(two[1]) {
			return usage("", "--%s and --%s do not go together: give one", two[0], two[1])
		}
	}
	return nil
}

// run serves until the context ends.
func (s *sabotage) run(ctx context.Context, out, notes io.Writer) (err error) {
	o := hostile.Options{
		Listen: s.listen, Play: s.play, Hold: s.hold, Upstream: s.upstream,
		Notice: func(e hostile.Entry) { fmt.Fprintln(notes, report.Escape(entryLine(e))) },
	}
	opened, err := s.open(&o)
	defer func() {
		for _, file := range opened {
			err = errors.Join(err, file.Close())
		}
	}()
	if err != nil {
		return err
	}
	server, err := hostile.Serve(o)
	if err != nil {
		return usage("", "%v", err)
	}
	_, err = fmt.Fprintf(out, "floorcheck %s · %s\nexport %s\n", conform.Version, s.does(), strings.Join(server.Env(s.interfaces), "\nexport "))
	if err == nil {
		<-ctx.Done()
	}
	err = errors.Join(err, server.Close())
	if n := server.Unknown(); n > 0 {
		fmt.Fprintf(notes, "note: %s had no answer in %s\n", report.Count(n, "request"), s.replay)
	}
	if err != nil {
		return err
	}
	return ctx.Err()
}

// open opens the files that are asked for; those that were opened are the
// caller's to close, also when one was not.
func (s *sabotage) open(o *hostile.Options) (opened []*os.File, err error) {
	use := func(flag, path string, open func(string) (*os.File, error)) *os.File {
		if path == "" || err != nil {
			return nil
		}
		file, openErr := open(path)
		if openErr != nil {
			err = usage("", "--%s: %v", flag, openErr)
			return nil
		}
		opened = append(opened, file)
		return file
	}
	if file := use("replay", s.replay, os.Open); file != nil {
		o.Replay = file
	}
	if file := use("log", s.log, os.Create); file != nil {
		o.Log = file
	}
	if file := use("record", s.record, os.Create); file != nil {
		o.Record = file
	}
	return opened, err
}

// does says what the server does.
func (s *sabotage) does() string {
	switch {
	case s.replay != "":
		return "replays " + report.Escape(s.replay)
	case s.upstream != "":
		return "asks " + report.Escape(s.upstream)
	}
	summarizer, _ := hostile.Lookup(s.play) // check has looked
	return "plays " + summarizer.ID + ": " + summarizer.Title
}

func entryLine(e hostile.Entry) string {
	line := fmt.Sprintf("%d %s", e.Number, e.Path)
	if e.Summarizer != "" {
		line += " " + e.Summarizer
	}
	return fmt.Sprintf("%s · %d · %s in, %s out · %s", line, e.Status, report.Count(e.In, "byte"), report.Count(e.Out, "byte"), e.Did)
}

func listSummarizers(w io.Writer) error {
	for _, s := range hostile.All() {
		line := fmt.Sprintf("%-18s %s", s.ID, s.Title)
		if len(s.Trips) > 0 {
			line += "; trips " + strings.Join(s.Trips, ", ")
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}
