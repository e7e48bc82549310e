package blackbox

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/floorcheck/floorcheck/floor"
)

// mostRemembered is how many sentences a memory holds before it makes room: it
// then forgets those that were not heard again since it last did.
const mostRemembered = 50_000

// mostRecalled is how many sentences one answer has.
const mostRecalled = 16

// A memory holds sentences, and gives back those that are most like a query.
type memory struct {
	now, before shelf
	letters     cases.Caser
}

// A shelf finds sentences by their words.
type shelf struct {
	known map[string]bool // sentences
	heard []remembered
	with  map[string][]int // word: places in heard
}

type remembered struct {
	sentence string
	folded   string
	words    int
}

func newMemory() *memory { return &memory{newShelf(), newShelf(), cases.Fold()} }

func newShelf() shelf { return shelf{known: map[string]bool{}, with: map[string][]int{}} }

// hear remembers everything that messages say.
func (m *memory) hear(messages []floor.Message, cut func(text string) []string) {
	for _, message := range messages {
		for _, text := range Texts(message) {
			for _, sentence := range cut(text) {
				m.put(sentence)
			}
		}
	}
}

func (m *memory) put(sentence string) {
	if m.now.known[sentence] {
		return
	}
	if len(m.now.heard) >= mostRemembered {
		m.now, m.before = newShelf(), m.now
	}
	folded := m.fold(sentence)
	words := wordsOf(folded)
	at := len(m.now.heard)
	m.now.known[sentence] = true
	m.now.heard = append(m.now.heard, remembered{sentence, folded, len(words)})
	for _, word := range words {
		m.now.with[word] = append(m.now.with[word], at)
	}
}

// A found is a sentence with all the words of a query.
type found struct {
	remembered
	literal bool // it says the query as it is
	age     int  // the newest is 0
}

// recall gives the sentences that have all words of a query: first those that
// say it literally, then those with the fewest other words, the newest first.
func (m *memory) recall(query string) (string, error) {
	folded := m.fold(query)
	words := wordsOf(folded)
	var all []found
	older := 0
	for _, s := range []shelf{m.now, m.before} {
		for _, at := range s.all(words) {
			all = append(all, found{s.heard[at], strings.Contains(s.heard[at].folded, folded), older + len(s.heard) - at})
		}
		older += len(s.heard)
	}
	if len(all) == 0 {
		return "", errors.New("nothing that was said here is like that")
	}
	slices.SortFunc(all, func(a, b found) int {
		if a.literal != b.literal {
			return map[bool]int{true: -1, false: 1}[a.literal]
		}
		return cmp.Or(a.words-b.words, a.age-b.age)
	})
	var told []string
	for _, f := range all[:min(len(all), mostRecalled)] {
		told = append(told, f.sentence)
	}
	return strings.Join(told, "\n"), nil
}

// all are the places of the sentences that have all words.
func (s shelf) all(words []string) (places []int) {
	for i, word := range words {
		next := s.with[word]
		if i == 0 {
			places = slices.Clone(next)
			continue
		}
		places = slices.DeleteFunc(places, func(at int) bool {
			_, there := slices.BinarySearch(next, at)
			return !there
		})
	}
	return places
}

func (m *memory) fold(text string) string {
	return m.letters.String(norm.NFC.String(oneSpace(text)))
}

// wordsOf are the words of a folded text by which it is found, each once. What
// is said in more than one way is left out: do not and never, maybe and perhaps,
// first and before.
func wordsOf(folded string) (words []string) {
	for word := range strings.FieldsSeq(folded) {
		word = strings.Trim(word, ".,;:!?\"“”«»'()[]-")
		if word != "" && !manners[word] && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}

var manners = setOf("do don't never not must you first then before only if maybe perhaps possibly is still")
