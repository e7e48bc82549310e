package corpora

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every file of vectors is JSON, names its family as its file and the schema that
// lies beside it, which is none of them.
func TestVectorFilesAreWhole(t *testing.T) {
	files := Vectors()
	require.NotEmpty(t, files)
	require.True(t, slices.IsSortedFunc(files, func(a, b VectorFile) int { return strings.Compare(a.Name, b.Name) }))
	for _, f := range files {
		require.NotEqual(t, VectorSchema, f.Name)
		var head struct {
			Schema string `json:"$schema"`
			Family string `json:"family"`
		}
		require.NoError(t, json.Unmarshal(f.Data, &head), f.Name)
		require.Equal(t, VectorSchema, head.Schema, f.Name)
		require.Equal(t, f.Name, head.Family+".json")
		require.True(t, strings.HasSuffix(string(f.Data), "}\n"), f.Name)
	}
}

func TestVectorsSchema(t *testing.T) {
	var head struct {
		Schema string `json:"$schema"`
	}
	require.NoError(t, json.Unmarshal(VectorsSchema(), &head))
	require.Equal(t, "https://json-schema.org/draft/2020-12/schema", head.Schema)
}
