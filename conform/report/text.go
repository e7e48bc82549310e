package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

// A Style paints words; the zero one leaves them plain.
type Style struct{ Good, Bad, Warn, Dim func(string) string }

func paint(with func(string) string, s string) string {
	if with == nil {
		return s
	}
	return with(s)
}

// Head is the first line of a run: what is under test, and with which seed.
func Head(suite string, seed uint64, h conform.Hello) string {
	name := show(h.Name)
	if h.Version != "" {
		name += " " + show(h.Version)
	}
	if h.Language != "" {
		name += " (" + show(h.Language) + ")"
	}
	ops := make([]string, 0, len(h.Ops))
	for _, op := range h.Ops {
		ops = append(ops, show(string(op)))
	}
	return fmt.Sprintf("floorcheck %s · protocol %d · suite %s · seed %d · %s, policy %s, claims %s",
		conform.Version, conform.Protocol, suite, seed, name, h.Policy, strings.Join(ops, " "))
}

// WriteText writes the report for a person, but for the head line.
func WriteText(w io.Writer, r *Report, st Style) error {
	p := &printer{w: w, st: st, strict: r.Strict, scopes: r.Scopes, width: leastWidth}
	for _, l := range r.Rules {
		p.width = max(p.width, len(l.Rule.ID))
	}
	for _, l := range r.Rules {
		p.rule(l)
	}
	if r.Retention != nil {
		p.retention(r.Retention)
	}
	for _, l := range r.failing() {
		p.counterexample(l, r.Reach)
	}
	for _, note := range r.Notes {
		p.line("\n%s %s", paint(st.Warn, "note:"), Note(note))
	}
	if r.Holds() {
		p.proves(r)
	}
	p.line("\n%s", p.last(r))
	return p.err
}

// WriteFinding writes one counterexample for a person.
func WriteFinding(w io.Writer, l Line, reach []string) error {
	return PaintFinding(w, l, reach, Style{})
}

// PaintFinding is WriteFinding in colour.
func PaintFinding(w io.Writer, l Line, reach []string, st Style) error {
	p := &printer{w: w, st: st}
	p.counterexample(l, reach)
	return p.err
}

// Last is the closing line of the report, without colour.
func Last(r *Report) string { return (&printer{strict: r.Strict}).last(r) }

type printer struct {
	w      io.Writer
	st     Style
	strict bool
	scopes map[floor.Op]int
	width  int // of the column of rule ids
	err    error
}

// leastWidth is that of the column of rule ids where all are shorter.
const leastWidth = 27

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

var marks = map[conform.Verdict]string{
	conform.Pass: "PASS", conform.Fail: "FAIL", conform.Erred: "ERROR", conform.Crashed: "CRASH",
	conform.TimedOut: "TIMEOUT", conform.Garbled: "GARBAGE", conform.NotRun: "NOT-RUN", conform.NotClaimed: "NOT-CLAIMED",
}

func (p *printer) rule(l Line) {
	mark := fmt.Sprintf("%-11s", marks[l.Verdict])
	switch l.Verdict {
	case conform.Pass:
		mark = paint(p.st.Good, mark)
	case conform.NotRun, conform.NotClaimed:
		mark = paint(p.st.Warn, mark)
	default:
		mark = paint(p.st.Bad, mark)
	}
	about := p.about(l)
	if l.Rule.Keyword == model.Should {
		about = "SHOULD; " + about
	}
	p.line("  %s %-*s %s", mark, p.width, l.Rule.ID, about)
}

