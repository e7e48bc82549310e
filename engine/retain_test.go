package engine

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/floorcheck/floorcheck/floor"
)

// The oracle below is rule 2a read aloud: every phrase is tried at every place.

func oracleFold(text string, m floor.Match) []rune {
	text = norm.NFC.String(text)
	isSpace := func(r rune) bool { return unicode.Is(unicode.White_Space, r) }
	text = strings.Join(strings.FieldsFunc(text, isSpace), " ")
	if m != floor.Exact {
		text = norm.NFC.String(strings.Map(capitalOfCherokee, cases.Fold().String(text)))
	}
	return []rune(text)
}

// capitalOfCherokee is what the small letters of Cherokee fold to; x/text has
// it the wrong way round.
func capitalOfCherokee(r rune) rune {
	if upper := unicode.ToUpper(r); unicode.Is(unicode.Cherokee, r) && unicode.IsLower(r) {
		return upper
	}
	return r
}

func oracleIsWord(r rune) bool { return unicode.In(r, unicode.L, unicode.M, unicode.N) || r == '_' }

// oracleRuns are the maximal runs of word characters and joiners, trailing
// periods left out.
func oracleRuns(text []rune) (runs []extent) {
	in := func(i int) bool {
		switch c := text[i]; {
		case oracleIsWord(c), strings.ContainsRune(`-./\@~+%$#`, c):
			return true
		case c == ',' || c == ':':
			return i > 0 && i+1 < len(text) && unicode.Is(unicode.Nd, text[i-1]) && unicode.Is(unicode.Nd, text[i+1])
		}
		return false
	}
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && in(end) {
			end++
		}
		next := max(end, i+1)
		for end > i && text[end-1] == '.' {
			end--
		}
		if end > i {
			runs = append(runs, extent{i, end})
		}
		i = next
	}
	return runs
}

func oracleOccurrences(text, phrase []rune, m floor.Match) (found []extent) {
	if len(phrase) == 0 {
		return nil
	}
	runs := oracleRuns(text)
	inside := func(at int) bool {
		return slices.ContainsFunc(runs, func(r extent) bool { return r.start < at && at < r.end })
	}
	for start := 0; start+len(phrase) <= len(text); start++ {
		end := start + len(phrase)
		switch {
		case !slices.Equal(text[start:end], phrase):
		case start > 0 && oracleIsWord(text[start-1]) && oracleIsWord(phrase[0]):
		case end < len(text) && oracleIsWord(text[end]) && oracleIsWord(phrase[len(phrase)-1]):
		case m == floor.Exact && (inside(start) || inside(end)):
		default:
			found = append(found, extent{start, end})
		}
	}
	return found
}

func oracleRetention(e floor.Element, parts ...string) (r Retention) {
	for _, part := range parts {
		text := oracleFold(part, e.Match)
		all := func(phrases []string) (found []extent) {
			for _, p := range phrases {
				found = append(found, oracleOccurrences(text, oracleFold(p, e.Match), e.Match)...)
			}
			return found
		}
		counts := func(some, others []extent) bool {
			return slices.ContainsFunc(some, func(s extent) bool {
				return !slices.ContainsFunc(others, func(o extent) bool { return o.start <= s.start && s.end <= o.end })
			})
		}
		forms, inverted := all(e.Forms), all(e.Inverted)
		if counts(forms, inverted) {
			r |= Retained
		}
		if counts(inverted, forms) {
			r |= Inverted
		}
	}
	return r
}

// oracleTwice says whether a phrase is in both lists.
func oracleTwice(e floor.Element) bool {
	return slices.ContainsFunc(e.Forms, func(f string) bool {
		return slices.ContainsFunc(e.Inverted, func(i string) bool {
			return slices.Equal(oracleFold(f, e.Match), oracleFold(i, e.Match))
		})
	})
}

