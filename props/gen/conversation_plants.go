package gen

import (
	"strconv"
	"strings"

	"github.com/floorcheck/floorcheck/conform/hostile"
	"github.com/floorcheck/floorcheck/floor"
)

// A plant is one that a conversation says, and what the generator knows of it
// besides.
type plant struct {
	floor.Plant
	said string    // the sentence, or the bare name, before it was spelled otherwise
	ends floor.End // how it can be ended; "" is not at all
	word string    // the deed, task, name, figure or heading that an end names
	of   *family   // what looks like a name or figure
	// striking is a name or figure that is seen to be one without a sentence
	// around it.
	striking bool
}

// planted are the classes, in the order in which a plant is drawn.
var planted = []floor.Class{
	floor.Negation, floor.Identifier, floor.Quantity, floor.Ordering, floor.Obligation, floor.Hypothesis,
	floor.Constraint, floor.Status, floor.Literal,
}

// mostWords bounds the choice of a word from any list.
const mostWords = 64

// Where a plant is said: in prose a sentence may be wrapped, in output and
// arguments it is a line of its own.
const (
	inProse = true
	inLines = false
)

// plantChoices say what to plant. They are always drawn together, whatever
// comes of them.
type plantChoices struct {
	class              floor.Class
	shape, word, other int
	spelled, gap       int
}

func (c *conversation) drawPlant() plantChoices {
	return plantChoices{
		class:   planted[c.s.Weighted("planted", 3, 3, 3, 2, 3, 2, 2, 3, 2)],
		shape:   c.s.Choose(3, "shape"),
		word:    c.s.Choose(mostWords, "word"),
		other:   c.s.Choose(mostWords, "other word"),
		spelled: c.s.Weighted("spelled", 12, 1, 1, 2),
		gap:     c.s.Choose(8, "gap"),
	}
}

// plant draws one sentence that is to be kept, and books it.
func (c *conversation) plant(prose bool) (sentence string) { return c.planting(c.drawPlant(), prose) }

// planting books a plant and gives its sentence. Where there are enough plants,
// or the words have run out, it is small talk.
func (c *conversation) planting(choices plantChoices, prose bool) (sentence string) {
	if len(c.plants) >= mostPlants || c.live() >= mostLive {
		return smallTalk[0]
	}
	p, ok := c.draft(choices.class, choices.shape, choices.word, choices.other)
	if !ok {
		return smallTalk[0]
	}
	c.book(p)
	return written(p, choices.spelled, choices.gap, prose)
}

func (c *conversation) live() (n int) {
	for i := range c.plants {
		if c.plants[i].Ended == nil {
			n++
		}
	}
	return n
}

// book says where a plant stands, and names it.
func (c *conversation) book(p *plant) {
	p.ID = "p" + strconv.Itoa(len(c.plants)+1)
	p.Said = floor.Place{Step: len(c.steps), Message: c.at}
	c.plants = append(c.plants, *p)
}

// draft makes a plant of a class, of words that are not yet in the
// conversation; false when there are none.
func (c *conversation) draft(class floor.Class, shape, word, other int) (*plant, bool) {
	switch class {
	case floor.Identifier:
		return c.exact(class, names, shape, word, other)
	case floor.Quantity:
		return c.exact(class, figures, shape, word, other)
	case floor.Literal:
		return c.heading(word)
	}
	first, second := wordsFor(class, shape)
	a, ok := c.take(first, word)
	if !ok {
		return nil, false
	}
	b := ""
	if second != nil {
		if b, ok = c.take(second, other); !ok {
			return nil, false
		}
	}
	switch class {
	case floor.Negation:
		return forbidding(shape, a), true
	case floor.Ordering:
		return ordering(shape, a, b), true
	case floor.Obligation:
		return obliging(shape, a, deadlines[other%len(deadlines)]), true
	case floor.Hypothesis:
		return guessing(shape, a), true
	case floor.Constraint:
		return allowing(shape, a, b), true
	}
	return statusOf(shape, a), true
}

// wordsFor are the lists that a sentence of a class takes its words from.
func wordsFor(class floor.Class, shape int) (first, second []string) {
	switch class {
	case floor.Ordering:
		return deeds, deeds
	case floor.Hypothesis:
		if shape == 2 {
			return guesses, nil
		}
		return suspects, nil
	case floor.Constraint:
		if shape == 2 {
			return provisos, nil // "Do it unless …" names no deed
		}
		return deeds, provisos
	case floor.Status:
		return tasks, nil
	}
	return deeds, nil
}

// take finds a word that is not in the conversation, from the i-th on.
func (c *conversation) take(list []string, i int) (string, bool) {
	for n := range list {
		if word := list[(i+n)%len(list)]; !c.taken[word] {
			c.taken[word] = true
			return word, true
		}
	}
	return "", false
}

