package gen

import (
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/floorcheck/floorcheck/corpora"
	"github.com/floorcheck/floorcheck/floor"
)

// The bounds of a conversation in an ordinary run.
const (
	mostGenerations = 5 // protocol 1 has no bound; a chain of five shows what chains show
	mostBeats       = 40
	mostMessages    = 120 // from where on no beat begins
	mostPlants      = 24  // ended ones too
	mostLive        = 12
)

// What a subject says about when it begins to reduce is taken into account up
// to here: more would be a conversation that nobody can look at.
const (
	mostTriggerMessages = 1_000
	mostTriggerTokens   = 100_000
)

// charactersPerToken is how many characters a conversation must have for each
// token of the target to be clearly over it. RULES.md 2d: more than eight.
const charactersPerToken = 9

// Reduce draws a planted conversation, and how short it is to become, once or
// several times over. The plainest is one turn of a user with one plant.
func Reduce(s *Source, l Limits) floor.Case { return drawConversation(s, l).finished() }

// drawConversation draws a conversation, where it is cut into generations, and
// what is nowhere in it. A cut that is deleted from a tape joins two
// generations.
func drawConversation(s *Source, l Limits) *conversation {
	c := &conversation{s: s, limits: l, taken: map[string]bool{}}
	c.summarizer = summarizer(s, l)
	c.rules()
	c.beats(7)
	s.list(0, l.generations()-1, 4, "another generation", func(int) bool {
		s.list(0, 1, 8, "cut", func(int) bool { c.cut(); return true })
		c.beats(5)
		return true
	})
	c.cut()
	c.strangers()
	return c
}

// A conversation is one that is being drawn. What is drawn in its parts is
// always the same number of choices, whatever came before: a shrinker that
// deletes one part leaves the others as they are, as far as it can.
type conversation struct {
	s      *Source
	limits Limits

	summarizer string
	steps      []floor.Request
	messages   []floor.Message // new in the generation that is being drawn
	at         int             // the message that is being drawn, among these
	owed       []floor.Message // results of calls that are pending
	calls      int             // so far, to name them
	count      int             // messages in the generations before, but for padding
	characters int             // in the generations before
	bytes      int             // in the generations before, arguments too

	plants []plant
	decoys []floor.Element
	taken  map[string]bool // words that are in the conversation; they are there once
}

// generations are how many there may be.
func (l Limits) generations() int {
	if l.Generations > 0 {
		return min(l.Generations, mostGenerations)
	}
	return mostGenerations
}

// summarizer draws what a hostile model server does, where there is a model.
func summarizer(s *Source, l Limits) string {
	if !l.Model {
		s.stop("summarizer")
		return ""
	}
	hostile := slices.DeleteFunc(slices.Clone(l.Summarizers), func(name string) bool { return name == "" })
	if i := s.Choose(1+len(hostile), "summarizer"); i > 0 {
		return hostile[i-1]
	}
	return ""
}

// rules draws what the system says: in one message or in several.
func (c *conversation) rules() {
	c.s.list(0, 4, 5, "another rule", func(round int) bool {
		apart := c.s.Weighted("apart", 3, 1) == 1 || round == 0
		if apart {
			c.messages = append(c.messages, floor.Message{Role: floor.System})
		}
		c.at = len(c.messages) - 1
		said := ""
		switch c.s.Weighted("rule", 4, 3, 1) {
		case 0:
			said = c.plant(inProse)
		case 1:
			said = standing[c.s.Choose(len(standing), "standing")]
		case 2:
			said = c.rulesOf(c.s.Choose(len(base()), "transcript"))
		}
		c.messages[c.at].Text = joined(c.messages[c.at].Text, said)
		return true
	})
}

// rulesOf is what the system says in a transcript, or in the next one in which
// it says something.
func (c *conversation) rulesOf(transcript int) string {
	all := base()
	for all[transcript].rules == "" {
		transcript = (transcript + 1) % len(all)
	}
	return all[transcript].rules
}

// beats draws what happens, with odds in eighths that more does, and sometimes
// far more.
func (c *conversation) beats(odds int) {
	body := func(int) bool {
		c.beat()
		return c.count+len(c.messages) < mostMessages
	}
	c.s.list(0, mostBeats, odds, "another beat", body)
	if c.s.Weighted("long", 19, 1) == 1 {
		c.s.list(0, mostBeats, 8, "another beat", body)
	}
}

// cut ends a generation: it draws the newest message and the target with which
// all that is new is asked. What the newest message waits for comes first in
// the next one.
func (c *conversation) cut() {
	c.newest()
	to := aim{c.s.Weighted("target", 6, 2, 2), c.s.Choose(4, "tightness")}
	c.count += len(c.messages)
	if len(c.steps) == 0 && to.kind != clearlyUnder {
		c.pad()
	}
	characters, bytes := extent(c.messages)
	in := &floor.ReduceIn{Messages: c.messages}
	in.TargetTokens = to.target(characters, c.characters, c.bytes+bytes)
	c.steps = append(c.steps, floor.Request{Op: floor.OpReduce, Reduce: in})
	c.characters += characters
	c.bytes += bytes
	c.messages, c.owed = c.owed, nil
}

