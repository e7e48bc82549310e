package mutant

import (
	"regexp"
	"slices"
	"strings"

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
		planted := func(policy floor.Policy, m blackbox.Model) conform.Subject {
			return blackbox.Plant(conform.Hello{Name: s.id, Version: "1", Language: "go", Policy: policy}, made, s.plant, m)
		}
		m := Mutant{
			ID: s.id, Family: "reduce", Op: floor.OpReduce, Hardness: s.hardness, About: s.about, Hidden: conversation, Witness: s.witness,
			New: func(policy floor.Policy) conform.Subject { return planted(policy, nil) },
		}
		if m.New(floor.Guard).Hello().HasModel() {
			m.Asking = planted
		}
		out = append(out, m)
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
