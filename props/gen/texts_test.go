package gen

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"github.com/floorcheck/floorcheck/floor"
)

// asked is what RULES.md 2a says of a draft and a text, as plainly as it is said
// there: character by character.
func asked(d *draft, text string) (keeps, denies bool) {
	chars := foldedAs(text, d.match)
	forms, inverted := standing2a(chars, d.forms, d.match), standing2a(chars, d.inverted, d.match)
	counts := func(list, others [][2]int) bool {
		return slices.ContainsFunc(list, func(o [2]int) bool {
			return !slices.ContainsFunc(others, func(in [2]int) bool { return in[0] <= o[0] && o[1] <= in[1] })
		})
	}
	return counts(forms, inverted), counts(inverted, forms)
}

func foldedAs(text string, match floor.Match) []rune {
	text = strings.Join(strings.FieldsFunc(norm.NFC.String(text), unicode.IsSpace), " ")
	if match != floor.Exact {
		text = norm.NFC.String(cases.Fold().String(text))
	}
	return []rune(text)
}

// standing2a are the places where phrases stand.
func standing2a(text []rune, phrases []string, match floor.Match) (out [][2]int) {
	joined := func(i int) bool { return i > 0 && i < len(text) && isWord(text[i-1]) && isWord(text[i]) }
	inRun := runsIn(text)
	for _, p := range phrases {
		phrase := foldedAs(p, match)
		for from := 0; len(phrase) > 0 && from+len(phrase) <= len(text); from++ {
			to := from + len(phrase)
			if slices.Equal(text[from:to], phrase) && !joined(from) && !joined(to) &&
				(match != floor.Exact || !inRun(from) && !inRun(to)) {
				out = append(out, [2]int{from, to})
			}
		}
	}
	return out
}

// runsIn says whether a run goes on at a place.
func runsIn(text []rune) func(place int) bool {
	in := make([]bool, len(text))
	digit := func(i int) bool { return i >= 0 && i < len(text) && unicode.Is(unicode.Nd, text[i]) }
	for i, r := range text {
		in[i] = isWord(r) || strings.ContainsRune(`-./\@~+%$#`, r) || (r == ',' || r == ':') && digit(i-1) && digit(i+1)
	}
	for i := len(text) - 1; i >= 0; i-- { // trailing periods
		if text[i] == '.' && (i+1 == len(text) || !in[i+1]) {
			in[i] = false
		}
	}
	return func(place int) bool { return place > 0 && place < len(text) && in[place-1] && in[place] }
}

// everyDraft makes each draft there is, in each shape.
func everyDraft(visit func(name string, d *draft)) {
	for i := range curios {
		visit(fmt.Sprint("curio ", i), &curios[i])
	}
	for _, class := range planted {
		for shape := range 3 {
			for match := range 3 {
				for word := shape; word < mostWords; word += 3 {
					v := &vocabulary{taken: map[string]bool{}}
					choices := draftChoices{shape: shape, word: word, other: word*7 + shape, match: match}
					visit(fmt.Sprint(class, shape, word, match), v.draft(class, choices))
				}
			}
		}
	}
}

// What a draft says of its texts holds, however they are spelled and whatever
// stands around them.
func TestDraftsDoWhatTheySay(t *testing.T) {
	checked := 0
	check := func(d *draft, m mention, keeps, denies bool) {
		p := &prose{}
		p.add("Good.")
		p.say(d, m)
		p.add("As you like.")
		gotKeeps, gotDenies := asked(d, p.text())
		require.True(t, keeps == gotKeeps && denies == gotDenies, "%+q: %+q %+v", d.forms, p.text(), m)
		require.True(t, p.retains(d) == (keeps && !denies) && p.denies(d) == denies)
		checked++
	}
	holds := func(d *draft, f fate, which int, keeps, denies bool) {
		rounds := 1 // there are many like it, each spelled and wrapped otherwise
		if slices.ContainsFunc(curios, func(c draft) bool { return slices.Equal(c.forms, d.forms) }) {
			rounds = max(len(wraps), len(spelledWeights))
		}
		for i := range rounds {
			i += checked
			check(d, mention{f, which, i % len(spelledWeights), i % len(wraps)}, keeps, denies)
			check(d, mention{f, which, 0, i % len(wraps)}, keeps, denies)
		}
	}
	everyDraft(func(name string, d *draft) {
		for which := range d.keeps {
			holds(d, kept, which, true, false)
		}
		for which := range d.voids {
			holds(d, voided, which, false, true)
		}
		for which := range d.misses {
			holds(d, missed, which, false, false)
		}
		for which := range max(len(d.clashes), 1) {
			holds(d, clashed, which, len(d.keeps) > 0, len(d.voids) > 0)
		}
		for which := range 2 {
			first, second := torn(d, which)
			for _, text := range []string{"Good. " + first, second + " Good."} {
				keeps, denies := asked(d, text)
				require.False(t, keeps || denies, "%+q: %+q", d.forms, text)
			}
		}
		require.NotEmpty(t, d.misses, name)
		require.True(t, len(d.forms) == 0 || len(d.keeps) > 0, name)
		require.Equal(t, len(d.inverted) > 0, len(d.voids) > 0, name)
	})
	t.Log(checked, "texts")
}

