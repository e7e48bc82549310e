package gen

import (
	"slices"
	"strconv"

	"github.com/floorcheck/floorcheck/floor"
)

// textClasses are the classes of elements, the shortest said first: those of the
// sources, then names that a careless comparison takes for one of them, and some
// that nobody knows.
var textClasses = []floor.Class{
	floor.Identifier, floor.Quantity, floor.Negation, floor.Status, floor.Obligation, floor.Hypothesis, floor.Constraint,
	floor.Ordering, floor.Literal, "Negation", "negations", "id", "tone", "délai",
}

var themeWeights = func() []int {
	weights := slices.Repeat([]int{1}, len(textClasses))
	for i := range planted {
		weights[i] = 3
	}
	return weights
}()

// mostThemes bounds the classes that a case is about.
const mostThemes = 3

// drawTheme draws the few classes that a case is about, so that there are often
// several elements of one class.
func drawTheme(s *Source) (theme []floor.Class) {
	another := func(int) bool {
		i := s.Weighted("theme class", themeWeights...)
		for slices.Contains(theme, textClasses[i]) {
			i = (i + 1) % len(textClasses)
		}
		theme = append(theme, textClasses[i])
		return true
	}
	another(0)
	s.list(0, mostThemes-1, 4, "another theme", another)
	return theme
}

// The bounds of what spans hold.
const (
	mostSpans    = 10
	mostElements = 5 // of one span
)

// A stretch is a span that is being drawn, and what becomes of it.
type stretch struct {
	kind     floor.Kind
	role     floor.Role
	tokens   int64
	unknown  bool // its elements are not said
	elements []*element
	filler   int
	stray    stray
	heritage *heritage // nil for an original
	under    int       // the summary that is of it, from 1, or the last one; 0 is none

	id    string
	prose *prose
}

// An element is one that is being drawn.
type element struct {
	floor.Element
	draft   *draft
	said    fate    // in the text of its own span
	mention mention // in the text that stands for its span
	where   int     // in which part of a delivery
}

func (e *element) lost() bool { return e.Lost != nil && *e.Lost }

// A heritage is the lineage of a summary span, as an event before made it.
type heritage struct {
	missing     bool // it has none
	generation  int64
	uncertified bool // its ancestry
	provisional bool
	gap, gone   int // which classes are not effective
}

// The gaps in what is effective.
const (
	noGap = iota
	oneGone
	allGone
)

// A stray is something that a text says of an element that is not its matter:
// of any element of the case.
type stray struct {
	fate fate
	of   int
}

func drawStray(s *Source) stray {
	return stray{[]fate{unsaid, voided, kept}[s.Weighted("stray", 14, 1, 1)], s.Choose(mostSpans*mostElements, "strayed")}
}

// A sketch is what is drawn of requests about texts: spans, and their elements.
type sketch struct {
	s        *Source
	pressure int
	names    naming
	theme    []floor.Class
	words    vocabulary
	spans    []*stretch
	elements []*element
	before   *draft // the newest
	brief    bool   // one of a kind that is spoiled: only that matters

	texts map[string]bool // of spans: no two are equal
}

func newSketch(s *Source, brief bool) *sketch {
	k := &sketch{s: s, brief: brief, words: vocabulary{taken: map[string]bool{}}, texts: map[string]bool{}}
	k.pressure = s.Weighted("pressure", 8, 6, 4)
	k.names = naming(s.Weighted("naming", 12, 1, 1, 1))
	k.theme = drawTheme(s)
	return k
}

// most is a bound, less where only what is spoiled matters.
func (k *sketch) most(n int) int {
	if k.brief {
		return min(n, 2)
	}
	return n
}

// A naming is a way to name things. Ids are opaque, and those of different
// kinds of things may be equal.
type naming int

// The ways to name things. The other ones sort against the order, are the same
// for all kinds, or are no names that anyone would give.
const (
	plainNames naming = iota
	reversedNames
	sharedNames
	oddNames
)

func (n naming) name(kind string, i int) string {
	switch n {
	case reversedNames:
		return kind + strconv.Itoa(999-i)
	case sharedNames:
		return strconv.Itoa(i)
	case oddNames:
		return kind + " <\"" + strconv.Itoa(i) + "\"> é\\"
	}
	return kind + strconv.Itoa(i)
}

// drawSpans draws the spans. Each of them, and each element, is the same number
// of choices, whatever came before. more draws what an op wants to know of a
// span besides.
func (k *sketch) drawSpans(more func(*stretch), moreOf func(*element)) {
	span := func(int) bool {
		st := k.stretch()
		more(st)
		k.s.list(0, k.most(mostElements), 5, "another element", func(int) bool {
			e := k.element(st)
			moreOf(e)
			st.elements = append(st.elements, e)
			return true
		})
		st.id = k.names.name("s", len(k.spans)+1)
		k.spans = append(k.spans, st)
		return true
	}
	k.s.mostly("a first span", func() { span(0) })
	k.s.list(0, k.most(mostSpans)-1, 6, "another span", span)
}

