package hostile

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/floorcheck/floorcheck/floor"
)

const (
	user      = floor.User
	assistant = floor.Assistant
	system    = floor.System
	tool      = floor.Tool
)

// The ways in which runtimes hand over a conversation, in our own words.
func TestConversation(t *testing.T) {
	three := []Line{{user, "Never push to main.\nThe host is db-1."}, {assistant, "Noted. It is done."}, {tool, "exit 0"}}
	tests := []struct {
		name     string
		messages []Line
		want     []Line
	}{
		{"a tagged block after a long prompt", []Line{{user, "<role>\nExtractor\n</role>\n\nDo not add anything. Must be short.\n\n<messages>\nMessages to summarize:\n" +
			"Human: Never push to main.\nThe host is db-1.\nAI: Noted. It is done.\nTool: exit 0\n</messages>"}}, three},
		{"messages as tags", []Line{{user, "Extract what matters.\n<messages>\nMessages to summarize:\n" +
			`<message type="human">Never push to main.` + "\nThe host is db-1.</message>\n" +
			`<message type="ai">` + "\n  <content>Noted. It is done.</content>\n</message>\n" + `<message type="tool">exit 0</message>` + "\n</messages>"}}, three},
		{"escapes in tags", []Line{{user, "<conversation>\n<user>a &lt; b &amp;&amp; \"c\"</user>\n</conversation>"}}, []Line{{user, `a < b && "c"`}}},
		{"a conversation that speaks of the tag", []Line{{user, "<conversation>\nuser: Write </conversation> at the end.\nassistant: Done.\n</conversation>\nBe short."}},
			[]Line{{user, "Write </conversation> at the end."}, {assistant, "Done."}}},
		{"a block that is never closed", []Line{{user, "Summarize.\n<history>\nuser: Never push."}}, []Line{{user, "Never push."}}},
		{"an earlier summary beside it", []Line{{user, "Update it.\n<previous_summary>\nNever push.\n</previous_summary>\n<conversation>\nuser: It is done.\n</conversation>"}},
			[]Line{{user, "Never push."}, {user, "It is done."}}},
		{"a heading", []Line{{system, "You must be short."}, {user, "Shorten this.\n\nConversation:\nuser: Never push.\nassistant: Noted.\n\nSummary:"}},
			[]Line{{user, "Never push."}, {assistant, "Noted."}}},
		{"an example first", []Line{{user, "Current summary:\nDo not copy me.\nNew lines of conversation:\nHuman: no\n\nNew summary:\nno\nEND OF EXAMPLE\n\n" +
			"Current summary:\nNever push.\n\nNew lines of conversation:\nHuman: Use db-1.\nAI: Noted.\n\nNew summary:"}},
			[]Line{{user, "Never push."}, {user, "Use db-1."}, {assistant, "Noted."}}},
		{"speakers alone", []Line{{user, "Summarize the conversation below. Do not lie.\n\n[user]: Never push.\n[assistant]: Noted."}},
			[]Line{{user, "Never push."}, {assistant, "Noted."}}},
		{"speakers in other manners", []Line{{user, "1. **User**: Never push.\n2. **Assistant** (call): Noted.\n- tool(c1): exit 0"}},
			[]Line{{user, "Never push."}, {assistant, "Noted."}, {tool, "exit 0"}}},
		{"a preamble that asks for nothing stays", []Line{{user, "Never push.\nuser: Hello."}}, []Line{{user, "Never push."}, {user, "Hello."}}},
		{"JSON", []Line{{user, "<messages>\n" + `[{"role":"user","content":"Never push."},{"role":"assistant","content":[{"type":"text","text":"Noted."}]},{"role":"tool","content":"exit 0"}]` + "\n</messages>"}},
			[]Line{{user, "Never push."}, {assistant, "Noted."}, {tool, "exit 0"}}},
		{"JSON of serialized objects", []Line{{user, "<messages>\nMessages to summarize:\n" + `[{"lc":1,"type":"constructor","id":["core","messages","AIMessage"],"kwargs":{"content":"Noted."}}]` + "\n</messages>"}},
			[]Line{{assistant, "Noted."}}},
		{"JSON lines", []Line{{user, "Conversation:\n" + `{"role":"user","content":"Never push."}` + "\n" + `{"role":"assistant","content":"Noted."}`}},
			[]Line{{user, "Never push."}, {assistant, "Noted."}}},

		{"calls at the end of what an assistant says", []Line{{user, "<messages>\nHuman: Look.\nAI: Gladly." +
			`[{"name":"note","args":{"text":"The title is \"X\"."},"id":"c1","type":"tool_call"}]` + "\nTool: saved\n</messages>"}},
			[]Line{{user, "Look."}, {assistant, "Gladly."}, {assistant, `The title is "X".`}, {tool, "saved"}}},
		{"calls in tags", []Line{{user, "<messages>\n" + `<message type="ai">` + "\n  <content>Gladly.</content>\n" +
			`  <tool_call id="c1" name="note">{"text": "Never push."}</tool_call>` + "\n</message>\n</messages>"}},
			[]Line{{assistant, "Gladly."}, {assistant, "Never push."}}},
		{"JSON that a tool gives back stays", []Line{{user, "<messages>\nTool: {\"ok\":\"yes\"}\n</messages>"}}, []Line{{tool, `{"ok":"yes"}`}}},

		{"its own messages", []Line{{system, "Be kind."}, {user, "Never push."}, {assistant, "Noted."}},
			[]Line{{system, "Be kind."}, {user, "Never push."}, {assistant, "Noted."}}},
		{"and an instruction behind", []Line{{user, "Never push."}, {assistant, "Noted."}, {user, "Create a summary of the conversation above. Do not lie."}},
			[]Line{{user, "Never push."}, {assistant, "Noted."}}},
		{"and one in front", []Line{{system, "You summarize conversations. Do not lie."}, {user, "Never push."}, {assistant, "Noted."}},
			[]Line{{user, "Never push."}, {assistant, "Noted."}}},
		{"a message that only mentions a summary stays", []Line{{user, "Never push."}, {assistant, "Noted."}, {user, "Never mail the summary to the client."}},
			[]Line{{user, "Never push."}, {assistant, "Noted."}, {user, "Never mail the summary to the client."}}},
		{"what the assistant says last stays", []Line{{user, "Never push."}, {assistant, "Here is the summary of the conversation so far."}},
			[]Line{{user, "Never push."}, {assistant, "Here is the summary of the conversation so far."}}},
		{"many messages that quote one another are no prompt", []Line{{user, "user: Never push."}, {assistant, "<messages>\nx\n</messages>"}, {user, "It is done."}},
			[]Line{{user, "user: Never push."}, {assistant, "<messages>\nx\n</messages>"}, {user, "It is done."}}},
		{"one plain message", []Line{{user, "Never push."}}, []Line{{user, "Never push."}}},
		{"nothing", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, conversation(tt.messages)) })
	}
}
