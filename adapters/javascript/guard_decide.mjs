/** One decision, and the decisions of a chain: docs/protocol.md, ops decide and derive. */
import { BadRequest } from "./floorcheck.mjs";

/** Decides as the rules say. A fault overrides one method of it. */
export class Decider {
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
export function sortedSet(names) {
  return [...new Set(names)].sort();
}

/** G(c) for a required class. */
export function floorOf({ floors_permille: floors = {} }, name) {
  return Object.hasOwn(floors, name) ? floors[name] : 1000;
}

export function leastOfBoth(one, other) {
  const both = [...one].filter(([name]) => other.has(name));
  return new Map(both.map(([name, entry]) => [name, isLess(other.get(name), entry) ? other.get(name) : entry]));
}

/** Compares two fidelities exactly; the products may pass 2^53. 0 of 0 is full fidelity, so never less. */
function isLess(a, b) {
  const [x, y] = [a, b].map(({ retained, total }) => (total === 0 ? [1n, 1n] : [BigInt(retained), BigInt(total)]));
  return x[0] * y[1] < y[0] * x[1];
}

export function fidelities(effective) {
  return sortedSet(effective.keys()).map((name) => {
    const { retained, total } = effective.get(name);
    return { class: name, retained, total };
  });
}
