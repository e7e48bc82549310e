/**
 * One-file helper: puts a compaction-decision function under test by floorcheck.
 * Copy it beside your code; it needs Node 20 or later and nothing else.
 *
 *     import { serve } from "./floorcheck.mjs";
 *     serve({ name: "acme", decide: (request) => ({ decision: "provisional" }) });
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
 * list of bad requests, as far as that can be seen without computing decisions.
 * Once parsed, 1.0 cannot be told from 1; `serve` looks at the text for that.
 *
 * @param {"decide" | "derive"} op
 * @param {unknown} request
 */
export function validate(op, request) {
  const check = CHECKS.get(op);
  if (check === undefined) throw new TypeError(`validate: op must be "decide" or "derive", got ${show(op)}`);
  checkNumbers(request);
  check(request);
}

// --- messages ---------------------------------------------------------------

/** What was given to `serve`, and how a message is answered with it. */
class Subject {
  constructor({ name, version = "", policy = "guard", decide, derive, maxBatch = 100, validate: check = true, stateful = false }) {
    if (typeof name !== "string") throw new TypeError("serve: name must be a string");
    if (policy !== "guard" && policy !== "joint") throw new TypeError(`serve: policy must be "guard" or "joint", got ${show(policy)}`);
    if (!Number.isSafeInteger(maxBatch) || maxBatch < 1) throw new TypeError("serve: maxBatch must be an integer from 1 on");

    this.functions = new Map(Object.entries({ decide, derive }).filter(([, given]) => given !== undefined));
    if (this.functions.size === 0) throw new TypeError("serve: give decide, derive or both");

    const ops = [...this.functions.keys()];
    this.hello = { protocol: PROTOCOL, name, version, language: "javascript", ops, policy, max_batch: maxBatch, stateful };
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
  if (typeof event.id !== "string") wrong(`${path}.id`, "must be a string", event.id);
  mustBeStrings(event.inputs, `${path}.inputs`);
  if (event.inputs.length === 0) refuse(`${path}.inputs`, "must not be empty");
  mustBeStrings(event.required_classes, `${path}.required_classes`);
  mustBeCertificate(event.certificate, `${path}.certificate`);
  if (event.floors_permille !== undefined) mustBeFloors(event.floors_permille, `${path}.floors_permille`);
  mustHaveFlags(event, path);
}

function mustBeCertificate(entries, path) {
  mustBeList(entries, path);
  const seen = new Set();
  entries.forEach((entry, i) => {
    const at = `${path}[${i}]`;
    mustBeObject(entry, at);
    if (typeof entry.class !== "string") wrong(`${at}.class`, "must be a string", entry.class);
    mustBeCount(entry.retained, `${at}.retained`);
    mustBeCount(entry.total, `${at}.total`);
    if (entry.retained > entry.total) refuse(`${at}.retained`, `must not be above total ${entry.total}, got ${entry.retained}`);
    if (seen.has(entry.class)) refuse(`${at}.class`, `${show(entry.class)} stands in this certificate twice`);
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
