package hostile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/floorcheck/floorcheck/floor"
)

// created stands where the interfaces want a time. A clock would make equal
// requests give other bytes.
const (
	created     = 1767225600 // seconds; the same as createdText
	createdText = "2026-01-01T00:00:00Z"
)

// nobody is the model when a request names none.
const nobody = "floorcheck"

// An answer is what the server sends, whole, before any of it is sent.
type answer struct {
	status int
	kind   string // the Content-Type
	header [][2]string
	chunks [][]byte // several when it is a stream
	cut    bool     // break the connection off after the last
	hold   bool     // say nothing until the client is gone or the time is up
	did    string   // one line for the log
}

func (a answer) body() []byte { return bytes.Join(a.chunks, nil) }

// A dialect is an interface that models are asked through.
type dialect struct {
	parse  func(body map[string]any) request
	whole  func(request, reply) any
	stream func(request, reply) [][]byte
	fail   func(status int, message string) any
}

// A request is what a client asks of the model.
type request struct {
	model  string
	stream bool
	usage  bool   // at the end of a stream, where that is a choice
	digest string // names the answer: equal requests, equal names
	lines  []Line
}

// A reply is what the model says.
type reply struct {
	text string
	cut  bool // it is not all
}

// parse reads the body of a request. The error is for the client.
func parse(d dialect, body []byte, digest string) (request, error) {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var fields map[string]any
	if err := dec.Decode(&fields); err != nil {
		return request{}, fmt.Errorf("the body is not a JSON object: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return request{}, errors.New("the body goes on after its JSON object")
	}
	messages, isList := fields["messages"].([]any)
	if !isList {
		return request{}, errors.New("messages: must be a list")
	}
	for i, m := range messages {
		message, isObject := m.(map[string]any)
		if !isObject {
			return request{}, fmt.Errorf("messages[%d]: must be an object", i)
		}
		if _, isText := message["role"].(string); !isText {
			return request{}, fmt.Errorf("messages[%d].role: must be a string", i)
		}
	}
	r := d.parse(fields)
	r.digest = digest
	if r.model, _ = fields["model"].(string); r.model == "" {
		r.model = nobody
	}
	r.stream, _ = fields["stream"].(bool)
	return r, nil
}

// play answers a request as a summarizer does.
func play(d dialect, s Summarizer, r request) answer {
	lines := conversation(r.lines)
	t, err := s.tell(read(lines))
	did := t.did
	switch s.delivery {
	case serverError:
		a := failed(d, http.StatusInternalServerError, "upstream connect error")
		// The clients' own retries would get the same, later.
		a.header = [][2]string{{"x-should-retry", "false"}}
		a.did = did + " with status 500"
		return a
	case tooMany:
		a := failed(d, http.StatusTooManyRequests, "rate limit reached")
		a.header = [][2]string{{"retry-after", "0"}}
		a.did = did + " with status 429"
		return a
	case silence:
		a := failed(d, http.StatusGatewayTimeout, "no answer in time")
		a.hold, a.did = true, did+" to answer"
		return a
	}
	if err != nil {
		panic("a summarizer that fails has a delivery: " + err.Error())
	}
	said := reply{t.text, s.delivery == brokenOff}
	if r.stream {
		return answer{status: http.StatusOK, kind: "text/event-stream", chunks: d.stream(r, said), cut: said.cut, did: did}
	}
	return answer{status: http.StatusOK, kind: "application/json", chunks: [][]byte{plainJSON(d.whole(r, said))}, did: did}
}

func failed(d dialect, status int, message string) answer {
	return answer{status: status, kind: "application/json", chunks: [][]byte{plainJSON(d.fail(status, message))}, did: "error: " + message}
}

// digestOf names a request.
func digestOf(method, path string, body []byte) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n", method, path)
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}

