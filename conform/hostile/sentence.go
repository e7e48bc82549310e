package hostile

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// split cuts a text into its sentences. One ends with its line, or with a
// period, a question mark or an exclamation mark that white space follows;
// never inside quotation marks, whose text is to be kept to the letter. A
// sentence that was wrapped comes back on one line.
func split(text string) []string {
	var out []string
	paragraph := ""
	for line := range strings.SplitSeq(text, "\n") {
		if goesOn(paragraph, line) {
			paragraph += " " + strings.TrimSpace(line)
			continue
		}
		out = append(out, splitLine(paragraph)...)
		paragraph = strings.TrimSpace(line)
	}
	return append(out, splitLine(paragraph)...)
}

// mostWrapped is how long a wrapped paragraph may grow, in bytes: logs have no
// periods.
const mostWrapped = 2000

// goesOn says whether a line goes on with the sentence before it: one that has
// no mark at its end, and the line is indented or begins with a small letter.
func goesOn(before, line string) bool {
	text := strings.TrimSpace(line)
	if before == "" || text == "" || len(before) > mostWrapped || strings.ContainsAny(before[len(before)-1:], ".!?:;)]}>") {
		return false
	}
	first, _ := utf8.DecodeRuneInString(text)
	return (line[0] == ' ' || line[0] == '\t' || unicode.IsLower(first)) && leadIn.FindString(text) == ""
}

func splitLine(line string) []string {
	var out []string
	start := 0
	quotes := quoted(line)
	for i := 0; i < len(line); i++ {
		if c := line[i]; c != '.' && c != '!' && c != '?' {
			continue
		}
		for len(quotes) > 0 && quotes[0][1] <= i {
			quotes = quotes[1:]
		}
		end := i + 1
		if len(quotes) > 0 && quotes[0][0] < i {
			end = quotes[0][1]
			next, _ := utf8.DecodeRuneInString(strings.TrimLeft(line[end:], " \t"))
			if rest := line[i+1 : end]; rest != `"` && rest != "”" && rest != "»" || unicode.IsLower(next) {
				continue // in the middle of a quotation, or of the sentence that quotes
			}
		}
		for end < len(line) && strings.IndexByte(".!?)]'`*", line[end]) >= 0 {
			end++
		}
		if end < len(line) && line[end] != ' ' && line[end] != '\t' || abbreviated(line[start:end]) {
			continue
		}
		out = append(out, line[start:end])
		start = end + len(line[end:]) - len(strings.TrimLeft(line[end:], " \t"))
		i = start - 1
	}
	if start < len(line) {
		out = append(out, line[start:])
	}
	return out
}

// abbreviated says whether a text ends with a period that ends no sentence.
func abbreviated(text string) bool {
	last := text[strings.LastIndexAny(text, " \t(")+1:]
	switch strings.ToLower(last) {
	case "e.g.", "i.e.", "vs.", "approx.", "mr.", "mrs.", "dr.", "st.":
		return true
	}
	// The number of an item: "1. Do not delete it."
	return len(last) == len(text) && len(last) > 1 && strings.Trim(last[:len(last)-1], "0123456789") == ""
}

// quoted finds what stands between double quotation marks in a line, the marks
// included: from, to. A mark that is never closed, as in 5", opens nothing.
func quoted(line string) (spans [][2]int) {
	none := map[string]bool{} // which closing mark does not come any more
	for at := 0; at < len(line); {
		r, size := utf8.DecodeRuneInString(line[at:])
		closing := ""
		switch r {
		case '"':
			closing = `"`
		case '“':
			closing = "”"
		case '«':
			closing = "»"
		default:
			at += size
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(line[:at])
		opens := !none[closing] && (at == 0 || !unicode.IsLetter(before) && !unicode.IsDigit(before))
		length := -1
		if opens {
			length = strings.Index(line[at+size:], closing)
			none[closing] = length < 0
		}
		if length < 0 {
			at += size
			continue
		}
		end := at + size + length + len(closing)
		spans = append(spans, [2]int{at, end})
		at = end
	}
	return spans
}

// mayHold is the plain rule: whether a sentence may hold an element. It holds a
// digit, a quotation, a name such as a path, or a word that binds, limits,
// orders, guesses or settles. It says yes too often rather than too rarely.
func mayHold(text string) bool {
	if strings.IndexFunc(text, unicode.IsDigit) >= 0 || strings.ContainsAny(text, "\"“”«»`") {
		return true
	}
	for word := range strings.FieldsSeq(text) {
		if strings.HasPrefix(word, "'") || strings.HasPrefix(word, "‘") || isName(bare(word)) {
			return true
		}
	}
	for _, word := range strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(text, "’", "'")), isNoLetter) {
		if markers[word] || strings.HasSuffix(word, "n't") {
			return true
		}
	}
	return false
}

func isNoLetter(r rune) bool { return r != '\'' && !unicode.IsLetter(r) }

var markers = setOf(`not don't never no cannot must shall should need only unless if when before after first then until by
	maybe perhaps possibly might done open pending todo finished failed forget instead agreed title use call`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// around are marks that may stand around a word and are no part of it.
const (
	openers = "([{<'\"“«`*"
	closers = ")]}>'\"”»`*,;!?"
)

// bare is a word without the marks around it. What is left of "/srv/app/." is
// "/srv/app/".
func bare(word string) string {
	return strings.TrimRight(strings.TrimLeft(word, openers), closers+".:")
}

// isName says whether a word looks like a path or an identifier: one of
// _ / . - # : @ or a capital inside, or a mark in front that names begin with.
func isName(word string) bool {
	for i, r := range word {
		inside := i > 0 && i+utf8.RuneLen(r) < len(word)
		switch {
		case inside && strings.ContainsRune("_/.-#:@", r), i > 0 && unicode.IsUpper(r):
			return true
		case i == 0 && strings.ContainsRune("/~.@#-_", r) && strings.IndexFunc(word, isAlphanumeric) >= 0:
			return true
		}
	}
	return len(word) > 1 && strings.HasSuffix(word, "/")
}

func isAlphanumeric(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
