package mutant

import (
	"fmt"
	"slices"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
)

// A certifier is certify in small steps. newCertifier fills them in correctly.
type certifier struct {
	*reading

	delivered func(*floor.CertifyIn) []string // the parts
	usable    func(*floor.CertifyIn) bool
	known     func(*floor.CertifyIn) bool // the elements of all spans
	counting  func(*floor.CertifyIn) []*sighted
	isOf      func(s *sighted, class floor.Class) bool
	tally     func(q *inquiry, list []*sighted) floor.Fidelity
	floorOf   func(in *floor.CertifyIn, class floor.Class) int64
	reaches   func(f floor.Fidelity, permille int64) bool
	grants    func(q *inquiry, f floor.Fidelity) bool
	tell      func(q *inquiry, out *floor.CertifyOut) // the whole answer, when it is put together

	raw func(floor.Request) floor.Answer // nil: a bad request is an error
	lax bool                             // a phrase in both lists is none of our business
}

// A sighted element is one, and what becomes of it.
type sighted struct {
	*floor.Element
	span int // its place among the spans, from 0
	now  retention
}

// An inquiry is a certify request and what is known of it.
type inquiry struct {
	in            *floor.CertifyIn
	parts         []string
	all           []*sighted // of every class
	required      classes
	usable, known bool
	fidelity      []floor.Fidelity // of each required class
}

// of are the elements of a class.
func (q *inquiry) of(c *certifier, class floor.Class) (out []*sighted) {
	for _, s := range q.all {
		if c.isOf(s, class) {
			out = append(out, s)
		}
	}
	return out
}

func (q *inquiry) requires(class floor.Class) bool { return slices.Contains(q.required, class) }

func newCertifier() *certifier {
	c := &certifier{reading: newReading()}
	c.delivered = func(in *floor.CertifyIn) []string { return append([]string{in.Output.Text}, in.Output.Pins...) }
	c.usable = func(in *floor.CertifyIn) bool {
		return came(in.Output.Status) && slices.ContainsFunc(c.delivered(in), hasWord)
	}
	c.known = func(in *floor.CertifyIn) bool {
		return !slices.ContainsFunc(in.Source, func(s floor.Span) bool { return s.Elements == nil })
	}
	c.counting = func(in *floor.CertifyIn) (all []*sighted) {
		for i := range in.Source {
			for j := range in.Source[i].Elements {
				all = append(all, &sighted{Element: &in.Source[i].Elements[j], span: i})
			}
		}
		return all
	}
	c.isOf = func(s *sighted, class floor.Class) bool { return s.Class == class }
	c.tally = func(_ *inquiry, list []*sighted) (f floor.Fidelity) {
		for _, s := range list {
			f.Total++
			if s.now.retained() {
				f.Retained++
			}
		}
		return f
	}
	c.floorOf = func(in *floor.CertifyIn, class floor.Class) int64 {
		if permille, given := in.FloorsPermille[class]; given {
			return permille
		}
		return floor.MaxPermille
	}
	c.reaches = func(f floor.Fidelity, permille int64) bool { return f.Retained*1000 >= permille*f.Total }
	c.grants = func(q *inquiry, f floor.Fidelity) bool {
		return q.usable && q.known && c.reaches(f, c.floorOf(q.in, f.Class))
	}
	c.tell = func(*inquiry, *floor.CertifyOut) {}
	return c
}

func certifySubject(name string, policy floor.Policy, plant func(*certifier)) conform.Subject {
	return conform.Restartable(conform.Hello{Name: name, Version: "1", Language: "go", Policy: policy}, func() conform.Funcs {
		c := newCertifier()
		plant(c)
		return conform.Funcs{Certify: c.certify, Raw: c.raw}
	})
}

func (c *certifier) certify(in *floor.CertifyIn) (floor.CertifyOut, error) {
	c.afresh()
	for i := range in.Source {
		if err := c.consistent(fmt.Sprintf("in.source[%d].elements", i), in.Source[i].Elements); err != nil && !c.lax {
			return floor.CertifyOut{}, err
		}
	}
	if err := c.consistent("in.decoys", in.Decoys); err != nil && !c.lax {
		return floor.CertifyOut{}, err
	}
	q := &inquiry{in: in, parts: c.delivered(in), required: sortedOnce(in.Required), usable: c.usable(in), known: c.known(in)}
	q.all = c.counting(in)
	for _, s := range q.all {
		s.now = c.of(s.Element, q.parts)
	}
	out := floor.CertifyOut{Certified: classes{}, Fidelity: []floor.Fidelity{}, Lost: []string{}, Inverted: []string{}, Fabricated: []string{}}
	for _, class := range q.required {
		f := c.tally(q, q.of(c, class))
		f.Class = class
		q.fidelity = append(q.fidelity, f)
		if c.grants(q, f) {
			out.Certified = append(out.Certified, class)
		}
	}
	out.Fidelity = append(out.Fidelity, q.fidelity...)
	for _, s := range q.all {
		switch {
		case !q.requires(s.Class) || s.now.retained():
		case s.now.opposed:
			out.Inverted = append(out.Inverted, s.ID)
		default:
			out.Lost = append(out.Lost, s.ID)
		}
	}
	for i := range in.Decoys {
		if c.of(&in.Decoys[i], q.parts).retained() {
			out.Fabricated = append(out.Fabricated, in.Decoys[i].ID)
		}
	}
	c.tell(q, &out)
	return out, nil
}

// consistent says whether no phrase is in both lists of an element.
func (r *reading) consistent(path string, elements []floor.Element) error {
	for i := range elements {
		if r.contradicts(&elements[i]) {
			return &floor.BadRequest{Path: fmt.Sprintf("%s[%d].inverted_forms", path, i), Problem: "holds a phrase that is a form too"}
		}
	}
	return nil
}
