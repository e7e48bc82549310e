package conform

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

// A Verdict is what a run says of one rule.
type Verdict string

// The verdicts. Only Pass is one.
const (
	Pass       Verdict = "pass"
	Fail       Verdict = "fail"    // a wrong answer
	Erred      Verdict = "error"   // an error answered where a result was due
	Crashed    Verdict = "crash"   // the subject ended
	TimedOut   Verdict = "timeout" // it gave no answer in time
	Garbled    Verdict = "garbage" // what it wrote is no answer
	NotRun     Verdict = "not-run" // too few cases met the rule's precondition
	NotClaimed Verdict = "not-claimed"
)

// verdictOf names the verdict of a broken answer.
func verdictOf(b floor.Breakage) Verdict {
	switch b {
	case floor.Crash:
		return Crashed
	case floor.Timeout:
		return TimedOut
	case floor.Garbage:
		return Garbled
	}
	return NotRun
}

// worst orders the verdicts of one rule: the first that occurred is its own.
var worst = []Verdict{Fail, Erred, Crashed, TimedOut, Garbled}

// A Drawn is a case with the choices that made it. Spans are the parts of the
// tape that can be deleted whole.
type Drawn struct {
	Case  floor.Case
	Tape  []int
	Spans [][2]int
}

// A Stage is a stretch of a check: cases of one op, from one place.
type Stage struct {
	Name       string // for reports: exhaustive, generated, …
	Op         floor.Op
	Bad        bool            // these are mostly bad requests
	Exhaustive bool            // these are all the cases of a scope
	Twins      bool            // comparing rules are run, one for each case in turn
	EveryTwin  bool            // all of them for each case
	Total      int             // number of cases, for progress; 0 is unknown
	Cases      iter.Seq[Drawn] // each with a tape of its own

	// Decode draws the case of a tape; nil says that the cases have no tapes.
	Decode func(tape []int) Drawn
	// Smaller gives the plain cases of at most this size, smallest first, for
	// the shrinker's last look; may be nil.
	Smaller func(size int) iter.Seq[Drawn]
}

// Options say what a check does.
type Options struct {
	Rules  []model.Rule // those that were selected, of claimed ops
	Stages []Stage
	Seed   uint64

	// Fresh starts the subject anew, for cases that end it; nil in process.
	Fresh func(context.Context) (Subject, error)

	ShrinkCalls int           // requests for shrinking one counterexample; 0 is none
	ShrinkTime  time.Duration // the same in time
	Until       time.Time     // when to stop asking new cases; zero is never

	// MaxCalls bounds the requests of the whole check, shrinking included, for
	// subjects whose every answer costs money; 0 is no bound.
	MaxCalls int

	// Replicates is how often a counterexample of a black box is asked again, to
	// tell k of N; at most 1 is not at all.
	Replicates int

	// Once leaves out asking a sample again, shuffled and after a restart.
	Once bool

	Progress func(Progress) // may be nil
}

// Progress is where a check stands.
type Progress struct {
	Stage    string // e.g. decide generated
	Done     int
	Total    int // 0 is unknown
	Findings int // rules that something is wrong with, so far
	Cases    int // asked in all, so far
}

// A RuleResult is what a check says of one rule.
type RuleResult struct {
	Rule           model.Rule
	Verdict        Verdict
	Cases          int  // judged, pairs for a comparing rule
	Applied        int  // of these, those in which the precondition held
	Exhaustive     bool // a whole scope was among them
	Unfinished     bool // the run broke off before all its cases were asked
	FirstAt        int  // number of the first case with something wrong, from 1
	Wrong          int  // cases with something wrong
	Counterexample *Counterexample
}

// A Counterexample is the smallest case found that breaks a rule.
type Counterexample struct {
	Rule    string
	Verdict Verdict
	Case    floor.Case
	Twin    *floor.Case // of a comparing rule
	Answers []floor.Answer
	Want    string
	Got     string
	At      string
	Size    int
	Stage   string
	// Remembers says that the case alone, after a fresh start, is answered
	// rightly: it is wrong only after others.
	Remembers bool
	// Again and Wrong tell of a black box that was asked again: so many times,
	// and so many of them wrong in the same way.
	Again, Wrong int
	Calls        int           // requests that shrinking took
	Took         time.Duration // and time; not part of any report's digest
}

