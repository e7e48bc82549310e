package mutant

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/blackbox"
	"github.com/floorcheck/floorcheck/floor"
)

// conversation hides every fault of reduce from enumeration.
const conversation = "conversations are not enumerated"

// A shortcut is a fault of a black box as the tables of this package write it
// down.
type shortcut struct {
	id, hardness string
	about        string
	plant        func(*blackbox.Runtime) // replaces steps of a correct one
	witness      floor.Case
}

// mutants are the shortcuts of one correct runtime.
func mutants(made func(blackbox.Model) *blackbox.Runtime, list []shortcut) (out []Mutant) {
	for _, s := range list {
		out = append(out, Mutant{
			ID: s.id, Family: "reduce", Hardness: s.hardness, About: s.about, Hidden: conversation, Witness: s.witness,
			New: func(policy floor.Policy) conform.Subject { return blackbox.Plant(s.id, policy, made, s.plant) },
		})
	}
	return out
}

// reductions are all faults of reduce.
func reductions() []Mutant {
	return slices.Concat(
		mutants(withoutModel(blackbox.NewPinning), slices.Concat(droppings(), retellings(), miscounts(), agings(), pairs(), rarities())),
		mutants(withoutModel(blackbox.NewMarking), markings()),
		mutants(blackbox.NewGuarded, guardings()),
	)
}

func withoutModel(made func() *blackbox.Runtime) func(blackbox.Model) *blackbox.Runtime {
	return func(blackbox.Model) *blackbox.Runtime { return made() }
}

type runtime = blackbox.Runtime

// plain says that a message is neither the system's nor part of a call, nor the
// newest turn: what may be dropped whole.
func plain(r *runtime, asked []floor.Message, i int) bool {
	m := asked[i]
	return m.Role != floor.System && m.Role != floor.Tool && len(m.Calls) == 0 && i != r.Newest(asked)
}

// dropping drops plain messages whole.
func dropping(r *runtime, gone func(asked []floor.Message, i int) bool) {
	keep := r.Keep
	r.Keep = func(asked []floor.Message, i int) (floor.Message, bool) {
		if plain(r, asked, i) && gone(asked, i) {
			return floor.Message{}, false
		}
		return keep(asked, i)
	}
}

// missing does not see what some sentences hold.
func missing(r *runtime, blind func(sentence string) bool) {
	holds := r.Holds
	r.Holds = func(sentence string) bool { return holds(sentence) && !blind(sentence) }
}

// retelling tells the kept sentences, without the white space behind them.
func retelling(r *runtime, tell func(sentence string) string) {
	r.Tell = func(sentence string) string {
		said := strings.TrimRight(sentence, " \n\t")
		return tell(said) + sentence[len(said):]
	}
}

// afresh has something begin anew with each conversation.
func afresh(r *runtime, begin func()) {
	shorten := r.Shorten
	r.Shorten = func(asked []floor.Message, target int64) []floor.Message {
		begin()
		return shorten(asked, target)
	}
}

