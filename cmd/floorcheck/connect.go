package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/floorcheck/floorcheck/conform"
)

// A subject behind a socket or a URL is reached through a child of our own that
// carries lines to and fro. Whatever happens to the connection is then what
// happens to a process, and there is one way to judge it.

// connectArgs is the command of that child.
func connectArgs(unix, address string) ([]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find ourselves: %w", err)
	}
	if unix != "" {
		return []string{self, "connect", "--unix", unix}, nil
	}
	return []string{self, "connect", "--url", address}, nil
}

// checkAddress looks at --unix and --url before anything is started.
func checkAddress(unix, address string, command []string) error {
	switch {
	case unix != "" && address != "":
		return usage("", "--unix and --url are two ways to one subject: give one")
	case (unix != "" || address != "") && len(command) > 0:
		return usage("", "a command after -- and --unix or --url are two subjects: give one")
	}
	if address == "" {
		return nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return usage("--url http://127.0.0.1:8080/", "--url: %q is not an http or https URL", address)
	}
	return nil
}

// checkGiven keeps an empty variable in somebody's script from putting the
// reference under test instead of his subject, every rule instead of one, or
// our model inside it instead of his.
func checkGiven(cmd *cobra.Command) error {
	for _, name := range []string{"unix", "url", "run", "skip", "level", "model-env", "model-upstream", "record-answers", "replay-answers"} {
		flag := cmd.Flags().Lookup(name)
		if flag != nil && flag.Changed && strings.Trim(flag.Value.String(), "[]") == "" {
			return usage("", "--%s is empty", name)
		}
	}
	return nil
}

func newConnect() *cobra.Command {
	var unix, address string
	cmd := &cobra.Command{
		Use:    "connect --unix PATH | --url URL",
		Short:  "Carry the protocol's lines between stdin and stdout and a socket or a URL",
		Hidden: true, // check --unix and --url start it
		Args:   noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkAddress(unix, address, nil); err != nil {
				return err
			}
			if unix != "" {
				return carrySocket(unix, cmd.InOrStdin(), cmd.OutOrStdout())
			}
			if address == "" {
				return usage("", "one of --unix and --url is needed")
			}
			return carryHTTP(cmd.Context(), address, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&unix, "unix", "", "the `PATH` of a Unix socket")
	cmd.Flags().StringVar(&address, "url", "", "an http or https `URL`")
	return cmd
}

// carrySocket joins stdin and stdout to a socket until either end closes.
func carrySocket(path string, in io.Reader, out io.Writer) error {
	conn, err := net.Dial("unix", path)
	if err != nil {
		return &conform.BrokenRun{Doing: "connect to " + path, Err: err}
	}
	defer conn.Close()
	socket := conn.(*net.UnixConn) // what dialing unix gives
	go func() {
		_, _ = io.Copy(socket, in) // its end shows on the other side
		_ = socket.CloseWrite()
	}()
	if _, err := io.Copy(out, socket); err != nil {
		return &conform.BrokenRun{Doing: "read from " + path, Err: err}
	}
	return nil
}

// mostPosted bounds one request's body; a longer line is posted alone.
const mostPosted = 1 << 20

// carryHTTP posts the lines that are there, and writes the lines that come
// back, one POST after another.
func carryHTTP(ctx context.Context, address string, in io.Reader, out io.Writer) error {
	lines := bufio.NewReaderSize(in, 1<<16)
	var body bytes.Buffer
	for {
		line, err := lines.ReadBytes('\n')
		body.Write(line)
		ended := err != nil
		if ended && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read stdin: %w", err)
		}
		more := !ended && lines.Buffered() > 0 && body.Len() < mostPosted
		if more {
			continue
		}
		if body.Len() > 0 {
			if err := post(ctx, address, &body, out); err != nil {
				return err
			}
			body.Reset()
		}
		if ended {
			return nil
		}
	}
}

// client follows no redirects: a POST would become a GET on the way.
var client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// post sends lines and copies the lines of the answer, each ended.
func post(ctx context.Context, address string, body *bytes.Buffer, out io.Writer) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body.Bytes()))
	if err != nil {
		return &conform.BrokenRun{Doing: "post to " + address, Err: err}
	}
	request.Header.Set("Content-Type", "application/x-ndjson")
	response, err := client.Do(request)
	if err != nil {
		return &conform.BrokenRun{Doing: "post to " + address, Err: err}
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 1024)) // for the message alone
		return &conform.BrokenRun{
			Doing: "post to " + address, Err: fmt.Errorf("status %s: %s", response.Status, strings.TrimSpace(string(text))),
		}
	}
	end := &endKeeper{w: out}
	if _, err := io.Copy(end, response.Body); err != nil {
		return &conform.BrokenRun{Doing: "read from " + address, Err: err}
	}
	return end.finish()
}

// An endKeeper ends the last line, whether the server did or not.
type endKeeper struct {
	w    io.Writer
	last byte
}

func (e *endKeeper) Write(p []byte) (int, error) {
	if len(p) > 0 {
		e.last = p[len(p)-1]
	}
	return e.w.Write(p)
}

func (e *endKeeper) finish() error {
	if e.last == 0 || e.last == '\n' {
		return nil
	}
	_, err := e.w.Write([]byte("\n"))
	return err
}