// A Result is what a check found.
type Result struct {
	Rules       []RuleResult
	Cases       int        // asked, twins not counted
	Requests    int        // asked in all, shrinking included
	Conditioned int        // cases with a strict consumer and a source that is gone
	Broken      []string   // what went wrong without a case to blame
	Retention   *Retention // of conversations; nil when none was asked
	Interrupted bool
}

// sampleSize is how many cases of an op are asked again at the end, shuffled
// and after a restart, for decide/deterministic.
const sampleSize = 300

// chunkRequests is about how many requests go to a subject at a time;
// conversations are larger, and may take long. Nobody knows before how much
// comes back: it begins with fewer.
const (
	chunkRequests      = 512
	chunkConversations = 64
	firstConversations = 8
)

// sampleConversations is sampleSize for conversations.
const sampleConversations = 60

// What is held in memory of a subject that answers more than anybody needs.
const (
	heavyCase = 1 << 20  // bytes of the answers to a case; one such counterexample is enough
	heavyAll  = 32 << 20 // of a chunk, about, and of the sample
)

// Check asks a subject every case of the stages and judges what it answers.
// The error is not nil only when the run broke off; the result then says what
// was finished.
func Check(ctx context.Context, s Subject, o Options) (*Result, error) {
	c := &checker{subject: s, asker: asker{subject: s, most: o.MaxCalls}, options: o, result: &Result{}, samples: map[floor.Op]*sample{}}
	for _, r := range o.Rules {
		c.states = append(c.states, &state{RuleResult: RuleResult{Rule: r}})
	}
	err := c.run(ctx)
	c.result.Interrupted = ctx.Err() != nil
	c.shrinkAll(ctx)
	c.conclude()
	return c.result, err
}

// A checker is one run of Check.
type checker struct {
	subject Subject
	asker   asker
	options Options
	result  *Result
	states  []*state
	samples map[floor.Op]*sample
	turn    int // which comparing rule is next
	strays  map[Verdict]int

	pending []pending
	asks    []floor.Case
	weight  int // of asks: their requests

	talks    int // chunks of conversations so far
	heaviest int // bytes of the largest output
}

// A state is a rule's result in the making, with the cases to shrink.
type state struct {
	RuleResult
	seen    map[Verdict]*candidates
	offered bool // an answer showed that the subject offers what the rule is about
}

// candidates are the smallest cases with one verdict. Those of several steps
// are kept apart: where a subject remembers, a single question may be answered
// wrongly because of others asked long before, and only a case that asks them
// itself shows it again.
type candidates struct{ single, several []*wrong }

const mostCandidates = 8

func (c *candidates) add(w *wrong) {
	list := &c.single
	if len(w.drawn.Case.Steps) > 1 {
		list = &c.several
	}
	if weigh(w.answers) > heavyCase && len(*list) > 0 {
		if w.rank() >= (*list)[0].rank() {
			return
		}
		*list = nil
	}
	at, _ := slices.BinarySearchFunc(*list, w.rank()+1, func(w *wrong, rank int) int { return w.rank() - rank })
	if at < mostCandidates {
		*list = slices.Insert(*list, at, w)
		*list = (*list)[:min(len(*list), mostCandidates)]
	}
}

// rank is the size; well-formed cases come before what is left of a spoiled
// one, and what was drawn before what somebody wrote down, which cannot be made
// smaller.
func (w *wrong) rank() int {
	rank := w.size
	if w.stage.Bad {
		rank += 1 << 20
	}
	if w.stage.Decode == nil || w.drawn.Tape == nil {
		rank += 1 << 21
	}
	return rank
}

// full says that this one would not be kept.
func (c *candidates) full(w *wrong) bool {
	list := c.single
	if len(w.drawn.Case.Steps) > 1 {
		list = c.several
	}
	return len(list) == mostCandidates && list[mostCandidates-1].rank() <= w.rank()
}

// A wrong is a case that something is wrong with.
type wrong struct {
	seen
	drawn Drawn
	twin  *floor.Case
	stage *Stage
	size  int
}

// A pending is a case whose answers are awaited.
type pending struct {
	drawn  Drawn
	run    model.Run
	at     int // its place among what is asked
	twins  []twin
	number int

	compares []*state // the comparing rules whose turn it was
}

type twin struct {
	state *state
	c     floor.Case
	at    int
}

