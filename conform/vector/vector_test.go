package vector

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/conform/blackbox"
	"github.com/floorcheck/floorcheck/conform/reference"
	"github.com/floorcheck/floorcheck/docs"
	"github.com/floorcheck/floorcheck/floor"
	"github.com/floorcheck/floorcheck/model"
)

var update = flag.Bool("update", false, "add new ids to testdata/ids.txt")

func everyVector() (all []Vector) {
	for _, f := range All() {
		all = append(all, f.Vectors...)
	}
	return all
}

func byID(t *testing.T, id string) Vector {
	t.Helper()
	for _, v := range everyVector() {
		if v.ID == id {
			return v
		}
	}
	t.Fatalf("there is no vector %s", id)
	return Vector{}
}

func (v Vector) is(f Flag) bool { return slices.Contains(v.Flags, f) }

func (v Vector) wrongBy(by By) (Given, bool) {
	i := slices.IndexFunc(v.Wrong, func(g Given) bool { return g.By == by })
	if i < 0 {
		return Given{}, false
	}
	return v.Wrong[i], true
}

// Every expectation is derived again, and every answer breaks just what the
// vector says.
func TestEveryVectorHolds(t *testing.T) {
	for _, v := range everyVector() {
		problems, err := Check(t.Context(), v, reference.New(v.Case.Policy))
		require.NoError(t, err)
		require.Empty(t, problems)
	}
}

// An id stays for ever: none that was given goes, and none gets another name.
func TestIDsStay(t *testing.T) {
	path := filepath.Join("testdata", "ids.txt")
	var ids []string
	for _, v := range everyVector() {
		ids = append(ids, v.ID)
	}
	slices.Sort(ids)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(strings.Join(ids, "\n")+"\n"), 0o644))
	}
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, strings.Fields(string(data)), ids)
	require.Len(t, slices.Compact(slices.Clone(ids)), len(ids))
}

// Each vector cites a requirement that there is, and one from the wild the
// requirement that was made of its report.
func TestRequirementsAreCited(t *testing.T) {
	rows := map[string]docs.Requirement{}
	for _, r := range docs.ParseRequirements() {
		rows[r.ID] = r
	}
	for _, v := range everyVector() {
		row, there := rows[v.Requirement]
		require.True(t, there, "%s cites %s", v.ID, v.Requirement)
		if v.Wild != nil {
			require.Contains(t, row.Source, v.Wild.Report, "%s cites %s", v.ID, v.Requirement)
		}
	}
}

// The page that tells of the vectors counts them.
func TestThePageCounts(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "vectors.md"))
	require.NoError(t, err)
	expected, right, wrong := 0, 0, 0
	for _, v := range everyVector() {
		expected += len(v.Expect)
		right += len(v.Right)
		wrong += len(v.Wrong)
	}
	all := len(everyVector())
	require.Contains(t, string(page), fmt.Sprintf("%d vectors of %d families, and their schema; %d files", all, len(All()), len(All())+1))
	require.Contains(t, string(page), fmt.Sprintf("%d vectors · %d expected answers derived twice · %d right answers and %d wrong", all, expected, right, wrong))
	for _, flag := range []Flag{FromWild, IsTwin, Structural, ShouldOnly, Boundary, BadRequest} {
		require.Contains(t, string(page), "`"+string(flag)+"`")
	}
}

// All 56 cases from the wild are told again, each as a vector of its own, and
// what its report did is among the wrong answers, or is what whoever believes the
// summary does.
func TestEveryWildCaseIsTold(t *testing.T) {
	told := map[string]string{}
	for _, v := range everyVector() {
		require.Equal(t, v.Wild != nil, v.is(FromWild), v.ID)
		if v.Wild == nil {
			continue
		}
		require.NotContains(t, told, v.Wild.Case, v.ID)
		told[v.Wild.Case] = v.ID
		_, reported := v.wrongBy(AsReported)
		_, believed := v.wrongBy(Believing)
		require.True(t, reported || believed, v.ID)
		require.Equal(t, v.Case.Op() == floor.OpReduce, reported && !believed, v.ID)
	}
	require.Len(t, told, 56)
}

