package blackbox

import (
	"unicode/utf8"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
)

// refusing gives back what fits, and nothing else. It never compacts, so that
// everything is of generation 0.
var refusing = conform.Funcs{Reduce: func(in *floor.ReduceIn) (floor.ReduceOut, error) {
	if tokens(in.Messages) > in.TargetTokens {
		return floor.ReduceOut{Refused: true, Reason: "that is more than fits, and nothing is sure to go"}, nil
	}
	generation := int64(0)
	return floor.ReduceOut{Messages: in.Messages, Mark: floor.NoMark, Generation: &generation}, nil
}}

// wild is a black box as most are: what does not fit is made shorter, and
// nothing is said of what went.
func wild(shorten func([]floor.Message) []floor.Message) conform.Funcs {
	return conform.Funcs{Reduce: func(in *floor.ReduceIn) (floor.ReduceOut, error) {
		out := in.Messages
		if tokens(out) > in.TargetTokens {
			out = shorten(out)
		}
		return floor.ReduceOut{Messages: out, Mark: floor.NoMark}, nil
	}}
}

func keepLast(asked []floor.Message) (kept []floor.Message) {
	for i, m := range asked {
		if m.Role == floor.System || i >= len(asked)-6 {
			kept = append(kept, m)
		}
	}
	return kept
}

func headTail(asked []floor.Message) (kept []floor.Message) {
	for i, m := range asked {
		if i < 2 || i >= len(asked)-4 {
			kept = append(kept, m)
		}
	}
	return kept
}

// mostOfAText is how much of a text truncate leaves, in bytes.
const mostOfAText = 160

func truncate(asked []floor.Message) []floor.Message {
	cut := make([]floor.Message, len(asked))
	for i, m := range asked {
		if len(m.Text) > mostOfAText {
			end := mostOfAText
			for end > 0 && !utf8.RuneStart(m.Text[end]) {
				end--
			}
			m.Text = m.Text[:end] + "…"
		}
		cut[i] = m
	}
	return cut
}

// summarizing takes the model at its word, and its error as well.
func summarizing(ask Model) func([]floor.Message) []floor.Message {
	return func(asked []floor.Message) (short []floor.Message) {
		last := newest(asked)
		summary, err := ask(Middle(asked, last))
		if err != nil {
			summary = "Error: " + err.Error()
		}
		for i, m := range asked {
			if i == last {
				short = append(short, floor.Message{Role: floor.Assistant, Text: summary})
			}
			if i == last || m.Role == floor.System {
				short = append(short, m)
			}
		}
		if last < 0 {
			short = append(short, floor.Message{Role: floor.Assistant, Text: summary})
		}
		return short
	}
}
