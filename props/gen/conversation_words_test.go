package gen

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/corpora"
	"github.com/floorcheck/floorcheck/floor"
)

// phrases are all words of plants that are compared with folded letters, each
// as short as a plant's forms or their opposites can be.
func phrases() (out []string) {
	out = slices.Concat(deeds, provisos, guesses, tasks)
	for _, suspect := range suspects {
		out = append(out, suspect+" is the cause")
	}
	return out
}

// values are all names, figures and headings.
func values() (out []string) {
	for _, f := range slices.Concat(names, figures) {
		out = append(out, f.values...)
	}
	return append(out, headings...)
}

// talk is all that stands around plants.
func talk() []string {
	out := slices.Concat(smallTalk, requests, asides, standing, logs, []string{opening})
	for _, use := range slices.Concat(toolUses, noted, []toolUse{logTail, setting}) {
		out = append(out, use.name, use.args, use.result)
	}
	for _, t := range corpora.Transcripts() {
		for _, m := range t.Messages {
			out = append(out, m.Text)
			for _, call := range m.Calls {
				out = append(out, call.Name, string(call.Args))
			}
		}
	}
	return out
}

// There are words enough, each once, and all can be spelled in every way.
func TestWordsOfPlants(t *testing.T) {
	for name, list := range map[string][]string{
		"deeds": deeds, "provisos": provisos, "suspects": suspects, "guesses": guesses, "tasks": tasks, "headings": headings,
	} {
		require.GreaterOrEqual(t, len(list), 24, name)
		require.LessOrEqual(t, len(list), mostWords, name)
	}
	of := func(l lexicon) (n int) {
		for _, f := range l {
			n += len(f.values)
			require.GreaterOrEqual(t, len(f.values), 3, "look-alikes of %s", f.values[0])
			require.LessOrEqual(t, len(f.values), mostWords)
		}
		return n
	}
	require.GreaterOrEqual(t, of(names), 30)
	require.GreaterOrEqual(t, of(figures), 30)
	nouns := []string{headingTaken}
	for _, f := range slices.Concat(names, figures) {
		nouns = append(nouns, f.nouns...)
	}
	all := slices.Concat(deeds, provisos, suspects, guesses, tasks, values(), nouns)
	seen := map[string]bool{}
	for _, word := range all {
		require.False(t, seen[word], "%q is there twice", word)
		seen[word] = true
		require.True(t, utf8.ValidString(word))
		require.Equal(t, strings.Join(strings.Fields(word), " "), word)
		require.Equal(t, word, inOnePart(inTwoParts(word)))
		for _, r := range word { // letters that change nothing but their case
			require.Equal(t, unicode.ToLower(r), unicode.ToLower(unicode.ToUpper(r)), "%q in %q", r, word)
			require.False(t, unicode.Is(unicode.Mn, r), "%q is written in two parts", word)
		}
	}
	for _, d := range deadlines {
		require.NotEmpty(t, d)
	}
}

// Accented letters are a letter and one mark, and some of them are said.
func TestAccentedLetters(t *testing.T) {
	all := strings.Join(slices.Concat(phrases(), values()), " ")
	for r, two := range accented {
		letter, mark := []rune(two)[0], []rune(two)[1]
		require.Len(t, []rune(two), 2)
		require.Less(t, letter, rune(0x80), "%q", r)
		require.True(t, unicode.Is(unicode.Mn, mark), "%q", r)
		require.Contains(t, all, string(r))
	}
}

// No phrase of a plant stands in another one, or in anything that is said
// around plants: nothing keeps or voids a plant by accident.
func TestPhrasesStandForThemselves(t *testing.T) {
	all := phrases()
	for i, a := range all {
		for k, b := range all {
			require.False(t, i != k && strings.Contains(plainly(a), plainly(b)), "%q holds %q", a, b)
		}
	}
	for _, text := range talk() {
		plain := plainly(text)
		for _, phrase := range all {
			require.False(t, strings.Contains(plain, plainly(phrase)), "%q is said in %q", phrase, text)
		}
	}
}

// No name, figure or heading is said around plants or in one another's
// sentences, to the letter; nor is one part of another where names end.
func TestValuesStandForThemselves(t *testing.T) {
	all := values()
	around, words := parted(talk()...), parted(slices.Concat(phrases(), deadlines)...)
	for _, v := range all {
		require.Empty(t, occurrences(around, floor.Exact, []string{v}), v)
		require.Empty(t, occurrences(words, floor.Exact, []string{v}), v)
		for _, other := range all {
			require.True(t, v == other || len(occurrences(parted("("+other+")"), floor.Exact, []string{v})) == 0, "%q holds %q", other, v)
		}
	}
}

// Small talk may be dropped by the plain rule, and nothing that is planted may.
func TestSmallTalkIsUnmarked(t *testing.T) {
	for _, text := range append(slices.Clone(smallTalk), opening) {
		require.False(t, marked(text), text)
	}
	marks := 0
	for _, text := range slices.Concat(asides, standing) {
		if marked(text) {
			marks++
		}
	}
	require.Greater(t, marks, 20)
}

