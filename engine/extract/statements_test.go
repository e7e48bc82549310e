package extract_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/engine"
	"github.com/floorcheck/floorcheck/engine/extract"
	"github.com/floorcheck/floorcheck/floor"
)

// What is said another way is kept by the forms, and what says the opposite is
// told apart by the inverted forms.
func TestFormsAndTheirOpposites(t *testing.T) {
	tests := []struct {
		text     string
		class    floor.Class
		same     string // "" where nothing else keeps it
		opposite string // "" where nothing inverts it
	}{
		{"Do not drop the ledger table.", floor.Negation, "You must not drop the ledger table", "We drop the ledger table"},
		{"Don't call the customer, please.", floor.Negation, "never call the customer", "Call the customer."},
		{"The replica must not serve writes.", floor.Negation, "the replica may not serve writes", "The replica may serve writes"},
		{"Refunds are not allowed after Friday.", floor.Negation, "", "Refunds are allowed after Friday."},
		{"Migrate before you deploy.", floor.Ordering, "First migrate, then deploy", "Deploy before migrate"},
		{"First drain the node, then restart it.", floor.Ordering, "drain the node before you restart it", "first restart it, then drain the node"},
		{"You must rotate the key.", floor.Obligation, "We have to rotate the key", "You must not rotate the key"},
		{"The supplier has to deliver the annex.", floor.Obligation, "The supplier must deliver the annex", "the supplier need not deliver the annex"},
		{"Perhaps the clock drifts.", floor.Hypothesis, "maybe the clock drifts", ""},
		{"I think the cache is stale.", floor.Hypothesis, "possibly the cache is stale", ""},
		{"Pay the invoice only if the goods arrived.", floor.Constraint, "only Pay the invoice if the goods arrived", ""},
		{"If the load falls, scale down.", floor.Constraint, "scale down only if the load falls", ""},
		{"The migration is still open.", floor.Status, "the migration: open", "The migration is done"},
		{"The audit is done.", floor.Status, "The audit: done", "the audit is not yet done"},
		{"He wrote \"no later than noon\" in the note.", floor.Literal, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			found := extract.Extract(tt.text)
			i := slices.IndexFunc(found, func(f extract.Found) bool { return f.Class == tt.class })
			require.GreaterOrEqual(t, i, 0, "nothing of class %s in %v", tt.class, found)
			e := found[i].Element
			retain := func(text string) engine.Retention {
				elements, err := engine.NewElements([]floor.Element{e})
				require.NoError(t, err)
				return elements.Retain(nil, text)[0]
			}
			require.Equal(t, engine.Retained, retain(tt.text), "%+v", e)
			require.Equal(t, engine.Lost, retain("Nothing of that."), "%+v", e)
			if tt.same != "" {
				require.Equal(t, engine.Retained, retain(tt.same), "%+v", e)
			}
			if tt.opposite != "" {
				require.Equal(t, engine.Inverted, retain(tt.opposite), "%+v", e)
				require.Equal(t, engine.Contradictory, retain(tt.text+" "+tt.opposite), "%+v", e)
			}
		})
	}
}

// What is said in the same words and is none of it is left alone.
func TestWhatIsNotLoadBearing(t *testing.T) {
	for _, text := range []string{
		"I must say that this reads well.",
		"No problem, take all the time in the world.",
		"If you ask me, that was a good trip.",
		"Before long the others will join.",
		"What a lovely evening.",
	} {
		require.Empty(t, extract.Extract(text), text)
	}
}
