package mutant

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

const badRequest = "a bad request"

// wires are faults in reading requests: a bad one is mended and answered.
// All are hidden from enumeration, which sends none.
func wires() []fault {
	all := slices.Concat(wireFlags(), wireNumbers(), wireShapes(), wireErrors())
	for i := range all {
		all[i].hidden = badRequest
	}
	return all
}

const (
	strictField  = `"consumer_strict":false,`
	sourceField  = `"source_recoverable":false,`
	sourceAsNull = `"source_recoverable":null,`
)

func wireFlags() []fault {
	return []fault{
		{
			id: "wire/missing-flag-as-false", hardness: "E",
			about: "A condition that is not there is taken as false.",
			plant: mending(func(op floor.Op, in map[string]any) {
				eachFlag(op, in, func(holder map[string]any, name string, there bool) {
					if !there {
						holder[name] = false
					}
				})
			}),
			witness: steps(spoilt(ask("", ""), strictField, "")),
		},
		{
			id: "wire/missing-danger-as-true", hardness: "E",
			about: "A danger that is not there is taken as present, to be on the safe side; a source that is not there as gone is still an error.",
			plant: mending(func(op floor.Op, in map[string]any) {
				eachFlag(op, in, func(holder map[string]any, name string, there bool) {
					if !there && name != "source_recoverable" {
						holder[name] = true
					}
				})
			}),
			witness: steps(spoilt(ask("", "a"), strictField, "")),
		},
		{
			id: "wire/missing-source-as-recoverable", hardness: "E",
			about: "Where nothing is said of the source it is taken as recoverable.",
			plant: mending(func(op floor.Op, in map[string]any) {
				eachFlag(op, in, func(holder map[string]any, name string, there bool) {
					if !there && name == "source_recoverable" {
						holder[name] = true
					}
				})
			}),
			witness: steps(spoilt(ask("", ""), sourceField, "")),
		},
		{
			id: "wire/null-flag-as-false", hardness: "E",
			about: "A condition that is null is taken as false.",
			plant: mending(func(op floor.Op, in map[string]any) {
				eachFlag(op, in, func(holder map[string]any, name string, there bool) {
					if there && holder[name] == nil {
						holder[name] = false
					}
				})
			}),
			witness: steps(spoilt(ask("", ""), sourceField, sourceAsNull)),
		},
		{
			id: "wire/text-as-flag", hardness: "M",
			about: `The texts "true" and "false" are taken for flags.`,
			plant: mending(func(op floor.Op, in map[string]any) {
				eachFlag(op, in, func(holder map[string]any, name string, _ bool) {
					if text, ok := holder[name].(string); ok && (text == "true" || text == "false") {
						holder[name] = text == "true"
					}
				})
			}),
			witness: steps(spoilt(ask("", ""), sourceField, `"source_recoverable":"false",`)),
		},
		{
			id: "wire/number-as-flag", hardness: "M",
			about: "A number is taken for a flag: 0 is false, any other true.",
			plant: mending(func(op floor.Op, in map[string]any) {
				eachFlag(op, in, func(holder map[string]any, name string, _ bool) {
					if n, ok := holder[name].(json.Number); ok {
						holder[name] = n != "0"
					}
				})
			}),
			witness: steps(spoilt(ask("", ""), sourceField, `"source_recoverable":0,`)),
		},
		{
			id: "wire/ancestry-defaults-to-certified", hardness: "E",
			about: "A contract without generation, ancestry flag or certified classes gets the seed's defaults: 0, certified, none.",
			plant: mending(func(op floor.Op, in map[string]any) {
				contract, _ := in["contract"].(map[string]any)
				fill(contract, "generation", json.Number("0"))
				fill(contract, "ancestry_certified", true)
				fill(contract, "certified_classes", []any{})
			}),
			witness: steps(spoilt(ask("", ""), `,"ancestry_certified":true`, "")),
		},
		{
			id: "wire/flags-read-when-needed", hardness: "M",
			about: "The conditions are not looked at where the contract certifies: what is wrong with them goes unnoticed.",
			plant: mending(func(op floor.Op, in map[string]any) {
				if op != floor.OpDecide {
					return
				}
				patched := mapOf(in)
				eachFlag(op, patched, func(holder map[string]any, name string, _ bool) { holder[name] = false })
				decoded := floor.ParseRequest(op, encode(patched)).Decide
				if decoded != nil && newNaive(floor.Guard).weigh(decoded) == floor.Certified {
					eachFlag(op, in, func(holder map[string]any, name string, _ bool) { holder[name] = false })
				}
			}),
			witness: steps(spoilt(ask("", ""), strictField, "")),
		},
	}
}

