package plain

import (
	"slices"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

const (
	space = `[ \x{A0}\x{202F}]`

	whole       = `(?:\d{1,3}(?:,\d{3})+|\d+)`
	plainNumber = `(?:` + whole + `(?:\.\d+)?)`
	anyNumber   = `(?:` + plainNumber + `|\.\d+|\d+,\d+|\d{1,3}(?:\.\d{3}){2}|\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:_\d{3})+|\d+(?:\.\d+)?[eE][+-]?\d+)`
	times       = `(?:k|K|M|mn|bn)`
	sign        = `[~+-]{0,2}`
	amount      = `(?:` + sign + anyNumber + times + `?\+?)`
	dollars     = `(?:US|CA|AU|NZ|HK|C|A)?\$`
	rates       = `(?:/[A-Za-z]+)*`

	// Units that are written behind a number without a space, and with one.
	gluedUnits = `(?:ns|µs|us|ms|s|sec|secs|min|mins|h|hr|hrs|d|wk|wks|mo|yr|yrs|kB|KB|MB|GB|TB|PB|KiB|MiB|GiB|TiB|kb|Mb|Gb|kbit|Mbit|Gbit|kbps|Mbps|Gbps|` +
		`nm|µm|um|mm|cm|m|km|mi|ft|yd|µg|mg|g|kg|t|lb|lbs|oz|ml|mL|cl|l|mW|kW|MW|GW|kWh|MWh|GWh|mV|kV|mA|mAh|Hz|kHz|MHz|GHz|kJ|hPa|kPa|` +
		`px|pt|em|rem|vw|vh|dpi|fps|rpm|dB|ppm|pp|bps|qps|QPS|rps|RPS|am|pm|AM|PM)`
	units   = `(?:` + gluedUnits + `|B|W|V|A|K|L|J|Pa|bar|bit|bits|byte|bytes)`
	codes   = `(?:AED|AUD|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HKD|HUF|ILS|INR|JPY|KRW|MXN|NOK|NZD|PLN|RUB|SEK|SGD|TRY|USD|ZAR)`
	ordinal = `(?:st|nd|rd|th)`

	months = `(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)`
	zones  = `(?:UTC|GMT|BST|CET|CEST|EET|EEST|WET|WEST|EST|EDT|CST|CDT|MST|MDT|PST|PDT|IST|JST|ET|PT)`
	half   = `(?:am|pm|AM|PM|a\.m|p\.m)`
	clock  = `(?:\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?(?:am|pm|AM|PM|Z|[+-]\d\d:?\d\d)?)`
	date   = `(?:\d{4}-\d{1,2}-\d{1,2}|\d{4}/\d{1,2}/\d{1,2}|\d{1,2}\.\d{1,2}\.(?:19|20)\d\d|\d\d\.\d\d\.\d\d)`
	day    = `(?:\d{1,2}` + ordinal + `?)`

	counts = `(?:[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[Ss]ix|[Ss]even|[Ee]ight|[Nn]ine|[Tt]en|[Ee]leven|[Tt]welve|[Tt]hirteen|[Ff]ourteen|[Ff]ifteen|[Ss]ixteen|[Ss]eventeen|[Ee]ighteen|[Nn]ineteen|(?:[Tt]wenty|[Tt]hirty|[Ff]orty|[Ff]ifty|[Ss]ixty|[Ss]eventy|[Ee]ighty|[Nn]inety)(?:-[a-z]+)?)`
)

const (
	measured = `(?:` + sign + anyNumber + `(?:%|x|X|` + times + `|` + gluedUnits + `|` + ordinal + `)?\+?|` + sign + dollars + `-?` + anyNumber + times + `?\+?)`
	square   = plainNumber + `(?:x` + plainNumber + `){1,2}`
	monthly  = `(?:(?:19|20)\d\d-(?:0[1-9]|1[0-2]))`
	side     = `(?:\.\d+)?(?:%|` + times + `|` + gluedUnits + `)?`
)

// figure tells whether a run is a figure by itself.
func figure(s string) bool {
	return alone.MatchString(s) || span.MatchString(s) && !descends(s)
}

// descends tells whether a run looks like a span that goes down, and so is a
// number of something.
func descends(s string) bool {
	ends := span.FindStringSubmatch(s)
	if ends == nil || month.MatchString(s) {
		return false
	}
	bare := func(s string) string { return strings.TrimLeft(strings.ReplaceAll(s, ",", ""), "0") }
	a, b := bare(ends[1]), bare(ends[2])
	return len(a) > len(b) || len(a) == len(b) && a > b
}

var (
	alone = full(measured + rates + `|` +
		sign + `(?:\d+(?:\.\d+)?(?:d|hr|h|min|m|ms|s)){2,}|` +
		plainNumber + `-[a-z]+(?:-[a-z]+)*|` +
		square + gluedUnits + `?|` +
		clock + `(?:-` + clock + `)?|` + date + `(?:[T_]` + clock + `)?|` + monthly + `|` +
		sign + `\d+(?:/\d+){1,2}|\d+(?::\d+)+`)
	month = full(monthly)
	span  = full(sign + `\$?(` + whole + `)` + side + `-\$?(` + whole + `)` + side + rates)
)

// currency is the sign of one, or a minus, that stands before a figure.
func currency(figure, before string) string {
	if figure[0] < '0' || figure[0] > '9' {
		return ""
	}
	m := signs.FindStringSubmatch(before)
	if m == nil {
		return ""
	}
	return m[1]
}

var signs = last(`(?:^|[^` + runCharacters + `])(−?[€£¥₹]` + space + `?|−)`)

// several is how many runs from one on are one thing, the most that are.
func (t *parted) several(i int) (n int, class floor.Class) {
	if !begins.MatchString(t.run(i)) || t.idle(i) || descends(t.run(i)) {
		return 0, ""
	}
	for n := t.reach(i); n > 1; n-- {
		s := t.text[t.runs[i][0]:t.runs[i+n-1][1]]
		if flight.MatchString(s) && !common[s[:2]] || phone.MatchString(s) {
			return n, floor.Identifier
		}
		if phrase.MatchString(s) {
			return n, floor.Quantity
		}
		if m := counted.FindStringSubmatch(s); m != nil && thing(m) {
			return n, floor.Quantity
		}
	}
	return 0, ""
}

// reach is how many runs stand as near to each other as in a figure.
func (t *parted) reach(i int) int {
	const mostRuns = 7
	n := 1
	for n < min(mostRuns, len(t.runs)-i) && gap.MatchString(t.text[t.runs[i+n-1][1]:t.runs[i+n][0]]) {
		n++
	}
	return n
}

var gap = full(`[.,]?` + space + `|–|` + space + `?×` + space + `?|` + space + `?°`)

const (
	range_ = `(?:` + amount + `(?:–` + amount + `|` + space + `(?:to|or)` + space + amount + `)?|` + whole + side + `-` + whole + side + `)`
	box    = `(?:` + amount + `(?:(?:` + space + `x` + space + `|` + space + `?×` + space + `?)` + amount + `){1,2})`
	of     = `(?:(?:` + amount + `|` + counts + `)` + space + `(?:out` + space + `)?of` + space + `(?:` + amount + `|` + counts + `))`
	in     = `(?:(?:1|[Oo]ne)` + space + `in` + space + `(?:` + amount + `|` + counts + `))`
	words  = `(?:` + counts + `(?:` + space + `(?:to|or)` + space + counts + `)?)`
	many   = `(?:` + range_ + `|` + square + `|` + box + `|` + of + `|` + in + `|` + words + `)`
	days   = `(?:` + day + `(?:[–-]` + day + `|` + space + `(?:to|or|and)` + space + day + `)?)`
	year   = `(?:,?` + space + `\d{4})`
)

var (
	begins = first(sign + `(?:[A-Z]{1,2})?\$?-?\.?\d|` + counts + `|` + months + `|` + codes + `|[A-Z]{2}$|[Aa]n?$|[Hh]alf$|[Oo]ne$`)

	flight = full(`[A-Z]{2}` + space + `\d{3,4}`)
	phone  = full(`\+\d{1,3}(?:` + space + `\d{2,5}){2,5}`)

	phrase = full(measured + `–` + measured + rates + `|` + box + `|` + of + `|` + in + `|` +
		`(?:\d+(?:\.\d+)?(?:d|h|hr|hrs|m|min|s)` + space + `){1,2}\d+(?:\.\d+)?(?:h|m|min|s|sec)|` +
		many + `(?:` + space + units + rates + `|` + space + codes + rates + `|(?:` + space + `%|` + space + `?°[CF]|` + space + `per` + space + `cent|` + space + `percent)(?:` + space + `p\.a)?)|` +
		measured + space + `p\.a|` +
		codes + space + amount + `(?:–` + amount + `)?` + rates + `|` +
		clock + `(?:[–-]` + clock + `)?(?:` + space + half + `)?(?:` + space + zones + `)?|(?:\d{1,2}|` + counts + `)` + space + half + `(?:` + space + zones + `)?|\d{1,2}(?:am|pm|AM|PM)` + space + zones + `|` +
		date + `(?:[T_]|` + space + `)` + clock + `(?:` + space + zones + `)?|` +
		days + `(?:` + space + `of)?` + space + months + year + `?|` + months + `\.?` + space + days + year + `?|` + months + space + `\d{4}|` +
		`(?:[Hh]alf` + space + `)?[Aa]n` + space + `hour|[Oo]ne` + space + `(?:second|minute|hour|day|week|month|quarter|year|night)`)
	// How many, an adjective, and what.
	counted = full(`(` + many + `)` + space + `(?:([a-z]+(?:-[a-z]+)*)` + space + `)?([a-z]{2,})` + rates)
)

// thing tells whether what is counted can be: an adjective stands before a
// plural only.
func thing(m []string) bool {
	many, adjective, what := m[1], m[2], m[3]
	if slices.Contains(small, what) || strings.HasSuffix(what, "ly") {
		return false
	}
	return adjective == "" || many != "1" && plural(what) && !plural(adjective) && !slices.Contains(small, adjective) && !unit.MatchString(adjective)
}

var unit = full(units)

func plural(word string) bool { return last(`[a-z][^sui]s`).MatchString(word) }
