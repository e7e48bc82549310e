package extract

import (
	"github.com/floorcheck/floorcheck/floor"
)

// guessed is "Perhaps A" and "A is probably so".
func guessed(s *scanner, i int) (c statement) {
	from, to := s.around(i, clause)
	if s.small(i) == "likely" && (i == from || !oneOf(s.small(i-1), "is", "are", "most", "very", "quite", "more")) {
		return c
	}
	span := s.said(from, to)
	said := s.text[span.Start:span.End]
	if i != from || i == to {
		return newStatement(floor.Hypothesis, span, []string{said}, nil)
	}
	return newStatement(floor.Hypothesis, span, append([]string{said}, guessing(s.text[s.runs[i+1].start:span.End])...), nil)
}

func guessing(what string) []string {
	return []string{"maybe " + what, "perhaps " + what, "possibly " + what}
}

// guessedBy is "I think A".
func guessedBy(s *scanner, i int) (c statement) {
	by := i - 1
	for by > 0 && oneOf(s.small(by), "d", "would", "still", "also", "do", "can", "only") {
		by--
	}
	if who := s.small(by); who != "i" && who != "we" || s.borderBehind(i-1) != none || i+1 >= len(s.runs) {
		return c
	}
	from, to := s.around(i, clause)
	if from < by && !oneOf(s.small(from), "and", "but", "so") {
		return c // "what I think", "as I believe"
	}
	if to == i && s.borderBehind(i) == clause {
		return c // "…, I suppose, …"
	}
	if to == i { // "I believe: A"
		to = s.ending(i+1, clause)
	}
	from = by
	span := s.said(from, to)
	what := s.text[s.runs[i+1].start:span.End]
	return newStatement(floor.Hypothesis, span, append([]string{s.text[span.Start:span.End]}, guessing(what)...), nil)
}

// mayBe is "A might be so", "it could be that A", "It is possible that A".
func mayBe(s *scanner, i int) (c statement) {
	next := i + 1
	if s.small(i) == "possible" {
		if !s.follows(i, "that") {
			return c
		}
	} else {
		for s.follows(next-1, "also", "well") {
			next++
		}
		if !s.follows(next-1, "be") && (!s.follows(next-1, "have") || s.small(i) == "could" && !s.follows(next, "been")) && (s.small(i) != "might" || s.borderBehind(next-1) != none || next != i+1) || s.follows(next, "wrong") {
			return c
		}
	}
	return asSaid(s, floor.Hypothesis, i)
}

// seems is "It seems that A", "A appears to be so", "It looks like A".
func seems(s *scanner, i int) (c statement) {
	if i == 0 || !s.follows(i, "to", "like", "that", "as") || oneOf(s.small(i-1), "to", "not", "t", "if") {
		return c
	}
	if look := s.small(i); (look == "looks" || look == "look") && !s.follows(i, "like", "as") {
		return c
	}
	return asSaid(s, floor.Hypothesis, i)
}

// theory is "My guess is …", "One hypothesis: …".
func theory(s *scanner, i int) (c statement) {
	if !oneOf(s.small(i-1), "my", "our", "one", "working", "first", "best", "current", "main", "likely", "leading") {
		return c
	}
	from, to := s.around(i, clause)
	if i == to {
		to = s.ending(min(i+1, len(s.runs)-1), clause)
	}
	span := s.said(from, to)
	return newStatement(floor.Hypothesis, span, []string{s.text[span.Start:span.End]}, nil)
}
