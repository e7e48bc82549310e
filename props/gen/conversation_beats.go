package gen

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// beat draws the next thing that happens.
func (c *conversation) beat() {
	switch c.s.Weighted("beat", 6, 3, 3, 4, 2, 1, 3) {
	case 0:
		c.say([]floor.Role{floor.User, floor.Assistant}[c.s.Weighted("speaker", 5, 3)])
	case 1:
		c.chat()
	case 2:
		c.round()
	case 3:
		c.stretch()
	case 4:
		c.inArgs()
	case 5:
		c.longOutput()
	case 6:
		c.end()
	}
}

// newest draws the last message of a generation.
func (c *conversation) newest() {
	switch c.s.Weighted("newest", 5, 5, 3, 2) {
	case 0:
		c.closing()
	case 1:
		c.s.stop("speaker")
		c.say(floor.User)
	case 2:
		c.round()
	case 3:
		c.pending()
	}
}

// closing draws what a user wants now; or what is to be kept, where nothing is
// yet. Here as in say, round, pending and inArgs three choices stand before
// those of the plant and one behind them: so a plant, and all that follows,
// stays when a shrinker makes a plainer thing of what holds it.
func (c *conversation) closing() {
	c.open(floor.User)
	text := requests[c.s.Choose(len(requests), "request")]
	c.s.stop("separator")
	c.s.stop("another piece")
	p := c.drawPlant()
	c.s.stop("another piece")
	if len(c.plants) == 0 {
		text = c.planting(p, inProse)
	}
	c.add(floor.User, text)
}

// open says who speaks next: it is a user who begins.
func (c *conversation) open(role floor.Role) {
	if len(c.steps) == 0 && role != floor.User && rulesIn(c.messages) == len(c.messages) {
		c.messages = append(c.messages, floor.Message{Role: floor.User, Text: opening})
	}
	c.at = len(c.messages)
}

func (c *conversation) add(role floor.Role, text string) {
	c.messages = append(c.messages, floor.Message{Role: role, Text: text})
}

// say draws a message with a plant in it, with other things around it.
func (c *conversation) say(role floor.Role) {
	c.open(role)
	separator := []string{" ", "\n", "\n\n", "\n- "}[c.s.Weighted("separator", 9, 2, 1, 1)]
	sentences := append(c.pieces(), c.plant(inProse))
	sentences = append(sentences, c.pieces()...)
	c.add(role, strings.Join(sentences, separator))
}

// pieces draws sentences around a plant: small talk, more plants, asides.
func (c *conversation) pieces() (sentences []string) {
	c.s.list(0, 4, 2, "another piece", func(int) bool {
		switch c.s.Weighted("piece", 2, 2, 3) {
		case 0:
			sentences = append(sentences, smallTalk[c.s.Choose(len(smallTalk), "small talk")])
		case 1:
			sentences = append(sentences, c.plant(inProse))
		case 2:
			sentences = append(sentences, asides[c.s.Choose(len(asides), "aside")])
		}
		return true
	})
	return sentences
}

// chat draws small talk, in turn.
func (c *conversation) chat() {
	c.s.list(1, 12, 5, "another turn", func(int) bool {
		role := floor.User
		if n := len(c.messages); n > 0 && c.messages[n-1].Role == floor.User {
			role = floor.Assistant
		}
		c.open(role)
		c.add(role, smallTalk[c.s.Choose(len(smallTalk), "small talk")])
		return true
	})
}

// round draws calls of tools, with their results.
func (c *conversation) round() {
	c.open(floor.Assistant)
	inResult := c.s.Weighted("in result", 2, 1) == 1
	call := floor.Message{Role: floor.Assistant, Text: c.remark()}
	var results []floor.Message
	var p plantChoices
	c.s.list(1, 3, 1, "another call", func(i int) bool {
		use := toolUses[c.s.Choose(len(toolUses), "tool")]
		results = append(results, c.called(&call, use, json.RawMessage(use.args)))
		if i == 0 {
			p = c.drawPlant()
		}
		return true
	})
	if last := len(results) - 1; inResult {
		c.at += 1 + last
		results[last].Text += "\n" + c.planting(p, inLines)
	}
	c.messages = append(append(c.messages, call), results...)
}

// called puts a call into a message, under a name of its own.
func (c *conversation) called(m *floor.Message, use toolUse, args json.RawMessage) (result floor.Message) {
	c.calls++
	id := "c" + strconv.Itoa(c.calls)
	m.Calls = append(m.Calls, floor.Call{ID: id, Name: use.name, Args: args})
	return floor.Message{Role: floor.Tool, Text: use.result, CallID: id}
}

// remark draws what an assistant says while it calls: mostly nothing.
func (c *conversation) remark() string {
	if c.s.Weighted("remark", 3, 1) == 0 {
		return ""
	}
	return "Let me look."
}

