package gen

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

// A tape is the case: decoding what was drawn gives the same bytes.
func TestATapeIsItsCase(t *testing.T) {
	for _, kind := range Kinds {
		for i := range uint64(2000) {
			d := NewSeeded(7, 1)
			d.Seek(7, 1, i)
			s := NewSource(d)
			drawn := kind.Draw(s, Full(floor.Guard))
			again, r := kind.Decode(s.Tape(), Full(floor.Guard))
			require.Equal(t, s.Tape(), r.Tape(), "%s case %d", kind, i)
			require.Equal(t, spelled(t, drawn), spelled(t, again), "%s case %d", kind, i)
		}
	}
}

// Whatever the bytes, a case comes out; all plain bytes give the plainest one.
func TestPlainBytesArePlainCases(t *testing.T) {
	for _, kind := range []Kind{KindDecide, KindDerive, KindReduce} {
		zero, _ := kind.Decode(nil, Full(floor.Guard))
		plain := kind.Draw(NewSource(NewBytes([]byte("00000000000000"))), Full(floor.Guard))
		require.Equal(t, spelled(t, zero), spelled(t, plain))
	}
}

// The exhaustive scope of decide holds each of its requests exactly once.
func TestDecideScopeIsExact(t *testing.T) {
	seen := map[string]bool{}
	drawn := 0
	o := NewOdometer(DecideScope())
	for more := true; more; more = o.Next() {
		seen[spelled(t, Decide(NewSource(o), ScopeLimits(floor.Guard)))] = true
		drawn++
	}
	require.Len(t, seen, DecideScopeSize)
	require.Equal(t, DecideScopeSize, drawn)
}

// The exhaustive scope of derive holds each of its histories exactly once, and
// as many as it says.
func TestDeriveScopeIsExact(t *testing.T) {
	for _, policy := range []floor.Policy{floor.Guard, floor.Joint} {
		seen := map[string]bool{}
		drawn := 0
		o := NewOdometer(DeriveScope())
		for more := true; more; more = o.Next() {
			seen[spelled(t, Derive(NewSource(o), DeriveScopeLimits(policy)))] = true
			drawn++
		}
		require.Equal(t, DeriveScopeSize(policy), drawn)
		require.Len(t, seen, drawn)
	}
}

// A tape means the same case under the limits of a scope and without them.
func TestATapeMeansTheSameUnderAnyLimits(t *testing.T) {
	same := func(kind Kind, scope Scope, l Limits, most int) {
		o := NamedScope{"", kind, l, scope}.ByCost(most)
		for more := true; more; more = o.Next() {
			s := NewSource(o)
			drawn := kind.Draw(s, l)
			again, r := kind.Decode(s.Tape(), Full(l.Policy))
			require.Equal(t, spelled(t, drawn), spelled(t, again), "%s %v", kind, s.Tape())
			require.Equal(t, s.Tape(), r.Tape(), kind)
		}
	}
	for _, n := range Scopes(floor.Guard) {
		most := 4
		switch {
		case n.Kind.Bad():
			most = 1
		case n.Kind == KindCertify || n.Kind == KindCompact:
			most = 2
		}
		same(n.Kind, n.Scope, n.Limits, most)
	}
	same(KindDecide, DecideScope(), ScopeLimits(floor.Guard), 4)
	same(KindDerive, DeriveScope(), DeriveScopeLimits(floor.Guard), 8)
}

func spelled(t *testing.T, c floor.Case) string {
	t.Helper()
	data, err := json.Marshal(c)
	require.NoError(t, err)
	return string(data)
}
