/**
 * A correct subject for `decide` and `derive`, and fifteen ways to be wrong.
 *
 *     node guard.mjs [--policy guard|joint] [--fault NAME]
 *     node guard.mjs --list-faults
 *
 * Rules: docs/protocol.md and docs/rules.md, the families decide/ and derive/.
 */
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { BadRequest, serve, validate } from "./floorcheck.mjs";

/** Decides as the rules say. A fault overrides one method of it. */
export class Guard {
  /** @param {"guard" | "joint"} policy */
  constructor(policy = "guard") {
    this.policy = policy;
  }

  /** decide.in to decide.out */
  decide(request) {
    const { contract } = request;
    const certified = new Set(contract.certified_classes);
    const findings = {
      required: sortedSet(contract.required_classes),
      missing: sortedSet(contract.required_classes).filter((name) => !certified.has(name)),
      ancestryCertified: contract.ancestry_certified,
    };
    const decision = this.decision(findings, request);
    if (decision !== "refuse") return { decision };
    return {
      decision,
      missing_classes: this.reason(findings),
      generation: contract.generation,
      ancestry_certified: contract.ancestry_certified,
    };
  }

  /** derive.in to derive.out */
  derive(request) {
    const past = new Map(); // event id to what is known of it
    return { events: request.events.map((event) => this.deriveEvent(event, past)) };
  }

  deriveEvent(event, past) {
    const parents = this.parents(event, past);
    const ancestryCertified = parents.every((parent) => this.isCleanParent(parent));
    const own = new Map(event.certificate.map((entry) => [entry.class, entry]));
    const effective = this.effective(own, parents);
    const required = sortedSet(event.required_classes);
    const missing = required.filter((name) => !effective.has(name) || !this.isAtFloor(effective.get(name), floorOf(event, name)));

    const findings = { required, missing, ancestryCertified };
    const decision = this.decision(findings, event);
    const generation = this.generation(parents);
    past.set(event.id, { decision, generation, ancestryCertified, own, effective });
    const { id } = event;
    if (decision === "refuse") return { id, decision, missing_classes: this.reason(findings), ancestry_certified: ancestryCertified };
    return { id, decision, generation, ancestry_certified: ancestryCertified, effective: fidelities(effective) };
  }

  /** The events among the inputs. Inputs that are not in the past are originals: the helper has seen to it. */
  parents(event, past) {
    const parents = [...new Set(event.inputs)].filter((input) => past.has(input)).map((input) => past.get(input));
    if (parents.some((parent) => parent.decision === "refuse")) {
      throw new BadRequest(`in.events: ${JSON.stringify(event.id)} is made from an event that was refused, so that was never there`);
    }
    return parents;
  }

  /** Once an event is not certified, the ancestry of no descendant is. */
  isCleanParent(parent) {
    return parent.ancestryCertified && parent.decision === "certified";
  }

  generation(parents) {
    return 1 + parents.reduce((largest, parent) => Math.max(largest, parent.generation), 0);
  }

  /** Per class the least among the event's own certificate and all its parents; a class that one of them lacks is lost. */
  effective(own, parents) {
    return parents.reduce((sofar, parent) => leastOfBoth(sofar, parent.effective), own);
  }

  isAtFloor({ retained, total }, floorPermille) {
    return BigInt(retained) * 1000n >= BigInt(floorPermille) * BigInt(total);
  }

  /** The one decision both ops share. */
  decision(findings, flags) {
    if (this.isCertified(findings)) return "certified";
    return this.mayGoOnUncertified(flags) ? "provisional" : "refuse";
  }

  isCertified({ missing, ancestryCertified }) {
    return ancestryCertified && missing.length === 0;
  }

  mayGoOnUncertified(flags) {
    return flags.source_recoverable || !this.isDangerous(flags);
  }

  isDangerous(flags) {
    const dangers = this.dangers(flags);
    return this.policy === "joint" ? dangers.every(Boolean) : dangers.some(Boolean);
  }

  dangers(flags) {
    return [flags.consumer_strict, flags.chaining_risk, flags.side_effect_cost_exceeds_refusal];
  }

  /** The classes a refusal names. */
  reason({ missing }) {
    return missing;
  }

  /** What `serve` checks requests with. */
  get validate() {
    return true;
  }
}

/** Sorted by code unit, so that the same answer is the same text. */
function sortedSet(names) {
  return [...new Set(names)].sort();
}

/** G(c) for a required class. */
function floorOf({ floors_permille: floors = {} }, name) {
  return Object.hasOwn(floors, name) ? floors[name] : 1000;
}

function leastOfBoth(one, other) {
  const both = [...one].filter(([name]) => other.has(name));
  return new Map(both.map(([name, entry]) => [name, isLess(other.get(name), entry) ? other.get(name) : entry]));
}

/** Compares two fidelities exactly; the products may pass 2^53. 0 of 0 is full fidelity, so never less. */
function isLess(a, b) {
  const [x, y] = [a, b].map(({ retained, total }) => (total === 0 ? [1n, 1n] : [BigInt(retained), BigInt(total)]));
  return x[0] * y[1] < y[0] * x[1];
}

