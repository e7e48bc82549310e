package main

import (
	"fmt"
	"io"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/report"
)

// colours are ANSI's own, which every terminal sets to be readable on its
// background.
var colours = report.Style{
	Good: paintWith(lipgloss.NewStyle().Foreground(lipgloss.Color("2"))),
	Bad:  paintWith(lipgloss.NewStyle().Foreground(lipgloss.Color("1")).Bold(true)),
	Warn: paintWith(lipgloss.NewStyle().Foreground(lipgloss.Color("3"))),
}

func paintWith(style lipgloss.Style) func(string) string {
	return func(s string) string { return style.Render(s) }
}

// progressEvery is how often a long run tells where it stands when there is no
// terminal to draw a bar on.
const progressEvery = 10 * time.Second

// A progress tells on stderr where a run stands: a bar on a terminal, else a
// line now and then.
type progress struct {
	w     io.Writer
	quiet bool
	bars  *mpb.Progress // nil without a terminal
	bar   *mpb.Bar
	stage string
	last  time.Time
	found int
}

func newProgress(w io.Writer, quiet bool) *progress {
	p := &progress{w: w, quiet: quiet, last: time.Now()}
	if !quiet && isTerminal(w) {
		p.bars = mpb.New(mpb.WithOutput(w), mpb.WithWidth(40), mpb.WithRefreshRate(100*time.Millisecond))
	}
	return p
}

func (p *progress) update(at conform.Progress) {
	switch {
	case p.quiet:
	case p.bars != nil:
		p.draw(at)
	case time.Since(p.last) >= progressEvery:
		p.last = time.Now()
		fmt.Fprintf(p.w, "… %s %s: %s of %s cases, %s in all, %d rules broken so far\n",
			at.Op, at.Stage, report.Number(at.Done), report.Number(at.Total), report.Number(at.Cases), at.Findings)
	}
}

func (p *progress) draw(at conform.Progress) {
	stage := string(at.Op) + " " + at.Stage
	if p.bar == nil || stage != p.stage {
		p.end()
		p.stage = stage
		p.bar = p.bars.AddBar(int64(at.Total), mpb.BarRemoveOnComplete(),
			mpb.PrependDecorators(decor.Name(stage, decor.WCSyncSpaceR), decor.CountersNoUnit("%d / %d", decor.WCSyncSpace)),
			mpb.AppendDecorators(decor.Percentage(), decor.Any(func(decor.Statistics) string {
				if p.found == 0 {
					return ""
				}
				return fmt.Sprintf("  %d rules broken", p.found)
			})))
	}
	p.found = at.Findings
	p.bar.SetCurrent(int64(at.Done))
}

func (p *progress) end() {
	if p.bar != nil {
		p.bar.SetTotal(-1, true)
	}
}

// done clears the bar.
func (p *progress) done() {
	if p.bars != nil {
		p.end()
		p.bars.Wait()
	}
}
