// Your compactor under test:  floorcheck check -- node adapter_reduce.mjs
//
// Replace the body of reduce() by a call to your own code. It is given a whole conversation and the number of
// tokens that may be left; shape says what messages look like ("anthropic", "langchain" and "plain" are others).
// What you log goes to stderr; a model inside finds the suite's own at $FLOORCHECK_MODEL_URL (then say model: true).
import { Refused, reduced, serve } from "./floorcheck.mjs";

/** @typedef {import("./floorcheck.mjs").OpenAIMessage[]} Messages */

const NOTE = "Earlier turns are left out.";

/**
 * Stands for your compactor: leaves out the oldest turns, and says that something may be missing.
 * @param {Messages} messages
 * @param {number} targetTokens
 */
function reduce(messages, targetTokens) {
  for (const start of [0, ...turns(messages)]) {
    const kept = messages.filter(({ role }, i) => i >= start || role === "system");
    const isNoted = () => kept.some(({ content }) => content === NOTE);
    if (kept.length < messages.length && !isNoted()) kept.unshift({ role: "system", content: NOTE });
    if (tokens(kept) <= targetTokens) return reduced(kept, { mark: isNoted() ? "provisional" : "none" });
  }
  throw new Refused("the newest turn alone is longer than that");
}

/** Where the user's turns begin, as long as no call waits for its result. */
function* turns(/** @type {Messages} */ messages) {
  const waiting = new Set();
  for (const [i, { role, tool_calls, tool_call_id }] of messages.entries()) {
    if (role === "user" && waiting.size === 0) yield i;
    for (const { id } of tool_calls ?? []) waiting.add(id);
    waiting.delete(tool_call_id);
  }
}

function tokens(/** @type {Messages} */ messages) {
  const texts = messages.flatMap(({ content, tool_calls }) => [content ?? "", ...(tool_calls ?? []).map((call) => call.function.arguments)]);
  return Math.floor(texts.reduce((sum, text) => sum + text.length, 0) / 4);
}

serve({ name: "my-compactor", version: "0.1", shape: "openai", reduce });
