package mutant

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
)

//go:embed expected.json
var expectedJSON []byte

// Expected is what was found out about a mutant, by enumeration in its scope
// and pilot runs on seeds that make strength does not use, and committed before
// its kill rates were measured. `go test ./props/strength -run Pilot -update`
// writes it.
type Expected struct {
	Hardness string   `json:"hardness"` // E: 100 cases, M: 10,000, H: 1,000,000 suffice
	Must     []string `json:"must"`     // rules that object in every run
	May      []string `json:"may"`      // rules that object in some
	Minimum  int      `json:"minimum"`  // smallest size of a case that some rule objects to
	Proved   bool     `json:"proved"`   // the minimum: everything smaller was enumerated
	Witness  []string `json:"witness"`  // exactly the rules that object to the witness
}

var expected = sync.OnceValue(func() map[string]Expected {
	out := map[string]Expected{}
	if err := json.Unmarshal(expectedJSON, &out); err != nil {
		panic(fmt.Sprintf("mutant: expected.json: %v", err)) // embedded: a test reads it
	}
	return out
})

// Expect is what a mutant is expected to do; false when nobody found out yet.
func Expect(id string) (Expected, bool) {
	e, ok := expected()[id]
	return e, ok
}
