package mutant

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

// certificates are faults in what is looked at, and in what is told of it.
func certificates() []slip {
	lid, key := never("x1", "lift the lid"), stating("x2", "blue key")
	accepting := func(more ...floor.SummaryStatus) func(*certifier) {
		return func(c *certifier) {
			c.usable = func(in *floor.CertifyIn) bool {
				return (came(in.Output.Status) || slices.Contains(more, in.Output.Status)) && slices.ContainsFunc(c.delivered(in), hasWord)
			}
		}
	}
	return []slip{
		{
			id: "certificate/status-ignored", hardness: "M",
			about:   "The status of an output is not read.",
			certify: accepting(floor.StatusError, floor.StatusRefused, floor.StatusPartial, floor.StatusOpaque),
			witness: steps(delivering("Good.", "negation", arriving(floor.StatusError))),
		},
		{
			id: "certificate/partial-accepted", hardness: "M",
			about:   "An output that came in part is certified like a whole one.",
			certify: accepting(floor.StatusPartial),
			witness: steps(delivering("Good.", "negation", arriving(floor.StatusPartial))),
		},
		{
			id: "certificate/opaque-accepted", hardness: "M",
			about:   "An output that nobody can read through is certified.",
			certify: accepting(floor.StatusOpaque), hidden: "a status that the scopes leave out",
			witness: steps(delivering("Good.", "negation", arriving(floor.StatusOpaque))),
		},
		{
			id: "certificate/refused-accepted", hardness: "M",
			about:   "A summarizer's refusal is certified as what it produced.",
			certify: accepting(floor.StatusRefused), hidden: "a status that the scopes leave out",
			witness: steps(delivering("Good.", "negation", arriving(floor.StatusRefused))),
		},
		{
			id: "certificate/empty-output", hardness: "E",
			about:   "An output without a word certifies what has no elements.",
			certify: func(c *certifier) { c.usable = func(in *floor.CertifyIn) bool { return came(in.Output.Status) } },
			witness: steps(delivering("", "negation")),
		},
		{
			id: "certificate/pins-ignored", hardness: "E",
			about: "Pins are not looked at.",
			certify: func(c *certifier) {
				c.delivered = func(in *floor.CertifyIn) []string { return []string{in.Output.Text} }
			},
			witness: steps(delivering("Good.", "negation", about(lid), pinned("Never lift the lid."))),
		},
		{
			id: "certificate/pin-spans-count", hardness: "M",
			about: "A pin of the source counts as delivered, whether it travels or not.",
			certify: func(c *certifier) {
				delivered := c.delivered
				c.delivered = func(in *floor.CertifyIn) []string {
					parts := delivered(in)
					for _, s := range in.Source {
						if s.Kind == floor.KindPin {
							parts = append(parts, s.Text)
						}
					}
					return parts
				}
			},
			hidden:  "a pin in the source",
			witness: steps(delivering("Good.", "negation", from(with(holding("s1", lid), asPin)))),
		},
		{
			id: "certificate/unknown-ignored", hardness: "E",
			about:   "A span whose elements are unknown is taken to hold none.",
			certify: func(c *certifier) { c.known = func(*floor.CertifyIn) bool { return true } },
			witness: steps(delivering("Good.", "negation", from(with(holding("s1"), unknown)))),
		},
		{
			id: "certificate/decoys-count", hardness: "M",
			about: "Decoys count as elements of the source.",
			certify: func(c *certifier) {
				counting := c.counting
				c.counting = func(in *floor.CertifyIn) []*sighted {
					all := counting(in)
					for i := range in.Decoys {
						all = append(all, &sighted{Element: &in.Decoys[i], span: len(in.Source)})
					}
					return all
				}
			},
			witness: steps(delivering("Good.", "negation", strangers(lid))),
		},
		{
			id: "certificate/first-lost-only", hardness: "M",
			about: "Of what is lost only the first is named.",
			certify: func(c *certifier) {
				c.tell = func(_ *inquiry, out *floor.CertifyOut) { out.Lost = out.Lost[:min(1, len(out.Lost))] }
			},
			witness: steps(delivering("Good.", "negation status", about(lid, key))),
		},
		{
			id: "certificate/self-declared", hardness: "E",
			about: "What the summarizer says of itself is believed: an output with the status ok certifies every required class.",
			certify: func(c *certifier) {
				c.tell = func(q *inquiry, out *floor.CertifyOut) {
					if q.usable && q.known {
						out.Certified = q.required
					}
				}
			},
			witness: steps(delivering("Good.", "negation", about(lid))),
		},
		{
			id: "certificate/kept-by-id", hardness: "MT",
			about: "What became of an element is kept under its id, and given again when the same id is asked for another output.",
			certify: func(c *certifier) {
				kept, counted := map[string]retention{}, c.counted
				c.counted = func(e *floor.Element, parts []string) retention {
					now, known := kept[e.ID]
					if !known {
						now = counted(e, parts)
						kept[e.ID] = now
					}
					return now
				}
			},
			witness: steps(delivering("Good.", "negation", about(lid)),
				delivering("Never lift the lid.", "negation", about(lid))),
		},
	}
}
