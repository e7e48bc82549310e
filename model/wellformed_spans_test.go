package model

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

const (
	spanText = `{"id":"s1","kind":"message","role":"user","tokens":12,"text":"Never drop it.","elements":[` +
		`{"id":"n1","class":"negation","forms":["never drop it"],"inverted_forms":["drop it"],"match":"folded"},` +
		`{"id":"i1","class":"identifier","forms":["it"],"match":"exact"}]}`
	olderText = `{"id":"s2","kind":"summary","role":"assistant","tokens":3,"text":"Older.","elements":[` +
		`{"id":"n2","class":"negation","forms":["x"],"lost":true},{"id":"n3","class":"negation","forms":[],"lost":false}],` +
		`"lineage":{"generation":1,"ancestry_certified":true,"decision":"certified",` +
		`"effective":[{"class":"negation","retained":1,"total":2},{"class":"quantity","retained":0,"total":0}]}}`
	certifyText = `{"source":[` + spanText + `,` + olderText + `],"output":{"text":"Never.","pins":["Drop."],"status":"ok"},` +
		`"required_classes":["negation"],"floors_permille":{"negation":1000},"decoys":[{"id":"d1","class":"negation","forms":["y"]}]}`
	compactText = `{"spans":[` + spanText + `,` + olderText + `],"required_classes":["negation"],"known_classes":["negation"],` +
		`"floors_permille":{"negation":1000},` +
		`"source_recoverable":false,"consumer_strict":true,"chaining_risk":false,"side_effect_cost_exceeds_refusal":false,` +
		`"budget_tokens":4000,"summaries":[{"id":"m1","of":["s1"],"text":"Never.","tokens":9,"status":"ok"},` +
		`{"id":"s1","of":["s2"],"text":"Old.","tokens":1}],"riders":{"source_tokens":100}}`
)

// A change spoils a well-formed request in one place, or leaves it well-formed.
type change struct{ name, old, new, want string } // want is the path of the fault

