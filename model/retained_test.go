package model

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"github.com/floorcheck/floorcheck/floor"
)

// Clause by clause of RULES 2a; the numbers are its.
func TestRetain(t *testing.T) {
	folded := func(forms ...string) floor.Element { return floor.Element{Forms: forms} }
	exact := func(forms ...string) floor.Element { return floor.Element{Forms: forms, Match: floor.Exact} }
	against := func(e floor.Element, inverted ...string) floor.Element {
		e.Inverted = inverted
		return e
	}
	tests := []struct {
		name  string
		e     floor.Element
		parts []string
		want  Retention
	}{
		// 1: folding
		{"the form stands there", folded("drop the table"), []string{"Never drop the table."}, Retained},
		{"letters by their case folding", folded("Drop THE table"), []string{"dROP the TABLE"}, Retained},
		{"but not where the match is exact", exact("Drop"), []string{"drop"}, Lost},
		{"white space is one space", folded("drop the table"), []string{"drop \t the\r\n\n table"}, Retained},
		{"in the form too", folded("  drop\n\nthe table "), []string{"drop the table"}, Retained},
		{"and where the match is exact", exact("12 ms"), []string{"12\u00a0ms"}, Retained},
		{"of every kind", exact("a b"), []string{"a\u2003\u3000\u0085\u2028b"}, Retained},
		{"a zero-width space is none", folded("a b"), []string{"a\u200bb"}, Lost},
		{"no space is not a space", folded("drop the table"), []string{"droptable the"}, Lost},
		{"composed and decomposed", folded("café"), []string{"le cafe\u0301."}, Retained},
		{"decomposed and composed", exact("cafe\u0301"), []string{"le café."}, Retained},
		{"marks in another order", exact("q\u0323\u0307"), []string{"q\u0307\u0323"}, Retained},
		{"no compatibility", folded("file"), []string{"ﬁle"}, Retained}, // full case folding takes the ligature apart
		{"none at all where the match is exact", exact("file"), []string{"ﬁle"}, Lost},
		{"sharp s folds to two letters", folded("STRASSE"), []string{"Straße"}, Retained},
		{"a capital sharp s too", folded("strasse"), []string{"STRAẞE"}, Retained},
		{"the dotted capital I keeps its dot", folded("i"), []string{"İ"}, Lost},
		{"and is itself", folded("i\u0307stanbul"), []string{"İstanbul"}, Retained},
		{"folding may take apart what has to be composed again", folded("\u03aa\u0301"), []string{"\u0390"}, Retained},
		{"no Turkish folding", folded("ırmak"), []string{"IRMAK"}, Lost},
		{"final sigma", folded("ΟΔΟΣ"), []string{"οδος"}, Retained},
		{"small letters that fold to capitals", folded("ꭰꮞ ᏸ"), []string{"ᎠᏎ Ᏸ"}, Retained},
		{"the Kelvin sign", exact("300 K"), []string{"300 \u212a"}, Retained},
		{"bytes that are no text match themselves at most", folded("a\xffb"), []string{"a\xfeb"}, Retained}, // both U+FFFD

		// 2: boundaries
		{"an empty form never occurs", folded(""), []string{"", "a", " "}, Lost},
		{"nor does one of white space", folded(" \n "), []string{"a b"}, Lost},
		{"no form", folded(), []string{"a"}, Lost},
		{"no text", folded("a"), nil, Lost},
		{"an empty part", folded("a"), []string{""}, Lost},
		{"a letter glued to its end", folded("test"), []string{"tests"}, Lost},
		{"a letter glued to its begin", folded("test"), []string{"latest"}, Lost},
		{"a digit glued", folded("port 80"), []string{"port 8080"}, Lost},
		{"the low line glued", folded("host"), []string{"host_name"}, Lost},
		{"a number that is no digit glued", folded("x"), []string{"x²"}, Lost},
		{"a mark glued", folded("q"), []string{"q\u0323"}, Lost},
		{"a mark of a script glued", folded("क"), []string{"कि"}, Lost},
		{"a mark before it, on nothing", folded("a"), []string{"\u0301a"}, Lost},
		{"a joiner is not glued", folded("app"), []string{"/etc/app.bak"}, Retained},
		{"a form that ends in no word character may be followed", folded("12 %"), []string{"12 %ish"}, Retained},
		{"or begins in none be preceded", folded("/etc"), []string{"in/etc"}, Retained},
		{"punctuation around", folded("never"), []string{"(“never”)…"}, Retained},
		{"the second place counts where the first does not", folded("test"), []string{"tests test"}, Retained},
		{"one may overlap the next", folded("a-a"), []string{"xa-a-a"}, Retained},
		{"any form keeps it", folded("never", "do not"), []string{"please do not"}, Retained},
		{"no script's letters are another's", folded("a"), []string{"а"}, Lost},
		{"an emoji is no word character", folded("done"), []string{"✅done🎉"}, Retained},
		{"an emoji may be the form", folded("🚫 deploy"), []string{"x🚫 deploy."}, Retained},
		{"a joined emoji goes on", folded("👩"), []string{"👩\u200d💻"}, Retained}, // by the letter of the rule: neither is a word character
		{"right to left", folded("לא למחוק"), []string{"נא לא למחוק!"}, Retained},
		{"right to left, glued", folded("מחוק"), []string{"למחוק"}, Lost},
		{"directional marks stand between", folded("a b"), []string{"a\u200f b"}, Lost},
		{"no spaces between words", folded("删除"), []string{"不删除表"}, Lost},

		// 3: exact
		{"prod is not in non-prod", exact("prod"), []string{"on non-prod only"}, Lost},
		{"a path is not in a longer one", exact("/etc/app"), []string{"/etc/app.bak"}, Lost},
		{"nor below another root", exact("/etc/app"), []string{"/mnt/etc/app"}, Lost},
		{"5 ms is not in 1.5 ms", exact("5 ms"), []string{"takes 1.5 ms"}, Lost},
		{"a period ends the sentence", exact("/etc/app"), []string{"It is /etc/app."}, Retained},
		{"so do three", exact("/etc/app"), []string{"It is /etc/app... or not"}, Retained},
		{"a period that goes on does not", exact("app"), []string{"app..bak"}, Lost},
		{"a comma between digits joins", exact("000"), []string{"1,000"}, Lost},
		{"after a digit alone it does not", exact("1"), []string{"1, 000"}, Retained},
		{"nor between letters", exact("a"), []string{"a,b"}, Retained},
		{"nor between a digit and a letter", exact("1"), []string{"1,a"}, Retained},
		{"a colon between digits joins", exact("30"), []string{"at 12:30"}, Lost},
		{"between other numbers it does not", exact("Ⅳ"), []string{"Ⅻ:Ⅳ"}, Retained},
		{"between digits of a script it does", exact("٣"), []string{"٢,٣"}, Lost},
		{"every joiner joins", exact("b"), []string{"a-b", "a.b", "a/b", `a\b`, "a@b", "a~b", "a+b", "a%b", "a$b", "a#b"}, Lost},
		{"and after it too", exact("b"), []string{"b-a", "b.a", "b/a", `b\a`, "b@a", "b~a", "b+a", "b%a", "b$a", "b#a"}, Lost},
		{"others do not", exact("b"), []string{"a=b"}, Retained},
		{"quotes do not", exact("b"), []string{"'b'"}, Retained},
		{"for a folded element they do not matter", folded("b"), []string{"a-b"}, Retained},
		{"a joiner at the end goes on", exact("12"), []string{"12%"}, Lost},
		{"a joiner of its own is part of it", exact("12%"), []string{"12%."}, Retained},
		{"a joiner of its own before it", exact("-f"), []string{"rm -f x"}, Retained},
		{"one more joiner before it", exact("-f"), []string{"rm --f x"}, Lost},
		{"a period of its own at the end", exact("etc."), []string{"cups, plates etc."}, Retained},
		{"some periods of the end", exact("etc."), []string{"etc..."}, Retained},
		{"a run of periods is none", exact("."), []string{"..."}, Retained},
		{"words with spaces end runs too", exact("12 ms"), []string{"12 ms-1"}, Lost},
		{"two words of an exact title", exact("Blue Harbour"), []string{`title "Blue Harbour"`}, Retained},

		// 4 and 5: nesting, verdicts
		{"not inside its opposite", against(folded("do not drop"), "drop"), []string{"Do not drop it."}, Retained},
		{"the opposite alone", against(folded("do not drop"), "drop"), []string{"Drop it."}, Inverted},
		{"both, apart", against(folded("do not drop"), "drop"), []string{"Do not drop it. Drop it."}, Contradictory},
		{"neither", against(folded("do not drop"), "drop"), []string{"We spoke of tables."}, Lost},
		{"the other way round", against(folded("open"), "no longer open"), []string{"It is no longer open."}, Inverted},
		{"a form inside and one outside", against(folded("open"), "no longer open"), []string{"open, no longer open"}, Contradictory},
		{"nested both ways", against(folded("a", "x b y"), "b", "c a c"), []string{"x b y"}, Retained},
		{"and the other", against(folded("a", "x b y"), "b", "c a c"), []string{"c a c"}, Inverted},
		{"an occurrence that does not count shields all the same", against(folded("b", "a b c d e"), "b c d"), []string{"a b c d e"}, Retained},
		{"overlapping is not inside", against(folded("a b"), "b c"), []string{"a b c"}, Contradictory},
		{"what is glued is no occurrence and shields nothing", against(folded("drop"), "drop it"), []string{"drop its"}, Retained},
		{"what would shield in another part does not", against(folded("drop"), "do not drop"), []string{"do not", "drop"}, Retained},
		{"nested, exact", against(exact("prod"), "not prod"), []string{"not prod"}, Inverted},
		{"an inverted form that is empty shields nothing", against(folded("drop"), ""), []string{"drop"}, Retained},
		{"the same phrase in both keeps nothing", against(folded("Drop"), "drop"), []string{"drop"}, Lost},

		// 6: parts
		{"not across parts", folded("drop the table"), []string{"drop the", "table"}, Lost},
		{"in any part", folded("drop the table"), []string{"", "x", "drop the table"}, Retained},
		{"the parts together are judged", against(folded("do not drop"), "drop"), []string{"do not drop", "drop"}, Contradictory},
		{"parts do not glue", folded("a"), []string{"x", "a", "x"}, Retained},
		{"parts do not join", exact("12"), []string{"a-", "12", "-a"}, Retained},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, Retain(tt.e, tt.parts)) })
	}
}

