// node --test adapters/javascript/compact.test.mjs
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { BadRequest, validate } from "./floorcheck.mjs";
import { FAULTS, Guard, makeGuard } from "./guard.mjs";
import { Part, Reader, fold } from "./guard_text.mjs";

const GUARD = fileURLToPath(new URL("guard.mjs", import.meta.url));
const FLAGS = ["source_recoverable", "consumer_strict", "chaining_risk", "side_effect_cost_exceeds_refusal"];
const SAFE = { source_recoverable: false, consumer_strict: false, chaining_risk: false, side_effect_cost_exceeds_refusal: false };
const STRICT = { ...SAFE, consumer_strict: true };
const RECOVERABLE = { ...STRICT, source_recoverable: true };

/** Sends lines of text to a program; resolves with its answers by id. */
function talk(args, text) {
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "ignore"] });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (piece) => (out += piece));
  child.stdin.end(text);
  return new Promise((resolve) => child.on("close", () => resolve(new Map(out.trim().split("\n").map((line) => JSON.parse(line)).map((answer) => [answer.id, answer])))));
}

/** An element of class a that its own name keeps and "no …" inverts. */
const el = (id, more = {}) => ({ id, class: "a", forms: [id], inverted_forms: [`no ${id}`], ...more });
const span = (id, elements = [], more = {}) => ({ id, kind: "message", role: "user", tokens: 10, text: `text of ${id}`, elements, ...more });
const unknown = (id, more = {}) => ({ ...span(id, [], more), elements: undefined });
/** Fidelities in short: { a: [1, 2] }. */
const counts = (short) => Object.entries(short).map(([name, [retained, total]]) => ({ class: name, retained, total }));
const lineage = (short, more = {}) => ({ generation: 1, ancestry_certified: true, decision: "certified", effective: counts(short), ...more });
/** A summary span, effective in class a as its elements say. */
function old(id, elements, more = {}, line = {}) {
  const kept = elements.filter(({ lost }) => !lost);
  return span(id, elements, { kind: "summary", lineage: lineage({ a: [kept.length, elements.length] }, line), ...more });
}
const summary = (id, of, text, more = {}) => ({ id, of, text, tokens: 1, ...more });

const certifyIn = (elements, output, more = {}) => ({ source: [span("s", elements)], output: typeof output === "string" ? { text: output } : output, required_classes: ["a"], ...more });
const compactIn = (spans, summaries, budget_tokens, more = {}) =>
  ({ spans, summaries, required_classes: ["a"], known_classes: ["a", "b"], budget_tokens, ...STRICT, ...more });

function asked(op, request, policy) {
  const plain = JSON.parse(JSON.stringify(request));
  validate(op, plain);
  return new Guard(policy)[op](plain);
}
const certify = (...args) => asked("certify", certifyIn(...args));
const compact = (...args) => asked("compact", compactIn(...args));

function state(texts, forms, inverted_forms = [], match = "folded") {
  const reader = new Reader();
  return reader.state(reader.element({ id: "x", class: "a", forms, inverted_forms, match }, "x"), [texts].flat().map((text) => new Part(text)));
}

// --- retention --------------------------------------------------------------

test("white space, composition and case do not matter when folded; only case does when exact", () => {
  const same = [["A\u00a0\t b", " a b\u3000"], ["e\u0301te\u0301", "\u00e9T\u00c9"], ["\u0085a\u2028b", "a b"], ["\u03a3\u03a3", "\u03c3\u03c3"], ["\u03b1\u03a3", "\u0391\u03c3"], ["stra\u00dfe", "STRASSE"]];
  for (const [text, form] of same) assert.equal(state(text, [form]), "retained", text);
  for (const [text, form] of [["a\u001cb", "a b"], ["a\ufeffb", "a b"], ["\u0131", "i"], ["a b", "ab"]]) assert.equal(state(text, [form]), "lost", text);
  assert.equal(state("Prod", ["prod"], [], "exact"), "lost");
  assert.equal(state("a \n e\u0301", ["a  \u00e9"], [], "exact"), "retained");
  assert.equal(fold("\u1e9e\ufb01\u0130\u212a", false), "ssfii\u0307k");
});

test("a phrase stands by itself: no word character glued to one", () => {
  for (const text of ["report", "ports", "_port", "port9", "port\u0301", "\u{1d400}port", "port\u0663"]) assert.equal(state(text, ["port"]), "lost", text);
  for (const text of ["port", "air-port", "(port)", "port\u{1f600}", "xport port"]) assert.equal(state(text, ["port"]), "retained", text);
  assert.equal(state("a->b", ["->"]), "retained"); // nothing to glue at its ends
  for (const phrase of ["", " \n"]) assert.equal(state("a  b", [phrase]), "lost");
});

test("an exact phrase does not begin or end inside a run", () => {
  const cut = [["non-prod", "prod"], ["/etc/app.bak", "/etc/app"], ["1.5 ms", "5 ms"], ["12:30", "12"], ["1,000", "000"], ["x@y", "x"], ["a.b.", "a"],
    ["C#", "C"], ["\u0661,\u0662", "\u0662"], ["--a", "a"], ["a.-.", "a"]];
  for (const [text, form] of cut) {
    assert.equal(state(text, [form], [], "exact"), "lost", text);
    assert.equal(state(text, [form]), "retained", text);
  }
  const whole = [["prod.", "prod"], ["prod..., and", "prod"], ["a,b", "b"], ["a:1", "a"], ["1,a", "1"], ["f(x)", "x"], ["etc.", "etc."], ["a-b", "a-b"], ["12:30", "12:30"], ["a. b", "a."]];
  for (const [text, form] of whole) assert.equal(state(text, [form], [], "exact"), "retained", text);
});

