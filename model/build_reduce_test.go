package model

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// Targets of which is clear, for the small conversations here, how they stand.
const (
	roomy = int64(100_000)
	tight = int64(1)
)

// A talk builds a reduce case, message by message.
type talk struct{ floor.Case }

func newTalk(target int64) *talk {
	t := &talk{floor.Case{Policy: floor.Guard, Planted: &floor.Planted{}}}
	return t.generation(target)
}

// generation begins the next step.
func (t *talk) generation(target int64) *talk {
	t.Steps = append(t.Steps, floor.Request{Op: floor.OpReduce, Reduce: &floor.ReduceIn{TargetTokens: target}})
	return t
}

func (t *talk) in() *floor.ReduceIn { return t.Steps[len(t.Steps)-1].Reduce }

func (t *talk) here() floor.Place {
	return floor.Place{Step: len(t.Steps) - 1, Message: len(t.in().Messages) - 1}
}

// say has someone say something, and plants what it says.
func (t *talk) say(role floor.Role, text string, plants ...floor.Plant) *talk {
	t.in().Messages = append(t.in().Messages, floor.Message{Role: role, Text: text})
	for _, p := range plants {
		p.Said = t.here()
		t.Planted.Plants = append(t.Planted.Plants, p)
	}
	return t
}

// call has the assistant call a tool, in a message of its own.
func (t *talk) call(id, args string) *talk {
	t.in().Messages = append(t.in().Messages, floor.Message{
		Role: floor.Assistant, Calls: []floor.Call{{ID: id, Name: "run", Args: []byte(args)}},
	})
	return t
}

func (t *talk) result(id, text string, plants ...floor.Plant) *talk {
	t.say(floor.Tool, text, plants...)
	t.in().Messages[t.here().Message].CallID = id
	return t
}

// ends says that a plant ended with the last message.
func (t *talk) ends(id string, how floor.End, by string) *talk {
	for i := range t.Planted.Plants {
		if p := &t.Planted.Plants[i]; p.ID == id {
			p.Ended = &floor.Ended{Place: t.here(), How: how, By: by}
		}
	}
	return t
}

func (t *talk) decoy(e floor.Element) *talk {
	t.Planted.Decoys = append(t.Planted.Decoys, e)
	return t
}

func (t *talk) under(summarizer string) *talk {
	t.Planted.Summarizer = summarizer
	return t
}

// The plants, by class.

func identifier(id, name string) floor.Plant {
	return floor.Plant{Element: floor.Element{ID: id, Class: floor.Identifier, Forms: []string{name}, Match: floor.Exact}}
}

func quantity(id, amount string) floor.Plant {
	return floor.Plant{Element: floor.Element{ID: id, Class: floor.Quantity, Forms: []string{amount}, Match: floor.Exact}}
}

func ban(id, what string) floor.Plant {
	return floor.Plant{Element: floor.Element{
		ID: id, Class: floor.Negation, Inverted: []string{what},
		Forms: []string{"do not " + what, "don't " + what, "never " + what, "must not " + what},
	}}
}

func duty(id, what string) floor.Plant {
	p := floor.Plant{Element: floor.Element{ID: id, Class: floor.Obligation, Forms: []string{"must " + what}}}
	for _, weak := range []string{"should", "could", "may", "might"} {
		p.Shifted = append(p.Shifted, weak+" "+what)
	}
	return p
}

func guess(id, what string) floor.Plant {
	return floor.Plant{
		Element: floor.Element{ID: id, Class: floor.Hypothesis, Forms: []string{"maybe " + what, "perhaps " + what, "possibly " + what}},
		Shifted: []string{what},
	}
}

func order(id, first, second string) floor.Plant {
	told := func(a, b string) []string { return []string{"first " + a + ", then " + b, a + " before you " + b} }
	return floor.Plant{Element: floor.Element{ID: id, Class: floor.Ordering, Forms: told(first, second), Inverted: told(second, first)}}
}

