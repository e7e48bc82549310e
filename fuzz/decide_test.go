package fuzz

import (
	"testing"

	"github.com/floorcheck/floorcheck/conform/reference"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/props/gen"
)

// FuzzDecide looks for a decide request, well-formed or not, on which a rule
// objects to the engine.
func FuzzDecide(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) { holds(t, data, gen.KindDecide, gen.KindBadDecide) })
}

// holds judges the engine on the kind that the second byte picks.
func holds(t *testing.T, data []byte, kinds ...gen.Kind) {
	kind := kinds[0]
	if len(data) > 1 {
		kind = kinds[int(data[1])%len(kinds)]
		data = append(data[:1:1], data[2:]...)
	}
	c := Decode(kind, data)
	objecting, err := Objections(reference.New(c.Policy), c)
	if err != nil {
		t.Fatal(err)
	}
	if len(objecting) > 0 {
		t.Fatalf("%v object to the engine on %s", objecting, spelled(c))
	}
}

func spelled(c floor.Case) string {
	data, err := c.MarshalJSON()
	if err != nil {
		return err.Error()
	}
	return string(data)
}
