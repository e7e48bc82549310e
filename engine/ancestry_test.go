package engine

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

// FoldLine says of a line what Chain says of it event by event.
func TestALineIsAChain(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, p := range policies {
		refused, provisional := 0, 0
		for range 5000 {
			line := randomLine(rng, rng.IntN(12))
			folded := ForPolicy(p).FoldLine(make([]uint64, len(line.Flags)), line)
			links := chained(t, p, line)
			require.Len(t, folded.Certified, len(links))
			for i, link := range links {
				require.Equal(t, link, folded.Link(i), "%s: event %d of %+v", p, i, line)
			}
			if folded.Refused {
				refused++
			} else if folded.Clean < len(links) {
				provisional++
			}
		}
		require.Greater(t, refused, 300)
		require.Greater(t, provisional, 300)
	}
}

// randomLine draws classes that are seldom lost, so that lines live a while.
func randomLine(rng *rand.Rand, n int) Line {
	line := Line{make([]uint64, n), make([]uint64, n), make([]Flags, n)}
	spared := Flags(rng.IntN(2)) * Unrecoverable
	for i := range n {
		line.Required[i] = 1 << rng.IntN(64)
		line.Certified[i] = rng.Uint64() | rng.Uint64() | rng.Uint64() | rng.Uint64()
		line.Flags[i] = Flags(rng.IntN(256)) &^ spared // Missing, Poisoned and nameless bits too
	}
	return line
}

// chained appends the line to a chain, up to its refusal.
func chained(t *testing.T, p floor.Policy, line Line) (links []Link) {
	t.Helper()
	chain := NewChain(p)
	for i := range line.Flags {
		parents := []int{i - 1}
		if i == 0 {
			parents = nil
		}
		link, err := chain.Append(Step{line.Required[i], line.Certified[i], line.Flags[i]}, parents...)
		require.NoError(t, err)
		require.Equal(t, link, chain.Link(i))
		links = append(links, link)
		if link.Decision == Refuse {
			break
		}
	}
	require.Equal(t, len(links), chain.Len())
	return links
}

func TestTheChainIsTheMinimumNotTheLatest(t *testing.T) {
	chain := NewChain(floor.Guard)
	first := mustAppend(t, chain, Step{0b01, 0b01, 0})
	require.Equal(t, Link{0b01, 1, Certified, true}, first)
	again := mustAppend(t, chain, Step{0b10, 0b11, 0}, 0) // the second class was lost before
	require.Equal(t, Link{0b01, 2, Provisional, true}, again)
	poisoned := mustAppend(t, chain, Step{0b01, 0b11, 0}, 1)
	require.Equal(t, Link{0b01, 3, Provisional, false}, poisoned)
}

func TestAMergeTakesTheWorstOfItsParents(t *testing.T) {
	chain := NewChain(floor.Guard)
	mustAppend(t, chain, Step{0, 0b011, 0})        // 0
	mustAppend(t, chain, Step{0, 0b110, 0}, 0)     // 1: generation 2, keeps 010
	mustAppend(t, chain, Step{0b100, 0b111, 0}, 0) // 2: provisional, keeps 011
	mustAppend(t, chain, Step{0, 0b111, 0})        // 3: from originals
	require.Equal(t, Link{0b010, 3, Certified, true}, mustAppend(t, chain, Step{0b010, 0b111, 0}, 3, 1))
	require.Equal(t, Link{0b010, 3, Provisional, false}, mustAppend(t, chain, Step{0, 0b111, 0}, 1, 2))
	require.Equal(t, Link{0b011, 3, Provisional, false}, mustAppend(t, chain, Step{0, 0b111, 0}, 2, 3, 2))
}

func TestWhatAStepCannotKnowIsIgnored(t *testing.T) {
	chain := NewChain(floor.Guard)
	require.Equal(t, Certified, mustAppend(t, chain, Step{1, 1, Missing | Poisoned | Strict | Unrecoverable}).Decision)
}

func TestARefusedEventHasNoDescendants(t *testing.T) {
	chain := NewChain(floor.Guard)
	require.Equal(t, Refuse, mustAppend(t, chain, Step{1, 0, Strict | Unrecoverable}).Decision)
	_, err := chain.Append(Step{}, 0)
	require.EqualError(t, err, "parent 0: was refused and has no descendants")
	_, err = chain.Append(Step{}, 1)
	require.EqualError(t, err, "parent 1: no such event yet")
	_, err = chain.Append(Step{}, -1)
	require.EqualError(t, err, "parent -1: no such event yet")
	require.Equal(t, 1, chain.Len())
}

func mustAppend(t *testing.T, c *Chain, s Step, parents ...int) Link {
	t.Helper()
	link, err := c.Append(s, parents...)
	require.NoError(t, err)
	return link
}