func retentionOf(t *testing.T, e floor.Element, parts ...string) Retention {
	t.Helper()
	compiled, err := NewElements([]floor.Element{e})
	require.NoError(t, err)
	return compiled.Retain(nil, parts...)[0]
}

// Each line is read by the engine alone among few phrases, by the engine among
// so many that it looks at runs, and by the oracle.
func TestRetention(t *testing.T) {
	type forms = []string
	const exact, folded = floor.Exact, floor.Folded
	tests := []struct {
		name           string
		match          floor.Match
		forms, inverse forms
		parts          []string
		want           Retention
	}{
		{"a form keeps", folded, forms{"no refunds"}, nil, forms{"There are no refunds here"}, Retained},
		{"any of the forms keeps", folded, forms{"x1", "no refunds"}, nil, forms{"no refunds"}, Retained},
		{"nothing is lost", folded, forms{"no refunds"}, nil, forms{"refunds: no"}, Lost},
		{"no form never occurs", folded, nil, nil, forms{"text"}, Lost},
		{"an inverted form alone inverts", folded, forms{"no refunds"}, forms{"refunds allowed"}, forms{"refunds allowed"}, Inverted},
		{"both are contradictory", folded, forms{"no refunds"}, forms{"refunds allowed"}, forms{"no refunds; refunds allowed"}, Contradictory},
		{"parts are judged together", folded, forms{"no refunds"}, forms{"refunds allowed"}, forms{"no refunds", "refunds allowed"}, Contradictory},
		{"an occurrence lies within one part", folded, forms{"no refunds"}, nil, forms{"no", "refunds"}, Lost},
		{"no part, nothing", folded, forms{"a"}, nil, nil, Lost},
		{"a form inside an inverted form does not count", folded, forms{"deploy"}, forms{"do not deploy"}, forms{"do not deploy"}, Inverted},
		{"an inverted form inside a form does not count", folded, forms{"do not deploy"}, forms{"deploy"}, forms{"do not deploy"}, Retained},
		{"one inside and one outside is both", folded, forms{"deploy"}, forms{"do not deploy"}, forms{"do not deploy. deploy"}, Contradictory},
		{"overlapping is not inside", folded, forms{"a b"}, forms{"b c"}, forms{"a b c"}, Contradictory},
		{"inside one of two that overlap", folded, forms{"b c"}, forms{"a b c", "c d"}, forms{"a b c d"}, Inverted},
		{"a form inside an inverted form inside a form", folded, forms{"b", "a b c d"}, forms{"a b c"}, forms{"a b c d"}, Retained},
		{"the same start, one longer", folded, forms{"a"}, forms{"a b", "a b c"}, forms{"a b c"}, Inverted},
		{"the same end, one longer", folded, forms{"b c"}, forms{"a b c"}, forms{"a b c"}, Inverted},
		{"nesting is a matter of one part", folded, forms{"deploy"}, forms{"do not deploy"}, forms{"do not deploy", "deploy"}, Contradictory},
		{"occurrences overlap each other", folded, forms{"a a"}, forms{"b a a"}, forms{"b a a a"}, Contradictory},

		{"letters fold", folded, forms{"No Refunds"}, nil, forms{"NO REFUNDS"}, Retained},
		{"but not for exact", exact, forms{"No Refunds"}, nil, forms{"NO REFUNDS"}, Lost},
		{"folding is full", folded, forms{"straße"}, nil, forms{"STRASSE"}, Retained},
		{"the small letters of Cherokee fold to the capitals", folded, forms{"\uab70\u13f8"}, nil, forms{"\u13a0\u13f0"}, Retained},
		{"and the capitals to themselves", folded, forms{"\u13a0\u13f0"}, nil, forms{"\uab70\u13f8"}, Retained},
		{"no match is folded", "", forms{"ORDER"}, nil, forms{"order"}, Retained},
		{"white space is one space", exact, forms{"a b"}, nil, forms{"\u00a0a\t\n\u2003\u3000b\v"}, Retained},
		{"and none at the ends", exact, forms{" a b\n"}, nil, forms{"a b"}, Retained},
		{"what looks like a space is none", exact, forms{"a b"}, nil, forms{"a\u200bb"}, Lost},
		{"a control that is no white space", exact, forms{"a b"}, nil, forms{"a\x1fb"}, Lost},
		{"composed and not", exact, forms{"café"}, nil, forms{"cafe\u0301"}, Retained},
		{"not and composed", exact, forms{"cafe\u0301"}, nil, forms{"café"}, Retained},
		{"folding, then composing again", folded, forms{"\u1fb3"}, nil, forms{"\u03b1\u03b9"}, Retained},
		{"the angstrom sign is a letter", exact, forms{"\u212b"}, nil, forms{"\u00c5"}, Retained},

		{"a phrase that folds to nothing", folded, forms{" \t"}, nil, forms{" a "}, Lost},
		{"and in an empty text", folded, forms{""}, nil, forms{""}, Lost},
		{"and inverts nothing", folded, forms{"a"}, forms{""}, forms{"a"}, Retained},
		{"glued before", folded, forms{"prod"}, nil, forms{"reprod"}, Lost},
		{"glued after", folded, forms{"prod"}, nil, forms{"products"}, Lost},
		{"glued by a low line", folded, forms{"prod"}, nil, forms{"prod_1"}, Lost},
		{"glued by a number", folded, forms{"prod"}, nil, forms{"prod²"}, Lost},
		{"glued by a mark", folded, forms{"x"}, nil, forms{"x\u0302"}, Lost},
		{"a mark of its own is glued before", folded, forms{"\u0302"}, nil, forms{"x\u0302"}, Lost},
		{"a mark composed into the letter", folded, forms{"cafe"}, nil, forms{"cafe\u0301"}, Lost},
		{"folded stands beside joiners", folded, forms{"prod"}, nil, forms{"non-prod."}, Retained},
		{"an end that is no word character is never glued", folded, forms{"(a)"}, nil, forms{"x(a)y"}, Retained},
		{"nor is one before a mark", folded, forms{"a)"}, nil, forms{"a)\u0302"}, Retained},
		{"a phrase without a word character", folded, forms{"->"}, nil, forms{"a->b"}, Retained},
		{"emoji", folded, forms{"🚫"}, nil, forms{"a🚫b"}, Retained},
		{"emoji of several characters", folded, forms{"👩‍🚒 calls"}, nil, forms{"the 👩‍🚒  calls"}, Retained},
		{"right to left", folded, forms{"לא לפרוס"}, nil, forms{"אנא לא  לפרוס היום"}, Retained},
		{"right to left, glued", folded, forms{"לא"}, nil, forms{"ולא"}, Lost},
		{"beyond two planes", folded, forms{"\U00020000"}, nil, forms{"\U00020000\U00020001"}, Lost},
		{"and not glued", folded, forms{"\U00020000"}, nil, forms{"(\U00020000)"}, Retained},

		{"prod in non-prod", exact, forms{"prod"}, nil, forms{"non-prod"}, Lost},
		{"a path in a longer one", exact, forms{"/etc/app"}, nil, forms{"/etc/app.bak"}, Lost},
		{"a path below another", exact, forms{"/etc/app"}, nil, forms{"/srv/etc/app"}, Lost},
		{"a path at the end of a sentence", exact, forms{"/etc/app"}, nil, forms{"It is /etc/app."}, Retained},
		{"a quantity in a larger one", exact, forms{"5 ms"}, nil, forms{"1.5 ms"}, Lost},
		{"a quantity by itself", exact, forms{"5 ms"}, nil, forms{"at 5 ms, no more"}, Retained},
		{"before dots", exact, forms{"wait"}, nil, forms{"wait..."}, Retained},
		{"before dots and a letter", exact, forms{"wait"}, nil, forms{"wait...x"}, Lost},
		{"dots that lead", exact, forms{"env"}, nil, forms{".env"}, Lost},
		{"a dot that leads is of the phrase", exact, forms{".env"}, nil, forms{"in .env"}, Retained},
		{"a dot that trails is of the phrase", exact, forms{"env."}, nil, forms{"in env. Or"}, Retained},
		{"a dot in the middle is not", exact, forms{"env."}, nil, forms{"in env.x"}, Lost},
		{"dots among dots", exact, forms{".."}, nil, forms{"...."}, Retained},
		{"dots in a run", exact, forms{".."}, nil, forms{"a....b"}, Lost},
		{"a dot inside trailing dots", exact, forms{"a."}, nil, forms{"a..."}, Retained},
		{"a comma between digits joins", exact, forms{"500"}, nil, forms{"1,500"}, Lost},
		{"a colon between digits joins", exact, forms{"12"}, nil, forms{"12:30"}, Lost},
		{"a comma beside a letter does not", exact, forms{"500"}, nil, forms{"a,500"}, Retained},
		{"a comma before a space does not", exact, forms{"1"}, nil, forms{"1, 500"}, Retained},
		{"digits are those of any writing", exact, forms{"٥٠٠"}, nil, forms{"١,٥٠٠"}, Lost},
		{"a number that is no decimal digit", exact, forms{"500"}, nil, forms{"²,500"}, Retained},
		{"two commas do not join", exact, forms{"500"}, nil, forms{"1,,500"}, Retained},
		{"a comma at the end", exact, forms{"500"}, nil, forms{"500,"}, Retained},
		{"an apostrophe is no joiner", exact, forms{"prod"}, nil, forms{"prod's"}, Retained},
		{"each joiner joins", exact, forms{"a"}, nil, forms{`a-b a/b a\b a@b a~b a+b a%b a$b a#b`}, Lost},
		{"a joiner of the phrase", exact, forms{"a-b"}, nil, forms{"(a-b)"}, Retained},
		{"a joiner at its end, and more", exact, forms{"a-"}, nil, forms{"a-b"}, Lost},
		{"a joiner at its end, and a space", exact, forms{"a-"}, nil, forms{"a- b"}, Retained},
		{"a phrase over two runs", exact, forms{"--force now"}, nil, forms{"push --force now!"}, Retained},
		{"exact nesting", exact, forms{"v1"}, forms{"not v1"}, forms{"not v1"}, Inverted},
		{"an occurrence that does not stand covers nothing", exact, forms{"v1"}, forms{"not v1"}, forms{"cannot v1"}, Retained},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := floor.Element{ID: "x", Forms: tt.forms, Inverted: tt.inverse, Match: tt.match}
			require.Equal(t, tt.want, oracleRetention(e, tt.parts...), "the oracle")
			require.Equal(t, tt.want, retentionOf(t, e, tt.parts...))
			many, err := NewElements(append(crowd(fewPhrases+1), e))
			require.NoError(t, err)
			require.Equal(t, tt.want, many.Retain(nil, tt.parts...)[many.Len()-1], "in a crowd")
		})
	}
}

