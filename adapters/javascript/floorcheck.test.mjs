// node --test adapters/javascript/floorcheck.test.mjs
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { BadRequest, validate } from "./floorcheck.mjs";
import { FAULTS, Guard, makeGuard } from "./guard.mjs";

const here = (file) => fileURLToPath(new URL(file, import.meta.url));
const guard = (...args) => [here("guard.mjs"), ...args];
const decideOnly = [here("decide_only.mjs")];
/** A subject written on the spot; `serve` and `BadRequest` are imported. */
const subject = (code) => ["--input-type=module", "-e", `import { serve, BadRequest } from ${JSON.stringify(import.meta.resolve("./floorcheck.mjs"))}; ${code}`];
// Around node: real pipes on all three descriptors, where spawn gives sockets.
const WITH_PIPES = '{ cat | "$@" 2>&1 >&3 3>&- | cat >&2; } 3>&1 | cat';

/** Sends what is given (text, bytes or messages) and closes; resolves with all that came back. */
function talk(args, input, { pipes = false } = {}) {
  const bytes = Array.isArray(input) ? input.map((m) => `${JSON.stringify(m)}\n`).join("") : input;
  const child = pipes ? spawn("sh", ["-c", WITH_PIPES, "sh", process.execPath, ...args]) : spawn(process.execPath, args);
  child.stdin.on("error", () => {}); // it may end before it has read everything
  child.stdin.end(bytes);
  return collect(child);
}

function collect(child) {
  const got = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => (got.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (got.stderr += text));
  return new Promise((resolve) => {
    child.on("close", (code) => {
      const lines = got.stdout.split("\n").filter((line) => line.startsWith("{"));
      const answers = lines.map((line) => JSON.parse(line));
      resolve({ ...got, code, answers, byId: new Map(answers.map((answer) => [answer.id, answer])) });
    });
  });
}

const FLAGS = ["source_recoverable", "consumer_strict", "chaining_risk", "side_effect_cost_exceeds_refusal"];
const SAFE = { source_recoverable: false, consumer_strict: false, chaining_risk: false, side_effect_cost_exceeds_refusal: false };
const STRICT = { ...SAFE, consumer_strict: true };

function decideIn(contract = {}, more = {}) {
  return { contract: { required_classes: ["a"], certified_classes: ["a"], generation: 1, ancestry_certified: true, ...contract }, ...STRICT, ...more };
}

/** An event; `certificate` in short: { a: [3, 4] }. */
function event(id, inputs, certificate, more = {}) {
  const entries = Object.entries(certificate).map(([name, [retained, total]]) => ({ class: name, retained, total }));
  return { id, inputs, required_classes: ["a"], certificate: entries, ...SAFE, ...more };
}

const history = (...events) => ({ originals: ["o"], events });
const derive = (request, policy) => new Guard(policy).derive((validate("derive", request), request)).events;
const effectiveOf = ({ effective }) => Object.fromEntries(effective.map(({ class: name, retained, total }) => [name, [retained, total]]));

// --- framing ----------------------------------------------------------------

test("hello names what was given, and nothing else", async () => {
  const hello = [{ id: 0, op: "hello", protocol: [1], suite: "2026.1" }];
  const { answers, code } = await talk(subject('serve({ name: "n", version: "3", policy: "joint", maxBatch: 7, stateful: true, derive: () => ({}) })'), hello);
  const want = { id: 0, protocol: 1, name: "n", version: "3", language: "javascript", ops: ["derive"], policy: "joint", max_batch: 7, stateful: true };
  assert.deepEqual(answers, [want]);
  assert.equal(code, 0);
});

test("an unknown protocol version is unsupported", async () => {
  const { byId } = await talk(guard(), [{ id: 0, op: "hello", protocol: [2, 3] }, { id: 1, op: "hello" }]);
  assert.equal(byId.get(0).error.code, "unsupported");
  assert.equal(byId.get(1).error.code, "bad_request");
});

test("CRLF, blank lines, a last line without LF and a line in pieces are read", async () => {
  const line = (id) => JSON.stringify({ id, op: "decide", in: decideIn() });
  const { answers } = await talk(guard(), `${line(1)}\r\n\r\n\n${line(2)}\n${line(3)}`);
  assert.deepEqual(answers.map((answer) => answer.id), [1, 2, 3]);

  const child = spawn(process.execPath, guard());
  const bytes = Buffer.from(`${JSON.stringify({ id: 4, op: "decide", in: decideIn({ required_classes: ["ü\u2028𝄞"] }) })}\n`);
  for (const byte of bytes) child.stdin.write(Buffer.from([byte]));
  child.stdin.end();
  const split = await collect(child);
  assert.deepEqual(split.answers[0].out.missing_classes, ["ü\u2028𝄞"]);
});