// 2a.7: what has no word character in any part is no output.
func TestUsable(t *testing.T) {
	tests := []struct {
		name  string
		parts []string
		want  bool
	}{
		{"no part", nil, false},
		{"an empty part", []string{""}, false},
		{"white space", []string{" \n\t\u3000"}, false},
		{"punctuation and emoji", []string{"…", "---", "🎉"}, false},
		{"a letter in one of them", []string{"", "…", "a"}, true},
		{"a digit", []string{"0"}, true},
		{"the low line", []string{"_"}, true},
		{"a mark", []string{"\u0301"}, true},
		{"bytes that are no text", []string{"\xff"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, Deliver(tt.parts).Usable()) })
	}
}

// One occurrence may keep several elements, and asking is not spent.
func TestADeliveryIsAskedAboutMany(t *testing.T) {
	d := Deliver([]string{"Do not drop db-7.", "Drop db-9?"})
	whole := floor.Element{Forms: []string{"do not drop db-7"}}
	name := floor.Element{Forms: []string{"db-7"}, Match: floor.Exact}
	for range 2 {
		require.Equal(t, Retained, d.Retention(whole))
		require.Equal(t, Retained, d.Retention(name))
		require.Equal(t, Lost, d.Retention(floor.Element{Forms: []string{"7"}, Match: floor.Exact}))
	}
}

