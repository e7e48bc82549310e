package mutant

import (
	"cmp"
	"slices"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

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
				compact(user("Do not email the vendor."), chat, goOn), compact(append(chats(12), goOn)...)),
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
				compact(user("The source table is orders_v2."), user("Use orders_v3 instead of orders_v2."), chat, goOn), compact(chat, goOn)),
		},
		{
			id: "reduce/guess-hardens", hardness: "MT",
			about: "A guess that was kept once is told as fact the next time: nobody objected to it.",
			plant: func(r *runtime) {
				fromGeneration(r, 2, func(sentence string) string { return politely.ReplaceAllString(sentence, "") })
			},
			witness: talks(planting(at(0, 0, guessed("the proxy is the cause"))),
				compact(user("Maybe the proxy is the cause."), chat, goOn), compact(chat, goOn)),
		},
		{
			id: "reduce/softened-in-the-third", hardness: "MT",
			about: "From the third compaction on duties are told as advice: whoever was told twice knows.",
			plant: func(r *runtime) {
				fromGeneration(r, 3, func(sentence string) string { return strings.ReplaceAll(sentence, " must ", " should ") })
			},
			witness: talks(planting(at(0, 0, due("email the vendor"))),
				compact(user("You must email the vendor."), chat, goOn), compact(chat, goOn), compact(chat, goOn)),
		},
		{
			id: "reduce/stale-in-the-third", hardness: "MT",
			about: "The third compaction drops the older half of the plain messages, which came through two.",
			plant: func(r *runtime) {
				dropping(r, func(asked []floor.Message, i int) bool { return r.Generation(asked) >= 2 && 2*i < len(asked) })
			},
			witness: talks(planting(at(0, 0, forbidden("email the vendor"))),
				compact(user("Do not email the vendor."), chat, goOn), compact(chat, goOn), compact(chat, chat, goOn)),
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
				compact(user(padded(300, "Do not email the vendor.")), chat, goOn), compact(chat, goOn), compact(chat, goOn)),
		},
	}
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
				compact(user("The parent ticket is OPS-114."), chat, goOn), compact(chat, goOn)),
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
				compact(chat, assistant("", note("c1", "Page 3.")), tool("c1", padded(200, "The index rebuild is still open.")), goOn)),
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
				compact(user("You must email the vendor."), user("Forget that: email the vendor is no longer needed."), chat, goOn), compact(chat, goOn)),
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