// droppings are faults that drop what was to be pinned.
func droppings() []shortcut {
	return []shortcut{
		{
			id: "reduce/newest-turn-pinned", hardness: "E",
			about: "The newest turn of the user is treated like any other: what holds nothing falls out of it.",
			plant: func(r *runtime) { r.Newest = func([]floor.Message) int { return -1 } },
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))),
				compact(user("Do not email the vendor."), chat, go_)),
		},
		{
			id: "reduce/newest-turn-at-the-end", hardness: "M",
			about: "The newest turn is the last message: where an assistant or a tool spoke after the user, the user's words are pinned like any others.",
			plant: func(r *runtime) {
				newest := r.Newest
				r.Newest = func(asked []floor.Message) int {
					if last := newest(asked); last == len(asked)-1 {
						return last
					}
					return -1
				}
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))),
				compact(user("Do not email the vendor."), chat, go_, assistant("", note("c1", "Page 3.")), tool("c1", "saved"))),
		},
		{
			id: "reduce/forty-messages", hardness: "M",
			about: "Only the last forty messages are looked at; what stands before them is dropped.",
			plant: func(r *runtime) {
				dropping(r, func(asked []floor.Message, i int) bool { return i < len(asked)-40 })
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))),
				compact(slices.Concat([]floor.Message{user("Do not email the vendor.")}, chats(40), []floor.Message{go_})...)),
		},
		{
			id: "reduce/first-rule-only", hardness: "M",
			about: "A conversation has one message of the system: others are dropped.",
			plant: func(r *runtime) {
				keep := r.Keep
				r.Keep = func(asked []floor.Message, i int) (floor.Message, bool) {
					first := slices.IndexFunc(asked, func(m floor.Message) bool { return m.Role == floor.System && r.Generation([]floor.Message{m}) == 0 })
					if asked[i].Role == floor.System && i > first {
						return floor.Message{}, false
					}
					return keep(asked, i)
				}
			},
			witness: talks(planting(at(0, 1, forbidden("email the vendor"))),
				compact(system("Use plain words."), system("Do not email the vendor."), chat, go_)),
		},
		{
			id: "reduce/prefix-duplicates", hardness: "M",
			about: "A sentence that begins like one that was kept, for twenty characters, is taken for the same and dropped.",
			plant: func(r *runtime) {
				var kept []string
				afresh(r, func() { kept = nil })
				missing(r, func(sentence string) bool {
					head := prefix(sentence, 20)
					known := slices.Contains(kept, head)
					kept = append(kept, head)
					return known
				})
			},
			witness: talks(planting(at(0, 0, forbidden("rotate the signing keys")), at(0, 0, forbidden("rotate the session keys"))),
				compact(user("You must not rotate the signing keys. You must not rotate the session keys."), chat, go_)),
		},
		{
			id: "reduce/cut-at-300", hardness: "M",
			about: "What is kept of a message is cut off after 300 characters.",
			plant: func(r *runtime) {
				text := r.Text
				r.Text = func(said string) string { return prefix(text(said), 300) }
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))),
				compact(user(padded(300, "Do not email the vendor.")), chat, go_)),
		},
		{
			id: "reduce/one-prohibition", hardness: "M",
			about: "Of all that is forbidden only the first is kept: one rule is enough to be careful.",
			plant: func(r *runtime) {
				found := 0
				afresh(r, func() { found = 0 })
				missing(r, func(sentence string) bool {
					if !prohibition.MatchString(sentence) {
						return false
					}
					found++
					return found > 1
				})
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor")), at(0, 1, forbidden("drop the audit index"))),
				compact(user("Do not email the vendor."), user("Never drop the audit index."), chat, go_)),
		},
		{
			id: "reduce/first-sentence-of-each", hardness: "E",
			about: "Of each text only the first sentence that may hold something is kept.",
			plant: func(r *runtime) {
				text := r.Text
				r.Text = func(said string) string {
					for _, sentence := range r.Sentences(said) {
						if r.Holds(sentence) {
							return text(sentence)
						}
					}
					return ""
				}
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))),
				compact(user("The lift stopped on floor 6 again. Do not email the vendor."), chat, go_)),
		},
		{
			id: "reduce/withdrawal-dropped", hardness: "M",
			about: "What is to be forgotten is forgotten: the sentence that withdraws something is dropped, and what it withdraws is kept.",
			plant: func(r *runtime) {
				missing(r, func(sentence string) bool { return strings.HasPrefix(sentence, "Forget ") })
			},
			witness: talks(planting(at(0, 0, ended(floor.Withdrawn, 2, 0, 1, due("email the vendor"))), at(0, 1, withdrawn("email the vendor"))),
				compact(user("You must email the vendor."), user("Forget that: email the vendor is no longer needed."), chat, go_)),
		},
		{
			id: "reduce/first-status-stays", hardness: "M",
			about: "How a task stands is kept once: what is said of the same task later is taken for a repetition.",
			plant: func(r *runtime) {
				var tasks []string
				afresh(r, func() { tasks = nil })
				missing(r, func(sentence string) bool {
					task := standing.FindStringSubmatch(strings.ToLower(oneLine(sentence)))
					if task == nil {
						return false
					}
					known := slices.Contains(tasks, task[1])
					tasks = append(tasks, task[1])
					return known
				})
			},
			witness: talks(planting(at(0, 0, ended(floor.Completed, 2, 0, 1, unfinished("the index rebuild"))), at(0, 1, finished("the index rebuild"))),
				compact(user("The index rebuild is still open."), user("The index rebuild is done."), chat, go_)),
		},
		{
			id: "reduce/wrapped-lines", hardness: "M",
			about: "A line is a sentence: what was wrapped is looked at in halves, and the half without a sign is dropped.",
			plant: func(r *runtime) {
				cut := r.Sentences
				r.Sentences = func(text string) (out []string) {
					for line := range strings.SplitAfterSeq(text, "\n") {
						out = append(out, cut(line)...)
					}
					return out
				}
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))),
				compact(user("Do not\n  email the vendor."), chat, go_)),
		},
		{
			id: "reduce/capitals-unseen", hardness: "M",
			about: "Words are looked up as they begin a sentence or stand in it: what is written in capitals is not seen.",
			plant: func(r *runtime) {
				missing(r, func(sentence string) bool { return sentence == strings.ToUpper(sentence) && !hasDigit(sentence) })
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))),
				compact(user("DO NOT EMAIL THE VENDOR."), chat, go_)),
		},
		{
			id: "reduce/output-sampled", hardness: "H",
			about: "Of a result with more than sixteen lines only the first eight and the last eight are kept.",
			plant: func(r *runtime) {
				keep := r.Keep
				r.Keep = func(asked []floor.Message, i int) (floor.Message, bool) {
					m, kept := keep(asked, i)
					if lines := strings.Split(m.Text, "\n"); m.Role == floor.Tool && len(lines) > 16 {
						m.Text = strings.Join(slices.Concat(lines[:8], lines[len(lines)-8:]), "\n")
					}
					return m, kept
				}
			},
			witness: talks(planting(at(0, 2, forbidden("email the vendor"))),
				compact(chat, assistant("", note("c1", "Page 3.")),
					tool("c1", strings.Repeat("Row 3.\n", 9)+"Do not email the vendor.\n"+strings.Repeat("Row 4.\n", 9)), go_)),
		},
		{
			id: "reduce/args-emptied", hardness: "E",
			about: "Calls stay, and what they were called with does not.",
			plant: func(r *runtime) {
				r.Args = func(c floor.Call) floor.Call {
					c.Args = json.RawMessage(`{}`)
					return c
				}
			},
			witness: talks(planting(at(0, 1, forbidden("email the vendor"))),
				compact(chat, assistant("", note("c1", "Do not email the vendor.")), tool("c1", "saved"), go_)),
		},
		{
			id: "reduce/args-at-the-top", hardness: "M",
			about: "Of a call's arguments only those at the top are kept, and none in a list or an object.",
			plant: func(r *runtime) {
				r.Args = func(c floor.Call) floor.Call {
					var all map[string]any
					if json.Unmarshal(c.Args, &all) != nil {
						return c
					}
					for name, value := range all {
						switch value.(type) {
						case []any, map[string]any:
							delete(all, name)
						}
					}
					c.Args, _ = json.Marshal(all) // it was JSON before
					return c
				}
			},
			witness: talks(planting(at(0, 1, forbidden("email the vendor"))),
				compact(chat, assistant("", nested("c1", "Do not email the vendor.")), tool("c1", "ticket created"), go_)),
		},
		{
			id: "reduce/empty-results-dropped", hardness: "E",
			about: "A result in which nothing is to be kept goes, and its call stays.",
			plant: func(r *runtime) {
				keep := r.Keep
				r.Keep = func(asked []floor.Message, i int) (floor.Message, bool) {
					m, kept := keep(asked, i)
					return m, kept && (m.Role != floor.Tool || m.Text != "")
				}
			},
			witness: talks(planting(),
				compact(chat, assistant("", note("c1", "Page 3.")), tool("c1", "saved"), go_)),
		},
		{
			id: "reduce/results-merged", hardness: "M",
			about: "The results of calls that were made together are put into one, that of the first.",
			plant: func(r *runtime) {
				finishing(r, func(_, short []floor.Message) (out []floor.Message) {
					for _, m := range short {
						if last := len(out) - 1; m.Role == floor.Tool && last >= 0 && out[last].Role == floor.Tool {
							out[last].Text += "\n" + m.Text
							continue
						}
						out = append(out, m)
					}
					return out
				})
			},
			witness: talks(planting(),
				compact(chat, assistant("", note("c1", "Page 3."), note("c2", "Page 4.")), tool("c1", "saved"), tool("c2", "saved"), go_)),
		},
	}
}

