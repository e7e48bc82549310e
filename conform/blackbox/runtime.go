package blackbox

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
)

// A Runtime is a black box in small steps. NewPinning, NewMarking and
// NewGuarded fill them in correctly; a planted fault replaces one or two. A step
// calls others through the Runtime, so that a replaced one is seen by all.
type Runtime struct {
	// What becomes of a conversation.
	Tokens     func(messages []floor.Message) int64
	Untouched  func(asked []floor.Message) []floor.Message // under the target
	Shorten    func(asked []floor.Message, target int64) []floor.Message
	Generation func(asked []floor.Message) int64 // how often it was compacted, so far
	Sign       func(short []floor.Message, generation int64) []floor.Message
	Mark       func(asked, out []floor.Message) floor.Mark
	Gains      func(asked, out []floor.Message) bool // else it is refused

	// What stays of a message, of its text, and of a sentence.
	Newest    func(asked []floor.Message) int // the user's newest turn; -1 is none
	Keep      func(asked []floor.Message, i int) (m floor.Message, kept bool)
	Text      func(text string) string
	Sentences func(text string) []string // each with the white space behind it
	Holds     func(sentence string) bool // may it hold an element?
	Tell      func(sentence string) string
	Args      func(call floor.Call) floor.Call

	// Of marking: from where on everything stays, which of the calls before wait
	// for a result, what ends something, and what was seen.
	Start    func(asked []floor.Message, target int64) int
	Pending  func(asked []floor.Message, i int) bool
	Ends     func(sentence string) bool
	Remember func(asked []floor.Message)
	Recall   func(query string) (string, error)

	// Of guarded: what the model says of messages, and what is taken from that:
	// which sentences of those that may go, and what else.
	Summary Model
	Taken   func(asked []floor.Message, summary string) (stays func(sentence string) bool, more []floor.Message)
}

// funcs are the runtime as a subject's.
func (r *Runtime) funcs() conform.Funcs {
	f := conform.Funcs{Reduce: func(in *floor.ReduceIn) (floor.ReduceOut, error) { return r.Reduce(in), nil }}
	if r.Recall != nil {
		f.Recall = func(in *floor.RecallIn) (floor.RecallOut, error) {
			text, err := r.Recall(in.Query)
			return floor.RecallOut{Text: text}, err
		}
	}
	return f
}

// Reduce makes a conversation shorter, or refuses to.
func (r *Runtime) Reduce(in *floor.ReduceIn) floor.ReduceOut {
	asked := in.Messages
	generation := r.Generation(asked)
	if r.Remember != nil {
		r.Remember(asked)
	}
	out := asked
	if r.Tokens(asked) > in.TargetTokens {
		generation = min(generation+1, floor.MaxGeneration)
		out = r.Sign(r.Shorten(asked, in.TargetTokens), generation)
		if !r.Gains(asked, out) {
			return floor.ReduceOut{Refused: true, Reason: "every sentence may be needed"}
		}
	} else {
		out = r.Untouched(asked)
	}
	return floor.ReduceOut{Messages: out, Mark: r.Mark(asked, out), Generation: &generation}
}

