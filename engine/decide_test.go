package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

var policies = []floor.Policy{floor.Guard, floor.Joint}

// A question is what a decision depends on, in words.
type question struct {
	missing, ancestryCertified bool
	floor.Conditions
}

// questions are all 64 of them.
func questions() (all []question) {
	for n := range 64 {
		bit := func(i int) bool { return n>>i&1 == 1 }
		all = append(all, question{bit(0), bit(1), floor.Conditions{
			SourceRecoverable: bit(2), ConsumerStrict: bit(3), ChainingRisk: bit(4), SideEffectCostExceedsRefusal: bit(5),
		}})
	}
	return all
}

// answer is the rule in words.
func (q question) answer(p floor.Policy) floor.Decision {
	if q.ancestryCertified && !q.missing {
		return floor.Certified
	}
	dangers := 0
	for _, on := range []bool{q.ConsumerStrict, q.ChainingRisk, q.SideEffectCostExceedsRefusal} {
		if on {
			dangers++
		}
	}
	enough := map[floor.Policy]int{floor.Guard: 1, floor.Joint: 3}[p]
	if !q.SourceRecoverable && dangers >= enough {
		return floor.Refuse
	}
	return floor.Provisional
}

func (q question) request() *floor.DecideIn {
	in := &floor.DecideIn{Conditions: q.Conditions}
	in.Contract = floor.Contract{Required: []floor.Class{"a", "b"}, Certified: []floor.Class{"b", "a"}}
	in.Contract.AncestryCertified = q.ancestryCertified
	if q.missing {
		in.Contract.Certified = []floor.Class{"b", "c"}
	}
	return in
}

func TestEveryQuestionHasItsAnswer(t *testing.T) {
	for _, p := range policies {
		for _, q := range questions() {
			want, d := q.answer(p), ForPolicy(p)
			f := FlagsOf(q.Conditions, q.ancestryCertified)
			certified := uint64(0b0111)
			if q.missing {
				certified = 0b1010
			}
			name := fmt.Sprintf("%s %+v", p, q)
			require.Equal(t, want, d.Decide(0b0011, certified, f).Floor(), name)
			require.Equal(t, want, d.Judge(0b0011, certified, f, 7).Decision.Floor(), name)
			require.Equal(t, want, Decide(q.request(), p).Decision, name)
			require.Equal(t, string(want), d.Decide(0, 0, Pack(0b0011, certified, f)).String(), name)
		}
	}
}

func TestAnUnknownPolicyIsGuard(t *testing.T) {
	require.Equal(t, ForPolicy(floor.Guard), ForPolicy("lenient"))
	require.NotEqual(t, ForPolicy(floor.Guard), ForPolicy(floor.Joint))
}

// Setting a bit never gives more permission, and neither does a gap.
func TestEveryFlagCountsAgainst(t *testing.T) {
	for _, p := range policies {
		d := ForPolicy(p)
		for f := range Flags(allFlags + 1) {
			require.LessOrEqual(t, d.Decide(1, 1, f), d.Decide(1, 0, f))
			for bit := Missing; bit <= Poisoned; bit <<= 1 {
				require.LessOrEqual(t, d.Decide(1, 1, f), d.Decide(1, 1, f|bit), "%s: %b with %b", p, f, bit)
			}
		}
	}
}

// Any class alone can be the missing one, and what is not required never is.
func TestEachOfSixtyFourClassesCounts(t *testing.T) {
	for _, p := range policies {
		d := ForPolicy(p)
		for bit := range 64 {
			one := uint64(1) << bit
			require.Equal(t, Provisional, d.Decide(^uint64(0), ^one, Unrecoverable))
			require.Equal(t, Certified, d.Decide(^one, ^one, Unrecoverable))
			require.Equal(t, one, d.Judge(^uint64(0), ^one, 0, 0).Missing)
		}
	}
}