// plainJSON spells a tree without the escapes for HTML. Our own trees have a
// spelling, and so has what was read from JSON.
func plainJSON(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// An object of JSON with its fields in alphabetical order.
type object = map[string]any

// tokens is a rough count: nobody pays for these.
func tokens(texts ...string) int {
	n := 0
	for _, text := range texts {
		n += (len(text) + 3) / 4
	}
	return n
}

func (r request) tokens() int {
	n := 0
	for _, l := range r.lines {
		n += tokens(l.Text)
	}
	return n
}

// pieces cuts a text as a model streams it: some words at a time.
func pieces(text string) []string {
	const most = 24
	var out []string
	for len(text) > most {
		end := most
		if space := strings.LastIndexByte(text[:most], ' '); space > 0 {
			end = space
		}
		for !utf8.RuneStart(text[end]) {
			end--
		}
		out = append(out, text[:end])
		text = text[end:]
	}
	if text != "" {
		out = append(out, text)
	}
	return out
}

// openAI is the interface of chat completions.
var openAI = dialect{
	parse: func(body map[string]any) request {
		r := request{lines: said(body["messages"], floor.User)}
		if options, given := body["stream_options"].(map[string]any); given {
			r.usage, _ = options["include_usage"].(bool)
		}
		return r
	},
	whole: func(r request, said reply) any {
		finish := "stop"
		if said.cut {
			finish = "length"
		}
		return object{
			"id": "chatcmpl-" + r.digest[:24], "object": "chat.completion", "created": created, "model": r.model,
			"choices": []any{object{
				"index": 0, "finish_reason": finish, "logprobs": nil,
				"message": object{"role": "assistant", "content": said.text, "refusal": nil},
			}},
			"usage": openAIUsage(r, said),
		}
	},
	stream: func(r request, said reply) (chunks [][]byte) {
		send := func(choices []any, more object) {
			chunk := object{
				"id": "chatcmpl-" + r.digest[:24], "object": "chat.completion.chunk", "created": created, "model": r.model, "choices": choices,
			}
			if r.usage {
				chunk["usage"] = nil
			}
			for field, v := range more {
				chunk[field] = v
			}
			chunks = append(chunks, []byte("data: "+string(plainJSON(chunk))+"\n\n"))
		}
		delta := func(delta object, finish any) {
			send([]any{object{"index": 0, "delta": delta, "finish_reason": finish, "logprobs": nil}}, nil)
		}
		delta(object{"role": "assistant", "content": "", "refusal": nil}, nil)
		for _, piece := range pieces(said.text) {
			delta(object{"content": piece}, nil)
		}
		if said.cut {
			return chunks
		}
		delta(object{}, "stop")
		if r.usage {
			send([]any{}, object{"usage": openAIUsage(r, said)})
		}
		return append(chunks, []byte("data: [DONE]\n\n"))
	},
	fail: func(status int, message string) any {
		kind := map[int]string{
			http.StatusTooManyRequests: "rate_limit_exceeded", http.StatusInternalServerError: "server_error",
			http.StatusGatewayTimeout: "server_error", http.StatusServiceUnavailable: "server_error", http.StatusBadGateway: "server_error",
		}[status]
		if kind == "" {
			kind = "invalid_request_error"
		}
		return object{"error": object{"message": message, "type": kind, "param": nil, "code": nil}}
	},
}

func openAIUsage(r request, said reply) object {
	in, out := r.tokens(), tokens(said.text)
	return object{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out}
}

// anthropic is the interface of messages.
var anthropic = dialect{
	parse: func(body map[string]any) request {
		return request{lines: append(said(body["system"], floor.System), said(body["messages"], floor.User)...)}
	},
	whole: func(r request, said reply) any {
		message := anthropicMessage(r)
		message["content"] = []any{object{"type": "text", "text": said.text}}
		message["stop_reason"] = "end_turn"
		if said.cut {
			message["stop_reason"] = "max_tokens"
		}
		message["usage"] = object{"input_tokens": r.tokens(), "output_tokens": tokens(said.text)}
		return message
	},
	stream: func(r request, said reply) (chunks [][]byte) {
		send := func(event string, fields object) {
			fields["type"] = event
			chunks = append(chunks, []byte("event: "+event+"\ndata: "+string(plainJSON(fields))+"\n\n"))
		}
		send("message_start", object{"message": anthropicMessage(r)})
		send("content_block_start", object{"index": 0, "content_block": object{"type": "text", "text": ""}})
		for _, piece := range pieces(said.text) {
			send("content_block_delta", object{"index": 0, "delta": object{"type": "text_delta", "text": piece}})
		}
		if said.cut {
			return chunks
		}
		send("content_block_stop", object{"index": 0})
		send("message_delta", object{
			"delta": object{"stop_reason": "end_turn", "stop_sequence": nil},
			"usage": object{"output_tokens": tokens(said.text)},
		})
		send("message_stop", object{})
		return chunks
	},
	fail: func(status int, message string) any {
		kind := map[int]string{
			http.StatusTooManyRequests: "rate_limit_error", http.StatusInternalServerError: "api_error", http.StatusGatewayTimeout: "timeout_error",
			http.StatusServiceUnavailable: "overloaded_error", http.StatusBadGateway: "api_error", http.StatusNotFound: "not_found_error",
			http.StatusRequestEntityTooLarge: "request_too_large",
		}[status]
		if kind == "" {
			kind = "invalid_request_error"
		}
		return object{"type": "error", "error": object{"type": kind, "message": message}}
	},
}

// anthropicMessage is one that says nothing yet.
func anthropicMessage(r request) object {
	return object{
		"id": "msg_" + r.digest[:24], "type": "message", "role": "assistant", "model": r.model, "content": []any{},
		"stop_reason": nil, "stop_sequence": nil, "usage": object{"input_tokens": r.tokens(), "output_tokens": 1},
	}
}

// models lists the one that there is, for clients of both interfaces.
func models() answer {
	model := object{"id": nobody, "object": "model", "created": created, "owned_by": nobody, "type": "model", "display_name": nobody, "created_at": createdText}
	return answer{
		status: http.StatusOK, kind: "application/json", did: "listed the models",
		chunks: [][]byte{plainJSON(object{"object": "list", "data": []any{model}, "has_more": false, "first_id": nobody, "last_id": nobody})},
	}
}
