package hostile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
)

// forward asks the upstream server in the client's stead and passes on what it
// says, a stream as it comes.
func (s *Server) forward(w http.ResponseWriter, r *http.Request, entry Entry, d dialect, body []byte) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)() // whichever ends first
	out, err := http.NewRequestWithContext(ctx, r.Method, s.upstreamURL(r), bytes.NewReader(body))
	if err != nil {
		s.give(w, entry, failed(d, http.StatusBadGateway, "the upstream server cannot be asked: "+err.Error()))
		return
	}
	passHeader(out.Header, r.Header)
	// The transport asks for gzip by itself and unpacks it: a recording is text.
	out.Header.Del("Accept-Encoding")
	in, err := http.DefaultTransport.RoundTrip(out)
	if err != nil {
		s.give(w, entry, failed(d, http.StatusBadGateway, "the upstream server does not answer: "+err.Error()))
		return
	}
	defer in.Body.Close()
	passHeader(w.Header(), in.Header)
	w.Header().Del("Content-Length") // set again where it is known

	a := answer{status: in.StatusCode, kind: in.Header.Get("Content-Type"), did: "forwarded"}
	if kind, _, err := mime.ParseMediaType(a.kind); err == nil && kind == "text/event-stream" {
		s.passStream(w, r, entry, a, in.Body)
		return
	}
	text, err := io.ReadAll(io.LimitReader(in.Body, MaxBody+1))
	switch {
	case err != nil:
		a.cut, a.did = true, "forwarded; the upstream server broke off"
	case len(text) > MaxBody:
		err = fmt.Errorf("its answer is longer than %d MiB", MaxBody>>20)
		s.give(w, entry, failed(d, http.StatusBadGateway, err.Error()))
		return
	}
	a.chunks = [][]byte{text}
	s.answer(w, r, entry, a)
}

// passStream passes a stream on, piece by piece, and notes it down before its
// end. A client that goes away ends it; what came until then was a part.
func (s *Server) passStream(w http.ResponseWriter, r *http.Request, entry Entry, a answer, in io.Reader) {
	w.WriteHeader(a.status)
	var all []byte
	piece := make([]byte, 32<<10)
	for {
		n, err := in.Read(piece)
		all = append(all, piece[:n]...)
		if len(all) > MaxBody {
			err = fmt.Errorf("its answer is longer than %d MiB", MaxBody>>20)
			all = all[:MaxBody]
		}
		if err == nil && pass(w, piece[:n]) {
			continue
		}
		a.cut = !errors.Is(err, io.EOF)
		entry.Status, entry.Out, entry.Did = a.status, len(all), a.did
		switch {
		case a.cut && (err == nil || r.Context().Err() != nil): // the upstream's answer was not seen to its end
			entry.Did += "; the client went away"
		case a.cut:
			entry.Did += "; the upstream server broke off"
			fallthrough
		default:
			s.record(recorded{entry.Digest, a.status, a.kind, string(all), a.cut})
		}
		s.note(entry)
		if n > 0 && err != nil {
			pass(w, piece[:n]) // whether it arrives is the client's affair now
		}
		if a.cut {
			panic(http.ErrAbortHandler)
		}
		return
	}
}

// upstreamURL is the request's URL at the upstream server, whose address may or
// may not end in /v1.
func (s *Server) upstreamURL(r *http.Request) string {
	u := *s.upstream
	base := strings.TrimSuffix(u.Path, "/")
	path := r.URL.Path
	if strings.HasSuffix(base, "/v1") {
		path = "/" + strings.TrimPrefix(strings.TrimPrefix(path, "/v1"), "/")
	}
	u.Path = base + path
	u.RawQuery = r.URL.RawQuery
	return u.String()
}

// passHeader copies the fields that are meant for the other end.
func passHeader(to, from http.Header) {
	between := []string{
		"Connection", "Proxy-Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
	}
	for _, field := range from.Values("Connection") {
		for name := range strings.SplitSeq(field, ",") {
			between = append(between, textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name)))
		}
	}
	for name, values := range from {
		if !slices.Contains(between, name) {
			to[name] = slices.Clone(values)
		}
	}
}
