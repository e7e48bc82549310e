package model

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

// Sentence by sentence what a certificate is.
func TestCertificate(t *testing.T) {
	all := classes{floor.Identifier, floor.Negation}
	source := []floor.Span{original("s1", 9, "i1", "n1"), original("s2", 9, "n2", "q1")}
	delivered := func(text string, pins ...string) floor.Delivery { return floor.Delivery{Text: text, Pins: pins} }
	came := func(d floor.Delivery, s floor.SummaryStatus) floor.Delivery {
		d.Status = s
		return d
	}
	kept := delivered(keeping("i1", "n1", "n2"))
	full := []floor.Fidelity{share("identifier", 1, 1), share("negation", 2, 2)}
	type want struct {
		certified classes
		fidelity  []floor.Fidelity
		lost      []string
		inverted  []string
	}
	tests := []struct {
		name string
		in   floor.CertifyIn
		want want
	}{
		{"all kept", floor.CertifyIn{Source: source, Required: all, Output: kept}, want{all, full, nil, nil}},
		{"one lost", floor.CertifyIn{Source: source, Required: all, Output: delivered(keeping("i1", "n2"))},
			want{classes{"identifier"}, []floor.Fidelity{share("identifier", 1, 1), share("negation", 1, 2)}, []string{"n1"}, nil}},
		{"at the floor that is given", floor.CertifyIn{
			Source: source, Required: all, Output: delivered(keeping("i1", "n2")), FloorsPermille: map[floor.Class]int64{"negation": 500, "quantity": 1000},
		}, want{all, []floor.Fidelity{share("identifier", 1, 1), share("negation", 1, 2)}, []string{"n1"}, nil}},
		{"a permille above it", floor.CertifyIn{
			Source: source, Required: all, Output: delivered(keeping("i1", "n2")), FloorsPermille: map[floor.Class]int64{"negation": 501},
		}, want{classes{"identifier"}, []floor.Fidelity{share("identifier", 1, 1), share("negation", 1, 2)}, []string{"n1"}, nil}},
		{"a pin delivers", floor.CertifyIn{Source: source, Required: all, Output: delivered("…", keeping("i1", "n1"), keeping("n2"))}, want{all, full, nil, nil}},
		{"not across two parts", floor.CertifyIn{Source: source, Required: all, Output: delivered(keeping("i1", "n2")+". Do not", "drop n1")},
			want{classes{"identifier"}, []floor.Fidelity{share("identifier", 1, 1), share("negation", 1, 2)}, nil, []string{"n1"}}},
		{"a pin that says the opposite", floor.CertifyIn{Source: source, Required: all, Output: delivered(kept.Text, "Drop n1.")},
			want{classes{"identifier"}, []floor.Fidelity{share("identifier", 1, 1), share("negation", 1, 2)}, nil, []string{"n1"}}},
		{"lost and inverted", floor.CertifyIn{Source: source, Required: all, Output: delivered("Drop n2.")},
			want{nil, []floor.Fidelity{share("identifier", 0, 1), share("negation", 0, 2)}, []string{"i1", "n1"}, []string{"n2"}}},
		{"a class without elements", floor.CertifyIn{Source: source, Required: classes{"dream"}, Output: kept}, want{classes{"dream"}, []floor.Fidelity{share("dream", 0, 0)}, nil, nil}},
		{"required twice counts once", floor.CertifyIn{Source: source, Required: classes{"identifier", "identifier"}, Output: kept},
			want{classes{"identifier"}, full[:1], nil, nil}},
		{"nothing required", floor.CertifyIn{Source: source, Output: kept}, want{nil, nil, nil, nil}},
		{"a failed summary is measured and certifies nothing", floor.CertifyIn{Source: source, Required: append(all, "dream"), Output: came(kept, floor.StatusPartial)},
			want{nil, []floor.Fidelity{share("dream", 0, 0), full[0], full[1]}, nil, nil}},
		{"one that says that it is well", floor.CertifyIn{Source: source, Required: all, Output: came(kept, floor.StatusOK)}, want{all, full, nil, nil}},
		{"no word certifies not even an empty class", floor.CertifyIn{Required: classes{"dream"}, Output: delivered("--- ✅ ---", " ")}, want{nil, []floor.Fidelity{share("dream", 0, 0)}, nil, nil}},
		{"a form without a word is kept there", floor.CertifyIn{
			Source:   []floor.Span{{ID: "s", Kind: floor.KindPin, Elements: []floor.Element{{ID: "e", Class: "dream", Forms: []string{"✅"}}}}},
			Required: classes{"dream"}, Output: delivered("✅"),
		}, want{nil, []floor.Fidelity{share("dream", 1, 1)}, nil, nil}},
		{"unknown elements beside known ones", floor.CertifyIn{Source: append(source, unknowing("s3", 1)), Required: all, Output: kept}, want{nil, full, nil, nil}},
		{"even with a floor of 0", floor.CertifyIn{
			Source: []floor.Span{unknowing("s3", 1)}, Required: classes{"negation"}, Output: kept, FloorsPermille: map[floor.Class]int64{"negation": 0},
		}, want{nil, []floor.Fidelity{share("negation", 0, 0)}, nil, nil}},
		{"a floor of 0 is met", floor.CertifyIn{
			Source: source, Required: classes{"negation"}, Output: delivered("Drop n1."), FloorsPermille: map[floor.Class]int64{"negation": 0},
		}, want{classes{"negation"}, []floor.Fidelity{share("negation", 0, 2)}, []string{"n2"}, []string{"n1"}}},
		{"what was lost before is in the text or it is not", floor.CertifyIn{
			Source: []floor.Span{older("s1", 9, "n1", "-n2")}, Required: classes{"negation"}, Output: kept,
		}, want{classes{"negation"}, full[1:], nil, nil}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Expect(certifyCase(tt.in))[0].Certify
			require.NotNil(t, got)
			require.Equal(t, append(classes{}, tt.want.certified...), got.Certified)
			require.Equal(t, append([]floor.Fidelity{}, tt.want.fidelity...), got.Fidelity)
			require.Equal(t, append([]string{}, tt.want.lost...), got.Lost)
			require.Equal(t, append([]string{}, tt.want.inverted...), got.Inverted)
			require.Empty(t, got.Fabricated)
		})
	}
}

// A decoy is named when it is retained: one that is turned round as well is not.
func TestDecoys(t *testing.T) {
	for text, want := range map[string][]string{
		keeping("n1"):               {"n1"},
		keeping("n1", "i2"):         {"n1", "i2"},
		keeping("n1") + ". Drop n1": {},
		"Drop n1":                   {},
		"Nothing.":                  {},
	} {
		c := certifyCase(floor.CertifyIn{Output: floor.Delivery{Text: text}, Decoys: elements("n1", "i2")})
		require.Equal(t, want, Expect(c)[0].Certify.Fabricated, text)
	}
}
