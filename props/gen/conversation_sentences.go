package gen

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/floorcheck/floorcheck/floor"
)

// One sentence, one plant: what it says, which texts keep it, which say the
// opposite, and which change its force. Hostile summarizers know this English,
// and so do correct subjects that judge line by line.

func forbidding(shape int, deed string) *plant {
	p := folded(floor.Negation, "do not "+deed, "don't "+deed, "never "+deed, "must not "+deed)
	p.Inverted = []string{deed}
	p.said = []string{"Do not ", "Never ", "You must not "}[shape] + deed + "."
	return p
}

func ordering(shape int, a, b string) *plant {
	p := folded(floor.Ordering, orders(a, b)...)
	p.Inverted = orders(b, a)
	p.said = "First " + a + ", then " + b + "."
	if shape > 0 {
		p.said = capital(a) + " before you " + b + "."
	}
	return p
}

func orders(a, b string) []string {
	return []string{"first " + a + ", then " + b, a + " before you " + b, a + " before " + b}
}

func obliging(shape int, deed, deadline string) *plant {
	due := deed
	if shape > 0 {
		due += " by " + deadline
	}
	p := folded(floor.Obligation, "must "+due)
	p.Shifted = []string{"should " + deed, "could " + deed, "may " + deed, "might " + deed}
	p.said = "You must " + due + "."
	p.ends, p.word = floor.Withdrawn, deed
	return p
}

func guessing(shape int, clause string) *plant {
	if shape < 2 {
		clause += " is the cause"
	}
	p := folded(floor.Hypothesis, "maybe "+clause, "perhaps "+clause, "possibly "+clause)
	p.Shifted = []string{clause}
	p.said = []string{"Maybe ", "Perhaps ", "Perhaps "}[shape] + clause + "."
	return p
}

func allowing(shape int, a, b string) *plant {
	if shape == 2 {
		p := folded(floor.Constraint, "do it unless "+a)
		p.said = "Do it unless " + a + "."
		return p
	}
	p := folded(floor.Constraint, a+" only if "+b, "only "+a+" if "+b, a+", only if "+b)
	p.said = []string{"Only " + a + " if " + b + ".", capital(a) + " only if " + b + "."}[shape]
	return p
}

func statusOf(shape int, task string) *plant {
	if shape == 2 {
		p := done(task)
		p.Inverted = undone(task)
		return p
	}
	p := folded(floor.Status, undone(task)...)
	p.Inverted = done(task).Forms
	p.said = capital(task) + " is still open."
	p.ends, p.word = floor.Completed, task
	return p
}

func undone(task string) []string {
	return []string{task + " is still open", task + " is open", task + ": open"}
}

func done(task string) *plant {
	p := folded(floor.Status, task+" is done", task+": done")
	p.said = capital(task) + " is done."
	return p
}

func folded(class floor.Class, forms ...string) *plant {
	return &plant{Plant: floor.Plant{Element: floor.Element{Class: class, Forms: forms}}}
}

func toTheLetter(class floor.Class, value string, of *family) *plant {
	p := folded(class, value)
	p.Match, p.ends, p.of, p.word = floor.Exact, floor.Replaced, of, value
	p.striking = strings.ContainsFunc(value, unicode.IsDigit) || strings.ContainsAny(value[1:], "_/.#:@-")
	return p
}

func replacing(old *plant, shape int, value string) string {
	switch {
	case old.Class == floor.Literal:
		return `"` + old.word + `" no longer holds, it is now "` + value + `".`
	case old.Class == floor.Identifier && shape == 0:
		return "Use " + value + " instead of " + old.word + "."
	}
	return old.word + " no longer holds, it is now " + value + "."
}

// written is a plant's sentence as it is spelled: plainly, in capitals, with a
// line break inside, or with letters in two parts. All of them keep it.
func written(p *plant, spelled, gap int, prose bool) string {
	switch {
	case spelled == 1 && p.Match != floor.Exact:
		return strings.ToUpper(p.said)
	case spelled == 2 && prose:
		words := strings.Split(p.said, " ")
		gap = 1 + gap%max(len(words)-1, 1)
		return strings.Join(words[:gap], " ") + "\n  " + strings.Join(words[gap:], " ")
	case spelled == 3:
		return inTwoParts(p.said)
	}
	return p.said
}

// inTwoParts writes each accented letter as a letter and a mark.
func inTwoParts(text string) string {
	var b strings.Builder
	for _, r := range text {
		if two, ok := accented[r]; ok {
			b.WriteString(two)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// capital begins a sentence.
func capital(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[size:]
}