func wireNumbers() []fault {
	return []fault{
		{
			id: "wire/negative-generation-accepted", hardness: "E",
			about: "A generation below 0 is taken as 0.",
			plant: mending(func(op floor.Op, in map[string]any) {
				if contract, ok := in["contract"].(map[string]any); ok {
					bounded(contract, "generation", 0, math.MaxInt64)
				}
			}),
			witness: steps(ask("", "", generation(-1))),
		},
		{
			id: "wire/generation-beyond-31-bits", hardness: "M",
			about: "A generation from 2^31 on is cut to 31 bits.",
			plant: mending(func(op floor.Op, in map[string]any) {
				if contract, ok := in["contract"].(map[string]any); ok {
					if g, ok := integer(contract["generation"]); ok && g > floor.MaxGeneration {
						contract["generation"] = number(g & floor.MaxGeneration)
					}
				}
			}),
			witness: steps(ask("", "", generation(1<<31))),
		},
		{
			id: "wire/number-as-text", hardness: "E",
			about: "A number written as a text is read as the number.",
			plant: mending(func(op floor.Op, in map[string]any) {
				eachNumber(op, in, func(v any) any {
					text, _ := v.(string)
					if n, err := strconv.ParseInt(text, 10, 64); err == nil {
						return number(n)
					}
					return v
				})
			}),
			witness: steps(spoilt(ask("", ""), `"generation":0`, `"generation":"0"`)),
		},
		{
			id: "wire/whole-float-accepted", hardness: "M",
			about: "1.0 is taken for 1; 1.5 is still an error.",
			plant: mending(func(op floor.Op, in map[string]any) {
				replaceNumbers(in, func(n json.Number) json.Number {
					whole, fraction, found := strings.Cut(string(n), ".")
					if found && strings.Trim(fraction, "0") == "" {
						return json.Number(whole)
					}
					return n
				})
			}),
			witness: steps(spoilt(ask("", ""), `"generation":0`, `"generation":0.0`)),
		},
		{
			id: "wire/exponent-accepted", hardness: "M",
			about: "1e2 is taken for 100; 1.0 is still an error.",
			plant: mending(func(op floor.Op, in map[string]any) {
				replaceNumbers(in, func(n json.Number) json.Number {
					if f, err := n.Float64(); err == nil && f == math.Trunc(f) && !strings.Contains(string(n), ".") && math.Abs(f) < 1<<53 {
						return number(int64(f))
					}
					return n
				})
			}),
			witness: steps(spoilt(ask("", ""), `"generation":0`, `"generation":0e0`)),
		},
		{
			id: "wire/fraction-cut-off", hardness: "M",
			about: "Numbers are read as floating point and cut to integers.",
			plant: mending(func(op floor.Op, in map[string]any) {
				replaceNumbers(in, func(n json.Number) json.Number {
					if f, err := n.Float64(); err == nil && math.Abs(f) < 1<<53 {
						return number(int64(f))
					}
					return n
				})
			}),
			witness: steps(spoilt(ask("", ""), `"generation":0`, `"generation":0.5`)),
		},
		{
			id: "wire/number-beyond-53-bits", hardness: "M",
			about: "A number of 2^53 or more is taken as the largest there is.",
			plant: mending(func(op floor.Op, in map[string]any) {
				replaceNumbers(in, func(n json.Number) json.Number {
					if v, err := strconv.ParseInt(string(n), 10, 64); err == nil {
						return number(min(max(v, -floor.MaxNumber), floor.MaxNumber))
					}
					return n
				})
			}),
			witness: steps(spoilt(ask("", "", fluency(7)), ":7", ":9007199254740992")),
		},
		{
			id: "wire/riders-not-read", hardness: "M",
			about:   "Riders are thrown away unread: null, a list, or a fraction in them goes unnoticed.",
			plant:   mending(func(op floor.Op, in map[string]any) { delete(in, "riders") }),
			witness: steps(spoilt(ask("", "", fluency(7)), ":7", ":0.7")),
		},
		{
			id: "wire/unknown-fields-not-read", hardness: "M",
			about: "Unknown fields are skipped unread: a fraction in them goes unnoticed.",
			plant: mending(func(op floor.Op, in map[string]any) {
				strike(in, "contract", "originals", "events", "riders",
					"source_recoverable", "consumer_strict", "chaining_risk", "side_effect_cost_exceeds_refusal")
				if contract, ok := in["contract"].(map[string]any); ok {
					strike(contract, "required_classes", "certified_classes", "generation", "ancestry_certified")
				}
				for _, e := range objects(in["events"]) {
					strike(e, "id", "inputs", "required_classes", "certificate", "floors_permille",
						"source_recoverable", "consumer_strict", "chaining_risk", "side_effect_cost_exceeds_refusal")
					for _, entry := range objects(e["certificate"]) {
						strike(entry, "class", "retained", "total")
					}
				}
			}),
			witness: steps(spoilt(ask("", ""), `{`, `{"x-share":0.7,`)),
		},
		{
			id: "wire/retained-beyond-total", hardness: "E",
			about: "More retained than there was counts as all of it.",
			plant: mending(func(op floor.Op, in map[string]any) {
				eachEntry(in, func(entry map[string]any) {
					if total, ok := integer(entry["total"]); ok {
						bounded(entry, "retained", math.MinInt64, total)
					}
				})
			}),
			witness: steps(chain(event("e1", "o", "", "a:1/0"))),
		},
		{
			id: "wire/negative-counts-accepted", hardness: "E",
			about: "Counts below 0 are taken as 0.",
			plant: mending(func(op floor.Op, in map[string]any) {
				eachEntry(in, func(entry map[string]any) {
					bounded(entry, "retained", 0, math.MaxInt64)
					bounded(entry, "total", 0, math.MaxInt64)
				})
			}),
			witness: steps(chain(event("e1", "o", "", "a:-1/0"))),
		},
		{
			id: "wire/floor-beyond-1000", hardness: "E",
			about: "A floor of more than 1000 is taken as 1000.",
			plant: mending(func(op floor.Op, in map[string]any) {
				eachFloor(in, func(floors map[string]any, class string) { bounded(floors, class, math.MinInt64, 1000) })
			}),
			witness: steps(chain(event("e1", "o", "", "", atLeast("a", 1001)))),
		},
		{
			id: "wire/negative-floor-accepted", hardness: "E",
			about: "A floor below 0 is taken as 0.",
			plant: mending(func(op floor.Op, in map[string]any) {
				eachFloor(in, func(floors map[string]any, class string) { bounded(floors, class, 0, math.MaxInt64) })
			}),
			witness: steps(chain(event("e1", "o", "", "", atLeast("a", -1)))),
		},
	}
}

