package history

import (
	"slices"
	"strconv"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/props/gen"
)

// The bounds of a history.
const (
	leastSteps    = 2
	mostSteps     = 5
	mostNew       = 4 // originals before a step
	mostElements  = 3 // of one of them
	mostSummaries = 3 // proposed at a step
)

// Play draws a history and has it answered as it goes: the next request is made
// of the last answer. The same choices and the same answers are the same
// history.
func Play(s *gen.Source, compact Compact) *History { return newPlayer(s).play(compact) }

func (p *player) play(compact Compact) *History {
	p.s.Repeat(leastSteps, mostSteps, 5, "another compaction", func(step int) bool {
		p.arrive(step)
		p.lookFor(step)
		p.spoil()
		in := p.request(step)
		in.BudgetTokens = p.budget(in, compact)
		out, err := compact(in, p.Policy)
		if err == nil {
			p.spans, err = p.after(in, &out)
		}
		if p.Err = err; err != nil {
			return false
		}
		p.Steps = append(p.Steps, Step{In: in, Out: out, Holes: p.holes(in, &out, p.find)})
		return true
	})
	return p.History
}

// A player draws what happens, and plays the summarizer and the runtime.
type player struct {
	*History
	tongue
	s       *gen.Source
	temper  int
	matters []*matter
	foreign int // a class besides of which there is no element
	spans   []floor.Span
	behind  map[string][]*Original // by span, kept or not: what it stands for
	arrived []*arrival
	named   int // summaries so far
	entered int // elements so far
}

// A matter is a class that the history is about. What is said of steps counts
// them from 0.
type matter struct {
	class    floor.Class
	known    int // from which step on its elements are looked for
	unknown  int // at which step nobody looks for them; 0 is none
	required int // from which step on
	permille int64
}

// An arrival is an original, and what requests tell of it.
type arrival struct {
	*Original
	span    floor.Span
	learned int    // from which step on its elements are known
	early   []bool // by element: told of, though nobody looks for its class
}

var classes = []floor.Class{floor.Identifier, floor.Negation, floor.Quantity}

// noFloor says that a matter has the floor it has by itself.
const noFloor = int64(-1)

var floors = []int64{noFloor, floor.MaxPermille, 500, 667, 300, 0}

func newPlayer(s *gen.Source) *player {
	p := &player{History: &History{Policy: floor.Guard}, s: s, behind: map[string][]*Original{}}
	if s.Weighted("policy", 3, 1) == 1 {
		p.Policy = floor.Joint
	}
	p.tongue, p.Hostile = drawTongue(s)
	p.temper = s.Weighted("temper", 5, 3, 1)
	p.foreign = s.Weighted("foreign", 14, 1, 1)
	s.Repeat(1, len(classes), 4, "another class", func(i int) bool {
		p.matters = append(p.matters, &matter{
			class:    classes[i],
			known:    s.Weighted("known from", 14, 1, 1),
			unknown:  s.Weighted("unknown at", 14, 1, 1, 1),
			required: s.Weighted("required from", 5, 2, 2, 1),
			permille: floors[s.Weighted("floor", 12, 1, 2, 1, 1, 1)],
		})
		return true
	})
	return p
}

func (m *matter) isKnown(step int) bool {
	return step >= m.known && (m.unknown == 0 || step != m.unknown)
}

// arrive brings new originals.
func (p *player) arrive(step int) {
	least := 0
	if step == 0 {
		least = 1
	}
	p.s.Repeat(least, mostNew, 5, "another original", func(int) bool {
		o := &Original{ID: "o" + strconv.Itoa(len(p.Originals)+1)}
		kind := p.s.Weighted("kind", 5, 1, 1, 1)
		a := &arrival{
			Original: o,
			span: floor.Span{
				ID: o.ID, Kind: []floor.Kind{floor.KindMessage, floor.KindCall, floor.KindResult, floor.KindPin}[kind],
				Role:   []floor.Role{floor.User, floor.Assistant, floor.Tool, floor.System}[kind],
				Tokens: int64(p.s.Choose(20, "tokens")) + 1,
			},
			learned: step + p.s.Weighted("learned", 24, 1, 1)*mostSteps/2,
		}
		var text strings.Builder
		text.WriteString([]string{"", "Hello. ", "Then this: "}[p.s.Choose(3, "filler")])
		p.s.Repeat(0, mostElements, 6, "another element", func(int) bool {
			p.entered++
			e := &Entry{Element: floor.Element{
				ID: "x" + strconv.Itoa(p.entered), Class: p.matters[p.s.Choose(len(p.matters), "class")].class,
			}}
			p.element(&e.Element)
			a.early = append(a.early, p.s.Weighted("early", 1, 1) == 1)
			p.say(&text, &e.Element, []fate{kept, clashed, dropped}[p.s.Weighted("said", 24, 1, 1)])
			o.Entries = append(o.Entries, e)
			return true
		})
		p.stray(&text, 16)
		o.Text, a.span.Text = text.String(), text.String()
		for _, e := range o.Entries {
			e.Said, _ = p.find(e.Element, []string{o.Text})
		}
		p.Originals, p.arrived = append(p.Originals, o), append(p.arrived, a)
		p.behind[o.ID] = []*Original{o}
		p.spans = append(p.spans, a.span)
		return true
	})
}

