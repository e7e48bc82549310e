package gen

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// BadCertify draws a certify request and spoils one thing in it.
func BadCertify(s *Source, l Limits) floor.Case {
	in := drawDelivery(s, true).request()
	for i := range in.Source { // one alone stays below 2^53, whatever it is spoiled to
		in.Source[i].Tokens = 0
	}
	return spoilTexts(s, floor.Case{Policy: l.Policy, Steps: []floor.Request{{Op: floor.OpCertify, Certify: in}}})
}

// BadCompact draws a compact request and spoils one thing in it.
func BadCompact(s *Source, l Limits) floor.Case {
	in := drawCompaction(s, true).request()
	for i := range in.Spans { // so that no sum is 2^53, of which the list does not say on which side it is
		in.Spans[i].Tokens *= 2
	}
	for i := range in.Summaries {
		in.Summaries[i].Tokens *= 2
	}
	return spoilTexts(s, floor.Case{Policy: l.Policy, Steps: []floor.Request{{Op: floor.OpCompact, Compact: in}}})
}

// spoilTexts spoils what a request says, as the bad_request list has it, or what
// is beside that and harmless; or its spelling anywhere.
func spoilTexts(s *Source, c floor.Case) floor.Case {
	if s.Weighted("words spoiled", 1, 3) == 0 {
		return spoil(s, c)
	}
	r := &c.Steps[0]
	in, err := r.In()
	if err != nil {
		panic("gen: spell a request: " + err.Error())
	}
	tree, err := floor.ParseJSON(in)
	if err != nil {
		panic("gen: read our own request: " + err.Error())
	}
	all := breachesOf(r.Op)
	b := &breaking{root: tree.(map[string]any), op: r.Op, at: s.Choose(mostSpans*mostElements, "at"), how: s.Choose(mostWhich, "how")}
	all[s.Choose(len(all), "breach")].do(b)
	raw := spell(b.root)
	*r = floor.ParseRequest(r.Op, raw)
	if words := (floor.Request{Op: r.Op, Certify: r.Certify, Compact: r.Compact}); saysAll(words, raw) {
		*r = words // as anyone would have asked it
	}
	return c
}

// A breach is one thing of the bad_request list; or, where it is not bad, what
// stands right beside one.
type breach struct {
	name string
	bad  bool
	op   floor.Op // "" is both
	do   func(b *breaking)
}

func breachesOf(op floor.Op) []breach {
	return slices.DeleteFunc(slices.Clone(breaches), func(b breach) bool { return b.op != "" && b.op != op })
}

// A tree is a JSON object.
type tree = map[string]any

// A breaking is a request while something in it is broken. What it takes to
// break it is put there where it is missing.
type breaking struct {
	root    tree
	op      floor.Op
	at, how int // which thing, and which way
}

