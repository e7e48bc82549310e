package mutant

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
)

var policies = []floor.Policy{floor.Guard, floor.Joint}

func TestEveryMutantIsNamed(t *testing.T) {
	kebab := regexp.MustCompile(`^(decision|ancestry|fraction|ratio|reason|wire|reduce|negation|matching|quota|certificate|cleanliness|guard|lineage|contract|budget|ordering|refusal|request)/[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for _, m := range All() {
		assert.Regexp(t, kebab, m.ID)
		assert.True(t, strings.HasPrefix(m.ID, m.Family+"/"), m.ID)
		assert.Contains(t, []string{"E", "M", "H", "ET", "MT", "HT"}, m.Hardness, m.ID)
		assert.Regexp(t, `^[A-Z0-9].*\.$`, m.About, m.ID)
		assert.False(t, seen[m.ID], "%s stands twice", m.ID)
		seen[m.ID] = true

		found, ok := Lookup(m.ID)
		assert.True(t, ok, m.ID)
		assert.Equal(t, m.About, found.About)
		for _, policy := range policies {
			hello := m.New(policy).Hello()
			assert.Equal(t, policy, hello.Policy, m.ID)
			switch {
			case m.Op == floor.OpDecide:
				assert.Equal(t, []floor.Op{floor.OpDecide, floor.OpDerive}, hello.Ops, m.ID)
			default:
				assert.Equal(t, m.Op, hello.Ops[0], m.ID)
			}
		}
	}
	assert.True(t, slices.IsSortedFunc(All(), func(a, b Mutant) int { return strings.Compare(a.ID, b.ID) }))
	assert.GreaterOrEqual(t, len(seen), 400)

	_, ok := Lookup("decision/no-such-fault")
	assert.False(t, ok)
}

// decisive are the mutants that decide and derive; slip_test.go and
// reduce_test.go are about the others.
func decisive() []Mutant {
	return slices.DeleteFunc(All(), func(m Mutant) bool { return m.Op != floor.OpDecide })
}

// A witness shows its fault at its last step, under both policies, and is a
// case that can be written to a file and read again. Where the right answer is an error the
// request is bad; elsewhere it is good.
func TestEveryMutantIsWrongOnItsWitness(t *testing.T) {
	for _, m := range decisive() {
		t.Run(m.ID, func(t *testing.T) {
			for _, policy := range policies {
				witness := m.WitnessUnder(policy)
				before, err := json.Marshal(witness)
				require.NoError(t, err)
				right, wrong := answers(t, healthy(policy), witness.Steps), answers(t, m.New(policy), witness.Steps)
				last := len(right) - 1
				assert.NotEqual(t, right[last], wrong[last], policy)
				assert.Equal(t, right[:last], wrong[:last], "%s: the fault shows before the last step", policy)
				for i, answer := range right {
					bad := m.Hidden == badRequest || strings.HasPrefix(m.ID, "ancestry/refused-parent-")
					assert.Equal(t, bad, answer == "error", "step %d: %s", i, answer)
				}
				var again floor.Case
				require.NoError(t, json.Unmarshal(before, &again))
				after, err := json.Marshal(again)
				require.NoError(t, err)
				assert.Equal(t, string(before), string(after))
			}
		})
	}
}

// The witnesses of all mutants, a sample of the small scope and one of a larger
// scope tell every two of them apart.
func TestNoTwoMutantsAreTheSame(t *testing.T) {
	short, long := distinguishing()
	alike := map[string][]Mutant{}
	for _, m := range decisive() {
		text := everything(t, m, short)
		alike[text] = append(alike[text], m)
	}
	for _, group := range alike {
		if len(group) == 1 {
			continue // most are told apart without the long cases
		}
		asThis := map[string]string{}
		for _, m := range group {
			text := everything(t, m, long)
			assert.Empty(t, asThis[text], "answers everything as %s does", m.ID)
			asThis[text] = m.ID
		}
	}
}

func everything(t *testing.T, m Mutant, cases [][]floor.Request) string {
	text := &strings.Builder{}
	for _, policy := range policies {
		for _, steps := range cases {
			fmt.Fprintln(text, answers(t, m.New(policy), steps))
		}
	}
	return text.String()
}

// Hidden says the truth: a sample of the small scope, asked of one subject in
// portions, finds the mutants that nothing hides and no others.
func TestHidden(t *testing.T) {
	const requests, few, many = 500, 4, 40
	src := rand.New(rand.NewPCG(1, 2))
	var asked [][]floor.Request
	for range many {
		asked = append(asked, smallScope(src, requests))
	}
	for _, policy := range policies {
		var right [][]string
		for _, m := range decisive() {
			portions, found := few, ""
			if m.Hidden == "" {
				portions = many
			}
			for i := 0; i < portions && found == ""; i++ {
				if i == len(right) {
					right = append(right, answers(t, healthy(policy), asked[i]))
				}
				got := answers(t, m.New(policy), asked[i])
				if at := firstDifference(right[i], got); at >= 0 {
					found = fmt.Sprintf("%s instead of %s", got[at], right[i][at])
				}
			}
			assert.Equal(t, m.Hidden == "", found != "", "%s under %s: hidden by %q, found %q", m.ID, policy, m.Hidden, found)
		}
	}
}

func TestMutantsAreDeterministic(t *testing.T) {
	requests := smallScope(rand.New(rand.NewPCG(3, 4)), 200)
	for _, m := range decisive() {
		assert.Equal(t, answers(t, m.New(floor.Guard), requests), answers(t, m.New(floor.Guard), requests), m.ID)
	}
}

func TestTheNaiveDecidesAsTheRulesSay(t *testing.T) {
	sets := []string{"", "a", "b", "a b", "b a", "a a", "a b c"}
	for _, policy := range policies {
		for _, required := range sets {
			for _, certified := range sets {
				for flags := range 32 {
					letters := ""
					for bit, letter := range []string{"r", "s", "c", "x"} {
						if flags>>bit&1 == 1 {
							letters += letter
						}
					}
					r := ask(required, certified, under(letters), generation(int64(flags)))
					r.Decide.Contract.AncestryCertified = flags>>4 == 0

					want := restated(policy, required, certified, letters, flags>>4 == 0, flags)
					got := answers(t, healthy(policy), []floor.Request{r})
					assert.Equal(t, []string{want}, got, "%s required %q certified %q %q", policy, required, certified, letters)
				}
			}
		}
	}
}

// restated is seed A's guard once more, on strings.
func restated(policy floor.Policy, required, certified, letters string, ancestry bool, generation int) string {
	missing := []string{}
	for _, class := range []string{"a", "b", "c"} {
		if strings.Contains(required, class) && !strings.Contains(certified, class) {
			missing = append(missing, class)
		}
	}
	dangers := len(strings.Trim(letters, "r"))
	switch {
	case ancestry && len(missing) == 0:
		return "certified"
	case strings.Contains(letters, "r"):
		return "provisional"
	case policy == floor.Guard && dangers >= 1, policy == floor.Joint && dangers == 3:
		return fmt.Sprintf("refuse %v g%d %t", missing, generation, ancestry)
	}
	return "provisional"
}

func TestTheNaiveDerivesAsTheRulesSay(t *testing.T) {
	tests := []struct {
		name    string
		history floor.Request
		want    string
	}{
		{"an empty history has no outcomes", chain(), ""},
		{"what is made of originals has generation 1 and starts clean",
			chain(event("e1", "o p", "a", "a")), "e1 certified g1 true a:1/1"},
		{"a class that nobody certified is not effective, and nothing is in danger",
			chain(event("e1", "o", "a", "b")), "e1 provisional g1 true b:1/1"},
		{"a refusal names what is missing",
			chain(event("e1", "o", "a b", "b", when("scx"))), "e1 refuse [a] true"},
		{"a recoverable source is never refused",
			chain(event("e1", "o", "a", "", when("rscx"))), "e1 provisional g1 true"},
		{"effective is the minimum over the chain, not the product and not the newest",
			chain(event("e1", "o", "", "a:1/2"), event("e2", "e1", "", "a:2/4"), event("e3", "e2", "", "a")),
			"e1 certified g1 true a:1/2; e2 certified g2 true a:1/2; e3 certified g3 true a:1/2"},
		{"a class first required late counts only if effective in every ancestor",
			chain(event("e1", "o", "a", "a"), event("e2", "e1", "b", "a b", when("scx"))),
			"e1 certified g1 true a:1/1; e2 refuse [b] true"},
		{"poison reaches every descendant, whatever it certifies",
			chain(event("e1", "o", "a", "", when("r")), event("e2", "e1", "", "a"), event("e3", "e2", "", "", when("scx"))),
			"e1 provisional g1 true; e2 provisional g2 false; e3 refuse [] false"},
		{"a merge has the newest generation plus one, and one poisoned parent is enough",
			chain(event("e1", "o", "a", ""), event("e2", "o", "", "a"), event("e3", "e2", "", "a"), event("e4", "e3 e1 o e3", "", "a")),
			"e1 provisional g1 true; e2 certified g1 true a:1/1; e3 certified g2 true a:1/1; e4 provisional g3 false"},
		{"originals start clean again, whatever was made of them",
			chain(event("e1", "o", "a", "", when("scx")), event("e2", "o", "a", "a")), "e1 refuse [a] true; e2 certified g1 true a:1/1"},
		{"0 of 0 is full and lowers nothing",
			chain(event("e1", "o", "a", "a:0/0"), event("e2", "e1", "", "a:1/2"), event("e3", "e2", "", "a:0/0")),
			"e1 certified g1 true a:1/1; e2 certified g2 true a:1/2; e3 certified g3 true a:1/2"},
		{"a floor is reached at the floor, and judged by this event's floors",
			chain(event("e1", "o", "a", "a:7/10", atLeast("a", 700)), event("e2", "e1", "a", "a", atLeast("a", 701))),
			"e1 certified g1 true a:7/10; e2 provisional g2 true a:7/10"},
		{"a floor of 0 wants the class all the same",
			chain(event("e1", "o", "a", "a:0/1", atLeast("a", 0)), event("e2", "o", "a", "", atLeast("a", 0))),
			"e1 certified g1 true a:0/1; e2 provisional g1 true"},
		{"a floor for a class that is not required does not matter here",
			chain(event("e1", "o", "a", "a b:0/1", atLeast("b", 1000))), "e1 certified g1 true a:1/1 b:0/1"},
		{"huge counts are compared exactly",
			chain(event("e1", "o", "", "a:"+slightlyLower), event("e2", "e1", "", "a:"+hugeOverHuge)),
			"e1 certified g1 true a:" + slightlyLower + "; e2 certified g2 true a:" + slightlyLower},
		{"huge counts are held against floors exactly",
			chain(event("e1", "o", "a", "a:"+hugeOverHuge), event("e2", "o", "a", "a:"+hugeOverHuge, atLeast("a", 999))),
			"e1 provisional g1 true a:" + hugeOverHuge + "; e2 certified g1 true a:" + hugeOverHuge},
		{"a refused event has no children",
			chain(event("e1", "o", "a", "", when("scx")), event("e2", "e1", "", "")), "error"},
		{"an unknown input is an error", chain(event("e1", "x", "", "")), "error"},
		{"a later input is an error", chain(event("e1", "e2", "", ""), event("e2", "o", "", "")), "error"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, policy := range policies {
				assert.Equal(t, []string{tt.want}, answers(t, healthy(policy), []floor.Request{tt.history}), policy)
			}
		})
	}
}

func TestPoliciesPartInAHistory(t *testing.T) {
	history := []floor.Request{chain(event("e1", "o", "a", "", when("s")))}
	assert.Equal(t, []string{"e1 refuse [a] true"}, answers(t, healthy(floor.Guard), history))
	assert.Equal(t, []string{"e1 provisional g1 true"}, answers(t, healthy(floor.Joint), history))
}

// Whatever shape a request has, no mutant falls over it.
func TestMutantsSurviveAnyShape(t *testing.T) {
	shapes := []string{
		`7`, `{}`, `{"events":7}`, `{"events":[7],"originals":[]}`, `{"contract":7,"riders":{}}`, `{"originals":{},"events":[{"inputs":7}]}`,
		`{"events":[{"id":7,"inputs":[7],"certificate":[7,{"class":[]},{"class":[]}],"floors_permille":7}]}`,
		`{"events":[{"id":"e","inputs":["f"]},{"id":"f","inputs":["e","e"]},{"id":"e"}],"originals":["e"]}`,
	}
	for _, m := range decisive() {
		for _, shape := range shapes {
			for _, op := range []floor.Op{floor.OpDecide, floor.OpDerive, "none"} {
				got := answers(t, m.New(floor.Guard), []floor.Request{{Op: op, Raw: json.RawMessage(shape)}})
				assert.NotContains(t, got[0], "broken", "%s: %s", m.ID, shape)
				if m.Hidden != badRequest {
					assert.Equal(t, "error", got[0], "%s: %s", m.ID, shape)
				}
			}
		}
	}
}

func healthy(policy floor.Policy) conform.Subject { return subject("naive", policy, func(*naive) {}) }

// answers asks everything and writes down what was answered: equal fractions
// and equal sets alike.
func answers(t *testing.T, s conform.Subject, requests []floor.Request) []string {
	t.Helper()
	got, err := s.Ask(context.Background(), requests)
	require.NoError(t, err)
	var texts []string
	for _, a := range got {
		texts = append(texts, written(a))
	}
	return texts
}

func written(a floor.Answer) string {
	switch {
	case a.Decide != nil && a.Decide.Decision == floor.Refuse:
		d := a.Decide
		return "refuse " + set(d.MissingClasses) + told(" g%d", d.Generation) + told(" %t", d.AncestryCertified)
	case a.Decide != nil:
		return string(a.Decide.Decision)
	case a.Derive != nil:
		var events []string
		for _, o := range a.Derive.Events {
			text := o.ID + " " + string(o.Decision)
			if o.Decision == floor.Refuse {
				text += " " + set(o.MissingClasses)
			}
			text += told(" g%d", o.Generation) + told(" %t", o.AncestryCertified)
			for _, f := range o.Effective {
				text += fmt.Sprintf(" %s:%s", f.Class, lowest(f))
			}
			events = append(events, text)
		}
		return strings.Join(events, "; ")
	case a.Err != nil:
		return "error"
	}
	return "broken: " + a.Detail
}

func set(list []floor.Class) string {
	if list == nil {
		return "unsaid"
	}
	return fmt.Sprint(slices.Compact(sorted(list)))
}

func told[T any](format string, v *T) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf(format, *v)
}

func lowest(f floor.Fidelity) string {
	if f.Total == 0 {
		return "1/1"
	}
	a, b := f.Retained, f.Total
	for b != 0 {
		a, b = b, a%b
	}
	return fmt.Sprintf("%d/%d", f.Retained/a, f.Total/a)
}

func firstDifference(a, b []string) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// smallScope draws from the scope that Hidden speaks of: decide over up to
// five classes in one order, generations 0, 1, 2 and 7; histories of up to
// four events over one or two classes, fidelities 1/1, 1/2 and 0/1, no floors.
// Nothing is drawn twice in a row of requests.
func smallScope(src *rand.Rand, requests int) []floor.Request {
	var out []floor.Request
	seen := map[string]bool{}
	for len(out) < requests {
		r := smallHistory(src)
		if src.IntN(3) == 0 {
			r = smallDecide(src)
		}
		in, err := r.In()
		if err != nil {
			panic(err)
		}
		if !seen[string(in)] {
			seen[string(in)] = true
			out = append(out, r)
		}
	}
	return out
}

var five = classes{floor.Identifier, floor.Quantity, floor.Negation, floor.Ordering, floor.Literal}

func smallDecide(src *rand.Rand) floor.Request {
	r := ask("", "", under(letters(src)), generation([]int64{0, 1, 2, 7}[src.IntN(4)]))
	for _, class := range five[:1+src.IntN(5)] {
		if src.IntN(2) == 0 {
			r.Decide.Contract.Required = append(r.Decide.Contract.Required, class)
		}
		if src.IntN(2) == 0 {
			r.Decide.Contract.Certified = append(r.Decide.Contract.Certified, class)
		}
	}
	r.Decide.Contract.AncestryCertified = src.IntN(3) > 0
	return r
}

func smallHistory(src *rand.Rand) floor.Request {
	var events []floor.Event
	wide, line, ids := 1+src.IntN(2), src.IntN(2) == 0, []string{"o"}
	for i := range 1 + src.IntN(4) {
		e := event(fmt.Sprintf("e%d", i+1), "", "", "", when(letters(src)))
		for _, id := range ids {
			if src.IntN(2) == 0 && !line {
				e.Inputs = append(e.Inputs, id)
			}
		}
		if len(e.Inputs) == 0 {
			e.Inputs = []string{ids[len(ids)-1]}
		}
		for _, class := range five[:wide] {
			if src.IntN(3) == 0 {
				e.Required = append(e.Required, class)
			}
			f := [][2]int64{{1, 1}, {1, 1}, {1, 2}, {0, 1}, {}}[src.IntN(5)]
			if f != [2]int64{} {
				e.Certificate = append(e.Certificate, floor.Fidelity{Class: class, Retained: f[0], Total: f[1]})
			}
		}
		events, ids = append(events, e), append(ids, e.ID)
	}
	return chain(events...)
}

func letters(src *rand.Rand) string {
	return []string{"", "r", "s", "c", "x", "sc", "sx", "cx", "scx", "rscx", "rc", ""}[src.IntN(12)]
}

// distinguishing are cases that tell mutants apart: their own witnesses, small
// requests, and some that are not so small; those that take long come apart.
func distinguishing() (short, long [][]floor.Request) {
	for _, m := range decisive() {
		steps := m.Witness.Steps
		if m.joint != nil {
			short = append(short, m.joint)
		}
		if first := steps[0]; len(steps) > 10 || first.Derive != nil && len(first.Derive.Events) > 20 {
			long = append(long, steps)
		} else {
			short = append(short, steps)
		}
	}
	src := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		short = append(short, smallScope(src, 20), largerScope(src, 30))
	}
	return short, long
}

// largerScope has what small scope leaves out: riders, floors, odd fractions,
// unknown classes, other orders and repetition.
func largerScope(src *rand.Rand, requests int) []floor.Request {
	var out []floor.Request
	names := append(slices.Clone(five), "a", "ab", "b", "A", " a", "ac", "d", "e")
	for range requests {
		d := smallDecide(src)
		for range src.IntN(1 + src.IntN(16)) {
			d.Decide.Contract.Required = append(d.Decide.Contract.Required, names[src.IntN(len(names))])
			d.Decide.Contract.Certified = append(d.Decide.Contract.Certified, names[src.IntN(len(names))])
		}
		n := func(most int64) int64 { return src.Int64N(most) }
		for _, with := range []func(*floor.DecideIn){
			tokens(n(4)*100, n(5)*100), target(n(1001)), occupancy(n(1100)), fluency(n(1001)), quota(n(4)),
		} {
			if src.IntN(3) == 0 {
				with(d.Decide)
			}
		}
		h := smallHistory(src)
		for i := range h.Derive.Events {
			e := &h.Derive.Events[i]
			for j := range e.Certificate {
				total := src.Int64N(1 << src.IntN(14))
				e.Certificate[j].Total, e.Certificate[j].Retained = total, total-src.Int64N(1+total)/(1+src.Int64N(50))
			}
			for _, class := range five[:3] {
				if src.IntN(3) == 0 {
					atLeast(class, []int64{0, 1, 500, 667, 900, 955, 999, 1000}[src.IntN(8)])(e)
				}
			}
		}
		out = append(out, d, h)
	}
	return out
}
