// Package adapters embeds what floorcheck init writes: for each language a
// one-file helper and an adapter to start from.
package adapters

import (
	"embed"
	"fmt"
	"slices"
)

//go:embed python/floorcheck.py python/adapter.py
//go:embed javascript/floorcheck.mjs javascript/floorcheck.d.ts javascript/adapter.mjs
//go:embed go/floor_test.go
var files embed.FS

// A Template is what init writes for one language.
type Template struct {
	Language string
	Files    []File
	Smoke    []string // the command that puts the adapter under test, run in its folder; nil: check does it
	Subject  []string // the command that starts the adapter
}

// A File is one file of a template.
type File struct {
	Name string // where it goes, beside the others
	Text []byte
}

var templates = []struct {
	Template
	from []string
}{
	{Template{Language: "python", Subject: []string{"python3", "adapter.py"}},
		[]string{"floorcheck.py", "adapter.py"}},
	{Template{Language: "javascript", Subject: []string{"node", "adapter.mjs"}},
		[]string{"floorcheck.mjs", "floorcheck.d.ts", "adapter.mjs"}},
	{Template{Language: "go", Smoke: []string{"go", "test", "."}},
		[]string{"floor_test.go"}},
}

// Languages are those that there are templates for.
func Languages() (names []string) {
	for _, t := range templates {
		names = append(names, t.Language)
	}
	return names
}

// ForLanguage gives a language's template.
func ForLanguage(name string) (Template, bool) {
	for _, t := range templates {
		if t.Language != name {
			continue
		}
		out := t.Template
		for _, file := range slices.Clone(t.from) {
			text, err := files.ReadFile(t.Language + "/" + file)
			if err != nil {
				panic(fmt.Sprintf("adapters: %s: %v", file, err)) // embedded: it is there
			}
			out.Files = append(out.Files, File{file, text})
		}
		return out, true
	}
	return Template{}, false
}
