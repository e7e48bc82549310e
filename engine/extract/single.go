package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/floorcheck/floorcheck/floor"
)

// single is what a run is by itself.
func (s *scanner) single(i int) floor.Class {
	r, w := &s.runs[i], s.is(i)
	if r.has == lower {
		switch {
		case w == "twice":
			return floor.Quantity
		case s.quoted(i):
			return floor.Identifier
		}
		return ""
	}
	switch {
	case r.has&digit != 0 && figure(w, r.has):
		switch {
		case s.idle(i):
			return ""
		case s.coded(i):
			return floor.Identifier
		}
		return floor.Quantity
	case named(w, r.has):
		if w[0] == '/' && r.start > 0 && s.text[r.start-1] == '<' {
			return "" // </tag>
		}
		return floor.Identifier
	case s.quoted(i), s.about(i):
		return floor.Identifier
	}
	return ""
}

// idle tells whether a figure numbers a list, or a line of a file.
func (s *scanner) idle(i int) bool {
	r := &s.runs[i]
	if c := s.byteBefore(r.start); c == ':' && s.behindFile(r.start-1) {
		return true
	}
	n := r.end - r.start
	if r.has != digit || n > 2 || r.end == len(s.text) {
		return false
	}
	c, next := s.text[r.end], byte(' ')
	if r.end+1 < len(s.text) {
		next = s.text[r.end+1]
	}
	if next != ' ' && next != '\t' {
		return false
	}
	if n == 1 && c == ')' && s.byteBefore(r.start) == '(' && r.end+1 < len(s.text) {
		switch s.byteBefore(r.start - 1) {
		case ' ', '\t', '\n':
			return true
		}
	}
	if c != '.' && c != ')' {
		return false
	}
	for at, from := r.start, s.lineStart(r.start); at > from; at-- {
		switch s.text[at-1] {
		case ' ', '\t', '>', '*', '#', '-':
		default:
			return false
		}
	}
	return true
}

// byteBefore is the byte before i; a line's end where there is none.
func (s *scanner) byteBefore(i int) byte {
	if i <= 0 {
		return '\n'
	}
	return s.text[i-1]
}

// behindFile tells whether the extension of a file ends at i.
func (s *scanner) behindFile(i int) bool {
	from := i
	for from > 0 && kindOf[s.text[from-1]]&(lower|digit) != 0 {
		from--
	}
	return s.byteBefore(from) == '.' && senseOf(s.text[from:i])&fileOf != 0
}

// coded tells whether a figure is a code, a version, or the number of an order.
func (s *scanner) coded(i int) bool {
	r := &s.runs[i]
	before, spaced := "", s.between(i-1) == blank
	if spaced {
		before = s.is(i - 1)
	}
	release := senseOf(before)&releaseOf != 0
	if r.has != digit {
		w := s.is(i)
		dot := digits(w, 0)
		return release && r.has == digit|period && dot > 0 && dot+1 < len(w) && w[dot] == '.' && digits(w, dot+1) == len(w)
	}
	if release || senseOf(before)&codeOf != 0 || s.keyed(r.start) {
		return true
	}
	if r.end-r.start < 4 {
		return false
	}
	switch {
	case senseOf(before)&orderOf != 0:
		return true
	case spaced:
		return before == "in" && s.between(i-2) == blank && s.is(i-2) == "ending"
	case i > 0 && s.between(i-1) == abbreviated:
		switch s.is(i - 1) {
		case "No", "no", "Nr", "nr":
			return true
		}
	}
	return false
}

// keyed tells whether the key of a code, a colon or equals sign, and perhaps a
// space end at i.
func (s *scanner) keyed(i int) bool {
	if s.byteBefore(i) == ' ' {
		i--
	}
	if c := s.byteBefore(i); c != ':' && c != '=' {
		return false
	}
	i--
	if s.byteBefore(i) == '"' {
		i--
	}
	for _, key := range []string{"code", "status", "port", "pid", "id", "Id", "iD", "ID"} {
		if from := i - len(key); from >= 0 && s.text[from:i] == key {
			if !s.wordEnds(from) {
				return key == "Id" && kindOf[s.text[from-1]] == lower
			}
			return true
		}
	}
	return false
}

// wordEnds tells whether a letter, mark or number ends at i.
func (s *scanner) wordEnds(i int) bool {
	if i == 0 {
		return true
	}
	r, _ := utf8.DecodeLastRuneInString(s.text[:i])
	return !unicode.In(r, unicode.L, unicode.M, unicode.N)
}

// quoted tells whether the quotes around a run make it a name.
func (s *scanner) quoted(i int) bool {
	r := &s.runs[i]
	if r.start == 0 || r.end == len(s.text) || s.text[r.start-1] != s.text[r.end] {
		return false
	}
	w := s.is(i)
	switch s.text[r.end] {
	case '`':
		return len(w) > 1 && r.has&^(lower|upper|hyphen) == 0 && kindOf[w[0]]&(lower|upper) != 0 && allOf(w[1:], lower|hyphen)
	case '"', '\'':
		return r.has == lower|hyphen && parted(w, lower, 1) || r.has == upper && len(w) > 1 && senseOf(w)&commonOf == 0
	}
	return false
}

// about tells whether the word before a run makes it a name, or what it is made
// of.
func (s *scanner) about(i int) bool {
	r, w := &s.runs[i], s.is(i)
	before := ""
	if r.has != lower|hyphen && (r.has != upper || len(w) != 3) {
		return false
	}
	if s.between(i-1) == blank {
		before = s.is(i - 1)
	}
	if r.has == upper {
		switch before {
		case "from", "From", "to", "To", "via", "Via":
			return senseOf(w)&commonOf == 0
		}
		return false
	}
	return parted(w, lower, 1) && (technical(w) || senseOf(before)&thingOf != 0)
}

// technical tells whether a hyphened name has a part that is technical, or that
// nobody can say, or ends with a letter.
func technical(w string) bool {
	first, _, _ := strings.Cut(w, "-")
	if len(first) > 1 && w[len(w)-2] == '-' {
		return true
	}
	for part := range strings.SplitSeq(w, "-") {
		if senseOf(part)&partOf != 0 || len(part) > 1 && !strings.ContainsAny(part, "aeiouy") {
			return true
		}
	}
	return false
}
