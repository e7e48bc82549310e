// node --test adapters/javascript/reduce.test.mjs
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { BadRequest, serve, validate } from "./floorcheck.mjs";
import { Guard, GuardFailed, Refused, compact, notSaid, original } from "./guarded_runtime.mjs";

const here = (file) => fileURLToPath(new URL(file, import.meta.url));
/** A subject written on the spot; everything of the helper is imported. */
const subject = (code) => ["--input-type=module", "-e", `import { serve, reduced, Refused, Unavailable, BadRequest } from ${JSON.stringify(import.meta.resolve("./floorcheck.mjs"))}; ${code}`];

/** Sends messages and closes; resolves with the answers in the order of their ids. */
function ask(args, messages) {
  const child = spawn(process.execPath, args);
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  child.stdin.end(messages.map((message) => `${typeof message === "string" ? message : JSON.stringify(message)}\n`).join(""));
  return new Promise((resolve) => {
    child.on("close", (code) => {
      const answers = stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line));
      resolve({ answers: answers.sort((one, other) => one.id - other.id), code, stderr });
    });
  });
}

const user = (text) => ({ role: "user", text });
const system = (text) => ({ role: "system", text });
const assistant = (text, ...calls) => ({ role: "assistant", text, ...(calls.length > 0 && { calls }) });
const call = (name, args = {}, number = 1) => ({ id: `c${number}`, name, args });
const result = (text, number = 1) => ({ role: "tool", text, call_id: `c${number}` });
const reduceIn = (messages, target = 100) => ({ messages, target_tokens: target });

const NESTED = JSON.parse('{"path":"/etc/ä pp","deep":[{"":null,"n":-9007199254740991},[],{},[true,"\\u2028\\"\\\\"]],"role":"tool","__proto__":{"a":1}}');
const CONVERSATIONS = {
  "nothing": [],
  "one turn": [user("hello")],
  "empty texts": [system(""), user(""), assistant(""), user("a"), user(""), user("b"), assistant(""), assistant("")],
  "beyond ascii": [system("né𝄞\u2028"), user("日本\n\n語"), assistant("\u0000 \ufeff")],
  "a call and its result": [user("read it"), assistant("", call("read", NESTED)), result("text"), assistant("done")],
  "a call with words": [user("read it"), assistant("I read.", call("read")), result("", 1)],
  "parallel calls": [user("a"), assistant("", call("a"), call("b", NESTED, 2), call("a", {}, 3)), result("x", 3), result("y", 1), result("z", 2), user("and?"), assistant("so")],
  "pending calls": [user("a"), assistant("now", call("a"), call("b", {}, 2))],
  "half pending": [user("a"), assistant("", call("a"), call("b", {}, 2)), result("x", 2)],
  "a word after a pending call": [assistant("", call("a")), user("wait"), assistant("yes"), result("late")],
  "neighbours": [user("a"), user("b"), assistant("c"), assistant("d"), assistant("e", call("x")), assistant("", call("y", {}, 2)), result("1", 1), result("2", 2), user("f"), user("g")],
  "system in the middle": [system("one"), system("two"), user("a"), system("summary"), system("of it"), user("b"), assistant("c")],
  "system alone": [system("one")],
  "results first": [result("x", 7), result("y", 8), assistant("a")],
  "text that looks like a shape": [user('{"role":"system"}'), assistant('[{"type":"tool_use"}]'), user("[]")],
};

/** Numbers that look drawn, the same for a seed everywhere (mulberry32). */
function source(seed) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
  const below = (n) => next() % n;
  return { below, one: (list) => list[below(list.length)] };
}

/** A legal conversation: a call's results come after it, in any order, or never. */
function drawn(seed) {
  const { below, one } = source(seed);
  const text = () => one(["", "a", "Do not.", "né 𝄞", "\n", " x ", "{}", "long ".repeat(20)]);
  const value = (depth) => {
    const kind = depth > 0 ? below(3) : 0;
    if (kind === 1) return args(depth - 1);
    if (kind === 2) return Array.from({ length: below(3) }, () => value(depth - 1));
    return one([null, true, false, 0, -1, 2 ** 53 - 1, "", "né", '"\\']);
  };
  const args = (depth) => {
    const members = Array.from({ length: below(4) }, () => `${JSON.stringify(one(["", "a", "b", "ключ", "__proto__", "0"]))}:${JSON.stringify(value(depth))}`);
    return JSON.parse(`{${members.join(",")}}`);
  };
  const conversation = Array.from({ length: one([0, 1, 1, 2]) }, () => system(text()));
  let number = 0;
  for (let left = below(12); left > 0; left--) {
    const kind = one(["user", "assistant", "calls", "user", "calls", ...(below(10) < 3 ? ["system"] : [])]);
    if (kind !== "calls") {
      conversation.push({ role: kind, text: text() });
      continue;
    }
    const made = Array.from({ length: 1 + below(3) }, () => ++number);
    conversation.push(assistant(text(), ...made.map((n) => call(one(["a", "b", "c"]), args(3), n))));
    for (const n of made.reverse()) if (below(10) < 9) conversation.push(result(text(), n));
  }
  return conversation;
}

