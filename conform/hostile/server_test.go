package hostile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	openai "github.com/sashabaranov/go-openai"
	"github.com/stretchr/testify/require"
)

// serve starts a server for the length of a test.
func serve(t *testing.T, o Options) *Server {
	t.Helper()
	s, err := Serve(o)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() }) // a test that minds closes it itself
	return s
}

// A got is what a client saw.
type got struct {
	status int
	header http.Header
	body   string
	err    error // of reading the body
}

func post(t *testing.T, url, body string) got {
	t.Helper()
	res, err := http.Post(url, "application/json", strings.NewReader(body))
	require.NoError(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return got{res.StatusCode, res.Header, string(text), err}
}

const (
	chat = `{"model":"m","messages":[{"role":"user","content":"Never push to main. Good morning."},{"role":"assistant","content":"The host is db-eu-7."}]}`
	// The same, for a stream; and a talk that fills one.
	chatStream = `{"model":"m","stream":true,"messages":[{"role":"user","content":"Never push to main. Never drop the ledger table. Never restart it by hand."}]}`
)

func TestChatCompletion(t *testing.T) {
	s := serve(t, Options{})
	for _, path := range []string{"/v1/chat/completions", "/chat/completions"} {
		res := post(t, s.URL()+path, chat)
		require.Equal(t, http.StatusOK, res.status)
		require.Equal(t, "application/json", res.header.Get("Content-Type"))
		var out struct {
			ID, Object, Model string
			Created           int64
			Choices           []struct {
				FinishReason string `json:"finish_reason"`
				Message      struct{ Role, Content string }
			}
			Usage struct {
				Prompt     int `json:"prompt_tokens"`
				Completion int `json:"completion_tokens"`
				Total      int `json:"total_tokens"`
			}
		}
		require.NoError(t, json.Unmarshal([]byte(res.body), &out))
		require.Equal(t, "m", out.Model)
		require.Equal(t, "chat.completion", out.Object)
		require.EqualValues(t, created, out.Created)
		require.Len(t, out.Choices, 1)
		require.Equal(t, "stop", out.Choices[0].FinishReason)
		require.Equal(t, "assistant", out.Choices[0].Message.Role)
		require.Equal(t, "Never push to main.\nThe host is db-eu-7.", out.Choices[0].Message.Content)
		require.Positive(t, out.Usage.Prompt)
		require.Equal(t, out.Usage.Total, out.Usage.Prompt+out.Usage.Completion)
		require.Equal(t, res.body, post(t, s.URL()+path, chat).body, "equal requests, equal bytes")
	}
}

func TestMessages(t *testing.T) {
	s := serve(t, Options{})
	body := `{"model":"c","max_tokens":9,"system":[{"type":"text","text":"Never push."}],"messages":[
		{"role":"user","content":[{"type":"text","text":"Look."}]},
		{"role":"assistant","content":[{"type":"tool_use","id":"u1","name":"read","input":{"path":"/srv/x"}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"u1","content":[{"type":"text","text":"It is done."}]}]}]}`
	for _, path := range []string{"/v1/messages", "/messages"} {
		res := post(t, s.URL()+path, body)
		require.Equal(t, http.StatusOK, res.status, res.body)
		var out struct {
			Type, Role, Model string
			Content           []struct{ Type, Text string }
			StopReason        string `json:"stop_reason"`
			Usage             struct {
				In  int `json:"input_tokens"`
				Out int `json:"output_tokens"`
			}
		}
		require.NoError(t, json.Unmarshal([]byte(res.body), &out))
		require.Equal(t, "c", out.Model)
		require.Equal(t, "message", out.Type)
		require.Equal(t, "end_turn", out.StopReason)
		require.Len(t, out.Content, 1)
		require.Equal(t, "Never push.\n/srv/x\nIt is done.", out.Content[0].Text)
		require.Positive(t, out.Usage.In)
		require.Positive(t, out.Usage.Out)
	}
}

// The roles of what tools and assistants say arrive at the summarizer.
func TestRolesArrive(t *testing.T) {
	s := serve(t, Options{Play: "role-raised"})
	res := post(t, s.URL()+"/v1/messages", `{"messages":[{"role":"user","content":"Never push."},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"u1","content":"It is done."}]}]}`)
	require.Contains(t, res.body, `"text":"Never push.\nThe user asked: It is done."`)
	res = post(t, s.URL()+"/v1/chat/completions", `{"messages":[{"role":"user","content":"Never push."},
		{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"note\":\"Use db-1.\"}"}}]},
		{"role":"tool","tool_call_id":"c1","content":"It is done."}]}`)
	require.Contains(t, res.body, `Never push.\nThe user asked: Use db-1.\nThe user asked: It is done."`)
}

// said puts a stream of Anthropic's together again.
func saidIn(t *testing.T, stream string) (text string, events []string) {
	t.Helper()
	for block := range strings.SplitSeq(strings.TrimSpace(stream), "\n\n") {
		event, data, ok := strings.Cut(block, "\n")
		require.True(t, ok, block)
		name := strings.TrimPrefix(event, "event: ")
		var fields struct {
			Type  string
			Delta struct{ Text string }
		}
		require.NoError(t, json.Unmarshal([]byte(strings.TrimPrefix(data, "data: ")), &fields))
		require.Equal(t, name, fields.Type)
		if len(events) == 0 || events[len(events)-1] != name {
			events = append(events, name)
		}
		text += fields.Delta.Text
	}
	return text, events
}

func TestMessagesStream(t *testing.T) {
	s := serve(t, Options{})
	res := post(t, s.URL()+"/v1/messages", chatStream)
	require.NoError(t, res.err)
	require.Equal(t, "text/event-stream", res.header.Get("Content-Type"))
	text, events := saidIn(t, res.body)
	require.Equal(t, "Never push to main. Never drop the ledger table. Never restart it by hand.", text)
	require.Equal(t, []string{"message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop"}, events)

	require.NoError(t, s.Play("cut-stream"))
	res = post(t, s.URL()+"/v1/messages", chatStream)
	require.ErrorIs(t, res.err, io.ErrUnexpectedEOF)
	text, events = saidIn(t, res.body)
	require.Equal(t, "Never push to main. Never drop the le", text)
	require.NotContains(t, events, "message_stop")

	res = post(t, s.URL()+"/v1/messages", strings.Replace(chatStream, `"stream":true`, `"stream":false`, 1))
	require.NoError(t, res.err)
	require.Contains(t, res.body, `"stop_reason":"max_tokens"`)
}

// client is a client that others wrote.
func client(s *Server) *openai.Client {
	config := openai.DefaultConfig("nobody's key")
	config.BaseURL = s.URL() + "/v1"
	return openai.NewClientWithConfig(config)
}

var asked = openai.ChatCompletionRequest{Model: "m", Messages: []openai.ChatCompletionMessage{
	{Role: "system", Content: "You summarize conversations. You must be brief."},
	{Role: "user", Content: "<messages>\nHuman: Never push to main. Never drop the ledger table.\nAI: Lovely.\n</messages>"},
}}

func TestForeignClient(t *testing.T) {
	s := serve(t, Options{})
	c := client(s)
	res, err := c.CreateChatCompletion(t.Context(), asked)
	require.NoError(t, err)
	require.Equal(t, "Never push to main. Never drop the ledger table.", res.Choices[0].Message.Content)

	list, err := c.ListModels(t.Context())
	require.NoError(t, err)
	require.Len(t, list.Models, 1)

	require.NoError(t, s.Play("empty"))
	res, err = c.CreateChatCompletion(t.Context(), asked)
	require.NoError(t, err)
	require.Empty(t, res.Choices[0].Message.Content)

	require.NoError(t, s.Play("cut-stream"))
	res, err = c.CreateChatCompletion(t.Context(), asked)
	require.NoError(t, err)
	require.Equal(t, openai.FinishReasonLength, res.Choices[0].FinishReason)
	require.Equal(t, "Never push to main. Neve", res.Choices[0].Message.Content)

	for name, status := range map[string]int{"error-status": 500, "rate-limit": 429} {
		require.NoError(t, s.Play(name))
		_, err = c.CreateChatCompletion(t.Context(), asked)
		var failure *openai.APIError
		require.ErrorAs(t, err, &failure, name)
		require.Equal(t, status, failure.HTTPStatusCode)
		require.NotEmpty(t, failure.Message)
	}
}

func TestForeignClientStream(t *testing.T) {
	s := serve(t, Options{})
	read := func() (text string, usage *openai.Usage, finish openai.FinishReason, err error) {
		request := asked
		request.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
		stream, err := client(s).CreateChatCompletionStream(t.Context(), request)
		require.NoError(t, err)
		defer stream.Close()
		for {
			chunk, err := stream.Recv()
			if errors.Is(err, io.EOF) {
				return text, usage, finish, nil
			}
			if err != nil {
				return text, usage, finish, err
			}
			if chunk.Usage != nil {
				usage = chunk.Usage
			}
			for _, choice := range chunk.Choices {
				text += choice.Delta.Content
				finish = choice.FinishReason
			}
		}
	}
	text, usage, finish, err := read()
	require.NoError(t, err)
	require.Equal(t, "Never push to main. Never drop the ledger table.", text)
	require.NotNil(t, usage)
	require.Positive(t, usage.TotalTokens)
	require.Equal(t, openai.FinishReasonStop, finish)

	require.NoError(t, s.Play("cut-stream"))
	text, _, finish, err = read()
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Equal(t, "Never push to main. Neve", text)
	require.NotEqual(t, openai.FinishReasonStop, finish)
}

func TestRateLimitSaysWhen(t *testing.T) {
	s := serve(t, Options{Play: "rate-limit"})
	res := post(t, s.URL()+"/v1/messages", chat)
	require.Equal(t, http.StatusTooManyRequests, res.status)
	require.Equal(t, "0", res.header.Get("Retry-After"))
	require.JSONEq(t, `{"type":"error","error":{"type":"rate_limit_error","message":"rate limit reached"}}`, res.body)
}

func TestTimeout(t *testing.T) {
	t.Run("the time is up", func(t *testing.T) {
		s := serve(t, Options{Play: "timeout", Hold: 20 * time.Millisecond})
		began := time.Now()
		require.Equal(t, http.StatusGatewayTimeout, post(t, s.URL()+"/v1/chat/completions", chat).status)
		require.GreaterOrEqual(t, time.Since(began), 20*time.Millisecond)
	})
	t.Run("the client goes away", func(t *testing.T) {
		s := serve(t, Options{Play: "timeout", Hold: time.Hour})
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		_, err := client(s).CreateChatCompletion(ctx, asked)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Eventually(t, func() bool { return len(s.Log()) == 1 }, 10*time.Second, time.Millisecond)
		require.Equal(t, "failed to answer: the client went away", s.Log()[0].Did)
	})
	t.Run("the server is closed", func(t *testing.T) {
		s := serve(t, Options{Play: "timeout", Hold: time.Hour})
		failed := make(chan error)
		go func() {
			_, err := http.Post(s.URL()+"/v1/chat/completions", "application/json", strings.NewReader(chat))
			failed <- err
		}()
		require.Eventually(t, func() bool { s.mu.Lock(); defer s.mu.Unlock(); return s.number == 1 }, 10*time.Second, time.Millisecond)
		require.NoError(t, s.Close())
		require.Error(t, <-failed)
		_, err := http.Get(s.URL() + "/v1/models")
		require.Error(t, err, "nobody listens any more")
	})
}

func TestBadRequests(t *testing.T) {
	s := serve(t, Options{})
	tests := []struct {
		name   string
		method string
		path   string
		body   string
		status int
		say    string
	}{
		{"no JSON", "POST", "/v1/chat/completions", `{"messages":`, 400, "the body is not a JSON object: unexpected EOF"},
		{"a list", "POST", "/v1/messages", `[]`, 400, "the body is not a JSON object"},
		{"two objects", "POST", "/v1/messages", `{"messages":[]}{}`, 400, "goes on after its JSON object"},
		{"no messages", "POST", "/v1/chat/completions", `{"model":"m"}`, 400, "messages: must be a list"},
		{"a message that is none", "POST", "/v1/chat/completions", `{"messages":[1]}`, 400, "messages[0]: must be an object"},
		{"a message without a role", "POST", "/v1/chat/completions", `{"messages":[{"content":"x"}]}`, 400, "messages[0].role: must be a string"},
		{"another place", "POST", "/v1/embeddings", `{}`, 404, "here are only POST /v1/chat/completions"},
		{"another method", "GET", "/v1/messages", ``, 405, "here is only POST"},
		{"models are not made", "POST", "/v1/models", `{}`, 405, "here is only GET"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), tt.method, s.URL()+tt.path, strings.NewReader(tt.body))
			require.NoError(t, err)
			res, err := http.DefaultClient.Do(req)
			require.NoError(t, err)
			defer res.Body.Close()
			var out struct{ Error struct{ Message string } }
			require.NoError(t, json.NewDecoder(res.Body).Decode(&out))
			require.Equal(t, tt.status, res.StatusCode)
			require.Contains(t, out.Error.Message, tt.say)
		})
	}
	t.Run("too long a body", func(t *testing.T) {
		res := post(t, s.URL()+"/v1/messages", `{"messages":"`+strings.Repeat("x", MaxBody)+`"}`)
		require.Equal(t, http.StatusRequestEntityTooLarge, res.status)
		require.Contains(t, res.body, "longer than 64 MiB")
	})
	require.ErrorContains(t, s.Play("perfekt"), `"perfekt"`)
	require.Equal(t, "perfect", s.Playing())
}

