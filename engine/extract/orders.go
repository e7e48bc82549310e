package extract

import (
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// before is "A before B" where B is something to do, and what may not be before
// a time.
func before(s *scanner, i int) (c statement) {
	if i+1 >= len(s.runs) || s.borderBehind(i) != none {
		return c
	}
	from, to := s.around(i, clause)
	next := &s.runs[i+1]
	time := next.has&digit != 0 && next.has&(letters|hyphen) == 0
	switch {
	case i > 0 && s.small(i-1) == "not", time, s.follows(i, "the") && i+2 < len(s.runs) && s.runs[i+2].has&digit != 0:
		return asSaid(s, floor.Constraint, i)
	case s.follows(i, "long", "the", "departure", "noon", "midnight"), i > 0 && lapse(s.is(i-1)):
		return c
	}
	if i > from && s.name(i-1) && s.name(i+1) {
		span := s.said(i-1, i+1)
		return ordered(span, s.text[span.Start:span.End], s.is(i-1), s.is(i+1))
	}
	if from < i {
		span := s.said(from, to)
		return ordered(span, s.text[span.Start:span.End], s.text[span.Start:s.runs[i-1].end], s.text[next.start:span.End])
	}
	// "Before B, A", and without a comma where a duty begins.
	b := to
	if s.borderBehind(to) == clause {
		to = s.ending(to+1, clause)
	}
	switch {
	case s.has(i, b, "must"):
		for b = i; s.small(b) != "must"; b++ {
		}
		if b--; oneOf(s.small(b), "you", "i", "we", "they", "it") {
			b--
		}
	case to == b || !s.has(b+1, to, "must", "verify", "check", "ask", "please"):
		return c
	}
	if b <= i {
		return c
	}
	span := s.said(i, to)
	return ordered(span, s.text[span.Start:span.End], s.text[s.runs[b+1].start:span.End], s.text[next.start:s.runs[b].end])
}

// name tells whether a run is a name.
func (s *scanner) name(i int) bool {
	r := &s.runs[i]
	return named(s.is(i), r.has) || r.has == lower|hyphen && parted(s.is(i), lower, 1) && technical(s.is(i))
}

// lapse tells whether a word is a stretch of time, as in "48h before".
func lapse(w string) bool {
	if kindOf[w[0]] == digit {
		return true
	}
	return senseOf(w)&(unitOf|periodOf) != 0 || senseOf(strings.TrimSuffix(w, "s"))&periodOf != 0
}

// ordered is what is to come before what.
func ordered(span Span, said, a, b string) statement {
	for _, who := range []string{"you ", "You "} {
		b = strings.TrimPrefix(b, who)
	}
	return newStatement(floor.Ordering, span, append([]string{said}, orders(a, b)...), orders(b, a))
}

func orders(a, b string) []string {
	return []string{"first " + a + ", then " + b, a + " before you " + b, a + " before " + b}
}

// firstThen is "First A, then B" and "A first, then B".
func firstThen(s *scanner, i int) (c statement) {
	from, to := s.around(i, sentence)
	then, b := 0, 0
	for j := i + 1; j <= to && then == 0; j++ {
		switch s.small(j) {
		case "then", "afterwards", "after", "only":
			then, b = j, j+1
		}
	}
	if then == 0 {
		return c
	}
	for b <= to && oneOf(s.small(b), "then", "only", "afterwards", "after", "and") {
		b++
	}
	var first string
	start, _ := s.around(i, clause)
	switch {
	case start == i: // First A, then B
		first = s.text[s.runs[min(i+1, then-1)].start:s.runs[then-1].end]
	default: // A first, then B
		first = s.text[s.runs[max(start, from)].start:s.runs[i-1].end]
	}
	if s.small(then) == "after" && b > to { // "… first and … after"
		b, to = i+1, then-1
		if s.small(b) == "and" {
			b++
		}
	}
	span := s.said(start, max(to, then))
	said := s.text[span.Start:span.End]
	if b > to || first == "" {
		return newStatement(floor.Ordering, span, []string{said}, nil)
	}
	second := s.text[s.runs[b].start:s.runs[to].end]
	first = strings.TrimSuffix(strings.TrimRight(first, ", "), " and")
	return ordered(span, said, first, second)
}

// after is "A after B has been done": what is so is told of what is to come.
func after(s *scanner, i int) (c statement) {
	from, to := s.around(i, clause)
	if i == to || oneOf(s.small(i-1), "only", "and", "day", "shortly", "soon") || s.runs[i+1].has&digit != 0 || s.follows(i, "that", "this", "which", "it") || !s.has(i+1, to, "has", "have", "is", "are") {
		return c
	}
	if s.has(from, i, "had", "was", "were", "did", "has", "have") {
		return c // a tale
	}
	return asSaid(s, floor.Ordering, i)
}

// sequel is "Do A, then B", "A, followed by B", "A prior to B".
func sequel(s *scanner, i int) (c statement) {
	from, to := s.around(i, sentence)
	if i == from || i == to {
		return c
	}
	switch s.small(i) {
	case "followed":
		if !s.follows(i, "by") {
			return c
		}
	case "prior":
		if !s.follows(i, "to") || s.runs[min(i+2, to)].has&digit != 0 {
			return c
		}
	default:
		start, _ := s.around(i, clause)
		if s.small(i-1) != "and" && start != i || !s.orders(from) || s.has(from, i, "first", "if", "when", "only") {
			return c
		}
	}
	span := s.said(from, to)
	return newStatement(floor.Ordering, span, []string{s.text[span.Start:span.End]}, nil)
}

// orders tells whether a sentence that begins with a run may tell the reader to
// do something: no person and no thing stands there, and nothing in the past.
func (s *scanner) orders(from int) bool {
	w := s.small(from)
	return s.runs[from].has&^(lower|upper) == 0 && senseOf(w)&smallOf == 0 && !strings.HasSuffix(w, "ed") && !strings.HasSuffix(w, "ing") && !strings.HasSuffix(w, "ly") &&
		!strings.HasSuffix(w, "s")
}

// onlyThen is "A, and only then B", and "B only after A".
func onlyThen(s *scanner, i int) (c statement) {
	if i == 0 || s.small(i-1) != "only" {
		return c
	}
	from, to := s.around(i, clause)
	start, _ := s.around(i, sentence)
	switch {
	case s.small(i) == "then":
		if start == from {
			return c
		}
		from = start
	case i == to:
		return c
	case from >= i-2 && start < from: // "B, but only after A"
		from, _ = s.around(from-1, clause)
	}
	span := s.said(from, to)
	return newStatement(floor.Ordering, span, []string{s.text[span.Start:span.End]}, nil)
}