func wireShapes() []fault {
	return []fault{
		{
			id: "wire/null-list-as-empty", hardness: "E",
			about: "A list that is null is taken as empty.",
			plant: mending(func(op floor.Op, in map[string]any) {
				eachList(op, in, func(holder map[string]any, name string) {
					if v, there := holder[name]; there && v == nil {
						holder[name] = []any{}
					}
				})
			}),
			witness: steps(spoilt(ask("", ""), `"required_classes":[]`, `"required_classes":null`)),
		},
		{
			id: "wire/missing-list-as-empty", hardness: "E",
			about: "A list that is not there is taken as empty.",
			plant: mending(func(op floor.Op, in map[string]any) {
				eachList(op, in, func(holder map[string]any, name string) { fill(holder, name, []any{}) })
			}),
			witness: steps(spoilt(ask("", ""), `"required_classes":[],`, ``)),
		},
		{
			id: "wire/lone-text-as-list", hardness: "M",
			about: "A text where a list should stand is taken as a list of one.",
			plant: mending(func(op floor.Op, in map[string]any) {
				eachList(op, in, func(holder map[string]any, name string) {
					if text, ok := holder[name].(string); ok {
						holder[name] = []any{text}
					}
				})
			}),
			witness: steps(spoilt(ask("", ""), `"required_classes":[]`, `"required_classes":"a"`)),
		},
		{
			id: "wire/odd-members-skipped", hardness: "M",
			about: "A member of a list of names that is no text is skipped.",
			plant: mending(func(op floor.Op, in map[string]any) {
				eachList(op, in, func(holder map[string]any, name string) {
					if list, ok := holder[name].([]any); ok && name != "events" && name != "certificate" {
						holder[name] = slices.DeleteFunc(slices.Clone(list), func(v any) bool { _, ok := v.(string); return !ok })
					}
				})
			}),
			witness: steps(spoilt(ask("", ""), `"required_classes":[]`, `"required_classes":[null]`)),
		},
		{
			id: "wire/null-option-as-absent", hardness: "M",
			about: "Riders or floors that are null are taken as absent.",
			plant: mending(func(op floor.Op, in map[string]any) {
				dropNull(in, "riders")
				for _, e := range objects(in["events"]) {
					dropNull(e, "floors_permille")
				}
			}),
			witness: steps(spoilt(ask("", ""), `{`, `{"riders":null,`)),
		},
		{
			id: "wire/names-without-case", hardness: "M",
			about: "Field names are matched without regard to case.",
			plant: mending(func(op floor.Op, in map[string]any) {
				lowerNames(in)
				if contract, ok := in["contract"].(map[string]any); ok {
					lowerNames(contract)
				}
				for _, e := range objects(in["events"]) {
					lowerNames(e)
					eachEntry(map[string]any{"events": []any{e}}, lowerNames)
				}
			}),
			witness: steps(spoilt(ask("", ""), `"contract"`, `"Contract"`)),
		},
		{
			id: "wire/class-twice-last-wins", hardness: "M",
			about:   "Of two entries for one class in a certificate the last one counts.",
			plant:   mending(func(op floor.Op, in map[string]any) { onePerClass(in, true) }),
			witness: steps(chain(event("e1", "o", "", "a:0/1 a"))),
		},
		{
			id: "wire/class-twice-first-wins", hardness: "M",
			about:   "Of two entries for one class in a certificate the first one counts.",
			plant:   mending(func(op floor.Op, in map[string]any) { onePerClass(in, false) }),
			witness: steps(chain(event("e1", "o", "", "a:0/1 a"))),
		},
		{
			id: "wire/empty-inputs-as-clean-start", hardness: "E",
			about: "An event without inputs is taken as made of an original.",
			plant: mending(func(op floor.Op, in map[string]any) {
				for _, e := range objects(in["events"]) {
					if list, ok := e["inputs"].([]any); ok && len(list) == 0 {
						e["inputs"] = []any{addOriginal(in)}
					}
				}
			}),
			witness: steps(chain(event("e1", "", "", ""))),
		},
		{
			id: "wire/plain-unmarshal", hardness: "E",
			about: "Requests are read with encoding/json and nothing is checked: zero stands for what is not there.",
			plant: func(n *naive) {
				n.raw = func(r floor.Request) floor.Answer {
					raw, err := r.In()
					if err != nil {
						return bad(err)
					}
					decide, derive := &floor.DecideIn{}, &floor.DeriveIn{}
					if r.Op == floor.OpDecide {
						if err := json.Unmarshal(raw, decide); err != nil {
							return bad(err)
						}
						out := n.decide(decide)
						return floor.Answer{Decide: &out}
					}
					if err := json.Unmarshal(raw, derive); err != nil {
						return bad(err)
					}
					return n.derived(derive)
				}
			},
			witness: steps(spoilt(ask("", ""), strictField, "")),
		},
	}
}

