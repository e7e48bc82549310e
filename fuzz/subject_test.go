package fuzz

import (
	"os"
	"testing"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/mutant"
	"github.com/floorcheck/floorcheck/conform/reference"
	"github.com/floorcheck/floorcheck/floor"
)

// FuzzSubject looks for any case on which a rule objects to the subject that
// FLOORCHECK_SUBJECT names: a mutant's id, or nothing for the reference. It is
// the coverage-guided driver of make strength.
func FuzzSubject(f *testing.F) {
	id := os.Getenv("FLOORCHECK_SUBJECT")
	var s conform.Subject = reference.New(floor.Guard)
	if id != "" {
		m, ok := mutant.Lookup(id)
		if !ok {
			f.Fatalf("FLOORCHECK_SUBJECT: there is no mutant %q", id)
		}
		s = m.New(floor.Guard)
	}
	cases := 0 // of this worker
	f.Fuzz(func(t *testing.T, data []byte) {
		cases++
		c := DecodeFor(s.Hello(), data)
		objecting, err := Objections(s, c)
		if err != nil {
			t.Fatal(err)
		}
		if len(objecting) > 0 {
			t.Fatalf("killed after %d cases by %v on %s", cases, objecting, spelled(c))
		}
	})
}
