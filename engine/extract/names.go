package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/floorcheck/floorcheck/floor"
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

// pairs is the end of hexadecimal pairs with colons between, at least four,
// with a letter among them.
func (s *scanner) pairs(i int) int {
	at, n, lettered := s.runs[i].start, 0, false
	for ; at+2 <= len(s.text) && isHex(s.text[at]) && isHex(s.text[at+1]); n++ {
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

// named tells whether a run looks like a name whatever stands around it.
func named(w string, has kinds) bool {
	switch {
	case has&backslash != 0:
		return isShare(w)
	case has&underscore != 0 && emphasized(w):
		return false
	case has&letters != 0 && has&digit != 0, has&underscore != 0 && has&(letters|digit) != 0:
		return true
	case has&(lower|upper|letter|digit) == 0:
		return false
	}
	return has&slash != 0 && slashed(w) ||
		has&at != 0 && addressed(w) ||
		has&(upper|lower) == upper|lower && humped(w) ||
		has&period != 0 && dotted(w) ||
		has == digit|hyphen && parted(w, digit, 1) ||
		has == upper|hyphen && parted(w, upper, 2) ||
		has == sign|digit && w[0] == '#' && digits(w, 1) == len(w) ||
		has&hyphen != 0 && len(w) > 2 && w[:2] == "--" && kindOf[w[2]]&(lower|upper) != 0 ||
		has&sign != 0 && len(w) > 1 && w[0] == '$' && kindOf[w[1]]&(lower|upper) != 0 ||
		has&upper != 0 && senseOf(w)&signalOf != 0
}

// isShare is \\host\share; any other backslash may be an escape in quoted
// source, and what would be found not what is meant.
func isShare(w string) bool {
	if len(w) < 3 || w[:2] != `\\` || kindOf[w[2]]&(lower|upper|digit) == 0 {
		return false
	}
	parts := strings.Split(w[2:], `\`)
	for _, p := range parts {
		if p == "" {
			return false
		}
	}
	return len(parts) > 1
}

// emphasized is _so_.
func emphasized(w string) bool {
	n := len(w)
	return n > 2 && w[0] == '_' && w[n-1] == '_' && allOf(w[1:n-1], lower|upper)
}

// slashed tells paths and zones from either/or.
func slashed(w string) bool {
	if rooted(w) {
		return true
	}
	firstLetter, lastLetter, firstMark, lastMark, firstName := -1, -1, -1, -1, -1
	first, last, before := -1, -1, -1 // slashes; before is the last but one
	for i := 0; i < len(w); {
		k, size := kindAt(w, i)
		switch {
		case k&letters != 0:
			if firstLetter < 0 {
				firstLetter = i
			}
			lastLetter = i
			fallthrough
		case k == digit:
			if firstName < 0 {
				firstName = i
			}
		case k == slash:
			if first < 0 {
				first = i
			}
			before, last = last, i
		case k&(period|underscore|hyphen) != 0:
			if firstMark < 0 {
				firstMark = i
			}
			lastMark = i
		}
		i += size
	}
	within := func(from, to int) bool { // a slash
		return from >= 0 && from < to && strings.IndexByte(w[from:to], '/') >= 0
	}
	return firstName >= 0 && firstName < before || within(firstLetter, lastMark) || within(firstMark, lastLetter) ||
		first == last && titled(w[:first]) && titled(w[first+1:])
}

// rooted is /etc, ./src, ../src, ~/src.
func rooted(w string) bool {
	root := strings.IndexByte(w, '/')
	switch w[:root] {
	case "", ".", "..", "~":
	default:
		return false
	}
	w = w[root+1:]
	if w != "" && (w[0] == '.' || w[0] == '_') {
		w = w[1:]
	}
	return w != "" && kindOf[w[0]]&(lower|upper) != 0
}

// titled is a word with a capital.
func titled(w string) bool {
	return len(w) > 1 && kindOf[w[0]] == upper && allOf(w[1:], lower)
}

// addressed is name@host, and @name.
func addressed(w string) bool {
	const name = lower | upper | digit
	if len(w) > 1 && w[0] == '@' && kindOf[w[1]]&(lower|upper) != 0 {
		return true
	}
	for i := 1; i+1 < len(w); i++ {
		if w[i] == '@' && kindOf[w[i-1]]&name != 0 && kindOf[w[i+1]]&name != 0 {
			return true
		}
	}
	return false
}

// humped is camelCase, and HTTPServer.
func humped(w string) bool {
	for i := 1; i < len(w); i++ {
		a, b := kindOf[w[i-1]], kindOf[w[i]]
		switch {
		case a == lower && b == upper:
			return true
		case a == upper && b == upper && i+2 < len(w) && kindOf[w[i+1]] == lower && kindOf[w[i+2]] == lower:
			return true
		}
	}
	return false
}

// dotted is name.name, and versions of three parts.
func dotted(w string) bool {
	letter := func(i int) bool { return i >= 0 && i < len(w) && kindOf[w[i]]&(lower|upper) != 0 }
	for i := 1; i+1 < len(w); i++ {
		if w[i] == '.' && letter(i-1) && letter(i+1) && (letter(i-2) || letter(i+2)) {
			return true
		}
	}
	return versioned(w)
}

// versioned is 1.2.3, and addresses with a port and a mask.
func versioned(w string) bool {
	i, parts := digits(w, 0), 1
	if i == 0 {
		return false
	}
	for ; i+1 < len(w) && w[i] == '.' && kindOf[w[i+1]] == digit; parts++ {
		i = digits(w, i+1)
	}
	for _, c := range []byte(":/") {
		if i+1 < len(w) && w[i] == c && kindOf[w[i+1]] == digit {
			i = digits(w, i+1)
		}
	}
	return parts > 2 && i == len(w)
}

// parted is parts of one kind, each of so many characters at least, with
// hyphens between.
func parted(w string, kind kinds, least int) bool {
	n := 0
	for i := 0; i <= len(w); i++ {
		switch {
		case i < len(w) && kindOf[w[i]] == kind:
			n++
		case n < least:
			return false
		default:
			n = 0
		}
	}
	return true
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
