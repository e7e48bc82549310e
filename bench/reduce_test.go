package bench

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/blackbox"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
	"github.com/floorcheck/floorcheck/props/gen"
	"github.com/floorcheck/floorcheck/props/suite"
)

// conversations is how many one run of BenchmarkReduce asks; each has up to five
// generations.
const conversations = 100

// BenchmarkReduce is the whole loop over black boxes, judge included: planted
// conversations are drawn, asked generation by generation, and judged by every
// rule. A case is a conversation.
func BenchmarkReduce(b *testing.B) {
	b.Run("draw", func(b *testing.B) {
		timed(b, conversations, func() {
			for d := range planted() {
				sink += uint64(len(d.Case.Steps))
			}
		})
	})
	b.Run("in-process", func(b *testing.B) {
		box, ok := blackbox.Lookup("pinning")
		if !ok {
			b.Fatal("there is no pinning box")
		}
		benchmarkReduce(b, box.New())
	})
	b.Run("python", func(b *testing.B) {
		python, err := exec.LookPath("python3")
		if err != nil {
			b.Skip("there is no python3")
		}
		p, err := conform.Start(b.Context(), conform.Command{Args: []string{python, beside("adapters", "python", "pinning.py")}})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() {
			if err := p.Close(); err != nil {
				b.Error(err)
			}
		})
		benchmarkReduce(b, p)
	})
}

func planted() func(yield func(conform.Drawn) bool) {
	return suite.Seeded(gen.KindReduce, gen.Full(floor.Guard), 7, 0, conversations)
}

func benchmarkReduce(b *testing.B, s conform.Subject) {
	rules := rulesOf(floor.OpReduce)
	timed(b, conversations, func() {
		result, err := conform.Check(context.Background(), s, conform.Options{
			Rules: rules, Once: true, Seed: 7,
			Stages: []conform.Stage{{Name: "generated", Op: floor.OpReduce, Total: conversations, Cases: planted()}},
		})
		if err != nil {
			b.Fatal(err)
		}
		for _, r := range result.Rules {
			if r.Wrong > 0 && r.Rule.Keyword == model.Must {
				b.Fatalf("%s: %d wrong", r.Rule.ID, r.Wrong)
			}
		}
	})
}

// beside is a file of the project's: go test runs in this folder, and the table
// of ratios in the one above.
func beside(path ...string) string {
	file := filepath.Join(path...)
	if _, err := os.Stat(file); err == nil {
		return file
	}
	return filepath.Join("..", file)
}
