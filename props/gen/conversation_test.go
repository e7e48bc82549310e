package gen

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

// demanding are limits under which all that a subject may ask for is drawn.
func demanding() Limits {
	l := Full(floor.Joint)
	l.Model, l.Summarizers = true, []string{"empty", "refusal", "inverting"}
	l.TriggerMessages, l.TriggerTokens = 20, 1000
	return l
}

// underLimits runs a test under all the limits that matter here.
func underLimits(t *testing.T, test func(t *testing.T, l Limits)) {
	short := Full(floor.Guard)
	short.Generations = 2
	t.Run("full", func(t *testing.T) { test(t, Full(floor.Guard)) })
	t.Run("short", func(t *testing.T) { test(t, short) })
	t.Run("demanding", func(t *testing.T) { test(t, demanding()) })
}

func drawn(seed uint64, l Limits) (*conversation, *Source) {
	d := NewSeeded(11, 0)
	d.Seek(11, 0, seed)
	s := NewSource(d)
	return drawConversation(s, l), s
}

// The plainest conversation is one turn with one plant, clearly over target.
func TestThePlainestConversation(t *testing.T) {
	c, s := KindReduce.Decode(nil, Full(floor.Guard))
	require.Equal(t, []floor.Request{{Op: floor.OpReduce, Reduce: &floor.ReduceIn{
		Messages:     []floor.Message{{Role: floor.User, Text: "Do not delete the staging bucket."}},
		TargetTokens: 3,
	}}}, c.Steps)
	require.Equal(t, &floor.Planted{Plants: []floor.Plant{{Element: floor.Element{
		ID: "p1", Class: floor.Negation, Inverted: []string{"delete the staging bucket"},
		Forms: []string{"do not delete the staging bucket", "don't delete the staging bucket", "never delete the staging bucket", "must not delete the staging bucket"},
	}}}}, c.Planted)
	require.Empty(t, s.Spans())
	require.Equal(t, floor.OpReduce, KindReduce.Op())
	require.False(t, KindReduce.Bad())
	require.Equal(t, KindReduce, Kinds[4], "its stream of choices")
}

// Whatever is drawn is a conversation that a provider would take, and what is
// planted in it is where it is said to be.
func TestConversationsAreWhole(t *testing.T) {
	underLimits(t, func(t *testing.T, l Limits) {
		for i := range uint64(1500) {
			c, _ := drawn(i, l)
			require.NoError(t, whole(c, l), "case %d", i)
		}
	})
}

// A tape is its conversation under any limits, and any bytes are one.
func TestConversationsFromTapesAndBytes(t *testing.T) {
	underLimits(t, func(t *testing.T, l Limits) {
		for i := range uint64(250) {
			c, s := drawn(i, Full(floor.Guard))
			other := drawConversation(NewSource(NewReplay(s.Tape())), l)
			require.NoError(t, whole(other, l), "case %d", i)
			again, r := KindReduce.Decode(s.Tape(), Full(floor.Guard))
			require.Equal(t, spelled(t, c.finished()), spelled(t, again))
			require.Equal(t, s.Tape(), r.Tape())

			data := make([]byte, 40+i)
			for k := range data {
				data[k] = byte(uint64(k*k)*(i+7) + i>>1)
			}
			fromBytes := drawConversation(NewSource(NewBytes(data)), l)
			require.NoError(t, whole(fromBytes, l), "bytes %d", i)
		}
	})
}

// A part that is deleted from a tape leaves the parts behind it where they are,
// and the rest is whole.
func TestPartsOfAConversationCanBeDeleted(t *testing.T) {
	underLimits(t, func(t *testing.T, l Limits) {
		deleted := 0
		for i := range uint64(15) {
			_, s := drawn(i, l)
			for _, span := range s.Spans() {
				tape := slices.Concat(s.Tape()[:span.From], s.Tape()[span.To:])
				r := NewSource(NewReplay(tape))
				c := drawConversation(r, l)
				require.NoError(t, whole(c, l), "case %d without %v", i, span)
				require.Equal(t, tape, r.Tape(), "case %d without %v", i, span)
				deleted++
			}
		}
		require.Greater(t, deleted, 500)
	})
}

