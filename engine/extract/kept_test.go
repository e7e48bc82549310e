package extract_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/engine"
	"github.com/floorcheck/floorcheck/engine/extract"
	"github.com/floorcheck/floorcheck/floor"
)

// A text keeps every element that was extracted from it, if it does not say the
// opposite as well; and no id is there twice.
func TestATextKeepsWhatWasExtracted(t *testing.T) {
	var x extract.Extractor
	ids := map[string]bool{}
	contradictory := 0
	for _, s := range samples(t) {
		contradictory += checkKept(t, &x, ids, s)
	}
	t.Logf("%d elements, of which the text says the opposite of %d as well", len(ids), contradictory)
	require.Greater(t, len(ids), 10_000)
	require.Less(t, contradictory, len(ids)/100)
}

// checkKept gives how many elements the text also says the opposite of.
func checkKept(t *testing.T, x *extract.Extractor, ids map[string]bool, s sample) (contradictory int) {
	t.Helper()
	text := s.text
	show := func(text string) string {
		if s.heldBack {
			return "(held back)"
		}
		return text
	}
	found := x.Extract(text)
	var list []floor.Element
	for _, f := range found {
		list = append(list, f.Element)
		require.False(t, ids[f.ID], "%s is there twice", f.ID)
		ids[f.ID] = true
		require.NotEmpty(t, f.Spans)
		for i, span := range f.Spans {
			require.True(t, 0 <= span.Start && span.Start < span.End && span.End <= len(text), "%v of %d bytes", span, len(text))
			require.True(t, i == 0 || f.Spans[i-1].Start <= span.Start, "%v", f.Spans)
			if exact := f.Class == floor.Identifier || f.Class == floor.Quantity; exact && text[span.Start:span.End] != f.Forms[0] {
				t.Fatalf("%s is not where it is said to be", show(f.Forms[0]))
			}
		}
	}
	elements, err := engine.NewElements(list)
	if err != nil {
		t.Fatalf("%v: %.400q", err, show(text))
	}
	for i, r := range elements.Retain(nil, text) {
		switch r {
		case engine.Retained:
		case engine.Contradictory:
			contradictory++
		default:
			t.Fatalf("%s %s: %.200q in %.400q", found[i].ID, r, show(found[i].Forms[0]), show(text))
		}
	}
	return contradictory
}

// An extractor that has read much gives what a new one gives, but for the
// numbers.
func TestAnExtractorForgets(t *testing.T) {
	var x extract.Extractor
	for _, text := range hostile(2000) {
		old, fresh := x.Extract(text), extract.Extract(text)
		require.Len(t, old, len(fresh))
		for i := range old {
			old[i].ID = fresh[i].ID
		}
		require.Equal(t, fresh, old)
	}
}
