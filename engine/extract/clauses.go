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
	add(obliged, `must shall has have needs need`)
	add(owed, `owe owes due payable`)
	add(toDo, `todo`)
	add(deadline, `by later`)
	add(before, `before`)
	add(firstThen, `first`)
	add(onlyThen, `then after`)
	add(onlyIf, `only`)
	add(conditional, `if unless provided when whenever`)
	add(soon, `soon`)
	add(bounded, `until most least more max up`)
	add(exempt, `exempt exclude except`)
	add(stated, `
		done open pending outstanding finished completed complete merged deployed released signed approved rejected accepted failed blocked confirmed
		cancelled canceled paid closed resolved fixed started running ready skipped silenced frozen struck issued sent filed
		progress red green`)
	add(perfect, `have has ve`)
	add(passive, `is are isn aren`)
	add(outcome, `fail failed error skip skipped passed`)
	add(yet, `yet`)
	add(guessed, `maybe perhaps possibly probably presumably likely`)
	add(guessedBy, `think believe suspect reckon assume guess`)
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
		for _, look := range cues[s.small(i)] {
			c := look(s, i)
			if c.class == "" || slices.ContainsFunc(found[max(len(found)-8, 0):], func(o statement) bool {
				return o.class == c.class && o.span.Start <= c.span.Start && c.span.End <= o.span.End
			}) {
				continue // one clause is one element of a class
			}
			found = append(found, c)
		}
	}
	return append(found, s.literals()...)
}

// newStatement has these forms, as they stand and without marks. An opposite
// that a form stands in would hide it, and is left out.
func newStatement(class floor.Class, span Span, forms, inverted []string) statement {
	c := statement{class: class, span: span}
	add := func(list []string, text string) []string {
		if text = strings.TrimSpace(text); text == "" || slices.Contains(list, text) {
			return list
		}
		return append(list, text)
	}
	for _, f := range forms {
		c.forms = add(add(c.forms, f), plainly(f))
	}
	if len(inverted) == 0 {
		return c
	}
	folded := make([]string, len(c.forms))
	for i, f := range c.forms {
		folded[i] = fold(f)
	}
	for _, f := range inverted {
		for _, f := range []string{f, plainly(f)} {
			opposite := fold(f)
			if !slices.ContainsFunc(folded, func(form string) bool { return strings.Contains(opposite, form) }) {
				c.inverted = add(c.inverted, f)
			}
		}
	}
	return c
}

// conditionWords begin what a target of a prohibition, or a duty, depends on.
var conditionWords = []string{"until", "unless", "because", "since", "if", "when", "so that", "as long as"}

// forbidden is "Do not …", "Don't …", "Never …", said to the reader.
func forbidden(s *scanner, i int) (c statement) {
	verb, next := s.negated(i)
	if verb == "never" {
		next = i + 1
	}
	if next == 0 || next >= len(s.runs) || s.borderBehind(next-1) != none {
		return c
	}
	from := i
	if i > 0 && s.borderBehind(i-1) == none {
		switch s.small(i - 1) {
		case "please", "kindly", "and", "but", "so", "then", "also", "or", "just":
		case "i", "we":
			if verb != "do" || s.small(next) != "want" {
				return c
			}
			from = i - 1
		case "you", "must", "should":
			if verb != "never" || s.small(i-1) == "you" {
				return c
			}
			return forbiddenBy(s, i-1, i+1)
		case "can", "may", "shall":
			if verb != "never" {
				return c
			}
			return forbiddenBy(s, i-1, i+1)
		default:
			return c
		}
	}
	span := s.said(from, s.ending(i, clause))
	whole := s.text[span.Start:span.End]
	target := s.text[s.runs[next].start:span.End]
	what := cutAt(target, conditionWords...)
	said := strings.TrimSuffix(whole, target) + what
	return newStatement(floor.Negation, span, append([]string{said}, forbidding(what)...), deed(what))
}

