package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// quoted is a text in quotes, bounded and escaped.
func quoted(text string) string {
	short := clip(text, mostShownText)
	if short == text {
		return `"` + Escape(text) + `"`
	}
	return `"` + Escape(short) + `" (` + strconv.Itoa(len(text)) + ` bytes)`
}

func (p *printer) certify(in *floor.CertifyIn) {
	for i := range in.Source {
		p.span(&in.Source[i])
	}
	p.line("    delivered  %s%s", quoted(in.Output.Text), came(in.Output.Status))
	for _, pin := range in.Output.Pins {
		p.line("    pin        %s", quoted(pin))
	}
	for i := range in.Decoys {
		p.element("    decoy     ", &in.Decoys[i])
	}
	p.line("    requires   %s%s", set(in.Required), floorsOf(in.FloorsPermille))
}

func (p *printer) compact(in *floor.CompactIn) {
	for i := range in.Spans {
		p.span(&in.Spans[i])
	}
	for i := range in.Summaries {
		m := &in.Summaries[i]
		of := names(m.Of)
		if len(m.Of) == 0 {
			of = "no span"
		}
		p.line("    summary %s of %s, %s%s: %s", show(m.ID), of, tokens(m.Tokens), came(m.Status), quoted(m.Text))
	}
	p.line("    requires   %s  known %s%s", set(in.Required), set(in.Known), floorsOf(in.FloorsPermille))
	p.line("    budget     %s of %s", tokens(in.BudgetTokens), tokens(spanTokens(in.Spans)))
	p.line("    conditions %s", conditions(in.Conditions))
	if in.Riders != nil {
		p.line("    riders     %s", rides(in.Riders))
	}
}

func spanTokens(spans []floor.Span) (sum int64) {
	for i := range spans {
		sum += spans[i].Tokens
	}
	return sum
}

func tokens(n int64) string {
	if n == 1 {
		return "1 token"
	}
	return fmt.Sprintf("%d tokens", n)
}

// came says how a summary came, where that is not as it should.
func came(status floor.SummaryStatus) string {
	if status == "" || status == floor.StatusOK {
		return ""
	}
	return ", status " + show(string(status))
}

func floorsOf(floors map[floor.Class]int64) (out string) {
	for _, class := range sortedKeys(floors) {
		out += fmt.Sprintf("  floor of %s %d permille", show(string(class)), floors[class])
	}
	return out
}

func (p *printer) span(s *floor.Span) {
	p.line("    span %s %s by %s, %s: %s", show(s.ID), s.Kind, show(string(s.Role)), tokens(s.Tokens), quoted(s.Text))
	switch {
	case s.Elements == nil:
		p.line("               its elements are not known")
	default:
		for i := range s.Elements {
			p.element("              ", &s.Elements[i])
		}
	}
	if l := s.Lineage; l != nil {
		p.line("               lineage: %s", lineage(l))
	} else if s.Kind == floor.KindSummary {
		p.line("               no lineage")
	}
}

func (p *printer) element(indent string, e *floor.Element) {
	out := fmt.Sprintf("%s %s %s, kept by %s", indent, show(string(e.Class)), show(e.ID), texts(e.Forms))
	if len(e.Inverted) > 0 {
		out += ", inverted by " + texts(e.Inverted)
	}
	if e.Match == floor.Exact {
		out += ", exact"
	}
	if e.Lost != nil && *e.Lost {
		out += ", lost before"
	}
	p.line("%s", out)
}

func texts(list []string) string {
	if len(list) == 0 {
		return "no text"
	}
	shown := make([]string, 0, len(list))
	for _, text := range list {
		shown = append(shown, quoted(text))
	}
	return strings.Join(shown, " or ")
}

func lineage(l *floor.Lineage) string {
	return fmt.Sprintf("generation %d, ancestry %s, its event %s, effective %s",
		l.Generation, certified(l.AncestryCertified), show(string(l.Decision)), fidelities(l.Effective))
}

func fidelities(list []floor.Fidelity) string {
	shown := make([]string, 0, len(list))
	for _, f := range list {
		shown = append(shown, fidelity(f))
	}
	return "{" + strings.Join(shown, ", ") + "}"
}

// certificate is a certify answer in one line.
func certificate(out *floor.CertifyOut) string {
	said := "certifies " + set(out.Certified) + "  fidelity " + fidelities(out.Fidelity)
	for _, list := range []struct {
		name string
		ids  []string
	}{{"lost", out.Lost}, {"inverted", out.Inverted}, {"fabricated", out.Fabricated}} {
		if len(list.ids) > 0 {
			said += "  " + list.name + " " + names(list.ids)
		}
	}
	return said
}

