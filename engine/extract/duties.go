package extract

import (
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// obliged is "… must …", "… has to …", "… needs to …", and what is due or owed.
func obliged(s *scanner, i int) (c statement) {
	verb, not := s.negated(i)
	next := i + 1
	switch {
	case not != 0 || next >= len(s.runs) || s.borderBehind(i) != none:
		return c
	case verb == "must" || verb == "shall":
		switch s.small(next) {
		case "never", "say", "admit", "confess", "i", "we":
			return c
		case "have":
			if s.small(next+1) == "been" {
				return c // a guess
			}
		}
	default:
		if !s.follows(i, "to") || oneOf(s.small(i-1), "i", "nothing") {
			return c
		}
		if next++; next >= len(s.runs) || s.borderBehind(next-1) != none {
			return c
		}
	}
	from, _ := s.around(i, clause)
	span := s.said(from, s.ending(next, clause))
	target := s.text[s.runs[next].start:span.End]
	who := strings.TrimSpace(s.text[span.Start:s.runs[i].start])
	said := s.text[span.Start:span.End]
	switch strings.ToLower(who) {
	case "", "you", "and you", "then you", "but you", "and", "we", "i":
		return newStatement(floor.Obligation, span, []string{said, "must " + target, "have to " + target, "need to " + target},
			[]string{"must not " + target, "need not " + target, "do not have to " + target, target + " is no longer needed"})
	}
	return newStatement(floor.Obligation, span, []string{said, who + " must " + target, who + " has to " + target, who + " needs to " + target, who + " shall " + target},
		[]string{who + " must not " + target, who + " need not " + target, who + " does not have to " + target})
}

// owed is what is owed, due, or payable.
func owed(s *scanner, i int) (c statement) {
	if s.small(i) == "due" && !s.dated(i) && !s.follows(i, "by", "on") {
		return c
	}
	return asSaid(s, floor.Obligation, i)
}

// required is "… is required to …".
func required(s *scanner, i int) (c statement) {
	if !s.follows(i, "to") || !oneOf(s.small(i-1), "is", "are", "am", "re", "be") {
		return c
	}
	return asSaid(s, floor.Obligation, i)
}

// ensured is "Make sure …", "Ensure …", "Remember to …", said to the reader.
func ensured(s *scanner, i int) (c statement) {
	from, to := s.around(i, clause)
	switch {
	case i == to, from != i && !oneOf(s.small(i-1), "please", "and", "also", "then", "but", "must", "should"):
		return c
	case s.small(i) == "make" && !s.follows(i, "sure", "certain"), s.small(i) == "remember" && !s.follows(i, "to", "that"):
		return c
	}
	return asSaid(s, floor.Obligation, i)
}

// toBe is what is "to be done".
func toBe(s *scanner, i int) (c statement) {
	from, to := s.around(i, clause)
	if i < from+2 || i == to || s.small(i-1) != "to" || !participle(s.small(i+1)) {
		return c
	}
	if w := s.small(i - 2); s.runs[i-2].has&^(lower|upper) != 0 || oneOf(w, "seem", "seems", "appear", "appears", "want", "wants", "likely", "supposed", "not", "able", "used", "nothing") {
		return c
	}
	return asSaid(s, floor.Obligation, i)
}

// toDo is what a program's comment has still to do: "TODO(name): …".
func toDo(s *scanner, i int) (c statement) {
	if s.runs[i].has != upper {
		return c
	}
	from := i + 1
	if from < len(s.runs) && s.text[s.runs[i].end] == '(' {
		from++ // whose it is
	}
	if from >= len(s.runs) || strings.ContainsRune(s.text[s.runs[i].end:s.runs[from].start], '\n') {
		return c
	}
	span := s.said(from, s.ending(from, sentence))
	return newStatement(floor.Obligation, span, []string{s.text[span.Start:span.End]}, nil)
}

// deadline is "… by Friday" and "… no later than …".
func deadline(s *scanner, i int) (c statement) {
	if s.small(i) == "later" && (s.small(i-1) != "no" || !s.follows(i, "than")) ||
		s.small(i) == "by" && !s.dated(i) && !s.follows(i, "tomorrow", "tonight", "noon", "midnight", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday") {
		return c
	}
	if from, _ := s.around(i, clause); oneOf(s.small(from), "if", "unless", "when") || from == i {
		return c
	}
	return asSaid(s, floor.Obligation, i)
}

// dated tells whether a figure, or a month, stands behind a run.
func (s *scanner) dated(i int) bool {
	return i+1 < len(s.runs) && s.borderBehind(i) == none && (s.runs[i+1].has&digit != 0 || senseOf(s.is(i+1))&monthOf != 0)
}