// weigh is how many bytes answers hold, where they can be many.
func weigh(answers []floor.Answer) (bytes int) {
	for i := range answers {
		if answers[i].Reduce == nil {
			continue
		}
		for _, m := range answers[i].Reduce.Messages {
			bytes += 100 + len(m.Text) + len(m.CallID) // about
			for _, call := range m.Calls {
				bytes += 100 + len(call.ID) + len(call.Name) + len(call.Args)
			}
		}
	}
	return bytes
}

// A sample keeps cases of one op with their answers.
type sample struct {
	bytes int
	runs  []floor.Trace
	drawn []Drawn
	stage []*Stage
	seen  int
	rng   *rand.Rand
}

func (c *checker) run(ctx context.Context) error {
	for i := range c.options.Stages {
		if err := c.stage(ctx, &c.options.Stages[i]); err != nil {
			return c.unfinished(err, func(r model.Rule) bool {
				return r.Op == "" || slices.ContainsFunc(c.options.Stages[i:], func(st Stage) bool { return st.Op == r.Op })
			})
		}
	}
	if err := c.again(ctx); err != nil {
		return c.unfinished(err, func(r model.Rule) bool { return r.Op == "" || r.Fresh })
	}
	if err := c.fresh(ctx); err != nil {
		return c.unfinished(err, func(r model.Rule) bool { return r.Fresh })
	}
	return nil
}

// unfinished notes which rules were to see more cases when the run broke off.
// Where it was agreed how many requests there are, it did not.
func (c *checker) unfinished(err error, which func(model.Rule) bool) error {
	if errors.Is(err, errSpent) {
		return nil
	}
	for _, s := range c.states {
		s.Unfinished = s.Unfinished || which(s.Rule)
	}
	return err
}

func (c *checker) stage(ctx context.Context, st *Stage) error {
	oracles, comparing := c.split(st)
	done := 0
	for drawn := range st.Cases {
		if err := ctx.Err(); err != nil {
			return err
		}
		if c.spent() {
			return nil
		}
		c.result.Cases++
		c.add(st, drawn, comparing)
		done++
		if c.weight >= c.chunk(st.Op) {
			if err := c.flush(ctx, st, oracles); err != nil {
				return err
			}
			c.progress(st, done)
			if !c.options.Until.IsZero() && time.Now().After(c.options.Until) || c.spent() {
				return nil
			}
		}
	}
	err := c.flush(ctx, st, oracles)
	c.progress(st, done)
	if err == nil && st.Exhaustive {
		for _, s := range oracles {
			s.Exhaustive = s.Exhaustive || s.Applied > 0
		}
	}
	return err
}

// chunk is how many requests go to the subject at a time: what is begun beyond
// those that may still be made would not come to an end. Nobody knows before
// how much will be asked back.
func (c *checker) chunk(op floor.Op) int {
	most, left := chunkRequests, c.options.MaxCalls-c.asker.calls
	if op == floor.OpReduce {
		most = min(firstConversations<<min(c.talks, 8), chunkConversations, max(heavyAll/max(c.heaviest, 1), 1))
		if c.asker.recalls() {
			left /= 4
		}
	}
	if c.options.MaxCalls > 0 {
		most = min(most, left)
	}
	return most
}

// spent says that no more requests may be made.
func (c *checker) spent() bool { return c.options.MaxCalls > 0 && c.asker.calls >= c.options.MaxCalls }

// split gives the rules that judge the stage's cases: alone, and in pairs.
func (c *checker) split(st *Stage) (oracles, comparing []*state) {
	for _, s := range c.states {
		switch {
		case s.Rule.Op != "" && s.Rule.Op != st.Op:
		case s.Rule.Vary == nil:
			oracles = append(oracles, s)
		case st.Twins:
			comparing = append(comparing, s)
		}
	}
	return oracles, comparing
}

// add queues a case, and its twins for the comparing rule whose turn it is.
func (c *checker) add(st *Stage, drawn Drawn, comparing []*state) {
	run := model.Observe(floor.Trace{Case: drawn.Case})
	p := pending{drawn: drawn, run: run, at: c.enqueue(drawn.Case), number: c.result.Cases}
	turns := min(len(comparing), 1)
	if st.EveryTwin {
		turns = len(comparing)
	}
	for range turns {
		s := comparing[c.turn%len(comparing)]
		c.turn++
		p.compares = append(p.compares, s)
		if s.Rule.Applies(run) {
			for _, t := range s.Rule.Vary(drawn.Case) {
				p.twins = append(p.twins, twin{s, t, c.enqueue(t)})
			}
		}
	}
	c.pending = append(c.pending, p)
}

