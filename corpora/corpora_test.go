package corpora

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Every regression is read, says what went wrong, and has an id of its own.
func TestRegressionsAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Regressions() {
		require.NotEmpty(t, r.ID)
		require.False(t, seen[r.ID], r.ID)
		seen[r.ID] = true
		require.NotEmpty(t, r.About, r.ID)
		require.NotEmpty(t, r.Found, r.ID)
		require.NotEmpty(t, r.Cases, r.ID)
	}
	require.NotEmpty(t, seen)
}
