package conform

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

// FileFormat names the JSON of a counterexample.
const FileFormat = "floorcheck-counterexample/1"

// A File is a counterexample as it is kept: the case itself, never only a seed.
type File struct {
	Format    string      `json:"format"`
	Rule      string      `json:"rule"`
	Verdict   Verdict     `json:"verdict"`
	Case      floor.Case  `json:"case"`
	Twin      *floor.Case `json:"twin"` // of a comparing rule, else null
	Want      string      `json:"want"`
	Got       string      `json:"got"`
	Size      int         `json:"size"`
	Seed      string      `json:"seed"`
	Driver    string      `json:"driver"`    // the stage that found it
	Generator int         `json:"generator"` // version of the generator
	Suite     string      `json:"suite"`
}

// File is the counterexample as it is kept.
func (c *Counterexample) File(seed uint64, generator int) File {
	return File{
		Format: FileFormat, Rule: c.Rule, Verdict: c.Verdict, Case: c.Case, Twin: c.Twin, Want: c.Want, Got: c.Got,
		Size: c.Size, Seed: strconv.FormatUint(seed, 10), Driver: c.Stage, Generator: generator, Suite: Suite,
	}
}

// Name is the file's: the rule, and a digest of the case, so that the same
// counterexample has the same name whoever found it.
func (f File) Name() (string, error) {
	h := sha256.New()
	for _, c := range []*floor.Case{&f.Case, f.Twin} {
		if c == nil {
			continue
		}
		data, err := json.Marshal(c)
		if err != nil {
			return "", fmt.Errorf("name counterexample: %w", err)
		}
		h.Write(data)
	}
	return strings.ReplaceAll(f.Rule, "/", "-") + "-" + hex.EncodeToString(h.Sum(nil))[:8] + ".json", nil
}

// Save writes the file into a directory, which it makes, and gives its path.
func (f File) Save(dir string) (string, error) {
	name, err := f.Name()
	if err != nil {
		return "", err
	}
	data, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return "", fmt.Errorf("save counterexample: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("save counterexample: %w", err)
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, append(data, '\n'), 0o644); err != nil {
		return "", fmt.Errorf("save counterexample: %w", err)
	}
	return path, nil
}

// Load reads a counterexample. The error says what is wrong with the file.
func Load(path string) (File, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return File{}, err
	}
	var f File
	if err := json.Unmarshal(data, &f); err != nil {
		return File{}, fmt.Errorf("%s: is not a counterexample: %w", path, err)
	}
	if f.Format != FileFormat {
		return File{}, fmt.Errorf("%s: format: must be %q, got %q", path, FileFormat, f.Format)
	}
	rule, ok := model.Lookup(f.Rule)
	switch {
	case !ok:
		return File{}, fmt.Errorf("%s: rule: there is no rule %q", path, f.Rule)
	case len(f.Case.Steps) == 0:
		return File{}, fmt.Errorf("%s: case: is missing", path)
	case (rule.Vary != nil) != (f.Twin != nil):
		return File{}, fmt.Errorf("%s: twin: must be there exactly when the rule compares two runs, as %s does: %t", path, f.Rule, rule.Vary != nil)
	case f.Twin != nil && f.Twin.Policy != f.Case.Policy:
		return File{}, fmt.Errorf("%s: twin: its policy is not the case's", path)
	case !rule.Applies(model.Observe(floor.Trace{Case: f.Case})):
		return File{}, fmt.Errorf("%s: case: %s says nothing about it", path, f.Rule)
	}
	return f, nil
}

// A Replayed is what became of a counterexample asked again.
type Replayed struct {
	Times   int // asked
	Wrong   int // of these, still wrong in the same way
	Broken  int // of these, without an answer, where the file is about a wrong one
	Verdict Verdict
	Want    string
	Got     string
	Answers []floor.Answer
}

// Replay asks a kept case again, several times, each after the other.
func Replay(ctx context.Context, s Subject, f File, times int) (Replayed, error) {
	rule, ok := model.Lookup(f.Rule)
	if !ok {
		return Replayed{}, fmt.Errorf("there is no rule %q", f.Rule)
	}
	out := Replayed{Verdict: Pass}
	for range times {
		w, err := replayOnce(ctx, s, rule, f)
		var broken *BrokenRun
		if err != nil && !errors.As(err, &broken) {
			return out, err
		}
		out.Times++
		switch {
		case w == nil && err != nil:
			out.Broken++
			if out.Wrong == 0 {
				out.Verdict, out.Want, out.Got = NotRun, "an answer", err.Error()
			}
		case w == nil:
		case w.verdict == f.Verdict || w.verdict == Fail || w.verdict == Erred:
			out.Wrong++
			out.Verdict, out.Want, out.Got, out.Answers = w.verdict, w.finding.Want, w.finding.Got, w.answers
			if w.verdict != Fail {
				out.Want, out.Got = "an answer", w.detail
			}
		default:
			out.Broken++
			if out.Wrong == 0 {
				out.Verdict, out.Want, out.Got = w.verdict, "an answer", w.detail
			}
		}
		if err != nil {
			break
		}
	}
	return out, nil
}

func replayOnce(ctx context.Context, s Subject, rule model.Rule, f File) (*seen, error) {
	if rule.Fresh {
		if err := s.Restart(ctx); err != nil {
			return nil, err
		}
	}
	base, err := askCase(ctx, s, f.Case)
	if err != nil || base == nil {
		return nil, err
	}
	o := model.Observation{Base: *base}
	if f.Twin != nil {
		if rule.Fresh {
			if err := s.Restart(ctx); err != nil {
				return nil, err
			}
		}
		if o.Twin, err = askCase(ctx, s, *f.Twin); err != nil || o.Twin == nil {
			return nil, err
		}
	}
	return look(rule, o), nil
}

func askCase(ctx context.Context, s Subject, c floor.Case) (*model.Run, error) {
	answers, err := (&asker{subject: s}).ask(ctx, []floor.Case{c})
	if answers[0] == nil {
		return nil, err
	}
	run := model.Observe(floor.Trace{Case: c, Answers: answers[0]})
	return &run, nil
}
