package hostile

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/floorcheck/floorcheck/floor"
)

// The rules that summarizers trip. Ids are public and stay for ever; the rules
// themselves live with the judge, whom this room does not know.
const (
	silentLoss   = "reduce/no-silent-loss"
	inversion    = "reduce/no-inversion"
	noMemory     = "reduce/error-not-memory"
	fabrication  = "reduce/no-fabrication"
	supersession = "reduce/supersession"
	hypothesis   = "reduce/hypothesis"
	force        = "reduce/force"
	role         = "reduce/role"
	status       = "reduce/status"
	progress     = "reduce/progress"
)

// Invented is the rule that the summarizer "invent" puts into its summary. A
// conversation that does not hold it may name it as a decoy.
const Invented = "Never restart the billing worker on a weekend."

const smoothTalk = "The conversation went well and covered the work in depth. " +
	"The user and the assistant looked at it from all sides, had a clear picture of what matters, and were happy with how things stand. " +
	"Everything important was taken into account."

// A telling is a summary, and what was done to it.
type telling struct{ text, did string }

// A delivery is how the server sends a summary.
type delivery int

const (
	whole       delivery = iota
	brokenOff            // half of a stream and no end
	serverError          // status 500
	tooMany              // status 429
	silence              // no answer
)

var catalogue = []Summarizer{
	{ID: "perfect", Title: "keeps every sentence that may hold an element, word for word and in order",
		tell: perfect},
	{ID: "drop-one", Title: "leaves out one sentence, the last that has the shape of an element",
		Trips: []string{silentLoss}, tell: dropping(theLast)},
	{ID: "drop-class", Title: "leaves out every prohibition",
		Trips: []string{silentLoss}, tell: dropping(every(isProhibition))},
	{ID: "quota", Title: "keeps as many sentences as it should, but small talk takes the place of the prohibitions",
		Trips: []string{silentLoss}, tell: quota},
	{ID: "collapse-negation", Title: "loses the word not: what is forbidden is told as what to do",
		Trips: []string{inversion}, tell: rewriting(collapseNegation)},
	{ID: "slide-scope", Title: "lets the word not slide: what is forbidden becomes what one does not have to do",
		Trips: []string{inversion}, tell: rewriting(slideScope)},
	{ID: "swap-identifier", Title: "takes every identifier for another one that looks like it",
		Trips: []string{silentLoss}, tell: rewriting(swapIdentifiers)},
	{ID: "drift-number", Title: "gets every quantity wrong by a little",
		Trips: []string{silentLoss}, tell: rewriting(driftNumbers)},
	{ID: "lose-unit", Title: "tells quantities without their units",
		Trips: []string{silentLoss}, tell: rewriting(loseUnits)},
	{ID: "label-for-value", Title: "says that a value was settled, and not which",
		Trips: []string{silentLoss}, tell: rewritingAll(labelForValue)},
	{ID: "reverse-order", Title: "tells what comes first as what comes after",
		Trips: []string{inversion}, tell: rewriting(reverseOrder)},
	{ID: "drop-condition", Title: "drops the condition and keeps what hung on it",
		Trips: []string{silentLoss}, tell: rewriting(dropCondition)},
	{ID: "promote-option", Title: "tells guesses as facts and options as decisions",
		Trips: []string{silentLoss, hypothesis}, tell: rewriting(promoteOption)},
	{ID: "weaken-force", Title: "tells obligations as advice",
		Trips: []string{silentLoss, force}, tell: rewriting(weakenForce)},
	{ID: "open-as-done", Title: "tells what is still open as done",
		Trips: []string{inversion, status}, tell: rewriting(openAsDone)},
	{ID: "old-for-new", Title: "keeps what was replaced or withdrawn, and drops what holds instead",
		Trips: []string{silentLoss, supersession}, tell: rewriting(oldForNew)},
	{ID: "role-raised", Title: "tells what the assistant or a tool said as the user's request",
		Trips: []string{role}, tell: raised},
	{ID: "invent", Title: "adds a rule that nobody gave",
		Trips: []string{fabrication}, tell: inventing},
	{ID: "fluent", Title: "writes smooth prose about nothing",
		Trips: []string{silentLoss}, tell: constant(smoothTalk)},
	{ID: "echo", Title: "tells the whole conversation again",
		Trips: []string{progress}, tell: echoing("")},
	{ID: "grown", Title: "tells the whole conversation again, and one word more",
		Trips: []string{progress}, tell: echoing("\nNoted")},

	{ID: "error-text", Title: "gives the text of an error as if it were the summary", Failing: true,
		Trips: []string{silentLoss, noMemory}, tell: constant(floor.ErrorText)},
	{ID: "empty", Title: "gives an empty text", Failing: true,
		Trips: []string{silentLoss, noMemory}, tell: constant("")},
	{ID: "refusal", Title: "declines to summarize", Failing: true,
		Trips: []string{silentLoss, noMemory}, tell: constant(floor.RefusalText)},
	{ID: "skeleton", Title: "fills in a form with the word none", Failing: true,
		Trips: []string{silentLoss, noMemory}, tell: constant(floor.SkeletonText)},
	{ID: "cut-stream", Title: "breaks off in the middle", Failing: true,
		Trips: []string{silentLoss, noMemory}, tell: half, delivery: brokenOff},
	{ID: "error-status", Title: "answers with HTTP status 500", Failing: true,
		Trips: []string{silentLoss, noMemory}, tell: failing("the summarizer answered with status 500"), delivery: serverError},
	{ID: "rate-limit", Title: "answers with HTTP status 429", Failing: true,
		Trips: []string{silentLoss, noMemory}, tell: failing("the summarizer answered with status 429"), delivery: tooMany},
	{ID: "timeout", Title: "does not answer", Failing: true,
		Trips: []string{silentLoss, noMemory}, tell: failing("the summarizer did not answer"), delivery: silence},
}