// pending draws calls without results: those come first in the next
// generation, if there is one.
func (c *conversation) pending() {
	c.open(floor.Assistant)
	inArgs := c.s.Weighted("in args", 3, 1) == 1
	call := floor.Message{Role: floor.Assistant, Text: c.remark()}
	c.s.list(1, 2, 2, "another call", func(i int) bool {
		tool := c.s.Choose(len(toolUses), "tool")
		use := toolUses[tool]
		args := json.RawMessage(use.args)
		if i == 0 {
			if p := c.drawPlant(); inArgs {
				use = noted[tool%len(noted)]
				args = use.saying(c.planting(p, inLines))
			}
		}
		c.owed = append(c.owed, c.called(&call, use, args))
		return true
	})
	c.messages = append(c.messages, call)
}

// saying are the arguments with a text in them.
func (use toolUse) saying(text string) json.RawMessage {
	return json.RawMessage(strings.ReplaceAll(use.args, "SAID", string(spell(text))))
}

// inArgs draws calls whose arguments say a plant: a whole sentence somewhere in
// them, or nothing but the name or figure.
func (c *conversation) inArgs() {
	c.open(floor.Assistant)
	call := floor.Message{Role: floor.Assistant, Text: c.remark()}
	var results []floor.Message
	c.s.list(1, 3, 1, "another note", func(int) bool {
		bare := c.s.Weighted("bare", 2, 1) == 1
		use := noted[c.s.Choose(len(noted), "note")]
		planted := len(c.plants)
		said := c.plant(inLines)
		if bare && len(c.plants) > planted && c.plants[planted].striking {
			use = setting
			said = c.plants[planted].Forms[0]
			c.plants[planted].said = said
		}
		results = append(results, c.called(&call, use, use.saying(said)))
		return true
	})
	c.messages = append(append(c.messages, call), results...)
}

// longOutput draws a call with pages of output, and plants in single lines of
// it.
func (c *conversation) longOutput() {
	c.open(floor.Assistant)
	call := floor.Message{Role: floor.Assistant, Text: c.remark()}
	c.at = len(c.messages) + 1
	lines := []string{"output of the last run"}
	c.s.list(1, 8, 5, "another page", func(int) bool {
		pattern := logs[c.s.Choose(len(logs), "pattern")]
		c.s.list(0, 40, 7, "another line", func(int) bool {
			if c.s.Weighted("line", 31, 1) == 1 {
				lines = append(lines, c.plant(inLines))
			} else {
				n := len(lines)
				lines = append(lines, fmt.Sprintf(pattern, n%7, n/7%60, n))
			}
			return true
		})
		return true
	})
	result := c.called(&call, logTail, json.RawMessage(logTail.args))
	result.Text = strings.Join(lines, "\n")
	c.messages = append(c.messages, call, result)
}

// stretch draws a stretch of a transcript, unit by unit, and plants woven into
// its turns.
func (c *conversation) stretch() {
	b := base()[c.s.Choose(len(base()), "transcript")]
	from := c.s.Choose(len(b.units), "from")
	c.s.list(0, 24, 7, "another unit", func(i int) bool {
		if from+i >= len(b.units) {
			c.s.stop("woven")
			return false // at its end
		}
		unit := b.units[from+i]
		c.open(unit[0].Role)
		turn := unit[0]
		if c.s.Weighted("woven", 9, 1) == 1 {
			turn.Text = strings.TrimPrefix(turn.Text+"\n"+c.plant(inProse), "\n")
		}
		c.renamed(turn, unit[1:])
		return c.count+len(c.messages) < mostMessages
	})
}

// renamed adds a unit of a transcript, with names for its calls that are this
// conversation's.
func (c *conversation) renamed(turn floor.Message, results []floor.Message) {
	calls := turn.Calls
	turn.Calls = nil
	at := len(c.messages)
	c.messages = append(c.messages, turn)
	for i, call := range calls { // each has its result, in order
		use := toolUse{name: call.Name, result: results[i].Text}
		c.messages = append(c.messages, c.called(&turn, use, call.Args))
	}
	c.messages[at] = turn
}

// end draws a message after which an earlier plant holds no more. Where there
// is none, it is small talk.
func (c *conversation) end() {
	role := []floor.Role{floor.User, floor.Assistant}[c.s.Weighted("speaker", 5, 2)]
	c.open(role)
	back := c.s.Choose(mostLive, "back")
	shape, word := c.s.Choose(2, "shape"), c.s.Choose(mostWords, "word")
	sentence := smallTalk[0]
	if endable := c.endable(); len(endable) > 0 {
		if said, ok := c.endPlant(endable[len(endable)-1-back%len(endable)], shape, word); ok {
			sentence = said
		}
	}
	c.add(role, sentence)
}

// endable are the plants that can be ended, oldest first.
func (c *conversation) endable() (out []int) {
	for i := range c.plants {
		if p := &c.plants[i]; p.Ended == nil && p.ends != "" {
			out = append(out, i)
		}
	}
	return out
}

// joined puts two texts in one paragraph; either may be empty.
func joined(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), " ")
}
