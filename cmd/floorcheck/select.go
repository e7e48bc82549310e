package main

import (
	"path"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
	"github.com/floorcheck/floorcheck/props/suite"
)

// A selection is which rules a run judges.
type selection struct {
	run, skip, levels []string
}

// levels are the ops that rules judge here.
var levels = func() (names []string) {
	for _, op := range suite.Ops {
		names = append(names, string(op))
	}
	return names
}()

// check looks at the selection alone, before anything is started.
func (s selection) check() error {
	for _, level := range s.levels {
		if !slices.Contains(levels, level) {
			return usage(meant(level, levels), "there is no level %q here; levels are %s", level, strings.Join(levels, ", "))
		}
	}
	for _, pattern := range slices.Concat(s.run, s.skip) {
		if _, err := path.Match(strings.ReplaceAll(pattern, "**", "*"), ""); err != nil {
			return usage("* stands for one component, ** for any", "pattern %q: %v", pattern, err)
		}
		if !slices.ContainsFunc(model.Rules(), func(r model.Rule) bool { return matches(pattern, r.ID) }) {
			return usage(meantRule(pattern), "pattern %q matches no rule", pattern)
		}
	}
	return nil
}

// rules are those that are selected for a subject which claims ops; unclaimed
// are those of levels that it does not.
func (s selection) rules(ops []floor.Op) (selected, unclaimed []model.Rule) {
	for _, r := range model.Rules() {
		if !s.takes(r) {
			continue
		}
		if r.Op == "" || slices.Contains(ops, r.Op) {
			selected = append(selected, r)
		} else {
			unclaimed = append(unclaimed, r)
		}
	}
	return selected, unclaimed
}

func (s selection) takes(r model.Rule) bool {
	if len(s.levels) > 0 && r.Op != "" && !slices.Contains(s.levels, string(r.Op)) {
		return false
	}
	match := func(pattern string) bool { return matches(pattern, r.ID) }
	return (len(s.run) == 0 || slices.ContainsFunc(s.run, match)) && !slices.ContainsFunc(s.skip, match)
}

// ops are those that have to be asked for the levels and the rules.
func (s selection) ops(claimed []floor.Op, rules []model.Rule) (out []floor.Op) {
	for _, op := range claimed {
		if !slices.Contains(levels, string(op)) {
			continue // the protocol names it, and this version does not test it
		}
		named := len(s.levels) == 0 || slices.Contains(s.levels, string(op))
		judged := slices.ContainsFunc(rules, func(r model.Rule) bool { return r.Op == op || r.Op == "" })
		if named && judged {
			out = append(out, op)
		}
	}
	return out
}

// matches compares a pattern with a rule's id: * is anything within one
// component, ** any components.
func matches(pattern, id string) bool {
	return matchParts(strings.Split(pattern, "/"), strings.Split(id, "/"))
}

func matchParts(pattern, id []string) bool {
	switch {
	case len(pattern) == 0:
		return len(id) == 0
	case pattern[0] == "**":
		return matchParts(pattern[1:], id) || len(id) > 0 && matchParts(pattern, id[1:])
	case len(id) == 0:
		return false
	}
	ok, err := path.Match(pattern[0], id[0])
	return err == nil && ok && matchParts(pattern[1:], id[1:])
}

func ruleIDs() []string {
	var out []string
	for _, r := range model.Rules() {
		out = append(out, r.ID)
	}
	return out
}

// meantRule is a hint for a rule or a pattern that there is not.
func meantRule(word string) string {
	family, _, _ := strings.Cut(word, "/")
	switch {
	case meant(word, ruleIDs()) != "":
		return meant(word, ruleIDs())
	case word == family && slices.Contains(levels, word):
		return "did you mean '" + word + "/**'?"
	case slices.Contains(levels, family):
		return "floorcheck rules --run '" + family + "/**' lists those of " + family
	}
	return "floorcheck rules lists them"
}

// meant is a hint for a word that was probably mistyped.
func meant(word string, known []string) string {
	if near := nearest(word, known); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}

// nearest finds the known word that needs the fewest changes; "" when none is
// near.
func nearest(word string, known []string) string {
	best, least := "", max(3, len(word)/3)
	for _, k := range known {
		if d := levenshtein.ComputeDistance(word, k); d < least {
			best, least = k, d
		}
	}
	return best
}
