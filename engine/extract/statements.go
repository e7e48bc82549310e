package extract

import (
	"slices"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// A statement is what a sentence says that is to be kept: where, and in which
// words.
type statement struct {
	class           floor.Class
	span            Span
	forms, inverted []string
}

// A rule looks at a word that may make a clause load-bearing, and says what it
// found; class "" is nothing.
type rule func(s *scanner, i int) statement

// cues are the words, in small letters, and the rules that they make look.
var cues = func() map[string][]rule {
	all := map[string][]rule{}
	add := func(r rule, words string) {
		for _, w := range strings.Fields(words) {
			all[w] = append(all[w], r)
		}
	}
	add(forbidden, `do don never`)
	add(forbiddenTo, `must mustn shall should shouldn may will won allowed permitted`)
	add(without, `no`)
	add(nothing, `nothing`)
	add(noLonger, `longer`)
	add(banned, `forbidden prohibited banned circumstances alone untouched`)
	add(shunned, `avoid refrain`)
	add(notTo, `not`)
	add(nobody, `nobody`)
	add(obliged, `must shall has have needs need`)
	add(owed, `owe owes due payable`)
	add(required, `required obliged`)
	add(ensured, `ensure make remember`)
	add(toBe, `be`)
	add(toDo, `todo`)
	add(deadline, `by later`)
	add(before, `before`)
	add(firstThen, `first`)
	add(onlyThen, `then after`)
	add(after, `after`)
	add(sequel, `then followed prior`)
	add(onlyIf, `only`)
	add(conditional, `if unless provided when whenever`)
	add(soon, `soon long`)
	add(depending, `case event subject depends limited`)
	add(bounded, `until most least more max up`)
	add(exempt, `exempt exclude except`)
	add(stated, `
		down live stuck paused postponed overdue unpaid enabled disabled withdrawn reverted broken failing passing
		done open pending outstanding finished completed complete merged deployed released signed approved rejected accepted failed blocked confirmed
		cancelled canceled paid closed resolved fixed started running ready skipped silenced frozen struck issued sent filed
		progress red green`)
	add(perfect, `have has ve`)
	add(passive, `is are isn aren`)
	add(outcome, `fail failed error skip skipped passed`)
	add(yet, `yet`)
	add(valued, `status state`)
	add(happened, `failed succeeded passed stopped crashed landed shipped expired arrived`)
	add(waits, `waiting awaiting`)
	add(guessed, `maybe perhaps possibly probably presumably likely apparently conceivably supposedly seemingly`)
	add(guessedBy, `think believe suspect reckon assume guess suppose bet imagine`)
	add(seems, `seems seem appears appear looks look`)
	add(theory, `hypothesis theory guess hunch suspicion`)
	add(mayBe, `might could may possible`)
	return all
}()

// cuing tells by length which words that begin with a letter are cues.
var cuing = func() (byLetter [256]uint32) {
	for w := range cues {
		byLetter[w[0]] |= 1 << len(w)
		byLetter[w[0]-'a'+'A'] |= 1 << len(w)
	}
	return byLetter
}()

// statements are what the sentences of a text say that is to be kept.
func (s *scanner) statements(found []statement) []statement {
	for i := range s.runs {
		r := &s.runs[i]
		n := r.end - r.start
		if n > 15 || cuing[s.text[r.start]]>>n&1 == 0 || r.has&^(lower|upper) != 0 {
			continue
		}
		rules := cues[s.small(i)]
		if len(rules) == 0 || s.endless(i) {
			continue
		}
		for _, look := range rules {
			c := look(s, i)
			if c.class == "" || slices.ContainsFunc(found[max(len(found)-8, 0):], c.repeats) {
				continue
			}
			if c = c.settled(); len(c.forms) == 0 || startsMarked(c.forms[0]) {
				continue
			}
			found = append(found, c)
		}
	}
	return append(found, s.literals()...)
}

// repeats tells whether more than half of a statement is in another one of its
// class: one clause is one element.
func (st *statement) repeats(other statement) bool {
	shared := min(st.span.End, other.span.End) - max(st.span.Start, other.span.Start)
	return other.class == st.class && 2*shared > st.span.End-st.span.Start
}

func newStatement(class floor.Class, span Span, forms, inverted []string) statement {
	return statement{class, span, forms, inverted}
}

// settled has the forms as they stand and without marks. An opposite that a
// form stands in would hide it, and is left out.
func (st *statement) settled() statement {
	c := statement{class: st.class, span: st.span}
	add := func(list []string, text string) []string {
		if text = strings.TrimSpace(text); text == "" || slices.Contains(list, text) {
			return list
		}
		return append(list, text)
	}
	for _, f := range st.forms {
		c.forms = add(add(c.forms, f), plainly(f))
	}
	if len(st.inverted) == 0 {
		return c
	}
	folded := make([]string, len(c.forms))
	for i, f := range c.forms {
		folded[i] = fold(f)
	}
	oppose := func(text string) {
		opposite := fold(text)
		if !slices.ContainsFunc(folded, func(form string) bool { return strings.Contains(opposite, form) }) {
			c.inverted = add(c.inverted, text)
		}
	}
	for _, f := range st.inverted {
		oppose(f)
		if bare := plainly(f); bare != f {
			oppose(bare)
		}
	}
	return c
}

// asSaid is the clause around a word, kept in its own words.
func asSaid(s *scanner, class floor.Class, i int) statement {
	span := s.said(s.around(i, clause))
	return newStatement(class, span, []string{s.text[span.Start:span.End]}, nil)
}

// has tells whether one of these words is among runs.
func (s *scanner) has(from, to int, words ...string) bool {
	for ; from <= to; from++ {
		if oneOf(s.small(from), words...) {
			return true
		}
	}
	return false
}

func oneOf(w string, words ...string) bool { return slices.Contains(words, w) }
