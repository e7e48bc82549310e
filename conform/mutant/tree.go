package mutant

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// Ways through the JSON of a request that may be of any shape. What is not of
// the shape that is looked for is passed over, and stays as bad as it is.

func encode(tree any) json.RawMessage {
	text, err := json.Marshal(tree)
	if err != nil {
		panic(fmt.Sprintf("mutant: what was read cannot be written: %v", err))
	}
	return text
}

func objects(v any) []map[string]any {
	var out []map[string]any
	items, _ := v.([]any)
	for _, item := range items {
		o, ok := item.(map[string]any)
		if !ok {
			o = map[string]any{} // keeps its place; what is written to it is lost
		}
		out = append(out, o)
	}
	return out
}

func asList(objects []map[string]any) []any {
	out := []any{}
	for _, o := range objects {
		out = append(out, o)
	}
	return out
}

func texts(v any) []string {
	var out []string
	items, _ := v.([]any)
	for _, item := range items {
		text, _ := item.(string)
		out = append(out, text)
	}
	return out
}

// idsOf lists the ids of the events in their order.
func idsOf(in map[string]any) []string {
	var ids []string
	for _, e := range objects(in["events"]) {
		id, _ := e["id"].(string)
		ids = append(ids, id)
	}
	return ids
}

// eachFlag visits the four conditions, those that are not there too.
func eachFlag(op floor.Op, in map[string]any, visit func(holder map[string]any, name string, there bool)) {
	holders := []map[string]any{in}
	if op == floor.OpDerive {
		holders = objects(in["events"])
	}
	for _, holder := range holders {
		for _, name := range []string{"source_recoverable", "consumer_strict", "chaining_risk", "side_effect_cost_exceeds_refusal"} {
			_, there := holder[name]
			visit(holder, name, there)
		}
	}
}

// eachList visits the fields that should be lists.
func eachList(op floor.Op, in map[string]any, visit func(holder map[string]any, name string)) {
	if op == floor.OpDecide {
		if contract, ok := in["contract"].(map[string]any); ok {
			visit(contract, "required_classes")
			visit(contract, "certified_classes")
		}
		return
	}
	visit(in, "originals")
	visit(in, "events")
	for _, e := range objects(in["events"]) {
		visit(e, "inputs")
		visit(e, "required_classes")
		visit(e, "certificate")
	}
}

// eachEntry visits the entries of the certificates.
func eachEntry(in map[string]any, visit func(entry map[string]any)) {
	for _, e := range objects(in["events"]) {
		for _, entry := range objects(e["certificate"]) {
			visit(entry)
		}
	}
}

// eachFloor visits the floors of the events.
func eachFloor(in map[string]any, visit func(floors map[string]any, class string)) {
	for _, e := range objects(in["events"]) {
		floors, _ := e["floors_permille"].(map[string]any)
		for class := range floors {
			visit(floors, class)
		}
	}
}

// eachNumber replaces what stands where the protocol wants a number.
func eachNumber(op floor.Op, in map[string]any, replace func(any) any) {
	at := func(holder map[string]any, name string) {
		if v, there := holder[name]; there {
			holder[name] = replace(v)
		}
	}
	if contract, ok := in["contract"].(map[string]any); ok && op == floor.OpDecide {
		at(contract, "generation")
	}
	eachEntry(in, func(entry map[string]any) {
		at(entry, "retained")
		at(entry, "total")
	})
	eachFloor(in, at)
}

// replaceNumbers replaces every number below v.
func replaceNumbers(v any, replace func(json.Number) json.Number) any {
	switch v := v.(type) {
	case json.Number:
		return replace(v)
	case []any:
		for i := range v {
			v[i] = replaceNumbers(v[i], replace)
		}
	case map[string]any:
		for name := range v {
			v[name] = replaceNumbers(v[name], replace)
		}
	}
	return v
}

func number(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

func integer(v any) (int64, bool) {
	text, ok := v.(json.Number)
	n, err := strconv.ParseInt(string(text), 10, 64)
	return n, ok && err == nil
}

// bounded brings a number between least and most.
func bounded(holder map[string]any, name string, least, most int64) {
	if n, ok := integer(holder[name]); ok {
		holder[name] = number(min(max(n, least), most))
	}
}

func fill(holder map[string]any, name string, v any) {
	if _, there := holder[name]; !there && holder != nil {
		holder[name] = v
	}
}

func dropNull(holder map[string]any, name string) {
	if v, there := holder[name]; there && v == nil {
		delete(holder, name)
	}
}

// strike leaves only the named fields.
func strike(holder map[string]any, but ...string) {
	for name := range holder {
		if !slices.Contains(but, name) {
			delete(holder, name)
		}
	}
}

// lowerNames writes names in lower case, where that is no name yet.
func lowerNames(holder map[string]any) {
	var names []string
	for name := range holder {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		lower := strings.ToLower(name)
		if _, there := holder[lower]; !there {
			holder[lower] = holder[name]
			delete(holder, name)
		}
	}
}

// onePerClass leaves one entry for each class of a certificate.
func onePerClass(in map[string]any, last bool) {
	for _, e := range objects(in["events"]) {
		var kept []map[string]any
		for _, entry := range objects(e["certificate"]) {
			class, _ := entry["class"].(string)
			same := func(other map[string]any) bool { name, ok := other["class"].(string); return ok && name == class }
			switch i := slices.IndexFunc(kept, same); {
			case i < 0:
				kept = append(kept, entry)
			case last:
				kept[i] = entry
			}
		}
		if _, isList := e["certificate"].([]any); isList {
			e["certificate"] = asList(kept)
		}
	}
}

// addOriginal names a new original.
func addOriginal(in map[string]any) string {
	id := fresh(in)
	if originals, ok := in["originals"].([]any); ok {
		in["originals"] = append(originals, id)
	}
	return id
}

// fresh is an id that no original, event or input has.
func fresh(in map[string]any) string {
	used := slices.Concat(texts(in["originals"]), idsOf(in))
	for _, e := range objects(in["events"]) {
		used = append(used, texts(e["inputs"])...)
	}
	id := "new"
	for slices.Contains(used, id) {
		id += "'"
	}
	return id
}

// mapOf is a copy of an object, its values shared.
func mapOf(in map[string]any) map[string]any {
	out := map[string]any{}
	for name, v := range in {
		out[name] = v
	}
	return out
}
