package engine

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// A phrase is a folded form that is looked for. A phrase with word characters
// has an anchor, one of its maximal runs of them: as nothing may be glued to
// either end of an occurrence, the anchor is a maximal run in the text too, and
// is found by its hash.
type phrase struct {
	from, to  int    // in the arena
	anchor    int    // where its anchor begins in it
	key       uint64 // the anchor's hash
	next      int32  // of those that share a head; none ends the list
	wordFirst bool   // its first character is a word character
	wordLast  bool
	contested bool // an element has it in one list and something in the other: where it stands matters
}

const none = int32(-1)

// A lexicon is the phrases that are looked for in texts of one folding.
type lexicon struct {
	exact   bool
	arena   []byte
	phrases []phrase

	// While it is made; the key of a phrase is then a hash of all of it.
	slots  []int32 // a table of the phrases, none where a slot is free
	formOf []int32 // the latest element that a phrase is a form of, from 1

	heads  []int32 // of the phrases whose anchors' hashes begin alike
	shift  int     // what is left of a hash is its head
	filter []uint64
	loose  []int32 // those without an anchor

	// byInverted are the elements that a phrase inverts: those of phrase i from
	// starts[i] to starts[i+1].
	starts     []int32
	byInverted []int32
}

// newLexicon has room for so many phrases of so many bytes together; folding
// may make them longer, and the same phrase needs room once.
func newLexicon(exact bool, phrases, bytes int) lexicon {
	l := lexicon{
		exact:   exact,
		arena:   make([]byte, 0, bytes+bytes/8+slack),
		phrases: make([]phrase, 0, phrases),
		formOf:  make([]int32, phrases),
		slots:   make([]int32, 1<<bits.Len(uint(2*phrases))),
	}
	for i := range l.slots {
		l.slots[i] = none
	}
	return l
}

// add gives the number of a folded phrase; none where it is empty.
func (l *lexicon) add(text []byte) int32 {
	if len(text) == 0 {
		return none
	}
	key := maphash.Bytes(seed, text)
	slot := key & uint64(len(l.slots)-1)
	for ; l.slots[slot] != none; slot = (slot + 1) & uint64(len(l.slots)-1) {
		id := l.slots[slot]
		if p := &l.phrases[id]; p.key == key && bytes.Equal(l.text(p), text) {
			return id
		}
	}
	id, from := int32(len(l.phrases)), len(l.arena)
	l.arena = append(l.arena, text...)
	l.phrases = append(l.phrases, phrase{from: from, to: len(l.arena), key: key, next: none})
	l.slots[slot] = id
	return id
}

// seed differs from process to process: nobody can choose phrases that collide.
// Numbers are given in the order of the phrases all the same.
var seed = maphash.MakeSeed()

func (l *lexicon) text(p *phrase) []byte { return l.arena[p.from:p.to] }

// An extent is where something stands in a text: from start up to end.
type extent struct{ start, end int }

// freeze chooses the anchors and makes the table that they are found by. An
// anchor is the run that fewest phrases share, and of these the longest.
func (l *lexicon) freeze() {
	l.arena = padded(l.arena)
	l.slots, l.formOf = nil, nil
	size := bits.Len(uint(2 * len(l.phrases)))
	l.shift = 64 - size
	l.heads = make([]int32, 1<<size)
	for i := range l.heads {
		l.heads[i] = none
	}
	l.filter = make([]uint64, max(1<<size/8, 8)) // eight bits for each head
	shared := make([]uint32, 2<<size)            // by hash; two runs that fall on one count as one
	var runs []extent
	var words mask
	for i := range l.phrases {
		p := &l.phrases[i]
		runs, words = l.wordRuns(p, runs, words)
		for _, r := range runs {
			shared[l.hash(p, r)>>(l.shift-1)]++
		}
	}
	for i := range l.phrases {
		p := &l.phrases[i]
		runs, words = l.wordRuns(p, runs, words)
		if len(runs) == 0 {
			l.loose = append(l.loose, int32(i))
			continue
		}
		best, fewest := runs[0], ^uint32(0)
		for _, r := range runs {
			if n := shared[l.hash(p, r)>>(l.shift-1)]; n < fewest || n == fewest && r.end-r.start > best.end-best.start {
				best, fewest = r, n
			}
		}
		p.anchor, p.key = best.start, l.hash(p, best)
		p.wordFirst, p.wordLast = runs[0].start == 0, runs[len(runs)-1].end == p.to-p.from
		head := &l.heads[p.key>>l.shift]
		p.next, *head = *head, int32(i)
		at := l.bit(p.key)
		l.filter[at/64] |= 1 << (at % 64)
	}
}

