package gen

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/corpora"
	"github.com/floorcheck/floorcheck/floor"
)

// Conversations come in every kind often enough: each class, each end, every
// place in which something can be planted, short and long, over and under.
func TestConversationSpread(t *testing.T) {
	of := map[string]*share{}
	var shares []*share
	band := func(name string, least, most int) {
		of[name] = &share{name, least, most, 0}
		shares = append(shares, of[name])
	}
	for _, class := range planted {
		band("class "+string(class), 10, 70)
	}
	for _, role := range []floor.Role{floor.System, floor.User, floor.Assistant, floor.Tool} {
		band("planted in "+string(role), 10, 95)
	}
	for _, domain := range corpora.Domains {
		band("domain "+domain, 8, 60)
	}
	band("planted in arguments", 10, 60)
	band("ended", 15, 60)
	for _, how := range []floor.End{floor.Withdrawn, floor.Replaced, floor.Completed} {
		band(string(how), 5, 40)
	}
	band("ended in a later generation", 3, 30)
	band("two generations or more", 35, 65)
	band("three generations or more", 15, 30)
	band("five generations", 2, 15)
	band("first: clearly over", 45, 75)
	band("first: between", 10, 30)
	band("first: clearly under", 10, 30)
	band("newest is a user's", 45, 85)
	band("newest is a result", 10, 35)
	band("newest is a pending call", 5, 25)
	band("a decoy", 30, 70)
	band("more than one plant in a message", 20, 70)
	band("capitals", 5, 40)
	band("a wrapped sentence", 5, 40)
	band("letters in two parts", 1, 20)
	band("letters beyond Latin", 2, 40)
	band("long output (over 1000 characters)", 3, 30)
	band("several calls at once", 5, 50)
	band("no plant", 0, 10)
	band("fewer than 4 messages", 2, 25)
	band("4 to 120 messages", 75, 98)
	band("40 messages or more", 5, 35)
	band("100 messages or more", 1, 10)
	band("8 live plants or more", 5, 40)

	domains := map[string]string{} // a turn of a transcript, and where it is from
	for _, tr := range corpora.Transcripts() {
		for _, m := range tr.Messages {
			domains[m.Text] = tr.Domain
		}
	}
	longest, mostCharacters := 0, 0
	for i := range spreadCases {
		d := NewSeeded(3, 0)
		d.Seek(3, 0, uint64(i))
		c := drawConversation(NewSource(d), Full(floor.Guard))
		has := traitsOf(c, domains)
		for name := range has {
			require.Contains(t, of, name)
			of[name].seen++
		}
		longest = max(longest, c.count)
		mostCharacters = max(mostCharacters, c.characters)
	}
	t.Logf("at most %d messages and %d characters", longest, mostCharacters)
	require.Less(t, longest, mostMessages+60)
	require.Less(t, mostCharacters, 100_000)
	requireBands(t, shares, spreadCases)
}

// traitsOf names what a conversation has.
func traitsOf(c *conversation, domains map[string]string) map[string]bool {
	has := map[string]bool{}
	mark := func(name string, yes bool) {
		if yes {
			has[name] = true
		}
	}
	live := 0
	inMessage := map[floor.Place]int{}
	for i := range c.plants {
		p := &c.plants[i]
		m := c.steps[p.Said.Step].Reduce.Messages[p.Said.Message]
		has["class "+string(p.Class)] = true
		has["planted in "+string(m.Role)] = true
		mark("planted in arguments", len(m.Calls) > 0 && !strings.Contains(inOnePart(plainly(m.Text)), plainly(p.said)))
		inMessage[p.Said]++
		mark("more than one plant in a message", inMessage[p.Said] > 1)
		mark("letters beyond Latin", strings.ContainsFunc(p.said, func(r rune) bool { return r > 0x370 && r < 0xa000 && (r < 0x2000 || r > 0x3000) }))
		if p.Ended == nil {
			live++
			continue
		}
		has["ended"], has[string(p.Ended.How)] = true, true
		mark("ended in a later generation", p.Ended.Step > p.Said.Step)
	}
	mark("no plant", len(c.plants) == 0)
	mark("8 live plants or more", live >= 8)
	mark("a decoy", len(c.decoys) > 0)
	mark("two generations or more", len(c.steps) > 1)
	mark("three generations or more", len(c.steps) > 2)
	mark("five generations", len(c.steps) == 5)
	mark("fewer than 4 messages", c.count < 4)
	mark("4 to 120 messages", c.count >= 4 && c.count <= 120)
	mark("40 messages or more", c.count >= 40)
	mark("100 messages or more", c.count >= 100)

	first := c.steps[0].Reduce
	characters, bytes := extent(first.Messages)
	switch target := first.TargetTokens; {
	case int64(characters) > 8*target:
		has["first: clearly over"] = true
	case int64(bytes) < target:
		has["first: clearly under"] = true
	default:
		has["first: between"] = true
	}
	for _, step := range c.steps {
		messages := step.Reduce.Messages
		for _, m := range messages {
			if domain, ok := domains[m.Text]; ok && m.Text != "" {
				has["domain "+domain] = true
			}
			mark("capitals", strings.Contains(m.Text, "DO NOT ") || strings.Contains(m.Text, "YOU MUST ") || strings.Contains(m.Text, " IS STILL OPEN."))
			mark("a wrapped sentence", m.Role != floor.Tool && strings.Contains(m.Text, "\n  "))
			mark("letters in two parts", strings.ContainsAny(m.Text, "\u0301\u0308\u0303\u0327"))
			mark("long output (over 1000 characters)", m.Role == floor.Tool && len(m.Text) > 1000)
			mark("several calls at once", len(m.Calls) > 1)
		}
		last := messages[len(messages)-1]
		mark("newest is a user's", last.Role == floor.User)
		mark("newest is a result", last.Role == floor.Tool)
		mark("newest is a pending call", len(last.Calls) > 0)
	}
	return has
}

// Every transcript is woven in, every plant's words are said, and every list of
// talk is gone through.
func TestEverythingIsSaid(t *testing.T) {
	said := map[string]bool{}
	turns := map[string]bool{}
	for i := range uint64(8000) {
		c, _ := drawn(i, Full(floor.Guard))
		for word := range c.taken {
			said[word] = true
		}
		for _, step := range c.steps {
			for _, m := range step.Reduce.Messages {
				turns[m.Text] = true
			}
		}
	}
	for _, word := range slices.Concat(deeds, provisos, suspects, guesses, tasks, values()) {
		require.True(t, said[word], word)
	}
	for _, tr := range corpora.Transcripts() {
		seen := 0
		for _, m := range tr.Messages {
			if m.Role != floor.System && turns[m.Text] {
				seen++
			}
		}
		require.Greater(t, seen, 4, tr.ID)
	}
}
