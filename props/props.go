// Package props is the suite as a library: props.Run(t, subject) puts a Go
// implementation under test, by the suite's own run, by rapid and by gopter.
// It is the only home of those two.
package props

import (
	"context"
	"flag"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/report"
	"github.com/floorcheck/floorcheck/model"
	"github.com/floorcheck/floorcheck/props/gen"
	"github.com/floorcheck/floorcheck/props/suite"
)

// shrink bounds the shrinking of one counterexample.
const (
	shrinkCalls = 20_000
	shrinkTime  = 10 * time.Second
)

// Run puts a subject under test with the suite's default cases, a subtest for
// each rule, and then with cases from rapid and from gopter. A failure shows
// the smallest case found and saves it under testdata/floorcheck.
//
// With -short it asks a tenth of the cases, and no scope whole.
func Run(t *testing.T, s conform.Subject) {
	t.Helper()
	hello := s.Hello()
	var rules []model.Rule
	for _, r := range model.Rules() {
		if r.Op == "" || slices.Contains(hello.Ops, r.Op) {
			rules = append(rules, r)
		}
	}
	plan := suite.Plan{Policy: hello.Policy, Ops: hello.Ops, Seed: suite.DefaultSeed, Cases: suite.DefaultCases, Exhaustive: true, Reduce: hello.Reduce}
	if testing.Short() {
		plan.Cases, plan.Exhaustive = suite.DefaultCases/10, false
	}
	result, err := conform.Check(t.Context(), s, conform.Options{
		Rules: rules, Stages: suite.Stages(plan), Seed: plan.Seed, ShrinkCalls: shrinkCalls, ShrinkTime: shrinkTime,
	})
	for _, r := range result.Rules {
		t.Run(r.Rule.ID, func(t *testing.T) { verdict(t, r, plan.Seed) })
	}
	if err != nil {
		t.Fatalf("the subject could not be judged: %v", err)
	}
	for _, broken := range result.Broken {
		t.Errorf("nothing to blame, and no pass: %s", broken)
	}
	if result.Conditioned == 0 && conform.Conditional(hello.Ops) {
		t.Error("no case with a strict consumer and a source that is gone was asked")
	}
	for _, kind := range gen.KindsOf(hello.Ops) {
		t.Run("rapid/"+string(kind), func(t *testing.T) { property(t, s, rules, kind, "rapid", Rapid) })
		t.Run("gopter/"+string(kind), func(t *testing.T) { property(t, s, rules, kind, "gopter", Gopter) })
	}
}

// verdict fails a rule's subtest unless it passed. What SHOULD be is told; what
// is not claimed is skipped.
func verdict(t *testing.T, r conform.RuleResult, seed uint64) {
	t.Helper()
	switch {
	case r.Verdict == conform.NotClaimed:
		t.Skip("the subject does not offer what this rule is about")
	case r.Counterexample != nil && r.Rule.Keyword == model.Should:
		t.Log("SHOULD, and does not: " + shown(t, r, seed))
	case r.Counterexample != nil:
		t.Fatal(shown(t, r, seed))
	case r.Verdict != conform.Pass || r.Unfinished:
		t.Fatalf("%s: applied to %d cases, needs %d", r.Verdict, r.Applied, r.Rule.Minimum)
	}
}

// shown is a counterexample as text, saved on the way.
func shown(t *testing.T, r conform.RuleResult, seed uint64) string {
	t.Helper()
	path, err := r.Counterexample.File(seed, gen.Version).Save("testdata/floorcheck")
	if err != nil {
		t.Logf("the counterexample is not saved: %v", err)
	}
	var b strings.Builder
	if err := report.WriteFinding(&b, report.Line{RuleResult: r, File: path}, nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A Drive draws cases through a library and hands each to visit until that
// returns false. It gives the number of cases it handed out.
type Drive func(t testing.TB, kinds Kinds, l gen.Limits, visit Visit) int

// property has a library's driver hand cases to the loop; what is found is
// shrunk by our own shrinker, whoever found it.
func property(t *testing.T, s conform.Subject, rules []model.Rule, kind gen.Kind, name string, drive Drive) {
	t.Helper()
	limits := suite.ForBlackBox(gen.Full(s.Hello().Policy), s.Hello().Reduce)
	var found *conform.Result
	asked := drive(t, Only(kind), limits, func(_ gen.Kind, d conform.Drawn) bool {
		result, err := conform.Check(context.Background(), s, conform.Options{
			Rules: rules, Seed: suite.DefaultSeed, ShrinkCalls: shrinkCalls, ShrinkTime: shrinkTime, Once: true,
			Stages: []conform.Stage{One(kind, limits, name, d)},
		})
		if err != nil {
			t.Errorf("the subject could not be judged: %v", err)
			return false
		}
		for _, r := range result.Rules {
			if r.Counterexample != nil && r.Rule.Keyword == model.Must {
				found = result
				return false
			}
		}
		return true
	})
	if found != nil {
		for _, r := range found.Rules {
			if r.Counterexample != nil && r.Rule.Keyword == model.Must {
				t.Error(shown(t, r, suite.DefaultSeed))
			}
		}
		return
	}
	if want := quota(); asked < want && !t.Failed() {
		t.Errorf("%s handed out %d cases of %d: it stopped early", name, asked, want)
	}
}

// quota is how many cases a library is asked for: rapid's own flag, so that
// -rapid.checks sets both.
func quota() int {
	if f := flag.Lookup("rapid.checks"); f != nil {
		if n, ok := f.Value.(flag.Getter).Get().(int); ok {
			if testing.Short() {
				return n / 5 // as rapid does
			}
			return n
		}
	}
	return 100
}

// One is a stage of a single case, all rules and all twins.
func One(kind gen.Kind, l gen.Limits, name string, d conform.Drawn) conform.Stage {
	st := conform.Stage{
		Name: name, Op: kind.Op(), Twins: true, EveryTwin: true, Total: 1,
		Cases:  func(yield func(conform.Drawn) bool) { yield(d) },
		Decode: suite.DecoderUnder(kind, l),
	}
	if kind != gen.KindReduce { // conversations are not gone through
		st.Smaller = suite.Smaller(kind, l.Policy)
	}
	return st
}
