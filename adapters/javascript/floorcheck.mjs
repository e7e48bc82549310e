/**
 * One-file helper: puts a compaction-decision function under test by floorcheck.
 * Copy it beside your code; it needs Node 20 or later and nothing else.
 *
 *     import { serve } from "./floorcheck.mjs";
 *     serve({ name: "acme", decide: (request) => ({ decision: "provisional" }) });
 *
 * Or a whole compactor, messages in and messages out:
 *
 *     serve({ name: "acme", shape: "openai", reduce: (messages, targetTokens) => messages.slice(-20) });
 *
 * Wire protocol, version 1: JSON lines on stdin and stdout (docs/protocol.md).
 */
import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import { setImmediate as breath, setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";

const PROTOCOL = 1;
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const LEAST_WRONG_INTEGER = 2 ** 53;
const LEAST_WRONG_GENERATION = 2 ** 31;
const FLAGS = ["source_recoverable", "consumer_strict", "chaining_risk", "side_effect_cost_exceeds_refusal"];
const ROLES = ["system", "user", "assistant", "tool"];
const MARKS = ["none", "provisional", "certified"];
const SPAN_KINDS = ["message", "call", "result", "summary", "pin"];
const MATCHES = ["folded", "exact"];
const STATUSES = ["ok", "error", "refused", "partial", "opaque"];
/** Of a lineage; nothing comes of a refusal. */
const LINEAGE_DECISIONS = ["certified", "provisional"];

/** How long answers may be joined into one write while further lines are already there. */
const JOIN_MS = 5;
/** How long `bye` and the end of input wait for async answers; the suite allows 3 s in all. */
const FINISH_MS = 2000;

/**
 * A request that is not what the protocol describes; answered as `bad_request`.
 * The message names the path: `in.contract.generation: must be 0 or more, got -1`.
 */
export class BadRequest extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "BadRequest";
  }
}

// Two copies of this file may meet in one process, so these are no classes of one of them.
const [REFUSED, REDUCED] = [Symbol.for("floorcheck.refused"), Symbol.for("floorcheck.reduced")];

/** Thrown by `reduce`, or returned: nothing was reduced, for the reason in its message. */
export class Refused extends Error {
  [REFUSED] = true;

  /** @param {string} reason */
  constructor(reason) {
    super(reason);
    this.name = "Refused";
  }
}

/** Thrown by `recall`: what was asked for cannot be got back. */
export class Unavailable extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "Unavailable";
  }
}

/**
 * What `reduce` may return when its messages say something of themselves.
 *
 * @param {any} messages in the shape that is served
 * @param {object} [says]
 * @param {"none" | "provisional" | "certified"} [says.mark] provisional: something may be missing
 * @param {number} [says.generation] how many reductions deep, from 1
 */
export function reduced(messages, { mark, generation } = {}) {
  return { [REDUCED]: { messages, mark, generation } };
}

/**
 * Answers requests on stdin until `bye` or the end of input, then exits 0.
 *
 * From this call on, stdout belongs to the protocol: console.log and
 * process.stdout.write go to stderr. Where stdout and stderr are pipes or
 * terminals that can be opened again through /dev/fd (Linux, macOS), descriptor
 * 1 itself becomes stderr, which also catches addons and child processes with
 * inherited stdio. Elsewhere (Windows, files, sockets) plain Node cannot
 * prevent those: give children `stdio` of their own.
 * What a module prints while it is imported, before this call, is not caught.
 *
 * @param {object} options
 * @param {string} options.name name of the subject, for reports
 * @param {string} [options.version]
 * @param {"guard" | "joint"} [options.policy] what the subject declares
 * @param {(request: any) => any} [options.decide] takes decide.in, gives decide.out or a promise of it
 * @param {(request: any) => any} [options.derive] takes derive.in, gives derive.out or a promise of it
 * @param {(request: any) => any} [options.certify] takes certify.in, gives certify.out or a promise of it
 * @param {(request: any) => any} [options.compact] takes compact.in, gives compact.out or a promise of it
 * @param {(messages: any, targetTokens: number) => any} [options.reduce] takes messages in the shape that is
 *   served; gives messages, `reduced(…)`, a Refused, or a promise of one of them
 * @param {(query: string) => any} [options.recall] gives a text, or a promise of it, or throws Unavailable;
 *   asked about what was reduced in this process
 * @param {"plain" | "openai" | "anthropic" | "langchain"} [options.shape] what messages look like to `reduce`:
 *   plain as in docs/protocol.md; with "anthropic" they are `{ system, messages }`
 * @param {number} [options.triggerMessages] how long a conversation must be before `reduce` touches it
 * @param {number} [options.triggerTokens] the same in tokens, as the subject counts them
 * @param {boolean} [options.model] whether `reduce` asks a model for its summaries
 * @param {number} [options.maxBatch] largest batch the suite may send
 * @param {boolean | ((op: string, request: any) => void)} [options.validate]
 *   true checks every request against the protocol's list before your function sees
 *   it; false checks nothing; a function takes the place of `validate`, only
 *   numbers are still judged as they are written (1.0 is no integer)
 * @param {boolean} [options.stateful]
 * @returns {Promise<void>} never settles before the process exits
 */
export async function serve(options) {
  const subject = new Subject(options);
  const answers = new Answers(takeStdout());
  process.once("exit", () => answers.flush());

  const lines = new Lines();
  let joinedSince = Date.now();
  const handleAll = async (complete) => {
    for (const line of complete) {
      if (!subject.handle(line, answers)) return false;
      if (Date.now() - joinedSince < JOIN_MS) continue;
      answers.flush();
      await breath(); // async functions get their turn between lines that were read together
      joinedSince = Date.now();
    }
    answers.flush();
    return true;
  };

  for await (const chunk of process.stdin) {
    joinedSince = Date.now();
    if (!(await handleAll(lines.push(chunk)))) return finish(subject, answers);
  }
  await handleAll(lines.end());
  return finish(subject, answers);
}

