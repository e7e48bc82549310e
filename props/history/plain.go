package history

import (
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// byHand searches plain texts: letters of English, digits, low lines, hyphens,
// periods, white space, and commas that stand between no digits. On these it is
// RULES.md 2a once more, in no more words than that takes.
func byHand(e floor.Element, parts []string) (form, inverted bool) {
	for _, part := range parts {
		forms, opposites := places(part, e.Forms, e.Match), places(part, e.Inverted, e.Match)
		form = form || anyOutside(forms, opposites)
		inverted = inverted || anyOutside(opposites, forms)
	}
	return form, inverted
}

// A place is from which byte to which.
type place struct{ from, to int }

// anyOutside tells whether some place lies inside none of the others.
func anyOutside(places, others []place) bool {
	for _, p := range places {
		inside := false
		for _, o := range others {
			inside = inside || o.from <= p.from && p.to <= o.to
		}
		if !inside {
			return true
		}
	}
	return false
}

// places are where phrases occur in a text.
func places(text string, phrases []string, m floor.Match) (found []place) {
	text = plainly(text, m)
	for _, phrase := range phrases {
		phrase = plainly(phrase, m)
		for from := 0; phrase != "" && from+len(phrase) <= len(text); from++ {
			to := from + len(phrase)
			if text[from:to] == phrase && ends(text, from, m) && ends(text, to, m) {
				found = append(found, place{from, to})
			}
		}
	}
	return found
}

func plainly(text string, m floor.Match) string {
	if text = strings.Join(strings.Fields(text), " "); m != floor.Exact {
		text = strings.ToLower(text)
	}
	return text
}

// ends tells whether an occurrence may begin or end there: not in the midst of a
// word, and of an exact one not in the midst of what stands together, but for
// the periods behind that.
func ends(text string, at int, m floor.Match) bool {
	if at == 0 || at == len(text) {
		return true
	}
	if inWord(text[at-1]) && inWord(text[at]) {
		return false
	}
	return m != floor.Exact || !together(text[at-1]) || !together(text[at]) || strings.Trim(text[at:at+reach(text[at:])], ".") == ""
}

// reach is how far what stands together goes from the beginning of a text.
func reach(text string) (n int) {
	for n < len(text) && together(text[n]) {
		n++
	}
	return n
}

func inWord(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func together(c byte) bool { return inWord(c) || c == '-' || c == '.' }
