/** The guard with one mistake planted: each has been made in earnest, or is the smallest of its kind. */
import { validate } from "./floorcheck.mjs";
import { costOf, elementsOf, Guard, tallyKept, tokensOf } from "./guard_compact.mjs";
import { leastOfBoth, sortedSet } from "./guard_decide.mjs";
import { Part, Reader } from "./guard_text.mjs";

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
        // Only lets the request pass; the flag is then found undefined, which is as good as false.
        const filled = ["decide", "compact"];
        return (op, request) => validate(op, filled.includes(op) && isObject(request) ? { ...allFalse, ...request } : request);
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

  // Of reading. These show in certify and in compact.

  ["polarity-ignored", {
    about: "inverted forms are not looked for",
    plant: (Base) => readingWith(Base, class extends Reader {
      element(given, path) {
        return { ...super.element(given, path), inverted: [] };
      }
    }),
  }],
  ["contradictory-retained", {
    about: "what is said and also denied counts as retained",
    plant: (Base) => readingWith(Base, class extends Reader {
      verdict(isSaid, isDenied) {
        return isSaid ? "retained" : super.verdict(isSaid, isDenied);
      }
    }),
  }],
  ["exact-as-folded", {
    about: "exact elements are compared without regard to capitals and joiners",
    plant: (Base) => readingWith(Base, class extends Reader {
      isExact() {
        return false;
      }
    }),
  }],
  ["joiners-ignored", {
    about: "prod is found in non-prod, and 5 ms in 1.5 ms",
    plant: (Base) => readingWith(Base, class extends Reader {
      cutsRun() {
        return false;
      }
    }),
  }],
  ["glued-words", {
    about: "port is found in report",
    plant: (Base) => readingWith(Base, class extends Reader {
      isGlued() {
        return false;
      }
    }),
  }],
  ["nesting-ignored", {
    about: "a form counts inside an inverted form too, and the other way round",
    plant: (Base) => readingWith(Base, class extends Reader {
      isInside() {
        return false;
      }
    }),
  }],
  ["parts-joined", {
    about: "the delivered parts are joined, and what begins in one may end in the next",
    plant: (Base) => readingWith(Base, class extends Reader {
      state(element, parts) {
        return super.state(element, [new Part(parts.map(({ text }) => text).join(" "))]);
      }
    }),
  }],

  // Of certificates.

  ["pins-ignored", {
    about: "what the pins say does not count",
    plant: (Base) => class extends Base {
      deliveredParts(output) {
        return super.deliveredParts(output).slice(0, 1);
      }
    },
  }],
  ["status-ignored", {
    about: "what is an error, a refusal or cut off is certified and used",
    plant: (Base) => class extends Base {
      isStatusFit() {
        return true;
      }
    },
  }],
  ["empty-text-certifies", {
    about: "a text without a word is certified and used, as long as nothing is missing",
    plant: (Base) => class extends Base {
      saysSomething() {
        return true;
      }
    },
  }],
  ["quota-passes", {
    about: "mentions are counted: two of one element stand for another that is lost",
    plant: (Base) => class extends Base {
      counts(required, elements, states, parts) {
        const counts = super.counts(required, elements, states, parts);
        for (const [name, { total }] of counts) {
          const ours = elements.filter((element) => element.class === name);
          const mentions = ours.flatMap(({ forms, isExact }) => parts.flatMap((part) => this.reader.places(forms, isExact, part)));
          counts.set(name, { retained: Math.min(total, mentions.length), total });
        }
        return counts;
      }
    },
  }],
  ["label-match", {
    about: "an element is retained as soon as another of its class is",
    plant: (Base) => class extends Base {
      states(elements, parts) {
        const states = super.states(elements, parts);
        const labels = new Set(elements.filter(({ id }) => states.get(id) === "retained").map((element) => element.class));
        for (const element of elements) if (labels.has(element.class)) states.set(element.id, "retained");
        return states;
      }
    },
  }],
  ["floor-950", {
    about: "where no floor is given, 95 % is enough",
    plant: (Base) => class extends Base {
      floorOf(request, name) {
        return Object.hasOwn(request.floors_permille ?? {}, name) ? super.floorOf(request, name) : 950;
      }
    },
  }],
  ["floor-averaged", {
    about: "the floors are held against the fidelity over all required classes together",
    plant: (Base) => class extends Base {
      certifiedClasses(counts, request) {
        const sum = (key) => [...counts.values()].reduce((sofar, count) => sofar + count[key], 0);
        const together = { retained: sum("retained"), total: sum("total") };
        return super.certifiedClasses(new Map([...counts.keys()].map((name) => [name, together])), request);
      }
    },
  }],
  ["floor-strict", {
    about: "a class exactly at a floor below 1000 is not at it",
    plant: (Base) => class extends Base {
      isAtFloor({ retained, total }, floorPermille) {
        return retained === total || BigInt(retained) * 1000n > BigInt(floorPermille) * BigInt(total);
      }
    },
  }],
  ["empty-class-uncertified", {
    about: "a class that the source has no element of is not certified",
    plant: (Base) => class extends Base {
      certifiedClasses(counts, request) {
        return super.certifiedClasses(counts, request).filter((name) => counts.get(name).total > 0);
      }
    },
  }],
  ["inverted-reported-lost", {
    about: "what is inverted is named among what is lost",
    plant: (Base) => class extends Base {
      isReportedLost(state) {
        return state !== "retained";
      }
    },
  }],
  ["unknown-as-none", {
    about: "a span whose elements are unknown is taken for one that has none",
    plant: (Base) => class extends Base {
      isKnown() {
        return true;
      }
    },
  }],

  // Of plans.

  ["unclean-used", {
    about: "a summary is used that says the opposite of a known element",
    plant: (Base) => class extends Base {
      isClean({ isUsable }) {
        return isUsable;
      }
    },
  }],
  ["unknown-class-certified", {
    about: "nobody asks whether a guarded class is known",
    plant: (Base) => class extends Base {
      isKnownClass() {
        return true;
      }
    },
  }],
  ["required-only-guarded", {
    about: "a floor guards required classes only",
    plant: (Base) => class extends Base {
      guardedClasses(view) {
        return super.guardedClasses(view).filter((name) => view.required.includes(name));
      }
    },
  }],
  ["lineage-decision-ignored", {
    about: "a summary span that was made provisionally is as good as a certified one",
    plant: (Base) => class extends Base {
      isPoisoned(span) {
        return super.isPoisoned({ ...span, lineage: span.lineage && { ...span.lineage, decision: "certified" } });
      }
    },
  }],
  ["no-lineage-trusted", {
    about: "a summary span without a lineage is taken for an original",
    plant: (Base) => class extends Base {
      readSpan(span, path) {
        return { ...super.readSpan(span, path), isSummary: span.lineage !== undefined };
      }
    },
  }],
  ["effective-ignored", {
    about: "a summary span goes although its lineage does not hold a guarded class",
    plant: (Base) => class extends Base {
      isEffectiveIn() {
        return true;
      }
    },
  }],
  ["lost-forgotten", {
    about: "an element that was lost counts again once a text names it",
    plant: (Base) => class extends Base {
      isLostBefore() {
        return false;
      }
    },
  }],
  ["opposed-elsewhere-ignored", {
    about: "nobody looks whether another summary span says the opposite",
    plant: (Base) => class extends Base {
      isDeniedElsewhere() {
        return false;
      }
    },
  }],
  ["floor-per-summary", {
    about: "the floors are held against all spans of a summary together, not against each",
    plant: (Base) => class extends Base {
      keepsEnough(span, summary, name, { floors }) {
        return this.isAtFloor(tallyKept(elementsOf(summary.spans), name, summary), floors.get(name));
      }
    },
  }],
  ["all-or-nothing", {
    about: "a summary is used only when all its spans may go",
    plant: (Base) => class extends Base {
      going(summary, view) {
        const going = super.going(summary, view);
        return going.length === summary.spans.length ? going : [];
      }
    },
  }],
  ["evicts-when-full", {
    about: "when no sound plan fits, what may not go is evicted, and called certified",
    plant: (Base) => class extends Base {
      cheapestSoundPlan(view) {
        return this.provisionalPlan(view, super.cheapestSoundPlan(view));
      }
    },
  }],
  ["short-summary-unused", {
    about: "a summary of less than 15 % of its spans' tokens is not used",
    plant: (Base) => class extends Base {
      readSummary(given, view) {
        const summary = super.readSummary(given, view);
        if (summary.tokens * 100 < 15 * tokensOf(summary.spans)) summary.isUsable = summary.isClean = false;
        return summary;
      }
    },
  }],
  ["budget-off-by-one", {
    about: "the result may be one token over the budget",
    plant: (Base) => class extends Base {
      fits(view, plan) {
        return costOf(view, plan) <= view.request.budget_tokens + 1;
      }
    },
  }],
  ["no-op-compacts", {
    about: "what fits already is compacted",
    plant: (Base) => class extends Base {
      changesNothing() {
        return false;
      }
    },
  }],

  // Of results.

  ["provisional-unmarked", {
    about: "the summaries of a provisional result are not marked",
    plant: (Base) => class extends Base {
      isMarked() {
        return false;
      }
    },
  }],
  ["basis-always-recoverable", {
    about: "a provisional result is called recoverable when the source is gone",
    plant: (Base) => class extends Base {
      basis() {
        return "recoverable";
      }
    },
  }],
  ["kept-text-tidied", {
    about: "the white space of spans that are kept is tidied",
    plant: (Base) => class extends Base {
      keptEntry(span) {
        return { ...super.keptEntry(span), text: span.text.trim().replace(/\s+/g, " ") };
      }
    },
  }],
  ["generation-flat", {
    about: "a summary has the largest generation of what it replaces",
    plant: (Base) => class extends Base {
      lineageGeneration(spans) {
        return Math.max(1, super.lineageGeneration(spans) - 1);
      }
    },
  }],
  ["effective-of-summary-alone", {
    about: "a summary is effective in every known class, whatever it replaces",
    plant: (Base) => class extends Base {
      effectiveClasses(view) {
        return super.effectiveClasses(view, []);
      }
    },
  }],
  ["lineage-dropped", {
    about: "a summary that replaces a summary span has no lineage",
    plant: (Base) => class extends Base {
      summaryEntry(summary, spans, lineage, decision) {
        const { lineage: made, ...entry } = super.summaryEntry(summary, spans, lineage, decision);
        return spans.some(({ isSummary }) => isSummary) ? entry : { ...entry, lineage: made };
      }
    },
  }],
  ["lost-unlisted", {
    about: "what a summary has lost is not listed",
    plant: (Base) => class extends Base {
      summaryEntry(summary, spans, lineage, decision) {
        return { ...super.summaryEntry(summary, spans, lineage, decision), lost: [] };
      }
    },
  }],
  ["contract-of-summary-alone", {
    about: "the contract speaks of the new summaries, not of those that were kept",
    plant: (Base) => class extends Base {
      deliveredLineages(kept, made) {
        return made.length > 0 ? made : super.deliveredLineages(kept, made);
      }
    },
  }],

  // Of refusals.

  ["refusal-without-reasons", {
    about: "a refusal names no class, no span and no summary",
    plant: (Base) => class extends Base {
      refusal(view, sound) {
        const none = { missing_classes: [], unknown_spans: [], poisoned_spans: [], unclean_summaries: [] };
        return { ...super.refusal(view, sound), ...none };
      }
    },
  }],
  ["missing-all-guarded", {
    about: "a refusal names all guarded classes",
    plant: (Base) => class extends Base {
      missingClasses({ guarded }) {
        return guarded;
      }
    },
  }],
  ["over-budget-of-all", {
    about: "a refusal tells by how much everything is over the budget, not the cheapest sound plan",
    plant: (Base) => class extends Base {
      overBudget(view) {
        return super.overBudget(view, new Map());
      }
    },
  }],
  ["refusal-without-ways", {
    about: "a refusal names no way on",
    plant: (Base) => class extends Base {
      refusal(view, sound) {
        return { ...super.refusal(view, sound), escalations: [] };
      }
    },
  }],
]);

/** A guard under `policy`, with one fault planted if it is named. */
export function makeGuard(policy, fault) {
  const Kind = fault === undefined ? Guard : FAULTS.get(fault).plant(Guard);
  return new Kind(policy);
}

/** A guard that reads with a faulty reader. */
function readingWith(Base, FaultyReader) {
  return class extends Base {
    reader = new FaultyReader();
  };
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
