package extract_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/engine/extract"
	"github.com/floorcheck/floorcheck/floor"
)

// A labelled message is one of testdata/labelled.json; its README says how they
// were labelled.
type labelledMessage struct {
	ID       string  `json:"id"`
	Part     string  `json:"part"`
	Text     string  `json:"text"`
	Elements []label `json:"elements"`
}

type label struct {
	Class floor.Class `json:"class"`
	Text  string      `json:"text"`
	Form  string      `json:"form"`
	Doubt bool        `json:"doubt"`
}

const tune, heldBack = "tune", "held-back"

func labelled(t testing.TB) []labelledMessage {
	t.Helper()
	data, err := os.ReadFile("testdata/labelled.json")
	require.NoError(t, err)
	var file struct {
		Messages []labelledMessage `json:"messages"`
	}
	require.NoError(t, json.Unmarshal(data, &file))
	require.NotEmpty(t, file.Messages)
	return file.Messages
}

// A score counts labels and what was extracted. Doubtful labels are neither
// demanded nor false.
type score struct{ found, demanded, right, wrong int }

func (s score) recall() float64    { return ratio(s.found, s.demanded) }
func (s score) precision() float64 { return ratio(s.right, s.right+s.wrong) }

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

var (
	misses = flag.Bool("misses", false, "print what is missed and invented in the messages that are not held back")
	update = flag.Bool("update", false, "write the table of docs/extraction.md")
)

// TestScore measures what is extracted against labels made by hand. The scores
// of both parts are printed; the messages that were held back are counted and
// not shown. A name or figure is found when one of its forms is the label's
// text or form; what else is said, when the label and the clause share at least
// half of either. The page has the same figures.
func TestScore(t *testing.T) {
	scores := map[floor.Class]map[string]score{}
	for _, m := range labelled(t) {
		for class, s := range scored(t, m) {
			if scores[class] == nil {
				scores[class] = map[string]score{}
			}
			sum := scores[class][m.Part]
			scores[class][m.Part] = score{sum.found + s.found, sum.demanded + s.demanded, sum.right + s.right, sum.wrong + s.wrong}
		}
	}
	var table strings.Builder
	table.WriteString("| class | recall, tune | precision, tune | recall, held back | precision, held back |\n| --- | --- | --- | --- | --- |\n")
	for _, class := range everyClass {
		fmt.Fprintf(&table, "| %s |", class)
		for _, part := range []string{tune, heldBack} {
			s := scores[class][part]
			t.Logf("%-10s %-9s recall %.2f of %3d, precision %.2f of %3d", class, part, s.recall(), s.demanded, s.precision(), s.right+s.wrong)
			fmt.Fprintf(&table, " %.2f of %d | %.2f of %d |", s.recall(), s.demanded, s.precision(), s.right+s.wrong)
			require.Positive(t, s.demanded, "%s, %s", class, part)
			if class == floor.Identifier || class == floor.Quantity {
				require.GreaterOrEqual(t, s.recall(), 0.9, "%s, %s", class, part)
			}
		}
		table.WriteByte('\n')
	}
	compareTable(t, filepath.Join("..", "..", "docs", "extraction.md"), table.String())
}

// compareTable demands that the first table of a page is this one.
func compareTable(t *testing.T, page, table string) {
	t.Helper()
	data, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(data), "\n\n|")
	require.True(t, found, "%s has no table", page)
	old, after, found := strings.Cut(rest, "\n\n")
	require.True(t, found, "nothing stands behind the table of %s", page)
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(before+"\n\n"+table+"\n"+after), 0o644))
		return
	}
	require.Equal(t, table, "|"+old+"\n", "go test ./engine/extract -update writes it")
}

var everyClass = []floor.Class{
	floor.Identifier, floor.Quantity, floor.Negation, floor.Ordering, floor.Obligation, floor.Hypothesis, floor.Constraint, floor.Status, floor.Literal,
}

// scored compares one message.
func scored(t *testing.T, m labelledMessage) map[floor.Class]score {
	show := func(what string, class floor.Class, text string) {
		if m.Part == tune && *misses {
			t.Logf("%s %s %s: %q", m.ID, what, class, text)
		}
	}
	found := extract.Extract(m.Text)
	scores := map[floor.Class]score{}
	for _, l := range m.Elements {
		if l.Doubt {
			continue
		}
		s := scores[l.Class]
		s.demanded++
		hit := false
		for _, f := range found {
			hit = hit || f.Class == l.Class && hits(m.Text, f, l)
		}
		if hit {
			s.found++
		} else {
			show("misses", l.Class, l.Text)
		}
		scores[l.Class] = s
	}
	for _, f := range found {
		right, doubtful := false, false
		for _, l := range m.Elements {
			if hits(m.Text, f, l) {
				right = right || !l.Doubt && f.Class == l.Class
				doubtful = doubtful || l.Doubt
			}
		}
		s := scores[f.Class]
		switch {
		case right:
			s.right++
		case !doubtful:
			s.wrong++
			show("invents", f.Class, f.Forms[0])
		}
		scores[f.Class] = s
	}
	return scores
}

// hits tells whether what was found is what a label says.
func hits(text string, f extract.Found, l label) bool {
	if exact := f.Class == floor.Identifier || f.Class == floor.Quantity; exact {
		for _, form := range f.Forms {
			if same(form, l.Text) || l.Form != "" && same(form, l.Form) {
				return true
			}
		}
		return false
	}
	for from := 0; ; {
		at := strings.Index(text[from:], l.Text)
		if at < 0 {
			return false
		}
		start, end := from+at, from+at+len(l.Text)
		for _, s := range f.Spans {
			if shared := min(end, s.End) - max(start, s.Start); 2*shared >= max(end-start, s.End-s.Start) {
				return true
			}
		}
		from = end
	}
}

// same compares without the period at an end and the brackets of a call.
func same(a, b string) bool {
	bare := func(s string) string {
		return strings.TrimSuffix(strings.TrimRight(strings.Join(strings.Fields(s), " "), "."), "()")
	}
	return bare(a) == bare(b)
}