/**
 * Throws a BadRequest when `request` (the `in` of a message) is on the protocol's
 * list of bad requests, as far as that can be seen without computing decisions
 * and without folding a text. Once parsed, 1.0 cannot be told from 1; `serve` looks at the text for that.
 *
 * @param {"decide" | "derive" | "certify" | "compact" | "reduce" | "recall"} op
 * @param {unknown} request
 */
export function validate(op, request) {
  const check = CHECKS.get(op);
  if (check === undefined) throw new TypeError(`validate: op must be one of ${[...CHECKS.keys()].join(", ")}, got ${show(op)}`);
  checkNumbers(request);
  check(request);
}

// --- messages ---------------------------------------------------------------

/** What was given to `serve`, and how a message is answered with it. */
class Subject {
  constructor(options) {
    const { name, version = "", policy = "guard", decide, derive, certify, compact, reduce, recall } = options;
    const { shape = "plain", maxBatch = 100, validate: check = true, stateful = false } = options;
    if (typeof name !== "string") throw new TypeError("serve: name must be a string");
    if (policy !== "guard" && policy !== "joint") throw new TypeError(`serve: policy must be "guard" or "joint", got ${show(policy)}`);
    if (!Number.isSafeInteger(maxBatch) || maxBatch < 1) throw new TypeError("serve: maxBatch must be an integer from 1 on");

    const functions = { decide, derive, certify, compact, reduce: reduce && reducer(reduce, shape), recall: recall && recaller(recall) };
    this.functions = new Map(Object.entries(functions).filter(([, given]) => given !== undefined));
    if (this.functions.size === 0) throw new TypeError("serve: give decide, derive, certify, compact or reduce");

    const ops = [...this.functions.keys()];
    this.hello = { protocol: PROTOCOL, name, version, language: "javascript", ops, policy, max_batch: maxBatch, stateful };
    const aboutReduce = aboutReduceOf(options);
    const [idle] = [...(recall ? ["recall"] : []), ...Object.keys(aboutReduce)];
    if (!reduce && idle) throw new TypeError(`serve: ${idle} goes with reduce, which is not given`);
    if (Object.keys(aboutReduce).length > 0) this.hello.reduce = aboutReduce;
    this.checksText = check !== false;
    this.check = checkFor(check);
    this.inFlight = new Set();
  }

  /** Answers one line; false when it was `bye`. */
  handle(line, answers) {
    const text = decode(line);
    const message = text === null ? null : parseMessage(text);
    if (message === null) return true;
    if (message.op === "bye") return false;

    const send = (body) => answers.add(`{"id":${message.id},${body}}\n`);
    const body = this.answer(message, text);
    if (typeof body === "string") {
      send(body);
      return true;
    }
    const sent = body.then(send).then(() => this.inFlight.delete(sent));
    this.inFlight.add(sent);
    return true;
  }

  /** The members of an answer after its id, or a promise of them. */
  answer(message, text) {
    const { op } = message;
    if (op === undefined) return errorBody("bad_request", "op: is missing");
    if (typeof op !== "string") return errorBody("bad_request", `op: must be a string, got ${show(op)}`);
    if (op === "hello") return this.answerHello(message);
    if (op === "batch") return this.answerBatch(message, text);
    if (!this.functions.has(op)) return errorBody("unsupported", `op: ${show(op)} is not offered`);
    return this.run(op, message.in, this.badNumbers(text, 1)?.get("in"));
  }

  answerHello({ protocol }) {
    if (!Array.isArray(protocol)) return errorBody("bad_request", "protocol: must be a list of versions");
    if (!protocol.includes(PROTOCOL)) return errorBody("unsupported", `protocol: only version ${PROTOCOL} is spoken here`);
    return JSON.stringify(this.hello).slice(1, -1);
  }

  answerBatch({ of: op, in: requests }, text) {
    if (typeof op !== "string") return errorBody("bad_request", "of: must be the name of an op");
    if (!this.functions.has(op)) return errorBody("unsupported", `of: ${show(op)} is not offered`);
    if (!Array.isArray(requests)) return errorBody("bad_request", "in: must be a list of requests");

    const bad = this.badNumbers(text, 2);
    const bodies = requests.map((request, i) => this.run(op, request, bad?.get(i)));
    const join = (done) => `"out":[${done.map((body) => `{${body}}`).join(",")}]`;
    return bodies.every((body) => typeof body === "string") ? join(bodies) : Promise.all(bodies).then(join);
  }

  /** Runs the user's function on one request. Never throws, and what it promises is never rejected. */
  run(op, request, badNumber) {
    try {
      if (badNumber !== undefined) throw badNumber;
      this.check(op, request);
      const result = this.functions.get(op)(request);
      if (typeof result?.then !== "function") return outBody(op, result);
      return Promise.resolve(result).then((value) => outBody(op, value)).catch(thrownBody);
    } catch (thrown) {
      return thrownBody(thrown);
    }
  }

  badNumbers(text, depth) {
    return this.checksText && SUSPECT_NUMBER.test(text) ? findBadNumbers(text, depth) : undefined;
  }
}

/** Hello's object about reduce: what was given, and nothing else. */
function aboutReduceOf({ triggerMessages, triggerTokens, model }) {
  for (const [name, value] of Object.entries({ triggerMessages, triggerTokens })) {
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0)) throw new TypeError(`serve: ${name} must be an integer from 0 on, got ${show(value)}`);
  }
  if (model !== undefined && typeof model !== "boolean") throw new TypeError(`serve: model must be true or false, got ${show(model)}`);
  const given = { trigger_messages: triggerMessages, trigger_tokens: triggerTokens, model };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** What `serve` does with a request before the user's function sees it. */
