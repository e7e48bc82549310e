package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/internal/sources"
)

// docs/implementing.md quotes whole files: what a reader copies is what is
// tested.
func TestImplementingPageQuotesItsFiles(t *testing.T) {
	root, page := readPage(t, "implementing.md")
	quoted := regexp.MustCompile("(?s)```(?:python|js)\n(.*?)```").FindAllStringSubmatch(page, -1)
	files := []string{
		"adapters/python/adapter_reduce.py", "adapters/javascript/adapter_reduce.mjs",
		"adapters/python/guarded_runtime.py", "adapters/javascript/guarded_runtime.mjs",
	}
	require.Len(t, quoted, len(files))
	for i, file := range files {
		require.Equal(t, readFile(t, root, file), quoted[i][1], "%s and what docs/implementing.md quotes of it", file)
	}
	for _, link := range regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(page, -1) {
		require.FileExists(t, filepath.Join(root, "docs", link[1]))
	}
}

// The guarded runtimes are run against floorcheck itself, and print what the
// page says.
func TestGuardedRuntimes(t *testing.T) {
	root, page := readPage(t, "implementing.md")
	want := regexp.MustCompile("(?s)```\n(certified: .*?)```").FindStringSubmatch(page)
	require.NotNil(t, want)
	for _, outcome := range []string{"certified: ", "provisional: ", "refuse: "} {
		require.Contains(t, "\n"+want[1], "\n"+outcome)
	}
	floorcheck, err := exec.LookPath("floorcheck") // this test binary: TestMain puts it there
	require.NoError(t, err)
	for _, program := range guardedRuntimes {
		t.Run(program[1], func(t *testing.T) {
			require.Equal(t, want[1], runProgram(t, root, program, "", floorcheck))
		})
	}
}

// A guard that is not there is no permission: the program ends with an error,
// and says of nothing that it was certified.
func TestGuardedRuntimesFailClosed(t *testing.T) {
	root, _ := readPage(t, "implementing.md")
	silent := filepath.Join(t.TempDir(), "silent")
	require.NoError(t, os.WriteFile(silent, []byte("#!/bin/sh\nexit 0\n"), 0o755))
	for _, program := range guardedRuntimes {
		t.Run(program[1], func(t *testing.T) {
			cmd := programCommand(t, root, program, silent)
			out, err := cmd.Output()
			var exit *exec.ExitError
			require.ErrorAs(t, err, &exit)
			require.Empty(t, string(out))
			require.Contains(t, string(exit.Stderr), "GuardFailed")
		})
	}
}

var guardedRuntimes = [][2]string{
	{"python3", "adapters/python/guarded_runtime.py"},
	{"node", "adapters/javascript/guarded_runtime.mjs"},
}

// The questions to a black box in docs/protocol.md are answered as it says by
// the adapters that it names, one process for each.
func TestProtocolPageIsTrueOfBlackBoxes(t *testing.T) {
	root, page := readPage(t, "protocol.md")
	for _, program := range [][2]string{
		{"python3", "adapters/python/pinning.py"}, {"node", "adapters/javascript/pinning.mjs"}, {"python3", "adapters/python/marking.py"},
	} {
		t.Run(program[1], func(t *testing.T) {
			asked := blackBoxTalks(t, page, program[1])
			require.GreaterOrEqual(t, len(asked), 3)
			var questions strings.Builder
			for _, talk := range asked {
				questions.WriteString(oneLine(t, talk.question) + "\n")
			}
			answers := strings.Split(strings.TrimSpace(runProgram(t, root, program, questions.String())), "\n")
			require.Len(t, answers, len(asked))
			for i, talk := range asked {
				require.Equal(t, plainly(t, talk.answer), plainly(t, answers[i]), "asked %s", talk.question)
			}
		})
	}
}

// blackBoxTalks are what the page asks in the section that names the adapter,
// in whichever language it is written.
func blackBoxTalks(t *testing.T, page, adapter string) (asked []talk) {
	t.Helper()
	name := strings.TrimSuffix(filepath.Base(adapter), filepath.Ext(adapter)) + ".py"
	for _, section := range strings.Split(page, "\n## ") {
		if !strings.Contains(section, name) {
			continue
		}
		for _, block := range regexp.MustCompile("(?s)```\n(.*?)```").FindAllStringSubmatch(section, -1) {
			asked = append(asked, talks(block[1])...)
		}
	}
	return asked
}

func readPage(t *testing.T, name string) (root, page string) {
	t.Helper()
	root, err := sources.Root(".")
	require.NoError(t, err)
	return root, readFile(t, root, "docs/"+name)
}

func readFile(t *testing.T, root, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	return string(text)
}

func runProgram(t *testing.T, root string, program [2]string, stdin string, args ...string) string {
	t.Helper()
	cmd := programCommand(t, root, program, args...)
	cmd.Stdin = strings.NewReader(stdin)
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	require.NoError(t, cmd.Run(), problems.String())
	return out.String()
}

func programCommand(t *testing.T, root string, program [2]string, args ...string) *exec.Cmd {
	t.Helper()
	if _, err := exec.LookPath(program[0]); err != nil {
		t.Skipf("there is no %s", program[0])
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, program[0], append([]string{filepath.Join(root, program[1])}, args...)...)
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	return cmd
}
