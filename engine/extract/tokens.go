package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/floorcheck/floorcheck/floor"
)

// A Token is a name or a figure where a text says it: bytes Start up to End.
type Token struct {
	Class      floor.Class // Identifier or Quantity
	Start, End int
}

// A scanner reads one text after the other. What begins with a run is decided
// by that run, those near it, and what stands between.
type scanner struct {
	text string
	runs []run
}

// tokens takes at each run the first that there is, and goes on behind it: a
// section, names glued together, the most runs that are one thing, the run
// alone.
func (s *scanner) tokens(found []Token) []Token {
	for i := 0; i < len(s.runs); {
		r := &s.runs[i]
		if r.has&^(lower|upper) == 0 && r.has != upper && s.unmarked(r) {
			if w := s.text[r.start:r.end]; !mayStart(w) && (r.has == lower || !humped(w)) {
				i++ // nearly every word
				continue
			}
		}
		t, n := s.token(i)
		if n > 0 {
			found = append(found, t)
		}
		i += max(n, 1)
	}
	return found
}

// unmarked tells whether nothing directly around a run makes it a name or part
// of one.
func (s *scanner) unmarked(r *run) bool {
	if r.start > 0 && s.text[r.start-1] == '`' || r.end == len(s.text) {
		return false
	}
	c := s.text[r.end]
	return c != ':' && c != '.'
}

// token is what begins with a run, and of how many runs it is; 0 is nothing.
func (s *scanner) token(i int) (Token, int) {
	r := &s.runs[i]
	t := Token{floor.Identifier, r.start, r.end}
	if startsMarked(s.text[r.start:r.end]) {
		return t, 0
	}
	if start := s.section(i); start >= 0 {
		t.Start = start
		return t, 1
	}
	if n := s.glued(i, &t); n > 0 {
		return t, n
	}
	n, class := s.several(i)
	if n == 0 {
		if n, class = 1, s.single(i); class == "" {
			return t, 0
		}
	}
	t.Class, t.End = class, s.runs[i+n-1].end
	if class == floor.Quantity {
		t.Start = s.currency(r)
	}
	return t, n
}

// startsMarked tells whether a text begins with a mark, such as an accent. The
// character before it may be one with it when both are folded, so that what
// begins there would not be found again.
func startsMarked(text string) bool {
	if text[0] < utf8.RuneSelf {
		return false
	}
	c, _ := utf8.DecodeRuneInString(text)
	return unicode.IsMark(c)
}

// lineStart is how far to look back from i: the beginning of the line, at most
// so many bytes off.
func (s *scanner) lineStart(i int) int {
	const far = 48
	from := max(i-far, 0)
	for from < i && s.text[from]&0xC0 == 0x80 {
		from++
	}
	for j := i; j > from; j-- {
		if s.text[j-1] == '\n' {
			return j
		}
	}
	return from
}

// A gap is what stands between two runs.
type gap uint8

const (
	far         gap = iota // none of the following
	blank                  // one space
	dash                   // an en dash
	cross                  // ×
	degree                 // °
	comma                  // a comma and a space
	abbreviated            // a period and a space
)

func gapOf(between string) gap {
	spaced := spaceAt(between)
	switch between[spaced:] {
	case "":
		if spaced > 0 {
			return blank
		}
	case "–":
		if spaced == 0 {
			return dash
		}
	case "°":
		return degree
	}
	switch c := between[0]; {
	case (c == ',' || c == '.') && len(between) > 1 && spaceAt(between[1:]) == len(between)-1:
		if c == ',' {
			return comma
		}
		return abbreviated
	}
	if rest := between[spaced:]; len(rest) >= len("×") && rest[:len("×")] == "×" {
		if behind := rest[len("×"):]; spaceAt(behind) == len(behind) {
			return cross
		}
	}
	return far
}

// spaceAt is the length of the one space that a text begins with, or 0.
func spaceAt(text string) int {
	switch {
	case text == "":
	case text[0] == ' ':
		return 1
	case text[0] == 0xC2 && len(text) > 1 && text[1] == 0xA0:
		return len("\u00A0")
	case text[0] == 0xE2 && len(text) > 2 && text[1] == 0x80 && text[2] == 0xAF:
		return len("\u202F")
	}
	return 0
}

// spaceBefore is the length of the one space that ends before i, or 0.
func (s *scanner) spaceBefore(i int) int {
	for _, n := range []int{1, len("\u00A0"), len("\u202F")} {
		if i >= n && spaceAt(s.text[i-n:i]) == n {
			return n
		}
	}
	return 0
}

// between is the gap behind the i-th run.
func (s *scanner) between(i int) gap {
	if i < 0 || i+1 >= len(s.runs) {
		return far
	}
	from, to := s.runs[i].end, s.runs[i+1].start
	const longest = len("\u202F×\u202F")
	if to-from > longest {
		return far
	}
	return gapOf(s.text[from:to])
}

// currency is where a figure begins, with the sign of a currency or a minus
// that stands before it.
func (s *scanner) currency(r *run) int {
	if kindOf[s.text[r.start]] != digit || r.start == 0 {
		return r.start
	}
	const minus = "−"
	// free tells whether nothing is glued to what begins at i.
	free := func(i int) bool {
		k := kinds(0)
		if i > 0 {
			_, size := utf8.DecodeLastRuneInString(s.text[:i])
			k, _ = kindAt(s.text, i-size)
		}
		return k == 0
	}
	at := r.start
	if strings.HasSuffix(s.text[:at], minus) {
		if free(at - len(minus)) {
			return at - len(minus)
		}
		return r.start
	}
	at -= s.spaceBefore(at)
	for _, sign := range []string{"€", "£", "¥", "₹"} {
		if !strings.HasSuffix(s.text[:at], sign) {
			continue
		}
		at -= len(sign)
		if strings.HasSuffix(s.text[:at], minus) && free(at-len(minus)) {
			return at - len(minus)
		}
		if free(at) {
			return at
		}
	}
	return r.start
}
