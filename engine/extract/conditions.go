package extract

import (
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// onlyIf is "A only if B", "Only A if B", and what else "only" bounds.
func onlyIf(s *scanner, i int) (c statement) {
	from, to := s.around(i, clause)
	bounds := s.follows(i, "if", "when", "after", "with", "inside", "between", "up", "until", "in", "at", "on", "for", "by", "from", "once")
	if i != from && !bounds {
		return c
	}
	span := s.said(from, to)
	said := s.text[span.Start:span.End]
	forms := []string{said}
	switch {
	case s.follows(i, "if") && i+2 <= to:
		if a, b := strings.TrimSpace(s.text[span.Start:s.runs[i].start]), s.text[s.runs[i+2].start:span.End]; a != "" {
			forms = append(forms, allowing(a, b)...)
		}
	case i == from && !bounds:
		for j := i + 2; j < to; j++ {
			if s.small(j) == "if" {
				forms = append(forms, allowing(s.text[s.runs[i+1].start:s.runs[j-1].end], s.text[s.runs[j+1].start:span.End])...)
				break
			}
		}
	}
	return newStatement(floor.Constraint, span, forms, nil)
}

func allowing(a, b string) []string {
	return []string{a + " only if " + b, "only " + a + " if " + b, a + ", only if " + b}
}

// conditional is "If A, B", "… unless A", "provided that A", "When A, B".
func conditional(s *scanner, i int) (c statement) {
	word := s.small(i)
	from, to := s.around(i, clause)
	if i == from+1 && oneOf(s.small(from), "and", "but", "so") {
		from = i
	}
	switch {
	case i+1 >= len(s.runs) || s.borderBehind(i) != none:
		return c
	case word == "provided" && !s.follows(i, "that"):
		return c
	case word == "unless" || word == "provided":
		span := s.said(from, to)
		return newStatement(floor.Constraint, span, []string{s.text[span.Start:span.End]}, nil)
	case i > 0 && s.small(i-1) == "only":
		return c
	case i != from: // "A if B"
		if s.has(from, i, "may", "can", "must", "shall") {
			return asSaid(s, floor.Constraint, i)
		}
		if word != "if" || oneOf(s.small(i-1), "as", "see", "check", "know", "ask", "wonder", "even", "tell") {
			return c
		}
		span := s.said(from, to)
		said := s.text[span.Start:span.End]
		return newStatement(floor.Constraint, Span{s.runs[i].start, span.End},
			append([]string{said}, allowing(strings.TrimSpace(s.text[span.Start:s.runs[i].start]), s.text[s.runs[i+1].start:span.End])...), nil)
	case word == "if" && (s.follows(i, "anything", "i", "so", "not") || s.follows(i, "you") && s.follows(i+1, "ask")):
		return c // "if you ask me", "if I had to choose"
	}
	_, end := s.around(i, sentence)
	span := s.said(i, end)
	said := s.text[span.Start:span.End]
	forms := []string{said}
	if end > to && s.borderBehind(to) == clause {
		a, b := s.text[s.runs[min(i+1, to)].start:s.runs[to].end], s.text[s.runs[to+1].start:span.End]
		forms = append(forms, b+" "+word+" "+a)
		if word == "if" {
			forms = append(forms, allowing(b, a)...)
		}
	}
	return newStatement(floor.Constraint, span, forms, nil)
}

// depending is "In case A, B", "subject to A", "It depends on A", "limited to A".
func depending(s *scanner, i int) (c statement) {
	from, to := s.around(i, clause)
	word := s.small(i)
	switch {
	case i == to:
		return c
	case word == "case":
		if s.small(i-1) != "in" || s.follows(i, "of") && i-1 != from || s.follows(i, "you") {
			return c
		}
	case word == "event":
		if s.small(i-1) != "the" || s.small(i-2) != "in" {
			return c
		}
	case word == "depends" && !s.follows(i, "on"), word != "depends" && !s.follows(i, "to"):
		return c
	}
	if i-from < 3 && (word == "case" || word == "event") {
		to = s.ending(i, sentence)
	}
	span := s.said(from, to)
	return newStatement(floor.Constraint, span, []string{s.text[span.Start:span.End]}, nil)
}

// soon is "As soon as A, B", and "as long as A".
func soon(s *scanner, i int) (c statement) {
	if i == 0 || !oneOf(s.small(i-1), "as", "so") || !s.follows(i, "as") {
		return c
	}
	from, _ := s.around(i, clause)
	span := s.said(from, s.ending(i, sentence))
	return newStatement(floor.Constraint, span, []string{s.text[span.Start:span.End]}, nil)
}

// bounded is what holds until a time, and at most so much.
func bounded(s *scanner, i int) (c statement) {
	figures := i+1 < len(s.runs) && s.borderBehind(i) == none && s.runs[i+1].has&digit != 0
	switch s.small(i) {
	case "until":
	case "most", "least":
		if s.small(i-1) != "at" {
			return c
		}
		figures = true
	case "max":
		figures = figures || i > 0 && s.runs[i-1].has&digit != 0
	case "more":
		figures = s.small(i-1) == "no" && s.follows(i, "than")
	case "up":
		figures = s.follows(i, "to") && s.dated(i+1) || s.follows(i, "to") && senseOf(s.small(i+2))&currencyOf != 0
	}
	if !figures {
		return c
	}
	from, _ := s.around(i, clause)
	if s.has(from, i, "have", "has", "ve", "must", "should", "by") {
		return c // a state, or a duty
	}
	return asSaid(s, floor.Constraint, i)
}

// exempt is what a rule is not about.
func exempt(s *scanner, i int) (c statement) {
	from, _ := s.around(i, clause)
	switch s.small(i) {
	case "exclude":
		if from != i {
			return c
		}
	case "exempt":
		if !s.follows(i, "from") {
			return c
		}
	default: // "except …"
		if i+1 >= len(s.runs) || s.borderBehind(i) != none {
			return c
		}
	}
	return asSaid(s, floor.Constraint, i)
}