test("lines without a usable id are noted, and the next one is answered", async () => {
  const good = JSON.stringify({ id: 7, op: "decide", in: decideIn() });
  const bad = ["nonsense", "[1]", "null", "3", '{"op":"decide"}', '{"id":"1","op":"decide"}', '{"id":1.5,"op":"decide"}', '{"id":9007199254740993,"op":"x"}'];
  const { answers, stderr } = await talk(guard(), Buffer.concat([Buffer.from(`${bad.join("\n")}\n`), Buffer.from([0x22, 0xff, 0x22, 0x0a]), Buffer.from(`${good}\n`)]));
  assert.deepEqual(answers, [{ id: 7, out: { decision: "certified" } }]);
  assert.equal(stderr.trim().split("\n").length, bad.length + 1);
});

test("a line longer than 16 MiB is left out, one a little shorter is read", async () => {
  const padded = (id, length) => JSON.stringify({ id, op: "decide", in: decideIn({}, { pad: "\\".repeat(length / 2) }) });
  const { answers, stderr } = await talk(guard(), `${padded(1, 2 ** 24)}\n${padded(2, 2 ** 23)}\n`);
  assert.deepEqual(answers.map((answer) => answer.id), [2]);
  assert.match(stderr, /longer than 16 MiB/);
});

test("unknown and unclaimed ops are unsupported, in a batch as one error", async () => {
  const { byId } = await talk(subject('serve({ name: "n", decide: () => ({ decision: "provisional" }) })'), [
    { id: 1, op: "derive", in: {} },
    { id: 2, op: "__proto__", in: {} },
    { id: 3, op: "batch", of: "derive", in: [{}, {}] },
    { id: 4, op: "batch", of: "constructor", in: [] },
    { id: 5, op: "batch", of: "hello", in: [{}] },
    { id: 6, op: "batch", of: "decide", in: {} },
    { id: 7, op: "batch", in: [] },
    { id: 8 },
    { id: 9, op: 5 },
  ]);
  for (const id of [1, 2, 3, 4, 5]) assert.equal(byId.get(id).error.code, "unsupported", `id ${id}`);
  for (const id of [6, 7, 8, 9]) assert.equal(byId.get(id).error.code, "bad_request", `id ${id}`);
});

test("a batch answers item by item", async () => {
  const items = [decideIn(), {}, decideIn({ required_classes: ["b"] }), null, 5];
  const { answers } = await talk(guard(), [{ id: 2, op: "batch", of: "decide", in: items }, { id: 3, op: "batch", of: "decide", in: [] }]);
  const [certified, bad, refused, ...rest] = answers[0].out;
  assert.deepEqual(certified, { out: { decision: "certified" } });
  assert.deepEqual(bad, { error: { code: "bad_request", message: "in.contract: is missing" } });
  assert.deepEqual(refused, { out: { decision: "refuse", missing_classes: ["b"], generation: 1, ancestry_certified: true } });
  assert.deepEqual(rest.map((item) => item.error.code), ["bad_request", "bad_request"]);
  assert.deepEqual(answers[1], { id: 3, out: [] });
});

test("bye and the end of input exit 0, and nothing after bye is answered", async () => {
  const ended = await talk(guard(), [{ id: 1, op: "decide", in: decideIn() }]);
  assert.deepEqual([ended.code, ended.answers.length], [0, 1]);
  const input = [{ id: 1, op: "decide", in: decideIn() }, { id: 2, op: "bye" }, { id: 3, op: "decide", in: decideIn() }];
  for (const args of [guard(), decideOnly]) {
    const said = await talk(args, input);
    assert.deepEqual([said.code, said.answers.map((answer) => answer.id)], [0, [1]]);
  }
});

test("bye is obeyed while input stays open and a timer still runs", async () => {
  const child = spawn(process.execPath, subject('setInterval(() => {}, 1000); serve({ name: "n", decide: () => ({}) })'));
  child.stdin.write('{"id":1,"op":"bye"}\n');
  assert.equal((await collect(child)).code, 0);
});

test("an answer is not held back while the next line is awaited", async () => {
  const child = spawn(process.execPath, guard());
  const replies = child.stdout.setEncoding("utf8")[Symbol.asyncIterator]();
  for (const id of [1, 2, 3]) {
    child.stdin.write(`${JSON.stringify({ id, op: "decide", in: decideIn() })}\n`);
    assert.equal(JSON.parse((await replies.next()).value).id, id);
  }
  child.stdin.end();
});