// What is written about one draft says nothing of another one, and neither does
// what stands around.
func TestDraftsAreApart(t *testing.T) {
	var texts []string
	for _, d := range curios {
		texts = append(texts, slices.Concat(d.keeps, d.voids, d.misses, d.clashes)...)
	}
	around := strings.Join(slices.Concat(smallTalk, leads, degenerates), " ")
	for _, w := range wraps {
		around += " " + w.before + "Good" + w.after
	}
	own := func(d *draft, text string) bool {
		return slices.Contains(slices.Concat(d.keeps, d.voids, d.misses, d.clashes), text)
	}
	for i := range curios {
		d := &curios[i]
		for _, text := range append(slices.Clone(texts), slices.Concat(phrases(), values(), provisos)...) {
			keeps, denies := asked(d, text)
			require.True(t, own(d, text) || !keeps && !denies, "%+q speaks of %+q", text, d.forms)
		}
		if d.forms == nil || slices.Contains(d.keeps, "✅") {
			continue
		}
		keeps, denies := asked(d, around)
		require.False(t, keeps || denies, "%+q is said around", d.forms)
	}
	everyDraft(func(name string, d *draft) {
		if strings.HasPrefix(name, "curio") {
			return
		}
		keeps, denies := asked(d, around)
		require.False(t, keeps || denies, "%s is said around", name)
	})
}

// A phrase is in one list of an element, however it is spelled: the same folded
// phrase in both is a bad request.
func TestDraftsAreWellFormed(t *testing.T) {
	everyDraft(func(name string, d *draft) {
		for _, form := range d.forms {
			for _, inverted := range d.inverted {
				require.NotEqual(t, foldedAs(form, d.match), foldedAs(inverted, d.match), name)
			}
		}
	})
}

// Texts stay within the characters on which all implementations agree: folding
// them is the same as lower-casing, and they are older than Unicode 15.
func TestTextsAreJudged(t *testing.T) {
	seen := map[rune]bool{}
	for _, kind := range []Kind{KindCertify, KindCompact} {
		for i := range uint64(3000) {
			d := NewSeeded(11, 1)
			d.Seek(11, 1, i)
			var all any
			require.NoError(t, json.Unmarshal([]byte(spelled(t, kind.Draw(NewSource(d), Full(floor.Guard)))), &all))
			for _, text := range stringsIn(all) {
				for _, r := range text {
					seen[r] = true
				}
			}
		}
	}
	fold, lower := cases.Fold(), cases.Lower(language.Und)
	for r := range seen { // whatever the order
		s := string(r)
		require.Equal(t, string(unicode.ToLower(r)), fold.String(s), "%q", r)
		require.Equal(t, "a"+string(unicode.ToLower(r)), lower.String("a"+s), "%q", r)
		require.Equal(t, string(unicode.ToLower(r))+"a", lower.String(s+"a"), "%q", r)
		assigned := unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf)
		require.True(t, assigned && !(0x1FA75 <= r && r <= 0x1FAFF) && r != 0x1F6DC, "%q", r)
	}
	for _, r := range "é\u0308٤한東אل🚦👩\u200d\u200b\u00a0\u3000\u2028\ufe0fⅣ²½" {
		require.True(t, seen[r], "%q is never said", r)
	}
}
