package hostile

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Each fault here takes a sentence and gives it back spoiled, or as it was when
// it is not of the kind that the fault spoils. Quotations are hidden from them.

var negator = regexp.MustCompile(`(?i)\b(?:do not|don['’]t|never|(can)(?:not|['’]t)|(must|shall|should|may|can) (?:not|never)|(must|should)n['’]t)\b`)

func isProhibition(text string) bool {
	text, _ = hideQuotes(text)
	return negator.MatchString(text) && !withdrawal.MatchString(text)
}

// collapseNegation takes the not away and leaves the rest.
func collapseNegation(text string) string {
	if !isProhibition(text) {
		return text
	}
	at := negator.FindStringSubmatchIndex(text)
	left := submatch(text, at, 1) + submatch(text, at, 2) + submatch(text, at, 3) // "must" of "must not"
	return replaced(text, at[0], at[1], left)
}

// slideScope moves the not from what is done to whether one has to do it.
func slideScope(text string) string {
	if !isProhibition(text) {
		return text
	}
	at := negator.FindStringIndex(text)
	before := text[:at[0]]
	with := "you do not have to"
	switch {
	case several.MatchString(before):
		with = "do not have to"
	case someone.MatchString(before):
		with = "does not have to" // "The agent must not …"
	}
	return replaced(text, at[0], at[1], with)
}

var (
	several = regexp.MustCompile(`(?i)\b(?:you|we|they|i) $`)
	someone = regexp.MustCompile(`(?i)\b(?:the|a|an|no|this|that) [^,:;]+ $|\b(?:he|she|it|nobody|everybody) $`)
)

// dropCondition keeps what hung on a condition and drops the condition.
func dropCondition(text string) string {
	if guessing.MatchString(text) {
		return text // "Maybe it fails when it is full." sets none
	}
	lead, core, end := taken(text)
	for _, shape := range conditional {
		if m := shape.FindStringSubmatch(core); m != nil && !asks.MatchString(m[1]) {
			return lead + upper(m[1]) + end
		}
	}
	return text
}

var (
	conditional = []*regexp.Regexp{
		regexp.MustCompile(`(?i)^(?:only if|only when|if|when|unless|provided) [^,]+, (?:then )?(.+)$`),
		regexp.MustCompile(`(?i)^only (.+?),? (?:if|when|after|once|while) .+$`),
		regexp.MustCompile(`(?i)^(.+?),? (?:but )?(?:only (?:if|when|after|once|while)|unless|if|when|provided|as long as) .+$`),
	}
	// "Check if the host is up" has no condition.
	asks = regexp.MustCompile(`(?i)\b(?:check|see|ask|know|decide|tell|verify|test|wonder|unclear|whether|as|even)$`)
)

// reverseOrder exchanges what comes first and what comes after.
func reverseOrder(text string) string {
	if isProhibition(text) || must.MatchString(text) || guessing.MatchString(text) || isConditional(text) {
		return text // "You must answer before noon." orders nothing
	}
	lead, core, end := taken(text)
	if m := firstThen.FindStringSubmatch(core); m != nil {
		return lead + m[1] + lower(m[4]) + m[3] + lower(m[2]) + end
	}
	if m := leading.FindStringSubmatch(core); m != nil {
		return lead + m[1] + lower(m[3]) + ", " + lower(m[2]) + end
	}
	if m := between.FindStringSubmatch(core); m != nil {
		return lead + upper(m[3]) + m[2] + lower(m[1]) + end
	}
	return text
}

var (
	firstThen = regexp.MustCompile(`(?i)^(first,? )(.+?)(,? (?:and )?then )(.+)$`)
	leading   = regexp.MustCompile(`(?i)^((?:before|after) (?:you |we ))([^,]+), (.+)$`)
	between   = regexp.MustCompile(`(?i)^(.+?)( before (?:you |we )?| after (?:you |we ))(.+)$`)
)

func isConditional(text string) bool { return dropCondition(text) != text }

// promoteOption drops the words of guessing, and makes what may be what is.
func promoteOption(text string) string {
	if isProhibition(text) {
		return text
	}
	lead, core, end := taken(text)
	was := core
	core = guessing.ReplaceAllString(core, "")
	core = mayBe.ReplaceAllString(core, "is")
	core = may.ReplaceAllString(core, "must")
	if core == was {
		return text
	}
	return lead + upper(core) + end
}