// exact makes a plant that gives a noun a value. Nouns too are there once: a
// second value would be a correction of the first.
func (c *conversation) exact(class floor.Class, of lexicon, shape, word, other int) (*plant, bool) {
	f := &of[word%len(of)]
	noun, ok := c.take(f.nouns, other)
	if !ok {
		return nil, false
	}
	value, ok := c.take(f.values, word/len(of)+other)
	if !ok {
		return nil, false
	}
	p := toTheLetter(class, value, f)
	switch {
	case class == floor.Identifier && (shape == 1 || !p.striking): // "use" marks it
		p.said = "Use " + value + " for the " + noun + "."
	case class == floor.Identifier:
		p.said = "The " + noun + " is " + value + "."
	case shape == 1:
		p.said = capital(noun) + " is " + value + "."
	default:
		p.said = "The " + noun + " is limited to " + value + "."
	}
	return p, true
}

// titles are the headings as a family.
var titles = &family{values: headings}

// headingTaken is taken with the first heading: there is one agreed title.
const headingTaken = "the agreed title"

func (c *conversation) heading(word int) (*plant, bool) {
	if c.taken[headingTaken] {
		return nil, false
	}
	c.taken[headingTaken] = true
	value, ok := c.take(headings, word)
	if !ok {
		return nil, false
	}
	p := toTheLetter(floor.Literal, value, titles)
	p.said = `The agreed title is "` + value + `".`
	return p, true
}

// endPlant books the plant that ends another one, and says it; false when the
// words have run out.
func (c *conversation) endPlant(i, shape, word int) (sentence string, ok bool) {
	old := c.plants[i]
	var p *plant
	switch old.ends {
	case floor.Withdrawn:
		p = folded(floor.Negation, old.word+" is no longer needed")
		p.said = "Forget that: " + old.word + " is no longer needed."
	case floor.Completed:
		// Its opposite stands earlier in the conversation, so it cannot be what
		// voids this one.
		p = done(old.word)
	case floor.Replaced:
		value, there := c.take(old.of.values, word)
		if !there || len(c.plants) >= mostPlants {
			return "", false
		}
		p = toTheLetter(old.Class, value, old.of)
		p.said = replacing(&old, shape, value)
	}
	c.book(p)
	by := &c.plants[len(c.plants)-1]
	c.plants[i].Ended = &floor.Ended{Place: by.Said, How: old.ends, By: by.ID}
	return by.said, true
}

// strangers draws decoys: what looks like a plant and is nowhere in the
// conversation.
func (c *conversation) strangers() {
	all := ""
	c.s.list(0, 3, 4, "another decoy", func(int) bool {
		kind, word := c.s.Weighted("decoy", 3, 2), c.s.Choose(mostWords, "word")
		if all == "" {
			all = c.everything()
		}
		if e, ok := c.stranger(kind, word, all); ok {
			e.ID = "d" + strconv.Itoa(len(c.decoys)+1)
			c.decoys = append(c.decoys, e)
		}
		return true
	})
	if c.summarizer == "invent" { // what it invents is known to be nowhere
		c.decoys = append(c.decoys, floor.Element{
			ID: "d" + strconv.Itoa(len(c.decoys)+1), Class: floor.Negation, Forms: []string{strings.TrimSuffix(hostile.Invented, ".")},
		})
	}
}

// stranger is a name or figure that looks like one in the conversation, or a
// deed that was never forbidden.
func (c *conversation) stranger(kind, word int, all string) (floor.Element, bool) {
	if kind == 0 {
		alike := c.alike()
		if len(alike) == 0 {
			return floor.Element{}, false
		}
		p := &c.plants[alike[word%len(alike)]]
		for n := range p.of.values {
			value := p.of.values[(word+n)%len(p.of.values)]
			if c.taken[value] || strings.Contains(all, plainly(value)) {
				continue
			}
			c.taken[value] = true
			return toTheLetter(p.Class, value, p.of).Element, true
		}
		return floor.Element{}, false
	}
	for n := range deeds {
		deed := deeds[(word+n)%len(deeds)]
		if !c.taken[deed] && !strings.Contains(all, plainly(deed)) {
			c.taken[deed] = true
			return forbidding(0, deed).Element, true
		}
	}
	return floor.Element{}, false
}

// alike are the plants that have look-alikes.
func (c *conversation) alike() (out []int) {
	for i := range c.plants {
		if c.plants[i].of != nil {
			out = append(out, i)
		}
	}
	return out
}

// everything is all that the conversation says, plainly.
func (c *conversation) everything() string {
	var parts []string
	for _, step := range c.steps {
		for i := range step.Reduce.Messages {
			m := &step.Reduce.Messages[i]
			parts = append(parts, m.Text)
			for _, call := range m.Calls {
				parts = append(parts, string(call.Args))
			}
		}
	}
	return plainly(strings.Join(parts, "\n"))
}

// plainly is a text in small letters with single blanks. It is cruder than the
// folding of RULES.md 2a: what it does not find, that does not find either,
// but for letters in two parts, and words with those are there once at most.
func plainly(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }
