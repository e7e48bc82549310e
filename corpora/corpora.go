// Package corpora embeds the project's own data.
package corpora

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"

	"github.com/floorcheck/floorcheck/floor"
)

//go:embed regression/*.json
var regression embed.FS

// A Regression is the smallest case of a bug that was found once, ours or
// another's. Every check asks it first.
type Regression struct {
	ID    string       `json:"id"`
	About string       `json:"about"` // what went wrong, where, and how it was mended
	Found string       `json:"found"` // by what
	Cases []floor.Case `json:"cases"`
}

// Regressions are all of them, sorted by id. A file that cannot be read is our
// own bug and panics: a test reads them all.
func Regressions() []Regression {
	names, err := fs.Glob(regression, "regression/*.json") // sorted
	if err != nil {
		panic("corpora: list regressions: " + err.Error())
	}
	out := make([]Regression, 0, len(names))
	for _, name := range names {
		data, err := regression.ReadFile(name)
		if err != nil {
			panic("corpora: " + err.Error())
		}
		var r Regression
		if err := json.Unmarshal(data, &r); err != nil {
			panic(fmt.Sprintf("corpora: %s: %v", name, err))
		}
		out = append(out, r)
	}
	return out
}
