// Package adapters embeds what floorcheck init writes: for each language a
// one-file helper and an adapter to start from.
package adapters

import (
	"embed"
	"fmt"
)

//go:embed python/floorcheck.py python/adapter.py python/adapter_reduce.py
//go:embed javascript/floorcheck.mjs javascript/floorcheck.d.mts javascript/adapter.mjs javascript/adapter_reduce.mjs
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

// A source says which of the embedded files a template is made of.
type source struct {
	Template
	from []string
}

// templates are those of a decision.
var templates = []source{
	{Template{Language: "python", Subject: []string{"python3", "adapter.py"}},
		[]string{"floorcheck.py", "adapter.py"}},
	{Template{Language: "javascript", Subject: []string{"node", "adapter.mjs"}},
		[]string{"floorcheck.mjs", "floorcheck.d.mts", "adapter.mjs"}},
	{Template{Language: "go", Smoke: []string{"go", "test", "."}},
		[]string{"floor_test.go"}},
}

// reducing are the templates of a black box, messages in and messages out.
var reducing = []source{
	{Template{Language: "python", Subject: []string{"python3", "adapter_reduce.py"}},
		[]string{"floorcheck.py", "adapter_reduce.py"}},
	{Template{Language: "javascript", Subject: []string{"node", "adapter_reduce.mjs"}},
		[]string{"floorcheck.mjs", "floorcheck.d.mts", "adapter_reduce.mjs"}},
}

// Languages are those that there are templates for.
func Languages() []string { return languages(templates) }

// ReduceLanguages are those that there are templates of a black box for.
func ReduceLanguages() []string { return languages(reducing) }

func languages(of []source) (names []string) {
	for _, t := range of {
		names = append(names, t.Language)
	}
	return names
}

// ForLanguage gives a language's template of a decision.
func ForLanguage(name string) (Template, bool) { return lookup(templates, name) }

// ForReduce gives a language's template of a black box.
func ForReduce(name string) (Template, bool) { return lookup(reducing, name) }

func lookup(in []source, language string) (Template, bool) {
	for _, t := range in {
		if t.Language != language {
			continue
		}
		out := t.Template
		for _, file := range t.from {
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