// forbidding are ways to forbid something.
func forbidding(what string) []string {
	return []string{"do not " + what, "don't " + what, "never " + what, "must not " + what}
}

// deed is what is not to be done, said as if it were; of one word it would be
// said by accident.
func deed(what string) []string {
	if !strings.ContainsAny(what, " \n") {
		return nil
	}
	return []string{what}
}

// forbiddenTo is "… must not …" and "… is not allowed".
func forbiddenTo(s *scanner, i int) (c statement) {
	if w := s.small(i); w == "allowed" || w == "permitted" {
		if i == 0 || s.small(i-1) != "not" {
			return c
		}
		from, to := s.around(i, clause)
		span := s.said(from, to)
		said := s.text[span.Start:span.End]
		not := s.runs[i-1].start - span.Start
		if not < 0 {
			return c
		}
		return newStatement(floor.Negation, span, []string{said}, []string{said[:not] + said[s.runs[i].start-span.Start:]})
	}
	verb, next := s.negated(i)
	if next == 0 || next >= len(s.runs) || s.borderBehind(next-1) != none || verb == "will" && !oneOf(s.small(i-1), "i", "we") {
		return c
	}
	return forbiddenBy(s, i, next)
}

// forbiddenBy is what must not be done, from the verb on, and what it is said
// of.
func forbiddenBy(s *scanner, verb, next int) (c statement) {
	if next >= len(s.runs) {
		return c
	}
	from, _ := s.around(verb, clause)
	span := s.said(from, s.ending(next, clause))
	target := cutAt(s.text[s.runs[next].start:span.End], conditionWords...)
	who := strings.TrimSpace(s.text[span.Start:s.runs[verb].start])
	said := s.text[span.Start:s.runs[next].start] + target
	switch strings.ToLower(who) {
	case "you", "", "and", "but", "please":
		return newStatement(floor.Negation, span, append([]string{said}, forbidding(target)...), deed(target))
	}
	of := func(verbs ...string) (forms []string) {
		for _, v := range verbs {
			forms = append(forms, who+" "+v+" "+target)
		}
		return forms
	}
	return newStatement(floor.Negation, span, append([]string{said}, of("must not", "may not", "must never")...), of("must", "may", "should", "can"))
}

// without is "No …" where a clause begins.
func without(s *scanner, i int) (c statement) {
	if i > 0 && s.borderBehind(i-1) == none || i+1 >= len(s.runs) || s.borderBehind(i) != none {
		return c
	}
	switch s.small(i + 1) {
	case "no", "more", "wait", "idea", "problem", "need", "worries", "one", "longer", "matter", "doubt", "such", "later", "sooner":
		return c
	}
	if s.runs[i+1].has&^(lower|upper|hyphen) != 0 {
		return c // a number, as "No. 5"
	}
	to := s.ending(i, clause)
	if s.has(i, to, "would") {
		return c
	}
	span := s.said(i, to)
	what := s.text[s.runs[i+1].start:span.End]
	return newStatement(floor.Negation, span, []string{s.text[span.Start:span.End], "no " + what, "not any " + what, "without " + what}, nil)
}

// nothing is "Publish nothing …", said to the reader.
func nothing(s *scanner, i int) (c statement) {
	if from, _ := s.around(i, clause); from != i-1 || oneOf(s.small(i-1), "there", "is", "but", "and", "nothing", "almost", "next") {
		return c
	}
	return asSaid(s, floor.Negation, i)
}

// noLonger is "… is no longer needed".
func noLonger(s *scanner, i int) (c statement) {
	if i < 2 || s.small(i-1) != "no" || !s.follows(i, "needed", "required", "valid", "allowed", "wanted", "holds") {
		return c
	}
	from, to := s.around(i, clause)
	span := s.said(from, to)
	return newStatement(floor.Negation, span, []string{s.text[span.Start:span.End]}, nil)
}