// Where a span or an element is wrong, it is wrong in both ops; @ is the list.
var spanChanges = []change{
	{"nothing changed", ``, ``, ""},
	{"an unknown field", `"role":"user"`, `"x-mood":null,"role":"user"`, ""},
	{"a role of its own", `"role":"user"`, `"role":"the boss"`, ""},
	{"no elements known", `"elements":[` + between1(spanText), `"elements":[]`, ""},
	{"elements not known", `,"elements":[` + between1(spanText), ``, ""},
	{"the elements of a summary not known", `"elements":[` + between1(olderText) + `,`, ``, ""},
	{"a summary without a lineage", `,"lineage":{` + after(olderText, `"lineage":{`), `}`, ""},
	{"a message with a lineage is a summary", `"kind":"summary"`, `"kind":"message"`, ""},
	{"an empty text", `"text":"Older."`, `"text":""`, ""},
	{"no tokens at all", `"tokens":3`, `"tokens":0`, ""},
	{"no inverted forms", `,"inverted_forms":["drop it"]`, ``, ""},
	{"a form twice", `["never drop it"]`, `["never drop it","Never drop it"]`, ""},
	{"a generation of 0", `"generation":1`, `"generation":0`, ""},
	{"nothing effective", `[{"class":"negation","retained":1,"total":2},{"class":"quantity","retained":0,"total":0}]`, `[]`, ""},
	{"a provisional lineage", `"decision":"certified"`, `"decision":"provisional"`, ""},
	{"an unknown field in a lineage", `"generation":1`, `"x":[7],"generation":1`, ""},
	{"effective is not compared with what is not known",
		`"elements":[` + between1(olderText) + `,"lineage":{"generation":1,"ancestry_certified":true,"decision":"certified","effective":[{"class":"negation","retained":1`,
		`"lineage":{"generation":1,"ancestry_certified":true,"decision":"certified","effective":[{"class":"negation","retained":2`, ""},

	{"a span that is text", spanText, `"hi"`, "@[0]"},
	{"no id", `"id":"s1",`, ``, "@[0].id"},
	{"an id twice", `"id":"s2"`, `"id":"s1"`, "@[1].id"},
	{"no kind", `"kind":"message",`, ``, "@[0].kind"},
	{"a kind that is none", `"kind":"message"`, `"kind":"thought"`, "@[0].kind"},
	{"an empty kind", `"kind":"message"`, `"kind":""`, "@[0].kind"},
	{"a kind in capitals", `"kind":"message"`, `"kind":"Message"`, "@[0].kind"},
	{"no role", `"role":"user",`, ``, "@[0].role"},
	{"a role that is a number", `"role":"user"`, `"role":1`, "@[0].role"},
	{"no tokens", `"tokens":12,`, ``, "@[0].tokens"},
	{"fewer than no tokens", `"tokens":12`, `"tokens":-1`, "@[0].tokens"},
	{"tokens of 2^53", `"tokens":12`, `"tokens":9007199254740992`, "@[0].tokens"},
	{"tokens with a fraction", `"tokens":12`, `"tokens":12.0`, "@[0].tokens"},
	{"no text", `"text":"Older.",`, ``, "@[1].text"},
	{"null elements", `"elements":[` + between1(spanText), `"elements":null`, "@[0].elements"},
	{"elements as an object", `"elements":[` + between1(spanText), `"elements":{}`, "@[0].elements"},
	{"an element without an id", `"id":"n1",`, ``, "@[0].elements[0].id"},
	{"an element twice in a span", `"id":"i1"`, `"id":"n1"`, "@[0].elements[1].id"},
	{"an element twice in two spans", `"id":"n3"`, `"id":"i1"`, "@[1].elements[1].id"},
	{"an element without a class", `"class":"identifier",`, ``, "@[0].elements[1].class"},
	{"an element without forms", `"forms":["it"],`, ``, "@[0].elements[1].forms"},
	{"null inverted forms", `["drop it"]`, `null`, "@[0].elements[0].inverted_forms"},
	{"a form that is a number", `["it"]`, `["it",1]`, "@[0].elements[1].forms[1]"},
	{"a match that is none", `"exact"`, `"fuzzy"`, "@[0].elements[1].match"},
	{"an empty match", `"exact"`, `""`, "@[0].elements[1].match"},
	{"a null match", `"exact"`, `null`, "@[0].elements[1].match"},
	{"lost on a message", `"match":"exact"`, `"match":"exact","lost":true`, "@[0].elements[1].lost"},
	{"not lost on a message", `"match":"exact"`, `"match":"exact","lost":false`, "@[0].elements[1].lost"},
	{"null lost", `"lost":true`, `"lost":null`, "@[1].elements[0].lost"},
	{"a phrase in both lists", `["drop it"]`, `["drop it","never drop it"]`, "@[0].elements[0].inverted_forms[1]"},
	{"a phrase in both lists, folded", `["drop it"]`, `[" NEVER drop\n\tit"]`, "@[0].elements[0].inverted_forms[0]"},
	{"an exact phrase in both lists", `"forms":["it"]`, `"forms":["it"],"inverted_forms":["  it "]`, "@[0].elements[1].inverted_forms[0]"},
	{"an exact phrase in other letters", `"forms":["it"]`, `"forms":["it"],"inverted_forms":["It"]`, ""},
	{"an empty phrase in both lists", `"forms":["it"]`, `"forms":[""],"inverted_forms":[" "]`, "@[0].elements[1].inverted_forms[0]"},
	{"a null lineage", `"lineage":{` + after(olderText, `"lineage":{`), `"lineage":null}`, "@[1].lineage"},
	{"a lineage without a generation", `"generation":1,`, ``, "@[1].lineage.generation"},
	{"a negative generation", `"generation":1`, `"generation":-1`, "@[1].lineage.generation"},
	{"generation 2^31", `"generation":1`, `"generation":2147483648`, "@[1].lineage.generation"},
	{"a lineage without an ancestry", `"ancestry_certified":true,`, ``, "@[1].lineage.ancestry_certified"},
	{"a lineage of a refusal", `"decision":"certified"`, `"decision":"refuse"`, "@[1].lineage.decision"},
	{"a lineage without a decision", `"decision":"certified",`, ``, "@[1].lineage.decision"},
	{"a lineage without effective", `,"effective":[{"class":"negation","retained":1,"total":2},{"class":"quantity","retained":0,"total":0}]`, ``, "@[1].lineage.effective"},
	{"a class twice", `"class":"quantity","retained":0`, `"class":"negation","retained":0`, "@[1].lineage.effective"},
	{"more retained than there is", `"retained":0,"total":0`, `"retained":1,"total":0`, "@[1].lineage.effective"},
	{"more in all than the elements", `"retained":1,"total":2`, `"retained":1,"total":3`, "@[1].lineage.effective[0]"},
	{"more kept than the elements", `"retained":1,"total":2`, `"retained":2,"total":2`, "@[1].lineage.effective[0]"},
	{"the same fraction of other counts", `"retained":0,"total":0`, `"retained":1,"total":1`, "@[1].lineage.effective[1]"},
}

