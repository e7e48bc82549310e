// A runtime that asks before it commits a summary:  node guarded_runtime.mjs floorcheck
//
// The guard is `floorcheck serve reference`, a child process that lives as long as the runtime does. Whatever
// goes wrong on the way to its answer, the history stays as it is.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/**
 * The summary may not be committed. What can be done instead: raise the budget, split the task, read the
 * originals again, set a checkpoint, ask a person.
 */
export class Refused extends Error {}

/** There is no answer. That is no permission. */
export class GuardFailed extends Error {}

/** The reference engine behind its line protocol. Questions may be asked side by side; the id tells whose an answer is. */
export class Guard {
  #waiting = new Map();
  #asked = 0;

  constructor([command, ...args], timeoutMs = 5000) {
    this.timeoutMs = timeoutMs;
    this.child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.child.stdin.on("error", () => {}); // told by "close"
    this.child.on("error", (error) => this.#fail(error));
    this.child.on("close", () => this.#fail(new Error("it is gone")));
    createInterface({ input: this.child.stdout }).on("line", (line) => this.#take(line));
    this.greeted = this.#exchange({ op: "hello", protocol: [1] });
    this.greeted.catch(() => {}); // told to whoever asks
  }

  async ask(op, request) {
    const hello = await this.greeted;
    if (hello.protocol !== 1) throw new GuardFailed("it speaks another protocol");
    const answer = await this.#exchange({ op, in: request });
    if (answer.out === undefined) throw new GuardFailed(answer.error?.message);
    return answer.out;
  }

  async close() {
    this.child.stdin.end();
    if (this.child.exitCode === null) await once(this.child, "close");
  }

  #exchange(message) {
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      if (this.failed) throw this.failed;
      const watchdog = setTimeout(() => this.child.kill("SIGKILL"), this.timeoutMs);
      this.#waiting.set(id, { resolve, reject, watchdog });
      this.child.stdin.write(`${JSON.stringify({ id, ...message })}\n`);
    });
  }

  #take(line) {
    try {
      const answer = JSON.parse(line);
      const { resolve, watchdog } = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      clearTimeout(watchdog);
      resolve(answer);
    } catch (error) {
      this.#fail(error); // no JSON, or an answer to no question
      this.child.kill("SIGKILL");
    }
  }

  #fail(cause) {
    this.failed ??= new GuardFailed("no answer", { cause });
    for (const { reject, watchdog } of this.#waiting.values()) {
      clearTimeout(watchdog);
      reject(this.failed);
    }
    this.#waiting.clear();
  }
}

/**
 * An original of the history: a stretch that is kept or replaced as one, with what a later step needs of it.
 * An element has a kind (its class: identifier, negation, ordering, …), the sentence that says it, forms (texts
 * that count as saying it), inverted (texts that say the opposite), and exact where small and capital letters differ.
 */
export function original(text, elements = []) {
  return { text, elements, lost: [], generation: 0, certified: true, originals: [], provisional: false };
}

/**
 * Gives the history with a summary in place of its oldest spans, or throws Refused.
 *
 * @param {string[]} required the classes that the next step cannot do without
 * @param {boolean} archive whether originals are kept
 * @param {number} room how many characters the summary may have, pins included
 */
