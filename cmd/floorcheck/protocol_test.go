package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/reference"
	"github.com/floorcheck/floorcheck/floor"
)

// Every question in docs/protocol.md is asked of the reference, and answered as
// the page says. What an error's message says is left open, and so are hello's
// own words.
func TestProtocolPageIsTrue(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "protocol.md"))
	require.NoError(t, err)
	asked := 0
	for _, block := range regexp.MustCompile("(?s)```\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		for _, talk := range talks(block[1]) {
			op := regexp.MustCompile(`"op":"([a-z.]+)"`).FindStringSubmatch(talk.question)
			if op == nil || talk.answer == "" || op[1] != "batch" && !slices.Contains(reference.New(floor.Guard).Hello().Ops, floor.Op(op[1])) || strings.Contains(talk.question, "…") {
				continue
			}
			var out, notes bytes.Buffer
			line := oneLine(t, talk.question)
			require.NoError(t, conform.Serve(t.Context(), strings.NewReader(line+"\n"), &out, &notes, reference.New(floor.Guard)))
			require.Empty(t, notes.String(), line)
			require.Equal(t, plainly(t, talk.answer), plainly(t, out.String()), "asked %s", line)
			asked++
		}
	}
	require.GreaterOrEqual(t, asked, 11)
}

type talk struct{ question, answer string }

// talks takes a block apart: a question starts with >, its answer with <, and
// either may go on over several lines.
func talks(block string) (out []talk) {
	var at *string
	for line := range strings.Lines(block) {
		switch {
		case strings.HasPrefix(line, "> "):
			out = append(out, talk{})
			at = &out[len(out)-1].question
		case strings.HasPrefix(line, "< ") && len(out) > 0:
			at = &out[len(out)-1].answer
		case at == nil || !strings.HasPrefix(line, " "):
			at = nil
			continue
		}
		*at += strings.TrimLeft(line, "<> ")
	}
	return out
}

func oneLine(t *testing.T, text string) string {
	t.Helper()
	var buf bytes.Buffer
	require.NoError(t, json.Compact(&buf, []byte(text)), text)
	return buf.String()
}

// plainly is an answer without what it leaves open.
func plainly(t *testing.T, text string) string {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal([]byte(text), &v), text)
	var strip func(v any)
	strip = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				strip(item)
			}
		case map[string]any:
			delete(v, "x-warnings")
			if e, ok := v["error"].(map[string]any); ok {
				delete(e, "message")
			}
			for _, item := range v {
				strip(item)
			}
		}
	}
	strip(v)
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return string(data)
}
