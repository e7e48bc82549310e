package mutant

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// droppings are faults that drop what was to be pinned.
func droppings() []shortcut {
	return []shortcut{
		{
			id: "reduce/newest-turn-pinned", hardness: "E",
			about: "The newest turn of the user is treated like any other: what holds nothing falls out of it.",
			plant: func(r *runtime) { r.Newest = func([]floor.Message) int { return -1 } },
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))),
				compact(user("Do not email the vendor."), chat, goOn)),
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
				compact(user("Do not email the vendor."), chat, goOn, assistant("", note("c1", "Page 3.")), tool("c1", "saved"))),
		},
		{
			id: "reduce/forty-messages", hardness: "M",
			about: "Only the last forty messages are looked at; what stands before them is dropped.",
			plant: func(r *runtime) {
				dropping(r, func(asked []floor.Message, i int) bool { return i < len(asked)-40 })
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))),
				compact(slices.Concat([]floor.Message{user("Do not email the vendor.")}, chats(40), []floor.Message{goOn})...)),
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
				compact(system("Use plain words."), system("Do not email the vendor."), chat, goOn)),
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
				compact(user("You must not rotate the signing keys. You must not rotate the session keys."), chat, goOn)),
		},
		{
			id: "reduce/cut-at-300", hardness: "M",
			about: "What is kept of a message is cut off after 300 characters.",
			plant: func(r *runtime) {
				text := r.Text
				r.Text = func(said string) string { return prefix(text(said), 300) }
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))),
				compact(user(padded(300, "Do not email the vendor.")), chat, goOn)),
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
				compact(user("Do not email the vendor."), user("Never drop the audit index."), chat, goOn)),
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
				compact(user("The lift stopped on floor 6 again. Do not email the vendor."), chat, goOn)),
		},
		{
			id: "reduce/withdrawal-dropped", hardness: "M",
			about: "What is to be forgotten is forgotten: the sentence that withdraws something is dropped, and what it withdraws is kept.",
			plant: func(r *runtime) {
				missing(r, func(sentence string) bool { return strings.HasPrefix(sentence, "Forget ") })
			},
			witness: talks(planting(at(0, 0, ended(floor.Withdrawn, 2, 0, 1, due("email the vendor"))), at(0, 1, withdrawn("email the vendor"))),
				compact(user("You must email the vendor."), user("Forget that: email the vendor is no longer needed."), chat, goOn)),
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
				compact(user("The index rebuild is still open."), user("The index rebuild is done."), chat, goOn)),
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
				compact(user("Do not\n  email the vendor."), chat, goOn)),
		},
		{
			id: "reduce/capitals-unseen", hardness: "M",
			about: "Words are looked up as they begin a sentence or stand in it: what is written in capitals is not seen.",
			plant: func(r *runtime) {
				missing(r, func(sentence string) bool { return sentence == strings.ToUpper(sentence) && !hasDigit(sentence) })
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))),
				compact(user("DO NOT EMAIL THE VENDOR."), chat, goOn)),
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
					tool("c1", strings.Repeat("Row 3.\n", 9)+"Do not email the vendor.\n"+strings.Repeat("Row 4.\n", 9)), goOn)),
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
				compact(chat, assistant("", note("c1", "Do not email the vendor.")), tool("c1", "saved"), goOn)),
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
				compact(chat, assistant("", nested("c1", "Do not email the vendor.")), tool("c1", "ticket created"), goOn)),
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
				compact(chat, assistant("", note("c1", "Page 3.")), tool("c1", "saved"), goOn)),
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
				compact(chat, assistant("", note("c1", "Page 3."), note("c2", "Page 4.")), tool("c1", "saved"), tool("c2", "saved"), goOn)),
		},
	}
}