func TestLogTellsWhatWasDone(t *testing.T) {
	var log bytes.Buffer
	var noticed []Entry
	s := serve(t, Options{Log: &log, Notice: func(e Entry) { noticed = append(noticed, e) }})
	post(t, s.URL()+"/v1/chat/completions", chat)
	require.NoError(t, s.Play("collapse-negation"))
	post(t, s.URL()+"/v1/messages", chat)
	_, err := http.Get(s.URL() + "/v1/models")
	require.NoError(t, err)
	require.NoError(t, s.Close())

	entries := s.Log()
	require.Len(t, entries, 3)
	require.Equal(t, Entry{
		Number: 1, Path: "/v1/chat/completions", Summarizer: "perfect", Digest: digestOf("POST", "/v1/chat/completions", []byte(chat)),
		Status: 200, In: len(chat), Out: entries[0].Out, Did: "kept 2 of 3 sentences",
	}, entries[0])
	require.Equal(t, "kept 2 of 3 sentences, spoiled 1", entries[1].Did)
	require.Equal(t, "", entries[2].Summarizer)
	require.Equal(t, entries, noticed)
	var written []Entry
	for dec := json.NewDecoder(&log); ; {
		var e Entry
		if err := dec.Decode(&e); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err)
		}
		written = append(written, e)
	}
	require.Equal(t, entries, written)
}

