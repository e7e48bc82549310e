package hostile

import (
	"encoding/json"
	"errors"
	"html"
	"io"
	"regexp"
	"strings"

	"github.com/floorcheck/floorcheck/floor"
)

// conversation finds in the messages of a request what is to be summarized.
// Runtimes ask in two ways: with one prompt that holds the conversation as
// text, or with the conversation's own messages and an instruction around
// them. Where the instruction is not recognized it stays: a sentence too many
// does no harm, and one too few would make the right summary wrong.
func conversation(messages []Line) []Line {
	voices := 0
	for _, m := range messages {
		if m.Role != floor.System {
			voices++
		}
	}
	if voices <= 1 {
		for i := len(messages) - 1; i >= 0; i-- {
			if found, ok := inPrompt(messages[i].Text); ok {
				return found
			}
		}
	}
	return withoutInstructions(messages)
}

// inPrompt finds a conversation in the text of one prompt.
func inPrompt(text string) (found []Line, ok bool) {
	if _, after, ok := strings.Cut(text, "END OF EXAMPLE"); ok {
		text = after
	}
	if blocks := tagged(text); len(blocks) > 0 {
		for _, block := range blocks {
			found = append(found, transcript(block)...)
		}
		return found, len(found) > 0
	}
	if at := heading.FindStringIndex(text); at != nil {
		return transcript(closing.ReplaceAllString(text[at[0]:], "")), true
	}
	at := spoken.FindStringIndex(text)
	if at == nil {
		return nil, false
	}
	if preamble := strings.TrimSpace(text[:at[0]]); preamble != "" && !instructs(preamble) {
		found = transcript(preamble)
	}
	return append(found, transcript(closing.ReplaceAllString(text[at[0]:], ""))...), true
}

// tagged gives the texts between tags, each alone at the beginning of a line,
// that conversations and earlier summaries stand between.
func tagged(text string) (blocks []string) {
	for {
		at := opening.FindStringSubmatchIndex(text)
		if at == nil {
			return blocks
		}
		tag := text[at[2]:at[3]]
		rest := text[at[1]:]
		// The last one closes it: the conversation may speak of tags.
		end := strings.LastIndex(rest, "</"+tag+">")
		if end < 0 {
			return append(blocks, rest)
		}
		blocks = append(blocks, rest[:end])
		text = rest[end+len(tag)+len("</>"):]
	}
}

var (
	opening = regexp.MustCompile(`(?mi)^[ \t]*<(messages|conversation|conversation[_-]history|transcript|history|chat[_-]history|chat|dialogue|(?:previous|prior|existing|current|running|earlier|old)[_-]summary)(?:\s[^>\n]*)?>`)
	heading = regexp.MustCompile(`(?mi)^[ \t#*]*(?:` +
		`(?:current|previous|existing|prior|running|earlier) (?:conversation )?summary[^:\n]{0,20}:|` +
		`(?:(?:here (?:is|are) )?(?:the )?(?:new )?(?:messages|conversation|chat|transcript|dialogue|history|lines of conversation)(?: history| transcript| log| messages)?(?: to (?:be )?(?:summari[sz]ed?|compact|condense))?(?: so far| below)?[ \t*]*:[ \t*]*$))`)
	closing = regexp.MustCompile(`(?i)\n\s*(?:(?:new|updated|concise|final|your) )?summary[^\n]{0,40}:\s*$`)

	// spoken is how a line of a transcript begins: "Human: ", "[user]: ",
	// "2. **Assistant** (tool call): ".
	spoken = regexp.MustCompile(`(?mi)^[ \t]*(?:\d+[.)][ \t]+)?(?:[-*][ \t]+)?[\[(<*#_ \t]{0,4}(human|user|ai|assistant|system|developer|tool|function|tool result)[\])>*_]{0,4}[ \t]*(?:\([^)\n]{0,80}\))?[ \t]*[:\]][*_]{0,2}(?:[ \t]|$)`)
)

// transcript reads a conversation that was written as text: as JSON, with tags,
// or with the speaker in front.
func transcript(block string) []Line {
	if lines, ok := fromJSON(block); ok {
		return lines
	}
	if saying.MatchString(block) {
		block = saying.ReplaceAllString(block, "\n$1$2: ")
		block = html.UnescapeString(inner.ReplaceAllString(block, "\n"))
	}
	var lines []Line
	say := func(role floor.Role, text string) {
		text, calls := withoutCalls(role, text)
		if text = strings.TrimSpace(text); text != "" {
			lines = append(lines, Line{role, text})
		}
		lines = append(lines, calls...)
	}
	role, from := floor.User, 0
	for _, at := range spoken.FindAllStringSubmatchIndex(block, -1) {
		say(role, heading.ReplaceAllString(block[from:at[0]], ""))
		role, from = roleOf(block[at[2]:at[3]]), at[1]
	}
	rest := block[from:]
	if from == 0 {
		rest = heading.ReplaceAllString(rest, "")
	}
	say(role, rest)
	return lines
}

