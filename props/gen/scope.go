package gen

import "github.com/floorcheck/floorcheck/floor"

// DecideScopeSize is the number of requests that DecideScope holds: 2^5 sets
// required, 2^5 certified, the ancestry flag, four conditions, and the
// generations 0, 1, 2 and 7.
const DecideScopeSize = 32 * 32 * 2 * 16 * 4

// DecideScope is the part of the decide requests that a check goes through
// whole, under ScopeLimits: drawn freely, plainly spelled, nothing riding
// along. A tape in it means the same case outside it.
func DecideScope() Scope {
	return Scope{
		"pressure":   {free},
		"conditions": {0},
		"scale":      {0, 1},
		"small":      {0, 1, 6},
		"spelling":   {0},
		"riders":     {0},
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

// freeLabels are choices that say which, not how much: they make no case
// bigger.
var freeLabels = []string{
	"class", "original", "back", "shape", "small", "power", "beside", "high", "low", "spared", "missing", "gone",
	"another theme", "extra", "repeated", "spelling", "permille value", "ratio permille", "total", "retained", "names", "floored",
}

// PlainLimits bound the plain cases that are gone through by weight.
func PlainLimits(p floor.Policy) Limits { return Limits{Policy: p, Classes: 2, Events: 4} }

// PlainByWeight enumerates the plainly drawn cases with at most this many
// choices that are not the plainest, under PlainLimits.
func PlainByWeight(k Kind, weight int) *Odometer {
	scope := Scope{
		"pressure":         {free},
		"conditions":       {0},
		"scale":            {0, 1},
		"small":            {0, 1},
		"spelling":         {0},
		"riders":           {0},
		"names":            {0},
		"another original": {0},
		"another theme":    {0, 1},
		"long run":         {0},
		"certificate":      {0},
		"fidelity":         {0, 1, 2, 3},
		"floors":           {0},
		"shape":            {0, 1, 2, 3},
		"another parent":   {0},
		"original":         {0},
	}
	return NewWeighedOdometer(scope, weight, freeLabels...)
}
