package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/report"
)

// madeWith is the line of the page that says what it was made of.
func madeWith(seed uint64, n int) string {
	return fmt.Sprintf("Made with seed %d, of %s.", seed, report.Count(n, "planted conversation"))
}

const introduction = `# Hostile summarizers

What comes of it when the summaries are bad: with the guard, which measures what it is given (the reference's ` + "`compact`" + `), and with a naive compactor, which believes it. ` + "`make hostile`" + ` measures this and writes this page.

%s Each is compacted one to three times, as often as it has parts: what an answer leaves stands before what is said next.

- A span is a message, or calls with their results. Rules of the system and the newest message of the user stay, and so do calls without results; of each stretch between them the summarizer is asked for a summary.
- The elements of a span are what was planted in it, but for what is withdrawn, replaced or completed later on. Each class that is planted in a conversation has a floor of 1000 permille.
- The budget is 750, 500 and 250 permille of the tokens of all that was said so far. A token is four characters.
- The consumer is strict and will be compacted again. Once the originals are gone for good, so that what is not certified is refused; and once they can be read again, so that it may be provisional.
- The guard's answers are judged by all rules of ` + "`compact/`" + `. Beside that a direct look, which knows no rule, reads each part that carries no mark: every element that it stands for has to be literally retained in it, and where nothing delivered carries a mark, in all parts together; but for what was lost under a mark before. What is missing is a hole.
- The naive compactor lets everything go that a summary is of, whatever it says and however it came, and calls that certified.

Literally retained means that one of an element's forms stands in the text and none that says the opposite, by [the protocol](protocol.md). It does not say that a summary is any good, nor that a reader will use what is there: the text of an error that stands for small talk alone is certified, because nothing that was known is missing from it.
`

// write writes the page.
func (m *measured) write(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, introduction, madeWith(m.seed, m.n))
	m.writeSummarizers(&b)
	m.writeRules(&b)
	m.writeViolations(&b)
	if err := m.writeSmallest(&b); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// sum adds the rows up.
func (m *measured) sum() row {
	sum := row{id: "all", guard: played{rules: m.added(ofGuard)}, naive: played{rules: m.added(ofNaive)}}
	for i := range m.rows {
		sum.guard.gone.add(m.rows[i].guard.gone)
		sum.guard.kept.add(m.rows[i].guard.kept)
		sum.naive.gone.add(m.rows[i].naive.gone)
		sum.naive.kept.add(m.rows[i].naive.kept)
	}
	return sum
}

func ofGuard(r *row) *played { return &r.guard }
func ofNaive(r *row) *played { return &r.naive }

// added is how often each rule was put to the test and broken by one of the
// compactors, over all summarizers.
func (m *measured) added(of func(*row) *played) (sum []conform.RuleResult) {
	for i := range m.rows {
		for j, r := range of(&m.rows[i]).rules {
			if i == 0 {
				sum = append(sum, conform.RuleResult{Rule: r.Rule})
			}
			sum[j].Applied += r.Applied
			sum[j].Wrong += r.Wrong
		}
	}
	return sum
}

// failed is the rule that is put to the test where a summarizer failed a span.
const failed = "compact/summarizer-independent"

