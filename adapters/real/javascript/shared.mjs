/** What several of these adapters share. */
import { readFileSync } from "node:fs";

import { AIMessage, SystemMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent, createMiddleware } from "langchain";

/** How many of the newest messages the summarizing middlewares leave as they are. */
export const KEEP_MESSAGES = 6;

/** The version of a package that is installed beside this file. */
export function versionOf(name) {
  return JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), "utf8")).version;
}

/**
 * The chat model that writes the summaries. It does not try again: a model
 * server that fails fails until the case is over.
 */
export function chatModel() {
  return new ChatOpenAI({
    model: "floorcheck",
    apiKey: "none",
    maxRetries: 0,
    timeout: 30_000, // ms; the server that never answers gives up sooner, and a busy machine is no failing model
    configuration: { baseURL: `${process.env.FLOORCHECK_MODEL_URL}/v1` },
  });
}

/**
 * Runs an agent with these middlewares on a conversation, up to the point where
 * its model would be called, and gives what would be sent to it.
 *
 * @param {import("@langchain/core/messages").BaseMessage[]} conversation
 * @param {import("langchain").AgentMiddleware[]} middlewares
 */
export async function delivered(conversation, model, middlewares) {
  let request;
  const recorder = createMiddleware({
    name: "Recorder",
    wrapModelCall: (given) => {
      request = given;
      return new AIMessage("noted");
    },
  });
  // An agent is given the system messages at the start as its prompt, not among the messages that it may compact.
  const first = conversation.findIndex((message) => !SystemMessage.isInstance(message));
  const start = first < 0 ? conversation.length : first;
  const [system, messages] = [conversation.slice(0, start), conversation.slice(start)];
  const systemPrompt = system.map(({ text }) => text).join("\n\n");
  const agent = createAgent({ model, systemPrompt, middleware: [...middlewares, recorder] });
  await agent.invoke({ messages });
  if (request.systemPrompt !== systemPrompt) throw new Error("a middleware changed the system prompt, which is not expected here");
  return [...system, ...request.messages];
}
