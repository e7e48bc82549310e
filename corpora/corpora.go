// Package corpora embeds the project's own data.
package corpora

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
func Regressions() []Regression { return readAll[Regression](regression, "regression/*.json") }

// readAll reads one value from each file, sorted by name.
func readAll[T any](files embed.FS, pattern string) []T {
	names, err := fs.Glob(files, pattern) // sorted
	if err != nil {
		panic("corpora: list " + pattern + ": " + err.Error())
	}
	out := make([]T, 0, len(names))
	for _, name := range names {
		data, err := files.ReadFile(name)
		if err != nil {
			panic("corpora: " + err.Error())
		}
		v, err := readStrictly[T](data)
		if err != nil {
			panic(fmt.Sprintf("corpora: %s: %v", name, err))
		}
		out = append(out, v)
	}
	return out
}

// readStrictly reads exactly one value and no field that it does not know.
func readStrictly[T any](data []byte) (v T, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		return v, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return v, errors.New("something stands behind the value")
	}
	return v, nil
}
