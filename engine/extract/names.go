package extract

import (
	"strings"
)

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
	n := 0
	for part := range strings.SplitSeq(w[2:], `\`) {
		if n++; part == "" {
			return false
		}
	}
	return n > 1
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
