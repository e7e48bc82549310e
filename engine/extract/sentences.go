package extract

import (
	"strings"
	"unicode/utf8"
)

// A border is what separates two runs as parts of speech.
type border uint8

const (
	none     border = iota // they belong together
	clause                 // a comma
	sentence               // a period, a colon, a dash, the end of a paragraph
)

// How far a clause reaches to either side of the word that makes it one. What
// is longer was not said by anybody.
const (
	farRuns  = 48
	farBytes = 2048
)

// borderBehind is what separates the i-th run from the next one.
func (s *scanner) borderBehind(i int) border {
	if i+1 >= len(s.runs) {
		return sentence
	}
	r, next := &s.runs[i], &s.runs[i+1]
	between := s.text[r.end:next.start]
	if len(between) > farBytes {
		return sentence
	}
	if between == " " && next.has != hyphen && r.has != hyphen { // nearly always
		if next.has == lower && next.end-next.start == 3 && s.turns(i+1) {
			return clause
		}
		return none
	}
	if dashes(r.has) || dashes(next.has) {
		return sentence
	}
	found := none
	if len(between) > 1 && strings.Trim(between, " ") == "" {
		found = clause // a table's column
	}
	for j := 0; j < len(between); j++ {
		last := j+1 == len(between)
		spaced := !last && (between[j+1] == ' ' || between[j+1] == '\n' || between[j+1] == '\r')
		switch c := between[j]; c {
		case '.':
			if (spaced || last || strings.IndexByte("\"')]*_`", between[j+1]) >= 0) && !s.abbreviation(i) {
				return sentence
			}
		case '!', '?', ';', '|', '{', '}', '[', ']', '\t', '=', '<', '>', '#':
			return sentence
		case ':':
			if spaced || last || between[j+1] == '"' {
				return sentence
			}
		case ',':
			if spaced && next.has&digit == 0 { // "Thursday, 14:00" goes on
				found = clause
			}
		case '\n':
			if !s.wraps(r, next, between) {
				return sentence
			}
		case 0xE2: // dashes, an ellipsis
			if rest := between[j:]; strings.HasPrefix(rest, "—") || strings.HasPrefix(rest, "…") || strings.HasPrefix(rest, "–") && between != "–" || strings.HasPrefix(rest, "→") || strings.HasPrefix(rest, "•") {
				return sentence
			}
		}
	}
	return found
}

// turns tells whether another clause begins with a "but", or with an "and" that
// has its own verb or person behind it.
func (s *scanner) turns(i int) bool {
	switch s.is(i) {
	case "but":
		return !oneOf(s.small(i-1), "anywhere", "anything", "anyone", "nothing", "nobody", "none", "all", "everything")
	case "and":
		switch s.small(i + 1) {
		case "i", "it", "we", "you", "they", "he", "she", "this", "that", "there", "must", "may", "should", "never", "do", "don", "if":
			return true
		}
	}
	return false
}

// dashes tells whether a run is a dash or the mark of a list.
func dashes(has kinds) bool { return has == hyphen || has == hyphen|sign }

// wraps tells whether a sentence goes on on the next line: a word stands at its
// end, and a small letter begins the next one.
func (s *scanner) wraps(r, next *run, between string) bool {
	return strings.Count(between, "\n") == 1 && strings.Trim(between, " \r\n,") == "" && kindOf[s.text[next.start]] == lower &&
		r.has&^(lower|upper|hyphen) == 0
}

// abbreviation tells whether the period behind a run is its own.
func (s *scanner) abbreviation(i int) bool {
	switch s.is(i) {
	case "e.g", "i.e", "cf", "incl", "excl", "approx", "min", "max", "vs", "Mr", "Mrs", "Ms", "Dr", "St", "No", "no", "Nr", "nr", "p.a", "resp":
		return true
	}
	return false
}

// around are the first and the last run of the clause, or the sentence, that a
// run stands in.
func (s *scanner) around(i int, b border) (from, to int) {
	for from = i; from > 0 && i-from < farRuns && s.runs[i].start-s.runs[from-1].start < farBytes && s.borderBehind(from-1) < b; from-- {
	}
	return from, s.ending(i, b)
}

