// Package engine is the reference implementation of the rules, written for
// speed: class masks, a flag byte, a table, results that are values. The judge
// in model says the same in another way and shares nothing with it but floor.
package engine

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// A Decision is floor.Decision in a byte; smaller is more permission.
type Decision uint8

// The decisions.
const (
	Certified Decision = iota
	Provisional
	Refuse
)

// String spells the decision as the wire does.
func (d Decision) String() string { return string(d.Floor()) }

// Floor is the decision in floor's words.
func (d Decision) Floor() floor.Decision {
	return [...]floor.Decision{floor.Certified, floor.Provisional, floor.Refuse}[d]
}

// Flags are the conditions of one event and its ancestry, a bit each. Every
// bit counts against the event: setting one never gives more permission. Bits
// without a name mean nothing.
type Flags uint8

// The bits of Flags.
const (
	Missing       Flags = 1 << iota // a required class: Decide and Pack find it out
	Strict                          // C1
	Chaining                        // C4
	SideEffects                     // C5
	Unrecoverable                   // C2
	Poisoned                        // an ancestor was not certified

	dangers  = Strict | Chaining | SideEffects
	allFlags = Missing | dangers | Unrecoverable | Poisoned
)

// FlagsOf packs conditions and the ancestry flag.
func FlagsOf(c floor.Conditions, ancestryCertified bool) Flags {
	var f Flags
	set := func(on bool, bit Flags) {
		if on {
			f |= bit
		}
	}
	set(c.ConsumerStrict, Strict)
	set(c.ChainingRisk, Chaining)
	set(c.SideEffectCostExceedsRefusal, SideEffects)
	set(!c.SourceRecoverable, Unrecoverable)
	set(!ancestryCertified, Poisoned)
	return f
}

// A Decider decides under one policy. It is a table over every combination of
// flags, so that no input teaches a branch predictor anything.
type Decider struct {
	table [64]Decision
	near  uint64 // how far the dangers are from enough, in each byte of a batch
}

// ForPolicy gives the decider of a policy; anything but floor.Joint is Guard.
func ForPolicy(p floor.Policy) *Decider {
	if p == floor.Joint {
		return joint
	}
	return guard
}

var guard, joint = newDecider(floor.Guard), newDecider(floor.Joint)

func newDecider(p floor.Policy) *Decider {
	d := &Decider{}
	for f := range d.table {
		d.table[f] = combine(Flags(f), p)
	}
	// The dangers of a byte and this carry into the next bit when they suffice.
	d.near = lanes.one * uint64(dangers)
	if p == floor.Joint {
		d.near = lanes.one * uint64(Strict)
	}
	return d
}

// combine is the rule itself; everything else here is it, looked up.
func combine(f Flags, p floor.Policy) Decision {
	dangerous := f&dangers != 0
	if p == floor.Joint {
		dangerous = f&dangers == dangers
	}
	switch {
	case f&(Missing|Poisoned) == 0:
		return Certified
	case f&Unrecoverable != 0 && dangerous:
		return Refuse
	}
	return Provisional
}

// Decide is the decision alone. Classes are bits of a caller's own numbering.
func (d *Decider) Decide(required, certified uint64, f Flags) Decision {
	var gap Flags
	if required&^certified != 0 { // no jump: it sets a bit
		gap = Missing
	}
	return d.table[(f|gap)&allFlags]
}

// A Verdict is a decision with its reasons. It is a value: nothing is
// allocated until its text is read.
type Verdict struct {
	Missing    uint64 // required and not certified
	Generation uint32
	Decision   Decision
	Flags      Flags
}

// Judge is the decision with its reasons.
func (d *Decider) Judge(required, certified uint64, f Flags, generation uint32) Verdict {
	return Verdict{required &^ certified, generation, d.Decide(required, certified, f), f}
}

// AncestryCertified says whether every ancestor was certified.
func (v Verdict) AncestryCertified() bool { return v.Flags&Poisoned == 0 }

// Reason is the text of a refusal, built when it is asked for. names gives the
// class of each bit; a bit without a name is written as its number.
func (v Verdict) Reason(names []floor.Class) string {
	var classes []string
	for rest := v.Missing; rest != 0; rest &= rest - 1 {
		bit := bits.TrailingZeros64(rest)
		if bit < len(names) {
			classes = append(classes, string(names[bit]))
		} else {
			classes = append(classes, fmt.Sprintf("class %d", bit))
		}
	}
	slices.Sort(classes)
	return fmt.Sprintf("%s: not certified: [%s], generation %d, ancestry certified: %t",
		v.Decision, strings.Join(classes, " "), v.Generation, v.AncestryCertified())
}