// finishing changes what has been shortened.
func finishing(r *runtime, finish func(asked, short []floor.Message) []floor.Message) {
	shorten := r.Shorten
	r.Shorten = func(asked []floor.Message, target int64) []floor.Message {
		return finish(asked, shorten(asked, target))
	}
}

var (
	prohibition = regexp.MustCompile(`(?i)\b(?:do not|never|must not)\b`)
	standing    = regexp.MustCompile(`^(.+?)(?: is still open| is open| is done)\.`)
)

// prefix is the beginning of a text, of at most so many characters.
func prefix(text string, characters int) string {
	runes := []rune(text)
	return string(runes[:min(characters, len(runes))])
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func hasDigit(text string) bool { return strings.ContainsAny(text, "0123456789") }

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
				compact(user(padded(300, email.Text)), chat, go_)),
		},
		{
			id: "reduce/order-turned", hardness: "M",
			about: "What is to be done before something else is told as what comes after it.",
			plant: func(r *runtime) {
				retelling(r, func(sentence string) string { return before.ReplaceAllString(sentence, "First $2, then $1.") })
			},
			witness: talks(planting(at(0, 0, ordered("merge the hotfix", "freeze the schema"))),
				compact(user("Merge the hotfix before you freeze the schema."), chat, go_)),
		},
		{
			id: "reduce/condition-dropped", hardness: "M",
			about: "Conditions that stand behind what hangs on them are taken for an aside and dropped.",
			plant: func(r *runtime) {
				retelling(r, func(sentence string) string { return condition.ReplaceAllString(sentence, ".") })
			},
			witness: talks(planting(at(0, 0, binding("merge the hotfix only if the queue is empty"))),
				compact(user("Merge the hotfix only if the queue is empty."), chat, go_)),
		},
		{
			id: "reduce/softened-by-assistants", hardness: "M",
			about: "What an assistant says must be done is told as what should be.",
			plant: func(r *runtime) {
				byRole(r, floor.Assistant, func(text string) string { return strings.ReplaceAll(text, " must ", " should ") })
			},
			witness: talks(planting(at(0, 1, due("email the vendor"))),
				compact(chat, assistant("You must email the vendor."), go_)),
		},
		{
			id: "reduce/guess-told-as-fact", hardness: "M",
			about: "Maybe and perhaps are taken for politeness and left out.",
			plant: func(r *runtime) {
				retelling(r, func(sentence string) string { return politely.ReplaceAllString(sentence, "") })
			},
			witness: talks(planting(at(0, 0, guessed("the proxy is the cause"))),
				compact(user("Maybe the proxy is the cause."), chat, go_)),
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
				compact(user("Do not update the résumé template."), chat, go_)),
		},
		{
			id: "reduce/small-letters", hardness: "E",
			about: "What is kept is told in small letters, names too.",
			plant: func(r *runtime) { retelling(r, strings.ToLower) },
			witness: talks(planting(at(0, 0, named("OPS-114"))),
				compact(user("The parent ticket is OPS-114."), chat, go_)),
		},
		{
			id: "reduce/decimals-rounded", hardness: "M",
			about: "Quantities are rounded down to whole numbers.",
			plant: func(r *runtime) {
				retelling(r, func(sentence string) string { return decimals.ReplaceAllString(sentence, "$1$2") })
			},
			witness: talks(planting(at(0, 0, amounting("12.5 %"))),
				compact(user("The error budget is limited to 12.5 %."), chat, go_)),
		},
		{
			id: "reduce/unit-at-the-end-dropped", hardness: "M",
			about: "A unit that ends a sentence is dropped.",
			plant: func(r *runtime) {
				retelling(r, func(sentence string) string { return unitAtEnd.ReplaceAllString(sentence, "$1.") })
			},
			witness: talks(planting(at(0, 0, amounting("250 ms"))),
				compact(user("The retry delay is limited to 250 ms."), chat, go_)),
		},
		{
			id: "reduce/trailing-zeros", hardness: "M",
			about: "Zeros at the end of what looks like a decimal fraction are dropped, in versions and addresses too.",
			plant: func(r *runtime) {
				retelling(r, func(sentence string) string { return trailingZero.ReplaceAllString(sentence, "$1$2") })
			},
			witness: talks(planting(at(0, 0, named("v1.8.30"))),
				compact(user("The release tag is v1.8.30."), chat, go_)),
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
				compact(user("The source table is orders_v2."), chat, chat, go_)),
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
				compact(user(`The agreed title is "Harbour Lights at Noon".`), chat, go_)),
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
				compact(system("Do not email the vendor."), chat, go_)),
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
				compact(chat, assistant("", note("c1", "Page 3.")), tool("c1", "The index rebuild is still open."), go_)),
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
				compact(user("Page 3 of the handout has a coffee stain."), assistant("Do not email the vendor."), chat, go_)),
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

