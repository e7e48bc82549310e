/**
 * A correct subject for `decide`, `derive`, `certify` and `compact`, and many ways to be wrong.
 *
 *     node guard.mjs [--policy guard|joint] [--fault NAME]
 *     node guard.mjs --list-faults
 *
 * Rules: docs/protocol.md and docs/rules.md. They are kept in guard_decide.mjs, guard_text.mjs
 * and guard_compact.mjs, the faults in guard_faults.mjs.
 */
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { serve } from "./floorcheck.mjs";
import { FAULTS, makeGuard } from "./guard_faults.mjs";

export { Guard } from "./guard_compact.mjs";
export { FAULTS, makeGuard };

function main() {
  const { policy, fault, "list-faults": listFaults } = readArguments();
  if (listFaults) return listAllFaults();
  if (policy !== "guard" && policy !== "joint") fail(`unknown policy "${policy}"; it is guard or joint`);
  if (fault !== undefined && !FAULTS.has(fault)) fail(`unknown fault "${fault}"; did you mean "${nearest(fault)}"? (--list-faults names them all)`);

  const guard = makeGuard(policy, fault);
  return serve({
    name: fault === undefined ? "guard-javascript" : `guard-javascript, fault ${fault}`,
    version: "1",
    policy,
    validate: guard.validate,
    decide: (request) => guard.decide(request),
    derive: (request) => guard.derive(request),
    certify: (request) => guard.certify(request),
    compact: (request) => guard.compact(request),
  });
}

function readArguments() {
  const options = { policy: { type: "string", default: "guard" }, fault: { type: "string" }, "list-faults": { type: "boolean" } };
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return fail(error.message);
  }
}

function listAllFaults() {
  const width = Math.max(...[...FAULTS.keys()].map((name) => name.length));
  for (const [name, { about }] of FAULTS) console.log(`${name.padEnd(width)}  ${about}`);
}

function fail(message) {
  console.error(`guard.mjs: ${message}`);
  process.exit(2);
}

function nearest(name) {
  const byDistance = [...FAULTS.keys()].map((known) => [editDistance(name, known), known]);
  return byDistance.reduce((best, next) => (next[0] < best[0] ? next : best))[1];
}

/** How many letters must be put in, left out or changed to make one word the other (Levenshtein). */
function editDistance(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, j) => j);
  for (let i = 1; i <= one.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= other.length; j++) {
      const changed = above[j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1);
      row.push(Math.min(changed, above[j] + 1, row[j - 1] + 1));
    }
  }
  return row[other.length];
}

// Only as a program, so that the tests can import the guard.
if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await main();
