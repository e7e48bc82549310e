package engine

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

// known gives elements in a form that says they are all there are.
func known(list ...floor.Element) []floor.Element { return append([]floor.Element{}, list...) }

// certifiable is a source of two identifiers, a negation and a quantity, and a
// delivery that keeps them.
func certifiable() *floor.CertifyIn {
	return &floor.CertifyIn{
		Source: []floor.Span{
			{ID: "s1", Kind: floor.KindMessage, Role: floor.User, Text: "…", Elements: known(
				floor.Element{ID: "x1", Class: floor.Identifier, Forms: []string{"A-17"}, Match: floor.Exact},
				floor.Element{ID: "x2", Class: floor.Negation, Forms: []string{"no refund"}, Inverted: []string{"full refund"}},
			)},
			{ID: "s2", Kind: floor.KindResult, Role: floor.Tool, Text: "…", Elements: known(
				floor.Element{ID: "x3", Class: floor.Identifier, Forms: []string{"B-9"}, Match: floor.Exact},
				floor.Element{ID: "x4", Class: floor.Quantity, Forms: []string{"5 ms"}, Match: floor.Exact},
			)},
		},
		Output:   floor.Delivery{Text: "A-17 and B-9: no refund, 5 ms."},
		Required: []floor.Class{floor.Negation, floor.Identifier},
		Decoys:   []floor.Element{{ID: "d1", Class: "rule", Forms: []string{"never on sunday"}}},
	}
}

func TestCertify(t *testing.T) {
	type classes = []floor.Class
	type ids = []string
	both := classes{floor.Identifier, floor.Negation}
	tests := []struct {
		name       string
		change     func(in *floor.CertifyIn)
		certified  classes
		identifier [2]int64 // retained of total
		lost       ids
		inverted   ids
		fabricated ids
	}{
		{"all is kept", func(*floor.CertifyIn) {}, both, [2]int64{2, 2}, nil, nil, nil},
		{"one is lost", func(in *floor.CertifyIn) { in.Output.Text = "A-17: no refund" }, classes{floor.Negation}, [2]int64{1, 2}, ids{"x3"}, nil, nil},
		{"a pin keeps it", func(in *floor.CertifyIn) {
			in.Output.Text, in.Output.Pins = "A-17: no refund", ids{"B-9"}
		}, both, [2]int64{2, 2}, nil, nil, nil},
		{"a pin of the source that does not travel keeps nothing", func(in *floor.CertifyIn) {
			in.Output.Text = "A-17: no refund"
			in.Source = append(in.Source, floor.Span{ID: "p", Kind: floor.KindPin, Text: "B-9", Elements: known()})
		}, classes{floor.Negation}, [2]int64{1, 2}, ids{"x3"}, nil, nil},
		{"a floor that half suffices for", func(in *floor.CertifyIn) {
			in.Output.Text, in.FloorsPermille = "A-17: no refund", map[floor.Class]int64{floor.Identifier: 500}
		}, both, [2]int64{1, 2}, ids{"x3"}, nil, nil},
		{"a floor just above", func(in *floor.CertifyIn) {
			in.Output.Text, in.FloorsPermille = "A-17: no refund", map[floor.Class]int64{floor.Identifier: 501}
		}, classes{floor.Negation}, [2]int64{1, 2}, ids{"x3"}, nil, nil},
		{"a floor on a class that is not required", func(in *floor.CertifyIn) {
			in.Output.Text, in.FloorsPermille = "A-17 and B-9: no refund", map[floor.Class]int64{floor.Quantity: 1000}
		}, both, [2]int64{2, 2}, nil, nil, nil},
		{"inverted is not lost", func(in *floor.CertifyIn) { in.Output.Text = "A-17, B-9: full refund" }, classes{floor.Identifier}, [2]int64{2, 2}, nil, ids{"x2"}, nil},
		{"contradictory is inverted", func(in *floor.CertifyIn) {
			in.Output.Text += " Or a full refund."
		}, classes{floor.Identifier}, [2]int64{2, 2}, nil, ids{"x2"}, nil},
		{"an empty class is certified", func(in *floor.CertifyIn) { in.Required = append(in.Required, "absent") },
			classes{"absent", floor.Identifier, floor.Negation}, [2]int64{2, 2}, nil, nil, nil},
		{"a class required twice counts once", func(in *floor.CertifyIn) { in.Required = append(in.Required, floor.Identifier) }, both, [2]int64{2, 2}, nil, nil, nil},
		{"unusable certifies nothing and is measured", func(in *floor.CertifyIn) {
			in.Output.Status = floor.StatusPartial
			in.Required = append(in.Required, "absent")
		}, classes{}, [2]int64{2, 2}, nil, nil, nil},
		{"nor does a text without a word", func(in *floor.CertifyIn) { in.Output.Text = "—" }, classes{}, [2]int64{0, 2}, ids{"x1", "x2", "x3"}, nil, nil},
		{"unknown elements certify nothing", func(in *floor.CertifyIn) { in.Source = append(in.Source, floor.Span{ID: "s3", Kind: floor.KindCall}) },
			classes{}, [2]int64{2, 2}, nil, nil, nil},
		{"lost before changes nothing here", func(in *floor.CertifyIn) {
			in.Source[0].Kind = floor.KindSummary
			in.Source[0].Elements[0].Lost = new(true)
		}, both, [2]int64{2, 2}, nil, nil, nil},
		{"a decoy that is told is fabricated", func(in *floor.CertifyIn) { in.Output.Text += " Never on Sunday!" }, both, [2]int64{2, 2}, nil, nil, ids{"d1"}},
		{"a decoy is of no class", func(in *floor.CertifyIn) { in.Decoys[0].Class = floor.Identifier }, both, [2]int64{2, 2}, nil, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := certifiable()
			tt.change(in)
			out, err := Certify(in)
			require.NoError(t, err)
			require.Equal(t, tt.certified, out.Certified)
			require.Equal(t, append(ids{}, tt.lost...), out.Lost)
			require.Equal(t, append(ids{}, tt.inverted...), out.Inverted)
			require.Equal(t, append(ids{}, tt.fabricated...), out.Fabricated)
			at := slices.IndexFunc(out.Fidelity, func(f floor.Fidelity) bool { return f.Class == floor.Identifier })
			require.Equal(t, tt.identifier, [2]int64{out.Fidelity[at].Retained, out.Fidelity[at].Total})
			require.Len(t, out.Fidelity, len(sortedSet(in.Required)))
		})
	}
}