// crowd are elements that no test's text holds, of both matches.
func crowd(n int) (list []floor.Element) {
	for i := range n {
		for _, m := range []floor.Match{floor.Folded, floor.Exact} {
			list = append(list, floor.Element{ID: fmt.Sprint(m, i), Forms: []string{fmt.Sprintf("nowhere %d zq", i)}, Match: m})
		}
	}
	return list
}

// alphabets are what hostile texts are made of: whatever is joined, glued,
// composed, folded, squeezed or nested, in few symbols, so that all of it
// happens often.
var alphabets = [][]string{
	{"a", " ", "b"},
	{"a", " ", "-", "."},
	{"a", "1", ".", ",", ":", " "},
	{"a", "A", "\u0301", "\u0302", "\u0323", "é", "e", " "},
	{"ß", "s", "S", "ſ", "ẞ", " ", "\u1e9b", "\u0307"},
	{"σ", "ς", "Σ", "\u0345", "α", "ᾳ", "\u0301", " ", "ΐ"},
	{" ", "\t", "\n", "\u00a0", "\u2028", "a", "\u3000", "\u200b", "\u0085", "\x1f"},
	{"١", "٥", "1", ",", ":", ".", "²", "Ⅳ", " "},
	{"א", "ב", "\u05b0", " ", "-", "\u200f", "a"},
	{"한", "\u1112", "\u1161", "\u11ab", " ", "国", "."},
	{"🚫", "👩", "\u200d", "🚒", "\U00020000", "\ufe0f", " ", "a", "\U0001d7d8", ","},
	{"/", "\\", "@", "~", "+", "%", "$", "#", "_", "a", ".", "-", " "},
	{"I", "i", "İ", "ı", "\u0307", "K", "\u212a", "k", " "},
	{"Å", "\u212b", "å", "\u030a", "A", ";", "\u037e", " ", "\u0344", "\u0958"},
	{"\u0431", "\u0411", "\u0306", "\u0439", "ї", " ", "...", ", "},
	{"\xff", "\xc3", "a", "é", " ", "\xe2\x80", "."},
	{"do", " ", "not ", "deploy", "it", ". "},
}

