package mutant

import (
	"regexp"
	"slices"
	"strings"

	"github.com/floorcheck/floorcheck/conform/blackbox"
	"github.com/floorcheck/floorcheck/conform/hostile"
	"github.com/floorcheck/floorcheck/floor"
)

// guardings are faults of the black box that asks a model and looks at what it
// says.
func guardings() []shortcut {
	vendor := user("Do not email the vendor.")
	forbids := planting(at(0, 0, forbidden("email the vendor")))
	return []shortcut{
		{
			id: "reduce/error-becomes-history", hardness: "M",
			about: "A summary in which nobody's words are found is taken for one in the model's own words, and told.",
			plant: func(r *runtime) {
				accepting(r, func(asked []floor.Message, summary []string) (func(string) bool, []string) {
					own := !slices.ContainsFunc(pinnedIn(r, asked), func(s string) bool { return slices.Contains(summary, s) })
					if own {
						return nil, summary
					}
					return nil, nil
				})
			},
			witness: talks(played("error-text", forbids), compact(vendor, chat, chat, goOn)),
		},
		{
			id: "reduce/empty-summary-accepted", hardness: "M",
			about: "An empty summary is taken for one of a conversation in which there was nothing to keep.",
			plant: func(r *runtime) {
				accepting(r, func(_ []floor.Message, summary []string) (func(string) bool, []string) {
					if len(summary) == 0 {
						return nothing, nil
					}
					return nil, nil
				})
			},
			witness: talks(played("empty", forbids), compact(vendor, chat, goOn)),
		},
		{
			id: "reduce/error-is-empty", hardness: "M",
			about: "When the model fails, everything is dropped but what was called: the history begins anew.",
			plant: func(r *runtime) {
				failed := false
				ask := r.Summary
				r.Summary = func(messages []floor.Message) (string, error) {
					text, err := ask(messages)
					failed = err != nil
					return text, err
				}
				accepting(r, func([]floor.Message, []string) (func(string) bool, []string) {
					if failed {
						return nothing, nil
					}
					return nil, nil
				})
			},
			witness: talks(played("rate-limit", forbids), compact(vendor, chat, goOn)),
		},
		{
			id: "reduce/half-is-enough", hardness: "M",
			about: "A summary with half of the sentences that may hold something is taken as it is.",
			plant: func(r *runtime) { enough(r, 50) },
			witness: talks(played("drop-class", planting(at(0, 0, forbidden("email the vendor")), at(0, 1, named("OPS-114")))),
				compact(vendor, user("The parent ticket is OPS-114."), chat, goOn)),
		},
		{
			id: "reduce/nine-of-ten", hardness: "M",
			about: "A summary with nine in ten of the sentences that may hold something is taken as it is.",
			plant: func(r *runtime) { enough(r, 90) },
			witness: talks(played("drop-one", planting(at(0, 1, forbidden("email the vendor")))),
				compact(user(padded(400, "Page 3.")), vendor, chat, goOn)),
		},
		{
			id: "reduce/nineteen-of-twenty", hardness: "H",
			about: "A summary with nineteen in twenty of the sentences that may hold something is taken as it is.",
			plant: func(r *runtime) { enough(r, 95) },
			witness: talks(played("drop-one", planting(at(0, 1, forbidden("email the vendor")))),
				compact(user(padded(800, "Page 3.")), vendor, chat, goOn)),
		},
		{
			id: "reduce/as-many-sentences", hardness: "M",
			about: "A summary with as many sentences as may hold something is taken as it is.",
			plant: func(r *runtime) {
				accepting(r, func(asked []floor.Message, summary []string) (func(string) bool, []string) {
					if len(summary) < len(pinnedIn(r, asked)) {
						return nil, nil
					}
					return func(sentence string) bool { return slices.Contains(summary, oneLine(sentence)) }, nil
				})
			},
			witness: talks(played("quota", forbids), compact(vendor, chat, goOn)),
		},
		{
			id: "reduce/length-is-plausible", hardness: "M",
			about: "A summary of a fifth to four fifths of the length is taken as it is; others are looked at.",
			plant: func(r *runtime) {
				accepting(r, func(asked []floor.Message, summary []string) (func(string) bool, []string) {
					before, after := blackbox.Characters(asked), int64(len(strings.Join(summary, " ")))
					if 5*after < before || 5*after > 4*before {
						return nil, nil
					}
					return func(sentence string) bool { return slices.Contains(summary, oneLine(sentence)) }, nil
				})
			},
			witness: talks(played("fluent", forbids), compact(vendor, chat, chat, chat, chat, goOn)),
		},
		{
			id: "reduce/strange-rules-taken", hardness: "M",
			about: "What nobody said and yet binds is taken from the summary: the model may have read between the lines.",
			plant: func(r *runtime) {
				holds := blackbox.NewPinning().Holds
				accepting(r, func(asked []floor.Message, summary []string) (func(string) bool, []string) {
					said := saidIn(r, asked)
					return nil, slices.DeleteFunc(slices.Clone(summary), func(s string) bool { return slices.Contains(said, s) || !holds(s) })
				})
			},
			witness: talks(strange(element(floor.Negation, strings.ToLower(strings.TrimSuffix(hostile.Invented, "."))).Element, played("invent", forbids)),
				compact(vendor, chat, chat, goOn)),
		},
		{
			id: "reduce/requests-taken", hardness: "M",
			about: "What the summary says that the user asked for is put in the user's mouth.",
			plant: func(r *runtime) {
				taken := r.Taken
				r.Taken = func(asked []floor.Message, summary string) (func(string) bool, []floor.Message) {
					stays, more := taken(asked, summary)
					for line := range strings.SplitSeq(summary, "\n") {
						if text, ok := strings.CutPrefix(line, "The user asked: "); ok {
							more = append(more, user(text))
						}
					}
					return stays, more
				}
			},
			witness: talks(played("role-raised", planting(at(0, 1, forbidden("email the vendor")))),
				compact(chat, assistant(vendor.Text), chat, goOn)),
		},
		{
			id: "reduce/stop-words-ignored", hardness: "M",
			about: "Sentences are compared without small words, not, never, must and maybe among them; the summary's is told.",
			plant: func(r *runtime) {
				likening(r, func(s string) string { return stopWords.ReplaceAllString(strings.ToLower(s), "") })
			},
			witness: talks(played("weaken-force", planting(at(0, 0, due("email the vendor")))),
				compact(user("You must email the vendor."), chat, goOn)),
		},
		{
			id: "reduce/compared-as-bags", hardness: "M",
			about: "Sentences are compared by the words that they have, in whatever order; the summary's is told.",
			plant: func(r *runtime) {
				likening(r, func(s string) string {
					words := strings.FieldsFunc(strings.ToLower(s), func(c rune) bool { return strings.ContainsRune(" .,", c) })
					slices.Sort(words)
					return strings.Join(words, " ")
				})
			},
			witness: talks(played("reverse-order", planting(at(0, 0, ordered("merge the hotfix", "freeze the schema")))),
				compact(user("First merge the hotfix, then freeze the schema."), chat, goOn)),
		},
		{
			id: "reduce/figures-not-compared", hardness: "M",
			about: "Sentences are compared without their figures; the summary's is told.",
			plant: func(r *runtime) { likening(r, func(s string) string { return digits.ReplaceAllString(s, "0") }) },
			witness: talks(played("drift-number", planting(at(0, 0, amounting("250 ms")))),
				compact(user("The retry delay is limited to 250 ms."), chat, goOn)),
		},
		{
			id: "reduce/beginnings-compared", hardness: "M",
			about: "Sentences are the same that begin alike, for two thirds of the longer one; the summary's is told.",
			plant: func(r *runtime) {
				alike(r, func(said, told string) bool {
					n := 2 * max(len(said), len(told)) / 3
					return len(said) >= n && len(told) >= n && said[:n] == told[:n]
				})
			},
			witness: talks(played("open-as-done", planting(at(0, 0, unfinished("the root cause report")))),
				compact(user("The root cause report is still open."), chat, goOn)),
		},
		{
			id: "reduce/empty-and-strange", hardness: "M",
			about: "Two faults: an empty summary is believed, and what a summary says in words that nobody used is told.",
			plant: func(r *runtime) {
				accepting(r, func(asked []floor.Message, summary []string) (func(string) bool, []string) {
					if len(summary) == 0 {
						return nothing, nil
					}
					said := saidIn(r, asked)
					return nil, slices.DeleteFunc(slices.Clone(summary), func(s string) bool { return slices.Contains(said, s) })
				})
			},
			witness: talks(played("refusal", forbids), compact(vendor, chat, chat, goOn)),
		},
	}
}

