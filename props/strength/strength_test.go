package strength_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/mutant"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/internal/sources"
	"github.com/floorcheck/floorcheck/model"
	"github.com/floorcheck/floorcheck/props"
	"github.com/floorcheck/floorcheck/props/gen"
	"github.com/floorcheck/floorcheck/props/strength"
	"github.com/floorcheck/floorcheck/props/suite"
)

var (
	update = flag.Bool("update", false, "Pilot: write conform/mutant/expected.json")
	only   = flag.String("mutant", "", "only mutants whose id matches this regular expression")
)

const policy = floor.Guard

var rules = model.Rules()

// decisions mixes the kinds as a check does: mostly well-formed requests. What
// reduces is asked nothing but conversations.
func decisions(i int) gen.Kind {
	order := [...]gen.Kind{
		gen.KindDecide, gen.KindDerive, gen.KindDecide, gen.KindDerive, gen.KindBadDecide, gen.KindDecide, gen.KindDerive, gen.KindBadDerive,
	}
	return order[i%len(order)]
}

// texts mixes the kinds of an op about texts, in the same way.
func texts(good, bad gen.Kind) props.Kinds {
	return func(i int) gen.Kind {
		if i%4 == 3 {
			return bad
		}
		return good
	}
}

// mixFor is what a mutant is asked.
func mixFor(m mutant.Mutant) props.Kinds {
	switch m.Op {
	case floor.OpCertify:
		return texts(gen.KindCertify, gen.KindBadCertify)
	case floor.OpCompact:
		return texts(gen.KindCompact, gen.KindBadCompact)
	case floor.OpReduce:
		return props.Only(gen.KindReduce)
	}
	return decisions
}

func chosen(t *testing.T) (out []mutant.Mutant) {
	t.Helper()
	pattern := regexp.MustCompile(*only)
	for _, m := range mutant.All() {
		if pattern.MatchString(m.ID) {
			out = append(out, m)
		}
	}
	return out
}

// A hunt is one driver's search for one mutant.
type hunt struct {
	m       mutant.Mutant
	subject conform.Subject // one for the whole hunt: it may remember
	mix     props.Kinds
	limits  gen.Limits
	asked   int
	kind    gen.Kind
	tape    []int // of the case that killed
	killed  bool
	by      []string // the rules that objected then

	kinds []gen.Kind // of an enumeration: those that the rules which must object judge
}

func newHunt(m mutant.Mutant) *hunt {
	s := m.New(policy)
	return &hunt{m: m, subject: s, mix: mixFor(m), limits: suite.ForBlackBox(gen.Full(policy), s.Hello().Reduce)}
}

// visit asks one case and stops at the first objection.
func (h *hunt) visit(kind gen.Kind, d conform.Drawn) bool {
	h.asked++
	objecting, err := conform.Objections(context.Background(), h.subject, rules, d.Case)
	if err != nil || len(objecting) > 0 {
		h.killed, h.kind, h.tape, h.by = true, kind, slices.Clone(d.Tape), objecting
	}
	return !h.killed
}

// The drivers, each alone. budget is the most cases that it may ask.
type driver func(t testing.TB, h *hunt, seed uint64, budget int)

var rapidFlags sync.Mutex // rapid's flags are the process's

func byRapid(t testing.TB, h *hunt, seed uint64, budget int) {
	set := func(name, value string) { require.NoError(t, flag.Set(name, value)) }
	portion := func(n int) {
		rapidFlags.Lock()
		defer rapidFlags.Unlock()
		defer set("rapid.checks", flag.Lookup("rapid.checks").Value.String())
		set("rapid.nofailfile", "true")
		set("rapid.checks", strconv.Itoa(n))
		set("rapid.seed", strconv.FormatUint(seed*1_000_003+uint64(h.asked)+1, 10))
		before := h.asked
		asked := props.Rapid(t, h.mix, h.limits, h.visit)
		require.True(t, h.killed || asked == n && h.asked == before+n, "rapid stopped early: %d of %d cases", asked, n)
	}
	// In portions, so that a run ends soon after its kill, and others get their
	// turn with the flags.
	for n := 100; !h.killed && h.asked < budget; n = min(10*n, 10_000) {
		portion(min(n, budget-h.asked))
	}
}