func randomText(rng *rand.Rand, alphabet []string, most int) string {
	var b strings.Builder
	for range rng.IntN(most + 1) {
		b.WriteString(alphabet[rng.IntN(len(alphabet))])
	}
	return b.String()
}

func randomElement(rng *rand.Rand, alphabet []string) floor.Element {
	e := floor.Element{ID: "x", Match: []floor.Match{"", floor.Folded, floor.Exact}[rng.IntN(3)]}
	for range rng.IntN(4) {
		e.Forms = append(e.Forms, randomText(rng, alphabet, 5))
	}
	for range rng.IntN(3) {
		e.Inverted = append(e.Inverted, randomText(rng, alphabet, 5))
	}
	return e
}

// Whatever the texts and the phrases are, few of them or many, the engine says
// what the oracle says.
func TestRetainIsTheOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	times := 1200
	if testing.Short() {
		times = 400
	}
	seen := map[Retention]int{}
	twice := 0
	for round := range times * len(alphabets) / 4 {
		alphabet := alphabets[round%len(alphabets)]
		var list []floor.Element
		for range 1 + rng.IntN(40) {
			e := randomElement(rng, alphabet)
			_, err := NewElements([]floor.Element{e})
			require.Equal(t, oracleTwice(e), err != nil, "%+q", e)
			if err == nil {
				list = append(list, e)
			} else {
				twice++
			}
		}
		compiled, err := NewElements(list)
		require.NoError(t, err)
		parts := []string{randomText(rng, alphabet, 30)}
		for range rng.IntN(3) {
			parts = append(parts, randomText(rng, alphabet, 10))
		}
		for i, got := range compiled.Retain(nil, parts...) {
			want := oracleRetention(list[i], parts...)
			require.Equal(t, want, got, "%+q in %+q", list[i], parts)
			seen[want]++
		}
	}
	for _, r := range []Retention{Lost, Retained, Inverted, Contradictory} {
		require.Greater(t, seen[r], times, r)
	}
	require.Greater(t, twice, times/4)
}

