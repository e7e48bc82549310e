package blackbox

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/floorcheck/floorcheck/floor"
)

// sentences cuts a text into its sentences, each with the white space behind
// it: joined they are the text again. Where it is not clear that one has ended
// it goes on, so that no half of it is dropped without the other.
func sentences(text string) (out []string) {
	begin, quoted := 0, false
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		at += size
		switch {
		case r == '"':
			quoted = !quoted && closes(text[at:])
		case quoted:
		case r == '\n' && !goesOn(text[at:]), strings.ContainsRune(".!?", r) && stops(text[at:]):
			at += len(text[at:]) - len(strings.TrimLeft(text[at:], "\"”»)]*`"))
			at += len(text[at:]) - len(strings.TrimLeftFunc(text[at:], unicode.IsSpace))
			out = append(out, text[begin:at])
			begin = at
		}
	}
	if begin < len(text) {
		out = append(out, text[begin:])
	}
	return out
}

// closes says whether a quotation that begins here ends in its paragraph.
func closes(text string) bool {
	paragraph, _, _ := strings.Cut(text, "\n\n")
	return strings.Contains(paragraph, `"`)
}

// goesOn says whether a sentence goes on in the next line: one that was wrapped
// is indented there, or goes on in small letters.
func goesOn(line string) bool {
	r, _ := utf8.DecodeRuneInString(line)
	first, _, _ := strings.Cut(line, "\n")
	return strings.TrimSpace(first) != "" && (r == ' ' || r == '\t' || unicode.IsLower(r))
}

// stops says whether a sentence ends at a stop that this stands behind: at the
// end of the text, or before white space that no small letter follows, as one
// does after "e.g.".
func stops(behind string) bool {
	rest := strings.TrimLeft(behind, "\"”»)]*`.!?")
	next := strings.TrimLeftFunc(rest, unicode.IsSpace)
	r, _ := utf8.DecodeRuneInString(next)
	return rest == "" || len(next) < len(rest) && !unicode.IsLower(r)
}

// mayHold is the plain rule: whether a sentence may hold an element. It holds a
// digit, a quotation, a name such as a path, or a word that binds, limits,
// orders, guesses or settles.
func mayHold(sentence string) bool {
	if strings.ContainsFunc(sentence, unicode.IsDigit) || strings.ContainsAny(sentence, "\"“”„«»`") {
		return true
	}
	for word := range strings.FieldsSeq(sentence) {
		if isName(strings.Trim(word, ".,;:!?()[]{}'*")) {
			return true
		}
	}
	return hasAny(sentence, markers)
}

// isName says whether a word looks like a path or an identifier: it has a mark
// or a capital inside, or begins with a mark that names begin with.
func isName(word string) bool {
	for i, r := range word {
		last := i+utf8.RuneLen(r) >= len(word)
		switch {
		case i > 0 && !last && strings.ContainsRune(`_/.-#:@\`, r), i > 0 && unicode.IsUpper(r):
			return true
		case i == 0 && !last && strings.ContainsRune("/~@#-_", r):
			return true
		}
	}
	return false
}

var markers = setOf(`not don't never no cannot must shall should need only unless if when before after first then until by
	maybe perhaps possibly might done open pending todo finished failed forget instead agreed title use call`)

// endings are words of a sentence that ends what an earlier one said.
var endings = setOf("forget longer instead done")

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// hasAny says whether a text has any of these words.
func hasAny(text string, words map[string]bool) bool {
	text = strings.ReplaceAll(strings.ToLower(text), "’", "'")
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r != '\'' && !unicode.IsLetter(r) }) {
		if words[word] || strings.HasSuffix(word, "n't") {
			return true
		}
	}
	return false
}

// oneSpace is a text without line breaks, each stretch of white space one
// space.
func oneSpace(text string) string { return strings.Join(strings.Fields(text), " ") }

// Texts are what a message says: its text, and every string in the arguments of
// its calls.
func Texts(m floor.Message) []string {
	out := []string{m.Text}
	for _, call := range m.Calls {
		if tree, err := floor.ParseJSON(call.Args); err == nil {
			out = appendStrings(out, tree)
		}
	}
	return out
}