// between1 is the rest of the list of elements in a span's text, its end too.
func between1(span string) string {
	rest := after(span, `"elements":[`)
	end := strings.Index(rest, `}]`)
	return rest[:end+2]
}

func after(text, mark string) string {
	_, rest, _ := strings.Cut(text, mark)
	return rest
}

func TestMalformedSpans(t *testing.T) {
	families := []struct {
		op      floor.Op
		text    string
		list    string // of the spans
		changes []change
	}{
		{floor.OpCertify, certifyText, "in.source", []change{
			{"no floors", `"floors_permille":{"negation":1000},`, ``, ""},
			{"no decoys", `,"decoys":[{"id":"d1","class":"negation","forms":["y"]}]`, ``, ""},
			{"no pins", `"pins":["Drop."],`, ``, ""},
			{"no status", `,"status":"ok"`, ``, ""},
			{"no source", `[` + spanText + `,` + olderText + `]`, `[]`, ""},
			{"a class twice", `"required_classes":["negation"]`, `"required_classes":["negation","negation"]`, ""},
			{"many tokens are not added up", `"tokens":12`, `"tokens":9007199254740991`, ""},

			{"a list", certifyText, `[]`, "in"},
			{"source missing", `"source"`, `"Source"`, "in.source"},
			{"output missing", `"output"`, `"outputs"`, "in.output"},
			{"an output that is text", `{"text":"Never.","pins":["Drop."],"status":"ok"}`, `"Never."`, "in.output"},
			{"an output without a text", `"text":"Never.",`, ``, "in.output.text"},
			{"null pins", `["Drop."]`, `null`, "in.output.pins"},
			{"a pin that is none", `["Drop."]`, `["Drop.",{}]`, "in.output.pins[1]"},
			{"a status that is none", `"ok"`, `"fine"`, "in.output.status"},
			{"an empty status", `"ok"`, `""`, "in.output.status"},
			{"a null status", `"ok"`, `null`, "in.output.status"},
			{"required missing", `"required_classes":["negation"],`, ``, "in.required_classes"},
			{"null floors", `{"negation":1000}`, `null`, "in.floors_permille"},
			{"a floor above 1000", `"negation":1000`, `"negation":1001`, "in.floors_permille"},
			{"a floor below 0", `"negation":1000`, `"negation":-1`, "in.floors_permille"},
			{"a floor that is text", `"negation":1000`, `"negation":"1000"`, "in.floors_permille.negation"},
			{"null decoys", `[{"id":"d1","class":"negation","forms":["y"]}]`, `null`, "in.decoys"},
			{"a decoy with the id of an element", `"id":"d1"`, `"id":"n1"`, "in.decoys[0].id"},
			{"a lost decoy", `"forms":["y"]`, `"forms":["y"],"lost":false`, "in.decoys[0].lost"},
			{"a decoy's phrase in both lists", `"forms":["y"]`, `"forms":["y"],"inverted_forms":["Y"]`, "in.decoys[0].inverted_forms[0]"},
			{"a fraction in an unknown field", `"output":`, `"x":{"y":[1.5]},"output":`, "in.x.y[0]"},
		}},
		{floor.OpCompact, compactText, "in.spans", []change{
			{"no floors", `"floors_permille":{"negation":1000},`, ``, ""},
			{"no riders", `,"riders":{"source_tokens":100}`, ``, ""},
			{"a rider of another type", `:100}`, `:"many"}`, ""},
			{"no status", `,"status":"ok"`, ``, ""},
			{"a summary of nothing", `"of":["s1"]`, `"of":[]`, ""},
			{"a budget of nothing", `4000`, `0`, ""},
			{"the largest budget", `4000`, `9007199254740991`, ""},
			{"the most tokens there may be", `"tokens":12`, `"tokens":9007199254740978`, ""},
			{"a summary of the last but one generation", `"generation":1`, `"generation":2147483646`, ""},
			{"the last generation under no summary", `"of":["s2"],"text":"Old.","tokens":1}],"riders":{"source_tokens":100}`, `"of":[],"text":"Old.","tokens":1}]`, ""},

			{"a number", compactText, `7`, "in"},
			{"no JSON", compactText, `{`, "in"},
			{"spans missing", `"spans"`, `"span"`, "in.spans"},
			{"known missing", `"known_classes":["negation"],`, ``, "in.known_classes"},
			{"required missing", `"required_classes":["negation"],`, ``, "in.required_classes"},
			{"a flag missing", `"chaining_risk":false,`, ``, "in.chaining_risk"},
			{"a flag that is a number", `"chaining_risk":false`, `"chaining_risk":0`, "in.chaining_risk"},
			{"a null flag", `"chaining_risk":false`, `"chaining_risk":null`, "in.chaining_risk"},
			{"a floor above 1000", `"negation":1000`, `"negation":1001`, "in.floors_permille"},
			{"budget missing", `"budget_tokens":4000,`, ``, "in.budget_tokens"},
			{"a budget below 0", `4000`, `-1`, "in.budget_tokens"},
			{"a budget of 2^53", `4000`, `9007199254740992`, "in.budget_tokens"},
			{"summaries missing", `"summaries"`, `"summary"`, "in.summaries"},
			{"null summaries", `[{"id":"m1","of":["s1"],"text":"Never.","tokens":9,"status":"ok"},{"id":"s1","of":["s2"],"text":"Old.","tokens":1}]`, `null`, "in.summaries"},
			{"a summary without an id", `"id":"m1",`, ``, "in.summaries[0].id"},
			{"a summary's id twice", `{"id":"s1","of"`, `{"id":"m1","of"`, "in.summaries[1].id"},
			{"a summary without of", `"of":["s1"],`, ``, "in.summaries[0].of"},
			{"of an unknown span", `"of":["s1"]`, `"of":["s9"]`, "in.summaries[0].of[0]"},
			{"of a span twice", `"of":["s1"]`, `"of":["s1","s1"]`, "in.summaries[0].of[1]"},
			{"of a span that is in another", `"of":["s2"]`, `"of":["s1"]`, "in.summaries[1].of[0]"},
			{"of the last generation", `"generation":1`, `"generation":2147483647`, "in.summaries[1].of[0]"},
			{"a summary without a text", `"text":"Never.",`, ``, "in.summaries[0].text"},
			{"a summary without tokens", `"tokens":9,`, ``, "in.summaries[0].tokens"},
			{"a summary of fewer than no tokens", `"tokens":9`, `"tokens":-9`, "in.summaries[0].tokens"},
			{"a summary's status that is none", `"status":"ok"`, `"status":"OK"`, "in.summaries[0].status"},
			{"more tokens of spans than can be counted", `"tokens":12`, `"tokens":9007199254740989`, "in.spans"},
			{"more tokens with the summaries", `"tokens":12`, `"tokens":9007199254740979`, "in.summaries"},
			{"null riders", `{"source_tokens":100}`, `null`, "in.riders"},
			{"a fraction in riders", `:100}`, `:0.5}`, "in.riders.source_tokens"},
		}},
	}
	for _, family := range families {
		for _, tt := range append(spanChanges, family.changes...) {
			t.Run(string(family.op)+"/"+tt.name, func(t *testing.T) {
				require.Contains(t, family.text, tt.old)
				text := strings.Replace(family.text, tt.old, tt.new, 1)
				raw := floor.Request{Op: family.op, Raw: json.RawMessage(text)}
				path, bad := Malformed(raw, floor.Guard)
				want := strings.Replace(tt.want, "@", family.list, 1)
				require.Equal(t, want, path)
				require.Equal(t, want != "", bad)

				// floor's decoder agrees, but for what takes folding; and on the meaning.
				parsed := floor.ParseRequest(family.op, json.RawMessage(text))
				typed := floor.Request{Op: family.op, Certify: parsed.Certify, Compact: parsed.Compact}
				if folding := strings.Contains(tt.name, "in both lists"); bad && !folding {
					require.True(t, parsed.Certify == nil && parsed.Compact == nil)
				} else {
					require.True(t, parsed.Certify != nil || parsed.Compact != nil)
					path, _ := Malformed(typed, floor.Guard)
					require.Equal(t, want, path)
					require.Equal(t, spelled(t, Expect(caseOf(typed))), spelled(t, Expect(caseOf(raw))))
				}
			})
		}
	}
}

