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

// Flags are the conditions of one event and its ancestry, a bit each.
type Flags uint8

// The bits of Flags. The sixth, which Pack sets, says that a class is missing.
const (
	Strict      Flags = 1 << iota // C1
	Chaining                      // C4
	SideEffects                   // C5
	Recoverable                   // not C2
	Ancestry                      // every ancestor was certified
	missing
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
	set(c.SourceRecoverable, Recoverable)
	set(ancestryCertified, Ancestry)
	return f
}

// A Decider decides under one policy. It is a table over every combination of
// flags, so that no input teaches a branch predictor anything.
type Decider struct {
	table  [64]Decision
	danger uint64 // joint: 0, guard: all ones; selects the combination of dangers in a batch
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
	for i := range d.table {
		d.table[i] = combine(Flags(i), p)
	}
	if p == floor.Guard {
		d.danger = ^uint64(0)
	}
	return d
}

// combine is the rule itself; everything else here is it, looked up.
func combine(f Flags, p floor.Policy) Decision {
	const dangers = Strict | Chaining | SideEffects
	dangerous := f&dangers != 0
	if p == floor.Joint {
		dangerous = f&dangers == dangers
	}
	switch {
	case f&Ancestry != 0 && f&missing == 0:
		return Certified
	case f&Recoverable == 0 && dangerous:
		return Refuse
	}
	return Provisional
}

// Pack adds to the flags whether a required class is missing. Classes are bits
// of a caller's own numbering.
func Pack(required, certified uint64, f Flags) Flags {
	gap := required &^ certified
	return f&^missing | Flags((gap|-gap)>>63)<<5
}

// Decide is the decision alone.
func (d *Decider) Decide(required, certified uint64, f Flags) Decision {
	return d.table[Pack(required, certified, f)&63]
}

// A Verdict is a decision with its reasons. It is a value: nothing is
// allocated until its text is read.
type Verdict struct {
	Missing    uint64 // required and not certified
	Generation uint32
	Decision   Decision
	Ancestry   bool
}

// Judge is the decision with its reasons.
func (d *Decider) Judge(required, certified uint64, f Flags, generation uint32) Verdict {
	return Verdict{
		Missing:    required &^ certified,
		Generation: generation,
		Decision:   d.Decide(required, certified, f),
		Ancestry:   f&Ancestry != 0,
	}
}

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
		v.Decision, strings.Join(classes, " "), v.Generation, v.Ancestry)
}

// Batch decides packed requests, eight in a word. dst must be at least as long
// as src; a byte of src is what Pack gave.
func (d *Decider) Batch(dst []Decision, src []Flags) {
	dst = dst[:len(src)]
	n := len(src) &^ 7
	for i := 0; i < n; i += 8 {
		s, t := src[i:i+8:i+8], dst[i:i+8:i+8]
		word := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		out := d.lanes(word)
		t[0], t[1], t[2], t[3] = Decision(out), Decision(out>>8), Decision(out>>16), Decision(out>>24)
		t[4], t[5], t[6], t[7] = Decision(out>>32), Decision(out>>40), Decision(out>>48), Decision(out>>56)
	}
	for i := n; i < len(src); i++ {
		dst[i] = d.table[src[i]&63]
	}
}

// lanes is combine in each byte of a word.
func (d *Decider) lanes(w uint64) uint64 {
	const one = 0x0101010101010101
	strict, chaining, side := w, w>>1, w>>2
	recoverable, ancestry, gap := w>>3, w>>4, w>>5
	any, all := strict|chaining|side, strict&chaining&side
	uncertified := ^(ancestry &^ gap)
	refused := uncertified &^ recoverable & (all | any&d.danger) & one
	return (uncertified&one)&^refused | refused<<1
}

// Decide answers a decide request. The request must be valid (floor's
// Validate); classes of any number are taken.
func Decide(in *floor.DecideIn, p floor.Policy) floor.DecideOut {
	f := FlagsOf(in.Conditions, in.Contract.AncestryCertified)
	gap, names, fits := gapMask(in.Contract.Required, in.Contract.Certified)
	if !fits {
		return decideWide(in, p, f)
	}
	d := ForPolicy(p)
	v := d.Judge(gap, 0, f, uint32(in.Contract.Generation))
	if v.Decision != Refuse {
		return floor.DecideOut{Decision: v.Decision.Floor()}
	}
	return refusal(in, classesOf(v.Missing, names[:]))
}

// gapMask numbers the required classes as they come and strikes those that are
// certified. It does not fit when there are more than 64 of them.
func gapMask(required, certified []floor.Class) (gap uint64, names [64]floor.Class, fits bool) {
	n := 0
	for _, class := range required {
		if slices.Contains(names[:n], class) {
			continue
		}
		if n == len(names) {
			return 0, names, false
		}
		names[n] = class
		n++
	}
	if n > 0 {
		gap = ^uint64(0) >> (64 - n)
	}
	for _, class := range certified {
		if i := slices.Index(names[:n], class); i >= 0 {
			gap &^= 1 << i
		}
	}
	return gap, names, true
}

// decideWide is Decide for contracts of more than 64 classes: sorted lists
// instead of masks.
func decideWide(in *floor.DecideIn, p floor.Policy, f Flags) floor.DecideOut {
	certified := slices.Sorted(slices.Values(in.Contract.Certified))
	gap := slices.Compact(slices.Sorted(slices.Values(in.Contract.Required)))
	gap = slices.DeleteFunc(gap, func(class floor.Class) bool {
		_, found := slices.BinarySearch(certified, class)
		return found
	})
	decision := ForPolicy(p).Decide(min(uint64(len(gap)), 1), 0, f)
	if decision != Refuse {
		return floor.DecideOut{Decision: decision.Floor()}
	}
	return refusal(in, gap)
}

func refusal(in *floor.DecideIn, gap []floor.Class) floor.DecideOut {
	return floor.DecideOut{
		Decision:          floor.Refuse,
		MissingClasses:    gap,
		Generation:        new(in.Contract.Generation),
		AncestryCertified: new(in.Contract.AncestryCertified),
	}
}

// classesOf names the bits of a mask, sorted.
func classesOf(mask uint64, names []floor.Class) []floor.Class {
	out := make([]floor.Class, 0, bits.OnesCount64(mask))
	for ; mask != 0; mask &= mask - 1 {
		out = append(out, names[bits.TrailingZeros64(mask)])
	}
	slices.Sort(out)
	return out
}
