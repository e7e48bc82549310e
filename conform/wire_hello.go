package conform

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/floorcheck/floorcheck/floor"
)

// DecodeHello reads the answer to hello, with the protocol's defaults for what
// is absent. Ops that this version does not know are kept.
func DecodeHello(text []byte) (Hello, error) {
	tree, err := floor.ParseJSON(text)
	if err != nil {
		return Hello{}, err
	}
	fields, ok := tree.(map[string]any)
	if !ok {
		return Hello{}, errors.New("is not an object")
	}
	if e, stands := fields["error"]; stands {
		return Hello{}, fmt.Errorf("it answers with an error: %s", quote([]byte(fmt.Sprint(e))))
	}
	h := helloReader{fields: fields}
	if protocol := h.integer("protocol", 0); h.err == nil && protocol != 1 {
		return Hello{}, fmt.Errorf("protocol: must be 1, got %d", protocol)
	}
	hello := Hello{
		Name:     h.need("name"),
		Version:  h.text("version", ""),
		Language: h.text("language", ""),
		Ops:      h.ops(),
		Policy:   floor.Policy(h.text("policy", string(floor.Guard))),
		MaxBatch: int(h.integer("max_batch", 1)),
		Stateful: h.boolean("stateful"),
	}
	if v, stands := fields["reduce"]; stands {
		hello.Reduce = h.reduce(v)
	}
	if hello.Policy != floor.Guard && hello.Policy != floor.Joint {
		h.fail("policy", "must be guard or joint")
	}
	if hello.MaxBatch < 1 {
		h.fail("max_batch", "must be 1 or more")
	}
	return hello, h.err
}

// A helloReader keeps the first thing that is wrong.
type helloReader struct {
	fields map[string]any
	err    error
}

func (h *helloReader) fail(name, problem string) {
	if h.err == nil {
		h.err = fmt.Errorf("%s: %s", name, problem)
	}
}

func (h *helloReader) need(name string) string {
	if _, stands := h.fields[name]; !stands {
		h.fail(name, "is missing")
		return ""
	}
	return h.text(name, "")
}

func (h *helloReader) text(name, absent string) string {
	v, stands := h.fields[name]
	if !stands {
		return absent
	}
	s, ok := v.(string)
	if !ok {
		h.fail(name, "must be a string")
	}
	return bound(s)
}

// integer's default 0 says that the field is required.
func (h *helloReader) integer(name string, absent int64) int64 {
	v, stands := h.fields[name]
	if !stands && absent == 0 {
		h.fail(name, "is missing")
	}
	if !stands {
		return absent
	}
	text, _ := v.(json.Number)
	n, ok := integer([]byte(text))
	if !ok {
		h.fail(name, "must be an integer")
	}
	return n
}

func (h *helloReader) boolean(name string) bool {
	v, stands := h.fields[name]
	b, ok := v.(bool)
	if stands && !ok {
		h.fail(name, "must be true or false")
	}
	return b
}

// reduce reads what a black box says of itself.
func (h *helloReader) reduce(v any) *ReduceHello {
	fields, ok := v.(map[string]any)
	if !ok {
		h.fail("reduce", "must be an object")
		return nil
	}
	inner := helloReader{fields: fields}
	out := &ReduceHello{Model: inner.boolean("model")}
	out.TriggerMessages = inner.trigger("trigger_messages")
	out.TriggerTokens = inner.trigger("trigger_tokens")
	if inner.err != nil {
		h.fail("reduce", inner.err.Error())
	}
	return out
}

func (h *helloReader) trigger(name string) int64 {
	if _, stands := h.fields[name]; !stands {
		return 0
	}
	n := h.integer(name, 0)
	if n < 0 {
		h.fail(name, "must be 0 or more")
	}
	return n
}

func (h *helloReader) ops() []floor.Op {
	v, stands := h.fields["ops"]
	if !stands {
		h.fail("ops", "is missing")
		return nil
	}
	items, ok := v.([]any)
	if !ok {
		h.fail("ops", "must be a list")
	}
	ops := make([]floor.Op, 0, len(items))
	for _, item := range items {
		s, ok := item.(string)
		if !ok {
			h.fail("ops", "must be a list of strings")
		}
		ops = append(ops, floor.Op(bound(s)))
	}
	return ops
}
