package gen

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// Certify draws a well-formed certify request, and sometimes others about the
// same source before it.
func Certify(s *Source, l Limits) floor.Case {
	c := drawDelivery(s, false)
	in := c.request()
	steps := append(c.earlier(in), floor.Request{Op: floor.OpCertify, Certify: in})
	return floor.Case{Policy: l.Policy, Steps: steps}
}

// A delivery is a certify request that is being drawn.
type delivery struct {
	*sketch
	pins       []int // what else stands in each: small talk, or nothing
	decoys     []*element
	lead       int
	status     int
	degenerate int // from 1; 0 is none
	demand     demand
	floors     []floorChoice
	slip, gone int

	parts []*prose // the text, then each pin
	torn  bool     // a text was torn already: there is one place for it
}

// Where a delivery speaks of an element.
const (
	inText = iota
	inFirstPin
	inSecondPin
	inThirdPin
	inTwoHalves // the end of the text and the beginning of the first pin
)

func drawDelivery(s *Source, brief bool) *delivery {
	d := &delivery{sketch: newSketch(s, brief)}
	where := func(e *element) { e.where = s.Weighted("where", 10, 2, 1, 1, 1) }
	d.drawSpans(func(*stretch) {}, where)
	s.list(0, d.most(3), 3, "another pin", func(int) bool {
		d.pins = append(d.pins, s.Choose(len(smallTalk)+1, "filler"))
		return true
	})
	s.list(0, d.most(3), 3, "another stranger", func(int) bool {
		e := &element{}
		e.ID = d.names.name("d", len(d.decoys)+1)
		if d.names == sharedNames { // they are elements, as those of the source
			e.ID = d.names.name("", 500+len(d.decoys))
		}
		class := s.Choose(mostThemes, "class of")
		words := drawDraft(s)
		words.kind %= sameAgain // what the source says is no stranger to it
		d.make(e, d.theme[class%len(d.theme)], words)
		e.mention = drawMention(s)
		where(e)
		d.decoys = append(d.decoys, e)
		return true
	})
	d.lead = s.Weighted("lead", leadWeights...)
	d.status = s.Weighted("status", statusWeights...)
	d.degenerate = s.Weighted("degenerate", degenerateWeights...)
	d.demand = d.drawClasses()
	d.floors = d.drawFloors()
	d.slip, d.gone = s.Weighted("slip", 8, 1, 1, 1), s.Choose(mostSpans*mostElements, "missing")
	return d
}

// leads are what a summary may begin with, whatever it says then.
var leads = []string{"", "Summary:", floor.SkeletonText, floor.ErrorText, floor.RefusalText}

var leadWeights = []int{6, 15, 1, 1, 1}

// statuses are how a summary may come; a request need not say that all went
// well.
var statuses = []floor.SummaryStatus{
	"", floor.StatusOK, floor.StatusError, floor.StatusRefused, floor.StatusPartial, floor.StatusOpaque,
}

var statusWeights = []int{40, 5, 1, 1, 1, 1}

// degenerates are texts without a word character.
var degenerates = []string{"", "   ", "…—!", "🙂", "\u200b", "- . -", "\n\t", "\u3000\u2028", "✅", "/@#$%"}

var degenerateWeights = func() []int {
	weights := slices.Repeat([]int{1}, 1+len(degenerates))
	weights[0] = 16 * len(degenerates)
	return weights
}()

// settle bends what was drawn freely to what the pressure wants.
func (d *delivery) settle() {
	if d.pressure == apart {
		return
	}
	drawn := make([]fate, len(d.elements))
	for i, e := range d.elements {
		drawn[i], e.mention.fate = e.mention.fate, kept
		if e.where == inTwoHalves {
			e.where = inText
		}
	}
	status, degenerate := d.status, d.degenerate
	d.status, d.degenerate = min(d.status, 1), 0
	for _, st := range d.spans {
		st.unknown = false
	}
	if d.pressure == covered {
		return
	}
	switch d.slip {
	case 0:
		if e := d.required(); e != nil {
			d.spare(e, drawn[slices.Index(d.elements, e)])
		}
	case 1:
		d.status = max(status, 2)
	case 2:
		d.degenerate = max(degenerate, 1)
	case 3:
		if len(d.spans) > 0 {
			d.spans[d.gone%len(d.spans)].unknown = true
		}
	}
}