func (m *measured) writeSummarizers(w io.Writer) {
	sum := m.sum()
	fmt.Fprintf(w, `
## By summarizer

The guard gave %s; rules objected %s, and there were %s. %s of its %s certified answers replaced something; in the others everything fitted.

- failed: requests, of those that the guard was asked, in which something had to go and some span was failed: its summary could not be used, said the opposite of something, or kept too little.
- certified: in brackets those in which something was replaced.
- left: tokens of what was delivered, in permille of all that was said; after a refusal that is what there was.
- wrong: objections of rules to the guard, and holes.
- naive floor: answers of the naive compactor to the same conversations, after which an unmarked summary was below a floor.

`, report.Count(sum.guard.all().events, "answer"), report.Count(sum.guard.wrong(), "time"), report.Count(sum.guard.all().holes, "hole"),
		report.Number(sum.guard.all().replacing), report.Number(sum.guard.all().certified))
	fmt.Fprintln(w, "| | asked | failed | originals gone: certified | refused | left | recoverable: certified | provisional | refused | left | wrong | naive left | naive floor |")
	fmt.Fprintln(w, "| --- |"+strings.Repeat(" --: |", 12))
	for _, r := range append(slices.Clone(m.rows), sum) {
		gone, kept, naive := r.guard.gone, r.guard.kept, r.naive.all()
		asked := r.guard.all()
		fmt.Fprintf(w, "| %s | %d | %d | %s | %d | %d | %s | %d | %d | %d | %d | %d | %d |\n",
			r.id, asked.events, r.guard.rule(failed).Applied,
			certified(gone), gone.refused, gone.permille(),
			certified(kept), kept.provisional, kept.refused, kept.permille(),
			r.guard.wrong()+asked.holes, naive.permille(), r.naive.rule(failed).Wrong)
	}
}

func certified(n counts) string { return fmt.Sprintf("%d (%d)", n.certified, n.replacing) }

func (m *measured) writeRules(w io.Writer) {
	fmt.Fprint(w, "\n## By rule\n\nIn how many requests each rule was put to the test, and in how many answers it was broken. No bad request is among them.\n\n")
	fmt.Fprintln(w, "| rule | guard: tested | broken | naive: tested | broken |")
	fmt.Fprintln(w, "| --- |"+strings.Repeat(" --: |", 4))
	guard, naive := m.added(ofGuard), m.added(ofNaive)
	for i, r := range guard {
		if r.Applied+naive[i].Applied > 0 {
			fmt.Fprintf(w, "| `%s` | %d | %d | %d | %d |\n", r.Rule.ID, r.Applied, r.Wrong, naive[i].Applied, naive[i].Wrong)
		}
	}
}

func (m *measured) writeViolations(w io.Writer) {
	fmt.Fprint(w, "\n## The naive compactor\n\nAnswers that broke a rule, by rule. A hole is an element; it is counted in each answer in which it is one.\n\n| | answers | holes |")
	for _, f := range m.smallest {
		fmt.Fprintf(w, " %s |", strings.TrimPrefix(f.Rule.ID, "compact/"))
	}
	fmt.Fprintln(w, "\n| --- |"+strings.Repeat(" --: |", len(m.smallest)+2))
	for _, r := range append(slices.Clone(m.rows), m.sum()) {
		all := r.naive.all()
		fmt.Fprintf(w, "| %s | %d | %d |", r.id, all.events, all.holes)
		for _, f := range m.smallest {
			fmt.Fprintf(w, " %d |", r.naive.rule(f.Rule.ID).Wrong)
		}
		fmt.Fprintln(w)
	}
}

// writeSmallest tells a counterexample to each rule that the naive compactor
// broke. Every line of one but the first is indented, so that nothing in it can
// end the block that it stands in.
func (m *measured) writeSmallest(w io.Writer) error {
	fmt.Fprintf(w, "\n## The smallest counterexamples\n\nOne to each rule that the naive compactor broke: of the smallest that were found, with %s, each made smaller in at most %s and without small talk in front, the smallest. The engine is the guard.\n",
		report.Count(candidates, "summarizer"), report.Count(m.shrink, "request"))
	for i := range m.smallest {
		f := &m.smallest[i]
		fmt.Fprintf(w, "\n`%s`, the summarizer is `%s`, size %d:\n\n```text\n", f.Rule.ID, f.summarizer, f.Counterexample.Size)
		var told bytes.Buffer
		if err := report.WriteFinding(&told, report.Line{RuleResult: f.RuleResult, Engine: f.guard}, nil); err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\n```\n", strings.TrimSpace(told.String()))
	}
	return nil
}