// byRole retells the plain messages of one role.
func byRole(r *runtime, role floor.Role, tell func(text string) string) {
	keep := r.Keep
	r.Keep = func(asked []floor.Message, i int) (floor.Message, bool) {
		m, kept := keep(asked, i)
		if m.Role == role && plain(r, asked, i) {
			m.Text = tell(m.Text)
		}
		return m, kept
	}
}

// miscounts are faults of what is told of a conversation, and of what is done
// when there is nothing to do.
func miscounts() []shortcut {
	return []shortcut{
		{
			id: "reduce/lines-joined-under-target", hardness: "M",
			about: "What fits is tidied up all the same: each text becomes one line.",
			plant: func(r *runtime) {
				r.Untouched = func(asked []floor.Message) []floor.Message {
					out := slices.Clone(asked)
					for i := range out {
						out[i].Text = oneLine(out[i].Text)
					}
					return out
				}
			},
			witness: talks(planting(), fits(user("What is left for today?\nI have half an hour."))),
		},
		{
			id: "reduce/turns-merged-under-target", hardness: "M",
			about: "What fits is tidied up all the same: two turns of one speaker in a row become one.",
			plant: func(r *runtime) {
				r.Untouched = func(asked []floor.Message) (out []floor.Message) {
					for _, m := range asked {
						if last := len(out) - 1; last >= 0 && out[last].Role == m.Role && m.Role == floor.User {
							out[last].Text += "\n" + m.Text
							continue
						}
						out = append(out, m)
					}
					return out
				}
			},
			witness: talks(planting(), fits(chat, go_)),
		},
		{
			id: "reduce/fits-by-messages", hardness: "M",
			about: "A conversation fits when it has fewer than eight messages, and does not when it has more, whatever the target.",
			plant: func(r *runtime) {
				r.Tokens = func(messages []floor.Message) int64 {
					if len(messages) < 8 {
						return 0
					}
					return floor.MaxNumber
				}
			},
			witness: talks(planting(), fits(append(chats(10), go_)...)),
		},
		{
			id: "reduce/never-gives-up", hardness: "E",
			about:   "Where nothing can go the conversation comes back with a note that it was compacted, and is longer.",
			plant:   func(r *runtime) { r.Gains = func(_, _ []floor.Message) bool { return true } },
			witness: talks(planting(), compact(user("Do not email the vendor."), go_)),
		},
		{
			id: "reduce/gain-in-messages", hardness: "M",
			about: "Something was gained when there are fewer messages, or as many, and not when they say less.",
			plant: func(r *runtime) {
				r.Gains = func(asked, out []floor.Message) bool { return len(out) <= len(asked) }
			},
			witness: talks(planting(), compact(user("Good."), user("Do not email the vendor."), go_)),
		},
		{
			id: "reduce/gain-or-nothing", hardness: "M",
			about: "Something was gained when there are no more tokens than before: a sentence may go and a note of its length may come.",
			plant: func(r *runtime) {
				r.Gains = func(asked, out []floor.Message) bool { return r.Tokens(out) <= r.Tokens(asked) }
			},
			witness: talks(planting(), compact(user("Do not email the vendor."), user("Greetings from the yard."), go_)),
		},
		{
			id: "reduce/generation-always-one", hardness: "ET",
			about:   "Every output is of generation 1, whatever it was made of.",
			plant:   func(r *runtime) { r.Generation = func([]floor.Message) int64 { return 0 } },
			witness: talks(planting(), compact(chat, go_), compact(chat, go_)),
		},
		{
			id: "reduce/generation-counts-notes", hardness: "MT",
			about: "The generation is how many notes of a compaction there are, and a new one takes the old one's place: it ends at 2.",
			plant: func(r *runtime) {
				generation := r.Generation
				r.Generation = func(asked []floor.Message) (n int64) {
					for i := range asked {
						n += min(generation(asked[i:i+1]), 1)
					}
					return n
				}
			},
			witness: talks(planting(), compact(chat, go_), compact(chat, go_), compact(chat, go_)),
		},
		{
			id: "reduce/generation-of-the-process", hardness: "ET",
			about: "The generation counts what this process has compacted, whatever that was: the same question is answered otherwise each time.",
			plant: func(r *runtime) {
				compacted := int64(0)
				sign, generation := r.Sign, r.Generation
				r.Sign = func(short []floor.Message, _ int64) []floor.Message {
					compacted++
					return sign(short, compacted)
				}
				r.Generation = func(asked []floor.Message) int64 { return max(generation(asked), compacted) }
			},
			witness: talks(planting(), compact(user("Do not email the vendor."), go_), compact(chat, go_)),
		},
		{
			id: "reduce/kept-by-length", hardness: "MT",
			about: "What a conversation came to is kept, under its number of messages and its target, and given again to others of that length.",
			plant: func(r *runtime) {
				type key struct {
					messages int
					target   int64
				}
				kept := map[key][]floor.Message{}
				shorten := r.Shorten
				r.Shorten = func(asked []floor.Message, target int64) []floor.Message {
					k := key{len(asked), target}
					if kept[k] == nil {
						kept[k] = shorten(asked, target)
					}
					return slices.Clone(kept[k])
				}
			},
			witness: talks(planting(at(1, 0, forbidden("email the vendor"))),
				compact(chat, chat, chat, go_), compact(user("Do not email the vendor. "+chat.Text), go_)),
		},
		{
			id: "reduce/order-of-the-map", hardness: "M",
			about: "Plain messages before the newest turn come out in an order that differs from one time to the next, as that of a map does.",
			plant: func(r *runtime) {
				times := 0
				finishing(r, func(_, short []floor.Message) []floor.Message {
					times++
					var places []int
					for i := range max(r.Newest(short), 0) {
						if plain(r, short, i) {
							places = append(places, i)
						}
					}
					out := slices.Clone(short)
					for n, i := range places {
						out[i] = short[places[(n+times)%len(places)]]
					}
					return out
				})
			},
			witness: talks(planting(at(0, 0, ended(floor.Replaced, 2, 0, 1, named("orders_v2"))), at(0, 1, named("orders_v3"))),
				compact(user("The source table is orders_v2."), user("Use orders_v3 instead of orders_v2."), chat, go_)),
		},
	}
}