// obliged is "… must …", "… has to …", "… needs to …", and what is due or owed.
func obliged(s *scanner, i int) (c statement) {
	verb, not := s.negated(i)
	next := i + 1
	switch {
	case not != 0 || next >= len(s.runs) || s.borderBehind(i) != none:
		return c
	case verb == "must" || verb == "shall":
		switch s.small(next) {
		case "never", "say", "admit", "confess", "i", "we":
			return c
		case "have":
			if s.small(next+1) == "been" {
				return c // a guess
			}
		}
	default:
		if !s.follows(i, "to") || oneOf(s.small(i-1), "i", "nothing") {
			return c
		}
		if next++; next >= len(s.runs) || s.borderBehind(next-1) != none {
			return c
		}
	}
	from, _ := s.around(i, clause)
	span := s.said(from, s.ending(next, clause))
	target := s.text[s.runs[next].start:span.End]
	who := strings.TrimSpace(s.text[span.Start:s.runs[i].start])
	said := s.text[span.Start:span.End]
	switch strings.ToLower(who) {
	case "", "you", "and you", "then you", "but you", "and", "we", "i":
		return newStatement(floor.Obligation, span, []string{said, "must " + target, "have to " + target, "need to " + target},
			[]string{"must not " + target, "need not " + target, "do not have to " + target, target + " is no longer needed"})
	}
	return newStatement(floor.Obligation, span, []string{said, who + " must " + target, who + " has to " + target, who + " needs to " + target, who + " shall " + target},
		[]string{who + " must not " + target, who + " need not " + target, who + " does not have to " + target})
}

// owed is what is owed, due, or payable.
func owed(s *scanner, i int) (c statement) {
	if s.small(i) == "due" && !s.dated(i) && !s.follows(i, "by", "on") {
		return c
	}
	return asSaid(s, floor.Obligation, i)
}

// toDo is what a program's comment has still to do: "TODO(name): …".
func toDo(s *scanner, i int) (c statement) {
	if s.runs[i].has != upper {
		return c
	}
	from := i + 1
	if from < len(s.runs) && s.text[s.runs[i].end] == '(' {
		from++ // whose it is
	}
	if from >= len(s.runs) || strings.ContainsRune(s.text[s.runs[i].end:s.runs[from].start], '\n') {
		return c
	}
	span := s.said(from, s.ending(from, sentence))
	return newStatement(floor.Obligation, span, []string{s.text[span.Start:span.End]}, nil)
}

// deadline is "… by Friday" and "… no later than …".
func deadline(s *scanner, i int) (c statement) {
	if s.small(i) == "later" && (s.small(i-1) != "no" || !s.follows(i, "than")) ||
		s.small(i) == "by" && !s.dated(i) && !s.follows(i, "tomorrow", "tonight", "noon", "midnight", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday") {
		return c
	}
	if from, _ := s.around(i, clause); oneOf(s.small(from), "if", "unless", "when") || from == i {
		return c
	}
	return asSaid(s, floor.Obligation, i)
}

// dated tells whether a figure, or a month, stands behind a run.
func (s *scanner) dated(i int) bool {
	return i+1 < len(s.runs) && s.borderBehind(i) == none && (s.runs[i+1].has&digit != 0 || senseOf(s.is(i+1))&monthOf != 0)
}

// asSaid is the clause around a word, kept in its own words.
func asSaid(s *scanner, class floor.Class, i int) statement {
	span := s.said(s.around(i, clause))
	return newStatement(class, span, []string{s.text[span.Start:span.End]}, nil)
}

