package mutant

import (
	"errors"
	"slices"
	"strings"

	"github.com/floorcheck/floorcheck/conform/blackbox"
	"github.com/floorcheck/floorcheck/floor"
)

// markings are faults of the black box that keeps the latest messages, marks
// what it has made, and can be asked for what is gone.
func markings() []shortcut {
	vendor := user("Do not email the vendor.")
	return []shortcut{
		{
			id: "reduce/pairs-split", hardness: "M",
			about: "What is kept begins where the room ends, in the middle of a call and its results too.",
			plant: func(r *runtime) {
				r.Start = func(asked []floor.Message, target int64) int {
					start := len(asked)
					for room := target; start > 0; start-- {
						room -= r.Tokens(asked[start-1 : start])
						if room < 0 && start <= r.Newest(asked) {
							break
						}
					}
					return start
				}
			},
			witness: talks(planting(),
				toward(6, chat, assistant(chat.Text, note("c1", "Page 3.")), tool("c1", "saved"), goOn)),
		},
		{
			id: "reduce/pending-call-dropped", hardness: "E",
			about: "A call without a result is taken for one that broke off, and dropped.",
			plant: func(r *runtime) {
				finishing(r, func(_, short []floor.Message) (out []floor.Message) {
					for i, m := range short {
						if !r.Pending(short, i) {
							out = append(out, m)
						}
					}
					return out
				})
			},
			witness: talks(planting(), toward(10, chat, goOn, assistant("", note("c1", "Page 3.")))),
		},
		{
			id: "reduce/mark-lost-when-it-fits", hardness: "MT",
			about: "What is under the target comes back without a mark, also when it was marked before.",
			plant: func(r *runtime) {
				r.Mark = func(asked, out []floor.Message) floor.Mark {
					if r.Generation(out) > r.Generation(asked) {
						return floor.MarkProvisional
					}
					return floor.NoMark
				}
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))), compact(vendor, chat, goOn), fits(goOn)),
		},
		{
			id: "reduce/mark-of-the-first", hardness: "ET",
			about: "The first compaction is marked, and those after it are not.",
			plant: func(r *runtime) {
				r.Mark = func(_, out []floor.Message) floor.Mark { return markUpTo(r, 1, out) }
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))), compact(vendor, chat, goOn), compact(chat, goOn)),
		},
		{
			id: "reduce/mark-of-the-second", hardness: "MT",
			about: "The mark survives one more compaction and not a third.",
			plant: func(r *runtime) {
				r.Mark = func(_, out []floor.Message) floor.Mark { return markUpTo(r, 2, out) }
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))), compact(vendor, chat, goOn), compact(chat, goOn), compact(chat, goOn)),
		},
		{
			id: "reduce/recall-of-the-latest", hardness: "ET",
			about: "What can be asked for is what was last asked to be reduced: what an earlier compaction left out is gone.",
			plant: func(r *runtime) {
				latest := []string(nil)
				r.Remember = func(asked []floor.Message) { latest = saidIn(r, asked) }
				r.Recall = func(query string) (string, error) { return mostAlike(latest, query, strings.ToLower) }
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))), compact(vendor, chat, goOn), compact(chat, goOn)),
		},
		{
			id: "reduce/recall-minds-capitals", hardness: "E",
			about: "What is asked for is found only in the letters in which it was said.",
			plant: func(r *runtime) {
				var heard []string
				r.Remember = func(asked []floor.Message) { heard = append(heard, saidIn(r, asked)...) }
				r.Recall = func(query string) (string, error) {
					return mostAlike(heard, query, func(text string) string { return text })
				}
			},
			witness: talks(planting(at(0, 0, unfinished("the index rebuild"))), compact(user("The index rebuild is still open."), chat, goOn)),
		},
		{
			id: "reduce/recall-of-the-user", hardness: "E",
			about: "Only what the user said can be asked for.",
			plant: func(r *runtime) {
				remember := r.Remember
				r.Remember = func(asked []floor.Message) {
					remember(slices.DeleteFunc(slices.Clone(asked), func(m floor.Message) bool { return m.Role != floor.User }))
				}
			},
			witness: talks(planting(at(0, 1, forbidden("email the vendor"))), compact(chat, assistant(vendor.Text), chat, goOn)),
		},
		{
			id: "reduce/recall-of-the-first-like-it", hardness: "M",
			about: "What is asked for is answered with the first sentence that has half of its words.",
			plant: func(r *runtime) {
				var heard []string
				r.Remember = func(asked []floor.Message) { heard = append(heard, saidIn(r, asked)...) }
				r.Recall = func(query string) (string, error) {
					words := strings.Fields(strings.ToLower(query))
					for _, sentence := range heard {
						found := 0
						for _, word := range words {
							if strings.Contains(strings.ToLower(sentence), word) {
								found++
							}
						}
						if 2*found >= len(words) {
							return sentence, nil
						}
					}
					return "", errNothing
				}
			},
			witness: talks(planting(at(0, 0, forbidden("rotate the signing keys")), at(0, 0, forbidden("rotate the session keys"))),
				compact(user("Do not rotate the signing keys. Do not rotate the session keys."), chat, goOn)),
		},
		{
			id: "reduce/recall-of-two-hundred", hardness: "M",
			about: "What can be asked for are the last two hundred sentences.",
			plant: func(r *runtime) {
				var heard []string
				r.Remember = func(asked []floor.Message) {
					heard = append(heard, saidIn(r, asked)...)
					heard = heard[max(len(heard)-200, 0):]
				}
				r.Recall = func(query string) (string, error) { return mostAlike(heard, query, strings.ToLower) }
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))),
				compact(slices.Concat([]floor.Message{vendor}, chats(200), []floor.Message{goOn})...)),
		},
		{
			id: "reduce/endings-left-out", hardness: "M",
			about: "What ended something is left out with the turn that said it, while the system's message that it ended stays.",
			plant: func(r *runtime) { r.Ends = func(string) bool { return false } },
			witness: talks(planting(at(0, 0, ended(floor.Withdrawn, 2, 0, 1, due("email the vendor"))), at(0, 1, withdrawn("email the vendor"))),
				compact(system("You must email the vendor."), user("Forget that: email the vendor is no longer needed."), chat, goOn)),
		},
		{
			id: "reduce/done-left-out", hardness: "M",
			about: "That something is done is left out with the turn that said it, and the system says that it is open.",
			plant: func(r *runtime) {
				ends := r.Ends
				r.Ends = func(sentence string) bool { return ends(sentence) && !strings.Contains(sentence, " is done") }
			},
			witness: talks(planting(at(0, 0, ended(floor.Completed, 2, 0, 1, unfinished("the index rebuild"))), at(0, 1, finished("the index rebuild"))),
				compact(system("The index rebuild is still open."), user("The index rebuild is done."), chat, goOn)),
		},
		{
			id: "reduce/room-before-newest", hardness: "M",
			about: "The newest turn stays when there is room for it: a long answer or output after it pushes it out.",
			plant: func(r *runtime) {
				r.Start = func(asked []floor.Message, target int64) int {
					start := len(asked)
					room := target
					for i, m := range slices.Backward(asked) {
						if room -= r.Tokens(asked[i : i+1]); room < 0 {
							break
						}
						if m.Role != floor.Tool {
							start = i
						}
					}
					return start
				}
			},
			witness: talks(planting(), compact(chat, goOn)),
		},
		{
			id: "reduce/digest-without-not", hardness: "M",
			about: "Two faults: prohibitions that are left out are summed up in a list, and the word not is lost from it; the mark is thought to excuse it.",
			plant: func(r *runtime) {
				finishing(r, func(asked, short []floor.Message) []floor.Message {
					var deeds []string
					for i, m := range asked {
						if i >= len(asked)-len(short) || m.Role != floor.User {
							break
						}
						for _, sentence := range r.Sentences(m.Text) {
							if prohibition.MatchString(sentence) {
								deeds = append(deeds, negation.ReplaceAllString(oneLine(sentence), ""))
							}
						}
					}
					if len(deeds) == 0 {
						return short
					}
					return slices.Insert(short, 0, assistant("Topics so far: "+strings.Join(deeds, " ")))
				})
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))), compact(vendor, chat, chat, goOn)),
		},
		{
			id: "reduce/mark-and-recall-of-the-latest", hardness: "MT",
			about: "Two faults: what is under the target has no mark, and what can be asked for is what was last asked to be reduced.",
			plant: func(r *runtime) {
				latest := []string(nil)
				r.Remember = func(asked []floor.Message) { latest = saidIn(r, asked) }
				r.Recall = func(query string) (string, error) { return mostAlike(latest, query, strings.ToLower) }
				mark := r.Mark
				r.Mark = func(asked, out []floor.Message) floor.Mark {
					if len(asked) == len(out) {
						return floor.NoMark
					}
					return mark(asked, out)
				}
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))), compact(vendor, chat, goOn), compact(chat, chat, goOn)),
		},
	}
}

