package props_test

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/reference"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
	"github.com/floorcheck/floorcheck/props/gen"
	"github.com/floorcheck/floorcheck/props/suite"
)

var update = flag.Bool("update", false, "rewrite testdata/lies.json")

// healthyTraces is how many traces of the reference engine each rule has to be
// silent on. Texts take longer: half of them is under each policy.
const healthyTraces = 10_000

// Every rule is silent on what the reference answers, under both policies; and
// of conversations, which it does not answer, on what the model says is right.
func TestRulesAreSilentOnHealthyTraces(t *testing.T) {
	t.Run("reduce", func(t *testing.T) {
		t.Parallel()
		for d := range suite.Seeded(gen.KindReduce, underHostile(floor.Guard), 99, 0, healthyTraces) {
			run := healthy(d.Case)
			for _, r := range model.Rules() {
				if r.Vary == nil {
					_, findings := r.Judge(model.Observation{Base: run})
					require.Empty(t, findings, "tape %v", d.Tape)
				}
			}
		}
	})
	for _, policy := range []floor.Policy{floor.Guard, floor.Joint} {
		for _, kind := range gen.KindsOf(reference.New(policy).Hello().Ops) {
			t.Run(string(policy)+"/"+string(kind), func(t *testing.T) {
				t.Parallel()
				s, traces := reference.New(policy), healthyTraces
				if op := kind.Op(); op == floor.OpCertify || op == floor.OpCompact {
					traces /= 2
				}
				for d := range suite.Seeded(kind, gen.Full(policy), 99, 0, traces) {
					objecting, err := conform.Objections(t.Context(), s, model.Rules(), d.Case)
					require.NoError(t, err)
					require.Empty(t, objecting, "tape %v", d.Tape)
				}
			})
		}
	}
}

// underHostile are full limits, with a model server that plays everything.
func underHostile(p floor.Policy) gen.Limits {
	return suite.ForBlackBox(gen.Full(p), &conform.ReduceHello{Model: true})
}

// liesPerRule is how many lies of each rule are told.
const liesPerRule = 300

// Every rule objects to its own lie whenever it can be told. Which other rules
// object to it too is committed: comparing rules overlap by design, and a lie
// about a decision is one about several sentences.
func TestLies(t *testing.T) {
	path := filepath.Join("testdata", "lies.json")
	got := map[string][]string{}
	for _, r := range model.Rules() {
		got[r.ID] = others(t, r)
	}
	data, err := json.MarshalIndent(got, "", "  ") // sorted by rule
	require.NoError(t, err)
	data = append(data, '\n')
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, data, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(data), "go test ./props -run TestLies -update, and read the difference")
}

// others tells a rule's lie on many cases and gives the other rules that object
// to any of them.
func others(t *testing.T, r model.Rule) []string {
	t.Helper()
	out := []string{}
	told := 0
	for _, kind := range gen.Kinds {
		if r.Op != "" && kind.Op() != r.Op {
			continue
		}
		for d := range suite.Seeded(kind, underHostile(floor.Guard), 4, 0, 4000) {
			if told == liesPerRule {
				break
			}
			for _, lied := range r.Lies(d.Case) {
				told++
				_, findings := r.Judge(lied)
				require.NotEmpty(t, findings, "%s is silent on its own lie, tape %v", r.ID, d.Tape)
				for _, other := range model.Rules() {
					if other.ID != r.ID && !slices.Contains(out, other.ID) && objectsTo(other, lied) {
						out = append(out, other.ID)
					}
				}
			}
		}
	}
	require.GreaterOrEqual(t, told, 20, "%s: its lie can hardly be told", r.ID)
	slices.Sort(out)
	return out
}

func healthy(c floor.Case) model.Run {
	return model.Observe(floor.Trace{Case: c, Answers: model.Expect(c)})
}

// objectsTo has a rule judge an observation that another rule made: each of its
// runs alone, or beside healthy twins.
func objectsTo(r model.Rule, o model.Observation) bool {
	runs := []model.Run{o.Base}
	if o.Twin != nil {
		runs = append(runs, *o.Twin)
	}
	for _, run := range runs {
		if r.Op != "" && r.Op != run.Case.Op() || !r.Applies(run) {
			continue
		}
		if r.Vary == nil {
			if _, findings := r.Judge(model.Observation{Base: run}); len(findings) > 0 {
				return true
			}
			continue
		}
		for _, t := range r.Vary(run.Case) {
			twin := healthy(t)
			if _, findings := r.Judge(model.Observation{Base: run, Twin: &twin}); len(findings) > 0 {
				return true
			}
		}
	}
	return false
}

// Engine and model agree on every request over 5 classes, with both ancestries,
// all 16 conditions, and the generations 0, 1, 2 and 7, under both policies.
func TestEngineIsModelExhaustively(t *testing.T) {
	compared := 0
	for _, policy := range []floor.Policy{floor.Guard, floor.Joint} {
		s := reference.New(policy)
		o := gen.NewOdometer(gen.DecideScope())
		source := gen.NewSource(o)
		for more := true; more; more = o.Next() {
			source.Reset()
			c := gen.Decide(source, gen.ScopeLimits(policy))
			got, err := s.Ask(context.Background(), c.Steps)
			require.NoError(t, err)
			want := model.Expect(c)
			if !sameDecide(want[0].Decide, got[0].Decide) {
				t.Fatalf("model %+v, engine %+v, tape %v", want[0].Decide, got[0].Decide, source.Tape())
			}
			compared++
		}
	}
	require.Equal(t, 2*gen.DecideScopeSize, compared)
	t.Logf("%d requests, 0 differences", compared)
}

func sameDecide(a, b *floor.DecideOut) bool {
	if a == nil || b == nil || a.Decision != b.Decision {
		return false
	}
	if a.Decision != floor.Refuse {
		return true
	}
	return slices.Equal(a.MissingClasses, b.MissingClasses) && *a.Generation == *b.Generation && *a.AncestryCertified == *b.AncestryCertified
}

// Whatever joint refuses, guard refuses: on every request of the scope.
func TestJointRefusesNothingThatGuardAllows(t *testing.T) {
	o := gen.NewOdometer(gen.DecideScope())
	joint := 0
	for more := true; more; more = o.Next() {
		c := gen.Decide(gen.NewSource(o), gen.ScopeLimits(floor.Joint))
		if model.Expect(c)[0].Decide.Decision != floor.Refuse {
			continue
		}
		joint++
		c.Policy = floor.Guard
		require.Equal(t, floor.Refuse, model.Expect(c)[0].Decide.Decision)
	}
	require.Positive(t, joint)
}
