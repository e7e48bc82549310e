// Package hostile holds the summarizers that the suite plays, one of them
// right and the others wrong in one way each, and the model server that speaks
// for them: what a runtime does with a bad summary is seen by giving it one.
//
// A summarizer works from the content alone. It does not know what is planted,
// but it knows English of the kind that plants are written in. Equal contents
// give equal summaries: no clock, no chance.
package hostile

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// A Line is a message, or as much of one as was found in a prompt. Its text may
// have several lines of its own.
type Line struct {
	Role floor.Role
	Text string
}

// A Summarizer makes a summary of a conversation.
type Summarizer struct {
	ID    string // in kebab case; stays for ever, like a rule's
	Title string // one sentence: what it does

	// Failing says that what comes is no summary: an error, a refusal, nothing,
	// or a part. It is what reduce/error-not-memory is about.
	Failing bool

	// Trips are the rules that a runtime breaks when it takes the summary for
	// the history without a look, in a case that holds what the fault spoils.
	// What reduce/no-silent-loss says of the first generation, reduce/chain says
	// of later ones; it is not listed again.
	Trips []string

	tell     func(content) (telling, error)
	delivery delivery // how the server sends it
}

// Summarize gives the summary. The error is that of a summarizer which fails in
// transport, and only of those: what a runtime sees when the model is not there.
func (s Summarizer) Summarize(lines []Line) (string, error) {
	t, err := s.tell(read(lines))
	return t.text, err
}

// All gives every summarizer in a fixed order, the right one first.
func All() []Summarizer { return slices.Clone(catalogue) }

// Lookup finds a summarizer by its ID.
func Lookup(id string) (Summarizer, bool) {
	i := slices.IndexFunc(catalogue, func(s Summarizer) bool { return s.ID == id })
	if i < 0 {
		return Summarizer{}, false
	}
	return catalogue[i], true
}

// Names are the IDs, in the order of All.
func Names() []string {
	names := make([]string, len(catalogue))
	for i, s := range catalogue {
		names[i] = s.ID
	}
	return names
}

// Lines are the messages of a conversation as a summarizer sees them: a call's
// arguments are text too.
func Lines(messages []floor.Message) []Line {
	var lines []Line
	for _, m := range messages {
		if strings.TrimSpace(m.Text) != "" {
			lines = append(lines, Line{m.Role, m.Text})
		}
		for _, c := range m.Calls {
			lines = append(lines, argLines(decoded(string(c.Args)))...)
		}
	}
	return lines
}

// argLines are the strings in the arguments of a call, fields in the order of
// their names: nobody but an assistant calls.
func argLines(args any) (lines []Line) {
	switch args := args.(type) {
	case string:
		if strings.TrimSpace(args) != "" {
			lines = append(lines, Line{floor.Assistant, args})
		}
	case []any:
		for _, item := range args {
			lines = append(lines, argLines(item)...)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(args)) {
			lines = append(lines, argLines(args[name])...)
		}
	}
	return lines
}

// decoded reads JSON; what is none stays a string.
func decoded(text string) any {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil || dec.More() {
		return text
	}
	return v
}

// A content is what is to be summarized, cut into sentences.
type content struct {
	lines     []Line
	sentences []sentence
}

// A sentence stands in a text to the letter, but for white space.
type sentence struct {
	role  floor.Role
	line  int // the index of its Line
	text  string
	holds bool // may hold an element, by the plain rule
}

func read(lines []Line) content {
	c := content{lines: lines}
	for i, l := range lines {
		for _, text := range split(l.Text) {
			c.sentences = append(c.sentences, sentence{l.Role, i, text, mayHold(text)})
		}
	}
	return c
}

// kept are the sentences of the right summary: every one that may hold an
// element, in order.
func (c content) kept() []sentence {
	var kept []sentence
	for _, s := range c.sentences {
		if s.holds {
			kept = append(kept, s)
		}
	}
	return kept
}

// echo is the whole conversation, told again.
func (c content) echo() string {
	texts := make([]string, len(c.lines))
	for i, l := range c.lines {
		texts[i] = l.Text
	}
	if told := strings.Join(texts, "\n"); strings.TrimSpace(told) != "" {
		return told
	}
	return NothingSaid
}

// NothingSaid is the summary when no sentence is left. It is neither empty,
// which would be a failure, nor a word that anybody could be bound by.
const NothingSaid = "Small talk."

// prose sets sentences as a text; those of one message stay in one paragraph.
func prose(sentences []sentence) string {
	if len(sentences) == 0 {
		return NothingSaid
	}
	var b strings.Builder
	for i, s := range sentences {
		if i > 0 {
			if s.line == sentences[i-1].line {
				b.WriteByte(' ')
			} else {
				b.WriteByte('\n')
			}
		}
		b.WriteString(s.text)
	}
	return b.String()
}