func byGopter(t testing.TB, h *hunt, seed uint64, budget int) {
	for portion := 100; !h.killed && h.asked < budget; portion *= 10 {
		n := min(portion, budget-h.asked)
		props.GopterRun(t, h.mix, h.limits, int64(seed*1_000_003)+int64(h.asked)+1, n, h.visit)
	}
}

func bySeeded(_ testing.TB, h *hunt, seed uint64, budget int) {
	d := gen.NewSeeded(seed, 0)
	s := gen.NewSource(d)
	for i := 0; i < budget; i++ {
		d.Seek(seed, 0x5eed, uint64(i))
		s.Reset()
		c := h.mix(i).Draw(s, h.limits)
		if !h.visit(h.mix(i), conform.Drawn{Case: c, Tape: s.Tape()}) {
			return
		}
	}
}

func byBytes(_ testing.TB, h *hunt, seed uint64, budget int) {
	rng := rand.New(rand.NewPCG(seed, 0xb17e5))
	data := make([]byte, 400)
	if h.m.Reduces() || h.m.ReadsTexts() {
		data = make([]byte, 1600) // one conversation in a hundred takes 900 choices, and so do many texts
	}
	for i := 0; i < budget; i++ {
		for j := 0; j < len(data); j += 8 {
			v := rng.Uint64()
			for k := range 8 {
				data[j+k] = byte(v >> (8 * k))
			}
		}
		s := gen.NewSource(gen.NewBytes(data))
		c := h.mix(i).Draw(s, h.limits)
		if !h.visit(h.mix(i), conform.Drawn{Case: c, Tape: s.Tape()}) {
			return
		}
	}
}

// mostEnumerated bounds an enumeration; texts are that much larger.
func mostEnumerated(m mutant.Mutant) int {
	const most = 1_400_000
	if m.ReadsTexts() {
		return most / suite.PerText
	}
	return most
}

// byEnumeration goes through the scopes by cost, and through the deep ones whole.
// It draws nothing by chance.
func byEnumeration(_ testing.TB, h *hunt, _ uint64, budget int) {
	if h.m.ReadsTexts() {
		h.scopeByScope(budget)
		return
	}
	for cost := 0; cost < 16 && h.asked < budget; cost++ {
		for _, kind := range h.kinds {
			for d := range suite.OfCost(kind, policy, cost) {
				if !h.visit(kind, d) {
					return
				}
				if h.asked >= budget {
					break
				}
			}
		}
	}
	for _, kind := range h.kinds {
		for d := range suite.Deep(kind, policy) {
			if !h.visit(kind, d) {
				return
			}
		}
	}
}

// scopeByScope goes through each scope of texts by cost, as far as its share of
// the budget goes: they are too wide to be gone through together.
func (h *hunt) scopeByScope(budget int) {
	scopes := slices.DeleteFunc(gen.Scopes(policy), func(n gen.NamedScope) bool { return !slices.Contains(h.kinds, n.Kind) })
	for i, scope := range scopes {
		for cost := 0; cost < 16 && h.asked < budget*(i+1)/len(scopes); cost++ {
			o := scope.ByCost(cost)
			o.Rewind()
			s := gen.NewSource(o)
			for more := true; more && h.asked < budget*(i+1)/len(scopes); more = o.Next() {
				s.Reset()
				c := scope.Kind.Draw(s, scope.Limits)
				if o.Cost() == cost && !h.visit(scope.Kind, conform.Drawn{Case: c, Tape: s.Tape()}) {
					return
				}
			}
		}
	}
}

