package gen

import (
	"math/bits"

	"github.com/floorcheck/floorcheck/floor"
)

// A ledger keeps the generator's own books on the history it is drawing. It
// has to know which events were refused, since those have no children, and
// what is effective, to miss by exactly one thing. Were it wrong, a history
// would come out as a bad request, which the model would notice.
type ledger struct {
	policy floor.Policy
	events []entry
}

type entry struct {
	effective [MostClasses]fraction
	carries   bool // ancestry and decision certified
	refused   bool
}

// A fraction is retained over total; none is a class that is absent.
type fraction struct{ retained, total int64 }

var none = fraction{-1, -1}

func (f fraction) less(g fraction) bool {
	if f.total == 0 {
		f = fraction{1, 1}
	}
	if g.total == 0 {
		g = fraction{1, 1}
	}
	fHigh, fLow := bits.Mul64(uint64(f.retained), uint64(g.total))
	gHigh, gLow := bits.Mul64(uint64(g.retained), uint64(f.total))
	return fHigh < gHigh || fHigh == gHigh && fLow < gLow
}

// handed is what the parents, by position, hand down to a child.
func (l *ledger) handed(parents []int) (effective [MostClasses]fraction, ancestry bool) {
	ancestry = true
	for c := range effective {
		effective[c] = fraction{1, 1}
	}
	for _, p := range parents {
		parent := &l.events[p]
		ancestry = ancestry && parent.carries
		for c, f := range parent.effective {
			switch {
			case effective[c] == none || f == none:
				effective[c] = none
			case f.less(effective[c]):
				effective[c] = f
			}
		}
	}
	return effective, ancestry
}

// enter books an event and says whether it was refused.
func (l *ledger) enter(parents []int, own [MostClasses]fraction, required []int, floors [MostClasses]int64, c floor.Conditions) {
	effective, ancestry := l.handed(parents)
	for i, f := range own {
		switch {
		case f == none || effective[i] == none:
			effective[i] = none
		case f.less(effective[i]):
			effective[i] = f
		}
	}
	certified := ancestry
	for _, i := range required {
		f := effective[i]
		certified = certified && f != none && f.retained*1000 >= floors[i]*f.total
	}
	l.events = append(l.events, entry{effective: effective, carries: certified, refused: !certified && l.refuses(c)})
}

// refuses says whether what is not certified would be refused.
func (l *ledger) refuses(c floor.Conditions) bool {
	dangers := count(c.ConsumerStrict, c.ChainingRisk, c.SideEffectCostExceedsRefusal)
	return !c.SourceRecoverable && dangers > 0 && (l.policy != floor.Joint || dangers == 3)
}

func count(flags ...bool) (n int) {
	for _, on := range flags {
		if on {
			n++
		}
	}
	return n
}
