// Package model is the judge: what the rules say of an answer, written to be
// read, in maps, plain recursion and naive search. It shares nothing with
// engine but the words in floor, so that both are never wrong in the same way.
package model

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// A Keyword says how binding a rule is.
type Keyword string

// Must rules gate; Should rules are reported, and gate only when asked.
const (
	Must   Keyword = "MUST"
	Should Keyword = "SHOULD"
)

// A Rule is one sentence that every subject has to keep, as pure functions.
type Rule struct {
	ID      string // public and fixed for ever, e.g. decide/refuse
	Title   string // the sentence
	Needs   string // the requirement in docs/requirements.md that it comes from
	Keyword Keyword
	Op      floor.Op // the op it judges; "" is every op

	// Minimum is the number of cases in which the precondition must have held
	// for a pass to count; with fewer the rule was not run.
	Minimum int

	// Model says that the rule is about the summarizer inside a subject: one
	// that does not say in hello that it has a model is not claimed.
	Model bool

	// Offered finds an answer that shows that the subject offers what the rule
	// is about; nil is every answer. When no answer of a run shows it, the rule
	// is not claimed.
	Offered func(a floor.Answer) bool

	// Applies is the precondition: does the run's case put the rule to the
	// test? It looks at the case alone; it is handed a run because the rules
	// share what the lemmas find out.
	Applies func(r Run) bool

	// Vary derives the twin cases of a rule that compares two runs; nil for a
	// rule that judges one answer.
	Vary func(c floor.Case) []floor.Case

	// Fresh says that the rule is about what a subject remembers: its two runs
	// tell something only if each begins with a fresh start.
	Fresh bool

	// Check judges what was observed. It is called only when Applies holds,
	// every answer of both runs is a result (or, for fail-closed rules,
	// whatever was answered), and Twin is set exactly when Vary is.
	Check func(o Observation) []Finding

	// Break is the smallest lie: it turns an observation that the rule is
	// silent on into one that it must object to; false where it cannot.
	Break func(o Observation) (Observation, bool)
}

// An Observation is what a rule judges: a case with its answers, and for a
// comparing rule the twin with its own.
type Observation struct {
	Base Run
	Twin *Run
}

// A Run is a trace, with room for what the lemmas found out about it.
type Run struct {
	floor.Trace
	lemmas *lemmas
}

// Observe makes a run of a trace. Rules that judge the same run share the
// work of the lemmas, so a run belongs to one goroutine at a time, and what is
// changed after Observe must be observed again.
func Observe(t floor.Trace) Run { return Run{Trace: t, lemmas: &lemmas{}} }

// Answered is the run with its answers, for a case that was observed before
// they came: what the lemmas found out about the case stays.
func (r Run) Answered(answers []floor.Answer) Run {
	r.Answers = answers
	if r.lemmas != nil {
		r.lemmas.paired, r.lemmas.pairs = false, nil
		r.lemmas.followed, r.lemmas.turns = false, nil
		r.lemmas.claimed, r.lemmas.claims = false, nil
		r.lemmas.resulted, r.lemmas.results = false, nil
	}
	return r
}

// A Finding is a breach of a rule: a value, not an error.
type Finding struct {
	Rule string
	Step int    // which step of the case, from 0
	At   string // where in the step's answer, e.g. events[1] (e2); may be ""
	Want string // what the rule asks for, in words
	Got  string // what was answered
}

func (f Finding) String() string {
	at := f.At
	if at != "" {
		at = " at " + at
	}
	return fmt.Sprintf("%s: step %d%s: want %s, got %s", f.Rule, f.Step, at, f.Want, f.Got)
}

var registered []Rule

// register adds a rule; each rule's own file calls it once.
func register(r Rule) Rule {
	registered = append(registered, r)
	return r
}

// Rules are all rules, sorted by ID.
func Rules() []Rule {
	return slices.SortedFunc(slices.Values(registered), func(a, b Rule) int { return cmp.Compare(a.ID, b.ID) })
}

// Lookup finds a rule by its ID.
func Lookup(id string) (Rule, bool) {
	for _, r := range registered {
		if r.ID == id {
			return r, true
		}
	}
	return Rule{}, false
}

// Judge has a rule look at an observation. It reports whether the rule
// applied, and what it objects to. An answer that is no result, where one was
// due, is not judged here: it is the loop's matter.
func (r Rule) Judge(o Observation) (applied bool, findings []Finding) {
	if (r.Vary != nil) != (o.Twin != nil) || !r.Applies(o.Base) {
		return false, nil
	}
	findings = r.Check(o)
	for i := range findings {
		findings[i].Rule = r.ID
	}
	return true, findings
}