var drivers = []struct {
	name string
	run  driver
}{{"rapid", byRapid}, {"gopter", byGopter}, {"seeded", bySeeded}, {"bytes", byBytes}}

// shrunk makes what a hunt found as small as it gets: some rule objects to it,
// asked of a subject that remembers nothing. False when it is not wrong alone.
func (h *hunt) shrunk() (floor.Case, bool) {
	alone := func(c floor.Case) bool {
		objecting, err := conform.Objections(context.Background(), h.m.New(policy), rules, c)
		return err == nil && len(objecting) > 0
	}
	if !h.killed {
		return floor.Case{}, false
	}
	decode := suite.DecoderUnder(h.kind, h.limits)
	start := decode(h.tape)
	if !alone(start.Case) {
		return floor.Case{}, false
	}
	s := conform.Shrinker{
		Decode: decode, Calls: 5000,
		Probe: func(cases []floor.Case) (int, error) { return slices.IndexFunc(cases, alone), nil },
	}
	if !h.kind.Bad() { // bad requests are too many to go through for each hunt
		s.Smaller = suite.Smaller(h.kind, policy)
	}
	return s.Shrink(start).Case, true
}

// often is how many wrong cases a rule has to see in one pilot run to be called
// one that must object: with fewer, another seed may bring none.
const often = 5

// casesFor is how many cases of each kind a whole check asks a mutant.
func casesFor(m mutant.Mutant, hardness string) int {
	switch {
	case strings.HasPrefix(hardness, "H"):
		return 2 * suite.DefaultCases
	case m.Reduces() || m.ReadsTexts(): // of which there are fewer
		return suite.DefaultCases
	}
	return suite.DefaultCases / 4
}

// seedsFor are the seeds of the whole checks of a pilot. What is wrong with a
// conversation is wrong in the eyes of many rules, some of them rarely.
func seedsFor(m mutant.Mutant) []uint64 {
	if m.Reduces() {
		return []uint64{1001, 1002, 1003, 1004}
	}
	return []uint64{1001, 1002}
}

// objected has whole checks name the rules that object in any of the runs, and
// those that do so at least least times in every run.
func objected(t testing.TB, m mutant.Mutant, seeds []uint64, cases, least int) (all, always []string) {
	t.Helper()
	counts, seen := map[string]int{}, map[string]bool{}
	for _, seed := range seeds {
		s := m.New(policy)
		result, err := conform.Check(context.Background(), s, conform.Options{
			Rules: rules, Seed: seed,
			Stages: suite.Stages(suite.Plan{Policy: policy, Ops: s.Hello().Ops, Seed: seed, Cases: cases, Reduce: s.Hello().Reduce}),
		})
		require.NoError(t, err)
		for _, r := range result.Rules {
			if r.Wrong >= least {
				counts[r.Rule.ID]++
			}
			seen[r.Rule.ID] = seen[r.Rule.ID] || r.Wrong > 0
		}
	}
	all, always = []string{}, []string{}
	for _, r := range rules {
		if seen[r.ID] {
			all = append(all, r.ID)
		}
		if counts[r.ID] == len(seeds) {
			always = append(always, r.ID)
		}
	}
	return all, always
}

// The objecting set of every mutant lies between must and may, its witness is
// judged by exactly the rules that are committed, and 200 cases find every
// mutant that is easy.
func TestSmoke(t *testing.T) {
	for _, m := range chosen(t) {
		t.Run(m.ID, func(t *testing.T) {
			t.Parallel()
			want, known := mutant.Expect(m.ID)
			require.True(t, known, "nothing is expected of it yet: go test ./props/strength -run Pilot -update")
			require.NotEmpty(t, want.Must, "no rule catches it in every run")
			witness, err := conform.Objections(t.Context(), m.New(policy), rules, m.Witness)
			require.NoError(t, err)
			require.Equal(t, want.Witness, witness, "the rules that object to its witness")
			h := newHunt(m)
			for i := 0; i < 200; i++ {
				c, s := h.draw(17, i)
				objecting, err := conform.Objections(t.Context(), h.subject, rules, c)
				require.NoError(t, err)
				for _, id := range objecting {
					require.Contains(t, slices.Concat(want.Must, want.May), id, "case %d, tape %v", i, s.Tape())
					h.killed = true
				}
			}
			if want.Hardness[0] == 'E' {
				require.True(t, h.killed, "an easy one was not found in 200 cases")
			}
		})
	}
}

