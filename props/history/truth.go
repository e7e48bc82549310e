package history

import (
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

// A search says what the parts of a delivery, together, do to an element:
// whether one of its forms counts in any of them, and an inverted form
// (RULES.md 2a).
type search func(e floor.Element, parts []string) (form, inverted bool)

// byModel searches any text, as the judge does.
func byModel(e floor.Element, parts []string) (form, inverted bool) {
	now := model.Retain(e, parts)
	return now == model.Retained || now == model.Contradictory, now == model.Inverted || now == model.Contradictory
}

// holes are what is not so of an answer's contract. A class that it certifies
// has to be there as text: of all its elements, in all originals that ever came,
// at least its floor, none inverted. Two things nobody can see from a request,
// and they are not asked for: whether another text inverts an element that the
// request does not tell of, be it that it never told, or not any more; and
// whether an original says what it is said to hold, while it stands there
// itself.
func (h *History) holes(in *floor.CompactIn, out *floor.CompactOut, find search) (holes []Hole) {
	told := map[string]bool{}
	for i := range in.Spans {
		for j := range in.Spans[i].Elements {
			told[in.Spans[i].Elements[j].ID] = true
		}
	}
	for _, e := range h.entries() {
		e.told = e.told || told[e.ID]
	}
	if out.Decision == floor.Refuse || out.Contract == nil {
		return nil
	}
	var parts []string
	standing := map[string]bool{}
	for i := range out.Output {
		part := &out.Output[i]
		parts = append(parts, part.Text)
		if part.Kind == floor.PartSpan {
			standing[part.Span] = true
		}
	}
	for _, class := range out.Contract.Certified {
		permille, given := in.FloorsPermille[class]
		if !given {
			permille = floor.MaxPermille
		}
		var kept, total int64
		var lost []Hole
		for _, o := range h.Originals {
			for _, e := range o.Entries {
				if e.Class != class {
					continue
				}
				form, inverted := find(e.Element, parts)
				unseen := !told[e.ID] && (standing[o.ID] || e.told) // what was never told of and went may not be certified
				switch hole := (Hole{class, o.ID, e.ID, ""}); {
				case inverted && !unseen:
					if hole.Is = "inverted"; form {
						hole.Is = "contradictory"
					}
					holes = append(holes, hole)
				case standing[o.ID] && !e.Said:
				case form:
					kept, total = kept+1, total+1
				default:
					hole.Is = "lost"
					lost = append(lost, hole)
					total++
				}
			}
		}
		if kept*floor.MaxPermille < permille*total {
			holes = append(holes, lost...)
		}
	}
	return holes
}

func (h *History) entries() (all []*Entry) {
	for _, o := range h.Originals {
		all = append(all, o.Entries...)
	}
	return all
}
