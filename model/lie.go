package model

import (
	"slices"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// The lies copy what they touch: an observation is never written to, and a
// run with other answers is observed anew.

// Lies are the rule's own lie about a case that is otherwise answered rightly:
// one, or for a comparing rule one for each twin. None where the rule does not
// apply or there is nothing to lie about.
func (r Rule) Lies(c floor.Case) (lies []Observation) {
	base := Observe(floor.Trace{Case: c, Answers: Expect(c)})
	if !r.Applies(base) {
		return nil
	}
	twins := []*Run{nil}
	if r.Vary != nil {
		twins = nil
		for _, t := range r.Vary(c) {
			twin := Observe(floor.Trace{Case: t, Answers: Expect(t)})
			twins = append(twins, &twin)
		}
	}
	for _, twin := range twins {
		if lied, ok := r.Break(Observation{Base: base, Twin: twin}); ok {
			lies = append(lies, lied)
		}
	}
	return lies
}

// lieInDecide answers one decide step otherwise, at the first step for which
// there is a lie.
func lieInDecide(o Observation, lie func(is *reading, got floor.DecideOut) (*floor.DecideOut, bool)) (Observation, bool) {
	for step := range o.Base.Case.Steps {
		is, got := o.Base.step(step), o.Base.answer(step).Decide
		if is.decide == nil || got == nil {
			continue
		}
		if out, ok := lie(is, *got); ok {
			o.Base = answered(o.Base, step, floor.Answer{Decide: out})
			return o, true
		}
	}
	return o, false
}

// lieInstead is another decision where this one is due.
func lieInstead(due func(is *reading) bool, lie floor.Decision) func(Observation) (Observation, bool) {
	return func(o Observation) (Observation, bool) {
		return lieInDecide(o, func(is *reading, _ floor.DecideOut) (*floor.DecideOut, bool) {
			return decideOut(lie, is.decide.Contract), due(is)
		})
	}
}

// lieInDerive changes one outcome, of the latest event for which there is a
// lie.
func lieInDerive(o Observation, lie func(p pair, out *floor.Outcome) bool) (Observation, bool) {
	for _, p := range slices.Backward(o.Base.outcomes()) {
		out := *p.got
		if !lie(p, &out) {
			continue
		}
		events := slices.Clone(o.Base.answer(p.step).Derive.Events)
		events[p.index] = out
		o.Base = answered(o.Base, p.step, floor.Answer{Derive: &floor.DeriveOut{Events: events}})
		return o, true
	}
	return o, false
}

// lieInReduce answers one step otherwise, at the first step for which there is
// a lie. A lie begins with giving back what was asked, also where a refusal was
// due.
func lieInReduce(o Observation, lie func(t *turn, out *floor.ReduceOut) bool) (Observation, bool) {
	for _, t := range o.Base.reduced() {
		out := echo(slices.Clone(t.before.messages), t.step)
		if lie(t, &out) {
			given := append(slices.Clone(o.Base.Answers[:t.step]), floor.Answer{Reduce: &out})
			o.Base = Observe(floor.Trace{Case: o.Base.Case, Answers: expectAfter(o.Base.Case, given)})
			return o, true
		}
	}
	return o, false
}

// lieInCertify changes one certificate, of the first step for which there is a
// lie. The lists of out are copies.
func lieInCertify(o Observation, lie func(c *claim, out *floor.CertifyOut) bool) (Observation, bool) {
	for _, c := range o.Base.claims() {
		out := &floor.CertifyOut{
			Certified: slices.Clone(c.out.Certified), Fidelity: slices.Clone(c.out.Fidelity),
			Lost: slices.Clone(c.out.Lost), Inverted: slices.Clone(c.out.Inverted), Fabricated: slices.Clone(c.out.Fabricated),
		}
		if lie(&c, out) {
			o.Base = answered(o.Base, c.step, floor.Answer{Certify: out})
			return o, true
		}
	}
	return o, false
}

// lieInCompact changes one answer, of the first step for which there is a lie;
// what is in the lists of out belongs to the answer that was given.
func lieInCompact(o Observation, lie func(r *result, out *floor.CompactOut) bool) (Observation, bool) {
	for _, r := range o.Base.results() {
		out := *r.out
		out.Kept, out.Evicted, out.Output = slices.Clone(out.Kept), slices.Clone(out.Evicted), slices.Clone(out.Output)
		if lie(r, &out) {
			o.Base = answered(o.Base, r.step, floor.Answer{Compact: &out})
			return o, true
		}
	}
	return o, false
}

// lieAboutGoing certifies that a span goes which may not: the first one with a
// usable summary that is like that.
func lieAboutGoing(o Observation, like func(c *compaction, s *candidate) bool) (Observation, bool) {
	return lieInCompact(o, func(r *result, out *floor.CompactOut) bool {
		for _, span := range r.due.coverable() {
			if r.due.tight() && like(r.due, span) {
				going, _ := r.due.soundPlan()
				going[span.ID] = true
				*out = *r.due.answer(going, floor.Certified, "")
				return true
			}
		}
		return false
	})
}

// lieAboutPart changes how one used summary stands in the output.
func lieAboutPart(o Observation, lie func(r *result, part *floor.Part) bool) (Observation, bool) {
	return lieInCompact(o, func(r *result, out *floor.CompactOut) bool {
		for i := range out.Output {
			if out.Output[i].Kind == floor.PartSummary && lie(r, &out.Output[i]) {
				return true
			}
		}
		return false
	})
}

// lieAboutPlant is a lie about the first plant that is live, or at least said,
// and for which there is one.
func lieAboutPlant(o Observation, lie func(t *turn, plant int, out *floor.ReduceOut) bool) (Observation, bool) {
	return lieInReduce(o, func(t *turn, out *floor.ReduceOut) bool {
		for i := range t.plants {
			try := *out
			try.Messages = slices.Clone(out.Messages)
			if saidBy(&t.plants[i], t.step) && lie(t, i, &try) {
				*out = try
				return true
			}
		}
		return false
	})
}

// retell puts something else in the place of every sentence that keeps an
// element, or nothing; arguments that keep it are dropped. It reports whether
// the element is no longer kept.
func retell(out *floor.ReduceOut, e floor.Element, instead string) bool {
	keeps := func(part string) bool { return Retain(e, []string{part}).keeps() }
	for i, m := range out.Messages {
		if keeps(m.Text) {
			var told []string
			for _, sentence := range sentences(m.Text) {
				if !keeps(sentence) {
					told = append(told, sentence)
				} else if instead != "" {
					told = append(told, instead+".")
				}
			}
			out.Messages[i].Text = strings.Join(told, " ")
		}
		for j := range m.Calls {
			if slices.ContainsFunc(appendStrings(nil, argsOf(m.Calls[j])), keeps) {
				calls := slices.Clone(out.Messages[i].Calls)
				calls[j].Args = []byte("{}")
				out.Messages[i].Calls = calls
			}
		}
	}
	return !Retain(e, partsOfAll(out.Messages)).keeps()
}

// loses drops a live plant from an output.
func (t *turn) loses(plant int, out *floor.ReduceOut) bool {
	p := &t.plants[plant]
	return !endedBy(p, t.step) && t.before.keeps(plant) && retell(out, p.Element, "") &&
		Retain(p.Element, partsOfAll(out.Messages)) == Lost
}

// inverts says the opposite of a live plant, wherever it was said.
func (t *turn) inverts(plant int, out *floor.ReduceOut) bool {
	p := &t.plants[plant]
	return !endedBy(p, t.step) && t.before.of(plant) == Retained && invertible(p) && retell(out, p.Element, p.Inverted[0]) &&
		Retain(p.Element, partsOfAll(out.Messages)) == Inverted
}

// dropsSuccessor keeps an ended plant and drops what ended it. The mark excuses
// the loss, and not what is left.
func (t *turn) dropsSuccessor(plant int, out *floor.ReduceOut) bool {
	by := t.successor(plant)
	out.Mark = floor.MarkProvisional
	return by >= 0 && t.before.keeps(plant) && t.before.keeps(by) && retell(out, t.plants[by].Element, "") &&
		Retain(t.plants[plant].Element, partsOfAll(out.Messages)).keeps()
}

// sentences cuts a text behind every period that white space follows, and at
// line breaks.
func sentences(text string) (found []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for {
			end := strings.Index(line, ". ")
			if end < 0 {
				break
			}
			found = append(found, line[:end+1])
			line = strings.TrimSpace(line[end+1:])
		}
		if line != "" {
			found = append(found, line)
		}
	}
	return found
}