// newRuntime has the steps that all boxes have in common.
func newRuntime(note string) *Runtime {
	r := &Runtime{}
	noted := regexp.MustCompile("^" + regexp.QuoteMeta(note) + ` (\d{1,15})\.$`)
	isNote := func(m floor.Message) bool { return m.Role == floor.System && noted.MatchString(m.Text) }

	r.Tokens = tokens
	r.Untouched = func(asked []floor.Message) []floor.Message { return asked }
	r.Generation = func(asked []floor.Message) (latest int64) {
		for _, m := range asked {
			if isNote(m) {
				n, _ := strconv.ParseInt(noted.FindStringSubmatch(m.Text)[1], 10, 64) // digits, and not too many
				latest = max(latest, n)
			}
		}
		return latest
	}
	// The wire tells no generation, so that the conversation itself has to.
	r.Sign = func(short []floor.Message, generation int64) []floor.Message {
		rest := slices.DeleteFunc(slices.Clone(short), isNote)
		return slices.Insert(rest, 0, floor.Message{Role: floor.System, Text: fmt.Sprintf("%s %d.", note, generation)})
	}
	r.Mark = func(_, _ []floor.Message) floor.Mark { return floor.NoMark }
	r.Gains = func(asked, out []floor.Message) bool { return Characters(out) < Characters(asked) }

	r.Newest = newest
	r.Text = func(text string) string {
		var kept strings.Builder
		for _, sentence := range r.Sentences(text) {
			if r.Holds(sentence) {
				kept.WriteString(r.Tell(sentence))
			}
		}
		if kept.Len() == len(text) {
			return kept.String()
		}
		return strings.TrimRight(kept.String(), " \n\t")
	}
	r.Sentences, r.Holds = sentences, mayHold
	r.Tell = func(sentence string) string { return sentence }
	r.Args = func(call floor.Call) floor.Call { return call }
	return r
}

// NewPinning keeps every sentence that may hold an element, in its place and in
// its message, with the system's words, the user's newest turn, and all calls
// with their results. The rest it drops.
func NewPinning() *Runtime {
	r := newRuntime("Compacted, generation")
	r.Shorten = func(asked []floor.Message, _ int64) (short []floor.Message) {
		for i := range asked {
			if m, kept := r.Keep(asked, i); kept {
				short = append(short, m)
			}
		}
		return short
	}
	r.Keep = func(asked []floor.Message, i int) (floor.Message, bool) {
		m := asked[i]
		if m.Role == floor.System || i == r.Newest(asked) {
			return m, true
		}
		m.Text = r.Text(m.Text)
		m.Calls = slices.Clone(m.Calls)
		for c := range m.Calls {
			m.Calls[c] = r.Args(m.Calls[c])
		}
		return m, m.Text != "" || len(m.Calls) > 0 || m.Role == floor.Tool
	}
	return r
}

// NewMarking keeps the system's words and the latest messages, calls with their
// results, and of what is before those the sentences that end something. What
// it has made is marked, for good, and it can be asked for what is gone.
func NewMarking() *Runtime {
	r := newRuntime("Earlier turns are left out, generation")
	r.Shorten = func(asked []floor.Message, target int64) (short []floor.Message) {
		start := r.Start(asked, target)
		for i, m := range asked {
			calls, _ := round(asked, i)
			if i >= start || m.Role == floor.System || calls >= 0 && r.Pending(asked, calls) {
				short = append(short, m)
			} else if text := r.ends(m); text != "" {
				short = append(short, floor.Message{Role: m.Role, Text: text})
			}
		}
		return short
	}
	r.Start = func(asked []floor.Message, target int64) int {
		var rules []floor.Message
		for _, m := range asked {
			if m.Role == floor.System {
				rules = append(rules, m)
			}
		}
		room := target - r.Tokens(rules)
		start := len(asked)
		for i, m := range slices.Backward(asked) {
			if m.Role != floor.System {
				room -= r.Tokens(asked[i : i+1])
			}
			if room < 0 && i < r.Newest(asked) {
				break
			}
			if m.Role != floor.Tool { // a result does not stay without its call
				start = i
			}
		}
		return start
	}
	r.Pending = func(asked []floor.Message, i int) bool {
		return slices.ContainsFunc(asked[i].Calls, func(c floor.Call) bool {
			return !slices.ContainsFunc(asked[i:], func(m floor.Message) bool { return m.Role == floor.Tool && m.CallID == c.ID })
		})
	}
	r.Ends = func(sentence string) bool { return hasAny(sentence, endings) }
	r.Mark = func(_, out []floor.Message) floor.Mark {
		if r.Generation(out) > 0 {
			return floor.MarkProvisional
		}
		return floor.NoMark
	}
	seen := newMemory()
	r.Remember = func(asked []floor.Message) { seen.hear(asked, r.Sentences) }
	r.Recall = seen.recall
	return r
}

