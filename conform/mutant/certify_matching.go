package mutant

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/floorcheck/floorcheck/floor"
)

// matchings are faults in whether a phrase stands in a text.
func matchings() []slip {
	key := stating("x1", "blue key")
	return []slip{
		{
			id: "matching/substring", hardness: "E",
			about:   "A phrase stands wherever its characters do, inside longer words too.",
			certify: func(c *certifier) { c.bounded = func(string, extent, floor.Match) bool { return true } },
			witness: steps(delivering("Blue keys.", "status", about(key))),
		},
		{
			id: "matching/left-boundary-only", hardness: "M",
			about: "A phrase has to begin a word and need not end one: whatever is appended to it is let pass.",
			certify: func(c *certifier) {
				c.bounded = func(text string, o extent, m floor.Match) bool {
					return !c.glued(text, o.from) && (m != floor.Exact || !c.insideRun(text, o.from))
				}
			},
			witness: steps(delivering("Blue keys.", "status", about(key))),
		},
		{
			id: "matching/words-of-ascii", hardness: "M", hidden: otherDrafts,
			about:   "Word characters are those of ASCII: an accented letter ends a word.",
			certify: func(c *certifier) { c.word = func(r rune) bool { return r < utf8.RuneSelf && isWord(r) } },
			witness: steps(delivering("Blue keyé.", "status", about(key))),
		},
		{
			id: "matching/low-line-ends-a-word", hardness: "M",
			about:   "The low line is no word character.",
			certify: func(c *certifier) { c.word = func(r rune) bool { return r != '_' && isWord(r) } },
			witness: steps(delivering("Blue key_2.", "status", about(key))),
		},
		{
			id: "matching/marks-end-a-word", hardness: "M", hidden: otherDrafts,
			about:   "Combining marks are no word characters.",
			certify: func(c *certifier) { c.word = func(r rune) bool { return !unicode.IsMark(r) && isWord(r) } },
			witness: steps(delivering("Blue key\u20e3.", "status", about(key))),
		},
		{
			id: "matching/digits-end-a-word", hardness: "M",
			about:   "A word is of letters alone: a digit glued to it ends it.",
			certify: func(c *certifier) { c.word = func(r rune) bool { return !unicode.IsNumber(r) && isWord(r) } },
			witness: steps(delivering("Blue key2.", "status", about(key))),
		},
		{
			id: "matching/joiners-ignored", hardness: "E",
			about:   "An exact element is looked for between word boundaries: prod is found in non-prod.",
			certify: func(c *certifier) { c.bounded = unjoined(c.reading) },
			witness: steps(delivering("It runs on non-prod.", "identifier", about(id("x1", "prod")))),
		},
		{
			id: "matching/joiners-before-only", hardness: "M",
			about: "An exact element may not begin inside a longer name, but may end inside one.",
			certify: func(c *certifier) {
				c.bounded = func(text string, o extent, m floor.Match) bool {
					return !c.glued(text, o.from) && !c.glued(text, o.to) && (m != floor.Exact || !c.insideRun(text, o.from))
				}
			},
			witness: steps(delivering("Read /etc/app.bak!", "identifier", about(id("x1", "/etc/app")))),
		},
		{
			id: "matching/joiners-for-all", hardness: "M", hidden: otherDrafts,
			about: "The joiners of exact elements hold for folded ones too.",
			certify: func(c *certifier) {
				bounded := c.bounded
				c.bounded = func(text string, o extent, _ floor.Match) bool { return bounded(text, o, floor.Exact) }
			},
			witness: steps(delivering("A blue key-ring.", "status", about(key))),
		},
		{
			id: "matching/period-ends-no-run", hardness: "M",
			about:   "A period at the end of a name belongs to it: a name that ends a sentence is not found.",
			certify: func(c *certifier) { c.goesOn = func(rest string) bool { return rest != "" } },
			witness: steps(delivering("It runs on prod.", "identifier", about(id("x1", "prod")))),
		},
		{
			id: "matching/one-period-ends-a-run", hardness: "M",
			about: "Of several periods at the end of a name one is left out.",
			certify: func(c *certifier) {
				c.goesOn = func(rest string) bool { return strings.TrimSuffix(rest, ".") != "" }
			},
			witness: steps(delivering("It runs on prod...", "identifier", about(id("x1", "prod")))),
		},
		{
			id: "matching/period-never-joins", hardness: "M",
			about:   "A period joins nothing: 5 ms is found in 1.5 ms.",
			certify: func(c *certifier) { c.joins = joiningBut(c.reading, ".") },
			witness: steps(delivering("It took 1.5 ms.", "quantity", about(ofClass(floor.Quantity, id("x1", "5 ms"))))),
		},
		{
			id: "matching/hyphen-never-joins", hardness: "M",
			about:   "A hyphen joins nothing.",
			certify: func(c *certifier) { c.joins = joiningBut(c.reading, "-") },
			witness: steps(delivering("It runs on non-prod.", "identifier", about(id("x1", "prod")))),
		},
		{
			id: "matching/comma-never-joins", hardness: "M", hidden: otherDrafts,
			about:   "A comma or a colon joins nothing, between digits neither: 400 is found in 3,400.",
			certify: func(c *certifier) { c.joins = joiningBut(c.reading, ",:") },
			witness: steps(delivering("It took 3,400.", "quantity", about(ofClass(floor.Quantity, id("x1", "400"))))),
		},
		{
			id: "matching/comma-always-joins", hardness: "M",
			about: "A comma or a colon joins wherever it touches a name: a name before a comma is not found.",
			certify: func(c *certifier) {
				joins := c.joins
				c.joins = func(text string, at int) bool { return text[at] == ',' || text[at] == ':' || joins(text, at) }
			},
			witness: steps(delivering("On prod, it runs.", "identifier", about(id("x1", "prod")))),
		},
		{
			id: "matching/exact-is-folded", hardness: "E", hidden: otherDrafts,
			about:   "Exact elements are compared without regard to case.",
			certify: func(c *certifier) { c.fold = foldingAs(c.fold, floor.Folded) },
			witness: steps(delivering("It runs on PROD.", "identifier", about(id("x1", "prod")))),
		},
		{
			id: "matching/match-not-read", hardness: "E",
			about:   "The match of an element is not read: every one is folded.",
			certify: func(c *certifier) { c.matching = func(*floor.Element) floor.Match { return floor.Folded } },
			witness: steps(delivering("It runs on non-prod.", "identifier", about(id("x1", "prod")))),
		},
		{
			id: "matching/folded-is-to-the-letter", hardness: "E", hidden: otherDrafts,
			about:   "Folded elements are compared with regard to case.",
			certify: func(c *certifier) { c.fold = foldingAs(c.fold, floor.Exact) },
			witness: steps(delivering("Blue key.", "status", about(key))),
		},
		{
			id: "matching/not-composed", hardness: "M", hidden: otherDrafts,
			about: "Letters are compared as they are coded: one in two parts is another letter.",
			certify: func(c *certifier) {
				c.fold = func(text string, m floor.Match) string {
					if text = oneSpaced(text, isSpace); m == floor.Exact {
						return text
					}
					return strings.Map(unicode.ToLower, text)
				}
			},
			witness: steps(delivering("Blue ke\u0301y.", "status", about(stating("x1", "blue kéy")))),
		},
		{
			id: "matching/compatible-is-the-same", hardness: "M", hidden: otherDrafts,
			about: "Letters that are compatible are taken for the same: a full-width digit, a Roman numeral.",
			certify: func(c *certifier) {
				fold := c.fold
				c.fold = func(text string, m floor.Match) string { return fold(norm.NFKC.String(text), m) }
			},
			witness: steps(delivering("Blue ｋey.", "status", about(key))),
		},
		{
			id: "matching/accents-dropped", hardness: "M", hidden: otherDrafts,
			about: "Accents are dropped before texts are compared.",
			certify: func(c *certifier) {
				fold := c.fold
				c.fold = func(text string, m floor.Match) string {
					return fold(strings.Map(func(r rune) rune {
						if unicode.IsMark(r) {
							return -1
						}
						return r
					}, norm.NFD.String(text)), m)
				}
			},
			witness: steps(delivering("Blue kéy.", "status", about(key))),
		},
		{
			id: "matching/white-space-not-folded", hardness: "E",
			about: "White space is compared as it is: a line break between two words parts them.",
			certify: func(c *certifier) {
				c.fold = func(text string, m floor.Match) string {
					if text = norm.NFC.String(text); m == floor.Exact {
						return text
					}
					return strings.Map(unicode.ToLower, text)
				}
			},
			witness: steps(delivering("Blue\nkey.", "status", about(key))),
		},
		{
			id: "matching/white-space-of-ascii", hardness: "M",
			about: "White space is that of ASCII: a no-break space is none.",
			certify: func(c *certifier) {
				c.fold = func(text string, m floor.Match) string {
					text = oneSpaced(norm.NFC.String(text), func(r rune) bool { return strings.ContainsRune(" \t\n\v\f\r", r) })
					if m == floor.Exact {
						return text
					}
					return norm.NFC.String(strings.Map(unicode.ToLower, text))
				}
			},
			witness: steps(delivering("Blue\u00a0key.", "status", about(key))),
		},
		{
			id: "matching/white-space-dropped", hardness: "M",
			about: "White space is dropped: what is written as one word is taken for two.",
			certify: func(c *certifier) {
				fold := c.fold
				c.fold = func(text string, m floor.Match) string { return strings.ReplaceAll(fold(text, m), " ", "") }
				c.bounded = func(string, extent, floor.Match) bool { return true }
			},
			witness: steps(delivering("Bluekey.", "status", about(key))),
		},
		{
			id: "matching/invisible-dropped", hardness: "M", hidden: otherDrafts,
			about: "Characters that nobody sees are dropped before texts are compared.",
			certify: func(c *certifier) {
				fold := c.fold
				c.fold = func(text string, m floor.Match) string {
					return fold(strings.Map(func(r rune) rune {
						if unicode.Is(unicode.Cf, r) {
							return -1
						}
						return r
					}, text), m)
				}
			},
			witness: steps(delivering("Blue \u200bkey.", "status", about(key))),
		},
		{
			id: "matching/empty-phrase-occurs", hardness: "M", hidden: otherDrafts,
			about: "A phrase that is empty stands in every text.",
			certify: func(c *certifier) {
				occurs := c.occurs
				c.occurs = func(text, phrase string, m floor.Match) []extent {
					if phrase == "" {
						return []extent{{0, 0}}
					}
					return occurs(text, phrase, m)
				}
			},
			witness: steps(delivering("Good.", "status", about(formed(key, "")))),
		},
		{
			id: "matching/label-for-value", hardness: "E", hidden: otherDrafts,
			about: "A form is found by its first words: the last one, where the value stands, is not compared.",
			certify: func(c *certifier) {
				c.forms = func(e *floor.Element) (out []string) {
					for _, form := range e.Forms {
						if words := wordsOf(form); len(words) > 1 {
							form = strings.Join(words[:len(words)-1], " ")
						}
						out = append(out, form)
					}
					return out
				}
			},
			witness: steps(delivering("A blue one.", "status", about(key))),
		},
		{
			id: "matching/words-in-any-order", hardness: "M", hidden: otherDrafts,
			about: "A form is kept when all its words are, in whatever order they stand.",
			certify: func(c *certifier) {
				occurs := c.occurs
				c.occurs = func(text, phrase string, m floor.Match) []extent {
					found := occurs(text, phrase, m)
					if words := wordsOf(phrase); len(found) == 0 && len(words) > 1 &&
						!slices.ContainsFunc(words, func(word string) bool { return len(occurs(text, word, m)) == 0 }) {
						return []extent{{0, len(text)}}
					}
					return found
				}
			},
			witness: steps(delivering("The key is blue.", "status", about(key))),
		},
		{
			id: "matching/one-form-only", hardness: "M", hidden: otherDrafts,
			about: "Of the forms of an element only the first is read.",
			certify: func(c *certifier) {
				c.forms = func(e *floor.Element) []string { return e.Forms[:min(1, len(e.Forms))] }
			},
			witness: steps(delivering("Azure key.", "status", about(formed(key, "blue key", "azure key")))),
		},
		{
			id: "matching/every-form-needed", hardness: "E", hidden: otherDrafts,
			about: "An element is kept when each of its forms stands there.",
			certify: func(c *certifier) {
				c.counted = func(e *floor.Element, parts []string) retention {
					_, inverted := c.count(e, parts)
					forms := 1
					for i := range e.Forms {
						one := *e
						one.Forms = e.Forms[i : i+1]
						n, _ := c.count(&one, parts)
						forms = min(forms, n)
					}
					if len(e.Forms) == 0 {
						forms = 0
					}
					return c.settle(forms, inverted)
				}
			},
			witness: steps(delivering("Blue key.", "status", about(formed(key, "blue key", "azure key")))),
		},
		{
			id: "matching/first-occurrence-only", hardness: "M",
			about: "A phrase is looked for once: where its first occurrence is part of a longer word, no other is tried.",
			certify: func(c *certifier) {
				c.occurs = func(text, phrase string, m floor.Match) []extent {
					at := strings.Index(text, phrase)
					if o := (extent{at, at + len(phrase)}); at >= 0 && phrase != "" && c.bounded(text, o, m) {
						return []extent{o}
					}
					return nil
				}
			},
			witness: steps(delivering("Blue keys, or a blue key.", "status", about(key))),
		},
		{
			id: "matching/plural-is-the-same", hardness: "M", hidden: otherDrafts,
			about: "A trailing s is let pass: the plural is taken for the word.",
			certify: func(c *certifier) {
				bounded := c.bounded
				c.bounded = func(text string, o extent, m floor.Match) bool {
					return bounded(text, o, m) || strings.HasPrefix(text[o.to:], "s") && bounded(text, extent{o.from, o.to + 1}, m)
				}
			},
			witness: steps(delivering("Blue keys.", "status", about(key))),
		},
		{
			id: "matching/parts-joined", hardness: "M", hidden: tooDear,
			about: "The parts of a delivery are read as one text: a phrase that begins in one and ends in the next stands there.",
			certify: func(c *certifier) {
				c.parts = func(parts []string) []string { return []string{strings.Join(parts, " ")} }
			},
			witness: steps(delivering("Blue", "status", about(key), pinned("key."))),
		},
		{
			id: "matching/parts-glued", hardness: "M",
			about: "The parts of a delivery are put together with nothing between them.",
			certify: func(c *certifier) {
				c.parts = func(parts []string) []string { return []string{strings.Join(parts, "")} }
			},
			witness: steps(delivering("Blue key", "status", about(key), pinned("ring."))),
		},
		{
			id: "matching/first-line-only", hardness: "M", hidden: otherDrafts,
			about: "Of each part only the first line is read.",
			certify: func(c *certifier) {
				c.parts = func(parts []string) (out []string) {
					for _, part := range parts {
						line, _, _ := strings.Cut(part, "\n")
						out = append(out, line)
					}
					return out
				}
			},
			witness: steps(delivering("Good.\nBlue key.", "status", about(key))),
		},
	}
}

// unjoined looks at word boundaries alone.
func unjoined(r *reading) func(string, extent, floor.Match) bool {
	return func(text string, o extent, _ floor.Match) bool { return !r.glued(text, o.from) && !r.glued(text, o.to) }
}

// joiningBut takes some characters for no joiners.
func joiningBut(r *reading, never string) func(string, int) bool {
	joins := r.joins
	return func(text string, at int) bool { return !strings.ContainsRune(never, rune(text[at])) && joins(text, at) }
}

func foldingAs(fold func(string, floor.Match) string, m floor.Match) func(string, floor.Match) string {
	return func(text string, _ floor.Match) string { return fold(text, m) }
}
