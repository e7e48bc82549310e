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
		if n.Kind.Bad() {
			most = 1
		}
		same(n.Kind, n.Scope, n.Limits, most)
	}
	same(KindDecide, DecideScope(), ScopeLimits(floor.Guard), 4)
	same(KindDerive, DeriveScope(), DeriveScopeLimits(floor.Guard), 8)
}

// No case is smaller than what its choices cost: the enumeration by cost leaves
// nothing out that is smaller than where it has come to.
func TestCostIsALowerBoundOfSize(t *testing.T) {
	for _, scope := range Scopes(floor.Guard) {
		if scope.Kind.Bad() {
			continue
		}
		for o, more := scope.ByCost(4), true; more; more = o.Next() {
			c := scope.Kind.Draw(NewSource(o), scope.Limits)
			require.LessOrEqual(t, o.Cost(), roughSize(c), "%s %s", scope.Kind, scope.Name)
		}
	}
}

// roughSize is conform.Size, which this room may not import.
func roughSize(c floor.Case) (size int) {
	flags := func(c floor.Conditions) int {
		return count(c.SourceRecoverable, c.ConsumerStrict, c.ChainingRisk, c.SideEffectCostExceedsRefusal)
	}
	for _, step := range c.Steps {
		if in := step.Decide; in != nil {
			size += len(in.Contract.Required) + len(in.Contract.Certified) + flags(in.Conditions)
			size += count(in.Contract.Generation != 0, !in.Contract.AncestryCertified)
			if r := in.Riders; r != nil {
				size += 1 + count(r.SourceTokens != nil, r.SummaryTokens != nil, r.TargetPermille != nil,
					r.OccupancyPermille != nil, r.FluencyPermille != nil, r.QuotaFacts != nil)
			}
		}
		if in := step.Derive; in != nil {
			size += len(in.Originals)
			for i := range in.Events {
				e := &in.Events[i]
				size += 1 + len(e.Inputs) + len(e.Required) + len(e.FloorsPermille) + flags(e.Conditions)
				for _, f := range e.Certificate {
					size += 1 + count(f.Retained < f.Total)
				}
			}
		}
	}
	return size + len(c.Steps) - 1
}

func spelled(t *testing.T, c floor.Case) string {
	t.Helper()
	data, err := json.Marshal(c)
	require.NoError(t, err)
	return string(data)
}
