package plain

import (
	"regexp"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// section is where a section's sign stands before its number; -1 is nowhere.
func (t *parted) section(i int) int {
	if number.MatchString(t.run(i)) {
		if sign := paragraph.FindString(t.before(i)); sign != "" {
			return t.runs[i][0] - len(sign)
		}
	}
	return -1
}

var (
	paragraph = last(`§§?` + space + `*`)
	number    = full(`\d+(?:\.\d+)*[a-z]?`)
)

// glued is the end of what holds together by more than joiners; -1 is nothing.
func (t *parted) glued(i int) int {
	from := t.runs[i][0]
	for _, shape := range []*regexp.Regexp{address, drive, method, pairs} {
		s := shape.FindString(t.text[from:])
		if shape == pairs && !strings.ContainsAny(s, "abcdefABCDEF") {
			continue // a time
		}
		if s != "" && t.endsRun(i, from+len(s)) {
			return from + len(s)
		}
	}
	end := -1
	for ; i+1 < len(t.runs); i++ {
		switch gap := t.text[t.runs[i][1]:t.runs[i+1][0]]; {
		case gap == ":" && colon(t.run(i), t.run(i+1)), gap == "::" && letters.MatchString(t.run(i)) && letters.MatchString(t.run(i+1)):
			end = t.runs[i+1][1]
			continue
		}
		break
	}
	return end
}

// endsRun tells whether a run, the i-th or a later one, ends there.
func (t *parted) endsRun(i, end int) bool {
	for ; i < len(t.runs) && t.runs[i][1] < end; i++ {
	}
	return i < len(t.runs) && t.runs[i][1] == end
}

var (
	// https://host:8080/path?query=1
	address = first(`[A-Za-z][A-Za-z0-9+.-]*://[` + runCharacters + `:?=&;,!*]*` + noPeriod)
	// C:\logs\*.txt
	drive = first(`[A-Za-z]:\\[` + runCharacters + `*]*` + noPeriod)
	// module/package.(*Type).method
	method = first(`[A-Za-z./~][` + runCharacters + `]*\.\(\*?[A-Za-z0-9_]+\)\.[` + runCharacters + `]*` + noPeriod)
	// 0A:4F:19:C2
	pairs = first(`[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){3,63}`)
)

// colon tells whether a colon between two runs makes them one name.
func colon(left, right string) bool {
	switch {
	case digest.MatchString(left) && hex.MatchString(right), host.MatchString(left) && !file.MatchString(left) && port.MatchString(right):
		return true
	case image.MatchString(left) && !file.MatchString(left):
		return tag.MatchString(right)
	}
	return word.MatchString(left) && lower.MatchString(right)
}

var (
	digest  = full(`(?:.*@)?(?:md5|sha1|sha256|sha512)`)
	hex     = full(`[0-9a-f]{7,}`)
	host    = full(`localhost|[A-Za-z0-9].*[./-].*`)
	port    = full(`\d{2,5}(?:/.*)?`)
	image   = full(`[A-Za-z0-9].*/.*`)
	tag     = full(`[A-Za-z0-9].*`)
	letters = full(`[A-Za-z].*`)
	word    = full(`[a-z][a-z0-9_-]+`)
	lower   = full(`[a-z].*`)
	file    = full(`.*\.(?:` + extensions + `)`)
)

const extensions = `bash|bat|c|cc|cfg|cpp|cs|css|csv|go|h|hpp|html|ini|java|js|json|jsx|kt|log|lua|md|mjs|php|pl|ps1|py|rb|rs|rst|scala|scss|sh|sql|swift|tf|toml|ts|tsx|txt|vue|xml|yaml|yml`

// single is what a run is by itself.
func (t *parted) single(i int) floor.Class {
	s := t.run(i)
	switch {
	case lowercase.MatchString(s): // most are, so the others need not be asked
		if s == "twice" {
			return floor.Quantity
		}
		if t.quoted(i) {
			return floor.Identifier
		}
	case figure(s):
		if t.idle(i) {
			return ""
		}
		if t.coded(i) {
			return floor.Identifier
		}
		return floor.Quantity
	case named(s):
		if strings.HasPrefix(s, "/") && strings.HasSuffix(t.before(i), "<") {
			return "" // </tag>
		}
		return floor.Identifier
	case t.quoted(i), t.about(i):
		return floor.Identifier
	}
	return ""
}

var lowercase = full(`[a-z]+`)

// named tells whether a run looks like a name whatever stands around it.
func named(s string) bool {
	if strings.Contains(s, `\`) {
		// An escape in quoted source: what would be found is not what is meant.
		return share.MatchString(s)
	}
	if emphasis.MatchString(s) {
		return false
	}
	if slashed.MatchString(s) {
		return true
	}
	for _, shape := range shapes {
		if shape.MatchString(s) {
			return true
		}
	}
	return false
}

var (
	emphasis = full(`_[A-Za-z]+_`)
	share    = full(`\\\\[A-Za-z0-9][^\\]*(?:\\[^\\]+)+`)
	slashed  = full(`(?:\.{0,2}|~)/[._]?[A-Za-z].*|[A-Z][a-z]+/[A-Z][a-z]+|.*[\pL\d].*/.*/.*|.*[\pL].*/.*[._-].*|.*[._-].*/.*[\pL].*`)
	shapes   = []*regexp.Regexp{
		full(`.*\pL.*\d.*|.*\d.*\pL.*`),
		full(`.*[\pL\d].*_.*|.*_.*[\pL\d].*`),
		full(`.*[A-Za-z0-9]@[A-Za-z0-9].*|@[A-Za-z].*`),
		full(`.*[a-z][A-Z].*|.*[A-Z]{2}[a-z]{2}.*`),
		full(`.*[A-Za-z]{2}\.[A-Za-z].*|.*[A-Za-z]\.[A-Za-z]{2}.*`),
		full(`\d+(?:\.\d+){2,}(?::\d+)?(?:/\d+)?`),
		full(`\d+(?:-\d+)+`),
		full(`[A-Z]{2,}(?:-[A-Z]{2,})+`),
		full(`#\d+`),
		full(`--[A-Za-z].*`),
		full(`\$[A-Za-z].*`),
		full(`E(?:ACCES|ADDRINUSE|AGAIN|BADF|BUSY|CONNABORTED|CONNREFUSED|CONNRESET|EXIST|FAULT|HOSTUNREACH|INTR|INVAL|IO|ISDIR|LOOP|MFILE|NFILE|NETUNREACH|NOENT|NOMEM|NOSPC|NOTDIR|NOTEMPTY|NOTFOUND|PERM|PIPE|ROFS|TIMEDOUT)|SIG(?:ABRT|BUS|CHLD|FPE|HUP|ILL|INT|KILL|PIPE|QUIT|SEGV|STOP|TERM|USR1|USR2)|OOMKilled`),
	}
)

// idle figures number a list, or a line of a file.
func (t *parted) idle(i int) bool {
	before, behind, s := t.before(i), t.behind(i), t.run(i)
	return digits.MatchString(s) && len(s) < 3 && bullet.MatchString(before) && marker.MatchString(behind) ||
		digits.MatchString(s) && len(s) == 1 && opened.MatchString(before) && closed.MatchString(behind) ||
		line.MatchString(before)
}

var (
	digits  = full(`\d+`)
	release = full(`\d+\.\d+`)
	bullet  = full(`[ \t>*#-]*`)
	marker  = first(`[.)](?:[ \t]|$)`)
	opened  = last(`(?:^|[ \t])\(`)
	closed  = first(`\)[ \t]`)
	line    = last(`\.(?:` + extensions + `):`)
)

// coded figures are codes, ports or numbers of orders.
func (t *parted) coded(i int) bool {
	s, before := t.run(i), t.before(i)
	if !digits.MatchString(s) {
		return release.MatchString(s) && version.MatchString(before)
	}
	return code.MatchString(before) || version.MatchString(before) || keyed.MatchString(before) || len(s) >= 4 && ordered.MatchString(before)
}

var (
	code    = last(`(?:^|[^` + runCharacters + `])(?:[Cc]ode|[Ss]tatus|HTTP|[Pp]ort|PID|pid|[Pp]rocess|errno|[Ee]rror|[Ee]xited)` + space)
	version = last(`(?:^|[^` + runCharacters + `])(?:[Vv]ersion|[Rr]elease|Android|Chrome|Debian|Django|Firefox|Go|Java|Kubernetes|MySQL|Node|PHP|PostgreSQL|Postgres|Python|Rails|React|Redis|Ruby|Rust|Safari|Ubuntu|Windows)` + space)
	keyed   = last(`(?:^|[^\pL\pM\pN])(?:code|status|port|pid|[iI][dD])"?[:=] ?|[a-z]Id"?[:=] ?`)
	ordered = last(`(?:^|[^` + runCharacters + `])(?:[Oo]rder|[Tt]icket|[Ii]nvoice|[Cc]ase|[Aa]ccount|[Rr]eference|[Rr]ef|[Bb]ooking|[Rr]eservation|ID|id|[Nn]umber|[Nn]o\.|[Nn]r\.|ending|ending` + space + `in)` + space)
)

// quoted is a name because of the quotes around it.
func (t *parted) quoted(i int) bool {
	s, before, behind := t.run(i), t.before(i), t.behind(i)
	if before == "" || behind == "" || before[len(before)-1] != behind[0] {
		return false
	}
	switch behind[0] {
	case '`':
		return ticked.MatchString(s)
	case '"', '\'':
		return hyphened.MatchString(s) || capitals.MatchString(s) && !common[s]
	}
	return false
}

// about is a name because of the word before it, or of what it is made of.
func (t *parted) about(i int) bool {
	s, before := t.run(i), t.before(i)
	switch {
	case hyphened.MatchString(s):
		return technical.MatchString(s) || vowelless(s) || noun.MatchString(before)
	case airport.MatchString(s):
		return way.MatchString(before) && !common[s]
	}
	return false
}

var (
	ticked    = full(`[A-Za-z][a-z-]+`)
	hyphened  = full(`[a-z]+(?:-[a-z]+)+`)
	capitals  = full(`[A-Z]{2,}`)
	airport   = full(`[A-Z]{3}`)
	way       = last(`(?:^|[^` + runCharacters + `])(?:[Ff]rom|[Tt]o|[Vv]ia)` + space)
	technical = full(`(?:.*-)?(?:api|app|cli|db|dev|eu|lib|prod|sdk|srv|stg|svc|ui|us)(?:-.*)?|[a-z]{2,}(?:-[a-z]+)*-[a-z]`)
	noun      = last(`(?:^|[^` + runCharacters + `])(?:[Bb]ranch|[Bb]ucket|[Cc]luster|[Cc]ontainer|[Dd]atabase|[Hh]ost|[Jj]ob|[Mm]odule|[Nn]amespace|[Nn]ode|[Pp]ackage|[Pp]od|[Qq]ueue|[Rr]epo|[Rr]epository|[Ss]ervice|[Tt]able|[Tt]opic)` + space)
)

// vowelless is a hyphened name with a part that nobody can say.
func vowelless(s string) bool {
	for part := range strings.SplitSeq(s, "-") {
		if len(part) > 1 && !strings.ContainsAny(part, "aeiouy") {
			return true
		}
	}
	return false
}