func TestOccurrencesSayInWhichPartTheyLie(t *testing.T) {
	d := Deliver([]string{"ÀB ab", "", "x", "aB, Ab"})
	var parts []int
	for o := range d.counting([]string{"ab", "x"}, nil, floor.Folded) {
		parts = append(parts, d.partOf(o, floor.Folded))
	}
	require.Equal(t, []int{0, 3, 3, 2}, parts, "phrase by phrase, from first to last")
}

// soup draws text of pieces in which boundaries, joiners and foldings meet.
func soup(rng *rand.Rand, most int) string {
	pieces := []string{
		"a", "b", "A", "ab", "é", "e\u0301", "É", "\u0323", "1", "2", "٣", ".", "..", ",", ":", "-", "/", "_", "%", " ", "  ", "\n", "\u00a0",
		"not", "🎉", "\u200d", "א", "你", "ß", "(",
	}
	var out strings.Builder
	for range rng.IntN(most + 1) {
		out.WriteString(pieces[rng.IntN(len(pieces))])
	}
	return out.String()
}

func soupElement(rng *rand.Rand) floor.Element {
	e := floor.Element{Match: []floor.Match{"", floor.Folded, floor.Exact}[rng.IntN(3)]}
	for range rng.IntN(4) {
		e.Forms = append(e.Forms, soup(rng, 1+rng.IntN(4)))
	}
	for range rng.IntN(4) {
		e.Inverted = append(e.Inverted, soup(rng, 1+rng.IntN(4)))
	}
	return e
}

const soups = 20_000

