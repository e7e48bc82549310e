package props_test

import (
	"flag"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/mutant"
	"github.com/floorcheck/floorcheck/conform/reference"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
	"github.com/floorcheck/floorcheck/props"
	"github.com/floorcheck/floorcheck/props/gen"
)

// A Go implementer's test: the reference passes it under both policies.
func TestRunOnTheReference(t *testing.T) {
	for _, policy := range []floor.Policy{floor.Guard, floor.Joint} {
		t.Run(string(policy), func(t *testing.T) { props.Run(t, reference.New(policy)) })
	}
}

// A faulty subject fails it, with the rule and the smallest case. The run is
// one of its own, because it has to fail.
func TestRunOnAMutant(t *testing.T) {
	const name = "FLOORCHECK_TEST_MUTANT"
	if id := os.Getenv(name); id != "" {
		m, ok := mutant.Lookup(id)
		require.True(t, ok, id)
		t.Chdir(os.Getenv(name + "_DIR"))
		props.Run(t, m.New(floor.Guard))
		return
	}
	const id = "decision/chaining-ignored"
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^TestRunOnAMutant$", "-test.short")
	cmd.Env = append(os.Environ(), name+"="+id, name+"_DIR="+dir)
	out, err := cmd.CombinedOutput()
	require.Error(t, err, "%s passed:\n%s", id, out)
	require.Contains(t, string(out), "--- FAIL: TestRunOnAMutant/decide/refuse")
	require.Contains(t, string(out), "expected refuse, got provisional")
	files, err := os.ReadDir(dir + "/testdata/floorcheck")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	file, err := conform.Load(dir + "/testdata/floorcheck/" + files[0].Name())
	require.NoError(t, err)
	_, known := model.Lookup(file.Rule)
	require.True(t, known)
}

// Rapid and gopter hand out as many cases as they were asked for, of every
// kind, and stop when told to.
func TestDriversHandOutTheirQuota(t *testing.T) {
	require.NoError(t, flag.Set("rapid.checks", "150"))
	t.Cleanup(func() { require.NoError(t, flag.Set("rapid.checks", "100")) })
	for name, drive := range map[string]props.Drive{"rapid": props.Rapid, "gopter": props.Gopter} {
		for _, kind := range gen.Kinds {
			t.Run(name+"/"+string(kind), func(t *testing.T) {
				visited := 0
				asked := drive(t, props.Only(kind), gen.Full(floor.Guard), func(k gen.Kind, d conform.Drawn) bool {
					require.Equal(t, kind, k)
					require.NotEmpty(t, d.Tape)
					visited++
					return true
				})
				want := 150
				if testing.Short() {
					want = 30
				}
				require.Equal(t, want, asked)
				require.Equal(t, want, visited)
				stopped := drive(t, props.Only(kind), gen.Full(floor.Guard), func(gen.Kind, conform.Drawn) bool { return false })
				require.Equal(t, 1, stopped)
			})
		}
	}
}