func TestFoldingAllocatesNothing(t *testing.T) {
	const n = 1000
	line := Line{make([]uint64, n), make([]uint64, n), make([]Flags, n)}
	out, d := make([]uint64, n), ForPolicy(floor.Guard)
	require.Zero(t, testing.AllocsPerRun(100, func() { d.FoldLine(out, line) }))

	chain := &Chain{decider: d, links: make([]Link, 1, n)}
	require.Zero(t, testing.AllocsPerRun(n-2, func() {
		if _, err := chain.Append(Step{}, chain.Len()-1); err != nil {
			panic(err)
		}
	}))
	require.Equal(t, n, chain.Len())
}

// of is a fidelity of class "a".
func of(retained, total int64) floor.Fidelity {
	return floor.Fidelity{Class: "a", Retained: retained, Total: total}
}

const huge = floor.MaxNumber

// The effective fidelity is the least of the chain, compared exactly.
func TestTheLeastFidelityOfTheChain(t *testing.T) {
	tests := []struct {
		name  string
		chain []floor.Fidelity // one per event, oldest first
		want  floor.Fidelity
	}{
		{"the latest when it is least", []floor.Fidelity{of(3, 4), of(1, 2)}, of(1, 2)},
		{"an early loss stays", []floor.Fidelity{of(1, 2), of(1, 1), of(9, 10)}, of(1, 2)},
		{"0 of 0 is full", []floor.Fidelity{of(1, 2), of(0, 0)}, of(1, 2)},
		{"and gives way to less", []floor.Fidelity{of(0, 0), of(1, 2)}, of(1, 2)},
		{"0 of 5 is nothing", []floor.Fidelity{of(0, 5), of(1, 1)}, of(0, 5)},
		{"one part in 2^53", []floor.Fidelity{of(huge-1, huge), of(1, 1)}, of(huge-1, huge)},
		{"neighbours that no float tells apart", []floor.Fidelity{of(huge-1, huge), of(huge-2, huge-1)}, of(huge-2, huge-1)},
		{"the same the other way round", []floor.Fidelity{of(huge-2, huge-1), of(huge-1, huge)}, of(huge-2, huge-1)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := derive(t, floor.Guard, lineOf(tt.chain...))
			got := out[len(out)-1].Effective
			require.Len(t, got, 1)
			require.False(t, less(got[0], tt.want) || less(tt.want, got[0]), "got %v, want %v", got[0], tt.want)
		})
	}
}

// A required class is certified at its floor and not one thousandth above.
func TestFloors(t *testing.T) {
	tests := []struct {
		name      string
		effective floor.Fidelity
		floor     int64 // permille; -1 is none given
		want      floor.Decision
	}{
		{"at the floor", of(3, 4), 750, floor.Certified},
		{"one above", of(3, 4), 751, floor.Provisional},
		{"between two thousandths", of(2, 3), 666, floor.Certified},
		{"and one above", of(2, 3), 667, floor.Provisional},
		{"no floor is all of it", of(huge-1, huge), -1, floor.Provisional},
		{"all of it", of(huge, huge), -1, floor.Certified},
		{"0 of 0 meets any floor", of(0, 0), 1000, floor.Certified},
		{"floor 0 is met by nothing retained", of(0, 7), 0, floor.Certified},
		{"huge, at the floor", of(huge/1000*999, huge/1000*1000), 999, floor.Certified},
		{"huge, one short of it", of(huge/1000*999-1, huge/1000*1000), 999, floor.Provisional},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := lineOf(tt.effective)
			in.Events[0].Required = []floor.Class{"a", "a"}
			if tt.floor >= 0 {
				in.Events[0].FloorsPermille = map[floor.Class]int64{"a": tt.floor}
			}
			require.Equal(t, tt.want, derive(t, floor.Guard, in)[0].Decision)
		})
	}
}

// A floor of 0 still wants the class to be there.
func TestAFloorOfZeroIsNoCertificate(t *testing.T) {
	in := lineOf(of(1, 1))
	in.Events[0].Required = []floor.Class{"b"}
	in.Events[0].FloorsPermille = map[floor.Class]int64{"b": 0}
	require.Equal(t, floor.Provisional, derive(t, floor.Guard, in)[0].Decision)
}

func TestWhatAnEventAsksForIsItsOwn(t *testing.T) {
	in := lineOf(of(1, 1), of(1, 1), of(1, 1))
	in.Events[1].Required = []floor.Class{"b"} // widened: nobody has it
	out := derive(t, floor.Guard, in)
	require.Equal(t, floor.Certified, out[0].Decision)
	require.Equal(t, floor.Provisional, out[1].Decision)
	require.True(t, *out[1].AncestryCertified)
	require.Equal(t, floor.Provisional, out[2].Decision, "poisoned, though nothing is missing")
	require.False(t, *out[2].AncestryCertified)
	require.Equal(t, int64(3), *out[2].Generation)
	require.Equal(t, []floor.Fidelity{of(1, 1)}, out[2].Effective)
}