func wireErrors() []fault {
	return []fault{
		{
			id: "wire/error-as-refusal", hardness: "E",
			about: "A bad decide request is refused instead of turned down: the caller takes a bug for a decision.",
			plant: func(n *naive) {
				n.raw = func(r floor.Request) floor.Answer {
					if r.Op != floor.OpDecide {
						return n.mended(r, func(floor.Op, map[string]any) {})
					}
					generation, ancestry := int64(0), false
					return floor.Answer{Decide: &floor.DecideOut{
						Decision: floor.Refuse, MissingClasses: classes{}, Generation: &generation, AncestryCertified: &ancestry,
					}}
				}
			},
			witness: steps(spoilt(ask("", ""), strictField, "")),
		},
		{
			id: "wire/error-as-provisional", hardness: "E",
			about: "A bad decide request is answered provisional: the handler of errors lets it through.",
			plant: func(n *naive) {
				n.raw = func(r floor.Request) floor.Answer {
					if r.Op != floor.OpDecide {
						return n.mended(r, func(floor.Op, map[string]any) {})
					}
					return floor.Answer{Decide: &floor.DecideOut{Decision: floor.Provisional}}
				}
			},
			witness: steps(spoilt(ask("", ""), strictField, "")),
		},
		{
			id: "wire/bad-history-as-empty", hardness: "E",
			about: "A bad history is answered like an empty one.",
			plant: func(n *naive) {
				n.raw = func(r floor.Request) floor.Answer {
					if r.Op != floor.OpDerive {
						return n.mended(r, func(floor.Op, map[string]any) {})
					}
					return floor.Answer{Derive: &floor.DeriveOut{Events: []floor.Outcome{}}}
				}
			},
			witness: steps(chain(event("e1", "", "", ""))),
		},
	}
}