func TestLogIsBounded(t *testing.T) {
	s := serve(t, Options{})
	for range MaxEntries + 5 {
		s.note(Entry{Number: len(s.Log())})
	}
	require.Len(t, s.Log(), MaxEntries)
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestCloseTellsThatTheLogWasNotWritten(t *testing.T) {
	s := serve(t, Options{Log: full{}})
	require.Equal(t, http.StatusOK, post(t, s.URL()+"/v1/messages", chat).status)
	require.ErrorContains(t, s.Close(), "write log: no space left")
}

// Each client gets what was being played when it asked.
func TestManyClients(t *testing.T) {
	s := serve(t, Options{})
	var clients sync.WaitGroup
	answers := make([]string, 32)
	for i := range answers {
		clients.Go(func() {
			if i%4 == 0 {
				s.Play(Names()[i/4%2]) // perfect and drop-one: the lookup cannot fail
			}
			answers[i] = post(t, s.URL()+"/v1/messages", chat).body
		})
	}
	clients.Wait()
	for _, body := range answers {
		require.Regexp(t, `"text":"Never push to main\.(\\nThe host is db-eu-7\.)?"`, body)
	}
	require.Len(t, s.Log(), len(answers))
}

// What was recorded is given again to the byte: an answer, a stream, a broken
// one, an error, and several answers to one request in their order.
func TestRecordAndReplay(t *testing.T) {
	var recording bytes.Buffer
	s := serve(t, Options{Record: &recording})
	asks := func(s *Server, play func(string)) (seen []got) {
		for _, name := range []string{"perfect", "cut-stream", "rate-limit", "fluent"} {
			play(name)
			for _, body := range []string{chat, chatStream} {
				seen = append(seen, post(t, s.URL()+"/v1/chat/completions", body))
			}
		}
		return seen
	}
	first := asks(s, func(name string) { require.NoError(t, s.Play(name)) })
	require.NoError(t, s.Close())
	require.Error(t, first[3].err)

	again := serve(t, Options{Replay: bytes.NewReader(recording.Bytes())})
	second := asks(again, func(string) {})
	for i := range first {
		require.Equal(t, first[i].status, second[i].status)
		require.Equal(t, first[i].body, second[i].body)
		require.Equal(t, first[i].header.Get("Content-Type"), second[i].header.Get("Content-Type"))
		require.Equal(t, first[i].err, second[i].err)
	}
	last := post(t, again.URL()+"/v1/chat/completions", chat)
	require.Equal(t, first[6].body, last.body, "the last one is repeated")

	require.Zero(t, again.Unknown())
	unknown := post(t, again.URL()+"/v1/messages", chat)
	require.Equal(t, http.StatusServiceUnavailable, unknown.status)
	require.Contains(t, unknown.body, "the recording holds no answer to this request")
	require.Equal(t, 1, again.Unknown())
}

func TestBadRecordings(t *testing.T) {
	for text, want := range map[string]string{
		"{":                         "line 1: unexpected end of JSON input",
		"\n{\"digest\":\"x\"}":      "line 2: is not a recorded answer",
		`{"digest":1,"status":200}`: "line 1: json: cannot unmarshal number",
	} {
		_, err := Serve(Options{Replay: strings.NewReader(text)})
		require.ErrorContains(t, err, want)
	}
}

// A recording proxy passes on headers and streams, and records what came; the
// recording then stands in for the server.
func TestUpstream(t *testing.T) {
	release := make(chan struct{})
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Header.Get("Authorization") != "Bearer key" || r.Header.Get("X-Between") != "" || r.URL.Query().Get("beta") != "true" {
			http.Error(w, "unexpected", http.StatusTeapot)
			return
		}
		w.Header().Set("X-Request-Id", "r1")
		switch r.URL.Path {
		case "/base/v1/stream":
			w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
			fmt.Fprint(w, "data: one\n\n")
			http.NewResponseController(w).Flush()
			<-release
			fmt.Fprint(w, "data: two\n\n")
		case "/base/v1/broken":
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "data: one\n\n")
			http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		default:
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusCreated)
			fmt.Fprintf(w, `{"path":%q,"body":%q}`, r.URL.Path, body)
		}
	}))
	defer upstream.Close()

	ask := func(s *Server, path string, use func(*http.Response)) got {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL()+path+"?beta=true", strings.NewReader("hello"))
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer key")
		req.Header.Set("Connection", "X-Between")
		req.Header.Set("X-Between", "us")
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer res.Body.Close()
		if use != nil {
			use(res)
		}
		text, err := io.ReadAll(res.Body)
		return got{res.StatusCode, res.Header, string(text), err}
	}
	var recording, log bytes.Buffer
	s := serve(t, Options{Upstream: upstream.URL + "/base/v1/", Record: &recording, Log: &log})
	plain := ask(s, "/v1/chat/completions", nil)
	require.Equal(t, http.StatusCreated, plain.status)
	require.Equal(t, `{"path":"/base/v1/chat/completions","body":"hello"}`, plain.body)
	require.Equal(t, "r1", plain.header.Get("X-Request-Id"))
	stream := ask(s, "/v1/stream", func(res *http.Response) {
		first := make([]byte, len("data: one\n\n"))
		_, err := io.ReadFull(res.Body, first) // before the upstream server is done
		require.NoError(t, err)
		close(release)
	})
	require.NoError(t, stream.err)
	require.Equal(t, "data: two\n\n", stream.body)
	broken := ask(s, "/v1/broken", nil)
	require.ErrorIs(t, broken.err, io.ErrUnexpectedEOF)
	require.NoError(t, s.Close())
	require.NotContains(t, recording.String()+log.String(), "Bearer", "keys are nobody's business")

	again := serve(t, Options{Replay: &recording})
	require.Equal(t, plain.body, ask(again, "/v1/chat/completions", nil).body)
	require.Equal(t, "data: one\n\ndata: two\n\n", ask(again, "/v1/stream", nil).body)
	replayed := ask(again, "/v1/broken", nil)
	require.Equal(t, broken.body, replayed.body)
	require.ErrorIs(t, replayed.err, io.ErrUnexpectedEOF)

	upstream.Close()
	var nothing bytes.Buffer
	alone := serve(t, Options{Upstream: upstream.URL, Record: &nothing})
	require.Equal(t, http.StatusBadGateway, ask(alone, "/v1/chat/completions", nil).status)
	require.Empty(t, nothing.String(), "that is no answer of the upstream server's")
}