func (h *hunt) draw(seed uint64, i int) (floor.Case, *gen.Source) {
	d := gen.NewSeeded(seed, 0)
	d.Seek(seed, 0x5eed, uint64(i))
	s := gen.NewSource(d)
	return h.mix(i).Draw(s, h.limits), s
}

// Pilot finds out, on seeds that TestStrength does not use, what is to be
// expected of every mutant.
func TestPilot(t *testing.T) {
	if !*update {
		t.Skip("writes what is committed; run with -update after a mutant or a rule has changed")
	}
	path := filepath.Join("..", "..", "conform", "mutant", "expected.json")
	table := map[string]mutant.Expected{}
	if data, err := os.ReadFile(path); err == nil {
		require.NoError(t, json.Unmarshal(data, &table))
	}
	var mu sync.Mutex
	for id := range table {
		if _, ok := mutant.Lookup(id); !ok {
			delete(table, id)
		}
	}
	t.Run("mutants", func(t *testing.T) {
		for _, m := range chosen(t) {
			t.Run(m.ID, func(t *testing.T) {
				t.Parallel()
				e := pilot(t, m)
				mu.Lock()
				defer mu.Unlock()
				table[m.ID] = e
				fmt.Fprintln(os.Stderr, m.ID, e)
				data, err := json.MarshalIndent(table, "", "  ") // sorted by id
				require.NoError(t, err)
				// Each time, so that a pilot that breaks off keeps what it found out.
				require.NoError(t, os.WriteFile(path, append(data, '\n'), 0o644))
			})
		}
	})
}

func pilot(t *testing.T, m mutant.Mutant) mutant.Expected {
	var e mutant.Expected
	var err error
	e.Witness, err = conform.Objections(t.Context(), m.New(policy), rules, m.Witness)
	require.NoError(t, err)
	require.NotEmpty(t, e.Witness, "no rule objects to the witness")

	var hunted, met []string
	e.Hardness, hunted, met = hardness(t, m)
	all, always := objected(t, m, seedsFor(m), casesFor(m, e.Hardness), often)
	all = append(all, met...)
	if len(always) == 0 { // a rare one: those that object whenever it shows at all
		always = hunted
	}
	if len(always) == 0 { // it shows in different ways
		always = e.Witness[:1]
	}
	e.Must, e.May = always, []string{}
	smallest, small := minimum(t, m, e.Must)
	e.Minimum, e.Proved = smallest.size, smallest.proved
	for _, r := range rules {
		id := r.ID
		may := slices.Contains(all, id) || slices.Contains(e.Witness, id) || slices.Contains(small, id)
		if may && !slices.Contains(e.Must, id) {
			e.May = append(e.May, id)
		}
	}
	t.Logf("%+v", e)
	return e
}

// hardness is the class of the slowest kill, with a margin of two: a class has
// to hold on seeds that the pilot did not see.
//
// It also gives the rules that objected at every kill, and those that did at any.
func hardness(t *testing.T, m mutant.Mutant) (class string, always, ever []string) {
	const easy, middle = 50, 5000
	slowest := 0
	first := true
	for _, d := range drivers {
		for seed := uint64(1001); seed <= 1003 && slowest <= middle; seed++ {
			h := newHunt(m)
			d.run(t, h, seed, 10*middle)
			slowest = max(slowest, h.asked)
			if h.killed {
				always = meet(always, h.by, first)
				ever = append(ever, h.by...)
				first = false
			}
		}
	}
	letter := "H"
	switch {
	case slowest <= easy:
		letter = "E"
	case slowest <= middle:
		letter = "M"
	}
	if strings.HasSuffix(m.Hardness, "T") {
		letter += "T"
	}
	return letter, always, ever
}