function checkFor(option) {
  if (typeof option === "function") return option;
  if (!option) return () => {};
  return (op, request) => CHECKS.get(op)(request); // not validate(): the numbers are judged in the text already
}

/** Lets async answers come in for a while, then ends the process whatever else still runs in it. */
async function finish(subject, answers) {
  await Promise.race([Promise.all(subject.inFlight), sleep(FINISH_MS)]);
  answers.flush();
  process.exit(0);
}

function decode(line) {
  if (isUtf8(line)) return line.toString("utf8");
  note("a line is not UTF-8, left out");
  return null;
}

/** The message with a usable id, or null; without an id nobody could be answered. */
function parseMessage(text) {
  if (text.trim() === "") return null;
  let message;
  try {
    message = JSON.parse(text);
  } catch (error) {
    note(`a line is not JSON, left out: ${error.message}`);
    return null;
  }
  if (isObject(message) && Number.isSafeInteger(message.id)) return message;
  note("a line without an integer id, left out");
  return null;
}

function outBody(op, result) {
  if (!isObject(result)) throw new TypeError(`${op} must give an object, gave ${show(result)}`);
  const json = JSON.stringify(result);
  if (json === undefined) throw new TypeError(`${op} gave an object that JSON leaves out`); // its toJSON gave nothing
  return `"out":${json}`;
}

function thrownBody(thrown) {
  // By name too: two copies of this file may meet in one process.
  if (thrown instanceof BadRequest || thrown?.name === "BadRequest") return errorBody("bad_request", thrown.message);
  if (thrown instanceof Unavailable || thrown?.name === "Unavailable") return errorBody("unavailable", thrown.message);
  note(thrown instanceof Error ? thrown.stack : inspect(thrown));
  if (typeof thrown?.message === "string") return errorBody("internal", thrown.message);
  return errorBody("internal", typeof thrown === "string" ? thrown : inspect(thrown));
}

function errorBody(code, message) {
  return `"error":${JSON.stringify({ code, message })}`;
}

function note(text) {
  process.stderr.write(`floorcheck.mjs: ${text}\n`);
}

// --- black boxes ------------------------------------------------------------

/** The op reduce, answered with the user's function in the shape that it speaks. */
function reducer(reduce, shape) {
  const known = SHAPES.get(shape);
  if (known === undefined) throw new TypeError(`serve: shape must be one of ${[...SHAPES.keys()].join(", ")}, got ${show(shape)}`);
  const answer = (result) => (isRefused(result) ? refusal(result) : reduceOut(result, known.read));
  const thrown = (error) => {
    if (isRefused(error)) return refusal(error);
    throw error;
  };
  return ({ messages, target_tokens }) => {
    try {
      const result = reduce(known.write(messages), target_tokens);
      return typeof result?.then === "function" ? Promise.resolve(result).then(answer).catch(thrown) : answer(result);
    } catch (error) {
      return thrown(error);
    }
  };
}

const isRefused = (value) => value?.[REFUSED] === true;
const refusal = ({ message }) => ({ refused: true, reason: message });

function reduceOut(result, read) {
  const { messages, mark, generation } = result?.[REDUCED] ?? { messages: result };
  const out = { messages: read(messages) };
  if (isThere(mark)) {
    if (!MARKS.includes(mark)) mistake("mark", `must be ${oneOf(MARKS)}`, mark);
    out.mark = mark;
  }
  if (isThere(generation)) {
    const isOne = Number.isSafeInteger(generation) && generation >= 0 && generation < LEAST_WRONG_GENERATION;
    if (!isOne) mistake("generation", "must be an integer from 0 to 2^31 - 1", generation);
    out.generation = generation;
  }
  return out;
}

function recaller(recall) {
  const answer = (text) => {
    if (typeof text !== "string") throw new TypeError(`recall returned ${found(text)}, want a text`);
    return { text };
  };
  return ({ query }) => {
    const text = recall(query);
    return typeof text?.then === "function" ? Promise.resolve(text).then(answer) : answer(text);
  };
}

// The shapes. Each writes messages as a runtime knows them and reads what it
// gives back. There null is a field that is absent.

const SHAPES = new Map([
  ["plain", { write: (messages) => messages, read: readPlain }],
  ["openai", { write: (messages) => messages.map(openaiMessage), read: readOpenai }],
  ["anthropic", { write: anthropicConversation, read: readAnthropic }],
  ["langchain", { write: (messages) => messages.map(langchainMessage), read: readLangchain }],
]);
const SAME = Object.fromEntries(ROLES.map((role) => [role, role]));

function readPlain(messages) {
  return eachMessage(messages).map(([path, message]) =>
    wireMessage(
      roleOf(message.role, `${path}.role`, SAME),
      textOf(message.text, `${path}.text`),
      flatCalls(message.calls, `${path}.calls`),
      callIdOf(message.call_id, `${path}.call_id`),
    ));
}

function openaiMessage({ role, text, calls = [], call_id }) {
  const out = { role, content: text };
  if (calls.length > 0) {
    out.content = text || null;
    out.tool_calls = calls.map(({ id, name, args }) => ({ id, type: "function", function: { name, arguments: JSON.stringify(args) } }));
  }
  if (call_id !== undefined) out.tool_call_id = call_id;
  return out;
}