var (
	guessing = regexp.MustCompile(`(?i)\b(?:maybe|perhaps|possibly|optionally),? `)
	mayBe    = regexp.MustCompile(`\b(?:might|may|could) be\b`)
	may      = regexp.MustCompile(`\b(?:might|may|could)\b`)
)

// weakenForce tells an obligation as advice. What must not be done is no
// obligation.
func weakenForce(text string) string {
	return must.ReplaceAllStringFunc(text, func(found string) string {
		switch said := strings.ToLower(found); {
		case strings.HasSuffix(said, "not") || strings.HasSuffix(said, "never"):
			return found
		case found == strings.ToUpper(found):
			return "SHOULD"
		case found != said:
			return "Should"
		}
		return "should"
	})
}

var must = regexp.MustCompile(`(?i)\b(?:must|shall|has to|needs to)\b(?: not\b| never\b)?`)

// openAsDone closes what is open.
func openAsDone(text string) string {
	return stillOpen.ReplaceAllString(text, "${1}done")
}

var stillOpen = regexp.MustCompile(`(?i)(\bis |\bare |: ?)(?:(?:still |not yet )?(?:open|pending|unfinished|todo)|(?:still )?not (?:yet )?(?:done|finished))\b`)

// oldForNew tells what was replaced as what holds, and leaves out that
// something was withdrawn.
func oldForNew(text string) string {
	if withdrawal.MatchString(text) {
		return ""
	}
	lead, core, end := taken(text)
	if m := insteadOf.FindStringSubmatch(core); m != nil {
		return lead + m[1] + " " + m[3] + end
	}
	if m := noLonger.FindStringSubmatch(core); m != nil {
		return lead + m[1] + " holds" + end
	}
	return text
}

var (
	withdrawal = regexp.MustCompile(`(?i)\bforget (?:that|it|about)\b|\bno longer (?:needed|required|wanted|necessary)\b`)
	insteadOf  = regexp.MustCompile(`^(\S+) (.+) instead of (.+)$`)
	noLonger   = regexp.MustCompile(`^(.+?) no longer (?:holds|applies|counts)\b(?:.* is now (.+))?.*$`)
)

// labelForValue says of a value that there is one. It reads quotations too.
func labelForValue(text string) string {
	if said, _ := hideQuotes(text); isProhibition(said) || must.MatchString(said) || guessing.MatchString(said) || isConditional(said) {
		return text
	}
	lead, core, end := taken(text)
	if m := limited.FindStringSubmatch(core); m != nil && isValue(m[2]) {
		return lead + m[1] + " is limited" + end
	}
	if m := useFor.FindStringSubmatch(core); m != nil && isValue(m[1]) {
		return lead + "What to use for " + m[2] + " was settled" + end
	}
	if m := labelled.FindStringSubmatch(core); m != nil && isValue(m[2]) {
		return lead + m[1] + " was settled" + end
	}
	if m := insteadOf.FindStringSubmatch(core); m != nil && isValue(m[2]) {
		return lead + m[1] + " something else instead of " + m[3] + end
	}
	if m := noLonger.FindStringSubmatch(core); m != nil && isValue(m[2]) {
		return lead + m[1] + " no longer holds, it is something else now" + end
	}
	if isValue(core) {
		return lead + "A value was settled" + end
	}
	return text
}

var (
	limited  = regexp.MustCompile(`^(.+?) (?:is|are) limited to (.+)$`)
	useFor   = regexp.MustCompile(`^(?i:use) (.+?) for (.+)$`)
	labelled = regexp.MustCompile(`^([^:=]+?)(?: is| are|:| =) (.+)$`)
)

// named are the words that the shape of a sentence makes names, whatever they
// look like.
func named(text string) []string {
	_, core, _ := taken(text)
	if m := useFor.FindStringSubmatch(core); m != nil {
		return []string{m[1]}
	}
	if m := insteadOf.FindStringSubmatch(core); m != nil {
		return []string{m[2], m[3]}
	}
	if m := noLonger.FindStringSubmatch(core); m != nil {
		return []string{m[1], m[2]}
	}
	value := core
	if m := labelled.FindStringSubmatch(core); m != nil {
		value = m[2]
	}
	if name := bare(value); isName(name) || name != "" && strings.Trim(name, "0123456789") == "" {
		return []string{name}
	}
	return nil
}