// meet keeps what is in both; the first list is taken whole.
func meet(all, more []string, first bool) []string {
	if first {
		return more
	}
	return slices.DeleteFunc(slices.Clone(all), func(id string) bool { return !slices.Contains(more, id) })
}

// mostProving bounds the enumeration for one mutant; a minimum that it does not
// reach is not called proved.
const mostProving = 6 * time.Second

// kindsOf are the kinds of cases that rules object to.
func kindsOf(rules []string) (out []gen.Kind) {
	for _, kind := range gen.Kinds {
		if slices.ContainsFunc(rules, func(id string) bool {
			family, name, _ := strings.Cut(id, "/")
			return family == string(kind.Op()) && (name == "fail-closed") == kind.Bad()
		}) {
			out = append(out, kind)
		}
	}
	return out
}

type proof struct {
	size   int
	proved bool // everything that could be smaller was looked at
}

// minimum is the smallest case that some rule objects to, by enumeration; for
// what is hidden from it, the smallest that hunts and the witness came down to.
func minimum(t *testing.T, m mutant.Mutant, must []string) (p proof, objecting []string) {
	p.size = conform.Size(m.Witness)
	for seed := uint64(1001); seed <= 1003; seed++ {
		h := newHunt(m)
		bySeeded(t, h, seed, 50_000)
		if c, ok := h.shrunk(); ok {
			p.size = min(p.size, conform.Size(c))
		}
	}
	if m.Reduces() {
		return p, nil // there is no end of conversations
	}
	kinds := kindsOf(must)
	asked, deadline := 0, time.Now().Add(mostProving)
	// The size of a case is never below its cost, plus the first original of a
	// history.
	for cost := 0; cost < p.size; cost++ {
		for _, kind := range kinds {
			for d := range suite.OfCost(kind, policy, cost) {
				asked++
				if asked%1024 == 0 && time.Now().After(deadline) {
					return p, objecting
				}
				size := conform.Size(d.Case)
				if size > p.size {
					continue
				}
				ids, err := conform.Objections(context.Background(), m.New(policy), rules, d.Case)
				require.NoError(t, err)
				if len(ids) > 0 {
					p.size = size
					for _, id := range ids {
						if !slices.Contains(objecting, id) {
							objecting = append(objecting, id)
						}
					}
				}
			}
		}
	}
	p.proved = len(objecting) > 0 // else its smallest case lies outside what was enumerated
	return p, objecting
}

// TestStrength measures every mutant with every driver and writes
// build/strength.json.
func TestStrength(t *testing.T) {
	out := os.Getenv("FLOORCHECK_STRENGTH")
	if out == "" {
		t.Skip("takes minutes to hours; make strength runs it")
	}
	seeds, err := strconv.Atoi(os.Getenv("SEEDS"))
	require.NoError(t, err, "SEEDS")
	require.Positive(t, seeds, "SEEDS")
	digest, err := sources.Digest(filepath.Join("..", ".."))
	require.NoError(t, err)
	matrix := strength.Matrix{Format: strength.Format, Seeds: seeds, Sources: digest, Survivors: []string{}}
	rows := make([]strength.Row, len(chosen(t)))
	fuzzer := newFuzzer(t)
	began := time.Now()
	t.Run("mutants", func(t *testing.T) {
		for i, m := range chosen(t) {
			t.Run(m.ID, func(t *testing.T) {
				t.Parallel()
				rows[i] = measure(t, m, seeds, fuzzer)
				fmt.Fprintf(os.Stderr, "%6.0fs  %s\n", time.Since(began).Seconds(), m.ID)
			})
		}
	})
	for _, row := range rows {
		matrix.Mutants = append(matrix.Mutants, row)
		for _, name := range strength.Drivers {
			d, ran := row.Drivers[name]
			missed := ran && d.Killed < d.Runs
			if name == "fuzz" { // coverage-guided: k of n is what it is
				missed = ran && d.Killed == 0
			}
			if missed {
				matrix.Survivors = append(matrix.Survivors, fmt.Sprintf("%s %s (%d of %d)", name, row.ID, d.Killed, d.Runs))
			}
		}
	}
	data, err := json.MarshalIndent(matrix, "", "  ")
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Dir(out), 0o755))
	require.NoError(t, os.WriteFile(out, append(data, '\n'), 0o644))
	summary(t, matrix)
}