// required is the element of a required class that goes missing; nil where there
// is none.
func (d *delivery) required() *element {
	var all []*element
	for _, e := range d.elements {
		if slices.Contains(d.demand.required, e.Class) {
			all = append(all, e)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all[d.gone%len(all)]
}

// spare keeps an element no more: it is told as it was drawn, or torn.
func (d *delivery) spare(e *element, drawn fate) {
	if e.mention.fate = drawn; drawn == kept {
		e.mention.fate, e.where = missed, inTwoHalves
	}
}

func (d *delivery) request() *floor.CertifyIn {
	d.settle()
	d.write()
	d.set(&d.demand, d.floors, d.fidelity)
	in := &floor.CertifyIn{Source: make([]floor.Span, 0, len(d.spans)), FloorsPermille: d.demand.floors}
	for _, st := range d.spans {
		d.tell(st)
		in.Source = append(in.Source, d.span(st))
	}
	in.Output = floor.Delivery{Text: d.parts[0].text(), Status: statuses[d.status]}
	for _, p := range d.parts[1:] {
		in.Output.Pins = append(in.Output.Pins, p.text())
	}
	if d.degenerate > 0 {
		in.Output.Text = degenerates[d.degenerate-1]
		for i := range in.Output.Pins {
			in.Output.Pins[i] = degenerates[(d.degenerate+i)%len(degenerates)]
		}
	}
	for _, e := range d.decoys {
		in.Decoys = append(in.Decoys, e.Element)
	}
	in.Required = spelling(d.s, d.demand.required)
	return in
}

// write puts together what is delivered.
func (d *delivery) write() {
	d.parts = []*prose{{}}
	for _, filler := range d.pins {
		p := &prose{}
		if filler > 0 {
			p.add(smallTalk[filler-1])
		}
		d.parts = append(d.parts, p)
	}
	d.parts[0].add(leads[d.lead])
	for _, e := range slices.Concat(d.elements, d.decoys) {
		if e.where == inTwoHalves && len(d.pins) > 0 {
			continue // when the rest stands
		}
		where := e.where % inTwoHalves
		if where >= len(d.parts) {
			where = 0
		}
		d.parts[where].say(e.draft, e.mention)
	}
	if len(d.pins) > 0 {
		for _, e := range slices.Concat(d.elements, d.decoys) {
			if e.where == inTwoHalves {
				d.tear(e)
			}
		}
	}
}

// tear puts the halves of a text that would keep an element where they meet.
func (d *delivery) tear(e *element) {
	first, second := torn(e.draft, e.mention.which)
	if first == "" || d.torn {
		return
	}
	d.torn = true
	d.parts[0].add(first)
	d.parts[1].parts = slices.Insert(d.parts[1].parts, 0, second)
}

// fidelity is how much of a class is meant to be kept.
func (d *delivery) fidelity(class floor.Class) (f fraction) {
	for _, e := range d.elements {
		if e.Class == class {
			f.total++
			f.retained += int64(count(d.retains(e.draft)))
		}
	}
	return f
}

// retains: some part keeps it, and none says the opposite.
func (d *delivery) retains(of *draft) bool {
	keeps := false
	for _, p := range d.parts {
		if p.denies(of) {
			return false
		}
		keeps = keeps || p.retains(of)
	}
	return keeps
}

// earlier draws what is asked in the same breath before the case's own request:
// the same source, delivered otherwise. Who keeps what became of an element for
// the next time is found by what he answers then.
func (d *delivery) earlier(in *floor.CertifyIn) (steps []floor.Request) {
	if d.brief || d.s.Weighted("before", 11, 1) == 0 {
		return nil
	}
	d.s.Repeat(1, 3, 2, "another before", func(int) bool {
		other := *in
		switch d.s.Choose(3, "delivered before") {
		case 0:
			other.Output = floor.Delivery{Text: "Nothing to report."}
		case 1:
			all := &prose{}
			for _, e := range d.elements {
				all.say(e.draft, mention{fate: kept})
			}
			other.Output = floor.Delivery{Text: all.text()}
		case 2:
			other.Output.Pins, other.Output.Status = nil, floor.StatusPartial
		}
		steps = append(steps, floor.Request{Op: floor.OpCertify, Certify: &other})
		return true
	})
	return steps
}
