package hostile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Limits of the server.
const (
	MaxBody     = 64 << 20         // bytes of a request, or of an upstream's answer
	MaxEntries  = 1000             // of the log in memory; older ones go
	DefaultHold = 30 * time.Second // how long "timeout" keeps a client waiting
)

// Options say how a server behaves. The zero value plays the right summarizer
// on a free port of 127.0.0.1.
type Options struct {
	Listen string        // host and port; "" is 127.0.0.1:0
	Play   string        // the ID of the first summarizer; "" is perfect
	Hold   time.Duration // how long "timeout" holds a connection; 0 is DefaultHold

	Log    io.Writer   // gets every Entry as a line of JSON
	Notice func(Entry) // is called with every Entry, one at a time

	// Record gets every answer as a line of JSON, for Replay.
	Record io.Writer
	// Replay is a recording: its answers are given instead of the summarizer's,
	// and a request that it does not know gets status 503. It is read to its end
	// at once.
	Replay io.Reader
	// Upstream is the address of a real model server, which is asked instead of
	// the summarizer, with the client's own headers.
	Upstream string
}

// An Entry of the log is one request and what was done.
type Entry struct {
	Number     int    `json:"number"` // from 1, as requests come in
	Path       string `json:"path"`
	Summarizer string `json:"summarizer"` // "" when none was asked
	Digest     string `json:"digest"`     // of the request, as in a recording
	Status     int    `json:"status"`
	In         int    `json:"in"`  // bytes of the request's body
	Out        int    `json:"out"` // bytes of the answer's
	Did        string `json:"did"` // one line
}

// A Server is a model server on loopback that speaks the interfaces of OpenAI
// (chat completions) and of Anthropic (messages), streams included. It gives
// what its summarizer makes of the conversation in the request; tools are never
// called. Equal requests to one summarizer get equal bytes.
type Server struct {
	url      string
	http     *http.Server
	hold     time.Duration
	tape     *tape
	upstream *url.URL
	out      Options
	ctx      context.Context // ends when the server is closed
	stop     context.CancelFunc
	handlers sync.WaitGroup

	mu      sync.Mutex
	plays   Summarizer
	number  int
	entries []Entry
	err     error // the first of writing the log or the recording
	closed  bool
}

// Serve starts a server, which runs until it is closed.
func Serve(o Options) (*Server, error) {
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	if o.Hold == 0 {
		o.Hold = DefaultHold
	}
	if o.Hold < 0 {
		return nil, fmt.Errorf("serve: a connection cannot be held for %v", o.Hold)
	}
	if o.Replay != nil && o.Upstream != "" {
		return nil, errors.New("serve: a recording and an upstream are two sources of answers")
	}
	s := &Server{hold: o.Hold, out: o}
	if err := s.Play(o.Play); err != nil {
		return nil, err
	}
	var err error
	if o.Replay != nil {
		if s.tape, err = readTape(o.Replay); err != nil {
			return nil, err
		}
	}
	if o.Upstream != "" {
		if s.upstream, err = url.Parse(o.Upstream); err != nil || s.upstream.Host == "" || s.upstream.Scheme != "http" && s.upstream.Scheme != "https" {
			return nil, fmt.Errorf("serve: upstream %q is not an http or https URL", o.Upstream)
		}
	}
	listener, err := net.Listen("tcp", o.Listen)
	if err != nil {
		return nil, fmt.Errorf("serve: %w", err)
	}
	s.url = "http://" + listener.Addr().String()
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.http = &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 30 * time.Second,
		ErrorLog:          log.New(io.Discard, "", 0), // a client that goes away is no news
	}
	go s.http.Serve(listener) // ends, with an error that says so, when the server is closed
	return s, nil
}

// URL is the server's address, without a path.
func (s *Server) URL() string { return s.url }

// Play switches the summarizer, for requests that come in from now on. "" is
// perfect; the error says that there is no such summarizer.
func (s *Server) Play(name string) error {
	if name == "" {
		name = "perfect"
	}
	found, ok := Lookup(name)
	if !ok {
		return fmt.Errorf("there is no summarizer %q", name)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plays = found
	return nil
}

// Playing is the ID of the summarizer.
func (s *Server) Playing() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.plays.ID
}

// Log gives the last entries, oldest first, at most MaxEntries.
func (s *Server) Log() []Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.entries)
}

// Unknown counts the requests that a replayed recording had no answer to.
func (s *Server) Unknown() int {
	if s.tape == nil {
		return 0
	}
	return s.tape.missed()
}

// Interfaces are the names that Env knows.
func Interfaces() []string { return []string{"openai", "anthropic"} }

// Env gives the variables, as NAME=VALUE, that lead a runtime to the server:
// FLOORCHECK_MODEL_URL, and for each interface that is named its base URL, and
// a key unless the environment has one. Unknown names give nothing.
func (s *Server) Env(names []string) []string {
	env := []string{"FLOORCHECK_MODEL_URL=" + s.url}
	add := func(variable, value, key string) {
		env = append(env, variable+"="+value)
		if os.Getenv(key) == "" {
			env = append(env, key+"="+nobody)
		}
	}
	if slices.Contains(names, "openai") {
		add("OPENAI_BASE_URL", s.url+"/v1", "OPENAI_API_KEY")
	}
	if slices.Contains(names, "anthropic") {
		add("ANTHROPIC_BASE_URL", s.url, "ANTHROPIC_API_KEY")
	}
	return env
}

