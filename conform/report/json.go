package report

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

// Format names the JSON of a check. Its field names are stable.
const Format = "floorcheck-report/1"

// A JSONReport is a check as JSON. Equal runs give equal bytes: no durations,
// no times.
type JSONReport struct {
	Format   string      `json:"format"`
	Suite    string      `json:"suite"`
	Seed     string      `json:"seed"` // decimal
	Subject  JSONSubject `json:"subject"`
	Rules    []JSONRule  `json:"rules"`
	Cases    int         `json:"cases"` // asked, twins not counted
	Holds    bool        `json:"holds"`
	ExitCode int         `json:"exit_code"`
	Reduce   *JSONReduce `json:"reduce,omitempty"` // where conversations were asked
}

// A JSONReduce says what became of the planted elements of all conversations.
type JSONReduce struct {
	Reductions int            `json:"reductions"`
	Refused    int            `json:"refused"`
	Marked     int            `json:"marked"` // provisional
	Retained   []JSONRetained `json:"retained"`
}

// A JSONRetained is what was literally retained of one class in one generation,
// refused reductions not counted. Live is kept, inverted and lost together.
type JSONRetained struct {
	Generation int         `json:"generation"` // from 1
	Class      floor.Class `json:"class"`
	Live       int         `json:"live"`
	Kept       int         `json:"kept"`
	Inverted   int         `json:"inverted"`
	Lost       int         `json:"lost"`
}

// A JSONSubject is what the subject said of itself.
type JSONSubject struct {
	Name     string       `json:"name"`
	Version  string       `json:"version"`
	Language string       `json:"language"`
	Policy   floor.Policy `json:"policy"`
	Ops      []floor.Op   `json:"ops"`
}

// A JSONRule is one rule's verdict.
type JSONRule struct {
	ID             string              `json:"id"`
	Keyword        model.Keyword       `json:"keyword"`
	Verdict        conform.Verdict     `json:"verdict"`
	Cases          int                 `json:"cases"`
	Applied        int                 `json:"applied"`
	Exhaustive     bool                `json:"exhaustive"` // a whole scope was among the cases
	Known          bool                `json:"known"`      // listed as a known failure
	Counterexample *JSONCounterexample `json:"counterexample"`
}

// A JSONCounterexample is the smallest case found.
type JSONCounterexample struct {
	File string     `json:"file"` // "" where none was saved
	Case floor.Case `json:"case"`
	Want string     `json:"want"`
	Got  string     `json:"got"`
	Size int        `json:"size"`
}

// JSON is the report as its JSON value.
func (r *Report) JSON() JSONReport {
	out := JSONReport{
		Format: Format, Suite: r.Suite, Seed: r.seed(),
		Subject: JSONSubject{r.Hello.Name, r.Hello.Version, r.Hello.Language, r.Hello.Policy, append([]floor.Op{}, r.Hello.Ops...)},
		Rules:   make([]JSONRule, 0, len(r.Rules)),
		Cases:   r.Cases, Holds: r.Holds(), ExitCode: r.ExitCode,
	}
	for _, l := range r.Rules {
		out.Rules = append(out.Rules, l.json())
	}
	if r.Retention != nil {
		out.Reduce = retained(r.Retention)
	}
	return out
}

func retained(r *conform.Retention) *JSONReduce {
	out := &JSONReduce{Reductions: r.Reductions, Refused: r.Refused, Marked: r.Marked, Retained: []JSONRetained{}}
	for _, t := range r.Generations {
		out.Retained = append(out.Retained, JSONRetained{t.Step + 1, t.Class, t.Live, t.Kept, t.Inverted, t.Lost})
	}
	return out
}

func (l Line) json() JSONRule {
	rule := JSONRule{
		ID: l.Rule.ID, Keyword: l.Rule.Keyword, Verdict: l.Verdict,
		Cases: l.Cases, Applied: l.Applied, Exhaustive: l.Exhaustive,
	}
	if ce := l.Counterexample; ce != nil {
		rule.Counterexample = &JSONCounterexample{File: l.File, Case: ce.Case, Want: ce.Want, Got: ce.Got, Size: ce.Size}
	}
	return rule
}

// WriteJSON writes the report as one indented JSON value.
func WriteJSON(w io.Writer, r *Report) error { return encode(w, r.JSON(), "  ") }

// WriteJSONL writes a line for the run, one for each rule, and one for the end.
func WriteJSONL(w io.Writer, r *Report) error {
	whole := r.JSON()
	lines := []any{struct {
		Type    string      `json:"type"`
		Format  string      `json:"format"`
		Suite   string      `json:"suite"`
		Seed    string      `json:"seed"`
		Subject JSONSubject `json:"subject"`
	}{"run", whole.Format, whole.Suite, whole.Seed, whole.Subject}}
	for _, rule := range whole.Rules {
		lines = append(lines, struct {
			Type string `json:"type"`
			JSONRule
		}{"rule", rule})
	}
	lines = append(lines, struct {
		Type     string   `json:"type"`
		Cases    int      `json:"cases"`
		Holds    bool     `json:"holds"`
		ExitCode int      `json:"exit_code"`
		Notes    []string `json:"notes,omitempty"`
	}{"end", whole.Cases, whole.Holds, whole.ExitCode, r.Notes})
	for _, line := range lines {
		if err := encode(w, line, ""); err != nil {
			return err
		}
	}
	return nil
}

func encode(w io.Writer, v any, indent string) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}