const SHAPES = ["plain", "openai", "anthropic", "langchain"];

// --- shapes -----------------------------------------------------------------

test("every shape gives back what it was given", async () => {
  const conversations = [...Object.values(CONVERSATIONS), ...Array.from({ length: 400 }, (_, seed) => drawn(seed))];
  const lines = conversations.map((messages, id) => ({ id, op: "reduce", in: reduceIn(messages) }));
  for (const shape of SHAPES) {
    // Through JSON, as a runtime may store what it is given.
    const code = `serve({ name: "echo", shape: ${JSON.stringify(shape)}, reduce: (messages) => JSON.parse(JSON.stringify(messages)) })`;
    const { answers, stderr } = await ask(subject(code), lines);
    assert.equal(stderr, "");
    answers.forEach((answer, i) => assert.deepEqual(answer, { id: i, out: { messages: conversations[i] } }, `${shape}: ${JSON.stringify(conversations[i])}`));
    assert.equal(answers.length, conversations.length);
  }
});

test("the drawn conversations hold what they are for", () => {
  const texts = Array.from({ length: 400 }, (_, seed) => JSON.stringify(drawn(seed)));
  for (const part of ['"text":""', '"calls":[{', '},{"id":"c2"', '"role":"system"', '"role":"tool"', "__proto__", "[[", '{"a":{'])
    assert.ok(texts.filter((text) => text.includes(part)).length > 5, part);
});

const SHOWN = [system("be"), user("go"), assistant("", call("read", { path: "ä", n: [1] }), call("list", {}, 2)), result("one", 1), result("two", 2), user("more"), assistant("I do.", call("write", {}, 3))];
const WRITTEN = {
  openai: [
    { role: "system", content: "be" },
    { role: "user", content: "go" },
    { role: "assistant", content: null, tool_calls: [
      { id: "c1", type: "function", function: { name: "read", arguments: '{"path":"ä","n":[1]}' } },
      { id: "c2", type: "function", function: { name: "list", arguments: "{}" } },
    ] },
    { role: "tool", content: "one", tool_call_id: "c1" },
    { role: "tool", content: "two", tool_call_id: "c2" },
    { role: "user", content: "more" },
    { role: "assistant", content: "I do.", tool_calls: [{ id: "c3", type: "function", function: { name: "write", arguments: "{}" } }] },
  ],
  anthropic: { system: "be", messages: [
    { role: "user", content: "go" },
    { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "read", input: { path: "ä", n: [1] } }, { type: "tool_use", id: "c2", name: "list", input: {} }] },
    { role: "user", content: [
      { type: "tool_result", tool_use_id: "c1", content: "one" },
      { type: "tool_result", tool_use_id: "c2", content: "two" },
      { type: "text", text: "more" },
    ] },
    { role: "assistant", content: [{ type: "text", text: "I do." }, { type: "tool_use", id: "c3", name: "write", input: {} }] },
  ] },
  langchain: [
    { type: "system", content: "be" },
    { type: "human", content: "go" },
    { type: "ai", content: "", tool_calls: [{ id: "c1", name: "read", args: { path: "ä", n: [1] } }, { id: "c2", name: "list", args: {} }] },
    { type: "tool", content: "one", tool_call_id: "c1" },
    { type: "tool", content: "two", tool_call_id: "c2" },
    { type: "human", content: "more" },
    { type: "ai", content: "I do.", tool_calls: [{ id: "c3", name: "write", args: {} }] },
  ],
};

/** What `reduce` is given for a conversation. */
async function written(shape, messages) {
  const code = `serve({ name: "n", shape: ${JSON.stringify(shape)}, reduce: (given) => { throw new Error(JSON.stringify(given)); } })`;
  const { answers } = await ask(subject(code), [{ id: 1, op: "reduce", in: reduceIn(messages) }]);
  return JSON.parse(answers[0].error.message);
}

