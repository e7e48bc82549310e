// The black box that everybody writes first: the system message and the last messages that fit.
//
//     floorcheck check -- node adapters/javascript/keep_last.mjs
//
// It loses what was said early, without a word; nothing in it knows that a result belongs to a call.
import { serve } from "./floorcheck.mjs";

const CHARACTERS_PER_TOKEN = 4;

function reduce(messages, targetTokens) {
  let room = targetTokens * CHARACTERS_PER_TOKEN - messages.filter(isSystem).reduce((sum, message) => sum + size(message), 0);
  let start = messages.length;
  for (; start > 0; start--) {
    const message = messages[start - 1];
    if (isSystem(message)) continue;
    room -= size(message);
    if (room < 0) break;
  }
  return messages.filter((message, i) => i >= start || isSystem(message));
}

const size = ({ content, tool_calls = [] }) => (content ?? "").length + tool_calls.reduce((sum, call) => sum + call.function.arguments.length, 0);
const isSystem = ({ role }) => role === "system";

serve({ name: "keep_last.mjs", version: "1", shape: "openai", reduce });
