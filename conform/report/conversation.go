package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

// How much of a conversation is shown. What is left out is said to be.
const (
	mostShownMessages = 16
	mostShownCalls    = 8 // of one message
	mostShownText     = 240
)

// conversation shows a reduce case as it went: what was new in each generation,
// and what came of it.
func (p *printer) conversation(c floor.Case, answers []floor.Answer) {
	if c.Planted != nil && c.Planted.Summarizer != "" {
		p.line("    the model  played %s", show(c.Planted.Summarizer))
	}
	for i, step := range c.Steps {
		if step.Reduce == nil {
			p.request("", step)
			continue
		}
		what := "asked"
		if len(c.Steps) > 1 {
			what = fmt.Sprintf("generation %d: asked", i+1)
		}
		if i > 0 && i <= len(answers) && answers[i-1].Reduce != nil && answers[i-1].Reduce.Refused {
			what += " the same, and"
		} else if i > 0 {
			what += " its last output, and"
		}
		p.line("    %s, target %s", what, Count(int(step.Reduce.TargetTokens), "token"))
		p.messages(step.Reduce.Messages, func(at int) string { return plantedIn(c, i, at) })
		if i < len(answers) {
			p.reduced(answers[i])
		}
	}
}

// plantedIn names the plants that a message says, and what it ends.
func plantedIn(c floor.Case, step, message int) string {
	if c.Planted == nil {
		return ""
	}
	at, notes := floor.Place{Step: step, Message: message}, []string{}
	for _, plant := range c.Planted.Plants {
		if plant.Said == at {
			notes = append(notes, show(string(plant.Class)))
		}
		if plant.Ended != nil && plant.Ended.Place == at {
			notes = append(notes, "ends "+show(string(plant.Class))+", "+show(string(plant.Ended.How)))
		}
	}
	return strings.Join(notes, "; ")
}

func (p *printer) messages(list []floor.Message, about func(at int) string) {
	from, to := 0, len(list)
	if to > mostShownMessages { // the end tells more: it is what came last
		from = to - mostShownMessages
		p.line("      … %s before", Count(from, "message"))
	}
	for i := from; i < to; i++ {
		said := []string{Escape(clip(list[i].Text, mostShownText))}
		if list[i].CallID != "" {
			said = append([]string{fmt.Sprintf("[result of %s]", show(list[i].CallID))}, said...)
		}
		for n, call := range list[i].Calls {
			if n == mostShownCalls {
				said = append(said, fmt.Sprintf("… and %s more", Count(len(list[i].Calls)-n, "call")))
				break
			}
			said = append(said, fmt.Sprintf("[call %s %s %s]", show(call.ID), show(call.Name), Escape(clip(string(call.Args), mostShownText))))
		}
		text := strings.TrimSpace(strings.Join(said, " "))
		if note := about(i); note != "" {
			text += paint(p.st.Dim, "   ("+note+")")
		}
		p.line("      %s", strings.TrimSpace(fmt.Sprintf("%-9s  %s", list[i].Role, text)))
	}
}

// reduced shows one answer.
func (p *printer) reduced(a floor.Answer) {
	if a.Reduce == nil || a.Reduce.Refused {
		p.line("    answered   %s", Answer(a))
		return
	}
	p.line("    answered   %s", Answer(a))
	p.messages(a.Reduce.Messages, func(int) string { return "" })
	for _, back := range a.Recalled {
		got := show(back.Text)
		if back.Err != nil {
			got = "error " + string(back.Err.Code) + ": " + Escape(clip(back.Err.Message, mostShownText))
		}
		p.line("    recalled   %s → %s", show(back.Query), got)
	}
}

// shortened is a reduction in one line.
func shortened(out *floor.ReduceOut) string {
	if out.Refused {
		return "refused: " + clip(out.Reason, 300)
	}
	text := Count(len(out.Messages), "message") + ", marked " + string(out.Mark)
	if out.Generation != nil {
		text += fmt.Sprintf(", generation %d", *out.Generation)
	}
	return text
}

// retention says what was kept, per class and generation.
func (p *printer) retention(r *conform.Retention) {
	p.line("\n  %s: %s refused, %s marked provisional. A refusal is never wrong, and a mark excuses a loss.",
		Count(r.Reductions, "reduction"), Number(r.Refused), Number(r.Marked))
	if len(r.Generations) == 0 {
		return
	}
	var classes []floor.Class
	generations := 0
	for _, t := range r.Generations {
		if !slices.Contains(classes, t.Class) {
			classes = append(classes, t.Class)
		}
		generations = max(generations, t.Step+1)
	}
	slices.Sort(classes)
	p.line("  Literally retained, of the planted elements that were live; then how many were lost, and inverted:")
	head := fmt.Sprintf("    %-12s", "generation")
	for g := range generations {
		head += fmt.Sprintf("  %-26d", g+1)
	}
	p.line("%s", strings.TrimRight(head, " "))
	for _, class := range classes {
		row := fmt.Sprintf("    %-12s", show(string(class)))
		for g := range generations {
			row += fmt.Sprintf("  %-26s", cell(r.Generations, g, class))
		}
		p.line("%s", strings.TrimRight(row, " "))
	}
}

func cell(list []model.ClassTally, step int, class floor.Class) string {
	for _, t := range list {
		if t.Step == step && t.Class == class && t.Live > 0 {
			out := fmt.Sprintf("%s/%s %d %%", Number(t.Kept), Number(t.Live), 100*t.Kept/t.Live)
			if t.Lost+t.Inverted > 0 {
				out += fmt.Sprintf(", %s/%s", Number(t.Lost), Number(t.Inverted))
			}
			return out
		}
	}
	return "-"
}
