package gen

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// whole says what is wrong with a conversation.
func whole(c *conversation, l Limits) error {
	final := c.finished()
	if n := len(final.Steps); n < 1 || n > l.generations() {
		return fmt.Errorf("%d generations", n)
	}
	if final.Policy != l.Policy || final.Op() != floor.OpReduce {
		return fmt.Errorf("policy %s, op %s", final.Policy, final.Op())
	}
	if err := travels(final); err != nil {
		return err
	}
	if err := legal(final); err != nil {
		return err
	}
	if err := soundPlants(c); err != nil {
		return err
	}
	all := c.everything()
	for i, d := range final.Planted.Decoys {
		if d.ID != fmt.Sprintf("d%d", i+1) {
			return fmt.Errorf("decoy %d is called %s", i, d.ID)
		}
		for _, form := range slices.Concat(d.Forms, d.Inverted) {
			if strings.Contains(all, plainly(form)) {
				return fmt.Errorf("decoy %q is in the conversation", form)
			}
		}
	}
	return nil
}

// travels says whether a case is the same after it was written and read.
func travels(c floor.Case) error {
	for i, step := range c.Steps {
		if err := step.Reduce.Validate(); err != nil {
			return err
		}
		if step.Reduce.TargetTokens < 1 {
			return fmt.Errorf("step %d: target %d", i, step.Reduce.TargetTokens)
		}
		in, err := step.In()
		if err != nil {
			return err
		}
		if floor.ParseRequest(floor.OpReduce, in).Raw != nil {
			return fmt.Errorf("step %d is not spelled as it is read: %s", i, in)
		}
	}
	return nil
}

// legal says which message stands where none may.
func legal(c floor.Case) error {
	spoke := false // somebody other than the system
	ids := map[string]bool{}
	var owed []string
	for i, step := range c.Steps {
		if len(step.Reduce.Messages) == 0 {
			return fmt.Errorf("step %d is empty", i)
		}
		for k, m := range step.Reduce.Messages {
			at := fmt.Sprintf("step %d, message %d (%s %q)", i, k, m.Role, m.Text)
			switch {
			case m.Text == "" && len(m.Calls) == 0:
				return fmt.Errorf("%s says nothing", at)
			case m.Role == floor.System && spoke:
				return fmt.Errorf("%s is late", at)
			case m.Role != floor.System && !spoke && m.Role != floor.User:
				return fmt.Errorf("%s is first", at)
			case m.Role == floor.Tool && (len(owed) == 0 || owed[0] != m.CallID):
				return fmt.Errorf("%s is a result of none of %v", at, owed)
			case m.Role != floor.Tool && (len(owed) > 0 || m.CallID != ""):
				return fmt.Errorf("%s stands before the results of %v", at, owed)
			case m.Role != floor.Assistant && len(m.Calls) > 0:
				return fmt.Errorf("%s calls", at)
			}
			spoke = spoke || m.Role != floor.System
			if m.Role == floor.Tool {
				owed = owed[1:]
			}
			for _, call := range m.Calls {
				if ids[call.ID] || call.Name == "" {
					return fmt.Errorf("%s has call %s %q", at, call.ID, call.Name)
				}
				ids[call.ID] = true
				owed = append(owed, call.ID)
			}
		}
	}
	if !spoke {
		return fmt.Errorf("nobody speaks")
	}
	return nil
}

// soundPlants says which plant is not where it is said to be, or does not end
// as it is said to.
func soundPlants(c *conversation) error {
	live := 0
	byID := map[string]*plant{}
	for i := range c.plants {
		p := &c.plants[i]
		if p.ID != fmt.Sprintf("p%d", i+1) {
			return fmt.Errorf("plant %d is called %s", i, p.ID)
		}
		byID[p.ID] = p
		if !isSaid(c, p) {
			return fmt.Errorf("%q is not said at %v", p.said, p.Said)
		}
		if len(occurrences(parted(p.said), p.Match, p.Forms)) == 0 {
			return fmt.Errorf("%q says none of %q", p.said, p.Forms)
		}
		if !marked(p.said) {
			return fmt.Errorf("%q has no mark that tells it from small talk", p.said)
		}
		if p.Ended == nil {
			live++
		}
	}
	if live > mostLive {
		return fmt.Errorf("%d live plants", live)
	}
	for i := range c.plants {
		p := &c.plants[i]
		if p.Ended == nil {
			continue
		}
		by := byID[p.Ended.By]
		switch {
		case by == nil:
			return fmt.Errorf("%q is ended by %s, which is not there", p.said, p.Ended.By)
		case by.Said != p.Ended.Place:
			return fmt.Errorf("%q is ended at %v, %q is said at %v", p.said, p.Ended.Place, by.said, by.Said)
		case by.Said.Step < p.Said.Step, by.Said.Step == p.Said.Step && by.Said.Message <= p.Said.Message:
			return fmt.Errorf("%q is ended before it is said", p.said)
		case p.Ended.How != p.ends:
			return fmt.Errorf("%q is %s", p.said, p.Ended.How)
		case p.Ended.How == floor.Replaced && by.Class != p.Class:
			return fmt.Errorf("%q is replaced by %q", p.said, by.said)
		}
	}
	return nil
}

// isSaid says whether a plant's sentence stands in its message.
func isSaid(c *conversation, p *plant) bool {
	if p.Said.Step >= len(c.steps) || p.Said.Message >= len(c.steps[p.Said.Step].Reduce.Messages) {
		return false
	}
	m := c.steps[p.Said.Step].Reduce.Messages[p.Said.Message]
	texts := []string{m.Text}
	for _, call := range m.Calls {
		var args any
		if json.Unmarshal(call.Args, &args) == nil {
			texts = append(texts, stringsIn(args)...)
		}
	}
	return slices.ContainsFunc(texts, func(text string) bool {
		return strings.Contains(inOnePart(plainly(text)), plainly(p.said))
	})
}