// kinds are those of spans and who mostly says them. The last one is a pin with
// a lineage: a summary span of another kind.
var kinds = []struct {
	kind    floor.Kind
	role    floor.Role
	summary bool
}{
	{floor.KindMessage, floor.User, false}, {floor.KindCall, floor.Assistant, false}, {floor.KindResult, floor.Tool, false},
	{floor.KindSummary, floor.Assistant, true}, {floor.KindPin, floor.System, false}, {floor.KindPin, floor.System, true},
}

func (k *sketch) stretch() *stretch {
	kind := kinds[k.s.Weighted("kind", 8, 2, 2, 4, 2, 1)]
	st := &stretch{kind: kind.kind, role: kind.role}
	switch k.s.Weighted("role", 14, 1, 1) {
	case 1:
		st.role = floor.User
	case 2:
		st.role = "developer"
	}
	st.tokens = int64(k.s.Choose(41, "tokens")+1) % 41
	st.unknown = k.s.Weighted("unknown", 11, 1) == 1
	st.filler = k.s.Choose(len(smallTalk)+1, "filler")
	st.stray = drawStray(k.s)
	h := &heritage{
		missing:     k.s.Weighted("lineage", 11, 1) == 1,
		generation:  k.generation(),
		uncertified: k.s.Weighted("poisoned", 9, 1) == 1,
		provisional: k.s.Weighted("provisional", 9, 1) == 1,
		gap:         k.s.Weighted("gap", 9, 2, 1),
		gone:        k.s.Choose(mostThemes, "gone"),
	}
	if kind.summary {
		st.inherit(h)
	}
	return st
}

// inherit makes the stretch a summary span. One without a lineage is one by its
// kind alone.
func (st *stretch) inherit(h *heritage) {
	if st.heritage = h; st.kind != floor.KindSummary {
		h.missing = false
	}
}

// generation draws that of a summary span: a few, or any.
func (k *sketch) generation() int64 {
	few, far := k.s.Weighted("generation", 6, 4, 3, 1), k.s.Choose(4, "far")
	if few < 3 {
		return int64(few) + 1
	}
	return []int64{7, 255, 65_535, floor.MaxGeneration - 1}[far]
}

func (k *sketch) element(st *stretch) *element {
	e := &element{}
	class, lost := k.s.Choose(mostThemes, "class of"), k.s.Weighted("lost", 5, 3, 1)
	e.ID = k.names.name("x", len(k.elements)+1)
	e.said = []fate{kept, unsaid, clashed, voided}[k.s.Weighted("said", 12, 2, 1, 1)]
	k.make(e, k.theme[class%len(k.theme)], drawDraft(k.s))
	e.mention = drawMention(k.s)
	if st.heritage != nil && lost > 0 {
		gone := lost == 1
		e.Lost = &gone
	}
	k.elements = append(k.elements, e)
	return e
}

// make gives an element its words.
func (k *sketch) make(e *element, class floor.Class, c draftChoices) {
	if c.kind != sameAgain || k.before == nil {
		k.before = k.words.draft(class, c)
	}
	e.draft, e.Class = k.before, class
	e.Forms, e.Inverted, e.Match = e.draft.forms, e.draft.inverted, e.draft.match
	if e.Match == "" && c.match == 1 {
		e.Match = floor.Folded
	}
}

// tell writes a span's own text: what its elements are, and what strayed into
// it. What was lost is said no more.
func (k *sketch) tell(st *stretch) {
	st.prose = &prose{}
	if st.filler > 0 {
		st.prose.add(smallTalk[st.filler-1])
	}
	for _, e := range st.elements {
		if e.lost() && e.said == kept {
			continue
		}
		st.prose.say(e.draft, mention{fate: e.said})
	}
	k.wander(st.prose, st.stray)
}

// wander says what strayed.
func (k *sketch) wander(p *prose, s stray) {
	if s.fate != unsaid && len(k.elements) > 0 {
		p.say(k.elements[s.of%len(k.elements)].draft, mention{fate: s.fate})
	}
}

// span is the stretch in the words of the protocol. It is told before.
func (k *sketch) span(st *stretch) floor.Span {
	out := floor.Span{ID: st.id, Kind: st.kind, Role: st.role, Tokens: st.tokens, Text: k.apart(st.prose.text())}
	if !st.unknown {
		out.Elements = make([]floor.Element, 0, len(st.elements))
		for _, e := range st.elements {
			out.Elements = append(out.Elements, e.Element)
		}
	}
	if h := st.heritage; h != nil && !h.missing {
		out.Lineage = k.lineage(st)
	}
	return out
}

