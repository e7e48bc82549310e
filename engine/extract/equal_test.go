package extract_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/corpora"
	"github.com/floorcheck/floorcheck/engine/extract"
	"github.com/floorcheck/floorcheck/engine/extract/plain"
)

// The recorded transcripts beside the project are long and the oracle is slow:
// without the flag a part of each file is read.
var everything = flag.Bool("everything", false, "read the recorded transcripts to their ends")

// A sample is a text to extract from. Of one that is held back nothing is
// printed.
type sample struct {
	text     string
	heldBack bool
}

// samples are all texts that there are, each once.
func samples(t testing.TB) (all []sample) {
	t.Helper()
	seen := map[string]bool{}
	add := func(s sample) {
		if !seen[s.text] {
			seen[s.text] = true
			all = append(all, s)
		}
	}
	for _, tr := range corpora.Transcripts() {
		for _, m := range tr.Messages {
			add(sample{text: m.Text})
		}
	}
	for _, m := range labelled(t) {
		add(sample{m.Text, m.Part == heldBack})
	}
	for _, text := range recorded(t) {
		add(sample{text: text})
	}
	for _, text := range hostile(10_000) {
		add(sample{text: text})
	}
	return all
}

// recorded are messages of real agents, where they lie beside the project.
func recorded(t testing.TB) (texts []string) {
	t.Helper()
	const most = 96 << 10 // bytes of a file, without the flag
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "shared", "corpora", "transcripts", "*.jsonl"))
	require.NoError(t, err)
	for _, name := range files {
		file, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		require.NoError(t, err)
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 64<<20)
		seen, size := map[string]bool{}, 0
		for lines.Scan() && (size < most || *everything) {
			var transcript struct {
				Messages []struct {
					Text string `json:"text"`
				} `json:"messages"`
			}
			require.NoError(t, json.Unmarshal(lines.Bytes(), &transcript))
			for _, m := range transcript.Messages {
				if !seen[m.Text] && (size < most || *everything) {
					seen[m.Text] = true
					size += len(m.Text)
					texts = append(texts, m.Text)
				}
			}
		}
		require.NoError(t, lines.Err())
		require.NoError(t, file.Close())
	}
	return texts
}

// pieces are what names, figures and sentences are made of, and what should not
// be in them.
var pieces = []string{
	" ", " ", " ", " ", ".", ",", ":", "::", "://", "/", "\\", "-", "–", "−", "×", "x", "°C", "§", "§§ ", "€", "£ ", "$", "%", "`", "\"", "'", "’", "“", "”", "(", ")", "\n",
	"1", "24", "404", "2026", "05", "15", "12:30", "am", "UTC", "May", "to", "or", "of", "in", "out", "two", "Twenty-one", "EUR", "p.a", "per", "cent", "files", "open", "ms", "GB",
	"h", "m", "s", "foo", "Bar", "API", "JFK", "from ", "go", "py", ".go:", "code ", "id=", "order ", "No. ", "ending in ", "e", "E5", "+", "~", "_", "@", "#", "=", "<", "*",
	"one", "an", "hour", "1.5", ".5", "1,200", "1.234,5", "k", "M", "st", "th", "http", "sha256", "abcdef0", "C:\\", "é", "\u0301", "\u0338", "٣", "\xff", "東", "\u00a0", "\u202f",
	"KV ", "+47 ", "555 ", "canary-", "api", "1-2", "10-5", "0,9-1", "2h", "15m", "Z", "T", "T10:00", "2026-05-01", "1.2.3", "3/4", "10:20:30:4f", "ab:cd:ef:01", "AA:BB:CC:", "localhost:", "8080",
	" must ", " do not ", "Never ", " if ", " unless ", " only ", " before ", " first ", " then ", " after ", " is ", " has ", " not ", " done ", " open ", " by ", " until ", " may ",
	"Perhaps ", " I think ", " might be ", " deploy ", " the ledger ", " you ", ", ", ". ", ": ", "TODO(", "FAIL: ", "can't ", " allowed ", " no longer ", " owes ",
}