// From originals alone an event starts clean, whatever happened elsewhere.
func TestRegrounding(t *testing.T) {
	in := lineOf(of(1, 2), of(1, 1))
	in.Events[0].Required = []floor.Class{"b"}
	in.Events[1].Inputs = []string{"o"}
	require.Equal(t, floor.Outcome{
		ID: "e1", Decision: floor.Certified, Generation: new(int64(1)), AncestryCertified: new(true),
		Effective: []floor.Fidelity{of(1, 1)},
	}, derive(t, floor.Guard, in)[1])
}

// A merge, with an original and one input twice: the worst of all that went in.
func TestMixedInputs(t *testing.T) {
	in := lineOf(of(1, 2), of(3, 4), of(1, 1))
	in.Events[0].Certificate = append(in.Events[0].Certificate, floor.Fidelity{Class: "b", Retained: 1, Total: 1})
	in.Events[1].Inputs = []string{"o"}
	in.Events[2].Inputs = []string{"o", "e1", "e0", "e1", "o"}
	in.Events[2].Certificate = append(in.Events[2].Certificate, floor.Fidelity{Class: "b", Retained: 1, Total: 1})
	out := derive(t, floor.Guard, in)
	require.Equal(t, []floor.Fidelity{of(1, 2), {Class: "b", Retained: 1, Total: 1}}, out[0].Effective)
	require.Equal(t, []floor.Fidelity{of(1, 2)}, out[2].Effective)
	require.Equal(t, int64(2), *out[2].Generation)
	require.True(t, *out[2].AncestryCertified)
}

func TestARefusedOutcome(t *testing.T) {
	in := lineOf(of(1, 2))
	in.Events[0].Required = []floor.Class{"z", "a", "b", "a"}
	in.Events[0].ConsumerStrict = true
	require.Equal(t, floor.Outcome{
		ID: "e0", Decision: floor.Refuse, AncestryCertified: new(true), MissingClasses: []floor.Class{"a", "b", "z"},
	}, derive(t, floor.Guard, in)[0])
	require.Equal(t, floor.Provisional, derive(t, floor.Joint, in)[0].Decision)

	in.Events = append(in.Events, floor.Event{ID: "child", Inputs: []string{"o", "e0"}})
	_, err := Derive(in, floor.Guard)
	var bad *floor.BadRequest
	require.ErrorAs(t, err, &bad)
	require.Equal(t, "in.events[1].inputs", bad.Path)
	_, err = Derive(in, floor.Joint)
	require.NoError(t, err)
}

func TestAnUnknownInput(t *testing.T) {
	in := lineOf(of(1, 1))
	in.Events[0].Inputs = []string{"o", "nobody"}
	_, err := Derive(in, floor.Guard)
	require.EqualError(t, err, "in.events[0].inputs[1]: is neither an original nor an earlier event")
}

// Nothing certified is an empty list, and no history an empty answer.
func TestNothingIsEmptyRatherThanAbsent(t *testing.T) {
	in := lineOf(of(1, 1))
	in.Events[0].Certificate = nil
	require.Equal(t, []floor.Fidelity{}, derive(t, floor.Guard, in)[0].Effective)
	require.Equal(t, []floor.Outcome{}, derive(t, floor.Guard, &floor.DeriveIn{}))
}

// A history is not written to, and asking again answers the same.
func TestDeriveLeavesTheRequestAlone(t *testing.T) {
	spell := func() *floor.DeriveIn {
		in := lineOf(of(3, 4), of(1, 1), of(1, 2))
		for i := range in.Events {
			in.Events[i].Certificate = append([]floor.Fidelity{{Class: "z", Retained: 1, Total: 2}}, in.Events[i].Certificate...)
			in.Events[i].Required = []floor.Class{"z", "a"}
		}
		return in
	}
	in := spell()
	first := derive(t, floor.Guard, in)
	require.Equal(t, spell(), in)
	require.Equal(t, first, derive(t, floor.Guard, in))
}

// lineOf is a history in which each event is made from the one before, and
// requires nothing.
func lineOf(chain ...floor.Fidelity) *floor.DeriveIn {
	in := &floor.DeriveIn{Originals: []string{"o"}}
	input := "o"
	for i, f := range chain {
		id := "e" + strconv.Itoa(i)
		in.Events = append(in.Events, floor.Event{ID: id, Inputs: []string{input}, Certificate: []floor.Fidelity{f}})
		input = id
	}
	return in
}

func derive(t *testing.T, p floor.Policy, in *floor.DeriveIn) []floor.Outcome {
	t.Helper()
	out, err := Derive(in, p)
	require.NoError(t, err)
	return out.Events
}
