package fuzz

import (
	"fmt"
	"strings"
	"testing"

	"github.com/floorcheck/floorcheck/engine"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

// FuzzRetain looks for elements and a text on which the engine, which looks for
// all of them at once, differs from the model, which looks for one after the
// other; on any text, whatever its characters.
func FuzzRetain(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		list, parts := decodeElements(data)
		in := &floor.CertifyIn{Source: []floor.Span{{ID: "s", Kind: floor.KindMessage, Elements: list}}, Required: []floor.Class{}}
		at, bad := model.Malformed(floor.Request{Op: floor.OpCertify, Certify: in}, floor.Guard)
		elements, err := engine.NewElements(list)
		if bad != (err != nil) {
			t.Fatalf("a bad request for the model: %t (%s), for the engine: %v: %s", bad, at, err, spelledElements(list))
		}
		if bad {
			return
		}
		delivered := model.Deliver(parts)
		now := elements.Retain(nil, parts...)
		for range 2 {
			for i := range list {
				if want := delivered.Retention(list[i]); now[i].String() != string(want) {
					t.Fatalf("%s is %s for the engine, %s for the model: %s in %+q", list[i].ID, now[i], want, spelledElements(list), parts)
				}
			}
			now = elements.Retain(now, parts...) // once more, in the same memory
		}
		if len(parts) > 0 {
			d := floor.Delivery{Text: parts[0], Pins: parts[1:]}
			if got := engine.Usable(d); got != delivered.Usable() {
				t.Fatalf("usable for the engine: %t, for the model: %t: %+q", got, delivered.Usable(), parts)
			}
		}
	})
}

// decodeElements reads bytes as elements and parts: group separators end an
// element, the rest is as for decodeElement. With the high bit of the first
// byte there are fillers besides, so many that the engine takes its other way.
func decodeElements(data []byte) (list []floor.Element, parts []string) {
	data = data[:min(len(data), mostBytes)]
	many := len(data) > 0 && data[0]&0x80 != 0
	groups := strings.Split(string(data), "\x1d")
	const most = 40
	for i, group := range groups[:min(len(groups), most)] {
		e := floor.Element{ID: "x" + strings.Repeat("'", i), Class: "negation"}
		if len(group) > 0 {
			e.Match = []floor.Match{"", floor.Exact, floor.Folded}[int(group[0]&0x7f)%3]
			group = group[1:]
		}
		lists := strings.SplitN(strings.ToValidUTF8(group, "\uFFFD"), "\x1e", 3)
		for k, to := range []*[]string{&e.Forms, &e.Inverted, &parts} {
			if k < len(lists) {
				*to = append(*to, strings.Split(lists[k], "\x1f")...)
			}
		}
		list = append(list, e)
	}
	if many {
		filler := floor.Element{ID: "filler", Class: "negation"}
		for i := range 30 {
			filler.Forms = append(filler.Forms, "Placeholder "+strings.Repeat("Z", i+1))
		}
		exact := filler
		exact.ID, exact.Match = "exact filler", floor.Exact
		list = append(list, filler, exact)
	}
	return list, parts
}

func spelledElements(list []floor.Element) string {
	var b strings.Builder
	for _, e := range list {
		fmt.Fprintf(&b, "{%s %s %+q, inverted %+q} ", e.ID, e.Match, e.Forms, e.Inverted)
	}
	return b.String()
}