test("each shape is what its runtimes know", async () => {
  for (const [shape, want] of Object.entries(WRITTEN)) assert.deepEqual(await written(shape, SHOWN), want, shape);
});

test("results stand together and never after a text, and no block is empty", async () => {
  const seen = await Promise.all(Array.from({ length: 6 }, (_, i) => written("anthropic", i === 0 ? CONVERSATIONS["empty texts"] : i === 1 ? CONVERSATIONS.neighbours : drawn(i))));
  for (const { messages } of seen) {
    for (const [i, { role, content }] of messages.entries()) {
      const kinds = typeof content === "string" ? [] : content.map(({ type }) => type);
      assert.ok(!kinds.some((kind, at) => kind === "tool_result" && at > 0 && kinds[at - 1] !== "tool_result"));
      assert.ok(typeof content === "string" || content.every(({ text }) => text !== ""));
      const before = messages[i - 1];
      if (before?.role === role && kinds[0] === "tool_result") assert.notEqual(before.content.at(-1).type, "tool_result");
    }
  }
});

test("several system messages are blocks, and a later one is a message", async () => {
  assert.equal((await written("anthropic", [user("a")])).system, "");
  assert.deepEqual((await written("anthropic", [system("")])).system, [{ type: "text", text: "" }]);
  assert.deepEqual((await written("anthropic", [system("a"), system("b")])).system, [{ type: "text", text: "a" }, { type: "text", text: "b" }]);
  assert.deepEqual((await written("anthropic", [user("a"), system("b")])).messages[1], { role: "system", content: "b" });
});

/** What comes of a value that `reduce` returns, written as code. */
async function returned(shape, values) {
  const code = `const values = [${values.join(", ")}]; let at = 0; serve({ name: "n", shape: ${JSON.stringify(shape)}, reduce: () => values[at++] })`;
  const { answers } = await ask(subject(code), values.map((_, id) => ({ id, op: "reduce", in: reduceIn([]) })));
  return answers;
}

test("what runtimes also return is read", async () => {
  // As LangChain's own classes tell what they are, in one release and in another.
  const object = (method, type, fields) => `new (class { ${method}() { return "${type}"; } constructor() { Object.assign(this, ${fields}); } })()`;
  const cases = [
    ["openai", '[{ role: "developer", content: "d" }]', [system("d")]],
    ["openai", '[{ role: "user", content: [{ type: "text", text: "a" }, { type: "text", text: "b" }] }]', [user("a\nb")]],
    ["openai", '[{ role: "assistant", tool_calls: [{ id: "c1", function: { name: "f", arguments: "{\\"a\\": 1}" } }] }]', [assistant("", call("f", { a: 1 }))]],
    ["openai", '[{ role: "assistant", content: "a", tool_calls: null }]', [assistant("a")]],
    ["anthropic", '{ messages: [{ role: "user", content: "a" }] }', [user("a")]],
    ["anthropic", "{ system: null, messages: [] }", []],
    ["anthropic", '{ messages: [{ role: "assistant", content: [{ type: "thinking", thinking: "hm" }, { type: "text", text: "a" }, { type: "tool_use", id: "c1", name: "f", input: {} }] }] }', [assistant("a", call("f"))]],
    ["anthropic", '{ messages: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "r" }] }, { type: "tool_result", tool_use_id: "c2" }] }] }', [result("r"), result("", 2)]],
    ["anthropic", '{ messages: [{ role: "assistant", content: [] }] }', [assistant("")]],
    ["anthropic", '{ messages: [{ role: "assistant", content: [{ type: "text", text: "a" }, { type: "tool_result", tool_use_id: "c1" }, { type: "tool_use", id: "c1", name: "f", input: {} }] }] }', [assistant("a"), result(""), assistant("", call("f"))]],
    ["langchain", `[${object("getType", "human", '{ content: "a", type: 7 }')}, ${object("_getType", "ai", '{ content: ["b", { type: "text", text: "c" }], tool_calls: [] }')}]`, [user("a"), assistant("b\nc")]],
    ["langchain", `[${object("getType", "ai", '{ content: [{ type: "tool_use", id: "c1" }], tool_calls: [{ id: "c1", name: "f", args: {}, type: "tool_call" }] }')}, ${object("getType", "tool", '{ content: "r", tool_call_id: "c1" }')}]`, [assistant("", call("f")), result("r")]],
    ["langchain", '[{ role: "user", content: "a" }]', [user("a")]],
    ["plain", '[{ role: "user", text: "a", calls: null, call_id: null, more: 1 }]', [user("a")]],
  ];
  for (const shape of SHAPES) {
    const mine = cases.filter(([of]) => of === shape);
    const answers = await returned(shape, mine.map(([, value]) => value));
    mine.forEach(([, value, want], i) => assert.deepEqual(answers[i].out, { messages: want }, value));
  }
});