// apart makes a text one that no other span has.
func (k *sketch) apart(text string) string {
	unique := text
	for n := 2; k.texts[unique]; n++ {
		unique = text + " (" + strconv.Itoa(n) + ")"
	}
	k.texts[unique] = true
	return unique
}

// lineage is what the summary hands down: what is effective agrees with the
// elements, where they are known.
func (k *sketch) lineage(st *stretch) *floor.Lineage {
	h := st.heritage
	l := &floor.Lineage{Generation: h.generation, AncestryCertified: !h.uncertified, Decision: floor.Certified, Effective: []floor.Fidelity{}}
	if h.provisional {
		l.Decision = floor.Provisional
	}
	for i, class := range k.theme {
		if h.gap == allGone || h.gap == oneGone && h.gone%len(k.theme) == i {
			continue
		}
		f := floor.Fidelity{Class: class}
		for _, e := range st.elements {
			if e.Class == class {
				f.Total++
				f.Retained += int64(count(!e.lost()))
			}
		}
		l.Effective = append(l.Effective, f)
	}
	return l
}

// effective says whether a class is, in the lineage of a summary span.
func (k *sketch) effective(h *heritage, class floor.Class) bool {
	at := slices.Index(k.theme, class)
	return !h.missing && at >= 0 && h.gap != allGone && (h.gap != oneGone || h.gone%len(k.theme) != at)
}

// A demand is what is required, what the elements were looked for, and floors.
type demand struct {
	required, known []floor.Class
	floors          map[floor.Class]int64
}

func (d *demand) floor(class floor.Class) int64 {
	if permille, given := d.floors[class]; given {
		return permille
	}
	if slices.Contains(d.required, class) {
		return floor.MaxPermille
	}
	return 0
}

func (d *demand) atFloor(class floor.Class, f fraction) bool {
	return f.retained*1000 >= d.floor(class)*f.total
}

// drawClasses draws what is required and what is known: of the theme, and
// sometimes a class besides of which there is no element.
func (k *sketch) drawClasses() (d demand) {
	for i := range mostThemes {
		if i >= len(k.theme) { // as many choices as ever
			k.s.stop("required")
			k.s.stop("known")
			continue
		}
		required, known := k.s.Weighted("required", 1, 3) == 1, k.s.Weighted("known", 1, 11) == 1
		if required {
			d.required = append(d.required, k.theme[i])
		}
		if known || k.pressure != apart {
			d.known = append(d.known, k.theme[i])
		}
	}
	foreign, which := k.s.Weighted("foreign", 18, 2, 1, 1), k.s.Choose(len(textClasses), "which class")
	for slices.Contains(k.theme, textClasses[which]) {
		which = (which + 1) % len(textClasses)
	}
	if foreign == 1 || foreign == 2 && k.pressure == apart {
		d.required = append(d.required, textClasses[which])
	}
	if foreign == 1 || foreign == 3 {
		d.known = append(d.known, textClasses[which])
	}
	return d
}

// eased are conditions that leave more room between certifying and refusing than
// those of a decision alone: there a plan has to fit as well.
func eased(s *Source) floor.Conditions {
	c := conditions(s)
	switch s.Weighted("eased", 5, 3, 3) {
	case 1:
		return floor.Conditions{SourceRecoverable: c.SourceRecoverable}
	case 2:
		c.SourceRecoverable = true
	}
	return c
}

// A floorChoice says where a floor is.
type floorChoice struct{ class, mode, permille int }

// drawFloors draws floors; where they are is known when the texts are.
func (k *sketch) drawFloors() (out []floorChoice) {
	k.s.list(0, 2, 3, "another floor", func(int) bool {
		out = append(out, floorChoice{
			k.s.Choose(mostThemes, "floored"), k.s.Weighted("floor", 4, 4, 1, 2, 1), k.s.Choose(1001, "permille value"),
		})
		return true
	})
	return out
}

// set puts the floors where they were drawn: at what is kept, just above it, at
// 0, anywhere, or at 1000. kept gives the fidelity of a class.
func (k *sketch) set(d *demand, choices []floorChoice, kept func(floor.Class) fraction) {
	for _, c := range choices {
		class := k.theme[c.class%len(k.theme)]
		if d.floors == nil {
			d.floors = map[floor.Class]int64{}
		}
		at, f := floor.MaxPermille, kept(class)
		if f.total > 0 {
			at = f.retained * 1000 / f.total
		}
		switch c.mode {
		case 1:
			at = min(at+1, floor.MaxPermille)
		case 2:
			at = 0
		case 3:
			at = int64(c.permille)
		case 4:
			at = floor.MaxPermille
		}
		d.floors[class] = at
	}
}