func still(id, task string) floor.Plant {
	return floor.Plant{Element: floor.Element{ID: id, Class: floor.Status, Forms: isOpen(task), Inverted: isDone(task)}}
}

// done has inverted forms, so that even an echo contradicts it where the task
// was open before.
func done(id, task string) floor.Plant {
	return floor.Plant{Element: floor.Element{ID: id, Class: floor.Status, Forms: isDone(task), Inverted: isOpen(task)}}
}

func isOpen(task string) []string {
	return []string{task + " is still open", task + " is open", task + ": open"}
}
func isDone(task string) []string { return []string{task + " is done", task + ": done"} }

func withdrawal(id, what string) floor.Plant {
	return floor.Plant{Element: floor.Element{ID: id, Class: floor.Negation, Forms: []string{what + " is no longer needed"}}}
}

// release is a conversation of two generations that puts every rule to the
// test but the one about failing summarizers.
func release(first, second int64) *talk {
	return newTalk(first).
		say(floor.System, "You release software. You must page the owner.", duty("s1", "page the owner")).
		say(floor.User, "Do not delete the staging bucket. The host is db-7.internal.", ban("n1", "delete the staging bucket"), identifier("i1", "db-7.internal")).
		say(floor.Assistant, "First run the tests, then deploy.", order("o1", "run the tests", "deploy")).
		call("c1", `{"path":"/srv/app","flags":["--dry-run"],"times":2}`).
		result("c1", "A batch is limited to 250 ms.", quantity("q1", "250 ms")).
		say(floor.User, "You must tag the build. Maybe the cache is cold.", duty("d1", "tag the build"), guess("h1", "the cache is cold")).
		say(floor.User, "The backup is still open.", still("t1", "the backup")).
		generation(second).
		say(floor.Assistant, "The backup is done.", done("t2", "the backup")).ends("t1", floor.Completed, "t2").
		say(floor.User, "Use db-9.internal instead of db-7.internal.", identifier("i2", "db-9.internal")).ends("i1", floor.Replaced, "i2").
		say(floor.User, "Forget that: tagging the build is no longer needed.", withdrawal("w1", "tagging the build")).ends("d1", floor.Withdrawn, "w1").
		call("c2", `{}`).
		decoy(floor.Element{ID: "x1", Class: floor.Identifier, Forms: []string{"db-66.internal"}, Match: floor.Exact})
}

// handMadeTalks put every reduce rule to the test.
func handMadeTalks() []floor.Case {
	cases := []floor.Case{
		release(roomy, roomy).Case,
		release(40, 60).Case,
		release(tight, roomy).Case,
		release(roomy, tight).Case,
		rawCase(floor.OpReduce, `{"messages":[]}`),
		newTalk(0).Case,
	}
	for _, summarizer := range failing {
		cases = append(cases, release(40, 60).under(summarizer).Case)
	}
	return cases
}

// scribbleTalk draws small conversations without any plan.
func scribbleTalk(rng *rand.Rand) floor.Case {
	target := func() int64 { return []int64{tight, 30, 60, 120, roomy}[rng.IntN(5)] }
	t := newTalk(target())
	said := scribbled{rng: rng, talk: t, names: map[string]bool{}}
	for generation := range 1 + rng.IntN(4) {
		if generation > 0 {
			t.generation(target())
		}
		for range rng.IntN(5) {
			said.message()
		}
		if rng.IntN(4) == 0 {
			t.call(said.name("call-"), `{"to":"`+said.name("/srv/")+`"}`)
		}
	}
	for range rng.IntN(2) {
		t.decoy(floor.Element{ID: said.name("x"), Class: floor.Identifier, Forms: []string{said.name("ghost-")}, Match: floor.Exact})
	}
	if rng.IntN(2) == 0 {
		t.under(failing[rng.IntN(len(failing))])
	}
	return t.Case
}

