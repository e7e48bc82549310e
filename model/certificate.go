package model

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// A certificate is what docs/protocol.md says of a certify request: how much of
// each required class is literally there in what is delivered. Whether a source
// element was lost before does not matter: the text alone is looked at.
type certificate struct {
	in        *floor.CertifyIn
	delivered *Delivered
	usable    bool
	unknown   bool                 // the elements of a source span are not known
	elements  []measured           // those of required classes, in the order of the source
	byID      map[string]Retention // of these
	fidelity  []floor.Fidelity     // of each required class; sorted by class
	decoys    []Retention          // of each decoy
}

// A measured element is one with what became of it.
type measured struct {
	*floor.Element
	now Retention
}

func newCertificate(in *floor.CertifyIn, folds *folder) *certificate {
	delivered := folds.deliver(append([]string{in.Output.Text}, in.Output.Pins...))
	c := &certificate{in: in, delivered: delivered, byID: map[string]Retention{}}
	c.usable = delivered.Usable() && came(in.Output.Status)
	tally := map[floor.Class]*floor.Fidelity{}
	for _, class := range in.Required {
		tally[class] = &floor.Fidelity{Class: class}
	}
	for i := range in.Source {
		if in.Source[i].Elements == nil {
			c.unknown = true
		}
		for j := range in.Source[i].Elements {
			e := &in.Source[i].Elements[j]
			of := tally[e.Class]
			if of == nil {
				continue // nobody requires it
			}
			now := delivered.Retention(*e)
			c.elements = append(c.elements, measured{e, now})
			c.byID[e.ID] = now
			of.Total++
			if now == Retained {
				of.Retained++
			}
		}
	}
	for _, class := range sortedOnce(in.Required) {
		c.fidelity = append(c.fidelity, *tally[class])
	}
	for _, decoy := range in.Decoys {
		c.decoys = append(c.decoys, delivered.Retention(decoy))
	}
	return c
}

// came tells whether the summarizer says that all went well.
func came(s floor.SummaryStatus) bool { return s == "" || s == floor.StatusOK }

// certified are the required classes that may be certified.
func (c *certificate) certified() []floor.Class {
	out := []floor.Class{}
	for _, f := range c.fidelity {
		if c.whyNot(f) == "" {
			out = append(out, f.Class)
		}
	}
	return out
}

// whyNot says what stands against certifying a class of that fidelity; "" when
// nothing does.
func (c *certificate) whyNot(f floor.Fidelity) string {
	switch {
	case !c.usable:
		return "the output is unusable"
	case c.unknown:
		return "the elements of a source span are not known"
	case !c.atFloor(f):
		return "it is below its floor: " + showFidelity(f)
	}
	return ""
}

func (c *certificate) atFloor(f floor.Fidelity) bool {
	permille, given := c.in.FloorsPermille[f.Class]
	if !given {
		permille = floor.MaxPermille
	}
	return atFloor(f, permille)
}

// of is the fidelity of a class; false where nobody requires it.
func (c *certificate) of(class floor.Class) (floor.Fidelity, bool) {
	at, found := slices.BinarySearchFunc(c.fidelity, floor.Fidelity{Class: class}, byClass)
	if !found {
		return floor.Fidelity{}, false
	}
	return c.fidelity[at], true
}

// ids are those of the measured elements that are like that.
func (c *certificate) ids(like func(now Retention) bool) []string {
	out := []string{}
	for _, e := range c.elements {
		if like(e.now) {
			out = append(out, e.ID)
		}
	}
	return out
}

// fabricated are the decoys that are retained.
func (c *certificate) fabricated() []string {
	out := []string{}
	for i, now := range c.decoys {
		if now == Retained {
			out = append(out, c.in.Decoys[i].ID)
		}
	}
	return out
}

// out is the right answer, the only one but for the order of sets.
func (c *certificate) out() *floor.CertifyOut {
	return &floor.CertifyOut{
		Certified:  c.certified(),
		Fidelity:   append([]floor.Fidelity{}, c.fidelity...),
		Lost:       c.ids(isLost),
		Inverted:   c.ids(isInverted),
		Fabricated: c.fabricated(),
	}
}

func isLost(now Retention) bool { return now == Lost }

// isInverted: whole or in part.
func isInverted(now Retention) bool { return now == Inverted || now == Contradictory }

func sortedOnce(list []floor.Class) []floor.Class {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// A claim is what was answered to a certify step. What it says of an element is
// read from the two lists that may name it.
type claim struct {
	step           int
	due            *certificate
	out            *floor.CertifyOut
	lost, inverted map[string]bool
}

// claims are the answered certify steps.
func (r Run) claims() []claim {
	if r.lemmas != nil && r.lemmas.claimed {
		return r.lemmas.claims
	}
	var claims []claim
	for step := range r.Case.Steps {
		if due, out := r.step(step).certify, r.answer(step).Certify; due != nil && out != nil {
			claims = append(claims, claim{step, due, out, setOf(out.Lost), setOf(out.Inverted)})
		}
	}
	if r.lemmas != nil {
		r.lemmas.claimed, r.lemmas.claims = true, claims
	}
	return claims
}

func setOf[T comparable](list []T) map[T]bool {
	set := make(map[T]bool, len(list))
	for _, item := range list {
		set[item] = true
	}
	return set
}

func (c *claim) object(at, want, got string) Finding {
	return Finding{Step: c.step, At: at, Want: want, Got: got}
}

// reported is what an answer says of an element.
func (c *claim) reported(id string) string {
	switch {
	case c.lost[id] && c.inverted[id]:
		return "lost and inverted"
	case c.lost[id]:
		return string(Lost)
	case c.inverted[id]:
		return string(Inverted)
	}
	return string(Retained)
}

// due is what has to be said of an element: a contradictory one is inverted.
func (m measured) due() string {
	if m.now == Contradictory {
		return string(Inverted)
	}
	return string(m.now)
}

// aboutClaims collects what is objected to in each.
func aboutClaims(o Observation, object func(c *claim) []Finding) (found []Finding) {
	claims := o.Base.claims()
	for i := range claims {
		found = append(found, object(&claims[i])...)
	}
	return found
}

// whenCertify holds when some well-formed certify step is like that.
func whenCertify(like func(c *certificate) bool) func(Run) bool {
	return func(r Run) bool {
		for i := range r.Case.Steps {
			if due := r.step(i).certify; due != nil && like(due) {
				return true
			}
		}
		return false
	}
}

// whenElement holds when some element of a required class is like that.
func whenElement(like func(m measured) bool) func(Run) bool {
	return whenCertify(func(c *certificate) bool { return slices.ContainsFunc(c.elements, like) })
}
