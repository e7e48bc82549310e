package engine

import (
	"iter"
	"slices"
	"sync"

	"github.com/floorcheck/floorcheck/floor"
)

// A Retention says what a text does to an element. It is two bits, so that the
// retention over several texts together is the bits of all.
type Retention uint8

// The retentions.
const (
	Lost          Retention = 0
	Retained      Retention = 1 // a form counts, and no inverted form
	Inverted      Retention = 2 // an inverted form, and no form
	Contradictory           = Retained | Inverted
)

// String is the retention's name.
func (r Retention) String() string {
	return [...]string{"lost", "retained", "inverted", "contradictory"}[r&Contradictory]
}

// inverts says whether an inverted form counts.
func (r Retention) inverts() bool { return r&Inverted != 0 }

// Usable says whether a delivery can keep anything: its status is ok, and some
// part of it has a word character (rule 2a.7).
func Usable(d floor.Delivery) bool {
	return isOK(d.Status) && (hasWord(d.Text) || slices.ContainsFunc(d.Pins, hasWord))
}

func isOK(s floor.SummaryStatus) bool { return s == "" || s == floor.StatusOK }

// Elements are elements made ready to be looked for, all at once, in any number
// of texts. They do not change: several goroutines may use them.
type Elements struct {
	list     []element
	ids      []int32    // of phrases, element by element
	lexicons [2]lexicon // of folded elements, of exact ones
}

// An element has its forms in ids from forms up to inverted, and its inverted
// forms from there up to end.
type element struct {
	forms, inverted, end int32
	lexicon              uint8
}

// NewElements folds the forms of elements. The error, a *floor.BadRequest, names
// an inverted form that is a form of the same element too, its path beginning
// with elements.
func NewElements(list []floor.Element) (*Elements, error) {
	var c compiler
	c.expect(list)
	if err := c.add(list, func() string { return "elements" }); err != nil {
		return nil, err
	}
	return c.elements(), nil
}

// Len is the number of elements.
func (e *Elements) Len() int { return len(e.list) }

// haveInverted says whether any text could invert an element.
func (e *Elements) haveInverted() bool {
	return len(e.lexicons[0].byInverted)+len(e.lexicons[1].byInverted) > 0
}

// Retain says what the parts of a delivery together, its text and each pin, do to
// each element. What is unusable is measured all the same. The result is
// written into dst where that has room; dst may be nil.
func (e *Elements) Retain(dst []Retention, parts ...string) []Retention {
	dst = slices.Grow(dst[:0], len(e.list))[:len(e.list)]
	clear(dst)
	r := e.reader()
	defer r.done()
	for _, part := range parts {
		r.read(part)
		for i := range dst {
			dst[i] |= r.retention(i)
		}
	}
	return dst
}

// A reader reads texts, one after the other, and says of the latest what it
// does to elements.
type reader struct {
	*Elements
	folder
	hits  [2]hits
	words mask
	runs  []extent // of a part of the text

	at            []int
	stairs, spare []extent
}

var readers = sync.Pool{New: func() any { return &reader{} }}

// reader is taken out of the pool; done puts it back.
func (e *Elements) reader() *reader {
	r := readers.Get().(*reader)
	r.Elements = e
	return r
}

func (r *reader) done() {
	const keptBytes = 4 << 20 // a larger memory is not worth keeping
	if cap(r.plain)+cap(r.lower)+cap(r.folder.spare)+16*(cap(r.hits[0].places)+cap(r.hits[1].places)) > keptBytes {
		return
	}
	r.Elements, r.hits[0].lexicon, r.hits[1].lexicon = nil, nil, nil
	readers.Put(r)
}

func (r *reader) read(text string) {
	plain, lower := r.fold(text, len(r.lexicons[0].phrases) > 0)
	folded, exact := &r.hits[0], &r.hits[1]
	folded.begin(&r.lexicons[0], lower)
	exact.begin(&r.lexicons[1], plain)
	if r.ascii && !folded.searched && !exact.searched {
		r.scan(folded, exact)
	} else {
		for i := range r.hits {
			if !r.hits[i].searched {
				r.scan(&r.hits[i])
			}
		}
	}
	folded.finish()
	exact.finish()
}

// retention is of the text that was read last.
func (r *reader) retention(i int) (v Retention) {
	e := &r.list[i]
	h := &r.hits[e.lexicon]
	forms, inverted := r.ids[e.forms:e.inverted], r.ids[e.inverted:e.end]
	some, opposite := h.anyOf(forms), h.anyOf(inverted)
	contested := some && opposite
	if some && (!contested || r.counts(h, forms, inverted)) {
		v |= Retained
	}
	if opposite && (!contested || r.counts(h, inverted, forms)) {
		v |= Inverted
	}
	return v
}

// invertedOnes are the elements of which an inverted form counts in the text
// that was read last. One may come several times.
func (r *reader) invertedOnes() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range r.lexicons {
			l, h := &r.lexicons[i], &r.hits[i]
			if len(l.byInverted) == 0 {
				continue
			}
			for _, id := range h.touched {
				for _, e := range l.byInverted[l.starts[id]:l.starts[id+1]] {
					if r.retention(int(e)).inverts() && !yield(int(e)) {
						return
					}
				}
			}
		}
	}
}

func (h *hits) anyOf(ids []int32) bool {
	for _, id := range ids {
		if h.first[id] != none {
			return true
		}
	}
	return false
}

// counts says whether one of these phrases occurs outside every occurrence of
// the others (rule 2a.4). Whether those count does not matter: the outermost
// does, and it is of one kind or the other.
func (r *reader) counts(h *hits, ids, others []int32) bool {
	r.stairs = r.stairs[:0]
	for _, id := range others {
		if h.first[id] != none {
			r.cover(h, id)
		}
	}
	for _, id := range ids {
		if h.first[id] == none {
			continue
		}
		length, step := h.length(id), 0
		for _, start := range r.starts(h, id) {
			for step < len(r.stairs) && r.stairs[step].start <= start {
				step++
			}
			if step == 0 || r.stairs[step-1].end < start+length {
				return true
			}
		}
	}
	return false
}

func (r *reader) cover(h *hits, id int32) {
	old, stairs, length := r.stairs, r.spare[:0], h.length(id)
	add := func(s extent) {
		if len(stairs) > 0 && stairs[len(stairs)-1].start == s.start {
			stairs = stairs[:len(stairs)-1] // the same start and a later end
		}
		stairs = append(stairs, s)
	}
	end := 0
	put := func(s extent) {
		if s.end > end {
			add(s)
			end = s.end
		}
	}
	for _, start := range r.starts(h, id) {
		for len(old) > 0 && old[0].start <= start {
			put(old[0])
			old = old[1:]
		}
		put(extent{start, start + length})
	}
	for _, s := range old {
		put(s)
	}
	r.spare, r.stairs = r.stairs, stairs
}

func (h *hits) length(id int32) int { return h.phrases[id].to - h.phrases[id].from }

// starts are where a phrase occurs, from left to right.
func (r *reader) starts(h *hits, id int32) []int {
	r.at = r.at[:0]
	if h.searched {
		r.at = slices.AppendSeq(r.at, h.search(&h.phrases[id]))
		return r.at
	}
	for at := h.first[id]; at != none; at = h.places[at].before {
		r.at = append(r.at, h.places[at].start)
	}
	slices.Reverse(r.at)
	return r.at
}