// Flags say what is so: structural failures stay wrong when they are marked or
// the source can be read again, and to others only rules object that ought to be
// kept.
func TestFlagsAreTrue(t *testing.T) {
	for _, v := range everyVector() {
		require.True(t, slices.IsSorted(v.Flags), v.ID)
		require.Equal(t, v.Twin != nil, v.is(IsTwin), v.ID)
		require.Equal(t, v.Case.Op() != floor.OpReduce && v.Expect[0].Err != nil, v.is(BadRequest), v.ID)
		reported, there := v.wrongBy(AsReported)
		if v.Case.Op() != floor.OpReduce {
			require.False(t, v.is(ShouldOnly), v.ID)
			if v.is(Structural) {
				twin := byID(t, v.ID+"/recoverable")
				require.Equal(t, floor.Refuse, twin.Expect[0].Compact.Decision, v.ID)
			}
			continue
		}
		require.True(t, there, v.ID)
		_, marked := v.wrongBy(Marked)
		require.Equal(t, marked, v.is(Structural), v.ID)
		require.Equal(t, !slices.ContainsFunc(reported.Breaks, isMust), v.is(ShouldOnly), v.ID)
	}
}

func isMust(rule string) bool {
	r, ok := model.Lookup(rule)
	return !ok || r.Keyword == model.Must
}

// A twin is its vector but for what it says was changed, and has the answer that
// this asks for.
func TestTwinsAreTwins(t *testing.T) {
	twins := 0
	for _, v := range everyVector() {
		if v.Twin == nil {
			if in := v.Case.Steps[0].Compact; v.Wild != nil && in != nil && !in.SourceRecoverable {
				byID(t, v.ID+"/recoverable")
			}
			continue
		}
		twins++
		of := byID(t, v.Twin.Of)
		require.Equal(t, of.Requirement, v.Requirement, v.ID)
		require.Equal(t, of.Case.Policy, v.Case.Policy, v.ID)
		a, b := fields(t, of), fields(t, v)
		switch v.Twin.How {
		case Recoverable:
			require.Equal(t, of.ID+"/recoverable", v.ID)
			require.Equal(t, false, a["source_recoverable"], v.ID)
			a["source_recoverable"] = true
			require.Equal(t, a, b, v.ID)
			out := v.Expect[0].Compact
			if out.Decision != floor.Refuse {
				require.Equal(t, floor.Provisional, out.Decision, v.ID)
				require.Equal(t, floor.BasisRecoverable, out.Basis, v.ID)
			}
			require.Equal(t, floor.Refuse, of.Expect[0].Compact.Decision, v.ID)
		case Echoed:
			require.Equal(t, of.ID+"/certified", v.ID)
			for _, m := range []map[string]any{a, b} {
				delete(m, "output")
				delete(m, "summaries")
			}
			require.Equal(t, a, b, v.ID)
			requireEchoed(t, of, v)
		default:
			t.Fatalf("%s: changed how? %q", v.ID, v.Twin.How)
		}
	}
	require.Greater(t, twins, 40)
}

// requireEchoed wants every load-bearing span to be said word for word, and to be
// certified where in the vector itself it is not.
func requireEchoed(t *testing.T, of, v Vector) {
	t.Helper()
	if in := v.Case.Steps[0].Certify; in != nil {
		said := append([]string{in.Output.Text}, in.Output.Pins...)
		require.Equal(t, floor.SummaryStatus(""), in.Output.Status, v.ID)
		for _, span := range in.Source {
			require.True(t, len(span.Elements) == 0 || holds(said, span.Text), "%s: %s", v.ID, span.Text)
		}
		require.ElementsMatch(t, in.Required, v.Expect[0].Certify.Certified, v.ID)
		require.Less(t, len(of.Expect[0].Certify.Certified), len(in.Required), v.ID)
		return
	}
	in := v.Case.Steps[0].Compact
	require.Len(t, in.Summaries, 1, v.ID)
	require.Equal(t, of.Case.Steps[0].Compact.Summaries[0].Of, in.Summaries[0].Of, v.ID)
	for _, span := range in.Spans {
		covered := slices.Contains(in.Summaries[0].Of, span.ID)
		require.True(t, !covered || len(span.Elements) == 0 || holds([]string{in.Summaries[0].Text}, span.Text), "%s: %s", v.ID, span.Text)
	}
	out := v.Expect[0].Compact
	require.Equal(t, floor.Certified, out.Decision, v.ID)
	require.NotEmpty(t, out.Evicted, v.ID)
	require.ElementsMatch(t, in.Required, out.Contract.Certified, v.ID)
	require.NotEqual(t, floor.Certified, of.Expect[0].Compact.Decision, v.ID)
}