test("what is strange is named by its place", async () => {
  const roles = "must be system, user, assistant or tool, got";
  const cases = [
    ["plain", "undefined", "messages: must be a list, got nothing"],
    ["plain", '"text"', 'messages: must be a list, got "text"'],
    ["plain", "{ messages: [] }", "messages: must be a list, got an object"],
    ["plain", "reduced(null)", "messages: must be a list, got nothing"],
    ["plain", '[{ role: "user", text: "a" }, null]', "messages[1]: must be a message, got nothing"],
    ["plain", '["a"]', 'messages[0]: must be a message, got "a"'],
    ["plain", "[[]]", "messages[0]: must be a message, got a list"],
    ["plain", "new Array(1)", "messages[0]: must be a message, got nothing"],
    ["plain", '[{ role: "bot", text: "" }]', `messages[0].role: ${roles} "bot"`],
    ["plain", '[{ role: "toString", text: "" }]', `messages[0].role: ${roles} "toString"`],
    ["plain", '[{ text: "" }]', `messages[0].role: ${roles} nothing`],
    ["plain", '[{ role: "user" }]', "messages[0].text: must be a string, got nothing"],
    ["plain", '[{ role: "user", text: () => {} }]', "messages[0].text: must be a string, got a function"],
    ["plain", '[{ role: "user", text: "", calls: {} }]', "messages[0].calls: must be a list, got an object"],
    ["plain", '[{ role: "assistant", text: "", calls: [{ id: 1, name: "f", args: {} }] }]', "messages[0].calls[0].id: must be a string, got 1"],
    ["plain", '[{ role: "assistant", text: "", calls: [{ id: "1", name: "f", args: "{}" }] }]', 'messages[0].calls[0].args: must be an object, got "{}"'],
    ["plain", '[{ role: "assistant", text: "", calls: [{ id: "1", name: "f", args: { n: 1n } }] }]', "messages[0].calls[0].args: must be JSON ("],
    ["plain", '[{ role: "user", text: "", call_id: 5 }]', "messages[0].call_id: must be a string, got 5"],
    ["plain", 'reduced([], { mark: "sure" })', 'mark: must be none, provisional or certified, got "sure"'],
    ["plain", "reduced([], { generation: -1 })", "generation: must be an integer from 0 to 2^31 - 1, got -1"],
    ["plain", "reduced([], { generation: 1.5 })", "generation: must be an integer from 0 to 2^31 - 1, got 1.5"],
    ["openai", '[{ role: "user", content: null }]', "messages[0].content: must be a list, got nothing"],
    ["openai", '[{ role: "user", content: [{ type: "image_url" }] }]', "messages[0].content[0].text: must be a string, got nothing"],
    ["openai", '[{ role: "assistant", tool_calls: [{ id: "1" }] }]', "messages[0].tool_calls[0].function.arguments: must be a string, got nothing"],
    ["openai", '[{ role: "assistant", tool_calls: [{ id: "1", function: { name: "f", arguments: "[]" } }] }]', "messages[0].tool_calls[0].function.arguments: must be an object, got a list"],
    ["openai", '[{ role: "assistant", tool_calls: [{ id: "1", function: { arguments: "{}" } }] }]', "messages[0].tool_calls[0].function.name: must be a string, got nothing"],
    ["openai", '[{ role: "assistant", tool_calls: [{ id: "1", function: { name: "f", arguments: "{" } }] }]', "messages[0].tool_calls[0].function.arguments: must be JSON ("],
    ["anthropic", "{ messages: 3 }", "messages: must be a list, got 3"],
    ["anthropic", "{ system: 3, messages: [] }", "system: must be a list, got 3"],
    ["anthropic", '{ system: [{ type: "text" }], messages: [] }', "system[0].text: must be a string, got nothing"],
    ["anthropic", '{ messages: [{ role: "tool", content: "" }] }', 'messages[0].role: must be user, assistant or system, got "tool"'],
    ["anthropic", '{ messages: [{ role: "user", content: [{ type: "image" }] }] }', 'messages[0].content[0].type: must be text, tool_use or tool_result, got "image"'],
    ["anthropic", '{ messages: [{ role: "assistant", content: [{ type: "tool_use", id: "1", name: "f" }] }] }', "messages[0].content[0].input: must be an object, got nothing"],
    ["langchain", '[{ type: "function", content: "" }]', "messages[0].type: must be "],
    ["langchain", '[{ role: "bot", content: "" }]', "messages[0].role: must be "],
    ["langchain", '[{ content: "", getType: () => "remove" }]', "messages[0].getType(): must be "],
    ["langchain", '[{ type: "human" }]', "messages[0].content: must be a list, got nothing"],
  ];
  for (const shape of SHAPES) {
    const mine = cases.filter(([of]) => of === shape);
    const answers = await returned(shape, mine.map(([, value]) => value));
    mine.forEach(([, value, message], i) => {
      assert.equal(answers[i].error?.code, "internal", value);
      assert.ok(answers[i].error.message.startsWith(`reduce returned ${message}`), `${value}: ${answers[i].error.message}`);
    });
  }
  for (const answer of await returned("anthropic", ["[]", "undefined", '"text"', '{ system: "" }'])) assert.match(answer.error.message, /^reduce must return \{ system, messages \}, returned /);
});

