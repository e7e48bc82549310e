package extract

import (
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// The ways to say that something is done, and that it is open.
var (
	doneWords = []string{"done", "finished", "completed", "complete", "closed", "resolved"}
	openWords = []string{"open", "pending", "outstanding"}
)

// stated is "… is done", "…: open".
func stated(s *scanner, i int) (c statement) {
	from, to := s.around(i, clause)
	word, begin := s.small(i), i
	if word == "progress" && s.small(i-1) != "in" {
		return c
	}
	for begin > from && oneOf(s.small(begin-1), "still", "already", "not", "yet", "now", "been", "in", "fully", "partly", "just") {
		begin--
	}
	verb := begin - 1
	var task string
	span := s.said(from, to)
	switch {
	case verb > from && oneOf(s.small(verb), "is", "are", "was", "were", "has", "have", "had", "remains", "stays"):
		if i == to {
			task = s.text[s.runs[from].start:s.runs[verb-1].end]
		}
	case begin == from && begin > 0 && s.headed(begin): // "…: open", and what else is said of it
		start, _ := s.around(begin-1, clause)
		head := s.said(start, begin-1)
		task = s.text[head.Start:head.End]
		span = s.said(begin, s.ending(i, sentence))
		if s.text[head.End] == ' ' { // a line of a table
			span = Span{head.Start, s.said(begin, to).End}
		}
	case begin == from && s.runs[i].has == lower|upper && i < to && word != "open": // "Merged as …", not "Open …"
	default:
		return c
	}
	said := s.text[span.Start:span.End]
	if task == "" || s.has(max(verb, from), i-1, "not") {
		return newStatement(floor.Status, span, []string{said}, nil)
	}
	forms := []string{said, task + " is " + word, task + ": " + word}
	switch {
	case oneOf(word, doneWords...):
		return newStatement(floor.Status, span, forms, undone(task, openWords, word))
	case oneOf(word, openWords...):
		return newStatement(floor.Status, span, append(forms, task+" is still "+word), undone(task, doneWords, word))
	}
	return newStatement(floor.Status, span, forms, undone(task, nil, word))
}

// headed tells whether a colon stands before a run, or much space, as in a
// table.
func (s *scanner) headed(i int) bool {
	before := s.text[s.runs[i-1].end:s.runs[i].start]
	return strings.HasPrefix(before, ":") || strings.Trim(before, " ") == "" && len(before) > 1
}

// perfect is "I have merged …" and "… has not changed".
func perfect(s *scanner, i int) (c statement) {
	next := i + 1
	for next < len(s.runs) && s.borderBehind(next-1) == none && oneOf(s.small(next), "not", "already", "just", "now", "been", "also", "never") {
		next++
	}
	if next >= len(s.runs) || s.borderBehind(next-1) != none || !participle(s.small(next)) {
		return c
	}
	from, _ := s.around(i, clause)
	if from == i || s.has(from, i-1, "if", "when", "unless", "before", "after", "until", "once", "as", "to", "only", "would", "could", "should", "might", "may", "must") {
		return c // a condition, not a state
	}
	return asSaid(s, floor.Status, i)
}

// passive is "… is not set for …" and "… is already paid".
func passive(s *scanner, i int) (c statement) {
	_, next := s.negated(i)
	if next == 0 && s.follows(i, "still", "already", "now") {
		next = i + 2
	}
	if next == 0 || next >= len(s.runs) || s.borderBehind(next-1) != none || !participle(s.small(next)) || oneOf(s.small(next), "allowed", "permitted", "needed") {
		return c
	}
	if from, _ := s.around(i, clause); from == i || oneOf(s.small(from), "if", "when", "unless", "that", "which") {
		return c
	}
	return asSaid(s, floor.Status, i)
}

// participle tells whether a word says that something was done.
func participle(w string) bool {
	if len(w) > 4 && strings.HasSuffix(w, "ed") && !strings.HasSuffix(w, "eed") {
		return true
	}
	return oneOf(w, "done", "sent", "set", "put", "run", "made", "built", "found", "left", "lost", "broken", "begun", "chosen", "frozen", "given", "held", "kept",
		"paid", "read", "sold", "struck", "taken", "written")
}

// undone are the ways to say the opposite of a status.
func undone(task string, words []string, word string) (out []string) {
	for _, w := range words {
		out = append(out, task+" is "+w, task+" is still "+w, task+": "+w)
	}
	return append(out, task+" is not "+word, task+" is not yet "+word)
}

// outcome is "FAIL: X", "ERROR X", in the lines of a log.
func outcome(s *scanner, i int) (c statement) {
	if s.runs[i].has != upper || i+1 >= len(s.runs) {
		return c
	}
	between := s.text[s.runs[i].end:s.runs[i+1].start]
	next := &s.runs[i+1]
	if strings.Trim(between, ": \t") != "" || next.has&(lower|digit|underscore) == 0 || !named(s.is(i+1), next.has) {
		return c
	}
	span := Span{s.runs[i].start, next.end}
	return newStatement(floor.Status, span, []string{s.text[span.Start:span.End]}, nil)
}

// valued is "status: open", in the keys and values of a program or a table.
func valued(s *scanner, i int) (c statement) {
	if i+1 >= len(s.runs) || s.runs[i+1].has&^(lower|upper|underscore|hyphen) != 0 {
		return c
	}
	between := s.text[s.runs[i].end:s.runs[i+1].start]
	marked := strings.ContainsAny(between, ":=") || len(between) > 1
	if strings.Trim(between, `":= `) != "" || !marked && (s.runs[i].has != upper || s.runs[i+1].has == upper) {
		return c
	}
	span := s.said(i, s.ending(i+1, clause))
	if strings.Contains(between, `"`) {
		span = Span{s.runs[s.member(i)].start, s.runs[i+1].end}
	}
	return newStatement(floor.Status, span, []string{s.text[span.Start:span.End]}, nil)
}

// member is the run that begins the object of a program that a key is in, so
// that a state is told with what it is of.
func (s *scanner) member(i int) int {
	const most = 16 // runs
	for from := i; from > 0 && i-from < most; from-- {
		between := s.text[s.runs[from-1].end:s.runs[from].start]
		switch {
		case strings.Contains(between, "{"):
			return from
		case strings.ContainsAny(between, "}\n"):
			return i
		}
	}
	return i
}

// happened is "… failed" and "… stopped answering".
func happened(s *scanner, i int) (c statement) {
	from, to := s.around(i, clause)
	if from == i || oneOf(s.small(i-1), "is", "are", "was", "were", "been", "be", "has", "have", "had", "the", "a", "not") {
		return c
	}
	if s.has(from, i, "if", "when", "unless", "until", "before", "after", "once", "that", "which") {
		return c
	}
	if next := s.small(i + 1); i != to && !oneOf(next, "with", "on", "at", "to", "in", "because", "again", "for", "since", "today", "yesterday") && !strings.HasSuffix(next, "ing") {
		return c
	}
	return asSaid(s, floor.Status, i)
}

// waits is "… waiting for …".
func waits(s *scanner, i int) (c statement) {
	if from, to := s.around(i, clause); i == to || s.small(i) == "waiting" && !s.follows(i, "for", "on") || s.has(from, i, "if", "while", "after", "before", "without") {
		return c
	}
	return asSaid(s, floor.Status, i)
}

// yet is "not yet …" and "nothing … yet".
func yet(s *scanner, i int) (c statement) {
	from, to := s.around(i, clause)
	if !s.has(from, to, "not", "nothing", "nobody", "none", "no", "never", "hasn", "haven", "isn", "aren", "wasn") {
		return c
	}
	if s.small(from) == "publish" || s.small(from) == "do" || s.small(from) == "don" {
		return c // a prohibition
	}
	return asSaid(s, floor.Status, i)
}
