package engine

import (
	"fmt"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// A compiler makes Elements of elements: of each that it was told to expect, one
// after the other.
type compiler struct {
	folder
	made         *Elements
	count, forms int
	phrases      [2]struct{ count, bytes int } // by lexicon
}

// expect counts elements, so that memory is asked for once.
func (c *compiler) expect(list []floor.Element) {
	c.count += len(list)
	for i := range list {
		x := &list[i]
		n := &c.phrases[lexiconOf(x)]
		for _, forms := range [][]string{x.Forms, x.Inverted} {
			c.forms += len(forms)
			n.count += len(forms)
			for _, form := range forms {
				n.bytes += len(form)
			}
		}
	}
}

func lexiconOf(x *floor.Element) uint8 {
	if x.Match == floor.Exact {
		return 1
	}
	return 0
}

func (c *compiler) begin() {
	c.made = &Elements{list: make([]element, 0, c.count), ids: make([]int32, 0, c.forms)}
	for i, n := range c.phrases {
		c.made.lexicons[i] = newLexicon(i == 1, n.count, n.bytes)
	}
}

// add folds elements. The error, a *floor.BadRequest, names an inverted form
// that is a form of the same element too; path leads to the list.
func (c *compiler) add(list []floor.Element, path func() string) error {
	if c.made == nil {
		c.begin()
	}
	for i := range list {
		if at := c.addOne(&list[i]); at >= 0 {
			return &floor.BadRequest{
				Path:    fmt.Sprintf("%s[%d].inverted_forms[%d]", path(), i, at),
				Problem: "is, when folded, a form of the element too",
			}
		}
	}
	return nil
}

// addOne gives the index of an inverted form that is a form too, or -1. An
// empty phrase is one as well, though it never occurs.
func (c *compiler) addOne(x *floor.Element) (at int) {
	e, number := element{forms: int32(len(c.made.ids)), lexicon: lexiconOf(x)}, int32(len(c.made.list)+1)
	l, empty := &c.made.lexicons[e.lexicon], false
	for _, form := range x.Forms {
		if id := l.add(c.phrase(form, l)); id == none {
			empty = true
		} else {
			l.formOf[id] = number
			c.made.ids = append(c.made.ids, id)
		}
	}
	e.inverted = int32(len(c.made.ids))
	for i, form := range x.Inverted {
		switch id := l.add(c.phrase(form, l)); {
		case id == none && empty, id != none && l.formOf[id] == number:
			return i
		case id != none:
			c.made.ids = append(c.made.ids, id)
		}
	}
	e.end = int32(len(c.made.ids))
	if e.forms < e.inverted && e.inverted < e.end {
		for _, id := range c.made.ids[e.forms:e.end] {
			l.phrases[id].contested = true
		}
	}
	c.made.list = append(c.made.list, e)
	return -1
}

func (c *compiler) phrase(form string, l *lexicon) []byte {
	plain, lower := c.fold(form, !l.exact)
	if l.exact {
		return plain
	}
	return lower
}

func (c *compiler) elements() *Elements {
	for i := range c.made.lexicons {
		l := &c.made.lexicons[i]
		l.freeze()
		l.starts = make([]int32, len(l.phrases)+1)
		c.made.eachInverted(i, func(phrase, _ int32) { l.starts[phrase+1]++ })
		for k := range l.phrases {
			l.starts[k+1] += l.starts[k]
		}
		next := slices.Clone(l.starts)
		l.byInverted = make([]int32, next[len(l.phrases)])
		c.made.eachInverted(i, func(phrase, element int32) {
			l.byInverted[next[phrase]] = element
			next[phrase]++
		})
	}
	return c.made
}

// eachInverted calls do for each inverted form of the elements of a lexicon.
func (e *Elements) eachInverted(lexicon int, do func(phrase, element int32)) {
	for i, x := range e.list {
		if int(x.lexicon) != lexicon {
			continue
		}
		for _, id := range e.ids[x.inverted:x.end] {
			do(id, int32(i))
		}
	}
}