// hostile are texts drawn from the pieces, and from messages that they are put
// into. They are the same every time.
func hostile(n int) (texts []string) {
	rng := rand.New(rand.NewPCG(4, 3))
	var messages []string
	for _, tr := range corpora.Transcripts() {
		for _, m := range tr.Messages {
			messages = append(messages, m.Text)
		}
	}
	for range n {
		var text []byte
		if rng.IntN(3) > 0 {
			for range 1 + rng.IntN(16) {
				text = append(text, pieces[rng.IntN(len(pieces))]...)
			}
		} else {
			const most = 80
			m := messages[rng.IntN(len(messages))]
			from := rng.IntN(max(len(m)-most, 1))
			text = []byte(m[from:min(from+most, len(m))])
			for range 1 + rng.IntN(6) {
				at := rng.IntN(len(text) + 1)
				text = slices.Replace(text, at, min(at+rng.IntN(4), len(text)), []byte(pieces[rng.IntN(len(pieces))])...)
			}
		}
		texts = append(texts, string(text))
	}
	return texts
}

// The scanner finds what the oracle finds, in every text.
func TestTheScannerFindsWhatTheOracleFinds(t *testing.T) {
	var x extract.Extractor
	var got []extract.Token
	bytes, tokens := 0, 0
	for _, s := range samples(t) {
		bytes += len(s.text)
		tokens += compare(t, &x, &got, s)
	}
	t.Logf("%d tokens in %d bytes", tokens, bytes)
	require.Greater(t, tokens, 10_000)
}

// compare gives how many tokens there are.
func compare(t *testing.T, x *extract.Extractor, got *[]extract.Token, s sample) int {
	t.Helper()
	*got = x.AppendTokens((*got)[:0], s.text)
	want := plain.Tokens(s.text)
	if slices.Equal(*got, want) {
		return len(want)
	}
	if s.heldBack {
		t.Fatalf("the scanner finds %d, the oracle %d, or others, in a message that is held back", len(*got), len(want))
	}
	only := func(a, b []extract.Token) (texts []string) {
		for _, token := range a {
			if !slices.Contains(b, token) {
				texts = append(texts, string(token.Class)+" "+s.text[token.Start:token.End])
			}
		}
		return texts
	}
	const most = 400
	t.Fatalf("the scanner alone finds %.200q, the oracle alone %.200q, in %.*q", only(*got, want), only(want, *got), most, s.text)
	return 0
}

// A kind of text that a bad loop would be slow on. Head and unit are repeated
// up to a size, the tail ends it.
type monster struct{ name, unit, tail string }

var monsters = []monster{
	{"one word", "a", ""},
	{"one number", "9", "x"},
	{"blanks", " ", "must"},
	{"periods", ".", "go"},
	{"marks", "\u0301", ""},
	{"broken UTF-8", "\xff\xc3", ""},
	{"hexadecimal pairs", "AA:", "AAB"},
	{"names with colons", "ab:", "9"},
	{"schemes", "a://", ""},
	{"slashes", "1/", "a"},
	{"groups of three", "123,", "x"},
	{"spans", "1-", "2"},
	{"dashes", "1–", ""},
	{"shares", `\\a`, ""},
	{"sections", "§ ", "1"},
	{"duties without an end", "must ", "do"},
	{"duties with commas", "you must do it, ", ""},
	{"prohibitions", "do not do it until ", ""},
	{"conditions", "if a, ", ""},
	{"orders", "first a, then b ", ""},
	{"brackets", "(must ", ""},
	{"brackets that close", "(", strings.Repeat("must do it ", 4) + strings.Repeat(")", 1000)},
	{"opened quotes", `"a b `, ""},
	{"typographic quotes", "“a b ", ""},
	{"ticks", "`a` must ", ""},
	{"lines", "a\n", "must"},
	{"states", "it is done ", ""},
	{"guesses", "perhaps ", ""},
}

func (m monster) text(size int) string {
	return strings.Repeat(m.unit, max(size-len(m.tail), 0)/len(m.unit)) + m.tail
}

// A line of a mebibyte is read like any other, and what is made of it stays in
// proportion. (How long it takes is measured by BenchmarkSizes.)
func TestLongLines(t *testing.T) {
	const (
		short, long = 2 << 10, 1 << 20
		most        = 32 // bytes of all forms, for each of the text
	)
	var x extract.Extractor
	var got []extract.Token
	for _, m := range monsters {
		t.Run(m.name, func(t *testing.T) {
			compare(t, &x, &got, sample{text: m.text(short)})
			checkKept(t, &x, map[string]bool{}, sample{text: m.text(short)})
			text, size := m.text(long), 0
			for _, f := range x.Extract(text) {
				for _, form := range slices.Concat(f.Forms, f.Inverted) {
					size += len(form)
				}
			}
			require.LessOrEqual(t, size, most*len(text))
		})
	}
}