// isValue says whether a text is nothing but a name, a number with or without
// its unit, or a quotation.
func isValue(text string) bool {
	if spans := quoted(text); len(spans) == 1 && spans[0] == [2]int{0, len(text)} {
		return true
	}
	if q := quantity.FindStringIndex(text); q != nil && q[0] == 0 && q[1] == len(text) {
		return true
	}
	return !strings.Contains(text, " ") && (isName(bare(text)) || strings.IndexFunc(text, unicode.IsDigit) >= 0)
}

// hasShape says whether a sentence has the shape of an element, and not only a
// word or a name that may be one.
func hasShape(text string) bool {
	said, _ := hideQuotes(text)
	_, core, _ := taken(said)
	for _, shape := range []*regexp.Regexp{negator, must, guess, proviso, order, stillOpen, finished, withdrawal, insteadOf, noLonger} {
		if shape.MatchString(core) {
			return true
		}
	}
	return labelForValue(text) != text
}

var (
	guess    = regexp.MustCompile(`(?i)^(?:maybe|perhaps|possibly)\b`)
	proviso  = regexp.MustCompile(`(?i)\bonly .*\bif\b|\bunless\b`)
	order    = regexp.MustCompile(`(?i)^first\b.*\bthen\b|\bbefore (?:you|we)\b`)
	finished = regexp.MustCompile(`(?i)(?:\bis |: )(?:done|finished|failed)\b`)
)

// swapIdentifiers changes every identifier in the same way wherever it stands.
// A plain word or a bare number is one where it is told as a value.
func swapIdentifiers(text string) string {
	values := named(text)
	return word.ReplaceAllStringFunc(text, func(w string) string {
		name := bare(w)
		if !isIdentifier(name) && (name == "" || !slices.Contains(values, name)) {
			return w
		}
		at := strings.Index(w, name)
		return w[:at] + misread(name) + w[at+len(name):]
	})
}

var word = regexp.MustCompile(`\S+`)

// isIdentifier is stricter than isName: what the language itself writes like
// that, a time of day, a date or a quantity is none.
func isIdentifier(name string) bool {
	letters := strings.IndexFunc(name, unicode.IsLetter) >= 0
	digits := strings.IndexFunc(name, unicode.IsDigit) >= 0
	if strings.Contains(name, hidden) || commonName.MatchString(name) {
		return false
	}
	return isName(name) && (letters || strings.ContainsAny(name, "#/@")) || letters && digits
}

// commonName: acronyms, hyphened words, and/or, e.g, 15-minute, 3x, 250ms.
var commonName = regexp.MustCompile(`^(?:\p{Lu}+s?|\p{L}+(?:['’-]\p{L}+)+|\p{Ll}+/\p{Ll}+|\p{L}\.\p{L}|\d+-\p{Ll}+|[\d.,]+[µ\p{L}%/]*)$`)

// misread changes the last letter or digit of a name into its neighbour.
func misread(name string) string {
	runes := []rune(name)
	for i := len(runes) - 1; i >= 0; i-- {
		switch r := runes[i]; {
		case r >= '0' && r <= '8', r >= 'a' && r <= 'y', r >= 'A' && r <= 'Y':
			runes[i]++
			return string(runes)
		case r == '9' || r == 'z' || r == 'Z':
			runes[i]--
			return string(runes)
		}
	}
	return name
}

// driftNumbers moves the last digit of every quantity by one.
func driftNumbers(text string) string {
	return onQuantities(text, func(q amount) string { return q.currency + misread(q.number) + q.gap + q.unit })
}

// loseUnits leaves the number alone.
func loseUnits(text string) string {
	return onQuantities(text, func(q amount) string { return q.number })
}

// An amount is a quantity taken apart.
type amount struct{ currency, number, gap, unit string }

// A number stands alone; its unit is glued to it, or is the next word.
var quantity = regexp.MustCompile(`([$€£]?)(\d+(?:,\d{3})*(?:\.\d+)?)(?:([ -]?)(%|‰|°[CFK]?|[µ\p{L}][µ\p{L}]*(?:/\p{L}+)?(?: per \p{L}+)?))?`)

func onQuantities(text string, change func(amount) string) string {
	var b strings.Builder
	done := 0
	for _, at := range quantity.FindAllStringSubmatchIndex(text, -1) {
		q := amount{submatch(text, at, 1), submatch(text, at, 2), submatch(text, at, 3), submatch(text, at, 4)}
		if !standsAlone(text, at[0], at[1]) {
			continue
		}
		end := at[1]
		if !isUnit(q) {
			if q.currency == "" {
				continue
			}
			end = at[5] // the next word is just a word
			q.gap, q.unit = "", ""
		}
		b.WriteString(text[done:at[0]])
		b.WriteString(change(q))
		done = end
	}
	return b.String() + text[done:]
}

