package mutant

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/floorcheck/floorcheck/floor"
)

// retellings are faults that keep a sentence and tell it otherwise.
func retellings() []shortcut {
	email := user("Do not email the vendor.")
	return []shortcut{
		{
			id: "reduce/negation-collapsed-in-long", hardness: "M",
			about: "In texts of more than 300 characters the word not is lost: what is forbidden is told as what to do.",
			plant: func(r *runtime) {
				text := r.Text
				r.Text = func(said string) string {
					if told := text(said); len(said) <= 300 {
						return told
					}
					return negation.ReplaceAllString(text(said), "")
				}
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))),
				compact(user(padded(300, email.Text)), chat, goOn)),
		},
		{
			id: "reduce/order-turned", hardness: "M",
			about: "What is to be done before something else is told as what comes after it.",
			plant: func(r *runtime) {
				retelling(r, func(sentence string) string { return before.ReplaceAllString(sentence, "First $2, then $1.") })
			},
			witness: talks(planting(at(0, 0, ordered("merge the hotfix", "freeze the schema"))),
				compact(user("Merge the hotfix before you freeze the schema."), chat, goOn)),
		},
		{
			id: "reduce/condition-dropped", hardness: "M",
			about: "Conditions that stand behind what hangs on them are taken for an aside and dropped.",
			plant: func(r *runtime) {
				retelling(r, func(sentence string) string { return condition.ReplaceAllString(sentence, ".") })
			},
			witness: talks(planting(at(0, 0, binding("merge the hotfix only if the queue is empty"))),
				compact(user("Merge the hotfix only if the queue is empty."), chat, goOn)),
		},
		{
			id: "reduce/softened-by-assistants", hardness: "M",
			about: "What an assistant says must be done is told as what should be.",
			plant: func(r *runtime) {
				byRole(r, floor.Assistant, func(text string) string { return strings.ReplaceAll(text, " must ", " should ") })
			},
			witness: talks(planting(at(0, 1, due("email the vendor"))),
				compact(chat, assistant("You must email the vendor."), goOn)),
		},
		{
			id: "reduce/guess-told-as-fact", hardness: "M",
			about: "Maybe and perhaps are taken for politeness and left out.",
			plant: func(r *runtime) {
				retelling(r, func(sentence string) string { return politely.ReplaceAllString(sentence, "") })
			},
			witness: talks(planting(at(0, 0, guessed("the proxy is the cause"))),
				compact(user("Maybe the proxy is the cause."), chat, goOn)),
		},
		{
			id: "reduce/ascii", hardness: "M",
			about: "Texts are written in ASCII: letters lose their marks, and those of other scripts are dropped.",
			plant: func(r *runtime) {
				retelling(r, func(sentence string) string {
					return strings.Map(func(c rune) rune {
						if c >= 0x80 {
							return -1
						}
						return c
					}, norm.NFKD.String(sentence))
				})
			},
			witness: talks(planting(at(0, 0, forbidden("update the résumé template"))),
				compact(user("Do not update the résumé template."), chat, goOn)),
		},
		{
			id: "reduce/small-letters", hardness: "E",
			about: "What is kept is told in small letters, names too.",
			plant: func(r *runtime) { retelling(r, strings.ToLower) },
			witness: talks(planting(at(0, 0, named("OPS-114"))),
				compact(user("The parent ticket is OPS-114."), chat, goOn)),
		},
		{
			id: "reduce/decimals-rounded", hardness: "M",
			about: "Quantities are rounded down to whole numbers.",
			plant: func(r *runtime) {
				retelling(r, func(sentence string) string { return decimals.ReplaceAllString(sentence, "$1$2") })
			},
			witness: talks(planting(at(0, 0, amounting("12.5 %"))),
				compact(user("The error budget is limited to 12.5 %."), chat, goOn)),
		},
		{
			id: "reduce/unit-at-the-end-dropped", hardness: "M",
			about: "A unit that ends a sentence is dropped.",
			plant: func(r *runtime) {
				retelling(r, func(sentence string) string { return unitAtEnd.ReplaceAllString(sentence, "$1.") })
			},
			witness: talks(planting(at(0, 0, amounting("250 ms"))),
				compact(user("The retry delay is limited to 250 ms."), chat, goOn)),
		},
		{
			id: "reduce/trailing-zeros", hardness: "M",
			about: "Zeros at the end of what looks like a decimal fraction are dropped, in versions and addresses too.",
			plant: func(r *runtime) {
				retelling(r, func(sentence string) string { return trailingZero.ReplaceAllString(sentence, "$1$2") })
			},
			witness: talks(planting(at(0, 0, named("v1.8.30"))),
				compact(user("The release tag is v1.8.30."), chat, goOn)),
		},
		{
			id: "reduce/neighbours-named", hardness: "M",
			about: "Names that end with a figure are told with the next one beside them, which nobody spoke of.",
			plant: func(r *runtime) {
				retelling(r, func(sentence string) string {
					return numbered.ReplaceAllStringFunc(sentence, func(found string) string {
						name := strings.TrimRight(found, " .")
						last := len(name) - 1
						return name + " or " + name[:last] + string(name[last]+1) + found[len(name):]
					})
				})
			},
			witness: talks(strange(named("orders_v3").Element, planting(at(0, 0, named("orders_v2")))),
				compact(user("The source table is orders_v2."), chat, chat, goOn)),
		},
		{
			id: "reduce/titles-shortened", hardness: "M",
			about: "A quotation of more than twenty characters is cut short.",
			plant: func(r *runtime) {
				retelling(r, func(sentence string) string {
					return quotation.ReplaceAllStringFunc(sentence, func(quoted string) string { return prefix(quoted, 18) + `…"` })
				})
			},
			witness: talks(planting(at(0, 0, titled("Harbour Lights at Noon"))),
				compact(user(`The agreed title is "Harbour Lights at Noon".`), chat, goOn)),
		},
		{
			id: "reduce/rules-as-user", hardness: "E",
			about: "The system's words are told as a turn of the user, for models that know no system.",
			plant: func(r *runtime) {
				finishing(r, func(_, short []floor.Message) []floor.Message {
					for i := range short {
						if short[i].Role == floor.System {
							short[i].Role = floor.User
						}
					}
					return short
				})
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))),
				compact(system("Do not email the vendor."), chat, goOn)),
		},
		{
			id: "reduce/results-as-user", hardness: "M",
			about: "What results say is told by the user, before the newest turn; the results themselves are emptied.",
			plant: func(r *runtime) {
				finishing(r, func(_, short []floor.Message) []floor.Message {
					newest := r.Newest(short)
					var said []string
					for i := range max(newest, 0) {
						if short[i].Role == floor.Tool && short[i].Text != "" {
							said = append(said, short[i].Text)
							short[i].Text = ""
						}
					}
					if len(said) == 0 {
						return short
					}
					return slices.Insert(short, newest, user(strings.Join(said, "\n")))
				})
			},
			witness: talks(planting(at(0, 2, unfinished("the index rebuild"))),
				compact(chat, assistant("", note("c1", "Page 3.")), tool("c1", "The index rebuild is still open."), goOn)),
		},
		{
			id: "reduce/speakers-merged", hardness: "M",
			about: "Two messages in a row that are no calls become one, which the first speaker says.",
			plant: func(r *runtime) {
				finishing(r, func(_, short []floor.Message) (out []floor.Message) {
					newest := r.Newest(short)
					for i, m := range short {
						last := len(out) - 1
						if plain(r, short, i) && last >= 0 && i < newest && len(out[last].Calls) == 0 && out[last].Role != floor.System && out[last].Role != floor.Tool {
							out[last].Text += "\n" + m.Text
							continue
						}
						out = append(out, m)
					}
					return out
				})
			},
			witness: talks(planting(at(0, 1, forbidden("email the vendor"))),
				compact(user("Page 3 of the handout has a coffee stain."), assistant("Do not email the vendor."), chat, goOn)),
		},
	}
}

var (
	negation     = regexp.MustCompile(`(?i)\b(?:do not|never|must not)\s+`)
	before       = regexp.MustCompile(`(?is)^(.+?)\s+before\s+you\s+(.+?)\.$`)
	condition    = regexp.MustCompile(`(?is),?\s+(?:only\s+)?(?:if|unless)\s.+\.$`)
	politely     = regexp.MustCompile(`(?i)^(?:maybe|perhaps)\s+`)
	decimals     = regexp.MustCompile(`\b(\d+)\.\d+(\s+\S)`)
	unitAtEnd    = regexp.MustCompile(`(\d)\s+\S+\.$`)
	trailingZero = regexp.MustCompile(`(\.\d+)0(\D|$)`)
	numbered     = regexp.MustCompile(`\pL+[\pL\d]*[_/.#@-][\pL\d_/.#@-]*[0-8](?: |\.? ?$)`)
	quotation    = regexp.MustCompile(`"[^"]{21,}"`)
)
