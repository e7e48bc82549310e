package corpora

import (
	"embed"
	"io/fs"
	"path"
	"slices"
)

//go:embed vectors/*.json
var vectors embed.FS

// VectorSchema is the name of the JSON Schema that lies beside the vectors.
const VectorSchema = "vectors.schema.json"

// A VectorFile is a file of vectors to the letter, as it is exported. What is in
// it is told by the room that checks them.
type VectorFile struct {
	Name string // without a folder, e.g. content.json
	Data []byte
}

// Vectors are the files of vectors, one for each family, sorted by name, without
// their schema.
func Vectors() []VectorFile {
	return slices.DeleteFunc(vectorFiles(), func(f VectorFile) bool { return f.Name == VectorSchema })
}

// VectorsSchema is the JSON Schema that every file of vectors keeps.
func VectorsSchema() []byte {
	for _, f := range vectorFiles() {
		if f.Name == VectorSchema {
			return f.Data
		}
	}
	panic("corpora: " + VectorSchema + " is not there")
}

func vectorFiles() []VectorFile {
	names, err := fs.Glob(vectors, "vectors/*.json") // sorted
	if err != nil {
		panic("corpora: list vectors: " + err.Error())
	}
	files := make([]VectorFile, 0, len(names))
	for _, name := range names {
		data, err := vectors.ReadFile(name)
		if err != nil {
			panic("corpora: " + err.Error())
		}
		files = append(files, VectorFile{path.Base(name), data})
	}
	return files
}