// markUpTo marks an output as long as it is of no later generation.
func markUpTo(r *runtime, generation int64, out []floor.Message) floor.Mark {
	if now := r.Generation(out); now > 0 && now <= generation {
		return floor.MarkProvisional
	}
	return floor.NoMark
}

var errNothing = errors.New("nothing that was said here is like that")

// saidIn are the sentences of messages and of their calls.
func saidIn(r *runtime, messages []floor.Message) (out []string) {
	for _, m := range messages {
		for _, text := range blackbox.Texts(m) {
			for _, sentence := range r.Sentences(text) {
				out = append(out, oneLine(sentence))
			}
		}
	}
	return out
}

// mostAlike are the sentences that have every word of a query, as they are
// folded, but for the words that say how it is meant.
func mostAlike(heard []string, query string, fold func(string) string) (string, error) {
	var words []string
	for word := range strings.FieldsSeq(fold(query)) {
		if word = strings.Trim(word, ".,:"); !slices.Contains(manner, strings.ToLower(word)) {
			words = append(words, word)
		}
	}
	var found []string
	for _, sentence := range heard {
		text := fold(sentence)
		if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) }) {
			found = append(found, sentence)
		}
	}
	if len(found) == 0 {
		return "", errNothing
	}
	return strings.Join(found, "\n"), nil
}

var manner = strings.Fields("do don't never not must you first then before only if maybe perhaps possibly is still")