func (c *checker) enqueue(ca floor.Case) (at int) {
	c.asks = append(c.asks, ca)
	c.weight += len(ca.Steps)
	return len(c.asks) - 1
}

// flush asks what is queued and judges the answers.
func (c *checker) flush(ctx context.Context, st *Stage, oracles []*state) error {
	answers, err := c.asker.ask(ctx, c.asks)
	for _, p := range c.pending {
		if answers[p.at] == nil {
			c.result.Cases-- // broken off before this case was answered
			continue
		}
		c.judge(st, p, answers, oracles)
	}
	if st.Op == floor.OpReduce {
		c.talks++
	}
	clear(c.pending)
	clear(c.asks)
	c.pending, c.asks, c.weight = c.pending[:0], c.asks[:0], 0
	return err
}

func (c *checker) judge(st *Stage, p pending, answers [][]floor.Answer, oracles []*state) {
	run := p.run.Answered(answers[p.at])
	silence := unanswered(run.Trace)
	if silence != nil && silence.verdict == NotRun {
		c.result.Cases-- // it was never asked
		return
	}
	if strictAndGone(p.drawn.Case) {
		c.result.Conditioned++
	}
	for i := range run.Answers {
		c.heaviest = max(c.heaviest, weigh(run.Answers[i:i+1]))
	}
	if st.Op == floor.OpReduce && silence == nil {
		if c.result.Retention == nil {
			c.result.Retention = &Retention{}
		}
		c.result.Retention.add(run)
	}
	blamed := silence == nil
	for _, s := range oracles {
		s.Cases++
		s.offers(run.Trace)
		if !s.Rule.Applies(run) {
			continue
		}
		s.Applied++
		w := silence
		if w == nil {
			w = objection(s.Rule, model.Observation{Base: run})
		}
		if w != nil {
			s.note(st, p.drawn, nil, w, p.number)
			blamed = true
		}
	}
	if !blamed { // no selected rule is about this case, and the subject broke on it
		c.stray(silence)
	}
	for _, s := range p.compares {
		s.Cases++
		if s.Rule.Applies(run) {
			s.Applied++
		}
	}
	var found *state // whose twin was wrong: one is enough for a case
	for _, t := range p.twins {
		if answers[t.at] == nil || t.state == found {
			continue
		}
		other := model.Observe(floor.Trace{Case: t.c, Answers: answers[t.at]})
		if w := look(t.state.Rule, model.Observation{Base: run, Twin: &other}); w != nil {
			t.state.note(st, p.drawn, &t.c, w, p.number)
			found = t.state
		}
	}
	c.sample(st, p.drawn, run.Trace)
}

// offers looks for an answer that shows that the subject offers what the rule
// is about.
func (s *state) offers(t floor.Trace) {
	if s.offered || s.Rule.Offered == nil {
		return
	}
	s.offered = slices.ContainsFunc(t.Answers, s.Rule.Offered)
}

// stray keeps a case without an answer that no selected rule is about: the run
// is no pass all the same.
func (c *checker) stray(w *seen) {
	if c.strays == nil {
		c.strays = map[Verdict]int{}
	}
	c.strays[w.verdict]++
}

// strictAndGone says whether the case could have been refused at all: without
// one such case a run has not looked at the rule that the project is about.
func strictAndGone(c floor.Case) bool {
	last := c.Steps[len(c.Steps)-1]
	switch {
	case last.Decide != nil:
		return last.Decide.ConsumerStrict && !last.Decide.SourceRecoverable
	case last.Derive != nil:
		for i := range last.Derive.Events {
			if e := &last.Derive.Events[i]; e.ConsumerStrict && !e.SourceRecoverable {
				return true
			}
		}
	case last.Compact != nil:
		return last.Compact.ConsumerStrict && !last.Compact.SourceRecoverable
	case last.Reduce != nil:
		return true // a black box is judged under the worst conditions
	}
	return false
}

// Conditional says whether any of the ops is asked under conditions, so that a
// run without a strict consumer and a lost source shows nothing. A certificate
// is measured whatever it is for.
func Conditional(ops []floor.Op) bool {
	return slices.ContainsFunc(ops, func(op floor.Op) bool { return op != floor.OpCertify })
}

// A seen is what one rule saw in one observation, when something is wrong.
type seen struct {
	verdict Verdict
	finding model.Finding
	answers []floor.Answer
	detail  string
}

