package extract

import "strings"

// digits is the end of the decimal digits of a word from i on.
func digits(w string, i int) int {
	for i < len(w) && kindOf[w[i]] == digit {
		i++
	}
	return i
}

// signs is the end of what may stand before a number: two of ~ + -.
func signs(w string) int {
	i := 0
	for i < len(w) && i < 2 && (w[i] == '~' || w[i] == '+' || w[i] == '-') {
		i++
	}
	return i
}

// number is the end of a number that begins at i, whatever it is written like;
// -1 is none. It is as long as it can be.
func number(w string, i int) int {
	end := i
	for end < len(w) && (kindOf[w[end]] == digit || w[end] == '.' || w[end] == ',' || w[end] == '_') {
		end++
	}
	first := digits(w, i)
	if first == end { // nearly always
		if first == i {
			return -1
		}
		return power(w, end)
	}
	if !grouped(w[first:end], first-i) {
		return -1
	}
	if w[first] == '.' && first > i && digits(w, first+1) == end {
		return power(w, end)
	}
	return end
}

// power is the end of an exponent, or i where there is none.
func power(w string, i int) int {
	if i == len(w) || w[i] != 'e' && w[i] != 'E' {
		return i
	}
	from := i + 1
	if from < len(w) && (w[from] == '+' || w[from] == '-') {
		from++
	}
	if end := digits(w, from); end > from {
		return end
	}
	return i
}

// grouped tells whether what follows the first so many digits of a number can:
// a decimal part, or groups of three.
func grouped(w string, first int) bool {
	mark := w[0]
	groups, threes := 0, true
	i := 0
	for i < len(w) && w[i] == mark {
		end := digits(w, i+1)
		if end == i+1 {
			return false
		}
		threes = threes && end == i+1+3
		groups++
		i = end
	}
	threes = threes && first > 0 && first <= 3
	if i == len(w) {
		switch mark {
		case '_':
			return threes
		case ',':
			return threes || groups == 1 && first > 0
		}
		return groups == 1 || groups == 2 && threes // 1.5, .5, 1.234.567
	}
	decimal := (mark == ',' && w[i] == '.' || mark == '.' && w[i] == ',') && i+1 < len(w) && digits(w, i+1) == len(w)
	return threes && decimal
}

// whole is the end of a whole number that begins at i, commas between groups of
// three allowed; plainNumber that of one with a decimal part too. -1 is none.
func whole(w string, i int) int {
	end := digits(w, i)
	if end == i {
		return -1
	}
	if end-i <= 3 {
		for end+3 < len(w) && w[end] == ',' && digits(w, end+1) == end+4 {
			end += 4
		}
	}
	return end
}

func plainNumber(w string, i int) int {
	end := whole(w, i)
	if end < 0 {
		return -1
	}
	return decimals(w, end)
}

func decimals(w string, i int) int {
	if i < len(w) && w[i] == '.' {
		if end := digits(w, i+1); end > i+1 {
			return end
		}
	}
	return i
}

// amount tells whether a word is a number and no more: -5, ~1,200, 1.5k, 100+.
func amount(w string) bool {
	end := number(w, signs(w))
	return end >= 0 && multiple(w[end:])
}

// multiple tells whether this may stand behind a number: k, M, and +.
func multiple(w string) bool {
	w = strings.TrimSuffix(w, "+")
	return w == "" || senseOf(w)&timesOf != 0
}

// measured tells whether a word is a number with or without its unit, or money.
func measured(w string) bool {
	i := signs(w)
	if end := number(w, i); end >= 0 {
		return ranked(strings.TrimSuffix(w[end:], "+"))
	}
	dollar := strings.IndexByte(w, '$')
	if dollar < 0 {
		return false
	}
	switch w[i:max(dollar, i)] {
	case "", "A", "C", "US", "CA", "AU", "NZ", "HK":
	default:
		return false
	}
	if dollar++; dollar < len(w) && w[dollar] == '-' {
		dollar++
	}
	end := number(w, dollar)
	return end >= 0 && multiple(w[end:])
}

// ranked is scaled, and 1st and 2x.
func ranked(unit string) bool {
	return unit == "x" || unit == "X" || scaled(unit) || senseOf(unit)&ordinalOf != 0
}

