package reference_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/reference"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
	"github.com/floorcheck/floorcheck/props/gen"
	"github.com/floorcheck/floorcheck/props/suite"
)

const vacuous = `{"id":1,"op":"decide","in":{"contract":{"required_classes":[],"certified_classes":[],"generation":0,"ancestry_certified":true},` +
	`"source_recoverable":false,"consumer_strict":true,"chaining_risk":false,"side_effect_cost_exceeds_refusal":false}}` + "\n"

// A contract that requires nothing is certified, and the answer warns of it,
// over the wire too.
func TestVacuousContractIsWarnedOf(t *testing.T) {
	var out, notes bytes.Buffer
	require.NoError(t, conform.Serve(t.Context(), strings.NewReader(vacuous), &out, &notes, reference.New(floor.Guard)))
	require.Equal(t, `{"id":1,"out":{"decision":"certified","x-warnings":["vacuous-contract"]}}`+"\n", out.String())
}

// What the reference declares is the policy it was made with.
func TestHello(t *testing.T) {
	for _, p := range []floor.Policy{floor.Guard, floor.Joint} {
		hello := reference.New(p).Hello()
		require.Equal(t, p, hello.Policy)
		require.Equal(t, []floor.Op{floor.OpDecide, floor.OpDerive}, hello.Ops)
		require.Equal(t, 100, hello.MaxBatch)
	}
}

// The reference and the model give the same answers on drawn cases of every
// kind, to the letter but for the messages of errors and the order of what has
// none.
func TestReferenceIsTheModel(t *testing.T) {
	for _, p := range []floor.Policy{floor.Guard, floor.Joint} {
		s := reference.New(p)
		for stream, kind := range gen.KindsOf(s.Hello().Ops) {
			for d := range suite.Seeded(kind, gen.Full(p), 5, uint64(stream), 20_000) {
				got, err := s.Ask(t.Context(), d.Case.Steps)
				require.NoError(t, err)
				for i, want := range model.Expect(d.Case) {
					require.Equal(t, want.Err != nil, got[i].Err != nil, "%s, tape %v", kind, d.Tape)
					require.Equal(t, decision(want), decision(got[i]), "%s, tape %v", kind, d.Tape)
				}
			}
		}
	}
}

// decision is what was decided, event by event.
func decision(a floor.Answer) (out []floor.Decision) {
	switch {
	case a.Decide != nil:
		out = append(out, a.Decide.Decision)
	case a.Derive != nil:
		for _, e := range a.Derive.Events {
			out = append(out, e.Decision)
		}
	}
	return out
}
