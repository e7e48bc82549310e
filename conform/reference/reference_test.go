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
		require.Equal(t, []floor.Op{floor.OpDecide, floor.OpDerive, floor.OpCertify, floor.OpCompact}, hello.Ops)
		require.Equal(t, 100, hello.MaxBatch)
	}
}

// A phrase in both lists of an element is a bad request, which takes folding to
// see; and a certificate and a compaction come over the wire.
func TestTextsOverTheWire(t *testing.T) {
	const (
		span     = `{"id":"s1","kind":"message","role":"user","tokens":9,"text":"Do not ship A-1.","elements":[`
		element  = `{"id":"x1","class":"negation","forms":["do not ship"],"inverted_forms":["ship"]}`
		both     = `{"id":"x1","class":"negation","forms":["Ship"],"inverted_forms":["not","ship "]}`
		delivery = `]}],"output":{"text":"do NOT ship"},"required_classes":["negation"]}}`
		budget   = `]}],"required_classes":["negation"],"known_classes":["negation"],"source_recoverable":false,"consumer_strict":true,` +
			`"chaining_risk":true,"side_effect_cost_exceeds_refusal":true,"budget_tokens":5,"summaries":[{"id":"m1","of":["s1"],"text":"Do not ship","tokens":3}]}}`
	)
	in := strings.Join([]string{
		`{"id":1,"op":"certify","in":{"source":[` + span + element + delivery,
		`{"id":2,"op":"certify","in":{"source":[` + span + both + delivery,
		`{"id":3,"op":"compact","in":{"spans":[` + span + element + budget,
		`{"id":4,"op":"compact","in":{"spans":[` + span + both + budget,
	}, "\n")
	var out, notes bytes.Buffer
	require.NoError(t, conform.Serve(t.Context(), strings.NewReader(in), &out, &notes, reference.New(floor.Guard)))
	require.Empty(t, notes.String())
	require.Equal(t, []string{
		`{"id":1,"out":{"certified_classes":["negation"],"fidelity":[{"class":"negation","retained":1,"total":1}],"lost":[],"inverted":[],"fabricated":[]}}`,
		`{"id":2,"error":{"code":"bad_request","message":"in.source[0].elements[0].inverted_forms[1]: is, when folded, a form of the element too"}}`,
		`{"id":3,"out":{"decision":"certified","kept":[],"evicted":[{"span":"s1","summary":"m1","fidelity":[{"class":"negation","retained":1,"total":1}]}],` +
			`"output":[{"kind":"summary","summary":"m1","text":"Do not ship","provisional":false,` +
			`"lineage":{"ancestry_certified":true,"decision":"certified","effective":[{"class":"negation","retained":1,"total":1}],"generation":1},"lost":[]}],` +
			`"contract":{"required_classes":["negation"],"certified_classes":["negation"],"generation":1,"ancestry_certified":true}}}`,
		`{"id":4,"error":{"code":"bad_request","message":"in.spans[0].elements[0].inverted_forms[1]: is, when folded, a form of the element too"}}`,
	}, strings.Split(strings.TrimSpace(out.String()), "\n"))
}

// The reference and the model give the same answers on drawn cases of every
// kind, to the letter but for the messages of errors and the order of what has
// none.
func TestReferenceIsTheModel(t *testing.T) {
	for _, p := range []floor.Policy{floor.Guard, floor.Joint} {
		s := reference.New(p)
		for stream, kind := range gen.KindsOf(s.Hello().Ops) {
			times := 20_000
			if op := kind.Op(); op == floor.OpCertify || op == floor.OpCompact {
				times = 3000 // these are large
			}
			for d := range suite.Seeded(kind, gen.Full(p), 5, uint64(stream), times) {
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
	case a.Compact != nil:
		out = append(out, a.Compact.Decision)
	case a.Derive != nil:
		for _, e := range a.Derive.Events {
			out = append(out, e.Decision)
		}
	}
	return out
}