// wordRuns are the maximal runs of word characters of a phrase; both lists are
// written over.
func (l *lexicon) wordRuns(p *phrase, runs []extent, words mask) ([]extent, mask) {
	words = newMask(words, l.text(p))
	runs, _ = words.appendRuns(runs[:0], 0, len(words), -1)
	return runs, words
}

func (l *lexicon) hash(p *phrase, run extent) uint64 {
	return hashRun(l.arena, p.from+run.start, p.from+run.end)
}

// bit is the one of filter that stands for a hash. Its high bits choose the
// head; these are others.
func (l *lexicon) bit(key uint64) uint64 { return key & uint64(64*len(l.filter)-1) }

// hashRun is over the first eight bytes, the last eight and the length. It does
// not tell the letters of ASCII from their capitals, so that both foldings of a
// text of ASCII can be looked up at once. Behind end there is slack.
func hashRun(text []byte, start, end int) uint64 {
	const odd = 0x9e3779b97f4a7c15
	n := end - start
	w := binary.LittleEndian.Uint64(text[start:][:slack])
	if n < slack {
		w &= 1<<(8*n) - 1
	} else {
		w = w&^(ones*0x20) + bits.RotateLeft64(binary.LittleEndian.Uint64(text[end-slack:][:slack])&^(ones*0x20), 27)
	}
	high, low := bits.Mul64(w&^(ones*0x20)^uint64(n)<<56, odd)
	return high ^ low
}

// Up to fewPhrases each is searched for by itself: that is faster than looking
// at every run of the text.
const fewPhrases = 24

// hits are what of a lexicon occurs in a text, and where.
type hits struct {
	*lexicon
	in []byte // the folded text

	first   []int32 // by phrase: none, or its latest entry in places, or unplaced
	touched []int32 // the phrases that occur
	places  []place // of contested phrases, unless searched
	// searched says that places are not kept: they are searched for when they
	// are asked for.
	searched bool
	work     int    // that scan may still do
	dots     extent // a run of dots that was measured last

	counts  [256]uint16 // of the bytes of a sample of the text, when it is counted
	counted bool
}

// A place is where a phrase stands; before is its place before that one.
type place struct {
	start  int
	before int32
}

const unplaced = int32(-2) // it occurs; where does not matter

// begin is given a text.
func (h *hits) begin(l *lexicon, text []byte) {
	for _, id := range h.touched {
		h.first[id] = none
	}
	h.touched, h.places, h.dots, h.counted = h.touched[:0], h.places[:0], extent{}, false
	if h.lexicon != l {
		h.lexicon = l
		h.first = h.first[:0]
		for range l.phrases {
			h.first = append(h.first, none)
		}
	}
	h.in, h.searched = text, len(l.phrases) <= fewPhrases
	h.work = phrasesPerByte*len(text) + mostPlaces
}

// finish looks for what scan has not found.
func (h *hits) finish() {
	if h.searched || !h.searchLoose() {
		h.searchAll()
	}
}

// phrasesPerByte is how many phrases scan compares with a text at most, for each
// byte of it. Searching for them one by one is cheaper then.
const phrasesPerByte = 16

// mostPlaces is how many places are kept beyond one for each byte of a text.
const mostPlaces = 1 << 16

// crowded says that more places would be kept than a text is worth.
func (h *hits) crowded() bool { return len(h.places) > len(h.in)+mostPlaces }

// searchLoose looks for the phrases that scan cannot find. It says false where
// it gave up.
func (h *hits) searchLoose() bool {
	for _, id := range h.loose {
		for at := range h.search(&h.phrases[id]) {
			if !h.note(id, at) {
				break
			}
		}
		if h.crowded() {
			return false
		}
	}
	return true
}

// searchAll looks for each phrase by itself.
func (h *hits) searchAll() {
	h.searched = true
	for _, id := range h.touched {
		h.first[id] = none
	}
	h.touched, h.places = h.touched[:0], h.places[:0]
	for id := range h.phrases {
		for range h.search(&h.phrases[id]) {
			h.first[id] = unplaced
			h.touched = append(h.touched, int32(id))
			break
		}
	}
}

// note keeps an occurrence. It says whether more of them matter.
func (h *hits) note(id int32, at int) (more bool) {
	before := h.first[id]
	if before == none {
		h.touched = append(h.touched, id)
	}
	if !h.phrases[id].contested {
		h.first[id] = unplaced
		return false
	}
	h.first[id] = int32(len(h.places))
	h.places = append(h.places, place{at, before})
	return true
}