func TestServeOptions(t *testing.T) {
	for _, o := range []Options{
		{Play: "perfekt"}, {Hold: -1}, {Listen: "nowhere"}, {Upstream: "ftp://x"}, {Upstream: "::"},
		{Upstream: "http://127.0.0.1:1", Replay: strings.NewReader("")},
	} {
		_, err := Serve(o)
		require.Error(t, err, "%+v", o)
	}
}

func TestEnv(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "")
	t.Setenv("ANTHROPIC_API_KEY", "somebody's")
	s := serve(t, Options{})
	require.True(t, strings.HasPrefix(s.URL(), "http://127.0.0.1:"))
	require.Equal(t, []string{"FLOORCHECK_MODEL_URL=" + s.URL()}, s.Env(nil))
	require.Equal(t, []string{
		"FLOORCHECK_MODEL_URL=" + s.URL(),
		"OPENAI_BASE_URL=" + s.URL() + "/v1", "OPENAI_API_KEY=floorcheck",
		"ANTHROPIC_BASE_URL=" + s.URL(),
	}, s.Env([]string{"anthropic", "openai", "others"}))
}

func TestPieces(t *testing.T) {
	for _, text := range []string{"", "short", strings.Repeat("é", 100), strings.Repeat("word ", 40), strings.Repeat("x", 25)} {
		cut := pieces(text)
		require.Equal(t, text, strings.Join(cut, ""))
		for _, piece := range cut {
			require.NotEmpty(t, piece)
			require.True(t, json.Valid(plainJSON(piece)))
			require.NotContains(t, string(plainJSON(piece)), `\ufffd`)
		}
	}
}
