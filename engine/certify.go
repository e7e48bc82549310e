package engine

import (
	"fmt"
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// Certify says which of the required classes a delivery keeps at their floor,
// and what it lost, inverted and made up. The error, a *floor.BadRequest, is
// that of floor's Validate, or names a phrase that is in both lists of an
// element. Classes come sorted, ids in the order of the source.
func Certify(in *floor.CertifyIn) (floor.CertifyOut, error) {
	if err := in.Validate(); err != nil {
		return floor.CertifyOut{}, err
	}
	elements, err := elementsOf("in.source", in.Source, in.Decoys)
	if err != nil {
		return floor.CertifyOut{}, err
	}
	retained := elements.Retain(nil, append([]string{in.Output.Text}, in.Output.Pins...)...)

	required := sortedSet(in.Required)
	out := floor.CertifyOut{
		Certified: []floor.Class{}, Fidelity: make([]floor.Fidelity, len(required)),
		Lost: []string{}, Inverted: []string{}, Fabricated: []string{},
	}
	for i, class := range required {
		out.Fidelity[i].Class = class
	}
	sound, next := Usable(in.Output), 0
	for i := range in.Source {
		sound = sound && in.Source[i].Elements != nil // an unknown one could be of any class
		for j := range in.Source[i].Elements {
			e, r := &in.Source[i].Elements[j], retained[next]
			next++
			at, isRequired := slices.BinarySearch(required, e.Class)
			if !isRequired {
				continue
			}
			out.Fidelity[at].Total++
			switch {
			case r == Retained:
				out.Fidelity[at].Retained++
			case r.inverts():
				out.Inverted = append(out.Inverted, e.ID)
			default:
				out.Lost = append(out.Lost, e.ID)
			}
		}
	}
	for i := range in.Decoys {
		if retained[next+i] == Retained {
			out.Fabricated = append(out.Fabricated, in.Decoys[i].ID)
		}
	}
	for _, f := range out.Fidelity {
		if sound && f.Retained*1000 >= floorOf(f.Class, in.FloorsPermille)*f.Total {
			out.Certified = append(out.Certified, f.Class)
		}
	}
	return out, nil
}

// elementsOf compiles what is known to be in spans, and decoys after it.
func elementsOf(path string, spans []floor.Span, decoys []floor.Element) (*Elements, error) {
	var c compiler
	for i := range spans {
		c.expect(spans[i].Elements)
	}
	c.expect(decoys)
	for i := range spans {
		if err := c.add(spans[i].Elements, func() string { return fmt.Sprintf("%s[%d].elements", path, i) }); err != nil {
			return nil, err
		}
	}
	if err := c.add(decoys, func() string { return "in.decoys" }); err != nil {
		return nil, err
	}
	return c.elements(), nil
}

// floorOf is the floor of a required class, in permille.
func floorOf(class floor.Class, floors map[floor.Class]int64) int64 {
	if least, given := floors[class]; given {
		return least
	}
	return floor.MaxPermille
}

// sortedSet is never nil: an empty one is written.
func sortedSet(list []floor.Class) []floor.Class {
	set := append(make([]floor.Class, 0, len(list)), list...)
	slices.Sort(set)
	return slices.Compact(set)
}