export async function compact(guard, history, count, summary, { required, conditions, archive, room }) {
  const [old, rest] = [history.slice(0, count), history.slice(count)];
  const elements = old.flatMap((span) => span.elements);
  const lostBefore = old.flatMap((span) => span.lost);
  const recoverable = archive && old.every((span) => span.generation === 0 || span.originals.length > 0);
  const generation = 1 + Math.max(...old.map((span) => span.generation));
  const ancestryCertified = old.every((span) => span.certified);

  const decide = async (text) => {
    const lost = [...new Set([...lostBefore, ...notSaid(text, elements)])];
    const certified = required.filter((kind) => !lost.some((element) => element.kind === kind));
    const contract = { required_classes: required, certified_classes: certified, generation, ancestry_certified: ancestryCertified };
    const answer = await guard.ask("decide", { contract, source_recoverable: recoverable, ...conditions });
    return { lost, answer };
  };
  const committed = (text, lost, certified) => {
    const kept = recoverable && !certified;
    const originals = kept ? old.flatMap((span) => (span.originals.length > 0 ? span.originals : [span])) : [];
    return [{ text, elements, lost, generation, certified, originals, provisional: !certified }, ...rest];
  };

  const { lost, answer } = await decide(summary);
  if (answer.decision === "certified") return committed(summary, lost, true);
  if (answer.decision !== "provisional") {
    const ancestry = answer.ancestry_certified ? "" : "; made from what was not certified";
    throw new Refused(`missing: ${answer.missing_classes.join(", ") || "nothing"}${ancestry}`);
  }
  const pins = lost.filter((element) => !lostBefore.includes(element)).map((element) => element.sentence);
  const pinned = [summary, ...new Set(pins)].join("\n");
  if (pinned.length <= room) {
    const then = await decide(pinned);
    if (then.answer.decision === "certified") return committed(pinned, then.lost, true);
  }
  return committed(summary, lost, false);
}

/** The elements that a text does not say to the letter, or says the opposite of. */
export function notSaid(text, elements) {
  return elements.filter((element) => !says(text, element));
}

function says(text, { forms, inverted = [], exact = false }) {
  const [said, opposite] = [places(text, forms, exact), places(text, inverted, exact)];
  return anyOutside(said, opposite) && !anyOutside(opposite, said);
}

function anyOutside(places, others) {
  return places.some(([start, end]) => !others.some(([first, last]) => first <= start && end <= last));
}

/** Where phrases stand by themselves: prod is not in non-prod, nor 5 ms in 1.5 ms. */
function places(text, phrases, exact) {
  const [before, after] = [String.raw`(?<![\p{L}\p{N}_./\\@~+%$#\-])(?<!\d[,:])`, String.raw`(?!\.*[\p{L}\p{N}_/\\@~+%$#\-])(?![,:]\d)`];
  return phrases.flatMap((phrase) => {
    const literally = folded(phrase, exact).replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    const found = folded(text, exact).matchAll(new RegExp(before + literally + after, "gu"));
    return [...found].map((match) => [match.index, match.index + match[0].length]);
  });
}

function folded(text, exact) {
  const plain = text.normalize("NFC").trim().replace(/\s+/g, " ");
  return exact ? plain : plain.toLowerCase();
}

// Three spans of a history, a next step that deploys, and what becomes of two summaries.

const TABLE = { kind: "identifier", sentence: "The table is orders_v2.", forms: ["orders_v2"], exact: true };
const BAN = {
  kind: "negation",
  sentence: "Do not run migrations against prod.",
  forms: ["do not run migrations against prod", "never run migrations against prod"],
  inverted: ["run migrations against prod"],
};
const HISTORY = [
  original("We move to a new schema. The table is orders_v2.", [TABLE]),
  original("Do not run migrations against prod. Staging comes first.", [BAN]),
  original("Deploy what we have."),
];
const FAITHFUL = "A move to table orders_v2. Never run migrations against prod.";
const FLUENT = "A move to table orders_v2. Migrations against prod were discussed.";
const STRICT = { consumer_strict: true, chaining_risk: true, side_effect_cost_exceeds_refusal: true };

async function show(guard, summary, { archive, room }) {
  const needs = { required: ["identifier", "negation"], conditions: STRICT, archive, room };
  try {
    const [{ text, provisional, originals, lost }] = await compact(guard, HISTORY, 2, summary, needs);
    if (!provisional) console.log(`certified: ${text.replace("\n", " / ")}`);
    else console.log(`provisional: marked, with ${originals.length} originals kept; lost: ${lost.map(({ kind }) => kind).join(", ")}`);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    console.log(`refuse: ${error.message}; the history keeps its ${HISTORY.length} spans`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const reference = new Guard([...process.argv.slice(2), "serve", "reference"]);
  await show(reference, FAITHFUL, { archive: false, room: 80 });
  await show(reference, FLUENT, { archive: true, room: 200 });
  await show(reference, FLUENT, { archive: true, room: 80 });
  await show(reference, FLUENT, { archive: false, room: 80 });
  await reference.close();
}
