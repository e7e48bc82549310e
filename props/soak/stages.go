package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/fuzz"
	"github.com/floorcheck/floorcheck/model"
	"github.com/floorcheck/floorcheck/props/gen"
	"github.com/floorcheck/floorcheck/props/history"
)

// rarer is how many of the other cases there are for each bad request, and for
// each history.
const rarer = 10

// stages are all that is done. Each has a stream of the seed for itself.
func stages(o options) []stage {
	some := (o.n + rarer - 1) / rarer
	return []stage{
		o.differences("certify", gen.KindCertify, 1, o.n),
		o.differences("compact", gen.KindCompact, 2, o.n),
		o.differences("bad requests: certify", gen.KindBadCertify, 3, some),
		o.differences("bad requests: compact", gen.KindBadCompact, 4, some),
		o.histories("history of the engine", o.compact, some),
		o.histories("history of the model", ofTheModel, some),
	}
}

// differences are between the subject and the model; the policies take turns.
func (o options) differences(name string, kind gen.Kind, stream uint64, n int) stage {
	return stage{name: name, total: n, counts: "differ", worker: func() worker {
		policies := []floor.Policy{floor.Guard, floor.Joint}
		var subjects []conform.Subject
		for _, p := range policies {
			subjects = append(subjects, o.subject(p))
		}
		d := gen.NewSeeded(o.seed, stream)
		s := gen.NewSource(d)
		return worker{try: func(ctx context.Context, i int) (string, error) {
			d.Seek(o.seed, stream, uint64(i))
			s.Reset()
			c := kind.Draw(s, gen.Full(policies[i%2]))
			text, err := fuzz.Differ(ctx, subjects[i%2], c)
			if text == "" || err != nil {
				return "", err
			}
			spelled, err := c.MarshalJSON()
			return fmt.Sprintf("%s\n  %s", text, spelled), err
		}}
	}}
}

// histories are held against what went in (props/history). They are the same
// for all who compact, as far as their answers are.
func (o options) histories(name string, compact history.Compact, n int) stage {
	const stream = 5
	return stage{name: name, total: n, counts: "holes", worker: func() worker {
		d := gen.NewSeeded(o.seed, stream)
		s := gen.NewSource(d)
		t := tally{}
		return worker{
			note: func() tally { return t },
			try: func(_ context.Context, i int) (string, error) {
				d.Seek(o.seed, stream, uint64(i))
				s.Reset()
				h := history.Play(s, compact)
				if h.Err != nil {
					return fmt.Sprintf("the answer: %v\n%s", h.Err, h), nil
				}
				t.count(h)
				if len(h.Holes()) == 0 {
					return "", nil
				}
				return history.Smallest(slices.Clone(s.Tape()), compact).String(), nil
			},
		}
	}}
}

func ofTheModel(in *floor.CompactIn, p floor.Policy) (floor.CompactOut, error) {
	a := model.Expect(floor.Case{Policy: p, Steps: []floor.Request{{Op: floor.OpCompact, Compact: in}}})[0]
	if a.Err != nil {
		return floor.CompactOut{}, &floor.BadRequest{Path: "in", Problem: a.Err.Message}
	}
	return *a.Compact, nil
}

// A tally says how much was put to the test.
type tally struct{ certified, provisional, refused, noOps, classes, elements int }

func (t *tally) count(h *history.History) {
	for i := range h.Steps {
		out := &h.Steps[i].Out
		switch {
		case out.Decision == floor.Refuse:
			t.refused++
		case out.Decision == floor.Provisional:
			t.provisional++
		case len(out.Evicted) > 0:
			t.certified++
		default:
			t.noOps++
		}
		if out.Contract == nil || out.Contract.Generation == 0 {
			continue // there is no summary, all is there
		}
		t.classes += len(out.Contract.Certified)
		for _, o := range h.Originals {
			for _, e := range o.Entries {
				if slices.Contains(out.Contract.Certified, e.Class) {
					t.elements++
				}
			}
		}
	}
}

func (t *tally) add(other tally) {
	t.certified += other.certified
	t.provisional += other.provisional
	t.refused += other.refused
	t.noOps += other.noOps
	t.classes += other.classes
	t.elements += other.elements
}

// String is "" where nothing was counted.
func (t tally) String() string {
	if t == (tally{}) {
		return ""
	}
	return strings.Join([]string{
		fmt.Sprintf("%d compactions certified", t.certified), fmt.Sprintf("%d provisional", t.provisional),
		fmt.Sprintf("%d refused", t.refused), fmt.Sprintf("%d no-ops;", t.noOps),
	}, ", ") + fmt.Sprintf(" %d classes certified of contexts with a summary, %d elements looked for", t.classes, t.elements)
}