test("large answers arrive whole, also through a pipe that is read late", async () => {
  const code = 'process.stdout; serve({ name: "n", decide: () => ({ text: "x".repeat(3000000) }) })';
  for (const pipes of [false, true]) {
    const { answers } = await talk(subject(code), [1, 2, 3].map((id) => ({ id, op: "decide", in: decideIn() })), { pipes });
    assert.deepEqual(answers.map((answer) => answer.out.text.length), [3000000, 3000000, 3000000]);
  }
});

// --- the user's functions ---------------------------------------------------

test("what the user's code prints goes to stderr", async () => {
  const code = `
    import { stdout as early } from "node:process";
    serve({ name: "n", decide() {
      console.log("one"); console.info("two"); console.table([["three"]]);
      process.stdout.write("four\\n"); early.write(Buffer.from("five\\n")); early.end("six\\n");
      return { decision: "provisional" };
    } })`;
  for (const pipes of [false, true]) {
    const { stdout, stderr } = await talk(subject(code), [{ id: 1, op: "decide", in: decideIn() }], { pipes });
    assert.equal(stdout, '{"id":1,"out":{"decision":"provisional"}}\n');
    for (const word of ["one", "two", "three", "four", "five", "six"]) assert.match(stderr, new RegExp(word));
  }
});

test("over pipes, raw writes to descriptor 1 and inheriting children go to stderr, too", async () => {
  const code = `
    import { writeSync } from "node:fs"; import { spawnSync } from "node:child_process";
    serve({ name: "n", decide() { writeSync(1, "raw\\n"); spawnSync("echo", ["child"], { stdio: "inherit" }); return {}; } })`;
  const { stdout, stderr } = await talk(subject(code), [{ id: 1, op: "decide", in: decideIn() }], { pipes: true });
  assert.equal(stdout, '{"id":1,"out":{}}\n');
  assert.match(stderr, /raw\nchild/);
});

test("async functions may answer out of order, a batch answers as one", async () => {
  const code = `
    const wait = (ms) => new Promise((done) => setTimeout(done, ms));
    serve({ name: "n", async decide({ ms }) { await wait(ms); if (ms === 13) throw new Error("thirteen"); return { ms }; } , validate: false })`;
  const { answers, byId, code: exit } = await talk(subject(code), [
    { id: 1, op: "decide", in: { ms: 200 } },
    { id: 2, op: "decide", in: { ms: 0 } },
    { id: 3, op: "batch", of: "decide", in: [{ ms: 60 }, { ms: 13 }, { ms: 0 }] },
  ]);
  assert.deepEqual(answers.map((answer) => answer.id), [2, 3, 1]); // and the end of input waited for them
  assert.deepEqual(byId.get(3).out, [{ out: { ms: 60 } }, { error: { code: "internal", message: "thirteen" } }, { out: { ms: 0 } }]);
  assert.equal(exit, 0);
});

test("slow answers leave as they come, although more lines were there already", async () => {
  const code = 'serve({ name: "n", decide() { const end = Date.now() + 60; while (Date.now() < end); return {}; } })';
  const child = spawn(process.execPath, subject(code));
  const arrivals = [];
  child.stdout.on("data", () => arrivals.push(Date.now()));
  child.stdin.end([1, 2, 3].map((id) => `${JSON.stringify({ id, op: "decide", in: decideIn() })}\n`).join(""));
  await collect(child);
  assert.equal(arrivals.length, 3);
});

test("whatever else is thrown is internal, with its stack on stderr", async () => {
  const code = `
    const thrown = [new Error("broken"), "text", null, undefined, { a: 1 }, Object.create(null), Symbol("s"), new BadRequest("in.x: no")];
    const loop = {}; loop.loop = loop;
    const given = [undefined, null, 5, [], loop, { n: 1n }, { toJSON() {} }];
    let calls = 0;
    serve({ name: "n", decide() { if (calls < thrown.length) throw thrown[calls++]; return given[calls++ - thrown.length]; } })`;
  const { answers, stderr } = await talk(subject(code), [{ id: 1, op: "batch", of: "decide", in: Array(15).fill(decideIn()) }]);
  const codes = answers[0].out.map((item) => item.error.code);
  assert.deepEqual(codes, [...Array(7).fill("internal"), "bad_request", ...Array(7).fill("internal")]);
  assert.equal(answers[0].out[0].error.message, "broken");
  assert.equal(answers[0].out[7].error.message, "in.x: no");
  assert.match(stderr, /Error: broken\n +at /);
});

