package strength_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/mutant"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/props/gen"
)

// What the mutants of certify and compact are made of is right before a fault is
// planted: no rule objects to it.
func TestNoRuleObjectsToTheSound(t *testing.T) {
	const cases = 4000
	for _, p := range []floor.Policy{floor.Guard, floor.Joint} {
		for _, m := range []mutant.Mutant{{Op: floor.OpCertify}, {Op: floor.OpCompact}} {
			s, mix, limits := mutant.Sound(m.Op, p), mixFor(m), gen.Full(p)
			d := gen.NewSeeded(29, 0)
			source := gen.NewSource(d)
			for i := range cases {
				d.Seek(29, 0x50e, uint64(i))
				source.Reset()
				c := mix(i).Draw(source, limits)
				objecting, err := conform.Objections(t.Context(), s, rules, c)
				require.NoError(t, err)
				require.Empty(t, objecting, "%s under %s: case %d, tape %v", m.Op, p, i, source.Tape())
			}
		}
	}
}
