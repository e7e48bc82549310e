package extract_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"github.com/floorcheck/floorcheck/engine/extract"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/props/gen"
)

func TestPlantsDev(t *testing.T) {
	hit, total := map[floor.Class]int{}, map[floor.Class]int{}
	shown := 0
	for seed := range uint64(300) {
		c := gen.KindReduce.Draw(gen.NewSource(gen.NewSeeded(seed, 1)), gen.Full(floor.Guard))
		for _, p := range c.Planted.Plants {
			m := c.Steps[p.Said.Step].Reduce.Messages[p.Said.Message]
			norm := func(s string) string { return norm.NFC.String(strings.ToLower(strings.Join(strings.Fields(s), " "))) }
			if !slices.ContainsFunc(p.Forms, func(g string) bool { return strings.Contains(norm(m.Text), norm(g)) }) {
				continue
			}
			total[p.Class]++
			ok := false
			for _, f := range extract.Extract(m.Text) {
				if f.Class == p.Class {
					for _, form := range f.Forms {
						ok = ok || slices.ContainsFunc(p.Forms, func(g string) bool { return norm(g) == norm(form) })
					}
				}
			}
			if ok {
				hit[p.Class]++
			} else if shown++; shown < 60 && strings.Contains(norm(m.Text), norm(p.Forms[0])) {
				i := strings.Index(norm(m.Text), norm(p.Forms[0]))
				t.Log(p.Class, p.Forms[0], " :: ", norm(m.Text)[max(0, i-30):min(len(norm(m.Text)), i+len(p.Forms[0])+30)])
			}
		}
	}
	for _, c := range everyClass {
		t.Log(c, hit[c], total[c])
	}
}
