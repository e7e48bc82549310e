// Package plain finds identifiers and quantities by regular expressions, one
// rule at a time and as slow as that is. It says what the scanner of
// engine/extract has to find: tests and the benchmark compare the two. Its words are listed once more, so that one that is missing on
// either side shows.
//
// A text falls into runs, as for exact matching (RULES.md 2a.3): word
// characters and the joiners between them, the periods at the end left out.
// What is found begins and ends where runs do, so that it can be found again.
package plain

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/floorcheck/floorcheck/engine/extract"
	"github.com/floorcheck/floorcheck/floor"
)

// Tokens are the identifiers and quantities of a text, in order. At each run
// the first that there is counts, and the search goes on behind it: a section,
// names glued together, the most runs that are one thing, the run alone.
func Tokens(text string) (found []extract.Token) {
	t := split(text)
	for i := 0; i < len(t.runs); {
		start, end := t.runs[i][0], t.runs[i][1]
		class := floor.Identifier
		if marked.MatchString(t.run(i)) {
			i++
			continue
		}
		if from := t.section(i); from >= 0 {
			start = from
		} else if to := t.glued(i); to >= 0 {
			end = to
		} else if n, c := t.several(i); n > 0 {
			end, class = t.runs[i+n-1][1], c
		} else if class = t.single(i); class == "" {
			i++
			continue
		}
		if class == floor.Quantity {
			start -= len(currency(t.text[start:end], t.before(i)))
		}
		found = append(found, extract.Token{Class: class, Start: start, End: end})
		for i < len(t.runs) && t.runs[i][0] < end {
			i++
		}
	}
	return found
}

// A parted is a text with its runs.
type parted struct {
	text string
	runs [][]int // from, to
}

const (
	runCharacters = `\pL\pM\pN_./\\@~+%$#\-`
	noPeriod      = `[\pL\pM\pN_/\\@~+%$#\-]`
)

// A comma or colon between two digits joins them.
var run = regexp.MustCompile(`(?:\p{Nd}(?:[,:]\p{Nd})+|[` + runCharacters + `])+`)

// What begins with a mark may be one with the character before.
var marked = first(`\pM`)

func split(text string) parted {
	t := parted{text: text}
	for _, r := range run.FindAllStringIndex(text, -1) {
		if r[1] = r[0] + len(strings.TrimRight(text[r[0]:r[1]], ".")); r[1] > r[0] {
			t.runs = append(t.runs, r)
		}
	}
	return t
}

func (t *parted) run(i int) string { return t.text[t.runs[i][0]:t.runs[i][1]] }

// before is what stands before a run, on its line and not far off.
func (t *parted) before(i int) string {
	const far = 48
	end := t.runs[i][0]
	s := t.text[max(end-far, 0):end]
	for s != "" && !utf8.RuneStart(s[0]) {
		s = s[1:]
	}
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// behind is what stands after a run.
func (t *parted) behind(i int) string { return t.text[t.runs[i][1]:] }

func full(pattern string) *regexp.Regexp { return regexp.MustCompile(`^(?:` + pattern + `)$`) }

func first(pattern string) *regexp.Regexp { return regexp.MustCompile(`^(?:` + pattern + `)`) }

func last(pattern string) *regexp.Regexp { return regexp.MustCompile(`(?:` + pattern + `)$`) }
