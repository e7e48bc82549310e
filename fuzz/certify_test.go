package fuzz

import (
	"testing"

	"github.com/floorcheck/floorcheck/conform/reference"
	"github.com/floorcheck/floorcheck/props/gen"
)

// FuzzCertify looks for a certify request, well-formed or not, to which the
// engine gives another answer than the model, or panics.
func FuzzCertify(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) { agrees(t, data, gen.KindCertify, gen.KindBadCertify) })
}

// agrees compares the engine with the model on the kind that the second byte
// picks. Once in a while the rules look at it as well, with the twins of those
// that compare: that takes thirty times as long.
func agrees(t *testing.T, data []byte, kinds ...gen.Kind) {
	kind, judged := kinds[0], false
	if len(data) > 1 {
		kind, judged = kinds[int(data[1])%len(kinds)], data[1]>>1 == 0x30>>1
		data = append(data[:1:1], data[2:]...)
	}
	c := Decode(kind, data)
	s := reference.New(c.Policy)
	difference, err := Differ(t.Context(), s, c)
	if err != nil {
		t.Fatal(err)
	}
	if difference != "" {
		t.Fatalf("%s: %s", difference, spelled(c))
	}
	if !judged {
		return
	}
	if objecting, err := Objections(s, c); err != nil || len(objecting) > 0 {
		t.Fatalf("%v object to the engine (%v) on %s", objecting, err, spelled(c))
	}
}