func holds(said []string, text string) bool {
	return slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, text) })
}

// fields is what the one step of a vector asks.
func fields(t *testing.T, v Vector) (in map[string]any) {
	t.Helper()
	require.Len(t, v.Case.Steps, 1, v.ID)
	data, err := v.Case.Steps[0].In()
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &in))
	return in
}

// The answers that a vector gives as somebody's are what that subject answers,
// and where the vector gives none of it the subject does no wrong: so keep-last,
// a fluent compactor and one that believes every summary fail just the vectors
// that they should.
func TestSubjectsFailWhatTheyShould(t *testing.T) {
	failed := map[By]int{}
	for _, v := range everyVector() {
		subjects := map[By]func() conform.Subject{Believing: believing}
		if v.Case.Op() == floor.OpReduce {
			subjects = map[By]func() conform.Subject{KeepLast: keepLast, Fluent: fluent}
		}
		for by, subject := range subjects {
			if v.is(BadRequest) {
				continue // whoever reads requests strictly gives an error here
			}
			answers, err := ask(t.Context(), subject(), v.Case)
			require.NoError(t, err)
			breaks, _ := Breaks(v.Case, answers)
			given, there := v.wrongBy(by)
			require.Equal(t, len(breaks) > 0, there, "%s: %s breaks %v", v.ID, by, breaks)
			if !there {
				continue
			}
			failed[by]++
			require.Equal(t, given.Breaks, breaks, "%s: %s", v.ID, by)
			require.Equal(t, wire(t, given.Answers), wire(t, answers), "%s: %s", v.ID, by)
		}
	}
	// Of 25 conversations keep-last and the fluent one pass those in which all
	// that counts is said by the system or last: what went wrong there was
	// something else.
	t.Logf("failed: believing %d, keep-last %d, fluent %d", failed[Believing], failed[KeepLast], failed[Fluent])
	require.GreaterOrEqual(t, failed[Believing], 90)
	require.GreaterOrEqual(t, failed[KeepLast], 15)
	require.GreaterOrEqual(t, failed[Fluent], 15)
}

func wire(t *testing.T, answers []floor.Answer) (lines []string) {
	t.Helper()
	for _, a := range answers {
		line, err := json.Marshal(a)
		require.NoError(t, err)
		lines = append(lines, string(line))
	}
	return lines
}

// Who does it right is not objected to, by rules that compare two runs either:
// the reference, and the black boxes that are correct, each in a way of its own.
func TestCorrectSubjectsHold(t *testing.T) {
	asked := map[string]int{}
	hold := func(v Vector, s conform.Subject) {
		breaks, err := conform.Objections(t.Context(), s, model.Rules(), v.Case)
		require.NoError(t, err)
		require.Empty(t, breaks, "%s: %s", v.ID, s.Hello().Name)
		asked[s.Hello().Name]++
	}
	for _, v := range everyVector() {
		if v.Case.Op() != floor.OpReduce {
			hold(v, reference.New(v.Case.Policy))
			continue
		}
		for _, box := range blackbox.All() {
			if box.Correct {
				hold(v, box.New())
			}
		}
	}
	require.Len(t, asked, 5)
	require.Greater(t, asked["reference"], 150)
	require.Equal(t, len(Cases(floor.OpReduce)), asked["blackbox/guarded"])
}

// The answers that a vector derives from others are what they say they are.
func TestOtherAnswersAreWhatTheySay(t *testing.T) {
	for _, v := range everyVector() {
		reported, _ := v.wrongBy(AsReported)
		for _, g := range slices.Concat(v.Right, v.Wrong) {
			switch g.By {
			case Echo:
				for step, a := range g.Answers {
					asked := model.Asked(floor.Trace{Case: v.Case, Answers: g.Answers}, step)
					require.Equal(t, asked, a.Reduce.Messages, v.ID)
					require.Equal(t, floor.NoMark, a.Reduce.Mark, v.ID)
				}
			case Marked:
				last := len(g.Answers) - 1
				require.Equal(t, floor.MarkProvisional, g.Answers[last].Reduce.Mark, v.ID)
				require.Equal(t, reported.Answers[last].Reduce.Messages, g.Answers[last].Reduce.Messages, v.ID)
			case Refusing:
				for _, a := range g.Answers {
					require.True(t, a.Reduce.Refused, v.ID)
				}
			case Shorter:
				last := len(g.Answers) - 1
				asked := model.Asked(floor.Trace{Case: v.Case, Answers: g.Answers}, last)
				require.Less(t, len(g.Answers[last].Reduce.Messages), len(asked), v.ID)
			}
		}
	}
}