// perfect is what the others spoil.
func perfect(c content) (telling, error) {
	kept := c.kept()
	return telling{prose(kept), fmt.Sprintf("kept %d of %d sentences", len(kept), len(c.sentences))}, nil
}

// spoiled is a summary that differs from the right one in n places. Where there
// is nothing to spoil it is the right one.
func spoiled(c content, sentences []sentence, n int, what string) (telling, error) {
	t, err := perfect(c)
	if n == 0 {
		t.did += ", nothing to spoil"
		return t, err
	}
	return telling{prose(sentences), fmt.Sprintf("%s, %s %d", t.did, what, n)}, err
}

// dropping leaves out sentences of the right summary.
func dropping(choose func([]sentence) map[int]bool) func(content) (telling, error) {
	return func(c content) (telling, error) {
		kept := c.kept()
		gone := choose(kept)
		var left []sentence
		for i, s := range kept {
			if !gone[i] {
				left = append(left, s)
			}
		}
		return spoiled(c, left, len(gone), "left out")
	}
}

func every(is func(text string) bool) func([]sentence) map[int]bool {
	return func(kept []sentence) map[int]bool {
		found := map[int]bool{}
		for i, s := range kept {
			if is(s.text) {
				found[i] = true
			}
		}
		return found
	}
}

// theLast finds the last sentence that has the shape of an element: a word such
// as "use", or a name, is no sign that anything hangs on it. Where none has, the
// last of all.
func theLast(kept []sentence) map[int]bool {
	last := len(kept) - 1
	for i := last; i >= 0; i-- {
		if len(kept[i].text) <= mostSpoiled && hasShape(kept[i].text) {
			return map[int]bool{i: true}
		}
	}
	if last < 0 {
		return nil
	}
	return map[int]bool{last: true}
}

// quota drops the prohibitions and makes up the number with sentences that the
// right summary leaves out, each in its place.
func quota(c content) (telling, error) {
	missing := 0
	for _, s := range c.kept() {
		if isProhibition(s.text) {
			missing++
		}
	}
	var left []sentence
	filled := 0
	for _, s := range c.sentences {
		switch {
		case s.holds && !isProhibition(s.text):
			left = append(left, s)
		case !s.holds && filled < missing:
			left = append(left, s)
			filled++
		}
	}
	return spoiled(c, left, missing, "exchanged for small talk:")
}

// rewriting changes sentences of the right summary, all but what stands in
// quotation marks. A sentence that becomes "" is left out.
func rewriting(rewrite func(text string) string) func(content) (telling, error) {
	return rewritingAll(func(text string) string {
		hidden, quotes := hideQuotes(text)
		return showQuotes(rewrite(hidden), quotes)
	})
}

// mostSpoiled is how long a sentence may be, in bytes, to be taken for one. What
// is longer is a file, and is told as it is.
const mostSpoiled = 8 << 10

func rewritingAll(rewrite func(text string) string) func(content) (telling, error) {
	return func(c content) (telling, error) {
		var told []sentence
		changed := 0
		for _, s := range c.kept() {
			text := s.text
			if len(text) <= mostSpoiled {
				text = rewrite(text)
			}
			if text != s.text {
				changed++
			}
			if s.text = text; text != "" {
				told = append(told, s)
			}
		}
		return spoiled(c, told, changed, "spoiled")
	}
}

// raised puts the assistant's and the tools' words into the user's mouth.
func raised(c content) (telling, error) {
	told := c.kept()
	changed := 0
	for i, s := range told {
		if s.role == floor.Assistant || s.role == floor.Tool {
			told[i].text = "The user asked: " + s.text
			changed++
		}
	}
	return spoiled(c, told, changed, "raised")
}

func inventing(c content) (telling, error) {
	t, err := perfect(c)
	return telling{t.text + "\n" + Invented, t.did + ", invented 1"}, err
}

func echoing(more string) func(content) (telling, error) {
	return func(c content) (telling, error) {
		return telling{c.echo() + more, fmt.Sprintf("echoed %d sentences", len(c.sentences))}, nil
	}
}

func constant(text string) func(content) (telling, error) {
	return func(content) (telling, error) { return telling{text, "gave a fixed text"}, nil }
}

// half breaks off in the middle of the right summary, between two characters.
func half(c content) (telling, error) {
	t, err := perfect(c)
	middle := len(t.text) / 2
	for middle > 0 && !utf8.RuneStart(t.text[middle]) {
		middle--
	}
	return telling{strings.TrimRight(t.text[:middle], " \n"), t.did + ", broke off in the middle"}, err
}

func failing(message string) func(content) (telling, error) {
	err := errors.New(message)
	return func(content) (telling, error) { return telling{did: "failed"}, err }
}