// stray says something of any element that came so far, once in so many times:
// mostly the opposite.
func (p *player) stray(text *strings.Builder, times int) {
	astray, of := p.s.Weighted("stray", times, 1), p.s.Choose(p.entered+1, "strayed")
	f := []fate{voided, kept}[p.s.Weighted("strayed as", 2, 1)]
	if all := p.entries(); astray == 1 && len(all) > 0 {
		p.say(text, &all[of%len(all)].Element, f)
	}
}

// lookFor tells of the elements of the originals that stand there themselves:
// of those whose class is looked for, and some others.
func (p *player) lookFor(step int) {
	known := map[floor.Class]bool{}
	for _, m := range p.matters {
		known[m.class] = m.isKnown(step)
	}
	for _, a := range p.arrived {
		at := slices.IndexFunc(p.spans, func(s floor.Span) bool { return s.ID == a.ID })
		if at < 0 || step < a.learned {
			continue
		}
		told := []floor.Element{}
		for i, e := range a.Entries {
			if known[e.Class] || a.early[i] {
				told = append(told, e.Element)
			}
		}
		p.spans[at].Elements = told
	}
}

// spoil makes a runtime forget something of a summary span, so that less can be
// certified than could.
func (p *player) spoil() {
	how, which := p.s.Weighted("spoil", 30, 1, 1, 1, 1, 1), p.s.Choose(mostNew, "spoiled")
	var summaries []*floor.Span
	for i := range p.spans {
		if p.spans[i].Lineage != nil {
			summaries = append(summaries, &p.spans[i])
		}
	}
	if how == 0 || len(summaries) == 0 {
		return
	}
	s := summaries[which%len(summaries)]
	l := *s.Lineage
	s.Lineage = &l
	switch how {
	case 1:
		s.Lineage = nil
	case 2:
		l.AncestryCertified = false
	case 3:
		l.Decision = floor.Provisional
	case 4:
		l.Effective = slices.Clone(l.Effective[:len(l.Effective)/2])
	case 5:
		s.Elements = nil
	}
}

func (p *player) request(step int) *floor.CompactIn {
	in := &floor.CompactIn{
		Spans: slices.Clone(p.spans), Required: []floor.Class{}, Known: []floor.Class{}, Summaries: []floor.Summary{},
		Conditions: p.conditions(),
	}
	for _, m := range p.matters {
		if m.isKnown(step) {
			in.Known = append(in.Known, m.class)
		}
		if step >= m.required {
			in.Required = append(in.Required, m.class)
		}
		permille := m.permille
		if p.s.Weighted("another floor", 14, 1) == 1 {
			permille = floors[p.s.Choose(len(floors), "floor")]
		}
		if permille != noFloor {
			if in.FloorsPermille == nil {
				in.FloorsPermille = map[floor.Class]int64{}
			}
			in.FloorsPermille[m.class] = permille
		}
	}
	if p.foreign > 0 {
		in.Required = append(in.Required, "tone")
	}
	if p.foreign == 2 {
		in.Known = append(in.Known, "tone")
	}
	p.s.Repeat(1, mostSummaries, 3, "another summary", func(int) bool {
		p.named++
		in.Summaries = append(in.Summaries, floor.Summary{ID: "m" + strconv.Itoa(p.named)})
		return true
	})
	for i := range in.Spans {
		if under := p.s.Weighted("under", 5, 1, 3, 1); under != 1 { // the first mostly, or none
			m := &in.Summaries[[]int{0, 0, 1, 2}[under]%len(in.Summaries)]
			m.Of = append(m.Of, in.Spans[i].ID)
		}
	}
	for i := range in.Summaries {
		p.summarize(&in.Summaries[i], in.Spans)
	}
	return in
}