// A vector that is spoiled does not hold: another expectation, a right answer
// that is none, a rule too many or too few, an engine that is wrong.
func TestCheckFindsWhatIsWrong(t *testing.T) {
	problems := func(v Vector, engine conform.Subject) []Problem {
		found, err := Check(t.Context(), v, engine)
		require.NoError(t, err)
		return found
	}
	count := map[string]int{}
	for _, v := range everyVector() {
		engine := reference.New(v.Case.Policy)
		for _, g := range v.Wrong {
			spoiled := v
			if v.Case.Op() == floor.OpReduce {
				spoiled.Right = []Given{{g.By, g.Answers, nil}}
			} else {
				spoiled.Expect = g.Answers
			}
			found := problems(spoiled, engine)
			require.NotEmpty(t, found, "%s: the answer of %s as if it were right", v.ID, g.By)
			require.False(t, found[0].Ours)
			count["taken for right"]++

			require.True(t, slices.IsSorted(g.Breaks), v.ID)
			for _, breaks := range [][]string{g.Breaks[1:], append(slices.Clone(g.Breaks), "session/atomic"), nil} {
				spoiled = v
				spoiled.Wrong = []Given{{g.By, g.Answers, breaks}}
				require.NotEmpty(t, problems(spoiled, engine), "%s: %s", v.ID, g.By)
				count["other rules"]++
			}
		}
		if v.Case.Op() != floor.OpReduce {
			other := floor.Answer{Err: &floor.AnswerError{Code: floor.BadRequestCode}}
			if v.is(BadRequest) {
				other = floor.Answer{Err: &floor.AnswerError{Code: floor.InternalCode}}
			}
			liar := conform.Subject(&fixed{Subject: engine, answer: other})
			found := problems(v, liar)
			require.NotEmpty(t, found, v.ID)
			require.True(t, found[0].Ours, v.ID)
			count["engines that are wrong"]++
		}
	}
	for _, kind := range []string{"taken for right", "other rules", "engines that are wrong"} {
		require.Greater(t, count[kind], 100, kind)
	}
}

// fixed gives one answer to everything.
type fixed struct {
	conform.Subject
	answer floor.Answer
}

func (f *fixed) Ask(_ context.Context, requests []floor.Request) (answers []floor.Answer, err error) {
	for range requests {
		answers = append(answers, f.answer)
	}
	return answers, nil
}

// Small differences in an answer that every rule would pass over are seen too.
func TestDifferLooksAtMeaning(t *testing.T) {
	v := byID(t, "content/two-bans")
	want := v.Expect[0]
	spell := func(change func(out *floor.CertifyOut)) floor.Answer {
		out := *want.Certify
		change(&out)
		return floor.Answer{Certify: &out}
	}
	same := spell(func(out *floor.CertifyOut) {
		out.Lost = []string{out.Lost[1], out.Lost[0], out.Lost[1]}
		out.Fidelity = []floor.Fidelity{{Class: "negation", Retained: 0, Total: 7}, {Class: "identifier", Retained: 3, Total: 3}}
	})
	require.Empty(t, Differ(v.Case, 0, want, same))
	for _, change := range []func(out *floor.CertifyOut){
		func(out *floor.CertifyOut) { out.Lost = out.Lost[:1] },
		func(out *floor.CertifyOut) { out.Inverted = nil },
		func(out *floor.CertifyOut) { out.Certified = append(slices.Clone(out.Certified), "negation") },
		func(out *floor.CertifyOut) {
			out.Fidelity = []floor.Fidelity{{Class: "identifier", Retained: 1, Total: 1}}
		},
		func(out *floor.CertifyOut) { out.Fabricated = []string{"d1"} },
	} {
		require.NotEmpty(t, Differ(v.Case, 0, want, spell(change)))
	}
	bad := floor.Answer{Err: &floor.AnswerError{Code: floor.BadRequestCode, Message: "one"}}
	require.Empty(t, Differ(v.Case, 0, bad, floor.Answer{Err: &floor.AnswerError{Code: floor.BadRequestCode, Message: "another"}}))
	require.NotEmpty(t, Differ(v.Case, 0, bad, want))
	require.NotEmpty(t, Differ(v.Case, 0, bad, floor.Answer{Err: &floor.AnswerError{Code: floor.InternalCode}}))
	require.NotEmpty(t, Differ(v.Case, 0, want, floor.Answer{Broken: floor.Crash}))
}