// Among thousands of elements in a long text, each by itself says the same.
func TestManyElementsAreEachByItself(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	alphabet := []string{"order ", "not ", "No ", "7", "1,", "-", ". ", "ship", "é", "naïve ", " ", "_", "/etc/"}
	var list []floor.Element
	for len(list) < 3000 {
		e := randomElement(rng, alphabet)
		if !oracleTwice(e) {
			list = append(list, e)
		}
	}
	compiled, err := NewElements(list)
	require.NoError(t, err)
	text := randomText(rng, alphabet, 1500)
	seen := map[Retention]int{}
	for i, got := range compiled.Retain(nil, text) {
		want := got
		if i%10 == 0 {
			want = oracleRetention(list[i], text)
		}
		require.Equal(t, want, got, "%+q", list[i])
		require.Equal(t, retentionOf(t, list[i], text), got, "%+q", list[i])
		seen[got]++
	}
	require.Len(t, seen, 4)
}

// Texts and phrases that are made to be slow or large to look at: the answer
// comes all the same, and soon.
func TestTextsMadeToBeSlow(t *testing.T) {
	nested := func(n int) (forms []string) {
		for i := 1; i <= n; i++ {
			forms = append(forms, strings.TrimSpace(strings.Repeat("a ", i)))
		}
		return forms
	}
	const mebi = 1 << 20
	as := strings.Repeat("a ", mebi/2)
	tests := []struct {
		name           string
		forms, inverse []string
		match          floor.Match
		text           string
		want           Retention
	}{
		{"every form everywhere", nested(60), []string{"b"}, floor.Folded, as + "b", Contradictory},
		{"every inverted form inside a form", []string{strings.TrimSpace(as)}, nested(40), floor.Folded, as, Retained},
		{"a long form that overlaps itself", []string{strings.Repeat("a ", 4096) + "b"}, nil, floor.Folded, as, Lost},
		{"and occurs at the end", []string{strings.Repeat("a ", 4096) + "b"}, nil, floor.Folded, as + "b", Retained},
		{"one dot after the other", []string{"."}, []string{"x"}, floor.Exact, strings.Repeat(".", mebi), Retained},
		{"and a letter after them", []string{"."}, []string{"x"}, floor.Exact, strings.Repeat(".", mebi) + "x", Lost},
		{"one emoji after the other", []string{"🚫"}, []string{"🚫🚫"}, floor.Folded, strings.Repeat("🚫", mebi/4), Inverted},
		{"one dash after the other", []string{"-"}, []string{"--", "---"}, floor.Folded, strings.Repeat("-", mebi/4), Inverted},
		{"a line of one word", []string{"a"}, nil, floor.Folded, strings.Repeat("a", mebi), Lost},
		{"a line of spaces", []string{"a  b"}, nil, floor.Folded, "a" + strings.Repeat(" ", mebi) + "b", Retained},
		{"a line of marks", []string{"a"}, nil, floor.Folded, "a " + strings.Repeat("\u0301", mebi/2), Retained},
		{"a line beyond ASCII", []string{"не удалять"}, []string{"удалять"}, floor.Folded, strings.Repeat("удалить ", mebi/16) + "Не удалять", Retained},
	}
	for _, tt := range tests {
		e := floor.Element{ID: "x", Forms: tt.forms, Inverted: tt.inverse, Match: tt.match}
		for among, name := range map[int]string{0: "alone", fewPhrases + 1: "in a crowd"} {
			t.Run(tt.name+", "+name, func(t *testing.T) {
				compiled, err := NewElements(append(crowd(among), e))
				require.NoError(t, err)
				start := time.Now()
				require.Equal(t, tt.want, compiled.Retain(nil, tt.text)[compiled.Len()-1])
				require.Less(t, time.Since(start), 20*time.Second)
			})
		}
	}
}

