package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/floorcheck/floorcheck/floor"
)

// What a finding shows of an answer is bounded: a subject may say anything.
const (
	mostShownBytes = 40
	mostShownNames = 8
	mostShownText  = 80 // bytes
)

// showName writes a class or an id, quoted when it is odd.
func showName(name string) string {
	short := name
	if len(short) > mostShownBytes {
		short = short[:mostShownBytes]
		for len(short) > 0 && !utf8.ValidString(short) && utf8.ValidString(name) {
			short = short[:len(short)-1]
		}
		short += "…"
	}
	if short == "" || strings.ContainsFunc(short, odd) {
		return strconv.QuoteToASCII(short)
	}
	return short
}

func odd(r rune) bool {
	plain := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_./…", r)
	return !plain
}

// showNames writes names in the order given.
func showNames(names []string) string {
	var shown []string
	for i, name := range names {
		if i == mostShownNames {
			shown = append(shown, fmt.Sprintf("and %d more", len(names)-i))
			break
		}
		shown = append(shown, showName(name))
	}
	return "[" + strings.Join(shown, " ") + "]"
}

// showClasses writes the classes that a refusal names.
func showClasses(classes []floor.Class) string { return showSet("missing_classes", classes) }

// showSet writes a set of names, sorted; nil is a field that is absent.
func showSet[T ~string](field string, set []T) string {
	if set == nil {
		return "no " + field
	}
	var names []string
	for _, name := range set {
		names = append(names, string(name))
	}
	slices.Sort(names)
	return showNames(slices.Compact(names))
}

func showGeneration(n *int64) string {
	if n == nil {
		return "no generation"
	}
	return fmt.Sprintf("generation %d", *n)
}

func showTokens(n *int64) string {
	if n == nil {
		return "no number of tokens"
	}
	return fmt.Sprintf("%d tokens", *n)
}

func showAncestry(b *bool) string {
	if b == nil {
		return "no ancestry_certified"
	}
	return fmt.Sprintf("ancestry_certified %t", *b)
}

func showDecision(d floor.Decision) string { return showName(string(d)) }

func showFidelity(f floor.Fidelity) string {
	return fmt.Sprintf("%s %d of %d", showName(string(f.Class)), f.Retained, f.Total)
}

// showCount writes a number of things, whose name takes an s.
func showCount(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// showReduceOut says how a conversation was answered, without repeating it.
func showReduceOut(out *floor.ReduceOut) string {
	if out.Refused {
		return "a refusal"
	}
	return fmt.Sprintf("%s marked %s", showCount(len(out.Messages), "message"), showName(string(markOf(out))))
}

// showPlant says what a plant is, and where it was said.
func showPlant(p *floor.Plant) string {
	return fmt.Sprintf("%s %s, said in message %d of generation %d", showName(string(p.Class)), showName(p.ID), p.Said.Message+1, p.Said.Step+1)
}

// showElement says what an element is.
func showElement(e *floor.Element) string { return showName(string(e.Class)) + " " + showName(e.ID) }

// showForms quotes the first text of an element's.
func showForms(forms []string) string {
	if len(forms) == 0 {
		return "no form"
	}
	return showText(forms[0])
}

// showText quotes a text, bounded.
func showText(text string) string {
	if len(text) <= mostShownText {
		return strconv.QuoteToASCII(text)
	}
	cut := mostShownText
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return strconv.QuoteToASCII(text[:cut]) + "…"
}
