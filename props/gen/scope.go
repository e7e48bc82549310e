package gen

import (
	"maps"

	"github.com/floorcheck/floorcheck/floor"
)

// DecideScopeSize is the number of requests that DecideScope holds: 2^5 sets
// required, 2^5 certified, the ancestry flag, four conditions, and the
// generations 0, 1, 2 and 7.
const DecideScopeSize = 32 * 32 * 2 * 16 * 4

// DecideScope is the part of the decide requests that a check goes through
// whole, under ScopeLimits: drawn freely, plainly spelled, nothing riding
// along. A tape in it means the same case outside it.
func DecideScope() Scope {
	return Scope{
		"pressure":   {apart},
		"conditions": {0},
		"scale":      {0, 1},
		"small":      {0, 1, 6},
		"spelling":   {0},
		"riders":     {0},
		"before":     {0},
	}
}

// ScopeLimits are the limits of DecideScope.
func ScopeLimits(p floor.Policy) Limits { return Limits{Policy: p, Classes: 5} }

// DeriveScope is the part of the histories that a check goes through whole,
// under DeriveScopeLimits: up to two events over one class with the fidelities
// none, full, half and zero, every shape of inputs, every condition.
func DeriveScope() Scope {
	return Scope{
		"names":            {0},
		"another original": {0},
		"another theme":    {0},
		"long run":         {0},
		"conditions":       {0},
		"certificate":      {0},
		"fidelity":         {0, 1, 2, 3},
		"floors":           {0},
		"spelling":         {0},
		"shape":            {0, 2, 4},
	}
}

// DeriveScopeLimits are the limits of DeriveScope.
func DeriveScopeLimits(p floor.Policy) Limits { return Limits{Policy: p, Classes: 1, Events: 2} }

// DeriveScopeSize counts DeriveScope's histories. The number depends on the
// policy: a refused event has no children.
func DeriveScopeSize(p floor.Policy) int {
	o := NewOdometer(DeriveScope())
	n := 0
	for more := true; more; more = o.Next() {
		Derive(NewSource(o), DeriveScopeLimits(p))
		n++
	}
	return n
}

// price is what a choice adds to a case's size, at least. The plainest adds
// nothing, and neither do choices that say which, not how much.
func price(label string, v int) int {
	switch {
	case v == 0 || free[label]:
		return 0
	case label == "another event": // itself and its input
		return 2
	case label == "fidelity" && (v == 2 || v == 3 || v == 5): // an entry that is not full
		return 2
	case label == "shape" && v < 3: // one input instead of another
		return 0
	case label == "spelling" && v == 1: // another order
		return 0
	}
	return 1
}

var free = func() map[string]bool {
	labels := []string{
		"class", "original", "back", "small", "power", "beside", "high", "low", "spared", "missing", "gone",
		"another theme", "extra", "repeated", "permille value", "ratio permille", "total", "retained",
		"names", "floored", "floor", "figure", "finer", "by one", "up or down", "both", "before", "another before", "pressure",
		"place", "spoiled", "wrong", "number", "extra field", "history spoiled", "broken", "event", "input", "later", "same id",
		// Of requests about texts, what a text says is free: nobody may read it.
		"theme class", "kind", "unknown", "stray", "strayed", "lineage", "generation", "poisoned", "provisional", "gap", "class of", "lost",
		"draft", "word", "fate", "which", "where", "degenerate", "under", "budget", "token", "words spoiled", "breach", "at", "how",
	}
	set := make(map[string]bool, len(labels))
	for _, label := range labels {
		set[label] = true
	}
	return set
}()

// A NamedScope is a corner of the cases of a kind that is enumerated from its
// plainest case on, by cost.
type NamedScope struct {
	Name   string
	Kind   Kind
	Limits Limits
	Scope  Scope
}

// ByCost enumerates the scope's cases that cost at most this much. The size of
// a case is never below its cost.
func (n NamedScope) ByCost(most int) *Odometer {
	return &Odometer{scope: n.Scope, most: most, price: price}
}