func numeral(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

// one gives one of these texts.
func (b *breaking) one(texts ...string) string { return texts[b.how%len(texts)] }

func (b *breaking) listed() string {
	if b.op == floor.OpCertify {
		return "source"
	}
	return "spans"
}

// list is the objects of a list of the request.
func (b *breaking) list(name string) (out []tree) {
	items, _ := b.root[name].([]any)
	for _, item := range items {
		out = append(out, item.(tree))
	}
	return out
}

func (b *breaking) add(name string, item tree) tree {
	items, _ := b.root[name].([]any)
	b.root[name] = append(items, any(item))
	return item
}

// chosen is one of these that is as wanted, or else what is made.
func (b *breaking) chosen(from []tree, wanted func(tree) bool, made func() tree) tree {
	from = slices.DeleteFunc(from, func(t tree) bool { return !wanted(t) })
	if len(from) == 0 {
		return made()
	}
	return from[b.at%len(from)]
}

func anyTree(tree) bool { return true }

func has(t tree, name string) bool { _, there := t[name]; return there }

func isSummary(span tree) bool { return span["kind"] == "summary" || has(span, "lineage") }

func fresh(id, kind string) tree {
	return tree{"id": id, "kind": kind, "role": "user", "tokens": numeral(2), "text": "This is " + id + "."}
}

func freshElement(id, class string) tree {
	return tree{"id": id, "class": class, "forms": []any{"lift " + id}}
}

func (b *breaking) span(wanted func(tree) bool) tree {
	return b.chosen(b.list(b.listed()), wanted, func() tree { return b.add(b.listed(), fresh("fresh", "message")) })
}

// original is an original that has an element.
func (b *breaking) original() tree {
	wanted := func(t tree) bool { return !isSummary(t) && len(elementsOf(t)) > 0 }
	return b.chosen(b.list(b.listed()), wanted, func() tree {
		span := fresh("fresh", "message")
		span["elements"] = []any{freshElement("fresh-1", "negation")}
		return b.add(b.listed(), span)
	})
}

// inherited is a summary span with elements and a lineage in which something is
// effective.
func (b *breaking) inherited() tree {
	wanted := func(t tree) bool {
		lineage, _ := t["lineage"].(tree)
		return len(elementsOf(t)) > 0 && len(objects(lineage["effective"])) > 0
	}
	return b.chosen(b.list(b.listed()), wanted, func() tree {
		span, gone := fresh("fresh", "summary"), freshElement("fresh-2", "negation")
		gone["lost"] = true
		span["elements"] = []any{freshElement("fresh-1", "negation"), gone}
		span["lineage"] = tree{
			"generation": numeral(1), "ancestry_certified": true, "decision": "certified",
			"effective": []any{tree{"class": "negation", "retained": numeral(1), "total": numeral(2)}},
		}
		return b.add(b.listed(), span)
	})
}

func (b *breaking) lineage() tree { return b.inherited()["lineage"].(tree) }

// effective is an entry of a lineage.
func (b *breaking) effective() tree {
	entries := objects(b.lineage()["effective"])
	return entries[b.at%len(entries)]
}

func objects(list any) (out []tree) {
	items, _ := list.([]any)
	for _, item := range items {
		out = append(out, item.(tree))
	}
	return out
}

func elementsOf(span tree) []tree { return objects(span["elements"]) }

// element is one of an original.
func (b *breaking) element() tree {
	all := elementsOf(b.original())
	return all[b.at%len(all)]
}

// append puts an element into a span.
func appendElement(span, e tree) {
	items, _ := span["elements"].([]any)
	span["elements"] = append(items, any(e))
}

func (b *breaking) summary() tree {
	return b.chosen(b.list("summaries"), anyTree, func() tree { return b.add("summaries", freshSummary("fresh-m")) })
}

func freshSummary(id string, of ...any) tree {
	return tree{"id": id, "of": append([]any{}, of...), "text": "All of it.", "tokens": numeral(2)}
}

func (b *breaking) decoy() tree {
	return b.chosen(b.list("decoys"), anyTree, func() tree { return b.add("decoys", freshElement("fresh-d", "negation")) })
}

func (b *breaking) output() tree { return b.root["output"].(tree) }

// object is any object of the request, of those that have required fields.
func (b *breaking) object() (t tree, required []string) {
	spans, elements := []string{"id", "kind", "role", "tokens", "text"}, []string{"id", "class", "forms"}
	lineage, fidelity := []string{"generation", "ancestry_certified", "decision", "effective"}, []string{"class", "retained", "total"}
	switch b.at % 6 {
	case 0:
		return b.span(anyTree), spans
	case 1:
		return b.element(), elements
	case 2:
		return b.lineage(), lineage
	case 3:
		return b.effective(), fidelity
	case 4:
		if b.op == floor.OpCompact {
			return b.summary(), []string{"id", "of", "text", "tokens"}
		}
		return b.output(), []string{"text"}
	}
	if b.op == floor.OpCompact {
		return b.root, []string{
			"spans", "required_classes", "known_classes", "source_recoverable", "consumer_strict", "chaining_risk",
			"side_effect_cost_exceeds_refusal", "budget_tokens", "summaries",
		}
	}
	return b.root, []string{"source", "output", "required_classes"}
}

// optional is a field that may be absent, and the object that it is of.
func (b *breaking) optional() (t tree, name string) {
	switch b.at % 5 {
	case 0:
		return b.span(func(t tree) bool { return !isSummary(t) }), b.one("elements", "lineage")
	case 1:
		return b.element(), b.one("inverted_forms", "match")
	case 2:
		return elementsOf(b.inherited())[0], b.one("lost", "match")
	case 3:
		if b.op == floor.OpCompact {
			return b.summary(), "status"
		}
		return b.output(), b.one("pins", "status")
	}
	if b.op == floor.OpCompact {
		return b.root, b.one("floors_permille", "riders")
	}
	return b.root, b.one("floors_permille", "decoys")
}

// again spells a phrase otherwise, so that it folds to the same.
func (b *breaking) again(form string, exact bool) string {
	switch {
	case b.how%4 == 1:
		return " " + strings.ReplaceAll(form, " ", "\u00a0\n") + "\t"
	case b.how%4 == 2:
		return inTwoParts(form)
	case b.how%4 == 3 && !exact:
		return strings.ToUpper(form)
	}
	return form
}

// formed is an element of an original that has a phrase, and the phrase.
func (b *breaking) formed() (e tree, form string) {
	for _, span := range b.list(b.listed()) {
		for _, e := range elementsOf(span) {
			for _, form := range e["forms"].([]any) {
				if strings.TrimSpace(form.(string)) != "" {
					return e, form.(string)
				}
			}
		}
	}
	e = b.element()
	e["forms"] = []any{"lift it"}
	return e, "lift it"
}

func (b *breaking) floors(permille any) {
	floors, _ := b.root["floors_permille"].(tree)
	if floors == nil {
		floors = tree{}
		b.root["floors_permille"] = floors
	}
	floors["negation"] = permille
}

// covered is an id of a span in a summary.
func (b *breaking) covered() any {
	for _, m := range b.list("summaries") {
		if of := m["of"].([]any); len(of) > 0 {
			return of[b.at%len(of)]
		}
	}
	span := b.span(anyTree)
	b.add("summaries", freshSummary("fresh-m", span["id"]))
	return span["id"]
}

// lastGeneration adds a summary span of a generation near the last one.
func (b *breaking) lastGeneration(generation string) (id any) {
	span := fresh("fresh-last", "summary")
	span["lineage"] = tree{"generation": json.Number(generation), "ancestry_certified": true, "decision": "certified", "effective": []any{}}
	return b.add(b.listed(), span)["id"]
}

// brim gives one span all tokens that there may be, and then some.
func (b *breaking) brim(over int64) {
	sum := int64(0)
	for _, t := range slices.Concat(b.list("spans"), b.list("summaries")) {
		sum += mustInt(t["tokens"])
	}
	span := fresh("fresh-brim", "message")
	if over > 0 { // another one that alone is not too much
		other := fresh("fresh-brim-2", "message")
		other["tokens"] = numeral(over)
		b.add("spans", other)
	}
	span["tokens"] = numeral(floor.MaxNumber - sum)
	b.add("spans", span)
}
