package gen

import (
	"slices"
	"strconv"

	"github.com/floorcheck/floorcheck/floor"
)

// mostEvents bounds a history in an ordinary run, but for a long run's padding.
const mostEvents = 9

// longestRun bounds the padding of a long run: enough to pass a byte.
const longestRun = 300

// Derive draws a well-formed history.
func Derive(s *Source, l Limits) floor.Case {
	h := deriveHistory(s, l)
	return floor.Case{Policy: l.Policy, Steps: []floor.Request{{Op: floor.OpDerive, Derive: h.in}}}
}

func deriveHistory(s *Source, l Limits) *history {
	h := &history{s: s, limits: l, ledger: ledger{policy: l.Policy}, in: &floor.DeriveIn{}}
	h.reversed = s.Weighted("names", 7, 1) == 1
	s.Repeat(1, 3, 2, "another original", func(i int) bool {
		h.in.Originals = append(h.in.Originals, "o"+strconv.Itoa(i+1))
		return true
	})
	h.theme = themes(s, l)
	s.Repeat(0, l.Events, 7, "another event", func(round int) bool {
		h.event()
		if round == l.Events-1 && l.Events < mostEvents {
			s.stop("another event")
		}
		return true
	})
	if s.Weighted("long run", 255, 1) == 1 {
		h.pad(1 + s.Choose(longestRun, "run"))
		s.Repeat(0, 2, 4, "another event", func(int) bool { h.event(); return true })
	}
	return h
}

// themes draws the few classes that a whole history is about: with all of them
// in play every minimum would be empty.
func themes(s *Source, l Limits) []int {
	theme, last := []int{0}, 0
	if !s.classesLeft(last, l, "another theme") {
		return theme
	}
	s.Repeat(0, 3, 4, "another theme", func(int) bool {
		last += 1 + s.step(last, l)
		theme = append(theme, last)
		return len(theme) == 4 || s.classesLeft(last, l, "another theme")
	})
	return theme
}

type history struct {
	s        *Source
	limits   Limits
	ledger   ledger
	in       *floor.DeriveIn
	theme    []int // positions in classes
	reversed bool  // names that sort against the order of events
}

// name is the i-th event's. Ids are opaque: what they sort like must not
// matter.
func (h *history) name(i int) string {
	if h.reversed {
		return "e" + strconv.Itoa(999-i)
	}
	return "e" + strconv.Itoa(i+1)
}

// event draws one compaction.
func (h *history) event() {
	e := floor.Event{ID: h.name(len(h.in.Events))}
	parents := h.inputs(&e)
	handed, _ := h.ledger.handed(parents)
	required := h.required(&e)
	own := h.certificate(&e, handed)
	floors := h.floors(&e, required, own, handed)
	e.Conditions = conditions(h.s)
	h.ledger.enter(parents, own, required, floors, e.Conditions)
	e.Inputs = spelling(h.s, e.Inputs)
	h.in.Events = append(h.in.Events, e)
}

// inputs draws what the event is made from: by default the event before it.
func (h *history) inputs(e *floor.Event) (parents []int) {
	usable := h.usable()
	take := func(i int) {
		if !slices.Contains(parents, i) {
			parents = append(parents, i)
			e.Inputs = append(e.Inputs, h.name(i))
		}
	}
	original := func() { e.Inputs = append(e.Inputs, h.in.Originals[h.s.Choose(len(h.in.Originals), "original")]) }
	if len(usable) == 0 {
		original()
		return nil
	}
	newest := len(usable) - 1
	switch h.s.Weighted("shape", 6, 1, 1, 3, 1) {
	case 0: // the newest
		take(usable[newest])
	case 1: // an older one: two children of one event
		take(usable[newest-h.s.Choose(len(usable), "back")])
	case 2: // originals alone: a clean start
		original()
	case 3: // a merge
		take(usable[newest])
		h.s.Repeat(1, 3, 2, "another parent", func(int) bool {
			take(usable[newest-h.s.Choose(len(usable), "back")])
			return true
		})
	case 4: // an event and an original
		take(usable[newest])
		original()
	}
	return parents
}

// usable are the events that were not refused, oldest first.
func (h *history) usable() (out []int) {
	for i := range h.ledger.events {
		if !h.ledger.events[i].refused {
			out = append(out, i)
		}
	}
	return out
}

func (h *history) required(e *floor.Event) (required []int) {
	e.Required = []floor.Class{}
	for _, c := range h.theme {
		if h.s.Choose(2, "required") == 1 {
			required = append(required, c)
			e.Required = append(e.Required, classes[c])
		}
	}
	e.Required = spelling(h.s, e.Required)
	return required
}

