package mutant

import (
	"regexp"
	"slices"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// negations are faults in telling what is kept from its opposite.
func negations() []slip {
	lid := never("x1", "lift the lid")
	return []slip{
		{
			id: "negation/polarity-not-compared", hardness: "E",
			about:   "Inverted forms are not read: an element is retained where a form of it stands, and lost elsewhere.",
			certify: func(c *certifier) { c.inverted = func(*floor.Element) []string { return nil } },
			witness: steps(delivering("Lift the lid.", "negation", about(lid))),
		},
		{
			id: "negation/first-inverted-form-only", hardness: "M", hidden: noOpposite,
			about: "Of the inverted forms of an element only the first is read.",
			certify: func(c *certifier) {
				c.inverted = func(e *floor.Element) []string { return e.Inverted[:min(1, len(e.Inverted))] }
			},
			witness: steps(delivering("The relay is off.", "status", about(stating("x1", "relay on", "relay broken", "relay is off")))),
		},
		{
			id: "negation/parity", hardness: "M", hidden: noOpposite,
			about:   "Two negations make a yes: inverted forms that stand there an even number of times cancel out.",
			certify: func(c *certifier) { c.settle = func(f, i int) retention { return retention{f > 0, i%2 == 1} } },
			witness: steps(delivering("Lift the lid. Lift the lid.", "negation", about(lid))),
		},
		{
			id: "negation/majority", hardness: "M", hidden: noOpposite,
			about: "What is said more often holds: a contradiction is settled by counting.",
			certify: func(c *certifier) {
				c.settle = func(f, i int) retention { return retention{f > 0 && f >= i, i > 0 && i >= f} }
			},
			witness: steps(delivering("Never lift the lid. Never lift the lid! Lift the lid.", "negation", about(lid))),
		},
		{
			id: "negation/nesting-ignored", hardness: "E", hidden: noOpposite,
			about: "Each occurrence counts, wherever it lies: a prohibition holds its own opposite.",
			certify: func(c *certifier) {
				c.covered = func(extent, []extent) bool { return false }
			},
			witness: steps(delivering("Lift the lid never.", "negation", about(formed(lid, "lift the lid never")))),
		},
		{
			id: "negation/swallowed-at-its-start-only", hardness: "M", hidden: noOpposite,
			about: "What an inverted form covers is told by where it begins: a form that ends with it counts.",
			certify: func(c *certifier) {
				c.covered = func(o extent, others []extent) bool {
					return slices.ContainsFunc(others, func(other extent) bool { return other.from == o.from && o.to <= other.to })
				}
			},
			witness: steps(delivering("Never lift the lid.", "negation", about(lid))),
		},
		{
			id: "negation/overlap-swallows", hardness: "M",
			about: "An occurrence that overlaps one of the other kind does not count, whether it lies inside or not.",
			certify: func(c *certifier) {
				c.covered = func(o extent, others []extent) bool {
					return slices.ContainsFunc(others, func(other extent) bool { return other.from < o.to && o.from < other.to })
				}
			},
			witness: steps(delivering("Keep the spare key is void.", "status", about(stating("x1", "keep the spare key", "spare key is void")))),
		},
		{
			id: "negation/contradiction-retained", hardness: "E", hidden: noOpposite,
			about:   "What is kept and contradicted counts as kept.",
			certify: func(c *certifier) { c.settle = func(f, i int) retention { return retention{f > 0, i > 0 && f == 0} } },
			witness: steps(delivering("Never lift the lid; lift the lid.", "negation", about(lid))),
		},
		{
			id: "negation/contradiction-lost", hardness: "M", hidden: noOpposite,
			about: "What is kept and contradicted at once is reported lost, as if the text did not speak of it.",
			certify: func(c *certifier) {
				c.settle = func(f, i int) retention { return retention{f > 0 && i == 0, i > 0 && f == 0} }
			},
			witness: steps(delivering("Never lift the lid; lift the lid.", "negation", about(lid))),
		},
		{
			id: "negation/inverted-as-lost", hardness: "E",
			about: "What is inverted is not retained, but it is reported among what is lost.",
			certify: func(c *certifier) {
				c.tell = func(_ *inquiry, out *floor.CertifyOut) {
					out.Lost, out.Inverted = append(out.Lost, out.Inverted...), []string{}
				}
			},
			witness: steps(delivering("Lift the lid.", "negation", about(lid))),
		},
		{
			id: "negation/inverted-in-both-lists", hardness: "E",
			about: "What is inverted is reported lost too.",
			certify: func(c *certifier) {
				c.tell = func(_ *inquiry, out *floor.CertifyOut) { out.Lost = append(out.Lost, out.Inverted...) }
			},
			witness: steps(delivering("Lift the lid.", "negation", about(lid))),
		},
		{
			id: "negation/slides-to-the-neighbour", hardness: "M", hidden: noOpposite,
			about: "The scope of a negation slides: what comes after an inverted element in its span is taken for inverted too.",
			certify: func(c *certifier) {
				c.tell = func(q *inquiry, out *floor.CertifyOut) {
					for i := 1; i < len(q.all); i++ {
						s, before := q.all[i], q.all[i-1]
						if before.now.opposed && before.span == s.span && q.requires(s.Class) && !s.now.opposed {
							out.Inverted = append(out.Inverted, s.ID)
							out.Lost = slices.DeleteFunc(out.Lost, func(id string) bool { return id == s.ID })
						}
					}
				}
			},
			witness: steps(delivering("Lift the lid.", "negation", about(lid, never("x2", "open the vent")))),
		},
		{
			id: "negation/counted-over-the-text", hardness: "H", hidden: noOpposite,
			about: "Polarity is compared in sum: inverted forms are read only where the output has fewer negations than the source.",
			certify: func(c *certifier) {
				negations := func(texts []string) (n int) {
					for _, text := range texts {
						n += len(negationWord.FindAllString(text, -1))
					}
					return n
				}
				trusted := false
				delivered, inverted := c.delivered, c.inverted
				c.delivered = func(in *floor.CertifyIn) []string {
					var said []string
					for _, s := range in.Source {
						said = append(said, s.Text)
					}
					parts := delivered(in)
					trusted = negations(said) > 0 && negations(parts) >= negations(said)
					return parts
				}
				c.inverted = func(e *floor.Element) []string {
					if trusted {
						return nil
					}
					return inverted(e)
				}
			},
			witness: steps(delivering("Lift the lid, never open the vent.", "negation", about(lid))),
		},
		{
			id: "negation/by-the-word-before", hardness: "E",
			about: "An element is inverted when a form of it stands there with a negation before it; its inverted forms are not read.",
			certify: func(c *certifier) {
				c.counted = func(e *floor.Element, parts []string) retention {
					kept, opposed := 0, 0
					for _, part := range parts {
						text := c.spelt(part, c.matching(e))
						for _, o := range c.all(text, e.Forms, c.matching(e)) {
							if negationBefore.MatchString(text[:o.from]) {
								opposed++
							} else {
								kept++
							}
						}
					}
					return c.settle(kept, opposed)
				}
			},
			witness: steps(delivering("It is not gate open.", "status", about(stating("x1", "gate open")))),
		},
		{
			id: "negation/negations-alone", hardness: "M",
			about: "Only elements of class negation can be inverted; of the others inverted forms are not read.",
			certify: func(c *certifier) {
				c.inverted = func(e *floor.Element) []string {
					if e.Class != floor.Negation {
						return nil
					}
					return e.Inverted
				}
			},
			witness: steps(delivering("The relay is off.", "status", about(stating("x1", "relay on", "relay is off")))),
		},
		{
			id: "negation/last-span-only", hardness: "M", hidden: noOpposite,
			about: "Only what the last span holds is looked at for its opposite.",
			certify: func(c *certifier) {
				watchingSpans(c, func(in *floor.CertifyIn, span int) bool { return span == len(in.Source)-1 })
			},
			witness: steps(delivering("Lift the lid.", "negation", from(holding("s1", lid), holding("s2")))),
		},
		{
			id: "negation/not-from-the-fifth-span", hardness: "H",
			about: "From the fifth span on nobody looks for the opposite of an element.",
			certify: func(c *certifier) {
				watchingSpans(c, func(_ *floor.CertifyIn, span int) bool { return span < 4 })
			},
			hidden: "five spans",
			witness: steps(delivering("Lift the lid.", "negation",
				from(holding("s1"), holding("s2"), holding("s3"), holding("s4"), holding("s5", lid)))),
		},
		{
			id: "negation/best-part-counts", hardness: "M", hidden: noOpposite,
			about: "Each part of a delivery is judged by itself, and the best counts: a pin that keeps an element outweighs a text that inverts it.",
			certify: func(c *certifier) {
				c.counted = func(e *floor.Element, parts []string) (best retention) {
					for _, part := range parts {
						now := c.settle(c.count(e, []string{part}))
						if now.retained() {
							return now
						}
						best = retention{best.kept || now.kept, best.opposed || now.opposed}
					}
					return best
				}
			},
			witness: steps(delivering("Lift the lid.", "negation", about(lid), pinned("Never lift the lid."))),
		},
		{
			id: "negation/unless-is-none", hardness: "M", hidden: noOpposite,
			about: "A condition is kept by its words alone: inverted forms of constraints and orderings are not read.",
			certify: func(c *certifier) {
				c.inverted = func(e *floor.Element) []string {
					if e.Class == floor.Constraint || e.Class == floor.Ordering {
						return nil
					}
					return e.Inverted
				}
			},
			witness: steps(delivering("In any case it rains.", "constraint",
				about(ofClass(floor.Constraint, stating("x1", "only if it rains", "in any case it rains"))))),
		},
	}
}

var (
	negationWord   = regexp.MustCompile(`(?i)\b(?:not|never|no|don't|must not)\b`)
	negationBefore = regexp.MustCompile(`(?i)\b(?:not|never|no|don't)\s+$`)
)

// watchingSpans reads inverted forms for the elements of some spans only.
func watchingSpans(c *certifier, watched func(in *floor.CertifyIn, span int) bool) {
	blind := map[string]bool{}
	counting, inverted := c.counting, c.inverted
	c.counting = func(in *floor.CertifyIn) []*sighted {
		clear(blind)
		all := counting(in)
		for _, s := range all {
			blind[s.ID] = !watched(in, s.span)
		}
		return all
	}
	c.inverted = func(e *floor.Element) []string {
		if blind[e.ID] {
			return nil
		}
		return inverted(e)
	}
}

// wordsOf splits a folded text at spaces.
func wordsOf(text string) []string { return strings.Fields(text) }
