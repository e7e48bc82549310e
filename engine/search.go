package engine

import (
	"bytes"
	"iter"
	"unicode"
	"unicode/utf8"
)

// search gives where a phrase occurs, from left to right. It costs time in the
// length of the text, however the text is made.
func (h *hits) search(p *phrase) iter.Seq[int] {
	phrase := h.text(p)
	return func(yield func(int) bool) {
		if len(phrase) > len(h.in) {
			return
		}
		rare := h.rarest(phrase)
		last := len(h.in) - len(phrase) + rare // where that byte can stand at most
		work := 64
		for at := rare; at <= last; at++ {
			skipped := bytes.IndexByte(h.in[at:last+1], phrase[rare])
			if skipped < 0 {
				return
			}
			at += skipped
			start := at - rare
			if work += skipped/4 - 2 - len(phrase)/16; work < 0 {
				h.step(p, phrase, start, yield)
				return
			}
			if h.at(p, phrase, start) && !yield(start) {
				return
			}
		}
	}
}

func (h *hits) at(p *phrase, phrase []byte, start int) bool {
	end := start + len(phrase)
	return bytes.Equal(h.in[start:end], phrase) && h.stands(p, start, end)
}

// step goes on from a place, byte by byte and never back (Knuth, Morris and
// Pratt).
func (h *hits) step(p *phrase, phrase []byte, from int, yield func(int) bool) {
	back := make([]int, len(phrase)+1) // by length matched: of the longest shorter beginning that ends it
	for i, matched := 1, 0; i < len(phrase); i++ {
		for matched > 0 && phrase[i] != phrase[matched] {
			matched = back[matched]
		}
		if phrase[i] == phrase[matched] {
			matched++
		}
		back[i+1] = matched
	}
	matched := 0
	for i := from; i < len(h.in); i++ {
		for matched > 0 && h.in[i] != phrase[matched] {
			matched = back[matched]
		}
		if h.in[i] == phrase[matched] {
			matched++
		}
		if matched == len(phrase) {
			start := i + 1 - matched
			matched = back[matched]
			if h.stands(p, start, i+1) && !yield(start) {
				return
			}
		}
	}
}

// rarest is where in a phrase the byte stands that the text has least of, by a
// sample of both.
func (h *hits) rarest(phrase []byte) (at int) {
	const sampled = 1 << 10
	if !h.counted {
		h.counted = true
		clear(h.counts[:])
		for i, stride := 0, len(h.in)/sampled+1; i < len(h.in); i += stride {
			h.counts[h.in[i]]++
		}
	}
	for i, c := range phrase[:min(len(phrase), 64)] {
		if h.counts[c] < h.counts[phrase[at]] {
			at = i
		}
	}
	return at
}

// stands says whether a phrase that the text has from start to end is an
// occurrence of it (rules 2a.2 and 2a.3).
func (h *hits) stands(p *phrase, start, end int) bool {
	if p.wordFirst && start > 0 && h.wordBefore(start) || p.wordLast && end < len(h.in) && h.wordAt(end) {
		return false
	}
	return !h.exact || !h.inRun(start) && !h.inRun(end)
}

func (h *hits) wordAt(at int) bool {
	if c := h.in[at]; c < utf8.RuneSelf {
		return bytesAre[c] == inWord
	}
	r, _ := utf8.DecodeRune(h.in[at:])
	return isWordRune(wordBits(), r)
}

func (h *hits) wordBefore(at int) bool {
	if c := h.in[at-1]; c < utf8.RuneSelf {
		return bytesAre[c] == inWord
	}
	r, _ := utf8.DecodeLastRune(h.in[:at])
	return isWordRune(wordBits(), r)
}

// inRun says whether a place is inside a run of word characters and joiners:
// one stands before it, and one after it that is no trailing period.
func (h *hits) inRun(at int) bool {
	if at == 0 || at == len(h.in) {
		return false
	}
	_, size := utf8.DecodeLastRune(h.in[:at])
	if !h.joins(at - size) {
		return false
	}
	if h.in[at] == '.' {
		at = h.afterDots(at)
	}
	return at < len(h.in) && h.joins(at)
}

// joins says whether the character at a place is one of a run.
func (h *hits) joins(at int) bool {
	switch h.in[at] {
	case '-', '.', '/', '\\', '@', '~', '+', '%', '$', '#':
		return true
	case ',', ':':
		before, _ := utf8.DecodeLastRune(h.in[:at])
		after, _ := utf8.DecodeRune(h.in[at+1:])
		return unicode.Is(unicode.Nd, before) && unicode.Is(unicode.Nd, after)
	}
	return h.wordAt(at)
}

// afterDots is where the run of dots at a place ends. It is measured once: a
// text of nothing but dots is asked for at each of them.
func (h *hits) afterDots(at int) int {
	if at >= h.dots.start && at < h.dots.end {
		return h.dots.end
	}
	end := at
	for end < len(h.in) && h.in[end] == '.' {
		end++
	}
	h.dots = extent{at, end}
	return end
}
