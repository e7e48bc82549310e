// Your decision under test:  go test .
//
// Replace the body of decide by a call to your own code. Requests arrive
// checked; a refusal is a result, not an error.
package floorcheck_test

import (
	"slices"
	"testing"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/props"
)

func decide(in *floor.DecideIn) (floor.DecideOut, error) {
	contract := in.Contract
	missing := slices.DeleteFunc(slices.Clone(contract.Required), func(class floor.Class) bool {
		return slices.Contains(contract.Certified, class)
	})
	dangerous := in.ConsumerStrict || in.ChainingRisk || in.SideEffectCostExceedsRefusal
	switch {
	case contract.AncestryCertified && len(missing) == 0:
		return floor.DecideOut{Decision: floor.Certified}, nil
	case in.SourceRecoverable || !dangerous:
		return floor.DecideOut{Decision: floor.Provisional}, nil
	}
	return floor.DecideOut{
		Decision:          floor.Refuse,
		MissingClasses:    missing,
		Generation:        &contract.Generation,
		AncestryCertified: &contract.AncestryCertified,
	}, nil
}

func TestFloor(t *testing.T) {
	props.Run(t, conform.InProcess(conform.Hello{Name: "my-compactor", Version: "0.1", Language: "go"}, conform.Funcs{Decide: decide}))
}
