package history

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/engine"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
	"github.com/floorcheck/floorcheck/props/gen"
)

const seed = 4711

// seeded plays n histories.
func seeded(n int, compact Compact, visit func(i int, s *gen.Source, h *History) (more bool)) {
	d := gen.NewSeeded(seed, 0)
	s := gen.NewSource(d)
	for i := range n {
		d.Seek(seed, 0, uint64(i))
		s.Reset()
		if !visit(i, s, Play(s, compact)) {
			return
		}
	}
}

func byTheModel(in *floor.CompactIn, p floor.Policy) (floor.CompactOut, error) {
	a := model.Expect(floor.Case{Policy: p, Steps: []floor.Request{{Op: floor.OpCompact, Compact: in}}})[0]
	if a.Err != nil {
		return floor.CompactOut{}, &floor.BadRequest{Path: "in", Problem: a.Err.Message}
	}
	return *a.Compact, nil
}

// What the reference certifies is there, and so is what the model would.
// make soak plays a hundred thousand.
func TestWhatIsCertifiedIsThere(t *testing.T) {
	n := 6000
	if testing.Short() {
		n = 600
	}
	for name, compact := range map[string]Compact{"engine": engine.CompactSpans, "model": byTheModel} {
		t.Run(name, func(t *testing.T) {
			seeded(n, compact, func(i int, s *gen.Source, h *History) bool {
				require.NoError(t, h.Err, "history %d\n%s", i, h)
				if len(h.Holes()) > 0 {
					t.Errorf("history %d of seed %d, made smaller:\n%s", i, seed, Smallest(slices.Clone(s.Tape()), compact))
					return false
				}
				return true
			})
		})
	}
}

// Every planted mistake is found, soon, and its smallest history is small.
func TestMistakesAreFound(t *testing.T) {
	const n = 6000
	for _, w := range wrongs {
		t.Run(w.name, func(t *testing.T) {
			found := -1
			seeded(n, w.compact, func(i int, s *gen.Source, h *History) bool {
				if len(h.Holes()) == 0 {
					return true
				}
				found = i
				small := Smallest(slices.Clone(s.Tape()), w.compact)
				require.NotNil(t, small)
				require.NotEmpty(t, small.Holes())
				require.LessOrEqual(t, len(small.tape), len(s.Tape()))
				t.Logf("history %d, %d choices; made smaller %d:\n%s", i, len(s.Tape()), len(small.tape), small)
				return false
			})
			require.GreaterOrEqual(t, found, 0, "not in %d histories", n)
		})
	}
}

// Joining the parts voids a certificate: what stands in two of them may say
// together what neither says.
func TestJoinedPartsAreNotCertified(t *testing.T) {
	d := gen.NewSeeded(seed, 0)
	s := gen.NewSource(d)
	for i := range 20_000 {
		d.Seek(seed, 0, uint64(i))
		s.Reset()
		p := newPlayer(s)
		apart := p.find
		p.find = func(e floor.Element, parts []string) (form, inverted bool) {
			if len(parts) == 0 {
				return apart(e, parts)
			}
			return apart(e, []string{strings.Join(parts, " ")})
		}
		if h := p.play(engine.CompactSpans); len(h.Holes()) > 0 {
			t.Logf("history %d:\n%s", i, h)
			return
		}
	}
	t.Error("joined parts hold what is certified: RULES.md says too much")
}

// The same choices are the same history, from a seed and from its tape.
func TestTheSameChoicesAreTheSameHistory(t *testing.T) {
	seeded(200, engine.CompactSpans, func(i int, s *gen.Source, h *History) bool {
		again := Play(gen.NewSource(gen.NewReplay(slices.Clone(s.Tape()))), engine.CompactSpans)
		require.Equal(t, h.String(), again.String(), "history %d", i)
		return true
	})
}

// The context after an answer is what the model makes of it, and the engine.
func TestTheContextAfterAnAnswer(t *testing.T) {
	asJSON := func(v any) string {
		data, err := json.Marshal(v)
		require.NoError(t, err)
		return string(data)
	}
	some := 0
	seeded(1500, engine.CompactSpans, func(_ int, _ *gen.Source, h *History) bool {
		for i := range h.Steps {
			st := &h.Steps[i]
			p := &player{behind: map[string][]*Original{}}
			after, err := p.after(st.In, &st.Out)
			require.NoError(t, err)
			if after == nil {
				after = []floor.Span{}
			}
			require.Equal(t, asJSON(model.SpansAfter(st.In, &st.Out)), asJSON(after), "%s", h)
			require.Equal(t, asJSON(engine.Delivered(st.In, st.Out)), asJSON(after), "%s", h)
			if len(st.Out.Evicted) > 0 {
				some++
			}
		}
		return true
	})
	require.Greater(t, some, 1000)
}

// An answer that names what is not in its request ends the history.
func TestAnAnswerToAnotherRequest(t *testing.T) {
	stray := func(in *floor.CompactIn, p floor.Policy) (floor.CompactOut, error) {
		out, err := engine.CompactSpans(in, p)
		if len(out.Output) > 0 {
			out.Output[0].Span, out.Output[0].Summary = "o999", "m999"
		}
		return out, err
	}
	ended := 0
	seeded(50, stray, func(_ int, _ *gen.Source, h *History) bool {
		if h.Err != nil {
			ended++
		}
		return true
	})
	require.Greater(t, ended, 25)
}
