//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// patience is for a busy machine: what takes longer hangs.
const patience = 2 * time.Minute

// The exit code of the process, exactly. Scripts have "exits" for the same; here
// all codes stand in one table.
func TestExitCode(t *testing.T) {
	if testing.Short() {
		t.Skip("starts 60 processes; the scripts check most codes too")
	}
	// quick asks one burst of each kind of case, and shrinks nothing.
	quick := func(args ...string) []string {
		return append([]string{"check", "--time", "1ms", "--cases", "0", "--run", "decide/refuse", "--shrink-calls", "0", "--failures", ""}, args...)
	}
	// talks asks 30 conversations, for a rule that each is about.
	talks := func(args ...string) []string {
		return append([]string{"check", "--level", "reduce", "--cases", "600", "--run", "reduce/no-silent-loss", "--shrink-calls", "0", "--failures", ""}, args...)
	}
	tests := []struct {
		name string
		args []string
		want int
	}{
		{"the reference holds", []string{"check", "--level", "decide", "--cases", "300"}, 0},
		{"the reference holds as a process", quick("--", "floorcheck", "serve", "reference"), 0},
		{"help", []string{"check", "--help"}, 0},
		{"whatever was found, with --exit-zero", quick("--exit-zero", "--", "SUBJECT", "soft"), 0},
		{"whatever was not judged, with --exit-zero", quick("--exit-zero", "--", "SUBJECT", "garbage"), 0},
		{"a search that finds something", []string{"explore", "--cases", "300", "--run", "decide/refuse", "--shrink-calls", "0", "--failures", "", "--", "floorcheck", "serve", "mutant/decision/chaining-ignored"}, 0},

		{"a certifier holds", []string{"check", "--level", "certify", "--cases", "1500", "--", "floorcheck", "serve", "reference"}, 0},
		{"a black box holds", talks("--", "floorcheck", "serve", "blackbox/pinning"), 0},
		{"a black box that always refuses", talks("--", "floorcheck", "serve", "blackbox/refusing"), 0},
		{"a SHOULD rule is violated", []string{"check", "--level", "reduce", "--cases", "600", "--run", "reduce/newest-turn", "--shrink-calls", "0", "--failures", "", "--", "SUBJECT", "box-loses"}, 0},

		{"with --strict it is", []string{"check", "--strict", "--level", "reduce", "--cases", "600", "--run", "reduce/newest-turn", "--shrink-calls", "0", "--failures", "", "--", "SUBJECT", "box-loses"}, 1},
		{"a loss without a word", talks("--", "SUBJECT", "box-loses"), 1},
		{"an error where a conversation was due", talks("--", "SUBJECT", "box-throws"), 1},
		{"a rule is violated", quick("--", "SUBJECT", "soft"), 1},
		{"a planted fault", quick("--", "floorcheck", "serve", "mutant/decision/chaining-ignored"), 1},
		{"an error where a decision was due", quick("--", "SUBJECT", "error"), 1},
		{"a search that finds something, with --fail", []string{"explore", "--fail", "--cases", "300", "--run", "decide/refuse", "--shrink-calls", "0", "--failures", "", "--", "floorcheck", "serve", "mutant/decision/chaining-ignored"}, 1},

		{"an unknown command", []string{"chek"}, 2},
		{"an unknown flag", []string{"check", "--sead", "1"}, 2},
		{"a value of the wrong type", []string{"check", "--cases", "many"}, 2},
		{"a pattern that matches nothing", []string{"check", "--run", "decide/refsue"}, 2},
		{"nothing selected", []string{"check", "--skip", "**"}, 2},
		{"no command after --", []string{"check", "--"}, 2},
		{"a command before --", []string{"check", "python3", "x.py"}, 2},
		{"a policy that the subject does not declare", quick("--policy", "joint", "--", "floorcheck", "serve", "reference"), 2},
		{"a format that there is not", []string{"check", "-o", "yaml=x"}, 2},
		{"a case that is not there", []string{"replay", "missing.json"}, 2},
		{"an unmeasured kill matrix", []string{"mutants", "--from", "missing.json"}, 2},
		{"--exit-zero does not hide a mistyped flag", []string{"check", "--exit-zero", "--sead", "1"}, 2},

		{"a model interface that there is not", talks("--model-env", "opneai", "--", "SUBJECT", "box-loses"), 2},
		{"a model where no conversation is asked", []string{"check", "--level", "decide", "--model-env", "openai", "--", "SUBJECT", "soft"}, 2},
		{"a model for the reference", []string{"check", "--model-env", "openai"}, 2},
		{"a model at no address", talks("--model-upstream", "nonsense", "--", "SUBJECT", "box-loses"), 2},
		{"two sources of answers", talks("--model-upstream", "http://127.0.0.1:9/", "--replay-answers", "x", "--", "SUBJECT", "box-loses"), 2},
		{"no replicate at all", talks("--replicates", "0", "--", "SUBJECT", "box-loses"), 2},
		{"a bound below none", talks("--max-calls", "-1", "--", "SUBJECT", "box-loses"), 2},

		{"a level of conversations that is not claimed", []string{"check", "--level", "reduce", "--", "SUBJECT", "soft"}, 3},
		{"the reference takes no conversations", []string{"check", "--level", "reduce"}, 3},
		{"a refusal without a reason", talks("--", "SUBJECT", "box-no-reason"), 3},
		{"a black box that dies", talks("--", "SUBJECT", "box-dies"), 3},
		{"a black box that gives no answer", talks("--timeout", "1s", "--max-calls", "24", "--", "SUBJECT", "box-silent"), 3},
		{"too few conversations", []string{"check", "--level", "reduce", "--cases", "20", "--", "floorcheck", "serve", "blackbox/pinning"}, 3},
		{"too few requests", talks("--max-calls", "10", "--", "floorcheck", "serve", "blackbox/pinning"), 3},
		{"a command that cannot start", []string{"check", "--", "no-such-command"}, 3},
		{"a command that says no hello", []string{"check", "--start-timeout", "1s", "--", "sleep", "600"}, 3},
		{"a subject that dies", quick("--", "SUBJECT", "crash"), 3},
		{"a subject that gives no answer", quick("--timeout", "2s", "--", "SUBJECT", "silent"), 3},
		{"a subject that writes garbage", quick("--", "SUBJECT", "garbage"), 3},
		{"too few cases to judge", []string{"check", "--time", "1ms", "--cases", "10", "--run", "decide/monotone", "--", "floorcheck", "serve", "reference"}, 3},
		{"a level that is not claimed", []string{"check", "--level", "derive", "--", "SUBJECT", "soft"}, 3},
		{"a level that is not claimed, beside one that is", quick("--level", "decide,derive", "--", "SUBJECT", "garbage"), 3},

		{"the engine is wrong", []string{"WITH-A-BUG", "check", "--time", "1ms", "--cases", "300", "--run", "decide/refuse", "--failures", ""}, 70},
		{"the engine is wrong where the subject is", append([]string{"WITH-A-BUG"}, quick("--", "floorcheck", "serve", "mutant/decision/chaining-ignored")...), 70},
		{"the engine is wrong, and --exit-zero does not hide it", []string{"WITH-A-BUG", "check", "--exit-zero", "--time", "1ms", "--cases", "300", "--run", "decide/refuse", "--failures", ""}, 70},
		{"the engine is wrong in a search", []string{"WITH-A-BUG", "explore", "--cases", "300", "--run", "decide/refuse", "--failures", ""}, 70},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			cmd := command(ctx, t, tt.args...)
			out, err := cmd.CombinedOutput()
			require.NoError(t, ctx.Err())
			require.Equal(t, tt.want, exitCode(t, err), "%v\n%s", cmd.Args, out)
		})
	}
}