// sayFirst puts a message before all others.
func sayFirst(out *floor.ReduceOut, m floor.Message) {
	out.Messages = slices.Concat([]floor.Message{m}, out.Messages)
}

// lieToMalformed answers a bad request of that op as if it were none.
func lieToMalformed(o Observation, op floor.Op, result floor.Answer) (Observation, bool) {
	for step, request := range o.Base.Case.Steps {
		if request.Op == op && o.Base.step(step).wrong != "" && step < len(o.Base.Answers) {
			o.Base = answered(o.Base, step, result)
			return o, true
		}
	}
	return o, false
}

// withTwinDecision is the observation with the twin decided like that.
func withTwinDecision(o Observation, d floor.Decision) Observation {
	last := len(o.Twin.Case.Steps) - 1
	var lie floor.Answer
	if out := o.Twin.lastAnswer().Compact; out != nil {
		other := *out
		other.Decision = d
		lie.Compact = &other
	} else {
		lie.Decide = decideOut(d, lastDecideIn(o.Twin.Case).Contract)
	}
	twin := answered(*o.Twin, last, lie)
	o.Twin = &twin
	return o
}

func answered(r Run, step int, a floor.Answer) Run {
	answers := slices.Clone(r.Answers)
	answers[step] = a
	return Observe(floor.Trace{Case: r.Case, Answers: answers})
}
