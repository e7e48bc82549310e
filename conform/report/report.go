// Package report says what a check found: as text for a person, as JSON for a
// program. The last line, the JSON and the exit code come from one value.
package report

import (
	"context"
	"strconv"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

// The exit codes. Where several fit, the precedence is 130, 70, 2, 1, 3, 0.
const (
	ExitHolds       = 0   // everything selected ran and held
	ExitViolated    = 1   // a rule is violated
	ExitUsage       = 2   // usage or configuration, or nothing selected
	ExitNotJudged   = 3   // could not judge
	ExitOurBug      = 70  // engine and model disagree
	ExitInterrupted = 130 // interrupted; what was finished is reported
)

// A Report is a finished check, ready to be written.
type Report struct {
	Suite    string
	Seed     uint64
	Hello    conform.Hello
	Rules    []Line
	Cases    int
	Took     string // for people; in no JSON
	Notes    []string
	Warnings []string
	ExitCode int
	Command  []string // the subject's, for the replay line; empty is the reference
	Strict   bool
}

// A Line is one rule's.
type Line struct {
	conform.RuleResult
	File     string         // of the counterexample, where one was saved
	Engine   []floor.Answer // the reference's answers to the counterexample
	PassesIf string         // the nearest change that passes
}

// Gates says whether the rule's verdict counts for the exit code.
func (l Line) Gates(strict bool) bool { return l.Rule.Keyword == model.Must || strict }

// An Outcome is what happened besides the rules' verdicts.
type Outcome struct {
	Interrupted bool
	OurBug      bool
	Err         error // a broken run
	Unclaimed   bool  // a level was named that the subject does not claim
	Broken      bool  // something went wrong without a case to blame
	NoCondition bool  // no strict, non-recoverable case was asked
}

// Exit is the run's exit code.
func Exit(lines []Line, o Outcome, strict bool) int {
	violated, notJudged := false, o.Err != nil || o.Unclaimed || o.Broken || o.NoCondition
	for _, l := range lines {
		if !l.Gates(strict) {
			continue
		}
		switch l.Verdict {
		case conform.Fail, conform.Erred:
			violated = true
		case conform.Crashed, conform.TimedOut, conform.Garbled, conform.NotRun:
			notJudged = true
		}
	}
	switch {
	case o.Interrupted:
		return ExitInterrupted
	case o.OurBug:
		return ExitOurBug
	case violated:
		return ExitViolated
	case notJudged:
		return ExitNotJudged
	}
	return ExitHolds
}

// Holds says whether the run is a pass.
func (r *Report) Holds() bool { return r.ExitCode == ExitHolds }

// failing are the lines with a counterexample, smallest first.
func (r *Report) failing() []Line {
	var out []Line
	for _, l := range r.Rules {
		if l.Counterexample != nil {
			out = append(out, l)
		}
	}
	return out
}

func (r *Report) seed() string { return strconv.FormatUint(r.Seed, 10) }

// Neighbour looks for the smallest change to a counterexample that the subject
// gets right; "" when there is none within reach.
func Neighbour(ctx context.Context, s conform.Subject, ce *conform.Counterexample, rules []model.Rule) string {
	for _, n := range neighbours(ce.Case) {
		answers, err := s.Ask(ctx, n.c.Steps)
		if err != nil || len(answers) < len(n.c.Steps) {
			return ""
		}
		if right(rules, floor.Trace{Case: n.c, Answers: answers}) {
			return n.change
		}
	}
	return ""
}

// right says whether every rule that judges one answer is silent on it.
func right(rules []model.Rule, t floor.Trace) bool {
	for _, a := range t.Answers {
		if a.Decide == nil && a.Derive == nil {
			return false
		}
	}
	run := model.Observe(t)
	for _, r := range rules {
		if r.Vary != nil {
			continue
		}
		if _, findings := r.Judge(model.Observation{Base: run}); len(findings) > 0 {
			return false
		}
	}
	return true
}

type neighbour struct {
	change string
	c      floor.Case
}

// neighbours are the cases one change away.
func neighbours(c floor.Case) (out []neighbour) {
	last := c.Steps[len(c.Steps)-1]
	switch {
	case len(c.Steps) > 1 || last.Raw != nil:
		return nil
	case last.Decide != nil:
		with := func(change string, edit func(in *floor.DecideIn)) {
			in := *last.Decide
			edit(&in)
			out = append(out, neighbour{change, floor.Case{Policy: c.Policy, Steps: []floor.Request{{Op: last.Op, Decide: &in}}}})
		}
		in := last.Decide
		if in.Riders != nil {
			with("nothing rides along", func(in *floor.DecideIn) { in.Riders = nil })
		}
		eachFlag(in.Conditions, "", func(change string, c floor.Conditions) {
			with(change, func(in *floor.DecideIn) { in.Conditions = c })
		})
		with("ancestry certified → "+yes(!in.Contract.AncestryCertified), func(in *floor.DecideIn) {
			in.Contract.AncestryCertified = !in.Contract.AncestryCertified
		})
		with("everything required is certified", func(in *floor.DecideIn) { in.Contract.Certified = in.Contract.Required })
		with("nothing is required", func(in *floor.DecideIn) { in.Contract.Required = nil })
	case last.Derive != nil:
		for i := range last.Derive.Events {
			at := "event " + show(last.Derive.Events[i].ID) + ": "
			with := func(change string, edit func(e *floor.Event)) {
				in := *last.Derive
				in.Events = append([]floor.Event{}, in.Events...)
				edit(&in.Events[i])
				n := floor.Case{Policy: c.Policy, Steps: []floor.Request{{Op: last.Op, Derive: &in}}}
				if _, bad := model.Malformed(n.Steps[0], c.Policy); !bad {
					out = append(out, neighbour{at + change, n})
				}
			}
			eachFlag(last.Derive.Events[i].Conditions, "", func(change string, c floor.Conditions) {
				with(change, func(e *floor.Event) { e.Conditions = c })
			})
			with("nothing is required", func(e *floor.Event) { e.Required = nil })
			with("certifies in full what it requires", func(e *floor.Event) {
				e.Certificate = nil
				for _, class := range e.Required {
					e.Certificate = append(e.Certificate, floor.Fidelity{Class: class, Retained: 1, Total: 1})
				}
			})
		}
	}
	return out
}

func eachFlag(c floor.Conditions, prefix string, with func(change string, c floor.Conditions)) {
	flags := []struct {
		name string
		of   func(*floor.Conditions) *bool
	}{
		{"consumer strict", func(c *floor.Conditions) *bool { return &c.ConsumerStrict }},
		{"source recoverable", func(c *floor.Conditions) *bool { return &c.SourceRecoverable }},
		{"chaining risk", func(c *floor.Conditions) *bool { return &c.ChainingRisk }},
		{"side effects cost more than refusing", func(c *floor.Conditions) *bool { return &c.SideEffectCostExceedsRefusal }},
	}
	for _, f := range flags {
		changed := c
		*f.of(&changed) = !*f.of(&changed)
		with(prefix+f.name+" → "+yes(*f.of(&changed)), changed)
	}
}

func yes(on bool) string {
	if on {
		return "yes"
	}
	return "no"
}