var (
	stopWords = regexp.MustCompile(`\b(?:do|not|never|must|should|maybe|perhaps|may|might|you|is|be)\b|[ .,]`)
	digits    = regexp.MustCompile(`\d+`)
)

// nothing stays.
func nothing(string) bool { return false }

// accepting has a summary judged otherwise. What it gives as nil is as a
// correct guard has it; the strange sentences are told by an assistant.
func accepting(r *runtime, judge func(asked []floor.Message, summary []string) (stays func(string) bool, strange []string)) {
	taken := r.Taken
	r.Taken = func(asked []floor.Message, summary string) (func(string) bool, []floor.Message) {
		stays, more := taken(asked, summary)
		believed, strange := judge(asked, summaryOf(r, summary))
		if believed != nil {
			stays = believed
		}
		if len(strange) > 0 {
			more = append(more, assistant(strings.Join(strange, " ")))
		}
		return stays, more
	}
}

// summaryOf are the sentences of a summary.
func summaryOf(r *runtime, summary string) (out []string) {
	for _, sentence := range r.Sentences(summary) {
		if text := oneLine(sentence); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// pinnedIn are the sentences that may hold something, of what a summary stands
// for.
func pinnedIn(r *runtime, asked []floor.Message) []string {
	holds := blackbox.NewPinning().Holds
	return slices.DeleteFunc(saidIn(r, blackbox.Middle(asked, r.Newest(asked))), func(s string) bool { return !holds(s) })
}

// enough takes a summary as it is that has so many in a hundred of the sentences
// that may hold something.
func enough(r *runtime, percent int) {
	accepting(r, func(asked []floor.Message, summary []string) (func(string) bool, []string) {
		pinned := pinnedIn(r, asked)
		there := 0
		for _, s := range pinned {
			if slices.Contains(summary, s) {
				there++
			}
		}
		if 100*there < percent*len(pinned) {
			return nil, nil
		}
		return func(sentence string) bool { return slices.Contains(summary, oneLine(sentence)) }, nil
	})
}

// likening takes two sentences for the same that a function makes the same. Each
// sentence meets all of a summary, and an expression is slow: what became of it
// is kept.
func likening(r *runtime, plain func(string) string) {
	const most = 4096
	made := map[string]string{}
	once := func(sentence string) string {
		became, known := made[sentence]
		if !known {
			if len(made) >= most {
				clear(made)
			}
			became = plain(sentence)
			made[sentence] = became
		}
		return became
	}
	alike(r, func(said, told string) bool { return once(said) == once(told) })
}

// alike tells a sentence in the words of the summary, where one there is taken
// for the same.
func alike(r *runtime, same func(said, told string) bool) {
	var summary []string
	taken := r.Taken
	r.Taken = func(asked []floor.Message, text string) (func(string) bool, []floor.Message) {
		summary = summaryOf(r, text)
		return taken(asked, text)
	}
	retelling(r, func(sentence string) string {
		said := oneLine(sentence)
		if slices.Contains(summary, said) {
			return sentence
		}
		if i := slices.IndexFunc(summary, func(told string) bool { return same(said, told) }); i >= 0 {
			return summary[i]
		}
		return sentence
	})
}