test("validate: false lets everything through, a function takes the place of the check", async () => {
  const line = '{"id":1,"op":"decide","in":{"x":1.0}}\n';
  const open = await talk(subject('serve({ name: "n", validate: false, decide: (r) => r })'), line);
  assert.deepEqual(open.answers, [{ id: 1, out: { x: 1 } }]);
  const own = await talk(subject('serve({ name: "n", validate() {}, decide: (r) => r })'), line + line.replace("1.0", "2"));
  assert.equal(own.answers[0].error.code, "bad_request");
  assert.deepEqual(own.answers[1].out, { x: 2 });
});

// --- bad requests -----------------------------------------------------------

/** Valid decide and derive requests, to be spoiled one place at a time. */
const GOOD = {
  decide: () => decideIn({}, { riders: { source_tokens: 5, quota_facts: "x" } }),
  derive: () => ({ originals: ["o", "o"], events: [event("e1", ["o", "o"], { a: [1, 1] }, { floors_permille: { a: 1000, b: 0 } }), event("e2", ["e1"], { a: [1, 2] })] }),
};

/** op, path, and values that are wrong there; undefined removes the field. */
const NOT_A_STRING = [undefined, null, 1, true, [], {}];
const NOT_A_SET = [undefined, null, "a", {}, 1, [1], [null], [["a"]]];
const NOT_A_FLAG = [undefined, null, 0, 1, "true", []];
const NOT_A_COUNT = [undefined, null, "1", true, -1, 2 ** 53, [], 0.5];
const SPOILED = [
  ["decide", "contract", [undefined, null, [], "x", 1]],
  ["decide", "contract.required_classes", NOT_A_SET],
  ["decide", "contract.certified_classes", NOT_A_SET],
  ["decide", "contract.generation", [...NOT_A_COUNT, 2 ** 31]],
  ["decide", "contract.ancestry_certified", NOT_A_FLAG],
  ...FLAGS.map((flag) => ["decide", flag, NOT_A_FLAG]),
  ["decide", "riders", [null, [], "x", 1]],
  ["decide", "riders.source_tokens", [2 ** 53, -(2 ** 53), 1.5]],
  ["decide", "riders.quota_facts", [{ deep: [[{ n: 2 ** 60 }]] }]],
  ["decide", "unknown", [0.5, [1e300], { __proto__x: 2 ** 53 }]],
  ["derive", "originals", NOT_A_SET],
  ["derive", "events", [undefined, null, {}, "e", [null], [[]], ["e"]]],
  ["derive", "events.0.id", [...NOT_A_STRING, "o", "e2"]],
  ["derive", "events.1.id", [...NOT_A_STRING, "o", "e1"]],
  ["derive", "events.0.inputs", [...NOT_A_SET, [], ["e1"], ["e2"], ["x"], ["__proto__"], ["o", "constructor"]]],
  ["derive", "events.0.required_classes", NOT_A_SET],
  ["derive", "events.0.certificate", [undefined, null, {}, "x", [null], ["a"], [[]]]],
  ["derive", "events.0.certificate.0.class", NOT_A_STRING],
  ["derive", "events.0.certificate.0.retained", [...NOT_A_COUNT, 2]],
  ["derive", "events.0.certificate.0.total", [...NOT_A_COUNT, 0]],
  ["derive", "events.0.certificate.1", [{ class: "a", retained: 1, total: 1 }]],
  ["derive", "events.0.floors_permille", [null, [], "x", 1]],
  ["derive", "events.0.floors_permille.b", [null, "1", true, -1, 1001, 0.5]],
  ...FLAGS.map((flag) => ["derive", `events.0.${flag}`, NOT_A_FLAG]),
  ["derive", "events.1.unknown", [0.5]],
];

function spoil(op, path, value) {
  const request = GOOD[op]();
  const keys = path.split(".");
  const last = keys.pop();
  const holder = keys.reduce((at, key) => at[key], request);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return request;
}

const spoiledCases = SPOILED.flatMap(([op, path, values]) => values.map((value) => ({ op, path, request: spoil(op, path, value) })));

test("everything on the list is a bad request, and the message names the place", () => {
  for (const { op, path, request } of spoiledCases) {
    assert.throws(() => validate(op, request), (error) => {
      assert.ok(error instanceof BadRequest, String(error));
      assert.match(error.message, /^in[^ ]*: /);
      return true;
    }, `${op} ${path}: ${JSON.stringify(request)}`);
  }
  for (const op of ["decide", "derive"]) for (const request of [undefined, null, [], "x", 1, true]) assert.throws(() => validate(op, request), BadRequest);
});

