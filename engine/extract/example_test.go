package extract_test

import (
	"fmt"

	"github.com/floorcheck/floorcheck/engine"
	"github.com/floorcheck/floorcheck/engine/extract"
	"github.com/floorcheck/floorcheck/floor"
)

// Two messages become spans whose elements are known, and a summary of them is
// measured. It has the order's number and the sum, and turned what must not be
// done into what was.
func ExampleExtractor() {
	var x extract.Extractor
	var spans []floor.Span
	for i, text := range []string{
		"Order A-1733 came to EUR 142.50. Do not refund the freight.",
		"Noted: the parcel is still open.",
	} {
		elements := []floor.Element{} // looked for: where there are none, none are unknown
		for _, found := range x.Extract(text) {
			elements = append(elements, found.Element)
		}
		spans = append(spans, floor.Span{ID: fmt.Sprint("turn-", i+1), Kind: floor.KindMessage, Role: floor.User, Text: text, Elements: elements})
	}

	for _, s := range spans {
		for _, e := range s.Elements {
			fmt.Printf("%s %s: %q\n", s.ID, e.ID, e.Forms[0])
		}
	}
	certificate, err := engine.Certify(&floor.CertifyIn{
		Source:   spans,
		Required: []floor.Class{floor.Identifier, floor.Quantity, floor.Negation, floor.Status},
		Output:   floor.Delivery{Text: "A-1733, EUR 142.50: refund the freight. The parcel is still open."},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("certified:", certificate.Certified)
	fmt.Println("inverted:", certificate.Inverted)
	// Output:
	// turn-1 identifier-1: "A-1733"
	// turn-1 quantity-1: "EUR 142.50"
	// turn-1 negation-1: "Do not refund the freight"
	// turn-2 status-1: "the parcel is still open"
	// certified: [identifier quantity status]
	// inverted: [negation-1]
}
