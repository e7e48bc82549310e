// Command langchaingo puts a conversation memory of langchaingo under test:
// token-buffer or window-buffer. It is a module of its own, so that nobody who
// uses floorcheck downloads langchaingo.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"runtime/debug"
	"strings"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/memory"
	"github.com/tmc/langchaingo/schema"

	"github.com/floorcheck/floorcheck/conform"
	"github.com/floorcheck/floorcheck/floor"
)

// A kind is one of langchaingo's memories.
type kind struct {
	triggerMessages int64
	open            func(targetTokens int64, options ...memory.ConversationBufferOption) schema.Memory
}

var kinds = map[string]kind{
	"token-buffer": {
		triggerMessages: 4, // a system message, an exchange, a new turn
		open: func(target int64, options ...memory.ConversationBufferOption) schema.Memory {
			return memory.NewConversationTokenBuffer(nil, int(target), options...) // it counts without the model
		},
	},
	"window-buffer": {
		triggerMessages: 13, // a system message, five exchanges and one message, a new turn
		open: func(_ int64, options ...memory.ConversationBufferOption) schema.Memory {
			return memory.NewConversationWindowBuffer(0, options...) // 0 is its default, five exchanges
		},
	},
}

func main() {
	log.SetOutput(io.Discard) // it tells at every count that it counts by length
	if len(os.Args) != 2 || kinds[os.Args[1]].open == nil {
		fmt.Fprintln(os.Stderr, "usage: langchaingo token-buffer | window-buffer")
		os.Exit(2)
	}
	k := kinds[os.Args[1]]
	hello := conform.Hello{
		Name: "langchaingo-" + os.Args[1], Version: version(), Language: "go",
		Reduce: &conform.ReduceHello{TriggerMessages: k.triggerMessages},
	}
	subject := conform.InProcess(hello, conform.Funcs{Reduce: k.reduce})
	if err := conform.Serve(context.Background(), os.Stdin, os.Stdout, os.Stderr, subject); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func version() string {
	info, _ := debug.ReadBuildInfo()
	for _, dep := range info.Deps {
		if dep.Path == "github.com/tmc/langchaingo" {
			return strings.TrimPrefix(dep.Version, "v")
		}
	}
	return ""
}

// reduce lets the memory hear the conversation as a chain lets it, and gives
// what the chain would put into its next prompt. The system messages at the
// start and the newest turn are the prompt's own and not the memory's.
func (k kind) reduce(in *floor.ReduceIn) (floor.ReduceOut, error) {
	system, past, turn := parts(in.Messages)
	remembered, err := remember(context.Background(), past, func(history *memory.ChatMessageHistory) schema.Memory {
		return k.open(in.TargetTokens, memory.WithChatHistory(history), memory.WithReturnMessages(true))
	})
	if err != nil {
		return floor.ReduceOut{}, err
	}
	out := append([]floor.Message{}, system...)
	out = append(out, remembered...)
	return floor.ReduceOut{Messages: append(out, turn...)}, nil
}

// parts cuts a conversation into the system messages at its start, the past, and
// the newest turn: the last message of the user, and what came after it.
func parts(messages []floor.Message) (system, past, turn []floor.Message) {
	for len(messages) > 0 && messages[0].Role == floor.System {
		system, messages = append(system, messages[0]), messages[1:]
	}
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role == floor.User {
			return system, messages[:i], messages[i:]
		}
	}
	return system, messages, nil
}

// remember tells the memory every exchange, and what is no exchange of a user's
// message and an answer to its history alone, which has a place for it.
func remember(ctx context.Context, past []floor.Message, open func(*memory.ChatMessageHistory) schema.Memory) ([]floor.Message, error) {
	history := memory.NewChatMessageHistory()
	buffer := open(history)
	for i := 0; i < len(past); i++ {
		if i+1 < len(past) && isExchange(past[i], past[i+1]) {
			input, output := map[string]any{"input": past[i].Text}, map[string]any{"output": past[i+1].Text}
			if err := buffer.SaveContext(ctx, input, output); err != nil {
				return nil, fmt.Errorf("save context: %w", err)
			}
			i++
			continue
		}
		if err := history.AddMessage(ctx, toChat(past[i])); err != nil {
			return nil, fmt.Errorf("add message: %w", err)
		}
	}
	loaded, err := buffer.LoadMemoryVariables(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("load memory: %w", err)
	}
	remembered, ok := loaded[buffer.GetMemoryKey(ctx)].([]llms.ChatMessage)
	if !ok {
		return nil, fmt.Errorf("load memory: holds no messages")
	}
	var out []floor.Message
	for _, m := range remembered {
		out = append(out, fromChat(m))
	}
	return out, nil
}

func isExchange(a, b floor.Message) bool {
	return a.Role == floor.User && b.Role == floor.Assistant && len(b.Calls) == 0
}

func toChat(m floor.Message) llms.ChatMessage {
	switch m.Role {
	case floor.System:
		return llms.SystemChatMessage{Content: m.Text}
	case floor.User:
		return llms.HumanChatMessage{Content: m.Text}
	case floor.Tool:
		return llms.ToolChatMessage{ID: m.CallID, Content: m.Text}
	}
	ai := llms.AIChatMessage{Content: m.Text}
	for _, c := range m.Calls {
		call := &llms.FunctionCall{Name: c.Name, Arguments: string(c.Args)}
		ai.ToolCalls = append(ai.ToolCalls, llms.ToolCall{ID: c.ID, Type: "function", FunctionCall: call})
	}
	return ai
}

func fromChat(m llms.ChatMessage) floor.Message {
	out := floor.Message{Text: m.GetContent()}
	switch m := m.(type) {
	case llms.SystemChatMessage:
		out.Role = floor.System
	case llms.HumanChatMessage:
		out.Role = floor.User
	case llms.ToolChatMessage:
		out.Role, out.CallID = floor.Tool, m.ID
	case llms.AIChatMessage:
		out.Role = floor.Assistant
		for _, c := range m.ToolCalls {
			out.Calls = append(out.Calls, floor.Call{ID: c.ID, Name: c.FunctionCall.Name, Args: json.RawMessage(c.FunctionCall.Arguments)})
		}
	}
	return out
}