test("a message says which field, what is demanded and what was found", () => {
  const message = (op, path, value) => {
    try {
      validate(op, spoil(op, path, value));
    } catch (error) {
      return error.message;
    }
  };
  assert.equal(message("decide", "contract.generation", -1), "in.contract.generation: must be 0 or more, got -1");
  assert.equal(message("decide", "chaining_risk", undefined), "in.chaining_risk: is missing");
  assert.equal(message("derive", "events.0.floors_permille.odd key", 1001), 'in.events[0].floors_permille["odd key"]: must be 0 to 1000, got 1001');
  assert.equal(message("derive", "events.1.inputs", ["e2"]), 'in.events[1].inputs[0]: must be an original or an earlier event, got "e2"');
});

test("the same over the wire, one by one and in a batch, by guard and decide_only alike", async () => {
  for (const op of ["decide", "derive"]) {
    const cases = spoiledCases.filter((spoiled) => spoiled.op === op).map(({ request }) => request);
    const single = cases.map((request, id) => ({ id, op, in: request }));
    const batch = { id: cases.length, op: "batch", of: op, in: [...cases, GOOD[op]()] };
    const { byId } = await talk(guard(), [...single, batch]);
    cases.forEach((request, id) => assert.equal(byId.get(id).error?.code, "bad_request", JSON.stringify(request)));
    const items = byId.get(cases.length).out;
    assert.ok(items.pop().out !== undefined);
    assert.ok(items.every((item) => item.error.code === "bad_request"));
    if (op === "derive") continue;
    const small = await talk(decideOnly, single);
    cases.forEach((request, id) => assert.equal(small.byId.get(id).error?.code, "bad_request", JSON.stringify(request)));
  }
});

/** A decide request as text, with `more` among its members. */
const textOf = (more) => JSON.stringify(decideIn()).replace(/}$/, `,${more}}`);
const BAD_TEXTS = [
  '"riders":{"source_tokens":1.0}', '"riders":{"x":[[{"y":1e0}]]}', '"unknown":1E2', '"unknown":-1.0', '"unknown":0.0', '"unknown":-0e0', '"unknown":[1,2,3.0]',
  '"unknown":10000000000000000000000', '"unknown":9007199254740992', '"unknown":-9007199254740992', '"unknown":9007199254740991.0', '"unknown":1e400', '"a\\"b":1.0', '"\\\\":1.0', '"unknown" : 1.0 ',
];
const GOOD_TEXTS = [
  '"unknown":"1.0"', '"1.5":1', '"riders":{"quota_facts":"9e9 1E2 12345678901234567890"}', '"unknown":"\\"1.0"', '"unknown":"\\\\\\"1.0"', '"unknown":"\\\\"', '"unknown":-0',
  '"unknown":9007199254740991', '"unknown":[-9007199254740991,true,null]', '"riders":{"source_tokens":-5,"target_permille":null}', '"__proto__":{"contract":null}', '"constructor":null',
];

test("fractions, exponents and large numbers are seen in the text, but not inside strings", async () => {
  const texts = [...BAD_TEXTS, ...GOOD_TEXTS].map(textOf);
  const lines = texts.map((text, id) => `{"id":${id},"op":"decide","in":${text}}\n`);
  const batch = `{"id":${texts.length},"op":"batch","x":1.5,"of":"decide","in":[${texts.join(",")}]}\n`;
  const { byId } = await talk(guard(), lines.join("") + batch);
  const small = await talk(decideOnly, lines.join(""));
  texts.forEach((text, id) => {
    const want = id < BAD_TEXTS.length ? "bad_request" : undefined;
    assert.equal(byId.get(id).error?.code, want, text);
    assert.equal(byId.get(texts.length).out[id].error?.code, want, `in a batch: ${text}`);
    assert.equal(small.byId.get(id).error?.code, want, `decide_only: ${text}`);
  });
  assert.match(byId.get(1).error.message, /^in\.riders\.x\[0\]\[0\]\.y: .*, got 1e0$/);
  assert.deepEqual(byId.get(texts.length).out[1], { error: byId.get(1).error });
});

test("in derive, too", async () => {
  const text = JSON.stringify(GOOD.derive());
  const bad = [text.replace('"total":1', '"total":1.0'), text.replace('"b":0', '"b":0e0'), text.replace('"id":"e2"', '"id":"e2","riders":{"t":2.0}')];
  const { answers } = await talk(guard(), `{"id":1,"op":"batch","of":"derive","in":[${[text, ...bad].join(",")}]}\n`);
  assert.deepEqual(answers[0].out.map((item) => item.error?.code), [undefined, "bad_request", "bad_request", "bad_request"]);
});

