package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const text = `# machine: 2 cores
goos: linux
BenchmarkA/anchor-2   10   100 ns/op   2.0 ns/case
BenchmarkA/own-2      10   200 ns/op   5.0 ns/case   0 allocs/op
BenchmarkB-2          10   3000000 ns/op
goos: linux
BenchmarkA/anchor-2   10   100 ns/op   1.0 ns/case
BenchmarkA/own-2      10   200 ns/op   1.5 ns/case   0 allocs/op
BenchmarkB-2          10   3000000 ns/op
PASS
`

func TestATableOfTwoRounds(t *testing.T) {
	m, err := read(strings.NewReader(text), "bench.txt")
	require.NoError(t, err)
	require.InDeltaSlice(t, []float64{2e-9, 1e-9}, m.of("A/anchor"), 1e-15)
	require.InDeltaSlice(t, []float64{3e-3, 3e-3}, m.of("B sec/op"), 1e-9)

	var out strings.Builder
	require.NoError(t, write(&out, []goal{
		{what: "held", of: "A/own", anchor: "A/anchor", atMost: 2.5},
		{what: "not held", of: "A/own", anchor: "A/anchor", atMost: 1.9},
		{what: "a speed", of: "A/anchor", anchor: "A/own", faster: true, atLeast: 2},
		{what: "a time", of: "B sec/op", atMost: 4e-3},
		{what: "too long", of: "B sec/op", times: 2, atMost: 4e-3},
		{what: "only shown", of: "A/own", anchor: "A/anchor"},
		{what: "not run", of: "C"},
	}, m))
	var rows []string
	for line := range strings.Lines(out.String()) {
		rows = append(rows, strings.Join(strings.Fields(line), " "))
	}
	require.Equal(t, []string{
		"what median anchor median ratio 95 % of goal",
		"held 3.25 ns A/anchor 1.5 ns 2 ≤ 2.5 met", // 2.5 and 1.5, each in its round
		"not held 3.25 ns A/anchor 1.5 ns 2 ≤ 1.9 missed",
		"a speed 1.5 ns A/own 3.25 ns 2 ≥ 2 × met",
		"a time 3 ms ≤ 4 ms met",
		"too long 6 ms ≤ 4 ms missed",
		"only shown 3.25 ns A/anchor 1.5 ns 2",
		"2 missed. A ratio is the median over the rounds, each against its own anchor; ×: times as fast.",
	}, rows)
}

func TestFigures(t *testing.T) {
	for want, s := range map[string]float64{
		"0.312 ns": 0.312e-9, "12.3 ns": 12.34e-9, "790 µs": 790e-6, "1 ms": 1e-3, "2.5 s": 2.5, "1234 s": 1234,
	} {
		require.Equal(t, want, seconds(s))
	}
	require.Equal(t, "1.0e+08", figure(1e8))
}