// look has a rule judge an observation whose precondition holds. An answer
// that is no answer, or an error where a result was due, has its own verdict.
func look(r model.Rule, o model.Observation) *seen {
	if s := unanswered(o.Base.Trace); s != nil {
		return s
	}
	if o.Twin != nil {
		if s := unanswered(o.Twin.Trace); s != nil {
			return s
		}
	}
	return objection(r, o)
}

// objection is what a rule objects to in an observation that is answered.
func objection(r model.Rule, o model.Observation) *seen {
	_, findings := r.Judge(o)
	if len(findings) == 0 {
		return nil
	}
	answers := slices.Clone(o.Base.Answers)
	if o.Twin != nil {
		answers = append(answers, o.Twin.Answers...)
	}
	return &seen{verdict: Fail, finding: findings[0], answers: answers}
}

// unanswered finds the first step that got no result though one was due.
func unanswered(t floor.Trace) *seen {
	for i := range t.Answers {
		a := &t.Answers[i]
		switch {
		case a.Broken != "":
			return &seen{verdict: verdictOf(a.Broken), detail: a.Detail, answers: slices.Clone(t.Answers), finding: model.Finding{Step: i}}
		case a.Err != nil:
			if _, bad := model.Malformed(t.Case.Steps[i], t.Case.Policy); !bad {
				detail := string(a.Err.Code) + ": " + a.Err.Message
				return &seen{verdict: Erred, detail: detail, answers: slices.Clone(t.Answers), finding: model.Finding{Step: i}}
			}
		}
	}
	return nil
}

// note keeps the smallest cases of each verdict.
func (s *state) note(st *Stage, drawn Drawn, twin *floor.Case, w *seen, number int) {
	if w.verdict == NotRun {
		return // not asked: the run's error says why
	}
	s.Wrong++
	if s.FirstAt == 0 {
		s.FirstAt = number
	}
	if s.seen == nil {
		s.seen = map[Verdict]*candidates{}
	}
	if s.seen[w.verdict] == nil {
		s.seen[w.verdict] = &candidates{}
	}
	found := &wrong{drawn: drawn, twin: twin, seen: *w, stage: st, size: Size(drawn.Case)}
	if best := s.seen[w.verdict]; !best.full(found) {
		best.add(found)
	}
}

// sample keeps a fair choice of the cases so far.
func (c *checker) sample(st *Stage, drawn Drawn, t floor.Trace) {
	s := c.samples[st.Op]
	if s == nil {
		s = &sample{rng: rand.New(rand.NewPCG(c.options.Seed, 0x73616d706c65))}
		c.samples[st.Op] = s
	}
	s.seen++
	most := sampleSize
	if st.Op == floor.OpReduce {
		most = sampleConversations
	}
	bytes := weigh(t.Answers)
	if s.bytes+bytes > heavyAll {
		return
	}
	at := len(s.runs)
	if at == most {
		if at = s.rng.IntN(s.seen); at >= most {
			return
		}
		s.bytes -= weigh(s.runs[at].Answers)
		t.Answers = slices.Clone(t.Answers) // it is a window on a whole chunk
		s.runs[at], s.drawn[at], s.stage[at] = t, drawn, st
	} else {
		t.Answers = slices.Clone(t.Answers)
		s.runs, s.drawn, s.stage = append(s.runs, t), append(s.drawn, drawn), append(s.stage, st)
	}
	s.bytes += bytes
}

// again asks the samples once more, shuffled, and once more after a restart:
// the same input has to have the same decision.
func (c *checker) again(ctx context.Context) error {
	at := slices.IndexFunc(c.states, func(s *state) bool { return s.Rule.Op == "" && s.Rule.Vary != nil })
	if at < 0 || c.options.Once {
		return nil
	}
	for _, restarted := range []bool{false, true} {
		if restarted {
			if err := c.subject.Restart(ctx); err != nil {
				return err
			}
		}
		for _, op := range slices.Sorted(maps.Keys(c.samples)) {
			if c.spent() {
				return nil
			}
			if err := c.askAgain(ctx, c.states[at], c.samples[op]); err != nil {
				return err
			}
		}
	}
	return nil
}