// The bits by which words are told are those of package unicode, and so are the
// bytes of ASCII.
func TestWordCharacters(t *testing.T) {
	bits := wordBits()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if oracleIsWord(r) != isWordRune(bits, r) {
			require.Equal(t, oracleIsWord(r), isWordRune(bits, r), "%U", r)
		}
		if r < utf8.RuneSelf {
			require.Equal(t, oracleIsWord(r), bytesAre[r] == inWord, "%U", r)
			require.Equal(t, oracleIsWord(r), asciiWords(uint64(r))&1 == 1, "%U", r)
		}
	}
}

// Folding looks at one character at a time, which is what lowerWide relies on;
// and it makes no text longer than it has room for.
func TestFoldingIsOfSingleCharacters(t *testing.T) {
	var f folder
	fold := cases.Fold()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) || 0x40000 <= r && r < 0xe0000 { // planes where nothing stands
			continue
		}
		alone := fold.String(string(r))
		require.LessOrEqual(t, len(alone), longest*utf8.RuneLen(r), "%U", r)
		if got := fold.String("a" + string(r) + "Σς"); got != "a"+alone+"σσ" {
			require.Equal(t, "a"+alone+"σσ", got, "%U", r)
		}
		for _, m := range []floor.Match{floor.Exact, floor.Folded} {
			text := "a " + string(r) + " A"
			plain, lower := f.fold(text, m == floor.Folded)
			got := plain
			if m == floor.Folded {
				got = lower
			}
			if want := string(oracleFold(text, m)); string(got) != want {
				require.Equal(t, want, string(got), "%U", r)
			}
		}
	}
}

