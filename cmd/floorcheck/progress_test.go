package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/conform"
)

// Without a terminal there is a line now and then, and nothing that moves a
// cursor.
func TestProgressWithoutATerminal(t *testing.T) {
	at := conform.Progress{Stage: "decide exhaustive", Done: 512, Total: 131_072, Findings: 1, Cases: 1024}
	var out bytes.Buffer
	p := newProgress(&out, false)
	p.update(at)
	require.Empty(t, out.String(), "too early")
	p.last = time.Now().Add(-progressEvery)
	p.update(at)
	p.update(at)
	p.done()
	require.Equal(t, "… decide exhaustive: 512 of 131,072 cases, 1,024 in all, 1 rule broken so far\n", out.String())

	out.Reset()
	quiet := newProgress(&out, true)
	quiet.last = time.Time{}
	quiet.update(at)
	quiet.done()
	require.Empty(t, out.String())

	_, err := quiet.Write([]byte("restarted\n"))
	require.NoError(t, err)
	require.Equal(t, "restarted\n", out.String())
}