// about is what a rule's line says after its name.
func (p *printer) about(l Line) string {
	unit := "case"
	if l.Rule.Vary != nil {
		unit = "pair"
	}
	applied := fmt.Sprintf("applied to %s of %s", Number(l.Applied), Count(l.Cases, unit))
	least := max(l.Rule.Minimum, 1)
	switch {
	case l.Verdict == conform.Pass && l.Exhaustive && p.scopes[l.Rule.Op] > 0:
		return applied + fmt.Sprintf("; the cases include a whole scope of %s", Number(p.scopes[l.Rule.Op]))
	case l.Verdict == conform.Pass && l.Exhaustive:
		return applied + "; the cases include a whole scope"
	case l.Verdict == conform.Pass:
		return applied
	case l.Verdict == conform.NotClaimed && l.Rule.Model && l.Cases > 0:
		return "the subject says of no model inside"
	case l.Verdict == conform.NotClaimed && l.Rule.Offered != nil && l.Cases > 0:
		return "no answer offered what it is about"
	case l.Verdict == conform.NotClaimed:
		return "the subject does not offer " + string(l.Rule.Op)
	case l.Verdict == conform.NotRun && l.Applied < least:
		return applied + fmt.Sprintf("; at least %d are needed", least)
	case l.Verdict == conform.NotRun:
		return applied + "; the run ended before all were asked"
	}
	out := fmt.Sprintf("first at case %s, %s of %s wrong", Number(l.FirstAt), Number(l.Wrong), Number(l.Applied))
	if ce := l.Counterexample; ce != nil {
		out += fmt.Sprintf("; smallest has size %d", ce.Size)
		if ce.Calls > 0 {
			out += fmt.Sprintf(" (shrunk in %.1f s)", ce.Took.Seconds())
		}
	}
	return out
}

func (p *printer) counterexample(l Line, reach []string) {
	ce := l.Counterexample
	switch {
	case ce.Case.Planted != nil: // a longer story, told line by line
		p.line("\n%s   expected %s", paint(p.st.Bad, l.Rule.ID), Escape(ce.Want))
		p.line("    got        %s", Escape(ce.Got))
		if ce.At != "" {
			p.line("    at         %s", Escape(ce.At))
		}
	case ce.At != "":
		p.line("\n%s   expected %s, got %s at %s", paint(p.st.Bad, l.Rule.ID), Escape(ce.Want), Escape(ce.Got), Escape(ce.At))
	default:
		p.line("\n%s   expected %s, got %s", paint(p.st.Bad, l.Rule.ID), Escape(ce.Want), Escape(ce.Got))
	}
	p.line("    rule       %s%s", should(l.Rule), l.Rule.Title)
	if ce.Case.Planted != nil {
		p.conversation(ce.Case, ce.Answers[:min(len(ce.Answers), len(ce.Case.Steps))])
	} else {
		p.steps(ce.Case)
	}
	if ce.Twin != nil {
		p.twin(ce)
	}
	if ce.Case.Planted == nil {
		p.answers(l)
	}
	if ce.Again > 0 {
		p.line("    again      wrong in %d of %d", ce.Wrong, ce.Again)
	}
	if ce.Remembers {
		p.line("    remembers  alone, after a fresh start, this case was answered rightly: the subject remembers what it was asked before, or it is flaky. It is not saved: replaying it may show nothing")
	}
	if l.PassesIf != "" {
		p.line("    passes if  %s", Escape(l.PassesIf))
	}
	if l.File != "" {
		p.line("    replay     %s", Replay(l.File, reach))
	}
	p.line("    why        floorcheck explain %s", l.Rule.ID)
}

// should says that a rule does not gate by itself.
func should(r model.Rule) string {
	if r.Keyword == model.Should {
		return "SHOULD, not gating without --strict: "
	}
	return ""
}

func (p *printer) steps(c floor.Case) {
	for i, step := range c.Steps {
		title := ""
		if len(c.Steps) > 1 {
			title = fmt.Sprintf("step %d", i+1)
		}
		p.request(title, step)
	}
}

// Replay is the command that asks a saved case again; reach names the subject
// on a command line.
func Replay(file string, reach []string) string {
	out := "floorcheck replay " + quoteArg(file)
	for _, arg := range reach {
		out += " " + quoteArg(arg)
	}
	return out
}