// before is "A before B" where B is something to do, and what may not be before
// a time.
func before(s *scanner, i int) (c statement) {
	if i+1 >= len(s.runs) || s.borderBehind(i) != none {
		return c
	}
	from, to := s.around(i, clause)
	next := &s.runs[i+1]
	time := next.has&digit != 0 && next.has&(letters|hyphen) == 0
	switch {
	case i > 0 && s.small(i-1) == "not", time, s.follows(i, "the") && i+2 < len(s.runs) && s.runs[i+2].has&digit != 0:
		return asSaid(s, floor.Constraint, i)
	case s.follows(i, "long", "the", "departure", "noon", "midnight"), i > 0 && lapse(s.is(i-1)):
		return c
	}
	if i > from && s.name(i-1) && s.name(i+1) {
		span := s.said(i-1, i+1)
		return ordered(span, s.text[span.Start:span.End], s.is(i-1), s.is(i+1))
	}
	if from < i {
		span := s.said(from, to)
		return ordered(span, s.text[span.Start:span.End], s.text[span.Start:s.runs[i-1].end], s.text[next.start:span.End])
	}
	// "Before B, A", and without a comma where a duty begins.
	b := to
	if s.borderBehind(to) == clause {
		to = s.ending(to+1, clause)
	}
	switch {
	case s.has(i, b, "must"):
		for b = i; s.small(b) != "must"; b++ {
		}
		if b--; oneOf(s.small(b), "you", "i", "we", "they", "it") {
			b--
		}
	case to == b || !s.has(b+1, to, "must", "verify", "check", "ask", "please"):
		return c
	}
	if b <= i {
		return c
	}
	span := s.said(i, to)
	return ordered(span, s.text[span.Start:span.End], s.text[s.runs[b+1].start:span.End], s.text[next.start:s.runs[b].end])
}

// name tells whether a run is a name.
func (s *scanner) name(i int) bool {
	r := &s.runs[i]
	return named(s.is(i), r.has) || r.has == lower|hyphen && parted(s.is(i), lower, 1) && technical(s.is(i))
}

// lapse tells whether a word is a stretch of time, as in "48h before".
func lapse(w string) bool {
	if kindOf[w[0]] == digit {
		return true
	}
	return senseOf(w)&(unitOf|periodOf) != 0 || senseOf(strings.TrimSuffix(w, "s"))&periodOf != 0
}

// ordered is what is to come before what.
func ordered(span Span, said, a, b string) statement {
	for _, who := range []string{"you ", "You "} {
		b = strings.TrimPrefix(b, who)
	}
	return newStatement(floor.Ordering, span, append([]string{said}, orders(a, b)...), orders(b, a))
}