// certificate draws the event's own: a mode for the whole of it, or class by
// class.
func (h *history) certificate(e *floor.Event, handed [MostClasses]fraction) (own [MostClasses]fraction) {
	for c := range own {
		own[c] = none
	}
	e.Certificate = []floor.Fidelity{}
	give := func(c int, f fraction) {
		own[c] = f
		e.Certificate = append(e.Certificate, floor.Fidelity{Class: classes[c], Retained: f.retained, Total: f.total})
	}
	switch h.s.Weighted("certificate", 3, 5, 2) {
	case 0: // class by class
		for _, c := range h.theme {
			if f := h.fidelity(handed[c]); f != none {
				give(c, f)
			}
		}
	case 1: // everything in full
		for _, c := range h.theme {
			give(c, fraction{1, 1})
		}
	case 2: // everything but one
		gone := h.s.Choose(len(h.theme), "gone")
		for i, c := range h.theme {
			if i != gone {
				give(c, fraction{1, 1})
			} else if f := h.fidelity(handed[c]); f != none {
				give(c, f)
			}
		}
	}
	return own
}

// fidelity draws none, full, or something less or spelled otherwise. handed is
// what the parents hand down.
func (h *history) fidelity(handed fraction) fraction {
	switch h.s.Weighted("fidelity", 3, 4, 2, 2, 1, 1, 2, 2) {
	case 1:
		return fraction{1, 1}
	case 2:
		return fraction{1, 2}
	case 3:
		return fraction{0, 1}
	case 4: // nothing to keep is full
		return fraction{0, 0}
	case 5: // one short of a large number, or of a very large one
		n := 2 + number(h.s, "figure", floor.MaxNumber-2)
		return fraction{n - 1, n}
	case 6: // small counts, also such as are not in lowest terms
		n := 1 + int64(h.s.Choose(24, "total"))
		return fraction{int64(h.s.Choose(int(n)+1, "retained")), n}
	case 7:
		return h.beside(handed)
	}
	return none
}

// beside draws a fidelity that can hardly be told from another: counted finer,
// and one more, one less or just as much; or one less of one less; or, of the
// finest counts there are, one more of one more or one less of one less, where a
// float64 sees no difference.
func (h *history) beside(f fraction) fraction {
	if f == none || f.total == 0 {
		f = fraction{1, 2}
	}
	switch h.s.Choose(3, "both") {
	case 1:
		if f.retained > 0 {
			return fraction{f.retained - 1, f.total - 1}
		}
	case 2:
		finest := (floor.MaxNumber - 1) / f.total
		by := 1 - 2*int64(h.s.Choose(2, "up or down"))
		if f.retained*finest+by >= 0 {
			return fraction{f.retained*finest + by, f.total*finest + by}
		}
	}
	finer := int64(1) << (4 * h.s.Choose(14, "finer"))
	for f.total > floor.MaxNumber/finer {
		finer /= 2
	}
	total := f.total * finer
	retained := f.retained*finer + int64(h.s.Choose(3, "by one")) - 1
	return fraction{min(max(retained, 0), total), total}
}

// floors draws none, or one or two: at what is effective, just above it, none at
// all, or anywhere.
func (h *history) floors(e *floor.Event, required []int, own, handed [MostClasses]fraction) (floors [MostClasses]int64) {
	for c := range floors {
		floors[c] = floor.MaxPermille
	}
	if h.s.Weighted("floors", 5, 3) == 0 {
		return floors
	}
	e.FloorsPermille = map[floor.Class]int64{}
	h.s.Repeat(1, 2, 3, "another floor", func(int) bool {
		c := h.theme[h.s.Choose(len(h.theme), "floored")]
		floors[c] = h.floor(own[c], handed[c])
		e.FloorsPermille[classes[c]] = floors[c]
		return true
	})
	return floors
}

// floor draws one for a class, in permille.
func (h *history) floor(own, handed fraction) int64 {
	f := own
	if handed != none && f != none && handed.less(f) {
		f = handed
	}
	at := int64(0)
	if f != none && f.total > 0 {
		at = f.retained * 1000 / f.total
	}
	switch h.s.Weighted("floor", 4, 4, 1, 2) {
	case 1:
		return min(at+1, floor.MaxPermille)
	case 2:
		return 0
	case 3:
		return int64(h.s.Choose(1001, "permille value"))
	}
	return at
}

// pad appends n events in a row that certify everything and ask for nothing:
// what matters comes before and after them.
func (h *history) pad(n int) {
	for range n {
		e := floor.Event{ID: h.name(len(h.in.Events)), Required: []floor.Class{}}
		var parents []int
		if usable := h.usable(); len(usable) > 0 {
			parents = usable[len(usable)-1:]
			e.Inputs = []string{h.name(parents[0])}
		} else {
			e.Inputs = h.in.Originals[:1:1]
		}
		own, floors := [MostClasses]fraction{}, [MostClasses]int64{}
		for c := range own {
			own[c] = none
		}
		for _, c := range h.theme {
			own[c] = fraction{1, 1}
			e.Certificate = append(e.Certificate, floor.Fidelity{Class: classes[c], Retained: 1, Total: 1})
		}
		h.ledger.enter(parents, own, nil, floors, e.Conditions)
		h.in.Events = append(h.in.Events, e)
	}
}
