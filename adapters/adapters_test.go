package adapters

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Every template is whole: its files are there, and what starts it is one of
// them.
func TestTemplates(t *testing.T) {
	require.Equal(t, []string{"python", "javascript", "go"}, Languages())
	require.Equal(t, []string{"python", "javascript"}, ReduceLanguages())
	for _, language := range Languages() {
		template, ok := ForLanguage(language)
		require.True(t, ok)
		isWhole(t, language, template)
		reduce, ok := ForReduce(language)
		require.Equal(t, ok, language != "go")
		if ok {
			isWhole(t, language, reduce)
			require.NotEqual(t, template.Subject, reduce.Subject)
		}
	}
	_, ok := ForLanguage("cobol")
	require.False(t, ok)
}

func isWhole(t *testing.T, language string, template Template) {
	t.Helper()
	require.Equal(t, language, template.Language)
	names := map[string]bool{}
	for _, file := range template.Files {
		require.NotEmpty(t, file.Text, file.Name)
		require.False(t, names[file.Name], "%s stands twice", file.Name)
		names[file.Name] = true
	}
	if template.Smoke == nil {
		require.Len(t, template.Subject, 2)
		require.True(t, names[template.Subject[1]], "%s is started and not written", template.Subject[1])
	}
}
