package conform

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/floorcheck/floorcheck/floor"
)

// Nearly all of the traffic between two ends written in Go is one spelling of
// three payloads. It is read and written here without a tree, eight times as
// fast. Whatever is spelled otherwise goes the long way, through floor; a fuzz
// test holds both ways to the same result.

// A cursor reads exactly what it is told to expect; ok is false as soon as
// something else stands there.
type cursor struct {
	text []byte
	ok   bool
}

func (c *cursor) skip(expected string) {
	if c.ok = c.ok && len(c.text) >= len(expected) && string(c.text[:len(expected)]) == expected; c.ok {
		c.text = c.text[len(expected):]
	}
}

func (c *cursor) has(next string) bool {
	has := c.ok && len(c.text) >= len(next) && string(c.text[:len(next)]) == next
	if has {
		c.text = c.text[len(next):]
	}
	return has
}

func (c *cursor) boolean() bool {
	if c.has("true") {
		return true
	}
	c.skip("false")
	return false
}

func (c *cursor) generation() int64 { return c.number(floor.MaxGeneration) }

// number reads plain digits, up to most.
func (c *cursor) number(most int64) int64 {
	digits := 0
	for digits < len(c.text) && '0' <= c.text[digits] && c.text[digits] <= '9' {
		digits++
	}
	n, ok := integer(c.text[:digits])
	c.ok = c.ok && ok && n <= most
	c.text = c.text[digits:]
	return n
}

func (c *cursor) classes() []floor.Class {
	list := []floor.Class{}
	c.skip("[")
	for c.ok && !c.has("]") {
		if len(list) > 0 {
			c.skip(",")
		}
		list = append(list, c.class())
	}
	return list
}

func (c *cursor) class() floor.Class {
	c.skip(`"`)
	end := bytes.IndexByte(c.text, '"')
	if c.ok = c.ok && end >= 0 && isPlain(c.text[:end]); !c.ok {
		return ""
	}
	text := c.text[:end]
	c.text = c.text[end+1:]
	return floor.Class(text)
}

// isPlain says that the text is the same inside a JSON string.
func isPlain[T string | floor.Class | []byte](text T) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

func plainDecideIn(text []byte) (*floor.DecideIn, bool) {
	c := cursor{text, true}
	in := c.decideIn()
	return in, c.ok && len(c.text) == 0
}

func (c *cursor) decideIn() *floor.DecideIn {
	in := &floor.DecideIn{}
	c.skip(`{"contract":{"required_classes":`)
	in.Contract.Required = c.classes()
	c.skip(`,"certified_classes":`)
	in.Contract.Certified = c.classes()
	c.skip(`,"generation":`)
	in.Contract.Generation = c.generation()
	c.skip(`,"ancestry_certified":`)
	in.Contract.AncestryCertified = c.boolean()
	c.skip(`},"source_recoverable":`)
	in.SourceRecoverable = c.boolean()
	c.skip(`,"consumer_strict":`)
	in.ConsumerStrict = c.boolean()
	c.skip(`,"chaining_risk":`)
	in.ChainingRisk = c.boolean()
	c.skip(`,"side_effect_cost_exceeds_refusal":`)
	in.SideEffectCostExceedsRefusal = c.boolean()
	if c.has(`,"riders":{`) {
		in.Riders = c.riders()
	}
	c.skip("}")
	return in
}

// riderNames are in the order in which Go writes them.
var riderNames = [...]string{
	`"source_tokens":`, `"summary_tokens":`, `"target_permille":`, `"occupancy_permille":`, `"fluency_permille":`, `"quota_facts":`,
}

func riderFields(r *floor.Riders) [len(riderNames)]**int64 {
	return [...]**int64{
		&r.SourceTokens, &r.SummaryTokens, &r.TargetPermille, &r.OccupancyPermille, &r.FluencyPermille, &r.QuotaFacts,
	}
}

func (c *cursor) riders() *floor.Riders {
	r := &floor.Riders{}
	first := true
	for i, field := range riderFields(r) {
		name := riderNames[i]
		if first && c.has(name) || !first && c.has(","+name) {
			n := c.number(floor.MaxNumber)
			*field, first = &n, false
		}
	}
	c.skip("}")
	return r
}

// plainBatchIn reads the list of requests in a batch.
func plainBatchIn(text []byte) (requests []floor.Request, ok bool) {
	c := cursor{text, true}
	c.skip("[")
	for c.ok && !c.has("]") {
		if len(requests) > 0 {
			c.skip(",")
		}
		requests = append(requests, floor.Request{Op: floor.OpDecide, Decide: c.decideIn()})
	}
	return requests, c.ok && len(c.text) == 0
}