// An interrupted run ends soon, tells what it has, and leaves no process
// behind.
func TestInterrupt(t *testing.T) {
	tests := []struct {
		name   string
		verb   []string
		signal os.Signal
		say    string
	}{
		{"Ctrl-C in a check", []string{"check"}, os.Interrupt, "\nINTERRUPTED  "},
		{"SIGTERM in a check", []string{"check"}, syscall.SIGTERM, "\nINTERRUPTED  "},
		{"Ctrl-C in a search", []string{"explore", "--time", "10m"}, os.Interrupt, "\nINTERRUPTED  "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			pidFile := filepath.Join(t.TempDir(), "pid")
			cmd := command(t.Context(), t, append(tt.verb, "--failures", "", "--", "SUBJECT", "slow", pidFile)...)
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			require.NoError(t, cmd.Start())
			t.Cleanup(func() { cmd.Process.Kill() }) // the error would be that it is gone

			subject := awaitPID(t, pidFile)
			require.NoError(t, cmd.Process.Signal(tt.signal))
			asked := time.Now()
			err := cmd.Wait()
			require.Less(t, time.Since(asked), 15*time.Second) // on an idle machine a tenth of a second
			require.Equal(t, 130, exitCode(t, err), "%s%s", out.String(), errs.String())
			require.Contains(t, out.String(), tt.say)
			require.Contains(t, out.String(), "floorcheck 0.1.0 · ")
			require.Eventually(t, func() bool { return errors.Is(syscall.Kill(subject, 0), syscall.ESRCH) },
				patience, 20*time.Millisecond, "the subject is still there")
		})
	}
}

// A served subject waits for a line that may never come; Ctrl-C ends it all the
// same.
func TestInterruptServe(t *testing.T) {
	t.Parallel()
	cmd := command(t.Context(), t, "serve", "reference")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill() }) // the error would be that it is gone
	_, err = in.Write([]byte(`{"id":0,"op":"hello","protocol":[1]}` + "\n"))
	require.NoError(t, err)
	_, err = out.Read(make([]byte, 1))
	require.NoError(t, err)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.Equal(t, 130, exitCode(t, cmd.Wait()))
}

// command is a floorcheck on PATH, which TestMain put there. SUBJECT stands for
// the misbehaving subject, WITH-A-BUG for the floorcheck that is wrong itself.
func command(ctx context.Context, t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	script, err := filepath.Abs("testdata/subject/misbehave.py")
	require.NoError(t, err)
	name, given := "floorcheck", []string{}
	for _, arg := range args {
		switch arg {
		case "WITH-A-BUG":
			name = "floorcheck-with-a-bug"
		case "SUBJECT":
			given = append(given, "python3", script)
		default:
			given = append(given, arg)
		}
	}
	cmd := exec.CommandContext(ctx, name, given...)
	cmd.Dir = t.TempDir()
	cmd.WaitDelay = patience
	return cmd
}

func exitCode(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	if err == nil {
		return 0
	}
	require.ErrorAs(t, err, &exit)
	return exit.ExitCode()
}

// awaitPID waits until the subject was asked something.
func awaitPID(t *testing.T, path string) (pid int) {
	t.Helper()
	require.Eventually(t, func() bool {
		data, err := os.ReadFile(path)
		if err != nil {
			return false
		}
		pid, err = strconv.Atoi(strings.TrimSpace(string(data)))
		return err == nil
	}, patience, 20*time.Millisecond, "the subject was not asked")
	return pid
}
