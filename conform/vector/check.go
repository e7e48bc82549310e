package vector

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

// A Problem is what is wrong with a vector, or with us.
type Problem struct {
	Vector string // its id
	What   string
	// Ours says that the engine and the model do not derive the same answer: a
	// bug, whatever the vector says.
	Ours bool
}

func (p Problem) String() string { return p.Vector + ": " + p.What }

// Check derives what a vector says again. The right answer to certify and compact
// is derived by the engine and by the model, and has to be the vector's, by its
// meaning; a conversation may be shortened in many ways, so that there the model
// judges alone. The rules that object to an answer have to be exactly those that
// the vector names. Rules that compare two runs are left out: an answer alone
// does not break them.
//
// The error is that of an engine that cannot be asked.
func Check(ctx context.Context, v Vector, engine conform.Subject) ([]Problem, error) {
	c := checker{vector: v}
	if v.Case.Op() != floor.OpReduce {
		derived := model.Expect(v.Case)
		answers, err := engine.Ask(ctx, v.Case.Steps)
		if err != nil {
			return nil, err
		}
		for step := range v.Case.Steps {
			if d := Differ(v.Case, step, derived[step], answers[step]); d != "" {
				c.problem(true, "step %d: engine and model disagree: %s", step, d)
			}
			if d := Differ(v.Case, step, derived[step], v.Expect[step]); d != "" {
				c.problem(false, "step %d: expect: %s", step, d)
			}
		}
		c.right("expect", v.Expect)
	}
	for i, g := range v.Right {
		c.right(fmt.Sprintf("right[%d] (%s)", i, g.By), g.Answers)
	}
	for i, g := range v.Wrong {
		objecting, _ := Breaks(v.Case, g.Answers)
		if !slices.Equal(objecting, slices.Sorted(slices.Values(g.Breaks))) {
			c.problem(false, "wrong[%d] (%s): breaks %s, and the vector says %s", i, g.By, list(objecting), list(g.Breaks))
		}
	}
	return c.problems, nil
}

type checker struct {
	vector   Vector
	problems []Problem
}

func (c *checker) problem(ours bool, format string, args ...any) {
	c.problems = append(c.problems, Problem{c.vector.ID, fmt.Sprintf(format, args...), ours})
}

// right wants some rule to judge the answers, and none to object.
func (c *checker) right(at string, answers []floor.Answer) {
	objecting, findings := Breaks(c.vector.Case, answers)
	switch {
	case len(objecting) > 0:
		c.problem(false, "%s: breaks %s: %s", at, list(objecting), findings[0])
	case !judged(c.vector.Case, answers):
		c.problem(false, "%s: no rule says anything about it", at)
	}
}

// Breaks are the rules that object to the answers to a case, sorted, and what
// they find, but for rules that compare two runs.
func Breaks(c floor.Case, answers []floor.Answer) (rules []string, findings []model.Finding) {
	for r, found := range judge(c, answers) {
		if len(found) > 0 {
			rules = append(rules, r)
			findings = append(findings, found...)
		}
	}
	return rules, findings
}

func judged(c floor.Case, answers []floor.Answer) bool {
	for range judge(c, answers) {
		return true
	}
	return false
}

// judge has every rule of the op that applies look at the answers, in the order
// of their ids.
func judge(c floor.Case, answers []floor.Answer) func(yield func(rule string, findings []model.Finding) bool) {
	o := model.Observation{Base: model.Observe(floor.Trace{Case: c, Answers: answers})}
	return func(yield func(string, []model.Finding) bool) {
		for _, r := range model.Rules() {
			if r.Op != c.Op() || r.Vary != nil {
				continue
			}
			if applied, found := r.Judge(o); applied && !yield(r.ID, found) {
				return
			}
		}
	}
}

// Differ says in what two answers to a step of a case differ in their meaning;
// "" where they do not. Errors are the same when their codes are.
func Differ(c floor.Case, step int, want, got floor.Answer) string {
	if kind(want) != kind(got) {
		return fmt.Sprintf("want %s, got %s", kind(want), kind(got))
	}
	if want.Err != nil {
		return ""
	}
	c = floor.Case{Policy: c.Policy, Steps: c.Steps[step : step+1]}
	run := func(a floor.Answer) model.Run {
		return model.Observe(floor.Trace{Case: c, Answers: []floor.Answer{a}})
	}
	twin := run(got)
	if _, found := sameAnswer.Judge(model.Observation{Base: run(want), Twin: &twin}); len(found) > 0 {
		f := found[0]
		at := ""
		if f.At != "" {
			at = f.At + ": "
		}
		return fmt.Sprintf("%swant %s, got %s", at, strings.TrimSuffix(f.Want, " as before"), f.Got)
	}
	return ""
}

// sameAnswer is the rule that compares answers by their meaning.
var sameAnswer = func() model.Rule {
	r, ok := model.Lookup("decide/deterministic")
	if !ok {
		panic("vector: the rule that compares answers has another name now")
	}
	return r
}()

func kind(a floor.Answer) string {
	switch {
	case a.Err != nil:
		return "the error " + string(a.Err.Code)
	case a.Broken != "":
		return "no answer (" + string(a.Broken) + ")"
	}
	return "a result"
}

func list(rules []string) string {
	if len(rules) == 0 {
		return "no rule"
	}
	return strings.Join(rules, ", ")
}
