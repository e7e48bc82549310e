package gen

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

func drawnCase(kind Kind, i uint64, l Limits) floor.Case {
	d := NewSeeded(5, 1)
	d.Seek(5, 1, i)
	return kind.Draw(NewSource(d), l)
}

// Requests about texts are well-formed, hold no two equal spans, and come with
// every name of a class, every kind of span and every status.
func TestTextRequestsAreWellFormed(t *testing.T) {
	met := map[string]bool{}
	of := func(spans []floor.Span) {
		texts := map[string]bool{}
		for _, s := range spans {
			require.False(t, texts[s.Text], "%q twice", s.Text)
			texts[s.Text] = true
			met["kind "+string(s.Kind)] = true
			for _, e := range s.Elements {
				met["class "+string(e.Class)] = true
			}
		}
	}
	for i := range uint64(8000) {
		for _, step := range drawnCase(KindCertify, i, Full(floor.Guard)).Steps {
			require.NoError(t, step.Certify.Validate(), "case %d", i)
			of(step.Certify.Source)
			met["status "+string(step.Certify.Output.Status)] = true
		}
		for _, step := range drawnCase(KindCompact, i, Full(floor.Joint)).Steps {
			require.NoError(t, step.Compact.Validate(), "case %d", i)
			of(step.Compact.Spans)
			for _, m := range step.Compact.Summaries {
				met["status "+string(m.Status)] = true
			}
		}
	}
	for _, class := range textClasses {
		require.True(t, met["class "+string(class)], class)
	}
	for _, kind := range kinds {
		require.True(t, met["kind "+string(kind.kind)], kind.kind)
	}
	for _, status := range statuses {
		require.True(t, met["status "+string(status)], status)
	}
}

// Every breach breaks what it says, and what stands beside one breaks nothing.
// The same phrase in both lists takes folding to see: the decoder leaves that to
// others.
func TestBreaches(t *testing.T) {
	for _, kind := range []Kind{KindBadCertify, KindBadCompact} {
		all, met := breachesOf(kind.Op()), map[string]int{}
		for i := range uint64(8_000) {
			d := NewSeeded(6, 1)
			d.Seek(6, 1, i)
			picked := -1
			c := kind.Draw(NewSource(watching{d, func(label string, v int) {
				if label == "breach" {
					picked = v
				}
			}}), Full(floor.Guard))
			if picked < 0 {
				continue
			}
			b := all[picked]
			met[b.name]++
			if strings.HasPrefix(b.name, "a phrase in both lists") {
				require.False(t, decodes(t, c) != nil, "case %d", i)
				continue
			}
			err := decodes(t, c)
			require.Equal(t, b.bad, err != nil, "%s: %v: %s", b.name, err, spelled(t, c))
		}
		for _, b := range all {
			require.Greater(t, met[b.name], 30, b.name)
		}
	}
}

// watching tells what a driver picked.
type watching struct {
	Driver
	tell func(label string, v int)
}

func (w watching) Pick(label string, n int, weights []int) int {
	v := w.Driver.Pick(label, n, weights)
	w.tell(label, v)
	return v
}

// decodes is what the decoder says of a case's request.
func decodes(t *testing.T, c floor.Case) error {
	t.Helper()
	require.Len(t, c.Steps, 1)
	in, err := c.Steps[0].In()
	require.NoError(t, err)
	require.True(t, json.Valid(in))
	if c.Op() == floor.OpCertify {
		_, err = floor.DecodeCertifyIn(in)
	} else {
		_, err = floor.DecodeCompactIn(in)
	}
	var bad *floor.BadRequest
	require.True(t, err == nil || errors.As(err, &bad))
	return err
}

// Most of what is called bad is.
func TestBadTextRequestsSpread(t *testing.T) {
	for _, kind := range []Kind{KindBadCertify, KindBadCompact} {
		bad, words := &share{"bad", 55, 95, 0}, &share{"as anyone would have asked it", 2, 40, 0}
		for i := range uint64(4000) {
			c := drawnCase(kind, i, Full(floor.Guard))
			bad.add(decodes(t, c) != nil)
			words.add(c.Steps[0].Raw == nil)
		}
		requireBands(t, []*share{bad, words}, 4000)
	}
}