// extent counts the characters that are said, which is the least that anybody
// counts, and all bytes, which is the most.
func extent(messages []floor.Message) (characters, bytes int) {
	for i := range messages {
		m := &messages[i]
		characters += utf8.RuneCountInString(m.Text)
		bytes += len(m.Text) + len(m.Role) + len(m.CallID)
		for _, call := range m.Calls {
			bytes += len(call.ID) + len(call.Name) + len(call.Args)
		}
	}
	return characters, bytes
}

// The kinds of targets.
const (
	clearlyOver = iota
	between
	clearlyUnder
)

// An aim says how short a conversation is to become.
type aim struct{ kind, tightness int }

// target is in tokens. fresh are the characters of the new messages, before
// those of the messages before them, all the bytes of both. What a subject has
// made of the messages before is not known here: for the plainest target
// nothing is left of them, for others a quarter.
func (a aim) target(fresh, before, all int) int64 {
	characters := fresh
	if a.tightness > 0 {
		characters += before / 4
	}
	target := 0
	switch a.kind {
	case clearlyOver:
		target = characters / []int{charactersPerToken, charactersPerToken, 20, 40}[a.tightness]
	case between:
		target = characters / (2 + a.tightness)
	case clearlyUnder:
		target = all + 1 + []int{0, 1, 100, all}[a.tightness]
	}
	return int64(max(target, 1))
}

// pad draws nothing. It puts small talk in front of the first generation until
// the conversation is long enough for a subject that waits for that.
func (c *conversation) pad() {
	messages := min(c.limits.TriggerMessages, mostTriggerMessages) + 1 - len(c.messages)
	characters, _ := extent(c.messages)
	characters = min(c.limits.TriggerTokens, mostTriggerTokens)*charactersPerToken + 1 - characters
	if c.limits.TriggerMessages <= 0 {
		messages = 0
	}
	if c.limits.TriggerTokens <= 0 {
		characters = 0
	}
	const longest = 2_000 // characters in one message
	messages = max(messages, (characters+longest-1)/longest)
	if messages <= 0 {
		return
	}
	messages += messages % 2 // a user and an assistant, in turn
	each := max(characters, 0)/messages + 1
	padding := make([]floor.Message, 0, messages)
	for i := range messages {
		text := smallTalk[i%len(smallTalk)]
		for next := i + 1; len(text) < each; next++ {
			text += " " + smallTalk[next%len(smallTalk)]
		}
		padding = append(padding, floor.Message{Role: []floor.Role{floor.User, floor.Assistant}[i%2], Text: text})
	}
	front := rulesIn(c.messages)
	c.messages = slices.Insert(c.messages, front, padding...)
	for i := range c.plants {
		p := &c.plants[i]
		p.Said.Message = behind(p.Said.Message, front, len(padding))
		if p.Ended != nil {
			p.Ended.Message = behind(p.Ended.Message, front, len(padding))
		}
	}
}

// behind is where a message stands after n were put in front of it.
func behind(message, front, n int) int {
	if message >= front {
		return message + n
	}
	return message
}

// rulesIn counts the system's messages, which stand at the front.
func rulesIn(messages []floor.Message) (n int) {
	for n < len(messages) && messages[n].Role == floor.System {
		n++
	}
	return n
}

// finished is the case.
func (c *conversation) finished() floor.Case {
	planted := &floor.Planted{Plants: make([]floor.Plant, 0, len(c.plants)), Decoys: c.decoys, Summarizer: c.summarizer}
	for i := range c.plants {
		planted.Plants = append(planted.Plants, c.plants[i].Plant)
	}
	return floor.Case{Policy: c.limits.Policy, Steps: c.steps, Planted: planted}
}

// A baseConversation is a transcript as it is woven in: unit by unit, a unit
// being a message, or calls with their results.
type baseConversation struct {
	domain string
	rules  string
	units  [][]floor.Message
}

// base is read once.
var base = sync.OnceValue(func() []baseConversation {
	var out []baseConversation
	for _, t := range corpora.Transcripts() {
		b := baseConversation{domain: t.Domain}
		for _, m := range t.Messages {
			switch {
			case m.Role == floor.System:
				b.rules = joined(b.rules, m.Text)
			case m.Role == floor.Tool:
				last := len(b.units) - 1
				b.units[last] = append(b.units[last], m)
			default:
				b.units = append(b.units, []floor.Message{m})
			}
		}
		out = append(out, b)
	}
	return out
})