test("deep nesting in an unknown field is no matter", async () => {
  const deep = (leaf) => textOf(`"unknown":${"[".repeat(200000)}${leaf}${"]".repeat(200000)}`);
  const { answers } = await talk(guard(), `{"id":1,"op":"decide","in":${deep(1)}}\n{"id":2,"op":"decide","in":${deep("1.0")}}\n`);
  assert.deepEqual(answers.map((answer) => answer.error?.code), [undefined, "bad_request"]);
  assert.throws(() => validate("decide", JSON.parse(deep(1.5))), BadRequest);
});

test("names from Object.prototype are names like any other", () => {
  const odd = ["__proto__", "constructor", "hasOwnProperty", "toString"];
  const refused = new Guard().decide(decideIn({ required_classes: odd, certified_classes: [] }));
  assert.deepEqual(refused.missing_classes, [...odd].sort());
  const request = JSON.parse(`{"originals":["__proto__"],"events":[{"id":"constructor","inputs":["__proto__"],"required_classes":["toString","__proto__"],
    "certificate":[{"class":"toString","retained":1,"total":2},{"class":"__proto__","retained":1,"total":2}],"floors_permille":{"__proto__":500},
    "source_recoverable":false,"consumer_strict":true,"chaining_risk":false,"side_effect_cost_exceeds_refusal":false}]}`);
  assert.deepEqual(derive(request)[0].missing_classes, ["toString"]);
});

// --- decide -----------------------------------------------------------------

/** The rules again, as a table in words would have it. */
function restated(policy, covered, ancestry, [recoverable, ...dangers]) {
  if (covered && ancestry) return "certified";
  if (recoverable) return "provisional";
  const count = dangers.filter(Boolean).length;
  return count >= (policy === "guard" ? 1 : 3) ? "refuse" : "provisional";
}

const SETS = [[[], []], [["a"], ["a"]], [["b", "a", "b"], ["a", "c", "b", "a"]], [["a"], []], [["b", "a", "B", "b"], ["c", "b"]], [["unheard-of"], ["a"]]];

function* truthTable() {
  for (const [required, certified] of SETS) {
    for (let bits = 0; bits < 32; bits++) {
      const flags = FLAGS.map((_, i) => (bits & (1 << i)) !== 0);
      yield { required, certified, ancestry: (bits & 16) !== 0, flags };
    }
  }
}

test("decide is the truth table, under both policies, in guard and decide_only", async () => {
  for (const policy of ["guard", "joint"]) {
    const cases = [...truthTable()].map(({ required, certified, ancestry, flags }) => {
      const missing = [...new Set(required.filter((name) => !certified.includes(name)))].sort();
      const decision = restated(policy, missing.length === 0, ancestry, flags);
      const contract = { required_classes: required, certified_classes: certified, generation: 3, ancestry_certified: ancestry };
      const reason = { missing_classes: missing, generation: 3, ancestry_certified: ancestry };
      return { in: { contract, ...Object.fromEntries(FLAGS.map((flag, i) => [flag, flags[i]])) }, out: decision === "refuse" ? { decision, ...reason } : { decision } };
    });
    const messages = cases.map((c, id) => ({ id, op: "decide", in: c.in }));
    for (const args of policy === "guard" ? [guard(), decideOnly] : [guard("--policy", "joint")]) {
      const { byId } = await talk(args, messages);
      cases.forEach((c, id) => assert.deepEqual(byId.get(id).out, c.out, JSON.stringify(c.in)));
    }
  }
});

// --- derive -----------------------------------------------------------------

test("effective is the minimum over the chain", () => {
  const events = derive(history(event("e1", ["o"], { a: [3, 4] }), event("e2", ["e1"], { a: [9, 10] }), event("e3", ["e2"], { a: [1, 2] }), event("e4", ["e3"], { a: [1, 1] })));
  assert.deepEqual(events.map((e) => effectiveOf(e).a), [[3, 4], [3, 4], [1, 2], [1, 2]]);
  assert.deepEqual(events.map((e) => e.generation), [1, 2, 3, 4]);
});

test("0 of 0 is full fidelity, and no less than anything", () => {
  const events = derive(history(event("e1", ["o"], { a: [0, 0] }), event("e2", ["e1"], { a: [1, 2] }), event("e3", ["e2"], { a: [0, 0] })));
  assert.deepEqual(events.map((e) => effectiveOf(e).a), [[0, 0], [1, 2], [1, 2]]);
  assert.deepEqual(events.map((e) => e.decision), ["certified", "provisional", "provisional"]);
});