function readOpenai(messages) {
  return eachMessage(messages).map(([path, message]) => {
    const role = roleOf(message.role, `${path}.role`, { ...SAME, developer: "system" });
    const calls = each(message.tool_calls ?? [], `${path}.tool_calls`, "a call").map(([at, call]) => {
      const args = parseArguments(call.function?.arguments, `${at}.function.arguments`);
      return callOf(at, call.id, call.function.name, args, ["id", "function.name", "function.arguments"]);
    });
    const content = message.content ?? null;
    const text = content === null && calls.length > 0 ? "" : contentOf(content, `${path}.content`);
    return wireMessage(role, text, calls, callIdOf(message.tool_call_id, `${path}.tool_call_id`));
  });
}

function parseArguments(text, path) {
  try {
    return JSON.parse(textOf(text, path));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return mistake(path, `must be JSON (${error.message})`, text);
  }
}

/**
 * Leading system messages stand apart; a later one stays where it is, with its
 * role. Neighbours of one role become one message as long as readAnthropic can
 * take them apart again: there every text block begins a message, and calls
 * belong to the text before them.
 */
function anthropicConversation(messages) {
  const later = messages.findIndex(({ role }) => role !== "system");
  const leading = later === -1 ? messages.length : later;
  const turns = [];
  for (const message of messages.slice(leading)) {
    const role = message.role === "tool" ? "user" : message.role;
    const blocks = anthropicBlocks(message);
    const before = turns.at(-1);
    if (before?.role === role && canFollow(before.content.at(-1), blocks[0])) before.content.push(...blocks);
    else turns.push({ role, content: blocks });
  }
  for (const turn of turns) if (isOneText(turn.content)) turn.content = turn.content[0].text;
  const system = messages.slice(0, leading).map(({ text }) => ({ type: "text", text }));
  if (system.length === 0) return { system: "", messages: turns };
  return { system: (isOneText(system) && system[0].text) || system, messages: turns };
}

function anthropicBlocks({ role, text, calls = [], call_id }) {
  if (role === "tool") return [{ type: "tool_result", ...(call_id === undefined ? {} : { tool_use_id: call_id }), content: text }];
  const uses = calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: args }));
  return uses.length > 0 && text === "" ? uses : [{ type: "text", text }, ...uses];
}

/**
 * Whether a message that begins with a block may be joined to one that ends
 * with another. Results stand together and before all else, as the API has it;
 * an empty text stays by itself.
 */
function canFollow(last, first) {
  if (first.type === "tool_result") return last.type === "tool_result";
  return first.type === "text" && first.text !== "" && last.type !== "tool_use" && last.text !== "";
}

const isOneText = (blocks) => blocks.length === 1 && blocks[0].type === "text";

function readAnthropic(conversation) {
  if (conversation?.messages === undefined) throw new TypeError(`reduce must return { system, messages }, returned ${found(conversation)}`);
  const system = typeof conversation.system === "string" ? [conversation.system].filter(Boolean) : (conversation.system ?? []);
  const out = each(system, "system", "a text block", { strings: true }).map(([path, block]) =>
    wireMessage("system", typeof block === "string" ? block : textOf(block.text, `${path}.text`)));
  const roles = { user: "user", assistant: "assistant", system: "system" };
  for (const [path, { role: given, content }] of eachMessage(conversation.messages)) {
    const role = roleOf(given, `${path}.role`, roles);
    if (typeof content === "string") out.push(wireMessage(role, content));
    else out.push(...readAnthropicBlocks(role, content, `${path}.content`));
  }
  return out;
}

function readAnthropicBlocks(role, blocks, path) {
  const out = [];
  let own; // the message that a call belongs to
  for (const [at, block] of each(blocks, path, "a block")) {
    switch (block.type) {
      case "text":
        out.push((own = wireMessage(role, textOf(block.text, `${at}.text`))));
        break;
      case "tool_use":
        if (own === undefined) out.push((own = wireMessage(role, "")));
        (own.calls ??= []).push(callOf(at, block.id, block.name, block.input, ["id", "name", "input"]));
        break;
      case "tool_result":
        out.push(wireMessage("tool", contentOf(block.content ?? "", `${at}.content`), [], callIdOf(block.tool_use_id, `${at}.tool_use_id`)));
        own = undefined;
        break;
      case "thinking": case "redacted_thinking": break; // not part of what is said
      default: mistake(`${at}.type`, "must be text, tool_use or tool_result", block.type);
    }
  }
  return out.length > 0 ? out : [wireMessage(role, "")];
}

const LANGCHAIN_TYPES = { system: "system", user: "human", assistant: "ai", tool: "tool" };
const LANGCHAIN_ROLES = { system: "system", human: "user", ai: "assistant", tool: "tool", user: "user", assistant: "assistant", developer: "system" };

function langchainMessage({ role, text, calls = [], call_id }) {
  const out = { type: LANGCHAIN_TYPES[role], content: text };
  if (calls.length > 0) out.tool_calls = calls.map(({ id, name, args }) => ({ id, name, args }));
  if (call_id !== undefined) out.tool_call_id = call_id;
  return out;
}

/** Reads plain objects and LangChain's own, which tell their type by a method. */
function readLangchain(messages) {
  return eachMessage(messages).map(([path, message]) => {
    const [type, name] = langchainType(message);
    const role = roleOf(type, `${path}.${name}`, LANGCHAIN_ROLES);
    // Where a model's own blocks are kept as content, its calls stand among them a second time.
    const text = contentOf(message.content, `${path}.content`, ["tool_use"]);
    return wireMessage(role, text, flatCalls(message.tool_calls, `${path}.tool_calls`), callIdOf(message.tool_call_id, `${path}.tool_call_id`));
  });
}

function langchainType(message) {
  for (const method of ["getType", "_getType"]) if (typeof message[method] === "function") return [message[method](), `${method}()`];
  return typeof message.type !== "string" && message.role !== undefined ? [message.role, "role"] : [message.type, "type"];
}

