package props

import (
	"slices"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"
	"pgregory.net/rapid"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/props/gen"
)

// Rapid draws cases through rapid: its -rapid.checks, -rapid.seed and the rest
// of its flags hold. It shrinks nothing: the property never fails, so that the
// same shrinker serves every driver.
func Rapid(t testing.TB, kinds Kinds, l gen.Limits, visit Visit) (asked int) {
	t.Helper()
	going := true
	rapid.Check(t, func(rt *rapid.T) {
		if !going {
			return
		}
		kind := kinds(asked)
		s := gen.NewSource(rapidDriver{rt})
		c := kind.Draw(s, l)
		asked++
		going = visit(kind, conform.Drawn{Case: c, Tape: s.Tape()})
	})
	return asked
}

// Kinds says of which kind the i-th case is, from 0.
type Kinds func(i int) gen.Kind

// Only is one kind for every case.
func Only(kind gen.Kind) Kinds { return func(int) gen.Kind { return kind } }

// A Visit is handed each case; false ends the drawing.
type Visit func(gen.Kind, conform.Drawn) bool

type rapidDriver struct{ t *rapid.T }

// Pick implements gen.Driver.
func (d rapidDriver) Pick(label string, n int, weights []int) int {
	if weights == nil {
		return rapid.IntRange(0, n-1).Draw(d.t, label)
	}
	total := 0
	for _, w := range weights {
		total += w
	}
	return share(weights, rapid.IntRange(0, total-1).Draw(d.t, label))
}

// share finds the index whose part of the weights holds v.
func share(weights []int, v int) int {
	for i, w := range weights {
		if v < w {
			return i
		}
		v -= w
	}
	return len(weights) - 1
}

// Gopter draws cases through gopter, with a fixed seed and one worker. The
// choices are the value; the property decodes them.
func Gopter(t testing.TB, kinds Kinds, l gen.Limits, visit Visit) int {
	t.Helper()
	return GopterRun(t, kinds, l, gopterSeed, quota(), visit)
}

const gopterSeed = 8123

// GopterRun is Gopter with a seed and a number of cases of its own.
func GopterRun(t testing.TB, kinds Kinds, l gen.Limits, seed int64, cases int, visit Visit) (asked int) {
	t.Helper()
	parameters := gopter.DefaultTestParametersWithSeed(seed)
	parameters.Workers, parameters.MinSuccessfulTests = 1, cases
	going := true
	properties := gopter.NewProperties(parameters)
	properties.Property("cases", prop.ForAllNoShrink(func(v choices) bool {
		if !going {
			return true
		}
		c, s := v.kind.Decode(v.tape, l)
		asked++
		going = visit(v.kind, conform.Drawn{Case: c, Tape: slices.Clone(s.Tape())})
		return true
	}, tapes(kinds, l)))
	if !properties.Run(silent{}) {
		t.Error("gopter: the property, which never fails, failed")
	}
	return asked
}

// choices are gopter's values.
type choices struct {
	kind gen.Kind
	tape []int
}

// tapes is gopter's generator of choices.
func tapes(kinds Kinds, l gen.Limits) gopter.Gen {
	drawn := 0
	return func(p *gopter.GenParameters) *gopter.GenResult {
		kind := kinds(drawn)
		drawn++
		s := gen.NewSource(gopterDriver{p})
		kind.Draw(s, l)
		return gopter.NewGenResult(choices{kind, s.Tape()}, gopter.NoShrinker)
	}
}

type gopterDriver struct{ p *gopter.GenParameters }

// Pick implements gen.Driver.
func (d gopterDriver) Pick(_ string, n int, weights []int) int {
	if weights == nil {
		return d.p.Rng.Intn(n)
	}
	total := 0
	for _, w := range weights {
		total += w
	}
	return share(weights, d.p.Rng.Intn(total))
}

// silent keeps gopter's report out of the test's output: ours tells more.
type silent struct{}

// ReportTestResult implements gopter.Reporter.
func (silent) ReportTestResult(string, *gopter.TestResult) {}
