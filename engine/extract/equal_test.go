package extract_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/floorcheck/floorcheck/corpora"
	"github.com/floorcheck/floorcheck/engine/extract"
	"github.com/floorcheck/floorcheck/engine/extract/plain"
)

func TestEq(t *testing.T) {
	bad := 0
	var pieces []string
	do := func(s string) {
		got := new(extract.Extractor).AppendTokens(nil, s)
		want := plain.Tokens(s)
		if slices.Equal(got, want) {
			return
		}
		bad++
		if bad > 12 {
			t.FailNow()
		}
		i := 0
		for i < len(got) && i < len(want) && got[i] == want[i] {
			i++
		}
		show := func(ts []extract.Token) string {
			if i >= len(ts) {
				return "nothing"
			}
			a, b := max(ts[i].Start-20, 0), min(ts[i].End+20, len(s))
			return fmt.Sprintf("%s %q in %q", ts[i].Class, s[ts[i].Start:ts[i].End], s[a:b])
		}
		t.Errorf("scanner %s\n    plain %s", show(got), show(want))
	}
	for _, tr := range corpora.Transcripts() {
		for _, m := range tr.Messages {
			do(m.Text)
			pieces = append(pieces, m.Text)
		}
	}
	files, _ := filepath.Glob("/work/shared/corpora/transcripts/" + os.Getenv("SHARED"))
	for _, f := range files {
		fh, err := os.Open(f)
		if err != nil {
			continue
		}
		sc := bufio.NewScanner(fh)
		sc.Buffer(nil, 1<<26)
		for sc.Scan() {
			var v struct{ Messages []struct{ Text string } }
			json.Unmarshal(sc.Bytes(), &v)
			for _, m := range v.Messages {
				do(m.Text)
			}
		}
	}
	data, _ := os.ReadFile("testdata/labelled.json")
	var v struct{ Messages []struct{ Part, Text string } }
	json.Unmarshal(data, &v)
	for _, m := range v.Messages {
		if m.Part == "tune" {
			do(m.Text)
			pieces = append(pieces, m.Text)
		}
	}
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 2))
	frag := []string{" ", " ", " ", ".", ",", ":", "::", "://", "/", "\\", "-", "–", "−", "×", "x", "°C", "§", "§§ ", "€", "£ ", "$", "%", "`", "\"", "'", "(", ")", "\n", "1", "24", "404", "2026", "05", "15", "12:30", "am", "UTC", "May", "May", "to", "or", "of", "in", "out", "two", "Twenty-one", "EUR", "p.a", "per", "cent", "files", "open", "ms", "GB", "h", "m", "s", "foo", "Bar", "API", "JFK", "from ", "go", "py", ".go:", "code ", "id=", "order ", "No. ", "ending in ", "e", "E5", "+", "~", "_", "@", "#", "=", "<", "*", "one", "an", "hour", "1.5", ".5", "1,200", "1.234,5", "k", "M", "st", "th", "http", "sha256", "abcdef0", "C:\\", "é", "́", "٣", "\xff", "東", "\u00a0", "\u202f", "KV ", "+47 ", "555 ", "canary-", "api", "only", "s", "1-2", "10-5", "2h", "15m", "Z", "T", "T10:00", "2026-05-01", "1.2.3", "3/4", "10:20:30:4f", "ab:cd:ef:01", "localhost:", "8080"}
	end := time.Now().Add(1 * time.Second)
	n := 0
	for time.Now().Before(end) {
		n++
		var s string
		if rng.IntN(3) > 0 {
			for range 1 + rng.IntN(14) {
				s += frag[rng.IntN(len(frag))]
			}
		} else {
			p := pieces[rng.IntN(len(pieces))]
			if len(p) > 80 {
				a := rng.IntN(len(p) - 60)
				p = p[a : a+60]
			}
			b := []byte(p)
			for range 1 + rng.IntN(6) {
				if len(b) == 0 {
					break
				}
				at := rng.IntN(len(b))
				f := frag[rng.IntN(len(frag))]
				b = append(b[:at:at], append([]byte(f), b[min(at+rng.IntN(4), len(b)):]...)...)
			}
			s = string(b)
		}
		do(s)
	}
	fmt.Println(n, "random texts")
}
