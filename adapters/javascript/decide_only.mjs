const DANGERS = ["consumer_strict", "chaining_risk", "side_effect_cost_exceeds_refusal"];
const isGood = ({ contract: c, riders = {}, ...flags }, line) => riders instanceof Object && !Array.isArray(riders)
  && typeof c?.generation === "number" && c.generation >= 0 && c.generation < 2 ** 31
  && [c.required_classes, c.certified_classes].every((list) => Array.isArray(list) && list.every((name) => typeof name === "string"))
  && [c.ancestry_certified, flags.source_recoverable, ...DANGERS.map((danger) => flags[danger])].every((flag) => typeof flag === "boolean")
  && line.replace(/\\./g, "").replace(/"[^"]*"/g, "").match(/\d[\w.+-]*/g).every((n) => /^\d+$/.test(n) && n < 2 ** 53); // not 1.0
function answer(line, { id, op, in: request } = JSON.parse(line)) {
  if (op === "bye") process.exit();
  if (op === "hello") return { id, protocol: 1, name: "decide-only", language: "javascript", ops: ["decide"] };
  if (op !== "decide") return { id, error: { code: "unsupported", message: `${op} is not offered` } };
  if (!isGood(request ?? {}, line)) return { id, error: { code: "bad_request", message: "not a well-formed decide request" } };
  const { required_classes, certified_classes, generation, ancestry_certified } = request.contract;
  const missing_classes = [...new Set(required_classes)].filter((name) => !certified_classes.includes(name)).sort();
  if (ancestry_certified && missing_classes.length === 0) return { id, out: { decision: "certified" } };
  if (request.source_recoverable || !DANGERS.some((danger) => request[danger])) return { id, out: { decision: "provisional" } };
  return { id, out: { decision: "refuse", missing_classes, generation, ancestry_certified } };
}
let lines = [""];
for await (const chunk of process.stdin.setEncoding("utf8"))
  for (lines = (lines[0] + chunk).split("\n"); lines.length > 1; ) console.log(JSON.stringify(answer(lines.shift())));
