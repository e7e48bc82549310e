package extract

import (
	"strings"
)

// section is where a section's sign stands before its number; -1 is nowhere.
func (s *scanner) section(i int) int {
	r := &s.runs[i]
	if r.has&digit == 0 || r.start == 0 || !sectionNumber(s.is(i)) {
		return -1
	}
	const mark = "§"
	at := r.start
	for n := s.spaceBefore(at); n > 0; n = s.spaceBefore(at) {
		at -= n
	}
	signed := func(at int) bool { return at >= len(mark) && s.text[at-len(mark):at] == mark }
	if !signed(at) {
		return -1
	}
	from := s.lineStart(r.start)
	at -= len(mark)
	if at < from {
		return -1
	}
	if signed(at) && at-len(mark) >= from {
		at -= len(mark)
	}
	return at
}

// sectionNumber tells whether a run is like 3, 3.1 or 3.1b.
func sectionNumber(w string) bool {
	i := digits(w, 0)
	for ok := i > 0; ok && i < len(w) && w[i] == '.'; {
		end := digits(w, i+1)
		if end == i+1 {
			return false
		}
		i = end
	}
	return i > 0 && (i == len(w) || i == len(w)-1 && kindOf[w[i]] == lower)
}

// glued is what holds together by more than joiners, and of how many runs it
// is.
func (s *scanner) glued(i int, t *Token) (n int) {
	behind := s.runs[i].end
	for behind < len(s.text) && s.text[behind] == '.' {
		behind++
	}
	if behind == len(s.text) {
		return 0
	}
	end := -1
	switch s.text[behind] {
	case ':':
		if end = s.address(i, behind); end < 0 && behind == s.runs[i].end {
			if end = s.drive(i); end < 0 {
				end = s.pairs(i)
			}
		}
	case '(':
		end = s.method(i, behind)
	}
	if end >= 0 {
		t.End = end
		for i+n < len(s.runs) && s.runs[i+n].start < end {
			n++
		}
		return n
	}
	for i+n+1 < len(s.runs) && s.colon(i+n) {
		n++
	}
	if n == 0 {
		return 0
	}
	t.End = s.runs[i+n].end
	return n + 1
}

// address is the end of a URL whose scheme ends before the colon; -1 is none.
func (s *scanner) address(i, colon int) int {
	r := &s.runs[i]
	if r.has&(lower|upper) == 0 || r.has&^(lower|upper|digit|period|hyphen|sign) != 0 || !strings.HasPrefix(s.text[colon:], "://") {
		return -1
	}
	for at := r.start; at < r.end; at++ {
		if c := s.text[at]; kindOf[c] == sign && c != '+' || at == r.start && kindOf[c]&(lower|upper) == 0 {
			return -1
		}
	}
	return s.lastName(colon+len("://"), ":?=&;,!*")
}

// lastName is the end of the last run character that is no period, of those
// from i on, with others allowed between; -1 is none.
func (s *scanner) lastName(i int, others string) int {
	end := -1
	for i < len(s.text) {
		k, size := kindAt(s.text, i)
		if k == 0 && strings.IndexByte(others, s.text[i]) < 0 {
			break
		}
		i += size
		if k != 0 && k != period {
			end = i
		}
	}
	if end >= 0 && !endsRun(s.text, end) {
		return -1
	}
	return end
}

// drive is the end of a path that begins with a drive.
func (s *scanner) drive(i int) int {
	r := &s.runs[i]
	if r.end-r.start != 1 || r.has&(lower|upper) == 0 || !strings.HasPrefix(s.text[r.end:], `:\`) {
		return -1
	}
	return s.lastName(r.end+len(`:\`), "*")
}

// method is the end of a name like pkg.(*Type).Method.
func (s *scanner) method(i, open int) int {
	r := &s.runs[i]
	switch c := s.text[r.start]; {
	case kindOf[c]&(lower|upper|slash|period) == 0 && c != '~', r.has&joined != 0, open == r.end:
		return -1
	}
	at := open + 1
	if at < len(s.text) && s.text[at] == '*' {
		at++
	}
	from := at
	for at < len(s.text) && kindOf[s.text[at]]&(lower|upper|digit|underscore) != 0 {
		at++
	}
	if at == from || !strings.HasPrefix(s.text[at:], ").") {
		return -1
	}
	return s.lastName(at+len(")."), "")
}

// mostPairs is how long a digest in pairs is, of those that are in use.
const mostPairs = 64

// pairs is the end of hexadecimal pairs with colons between, at least four,
// with a letter among them.
func (s *scanner) pairs(i int) int {
	at, n, lettered := s.runs[i].start, 0, false
	for ; n < mostPairs && at+2 <= len(s.text) && isHex(s.text[at]) && isHex(s.text[at+1]); n++ {
		lettered = lettered || kindOf[s.text[at]]|kindOf[s.text[at+1]] != digit
		if at += 2; at == len(s.text) || s.text[at] != ':' {
			at++ // as if there were one
			n++
			break
		}
		at++
	}
	if at--; n < 4 || !lettered || !endsRun(s.text, at) {
		return -1
	}
	return at
}

func isHex(c byte) bool {
	return kindOf[c] == digit || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// colon tells whether one or two colons make a run and the next one name.
func (s *scanner) colon(i int) bool {
	from, to := s.runs[i].end, s.runs[i+1].start
	left, right := s.is(i), s.is(i+1)
	lettered := func(w string) bool { return kindOf[w[0]]&(lower|upper) != 0 }
	switch s.text[from:to] {
	case "::":
		return lettered(left) && lettered(right)
	case ":":
	default:
		return false
	}
	named := kindOf[left[0]]&(lower|upper|digit) != 0
	switch {
	case digestName(left) && len(right) >= 7 && allHex(right):
		return true
	case isFile(left):
	case (left == "localhost" || named && strings.ContainsAny(left[1:], "./-")) && isPort(right):
		return true
	case named && strings.Contains(left[1:], "/"):
		return kindOf[right[0]]&(lower|upper|digit) != 0
	}
	return len(left) > 1 && kindOf[left[0]] == lower && s.runs[i].has&^(lower|digit|underscore|hyphen) == 0 && kindOf[right[0]] == lower
}

func digestName(w string) bool {
	switch w[strings.LastIndexByte(w, '@')+1:] {
	case "md5", "sha1", "sha256", "sha512":
		return true
	}
	return false
}

func allHex(w string) bool {
	for i := range len(w) {
		if !isHex(w[i]) || kindOf[w[i]] == upper {
			return false
		}
	}
	return true
}

func isPort(w string) bool {
	n := digits(w, 0)
	return n >= 2 && n <= 5 && (n == len(w) || w[n] == '/')
}

func isFile(w string) bool {
	dot := strings.LastIndexByte(w, '.')
	return dot >= 0 && senseOf(w[dot+1:])&fileOf != 0
}
