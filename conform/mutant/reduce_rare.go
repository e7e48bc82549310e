package mutant

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/floorcheck/floorcheck/floor"
)

// rarities are faults of the pinning black box that few conversations show: a
// step that is right for what is usual.
func rarities() []shortcut {
	return []shortcut{
		{
			id: "reduce/hundred-messages", hardness: "H",
			about: "Of more than a hundred messages only the last hundred are looked at.",
			plant: func(r *runtime) {
				dropping(r, func(asked []floor.Message, i int) bool { return i < len(asked)-100 })
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))),
				compact(slices.Concat([]floor.Message{user("Do not email the vendor.")}, chats(100), []floor.Message{goOn})...)),
		},
		{
			id: "reduce/negation-lost-in-very-long", hardness: "H",
			about: "In texts of more than 1500 characters the last prohibition loses its not: it stood across the edge of a window.",
			plant: func(r *runtime) {
				text := r.Text
				r.Text = func(said string) string {
					told := text(said)
					found := negation.FindAllStringIndex(told, -1)
					if len(said) <= 1500 || len(found) == 0 {
						return told
					}
					last := found[len(found)-1]
					return told[:last[0]] + told[last[1]:]
				}
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))),
				compact(user(padded(1500, "Do not email the vendor.")), chat, goOn)),
		},
		{
			id: "reduce/clock-of-twelve", hardness: "M",
			about: "Times of day after noon are told by a clock of twelve hours.",
			plant: func(r *runtime) {
				retelling(r, func(sentence string) string {
					return afternoon.ReplaceAllStringFunc(sentence, func(clock string) string {
						hour, _ := strconv.Atoi(clock[:2]) // two digits
						return fmt.Sprintf("%d%s pm", hour-12, clock[2:])
					})
				})
			},
			witness: talks(planting(at(0, 0, due("email the vendor by 18:00 UTC"))),
				compact(user("You must email the vendor by 18:00 UTC."), chat, goOn)),
		},
		{
			id: "reduce/dates-spelled-out", hardness: "M",
			about: "Dates of year, month and day are spelled out.",
			plant: func(r *runtime) {
				retelling(r, func(sentence string) string {
					return isoDate.ReplaceAllStringFunc(sentence, func(date string) string {
						day, err := time.Parse(time.DateOnly, date)
						if err != nil {
							return date
						}
						return day.Format("2 January 2006")
					})
				})
			},
			witness: talks(planting(at(0, 0, due("email the vendor by 2027-01-15"))),
				compact(user("You must email the vendor by 2027-01-15."), chat, goOn)),
		},
		{
			id: "reduce/thousands-joined", hardness: "M",
			about: "Commas between thousands are dropped.",
			plant: func(r *runtime) {
				retelling(r, func(sentence string) string { return thousands.ReplaceAllString(sentence, "$1$2") })
			},
			witness: talks(planting(at(0, 0, amounting("1,200 EUR"))),
				compact(user("The travel budget is limited to 1,200 EUR."), chat, goOn)),
		},
		{
			id: "reduce/backslashes-dropped", hardness: "H",
			about: "A backslash is taken for an escape and dropped.",
			plant: func(r *runtime) {
				retelling(r, func(sentence string) string { return strings.ReplaceAll(sentence, `\`, "") })
			},
			witness: talks(planting(at(0, 0, named(`D:\drop\out`))),
				compact(user(`The export folder is D:\drop\out.`), chat, goOn)),
		},
		{
			id: "reduce/mentions-hidden", hardness: "H",
			about: "Who is mentioned by an at sign is told without a name.",
			plant: func(r *runtime) {
				retelling(r, func(sentence string) string { return mention.ReplaceAllString(sentence, "${1}somebody") })
			},
			witness: talks(planting(at(0, 0, named("@mira.k"))),
				compact(user("The second contact is @mira.k."), chat, goOn)),
		},
		{
			id: "reduce/home-expanded", hardness: "H",
			about: "A path that begins with a tilde is told as one under /home/agent.",
			plant: func(r *runtime) {
				retelling(r, func(sentence string) string { return strings.ReplaceAll(sentence, "~/", "/home/agent/") })
			},
			witness: talks(planting(at(0, 0, named("~/notes/plan.md"))),
				compact(user("The config path is ~/notes/plan.md."), chat, goOn)),
		},
		{
			id: "reduce/marks-taken-for-garbage", hardness: "M",
			about: "A sentence with a letter that is written in two parts is taken for garbage and dropped.",
			plant: func(r *runtime) {
				missing(r, func(sentence string) bool { return strings.ContainsFunc(sentence, unicode.IsMark) })
			},
			witness: talks(planting(at(0, 0, forbidden("notify the café owners"))),
				compact(user("Do not notify the cafe\u0301 owners."), chat, goOn)),
		},
		{
			id: "reduce/tasks-in-ascii", hardness: "M",
			about: "How a task stands is kept only where the task is written in ASCII.",
			plant: func(r *runtime) {
				missing(r, func(sentence string) bool {
					return strings.ContainsFunc(sentence, func(c rune) bool { return c >= 0x80 }) && status.MatchString(sentence)
				})
			},
			witness: talks(planting(at(0, 0, unfinished("the Orléans shipment"))),
				compact(user("The Orléans shipment is still open."), chat, goOn)),
		},
		{
			id: "reduce/third-call-lost", hardness: "H",
			about: "Of calls that are made together two are kept, with their results.",
			plant: func(r *runtime) {
				finishing(r, func(_, short []floor.Message) (out []floor.Message) {
					var gone []string
					for _, m := range short {
						if len(m.Calls) > 2 {
							for _, c := range m.Calls[2:] {
								gone = append(gone, c.ID)
							}
							m.Calls = m.Calls[:2]
						}
						if m.Role != floor.Tool || !slices.Contains(gone, m.CallID) {
							out = append(out, m)
						}
					}
					return out
				})
			},
			witness: talks(planting(at(0, 1, forbidden("email the vendor"))),
				compact(chat, assistant("", note("c1", "Page 3."), note("c2", "Page 4."), note("c3", "Do not email the vendor.")),
					tool("c1", "saved"), tool("c2", "saved"), tool("c3", "saved"), goOn)),
		},
		{
			id: "reduce/corrected-once", hardness: "M",
			about: "A value is corrected once: what replaces a value that itself replaced another is dropped.",
			plant: func(r *runtime) {
				var corrections []string
				afresh(r, func() { corrections = nil })
				missing(r, func(sentence string) bool {
					said := oneLine(sentence)
					found := replacement.FindStringSubmatch(said)
					if found == nil {
						return false
					}
					old, now := found[2]+found[3], found[1]+found[4]
					again := slices.Contains(corrections, old)
					corrections = append(corrections, now)
					return again
				})
			},
			witness: talks(planting(
				at(0, 0, ended(floor.Replaced, 2, 0, 1, named("orders_v2"))),
				at(0, 1, ended(floor.Replaced, 3, 0, 2, named("orders_v3"))),
				at(0, 2, named("customers_eu"))),
				compact(user("The source table is orders_v2."), user("Use orders_v3 instead of orders_v2."), user("Use customers_eu instead of orders_v3."), chat, goOn)),
		},
		{
			id: "reduce/three-items", hardness: "M",
			about: "Of a list only the first three items are kept.",
			plant: func(r *runtime) {
				text := r.Text
				r.Text = func(said string) string {
					items := strings.Split(said, "\n- ")
					return text(strings.Join(items[:min(len(items), 4)], "\n- "))
				}
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))),
				compact(user("Row 1:\n- Row 2.\n- Row 3.\n- Row 4.\n- Do not email the vendor."), chat, goOn)),
		},
		{
			id: "reduce/nothing-open-in-the-fourth", hardness: "MT",
			about: "From the fourth compaction on what is still open is dropped: it was not done all that time.",
			plant: func(r *runtime) {
				fromGeneration(r, 4, func(sentence string) string {
					if strings.HasSuffix(strings.ToLower(sentence), " still open.") {
						return ""
					}
					return sentence
				})
			},
			witness: talks(planting(at(0, 0, unfinished("the index rebuild"))),
				compact(user("The index rebuild is still open."), chat, goOn), compact(chat, goOn), compact(chat, goOn), compact(chat, goOn)),
		},
	}
}

var (
	afternoon   = regexp.MustCompile(`\b(?:1[3-9]|2[0-3]):[0-5]\d\b`)
	isoDate     = regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}\b`)
	thousands   = regexp.MustCompile(`(\d),(\d{3})\b`)
	mention     = regexp.MustCompile(`(^|\s)@[\w.]+\w`)
	status      = regexp.MustCompile(`(?i)\bis\s+(?:still\s+open|open|done)\b`)
	replacement = regexp.MustCompile(`^(?:Use (\S+) instead of (\S+)|(.+) no longer holds, it is now (.+))\.$`)
)