// The cases of an op are those of all its vectors, in the order of their ids, and
// stand on the wire as a generated case does: in words, but for bad requests.
func TestCases(t *testing.T) {
	all := everyVector()
	slices.SortFunc(all, func(a, b Vector) int { return strings.Compare(a.ID, b.ID) })
	total := 0
	for _, op := range []floor.Op{floor.OpDecide, floor.OpDerive, floor.OpCertify, floor.OpCompact, floor.OpReduce} {
		var want []floor.Case
		for _, v := range all {
			if v.Case.Op() == op {
				want = append(want, v.Case)
			}
		}
		cases := Cases(op)
		require.Equal(t, want, cases)
		total += len(cases)
		for _, c := range cases {
			data, err := json.Marshal(c)
			require.NoError(t, err)
			require.NotContains(t, string(data), "\n", "a line of the wire")
			var again floor.Case
			require.NoError(t, json.Unmarshal(data, &again))
			require.Equal(t, c, again)
		}
	}
	require.Equal(t, len(all), total)
	for _, v := range all {
		for _, step := range v.Case.Steps {
			require.True(t, step.Raw == nil || v.is(BadRequest), v.ID)
		}
	}
}

func TestParse(t *testing.T) {
	const vectorOf = `{"id": "a/b", "title": "t", "requirement": "W-01", "flags": [], "policy": "guard", "op": "certify",
		"steps": [{"in": {"source": [], "output": {"text": "x"}, "required_classes": []}}],
		"expect": [{"out": {"certified_classes": [], "fidelity": [], "lost": [], "inverted": [], "fabricated": []}}]}`
	file := func(vectors string) string {
		return `{"format": "` + Format + `", "family": "a", "about": "x", "vectors": [` + vectors + `]}`
	}
	with := func(old, new string) string {
		require.Contains(t, vectorOf, old)
		return file(strings.Replace(vectorOf, old, new, 1))
	}
	f, err := Parse([]byte(file(vectorOf)))
	require.NoError(t, err)
	require.Equal(t, floor.OpCertify, f.Vectors[0].Case.Op())
	require.Nil(t, f.Vectors[0].Case.Steps[0].Raw, "how the JSON is laid out means nothing")

	tests := []struct{ name, data, want string }{
		{"no JSON", "nonsense", "is no file of vectors"},
		{"something behind it", file(vectorOf) + "{}", "something stands behind"},
		{"another format", strings.Replace(file(vectorOf), Format, "other/1", 1), `format: must be "floorcheck-vectors/1"`},
		{"an unknown field", with(`"title"`, `"titel"`), "unknown field"},
		{"an id of another family", with(`"a/b"`, `"b/b"`), `id: must begin with "a/"`},
		{"an id twice", file(vectorOf + "," + vectorOf), `"a/b" must come after "a/b"`},
		{"a policy that there is not", with(`"guard"`, `"both"`), "policy: must be guard or joint"},
		{"an op that has no vectors", with(`"certify"`, `"decide"`), "op: must be certify, compact or reduce"},
		{"no steps", with(`"steps": [{"in": {"source": [], "output": {"text": "x"}, "required_classes": []}}]`, `"steps": []`), "steps: must hold at least one"},
		{"a step without a request", with(`{"in": {"source": [], "output": {"text": "x"}, "required_classes": []}}`, `{}`), "steps[0]: in"},
		{"no expectation", with(`[{"out": {"certified_classes": [], "fidelity": [], "lost": [], "inverted": [], "fabricated": []}}]`, `[]`), "expect: must hold one answer for each step"},
		{"an answer that is neither", with(`{"out": {"certified_classes": [], "fidelity": [], "lost": [], "inverted": [], "fabricated": []}}`, `{}`), "must have either out or error"},
		{"an answer of another op", with(`"certified_classes": []`, `"certified_classes": 3`), "expect: answer 0"},
		{"an answer too many", with(`"expect": [`, `"expect": [{"error": {"code": "bad_request"}}, `), "expect: must hold one answer for each step"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse([]byte(tt.data))
			require.ErrorContains(t, err, tt.want)
		})
	}
}