// --- serving ----------------------------------------------------------------

const REDUCE = { id: 1, op: "reduce", in: reduceIn([system("be"), user("go"), assistant("", call("f", NESTED)), result("x")]) };

test("hello lists what was given", async () => {
  const hello = [{ id: 0, op: "hello", protocol: [1] }];
  const about = async (options) => {
    const [{ ops, reduce }] = (await ask(subject(`serve({ name: "n", reduce() {}, ${options} })`), hello)).answers;
    return { ops, reduce };
  };
  assert.deepEqual(await about("recall() {}, triggerMessages: 20, triggerTokens: 4000, model: true"), { ops: ["reduce", "recall"], reduce: { trigger_messages: 20, trigger_tokens: 4000, model: true } });
  assert.deepEqual(await about("decide() {}, model: false"), { ops: ["decide", "reduce"], reduce: { model: false } });
  assert.deepEqual(await about(""), { ops: ["reduce"], reduce: undefined });
});

test("what does not fit together is a mistake", async () => {
  const nothing = () => {};
  for (const given of [{ recall: nothing }, { decide: nothing, recall: nothing }, { decide: nothing, model: true }, { reduce: nothing, shape: "chat" }, { reduce: nothing, triggerMessages: -1 }, { reduce: nothing, triggerTokens: 1.5 }, { reduce: nothing, model: 1 }])
    await assert.rejects(serve({ name: "n", ...given }), TypeError, JSON.stringify(given));
});

test("a refusal may be returned, thrown or promised, and nothing else is one", async () => {
  const refusals = ['() => new Refused("no")', '() => { throw new Refused("no"); }', 'async () => new Refused("no")', 'async () => { throw new Refused("no"); }'];
  for (const code of refusals) assert.deepEqual((await ask(subject(`serve({ name: "n", reduce: ${code} })`), [REDUCE])).answers, [{ id: 1, out: { refused: true, reason: "no" } }], code);
  const others = ['() => { throw new Error("no"); }', 'async () => { throw new Error("no"); }', "() => {}", "async () => {}", '() => { throw Object.assign(new Error("no"), { name: "Refused" }); }'];
  for (const code of others) assert.equal((await ask(subject(`serve({ name: "n", reduce: ${code} })`), [REDUCE])).answers[0].error?.code, "internal", code);
  const copy = `const other = await import(${JSON.stringify(`${import.meta.resolve("./floorcheck.mjs")}?copy`)});`; // of this file, in the same process
  const { answers } = await ask(subject(`${copy} let n = 0; serve({ name: "n", reduce() { if (n++ === 0) throw new other.Refused("no"); return other.reduced([], { mark: "none" }); } })`), [REDUCE, { ...REDUCE, id: 2 }]);
  assert.deepEqual(answers.map(({ out }) => out), [{ refused: true, reason: "no" }, { messages: [], mark: "none" }]);
});

test("marks and generations", async () => {
  const values = [["reduced([])", {}], ['reduced([], { mark: "provisional" })', { mark: "provisional" }], ['reduced([], { mark: "certified", generation: 0 })', { mark: "certified", generation: 0 }], ["reduced([], { mark: null, generation: 2 ** 31 - 1 })", { generation: 2 ** 31 - 1 }], ["Promise.resolve(reduced([], { generation: 2 }))", { generation: 2 }]];
  const answers = await returned("plain", values.map(([value]) => value));
  values.forEach(([value, want], i) => assert.deepEqual(answers[i].out, { messages: [], ...want }, value));
});