// fresh has the rules about memory compare runs that each begin with a fresh
// start: all bases after one, all twins after another. No two of the cases
// share a contract, so that none remembers for the other.
func (c *checker) fresh(ctx context.Context) error {
	for _, s := range c.states {
		from := c.samples[s.Rule.Op]
		if !s.Rule.Fresh || from == nil || c.options.Once {
			continue
		}
		var drawn []Drawn
		var stages []*Stage
		var bases, twins []floor.Case
		seen := map[string]bool{}
		for i, t := range from.runs {
			key := contractKey(t.Case)
			if seen[key] || !s.Rule.Applies(model.Observe(floor.Trace{Case: t.Case})) {
				continue
			}
			if varied := s.Rule.Vary(t.Case); len(varied) > 0 {
				seen[key] = true
				drawn, stages = append(drawn, from.drawn[i]), append(stages, from.stage[i])
				bases, twins = append(bases, t.Case), append(twins, varied[i%len(varied)])
			}
		}
		baseRuns, err := c.askFresh(ctx, bases)
		if err != nil {
			return err
		}
		twinRuns, err := c.askFresh(ctx, twins)
		if err != nil {
			return err
		}
		for i := range min(len(baseRuns), len(twinRuns)) {
			s.Cases++
			s.Applied++
			if w := look(s.Rule, model.Observation{Base: baseRuns[i], Twin: &twinRuns[i]}); w != nil {
				s.note(stages[i], drawn[i], &twins[i], w, c.result.Cases)
			}
		}
	}
	return nil
}

// contractKey is the same for cases that ask about the same contract.
func contractKey(c floor.Case) string {
	last := c.Steps[len(c.Steps)-1]
	if last.Decide == nil {
		return ""
	}
	contract := last.Decide.Contract
	set := func(classes []floor.Class) []floor.Class {
		return slices.Compact(slices.Sorted(slices.Values(classes)))
	}
	return fmt.Sprintf("%q %q", set(contract.Required), set(contract.Certified))
}

func (c *checker) askFresh(ctx context.Context, cases []floor.Case) (runs []model.Run, err error) {
	if err := c.subject.Restart(ctx); err != nil {
		return nil, err
	}
	answers, err := c.asker.ask(ctx, cases)
	for i, ca := range cases {
		if answers[i] == nil {
			break
		}
		runs = append(runs, model.Observe(floor.Trace{Case: ca, Answers: answers[i]}))
	}
	return runs, err
}

func (c *checker) askAgain(ctx context.Context, s *state, from *sample) error {
	if from == nil {
		return nil
	}
	order := from.rng.Perm(len(from.runs))
	cases := make([]floor.Case, len(order))
	for i, at := range order {
		cases[i] = from.runs[at].Case
	}
	answers, err := c.asker.ask(ctx, cases)
	for n, i := range order {
		base := from.runs[i]
		if answers[n] == nil {
			continue
		}
		twin := model.Observe(floor.Trace{Case: base.Case, Answers: answers[n]})
		s.Cases++
		run := model.Observe(base)
		if !s.Rule.Applies(run) {
			continue
		}
		s.Applied++
		if w := look(s.Rule, model.Observation{Base: run, Twin: &twin}); w != nil {
			s.note(from.stage[i], from.drawn[i], &base.Case, w, c.result.Cases)
		}
	}
	return err
}

func (c *checker) progress(st *Stage, done int) {
	c.tell(Progress{Stage: string(st.Op) + " " + st.Name, Done: done, Total: st.Total})
}

func (c *checker) tell(p Progress) {
	if c.options.Progress == nil {
		return
	}
	for _, s := range c.states {
		if s.Wrong > 0 {
			p.Findings++
		}
	}
	p.Cases = c.result.Cases
	c.options.Progress(p)
}

// conclude gives every rule its verdict.
func (c *checker) conclude() {
	if u, ok := c.subject.(interface{ Unexplained() []string }); ok {
		c.result.Broken = u.Unexplained()
	}
	for _, v := range worst {
		if n := c.strays[v]; n > 0 {
			c.result.Broken = append(c.result.Broken, fmt.Sprintf("%s: %d cases that no selected rule is about got no result", v, n))
		}
	}
	c.result.Requests = c.asker.calls
	for _, s := range c.states {
		s.Verdict = Pass
		switch {
		case s.Rule.Model && !c.subject.Hello().HasModel():
			s.Verdict = NotClaimed
		case s.Applied < s.Rule.Minimum || s.Applied == 0:
			s.Verdict = NotRun
		case s.Rule.Offered != nil && !s.offered:
			s.Verdict = NotClaimed
		}
		for _, v := range worst {
			if s.seen[v] != nil {
				s.Verdict = v
				break
			}
		}
		c.result.Rules = append(c.result.Rules, s.RuleResult)
	}
}
