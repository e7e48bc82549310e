package history

import (
	"maps"
	"slices"
	"testing"

	"github.com/floorcheck/floorcheck/engine"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/props/gen"
)

// bands are the shares of histories in which something is so at least once, in
// percent.
var bands = map[string][2]int{
	"a plan is certified":               {40, 80},
	"provisional":                       {25, 70},
	"a refusal":                         {25, 70},
	"a no-op":                           {25, 70},
	"four steps or five":                {25, 70},
	"a summary of generation 3 or more": {10, 50},
	"certified through 2 generations or more":    {10, 50},
	"certified through 3 generations or more":    {2, 30},
	"summaries are merged":                       {5, 40},
	"a summary and an original are merged":       {20, 70},
	"new originals between steps":                {50, 98},
	"a class is first required late":             {20, 70},
	"which stops a certificate":                  {3, 40},
	"a certificate below full":                   {5, 40},
	"just the budget of the plan":                {30, 97},
	"a poisoned summary stands":                  {15, 60},
	"unknown elements stand":                     {8, 50},
	"elements that no request tells of":          {10, 60},
	"a lost element is named again":              {4, 40},
	"the contract holds less than the decision":  {5, 50},
	"an original does not say what it holds":     {4, 40},
	"a runtime lost something of a summary":      {5, 40},
	"hostile words":                              {15, 50},
	"the joint policy":                           {10, 40},
	"all that is required is certified at last":  {10, 60},
	"nothing that is required is certified last": {10, 60},
}

// Histories come in every kind often enough.
func TestSpread(t *testing.T) {
	seen, n := map[string]int{}, 4000
	seeded(n, engine.CompactSpans, func(_ int, _ *gen.Source, h *History) bool {
		for name, so := range traits(h) {
			if _, known := bands[name]; !known {
				t.Fatalf("there is no band for %q", name)
			}
			if so {
				seen[name]++
			}
		}
		return true
	})
	for _, name := range slices.Sorted(maps.Keys(bands)) {
		percent, band := 100*float64(seen[name])/float64(n), bands[name]
		t.Logf("%-50s %5.1f %% (%d to %d)", name, percent, band[0], band[1])
		if percent < float64(band[0]) || percent > float64(band[1]) {
			t.Errorf("%s: %.1f %% is not within %d and %d", name, percent, band[0], band[1])
		}
	}
}

func traits(h *History) map[string]bool {
	so := map[string]bool{
		"hostile words": h.Hostile, "the joint policy": h.Policy == floor.Joint, "four steps or five": len(h.Steps) > 3,
	}
	set := func(name string, yes bool) { so[name] = so[name] || yes }
	for _, e := range h.entries() {
		set("an original does not say what it holds", !e.Said)
		set("elements that no request tells of", !e.told)
	}
	var before []floor.Span
	required := map[floor.Class]bool{}
	for i := range h.Steps {
		in, out := h.Steps[i].In, &h.Steps[i].Out
		spans, cost := map[string]*floor.Span{}, int64(0)
		fresh, late := 0, map[floor.Class]bool{}
		for j := range in.Spans {
			s := &in.Spans[j]
			spans[s.ID] = s
			old := slices.IndexFunc(before, func(b floor.Span) bool { return b.ID == s.ID })
			if s.Kind != floor.KindSummary {
				if old < 0 {
					fresh++
				}
				set("unknown elements stand", s.Elements == nil)
				continue
			}
			l := s.Lineage
			set("a poisoned summary stands", l == nil || !l.AncestryCertified || l.Decision != floor.Certified)
			set("a runtime lost something of a summary", old >= 0 && spelled(before[old].Lineage) != spelled(l))
		}
		set("new originals between steps", i > 0 && fresh > 0)
		for _, class := range in.Required {
			late[class] = i > 0 && !required[class]
			set("a class is first required late", late[class])
			required[class] = true
		}
		switch {
		case out.Decision == floor.Refuse:
			set("a refusal", true)
		case out.Decision == floor.Provisional:
			set("provisional", true)
		case len(out.Evicted) > 0:
			set("a plan is certified", true)
		default:
			set("a no-op", true)
		}
		if before = in.Spans; out.Contract == nil {
			continue
		}
		under := map[string][]*floor.Span{}
		for _, e := range out.Evicted {
			under[e.Summary] = append(under[e.Summary], spans[e.Span])
		}
		before = slices.Clone(in.Spans)
		for _, part := range out.Output {
			summaries := 0
			for _, s := range under[part.Summary] {
				if s.Kind == floor.KindSummary {
					summaries++
				}
				for _, e := range s.Elements {
					form, _ := byModel(e, []string{part.Text})
					set("a lost element is named again", e.Lost != nil && *e.Lost && form)
				}
			}
			set("summaries are merged", summaries > 1)
			set("a summary and an original are merged", summaries > 0 && summaries < len(under[part.Summary]))
			if part.Kind == floor.PartSpan {
				cost += spans[part.Span].Tokens
				continue
			}
			at := slices.IndexFunc(in.Summaries, func(m floor.Summary) bool { return m.ID == part.Summary })
			cost += in.Summaries[at].Tokens
			before = append(before, floor.Span{ID: part.Summary, Lineage: part.Lineage})
			set("a summary of generation 3 or more", part.Lineage.Generation > 2)
		}
		set("just the budget of the plan", cost == in.BudgetTokens && len(out.Evicted) > 0)
		for _, class := range in.Required {
			certified := slices.Contains(out.Contract.Certified, class)
			set("certified through 2 generations or more", certified && class != "tone" && out.Contract.Generation > 1)
			set("certified through 3 generations or more", certified && class != "tone" && out.Contract.Generation > 2)
			set("which stops a certificate", !certified && late[class] && out.Contract.AncestryCertified)
			permille, given := in.FloorsPermille[class]
			set("a certificate below full", certified && given && permille < floor.MaxPermille && out.Contract.Generation > 0)
		}
		set("the contract holds less than the decision", out.Decision == floor.Certified && len(out.Evicted) > 0 &&
			len(out.Contract.Certified) < len(in.Required))
		if i == len(h.Steps)-1 && len(in.Required) > 0 && out.Contract.Generation > 0 {
			set("all that is required is certified at last", len(out.Contract.Certified) == len(in.Required))
			set("nothing that is required is certified last", len(out.Contract.Certified) == 0)
		}
	}
	return so
}
