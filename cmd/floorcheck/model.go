package main

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/floorcheck/floorcheck/conform/hostile"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

// A black box may ask a model for its summaries. Whenever op reduce may be
// asked, a model server of ours runs before the subject is started; what it
// plays is part of each case.

// modelHold is how long the summarizer that never answers holds a connection:
// long enough to be a timeout, and a check has dozens of them.
const modelHold = 300 * time.Millisecond

// modelFlags are those about the model inside a black box.
type modelFlags struct {
	env            []string
	upstream       string
	record, replay string
}

func (m *modelFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&m.env, "model-env", nil, "lead clients of these `APIS` to the hostile model server by their own variables: openai (OPENAI_BASE_URL), anthropic (ANTHROPIC_BASE_URL)")
	flags.StringVar(&m.upstream, "model-upstream", "", "answer from the real model server at this `URL` instead of playing summarizers; the subject's key is passed on")
	flags.StringVar(&m.record, "record-answers", "", "write what the model answered into `FILE`")
	flags.StringVar(&m.replay, "replay-answers", "", "answer for the model from such a `FILE`, so that no key is needed")
	complete(cmd, "model-env", hostile.Interfaces()...)
}

// check looks at the flags before anything is started.
func (m *modelFlags) check() error {
	for _, name := range m.env {
		if !slices.Contains(hostile.Interfaces(), name) {
			return usage(meant(name, hostile.Interfaces()), "--model-env: there is no interface %q; interfaces are %s", name, strings.Join(hostile.Interfaces(), ", "))
		}
	}
	if m.upstream != "" {
		if u, err := url.Parse(m.upstream); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return usage("--model-upstream https://models.example/", "--model-upstream: %q is not an http or https URL", m.upstream)
		}
	}
	switch {
	case m.upstream != "" && m.replay != "":
		return usage("", "--model-upstream and --replay-answers are two sources of answers: give one")
	case m.record != "" && m.replay != "":
		return usage("", "--record-answers and --replay-answers: what is replayed is not recorded again: give one")
	}
	return nil
}

// given says whether any of the flags was.
func (m *modelFlags) given() bool {
	return len(m.env) > 0 || m.upstream != "" || m.record != "" || m.replay != ""
}

// A modelServer is the hostile one with the files that it reads and writes.
type modelServer struct {
	*hostile.Server
	names []string
	files []io.Closer
}

// start starts the server; nil when nothing that is selected could ask it.
func (m *modelFlags) start(s selection) (*modelServer, error) {
	wanted := slices.ContainsFunc(model.Rules(), func(r model.Rule) bool { return r.Op == floor.OpReduce && s.takes(r) })
	if !wanted {
		if m.given() {
			return nil, usage("", "--model-env, --model-upstream, --record-answers and --replay-answers are about op reduce, of which no rule is selected")
		}
		return nil, nil
	}
	out := &modelServer{names: m.env}
	o := hostile.Options{Hold: modelHold, Upstream: m.upstream}
	if m.replay != "" {
		file, err := os.Open(m.replay)
		if err != nil {
			return nil, usage("--record-answers writes one", "--replay-answers: %v", err)
		}
		out.files = append(out.files, file)
		o.Replay = file
	}
	if m.record != "" {
		file, err := os.Create(m.record)
		if err != nil {
			return nil, errors.Join(usage("", "--record-answers: %v", err), out.closeFiles())
		}
		out.files = append(out.files, file)
		o.Record = file
	}
	server, err := hostile.Serve(o)
	if err != nil {
		hint := ""
		if m.replay != "" {
			hint = "is " + m.replay + " what --record-answers wrote?"
		}
		return nil, errors.Join(usage(hint, "model server: %v", err), out.closeFiles())
	}
	out.Server = server
	return out, nil
}

func (s *modelServer) closeFiles() (err error) {
	for _, file := range s.files {
		err = errors.Join(err, file.Close())
	}
	return err
}

// env is what the subject is told.
func (s *modelServer) env() []string {
	if s == nil {
		return nil
	}
	return s.Env(s.names)
}

// play has the server play what the case says. The names are the suite's own,
// or were looked at when the case was read.
func (s *modelServer) play(name string) {
	if s == nil {
		return
	}
	if err := s.Play(name); err != nil {
		panic(fmt.Sprintf("play a summarizer: %v", err))
	}
}

// end closes the server and gives what there is to note: answers that a
// recording did not have, a file that could not be written.
func (s *modelServer) end() (notes []string) {
	if s == nil {
		return nil
	}
	err := errors.Join(s.Close(), s.closeFiles())
	if err != nil {
		notes = append(notes, fmt.Sprintf("model server: %v", err))
	}
	if n := s.Unknown(); n > 0 {
		notes = append(notes, fmt.Sprintf("--replay-answers had no answer to %d requests: what was judged there is a model that failed", n))
	}
	return notes
}

// checkSummarizer looks at the summarizer that a case names.
func checkSummarizer(c floor.Case) error {
	if c.Planted == nil || c.Planted.Summarizer == "" {
		return nil
	}
	if _, ok := hostile.Lookup(c.Planted.Summarizer); !ok {
		return usage(meant(c.Planted.Summarizer, hostile.Names()), "case: planted.summarizer: there is no summarizer %q", c.Planted.Summarizer)
	}
	return nil
}