// agings are faults that show when an output is compacted again.
func agings() []shortcut {
	return []shortcut{
		{
			id: "reduce/second-starts-over", hardness: "MT",
			about: "The second compaction, and no other, drops what stands before the last twelve messages: the first one has looked at it.",
			plant: func(r *runtime) {
				dropping(r, func(asked []floor.Message, i int) bool { return r.Generation(asked) == 1 && i < len(asked)-12 })
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))),
				compact(user("Do not email the vendor."), chat, go_), compact(append(chats(12), go_)...)),
		},
		{
			id: "reduce/stack-popped", hardness: "MT",
			about: "When an output comes back its plain messages are taken from the end: what was said last stands first.",
			plant: func(r *runtime) {
				finishing(r, func(asked, short []floor.Message) []floor.Message {
					if r.Generation(asked) == 0 {
						return short
					}
					var places []int
					for i := range max(r.Newest(short), 0) {
						if plain(r, short, i) {
							places = append(places, i)
						}
					}
					out := slices.Clone(short)
					for n, i := range places {
						out[i] = short[places[len(places)-1-n]]
					}
					return out
				})
			},
			witness: talks(planting(at(0, 0, ended(floor.Replaced, 2, 0, 1, named("orders_v2"))), at(0, 1, named("orders_v3"))),
				compact(user("The source table is orders_v2."), user("Use orders_v3 instead of orders_v2."), chat, go_), compact(chat, go_)),
		},
		{
			id: "reduce/guess-hardens", hardness: "MT",
			about: "A guess that was kept once is told as fact the next time: nobody objected to it.",
			plant: func(r *runtime) {
				fromGeneration(r, 2, func(sentence string) string { return politely.ReplaceAllString(sentence, "") })
			},
			witness: talks(planting(at(0, 0, guessed("the proxy is the cause"))),
				compact(user("Maybe the proxy is the cause."), chat, go_), compact(chat, go_)),
		},
		{
			id: "reduce/softened-in-the-third", hardness: "MT",
			about: "From the third compaction on duties are told as advice: whoever was told twice knows.",
			plant: func(r *runtime) {
				fromGeneration(r, 3, func(sentence string) string { return strings.ReplaceAll(sentence, " must ", " should ") })
			},
			witness: talks(planting(at(0, 0, due("email the vendor"))),
				compact(user("You must email the vendor."), chat, go_), compact(chat, go_), compact(chat, go_)),
		},
		{
			id: "reduce/stale-in-the-third", hardness: "MT",
			about: "The third compaction drops the older half of the plain messages, which came through two.",
			plant: func(r *runtime) {
				dropping(r, func(asked []floor.Message, i int) bool { return r.Generation(asked) >= 2 && 2*i < len(asked) })
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))),
				compact(user("Do not email the vendor."), chat, go_), compact(chat, go_), compact(chat, chat, go_)),
		},
		{
			id: "reduce/cut-deeper-each-time", hardness: "MT",
			about: "Each compaction may leave half as much of a text as the one before: 1200 characters, then 600, 300, 150 and 75.",
			plant: func(r *runtime) {
				keep := r.Keep
				r.Keep = func(asked []floor.Message, i int) (floor.Message, bool) {
					m, kept := keep(asked, i)
					if m.Role != floor.System && i != r.Newest(asked) {
						m.Text = prefix(m.Text, 1200>>min(r.Generation(asked), 4))
					}
					return m, kept
				}
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))),
				compact(user(padded(300, "Do not email the vendor.")), chat, go_), compact(chat, go_), compact(chat, go_)),
		},
	}
}