// withoutCalls takes the calls out of what an assistant says in a transcript:
// JSON as a line of its own, or at the very end. What is inside is text.
func withoutCalls(role floor.Role, text string) (left string, calls []Line) {
	if role != floor.Assistant {
		return text, nil
	}
	var rest []string
	for line := range strings.SplitSeq(text, "\n") {
		at := 0
		if !strings.HasPrefix(strings.TrimSpace(line), "{") {
			at = strings.Index(line, `[{"`)
		}
		if at >= 0 {
			if v := decoded(line[at:]); isCall(v) {
				found := said(v, role)
				if len(found) == 0 {
					found = argLines(v) // they stand alone
				}
				calls = append(calls, found...)
				line = line[:at]
			}
		}
		rest = append(rest, line)
	}
	return strings.Join(rest, "\n"), calls
}

// isCall says whether a tree of JSON is a call, a list of calls, or the
// arguments of one.
func isCall(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		return true
	case []any:
		return len(v) > 0 && isCall(v[0])
	}
	return false
}

// saying opens a message in the manner of XML: <message type="human">, <user>.
// inner are the other tags that such transcripts have.
var (
	saying = regexp.MustCompile(`(?i)<(?:message|msg|turn)\b[^>\n]*?\b(?:type|role)="(human|user|ai|assistant|system|developer|tool|function)"[^>\n]*>|<(human|user|ai|assistant|system|tool)>`)
	inner  = regexp.MustCompile(`(?i)</?(?:message|msg|turn|human|user|ai|assistant|system|tool|content|text|tool_call|tool_result)(?:\s[^>\n]*)?>`)
)

func roleOf(name string) floor.Role {
	if role, known := roles[strings.ToLower(name)]; known {
		return role
	}
	return floor.User
}

// roles are the names that runtimes have for them.
var roles = map[string]floor.Role{
	"user": floor.User, "human": floor.User, "humanmessage": floor.User,
	"assistant": floor.Assistant, "ai": floor.Assistant, "model": floor.Assistant, "aimessage": floor.Assistant, "aimessagechunk": floor.Assistant,
	"system": floor.System, "developer": floor.System, "systemmessage": floor.System,
	"tool": floor.Tool, "function": floor.Tool, "tool result": floor.Tool, "tool_result": floor.Tool, "toolmessage": floor.Tool,
}

// fromJSON reads messages that were written as JSON: one array, or one object a
// line.
func fromJSON(block string) (lines []Line, ok bool) {
	block = strings.TrimSpace(heading.ReplaceAllString(block, ""))
	if !strings.HasPrefix(block, "[") && !strings.HasPrefix(block, "{") {
		return nil, false
	}
	dec := json.NewDecoder(strings.NewReader(block))
	for {
		var v any
		err := dec.Decode(&v)
		if errors.Is(err, io.EOF) {
			return lines, len(lines) > 0
		}
		if err != nil {
			return nil, false // "[user]: …" begins like a list, too
		}
		lines = append(lines, said(v, floor.User)...)
	}
}

// said finds what messages say in a tree of JSON, whose fields have the names
// that the usual runtimes and interfaces give them. A call's arguments are text
// too.
func said(v any, role floor.Role) (lines []Line) {
	switch v := v.(type) {
	case string:
		if strings.TrimSpace(v) != "" {
			lines = append(lines, Line{role, v})
		}
	case []any:
		for _, item := range v {
			lines = append(lines, said(item, role)...)
		}
	case map[string]any:
		if path, isList := v["id"].([]any); isList && len(path) > 0 { // {"lc":1,"id":[…,"HumanMessage"],"kwargs":{…}}
			role = roleOr(path[len(path)-1], role)
		}
		role = roleOr(v["role"], roleOr(v["type"], role))
		for _, field := range []string{"kwargs", "data", "messages", "text", "content", "parts", "tool_calls", "function"} {
			lines = append(lines, said(v[field], role)...)
		}
		for _, field := range []string{"arguments", "args", "input"} {
			if text, isText := v[field].(string); isText {
				lines = append(lines, argLines(decoded(text))...) // some interfaces spell them
			} else {
				lines = append(lines, argLines(v[field])...)
			}
		}
	}
	return lines
}

func roleOr(name any, otherwise floor.Role) floor.Role {
	text, _ := name.(string)
	if role, known := roles[strings.ToLower(text)]; known {
		return role
	}
	return otherwise
}

// withoutInstructions leaves out what tells the model to summarize: in front as
// the system's word, or behind as the user's.
func withoutInstructions(messages []Line) []Line {
	left := messages
	if len(left) > 1 && left[0].Role == floor.System && instructs(left[0].Text) {
		left = left[1:]
	}
	if last := len(left) - 1; last > 0 && left[last].Role != floor.Assistant && left[last].Role != floor.Tool && instructs(left[last].Text) {
		left = left[:last]
	}
	return left
}

// instructs says whether a text asks for a summary of what was said.
func instructs(text string) bool {
	return summarize.MatchString(text) && whatWasSaid.MatchString(text)
}

var (
	summarize   = regexp.MustCompile(`(?i)\b(?:summari[sz]\w*|summary|condens\w+|compact\w*|compress\w*|distill?\w*|context extraction)\b`)
	whatWasSaid = regexp.MustCompile(`(?i)\b(?:conversations?|above|messages|chats?|history|context|transcript|dialogue|so far|session|handoff)\b`)
)