// An echo of the whole conversation keeps what is planted in it, at every
// step, and says nothing that would count against it.
func TestAnEchoKeepsWhatIsPlanted(t *testing.T) {
	for i := range uint64(2000) {
		c, _ := drawn(i, Full(floor.Guard))
		var parts []part
		for step := range c.steps {
			for _, m := range c.steps[step].Reduce.Messages {
				parts = append(parts, parted(textsOf(t, m)...)...)
			}
			for k := range c.plants {
				p := &c.plants[k]
				if p.Said.Step > step || p.Ended != nil && p.Ended.Step <= step {
					continue
				}
				forms := occurrences(parts, p.Match, p.Forms)
				require.NotEmpty(t, outside(forms, occurrences(parts, p.Match, p.Inverted)), "case %d: %s is lost", i, p.said)
				require.Empty(t, outside(occurrences(parts, p.Match, p.Inverted), forms), "case %d: %s is inverted", i, p.said)
				require.Empty(t, outside(occurrences(parts, p.Match, p.Shifted), forms), "case %d: %s is shifted", i, p.said)
			}
			for _, d := range c.decoys {
				require.Empty(t, occurrences(parts, d.Match, slices.Concat(d.Forms, d.Inverted)), "case %d: decoy %s", i, d.Forms[0])
			}
		}
	}
}

// Where a subject has a model, each of its summarizers comes, and the perfect
// one; elsewhere none does.
func TestSummarizersAreDrawn(t *testing.T) {
	l := demanding()
	l.Summarizers = append([]string{""}, l.Summarizers...) // the perfect one may be listed, or not
	seen := map[string]int{}
	for i := range uint64(1000) {
		c, _ := drawn(i, l)
		seen[c.finished().Planted.Summarizer]++
		c, _ = drawn(i, Full(floor.Guard))
		require.Empty(t, c.finished().Planted.Summarizer)
	}
	require.Len(t, seen, 4)
	for name, n := range seen {
		require.Greater(t, n, 200, "summarizer %q", name)
	}
}

// A conversation is longer than the subject waits for, unless it is meant to be
// left alone; and what a subject says of itself does not make it endless.
func TestConversationsPassTheTrigger(t *testing.T) {
	tests := []struct {
		name             string
		messages, tokens int
		wantMessages     int
		wantCharacters   int
		cases            uint64
	}{
		{"messages", 20, 0, 21, 0, 60},
		{"tokens", 0, 4000, 0, 8*4000 + 1, 60},
		{"both", 31, 500, 32, 8*500 + 1, 60},
		{"more than anybody would look at", 1 << 50, 1 << 50, mostTriggerMessages + 1, 8*mostTriggerTokens + 1, 12},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := Full(floor.Guard)
			l.TriggerMessages, l.TriggerTokens = tt.messages, tt.tokens
			under, over := 0, 0
			for i := range tt.cases {
				c, _ := drawn(i, l)
				require.NoError(t, whole(c, l), "case %d", i)
				in := c.steps[0].Reduce
				characters, bytes := extent(in.Messages)
				if int64(bytes) < in.TargetTokens {
					under++
					continue
				}
				over++
				require.GreaterOrEqual(t, len(in.Messages), tt.wantMessages)
				require.GreaterOrEqual(t, characters, tt.wantCharacters)
				require.Less(t, len(in.Messages), max(tt.wantMessages, mostMessages)+200)
				require.Less(t, characters, 2*tt.wantCharacters+60_000)
			}
			require.Positive(t, under)
			require.Positive(t, over)
		})
	}
}