// What holds of every element and text.
func TestRetentionProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	seen := map[Retention]int{}
	for range soups {
		e := soupElement(rng)
		var parts []string
		for range rng.IntN(4) {
			parts = append(parts, soup(rng, 12))
		}
		was := Retain(e, parts)
		seen[was]++

		shuffled := slices.Clone(parts)
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		require.Equal(t, was, Retain(e, shuffled), "the order of parts means nothing: %q %q", e, parts)

		respelled := make([]string, len(parts))
		for i, part := range parts {
			respelled[i] = " " + strings.ReplaceAll(norm.NFD.String(part), " ", "\t\r\n ") + "\u2003"
		}
		require.Equal(t, was, Retain(e, respelled), "nor do composition and white space: %q %q", e, parts)

		if e.Match != floor.Exact {
			for i := range parts {
				respelled[i] = strings.ToUpper(parts[i])
			}
			require.Equal(t, was, Retain(e, respelled), "nor do capitals: %q %q", e, parts)
		}

		more := Retain(e, append(slices.Clone(parts), soup(rng, 12)))
		require.False(t, was.keeps() && !more.keeps(), "another part takes nothing away: %q %q", e, parts)

		turned := Retain(floor.Element{Forms: e.Inverted, Inverted: e.Forms, Match: e.Match}, parts)
		require.Equal(t, map[Retention]Retention{Retained: Inverted, Inverted: Retained, Contradictory: Contradictory, Lost: Lost}[was], turned,
			"forms and inverted forms are treated alike: %q %q", e, parts)

		alone := Retain(floor.Element{Forms: e.Forms, Match: e.Match}, parts)
		require.False(t, was.keeps() && alone != Retained, "without inverted forms a kept element is kept: %q %q", e, parts)

		if e.Match == floor.Exact {
			e.Match = floor.Folded
			require.False(t, alone == Retained && Retain(floor.Element{Forms: e.Forms}, parts) == Lost, "what occurs to the letter occurs folded: %q %q", e, parts)
		}
	}
	for _, r := range []Retention{Retained, Inverted, Contradictory, Lost} {
		require.Greater(t, seen[r], soups/200, r)
	}
}

// Every form, standing alone in a part, keeps its element where no inverted
// form holds it.
func TestAFormAloneKeeps(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	for range soups {
		e := soupElement(rng)
		e.Inverted = nil
		for _, form := range e.Forms {
			want := Retained
			if strings.TrimFunc(form, unicode.IsSpace) == "" {
				want = Lost
			}
			require.Equal(t, want, Retain(floor.Element{Forms: []string{form}, Match: e.Match}, []string{"x", "( " + form + " )", "x"}), "%q", form)
		}
	}
}

// BenchmarkRetain asks 60 elements of 10 MB, folded for the occasion.
func BenchmarkRetain(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	words := strings.Fields("the batch of deploy tests in /srv/app and db-7.internal should not wait 250 ms for cache or queue workers")
	var text strings.Builder
	for text.Len() < 10<<20 {
		text.WriteString(words[rng.IntN(len(words))])
		text.WriteByte(' ')
	}
	parts := []string{text.String()}
	var elements []floor.Element
	for i := range 60 {
		what := words[rng.IntN(len(words))] + " " + words[rng.IntN(len(words))] + " quickly"
		elements = append(elements, ban("", what).Element, identifier("", "db-"+string(rune('A'+i%26))).Element)
	}
	b.SetBytes(int64(len(parts[0])))
	for b.Loop() {
		d := Deliver(parts)
		for _, e := range elements[:60] {
			d.Retention(e)
		}
	}
}

// A long text is searched by its words. What is found, and in which order, is
// what a search from end to end finds.
func TestLongTextsAreSearchedByTheirWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 2))
	pieces := []string{"a", "aa", "b", "never", "drop", " ", " ", " ", ".", "-", "/", ", ", "\n", "é", "e\u0301", "١", "_", "1", "1,0", "!", "🎉"}
	text := func(n int) string {
		var out strings.Builder
		for range n {
			out.WriteString(pieces[rng.IntN(len(pieces))])
		}
		return out.String()
	}
	hits := 0
	for range 40 {
		d := Deliver([]string{text(2000), text(1000)})
		for _, m := range []floor.Match{floor.Folded, floor.Exact} {
			folded := d.folded(m)
			require.Greater(t, len(folded.all), longText)
			for range 200 {
				phrase := d.folds.fold(text(1+rng.IntN(4)), m)
				want := slices.Collect(folded.throughout(phrase, 0, len(folded.all)))
				got := slices.Collect(folded.occurrences(phrase, 0, len(folded.all)))
				if !slices.Equal(want, got) {
					require.Equal(t, want, got, "%q", phrase)
				}
				hits += len(want)
			}
		}
	}
	require.Greater(t, hits, 10_000)
}