// Scopes are the corners that are enumerated, plainest first. What a planted
// fault hides from all of them is named beside the fault.
func Scopes(p floor.Policy) []NamedScope {
	decide := func(changes Scope) Scope {
		return DecideScope().with(Scope{"scale": {0, 1}, "small": {0, 1, 6}}).with(changes)
	}
	derive := func(changes Scope) Scope {
		return DeriveScope().with(Scope{"shape": {0, 1, 2, 3}, "original": {0}, "another parent": {0}, "another floor": {0}}).with(changes)
	}
	ratios := []int{0, 70, 300, 970, 1000, 1100}
	permilles := []int{0, 100, 400, 700, 850, 1000}
	return append([]NamedScope{
		{"plain", KindDecide, Limits{Policy: p, Classes: 5}, decide(nil)},
		{"names", KindDecide, Limits{Policy: p, Classes: MostClasses}, decide(Scope{"scale": {0}})},
		{"spelled", KindDecide, Limits{Policy: p, Classes: 3}, decide(Scope{"scale": {0}, "spelling": {0, 1, 2}})},
		{"riders", KindDecide, Limits{Policy: p, Classes: 2}, decide(Scope{
			"riders": {0, 1}, "figure": {0, 1}, "small": {0, 6}, "ratio permille": ratios, "permille value": permilles})},
		{"before", KindDecide, Limits{Policy: p, Classes: 2}, decide(Scope{"scale": {0}, "before": {0, 1}})},
		{"plain", KindDerive, Limits{Policy: p, Classes: 1, Events: 4}, derive(nil)},
		{"two classes", KindDerive, Limits{Policy: p, Classes: 2, Events: 3}, derive(Scope{"another theme": {0, 1}})},
		{"fractions", KindDerive, Limits{Policy: p, Classes: 1, Events: 3}, derive(Scope{
			"fidelity": {0, 1, 2, 3, 4, 6}, "total": {0, 1, 2, 3}})},
		{"floors", KindDerive, Limits{Policy: p, Classes: 2, Events: 2}, derive(Scope{
			"floors": {0, 1}, "permille value": {0, 500}, "another theme": {0, 1}})},
		{"inputs", KindDerive, Limits{Policy: p, Classes: 1, Events: 2}, derive(Scope{
			"shape": {0, 1, 2, 3, 4}, "another original": {0, 1}, "original": {0, 1}, "spelling": {0, 1, 2}, "names": {0, 1}})},
		{"bad", KindBadDecide, Limits{Policy: p, Classes: 1}, decide(Scope{
			"scale": {0}, "riders": {0, 1}, "figure": {0}, "ratio permille": {0}, "permille value": {0}})},
		{"bad", KindBadDerive, Limits{Policy: p, Classes: 1, Events: 2}, derive(Scope{"floors": {0, 1}, "floor": {0}})},
	}, textScopes(p)...)
}

// DeepScopes are corners that are narrow and deep: histories of four events
// over one class, every flag off, in a line or merged at will. They are gone
// through whole.
func DeepScopes(p floor.Policy) []NamedScope {
	deep := func(changes Scope) Scope {
		off := Scope{"recoverable": {0}, "strict": {0}, "chaining": {0}, "side effects": {0}, "fidelity": {0, 1}, "original": {0}, "shape": {0}}
		return DeriveScope().with(off).with(changes)
	}
	limits := Limits{Policy: p, Classes: 1, Events: 4}
	return []NamedScope{
		{"line", KindDerive, limits, deep(nil)},
		{"merges", KindDerive, limits, deep(Scope{"shape": {0, 2, 3}, "required": {0, 1}})},
	}
}

// with is the scope with some labels bounded otherwise.
func (s Scope) with(changes Scope) Scope {
	out := maps.Clone(s)
	maps.Copy(out, changes)
	return out
}