// White space is squeezed wherever it stands to the eight bytes that are looked
// at together.
func TestSqueezingAtEveryPlace(t *testing.T) {
	var f folder
	for length := range 40 {
		for at := range length + 1 {
			for _, space := range []string{" ", "  ", "\n", " \t ", "\x1f", "é", "É "} {
				text := strings.Repeat("xY", length)[:at] + space + strings.Repeat("zW", length)[:length-at]
				plain, lower := f.fold(text, true)
				require.Equal(t, string(oracleFold(text, floor.Exact)), string(plain), "%q", text)
				require.Equal(t, string(oracleFold(text, floor.Folded)), string(lower), "%q", text)
				require.Equal(t, make([]byte, 2*slack), append(plain[:len(plain)+slack][len(plain):], lower[:len(lower)+slack][len(lower):]...))
			}
		}
	}
}

// What is not UTF-8 stands for the replacement character, byte by byte, and
// breaks nothing.
func TestBytesThatAreNoText(t *testing.T) {
	require.Equal(t, Retained, retentionOf(t, floor.Element{Forms: []string{"a\xffb"}}, "x a\ufffdb x"))
	require.Equal(t, Retained, retentionOf(t, floor.Element{Forms: []string{"a"}}, "\xe2\x80a\xc3"))
	require.Equal(t, Lost, retentionOf(t, floor.Element{Forms: []string{"a"}}, "\xe2\x80ab\xc3"))
}

func TestAPhraseInBothLists(t *testing.T) {
	tests := []struct {
		name string
		e    floor.Element
		want string // "" is none
	}{
		{"to the letter", floor.Element{Forms: []string{"a", "b"}, Inverted: []string{"c", "b"}}, "elements[1].inverted_forms[1]"},
		{"when it is folded", floor.Element{Forms: []string{"Straße"}, Inverted: []string{" STRASSE"}}, "elements[1].inverted_forms[0]"},
		{"exact is another case", floor.Element{Forms: []string{"A"}, Inverted: []string{"a"}, Match: floor.Exact}, ""},
		{"exact and the same", floor.Element{Forms: []string{"é"}, Inverted: []string{"e\u0301"}, Match: floor.Exact}, "elements[1].inverted_forms[0]"},
		{"two that are empty", floor.Element{Forms: []string{" "}, Inverted: []string{"\n"}}, "elements[1].inverted_forms[0]"},
		{"one that is empty", floor.Element{Forms: []string{"a"}, Inverted: []string{""}}, ""},
		{"a form twice", floor.Element{Forms: []string{"a", "a"}, Inverted: []string{"b", "b"}}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			// The first element has the phrases of the second in other places.
			other := floor.Element{Forms: tt.e.Inverted, Match: tt.e.Match}
			compiled, err := NewElements([]floor.Element{other, tt.e})
			if tt.want == "" {
				require.NoError(t, err)
				require.Equal(t, 2, compiled.Len())
				return
			}
			var bad *floor.BadRequest
			require.ErrorAs(t, err, &bad)
			require.Equal(t, tt.want, bad.Path)
			require.Nil(t, compiled)
		})
	}
}

