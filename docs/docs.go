// Package docs embeds the pages that the binary quotes.
package docs

import (
	_ "embed"
	"strings"
)

//go:embed requirements.md
var requirements string

// Requirements is the text of docs/requirements.md.
func Requirements() string { return requirements }

// A Requirement is one numbered row of the page.
type Requirement struct {
	ID      string // e.g. A-81
	Text    string
	Source  string // seed and section
	Settled string // the rules that settle it, or why none does
}

// ParseRequirements reads the page's rows, in its order.
func ParseRequirements() []Requirement {
	var out []Requirement
	for line := range strings.Lines(requirements) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 6 || !isID(strings.TrimSpace(cells[1])) {
			continue
		}
		out = append(out, Requirement{
			ID:      strings.TrimSpace(cells[1]),
			Text:    strings.TrimSpace(cells[2]),
			Source:  strings.TrimSpace(cells[3]),
			Settled: strings.TrimSpace(cells[4]),
		})
	}
	return out
}

// isID matches A-01, B-01, W-01.
func isID(s string) bool {
	return len(s) >= 4 && strings.Contains("ABW", s[:1]) && s[1] == '-' && strings.Trim(s[2:], "0123456789") == ""
}