// fromGeneration retells sentences from so many compactions on.
func fromGeneration(r *runtime, generation int64, tell func(sentence string) string) {
	now := int64(0)
	shorten := r.Shorten
	r.Shorten = func(asked []floor.Message, target int64) []floor.Message {
		now = r.Generation(asked) + 1
		return shorten(asked, target)
	}
	retelling(r, func(sentence string) string {
		if now < generation {
			return sentence
		}
		return tell(sentence)
	})
}

// pairs are two faults at once.
func pairs() []shortcut {
	return []shortcut{
		{
			id: "reduce/small-letters-in-generation-one", hardness: "MT",
			about: "Two faults: from the second compaction on names are told in small letters, and every output says generation 1.",
			plant: func(r *runtime) {
				fromGeneration(r, 2, strings.ToLower)
				sign, generation := r.Sign, r.Generation
				r.Sign = func(short []floor.Message, n int64) []floor.Message { return sign(short, min(n, 2)) }
				r.Generation = func(asked []floor.Message) int64 { return min(generation(asked), 1) }
			},
			witness: talks(planting(at(0, 0, named("OPS-114"))),
				compact(user("The parent ticket is OPS-114."), chat, go_), compact(chat, go_)),
		},
		{
			id: "reduce/results-raised-and-cut", hardness: "M",
			about: "Two faults: a result of more than 200 characters is cut, and what is cut off is said by the system.",
			plant: func(r *runtime) {
				finishing(r, func(_, short []floor.Message) []floor.Message {
					var cut []string
					for i := range short {
						if m := &short[i]; m.Role == floor.Tool && len(m.Text) > 200 {
							head := prefix(m.Text, 200)
							cut = append(cut, m.Text[len(head):])
							m.Text = head
						}
					}
					if len(cut) == 0 {
						return short
					}
					return slices.Insert(short, 0, system(strings.Join(cut, "\n")))
				})
			},
			witness: talks(planting(at(0, 2, unfinished("the index rebuild"))),
				compact(chat, assistant("", note("c1", "Page 3.")), tool("c1", padded(200, "The index rebuild is still open.")), go_)),
		},
		{
			id: "reduce/withdrawn-comes-back-last", hardness: "MT",
			about: "Two faults: withdrawals are dropped from the second compaction on, and what was withdrawn then stands behind everything that is not.",
			plant: func(r *runtime) {
				now := int64(0)
				shorten := r.Shorten
				r.Shorten = func(asked []floor.Message, target int64) []floor.Message {
					now = r.Generation(asked) + 1
					short := shorten(asked, target)
					if now < 2 {
						return short
					}
					newest := max(r.Newest(short), 0)
					slices.SortStableFunc(short[:newest], func(a, b floor.Message) int {
						return cmp.Compare(weight(r, a), weight(r, b))
					})
					return short
				}
				missing(r, func(sentence string) bool { return now >= 2 && strings.HasPrefix(sentence, "Forget ") })
			},
			witness: talks(planting(at(0, 0, ended(floor.Withdrawn, 2, 0, 1, due("email the vendor"))), at(0, 1, withdrawn("email the vendor"))),
				compact(user("You must email the vendor."), user("Forget that: email the vendor is no longer needed."), chat, go_), compact(chat, go_)),
		},
	}
}

// weight sorts duties behind everything else, and leaves calls where they are.
func weight(r *runtime, m floor.Message) int {
	if strings.Contains(m.Text, " must ") && len(m.Calls) == 0 && m.Role != floor.Tool {
		return 1
	}
	return 0
}