function wireMessage(role, text, calls = [], call_id = "") {
  return { role, text, ...(calls.length > 0 && { calls }), ...(call_id !== "" && { call_id }) };
}

/** Calls that look as they do on the wire, under whatever name. */
function flatCalls(calls, path) {
  return each(calls ?? [], path, "a call").map(([at, { id, name, args }]) => callOf(at, id, name, args, ["id", "name", "args"]));
}

function callOf(path, id, name, args, [idField, nameField, argsField]) {
  if (!isObject(args)) mistake(`${path}.${argsField}`, "must be an object", args);
  try {
    JSON.stringify(args);
  } catch (error) {
    mistake(`${path}.${argsField}`, `must be JSON (${error.message.split("\n")[0]})`, args);
  }
  return { id: textOf(id, `${path}.${idField}`), name: textOf(name, `${path}.${nameField}`), args };
}

/** The id of the call that a result answers. Without one, it is for the suite to object. */
function callIdOf(value, path) {
  return isThere(value) ? textOf(value, path) : "";
}

function eachMessage(messages) {
  return each(messages, "messages", "a message");
}

/** The path and the value of each of a list's objects. */
function each(values, path, want, { strings = false } = {}) {
  if (!Array.isArray(values)) mistake(path, "must be a list", values);
  return Array.from(values, (value, i) => {
    if (!isObject(value) && !(strings && typeof value === "string")) mistake(`${path}[${i}]`, `must be ${want}`, value);
    return [`${path}[${i}]`, value];
  });
}

function roleOf(value, path, known) {
  if (typeof value !== "string" || !Object.hasOwn(known, value)) mistake(path, `must be ${oneOf(Object.keys(known))}`, value);
  return known[value];
}

function textOf(value, path) {
  if (typeof value !== "string") mistake(path, "must be a string", value);
  return value;
}

/** The text of a string, or of text parts, a line each. */
function contentOf(value, path, passedOver = []) {
  if (typeof value === "string") return value;
  return each(value, path, "a text part", { strings: true })
    .filter(([, part]) => !passedOver.includes(part.type))
    .map(([at, part]) => (typeof part === "string" ? part : textOf(part.text, `${at}.text`)))
    .join("\n");
}

function mistake(path, demand, value) {
  throw new TypeError(`reduce returned ${path}: ${demand}, got ${found(value)}`);
}

