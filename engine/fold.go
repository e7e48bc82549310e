package engine

import (
	"encoding/binary"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// What a byte of a folded text is.
const (
	apart uint8 = iota // no word character; a joiner or not
	inWord
	wide // of a character beyond ASCII: it has to be looked at whole
)

// bytesAre holds the kind of each byte.
var bytesAre = func() (kinds [256]uint8) {
	for b := range kinds {
		switch {
		case b >= utf8.RuneSelf:
			kinds[b] = wide
		case isASCIIWord(byte(b)):
			kinds[b] = inWord
		}
	}
	return kinds
}()

func isASCIIWord(b byte) bool {
	lower := b | 0x20
	return 'a' <= lower && lower <= 'z' || '0' <= b && b <= '9' || b == '_'
}

// planes is how many characters have a bit in wordBits: the first two planes,
// where nearly all that is written stands.
const planes = 0x20000

// wordBits has a bit for each letter, mark and number of the first two planes,
// and for the low line. Walking the tables of package unicode takes thirty
// times as long as looking up a bit.
var wordBits = sync.OnceValue(func() *[planes / 64]uint64 {
	bits := &[planes / 64]uint64{}
	bits['_'/64] |= 1 << ('_' % 64)
	for _, table := range []*unicode.RangeTable{unicode.L, unicode.M, unicode.N} {
		for _, r := range table.R16 {
			for c := uint32(r.Lo); c <= uint32(r.Hi); c += uint32(r.Stride) {
				bits[c/64] |= 1 << (c % 64)
			}
		}
		for _, r := range table.R32 {
			for c := r.Lo; c <= r.Hi && c < planes; c += r.Stride {
				bits[c/64] |= 1 << (c % 64)
			}
		}
	}
	return bits
})

// isWordRune says whether a character is a letter, a mark, a number or `_`.
func isWordRune(bits *[planes / 64]uint64, r rune) bool {
	if uint32(r) < planes {
		return bits[r/64]>>(r%64)&1 == 1
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N)
}

func hasWord(text string) bool {
	bits := wordBits()
	for _, r := range text {
		if isWordRune(bits, r) {
			return true
		}
	}
	return false
}

// slack is how many bytes after a folded text may be read: a word of the
// machine, of which the text's last byte is the first.
const slack = 8

// A folder folds texts, one after the other; what it gives is good until the
// next one. Both results have slack after them, all zero.
type folder struct {
	caser        *cases.Caser // made when a text beyond ASCII first comes
	plain, lower []byte
	spare        []byte // between two steps
	ascii        bool   // the latest text is
}

// fold is rule 2a.1: plain is for exact elements, and with its letters folded
// for the others, which is made where it is asked for.
func (f *folder) fold(text string, wantLower bool) (plain, lower []byte) {
	f.ascii = f.squeezeASCII(text)
	if !f.ascii {
		f.compose(text)
		f.plain = squeeze(f.plain[:0], f.spare)
	}
	f.plain = padded(f.plain)
	if !wantLower {
		return f.plain, nil
	}
	if f.ascii {
		f.lowerASCII()
	} else {
		f.lowerWide()
	}
	f.lower = padded(f.lower)
	return f.plain, f.lower
}

// padded makes room for the slack, and clears it.
func padded(b []byte) []byte {
	b = slices.Grow(b, slack)
	clear(b[len(b) : len(b)+slack])
	return b
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// spaces marks the bytes of a word that are a space, by their high bits; no
// byte of it is beyond ASCII.
func spaces(w uint64) uint64 {
	x := w ^ ones*' '
	return ^(x + ones*0x7f) & highs
}

// squeezeASCII writes a text of ASCII into plain, white space squeezed, eight
// bytes at a time as long as there is nothing to squeeze. It says false, and
// has done nothing of use, when the text is not ASCII.
func (f *folder) squeezeASCII(text string) bool {
	f.plain = slices.Grow(f.plain[:0], len(text)+slack)
	out := f.plain[:len(text)+slack]
	n, i := 0, 0
	afterSpace := uint64(1) // at the start spaces are dropped as after one
	for ; i+8 <= len(text); i += 8 {
		w := wordAt(text, i)
		if w&highs != 0 {
			return false
		}
		space := spaces(w)
		controls := (w - ones*' ') & highs // some of these are white space
		if doubled := space & (space<<8 | afterSpace<<7); controls|doubled == 0 {
			binary.LittleEndian.PutUint64(out[n:], w)
			n += 8
			afterSpace = space >> 63
			continue
		}
		n, afterSpace = squeezeBytes(out, n, text[i:i+8], afterSpace)
	}
	for j := i; j < len(text); j++ {
		if text[j] >= utf8.RuneSelf {
			return false
		}
	}
	n, afterSpace = squeezeBytes(out, n, text[i:], afterSpace)
	if n > 0 && afterSpace == 1 {
		n--
	}
	f.plain = out[:n]
	return true
}

func squeezeBytes(out []byte, n int, text string, afterSpace uint64) (int, uint64) {
	for i := range len(text) {
		if c := text[i]; c != ' ' && (c < '\t' || c > '\r') {
			out[n] = c
			n, afterSpace = n+1, 0
		} else if afterSpace == 0 {
			out[n] = ' '
			n, afterSpace = n+1, 1
		}
	}
	return n, afterSpace
}

// wordAt is written so that the compiler makes one load of it.
func wordAt(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// lowerASCII writes plain, which is ASCII, into lower.
func (f *folder) lowerASCII() {
	f.lower = slices.Grow(f.lower[:0], len(f.plain)+2*slack)[:len(f.plain)]
	in, out := f.plain[:len(f.plain)+slack], f.lower[:len(f.lower)+slack]
	for i := 0; i < len(f.plain); i += 8 {
		w := binary.LittleEndian.Uint64(in[i:])
		upper := (w + ones*(0x80-'A')) &^ (w + ones*(0x7f-'Z')) & highs
		binary.LittleEndian.PutUint64(out[i:], w|upper>>2)
	}
}

// compose writes a text in NFC into spare. A byte that is not UTF-8 stands for
// U+FFFD, as everywhere in Go.
func (f *folder) compose(text string) {
	if !utf8.ValidString(text) {
		text = string([]rune(text))
	}
	f.spare = norm.NFC.AppendString(f.spare[:0], text)
}

// squeeze appends a text with each run of white space made one space, and none
// at its ends.
func squeeze(out, text []byte) []byte {
	afterSpace := true
	for i := 0; i < len(text); {
		size, space := 1, false
		if c := text[i]; c < utf8.RuneSelf {
			space = c == ' ' || '\t' <= c && c <= '\r'
		} else {
			var r rune
			r, size = utf8.DecodeRune(text[i:])
			space = unicode.IsSpace(r)
		}
		switch {
		case !space:
			out = append(out, text[i:i+size]...)
		case !afterSpace:
			out = append(out, ' ')
		}
		afterSpace = space
		i += size
	}
	if afterSpace && len(out) > 0 {
		out = out[:len(out)-1]
	}
	return out
}

// lowerWide writes plain, full case folding and NFC again, into lower. Folding
// looks at one character at a time, so ASCII is folded here, and only what is
// beyond is handed on.
func (f *folder) lowerWide() {
	if f.caser == nil {
		c := cases.Fold()
		f.caser = &c
	}
	out := f.spare[:0]
	for i := 0; i < len(f.plain); {
		if c := f.plain[i]; c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c |= 0x20
			}
			out = append(out, c)
			i++
			continue
		}
		start := i
		for i < len(f.plain) && f.plain[i] >= utf8.RuneSelf {
			i++
		}
		out = f.appendFolded(out, f.plain[start:i])
	}
	f.spare = out
	f.lower = norm.NFC.Append(f.lower[:0], out...)
}

// longest is how many times as long as itself folding can make a text: U+0390
// takes two bytes, and six when it is folded.
const longest = 3

func (f *folder) appendFolded(out, text []byte) []byte {
	out = slices.Grow(out, longest*len(text))
	n, _, err := f.caser.Transform(out[len(out):cap(out)], text, true)
	if err != nil {
		panic(err) // there is room, and nothing else can go wrong
	}
	toCapitals(out[len(out) : len(out)+n])
	return out[:len(out)+n]
}

// toCapitals mends what x/text gets the wrong way round: the small letters of
// Cherokee, which came late, fold to the capitals. Both take three bytes.
func toCapitals(folded []byte) {
	for i := 0; i < len(folded); i++ {
		if lead := folded[i]; lead != 0xEA && lead != 0xE1 { // those of these letters
			continue
		}
		switch r, _ := utf8.DecodeRune(folded[i:]); {
		case 0xAB70 <= r && r <= 0xABBF:
			utf8.EncodeRune(folded[i:], r-0xAB70+0x13A0)
		case 0x13F8 <= r && r <= 0x13FD:
			utf8.EncodeRune(folded[i:], r-0x13F8+0x13F0)
		}
	}
}
