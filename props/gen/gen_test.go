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
	for _, kind := range []Kind{KindDecide, KindDerive} {
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

func spelled(t *testing.T, c floor.Case) string {
	t.Helper()
	data, err := json.Marshal(c)
	require.NoError(t, err)
	return string(data)
}