test("what is inside an occurrence of the other list does not count", () => {
  const [forms, inverted] = [["deploy"], ["do not deploy"]];
  assert.equal(state("do not deploy", forms, inverted), "inverted");
  assert.equal(state("do not deploy yet; deploy", forms, inverted), "contradictory");
  assert.equal(state("deploy", forms, inverted), "retained");
  assert.equal(state("nothing", forms, inverted), "lost");
  assert.equal(state("do not deploy", inverted, forms), "retained");
  assert.equal(state("x y z", ["x y"], ["y z"]), "contradictory"); // they overlap, neither is inside
  assert.equal(state("do not.deploy", forms, ["do not"]), "contradictory");
});

test("an occurrence lies in one part; the parts are judged together", () => {
  assert.equal(state(["do not", "deploy"], ["do not deploy"]), "lost");
  assert.equal(state(["deploy", "do not deploy"], ["deploy"], ["do not deploy"]), "contradictory");
  assert.equal(state([], ["x"]), "lost");
});

test("the same folded phrase in both lists is a bad request, decoys included", () => {
  const both = el("x", { forms: ["X  y"], inverted_forms: ["n", "x Y"] });
  assert.throws(() => certify([both], "t"), { name: "BadRequest", message: /^in\.source\[0\]\.elements\[0\]\.inverted_forms: / });
  assert.throws(() => certify([], "t", { decoys: [both] }), { name: "BadRequest", message: /^in\.decoys\[0\]\.inverted_forms: / });
  assert.throws(() => compact([span("s", [both])], [], 99), { name: "BadRequest", message: /^in\.spans\[0\]\.elements\[0\]\.inverted_forms: / });
  assert.throws(() => certify([el("x", { forms: [""], inverted_forms: [" "] })], "t"), BadRequest);
  assert.doesNotThrow(() => certify([{ ...both, match: "exact" }], "t"));
});