func measure(t *testing.T, m mutant.Mutant, seeds int, fuzzer *fuzzer) strength.Row {
	want, known := mutant.Expect(m.ID)
	require.True(t, known, "nothing is expected of it yet")
	row := strength.Row{
		ID: m.ID, Family: m.Family, Hardness: want.Hardness, Must: want.Must, May: want.May,
		Minimum: want.Minimum, Proved: want.Proved, Hidden: m.Hidden, Drivers: map[string]strength.Driver{},
	}
	var list []uint64
	for seed := range uint64(seeds) {
		list = append(list, seed+1)
	}
	// A short measurement makes one whole check and one fuzz run of each mutant,
	// gives a hard one a fifth of its budget, and makes what each driver found
	// first small; a long one makes five and three, and everything small.
	short := seeds < 10
	whole, fuzzRuns, budget := 5, 3, strength.Budget(want.Hardness)
	if short {
		whole, fuzzRuns, budget = 1, 1, min(budget, shortBudget)
	}
	seen, _ := objected(t, m, list[:whole], casesFor(m, want.Hardness), 1)
	var sizes []int
	files := map[string]int{}
	for _, d := range drivers {
		row.Drivers[d.name] = runs(list, func(seed uint64) *hunt {
			h := newHunt(m)
			d.run(t, h, seed, budget)
			seen = append(seen, h.by...)
			if short && seed > list[0] {
				return h
			}
			if c, ok := h.shrunk(); ok {
				sizes = append(sizes, conform.Size(c))
				data, err := json.Marshal(c)
				require.NoError(t, err)
				files[string(data)]++
			}
			return h
		})
	}
	row.Objected = judged(t, seen, want)
	row.Size = strength.Median(sizes)
	most := 0
	for _, n := range files {
		most = max(most, n)
	}
	row.Same = fmt.Sprintf("%d/%d", most, len(sizes))
	if m.Hidden == "" {
		row.Drivers["exhaustive"] = runs(list[:1], func(seed uint64) *hunt {
			h := newHunt(m)
			h.kinds = kindsOf(want.Must)
			byEnumeration(t, h, seed, mostEnumerated(m))
			return h
		})
	}
	row.Drivers["fuzz"] = fuzzer.run(t, m, fuzzRuns, short)
	return row
}

// judged sorts the rules that objected, and holds them to what was expected:
// must ⊆ objected ⊆ must ∪ may.
func judged(t *testing.T, seen []string, want mutant.Expected) []string {
	t.Helper()
	out := []string{}
	for _, r := range rules {
		if slices.Contains(seen, r.ID) {
			out = append(out, r.ID)
			if !slices.Contains(want.Must, r.ID) && !slices.Contains(want.May, r.ID) {
				t.Errorf("%s objected, which is neither must nor may", r.ID)
			}
		} else if slices.Contains(want.Must, r.ID) {
			t.Errorf("%s must object, and did not", r.ID)
		}
	}
	return out
}

// shortBudget is what a driver may ask in a short measurement.
const shortBudget = 200_000

func runs(seeds []uint64, one func(seed uint64) *hunt) strength.Driver {
	var d strength.Driver
	var cases []int
	for _, seed := range seeds {
		h := one(seed)
		d.Runs++
		if h.killed {
			d.Killed++
			cases = append(cases, h.asked)
		}
	}
	d.MedianCases = strength.Median(cases)
	return d
}