// conditions are anything, harmless, or those of a source that can be read
// again.
func (p *player) conditions() (c floor.Conditions) {
	flag := func(label string) bool { return p.s.Weighted(label, 1, 1) == 1 }
	kind := p.s.Weighted("conditions", 6, 1, 1)
	drawn := floor.Conditions{
		SourceRecoverable: flag("recoverable"), ConsumerStrict: flag("strict"), ChainingRisk: flag("chaining"),
		SideEffectCostExceedsRefusal: flag("side effects"),
	}
	switch kind {
	case 1:
		return floor.Conditions{}
	case 2:
		drawn.SourceRecoverable = true
	}
	return drawn
}

// tempers are how a summarizer keeps what it has to summarize: honest, lossy,
// hostile. By the order of fates.
var tempers = [][]int{{60, 1, 0, 0, 0}, {20, 3, 1, 1, 1}, {4, 2, 2, 2, 2}}

// summarize writes a summary of what all the originals behind its spans say, of
// what was lost too.
func (p *player) summarize(m *floor.Summary, spans []floor.Span) {
	temper := p.temper
	if p.s.Weighted("other temper", 7, 1) == 1 {
		temper = p.s.Choose(len(tempers), "temper")
	}
	lost, replaced := map[string]bool{}, int64(0)
	var text strings.Builder
	text.WriteString([]string{"Summary: ", "", "In short, "}[p.s.Choose(3, "lead")])
	for i := range spans {
		if !slices.Contains(m.Of, spans[i].ID) {
			continue
		}
		replaced += spans[i].Tokens
		for _, e := range spans[i].Elements {
			lost[e.ID] = e.Lost != nil && *e.Lost
		}
		for _, o := range p.behind[spans[i].ID] {
			for _, e := range o.Entries {
				f := fate(p.s.Weighted("fate", tempers[temper]...))
				if again := p.s.Weighted("lost before", 3, 1) == 1; lost[e.ID] && !again {
					f = dropped
				}
				p.say(&text, &e.Element, f)
			}
		}
	}
	p.stray(&text, 24)
	m.Text = text.String()
	m.Tokens = replaced * int64(p.s.Choose(8, "few")) / 8
	switch p.s.Weighted("status", 40, 1, 1, 1) {
	case 1:
		m.Status = floor.StatusPartial
	case 2:
		m.Text = "…"
	case 3:
		m.Status = floor.StatusOK
	}
}

// budget is around what the cheapest sound plan costs, mostly. What that is the
// compactor tells itself: it is asked for the impossible, and says how far off
// it is. If it tells wrong, a budget is as good as any other.
func (p *player) budget(in *floor.CompactIn, compact Compact) int64 {
	whole := int64(0)
	for i := range in.Spans {
		whole += in.Spans[i].Tokens
	}
	alarmed := *in
	alarmed.BudgetTokens = 0
	alarmed.Conditions = floor.Conditions{ConsumerStrict: true, ChainingRisk: true, SideEffectCostExceedsRefusal: true}
	sound := whole
	if out, err := compact(&alarmed, p.Policy); err == nil && out.Decision == floor.Refuse && out.OverBudgetTokens != nil {
		sound = *out.OverBudgetTokens
	} else if err == nil && out.Decision == floor.Certified {
		sound = 0
	}
	least := whole
	for i := range in.Summaries {
		m, replaced := &in.Summaries[i], int64(0)
		for j := range in.Spans {
			if slices.Contains(m.Of, in.Spans[j].ID) {
				replaced += in.Spans[j].Tokens
			}
		}
		least -= max(replaced-m.Tokens, 0)
	}
	var budget int64
	switch mode, part := p.s.Weighted("budget", 18, 2, 2, 1, 1, 1), int64(p.s.Choose(9, "part")); mode {
	case 0:
		if budget = sound; sound == whole && p.s.Weighted("all the same", 1, 1) == 1 {
			budget = least
		}
	case 1:
		budget = sound - 1
	case 2:
		budget = least
	case 3:
		budget = least - 1
	case 4:
		budget = whole
	case 5:
		budget = least + (whole-least)*part/8
	}
	return max(budget, 0)
}