// appendDecideIn is the reverse; ok is false for what it cannot spell.
func appendDecideIn(buf []byte, in *floor.DecideIn) (_ []byte, ok bool) {
	if !allPlain(in.Contract.Required) || !allPlain(in.Contract.Certified) {
		return buf, false
	}
	buf = appendClasses(append(buf, `{"contract":{"required_classes":`...), in.Contract.Required)
	buf = appendClasses(append(buf, `,"certified_classes":`...), in.Contract.Certified)
	buf = strconv.AppendInt(append(buf, `,"generation":`...), in.Contract.Generation, 10)
	buf = strconv.AppendBool(append(buf, `,"ancestry_certified":`...), in.Contract.AncestryCertified)
	buf = strconv.AppendBool(append(buf, `},"source_recoverable":`...), in.SourceRecoverable)
	buf = strconv.AppendBool(append(buf, `,"consumer_strict":`...), in.ConsumerStrict)
	buf = strconv.AppendBool(append(buf, `,"chaining_risk":`...), in.ChainingRisk)
	buf = strconv.AppendBool(append(buf, `,"side_effect_cost_exceeds_refusal":`...), in.SideEffectCostExceedsRefusal)
	if in.Riders != nil {
		buf = appendRiders(buf, in.Riders)
	}
	return append(buf, '}'), true
}

func appendRiders(buf []byte, r *floor.Riders) []byte {
	buf = append(buf, `,"riders":{`...)
	first := true
	for i, field := range riderFields(r) {
		if *field == nil {
			continue
		}
		if !first {
			buf = append(buf, ',')
		}
		buf, first = strconv.AppendInt(append(buf, riderNames[i]...), **field, 10), false
	}
	return append(buf, '}')
}

func allPlain(classes []floor.Class) bool {
	for _, class := range classes {
		if !isPlain(class) {
			return false
		}
	}
	return true
}

func appendClasses(buf []byte, classes []floor.Class) []byte {
	buf = append(buf, '[')
	for i, class := range classes {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = append(append(append(buf, '"'), class...), '"')
	}
	return append(buf, ']')
}

func plainDecideOut(text []byte) (*floor.DecideOut, bool) {
	c := cursor{text, true}
	out := c.decideOut()
	return out, c.ok && len(c.text) == 0
}

// plainBatchOut reads the list of n answers to a batch.
func plainBatchOut(text []byte, n int) (answers []floor.Answer, ok bool) {
	c := cursor{text, true}
	answers = make([]floor.Answer, n)
	c.skip("[")
	for i := 0; i < n && c.ok; i++ {
		if i > 0 {
			c.skip(",")
		}
		c.skip(`{"out":`)
		answers[i].Decide = c.decideOut()
		c.skip("}")
	}
	c.skip("]")
	return answers, c.ok && len(c.text) == 0
}

func (c *cursor) decideOut() *floor.DecideOut {
	out := &floor.DecideOut{}
	c.skip(`{"decision":"`)
	switch {
	case c.has(`certified"`):
		out.Decision = floor.Certified
	case c.has(`provisional"`):
		out.Decision = floor.Provisional
	default:
		c.refusal(out)
	}
	c.skip("}")
	return out
}

func (c *cursor) refusal(out *floor.DecideOut) {
	out.Decision = floor.Refuse
	c.skip(`refuse","missing_classes":`)
	out.MissingClasses = c.classes()
	c.skip(`,"generation":`)
	generation := c.generation()
	c.skip(`,"ancestry_certified":`)
	certified := c.boolean()
	out.Generation, out.AncestryCertified = &generation, &certified
}

// appendDecideOut is the reverse; ok is false for what it cannot spell.
func appendDecideOut(buf []byte, out *floor.DecideOut) (_ []byte, ok bool) {
	switch {
	case !isPlain(string(out.Decision)) || len(out.Warnings) > 0:
		return buf, false
	case out.MissingClasses == nil && out.Generation == nil && out.AncestryCertified == nil:
		return append(append(append(buf, `{"decision":"`...), out.Decision...), `"}`...), true
	case out.MissingClasses == nil || out.Generation == nil || out.AncestryCertified == nil || !allPlain(out.MissingClasses):
		return buf, false
	}
	buf = append(append(append(buf, `{"decision":"`...), out.Decision...), `","missing_classes":`...)
	buf = appendClasses(buf, out.MissingClasses)
	buf = strconv.AppendInt(append(buf, `,"generation":`...), *out.Generation, 10)
	buf = strconv.AppendBool(append(buf, `,"ancestry_certified":`...), *out.AncestryCertified)
	return append(buf, '}'), true
}

// parseRequest is floor.ParseRequest.
func parseRequest(op floor.Op, in json.RawMessage) floor.Request {
	if op == floor.OpDecide {
		if decide, ok := plainDecideIn(in); ok {
			return floor.Request{Op: op, Decide: decide}
		}
	}
	return floor.ParseRequest(op, in)
}

// appendAnswer is floor.Answer's MarshalJSON.
func appendAnswer(buf []byte, a floor.Answer) ([]byte, error) {
	if a.Decide != nil {
		if longer, ok := appendDecideOut(append(buf, `{"out":`...), a.Decide); ok {
			return append(longer, '}'), nil
		}
	}
	text, err := a.MarshalJSON()
	return append(buf, text...), err
}