type scribbled struct {
	*talk
	rng   *rand.Rand
	names map[string]bool
}

// name is one that no other is part of.
func (s *scribbled) name(prefix string) string {
	for {
		name := fmt.Sprintf("%s%d", prefix, 100+s.rng.IntN(900))
		if !s.names[name] {
			s.names[name] = true
			return name
		}
	}
}

func (s *scribbled) message() {
	role := []floor.Role{floor.System, floor.User, floor.User, floor.Assistant}[s.rng.IntN(4)]
	if s.rng.IntN(4) == 0 {
		id := s.name("call-")
		s.call(id, "{}")
		text, plants := s.sentences()
		s.result(id, text, plants...)
		return
	}
	text, plants := s.sentences()
	s.say(role, text, plants...)
	s.endSomething()
}

func (s *scribbled) sentences() (text string, plants []floor.Plant) {
	told := []string{}
	for range s.rng.IntN(3) {
		sentence, p := s.sentence()
		told, plants = append(told, sentence), append(plants, p...)
	}
	return strings.Join(told, []string{" ", "\n"}[s.rng.IntN(2)]), plants
}

func (s *scribbled) sentence() (string, []floor.Plant) {
	id, what := s.name("p"), "move "+s.name("crate ")
	one := func(text string, p floor.Plant) (string, []floor.Plant) { return text, []floor.Plant{p} }
	switch s.rng.IntN(9) {
	case 0:
		return "All is well so far.", nil
	case 1:
		name := s.name("/etc/app-")
		return one("The file is "+name+".", identifier(id, name))
	case 2:
		amount := s.name("") + " ms"
		return one("The delay is limited to "+amount+".", quantity(id, amount))
	case 3:
		return one(strings.ToUpper(what[:1])+what[1:]+" is fine. Never "+what+" twice.", ban(id, what+" twice"))
	case 4:
		return one("You must "+what+".", duty(id, what))
	case 5:
		return one("Perhaps "+s.names0(what)+" is the cause.", guess(id, s.names0(what)+" is the cause"))
	case 6:
		other := "weigh " + s.name("sack ")
		return one("First "+what+", then "+other+".", order(id, what, other))
	case 7:
		task := s.name("task ")
		return one(task+" is done.", done(id, task))
	}
	task := s.name("task ")
	return one(task+" is still open.", still(id, task))
}

func (s *scribbled) names0(what string) string { return strings.TrimPrefix(what, "move ") }

// endSomething ends a live plant with one more message.
func (s *scribbled) endSomething() {
	step := len(s.Steps) - 1
	live := liveAt(s.Planted.Plants, step)
	if len(live) == 0 || s.rng.IntN(3) > 0 {
		return
	}
	old := s.Planted.Plants[live[s.rng.IntN(len(live))]]
	id := s.name("e")
	switch old.Class {
	case floor.Identifier:
		name := s.name("/etc/new-")
		s.say(floor.User, "Use "+name+" instead of "+old.Forms[0]+".", identifier(id, name)).ends(old.ID, floor.Replaced, id)
	case floor.Obligation:
		s.say(floor.User, "Forget that: "+id+" is no longer needed.", withdrawal(id, id)).ends(old.ID, floor.Withdrawn, id)
	case floor.Status:
		if task, open := strings.CutSuffix(old.Forms[0], " is still open"); open {
			s.say(floor.Assistant, task+" is done.", done(id, task)).ends(old.ID, floor.Completed, id)
		}
	}
}

// reduced answers a case with what an author of outputs makes of each step.
func answeredBy(c floor.Case, author func(step int, asked []floor.Message) floor.ReduceOut) Run {
	t := floor.Trace{Case: c}
	for step := range c.Steps {
		out := author(step, slices.Clone(Asked(t, step)))
		t.Answers = append(t.Answers, floor.Answer{Reduce: &out})
	}
	return Observe(t)
}
