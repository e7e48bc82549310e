package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/docs"
	"github.com/floorcheck/floorcheck/model"
	"github.com/floorcheck/floorcheck/props/suite"
)

var (
	ruleID    = regexp.MustCompile("`([a-z]+/[a-z-]+)`( \\(brought by issue \"[^\"]+\"\\))?")
	noRule    = regexp.MustCompile(`no rule: .{3,}`)
	families  = []string{"certify", "compact", "reduce", "session"} // of later issues
	numbering = regexp.MustCompile(`^([ABW])-(\d\d)$`)
)

// Every requirement is settled by rules, by the issue that brings them, or by a
// stated reason; and by nothing that does not exist.
func TestEveryRequirementIsSettled(t *testing.T) {
	requirements := docs.ParseRequirements()
	require.Greater(t, len(requirements), 100)
	next := map[string]int{}
	for _, q := range requirements {
		number := numbering.FindStringSubmatch(q.ID)
		require.NotNil(t, number, q.ID)
		next[number[1]]++
		require.Equal(t, number[2], leading(next[number[1]]), "%s: numbers run without a gap", q.ID)
		require.NotEmpty(t, q.Text, q.ID)
		require.NotEmpty(t, q.Source, q.ID)
		cited := ruleID.FindAllStringSubmatch(q.Settled, -1)
		if len(cited) == 0 {
			require.Regexp(t, noRule, q.Settled, "%s: neither a rule nor a reason", q.ID)
		}
		for _, c := range cited {
			family, _, _ := strings.Cut(c[1], "/")
			_, built := model.Lookup(c[1])
			later := slices.Contains(families, family)
			require.True(t, built || later, "%s: there is no rule %s", q.ID, c[1])
			require.Equal(t, !built, c[2] != "", "%s: %s is brought by an issue exactly when it is not built", q.ID, c[1])
		}
	}
}

func leading(n int) string {
	if n < 10 {
		return "0" + string(rune('0'+n))
	}
	return string(rune('0'+n/10)) + string(rune('0'+n%10))
}

// Every rule cites a requirement, which names it in turn.
func TestEveryRuleCitesARequirement(t *testing.T) {
	settled := map[string]string{}
	for _, q := range docs.ParseRequirements() {
		settled[q.ID] = q.Settled
	}
	for _, r := range model.Rules() {
		require.Contains(t, settled, r.Needs, "%s cites what is not there", r.ID)
		require.Contains(t, settled[r.Needs], "`"+r.ID+"`", "%s does not name %s", r.Needs, r.ID)
	}
}

// docs/rules.md is what make docs writes.
func TestRulesPageIsGenerated(t *testing.T) {
	rules, _ := selection{}.rules(suite.Ops)
	var want bytes.Buffer
	require.NoError(t, rulesPage(&want, rules))
	got, err := os.ReadFile(filepath.Join("..", "..", "docs", "rules.md"))
	require.NoError(t, err)
	require.Equal(t, want.String(), string(got), "run make docs")
}

// Every rule can be explained, with a case that it objects to.
func TestEveryRuleIsExplained(t *testing.T) {
	for _, r := range model.Rules() {
		t.Run(r.ID, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, explain(&out, r))
			require.Contains(t, out.String(), "requirement "+r.Needs)
			require.Contains(t, out.String(), "the rule   wants ")
		})
	}
}