func TestUsable(t *testing.T) {
	tests := []struct {
		name string
		d    floor.Delivery
		want bool
	}{
		{"a word", floor.Delivery{Text: "a"}, true},
		{"a word, and ok", floor.Delivery{Text: "a", Status: floor.StatusOK}, true},
		{"a pin alone", floor.Delivery{Text: "…", Pins: []string{"-", "é"}}, true},
		{"a number beyond ASCII", floor.Delivery{Text: "٣"}, true},
		{"nothing", floor.Delivery{}, false},
		{"no word character", floor.Delivery{Text: " -- 🚫", Pins: []string{"…"}}, false},
		{"an error", floor.Delivery{Text: "a", Status: floor.StatusError}, false},
		{"refused", floor.Delivery{Text: "a", Status: floor.StatusRefused}, false},
		{"partial", floor.Delivery{Text: "a", Status: floor.StatusPartial}, false},
		{"opaque", floor.Delivery{Text: "a", Pins: []string{"a"}, Status: floor.StatusOpaque}, false},
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, Usable(tt.d), tt.name)
	}
}

// Elements are shared, and a reader goes from one set to another.
func TestElementsAreShared(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	var sets []*Elements
	var wants [][]Retention
	text := randomText(rng, alphabets[0], 500)
	for n := range 6 {
		var list []floor.Element
		for range n * 30 {
			if e := randomElement(rng, alphabets[0]); !oracleTwice(e) {
				list = append(list, e)
			}
		}
		set, err := NewElements(list)
		require.NoError(t, err)
		sets, wants = append(sets, set), append(wants, set.Retain(nil, text))
	}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			var out []Retention
			for i := range 300 {
				at := (i + g) % len(sets)
				out = sets[at].Retain(out, text)
				if !slices.Equal(wants[at], out) {
					t.Errorf("set %d: %v, and before %v", at, out, wants[at])
				}
			}
		})
	}
	wg.Wait()
}

// A reader that has seen its like allocates nothing, whatever its text is made
// of. (The pool of readers may forget them at any time.)
func TestReadingAllocatesNothing(t *testing.T) {
	for _, n := range []int{1, 100} {
		list := append(crowd(n), floor.Element{ID: "x", Forms: []string{"not a"}, Inverted: []string{"a"}})
		compiled, err := NewElements(list)
		require.NoError(t, err)
		r, text, got := compiled.reader(), strings.Repeat("this is not A b, é. ", 200), Lost
		require.Zero(t, testing.AllocsPerRun(100, func() {
			r.read(text)
			for i := range list {
				got = r.retention(i)
			}
		}))
		require.Equal(t, Retained, got)
	}
}

func TestRetentionsHaveNames(t *testing.T) {
	require.Equal(t, "[lost retained inverted contradictory]", fmt.Sprint([]Retention{Lost, Retained, Inverted, Contradictory}))
}

// A word's hash is that of its capitals, however long it is: a text of ASCII is
// looked up in both foldings by one of them.
func TestHashesDoNotTellCapitals(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for range 100_000 {
		word := make([]byte, 1+rng.IntN(40))
		for i := range word {
			word[i] = "abcdefghijklmnopqrstuvwxyz_0123456789"[rng.IntN(37)]
		}
		turned := bytes.Clone(word)
		for i, c := range turned {
			if 'a' <= c && c <= 'z' && rng.IntN(2) == 0 {
				turned[i] = c &^ 0x20
			}
		}
		require.Equal(t, hashRun(padded(word), 0, len(word)), hashRun(padded(turned), 0, len(word)), "%s %s", word, turned)
	}
}