// Close ends the server at once, with every connection that is held. The error
// is the first of writing the log or the recording.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.stop()
	err := s.http.Close()
	s.handlers.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(s.err, err)
}

// ServeHTTP answers a client.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	entry, plays, open := s.enter(r)
	if !open {
		panic(http.ErrAbortHandler)
	}
	defer s.handlers.Done()

	path := r.URL.Path
	d := dialectOf(path)
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	entry.In = len(body)
	entry.Digest = digestOf(r.Method, path, body)
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		s.give(w, entry, failed(d, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is longer than %d MiB", MaxBody>>20)))
	case err != nil:
		s.give(w, entry, failed(d, http.StatusBadRequest, "the body cannot be read: "+err.Error()))
	case s.tape != nil:
		s.give(w, entry, s.tape.answer(d, entry.Digest))
	case s.upstream != nil:
		s.forward(w, r, entry, d, body)
	default:
		if asksModel(path) && r.Method == http.MethodPost {
			entry.Summarizer = plays.ID
		}
		s.answer(w, r, entry, own(plays, r.Method, path, body, entry.Digest))
	}
}

// enter counts a request in.
func (s *Server) enter(r *http.Request) (entry Entry, plays Summarizer, open bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return Entry{}, Summarizer{}, false
	}
	s.handlers.Add(1)
	s.number++
	path := r.URL.Path
	if len(path) > 200 {
		path = strings.ToValidUTF8(path[:200], "") + "…"
	}
	return Entry{Number: s.number, Path: path}, s.plays, true
}

func dialectOf(path string) dialect {
	if strings.HasSuffix(path, "/messages") {
		return anthropic
	}
	return openAI
}

func asksModel(path string) bool {
	at := strings.TrimPrefix(path, "/v1")
	return at == "/chat/completions" || at == "/messages"
}

// own is what the server answers by itself.
func own(plays Summarizer, method, path string, body []byte, digest string) answer {
	d := dialectOf(path)
	allowed := http.MethodPost
	switch {
	case strings.TrimPrefix(path, "/v1") == "/models":
		if method == http.MethodGet {
			return models()
		}
		allowed = http.MethodGet
	case !asksModel(path):
		return failed(d, http.StatusNotFound, "here are only POST /v1/chat/completions, POST /v1/messages and GET /v1/models")
	}
	if method != allowed {
		a := failed(d, http.StatusMethodNotAllowed, "here is only "+allowed)
		a.header = [][2]string{{"Allow", allowed}}
		return a
	}
	request, err := parse(d, body, digest)
	if err != nil {
		return failed(d, http.StatusBadRequest, err.Error())
	}
	return play(d, plays, request)
}

// answer records an answer, and gives it when it is time to.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, entry Entry, a answer) {
	if a.hold {
		select {
		case <-r.Context().Done():
			entry.Did = a.did + ": the client went away"
			s.note(entry)
			return
		case <-s.ctx.Done():
			entry.Did = a.did + ": the server was closed"
			s.note(entry)
			panic(http.ErrAbortHandler)
		case <-time.After(s.hold):
		}
	}
	s.record(recorded{entry.Digest, a.status, a.kind, string(a.body()), a.cut})
	s.give(w, entry, a)
}

// give sends an answer that is not recorded: it is about us, or comes from a
// recording. It is noted down first: who has read it finds it in the log.
func (s *Server) give(w http.ResponseWriter, entry Entry, a answer) {
	body := a.body()
	entry.Status, entry.Out, entry.Did = a.status, len(body), a.did
	s.note(entry)
	for _, field := range a.header {
		w.Header().Set(field[0], field[1])
	}
	if a.kind != "" {
		w.Header().Set("Content-Type", a.kind)
	}
	if len(a.chunks) == 1 && len(body) > 0 && !a.cut {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	}
	w.WriteHeader(a.status)
	for _, chunk := range a.chunks {
		if !pass(w, chunk) {
			return // it is gone
		}
	}
	if a.cut {
		panic(http.ErrAbortHandler) // the one way to break a connection off
	}
}

// pass gives a client some bytes at once.
func pass(w http.ResponseWriter, chunk []byte) bool {
	if _, err := w.Write(chunk); err != nil {
		return false
	}
	return http.NewResponseController(w).Flush() == nil
}

// note puts an entry into the log.
func (s *Server) note(entry Entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.entries) == MaxEntries {
		s.entries = slices.Delete(s.entries, 0, 1)
	}
	s.entries = append(s.entries, entry)
	if s.out.Notice != nil {
		s.out.Notice(entry)
	}
	if s.out.Log == nil {
		return
	}
	if _, err := s.out.Log.Write(append(plainJSON(entry), '\n')); err != nil && s.err == nil {
		s.err = fmt.Errorf("write log: %w", err)
	}
}

func (s *Server) record(r recorded) {
	if s.out.Record == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := r.writeTo(s.out.Record); err != nil && s.err == nil {
		s.err = err
	}
}
