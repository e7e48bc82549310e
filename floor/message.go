package floor

import (
	"encoding/json"
	"fmt"
)

// A Role says who speaks in a conversation.
type Role string

// The roles, from most to least authority; the last two have none of their own.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
)

// A Message is one of a conversation with an agent.
type Message struct {
	Role   Role   `json:"role"`
	Text   string `json:"text"`
	Calls  []Call `json:"calls,omitempty"`   // of tools, by an assistant
	CallID string `json:"call_id,omitempty"` // which call a tool's message is the result of
}

// A Call asks a tool for something. Args is a JSON object, its fields sorted.
type Call struct {
	ID   string          `json:"id"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

// ReduceIn asks a black box to make a conversation shorter.
type ReduceIn struct {
	Messages     []Message `json:"messages"`
	TargetTokens int64     `json:"target_tokens"` // counted as the subject counts
}

// A Mark is what a reduced conversation says of itself.
type Mark string

// The marks; a subject that gives none means NoMark.
const (
	NoMark          Mark = "none"
	MarkProvisional Mark = "provisional" // something may be missing
	MarkCertified   Mark = "certified"
)

// ReduceOut is the shorter conversation, or a refusal, which then has a reason
// and nothing else.
type ReduceOut struct {
	Messages   []Message
	Mark       Mark
	Generation *int64 // nil says that the answer did not hold it
	Refused    bool
	Reason     string
}

// MarshalJSON writes one of the two shapes of protocol 1.
func (out ReduceOut) MarshalJSON() ([]byte, error) {
	if out.Refused {
		return marshal(struct {
			Refused bool   `json:"refused"`
			Reason  string `json:"reason"`
		}{true, out.Reason})
	}
	mark := out.Mark
	if mark == "" {
		mark = NoMark
	}
	return marshal(struct {
		Messages   []Message `json:"messages"`
		Mark       Mark      `json:"mark"`
		Generation *int64    `json:"generation,omitempty"`
	}{orEmpty(out.Messages), mark, out.Generation})
}

// RecallIn asks for what a reduced conversation no longer says, in its words.
type RecallIn struct {
	Query string `json:"query"`
}

// RecallOut is what came back.
type RecallOut struct {
	Text string `json:"text"`
}

// A Match says how the forms of an element are compared with a text.
type Match string

// The matches; Folded where an element names none.
const (
	Folded Match = "folded" // letters by their full case folding
	Exact  Match = "exact"  // to the letter, and never part of a longer name
)

// An Element is one load-bearing thing. Any of Forms in a text keeps it; any of
// Inverted says the opposite or voids it.
type Element struct {
	ID       string   `json:"id"`
	Class    Class    `json:"class"`
	Forms    []string `json:"forms"`
	Inverted []string `json:"inverted_forms,omitempty"`
	Match    Match    `json:"match,omitempty"`

	// Lost, on an element of a summary span, says that the summary no longer
	// keeps it; nil is not lost, and the only value elsewhere.
	Lost *bool `json:"lost,omitempty"`
}

// Planted is what the suite knows of a conversation and never says over the
// wire.
type Planted struct {
	Plants []Plant   `json:"plants"`
	Decoys []Element `json:"decoys,omitempty"` // known to be nowhere in the conversation
	// Summarizer is what the hostile model server does while the case is asked;
	// "" is the perfect one. A subject without a model does not notice.
	Summarizer string `json:"summarizer,omitempty"`
}

// A Plant is an element that a conversation says. It is live from the message
// that says it until one that ends it.
type Plant struct {
	Element
	Said  Place  `json:"said"`
	Ended *Ended `json:"ended,omitempty"`
	// Shifted are texts that keep the matter and change its force: an
	// obligation told as advice, a guess told as fact.
	Shifted []string `json:"shifted,omitempty"`
}

// A Place is a message of a case: the index of the step, and of the message
// among those that are new in it.
type Place struct {
	Step    int `json:"step"`
	Message int `json:"message"`
}

// An End is how a plant ceases to be live.
type End string

// The ends.
const (
	Withdrawn End = "withdrawn" // said to hold no more
	Replaced  End = "replaced"  // another value holds instead
	Completed End = "completed" // what was open is done
)

// Ended says where a plant ceased to be live, how, and by which other plant,
// which is the one to be kept.
type Ended struct {
	Place
	How End    `json:"how"`
	By  string `json:"by"` // an element's id
}

// Recalled is what a subject gave back when it was asked for something that an
// output marked provisional no longer says.
type Recalled struct {
	Query string       `json:"query"`
	Text  string       `json:"text"`
	Err   *AnswerError `json:"error,omitempty"`
}

// DecodeReduceIn reads the `in` of a reduce request. The error is a
// *BadRequest.
func DecodeReduceIn(data []byte) (*ReduceIn, error) {
	d, root := open(data, "in")
	in := &ReduceIn{Messages: d.messages(root.need("messages")), TargetTokens: d.number(root.need("target_tokens"))}
	return finish(d, in, in.Validate)
}

// Validate reports what the bad_request list forbids in a conversation that
// was built in Go. The error is a *BadRequest.
func (in *ReduceIn) Validate() error {
	d := &decoder{}
	d.within("in.target_tokens", in.TargetTokens, 0, MaxNumber)
	for i := range in.Messages {
		m, path := &in.Messages[i], fmt.Sprintf("in.messages[%d]", i)
		d.role(path+".role", m.Role)
		for j, c := range m.Calls {
			at, args := fmt.Sprintf("%s.calls[%d].args", path, j), parsed(c.Args)
			d.object(value{at, true, args})
			d.numbers(at, args)
		}
	}
	return d.result()
}

// parsed reads JSON; what is none is as little an object as null.
func parsed(data []byte) any {
	tree, err := ParseJSON(data)
	if err != nil {
		return nil
	}
	return tree
}

// DecodeReduceOut reads the `out` of a reduce answer; an error says that it is
// none. Numbers inside a call's args are the subject's own.
func DecodeReduceOut(data []byte) (*ReduceOut, error) {
	d := &decoder{}
	tree, err := ParseJSON(data)
	if err != nil {
		return nil, &BadRequest{"out", err.Error()}
	}
	root := d.object(value{"out", true, tree})
	out := &ReduceOut{}
	if refused := root.may("refused"); refused.present {
		out.Refused = d.boolean(refused)
	}
	if out.Refused {
		out.Reason = d.text(root.need("reason"))
		return finish(d, out, func() error { return nil })
	}
	out.Messages = d.messages(root.need("messages"))
	out.Mark = NoMark
	if mark := root.may("mark"); mark.present {
		out.Mark = Mark(d.text(mark))
		if out.Mark != NoMark && out.Mark != MarkProvisional && out.Mark != MarkCertified {
			d.fail(mark.path, "must be none, provisional or certified, got %q", clip(string(out.Mark)))
		}
	}
	if generation := root.may("generation"); generation.present {
		out.Generation = d.optionalNumber(generation)
		if out.Generation != nil {
			d.within(generation.path, *out.Generation, 0, MaxGeneration)
		}
	}
	return finish(d, out, func() error { return nil })
}

// DecodeRecallIn reads the `in` of a recall request. The error is a *BadRequest.
func DecodeRecallIn(data []byte) (*RecallIn, error) {
	d, root := open(data, "in")
	return finish(d, &RecallIn{d.text(root.need("query"))}, func() error { return nil })
}

// DecodeRecallOut reads the `out` of a recall answer; an error says that it is
// none.
func DecodeRecallOut(data []byte) (*RecallOut, error) {
	d, root := open(data, "out")
	return finish(d, &RecallOut{d.text(root.need("text"))}, func() error { return nil })
}

func (d *decoder) messages(v value) []Message {
	out := []Message{}
	for _, item := range d.list(v) {
		o := d.object(item)
		role := o.need("role")
		m := Message{Role: Role(d.text(role)), Text: d.text(o.need("text"))}
		d.role(role.path, m.Role)
		if calls := o.may("calls"); calls.present {
			m.Calls = d.calls(calls)
		}
		if id := o.may("call_id"); id.present {
			m.CallID = d.text(id)
		}
		out = append(out, m)
	}
	return out
}

func (d *decoder) calls(v value) []Call {
	var out []Call
	for _, item := range d.list(v) {
		o := d.object(item)
		c := Call{ID: d.text(o.need("id")), Name: d.text(o.need("name"))}
		args := o.need("args")
		d.object(args)
		if text, err := marshal(args.v); err == nil { // a map's fields are sorted
			c.Args = text
		}
		out = append(out, c)
	}
	return out
}

func (d *decoder) role(path string, r Role) {
	switch r {
	case System, User, Assistant, Tool:
		return
	}
	d.fail(path, "must be system, user, assistant or tool, got %q", clip(string(r)))
}

// What failing summarizers say instead of a summary. The hostile model server
// speaks these texts, and none of them is ever memory.
const (
	ErrorText    = "Error generating summary: upstream connect error, status 503"
	RefusalText  = "I'm sorry, but I can't help with summarizing this conversation."
	SkeletonText = "Decisions: none. Open items: none. Constraints: none. Identifiers: none."
)