function oneOf(names) {
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

function found(value) {
  if (!isThere(value)) return "nothing";
  return typeof value === "function" ? "a function" : show(value);
}

function isThere(value) {
  return value !== undefined && value !== null;
}

// --- bytes in and out -------------------------------------------------------

/** Cuts a stream of bytes into lines. (node:readline also cuts at U+2028, which JSON allows in strings.) */
class Lines {
  #parts = [];
  #bytes = 0;

  /** @param {Buffer} chunk @returns {Buffer[]} the lines that are complete now */
  push(chunk) {
    const complete = [];
    let start = 0;
    for (let end; (end = chunk.indexOf(0x0a, start)) !== -1; start = end + 1) {
      this.#add(chunk.subarray(start, end));
      complete.push(...this.end());
    }
    this.#add(chunk.subarray(start));
    return complete;
  }

  /** Ends the line begun; gives it, or nothing when there is none or it was too long. */
  end() {
    const [parts, bytes] = [this.#parts, this.#bytes];
    this.#parts = [];
    this.#bytes = 0;
    if (bytes > MAX_LINE_BYTES) {
      note(`a line of ${bytes} bytes is longer than 16 MiB, left out`);
      return [];
    }
    if (bytes === 0) return [];
    return parts.length === 1 ? parts : [Buffer.concat(parts)];
  }

  #add(part) {
    this.#bytes += part.length;
    if (this.#bytes > MAX_LINE_BYTES) this.#parts = []; // only count the rest of it
    else if (part.length > 0) this.#parts.push(part);
  }
}

/** Answers on their way out. Those added in one turn of the event loop leave in one write. */
class Answers {
  #fd;
  #waiting = [];

  constructor(fd) {
    this.#fd = fd;
  }

  add(text) {
    if (this.#waiting.push(text) === 1) setImmediate(() => this.flush());
  }

  flush() {
    if (this.#waiting.length === 0) return;
    const bytes = Buffer.from(this.#waiting.join(""));
    this.#waiting = [];
    try {
      writeAll(this.#fd, bytes);
    } catch (error) {
      note(`cannot write answers: ${error.message}`);
      process.exit(1);
    }
  }
}

/** Writes everything, also to a pipe that is full and does not block. */
function writeAll(fd, bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1); // a millisecond
    }
  }
}

/** Sends what the user's code prints to stderr; returns the descriptor that is the protocol's alone. */
function takeStdout() {
  const fd = moveStdout();
  const { stdout, stderr } = process;
  stdout.write = stderr.write.bind(stderr);
  stdout._write = (chunk, encoding, done) => stderr.write(chunk, encoding, done); // for end(), which does not use write()
  stdout._writev = null;
  return fd;
}

/**
 * Moves stdout to another descriptor and makes descriptor 1 a second stderr.
 * Node has no dup2, but opening /dev/fd/N opens the same pipe or terminal again,
 * and a new descriptor is always the lowest free one. Where that cannot be done,
 * stdout stays at 1.
 */
function moveStdout() {
  let moved;
  try {
    moved = reopen(1);
    closeSync(reopen(2)); // a rehearsal: after closing 1 it is too late to find out
  } catch {
    if (moved !== undefined) closeSync(moved);
    return 1;
  }
  closeSync(1);
  reopen(2);
  return moved;
}

function reopen(fd) {
  const kind = fstatSync(fd);
  // A file opened again has an offset of its own, so that its two writers would overwrite each other.
  if (!kind.isFIFO() && !kind.isCharacterDevice()) throw new Error(`descriptor ${fd} is no pipe`);
  const flags = constants.O_WRONLY | constants.O_APPEND;
  closeSync(openSync(`/dev/fd/${fd}`, flags | constants.O_NONBLOCK)); // fails where the next line would wait for a reader
  return openSync(`/dev/fd/${fd}`, flags);
}

// --- numbers, as they are written -------------------------------------------

/** Matches every text that holds a fraction, an exponent or 16 digits; strings may match too, so it only raises suspicion. */
const SUSPECT_NUMBER = /[0-9](?:[.eE]|[0-9]{15})/;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, COMMA, QUOTE] = [0x5b, 0x5d, 0x7b, 0x7d, 0x2c, 0x22];
const NUMBER = /-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/**
 * The first number of each request in a line that is no integer below 2^53.
 * JSON.parse makes 1.0 and 1e0 a plain 1, so this reads the text itself.
 *
 * @param {string} text valid JSON
 * @param {number} depth 1: the request is `in`; 2: a batch, requests are `in[i]`
 * @returns {Map<string | number, BadRequest>} by "in" or by the place in the batch
 */
function findBadNumbers(text, depth) {
  const found = new Map();
  const keys = []; // of the open lists and objects: index, or key, or null where a key comes next
  for (let i = 0; i < text.length; ) {
    const top = keys.length - 1;
    switch (text.charCodeAt(i)) {
      case OPEN_LIST: keys.push(0); i++; break;
      case OPEN_OBJECT: keys.push(null); i++; break;
      case CLOSE_LIST: case CLOSE_OBJECT: keys.pop(); i++; break;
      case COMMA: keys[top] = typeof keys[top] === "number" ? keys[top] + 1 : null; i++; break;
      case QUOTE: {
        const end = endOfString(text, i);
        if (keys[top] === null) keys[top] = keyAt(text, i, end);
        i = end;
        break;
      }
      case 0x2d: case 0x30: case 0x31: case 0x32: case 0x33: case 0x34: case 0x35: case 0x36: case 0x37: case 0x38: case 0x39: {
        NUMBER.lastIndex = i; // at a minus or a digit
        const [number] = NUMBER.exec(text);
        i += number.length;
        if (keys[0] !== "in" || isPlainInteger(number) || found.has(keys[depth - 1])) break;
        found.set(keys[depth - 1], wrongNumber(["in", ...keys.slice(depth, depth + SHOWN_KEYS)], number));
        break;
      }
      default: i++; // white space, colons, true, false, null
    }
  }
  return found;
}

function isPlainInteger(number) {
  return !/[.eE]/.test(number) && Math.abs(Number(number)) < LEAST_WRONG_INTEGER;
}

function keyAt(text, start, end) {
  const inner = text.slice(start + 1, end - 1);
  return inner.includes("\\") ? JSON.parse(`"${inner}"`) : inner;
}

/** Where the string that begins at `start` has ended: a quote with an even number of backslashes before it. */
function endOfString(text, start) {
  for (let quote = text.indexOf('"', start + 1); ; quote = text.indexOf('"', quote + 1)) {
    let first = quote;
    while (text[first - 1] === "\\") first--;
    if ((quote - first) % 2 === 0) return quote + 1;
  }
}

/** The same for what is parsed already. Uses no recursion, so that deep nesting is no stack overflow. */
function checkNumbers(request) {
  const open = [{ value: request, key: "in", up: null }];
  for (let node; (node = open.pop()) !== undefined; ) {
    const { value } = node;
    if (typeof value === "number" && !Number.isSafeInteger(value)) throw wrongNumber(keysTo(node), String(value));
    if (typeof value !== "object" || value === null) continue;
    for (const key of Object.keys(value)) open.push({ value: value[key], key: Array.isArray(value) ? Number(key) : key, up: node });
  }
}

function keysTo(node) {
  const keys = [];
  for (let at = node; at !== null; at = at.up) keys.push(at.key);
  return keys.reverse().slice(0, SHOWN_KEYS);
}

/** Longer paths are cut. */
const SHOWN_KEYS = 20;

function wrongNumber(keys, number) {
  const got = number.length > 40 ? `${number.slice(0, 40)}…` : number;
  return new BadRequest(`${keys[0]}${keys.slice(1).map(step).join("")}: must be an integer below 2^53 in size, without fraction or exponent, got ${got}`);
}

// --- shapes -----------------------------------------------------------------

/** The checks of one op each, all but numbers anywhere. */
const CHECKS = new Map([
  ["decide", checkDecide],
  ["derive", checkDerive],
  ["certify", checkCertify],
  ["compact", checkCompact],
  ["reduce", checkReduce],
  ["recall", checkRecall],
]);

function checkDecide(request) {
  mustBeObject(request, "in");
  const { contract, riders } = request;
  mustBeObject(contract, "in.contract");
  mustBeStrings(contract.required_classes, "in.contract.required_classes");
  mustBeStrings(contract.certified_classes, "in.contract.certified_classes");
  mustBeGeneration(contract.generation, "in.contract.generation");
  mustBeBoolean(contract.ancestry_certified, "in.contract.ancestry_certified");
  mustHaveFlags(request, "in");
  if (riders !== undefined) mustBeObject(riders, "in.riders");
}

function checkDerive(request) {
  mustBeObject(request, "in");
  mustBeStrings(request.originals, "in.originals");
  mustBeList(request.events, "in.events");

  const originals = new Set(request.originals); // an original listed twice counts once
  const earlier = new Set();
  request.events.forEach((event, i) => {
    const path = `in.events[${i}]`;
    checkEvent(event, path);
    if (originals.has(event.id)) refuse(`${path}.id`, `${show(event.id)} is an original too`);
    if (earlier.has(event.id)) refuse(`${path}.id`, `${show(event.id)} is used twice`);
    event.inputs.forEach((input, j) => {
      if (!originals.has(input) && !earlier.has(input)) refuse(`${path}.inputs[${j}]`, `must be an original or an earlier event, got ${show(input)}`);
    });
    earlier.add(event.id);
  });
}

function checkEvent(event, path) {
  mustBeObject(event, path);
  mustBeString(event.id, `${path}.id`);
  mustBeStrings(event.inputs, `${path}.inputs`);
  if (event.inputs.length === 0) refuse(`${path}.inputs`, "must not be empty");
  mustBeStrings(event.required_classes, `${path}.required_classes`);
  mustBeCertificate(event.certificate, `${path}.certificate`);
  if (event.floors_permille !== undefined) mustBeFloors(event.floors_permille, `${path}.floors_permille`);
  mustHaveFlags(event, path);
}

function checkCertify(request) {
  mustBeObject(request, "in");
  const { source, output, required_classes, floors_permille, decoys } = request;
  const elementIds = new Set();
  mustBeSpans(source, "in.source", elementIds);
  mustBeObject(output, "in.output");
  mustBeString(output.text, "in.output.text");
  if (output.pins !== undefined) mustBeStrings(output.pins, "in.output.pins");
  if (output.status !== undefined) mustBeOneOf(STATUSES, output.status, "in.output.status");
  mustBeStrings(required_classes, "in.required_classes");
  if (floors_permille !== undefined) mustBeFloors(floors_permille, "in.floors_permille");
  if (decoys !== undefined) {
    mustBeList(decoys, "in.decoys");
    decoys.forEach((decoy, i) => mustBeElement(decoy, `in.decoys[${i}]`, elementIds, "a decoy"));
  }
  mustAddUp(source);
}

function checkCompact(request) {
  mustBeObject(request, "in");
  const { spans, summaries, required_classes, known_classes, floors_permille, budget_tokens, riders } = request;
  const generations = mustBeSpans(spans, "in.spans", new Set());
  mustBeStrings(required_classes, "in.required_classes");
  mustBeStrings(known_classes, "in.known_classes");
  if (floors_permille !== undefined) mustBeFloors(floors_permille, "in.floors_permille");
  mustHaveFlags(request, "in");
  mustBeCount(budget_tokens, "in.budget_tokens");
  mustBeSummaries(summaries, "in.summaries", generations);
  mustAddUp([...spans, ...summaries]);
  if (riders !== undefined) mustBeObject(riders, "in.riders");
}

/** Gives the spans' generations by id. */
function mustBeSpans(spans, path, elementIds) {
  mustBeList(spans, path);
  const generations = new Map();
  spans.forEach((span, i) => {
    const at = `${path}[${i}]`;
    mustBeObject(span, at);
    mustBeNewId(span.id, `${at}.id`, generations);
    mustBeOneOf(SPAN_KINDS, span.kind, `${at}.kind`);
    mustBeString(span.role, `${at}.role`);
    mustBeCount(span.tokens, `${at}.tokens`);
    mustBeString(span.text, `${at}.text`);
    const isOriginal = span.kind !== "summary" && span.lineage === undefined; // what is none stands for originals
    if (span.elements !== undefined) {
      mustBeList(span.elements, `${at}.elements`);
      span.elements.forEach((element, j) => mustBeElement(element, `${at}.elements[${j}]`, elementIds, isOriginal && "an element of an original"));
    }
    if (span.lineage !== undefined) mustBeLineage(span.lineage, span.elements, `${at}.lineage`);
    generations.set(span.id, span.lineage?.generation ?? (isOriginal ? 0 : 1));
  });
  return generations;
}

/** `neverLost` says what the element is where it has no `lost`; false where it may have one. */
function mustBeElement(element, path, elementIds, neverLost) {
  mustBeObject(element, path);
  mustBeNewId(element.id, `${path}.id`, elementIds);
  elementIds.add(element.id);
  mustBeString(element.class, `${path}.class`);
  mustBeStrings(element.forms, `${path}.forms`);
  if (element.inverted_forms !== undefined) mustBeStrings(element.inverted_forms, `${path}.inverted_forms`);
  if (element.match !== undefined) mustBeOneOf(MATCHES, element.match, `${path}.match`);
  if (element.lost === undefined) return;
  mustBeBoolean(element.lost, `${path}.lost`);
  if (neverLost) refuse(`${path}.lost`, `may not stand on ${neverLost}`);
}

function mustBeLineage(lineage, elements, path) {
  mustBeObject(lineage, path);
  mustBeGeneration(lineage.generation, `${path}.generation`);
  mustBeBoolean(lineage.ancestry_certified, `${path}.ancestry_certified`);
  mustBeOneOf(LINEAGE_DECISIONS, lineage.decision, `${path}.decision`);
  mustBeCertificate(lineage.effective, `${path}.effective`);
  if (elements !== undefined) mustAgree(lineage.effective, elements, `${path}.effective`);
}

/** What is effective is counted over the span's own elements. */
function mustAgree(effective, elements, path) {
  const counts = new Map();
  for (const { class: name, lost = false } of elements) {
    const { retained, total } = counts.get(name) ?? { retained: 0, total: 0 };
    counts.set(name, { retained: retained + (lost ? 0 : 1), total: total + 1 });
  }
  effective.forEach((entry, i) => {
    const { retained, total } = counts.get(entry.class) ?? { retained: 0, total: 0 };
    if (entry.total !== total) refuse(`${path}[${i}].total`, `must be the span's ${total} of this class, got ${entry.total}`);
    if (entry.retained !== retained) refuse(`${path}[${i}].retained`, `must be the ${retained} that are not lost, got ${entry.retained}`);
  });
}

function mustBeSummaries(summaries, path, generations) {
  mustBeList(summaries, path);
  const [ids, taken] = [new Set(), new Set()];
  summaries.forEach((summary, i) => {
    const at = `${path}[${i}]`;
    mustBeObject(summary, at);
    mustBeNewId(summary.id, `${at}.id`, ids);
    ids.add(summary.id);
    mustBeStrings(summary.of, `${at}.of`);
    summary.of.forEach((id, j) => {
      if (!generations.has(id)) refuse(`${at}.of[${j}]`, `must be a span, got ${show(id)}`);
      if (taken.has(id)) refuse(`${at}.of[${j}]`, `span ${show(id)} is in a summary already`);
      if (generations.get(id) === LEAST_WRONG_GENERATION - 1) refuse(`${at}.of[${j}]`, `span ${show(id)} has the last generation there is`);
      taken.add(id);
    });
    mustBeString(summary.text, `${at}.text`);
    mustBeCount(summary.tokens, `${at}.tokens`);
    if (summary.status !== undefined) mustBeOneOf(STATUSES, summary.status, `${at}.status`);
  });
}

/** What all of it costs is a number too. The sum is exact as long as it is below the limit. */
function mustAddUp(holders) {
  const sum = holders.reduce((sofar, { tokens }) => sofar + tokens, 0);
  if (sum >= LEAST_WRONG_INTEGER) refuse("in", "all tokens together must be below 2^53");
}

function checkReduce(request) {
  mustBeObject(request, "in");
  mustBeList(request.messages, "in.messages");
  request.messages.forEach((message, i) => {
    const path = `in.messages[${i}]`;
    mustBeObject(message, path);
    mustBeOneOf(ROLES, message.role, `${path}.role`);
    mustBeString(message.text, `${path}.text`);
    if (message.call_id !== undefined) mustBeString(message.call_id, `${path}.call_id`);
    if (message.calls !== undefined) mustBeCalls(message.calls, `${path}.calls`);
  });
  mustBeCount(request.target_tokens, "in.target_tokens");
}

function mustBeCalls(calls, path) {
  mustBeList(calls, path);
  calls.forEach((call, i) => {
    mustBeObject(call, `${path}[${i}]`);
    mustBeString(call.id, `${path}[${i}].id`);
    mustBeString(call.name, `${path}[${i}].name`);
    mustBeObject(call.args, `${path}[${i}].args`);
  });
}

function checkRecall(request) {
  mustBeObject(request, "in");
  mustBeString(request.query, "in.query");
}

function mustBeCertificate(entries, path) {
  mustBeList(entries, path);
  const seen = new Set();
  entries.forEach((entry, i) => {
    const at = `${path}[${i}]`;
    mustBeObject(entry, at);
    mustBeString(entry.class, `${at}.class`);
    mustBeCount(entry.retained, `${at}.retained`);
    mustBeCount(entry.total, `${at}.total`);
    if (entry.retained > entry.total) refuse(`${at}.retained`, `must not be above total ${entry.total}, got ${entry.retained}`);
    if (seen.has(entry.class)) refuse(`${at}.class`, `${show(entry.class)} stands in this list twice`);
    seen.add(entry.class);
  });
}

function mustBeFloors(floors, path) {
  mustBeObject(floors, path);
  for (const [name, floor] of Object.entries(floors)) {
    if (!Number.isSafeInteger(floor)) wrong(path + step(name), "must be an integer", floor);
    if (floor < 0 || floor > 1000) wrong(path + step(name), "must be 0 to 1000", floor);
  }
}

function mustHaveFlags(holder, path) {
  for (const flag of FLAGS) {
    if (typeof holder[flag] !== "boolean") wrong(`${path}.${flag}`, "must be true or false", holder[flag]);
  }
}

function mustBeGeneration(value, path) {
  mustBeCount(value, path);
  if (value >= LEAST_WRONG_GENERATION) wrong(path, "must be below 2^31", value);
}

function mustBeCount(value, path) {
  if (!Number.isSafeInteger(value)) wrong(path, "must be an integer", value);
  if (value < 0) wrong(path, "must be 0 or more", value);
}

function mustBeBoolean(value, path) {
  if (typeof value !== "boolean") wrong(path, "must be true or false", value);
}

function mustBeString(value, path) {
  if (typeof value !== "string") wrong(path, "must be a string", value);
}

function mustBeOneOf(words, value, path) {
  mustBeString(value, path);
  if (!words.includes(value)) wrong(path, `must be ${oneOf(words)}`, value);
}

function mustBeNewId(value, path, taken) {
  mustBeString(value, path);
  if (taken.has(value)) refuse(path, `${show(value)} is used twice`);
}

function mustBeStrings(value, path) {
  mustBeList(value, path);
  for (let i = 0; i < value.length; i++) {
    if (typeof value[i] !== "string") wrong(`${path}[${i}]`, "must be a string", value[i]);
  }
}

function mustBeList(value, path) {
  if (!Array.isArray(value)) wrong(path, "must be a list", value);
}

function mustBeObject(value, path) {
  if (!isObject(value)) wrong(path, "must be an object", value);
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wrong(path, demand, value) {
  refuse(path, value === undefined ? "is missing" : `${demand}, got ${show(value)}`);
}

function refuse(path, problem) {
  throw new BadRequest(`${path}: ${problem}`);
}

/** One step of a path: `[3]`, `.quantity` or `["odd key"]`. */
function step(key) {
  if (typeof key === "number") return `[${key}]`;
  return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${show(key)}]`;
}

/** A value as a message shows it: short, and on one line. */
function show(value) {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
