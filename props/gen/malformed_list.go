package gen

import (
	"encoding/json"

	"github.com/floorcheck/floorcheck/floor"
)

// breaches are the bad_request list for requests about texts, and what stands
// beside it: numbers on the right side of a limit, ids of different kinds that
// are equal, lists that may be empty.
var breaches = []breach{
	{"a required field is missing", true, "", func(b *breaking) {
		t, required := b.object()
		delete(t, required[b.how%len(required)])
	}},
	{"null where something is required", true, "", func(b *breaking) {
		t, required := b.object()
		t[required[b.how%len(required)]] = nil
	}},
	{"another type where something is required", true, "", func(b *breaking) {
		t, required := b.object()
		t[required[b.how%len(required)]] = tree{"x": "y"}
	}},
	{"null where a field may be absent", true, "", func(b *breaking) {
		t, name := b.optional()
		t[name] = nil
	}},
	{"another type where a field may be absent", true, "", func(b *breaking) {
		t, name := b.optional()
		t[name] = json.Number("7")
	}},

	// Spans.
	{"a kind that nobody knows", true, "", func(b *breaking) {
		b.span(func(t tree) bool { return !isSummary(t) })["kind"] = b.one("note", "Message", "", "summary ", "pins")
	}},
	{"tokens that are no whole number below 2^53", true, "", func(b *breaking) {
		b.span(anyTree)["tokens"] = json.Number(b.one("-1", "9007199254740992", "1.0", "1e1", "0.5", "-9007199254740992"))
	}},
	{"tokens as many as there may be of one span", false, floor.OpCertify, func(b *breaking) {
		b.span(anyTree)["tokens"] = numeral(floor.MaxNumber)
	}},
	{"a role that nobody heard of", false, "", func(b *breaking) { b.span(anyTree)["role"] = b.one("clerk", "") }},
	{"a span id twice", true, "", func(b *breaking) {
		again := fresh("fresh-again", "message")
		again["id"] = b.span(anyTree)["id"]
		b.add(b.listed(), again)
	}},
	{"a span with the id of an element", false, "", func(b *breaking) {
		id := b.element()["id"]
		for _, t := range b.list(b.listed()) {
			if t["id"] == id {
				return
			}
		}
		again := fresh("fresh-again", "message")
		again["id"] = id
		b.add(b.listed(), again)
	}},
	{"a field of a span that nobody knows", false, "", func(b *breaking) { b.span(anyTree)["x-note"] = b.one("7", "true") }},
	{"a number that is none in a field that nobody knows", true, "", func(b *breaking) {
		b.span(anyTree)["x-note"] = []any{json.Number(b.one("1.5", "1e2", "9007199254740992"))}
	}},
	{"no span at all", false, floor.OpCertify, func(b *breaking) { b.root["source"] = []any{} }},
	{"no span at all", false, floor.OpCompact, func(b *breaking) { b.root["spans"], b.root["summaries"] = []any{}, []any{} }},

	// Elements.
	{"an element id twice in a span", true, "", func(b *breaking) {
		span := b.original()
		appendElement(span, freshElement(elementsOf(span)[0]["id"].(string), "tone"))
	}},
	{"an element id twice in two spans", true, "", func(b *breaking) {
		id := b.element()["id"].(string)
		other := fresh("fresh-again", "message")
		appendElement(other, freshElement(id, "tone"))
		b.add(b.listed(), other)
	}},
	{"a match that nobody knows", true, "", func(b *breaking) { b.element()["match"] = b.one("fuzzy", "Exact", "", "folded ") }},
	{"an element without forms", false, "", func(b *breaking) { b.element()["forms"] = []any{} }},
	{"a form that is no text", true, "", func(b *breaking) {
		b.element()["forms"] = []any{"lift it", []any{nil, json.Number("3"), true, []any{}}[b.how%4]}
	}},
	{"lost on an element of an original", true, "", func(b *breaking) { b.element()["lost"] = b.how%2 == 0 }},
	{"lost on an element of a summary without lineage", false, "", func(b *breaking) {
		span, e := fresh("fresh-bare", "summary"), freshElement("fresh-3", "negation")
		e["lost"] = b.how%2 == 0
		appendElement(span, e)
		b.add(b.listed(), span)
	}},
	{"lost on an element of a message with lineage", false, "", func(b *breaking) {
		span, e := fresh("fresh-heir", "message"), freshElement("fresh-3", "negation")
		e["lost"] = true
		appendElement(span, e)
		span["lineage"] = tree{
			"generation": numeral(2), "ancestry_certified": false, "decision": "provisional",
			"effective": []any{tree{"class": "negation", "retained": numeral(0), "total": numeral(1)}},
		}
		b.add(b.listed(), span)
	}},
	{"a phrase in both lists", true, "", func(b *breaking) {
		e, form := b.formed()
		inverted, _ := e["inverted_forms"].([]any)
		e["inverted_forms"] = append(inverted, b.again(form, e["match"] == "exact"))
	}},
	{"a phrase in both lists of a decoy", true, floor.OpCertify, func(b *breaking) {
		e := b.decoy()
		e["forms"], e["inverted_forms"] = []any{"lift the lid"}, []any{b.again("lift the lid", e["match"] == "exact")}
	}},
	{"an exact phrase in the other list in capitals", false, "", func(b *breaking) {
		e := freshElement("fresh-4", "negation")
		e["match"], e["forms"], e["inverted_forms"] = "exact", []any{"Zed"}, []any{b.one("ZED", "zed", "Z ed")}
		span := fresh("fresh-zed", "message")
		appendElement(span, e)
		b.add(b.listed(), span)
	}},

	// Lineages.
	{"a generation out of range", true, "", func(b *breaking) {
		b.lineage()["generation"] = json.Number(b.one("-1", "2147483648", "1.0", "9007199254740992"))
	}},
	{"a decision that makes no summary", true, "", func(b *breaking) {
		b.lineage()["decision"] = b.one("refuse", "maybe", "", "Certified")
	}},
	{"a class twice in what is effective", true, "", func(b *breaking) {
		l, again := b.lineage(), tree{}
		for name, v := range b.effective() { // into a map again: the order does not matter
			again[name] = v
		}
		l["effective"] = append(l["effective"].([]any), any(again))
	}},
	{"more retained than there is", true, "", func(b *breaking) {
		e := b.effective()
		e["retained"], e["total"] = numeral(3), numeral(2)
	}},
	{"less than nothing retained", true, "", func(b *breaking) { b.effective()["retained"] = numeral(-1) }},
	{"less than nothing in total", true, "", func(b *breaking) {
		e := b.effective()
		e["retained"], e["total"] = numeral(-2), numeral(-1)
	}},
	{"what is effective disagrees with the elements", true, "", func(b *breaking) {
		e := b.effective()
		retained, total := mustInt(e["retained"]), mustInt(e["total"])
		switch {
		case b.how%3 == 0 && retained > 0:
			e["retained"] = numeral(retained - 1)
		case b.how%3 == 1 && retained < total:
			e["retained"] = numeral(retained + 1)
		case b.how%2 == 0: // the same fraction
			e["retained"], e["total"] = numeral(2*retained), numeral(2*max(total, 1))
		default:
			e["total"] = numeral(total + 1)
		}
	}},
	{"a class that has no element is held in part", true, "", func(b *breaking) {
		l := b.lineage()
		l["effective"] = append(l["effective"].([]any), any(tree{"class": "x-none", "retained": numeral(0), "total": numeral(1)}))
	}},
	{"a class that has no element is held in full", false, "", func(b *breaking) {
		l := b.lineage()
		l["effective"] = append(l["effective"].([]any), any(tree{"class": "x-none", "retained": numeral(0), "total": numeral(0)}))
	}},
	{"a lineage of elements that are not known", false, "", func(b *breaking) {
		span := b.inherited()
		delete(span, "elements")
	}},
	{"the last generation", false, "", func(b *breaking) { b.lastGeneration("2147483647") }},

	// Floors and classes.
	{"a floor out of range", true, "", func(b *breaking) { b.floors(json.Number(b.one("-1", "1001", "0.5", "1e2"))) }},
	{"a floor that is no number", true, "", func(b *breaking) { b.floors([]any{"700", true, nil, []any{}}[b.how%4]) }},
	{"a floor at the end of its range", false, "", func(b *breaking) { b.floors(json.Number(b.one("0", "1000"))) }},
	{"a class twice in a set", false, "", func(b *breaking) {
		required, _ := b.root["required_classes"].([]any)
		b.root["required_classes"] = append(required, "negation", "negation")
	}},
	{"a class that is no text", true, "", func(b *breaking) {
		b.root["required_classes"] = []any{"negation", []any{nil, json.Number("3"), true, tree{}}[b.how%4]}
	}},

	// Certify alone.
	{"a decoy id twice", true, floor.OpCertify, func(b *breaking) {
		b.add("decoys", freshElement(b.decoy()["id"].(string), "tone"))
	}},
	{"a decoy with the id of an element", true, floor.OpCertify, func(b *breaking) {
		b.add("decoys", freshElement(b.element()["id"].(string), "tone"))
	}},
	{"a decoy with the id of a span", false, floor.OpCertify, func(b *breaking) {
		b.root["source"] = []any{fresh("lone", "message")}
		b.root["decoys"] = []any{freshElement("lone", "tone")}
	}},
	{"lost on a decoy", true, floor.OpCertify, func(b *breaking) { b.decoy()["lost"] = b.how%2 == 0 }},
	{"a status that nobody knows", true, floor.OpCertify, func(b *breaking) { b.output()["status"] = b.one("done", "OK", "", "failed") }},
	{"a pin that is no text", true, floor.OpCertify, func(b *breaking) {
		b.output()["pins"] = []any{"", []any{nil, json.Number("3"), true, tree{"text": ""}}[b.how%4]}
	}},

	// Compact alone.
	{"a budget that is no whole number from 0 to 2^53", true, floor.OpCompact, func(b *breaking) {
		b.root["budget_tokens"] = json.Number(b.one("-1", "9007199254740992", "4.0", "4e2", "-9007199254740991"))
	}},
	{"a status that nobody knows", true, floor.OpCompact, func(b *breaking) { b.summary()["status"] = b.one("done", "OK", "", "failed") }},
	{"tokens of a summary out of range", true, floor.OpCompact, func(b *breaking) {
		b.summary()["tokens"] = json.Number(b.one("-1", "9007199254740992", "2.0"))
	}},
	{"a summary id twice", true, floor.OpCompact, func(b *breaking) {
		b.add("summaries", freshSummary(b.summary()["id"].(string)))
	}},
	{"a summary with the id of a span", false, floor.OpCompact, func(b *breaking) {
		id := b.span(anyTree)["id"]
		for _, m := range b.list("summaries") {
			if m["id"] == id {
				return
			}
		}
		b.add("summaries", freshSummary(id.(string)))
	}},
	{"a summary of nobody", true, floor.OpCompact, func(b *breaking) {
		b.add("summaries", freshSummary("fresh-n", "nobody"))
	}},
	{"a summary of an element", true, floor.OpCompact, func(b *breaking) {
		span := fresh("fresh-of", "message")
		appendElement(span, freshElement("fresh-e", "negation"))
		b.add("spans", span)
		b.add("summaries", freshSummary("fresh-n", "fresh-e"))
	}},
	{"a summary of a summary that is only proposed", true, floor.OpCompact, func(b *breaking) {
		b.add("summaries", freshSummary("fresh-n"))
		b.add("summaries", freshSummary("fresh-o", "fresh-n"))
	}},
	{"a span twice in a summary", true, floor.OpCompact, func(b *breaking) {
		b.add("spans", fresh("fresh-of", "message"))
		b.add("summaries", freshSummary("fresh-n", "fresh-of", "fresh-of"))
	}},
	{"a span in two summaries", true, floor.OpCompact, func(b *breaking) {
		b.add("summaries", freshSummary("fresh-n", b.covered()))
	}},
	{"a summary of no span", false, floor.OpCompact, func(b *breaking) { b.add("summaries", freshSummary("fresh-n")) }},
	{"a summary of the last generation", true, floor.OpCompact, func(b *breaking) {
		b.add("summaries", freshSummary("fresh-n", b.lastGeneration("2147483647")))
	}},
	{"a summary of the last generation but one", false, floor.OpCompact, func(b *breaking) {
		b.add("summaries", freshSummary("fresh-n", b.lastGeneration("2147483646")))
	}},
	{"more tokens than there may be", true, floor.OpCompact, func(b *breaking) { b.brim(2 + int64(b.how)) }},
	{"as many tokens as there may be", false, floor.OpCompact, func(b *breaking) { b.brim(0) }},
	{"a rider that is no whole number below 2^53", true, floor.OpCompact, func(b *breaking) {
		b.root["riders"] = tree{b.one("fluency_permille", "x-mood"): json.Number(b.one("0.5", "9007199254740992", "7e1"))}
	}},
	{"a rider of another type", false, floor.OpCompact, func(b *breaking) {
		b.root["riders"] = tree{b.one("fluency_permille", "source_tokens"): b.one("high", "7")}
	}},
	{"riders that are a list", true, floor.OpCompact, func(b *breaking) { b.root["riders"] = []any{} }},
}

func mustInt(v any) int64 {
	n, err := v.(json.Number).Int64()
	if err != nil {
		panic("gen: read our own number: " + err.Error())
	}
	return n
}