// scaled tells whether this may stand behind a number as its unit.
func scaled(unit string) bool {
	return unit == "" || unit == "%" || senseOf(unit)&(timesOf|unitOf) != 0
}

// rated splits off rates: /night/room.
func rated(w string) (head string, ok bool) {
	at := strings.IndexByte(w, '/')
	if at < 0 {
		return w, true
	}
	for part := range strings.SplitSeq(w[at+1:], "/") {
		if part == "" || !allOf(part, lower|upper) {
			return "", false
		}
	}
	return w[:at], true
}

// figure tells whether a run is a figure by itself.
func figure(w string, has kinds) bool {
	if has == digit {
		return true
	}
	if !begins(w) {
		return false
	}
	if head, ok := rated(w); ok && measured(head) {
		return true
	}
	switch {
	case has&joined != 0 && (clocks(w) || ratio(w)), has&slash != 0 && fraction(w), has&hyphen != 0 && (adjective(w) || monthly(w)),
		square(w, true), compound(w), dated(w):
		return true
	}
	descends, spans := span(w)
	return spans && !descends
}

// begins tells whether a word can be a figure by how it begins.
func begins(w string) bool {
	w = w[signs(w):]
	for n := 0; n < 2 && w != "" && kindOf[w[0]] == upper; n++ {
		w = w[1:]
	}
	w = strings.TrimPrefix(w, "$")
	w = strings.TrimPrefix(w, "-")
	w = strings.TrimPrefix(w, ".")
	return w != "" && kindOf[w[0]] == digit
}

// ratio is 3:1, and what is counted like hours.
func ratio(w string) bool {
	for i := range len(w) {
		if w[i] != ':' && kindOf[w[i]] != digit {
			return false
		}
	}
	return true
}

// fraction is 3/4, and a day of a month.
func fraction(w string) bool {
	i := digits(w, signs(w))
	if i == signs(w) {
		return false
	}
	for parts := 0; parts < 2 && i < len(w) && w[i] == '/'; parts++ {
		end := digits(w, i+1)
		if end == i+1 {
			return false
		}
		i = end
	}
	return i == len(w)
}

// adjective is 60-row.
func adjective(w string) bool {
	end := plainNumber(w, 0)
	return end > 0 && end < len(w) && w[end] == '-' && hyphened(w[end+1:])
}

// hyphened is small letters, in parts perhaps.
func hyphened(w string) bool {
	for i := range len(w) {
		if kindOf[w[i]] != lower && (w[i] != '-' || i == 0 || i+1 == len(w) || w[i-1] == '-') {
			return false
		}
	}
	return w != ""
}

// square is 1920x1080, where allowed with a unit.
func square(w string, unit bool) bool {
	end := plainNumber(w, 0)
	if end < 0 {
		return false
	}
	sides := 1
	for sides < 3 && end < len(w) && w[end] == 'x' {
		next := plainNumber(w, end+1)
		if next < 0 {
			return false
		}
		end = next
		sides++
	}
	return sides > 1 && (end == len(w) || unit && senseOf(w[end:])&unitOf != 0)
}

// compound is 2h15m.
func compound(w string) bool {
	parts := 0
	for i := signs(w); i < len(w); parts++ {
		end := digits(w, i)
		if end == i {
			return false
		}
		end = decimals(w, end)
		i = end
		for i < len(w) && kindOf[w[i]] == lower {
			i++
		}
		switch w[end:i] {
		case "d", "hr", "h", "min", "m", "ms", "s":
		default:
			return false
		}
	}
	return parts > 1
}

// span is 15-20, perhaps with units and rates. One that goes down is the
// number of something.
func span(w string) (descends, ok bool) {
	i := signs(w)
	from := i + len(w[i:]) - len(strings.TrimPrefix(w[i:], "$"))
	fromEnd := whole(w, from)
	if fromEnd < 0 {
		return false, false
	}
	i = decimals(w, fromEnd)
	dash := strings.IndexByte(w[i:], '-')
	if dash < 0 || !scaled(w[i:i+dash]) {
		return false, false
	}
	i += dash + 1
	to := i + len(w[i:]) - len(strings.TrimPrefix(w[i:], "$"))
	toEnd := whole(w, to)
	if toEnd < 0 {
		return false, false
	}
	unit, rates := rated(w[decimals(w, toEnd):])
	if !rates || !scaled(unit) {
		return false, false
	}
	return !monthly(w) && above(w[from:fromEnd], w[to:toEnd]), true
}