// standsAlone says whether what is around a number does not make it a part of
// a name, a date or a time.
func standsAlone(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	if from > 0 && !unicode.IsSpace(before) && !strings.ContainsRune("([{<>~≈±=\"'`*", before) {
		return false
	}
	after := text[to:]
	if after == "" {
		return true
	}
	first, size := utf8.DecodeRuneInString(after)
	if unicode.IsLetter(first) || unicode.IsDigit(first) || first == '_' {
		return false
	}
	next, _ := utf8.DecodeRuneInString(after[size:])
	return !strings.ContainsRune("/.-#:@,", first) || !unicode.IsLetter(next) && !unicode.IsDigit(next)
}

// noUnits are words that stand behind a number and say nothing of its kind.
var noUnits = setOf(`of and or to in on at by for is are was were be if then from the a an as with not before after when until unless
	only more less than that which it we you so but no may must should has have had will can do does per st nd rd th am pm
	january february march april june july august september october november december
	jan feb mar apr jun jul aug sep oct nov dec`)

var symbols = regexp.MustCompile(`^(?:[kKMGTP]i?(?:[Bb]|bit)(?:ps|/s)?|[kMG]?Hz|[mk]?[WVAJN]|[CFK]|[A-Z]{3})$`)

func isUnit(q amount) bool {
	first, _ := utf8.DecodeRuneInString(q.unit)
	head, _, _ := strings.Cut(q.unit, " ")
	switch {
	case q.unit == "" || noUnits[strings.ToLower(head)]:
		return false
	case unicode.IsUpper(first):
		return symbols.MatchString(q.unit)
	}
	return true
}

// taken takes a sentence apart: a bullet or number in front, what it says, and
// the marks at its end.
func taken(text string) (lead, core, end string) {
	lead = leadIn.FindString(text)
	core = strings.TrimRight(text[len(lead):], ".!?")
	return lead, core, text[len(lead)+len(core):]
}

var leadIn = regexp.MustCompile(`^(?:(?:[-*•]|\d+[.)]) +)?(?:(?i:please|also|and|but|note|reminder|remember|important|rule)[,:]? +)?`)

// replaced puts words in the place of others, with a capital where one was.
func replaced(text string, from, to int, with string) string {
	before, after := text[:from], text[to:]
	if with == "" {
		after = strings.TrimLeft(after, " ,")
	}
	if first, _ := utf8.DecodeRuneInString(text[from:]); unicode.IsUpper(first) {
		if with != "" {
			with = upper(with)
		} else {
			after = upper(after)
		}
	}
	return before + with + after
}

// upper gives a text a capital, but for a name, which is written as it is.
func upper(text string) string {
	first, _, _ := strings.Cut(text, " ")
	if isIdentifier(bare(first)) || strings.Contains(first, hidden) {
		return text
	}
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[size:]
}

// lower takes the capital away that a word has only because it stood first.
func lower(text string) string {
	first, _, _ := strings.Cut(text, " ")
	if isIdentifier(bare(first)) || first == "I" || len(first) > 1 && first == strings.ToUpper(first) || strings.Contains(first, hidden) {
		return text
	}
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(r)) + text[size:]
}

func submatch(text string, at []int, n int) string {
	if at[2*n] < 0 {
		return ""
	}
	return text[at[2*n]:at[2*n+1]]
}

// hidden marks a quotation that was taken out of a sentence.
const hidden = "\x00"

// hideQuotes takes the quotations out, so that no fault looks into them. A text
// that has the mark itself keeps its quotations.
func hideQuotes(text string) (string, []string) {
	if strings.Contains(text, hidden) {
		return text, nil
	}
	var quotes []string
	var b strings.Builder
	done := 0
	for _, span := range quoted(text) {
		b.WriteString(text[done:span[0]])
		b.WriteString(hidden + strconv.Itoa(len(quotes)) + hidden)
		quotes = append(quotes, text[span[0]:span[1]])
		done = span[1]
	}
	return b.String() + text[done:], quotes
}

func showQuotes(text string, quotes []string) string {
	for i, q := range quotes {
		text = strings.ReplaceAll(text, hidden+strconv.Itoa(i)+hidden, q)
	}
	return text
}
