package mutant

import (
	"slices"

	"github.com/floorcheck/floorcheck/floor"
)

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
			witness: talks(planting(), fits(chat, goOn)),
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
			witness: talks(planting(), fits(append(chats(10), goOn)...)),
		},
		{
			id: "reduce/never-gives-up", hardness: "E",
			about:   "Where nothing can go the conversation comes back with a note that it was compacted, and is longer.",
			plant:   func(r *runtime) { r.Gains = func(_, _ []floor.Message) bool { return true } },
			witness: talks(planting(), compact(user("Do not email the vendor."), goOn)),
		},
		{
			id: "reduce/gain-in-messages", hardness: "M",
			about: "Something was gained when there are fewer messages, or as many, and not when they say less.",
			plant: func(r *runtime) {
				r.Gains = func(asked, out []floor.Message) bool { return len(out) <= len(asked) }
			},
			witness: talks(planting(), compact(user("Good."), user("Do not email the vendor."), goOn)),
		},
		{
			id: "reduce/gain-or-nothing", hardness: "M",
			about: "Something was gained when there are no more tokens than before: a sentence may go and a note of its length may come.",
			plant: func(r *runtime) {
				r.Gains = func(asked, out []floor.Message) bool { return r.Tokens(out) <= r.Tokens(asked) }
			},
			witness: talks(planting(), compact(user("Do not email the vendor."), user("Greetings from the yard."), goOn)),
		},
		{
			id: "reduce/generation-always-one", hardness: "ET",
			about:   "Every output is of generation 1, whatever it was made of.",
			plant:   func(r *runtime) { r.Generation = func([]floor.Message) int64 { return 0 } },
			witness: talks(planting(), compact(chat, goOn), compact(chat, goOn)),
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
			witness: talks(planting(), compact(chat, goOn), compact(chat, goOn), compact(chat, goOn)),
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
			witness: talks(planting(), compact(user("Do not email the vendor."), goOn), compact(chat, goOn)),
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
				compact(chat, chat, chat, goOn), compact(user("Do not email the vendor. "+chat.Text), goOn)),
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
				compact(user("The source table is orders_v2."), user("Use orders_v3 instead of orders_v2."), chat, goOn)),
		},
	}
}
