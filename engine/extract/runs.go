package extract

import (
	"unicode"
	"unicode/utf8"
)

// A run is a stretch of word characters and joiners that exact matching does
// not cut (RULES.md 2a.3), the periods at its end left out.
type run struct {
	start, end int
	has        kinds
}

// kinds are what characters a run has.
type kinds uint16

const (
	lower  kinds = 1 << iota // a to z
	upper                    // A to Z
	digit                    // 0 to 9
	letter                   // other letters
	mark                     // marks, and other numbers
	underscore
	hyphen
	period
	slash
	backslash
	at
	sign   // ~ + % $ #
	joined // a comma or a colon between digits
	rest   // not ASCII: to be decoded

	letters = lower | upper | letter
)

// kindOf tells of a byte what it is; 0 ends a run, if it does not stand between
// digits.
var kindOf = func() (table [256]kinds) {
	for c := range table {
		switch {
		case 'a' <= c && c <= 'z':
			table[c] = lower
		case 'A' <= c && c <= 'Z':
			table[c] = upper
		case '0' <= c && c <= '9':
			table[c] = digit
		case c >= utf8.RuneSelf:
			table[c] = rest
		}
	}
	for c, k := range map[byte]kinds{
		'_': underscore, '-': hyphen, '.': period, '/': slash, '\\': backslash, '@': at,
		'~': sign, '+': sign, '%': sign, '$': sign, '#': sign,
	} {
		table[c] = k
	}
	return table
}()

// kindAt is the kind of the character at i, and its length in bytes.
func kindAt(text string, i int) (kinds, int) {
	if k := kindOf[text[i]]; k != rest {
		return k, 1
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	switch {
	case unicode.IsLetter(r):
		return letter, size
	case unicode.IsMark(r), unicode.IsNumber(r):
		return mark, size
	}
	return 0, size
}

// read finds the runs of a text.
func (s *scanner) read(text string) {
	s.text, s.runs = text, s.runs[:0]
	for i := 0; i < len(text); {
		k := kindOf[text[i]]
		if k == 0 {
			i++
			continue
		}
		size := 1
		if k == rest {
			if k, size = kindAt(text, i); k == 0 {
				i += size
				continue
			}
		}
		r := run{start: i, has: k}
		for i += size; i < len(text); i += size {
			if k = kindOf[text[i]]; k != 0 && k != rest { // nearly always
				r.has |= k
				size = 1
				continue
			}
			if k, size = kindAt(text, i); k == 0 {
				if !joinsDigits(text, i) {
					break
				}
				k = joined
			}
			r.has |= k
		}
		r.end = i
		if r.has&period != 0 && text[i-1] == '.' && !s.cut(&r) {
			continue
		}
		s.runs = append(s.runs, r)
	}
}

// cut leaves out the periods at the end, and tells whether anything is left.
func (s *scanner) cut(r *run) bool {
	for r.end > r.start && s.text[r.end-1] == '.' {
		r.end--
	}
	r.has &^= period
	for i := r.start; i < r.end; i++ {
		r.has |= kindOf[s.text[i]] & period
	}
	return r.end > r.start
}

// joinsDigits tells whether a comma or colon stands between two decimal
// digits.
func joinsDigits(text string, i int) bool {
	if c := text[i]; c != ',' && c != ':' || i == 0 || i+1 == len(text) {
		return false
	}
	before, after := text[i-1], text[i+1]
	if before < utf8.RuneSelf && after < utf8.RuneSelf { // nearly always
		return kindOf[before] == digit && kindOf[after] == digit
	}
	left, _ := utf8.DecodeLastRuneInString(text[:i])
	right, _ := utf8.DecodeRuneInString(text[i+1:])
	return unicode.IsDigit(left) && unicode.IsDigit(right)
}

// is gives the text of the i-th run.
func (s *scanner) is(i int) string { return s.text[s.runs[i].start:s.runs[i].end] }

// endsRun tells whether a run ends before i, where a character stands that is
// none of its periods.
func endsRun(text string, i int) bool {
	if i < len(text) && joinsDigits(text, i) {
		return false
	}
	for i < len(text) && text[i] == '.' {
		i++
	}
	if i == len(text) {
		return true
	}
	k, _ := kindAt(text, i)
	return k == 0
}