// compaction is a compact answer in one line.
func compaction(out *floor.CompactOut) string {
	said := show(string(out.Decision))
	add := func(format string, args ...any) { said += "  " + fmt.Sprintf(format, args...) }
	list := func(name string, ids []string) {
		if len(ids) > 0 {
			add("%s %s", name, names(ids))
		}
	}
	if out.Basis != "" {
		add("basis %s", show(string(out.Basis)))
	}
	if out.MissingClasses != nil {
		add("missing %s", set(out.MissingClasses))
	}
	if out.OverBudgetTokens != nil {
		add("over budget by %s", tokens(*out.OverBudgetTokens))
	}
	list("unknown", out.UnknownSpans)
	list("poisoned", out.PoisonedSpans)
	list("unclean", out.UncleanSummaries)
	list("ways on", out.Escalations)
	list("kept", out.Kept)
	for _, e := range out.Evicted {
		add("%s goes under %s %s", show(e.Span), show(e.Summary), fidelities(e.Fidelity))
	}
	for i := range out.Output {
		part := &out.Output[i]
		if part.Kind != floor.PartSummary {
			continue
		}
		mark := ""
		if part.Provisional != nil && *part.Provisional {
			mark = " provisional,"
		}
		if part.Lineage == nil {
			add("%s:%s no lineage", show(part.Summary), mark)
			continue
		}
		add("%s:%s %s", show(part.Summary), mark, lineage(part.Lineage))
		list("lost", part.Lost)
	}
	if c := out.Contract; c != nil {
		add("contract certifies %s of %s, generation %d, ancestry %s", set(c.Certified), set(c.Required), c.Generation, certified(c.AncestryCertified))
	}
	return said
}

func certifyChanges(p floor.Policy, from floor.CertifyIn) (out []neighbour) {
	with := func(change string, undo bool, edit func(in *floor.CertifyIn)) {
		in := from
		edit(&in)
		out = append(out, neighbour{change, undo, floor.Case{Policy: p, Steps: []floor.Request{{Op: floor.OpCertify, Certify: &in}}}})
	}
	if from.Output.Status != "" {
		with("status ok", true, func(in *floor.CertifyIn) { in.Output.Status = "" })
	}
	if len(from.Output.Pins) > 0 {
		with("no pins", true, func(in *floor.CertifyIn) { in.Output.Pins = nil })
	}
	if from.FloorsPermille != nil {
		with("no floors", true, func(in *floor.CertifyIn) { in.FloorsPermille = nil })
	}
	if len(from.Decoys) > 0 {
		with("no decoys", true, func(in *floor.CertifyIn) { in.Decoys = nil })
	}
	with("the source is delivered, span by span", false, func(in *floor.CertifyIn) {
		in.Output = floor.Delivery{Pins: textsOf(from.Source)}
	})
	with("nothing is required", false, func(in *floor.CertifyIn) { in.Required = []floor.Class{} })
	return out
}

func textsOf(spans []floor.Span) (out []string) {
	for i := range spans {
		out = append(out, spans[i].Text)
	}
	return out
}

func compactChanges(p floor.Policy, from floor.CompactIn) (out []neighbour) {
	with := func(change string, undo bool, edit func(in *floor.CompactIn)) {
		in := from
		edit(&in)
		out = append(out, neighbour{change, undo, floor.Case{Policy: p, Steps: []floor.Request{{Op: floor.OpCompact, Compact: &in}}}})
	}
	eachFlag(from.Conditions, func(change string, undo bool, c floor.Conditions) {
		with(change, undo, func(in *floor.CompactIn) { in.Conditions = c })
	})
	if from.Riders != nil {
		with("nothing rides along", true, func(in *floor.CompactIn) { in.Riders = nil })
	}
	if from.FloorsPermille != nil {
		with("no floors", true, func(in *floor.CompactIn) { in.FloorsPermille = nil })
	}
	for i := range from.Spans {
		if from.Spans[i].Lineage == nil {
			continue
		}
		with("span "+show(from.Spans[i].ID)+" is an original", true, func(in *floor.CompactIn) {
			in.Spans = slices.Clone(from.Spans)
			s := &in.Spans[i]
			s.Lineage, s.Kind, s.Elements = nil, floor.KindMessage, slices.Clone(s.Elements)
			for j := range s.Elements {
				s.Elements[j].Lost = nil
			}
		})
	}
	with("a token more of budget", false, func(in *floor.CompactIn) { in.BudgetTokens = min(in.BudgetTokens+1, floor.MaxNumber) })
	with("everything fits the budget", false, func(in *floor.CompactIn) { in.BudgetTokens = spanTokens(from.Spans) })
	with("nothing is required", false, func(in *floor.CompactIn) { in.Required = []floor.Class{} })
	return out
}
