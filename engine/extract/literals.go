package extract

import (
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// literals are what is quoted: of more than a word, and not a string of a
// program's.
func (s *scanner) literals() (found []statement) {
	var inner scanner
	for at := 0; at < len(s.text); {
		open := strings.IndexAny(s.text[at:], "\"“„«")
		if open < 0 {
			return found
		}
		open += at
		mark := s.text[open]
		size, closing := 1, "\""
		switch {
		case strings.HasPrefix(s.text[open:], "“"):
			size, closing = len("“"), "”"
		case strings.HasPrefix(s.text[open:], "„"):
			size, closing = len("„"), "“"
		case strings.HasPrefix(s.text[open:], "«"):
			size, closing = len("«"), "»"
		}
		at = open + size
		if mark == '"' && !opensQuote(s.text, open) {
			continue
		}
		const longest = 400
		n := strings.Index(s.text[at:min(at+longest, len(s.text))], closing)
		if n < 0 {
			continue
		}
		span := Span{at, at + n}
		text := s.text[span.Start:span.End]
		at += n + len(closing)
		if mark == '"' && at < len(s.text) && strings.IndexByte(":]}=", s.text[at]) >= 0 || strings.Count(text, "\n") > 1 || !inner.quotable(text) {
			continue
		}
		found = append(found, statement{class: floor.Literal, span: span, forms: []string{text}})
	}
	return found
}

// opensQuote tells whether a straight quote opens one, and none of a program.
func opensQuote(text string, i int) bool {
	if i+1 >= len(text) || text[i+1] == ' ' || text[i+1] == '\n' || text[i+1] == '"' {
		return false
	}
	if i == 0 {
		return true
	}
	before := strings.TrimSuffix(text[:i], " ")
	if before == "" || len(before) == i && strings.IndexByte("\n\t(*", text[i-1]) < 0 {
		return before == ""
	}
	switch last := len(before) - 1; before[last] {
	case '=', '{', '[':
		return false
	case ':', ',': // of a program's map or list, behind another string
		return last > 0 && before[last-1] != '"'
	case '(': // of a call
		k := kinds(0)
		if last > 0 {
			k = kindOf[before[last-1]]
		}
		return k == 0
	}
	return true
}

// quotable tells whether a quoted text is more than a word, or in a script that
// parts none.
func (s *scanner) quotable(text string) bool {
	if strings.TrimSpace(text) != text || text == "" {
		return false
	}
	words, foreign := 0, false
	s.read(text)
	for i := range s.runs {
		if s.runs[i].has&(letters|digit) != 0 {
			words++
		}
		foreign = foreign || s.runs[i].has&letter != 0
	}
	return words > 1 || words == 1 && foreign
}
