package main

import (
	"fmt"
	"io"
	"sync/atomic"
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
	draws bool          // on a terminal
	bars  *mpb.Progress // while one is drawn
	bar   *mpb.Bar
	stage string
	last  time.Time
	found atomic.Int64 // rules broken; the bar is drawn by a goroutine of its own
}

func newProgress(w io.Writer, quiet bool) *progress {
	return &progress{w: w, quiet: quiet, draws: isTerminal(w), last: time.Now()}
}

// Write puts text above the bar.
func (p *progress) Write(text []byte) (int, error) {
	if p.bars != nil {
		return p.bars.Write(text)
	}
	return p.w.Write(text)
}

func (p *progress) update(at conform.Progress) {
	switch {
	case p.quiet:
	case p.draws && at.Total == 0: // nothing to draw
	case p.draws:
		p.draw(at)
	case time.Since(p.last) >= progressEvery:
		p.last = time.Now()
		fmt.Fprintf(p.w, "… %s: %s of %s, %s in all, %s broken so far\n", at.Stage,
			report.Number(at.Done), report.Count(at.Total, "case"), report.Number(at.Cases), report.Count(at.Findings, "rule"))
	}
}

func (p *progress) draw(at conform.Progress) {
	if p.bars == nil {
		p.bars = mpb.New(mpb.WithOutput(p.w), mpb.WithWidth(40), mpb.WithRefreshRate(100*time.Millisecond))
	}
	stage := at.Stage
	if p.bar == nil || stage != p.stage {
		p.end()
		p.stage = stage
		p.bar = p.bars.AddBar(int64(at.Total), mpb.BarRemoveOnComplete(),
			mpb.PrependDecorators(decor.Name(stage, decor.WCSyncSpaceR), decor.CountersNoUnit("%d / %d", decor.WCSyncSpace)),
			mpb.AppendDecorators(decor.Percentage(), decor.Any(func(decor.Statistics) string {
				found := int(p.found.Load())
				if found == 0 {
					return ""
				}
				return "  " + report.Count(found, "rule") + " broken"
			})))
	}
	p.found.Store(int64(at.Findings))
	p.bar.SetCurrent(int64(at.Done))
}

func (p *progress) end() {
	if p.bar != nil {
		p.bar.SetTotal(-1, true)
	}
}

// done clears the bar. The next update draws another.
func (p *progress) done() {
	if p.bars != nil {
		p.end()
		p.bars.Wait()
		p.bars, p.bar = nil, nil
	}
}