// ending is the last run of the clause, or the sentence, that a run stands in.
func (s *scanner) ending(i int, b border) (to int) {
	for to = i; to+1 < len(s.runs) && to-i < farRuns && s.runs[to+1].end-s.runs[i].end < farBytes && s.borderBehind(to) < b; to++ {
	}
	return to
}

// endless tells whether no end of the clause that a run stands in is near.
func (s *scanner) endless(i int) bool {
	from, to := s.around(i, clause)
	return from > 0 && s.borderBehind(from-1) == none || to+1 < len(s.runs) && s.borderBehind(to) == none
}

// said is the text of runs, with the quotes and brackets that close what is
// opened in it.
func (s *scanner) said(from, to int) Span {
	span := Span{s.runs[from].start, s.runs[to].end}
	if section := s.section(from); section >= 0 {
		span.Start = section
	}
	text := s.text[span.Start:span.End]
	ticks, quotes := strings.Count(text, "`")%2, strings.Count(text, `"`)%2
	brackets := strings.Count(text, "(") - strings.Count(text, ")")
	for ; span.End < len(s.text); span.End++ {
		opened := &brackets
		switch s.text[span.End] {
		case '`':
			opened = &ticks
		case '"':
			opened = &quotes
		case ')':
		default:
			return span
		}
		if *opened <= 0 {
			return span
		}
		*opened--
	}
	return span
}

// small is the text of a run in small letters, "" where there is none.
func (s *scanner) small(i int) string {
	if i < 0 || i >= len(s.runs) {
		return ""
	}
	w := s.is(i)
	if s.runs[i].has&upper != 0 && len(w) < 16 {
		return strings.ToLower(w)
	}
	return w
}

// follows tells whether a word stands behind a run in the same clause.
func (s *scanner) follows(i int, words ...string) bool {
	if s.borderBehind(i) != none {
		return false
	}
	next := s.small(i + 1)
	for _, w := range words {
		if next == w {
			return true
		}
	}
	return false
}

// negated is the run behind a verb and its "not": "must not", "mustn't"; 0
// where there is none. The verb is given as it is without.
func (s *scanner) negated(i int) (verb string, next int) {
	verb = s.small(i)
	if s.follows(i, "not") {
		return verb, i + 2
	}
	if i+1 >= len(s.runs) || s.is(i+1) != "t" && s.is(i+1) != "T" {
		return verb, 0
	}
	if apostrophe := s.text[s.runs[i].end:s.runs[i+1].start]; apostrophe != "'" && apostrophe != "’" {
		return verb, 0
	}
	switch verb {
	case "can":
		return verb, i + 2
	case "won":
		return "will", i + 2
	}
	return strings.TrimSuffix(verb, "n"), i + 2
}

// plainly is a text as it stands in a form: without what only marks it up.
func plainly(text string) string {
	if !strings.ContainsAny(text, "`*") {
		return text
	}
	return strings.NewReplacer("`", "", "**", "", "*", "").Replace(text)
}

// cutAt is a text up to the first of these words, which say when or why.
func cutAt(text string, words ...string) string {
	end := len(text)
	for _, w := range words {
		for from := 0; ; {
			at := indexFold(text[from:], w)
			if at < 0 {
				break
			}
			at += from
			if at > 0 && (text[at-1] == ' ' || text[at-1] == '\n') && at+len(w) < len(text) && (text[at+len(w)] == ' ' || text[at+len(w)] == '\n') {
				end = min(end, at)
				break
			}
			from = at + len(w)
		}
	}
	return strings.TrimRight(text[:end], " \n\r\t,(")
}

// indexFold finds an ASCII word in small letters.
func indexFold(text, word string) int {
	for i := 0; i+len(word) <= len(text); i++ {
		if strings.EqualFold(text[i:i+len(word)], word) && utf8.ValidString(text[i:i+len(word)]) {
			return i
		}
	}
	return -1
}