// above compares whole numbers of any length, with commas perhaps.
func above(a, b string) bool {
	a, b = strings.TrimLeft(a, "0,"), strings.TrimLeft(b, "0,")
	if more := len(a) - strings.Count(a, ",") - len(b) + strings.Count(b, ","); more != 0 {
		return more > 0
	}
	for a != "" && b != "" {
		switch {
		case a[0] == ',':
			a = a[1:]
		case b[0] == ',':
			b = b[1:]
		case a[0] != b[0]:
			return a[0] > b[0]
		default:
			a, b = a[1:], b[1:]
		}
	}
	return false
}

// descends tells whether a run is a span that goes down.
func descends(w string, has kinds) bool {
	if has&hyphen == 0 {
		return false
	}
	down, _ := span(w)
	return down
}

// monthly is 2026-03.
func monthly(w string) bool {
	if len(w) != len("2026-03") || w[:2] != "19" && w[:2] != "20" || digits(w, 0) != 4 || w[4] != '-' || digits(w, 5) != 7 {
		return false
	}
	return w[5:] >= "01" && w[5:] <= "12"
}

// dated is a date in figures, perhaps with a time.
func dated(w string) bool {
	end := date(w)
	return end == len(w) || end > 0 && (w[end] == 'T' || w[end] == '_') && clock(w[end+1:])
}

// date is the end of 2026-03-14, 2026/3/14, 14.3.2026 or 14.03.26; -1 is none.
func date(w string) int {
	first := digits(w, 0)
	if first == 0 || first == len(w) {
		return -1
	}
	mark := w[first]
	second := digits(w, first+1)
	if n := second - first - 1; n < 1 || n > 2 || second == len(w) || w[second] != mark {
		return -1
	}
	third := digits(w, second+1)
	n := third - second - 1
	switch {
	case first == 4 && (mark == '-' || mark == '/') && n > 0:
		return second + 1 + min(n, 2) // what goes on in digits is none, as every user finds
	case mark == '.' && first <= 2 && n == 4 && (w[second+1:second+3] == "19" || w[second+1:second+3] == "20"),
		mark == '.' && first == 2 && second == 5 && n == 2:
		return third
	}
	return -1
}

// clocks is a time, or two with a hyphen.
func clocks(w string) bool {
	end := hours(w)
	if end < 0 {
		return false
	}
	for _, n := range []int{0, zoned(w[end:])} {
		if rest := w[end+n:]; rest == "" || rest[0] == '-' && clock(rest[1:]) {
			return true
		}
	}
	return false
}

// clock is one time.
func clock(w string) bool {
	end := hours(w)
	return end >= 0 && (end == len(w) || end+zoned(w[end:]) == len(w))
}

// hours is the end of hours, minutes and what is finer; -1 is none.
func hours(w string) int {
	i := digits(w, 0)
	if i == 0 || i > 2 || i == len(w) || w[i] != ':' || digits(w, i+1) != i+3 {
		return -1
	}
	i += 3
	if i < len(w) && w[i] == ':' && digits(w, i+1) == i+3 {
		i += 3
	}
	if i < len(w) && (w[i] == '.' || w[i] == ',') {
		if end := digits(w, i+1); end > i+1 {
			return end
		}
	}
	return i
}

// zoned is the length of a half of the day, or an offset, that a text begins
// with.
func zoned(w string) int {
	if w == "" {
		return 0
	}
	if w[0] == 'Z' {
		return 1
	}
	if len(w) > 1 {
		switch w[:2] {
		case "am", "pm", "AM", "PM":
			return 2
		}
	}
	if (w[0] == '+' || w[0] == '-') && digits(w[:min(len(w), 3)], 1) == 3 {
		i := 3
		if i < len(w) && w[i] == ':' {
			i++
		}
		if i+2 <= len(w) && digits(w[:i+2], i) == i+2 {
			return i + 2
		}
	}
	return 0
}
