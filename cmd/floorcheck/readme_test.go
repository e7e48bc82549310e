package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every command in README.md is run as it stands, and prints what it says
// there. Durations differ, and a line of … stands for any lines.
func TestReadmeIsTrue(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the README's commands, each a whole check; the run without -short does it")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	clone := copyTree(t, root)
	blocks := regexp.MustCompile("(?s)```console\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	require.GreaterOrEqual(t, len(blocks), 4)
	build := exec.Command("make", "build")
	build.Dir = clone
	out, err := build.CombinedOutput()
	require.NoError(t, err, "make build: %s", out)
	for _, block := range blocks {
		for _, part := range strings.Split("\n"+block[1], "\n$ ")[1:] {
			command, want, _ := strings.Cut(part, "\n")
			t.Run(command, func(t *testing.T) {
				cmd := exec.Command("sh", "-c", command)
				cmd.Dir = clone
				// As a newcomer's shell has it, also when make runs this test.
				cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "MAKEFLAGS=", "MAKELEVEL=")
				out, _ := cmd.Output() // the exit code is shown by the last line
				require.Regexp(t, pattern(want), string(out))
			})
		}
	}
	// The commands of the table of invariants find what it says.
	rows := regexp.MustCompile("`(bin/floorcheck check --run [^`]*)`").FindAllStringSubmatch(string(text), -1)
	require.Len(t, rows, 3)
	for _, row := range rows {
		t.Run(row[1], func(t *testing.T) {
			cmd := exec.Command("sh", "-c", row[1]+" 2>/dev/null")
			cmd.Dir = clone
			out, err := cmd.Output()
			var exit *exec.ExitError
			require.ErrorAs(t, err, &exit)
			require.Equal(t, 1, exit.ExitCode())
			require.Contains(t, string(out), "FAIL")
			require.NotContains(t, string(out), "PASS")
		})
	}
}

var duration = regexp.MustCompile(`[0-9]+\\\.[0-9] s`)

// pattern makes of expected text a pattern that leaves durations open.
func pattern(want string) string {
	p := regexp.QuoteMeta(want)
	p = duration.ReplaceAllString(p, `[0-9]+\.[0-9] s`)
	p = strings.ReplaceAll(p, "\n…\n", "\n(?s:.*)\n")
	return "^" + p + "$"
}

// copyTree copies what is tracked or new, so that the commands leave nothing
// behind in the tree they are tested from.
func copyTree(t *testing.T, root string) string {
	t.Helper()
	list := exec.Command("git", "ls-files", "-co", "--exclude-standard", "-z")
	list.Dir = root
	out, err := list.Output()
	require.NoError(t, err)
	to := t.TempDir()
	for _, name := range strings.Split(strings.TrimRight(string(out), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // deleted, not yet committed
		}
		require.NoError(t, err)
		path := filepath.Join(to, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, data, 0o644))
	}
	return to
}
