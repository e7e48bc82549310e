/**
 * deepagents JS: createSummarizationMiddleware, in an agent. It writes what it
 * takes out of the conversation to a file of its backend, and the summary tells
 * the file's name; recall looks there.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { coerceMessageLikeToMessage, HumanMessage } from "@langchain/core/messages";
import { createSummarizationMiddleware, FilesystemBackend } from "deepagents";
import { createMiddleware } from "langchain";
import { APIError } from "openai";

import { reduced, Refused, serve } from "../../javascript/floorcheck.mjs";
import { chatModel, delivered, KEEP_MESSAGES, versionOf } from "./shared.mjs";

const rootDir = mkdtempSync(join(tmpdir(), "floorcheck-deepagents-"));
process.once("exit", () => rmSync(rootDir, { recursive: true, force: true }));
const backend = new FilesystemBackend({ rootDir, virtualMode: true });

const MOST_RECALLED = 20; // messages

/** Each summary made here, and the session that it belongs to. */
const sessions = new Map();

serve({
  name: "deepagents-summarization",
  version: versionOf("deepagents"),
  shape: "langchain",
  triggerMessages: KEEP_MESSAGES + 3, // a system message, and two to be summarized
  model: true,
  reduce,
  recall,
});

async function reduce(conversation, targetTokens) {
  const session = sessionOf(conversation);
  const model = chatModel();
  const summarization = createSummarizationMiddleware({
    model,
    backend,
    trigger: { type: "tokens", value: targetTokens },
    keep: { type: "messages", value: KEEP_MESSAGES },
  });
  const messages = await delivered(conversation.map(asItWas), model, [remembered(session, summarization), summarization]).catch(refuse);
  const summary = messages.find(isSummary)?.text;
  if (!summary?.includes(pathOf(session))) return messages;
  sessions.set(summary, session);
  await index(pathOf(session));
  return reduced(messages, { mark: "provisional" }); // it says that it is a summary, and where the whole is
}

/** A model that fails ends the agent's turn with an error, and the conversation stays as it was. */
function refuse(error) {
  const modelFailed = error.cause instanceof APIError || error.name === "TimeoutError";
  throw modelFailed ? new Refused(error.message) : error;
}

/** A conversation that holds a summary goes on with that summary's file. */
function sessionOf(conversation) {
  const summary = conversation.find(({ content }) => sessions.has(content));
  if (summary) return sessions.get(summary.content);
  return createHash("sha256").update(JSON.stringify(conversation)).digest("hex").slice(0, 8);
}

/** In the place of a checkpointer, which would keep the session's id from one turn to the next. */
function remembered(session, { stateSchema }) {
  return createMiddleware({ name: "Remembered", stateSchema, beforeAgent: () => ({ _summarizationSessionId: session }) });
}

function pathOf(session) {
  return `/conversation_history/${session}.md`;
}

function isSummary(message) {
  return message.additional_kwargs?.lc_source === "summarization";
}

/** The wire does not carry what tells a summary from a user's message. */
function asItWas(message) {
  if (!sessions.has(message.content)) return coerceMessageLikeToMessage(message);
  return new HumanMessage({ content: message.content, additional_kwargs: { lc_source: "summarization" } });
}

/** By word, the messages in the files that say it. */
const said = new Map();

/**
 * Reads a file back for recall. Calls stand there as JSON, and what is in its
 * quotes is told as a reader understands it.
 */
async function index(path) {
  const { data, error } = await backend.readRaw(path);
  if (error) throw new Error(error);
  for (const message of data.content.split(/\n(?=(?:System|Human|AI|Tool): )/)) {
    const text = message.replace(/^## Summarized at .*$/gm, "").replaceAll('\\"', '"').trim();
    for (const word of wordsOf(text)) said.set(word, (said.get(word) ?? new Set()).add(text));
  }
}

/**
 * The messages that hold the query, then those that say most of its words, a
 * rare word counting for more; from all files, as a query does not tell which
 * conversation it is about.
 */
function recall(query) {
  const scores = new Map();
  for (const word of wordsOf(query)) {
    const messages = said.get(word) ?? new Set();
    for (const message of messages) scores.set(message, (scores.get(message) ?? 0) + 1 / messages.size);
  }
  for (const [message, score] of scores) {
    if (message.toLowerCase().includes(query.toLowerCase())) scores.set(message, score + query.length); // above all others
  }
  const best = [...scores].sort(([, a], [, b]) => b - a).slice(0, MOST_RECALLED);
  return best.map(([message]) => message).join("\n\n");
}

function wordsOf(text) {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}
