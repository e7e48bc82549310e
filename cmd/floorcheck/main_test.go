package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/mutant"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/internal/sources"
)

var update = flag.Bool("update", false, "rewrite the expected text in the scripts; read the diff before committing it")

// TestMain puts two commands on PATH, both this test binary: floorcheck, and
// floorcheck with an engine that is wrong.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"floorcheck":            main,
		"floorcheck-with-a-bug": buggyMain,
	})
}

// buggyMain is floorcheck with a fault planted in the engine that it compares
// subjects with: a bug of our own.
func buggyMain() {
	m, ok := mutant.Lookup("decision/chaining-ignored")
	if !ok {
		panic("the planted fault has another name now")
	}
	newEngine = func(p floor.Policy) conform.Subject { return m.New(p) }
	main()
}

func TestScripts(t *testing.T) {
	root, err := sources.Root(".")
	require.NoError(t, err)
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               func(env *testscript.Env) error { return setup(env, root) },
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":  exits,
			"expand": expand,
		},
	})
}

// setup gives a script a plain world: no colours, and a go command that finds
// its modules without a network.
func setup(env *testscript.Env, root string) error {
	out, err := exec.Command("go", "env", "GOPATH", "GOMODCACHE", "GOCACHE").Output()
	if err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	paths := strings.Split(strings.TrimSpace(string(out)), "\n")
	env.Setenv("GOPATH", paths[0])
	env.Setenv("GOMODCACHE", paths[1])
	env.Setenv("GOCACHE", paths[2])
	env.Setenv("GOFLAGS", "-mod=mod")
	env.Setenv("GOPROXY", "off")
	env.Setenv("GOSUMDB", "off")
	env.Setenv("GOTOOLCHAIN", "local")
	env.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	env.Setenv("ROOT", root)
	return nil
}

// exits runs a command that must end with exactly this code: exec knows only
// zero and not zero. "exits 3 floorcheck check -- no-such-command"
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARG…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	ts.Logf("[stdout]\n%s[stderr]\n%s", ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// expand writes variables of the environment into files, and $SOURCES, the
// digest of the sources that are here.
func expand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: expand FILE…")
	}
	digest, err := sources.Digest(ts.Getenv("ROOT"))
	ts.Check(err)
	ts.Setenv("SOURCES", digest)
	for _, name := range args {
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(os.Expand(ts.ReadFile(name), ts.Getenv)), 0o600))
	}
}

func TestMatches(t *testing.T) {
	tests := []struct {
		name    string
		pattern string
		id      string
		want    bool
	}{
		{"an id matches itself", "decide/refuse", "decide/refuse", true},
		{"and nothing longer", "decide/refuse", "decide/refuse/joint-only", false},
		{"* is one component", "*/refuse", "decide/refuse", true},
		{"* is not two", "decide/*", "decide/refuse/joint-only", false},
		{"* is not none", "decide/*", "decide", false},
		{"* may be part of one", "decide/*-independent", "decide/ratio-independent", true},
		{"** is any number", "decide/**", "decide/refuse/joint-only", true},
		{"** may be none", "decide/**", "decide", true},
		{"** is everything", "**", "decide/refuse", true},
		{"** may stand in front", "**/monotone", "derive/monotone", true},
		{"a family is not its rules", "decide", "decide/refuse", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, matches(tt.pattern, tt.id))
		})
	}
}