// fuzzExecutions is what a coverage-guided run may use; texts and conversations
// are larger, as they are in a check, and a short measurement gives them a
// fifth.
func fuzzExecutions(m mutant.Mutant, short bool) int {
	most := 200_000
	switch {
	case m.Reduces():
		most /= suite.PerConversation
	case m.ReadsTexts():
		most /= suite.PerText
	default:
		return most
	}
	if short {
		most /= 5
	}
	return most
}

// A fuzzer is the compiled binary of the fuzz targets: a target's first build
// takes minutes, so it is made once.
type fuzzer struct{ binary, dir string }

func newFuzzer(t *testing.T) *fuzzer {
	t.Helper()
	dir := t.TempDir()
	f := &fuzzer{binary: filepath.Join(dir, "fuzz.test"), dir: dir}
	build := exec.Command("go", "test", "-c", "-fuzz=^FuzzSubject$", "-o", f.binary, ".")
	build.Dir = filepath.Join("..", "..", "fuzz")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "compile the fuzz targets: %s", out)
	return f
}

var killedAfter = regexp.MustCompile(`killed after (\d+) cases`)

// run fuzzes one mutant. A run that ends without a crasher although it did not
// use its executions is an error, not a survival.
func (f *fuzzer) run(t *testing.T, m mutant.Mutant, times int, short bool) strength.Driver {
	t.Helper()
	var d strength.Driver
	var cases []int
	for i := range times {
		work := filepath.Join(f.dir, strings.ReplaceAll(m.ID, "/", "-"), strconv.Itoa(i))
		require.NoError(t, os.MkdirAll(work, 0o755))
		cmd := exec.Command(f.binary, "-test.run=^$", "-test.fuzz=^FuzzSubject$", "-test.fuzzcachedir="+filepath.Join(work, "cache"),
			"-test.fuzztime="+strconv.Itoa(fuzzExecutions(m, short))+"x", "-test.fuzzminimizetime=0s", "-test.parallel=1")
		cmd.Dir = work // crashers go to its testdata, not the project's
		cmd.Env = append(os.Environ(), "FLOORCHECK_SUBJECT="+m.ID, "GOMAXPROCS=1")
		out, err := cmd.CombinedOutput()
		d.Runs++
		found := killedAfter.FindStringSubmatch(string(out))
		switch {
		case found != nil:
			n, _ := strconv.Atoi(found[1])
			d.Killed++
			cases = append(cases, n)
		case err != nil:
			t.Errorf("fuzz run %d broke off: %v\n%s", i, err, out)
		}
	}
	d.MedianCases = strength.Median(cases)
	return d
}

// summary prints what a reader wants first.
func summary(t *testing.T, m strength.Matrix) {
	t.Helper()
	killed, ran := map[string]int{}, map[string]int{}
	minimal, oneMore, more := 0, 0, 0
	for _, row := range m.Mutants {
		for name, d := range row.Drivers {
			ran[name] += d.Runs
			killed[name] += d.Killed
		}
		switch row.Size - row.Minimum {
		case 0:
			minimal++
		case 1:
			oneMore++
		default:
			more++
		}
	}
	fmt.Fprintf(os.Stderr, "\n%d mutants, %d seeds\n", len(m.Mutants), m.Seeds)
	for _, name := range strength.Drivers {
		fmt.Fprintf(os.Stderr, "  %-10s killed in %d of %d runs\n", name, killed[name], ran[name])
	}
	fmt.Fprintf(os.Stderr, "  median shrunk size is the minimum for %d mutants, one more for %d, otherwise for %d\n", minimal, oneMore, more)
	fmt.Fprintf(os.Stderr, "  survivors: %d\n", len(m.Survivors))
	for _, s := range m.Survivors {
		fmt.Fprintf(os.Stderr, "    %s\n", s)
	}
}
