package suite_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/props/gen"
)

// No case is smaller than the cheapest choices that make it: the enumeration by
// cost leaves nothing out that is smaller than where it has come to.
func TestCostIsALowerBoundOfSize(t *testing.T) {
	for _, scope := range gen.Scopes(floor.Guard) {
		if scope.Kind.Bad() {
			continue
		}
		most := 4
		if scope.Kind == gen.KindCertify || scope.Kind == gen.KindCompact {
			most = 2
		}
		type priced struct{ cost, size int }
		cheapest := map[string]priced{}
		for o, more := scope.ByCost(most), true; more; more = o.Next() {
			c := scope.Kind.Draw(gen.NewSource(o), scope.Limits)
			data, err := json.Marshal(c)
			require.NoError(t, err)
			if before, met := cheapest[string(data)]; !met || o.Cost() < before.cost {
				cheapest[string(data)] = priced{o.Cost(), conform.Size(c)}
			}
		}
		for c, p := range cheapest {
			require.LessOrEqual(t, p.cost, p.size, "%s %s: %s", scope.Kind, scope.Name, c)
		}
	}
}