// Bits that mean nothing change nothing, whoever sets them.
func TestBitsWithoutANameMeanNothing(t *testing.T) {
	for _, p := range policies {
		d := ForPolicy(p)
		for n := range 256 {
			f := Flags(n)
			require.Equal(t, d.Decide(0, 0, f&allFlags), d.Decide(0, 0, f))
			require.Equal(t, d.Decide(1, 0, f&allFlags), d.Decide(1, 0, f))
		}
	}
}

// A batch gives, lane by lane, what Decide gives: for every byte in every
// lane, and for lengths that fill no word.
func TestABatchIsDecideLaneByLane(t *testing.T) {
	for _, p := range policies {
		d := ForPolicy(p)
		for length := range 50 {
			for n := range 256 {
				src := make([]Flags, length)
				for i := range src {
					src[i] = Flags(n + 37*i)
				}
				require.Equal(t, oneByOne(d, src), batch(d, src), "%s, %d from %d", p, length, n)
			}
		}
	}
}

// A lane never spills into the next.
func TestLanesAreApart(t *testing.T) {
	for _, p := range policies {
		d := ForPolicy(p)
		for _, beside := range []Flags{0, allFlags, 255} {
			for lane := range 16 {
				for n := range 256 {
					src := slices.Repeat([]Flags{beside}, 16)
					src[lane] = Flags(n)
					require.Equal(t, oneByOne(d, src), batch(d, src))
				}
			}
		}
	}
}

func oneByOne(d *Decider, src []Flags) []Decision {
	out := make([]Decision, len(src))
	for i, f := range src {
		out[i] = d.Decide(0, 0, f)
	}
	return out
}

// batch decides into a longer slice, of which the rest must stay.
func batch(d *Decider, src []Flags) []Decision {
	dst := slices.Repeat([]Decision{99}, len(src)+3)
	d.Batch(dst, src)
	if !slices.Equal(dst[len(src):], []Decision{99, 99, 99}) {
		panic("a batch wrote past its end")
	}
	return dst[:len(src)]
}

func TestARefusalSaysWhy(t *testing.T) {
	in := &floor.DecideIn{Conditions: floor.Conditions{ConsumerStrict: true}}
	in.Contract = floor.Contract{
		Required:   []floor.Class{"quantity", "negation", "id", "negation"},
		Certified:  []floor.Class{"id", "Negation"},
		Generation: 3,
	}
	require.Equal(t, floor.DecideOut{
		Decision:          floor.Refuse,
		MissingClasses:    []floor.Class{"negation", "quantity"},
		Generation:        new(int64(3)),
		AncestryCertified: new(false),
	}, Decide(in, floor.Guard))
	require.Equal(t, floor.DecideOut{Decision: floor.Provisional}, Decide(in, floor.Joint))
}

// A contract that requires nothing is certified, with a warning that allocates
// nothing; refused or provisional it is for other reasons.
func TestAContractThatRequiresNothing(t *testing.T) {
	in := &floor.DecideIn{}
	in.Contract.AncestryCertified = true
	require.Equal(t, floor.DecideOut{Decision: floor.Certified, Warnings: []string{floor.VacuousContract}}, Decide(in, floor.Guard))
	in.Contract.AncestryCertified = false
	require.Equal(t, floor.DecideOut{Decision: floor.Provisional}, Decide(in, floor.Guard))
	in.Contract.AncestryCertified = true
	in.Contract.Required, in.Contract.Certified = []floor.Class{"a"}, []floor.Class{"a"}
	require.Equal(t, floor.DecideOut{Decision: floor.Certified}, Decide(in, floor.Guard))
}

// With nothing missing it is the ancestry that refuses, and the list is empty
// rather than absent.
func TestPoisonAloneRefuses(t *testing.T) {
	in := &floor.DecideIn{Conditions: floor.Conditions{ChainingRisk: true}}
	out := Decide(in, floor.Guard)
	require.Equal(t, floor.Refuse, out.Decision)
	require.Equal(t, []floor.Class{}, out.MissingClasses)
}