// ends is what has to stay of a message that is left out: a result does not
// stay without its call.
func (r *Runtime) ends(m floor.Message) string {
	if m.Role == floor.Tool {
		return ""
	}
	var kept strings.Builder
	for _, sentence := range r.Sentences(m.Text) {
		if r.Ends(sentence) {
			kept.WriteString(r.Tell(sentence))
		}
	}
	return strings.TrimRight(kept.String(), " \n\t")
}

// NewGuarded asks a model for a summary and believes nothing of it. A sentence
// of the summary counts where somebody said it, and stands again where it was
// said, in the words of the one who said it. What may hold an element and is
// not in the summary is pinned, and what nobody said is left out; so is a pair
// of call and result in which nothing may hold one.
func NewGuarded(m Model) *Runtime {
	r := NewPinning()
	r.Summary = m
	keep := r.Keep
	stays := func(string) bool { return false }
	r.Shorten = func(asked []floor.Message, _ int64) (short []floor.Message) {
		newest := r.Newest(asked)
		summary, err := r.Summary(Middle(asked, newest))
		if err != nil {
			summary = ""
		}
		var more []floor.Message
		stays, more = r.Taken(asked, summary)
		for i := range asked {
			if i == newest {
				short = append(short, more...)
			}
			if m, kept := r.Keep(asked, i); kept {
				short = append(short, m)
			}
		}
		return short
	}
	r.Taken = func(_ []floor.Message, summary string) (func(string) bool, []floor.Message) {
		summary = oneSpace(summary)
		return func(sentence string) bool {
			return mayHold(sentence) || summary != "" && strings.Contains(summary, oneSpace(sentence))
		}, nil
	}
	r.Holds = func(sentence string) bool { return stays(sentence) }
	r.Keep = func(asked []floor.Message, i int) (floor.Message, bool) {
		if calls, results := round(asked, i); calls >= 0 && !r.Pending(asked, calls) && !r.speaks(asked[calls:results]) {
			return floor.Message{}, false
		}
		return keep(asked, i)
	}
	r.Pending = NewMarking().Pending
	return r
}

// Middle is what a summary is to replace: everything but the system's words and
// the user's newest turn.
func Middle(asked []floor.Message, newest int) (middle []floor.Message) {
	for i, m := range asked {
		if m.Role != floor.System && i != newest {
			middle = append(middle, m)
		}
	}
	return middle
}

// round is the stretch of a message that calls and the results right behind it,
// which message i is in; -1 where it is in none.
func round(asked []floor.Message, i int) (calls, results int) {
	for calls = i; calls > 0 && asked[calls].Role == floor.Tool; {
		calls--
	}
	if len(asked[calls].Calls) == 0 {
		return -1, -1
	}
	for results = calls + 1; results < len(asked) && asked[results].Role == floor.Tool; {
		results++
	}
	return calls, results
}

// speaks says whether anything in messages may hold an element.
func (r *Runtime) speaks(messages []floor.Message) bool {
	return slices.ContainsFunc(messages, func(m floor.Message) bool {
		return slices.ContainsFunc(Texts(m), func(text string) bool { return slices.ContainsFunc(r.Sentences(text), r.Holds) })
	})
}

// newest is the last message of the user; -1 where there is none.
func newest(messages []floor.Message) int {
	for i, m := range slices.Backward(messages) {
		if m.Role == floor.User {
			return i
		}
	}
	return -1
}

// tokens is a guess that is usual for English: four characters each.
func tokens(messages []floor.Message) int64 { return (Characters(messages) + 3) / 4 }

// Characters counts what messages say.
func Characters(messages []floor.Message) (n int64) {
	for _, m := range messages {
		for _, text := range Texts(m) {
			n += int64(utf8.RuneCountInString(text))
		}
	}
	return n
}

// appendStrings appends every string in a JSON value, fields in the order of
// their names.
func appendStrings(out []string, value any) []string {
	switch value := value.(type) {
	case string:
		return append(out, value)
	case []any:
		for _, item := range value {
			out = appendStrings(out, item)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			out = appendStrings(out, value[name])
		}
	}
	return out
}
