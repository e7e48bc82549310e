/** Vercel AI SDK: pruneMessages of the package ai, with the options of its documentation's first example. */
import { pruneMessages } from "ai";

import { serve } from "../../javascript/floorcheck.mjs";
import { versionOf } from "./shared.mjs";

serve({ name: "ai-prune", version: versionOf("ai"), reduce, triggerMessages: 4 });

function reduce(conversation) {
  const toolNames = new Map(conversation.flatMap(({ calls = [] }) => calls.map(({ id, name }) => [id, name])));
  const pruned = pruneMessages({
    messages: conversation.map((message) => toModelMessage(message, toolNames)),
    reasoning: "before-last-message",
    toolCalls: "before-last-2-messages",
    emptyMessages: "remove",
  });
  return pruned.map(fromModelMessage);
}

/** @returns {import("ai").ModelMessage} */
function toModelMessage({ role, text, calls = [], call_id: id }, toolNames) {
  if (role === "tool") {
    const result = { type: "tool-result", toolCallId: id, toolName: toolNames.get(id) ?? "unknown", output: { type: "text", value: text } };
    return { role, content: [result] };
  }
  if (role !== "assistant") return { role, content: text };
  const said = text === "" ? [] : [{ type: "text", text }];
  return { role, content: [...said, ...calls.map(({ id, name, args }) => ({ type: "tool-call", toolCallId: id, toolName: name, input: args }))] };
}

/** @param {import("ai").ModelMessage} message */
function fromModelMessage({ role, content }) {
  if (typeof content === "string") return { role, text: content };
  const [result] = content.filter(({ type }) => type === "tool-result");
  if (result) return { role, text: result.output.value, call_id: result.toolCallId };
  const text = content.filter(({ type }) => type === "text").map(({ text }) => text).join("");
  const calls = content.filter(({ type }) => type === "tool-call").map(({ toolCallId, toolName, input }) => ({ id: toolCallId, name: toolName, args: input }));
  return calls.length > 0 ? { role, text, calls } : { role, text };
}
