package extract

import (
	"math/bits"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// mostRuns is of how many runs one thing can be.
const mostRuns = 7

// A window is runs that stand near to each other, and what stands between
// them.
type window struct {
	*scanner
	first int // its first run
	n     int
	gaps  [mostRuns]gap // behind each
}

// Lengths are numbers of runs: bit n says that n of them are something.
type lengths uint16

func just(n int) lengths { return 1 << n }

// several is how many runs from one on are one thing, the most that are.
func (s *scanner) several(i int) (n int, class floor.Class) {
	w, has, g := s.is(i), s.runs[i].has, s.between(i)
	if g == far || has&digit != 0 && (g == comma || g == abbreviated) || has == digit && g == blank && s.runs[i+1].has == digit {
		return 0, "" // nothing goes on like that
	}
	if !begins(w) && (len(w) != 2 || has != upper) && senseOf(w)&starts == 0 && !counts(w) {
		return 0, ""
	}
	if s.idle(i) || descends(w, has) {
		return 0, ""
	}
	v := window{scanner: s, first: i}
	for v.n < mostRuns && i+v.n < len(s.runs) {
		v.gaps[v.n] = s.between(i + v.n)
		v.n++
		if v.gaps[v.n-1] == far {
			break
		}
	}
	names := v.flight() | v.phone()
	all := names | v.figures()
	if all &^= just(1) | just(0); all == 0 {
		return 0, ""
	}
	n = bits.Len16(uint16(all)) - 1
	if names&just(n) != 0 {
		return n, floor.Identifier
	}
	return n, floor.Quantity
}

// is gives the j-th run of the window, "" where there is none.
func (v *window) is(j int) string {
	if j >= v.n {
		return ""
	}
	return v.scanner.is(v.first + j)
}

// next gives the run behind j, if this gap is between them.
func (v *window) next(j int, g gap) string {
	if j+1 >= v.n || v.gaps[j] != g {
		return ""
	}
	return v.is(j + 1)
}

// flight is KV 1408.
func (v *window) flight() lengths {
	carrier, number := v.is(0), v.next(0, blank)
	if len(carrier) != 2 || !allOf(carrier, upper) || senseOf(carrier)&commonOf != 0 || len(number) < 3 || len(number) > 4 || !allOf(number, digit) {
		return 0
	}
	return just(2)
}

// phone is +47 5550 0172.
func (v *window) phone() (found lengths) {
	w := v.is(0)
	if n := len(w); n < 2 || n > 4 || w[0] != '+' || !allOf(w[1:], digit) {
		return 0
	}
	const fewest, most = 2, 5
	for j := 1; j <= most; j++ {
		w := v.next(j-1, blank)
		if len(w) < 2 || len(w) > 5 || !allOf(w, digit) {
			break
		}
		if j >= fewest {
			found |= just(j + 1)
		}
	}
	return found
}

// figures are all lengths of which the window is a figure.
func (v *window) figures() lengths {
	many := v.many()
	found := many.things
	for rest := uint(many.all); rest != 0; rest &= rest - 1 {
		found |= v.counted(bits.TrailingZeros(rest))
	}
	return found | v.measures() | v.times() | v.dates() | v.sums() | v.stretches()
}

// manys are how many of something there are. Some of them are figures as they
// stand.
type manys struct{ all, things lengths }

func (v *window) many() (m manys) {
	first := v.is(0)
	isAmount, isCount := amount(first), counts(first)
	if isAmount {
		m.all |= just(1)
		if amount(v.next(0, dash)) {
			m.all |= just(2)
		}
		if or(v.next(0, blank)) && amount(v.next(1, blank)) {
			m.all |= just(3)
		}
		m.things |= v.box()
	}
	if isCount {
		m.all |= just(1)
		if or(v.next(0, blank)) && counts(v.next(1, blank)) {
			m.all |= just(3)
		}
	}
	if plainSpan(first) || square(first, false) {
		m.all |= just(1)
	}
	if isAmount || isCount {
		j := 0
		if v.next(j, blank) == "out" {
			j++
		}
		if v.next(j, blank) == "of" && v.number(j+1) {
			m.things |= just(j + 3)
		}
	}
	switch first {
	case "1", "one", "One":
		if v.next(0, blank) == "in" && v.number(1) {
			m.things |= just(3)
		}
	}
	m.all |= m.things
	return m
}

func or(w string) bool { return w == "to" || w == "or" }

// number tells whether how many of something stands behind j.
func (v *window) number(j int) bool {
	w := v.next(j, blank)
	return amount(w) || counts(w)
}

// box is 40 x 30 x 24.
func (v *window) box() (found lengths) {
	j := 0
	for range 2 {
		switch {
		case amount(v.next(j, cross)):
			j++
		case v.next(j, blank) == "x" && amount(v.next(j+1, blank)):
			j += 2
		default:
			return found
		}
		found |= just(j + 1)
	}
	return found
}

// plainSpan is a span without anything before or behind it.
func plainSpan(w string) bool {
	if w == "" || kindOf[w[0]] != digit || strings.ContainsAny(w, "$/") {
		return false
	}
	_, ok := span(w)
	return ok
}

// counted are lengths with what is counted behind the first n runs.
func (v *window) counted(n int) (found lengths) {
	unit := v.next(n-1, blank)
	if unit == "" {
		if w := v.next(n-1, degree); w == "C" || w == "F" {
			return just(n+1) | v.yearly(n+1)
		}
		return 0
	}
	head, rates := rated(unit)
	means := senseOf(head)
	if rates && means&(spacedUnit|currencyOf) != 0 {
		found |= just(n + 1)
	}
	switch {
	case unit == "%", unit == "percent":
		found |= just(n+1) | v.yearly(n+1)
	case unit == "per" && v.next(n, blank) == "cent":
		found |= just(n+2) | v.yearly(n+2)
	}
	if rates && means&smallOf == 0 && countable(head) {
		found |= just(n + 1)
	}
	// An adjective stands before a plural only.
	what, rates := rated(v.next(n, blank))
	if rates && plural(what) && countable(what) && hyphened(unit) && !plural(unit) && senseOf(unit)&(smallOf|spacedUnit) == 0 && (n > 1 || v.is(0) != "1") {
		found |= just(n + 2)
	}
	return found
}

// yearly is one more, where that says that it is for a year.
func (v *window) yearly(n int) lengths {
	if v.next(n-1, blank) == "p.a" {
		return just(n + 1)
	}
	return 0
}

// countable tells whether a word may be what is counted.
func countable(w string) bool {
	return len(w) > 1 && allOf(w, lower) && senseOf(w)&smallOf == 0 && !strings.HasSuffix(w, "ly")
}

func plural(w string) bool {
	n := len(w)
	if n < 3 || w[n-1] != 's' || kindOf[w[n-3]] != lower {
		return false
	}
	switch w[n-2] {
	case 's', 'u', 'i':
		return false
	}
	return true
}

// measures are two with a dash, and what is so much a year.
func (v *window) measures() (found lengths) {
	if !measured(v.is(0)) {
		return 0
	}
	if head, ok := rated(v.next(0, dash)); ok && measured(head) {
		found |= just(2)
	}
	return found | v.yearly(1)
}

// sums are EUR 142.00.
func (v *window) sums() (found lengths) {
	if senseOf(v.is(0))&currencyOf == 0 {
		return 0
	}
	sum := v.next(0, blank)
	if head, ok := rated(sum); ok && amount(head) {
		found |= just(2)
	}
	if amount(sum) {
		if head, ok := rated(v.next(1, dash)); ok && amount(head) {
			found |= just(3)
		}
	}
	return found
}

// times are those of the day, with a half of it and a zone.
func (v *window) times() (found lengths) {
	first := v.is(0)
	half := senseOf(v.next(0, blank))&halfOf != 0
	switch end := digits(first, 0); {
	case clocks(first):
		found |= v.zoned(1, true)
		if clock(first) && clock(v.next(0, dash)) {
			found |= just(2) | v.zoned(2, true)
		}
	case half && (end > 0 && end <= 2 && end == len(first) || counts(first)):
		found |= just(2) | v.zoned(2, false)
	case end > 0 && end <= 2 && len(first) == end+2 && senseOf(first[end:])&halfOf != 0:
		found |= v.zoned(1, false)
	}
	if end := date(first); end == len(first) && end > 0 {
		if clock(v.next(0, blank)) {
			found |= just(2) | v.zoned(2, false)
		}
	} else if dated(first) {
		found |= v.zoned(1, false)
	}
	return found
}

// zoned are lengths with a zone behind the first n runs, where it may be after
// a half of the day.
func (v *window) zoned(n int, half bool) (found lengths) {
	w := v.next(n-1, blank)
	if senseOf(w)&zoneOf != 0 {
		found |= just(n + 1)
	}
	if half && senseOf(w)&halfOf != 0 {
		found |= just(n+1) | v.zoned(n+1, false)
	}
	return found
}

// dates are those with a month's name.
func (v *window) dates() (found lengths) {
	if senseOf(v.is(0))&monthOf == 0 {
		for _, n := range v.days(0) {
			if n == 0 {
				continue
			}
			month := n
			if v.next(n-1, blank) == "of" {
				month++
			}
			if senseOf(v.next(month-1, blank))&monthOf != 0 {
				found |= just(month+1) | v.year(month+1)
			}
		}
		return found
	}
	if w := v.next(0, blank); len(w) == 4 && allOf(w, digit) {
		found |= just(2)
	}
	if v.gaps[0] == blank || v.gaps[0] == abbreviated {
		for _, n := range v.days(1) {
			if n > 0 {
				found |= just(1+n) | v.year(1+n)
			}
		}
	}
	return found
}

// days are of how many runs, from the j-th on, a day or two of them are; 0 is
// none.
func (v *window) days(j int) [2]int {
	first := v.is(j)
	switch {
	case !day(first):
		from, to, two := strings.Cut(first, "-")
		if two && day(from) && day(to) {
			return [2]int{1}
		}
		return [2]int{}
	case day(v.next(j, dash)):
		return [2]int{1, 2}
	}
	switch v.next(j, blank) {
	case "to", "or", "and":
		if day(v.next(j+1, blank)) {
			return [2]int{1, 3}
		}
	}
	return [2]int{1}
}

// day is 17 or 17th.
func day(w string) bool {
	n := digits(w, 0)
	return n > 0 && n <= 2 && (n == len(w) || senseOf(w[n:])&ordinalOf != 0)
}

// year is one more than the first n runs, where that is a year.
func (v *window) year(n int) lengths {
	for _, g := range []gap{blank, comma} {
		if w := v.next(n-1, g); len(w) == 4 && allOf(w, digit) {
			return just(n + 1)
		}
	}
	return 0
}

// stretches are those of time in more than one unit, or in none.
func (v *window) stretches() (found lengths) {
	if lasts(v.is(0), false) {
		w := v.next(0, blank)
		if lasts(w, true) {
			found |= just(2)
		}
		if lasts(w, false) && lasts(v.next(1, blank), true) {
			found |= just(3)
		}
	}
	switch v.is(0) {
	case "an", "An":
		if v.next(0, blank) == "hour" {
			found |= just(2)
		}
	case "half", "Half":
		if w := v.next(0, blank); (w == "an" || w == "An") && v.next(1, blank) == "hour" {
			found |= just(3)
		}
	case "one", "One":
		if senseOf(v.next(0, blank))&periodOf != 0 {
			found |= just(2)
		}
	}
	return found
}

// lasts is 15m, as the last of a stretch or before that.
func lasts(w string, last bool) bool {
	i := digits(w, 0)
	if i == 0 {
		return false
	}
	switch w[decimals(w, i):] {
	case "h", "m", "min", "s":
		return true
	case "sec":
		return last
	case "d", "hr", "hrs":
		return !last
	}
	return false
}