test("fractions near 2^53 are compared exactly", () => {
  const most = 2 ** 53 - 1;
  const parent = event("e1", ["o"], { a: [most - 2, most - 1] }, { floors_permille: { a: 0 } });
  const [, child] = derive(history(parent, event("e2", ["e1"], { a: [most - 1, most] })));
  assert.deepEqual(effectiveOf(child).a, [most - 2, most - 1]); // a little less, although equal as doubles
  assert.deepEqual([(most - 2) / (most - 1) < (most - 1) / most, child.decision], [false, "provisional"]);

  const half = (retained) => derive(history(event("e1", ["o"], { a: [retained, most - 1] }, { floors_permille: { a: 500 } })))[0].decision;
  assert.deepEqual([half((most - 1) / 2), half((most - 1) / 2 - 1)], ["certified", "provisional"]);
});

test("a class holds at its floor, or whole where none is given", () => {
  const decision = (certificate, floors) => derive(history(event("e1", ["o"], certificate, floors && { floors_permille: floors })))[0].decision;
  assert.equal(decision({ a: [3, 4] }), "provisional");
  assert.equal(decision({ a: [3, 4] }, { a: 750 }), "certified");
  assert.equal(decision({ a: [3, 4] }, { a: 751 }), "provisional");
  assert.equal(decision({ a: [1, 1] }, { b: 1000 }), "certified"); // b is not required, so nobody judges it
  assert.equal(decision({ a: [0, 9] }, { a: 0 }), "certified");
  assert.equal(decision({}, { a: 0 }), "provisional"); // absent is not effective, whatever the floor
});

test("a merge takes the least of all its inputs, and loses what one of them lacks", () => {
  const left = event("l", ["o"], { a: [1, 1], b: [1, 1], c: [1, 2] });
  const right = event("r", ["o"], { a: [2, 3], c: [1, 1] });
  const [, , merged] = derive(history(left, right, event("m", ["l", "o", "r", "l"], { a: [1, 1], b: [1, 1], c: [1, 1], d: [1, 1] }, { floors_permille: { a: 600 } })));
  assert.deepEqual(effectiveOf(merged), { a: [2, 3], c: [1, 2] });
  assert.deepEqual([merged.generation, merged.ancestry_certified], [2, false]); // right was provisional
});

test("effective is sorted by code unit", () => {
  const [only] = derive(history(event("e1", ["o"], { b: [1, 1], "\u{1F600}": [1, 1], "\uFF5E": [1, 1], a: [1, 1], B: [1, 1] })));
  assert.deepEqual(only.effective.map((entry) => entry.class), ["B", "a", "b", "\u{1F600}", "\uFF5E"]);
});

test("a class required late counts only if every ancestor has it", () => {
  const late = { required_classes: ["a", "b"], consumer_strict: true };
  const [, second] = derive(history(event("e1", ["o"], { a: [1, 1] }), event("e2", ["e1"], { a: [1, 1], b: [1, 1] }, late)));
  assert.deepEqual(second, { id: "e2", decision: "refuse", missing_classes: ["b"], ancestry_certified: true });
});

test("a provisional event poisons all that comes of it; originals alone start clean", () => {
  const events = derive(history(event("e1", ["o"], { a: [1, 2] }), event("e2", ["e1"], { a: [1, 1] }, { required_classes: [] }), event("e3", ["e2"], {}, { required_classes: [] }), event("e4", ["o"], { a: [1, 1] })));
  assert.deepEqual(events.map((e) => e.decision), ["provisional", "provisional", "provisional", "certified"]);
  assert.deepEqual(events.map((e) => e.ancestry_certified), [true, false, false, true]);
});

test("a refusal for the ancestry alone names no class", () => {
  const [, second] = derive(history(event("e1", ["o"], { a: [1, 2] }), event("e2", ["e1"], { a: [1, 1] }, { ...STRICT, floors_permille: { a: 500 } })));
  assert.deepEqual(second, { id: "e2", decision: "refuse", missing_classes: [], ancestry_certified: false });
});

test("a child of a refused event is a bad request, under the policy that refuses it", () => {
  const request = history(event("e1", ["o"], { a: [1, 2] }, STRICT), event("e2", ["e1"], { a: [1, 1] }));
  assert.throws(() => derive(request, "guard"), BadRequest);
  assert.equal(derive(request, "joint")[0].decision, "provisional");
});

test("an empty history is valid, and so is an event of very many inputs", () => {
  assert.deepEqual(derive({ originals: [], events: [] }), []);
  const parents = Array.from({ length: 200000 }, (_, i) => event(`p${i}`, ["o"], { a: [1, 1] }));
  const merged = event("m", parents.map((parent) => parent.id), { a: [1, 1] });
  assert.equal(derive({ originals: ["o"], events: [...parents, merged] }).at(-1).generation, 2);
});

// --- faults -----------------------------------------------------------------

