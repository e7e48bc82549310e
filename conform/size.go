package conform

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// Size is how much of a case is not plain: one for each item of a list, each
// flag that is set, an ancestry that is not certified, each number that is not
// 0, each certificate entry that is not full, riders at all and each of them; of
// texts each span, summary, pin and word, each element, and what is not said of
// them; of a conversation each message, call and word, each plant and decoy, and a
// summarizer that is not the perfect one. Twins do not count.
func Size(c floor.Case) (size int) {
	for i := range c.Steps {
		r := &c.Steps[i]
		switch {
		case r.Raw != nil:
			tree, err := floor.ParseJSON(r.Raw)
			if err == nil {
				size += sizeOfTree("", tree)
			}
		case r.Decide != nil:
			size += sizeOfDecide(r.Decide)
		case r.Derive != nil:
			size += sizeOfDerive(r.Derive)
		case r.Certify != nil:
			size += sizeOfCertify(r.Certify)
		case r.Compact != nil:
			size += sizeOfCompact(r.Compact)
		case r.Reduce != nil:
			size += sizeOfReduce(r.Reduce)
		}
	}
	if p := c.Planted; p != nil {
		size += len(p.Plants) + len(p.Decoys) + ones(p.Summarizer != "")
	}
	return size + len(c.Steps) - 1
}

func sizeOfCertify(in *floor.CertifyIn) int {
	size := sizeOfSpans(in.Source) + sizeOfText(in.Output.Text) + ones(in.Output.Status != "")
	for _, pin := range in.Output.Pins {
		size += 1 + sizeOfText(pin)
	}
	return size + len(in.Required) + len(in.FloorsPermille) + sizeOfElements(in.Decoys)
}

func sizeOfCompact(in *floor.CompactIn) int {
	size := sizeOfSpans(in.Spans) + ones(in.BudgetTokens != 0)
	for i := range in.Summaries {
		m := &in.Summaries[i]
		size += 1 + len(m.Of) + sizeOfText(m.Text) + ones(m.Tokens != 0, m.Status != "")
	}
	size += len(in.Required) + len(in.Known) + len(in.FloorsPermille) + sizeOfConditions(in.Conditions)
	return size + sizeOfRiders(in.Riders)
}

// sizeOfSpans does not count what spans are of: a message by the user is as
// plain as a result by a tool.
func sizeOfSpans(spans []floor.Span) (size int) {
	for i := range spans {
		s := &spans[i]
		size += 1 + sizeOfText(s.Text) + sizeOfElements(s.Elements) + ones(s.Tokens != 0, s.Elements == nil, s.Kind == floor.KindSummary)
		if l := s.Lineage; l != nil {
			size += 1 + len(l.Effective) + ones(l.Generation != 1, !l.AncestryCertified, l.Decision != floor.Certified)
		}
	}
	return size
}

func sizeOfElements(elements []floor.Element) (size int) {
	for i := range elements {
		e := &elements[i]
		size += 1 + len(e.Forms) + len(e.Inverted) + ones(e.Match != "", e.Lost != nil && *e.Lost)
	}
	return size
}

// sizeOfText counts words.
func sizeOfText(text string) int { return len(strings.Fields(text)) }

func sizeOfRiders(r *floor.Riders) int {
	if r == nil {
		return 0
	}
	return 1 + ones(r.SourceTokens != nil, r.SummaryTokens != nil, r.TargetPermille != nil,
		r.OccupancyPermille != nil, r.FluencyPermille != nil, r.QuotaFacts != nil)
}

func sizeOfReduce(in *floor.ReduceIn) (size int) {
	for i := range in.Messages {
		m := &in.Messages[i]
		size += 1 + len(strings.Fields(m.Text)) + len(m.Calls)
		for _, call := range m.Calls {
			size += len(bytes.Fields(call.Args))
		}
	}
	return size
}

func sizeOfDecide(in *floor.DecideIn) int {
	size := len(in.Contract.Required) + len(in.Contract.Certified) + sizeOfConditions(in.Conditions)
	size += ones(in.Contract.Generation != 0, !in.Contract.AncestryCertified)
	return size + sizeOfRiders(in.Riders)
}

func sizeOfDerive(in *floor.DeriveIn) int {
	size := len(in.Originals)
	for i := range in.Events {
		e := &in.Events[i]
		size += 1 + len(e.Inputs) + len(e.Required) + len(e.FloorsPermille) + sizeOfConditions(e.Conditions)
		for _, f := range e.Certificate {
			size += 1 + ones(f.Retained < f.Total)
		}
	}
	return size
}

func sizeOfConditions(c floor.Conditions) int {
	return ones(c.SourceRecoverable, c.ConsumerStrict, c.ChainingRisk, c.SideEffectCostExceedsRefusal)
}

func ones(flags ...bool) (n int) {
	for _, on := range flags {
		if on {
			n++
		}
	}
	return n
}

// sizeOfTree measures a request that the words cannot spell.
func sizeOfTree(name string, v any) (size int) {
	switch v := v.(type) {
	case bool:
		return ones(v != (name == "ancestry_certified"))
	case json.Number:
		return ones(v != "0")
	case []any:
		for _, item := range v {
			size += 1 + sizeOfTree("", item)
		}
	case map[string]any:
		for field, item := range v { // a sum: the order does not matter
			size += sizeOfTree(field, item)
		}
	}
	return size
}