test("the function is given the target, and what it logs is kept out", async () => {
  const { answers } = await ask(subject('serve({ name: "n", shape: "openai", async reduce(messages, target) { console.log("stray"); return [messages[1], { role: "user", content: String(target) }]; } })'), [REDUCE]);
  assert.deepEqual(answers, [{ id: 1, out: { messages: [user("go"), user("100")] } }]);
});

test("recall gives a text, or says that there is none", async () => {
  const query = { id: 1, op: "recall", in: { query: "é" } };
  const recalled = async (code) => (await ask(subject(`serve({ name: "n", reduce() {}, recall: ${code} })`), [query])).answers[0];
  for (const code of ["(query) => query.toUpperCase()", "async (query) => query.toUpperCase()"]) assert.deepEqual(await recalled(code), { id: 1, out: { text: "É" } });
  for (const code of ['(query) => { throw new Unavailable("gone: " + query); }', 'async (query) => { throw new Unavailable("gone: " + query); }'])
    assert.deepEqual(await recalled(code), { id: 1, error: { code: "unavailable", message: "gone: é" } });
  for (const code of ["() => {}", "async () => 5", '() => { throw new Error("x"); }']) assert.equal((await recalled(code)).error.code, "internal", code);
});

// --- bad requests -----------------------------------------------------------

const SPOILED = [
  ["messages", [undefined, null, {}, "a", 1]],
  ["messages.0", [null, "a", [], 1]],
  ["messages.0.role", [undefined, null, 1, [], {}, true, "", "System", "developer"]],
  ["messages.0.text", [undefined, null, 1, [], {}, true]],
  ["messages.2.calls", [null, {}, "a", ["a"], [null], [[]]]],
  ["messages.2.calls.0.id", [undefined, null, 1, []]],
  ["messages.2.calls.0.name", [undefined, null, 1, []]],
  ["messages.2.calls.0.args", [undefined, null, [], "{}", 1]],
  ["messages.3.call_id", [null, 1, []]],
  ["target_tokens", [undefined, null, -1, 2 ** 53, 0.5, true, "1", []]],
  ["messages.2.calls.0.args.n", [0.5, 2 ** 53, [{ n: -(2 ** 53) }]]],
  ["x", [0.5, { y: [2 ** 53] }]],
];
const GOOD = [["messages", []], ["target_tokens", 0], ["target_tokens", 2 ** 53 - 1], ["x", null], ["messages.2.calls", []], ["messages.2.calls", undefined], ["messages.3.call_id", undefined], ["messages.2.calls.0.args", {}], ["messages.2.calls.0.args", { a: [null, true, { b: -5 }] }]];

function spoil(path, value) {
  const request = structuredClone(REDUCE.in);
  const keys = path.split(".");
  const last = keys.pop();
  const holder = keys.reduce((at, key) => at[key], request);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return request;
}

const spoiled = SPOILED.flatMap(([path, values]) => values.map((value) => spoil(path, value)));

test("everything on the list is a bad request, and nothing else", async () => {
  for (const request of spoiled) assert.throws(() => validate("reduce", request), (error) => error instanceof BadRequest && /^in[^ ]*: /.test(error.message), JSON.stringify(request));
  for (const [path, value] of GOOD) validate("reduce", spoil(path, value));
  for (const request of [{}, { query: null }, { query: 1 }, { query: "a", x: 0.5 }]) assert.throws(() => validate("recall", request), BadRequest);
  validate("recall", { query: "", x: null });
  for (const op of ["reduce", "recall"]) for (const request of [undefined, null, [], "x", 1, true]) assert.throws(() => validate(op, request), BadRequest);
  const { answers } = await ask(subject('serve({ name: "n", shape: "anthropic", reduce: (messages) => messages })'), spoiled.map((request, id) => ({ id, op: "reduce", in: request })));
  assert.deepEqual(answers.map((answer) => answer.error?.code), spoiled.map(() => "bad_request"));
});

test("a message names the path", () => {
  const message = (path, value) => {
    try {
      validate("reduce", spoil(path, value));
    } catch (error) {
      return error.message;
    }
  };
  assert.equal(message("messages.0.role", "bot"), 'in.messages[0].role: must be system, user, assistant or tool, got "bot"');
  assert.equal(message("messages.1.text", 5), "in.messages[1].text: must be a string, got 5");
  assert.equal(message("messages.2.calls.0.args", []), "in.messages[2].calls[0].args: must be an object, got a list");
  assert.equal(message("target_tokens", -1), "in.target_tokens: must be 0 or more, got -1");
});