// mending makes a mutant that mends bad requests and answers them.
func mending(mend func(op floor.Op, in map[string]any)) func(*naive) {
	return func(n *naive) {
		n.raw = func(r floor.Request) floor.Answer { return n.mended(r, mend) }
	}
}

// mended answers a bad request after its JSON was mended; what is bad still
// stays an error.
func (n *naive) mended(r floor.Request, mend func(op floor.Op, in map[string]any)) floor.Answer {
	raw, err := r.In()
	if err != nil {
		return bad(err)
	}
	tree, err := floor.ParseJSON(raw)
	if err != nil {
		return bad(err)
	}
	in, ok := tree.(map[string]any)
	if !ok {
		return bad(fmt.Errorf("in: must be an object"))
	}
	mend(r.Op, in)
	switch r.Op {
	case floor.OpDecide:
		decide, err := floor.DecodeDecideIn(encode(in))
		if err != nil {
			return bad(err)
		}
		out := n.decide(decide)
		return floor.Answer{Decide: &out}
	case floor.OpDerive:
		derive, err := floor.DecodeDeriveIn(encode(in))
		if err != nil {
			return bad(err)
		}
		return n.derived(derive)
	}
	return bad(fmt.Errorf("op %q is not known", r.Op))
}

func (n *naive) derived(in *floor.DeriveIn) floor.Answer {
	out, err := n.derive(in)
	if err != nil {
		return bad(err)
	}
	return floor.Answer{Derive: &out}
}

func bad(err error) floor.Answer {
	return floor.Answer{Err: &floor.AnswerError{Code: floor.BadRequestCode, Message: err.Error()}}
}
