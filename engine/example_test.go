package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/floorcheck/floorcheck/engine"
	"github.com/floorcheck/floorcheck/floor"
)

// An agent's context of 36 tokens has to fit into 24. What the next steps need
// is the order's number and that it must not be refunded. The newest message
// stays as it is.
func ExampleCompact() {
	spans := []floor.Span{
		{ID: "turn-1", Kind: floor.KindMessage, Role: floor.User, Tokens: 18,
			Text: "Look at order A-1733. Whatever happens, do not refund it.",
			Elements: []floor.Element{
				{ID: "order", Class: floor.Identifier, Forms: []string{"A-1733"}, Match: floor.Exact},
				{ID: "no-refund", Class: floor.Negation, Forms: []string{"do not refund"}, Inverted: []string{"refund it", "may be refunded"}},
			}},
		{ID: "turn-2", Kind: floor.KindResult, Role: floor.Tool, Tokens: 12,
			Text:     "The parcel left the warehouse on Monday.",
			Elements: []floor.Element{}}, // looked for, none found
		{ID: "turn-3", Kind: floor.KindMessage, Role: floor.User, Tokens: 6,
			Text:     "Where is it now?",
			Elements: []floor.Element{}},
	}
	request := engine.Request{
		Spans:        spans,
		Pins:         []string{"turn-3"},
		Required:     []floor.Class{floor.Identifier, floor.Negation},
		Known:        []floor.Class{floor.Identifier, floor.Negation},
		BudgetTokens: 24,
	}

	// Your model stands here. The first summary drops what must not be done.
	for _, summary := range []string{
		"The user asked about order A-1733; its parcel left on Monday.",
		"Order A-1733, shipped on Monday: do not refund.",
	} {
		request.Summarizer = engine.SummarizerFunc(func(context.Context, []floor.Span) (string, int64, error) {
			return summary, int64(len(strings.Fields(summary))), nil
		})
		result, err := engine.Compact(context.Background(), request)

		var violation *engine.FloorViolation
		switch {
		case errors.As(err, &violation): // nothing was changed: go on with spans, or take a way on
			fmt.Println("refused, not kept:", violation.Refusal.MissingClasses)
			fmt.Println("ways on:", violation.Refusal.Escalations)
		case err != nil:
			fmt.Println("error:", err)
		default: // go on with result.Spans
			fmt.Println(result.Decision, "in", result.Tokens, "tokens, generation", result.Contract.Generation)
			for _, s := range result.Spans {
				fmt.Printf("%s: %s\n", s.ID, s.Text)
			}
		}
	}
	// Output:
	// refused, not kept: [negation]
	// ways on: [raise_budget split_task checkpoint human]
	// certified in 14 tokens, generation 1
	// summary-1: Order A-1733, shipped on Monday: do not refund.
	// turn-3: Where is it now?
}

// A set of elements is made once and looked for in any number of texts. A form
// inside what inverts it does not count, nor does a name inside a longer one.
func ExampleElements_Retain() {
	elements, err := engine.NewElements([]floor.Element{
		{ID: "env", Class: floor.Identifier, Forms: []string{"prod"}, Match: floor.Exact},
		{ID: "deploy", Class: floor.Obligation, Forms: []string{"deploy on Friday"}, Inverted: []string{"do not deploy on Friday"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{
		"Deploy on friday, to prod.",
		"Do not deploy on Friday to non-prod.",
	} {
		fmt.Println(elements.Retain(nil, text))
	}
	// Output:
	// [retained retained]
	// [lost inverted]
}