// The arguments of calls are spelled as the wire spells them, and those that
// note something have a place for it.
func TestToolUses(t *testing.T) {
	for _, use := range slices.Concat(toolUses, noted, []toolUse{logTail, setting}) {
		args := strings.ReplaceAll(use.args, "SAID", `"a < b"`)
		tree, err := floor.ParseJSON([]byte(args))
		require.NoError(t, err, use.name)
		require.Equal(t, args, string(spell(tree)), use.name)
		require.IsType(t, map[string]any{}, tree, use.name)
	}
	for _, use := range append(slices.Clone(noted), setting) {
		require.Equal(t, 1, strings.Count(use.args, "SAID"), use.name)
	}
}

// stringsIn are the strings inside arguments.
func stringsIn(args any) (out []string) {
	switch args := args.(type) {
	case string:
		return []string{args}
	case []any:
		for _, v := range args {
			out = append(out, stringsIn(v)...)
		}
	case map[string]any:
		for _, v := range args { // whatever the order
			out = append(out, stringsIn(v)...)
		}
	}
	return out
}

// textsOf are the parts in which a message is delivered.
func textsOf(t *testing.T, m floor.Message) []string {
	t.Helper()
	out := []string{m.Text}
	for _, call := range m.Calls {
		var args any
		require.NoError(t, json.Unmarshal(call.Args, &args))
		out = append(out, stringsIn(args)...)
	}
	return out
}

// inOnePart undoes inTwoParts, in letters of either case.
func inOnePart(text string) string { return onePart.Replace(text) }

var onePart = func() *strings.Replacer {
	var pairs []string
	for r, two := range accented { // no pair begins another: any order will do
		pairs = append(pairs, strings.ToLower(two), string(unicode.ToLower(r)), strings.ToUpper(two), string(unicode.ToUpper(r)))
	}
	return strings.NewReplacer(pairs...)
}()

// markWords are the words by which the plain rule knows what may have to be
// kept.
var markWords = []string{
	"do not", "don't", "never", "not", "no", "must", "shall", "should", "need", "only", "unless", "if", "when", "before",
	"after", "first", "then", "until", "by", "maybe", "perhaps", "possibly", "might", "done", "open", "pending", "todo",
	"finished", "failed", "forget", "instead", "no longer", "agreed", "title", "use", "call",
}

// marked is the plain rule: a sentence that it does not object to may be
// dropped.
func marked(sentence string) bool {
	if strings.ContainsFunc(sentence, unicode.IsDigit) || strings.ContainsAny(sentence, "\"'`“”’") {
		return true
	}
	if len(occurrences(parted(sentence), floor.Folded, markWords)) > 0 {
		return true
	}
	for _, token := range strings.Fields(sentence) {
		token = strings.TrimRight(token, ".,;:!?")
		for i, r := range token {
			if i > 0 && (unicode.IsUpper(r) || strings.ContainsRune("_/.-#:@", r)) {
				return true
			}
		}
	}
	return false
}

// An occurrence is where a phrase stands: in which part, from where to where.
type occurrence struct{ part, from, to int }

// A part is a text as it is compared: plain is for exact matches.
type part struct{ plain, folded string }

func partOf(text string) part {
	plain := inOnePart(strings.Join(strings.Fields(text), " "))
	return part{plain, strings.ToLower(plain)}
}

func parted(texts ...string) (out []part) {
	for _, text := range texts {
		out = append(out, partOf(text))
	}
	return out
}

// occurrences is RULES.md 2a, as far as the words of this generator need it:
// where any of these phrases stands in these parts.
func occurrences(parts []part, match floor.Match, phrases []string) (out []occurrence) {
	for i, part := range parts {
		for _, phrase := range phrases {
			text := part.plain
			if match != floor.Exact {
				text, phrase = part.folded, strings.ToLower(phrase)
			}
			for from := 0; ; from++ {
				at := strings.Index(text[from:], phrase)
				if at < 0 {
					break
				}
				from += at
				if to := from + len(phrase); standsAlone(text, from, to, match) {
					out = append(out, occurrence{i, from, to})
				}
			}
		}
	}
	return out
}

// standsAlone says whether nothing is glued to text[from:to].
func standsAlone(text string, from, to int, match floor.Match) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	begin, _ := utf8.DecodeRuneInString(text[from:])
	end, _ := utf8.DecodeLastRuneInString(text[:to])
	after, size := utf8.DecodeRuneInString(text[to:])
	if isWord(before) && isWord(begin) || isWord(end) && isWord(after) {
		return false
	}
	if match != floor.Exact {
		return true
	}
	joins := func(r rune) bool { return isWord(r) || strings.ContainsRune(`-/\@~+%$#`, r) }
	trailing := strings.TrimLeft(text[to:], ".")
	next, _ := utf8.DecodeRuneInString(trailing)
	switch {
	case from > 0 && (joins(before) || before == '.') && joins(begin):
		return false
	case to < len(text) && joins(end) && joins(after):
		return false
	case after == '.' && joins(end) && trailing != "" && joins(next): // dots inside a name
		return false
	case (after == ',' || after == ':') && unicode.IsDigit(end):
		following, _ := utf8.DecodeRuneInString(text[to+size:])
		return !unicode.IsDigit(following)
	}
	return true
}

func isWord(r rune) bool {
	return r != utf8.RuneError && (r == '_' || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r))
}

// outside are the occurrences that lie in none of the others.
func outside(list, others []occurrence) []occurrence {
	return slices.DeleteFunc(slices.Clone(list), func(o occurrence) bool {
		return slices.ContainsFunc(others, func(in occurrence) bool {
			return in.part == o.part && in.from <= o.from && o.to <= in.to && in != o
		})
	})
}