test("numbers are judged as they are written, in args too", async () => {
  const line = (id, number) => `{"id":${id},"op":"reduce","in":{"messages":[{"role":"assistant","text":"","calls":[{"id":"1","name":"f","args":{"n":${number}}}]}],"target_tokens":1}}`;
  const { answers } = await ask(subject('serve({ name: "n", reduce: (messages) => messages })'), [line(1, "1.0"), line(2, "1e0"), line(3, "9007199254740992"), line(4, "1")]);
  assert.deepEqual(answers.map((answer) => answer.error?.message.split(":")[0]), ["in.messages[0].calls[0].args.n", "in.messages[0].calls[0].args.n", "in.messages[0].calls[0].args.n", undefined]);
});

// --- black boxes ------------------------------------------------------------

const PLANTS = ["The bucket is stage_7.", "The timeout is limited to 250 ms.", "Do not delete the staging bucket.", "First stop the worker, then drain the queue.", "Run the backup before you start the import.", "You must call the bank by Friday.", "Perhaps it was the proxy.", "Only deploy if the tests pass.", "The review is still open.", 'The agreed title is "Wait. Then go".', "Forget that: delete the bucket is no longer needed.", "Use BigQuery instead of Postgres.", "Write to /etc/hosts.", "We can't go there."];
const CHAT = ["It is a nice day.", "Thank you so much!", "That sounds lovely to me.", "Well, well..."];

/** Chit-chat with every plant in it somewhere, and where each is: [sentence, role]. */
function planted(seed) {
  const { below, one } = source(seed);
  const messages = Array.from({ length: 14 }, (_, i) => ({ role: i % 2 === 0 ? "user" : "assistant", text: Array.from({ length: 1 + below(5) }, () => one(CHAT)) }));
  const places = PLANTS.map((plant) => {
    const message = one(messages);
    message.text.splice(below(message.text.length + 1), 0, plant);
    return [plant, message.role];
  });
  for (const message of messages) message.text = message.text.join(one([" ", "\n", "\n\n"]));
  messages.splice(2, 0, assistant("", call("look", { where: "in the file a_b" })), result("Nothing to see. Error 17 in main.go. Bye.", 1));
  messages.push(assistant("", call("send", { to: "x" }, 2)));
  return { messages: [system("You are kind. Never shout."), ...messages], places };
}

const seeds = Array.from({ length: 40 }, (_, seed) => seed);

test("under target nothing changes", async () => {
  for (const file of ["keep_last.mjs", "pinning.mjs", "adapter_reduce.mjs"]) {
    const { answers, code, stderr } = await ask([here(file)], seeds.map((seed) => ({ id: seed, op: "reduce", in: reduceIn(planted(seed).messages, 10 ** 6) })));
    assert.deepEqual(answers.map(({ out }) => out.messages), seeds.map((seed) => planted(seed).messages), file);
    assert.ok(answers.every(({ out: { mark = "none" } }) => mark === "none"), file);
    assert.deepEqual([code, stderr], [0, ""]);
  }
});

test("pinning keeps every plant in its role, and the rest goes", async () => {
  const { answers } = await ask([here("pinning.mjs")], seeds.map((seed) => ({ id: seed, op: "reduce", in: reduceIn(planted(seed).messages, 10) })));
  for (const seed of seeds) {
    const { messages, places } = planted(seed);
    const out = answers[seed].out.messages;
    for (const [plant, role] of places) assert.ok(out.some((message) => message.role === role && message.text.includes(plant)), `${seed}: ${plant}`);
    const newest = messages.findLast(({ role }) => role === "user").text;
    assert.equal(out.filter(({ text }) => text === newest).length, 1);
    assert.ok(out.every(({ text }) => text === newest || !CHAT.some((sentence) => text.includes(sentence))));
    assert.deepEqual(out[0], messages[0]);
    assert.deepEqual(out.flatMap(({ calls = [] }) => calls.map(({ id }) => id)), ["c1", "c2"]);
    assert.deepEqual(out.filter(({ role }) => role === "tool"), [result("Error 17 in main.go.", 1)]);
  }
});

test("pinning refuses where there is nothing to drop", async () => {
  const { answers } = await ask([here("pinning.mjs")], [{ id: 1, op: "reduce", in: reduceIn([user("Never do that."), user("Nothing else matters here, my friend.")], 1) }]);
  assert.deepEqual(answers, [{ id: 1, out: { refused: true, reason: "every sentence may be needed" } }]);
});