/** Looks at every place, letter by letter. */
function restatedPlaces(text, phrase, exact) {
  const letters = [...text];
  const is = (at, pattern) => letters[at] !== undefined && pattern.test(letters[at]);
  const word = (at) => is(at, /[\p{L}\p{M}\p{N}_]/u);
  const inRun = (at) => word(at) || is(at, /[-./\\@~+%$#]/) || (is(at, /[,:]/) && is(at - 1, /\p{Nd}/u) && is(at + 1, /\p{Nd}/u));
  const cuts = (at) => {
    if (word(at - 1) && word(at)) return true;
    if (!exact || !inRun(at - 1)) return false;
    while (is(at, /\./)) at++;
    return inRun(at);
  };
  const wanted = [...phrase];
  const stands = (at) => wanted.length > 0 && wanted.every((letter, i) => letters[at + i] === letter) && !cuts(at) && !cuts(at + wanted.length);
  return [...letters.keys()].filter(stands).map((at) => [at, at + wanted.length]);
}

function restatedState(texts, { forms, inverted_forms = [], match }) {
  const exact = match === "exact";
  const counted = (ours, theirs) => texts.some((text) => {
    const all = (phrases) => phrases.flatMap((phrase) => restatedPlaces(fold(text, exact), fold(phrase, exact), exact));
    return all(ours).some(([start, end]) => !all(theirs).some(([first, last]) => first <= start && last >= end));
  });
  return ["lost", "inverted", "retained", "contradictory"][2 * counted(forms, inverted_forms) + counted(inverted_forms, forms)];
}

/** Numbers below n, the same ones every time. */
function dice(seed) {
  let last = seed;
  return (n) => {
    last = (Math.imul(last, 1664525) + 1013904223) >>> 0;
    return Math.floor((last / 2 ** 32) * n);
  };
}

const WORDS = ["prod", "Prod", "non-prod", "no", "5", "1.5", "1,5", "ms.", "x_1", "/a", "/a.b", "->", "\u00e9", "e\u0301", ".", "..", ",", "a:1", "1:1", "\u{1d7d8}"];
const randomText = (roll, longest) => Array.from({ length: roll(longest + 1) }, () => WORDS[roll(WORDS.length)] + ["", " ", " ", "\n"][roll(4)]).join("");

function randomElement(roll, id) {
  for (;;) {
    const made = { id, class: "aab"[roll(3)], match: ["exact", "folded"][roll(2)], forms: [randomText(roll, 2), randomText(roll, 2)], inverted_forms: roll(2) ? [randomText(roll, 3)] : [] };
    const folded = (phrases) => phrases.map((phrase) => fold(phrase, made.match === "exact"));
    if (!folded(made.inverted_forms).some((phrase) => folded(made.forms).includes(phrase))) return made;
  }
}

test("reading agrees with a restatement, letter by letter", () => {
  const roll = dice(3);
  const seen = new Map();
  for (let i = 0; i < 3000; i++) {
    const element = randomElement(roll, "x");
    const texts = Array.from({ length: roll(3) }, () => randomText(roll, 12));
    if (roll(2)) texts.push(...element.forms);
    const got = state(texts, element.forms, element.inverted_forms, element.match);
    assert.equal(got, restatedState(texts, element), JSON.stringify([texts, element]));
    seen.set(got, (seen.get(got) ?? 0) + 1);
  }
  assert.ok([...seen.values()].every((count) => count > 20) && seen.size === 4, JSON.stringify([...seen]));
});

// --- certify ----------------------------------------------------------------

test("each element is retained, inverted, contradictory or lost, by identity", () => {
  const elements = [el("k"), el("i"), el("c"), el("l"), el("other", { class: "b" })];
  assert.deepEqual(certify(elements, "k k k, no i, c and no c"), { certified_classes: [], fidelity: counts({ a: [1, 4] }), lost: ["l"], inverted: ["i", "c"], fabricated: [] });
});

test("a required class is certified at its floor, an empty one always", () => {
  const at = (floor) => certify([el("x"), el("y")], "x", { floors_permille: { a: floor, b: 1000 } }).certified_classes;
  assert.deepEqual([at(0), at(500), at(501), at(1000)], [["a"], ["a"], [], []]);
  const out = certify([el("x")], "nothing", { required_classes: ["c", "a", "c"] });
  assert.deepEqual([out.certified_classes, out.fidelity], [["c"], counts({ a: [0, 1], c: [0, 0] })]);
});

test("pins count; what is unusable is measured and certifies nothing", () => {
  assert.deepEqual(certify([el("x"), el("y")], { text: "x", pins: ["y"] }).certified_classes, ["a"]);
  for (const status of ["error", "refused", "partial", "opaque"]) {
    assert.deepEqual(certify([el("x")], { text: "x", status }, { required_classes: ["a", "b"] }), { certified_classes: [], fidelity: counts({ a: [1, 1], b: [0, 0] }), lost: [], inverted: [], fabricated: [] });
  }
  for (const text of ["", "\n", "->!"]) {
    assert.deepEqual(certify([], text).certified_classes, []);
    assert.deepEqual(certify([], { text, pins: ["_"] }).certified_classes, ["a"]);
  }
});

test("unknown elements let no class be certified, and an old loss changes nothing", () => {
  const [source, lost] = [[span("s", [el("x")]), unknown("u")], old("o", [el("y", { lost: true })])];
  assert.deepEqual(certify([], "x", { source, required_classes: ["a", "b"], floors_permille: { b: 0 } }).certified_classes, []);
  assert.deepEqual(certify([], "y", { source: [lost] }).certified_classes, ["a"]);
});

test("decoys that are retained are named", () => {
  const decoys = [el("d1"), el("d2"), el("d3", { class: "z" }), el("d4")];
  assert.deepEqual(certify([], { text: "d1, no d2, d4 and no d4", pins: ["d3"], status: "opaque" }, { decoys }).fabricated, ["d1", "d3"]);
});

// --- compact ----------------------------------------------------------------

const [X, Y, PLAIN] = [span("s1", [el("x")]), span("s2", [el("y")]), span("s3", [], { tokens: 5 })];

test("what fits is left alone, whatever is proposed", () => {
  assert.deepEqual(compact([X, PLAIN], [summary("m", ["s1"], "x")], 15, { known_classes: [] }), {
    decision: "certified", kept: ["s1", "s3"], evicted: [],
    output: [{ kind: "span", span: "s1", text: "text of s1" }, { kind: "span", span: "s3", text: "text of s3" }],
    contract: { required_classes: ["a"], certified_classes: ["a"], generation: 0, ancestry_certified: true },
  });
  assert.equal(compact([], [], 0).contract.generation, 0);
});

test("a sound plan: tags, lineage, lost and contract", () => {
  const pair = span("s1", [el("x1"), el("x2"), el("z", { class: "b" })]);
  const out = compact([PLAIN, pair, Y], [summary("m", ["s2", "s1"], "x1, y")], 6, { floors_permille: { a: 500 } });
  assert.deepEqual(out, {
    decision: "certified", kept: ["s3"],
    evicted: [{ span: "s1", summary: "m", fidelity: counts({ a: [1, 2], b: [0, 1] }) }, { span: "s2", summary: "m", fidelity: counts({ a: [1, 1] }) }],
    output: [{ kind: "span", span: "s3", text: "text of s3" }, { kind: "summary", summary: "m", text: "x1, y", provisional: false, lineage: lineage({ a: [2, 3], b: [0, 1] }), lost: ["x2", "z"] }],
    contract: { required_classes: ["a"], certified_classes: ["a"], generation: 1, ancestry_certified: true },
  });
});

test("what may not go stays, as long as the budget allows", () => {
  const half = summary("m", ["s1", "s2"], "x");
  assert.deepEqual(compact([X, Y], [half], 11).kept, ["s2"]);
  assert.equal(compact([X, Y], [half], 10).decision, "refuse");
  assert.equal(compact([X, Y], [half], 10, RECOVERABLE).decision, "provisional");
});

/** A request in which one span should go under one summary, spoiled in one way each; budget 1 beside what has to stay. */
const BLOCKED = {
  "below its floor": [{ summaries: [summary("m", ["s1"], "y")] }, { missing_classes: ["a"] }],
  "a guarded class is not known": [{ known_classes: ["b"] }, { missing_classes: ["a"] }],
  "a class that is guarded by its floor alone is not known": [{ floors_permille: { q: 1 } }, { missing_classes: ["q"] }],
  "elements unknown": [{ spans: [unknown("s1")], summaries: [summary("m", ["s1"], "y")] }, { unknown_spans: ["s1"] }],
  "elements unknown and a class too": [{ spans: [unknown("s1")], known_classes: [] }, { unknown_spans: ["s1"], missing_classes: ["a"] }],
  "not clean": [{ summaries: [summary("m", ["s1"], "x; no y")], spans: [X, { ...Y, tokens: 0 }] }, { unclean_summaries: ["m"] }],
  "not clean because of what is not guarded, and lost": [
    { summaries: [summary("m", ["s1"], "x; no y")], spans: [X, old("s2", [el("y", { class: "q", lost: true })], { tokens: 0, lineage: lineage({ a: [0, 0] }) })] },
    { unclean_summaries: ["m"] },
  ],
  "contradictory counts as denied": [{ summaries: [summary("m", ["s1"], "x; no x")] }, { unclean_summaries: ["m"], missing_classes: ["a"] }],
  "ancestry not certified": [{ spans: [old("s1", [el("x")], {}, { ancestry_certified: false })] }, { poisoned_spans: ["s1"] }],
  "made provisionally": [{ spans: [old("s1", [el("x")], {}, { decision: "provisional" })] }, { poisoned_spans: ["s1"] }],
  "no lineage": [{ spans: [span("s1", [el("x")], { kind: "summary" })] }, { poisoned_spans: ["s1"] }],
  "a guarded class not effective": [{ spans: [old("s1", [el("x")])], floors_permille: { b: 1 } }, { missing_classes: ["b"] }],
  "once lost": [{ spans: [old("s1", [el("x", { lost: true })])] }, { missing_classes: ["a"] }],
  "denied by another summary span": [{ spans: [X, old("s9", [], { text: "no x", tokens: 0 })] }, {}],
};

test("whatever keeps a span from going is a refusal that says so", () => {
  for (const [why, [spoiled, reasons]] of Object.entries(BLOCKED)) {
    const request = { ...compactIn([X], [summary("m", ["s1"], "x")], 1), ...spoiled };
    const { escalations, ...out } = asked("compact", request);
    assert.deepEqual(out, { decision: "refuse", missing_classes: [], over_budget_tokens: 9, unknown_spans: [], poisoned_spans: [], unclean_summaries: [], ...reasons }, why);
    assert.ok(escalations.length > 0);
    assert.equal(asked("compact", { ...request, source_recoverable: true }).basis, "recoverable", why);
    assert.equal(asked("compact", { ...request, ...SAFE }).basis, "harmless", why);
  }
  assert.equal(compact([X], [summary("m", ["s1"], "x")], 1).decision, "certified");
});

test("its own text, a message's text and unguarded elements deny nothing that matters", () => {
  const goes = (spans, more) => assert.equal(compact(spans, [summary("m", ["s1"], "x")], 1, more).decision, "certified");
  goes([old("s1", [el("x")], { text: "no x" })]);
  goes([X, span("s9", [], { text: "no x", tokens: 0 })]);
  goes([X, old("s9", [], { text: "no x", tokens: 0 })], { floors_permille: { a: 0 } });
});

test("an unusable summary cannot be used at all, and explains nothing", () => {
  for (const more of [{ status: "partial" }, { text: "--" }]) {
    for (const flags of [STRICT, SAFE, RECOVERABLE]) {
      const { escalations, ...out } = compact([X, unknown("u")], [summary("m", ["s1", "u"], "no x", more)], 1, flags);
      assert.deepEqual(out, { decision: "refuse", missing_classes: [], over_budget_tokens: 19, unknown_spans: [], poisoned_spans: [], unclean_summaries: [] });
      assert.equal(escalations.includes("retrieve"), flags.source_recoverable);
    }
  }
});

test("a provisional result marks each summary that it uses; nothing fits: a refusal, recoverable or not", () => {
  const out = compact([X, unknown("u"), PLAIN], [summary("m", ["s1", "u"], "no x")], 6, RECOVERABLE);
  assert.deepEqual(out.output[0], { kind: "summary", summary: "m", text: "no x", provisional: true, lineage: lineage({ a: [0, 1], b: [0, 0] }, { decision: "provisional" }), lost: ["x"] });
  assert.deepEqual(out.evicted.map(({ fidelity }) => fidelity), [counts({ a: [0, 1] }), []]);
  assert.deepEqual(out.contract, { required_classes: ["a"], certified_classes: [], generation: 1, ancestry_certified: false });
  const refused = compact([X, Y], [summary("m", ["s1"], "x"), summary("n", [], "free", { tokens: 0 })], 5, RECOVERABLE);
  assert.deepEqual([refused.decision, refused.over_budget_tokens, refused.missing_classes], ["refuse", 6, []]);
});

test("the policy counts the dangers", () => {
  const decision = (policy, flags) => asked("compact", { ...compactIn([X], [summary("m", ["s1"], "y")], 1), ...flags }, policy).decision;
  const all = { ...SAFE, consumer_strict: true, chaining_risk: true, side_effect_cost_exceeds_refusal: true };
  assert.deepEqual([decision("guard", STRICT), decision("joint", STRICT), decision("joint", all)], ["refuse", "provisional", "refuse"]);
});

test("a lineage counts on from what is replaced, and keeps no class that this does not hold", () => {
  const first = old("s1", [el("x"), el("l", { lost: true })], { lineage: lineage({ a: [1, 2], b: [0, 0], q: [0, 0] }, { generation: 3 }) });
  const second = old("s2", [el("y")], {}, { generation: 8 });
  const out = compact([first, second, PLAIN], [summary("m", ["s1", "s2", "s3"], "x y l")], 1, { floors_permille: { a: 500 } });
  const { lineage: made, lost } = out.output[0];
  assert.deepEqual([made, lost], [lineage({ a: [2, 3] }, { generation: 9 }), ["l"]]);
  const bare = compact([span("s1", [el("x")], { kind: "summary" })], [summary("m", ["s1"], "x")], 1, RECOVERABLE).output[0].lineage;
  assert.deepEqual(bare, { generation: 2, ancestry_certified: false, decision: "provisional", effective: [] });
});

test("the contract speaks of all that is delivered", () => {
  const contract = (kept, more) => compact([X, kept], [summary("m", ["s1"], "x")], 11, more).contract;
  const want = (certified_classes, generation, ancestry_certified) => ({ required_classes: ["a"], certified_classes, generation, ancestry_certified });
  assert.deepEqual(contract(old("k", [el("z")], {}, { generation: 5 })), want(["a"], 5, true));
  assert.deepEqual(contract(old("k", [], {}, { ancestry_certified: false })), want([], 1, false));
  assert.deepEqual(contract(span("k", [], { kind: "summary" })), want([], 1, false));
  assert.deepEqual(contract(old("k", [], { lineage: lineage({ b: [0, 0] }) })), want([], 1, true));
  const half = old("k", [el("z"), el("w", { lost: true })]);
  assert.deepEqual([500, 501].map((a) => contract(half, { floors_permille: { a }, required_classes: ["a"] }).certified_classes), [["a"], []]);
  assert.deepEqual(contract(span("k", [], { text: "there is no x" })), want([], 1, true)); // denied over all parts together
  assert.deepEqual(compact([old("k", [el("x")], {}, { generation: 4, decision: "provisional" })], [], 99).contract, want([], 4, false)); // on a no-op too
  assert.deepEqual(compact([unknown("k")], [], 99, { known_classes: [] }).contract, want(["a"], 0, true));
});

test("a summary that was used is a valid span the next time", () => {
  const { output } = compact([X, Y], [summary("m", ["s1", "s2"], "only x")], 5, RECOVERABLE);
  const [{ text, lineage: line, lost }] = output;
  const elements = [...X.elements, ...Y.elements].map((element) => ({ ...element, lost: lost.includes(element.id) }));
  const again = compact([span("m", elements, { kind: "summary", text, lineage: line })], [summary("m", ["m"], "x y")], 5);
  assert.deepEqual([again.decision, again.missing_classes, again.poisoned_spans], ["refuse", ["a"], ["m"]]);
});

test("very many spans under one summary", () => {
  const spans = Array.from({ length: 50000 }, (_, i) => span(`s${i}`));
  assert.equal(compact(spans, [summary("m", spans.map(({ id }) => id), "all")], 1).decision, "certified");
});

/** A span of random elements; about one in three is a summary span. */
function randomSpan(roll, i) {
  const elements = Array.from({ length: roll(3) }, (_, j) => randomElement(roll, `x${i}.${j}`));
  const made = span(`s${i}`, elements, { tokens: [0, 1, 5, 10][roll(4)], text: randomText(roll, 5) });
  if (roll(3) > 0) return roll(8) ? made : { ...made, elements: undefined };
  for (const element of elements) element.lost = roll(4) === 0;
  const own = (name) => elements.filter((element) => element.class === name);
  const effective = counts(Object.fromEntries(["a", "b", "c"].filter(() => roll(5)).map((name) => [name, [own(name).filter(({ lost }) => !lost).length, own(name).length]])));
  const line = { generation: 1 + roll(4), ancestry_certified: roll(8) > 0, decision: roll(5) ? "certified" : "provisional", effective };
  return { ...made, kind: "summary", ...(roll(6) && { lineage: line }) };
}

function randomCompact(roll) {
  const spans = Array.from({ length: roll(4) }, (_, i) => randomSpan(roll, i));
  const cut = roll(spans.length + 1);
  const proposed = [spans.slice(0, cut), spans.slice(cut)].map((of, i) => {
    const said = of.flatMap(({ elements = [] }) => elements).filter(() => roll(5)).map(({ forms }) => forms[roll(2)]);
    return summary(`m${i}`, of.map(({ id }) => id), [...said, roll(6) ? "so" : ""].join(" ; "), { tokens: [0, 1, 3, 12][roll(4)], status: roll(9) ? "ok" : "partial" });
  });
  const flags = Object.fromEntries(FLAGS.map((flag) => [flag, roll(3) === 0]));
  const more = { required_classes: [[], ["a"], ["a", "b"], ["c"]][roll(4)], known_classes: roll(4) ? ["a", "b", "c"] : ["b", "c"], ...flags };
  return compactIn(spans, proposed, roll(20), { ...more, ...(roll(2) && { floors_permille: { a: [0, 400, 1000][roll(3)], b: [0, 1][roll(2)] } }) });
}

/** Every choice of which spans go under which summary, by brute force. */
function* allPlans(spans, summaries) {
  if (summaries.length === 0) {
    yield [];
    return;
  }
  const [{ of }] = summaries;
  for (const rest of allPlans(spans, summaries.slice(1))) {
    for (let bits = 0; bits < 2 ** of.length; bits++) yield [of.filter((_, i) => bits & (2 ** i)), ...rest];
  }
}

/** The decision as 2b has it, by way of every plan there is. */
function restatedDecision({ spans, summaries, required_classes, known_classes, floors_permille = {}, budget_tokens, ...flags }, policy) {
  const byId = new Map(spans.map((one) => [one.id, one]));
  const guarded = ["a", "b", "c"].filter((name) => (floors_permille[name] ?? (required_classes.includes(name) ? 1000 : 0)) > 0);
  const isSummary = (one) => one.kind === "summary" || one.lineage !== undefined;
  const denies = (text, element) => ["inverted", "contradictory"].includes(restatedState([text], element));
  const usable = ({ text, status }) => status === "ok" && /[\p{L}\p{M}\p{N}_]/u.test(text);
  const clean = (one) => usable(one) && !spans.some(({ elements = [] }) => elements.some((element) => denies(one.text, element)));
  const mayGo = (one, { text }) => {
    if (one.elements === undefined || !guarded.every((name) => known_classes.includes(name))) return false;
    if (isSummary(one)) {
      const { ancestry_certified, decision, effective } = one.lineage ?? { ancestry_certified: false };
      if (!ancestry_certified || decision !== "certified" || !guarded.every((name) => effective.some((entry) => entry.class === name))) return false;
    }
    const ours = one.elements.filter((element) => guarded.includes(element.class));
    if (spans.some((other) => other !== one && isSummary(other) && ours.some((element) => denies(other.text, element)))) return false;
    return guarded.every((name) => {
      const all = ours.filter((element) => element.class === name);
      const kept = all.filter((element) => !element.lost && restatedState([text], element) === "retained");
      return kept.length * 1000 >= (floors_permille[name] ?? 1000) * all.length;
    });
  };
  const ok = { sound: false, any: false };
  for (const plan of allPlans(spans, summaries)) {
    const used = summaries.filter((_, i) => plan[i].length > 0);
    const gone = plan.flat();
    const cost = [...spans.filter(({ id }) => !gone.includes(id)), ...used].reduce((sum, { tokens }) => sum + tokens, 0);
    if (cost > budget_tokens || !used.every(usable)) continue;
    ok.any = true;
    ok.sound ||= summaries.every((one, i) => plan[i].length === 0 || (clean(one) && plan[i].every((id) => mayGo(byId.get(id), one))));
  }
  if (ok.sound) return "certified";
  const dangers = FLAGS.slice(1).filter((flag) => flags[flag]).length;
  const mayGoOn = flags.source_recoverable || dangers < (policy === "joint" ? 3 : 1);
  return mayGoOn && ok.any ? "provisional" : "refuse";
}

test("decisions agree with a restatement that tries every plan", () => {
  const roll = dice(11);
  const seen = { certified: 0, provisional: 0, refuse: 0 };
  for (let i = 0; i < 1500; i++) {
    const [request, policy] = [JSON.parse(JSON.stringify(randomCompact(roll))), roll(3) ? "guard" : "joint"];
    const out = asked("compact", request, policy);
    assert.equal(out.decision, restatedDecision(request, policy), JSON.stringify(request));
    if (out.evicted?.length !== 0) seen[out.decision]++;
    if (out.decision === "refuse") continue;
    const said = [...out.kept, ...out.evicted.map((tag) => tag.span)].sort();
    assert.deepEqual(said, request.spans.map(({ id }) => id).sort());
    const sizes = new Map([...request.spans, ...request.summaries].map(({ id, tokens }) => [id, tokens]));
    const cost = out.output.reduce((sum, entry) => sum + sizes.get(entry.span ?? entry.summary), 0);
    assert.ok(cost <= request.budget_tokens);
  }
  assert.ok(Object.values(seen).every((count) => count > 50), JSON.stringify(seen));
});

// --- bad requests -----------------------------------------------------------

const M1 = () => old("m1", [el("x", { match: "exact", lost: true }), el("y", { class: "b" })], { lineage: lineage({ a: [0, 1], b: [1, 1] }) });
/** Valid requests, to be spoiled one place at a time. */
const GOOD = {
  certify: () => ({ source: [span("s1", [el("z", { match: "folded" })]), M1()], output: { text: "t", pins: ["p"], status: "ok" }, required_classes: ["a"], floors_permille: { a: 1 }, decoys: [el("d")] }),
  compact: () => ({ ...compactIn([span("s1", [el("z")]), M1()], [summary("m1", ["s1", "m1"], "t", { status: "ok" }), summary("m2", [], "u")], 1, { floors_permille: { a: 1 }, riders: { x: null } }) }),
};
const NOT_TEXT = [undefined, null, 1, true, [], {}];
const NOT_SET = [undefined, null, "a", {}, [1], [null]];
const NOT_COUNT = [undefined, null, "1", true, -1, 0.5, 2 ** 53, []];
const NOT_FLAG = [undefined, null, 0, "true"];
const NOT_LIST = [undefined, null, {}, "x", [1], [null], [[]]];
const given = (values) => values.filter((value) => value !== undefined);
const spoiledSpans = (list) => [
  [list, NOT_LIST],
  ...["id", "role", "text"].map((name) => [`${list}.0.${name}`, NOT_TEXT]),
  [`${list}.0.id`, ["m1"]],
  [`${list}.0.kind`, [...NOT_TEXT, "", "Message", "toString"]],
  [`${list}.0.tokens`, [...NOT_COUNT, 2 ** 53 - 10]],
  [`${list}.0.elements`, given(NOT_LIST)],
  ...["id", "class"].map((name) => [`${list}.0.elements.0.${name}`, NOT_TEXT]),
  [`${list}.0.elements.0.id`, ["x", "y"]],
  [`${list}.0.elements.0.forms`, NOT_SET],
  [`${list}.0.elements.0.inverted_forms`, given(NOT_SET)],
  [`${list}.0.elements.0.match`, [null, 1, "", "Folded"]],
  [`${list}.0.elements.0.lost`, [true, false, null]],
  [`${list}.1.elements.0.lost`, [null, 0, "true"]],
  [`${list}.0.lineage`, [null, [], {}, lineage({ a: [0, 1] })]],
  [`${list}.1.lineage`, [null, [], "x", {}]],
  [`${list}.1.lineage.generation`, [...NOT_COUNT, 2 ** 31]],
  [`${list}.1.lineage.ancestry_certified`, NOT_FLAG],
  [`${list}.1.lineage.decision`, [...NOT_TEXT, "refuse", ""]],
  [`${list}.1.lineage.effective`, [...NOT_LIST, counts({ a: [1, 1] }), counts({ a: [0, 2] }), counts({ q: [0, 1] }), counts({ b: [0, 1] }), [...counts({ b: [1, 1] }), ...counts({ b: [1, 1] })]]],
  [`${list}.1.lineage.effective.0.class`, NOT_TEXT],
  [`${list}.1.lineage.effective.0.retained`, NOT_COUNT],
  [`${list}.1.lineage.effective.1.total`, [...NOT_COUNT, 0]],
  ["required_classes", NOT_SET],
  ["floors_permille", [null, [], { z: -1 }, { z: 1001 }, { z: null }, { z: true }]],
];
const SPOILED = {
  certify: [...spoiledSpans("source"), ["output", [undefined, null, "t", {}]], ["output.text", NOT_TEXT], ["output.pins", given(NOT_SET)], ["output.status", [null, "", "OK", 1]],
    ["decoys", given(NOT_LIST)], ["decoys.0.id", [null, "x", "z"]], ["decoys.0.lost", [true, false]], ["decoys.0.forms", NOT_SET]],
  compact: [...spoiledSpans("spans"), ...FLAGS.map((flag) => [flag, NOT_FLAG]), ["known_classes", NOT_SET], ["budget_tokens", NOT_COUNT], ["riders", [null, []]], ["summaries", NOT_LIST],
    ["summaries.0.id", [...NOT_TEXT, "m2"]], ["summaries.0.text", NOT_TEXT], ["summaries.0.status", [null, "", "Ok"]], ["summaries.0.tokens", [...NOT_COUNT, 2 ** 53 - 21]],
    ["summaries.0.of", [...NOT_SET, ["s9"], ["m2"], ["s1", "s1"]]], ["summaries.1.of", [["s1"]]], ["spans.1.lineage.generation", [2 ** 31 - 1]]],
};
const ACCEPTED = {
  certify: [["source", [[]]], ["output.pins", [undefined, []]], ["output.status", [undefined, "opaque"]], ["decoys", [undefined, []]], ["source.1.lineage.generation", [0, 2 ** 31 - 1]], ["riders", [null]],
    ["source.0.elements.0.forms", [[]]], ["source.1.elements", [undefined]], ["source.1.lineage", [undefined]], ["source.1.kind", ["message"]], ["source.1.lineage.effective", [[]]]],
  compact: [["riders", [undefined, {}]], ["summaries", [[]]], ["summaries.0.of", [[]]], ["summaries.0.tokens", [0, 2 ** 53 - 22]], ["budget_tokens", [0, 2 ** 53 - 1]], ["spans.0.kind", ["pin", "call", "result"]],
    ["spans.1.lineage.generation", [2 ** 31 - 2]], ["spans.0.text", [""]], ["known_classes", [[], ["q", "q"]]], ["floors_permille", [undefined, { z: 1000 }]], ["unknown", [null]]],
};

function spoil(op, path, value) {
  const request = GOOD[op]();
  const keys = path.split(".");
  const last = keys.pop();
  keys.reduce((at, key) => at[key], request)[last] = value;
  return JSON.parse(JSON.stringify(request)); // which leaves out what is undefined
}

test("everything on the list is a bad request, and the message names the place", () => {
  for (const op of ["certify", "compact"]) {
    assert.doesNotThrow(() => validate(op, GOOD[op]()));
    for (const [path, values] of SPOILED[op]) {
      for (const value of values) {
        assert.throws(() => validate(op, spoil(op, path, value)), (error) => error instanceof BadRequest && /^in[^ ]*: /.test(error.message), `${op} ${path}: ${JSON.stringify(value)}`);
      }
    }
    for (const request of [undefined, null, [], "x", 1]) assert.throws(() => validate(op, request), BadRequest);
  }
  const notReplaced = spoil("compact", "spans.1.lineage.generation", 2 ** 31 - 1);
  notReplaced.summaries[0].of = ["s1"];
  assert.doesNotThrow(() => validate("compact", notReplaced));
});

test("what is odd but good is answered", () => {
  for (const op of ["certify", "compact"]) {
    for (const [path, values] of ACCEPTED[op]) for (const value of values) assert.ok(asked(op, spoil(op, path, value)), `${op} ${path}: ${JSON.stringify(value)}`);
  }
});

test("a message says which field, what is demanded and what was found", () => {
  const messages = [
    ["spans.0.kind", "tool", 'in.spans[0].kind: must be message, call, result, summary or pin, got "tool"'],
    ["spans.0.elements.0.lost", false, "in.spans[0].elements[0].lost: may not stand on an element of an original"],
    ["spans.0.elements.0.id", "x", 'in.spans[1].elements[0].id: "x" is used twice'],
    ["spans.1.lineage.effective.1.total", 2, "in.spans[1].lineage.effective[1].total: must be the span's 1 of this class, got 2"],
    ["summaries.1.of", ["m1"], 'in.summaries[1].of[0]: span "m1" is in a summary already'],
    ["summaries.0.tokens", 2 ** 53 - 21, "in: all tokens together must be below 2^53"],
  ];
  for (const [path, value, message] of messages) assert.throws(() => validate("compact", spoil("compact", path, value)), { message });
});

test("over the wire numbers are judged as they are written", async () => {
  const text = JSON.stringify(GOOD.compact());
  const texts = [text, text.replace('"tokens":10', '"tokens":10.0'), text.replace('"generation":1', '"generation":1e0'), text.replace('"riders":{', '"riders":{"y":2.0,')];
  const answers = await talk([GUARD], texts.map((one, id) => `{"id":${id},"op":"compact","in":${one}}\n`).join(""));
  assert.deepEqual([0, 1, 2, 3].map((id) => answers.get(id).error?.code), [undefined, "bad_request", "bad_request", "bad_request"]);
});

test("the guard claims all four ops", async () => {
  const answers = await talk([GUARD], '{"id":0,"op":"hello","protocol":[1]}\n');
  assert.deepEqual(answers.get(0).ops, ["decide", "derive", "certify", "compact"]);
});

test("names from Object.prototype are names like any other", () => {
  const request = JSON.parse(`{"spans":[{"id":"constructor","kind":"message","role":"","tokens":9,"text":"t","elements":[{"id":"__proto__","class":"toString","forms":["x"]}]}],
    "required_classes":["__proto__"],"known_classes":["toString","__proto__"],"floors_permille":{"__proto__":1,"toString":1},"budget_tokens":1,
    "summaries":[{"id":"__proto__","of":["constructor"],"text":"y","tokens":1}],
    "source_recoverable":false,"consumer_strict":true,"chaining_risk":false,"side_effect_cost_exceeds_refusal":false}`);
  validate("compact", request);
  assert.deepEqual(new Guard().compact(request).missing_classes, ["toString"]);
  request.summaries[0].text = "x";
  assert.deepEqual(new Guard().compact(request).contract.certified_classes, ["__proto__"]);
});

// --- faults -----------------------------------------------------------------

const goes = (spans, text = "x", more = {}) => ["compact", compactIn(spans, [summary("m", spans.map(({ id }) => id), text)], 1, more)];
const beside = (other, text = "x", more = {}) => ["compact", compactIn([X, other], [summary("m", ["s1"], text)], 11, more)];
const two = [el("x"), el("y")];
const twenty = Array.from({ length: 20 }, (_, i) => el(`e${i}`));
const half = ["compact", compactIn([X, Y], [summary("m", ["s1", "s2"], "x")], 1)];
/** For each fault of these two ops a request that it answers otherwise than the guard. */
const REVEALED = {
  "polarity-ignored": ["certify", certifyIn(two, "x, no y")],
  "contradictory-retained": ["certify", certifyIn(two, "x, y, no y")],
  "exact-as-folded": ["certify", certifyIn([el("X", { match: "exact" })], "x")],
  "joiners-ignored": ["certify", certifyIn([el("x", { match: "exact" })], "non-x")],
  "glued-words": ["certify", certifyIn([el("port")], "report")],
  "nesting-ignored": ["certify", certifyIn([el("x", { forms: ["not x"], inverted_forms: ["x"] })], "not x")],
  "parts-joined": ["certify", certifyIn([el("x", { forms: ["a b"] })], { text: "a", pins: ["b"] })],
  "pins-ignored": ["certify", certifyIn(two, { text: "x", pins: ["y"] })],
  "status-ignored": ["certify", certifyIn(two, { text: "x y", status: "refused" })],
  "empty-text-certifies": ["certify", certifyIn([], "")],
  "quota-passes": ["certify", certifyIn(two, "x x")],
  "label-match": ["certify", certifyIn(two, "x")],
  "floor-950": ["certify", certifyIn(twenty, twenty.slice(1).map(({ id }) => id).join(" "))],
  "floor-averaged": ["certify", certifyIn([...two, el("z", { class: "b" })], "x z", { required_classes: ["a", "b"], floors_permille: { a: 600, b: 600 } })],
  "floor-strict": ["certify", certifyIn(two, "x", { floors_permille: { a: 500 } })],
  "empty-class-uncertified": ["certify", certifyIn([], "x")],
  "inverted-reported-lost": ["certify", certifyIn(two, "no x")],
  "unknown-as-none": goes([unknown("s1")]),
  "unclean-used": beside(Y, "x no y"),
  "unknown-class-certified": goes([X], "x", { known_classes: [] }),
  "required-only-guarded": goes([X], "y", { required_classes: [], floors_permille: { a: 1 } }),
  "lineage-decision-ignored": goes([old("s1", [el("x")], {}, { decision: "provisional" })]),
  "no-lineage-trusted": goes([span("s1", [el("x")], { kind: "summary" })]),
  "effective-ignored": goes([old("s1", [el("x")])], "x", { floors_permille: { b: 1 } }),
  "lost-forgotten": goes([old("s1", [el("x", { lost: true })])]),
  "opposed-elsewhere-ignored": beside(old("s9", [], { text: "no x" })),
  "floor-per-summary": goes([X, Y], "x", { floors_permille: { a: 500 } }),
  "all-or-nothing": ["compact", compactIn([X, Y], [summary("m", ["s1", "s2"], "x")], 11)],
  "evicts-when-full": half,
  "short-summary-unused": goes([X]),
  "budget-off-by-one": ["compact", compactIn([X], [summary("m", ["s1"], "x", { tokens: 2 })], 1)],
  "no-op-compacts": ["compact", compactIn([X], [summary("m", ["s1"], "x")], 10)],
  "provisional-unmarked": goes([X], "y", RECOVERABLE),
  "basis-always-recoverable": goes([X], "y", SAFE),
  "kept-text-tidied": ["compact", compactIn([span("s", [], { text: " a" })], [], 10)],
  "generation-flat": goes([old("s1", [el("x")])]),
  "effective-of-summary-alone": goes([old("s1", [el("x")])]),
  "lineage-dropped": goes([old("s1", [el("x")])]),
  "lost-unlisted": goes([X], "y", RECOVERABLE),
  "contract-of-summary-alone": beside(old("s9", [], {}, { ancestry_certified: false })),
  "refusal-without-reasons": half,
  "missing-all-guarded": ["compact", { ...half[1], floors_permille: { b: 1 } }],
  "over-budget-of-all": half,
  "refusal-without-ways": half,
};

test("every fault is revealed, and the plainest cases are right", () => {
  assert.deepEqual(Object.keys(REVEALED), [...FAULTS.keys()].slice(15)); // floorcheck.test.mjs has the others
  const plain = [["certify", certifyIn([el("x")], "x")], ["compact", compactIn([span("s1", [el("x")], { tokens: 6 })], [summary("m", ["s1"], "x", { tokens: 2 })], 2)]];
  for (const [fault, revealing] of Object.entries(REVEALED)) {
    const answers = (guard) => [...plain, revealing].map(([op, request]) => guard[op](JSON.parse(JSON.stringify(request))));
    const [right, faulty] = [answers(new Guard()), answers(makeGuard("guard", fault))];
    assert.deepEqual(faulty.slice(0, 2), right.slice(0, 2), fault);
    assert.notDeepEqual(faulty[2], right[2], fault);
  }
});

test("a planted fault is served, and a missing flag is filled in compact too", async () => {
  const { chaining_risk: _, ...flagless } = compactIn([X], [], 99);
  const lines = [["compact", flagless], ["certify", {}], ["compact", null], ["certify", certifyIn([], "x")], ["compact", { ...flagless, budget_tokens: -1 }]];
  const text = lines.map(([op, request], id) => `${JSON.stringify({ id, op, in: request })}\n`).join("");
  const codes = async (...args) => [...(await talk([GUARD, ...args], text)).values()].map(({ error }) => error?.code);
  assert.deepEqual(await codes(), ["bad_request", "bad_request", "bad_request", undefined, "bad_request"]);
  assert.deepEqual(await codes("--fault", "missing-flag-false"), [undefined, "bad_request", "bad_request", undefined, "bad_request"]);
  const [[, certified]] = await talk([GUARD, "--fault", "pins-ignored"], `${JSON.stringify({ id: 0, op: "certify", in: REVEALED["pins-ignored"][1] })}\n`);
  assert.deepEqual(certified.out.lost, ["y"]);
});