// What makes a case interesting is what is left of it after shrinking: half of
// them are as small as can be, and none has more than two messages to spare.
func TestConversationsShrink(t *testing.T) {
	first := func(c *conversation) []floor.Message { return c.steps[0].Reduce.Messages }
	some := func(c *conversation, is func(p *plant) bool) bool {
		return slices.ContainsFunc(c.plants, func(p plant) bool { return is(&p) })
	}
	tests := []struct {
		name             string
		messages, plants int // that are left
		wrong            func(c *conversation) bool
	}{
		{"the oldest message is dropped", 2, 1, func(c *conversation) bool {
			return len(first(c)) > 1 && some(c, func(p *plant) bool { return p.Said == floor.Place{} })
		}},
		{"the newest message is dropped", 2, 1, func(c *conversation) bool {
			return len(first(c)) > 1 && some(c, func(p *plant) bool { return p.Said == floor.Place{Message: len(first(c)) - 1} })
		}},
		{"a rule of the system is dropped", 2, 1, func(c *conversation) bool {
			return some(c, func(p *plant) bool { return p.Said.Step == 0 && first(c)[p.Said.Message].Role == floor.System })
		}},
		{"arguments of a call are dropped", 4, 1, func(c *conversation) bool {
			return some(c, func(p *plant) bool { return len(c.steps[p.Said.Step].Reduce.Messages[p.Said.Message].Calls) > 0 })
		}},
		{"a pending call is dropped", 4, 1, func(c *conversation) bool {
			return len(first(c)[len(first(c))-1].Calls) > 0
		}},
		{"what was replaced comes back", 3, 2, func(c *conversation) bool {
			return some(c, func(p *plant) bool { return p.Ended != nil && p.Ended.How == floor.Replaced })
		}},
		{"a third generation forgets the first", 3, 1, func(c *conversation) bool {
			return len(c.steps) > 2 && some(c, func(p *plant) bool { return p.Said.Step == 0 })
		}},
		{"a result of many lines is cut", 4, 1, func(c *conversation) bool {
			return some(c, func(p *plant) bool {
				m := c.steps[p.Said.Step].Reduce.Messages[p.Said.Message]
				return m.Role == floor.Tool && strings.Count(m.Text, "\n") > 1
			})
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var messages, plants []int
			for i := uint64(0); len(messages) < 21; i++ {
				require.Less(t, i, uint64(2000), "too rare")
				c, s := drawn(i, Full(floor.Guard))
				if !tt.wrong(c) || len(first(c)) < 6 {
					continue
				}
				least := shrink(slices.Clone(s.Tape()), tt.wrong)
				n := 0
				for _, step := range least.steps {
					n += len(step.Reduce.Messages)
				}
				messages, plants = append(messages, n), append(plants, len(least.plants))
			}
			slices.Sort(messages)
			slices.Sort(plants)
			t.Logf("messages %v, plants %v", messages, plants)
			require.Equal(t, tt.messages, messages[len(messages)/2])
			require.LessOrEqual(t, messages[len(messages)-1], tt.messages+2)
			require.Equal(t, tt.plants, plants[len(plants)/2])
			require.LessOrEqual(t, plants[len(plants)-1], tt.plants+1)
		})
	}
}

// shrink deletes parts and makes choices plainer as long as the case stays
// wrong: what conform's shrinker does, in short.
func shrink(tape []int, wrong func(*conversation) bool) *conversation {
	l := Full(floor.Guard)
	decode := func(tape []int) (*conversation, *Source) {
		s := NewSource(NewReplay(tape))
		return drawConversation(s, l), s
	}
	c, s := decode(tape)
	better := func(tape []int) bool {
		other, r := decode(tape)
		if !wrong(other) || slices.Equal(r.Tape(), s.Tape()) {
			return false
		}
		c, s = other, r
		return true
	}
	for again := true; again; {
		again = false
		for i := len(s.Spans()) - 1; i >= 0; i-- {
			if i < len(s.Spans()) {
				span := s.Spans()[i]
				again = better(slices.Concat(s.Tape()[:span.From], s.Tape()[span.To:])) || again
			}
		}
		for i := 0; i < len(s.Tape()); i++ {
			if s.Tape()[i] > 0 {
				plainer := slices.Clone(s.Tape())
				plainer[i] = 0
				again = better(plainer) || again
			}
		}
	}
	return c
}