// Pack folds whether a required class is missing into the flags: all that a
// batch needs to know.
func Pack(required, certified uint64, f Flags) Flags {
	if required&^certified != 0 {
		f |= Missing
	}
	return f
}

// lanes are masks for eight bytes in a word. As variables they are loaded once
// before a loop; constants would be built anew in each round.
var lanes = struct{ one, given uint64 }{0x0101010101010101, 0x0101010101010101 * uint64(allFlags&^Missing)}

// Batch decides packed requests, eight in a word, four words a round. dst must
// be at least as long as src; a byte of src is what Pack gave.
func (d *Decider) Batch(dst []Decision, src []Flags) {
	dst = dst[:len(src)]
	one, given, near := lanes.one, lanes.given, d.near
	i := 0
	for ; i <= len(src)-32; i += 32 {
		s, t := src[i:i+32:i+32], dst[i:i+32:i+32]
		spread(t[:8], decided(word(s[:8]), one, given, near))
		spread(t[8:16], decided(word(s[8:16]), one, given, near))
		spread(t[16:24], decided(word(s[16:24]), one, given, near))
		spread(t[24:32], decided(word(s[24:32]), one, given, near))
	}
	for ; i < len(src); i++ {
		dst[i] = d.table[src[i]&allFlags]
	}
}

// decided is combine in each byte. A missing class is taken for poison, which
// comes to the same; then the flags and near together carry into the bit above
// Poisoned exactly when the request is refused.
func decided(w, one, given, near uint64) uint64 {
	w = w&given | w&one<<5
	return w>>5&one + (w+near)>>6&one
}

func word(s []Flags) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func spread(t []Decision, w uint64) {
	_ = t[7]
	t[0], t[1], t[2], t[3] = Decision(w), Decision(w>>8), Decision(w>>16), Decision(w>>24)
	t[4], t[5], t[6], t[7] = Decision(w>>32), Decision(w>>40), Decision(w>>48), Decision(w>>56)
}

// vacuous is shared by every answer that carries it; nobody writes to it.
var vacuous = []string{floor.VacuousContract}

// Decide answers a decide request. The request must be valid (floor's
// Validate); classes of any number are taken.
func Decide(in *floor.DecideIn, p floor.Policy) floor.DecideOut {
	c := &in.Contract
	certified := classesFor(c.Certified, len(c.Required))
	gap := uint64(0)
	if !certified.holdAll(c.Required) {
		gap = 1
	}
	decision := ForPolicy(p).Decide(gap, 0, FlagsOf(in.Conditions, c.AncestryCertified))
	if decision == Certified && len(c.Required) == 0 {
		return floor.DecideOut{Decision: floor.Certified, Warnings: vacuous}
	}
	if decision != Refuse {
		return floor.DecideOut{Decision: decision.Floor()}
	}
	return floor.DecideOut{
		Decision:          floor.Refuse,
		MissingClasses:    certified.lacking(c.Required),
		Generation:        new(c.Generation),
		AncestryCertified: new(c.AncestryCertified),
	}
}

// fewComparisons is how many comparisons of names cost less than sorting a
// list, which has to be copied for it.
const fewComparisons = 512

// classes are a set of names, for one request: numbering the names, to make
// masks of them, would cost more than it saves.
type classes struct {
	list   []floor.Class
	sorted bool
}

// classesFor makes a set that is asked so many times.
func classesFor(list []floor.Class, times int) classes {
	if len(list)*times <= fewComparisons {
		return classes{list, false}
	}
	return classes{slices.Sorted(slices.Values(list)), true}
}

func (c classes) hold(class floor.Class) (found bool) {
	if !c.sorted {
		return slices.Contains(c.list, class)
	}
	_, found = slices.BinarySearch(c.list, class)
	return found
}

func (c classes) holdAll(required []floor.Class) bool {
	for _, class := range required {
		if !c.hold(class) {
			return false
		}
	}
	return true
}

// lacking are the required classes that the set does not hold, sorted, each
// once.
func (c classes) lacking(required []floor.Class) []floor.Class {
	out := make([]floor.Class, 0, len(required))
	for _, class := range required {
		if !c.hold(class) {
			out = append(out, class)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
