package model

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"github.com/floorcheck/floorcheck/floor"
)

// judged derives the characters that judged cases stay within (2a.1): assigned
// since Unicode 14, and lower-casing, simple and full folding agree. On them
// every implementation, of whatever version of Unicode, gives the same.
func judged() *unicode.RangeTable {
	out := &unicode.RangeTable{}
	folds, contextual := newFolder(), cases.Lower(language.Und)
	for r := rune(0); r <= unicode.MaxRune; r++ {
		lower := string(unicode.ToLower(r))
		switch {
		case !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf, unicode.Co):
		case unicode.Is(newer, r):
		case folds.caseless(string(r)) != lower: // where the full folding is one character, the simple one is the same
		case contextual.String("a"+string(r)) != "a"+lower || contextual.String(string(r)+"a") != lower+"a":
		default:
			out.R32 = append(out.R32, unicode.Range32{Lo: uint32(r), Hi: uint32(r), Stride: 1})
		}
	}
	return out
}

// newer are the characters that Unicode 15 added, the version of Go's tables.
var newer = &unicode.RangeTable{
	R16: []unicode.Range16{{0x0CF3, 0x0CF3, 1}, {0x0ECE, 0x0ECE, 1}},
	R32: []unicode.Range32{
		{0x10EFD, 0x10EFF, 1},
		{0x1123F, 0x11241, 1},
		{0x11B00, 0x11B09, 1},
		{0x11F00, 0x11F10, 1},
		{0x11F12, 0x11F3A, 1},
		{0x11F3E, 0x11F59, 1},
		{0x1342F, 0x1342F, 1},
		{0x13439, 0x13455, 1},
		{0x1B132, 0x1B132, 1},
		{0x1B155, 0x1B155, 1},
		{0x1D2C0, 0x1D2D3, 1},
		{0x1DF25, 0x1DF2A, 1},
		{0x1E030, 0x1E06D, 1},
		{0x1E08F, 0x1E08F, 1},
		{0x1E4D0, 0x1E4F9, 1},
		{0x1F6DC, 0x1F6DC, 1},
		{0x1F774, 0x1F776, 1},
		{0x1F77B, 0x1F77F, 1},
		{0x1F7D9, 0x1F7D9, 1},
		{0x1FA75, 0x1FA77, 1},
		{0x1FA87, 0x1FA88, 1},
		{0x1FAAD, 0x1FAAF, 1},
		{0x1FABB, 0x1FABD, 1},
		{0x1FABF, 0x1FABF, 1},
		{0x1FACE, 0x1FACF, 1},
		{0x1FADA, 0x1FADB, 1},
		{0x1FAE8, 0x1FAE8, 1},
		{0x1FAF7, 0x1FAF8, 1},
		{0x2B739, 0x2B739, 1},
		{0x31350, 0x323AF, 1},
	},
}

func TestTheJudgedCharacters(t *testing.T) {
	require.Equal(t, "15.0.0", unicode.Version, "newer has to hold what was added since 14")
	set := judged()
	require.Equal(t, 281_931, len(set.R32))
	for r := rune(0); r < 0x80; r++ {
		require.True(t, unicode.Is(set, r), "%q", r)
	}
	for _, in := range "éÉñøŁжЖאש你🎉²Ⅳ₤\u0301\u200d" {
		require.True(t, unicode.Is(set, in), "%q", in)
	}
	for _, out := range "ßẞİſςΣΐŉǰᾳﬁ\u0345µϐᎠᏸꭰ\U0001E4D0\U0001FAE8" {
		require.False(t, unicode.Is(set, out), "%q", out)
	}

	// Simple folding agrees: of the set, only what lower-casing makes the same
	// folds to the same.
	f := newFolder()
	for _, span := range set.R32 {
		r := rune(span.Lo)
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			if unicode.Is(set, other) {
				require.Equal(t, unicode.ToLower(r), unicode.ToLower(other), "%q %q", r, other)
			}
		}

		// On the set folding is lower-casing between two compositions.
		s := string(r)
		want := norm.NFC.String(strings.ToLower(norm.NFC.String(s)))
		if unicode.Is(unicode.White_Space, r) {
			want = ""
		}
		if got := f.fold(s, floor.Folded); got != want {
			require.Equal(t, want, got, "%q", s)
		}
	}
}

// What the talks of these tests say stays within the judged characters.
func TestTalksAreJudged(t *testing.T) {
	set := judged()
	for _, c := range handMadeTalks() {
		for _, r := range spelled(t, c) {
			require.True(t, unicode.Is(set, r), "%q", r)
		}
	}
}
