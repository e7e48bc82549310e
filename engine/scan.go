package engine

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// A mask has a bit for each byte of a text: set where the byte is of a word
// character.
type mask []uint64

// newMask is written over old, if that is long enough.
func newMask(old mask, text []byte) mask {
	m := slices.Grow(old[:0], len(text)/64+2)[:len(text)/64+2]
	clear(m)
	word := wordBits()
	behind := text[: len(text)+slack : len(text)+slack]
	for i := 0; i < len(text); {
		if w := binary.LittleEndian.Uint64(behind[i:]); w&highs == 0 {
			b := asciiWords(w)
			m[i/64] |= b << (i % 64)
			m[i/64+1] |= b >> 1 >> (63 - i%64)
			i += 8
			continue
		}
		for end := i + 8; i < min(end, len(text)); {
			r, size := utf8.DecodeRune(text[i:])
			if isWordRune(word, r) {
				b := uint64(1)<<size - 1
				m[i/64] |= b << (i % 64)
				m[i/64+1] |= b >> 1 >> (63 - i%64)
			}
			i += size
		}
	}
	m[len(text)/64] &= 1<<(len(text)%64) - 1 // what is behind a text is not of it
	m[len(text)/64+1] = 0
	return m
}

// asciiWords gives a bit for each byte of a word of ASCII: set where it is a
// letter, a digit or the low line.
func asciiWords(w uint64) uint64 {
	lower := w | ones*0x20
	letters := (lower + ones*(0x80-'a')) &^ (lower + ones*(0x7f-'z'))
	digits := (w + ones*(0x80-'0')) &^ (w + ones*(0x7f-'9'))
	line := ^((w ^ ones*'_') + ones*0x7f)
	const gather = 0x0102040810204080 // brings the lowest bit of each byte into the highest byte
	return (letters | digits | line) & highs >> 7 * gather >> 56
}

// appendRuns appends the maximal runs of word characters that end in the words
// of the mask from one up to another. open is where one began that has not
// ended yet, or -1.
func (m mask) appendRuns(runs []extent, from, to, open int) ([]extent, int) {
	before := uint64(0)
	if from > 0 {
		before = m[from-1] >> 63
	}
	for k := from; k < to; k++ {
		edges := m[k] ^ (m[k]<<1 | before)
		before = m[k] >> 63
		for ; edges != 0; edges &= edges - 1 {
			at := k*64 + bits.TrailingZeros64(edges)
			if open < 0 {
				open = at
				continue
			}
			runs = append(runs, extent{open, at})
			open = -1
		}
	}
	return runs, open
}

// scan looks up every run of word characters of a text among the anchors of
// lexicons: of one, or of both where the text is ASCII, and its words stand at
// the same places in both foldings. One whose phrases the text is made to be
// compared with too often is left to be searched for.
func (r *reader) scan(all ...*hits) {
	const block = 64 // words of the mask
	text := all[0].in
	behind := text[: len(text)+slack : len(text)+slack]
	r.words = newMask(r.words, text)
	open := -1
	for from := 0; from < len(r.words); from += block {
		r.runs, open = r.words.appendRuns(r.runs[:0], from, min(from+block, len(r.words)), open)
		for _, run := range r.runs {
			key := hashRun(behind, run.start, run.end)
			for _, h := range all {
				at := key & uint64(64*len(h.filter)-1)
				if h.filter[at/64]>>(at%64)&1 == 0 || h.searched {
					continue
				}
				h.work -= h.verify(key, run.start)
				h.searched = h.work < 0 || h.crowded()
			}
		}
	}
}

// verify compares the text around a run with the phrases that have it as their
// anchor, and says what that cost.
func (h *hits) verify(key uint64, at int) (cost int) {
	for id := h.heads[key>>h.shift]; id != none; {
		p := &h.phrases[id]
		cost++
		if start := at - p.anchor; p.key == key && start >= 0 && h.first[id] != unplaced {
			cost += (p.to - p.from) / 16
			end := start + p.to - p.from
			if end <= len(h.in) && bytes.Equal(h.in[start:end], h.text(p)) && h.stands(p, start, end) {
				h.note(id, start)
			}
		}
		id = p.next
	}
	return cost
}