func TestTheReasonIsAText(t *testing.T) {
	v := ForPolicy(floor.Guard).Judge(0b1101, 0b0001, Strict|Unrecoverable|Poisoned, 4)
	require.Equal(t, Verdict{0b1100, 4, Refuse, Strict | Unrecoverable | Poisoned}, v)
	require.False(t, v.AncestryCertified())

	names := []floor.Class{"id", "quantity", "ordering", "negation"}
	require.Equal(t, "refuse: not certified: [negation ordering], generation 4, ancestry certified: false", v.Reason(names))
	require.Equal(t, "refuse: not certified: [class 3 ordering], generation 4, ancestry certified: false", v.Reason(names[:3]))
	require.Equal(t, "certified: not certified: [], generation 0, ancestry certified: true", Verdict{}.Reason(nil))
}

// The lists of a contract are sets of any size: 65 and 200 classes, said once
// or more often, in any order, are decided as a few are.
func TestWideContracts(t *testing.T) {
	strict := floor.Conditions{ConsumerStrict: true}
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, 2, 63, 64, 65, 66, 200} {
		for missing := range min(n, 70) + 1 {
			required, certified := numbered(n), numbered(n)
			gone := certified[:missing]
			certified = append(slices.Clone(certified[missing:]), "beside")
			if missing%2 == 1 {
				required, certified = append(required, required...), append(certified, certified...)
			}
			shuffle(rng, required)
			shuffle(rng, certified)
			in := &floor.DecideIn{Conditions: strict}
			in.Contract = floor.Contract{Required: required, Certified: certified, AncestryCertified: true}
			before := slices.Clone(certified)

			out := Decide(in, floor.Guard)

			name := fmt.Sprintf("%d of %d missing", missing, n)
			require.Equal(t, before, certified, "%s: a request is not written to", name)
			if missing == 0 {
				require.Equal(t, floor.Certified, out.Decision, name)
				continue
			}
			require.Equal(t, floor.Refuse, out.Decision, name)
			require.Equal(t, gone, out.MissingClasses, name)
		}
	}
}

// numbered are n class names in their order.
func numbered(n int) []floor.Class {
	out := make([]floor.Class, n)
	for i := range out {
		out[i] = floor.Class(fmt.Sprintf("class-%03d", i))
	}
	return out
}

func shuffle(rng *rand.Rand, list []floor.Class) {
	rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

// A class is its name to the letter.
func TestNamesAreComparedToTheLetter(t *testing.T) {
	for _, certified := range []floor.Class{"Negation", "negation ", "negations", "negatio", ""} {
		in := &floor.DecideIn{}
		in.Contract = floor.Contract{
			Required: []floor.Class{"negation"}, Certified: []floor.Class{certified}, AncestryCertified: true,
		}
		require.Equal(t, floor.Provisional, Decide(in, floor.Guard).Decision, certified)
	}
}

var kept struct {
	decision Decision
	verdict  Verdict
}

// The hard gate: deciding allocates nothing, refusing neither.
func TestDecidingAllocatesNothing(t *testing.T) {
	d := ForPolicy(floor.Guard)
	src, dst := make([]Flags, 1003), make([]Decision, 1003)
	certifies := question{ancestryCertified: true}.request()
	vacuous := &floor.DecideIn{Contract: floor.Contract{AncestryCertified: true}}
	provisional := question{missing: true}.request()
	wants := map[string]struct {
		most float64
		run  func()
	}{
		"decide":            {0, func() { kept.decision = d.Decide(3, 3, 0) }},
		"decide, a refusal": {0, func() { kept.decision = d.Decide(3, 1, allFlags) }},
		"judge":             {0, func() { kept.verdict = d.Judge(3, 3, 0, 1) }},
		"judge, a refusal":  {0, func() { kept.verdict = d.Judge(3, 1, allFlags, 1) }},
		"batch":             {0, func() { d.Batch(dst, src) }},
		"request, vacuous":  {0, func() { Decide(vacuous, floor.Guard) }},
		"request":           {0, func() { Decide(certifies, floor.Guard) }},
		"request, a gap":    {0, func() { Decide(provisional, floor.Joint) }},
	}
	for name, want := range wants {
		require.Equal(t, want.most, testing.AllocsPerRun(100, want.run), name)
	}
}
