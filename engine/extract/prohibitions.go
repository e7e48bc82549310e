package extract

import (
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// conditionWords begin what a target of a prohibition, or a duty, depends on.
var conditionWords = []string{"until", "unless", "because", "since", "if", "when", "so that", "as long as"}

// forbidden is "Do not …", "Don't …", "Never …", said to the reader.
func forbidden(s *scanner, i int) (c statement) {
	verb, next := s.negated(i)
	if verb == "never" {
		next = i + 1
	}
	if next == 0 || next >= len(s.runs) || s.borderBehind(next-1) != none {
		return c
	}
	from := i
	if i > 0 && s.borderBehind(i-1) == none {
		switch s.small(i - 1) {
		case "please", "kindly", "and", "but", "so", "then", "also", "or", "just":
		case "i", "we":
			if verb != "do" || s.small(next) != "want" {
				return c
			}
			from = i - 1
		case "you", "must", "should":
			if verb != "never" || s.small(i-1) == "you" {
				return c
			}
			return forbiddenBy(s, i-1, i+1)
		case "can", "may", "shall":
			if verb != "never" {
				return c
			}
			return forbiddenBy(s, i-1, i+1)
		default:
			return c
		}
	}
	span := s.said(from, s.ending(i, clause))
	whole := s.text[span.Start:span.End]
	target := s.text[s.runs[next].start:span.End]
	what := cutAt(target, conditionWords...)
	said := strings.TrimSuffix(whole, target) + what
	return newStatement(floor.Negation, span, append([]string{said}, forbidding(what)...), deed(what))
}

// forbidding are ways to forbid something.
func forbidding(what string) []string {
	return []string{"do not " + what, "don't " + what, "never " + what, "must not " + what}
}

// deed is what is not to be done, said as if it were; of one word it would be
// said by accident.
func deed(what string) []string {
	if !strings.ContainsAny(what, " \n") {
		return nil
	}
	return []string{what}
}

// forbiddenTo is "… must not …" and "… is not allowed".
func forbiddenTo(s *scanner, i int) (c statement) {
	if w := s.small(i); w == "allowed" || w == "permitted" {
		if i == 0 || s.small(i-1) != "not" {
			return c
		}
		from, to := s.around(i, clause)
		span := s.said(from, to)
		said := s.text[span.Start:span.End]
		not := s.runs[i-1].start - span.Start
		if not < 0 {
			return c
		}
		return newStatement(floor.Negation, span, []string{said}, []string{said[:not] + said[s.runs[i].start-span.Start:]})
	}
	verb, next := s.negated(i)
	if next == 0 || next >= len(s.runs) || s.borderBehind(next-1) != none || verb == "will" && !oneOf(s.small(i-1), "i", "we") {
		return c
	}
	return forbiddenBy(s, i, next)
}

// forbiddenBy is what must not be done, from the verb on, and what it is said
// of.
func forbiddenBy(s *scanner, verb, next int) (c statement) {
	if next >= len(s.runs) {
		return c
	}
	from, _ := s.around(verb, clause)
	span := s.said(from, s.ending(next, clause))
	target := cutAt(s.text[s.runs[next].start:span.End], conditionWords...)
	who := strings.TrimSpace(s.text[span.Start:s.runs[verb].start])
	said := s.text[span.Start:s.runs[next].start] + target
	switch strings.ToLower(who) {
	case "you", "", "and", "but", "please":
		return newStatement(floor.Negation, span, append([]string{said}, forbidding(target)...), deed(target))
	}
	of := func(verbs ...string) (forms []string) {
		for _, v := range verbs {
			forms = append(forms, who+" "+v+" "+target)
		}
		return forms
	}
	return newStatement(floor.Negation, span, append([]string{said}, of("must not", "may not", "must never")...), of("must", "may", "should", "can"))
}

// without is "No …" where a clause begins.
func without(s *scanner, i int) (c statement) {
	if i > 0 && s.borderBehind(i-1) == none || i+1 >= len(s.runs) || s.borderBehind(i) != none {
		return c
	}
	switch s.small(i + 1) {
	case "no", "more", "wait", "idea", "problem", "need", "worries", "one", "longer", "matter", "doubt", "such", "later", "sooner":
		return c
	}
	if s.runs[i+1].has&^(lower|upper|hyphen) != 0 {
		return c // a number, as "No. 5"
	}
	to := s.ending(i, clause)
	if s.has(i, to, "would") {
		return c
	}
	span := s.said(i, to)
	what := s.text[s.runs[i+1].start:span.End]
	return newStatement(floor.Negation, span, []string{s.text[span.Start:span.End], "no " + what, "not any " + what, "without " + what}, nil)
}

// nothing is "Publish nothing …", said to the reader.
func nothing(s *scanner, i int) (c statement) {
	if from, _ := s.around(i, clause); from != i-1 || oneOf(s.small(i-1), "there", "is", "but", "and", "nothing", "almost", "next") {
		return c
	}
	return asSaid(s, floor.Negation, i)
}

// banned is "… is forbidden", "under no circumstances …", "Leave … alone".
func banned(s *scanner, i int) (c statement) {
	from, _ := s.around(i, clause)
	switch s.small(i) {
	case "circumstances":
		if s.small(i-1) != "no" {
			return c
		}
	case "alone", "untouched":
		if !oneOf(s.small(from), "leave", "keep") && !s.has(from, i, "please") {
			return c
		}
	default:
		if !oneOf(s.small(i-1), "is", "are", "be", "strictly", "remains") {
			return c
		}
	}
	return asSaid(s, floor.Negation, i)
}

// shunned is "Avoid …" and "Refrain from …", said to the reader.
func shunned(s *scanner, i int) (c statement) {
	from, to := s.around(i, clause)
	if i == to || s.small(i) == "refrain" && !s.follows(i, "from") || from != i && !oneOf(s.small(i-1), "please", "and", "should", "must", "to") {
		return c
	}
	return asSaid(s, floor.Negation, i)
}

// notTo is "… asked not to …" and "Be careful not to …".
func notTo(s *scanner, i int) (c statement) {
	if !s.follows(i, "to") || !oneOf(s.small(i-1), "careful", "sure", "asked", "told", "agreed", "promised", "decided", "is", "are", "ought", "me", "us", "them", "him", "her", "you") {
		return c
	}
	return asSaid(s, floor.Negation, i)
}

// nobody is "Nobody may …".
func nobody(s *scanner, i int) (c statement) {
	if !s.follows(i, "may", "must", "should", "is", "shall", "can") {
		return c
	}
	if s.has(i+1, i+1, "is", "can") && !s.has(i+2, i+2, "to", "allowed", "permitted") {
		return c // a fact
	}
	return asSaid(s, floor.Negation, i)
}

// noLonger is "… is no longer needed".
func noLonger(s *scanner, i int) (c statement) {
	if i < 2 || s.small(i-1) != "no" || !s.follows(i, "needed", "required", "valid", "allowed", "wanted", "holds") {
		return c
	}
	from, to := s.around(i, clause)
	span := s.said(from, to)
	return newStatement(floor.Negation, span, []string{s.text[span.Start:span.End]}, nil)
}