func orders(a, b string) []string {
	return []string{"first " + a + ", then " + b, a + " before you " + b, a + " before " + b}
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

// firstThen is "First A, then B" and "A first, then B".
func firstThen(s *scanner, i int) (c statement) {
	from, to := s.around(i, sentence)
	then, b := 0, 0
	for j := i + 1; j <= to && then == 0; j++ {
		switch s.small(j) {
		case "then", "afterwards", "after", "only":
			then, b = j, j+1
		}
	}
	if then == 0 {
		return c
	}
	for b <= to && oneOf(s.small(b), "then", "only", "afterwards", "after", "and") {
		b++
	}
	var first string
	start, _ := s.around(i, clause)
	switch {
	case start == i: // First A, then B
		first = s.text[s.runs[min(i+1, then-1)].start:s.runs[then-1].end]
	default: // A first, then B
		first = s.text[s.runs[max(start, from)].start:s.runs[i-1].end]
	}
	if s.small(then) == "after" && b > to { // "… first and … after"
		b, to = i+1, then-1
		if s.small(b) == "and" {
			b++
		}
	}
	span := s.said(start, max(to, then))
	said := s.text[span.Start:span.End]
	if b > to || first == "" {
		return newStatement(floor.Ordering, span, []string{said}, nil)
	}
	second := s.text[s.runs[b].start:s.runs[to].end]
	first = strings.TrimSuffix(strings.TrimRight(first, ", "), " and")
	return ordered(span, said, first, second)
}

// onlyThen is "A, and only then B", and "B only after A".
func onlyThen(s *scanner, i int) (c statement) {
	if i == 0 || s.small(i-1) != "only" {
		return c
	}
	from, to := s.around(i, clause)
	start, _ := s.around(i, sentence)
	switch {
	case s.small(i) == "then":
		if start == from {
			return c
		}
		from = start
	case i == to:
		return c
	case from >= i-2 && start < from: // "B, but only after A"
		from, _ = s.around(from-1, clause)
	}
	span := s.said(from, to)
	return newStatement(floor.Ordering, span, []string{s.text[span.Start:span.End]}, nil)
}

// onlyIf is "A only if B", "Only A if B", and what else "only" bounds.
func onlyIf(s *scanner, i int) (c statement) {
	from, to := s.around(i, clause)
	bounds := s.follows(i, "if", "when", "after", "with", "inside", "between", "up", "until", "in", "at", "on", "for", "by", "from", "once")
	if i != from && !bounds {
		return c
	}
	span := s.said(from, to)
	said := s.text[span.Start:span.End]
	forms := []string{said}
	switch {
	case s.follows(i, "if") && i+2 <= to:
		if a, b := strings.TrimSpace(s.text[span.Start:s.runs[i].start]), s.text[s.runs[i+2].start:span.End]; a != "" {
			forms = append(forms, allowing(a, b)...)
		}
	case i == from && !bounds:
		for j := i + 2; j < to; j++ {
			if s.small(j) == "if" {
				forms = append(forms, allowing(s.text[s.runs[i+1].start:s.runs[j-1].end], s.text[s.runs[j+1].start:span.End])...)
				break
			}
		}
	}
	return newStatement(floor.Constraint, span, forms, nil)
}

func allowing(a, b string) []string {
	return []string{a + " only if " + b, "only " + a + " if " + b, a + ", only if " + b}
}

// conditional is "If A, B", "… unless A", "provided that A", "When A, B".
func conditional(s *scanner, i int) (c statement) {
	word := s.small(i)
	from, to := s.around(i, clause)
	if i == from+1 && oneOf(s.small(from), "and", "but", "so") {
		from = i
	}
	switch {
	case i+1 >= len(s.runs) || s.borderBehind(i) != none:
		return c
	case word == "provided" && !s.follows(i, "that"):
		return c
	case word == "unless" || word == "provided":
		span := s.said(from, to)
		return newStatement(floor.Constraint, span, []string{s.text[span.Start:span.End]}, nil)
	case i > 0 && s.small(i-1) == "only":
		return c
	case i != from: // "A if B"
		if s.has(from, i, "may", "can", "must", "shall") {
			return asSaid(s, floor.Constraint, i)
		}
		if word != "if" || oneOf(s.small(i-1), "as", "see", "check", "know", "ask", "wonder", "even", "tell") {
			return c
		}
		span := s.said(from, to)
		said := s.text[span.Start:span.End]
		return newStatement(floor.Constraint, Span{s.runs[i].start, span.End},
			append([]string{said}, allowing(strings.TrimSpace(s.text[span.Start:s.runs[i].start]), s.text[s.runs[i+1].start:span.End])...), nil)
	case word == "if" && (s.follows(i, "anything", "i", "so", "not") || s.follows(i, "you") && s.follows(i+1, "ask")):
		return c // "if you ask me", "if I had to choose"
	}
	_, end := s.around(i, sentence)
	span := s.said(i, end)
	said := s.text[span.Start:span.End]
	forms := []string{said}
	if end > to && s.borderBehind(to) == clause {
		a, b := s.text[s.runs[min(i+1, to)].start:s.runs[to].end], s.text[s.runs[to+1].start:span.End]
		forms = append(forms, b+" "+word+" "+a)
		if word == "if" {
			forms = append(forms, allowing(b, a)...)
		}
	}
	return newStatement(floor.Constraint, span, forms, nil)
}

// soon is "As soon as A, B".
func soon(s *scanner, i int) (c statement) {
	if i == 0 || s.small(i-1) != "as" || !s.follows(i, "as") {
		return c
	}
	from, _ := s.around(i, clause)
	span := s.said(from, s.ending(i, sentence))
	return newStatement(floor.Constraint, span, []string{s.text[span.Start:span.End]}, nil)
}

// bounded is what holds until a time, and at most so much.
func bounded(s *scanner, i int) (c statement) {
	figures := i+1 < len(s.runs) && s.borderBehind(i) == none && s.runs[i+1].has&digit != 0
	switch s.small(i) {
	case "until":
	case "most", "least":
		if s.small(i-1) != "at" {
			return c
		}
		figures = true
	case "max":
		figures = figures || i > 0 && s.runs[i-1].has&digit != 0
	case "more":
		figures = s.small(i-1) == "no" && s.follows(i, "than")
	case "up":
		figures = s.follows(i, "to") && s.dated(i+1) || s.follows(i, "to") && senseOf(s.small(i+2))&currencyOf != 0
	}
	if !figures {
		return c
	}
	from, _ := s.around(i, clause)
	if s.has(from, i, "have", "has", "ve", "must", "should", "by") {
		return c // a state, or a duty
	}
	return asSaid(s, floor.Constraint, i)
}

// exempt is what a rule is not about.
func exempt(s *scanner, i int) (c statement) {
	from, _ := s.around(i, clause)
	switch s.small(i) {
	case "exclude":
		if from != i {
			return c
		}
	case "exempt":
		if !s.follows(i, "from") {
			return c
		}
	default: // "except …"
		if i+1 >= len(s.runs) || s.borderBehind(i) != none {
			return c
		}
	}
	return asSaid(s, floor.Constraint, i)
}

// The ways to say that something is done, and that it is open.
var (
	doneWords = []string{"done", "finished", "completed", "complete", "closed", "resolved"}
	openWords = []string{"open", "pending", "outstanding"}
)

// stated is "… is done", "…: open".
func stated(s *scanner, i int) (c statement) {
	from, to := s.around(i, clause)
	word, begin := s.small(i), i
	if word == "progress" && s.small(i-1) != "in" {
		return c
	}
	for begin > from && oneOf(s.small(begin-1), "still", "already", "not", "yet", "now", "been", "in", "fully", "partly", "just") {
		begin--
	}
	verb := begin - 1
	var task string
	span := s.said(from, to)
	switch {
	case verb > from && oneOf(s.small(verb), "is", "are", "was", "were", "has", "have", "had", "remains", "stays"):
		if i == to {
			task = s.text[s.runs[from].start:s.runs[verb-1].end]
		}
	case begin == from && begin > 0 && s.headed(begin): // "…: open", and what else is said of it
		start, _ := s.around(begin-1, clause)
		head := s.said(start, begin-1)
		task = s.text[head.Start:head.End]
		span = s.said(begin, s.ending(i, sentence))
		if s.text[head.End] == ' ' {
			span.Start = head.Start // a line of a table
		}
	case begin == from && s.runs[i].has == lower|upper && i < to && word != "open": // "Merged as …", not "Open …"
	default:
		return c
	}
	said := s.text[span.Start:span.End]
	if task == "" || s.has(max(verb, from), i-1, "not") {
		return newStatement(floor.Status, span, []string{said}, nil)
	}
	forms := []string{said, task + " is " + word, task + ": " + word}
	switch {
	case oneOf(word, doneWords...):
		return newStatement(floor.Status, span, forms, undone(task, openWords, word))
	case oneOf(word, openWords...):
		return newStatement(floor.Status, span, append(forms, task+" is still "+word), undone(task, doneWords, word))
	}
	return newStatement(floor.Status, span, forms, undone(task, nil, word))
}

// headed tells whether a colon stands before a run, or much space, as in a
// table.
func (s *scanner) headed(i int) bool {
	before := s.text[s.runs[i-1].end:s.runs[i].start]
	return strings.HasPrefix(before, ":") || strings.Trim(before, " ") == "" && len(before) > 1
}

// perfect is "I have merged …" and "… has not changed".
func perfect(s *scanner, i int) (c statement) {
	next := i + 1
	for next < len(s.runs) && s.borderBehind(next-1) == none && oneOf(s.small(next), "not", "already", "just", "now", "been", "also", "never") {
		next++
	}
	if next >= len(s.runs) || s.borderBehind(next-1) != none || !participle(s.small(next)) {
		return c
	}
	from, _ := s.around(i, clause)
	if from == i || s.has(from, i-1, "if", "when", "unless", "before", "after", "until", "once", "as", "to", "only", "would", "could", "should", "might", "may", "must") {
		return c // a condition, not a state
	}
	return asSaid(s, floor.Status, i)
}

// passive is "… is not set for …" and "… is already paid".
func passive(s *scanner, i int) (c statement) {
	_, next := s.negated(i)
	if next == 0 && s.follows(i, "still", "already", "now") {
		next = i + 2
	}
	if next == 0 || next >= len(s.runs) || s.borderBehind(next-1) != none || !participle(s.small(next)) || oneOf(s.small(next), "allowed", "permitted", "needed") {
		return c
	}
	if from, _ := s.around(i, clause); from == i || oneOf(s.small(from), "if", "when", "unless", "that", "which") {
		return c
	}
	return asSaid(s, floor.Status, i)
}

// participle tells whether a word says that something was done.
func participle(w string) bool {
	if len(w) > 4 && strings.HasSuffix(w, "ed") && !strings.HasSuffix(w, "eed") {
		return true
	}
	return oneOf(w, "done", "sent", "set", "put", "run", "made", "built", "found", "left", "lost", "broken", "begun", "chosen", "frozen", "given", "held", "kept",
		"paid", "read", "sold", "struck", "taken", "written")
}

// undone are the ways to say the opposite of a status.
func undone(task string, words []string, word string) (out []string) {
	for _, w := range words {
		out = append(out, task+" is "+w, task+" is still "+w, task+": "+w)
	}
	return append(out, task+" is not "+word, task+" is not yet "+word)
}

// outcome is "FAIL: X", "ERROR X", in the lines of a log.
func outcome(s *scanner, i int) (c statement) {
	if s.runs[i].has != upper || i+1 >= len(s.runs) {
		return c
	}
	between := s.text[s.runs[i].end:s.runs[i+1].start]
	next := &s.runs[i+1]
	if strings.Trim(between, ": \t") != "" || next.has&(lower|digit|underscore) == 0 || !named(s.is(i+1), next.has) {
		return c
	}
	span := Span{s.runs[i].start, next.end}
	return newStatement(floor.Status, span, []string{s.text[span.Start:span.End]}, nil)
}

// yet is "not yet …" and "nothing … yet".
func yet(s *scanner, i int) (c statement) {
	from, to := s.around(i, clause)
	if !s.has(from, to, "not", "nothing", "nobody", "none", "no", "never", "hasn", "haven", "isn", "aren", "wasn") {
		return c
	}
	if s.small(from) == "publish" || s.small(from) == "do" || s.small(from) == "don" {
		return c // a prohibition
	}
	return asSaid(s, floor.Status, i)
}

// guessed is "Perhaps A" and "A is probably so".
func guessed(s *scanner, i int) (c statement) {
	from, to := s.around(i, clause)
	if s.small(i) == "likely" && (i == from || !oneOf(s.small(i-1), "is", "are", "most", "very", "quite", "more")) {
		return c
	}
	span := s.said(from, to)
	said := s.text[span.Start:span.End]
	if i != from || i == to {
		return newStatement(floor.Hypothesis, span, []string{said}, nil)
	}
	return newStatement(floor.Hypothesis, span, append([]string{said}, guessing(s.text[s.runs[i+1].start:span.End])...), nil)
}

func guessing(what string) []string {
	return []string{"maybe " + what, "perhaps " + what, "possibly " + what}
}

// guessedBy is "I think A".
func guessedBy(s *scanner, i int) (c statement) {
	who := s.small(i - 1)
	if who != "i" && who != "we" || s.borderBehind(i-1) != none || i+1 >= len(s.runs) {
		return c
	}
	from, to := s.around(i, clause)
	if from < i-1 && !oneOf(s.small(from), "and", "but", "so") {
		return c // "what I think", "as I believe"
	}
	if to == i { // "I believe: A"
		to = s.ending(i+1, clause)
	}
	from = i - 1
	span := s.said(from, to)
	what := s.text[s.runs[i+1].start:span.End]
	return newStatement(floor.Hypothesis, span, append([]string{s.text[span.Start:span.End]}, guessing(what)...), nil)
}

// mayBe is "A might be so", "it could be that A", "It is possible that A".
func mayBe(s *scanner, i int) (c statement) {
	next := i + 1
	if s.small(i) == "possible" {
		if !s.follows(i, "that") {
			return c
		}
	} else {
		for s.follows(next-1, "also", "well") {
			next++
		}
		if !s.follows(next-1, "be") && (s.small(i) != "might" || !s.follows(next-1, "have")) || s.follows(next, "wrong") {
			return c
		}
	}
	return asSaid(s, floor.Hypothesis, i)
}

// literals are what is quoted: of more than a word, and not a string of a
// program's.
func (s *scanner) literals() (found []statement) {
	for at := 0; at < len(s.text); {
		open := strings.IndexAny(s.text[at:], "\"“„«")
		if open < 0 {
			return found
		}
		open += at
		mark := s.text[open]
		size, closing := 1, "\""
		switch {
		case strings.HasPrefix(s.text[open:], "“"):
			size, closing = len("“"), "”"
		case strings.HasPrefix(s.text[open:], "„"):
			size, closing = len("„"), "“"
		case strings.HasPrefix(s.text[open:], "«"):
			size, closing = len("«"), "»"
		}
		at = open + size
		if mark == '"' && !opensQuote(s.text, open) {
			continue
		}
		const longest = 400
		n := strings.Index(s.text[at:min(at+longest, len(s.text))], closing)
		if n < 0 {
			continue
		}
		inner := Span{at, at + n}
		text := s.text[inner.Start:inner.End]
		at += n + len(closing)
		if mark == '"' && at < len(s.text) && strings.IndexByte(":]}=", s.text[at]) >= 0 || strings.Count(text, "\n") > 1 || !quotable(text) {
			continue
		}
		found = append(found, statement{class: floor.Literal, span: inner, forms: []string{text}})
	}
	return found
}

// opensQuote tells whether a straight quote opens one, and none of a program.
func opensQuote(text string, i int) bool {
	if i+1 >= len(text) || text[i+1] == ' ' || text[i+1] == '\n' || text[i+1] == '"' {
		return false
	}
	if i == 0 {
		return true
	}
	before := strings.TrimSuffix(text[:i], " ")
	if before == "" || len(before) == i && strings.IndexByte("\n\t(*", text[i-1]) < 0 {
		return before == ""
	}
	switch last := len(before) - 1; before[last] {
	case '=', '{', '[':
		return false
	case ':', ',': // of a program's map or list, behind another string
		return last > 0 && before[last-1] != '"'
	case '(': // of a call
		k := kinds(0)
		if last > 0 {
			k = kindOf[before[last-1]]
		}
		return k == 0
	}
	return true
}

// quotable tells whether a quoted text is more than a word, or in a script that
// parts none.
func quotable(text string) bool {
	if strings.TrimSpace(text) != text || text == "" {
		return false
	}
	words, foreign := 0, false
	var s scanner
	s.read(text)
	for i := range s.runs {
		if s.runs[i].has&(letters|digit) != 0 {
			words++
		}
		foreign = foreign || s.runs[i].has&letter != 0
	}
	return words > 1 || words == 1 && foreign
}