// What JSON spells with a word that is none, Go may leave empty.
func TestMalformedSpansWhereTheWordsSpellIt(t *testing.T) {
	span := func(change func(s *floor.Span)) floor.Request {
		s := original("s1", 1, "n1")
		change(&s)
		return certifyCase(floor.CertifyIn{Source: []floor.Span{s}}).Steps[0]
	}
	tests := []struct {
		name string
		r    floor.Request
		want string
	}{
		{"nil lists are empty", floor.Request{Op: floor.OpCompact, Compact: &floor.CompactIn{}}, ""},
		{"nil lists of a certify request", floor.Request{Op: floor.OpCertify, Certify: &floor.CertifyIn{}}, ""},
		{"no match and no status", span(func(s *floor.Span) { s.Elements[0].Match = "" }), ""},
		{"no payload", floor.Request{Op: floor.OpCertify}, "in"},
		{"the payload of another op", floor.Request{Op: floor.OpCompact, Certify: &floor.CertifyIn{}}, "in"},
		{"what is sent counts, not what stands beside it",
			floor.Request{Op: floor.OpCompact, Compact: &floor.CompactIn{}, Raw: json.RawMessage(`{}`)}, "in.spans"},
		{"no kind", span(func(s *floor.Span) { s.Kind = "" }), "in.source[0].kind"},
		{"tokens of 2^53", span(func(s *floor.Span) { s.Tokens = 1 << 53 }), "in.source[0].tokens"},
		{"a lineage without a decision", span(func(s *floor.Span) { s.Lineage = &floor.Lineage{} }), "in.source[0].lineage.decision"},
		{"a lineage of a generation that is none", span(func(s *floor.Span) {
			s.Lineage = &floor.Lineage{Generation: 1 << 31, Decision: floor.Certified}
		}), "in.source[0].lineage.generation"},
		{"a match that is none", span(func(s *floor.Span) { s.Elements[0].Match = "x" }), "in.source[0].elements[0].match"},
		{"a status that is none", certifyCase(floor.CertifyIn{Output: floor.Delivery{Status: "x"}}).Steps[0], "in.output.status"},
		{"a rider of 2^53", floor.Request{Op: floor.OpCompact, Compact: &floor.CompactIn{Riders: &floor.Riders{QuotaFacts: new(int64(1 << 53))}}}, "in.riders"},
		{"a budget of 2^53", floor.Request{Op: floor.OpCompact, Compact: &floor.CompactIn{BudgetTokens: 1 << 53}}, "in.budget_tokens"},
		{"a summary's status that is none", packing(0).proposing(floor.Summary{Status: "x"}).request(), "in.summaries[0].status"},
		{"tokens that would wrap", packing(0, original("a", floor.MaxNumber), original("b", floor.MaxNumber)).request(), "in.spans"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path, bad := Malformed(tt.r, floor.Guard)
			require.Equal(t, tt.want, path)
			require.Equal(t, tt.want != "", bad)
		})
	}
}
