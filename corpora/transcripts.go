package corpora

import (
	"embed"

	"github.com/floorcheck/floorcheck/floor"
)

//go:embed transcripts/*.json
var transcripts embed.FS

// The domains of the transcripts.
const (
	Coding     = "coding"     // an agent in a repository
	Operations = "operations" // running systems, and incidents
	Travel     = "travel"     // booking, and service of an airline
	Analysis   = "analysis"   // figures and where they come from
	Office     = "office"     // contracts, orders, minutes
)

// Domains are all of them, sorted.
var Domains = []string{Analysis, Coding, Office, Operations, Travel}

// A Transcript is a conversation with an agent, written for this project by
// hand. Nothing is planted in it: it is the matter between plants, so it says
// nothing of what the generator plants. Results follow their calls, and no
// call stays without one.
type Transcript struct {
	ID       string          `json:"id"`
	Domain   string          `json:"domain"`
	Title    string          `json:"title"`
	Messages []floor.Message `json:"messages"` // rules of the system first, then a user's turn
}

// Transcripts are all of them, sorted by id, read anew on each call. A file
// that cannot be read is our own bug and panics: a test reads them all.
func Transcripts() []Transcript { return readAll[Transcript](transcripts, "transcripts/*.json") }