function fidelities(effective) {
  return sortedSet(effective.keys()).map((name) => {
    const { retained, total } = effective.get(name);
    return { class: name, retained, total };
  });
}

// --- faults -----------------------------------------------------------------

/** Name to what is wrong and the method that is overridden. */
export const FAULTS = new Map([
  ["chaining-ignored", {
    about: "chaining_risk is left out of the dangers",
    plant: (Base) => class extends Base {
      dangers({ consumer_strict, side_effect_cost_exceeds_refusal }) {
        return [consumer_strict, side_effect_cost_exceeds_refusal];
      }
    },
  }],
  ["danger-and", {
    about: "under guard, too, it takes all three dangers to refuse",
    plant: (Base) => class extends Base {
      isDangerous(flags) {
        return this.dangers(flags).every(Boolean);
      }
    },
  }],
  ["recoverable-refuses", {
    about: "refuses where there is danger, although the source is recoverable",
    plant: (Base) => class extends Base {
      mayGoOnUncertified(flags) {
        return !this.isDangerous(flags);
      }
    },
  }],
  ["ancestry-ignored", {
    about: "certifies without looking at the ancestry flag",
    plant: (Base) => class extends Base {
      isCertified(findings) {
        return super.isCertified({ ...findings, ancestryCertified: true });
      }
    },
  }],
  ["subset-overlap", {
    about: "one required class that is certified is enough",
    plant: (Base) => class extends Base {
      isCertified({ required, missing, ancestryCertified }) {
        const overlap = required.length === 0 || missing.length < required.length;
        return ancestryCertified && overlap;
      }
    },
  }],
  ["reason-all-required", {
    about: "a refusal names all required classes as missing",
    plant: (Base) => class extends Base {
      reason({ required }) {
        return required;
      }
    },
  }],
  ["ratio-refuses", {
    about: "refuses when the summary has less than 15 % of the source's tokens",
    plant: (Base) => class extends Base {
      decision(findings, request) {
        const { summary_tokens, source_tokens } = request.riders ?? {};
        return summary_tokens * 100 < 15 * source_tokens ? "refuse" : super.decision(findings, request);
      }
    },
  }],
  ["cached-per-contract", {
    about: "remembers the first decision per contract, whatever the flags are afterwards",
    plant: (Base) => class extends Base {
      #answers = new Map();
      decide(request) {
        const { required_classes, certified_classes, generation, ancestry_certified } = request.contract;
        const key = JSON.stringify([sortedSet(required_classes), sortedSet(certified_classes), generation, ancestry_certified]);
        if (!this.#answers.has(key)) this.#answers.set(key, super.decide(request));
        return this.#answers.get(key);
      }
    },
  }],
  ["missing-flag-false", {
    about: "takes a missing flag for false instead of an error",
    plant: (Base) => class extends Base {
      get validate() {
        const allFalse = {
          source_recoverable: false,
          consumer_strict: false,
          chaining_risk: false,
          side_effect_cost_exceeds_refusal: false,
        };
        // Only lets the request pass; decide then finds the flag undefined, which is as good as false.
        return (op, request) => validate(op, op === "decide" && isObject(request) ? { ...allFalse, ...request } : request);
      }
    },
  }],
  ["latest-only", {
    about: "effective is the event's own certificate, the chain is ignored",
    plant: (Base) => class extends Base {
      effective(own) {
        return own;
      }
    },
  }],
  ["grandparent-skipped", {
    about: "effective looks no further back than the own certificates of the inputs",
    plant: (Base) => class extends Base {
      effective(own, parents) {
        return parents.reduce((sofar, parent) => leastOfBoth(sofar, parent.own), own);
      }
    },
  }],
  ["merge-first-parent", {
    about: "of several input events only the first is looked at",
    plant: (Base) => class extends Base {
      parents(event, past) {
        return super.parents(event, past).slice(0, 1);
      }
    },
  }],
  ["generation-not-raised", {
    about: "a child keeps the largest generation of its inputs",
    plant: (Base) => class extends Base {
      generation(parents) {
        return Math.max(1, super.generation(parents) - 1);
      }
    },
  }],
  ["provisional-parent-certified", {
    about: "a parent's provisional decision does not poison its children",
    plant: (Base) => class extends Base {
      isCleanParent(parent) {
        return parent.ancestryCertified;
      }
    },
  }],
  ["rounded-permille", {
    about: "a class is at its floor when the permille, rounded to nearest, reaches it",
    plant: (Base) => class extends Base {
      isAtFloor({ retained, total }, floorPermille) {
        if (total === 0) return true;
        const rounded = (2000n * BigInt(retained) + BigInt(total)) / (2n * BigInt(total));
        return rounded >= BigInt(floorPermille);
      }
    },
  }],
]);

/** A guard under `policy`, with one fault planted if it is named. */
export function makeGuard(policy, fault) {
  const Kind = fault === undefined ? Guard : FAULTS.get(fault).plant(Guard);
  return new Kind(policy);
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// --- command line -----------------------------------------------------------

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