// quoteArg makes an argument safe to paste into a shell.
func quoteArg(s string) string {
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_./:=@%+,", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(Escape(s), "'", `'\''`) + "'"
}

func (p *printer) twin(ce *conform.Counterexample) {
	steps := ce.Twin.Steps
	if fmt.Sprint(spelled(*ce.Twin)) == fmt.Sprint(spelled(ce.Case)) {
		p.line("    and again  the same once more")
		return
	}
	for i, step := range steps {
		title := "its twin"
		if len(steps) > 1 {
			title = fmt.Sprintf("twin %d", i+1)
		}
		p.request(title, step)
	}
}

func spelled(c floor.Case) string {
	data, err := c.MarshalJSON()
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// request shows one request in the field's words.
func (p *printer) request(title string, r floor.Request) {
	if title != "" {
		p.line("    %s", title)
	}
	switch {
	case r.Raw != nil:
		p.line("    request    %s %s", r.Op, Escape(clip(string(r.Raw), 2000)))
	case r.Decide != nil:
		c := r.Decide.Contract
		p.line("    contract   required %s  certified %s  generation %d  ancestry %s",
			set(c.Required), set(c.Certified), c.Generation, certified(c.AncestryCertified))
		p.line("    conditions %s", conditions(r.Decide.Conditions))
		if riders := r.Decide.Riders; riders != nil {
			p.line("    riders     %s", rides(riders))
		}
	case r.Derive != nil:
		p.line("    originals  %s", names(r.Derive.Originals))
		for i := range r.Derive.Events {
			p.event(&r.Derive.Events[i])
		}
	case r.Certify != nil:
		p.certify(r.Certify)
	case r.Compact != nil:
		p.compact(r.Compact)
	}
}

func (p *printer) event(e *floor.Event) {
	var certificate []string
	for _, f := range e.Certificate {
		certificate = append(certificate, fidelity(f))
	}
	p.line("    event %-4s from %s  requires %s  certificate {%s}%s", show(e.ID), names(e.Inputs),
		set(e.Required), strings.Join(certificate, ", "), floorsOf(e.FloorsPermille))
	p.line("               %s", conditions(e.Conditions))
}

func sortedKeys(m map[floor.Class]int64) []floor.Class {
	keys := make([]floor.Class, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func fidelity(f floor.Fidelity) string {
	return fmt.Sprintf("%s %d of %d", show(string(f.Class)), f.Retained, f.Total)
}

// answers sets the three side by side: engine, model, subject.
func (p *printer) answers(l Line) {
	ce := l.Counterexample
	expected := model.Expect(ce.Case)
	last := len(expected) - 1
	if last < 0 || last >= len(ce.Answers) {
		return
	}
	if len(l.Engine) == len(expected) {
		p.line("    engine     %s", Answer(l.Engine[last]))
	}
	p.line("    model      %s", Answer(expected[last]))
	p.line("    subject    %s", Answer(ce.Answers[last]))
	if ce.Twin != nil && len(ce.Answers) == len(expected)+len(ce.Twin.Steps) {
		p.line("    for twin   %s", Answer(ce.Answers[len(ce.Answers)-1]))
	}
}

// Answer is an answer in one line, bounded and escaped.
func Answer(a floor.Answer) string {
	switch {
	case a.Decide != nil:
		return Escape(clip(decided(a.Decide), 500))
	case a.Derive != nil:
		var events []string
		for _, o := range a.Derive.Events {
			events = append(events, derived(o))
		}
		if len(events) == 0 {
			return "no events"
		}
		return Escape(clip(strings.Join(events, "; "), 1500))
	case a.Certify != nil:
		return Escape(clip(certificate(a.Certify), 1500))
	case a.Compact != nil:
		return Escape(clip(compaction(a.Compact), 1500))
	case a.Reduce != nil:
		return Escape(shortened(a.Reduce))
	case a.Recall != nil:
		return Escape(clip(a.Recall.Text, 500))
	case a.Err != nil:
		return Escape(clip(fmt.Sprintf("error %s: %s", a.Err.Code, a.Err.Message), 500))
	}
	return Escape(clip(fmt.Sprintf("%s: %s", a.Broken, a.Detail), 1000))
}

func decided(d *floor.DecideOut) string {
	out := string(d.Decision)
	if d.Decision != floor.Refuse {
		return out
	}
	if d.MissingClasses != nil {
		out += "  missing " + set(d.MissingClasses)
	}
	if d.Generation != nil {
		out += fmt.Sprintf("  generation %d", *d.Generation)
	}
	if d.AncestryCertified != nil {
		out += "  ancestry " + certified(*d.AncestryCertified)
	}
	return out
}

func derived(o floor.Outcome) string {
	out := show(o.ID) + " " + string(o.Decision)
	if o.Generation != nil {
		out += fmt.Sprintf(" generation %d", *o.Generation)
	}
	if o.AncestryCertified != nil {
		out += " ancestry " + certified(*o.AncestryCertified)
	}
	if o.MissingClasses != nil {
		out += " missing " + set(o.MissingClasses)
	}
	if o.Effective != nil {
		var list []string
		for _, f := range o.Effective {
			list = append(list, fidelity(f))
		}
		out += " effective {" + strings.Join(list, ", ") + "}"
	}
	return out
}

func certified(on bool) string {
	if on {
		return "certified"
	}
	return "not certified"
}

func conditions(c floor.Conditions) string {
	word := func(on bool, yes, no string) string {
		if on {
			return yes
		}
		return no
	}
	return strings.Join([]string{
		word(c.SourceRecoverable, "recoverable", "not recoverable"),
		word(c.ConsumerStrict, "consumer strict", "consumer not strict"),
		word(c.ChainingRisk, "chaining risk", "no chaining risk"),
		word(c.SideEffectCostExceedsRefusal, "side effects cost more than refusing", "side effects cheap"),
	}, ", ")
}

func rides(r *floor.Riders) string {
	var out []string
	add := func(name string, n *int64) {
		if n != nil {
			out = append(out, fmt.Sprintf("%s %d", name, *n))
		}
	}
	add("source_tokens", r.SourceTokens)
	add("summary_tokens", r.SummaryTokens)
	add("target_permille", r.TargetPermille)
	add("occupancy_permille", r.OccupancyPermille)
	add("fluency_permille", r.FluencyPermille)
	add("quota_facts", r.QuotaFacts)
	return strings.Join(out, ", ")
}

func set(classes []floor.Class) string {
	names := make([]string, 0, len(classes))
	for _, class := range classes {
		names = append(names, show(string(class)))
	}
	return "{" + strings.Join(names, ", ") + "}"
}

func names(list []string) string {
	shown := make([]string, 0, len(list))
	for _, name := range list {
		shown = append(shown, show(name))
	}
	return strings.Join(shown, " ")
}

// show writes a name, quoted when it is not plain.
func show(s string) string {
	if s == "" || s != strings.TrimSpace(s) || strings.ContainsAny(s, "\"{}, ") || s != Escape(s) {
		return strconv.Quote(clip(s, 60))
	}
	return clip(s, 60)
}

// Escape makes control and other unprintable characters visible: what a
// subject wrote must not move the reader's cursor.
func Escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t':
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
	}
	return b.String()
}

// EscapeLines is Escape that leaves line ends alone.
func EscapeLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = Escape(lines[i])
	}
	return strings.Join(lines, "\n")
}

// Note is a text of some lines, harmless and indented to stand behind "note: ".
func Note(s string) string {
	return strings.ReplaceAll(EscapeLines(strings.TrimSpace(s)), "\n", "\n      ")
}

func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}

// Number writes a count with separators.
func Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Count writes a count with its unit, in the plural where it is due.
func Count(n int, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return Number(n) + " " + unit
}

// proves says what a pass is worth.
func (p *printer) proves(r *Report) {
	least, rule, measured := 0, "", false
	exhaustive := map[floor.Op]bool{}
	for _, l := range r.Rules {
		if l.Verdict != conform.Pass {
			continue
		}
		measured = measured || l.Rule.Op == floor.OpCertify || l.Rule.Op == floor.OpCompact
		if l.Exhaustive && l.Rule.Op != "" {
			exhaustive[l.Rule.Op] = true
		} else if least == 0 || l.Applied < least {
			least, rule = l.Applied, l.Rule.ID
		}
	}
	p.line("")
	sampled := "All of this is a sample"
	if len(exhaustive) > 0 {
		sampled = "Beyond that it is a sample"
		p.line("  Proved, by the rules with a whole scope:")
	}
	if exhaustive[floor.OpDecide] {
		p.line("    decide  every request over 5 classes, both ancestries, 16 conditions and generations 0, 1, 2, 7, nothing riding along")
	}
	if exhaustive[floor.OpDerive] {
		p.line("    derive  every history of up to 2 events over 1 class and 1 original, with the fidelities none, full, half and zero, no floors")
	}
	if least > 0 {
		p.line("  %s: a violation that shows in more than %s of such cases would have been seen", sampled, rate(least))
		p.line("  with 95 %% confidence (3/n, at %s, the rule with the fewest).", rule)
	}
	switch {
	case r.Retention != nil:
		p.line("  Not looked at: whether what is literally retained is used, and what was said in other words.")
	case measured:
		p.line("  Not looked at: whether what is literally retained is used, and whether the elements named are all that matter.")
	default:
		p.line("  Not looked at: whether a certificate is honest, and whether what is literally retained is used.")
	}
}

// rate is 3/n as one in so many.
func rate(n int) string { return "1 in " + Number(max(n/3, 1)) }

// words open the last line.
var words = map[int]string{
	ExitHolds: "HOLDS", ExitViolated: "VIOLATED", ExitNotJudged: "NOT JUDGED",
	ExitOurBug: "OUR OWN BUG", ExitInterrupted: "INTERRUPTED",
}

func (p *printer) last(r *Report) string {
	with, tail := p.st.Bad, Count(r.Cases, "case")+" · "
	if r.ExitCode == ExitHolds {
		with = p.st.Good
	}
	if r.Took != "" {
		tail += r.Took + " · "
	}
	return fmt.Sprintf("%s  %s · %sseed %s", paint(with, words[r.ExitCode]), p.tally(r), tail, r.seed())
}

// tally counts the rules that the word before it is about.
func (p *printer) tally(r *Report) string {
	violated, notJudged, total := 0, 0, 0
	for _, l := range r.Rules {
		if l.Verdict == conform.NotClaimed {
			continue
		}
		total++
		switch {
		case l.Verdict == conform.Pass || !l.Gates(p.strict):
		case l.Verdict == conform.Fail || l.Verdict == conform.Erred:
			violated++
		default:
			notJudged++
		}
	}
	of := " of " + Count(total, "rule")
	switch {
	case r.ExitCode == ExitViolated || r.ExitCode == ExitOurBug:
		return strconv.Itoa(violated) + of
	case r.ExitCode == ExitNotJudged && notJudged > 0:
		return strconv.Itoa(notJudged) + of
	case r.ExitCode == ExitInterrupted && violated > 0:
		return strconv.Itoa(violated) + of + " violated so far"
	}
	return Count(total, "rule")
}

// WriteExample shows an observation that a rule objects to, beside the right
// answer.
func WriteExample(w io.Writer, o model.Observation, f model.Finding) error {
	p := &printer{w: w}
	if o.Base.Case.Planted != nil {
		p.conversation(o.Base.Case, o.Base.Answers)
		p.line("    the rule   wants %s, got %s", Escape(f.Want), Escape(f.Got))
		return p.err
	}
	p.steps(o.Base.Case)
	p.line("    bad        %s", Answer(o.Base.Answers[len(o.Base.Answers)-1]))
	passes := model.Expect(o.Base.Case)
	if o.Twin != nil {
		p.twin(&conform.Counterexample{Case: o.Base.Case, Twin: &o.Twin.Case})
		p.line("    bad        %s", Answer(o.Twin.Answers[len(o.Twin.Answers)-1]))
	}
	p.line("    the rule   wants %s, got %s", Escape(f.Want), Escape(f.Got))
	p.line("    passes     %s", Answer(passes[len(passes)-1]))
	if o.Twin != nil {
		twin := model.Expect(o.Twin.Case)
		p.line("    passes     %s (the twin)", Answer(twin[len(twin)-1]))
	}
	return p.err
}
