package model

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"unicode/utf8"

	"github.com/floorcheck/floorcheck/floor"
)

// A difference is the first thing in which two answers differ in meaning; the
// zero value when they do not.
type difference struct{ at, want, got string }

func differInDecide(a, b *floor.DecideOut) difference {
	if a.Decision != b.Decision {
		return difference{"", showDecision(a.Decision), showDecision(b.Decision)}
	}
	return differInReason(a.MissingClasses, b.MissingClasses, a.Generation, b.Generation, a.AncestryCertified, b.AncestryCertified)
}

// differInReason compares what may be absent; absent and empty differ.
func differInReason(missingA, missingB []floor.Class, generationA, generationB *int64, ancestryA, ancestryB *bool) difference {
	if (missingA == nil) != (missingB == nil) || !sameSet(missingA, missingB) {
		return difference{"missing_classes", showClasses(missingA), showClasses(missingB)}
	}
	if !sameValue(generationA, generationB) {
		return difference{"generation", showGeneration(generationA), showGeneration(generationB)}
	}
	if !sameValue(ancestryA, ancestryB) {
		return difference{"ancestry_certified", showAncestry(ancestryA), showAncestry(ancestryB)}
	}
	return difference{}
}

// differInDerive compares outcomes by id; their order means nothing.
func differInDerive(a, b *floor.DeriveOut) difference {
	byID := func(x, y floor.Outcome) int { return cmp.Compare(x.ID, y.ID) }
	as := slices.SortedStableFunc(slices.Values(a.Events), byID)
	bs := slices.SortedStableFunc(slices.Values(b.Events), byID)
	if idsA, idsB := idsOf(as), idsOf(bs); !slices.Equal(idsA, idsB) {
		return difference{"events", showNames(idsA), showNames(idsB)}
	}
	for i := range as {
		if d := differInOutcome(as[i], bs[i]); d != (difference{}) {
			d.at = fmt.Sprintf("event %s", showName(as[i].ID))
			return d
		}
	}
	return difference{}
}

func differInOutcome(a, b floor.Outcome) difference {
	if a.Decision != b.Decision {
		return difference{"", showDecision(a.Decision), showDecision(b.Decision)}
	}
	d := differInReason(a.MissingClasses, b.MissingClasses, a.Generation, b.Generation, a.AncestryCertified, b.AncestryCertified)
	if d != (difference{}) {
		return d
	}
	return differInEffective(a.Effective, b.Effective)
}

// differInEffective compares fidelities by value; nil is a field that is
// absent.
func differInEffective(a, b []floor.Fidelity) difference {
	if a == nil && b == nil {
		return difference{}
	}
	a, spoiledA := effectiveList(a)
	b, spoiledB := effectiveList(b)
	if spoiledA != spoiledB {
		return difference{"", cmp.Or(spoiledA, "effective"), cmp.Or(spoiledB, "effective")}
	}
	for class, held := range sideBySide(a, b) {
		if held.inA != held.inB || compare(held.a, held.b) != 0 {
			return difference{"", showHeld(class, held.a, held.inA), showHeld(class, held.b, held.inB)}
		}
	}
	return difference{}
}

func showHeld(class floor.Class, f floor.Fidelity, held bool) string {
	if !held {
		return "no " + showName(string(class))
	}
	return showFidelity(f)
}

// effectiveList sorts fidelities by class. It says what spoils the list: that
// it is absent, that a class stands twice, or a fidelity that is none.
func effectiveList(entries []floor.Fidelity) (sorted []floor.Fidelity, spoiled string) {
	if entries == nil {
		return nil, "no effective"
	}
	if !slices.IsSortedFunc(entries, byClass) {
		entries = slices.SortedStableFunc(slices.Values(entries), byClass)
	}
	for i, entry := range entries {
		if !sane(entry) {
			return nil, showFidelity(entry)
		}
		if i > 0 && entries[i-1].Class == entry.Class {
			return nil, showName(string(entry.Class)) + " twice"
		}
	}
	return entries, ""
}