// A wildCase is a case as the collection tells it, which is not part of the
// project.
type wildCase struct {
	ID      string `json:"id"`
	Source  string `json:"source"`
	Symptom string `json:"symptom"`
	Spans   []struct {
		Text     string   `json:"text"`
		Elements []string `json:"load_bearing_elements"`
	} `json:"spans"`
	BadOutput string `json:"bad_output"`
	Verdict   string `json:"right_verdict"`
	Note      string `json:"note"`
}

// wildCases reads the collection where it lies beside the project; nil where it
// does not.
func wildCases(t *testing.T) (cases []wildCase) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "corpora", "wild", "cases.jsonl"))
	if os.IsNotExist(err) {
		return nil
	}
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		var c wildCase
		require.NoError(t, json.Unmarshal([]byte(line), &c))
		cases = append(cases, c)
	}
	require.Len(t, cases, 56)
	return cases
}

// Beside the collection: each of its cases is told by a vector, whose right
// answer is the verdict of the case.
func TestWildVerdicts(t *testing.T) {
	cases := wildCases(t)
	if cases == nil {
		t.Skip("the collection is not here; that 56 are told is tested without it")
	}
	told := map[string]Vector{}
	for _, v := range everyVector() {
		if v.Wild != nil {
			told[v.Wild.Case] = v
		}
	}
	for _, c := range cases {
		v, there := told[c.ID]
		require.True(t, there, c.ID)
		require.Equal(t, c.Source, v.Wild.Report, c.ID)
		verdict := strings.Trim(strings.Fields(c.Verdict)[0], ":")
		switch v.Case.Op() {
		case floor.OpCompact:
			require.Equal(t, verdict, string(v.Expect[0].Compact.Decision), "%s: %s", c.ID, v.ID)
		case floor.OpCertify: // there is no decision: what is required may not be certified
			require.Equal(t, string(floor.Refuse), verdict, c.ID)
			require.Less(t, len(v.Expect[0].Certify.Certified), len(v.Case.Steps[0].Certify.Required), "%s: %s", c.ID, v.ID)
		case floor.OpReduce:
			reported, _ := v.wrongBy(AsReported)
			require.NotEmpty(t, reported.Breaks, "%s: %s", c.ID, v.ID)
		}
	}
}

// Beside the collection: nothing that it says stands in a vector, and no text of
// a vector is one of its.
func TestNothingIsCopied(t *testing.T) {
	cases := wildCases(t)
	if cases == nil {
		t.Skip("the collection is not here")
	}
	theirs := map[string]string{}
	for _, c := range cases {
		texts := []string{c.Symptom, c.BadOutput, c.Verdict, c.Note}
		for _, s := range c.Spans {
			texts = append(append(texts, s.Text), s.Elements...)
		}
		for _, text := range texts {
			if text = plain(text); isTelling(text) {
				theirs[text] = c.ID
			}
			for _, sentence := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(".;:!?\n", r) }) {
				if sentence = plain(sentence); strings.Count(sentence, " ") >= 3 {
					theirs[sentence] = c.ID
				}
			}
		}
	}
	require.Greater(t, len(theirs), 200)
	for _, f := range All() {
		seen := map[string]bool{}
		for _, ours := range texts(t, f.Family) {
			ours = " " + plain(ours) + " "
			if seen[ours] {
				continue
			}
			seen[ours] = true
			for text, id := range theirs {
				if strings.Contains(ours, " "+text+" ") {
					t.Errorf("%s: %q is in %q, as in %s", f.Family, text, ours, id)
				}
			}
		}
	}
}

// isTelling: it is more than a word of the language.
func isTelling(text string) bool {
	return len(text) >= 4 && strings.ContainsFunc(text, func(r rune) bool { return r < 'a' || r > 'z' })
}

// plain makes two texts that a reader takes for the same the same.
func plain(text string) string { return strings.Join(strings.Fields(strings.ToLower(text)), " ") }

// texts are all strings of a family's file, but for the names of reports.
func texts(t *testing.T, family string) (found []string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "corpora", "vectors", family+".json"))
	require.NoError(t, err)
	var tree any
	require.NoError(t, json.Unmarshal(data, &tree))
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			found = append(found, v)
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			for name, item := range v {
				if name != "wild" {
					walk(item)
				}
			}
		}
	}
	walk(tree)
	require.NotEmpty(t, found)
	return found
}

func ExampleCases() {
	for _, c := range Cases(floor.OpReduce)[:1] {
		fmt.Println(c.Op(), len(c.Steps))
	}
	// Output: reduce 1
}
