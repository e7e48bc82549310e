package blackbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/floorcheck/floorcheck/floor"
)

// Limits of asking a model server.
const (
	patience   = time.Minute
	mostAnswer = 16 << 20 // bytes
)

// Server is the model behind the address of a server, without a path: the one
// that a black box finds in FLOORCHECK_MODEL_URL. It speaks chat completions.
func Server(url string) Model {
	client := &http.Client{Timeout: patience}
	return func(messages []floor.Message) (string, error) {
		prompt, err := prompting(messages)
		if err != nil {
			return "", err
		}
		response, err := client.Post(url+"/v1/chat/completions", "application/json", bytes.NewReader(prompt))
		if err != nil {
			return "", fmt.Errorf("ask the model: %w", err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(io.LimitReader(response.Body, mostAnswer))
		if err != nil {
			return "", fmt.Errorf("read what the model says: %w", err)
		}
		if response.StatusCode != http.StatusOK {
			return "", fmt.Errorf("the model answered with status %d", response.StatusCode)
		}
		var answer struct {
			Choices []struct{ Message struct{ Content string } }
		}
		switch err := json.Unmarshal(body, &answer); {
		case err != nil:
			return "", fmt.Errorf("read what the model says: %w", err)
		case len(answer.Choices) == 0:
			return "", errors.New("the model gave no choice")
		}
		return answer.Choices[0].Message.Content, nil
	}
}

// prompting asks for a summary of messages, which stand in the prompt as JSON.
func prompting(messages []floor.Message) ([]byte, error) {
	type call struct {
		Args json.RawMessage `json:"args"`
	}
	type message struct {
		Role    floor.Role `json:"role"`
		Content string     `json:"content"`
		Calls   []call     `json:"tool_calls,omitempty"`
	}
	var all []message
	for _, m := range messages {
		told := message{Role: m.Role, Content: m.Text}
		for _, c := range m.Calls {
			told.Calls = append(told.Calls, call{c.Args})
		}
		all = append(all, told)
	}
	history, err := json.Marshal(all)
	if err != nil {
		return nil, fmt.Errorf("write a prompt: %w", err)
	}
	text := "Summarize this conversation.\n<conversation>\n" + string(history) + "\n</conversation>"
	return json.Marshal(map[string]any{
		"model":    "summarizer",
		"messages": []message{{Role: floor.User, Content: text}},
	})
}
