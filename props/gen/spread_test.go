package gen

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

// spreadCases are as many as it takes for a share to stand still in its second
// digit.
const spreadCases = 20_000

// share is one thing that cases must be like often enough, and not too often.
type share struct {
	name        string
	least, most int // percent
	seen        int
}

func requireBands(t *testing.T, shares []*share, of int) {
	t.Helper()
	for _, s := range shares {
		percent := 100 * float64(s.seen) / float64(of)
		t.Logf("%-32s %5.1f %% (%d to %d)", s.name, percent, s.least, s.most)
		require.GreaterOrEqual(t, percent, float64(s.least), s.name)
		require.LessOrEqual(t, percent, float64(s.most), s.name)
	}
}

// Decide requests come in every kind often enough: each decision, each class
// missing, exactly one thing missing.
func TestDecideSpread(t *testing.T) {
	for _, policy := range []floor.Policy{floor.Guard, floor.Joint} {
		t.Run(string(policy), func(t *testing.T) {
			certified := &share{"certified", 20, 45, 0}
			provisional := &share{"provisional", 20, 45, 0}
			refused := &share{"refused", 20, 45, 0}
			one := &share{"exactly one thing is missing", 25, 60, 0}
			riders := &share{"riders", 20, 50, 0}
			several := &share{"several questions", 4, 15, 0}
			shares := []*share{certified, provisional, refused, one, riders, several}
			lost := map[floor.Class]*share{}
			for _, class := range classes {
				lost[class] = &share{"lost: " + string(class), 10, 60, 0}
				shares = append(shares, lost[class])
			}
			for i := range spreadCases {
				d := NewSeeded(3, 0)
				d.Seek(3, 0, uint64(i))
				c := Decide(NewSource(d), Full(policy))
				in := c.Steps[len(c.Steps)-1].Decide
				var missing []floor.Class
				for _, class := range in.Contract.Required {
					if !slices.Contains(in.Contract.Certified, class) && !slices.Contains(missing, class) {
						missing = append(missing, class)
						lost[class].seen++
					}
				}
				gaps := len(missing)
				if !in.Contract.AncestryCertified {
					gaps++
				}
				l := ledger{policy: policy}
				switch {
				case gaps == 0:
					certified.seen++
				case l.refuses(in.Conditions):
					refused.seen++
				default:
					provisional.seen++
				}
				one.add(gaps == 1)
				riders.add(in.Riders != nil)
				several.add(len(c.Steps) > 1)
			}
			requireBands(t, shares, spreadCases)
		})
	}
}

func (s *share) add(seen bool) {
	if seen {
		s.seen++
	}
}

// Histories reach deep, merge, poison and miss by one.
func TestDeriveSpread(t *testing.T) {
	for _, policy := range []floor.Policy{floor.Guard, floor.Joint} {
		t.Run(string(policy), func(t *testing.T) {
			deep := &share{"a chain of 3 or more", 20, 90, 0}
			merged := &share{"a merge", 20, 80, 0}
			poisoned := &share{"a child of an uncertified event", 20, 80, 0}
			clean := &share{"a certified chain of 2 or more", 20, 90, 0}
			refused := &share{"a refused event", 20, 80, 0}
			partial := &share{"less than full fidelity", 20, 90, 0}
			floored := &share{"a floor", 20, 90, 0}
			long := &share{"more than 255 events in a row", 0, 2, 0}
			for i := range spreadCases {
				d := NewSeeded(3, 0)
				d.Seek(3, 0, uint64(i))
				s := NewSource(d)
				h := deriveHistory(s, Full(policy))
				depth := make([]int, len(h.in.Events))
				var isDeep, isMerged, isPoisoned, isClean, isRefused, isPartial, isFloored bool
				for k := range h.in.Events {
					e := &h.in.Events[k]
					depth[k] = 1
					parents := 0
					for _, input := range e.Inputs {
						p := slices.IndexFunc(h.in.Events[:k], func(e floor.Event) bool { return e.ID == input })
						if p < 0 {
							continue
						}
						parents++
						depth[k] = max(depth[k], depth[p]+1)
						isPoisoned = isPoisoned || !h.ledger.events[p].carries
					}
					isDeep = isDeep || depth[k] >= 3
					isMerged = isMerged || parents > 1
					isClean = isClean || depth[k] > 1 && h.ledger.events[k].carries
					isRefused = isRefused || h.ledger.events[k].refused
					isFloored = isFloored || len(e.FloorsPermille) > 0
					for _, f := range e.Certificate {
						isPartial = isPartial || f.Retained < f.Total
					}
				}
				deep.add(isDeep)
				merged.add(isMerged)
				poisoned.add(isPoisoned)
				clean.add(isClean)
				refused.add(isRefused)
				partial.add(isPartial)
				floored.add(isFloored)
				long.add(len(h.in.Events) > 255)
			}
			require.Positive(t, long.seen)
			requireBands(t, []*share{deep, merged, poisoned, clean, refused, partial, floored, long}, spreadCases)
		})
	}
}
