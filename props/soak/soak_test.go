package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/reference"
	"github.com/floorcheck/floorcheck/engine"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/props/suite"
)

func small(n int) options {
	return options{n: n, seed: suite.DefaultSeed, every: time.Hour, subject: reference.New, compact: engine.CompactSpans}
}

// The engine is the model on 20,000 texts and 20,000 compactions; make soak does
// fifty times as many.
func TestEngineIsTheModel(t *testing.T) {
	o := small(20_000)
	if testing.Short() {
		o.n = 2000
	}
	var out strings.Builder
	require.NoError(t, run(t.Context(), o, &out), "%s", &out)
	t.Log("\n" + out.String())
	require.Regexp(t, `(?m)^certify +(\d+) of (\d+)  differ: 0$`, out.String())
	require.Regexp(t, `(?m)^history of the engine +(\d+) of (\d+)  holes: 0$`, out.String())
	require.Equal(t, 6, strings.Count(out.String(), ": 0\n"), "%s", &out)
}

// wrong answers as the engine does, but for one thing each.
func wrong(p floor.Policy) conform.Subject {
	return conform.InProcess(conform.Hello{Name: "wrong", Policy: p}, conform.Funcs{
		Certify: func(in *floor.CertifyIn) (floor.CertifyOut, error) {
			out, err := engine.Certify(in)
			out.Inverted = nil
			return out, err
		},
		Compact: wrongly,
	})
}

// wrongly certifies what is required whenever it decides so.
func wrongly(in *floor.CompactIn) (floor.CompactOut, error) {
	out, err := engine.CompactSpans(in, floor.Guard)
	if out.Decision == floor.Certified {
		out.Contract.Certified = in.Required
	}
	return out, err
}

// Differences and holes are found, shown with their numbers, and fail the run;
// the same ones whoever comes first.
func TestDifferencesAreFound(t *testing.T) {
	o := small(1000)
	o.subject = wrong
	o.compact = func(in *floor.CompactIn, _ floor.Policy) (floor.CompactOut, error) { return wrongly(in) }
	for _, only := range []string{"certify", "compact", "history of the engine"} {
		o.only = only
		var first string
		for range 2 {
			var out strings.Builder
			require.ErrorContains(t, run(t.Context(), o, &out), "found", only)
			require.Contains(t, out.String(), "  number ", only)
			_, shown, _ := strings.Cut(out.String(), "  number ")
			shown, _, _ = strings.Cut(shown, ":") // the first of them: the rest depends on when it stopped
			if first == "" {
				first = shown
			}
			require.Equal(t, first, shown, only)
		}
	}
}

// A panic of who is asked is a difference, not the end.
func TestAPanicIsADifference(t *testing.T) {
	o := small(50)
	o.only = "certify"
	o.subject = func(p floor.Policy) conform.Subject {
		return conform.InProcess(conform.Hello{Policy: p}, conform.Funcs{
			Certify: func(*floor.CertifyIn) (floor.CertifyOut, error) { panic("no") },
		})
	}
	var out strings.Builder
	require.ErrorContains(t, run(t.Context(), o, &out), "found")
	require.Contains(t, out.String(), "crash (panic: no)")
}

// What was done is told when it is stopped, and how far it is now and then.
func TestInterrupted(t *testing.T) {
	o := small(1_000_000_000)
	o.every = 20 * time.Millisecond
	ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	var out strings.Builder
	require.ErrorContains(t, run(ctx, o, &out), "interrupted; 0 found")
	require.Regexp(t, `(?m)^certify +[1-9]\d* of 1000000000  differ: 0$`, out.String())
	require.Regexp(t, `(?m)^ +0s  certify +\d+ of 1000000000  differ: 0$`, out.String())
	require.NotContains(t, out.String(), "compact  ", "it goes on to nothing else")
}