/** For each fault a run of requests at the end of which it answers otherwise than the guard. */
const chain = history(event("e1", ["o"], { a: [1, 2] }), event("e2", ["e1"], { a: [1, 1] }), event("e3", ["e2"], { a: [1, 1] }));
const halves = { floors_permille: { a: 500 } };
const merge = history(event("l", ["o"], { a: [1, 1] }), event("r", ["o"], { a: [1, 2] }), event("m", ["l", "r"], { a: [1, 1] }));
const withoutFlag = decideIn({ required_classes: ["b"] });
delete withoutFlag.chaining_risk;
const REVEALED = {
  "chaining-ignored": [["decide", decideIn({ required_classes: ["b"] }, { ...SAFE, chaining_risk: true })]],
  "danger-and": [["decide", decideIn({ required_classes: ["b"] })]],
  "recoverable-refuses": [["decide", decideIn({ required_classes: ["b"] }, { source_recoverable: true })]],
  "ancestry-ignored": [["decide", decideIn({ ancestry_certified: false })]],
  "subset-overlap": [["decide", decideIn({ required_classes: ["a", "b"] })]],
  "reason-all-required": [["decide", decideIn({ required_classes: ["a", "b"] })]],
  "ratio-refuses": [["decide", decideIn({}, { riders: { source_tokens: 100, summary_tokens: 14 } })]],
  "cached-per-contract": [["decide", decideIn({ required_classes: ["b"] })], ["decide", decideIn({ required_classes: ["b", "b"] }, SAFE)]],
  "missing-flag-false": [["decide", withoutFlag]],
  "latest-only": [["derive", chain]],
  "grandparent-skipped": [["derive", chain]],
  "merge-first-parent": [["derive", merge]],
  "generation-not-raised": [["derive", chain]],
  "provisional-parent-certified": [["derive", history(event("e1", ["o"], { a: [1, 2] }), event("e2", ["e1"], { a: [1, 1] }, halves))]],
  "rounded-permille": [["derive", history(event("e1", ["o"], { a: [9996, 10000] }))]],
};

test("every fault is revealed, and what it does not touch is right", async () => {
  assert.deepEqual(Object.keys(REVEALED), [...FAULTS.keys()].slice(0, 15)); // compact.test.mjs has the others
  for (const [fault, requests] of Object.entries(REVEALED)) {
    const plain = [["decide", decideIn()], ["derive", history(event("e1", ["o"], { a: [1, 1] }))], ["decide", { ...decideIn(), generation: null, contract: 1 }]];
    const messages = [...plain, ...requests].map(([op, request], id) => ({ id, op, in: request }));
    const [right, faulty] = await Promise.all([talk(guard(), messages), talk(guard("--fault", fault), messages)]);
    assert.deepEqual(faulty.answers.slice(0, plain.length), right.answers.slice(0, plain.length), fault);
    assert.notDeepEqual(faulty.answers, right.answers, fault);
    assert.ok(faulty.answers.every(({ error }) => error?.code !== "internal"), fault); // wrong, not broken
  }
});

test("the fault of a missing flag keeps every other check", async () => {
  const line = (text, id) => `{"id":${id},"op":"decide","in":${text}}\n`;
  const texts = [JSON.stringify(withoutFlag), textOf('"unknown":1.0'), JSON.stringify(spoil("decide", "chaining_risk", null)), "null"];
  const { answers } = await talk(guard("--fault", "missing-flag-false"), texts.map(line).join(""));
  assert.deepEqual(answers.map((answer) => answer.error?.code), [undefined, "bad_request", "bad_request", "bad_request"]);
});

test("reasons and fidelities of a faulty guard come from the same requests", () => {
  assert.deepEqual(makeGuard("guard", "reason-all-required").decide(decideIn({ required_classes: ["b", "a"] })).missing_classes, ["a", "b"]);
  assert.deepEqual(makeGuard("guard", "grandparent-skipped").derive(chain).events.map((e) => effectiveOf(e).a), [[1, 2], [1, 2], [1, 1]]);
  assert.deepEqual(makeGuard("guard", "generation-not-raised").derive(chain).events.map((e) => e.generation), [1, 1, 1]);
});

test("the command line lists faults and helps with a name that is none", async () => {
  const list = await talk(guard("--list-faults"), "");
  assert.deepEqual(list.stdout.trim().split("\n").map((line) => line.split(" ")[0]), [...FAULTS.keys()]);
  for (const [args, hint] of [[["--fault", "chaning-ignored"], /did you mean "chaining-ignored"/], [["--policy", "both"], /guard or joint/], [["--wat"], /--wat/]]) {
    const { code, stderr } = await talk(guard(...args), "");
    assert.equal(code, 2);
    assert.match(stderr, hint);
  }
});