func TestCertifyBadRequests(t *testing.T) {
	tests := []struct {
		path   string
		change func(in *floor.CertifyIn)
	}{
		{"in.source[1].id", func(in *floor.CertifyIn) { in.Source[1].ID = "s1" }},
		{"in.source[1].elements[0].inverted_forms[1]", func(in *floor.CertifyIn) { in.Source[1].Elements[0].Inverted = []string{"b-9", " B-9"} }},
		{"in.decoys[0].inverted_forms[0]", func(in *floor.CertifyIn) { in.Decoys[0].Inverted = []string{"NEVER on sunday"} }},
	}
	for _, tt := range tests {
		in := certifiable()
		tt.change(in)
		out, err := Certify(in)
		var bad *floor.BadRequest
		require.ErrorAs(t, err, &bad)
		require.Equal(t, tt.path, bad.Path)
		require.Zero(t, out)
	}
}

// Whatever is delivered, the certificate is what the oracle counts.
func TestCertifyIsTheOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	certified := 0
	for range 3000 {
		in := randomCertifyIn(rng)
		out, err := Certify(in)
		require.NoError(t, err)
		want := oracleCertify(in)
		require.Equal(t, want, out, "%+v", in)
		certified += len(out.Certified)
	}
	require.Greater(t, certified, 300)
}

var someClasses = []floor.Class{"a", "b", "c", "d"}

func randomCertifyIn(rng *rand.Rand) *floor.CertifyIn {
	g := &drawing{rng: rng}
	in := &floor.CertifyIn{Required: g.classes(), FloorsPermille: g.floors(), Output: floor.Delivery{Text: g.text(12), Status: g.status()}}
	for range rng.IntN(3) {
		in.Output.Pins = append(in.Output.Pins, g.text(3))
	}
	for range rng.IntN(4) {
		in.Source = append(in.Source, g.span())
	}
	for range rng.IntN(2) {
		in.Decoys = append(in.Decoys, g.element())
	}
	return in
}

func oracleCertify(in *floor.CertifyIn) floor.CertifyOut {
	out := floor.CertifyOut{Certified: []floor.Class{}, Fidelity: []floor.Fidelity{}, Lost: []string{}, Inverted: []string{}, Fabricated: []string{}}
	parts := append([]string{in.Output.Text}, in.Output.Pins...)
	unknown := slices.ContainsFunc(in.Source, func(s floor.Span) bool { return s.Elements == nil })
	for _, class := range slices.Compact(slices.Sorted(slices.Values(in.Required))) {
		f := floor.Fidelity{Class: class}
		for _, s := range in.Source {
			for _, e := range s.Elements {
				if e.Class == class {
					f.Total++
					if oracleRetention(e, parts...) == Retained {
						f.Retained++
					}
				}
			}
		}
		out.Fidelity = append(out.Fidelity, f)
		least, given := in.FloorsPermille[class]
		if !given {
			least = 1000
		}
		if f.Retained*1000 >= least*f.Total && !unknown && Usable(in.Output) {
			out.Certified = append(out.Certified, class)
		}
	}
	for _, s := range in.Source {
		for _, e := range s.Elements {
			if !slices.Contains(in.Required, e.Class) {
				continue
			}
			switch oracleRetention(e, parts...) {
			case Lost:
				out.Lost = append(out.Lost, e.ID)
			case Inverted, Contradictory:
				out.Inverted = append(out.Inverted, e.ID)
			}
		}
	}
	for _, e := range in.Decoys {
		if oracleRetention(e, parts...) == Retained {
			out.Fabricated = append(out.Fabricated, e.ID)
		}
	}
	return out
}