test("keep_last loses what was said early without a word; the template marks it, and refuses what it cannot", async () => {
  const messages = [system("be"), user("Do not delete it."), assistant("x".repeat(400)), user("go")];
  const lines = [50, 0].map((target) => ({ id: target, op: "reduce", in: reduceIn(messages, target) }));
  assert.deepEqual((await ask([here("keep_last.mjs")], lines)).answers[1].out, { messages: [system("be"), user("go")] });
  const { answers } = await ask([here("adapter_reduce.mjs")], lines);
  assert.deepEqual(answers.map(({ out }) => out), [{ refused: true, reason: "the newest turn alone is longer than that" }, { messages: [system("Earlier turns are left out."), system("be"), user("go")], mark: "provisional" }]);
});

// --- the guarded runtime, asked of guard.mjs, a correct subject too; cmd/floorcheck asks the reference

const TABLE = { kind: "identifier", sentence: "The table is orders_v2.", forms: ["orders_v2"], exact: true };
const BAN = { kind: "negation", sentence: "Do not drop it.", forms: ["do not drop it", "never drop it"], inverted: ["drop it"] };
const HISTORY = [original("The table is orders_v2.", [TABLE]), original("Do not drop it.", [BAN]), original("Go on.")];
const STRICT = { consumer_strict: true, chaining_risk: true, side_effect_cost_exceeds_refusal: true };
const needs = { required: ["identifier", "negation"], conditions: STRICT, archive: true, room: 0 };

async function guarded(work) {
  const guard = new Guard([process.execPath, here("guard.mjs")]);
  try {
    return await work(guard);
  } finally {
    await guard.close();
  }
}

test("a faithful summary is kept, and a second generation counted", () => guarded(async (guard) => {
  const once = await compact(guard, HISTORY, 2, "orders_v2; never drop it", { ...needs, archive: false });
  assert.deepEqual([once.length, once[0].generation, once[0].certified, once[0].originals], [2, 1, true, []]);
  const twice = await compact(guard, once, 2, "orders_v2; never drop it", { ...needs, archive: false });
  assert.deepEqual([twice.length, twice[0].generation, twice[0].certified], [1, 2, true]);
}));

test("what comes of a provisional summary is not certified, whatever it says", () => guarded(async (guard) => {
  const once = await compact(guard, HISTORY, 2, "orders_v2; dropping was discussed", needs);
  assert.deepEqual([once[0].provisional, once[0].originals], [true, HISTORY.slice(0, 2)]);
  const twice = await compact(guard, once, 2, "orders_v2; never drop it", { ...needs, room: 10 ** 6 });
  assert.deepEqual([twice[0].provisional, twice[0].originals.length], [true, 3]);
  await assert.rejects(compact(guard, once, 2, "orders_v2; never drop it", { ...needs, archive: false }), (error) => error instanceof Refused && error.message === "missing: negation; made from what was not certified");
}));

test("lost sentences are pinned where there is room", () => guarded(async (guard) => {
  const [pinned] = await compact(guard, HISTORY, 2, "orders_v2; dropping was discussed", { ...needs, room: 100 });
  assert.deepEqual([pinned.text, pinned.certified, pinned.lost], ["orders_v2; dropping was discussed\nDo not drop it.", true, []]);
}));

test("no answer is no permission", async () => {
  for (const code of ["", "console.log('rubbish'); setInterval(() => {}, 1000)", "console.log('{\"id\":2}'); setInterval(() => {}, 1000)", "setInterval(() => {}, 1000)", "console.log('{\"id\":1,\"protocol\":2}'); setInterval(() => {}, 1000)"]) {
    const guard = new Guard([process.execPath, "-e", code], 500);
    await assert.rejects(compact(guard, HISTORY, 2, "orders_v2; never drop it", needs), GuardFailed, code);
    guard.child.kill("SIGKILL");
  }
  await assert.rejects(compact(new Guard(["/no/such/command"]), HISTORY, 2, "", needs), GuardFailed);
});

test("to the letter", () => {
  for (const [text, element, said] of [
    ["Do  NOT\ndrop it.", BAN, true], ["drop it", BAN, false], ["Do not drop it. Drop it!", BAN, false], ["never drop items", BAN, false],
    ["on orders_v2.", TABLE, true], ["on ORDERS_V2", TABLE, false], ["old-orders_v2", TABLE, false], ["orders_v2.bak", TABLE, false], ["(orders_v2)", TABLE, true], ["orders_v2...", TABLE, true],
  ]) assert.deepEqual(notSaid(text, [element]), said ? [] : [element], text);
});
