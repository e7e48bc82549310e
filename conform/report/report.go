// Package report says what a check found: as text for a person, as JSON for a
// program. The last line, the JSON and the exit code come from one value.
package report

import (
	"context"
	"slices"
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
	Scopes   map[floor.Op]int // how many cases the scope has that was gone through whole
	Cases    int
	Took     string // for people; in no JSON
	Notes    []string
	ExitCode int
	Reach    []string // the subject on a command line: -- and its command, or a flag and where it is; empty is the reference
	Strict   bool

	// Retention is what became of planted elements; nil when no conversation was
	// asked.
	Retention *conform.Retention
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
	slices.SortStableFunc(out, func(a, b Line) int { return a.Counterexample.Size - b.Counterexample.Size })
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
		if a.Decide == nil && a.Derive == nil && a.Certify == nil && a.Compact == nil {
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

// A neighbour is a case one change away. To undo takes back what the case
// sets, so that the change names what the failure hangs on.
type neighbour struct {
	change string
	undo   bool
	c      floor.Case
}

// neighbours are the cases one change away, those first that undo something.
func neighbours(c floor.Case) []neighbour {
	out := slices.DeleteFunc(changes(c), func(n neighbour) bool {
		_, bad := model.Malformed(n.c.Steps[0], n.c.Policy)
		return bad
	})
	slices.SortStableFunc(out, func(a, b neighbour) int {
		switch {
		case a.undo == b.undo:
			return 0
		case a.undo:
			return -1
		}
		return 1
	})
	return out
}

func changes(c floor.Case) []neighbour {
	last := c.Steps[len(c.Steps)-1]
	switch {
	case len(c.Steps) > 1 || last.Raw != nil:
		return nil
	case last.Decide != nil:
		return decideChanges(c.Policy, *last.Decide)
	case last.Derive != nil:
		return deriveChanges(c.Policy, *last.Derive)
	case last.Certify != nil:
		return certifyChanges(c.Policy, *last.Certify)
	case last.Compact != nil:
		return compactChanges(c.Policy, *last.Compact)
	}
	return nil
}

func decideChanges(p floor.Policy, from floor.DecideIn) (out []neighbour) {
	with := func(change string, undo bool, edit func(in *floor.DecideIn)) {
		in := from
		edit(&in)
		out = append(out, neighbour{change, undo, floor.Case{Policy: p, Steps: []floor.Request{{Op: floor.OpDecide, Decide: &in}}}})
	}
	eachFlag(from.Conditions, func(change string, undo bool, c floor.Conditions) {
		with(change, undo, func(in *floor.DecideIn) { in.Conditions = c })
	})
	ancestry := from.Contract.AncestryCertified
	with("ancestry certified → "+yes(!ancestry), !ancestry, func(in *floor.DecideIn) { in.Contract.AncestryCertified = !ancestry })
	if from.Riders != nil {
		with("nothing rides along", true, func(in *floor.DecideIn) { in.Riders = nil })
	}
	with("everything required is certified", false, func(in *floor.DecideIn) { in.Contract.Certified = in.Contract.Required })
	with("nothing is required", false, func(in *floor.DecideIn) { in.Contract.Required = []floor.Class{} })
	return out
}

func deriveChanges(p floor.Policy, from floor.DeriveIn) (out []neighbour) {
	for i := range from.Events {
		at := "event " + show(from.Events[i].ID) + ": "
		with := func(change string, undo bool, edit func(e *floor.Event)) {
			in := from
			in.Events = slices.Clone(from.Events)
			edit(&in.Events[i])
			out = append(out, neighbour{at + change, undo, floor.Case{Policy: p, Steps: []floor.Request{{Op: floor.OpDerive, Derive: &in}}}})
		}
		eachFlag(from.Events[i].Conditions, func(change string, undo bool, c floor.Conditions) {
			with(change, undo, func(e *floor.Event) { e.Conditions = c })
		})
		with("nothing is required", false, func(e *floor.Event) { e.Required = []floor.Class{} })
		with("certifies in full what it requires", false, func(e *floor.Event) { e.Certificate = inFull(e.Required) })
	}
	return out
}

// inFull certifies each class once, however often it is named.
func inFull(classes []floor.Class) []floor.Fidelity {
	out := []floor.Fidelity{}
	for i, class := range classes {
		if !slices.Contains(classes[:i], class) {
			out = append(out, floor.Fidelity{Class: class, Retained: 1, Total: 1})
		}
	}
	return out
}

// eachFlag flips each of the four, one at a time; to undo is to flip one that
// is set.
func eachFlag(c floor.Conditions, with func(change string, undo bool, c floor.Conditions)) {
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
		set := *f.of(&c)
		*f.of(&changed) = !set
		with(f.name+" → "+yes(!set), set, changed)
	}
}

func yes(on bool) string {
	if on {
		return "yes"
	}
	return "no"
}