// A holding is what two lists hold of a class.
type holding struct {
	a, b     floor.Fidelity
	inA, inB bool
}

// sideBySide walks two sorted lists together, class by class.
func sideBySide(a, b []floor.Fidelity) iter.Seq2[floor.Class, holding] {
	return func(yield func(floor.Class, holding) bool) {
		for len(a) > 0 || len(b) > 0 {
			var held holding
			held.inA = len(a) > 0 && (len(b) == 0 || a[0].Class <= b[0].Class)
			held.inB = len(b) > 0 && (len(a) == 0 || b[0].Class <= a[0].Class)
			if held.inA {
				held.a, a = a[0], a[1:]
			}
			if held.inB {
				held.b, b = b[0], b[1:]
			}
			if !yield(cmp.Or(held.a.Class, held.b.Class), held) {
				return
			}
		}
	}
}

func idsOf(outcomes []floor.Outcome) []string {
	ids := make([]string, len(outcomes))
	for i := range outcomes {
		ids[i] = outcomes[i].ID
	}
	return ids
}

func sameValue[T comparable](a, b *T) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

// differInReduce compares outputs. Why one refused is said in its own words,
// which may differ.
func differInReduce(a, b *floor.ReduceOut) difference {
	if a.Refused || b.Refused {
		if a.Refused == b.Refused {
			return difference{}
		}
		return difference{"", showReduceOut(a), showReduceOut(b)}
	}
	if d := differInMessages(a.Messages, b.Messages); d != (difference{}) {
		return d
	}
	if markOf(a) != markOf(b) {
		return difference{"mark", showName(string(markOf(a))), showName(string(markOf(b)))}
	}
	if !sameValue(a.Generation, b.Generation) {
		return difference{"generation", showGeneration(a.Generation), showGeneration(b.Generation)}
	}
	return difference{}
}

// markOf is an output's mark; one that was built without any has none.
func markOf(out *floor.ReduceOut) floor.Mark { return cmp.Or(out.Mark, floor.NoMark) }

// differInMessages is the first thing in which two conversations differ.
func differInMessages(a, b []floor.Message) difference {
	for i := range min(len(a), len(b)) {
		if d := differInMessage(a[i], b[i]); d != (difference{}) {
			d.at = fmt.Sprintf("messages[%d].%s", i, d.at)
			return d
		}
	}
	if len(a) != len(b) {
		return difference{"messages", showCount(len(a), "message"), showCount(len(b), "message")}
	}
	return difference{}
}

func differInMessage(a, b floor.Message) difference {
	switch {
	case a.Role != b.Role:
		return difference{"role", showName(string(a.Role)), showName(string(b.Role))}
	case a.Text != b.Text:
		return differInText("text", a.Text, b.Text)
	case a.CallID != b.CallID:
		return differInText("call_id", a.CallID, b.CallID)
	case len(a.Calls) != len(b.Calls):
		return difference{"calls", showCount(len(a.Calls), "call"), showCount(len(b.Calls), "call")}
	}
	for i := range a.Calls {
		if d := differInCall(a.Calls[i], b.Calls[i]); d != (difference{}) {
			d.at = fmt.Sprintf("calls[%d].%s", i, d.at)
			return d
		}
	}
	return difference{}
}

func differInCall(a, b floor.Call) difference {
	switch {
	case a.ID != b.ID:
		return differInText("id", a.ID, b.ID)
	case a.Name != b.Name:
		return differInText("name", a.Name, b.Name)
	case !sameCall(a, b):
		return differInText("args", string(written(argsOf(a))), string(written(argsOf(b))))
	}
	return difference{}
}

// differInText shows two texts from shortly before the first byte in which they
// differ: what is shown is bounded, and has to differ.
func differInText(at, a, b string) difference {
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	const context = 24 // bytes
	from := max(0, same-context)
	for from > 0 && !utf8.RuneStart(a[from]) {
		from--
	}
	before := ""
	if from > 0 {
		before = "…"
	}
	return difference{at, before + showText(a[from:]), before + showText(b[from:])}
}
