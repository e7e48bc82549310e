/** Certificates of texts, and what a compaction may do: the ops certify and compact. */
import { Decider, fidelities, floorOf, sortedSet } from "./guard_decide.mjs";
import { Part, Reader } from "./guard_text.mjs";

/** Where there is something to retrieve, `retrieve` is one more. */
const WAYS_ON = ["raise_budget", "split_task", "checkpoint", "human"];

/** Does all four ops as the rules say. A fault overrides one method of it, or of its reader. */
export class Guard extends Decider {
  reader = new Reader();

  // certify

  /** certify.in to certify.out */
  certify(request) {
    const { output, decoys = [] } = request;
    const parts = this.deliveredParts(output);
    const spans = this.readSpans(request.source, "in.source");
    const required = sortedSet(request.required_classes);
    const elements = elementsOf(spans).filter((element) => required.includes(element.class));
    const states = this.states(elements, parts);
    const counts = this.counts(required, elements, states, parts);
    const mayCertify = this.isUsable(parts, output.status) && spans.every((span) => span.isKnown);
    const absent = decoys.map((decoy, i) => this.reader.element(decoy, `in.decoys[${i}]`));
    const named = (isNamed) => elements.filter(({ id }) => isNamed(states.get(id))).map(({ id }) => id);
    return {
      certified_classes: mayCertify ? this.certifiedClasses(counts, request) : [],
      fidelity: fidelities(counts),
      lost: named((state) => this.isReportedLost(state)),
      inverted: named((state) => state === "inverted" || state === "contradictory"),
      fabricated: absent.filter((decoy) => this.reader.state(decoy, parts) === "retained").map(({ id }) => id),
    };
  }

  deliveredParts({ text, pins = [] }) {
    return [text, ...pins].map((part) => new Part(part));
  }

  /** Element id to what the parts say of it. */
  states(elements, parts) {
    return new Map(elements.map((element) => [element.id, this.reader.state(element, parts)]));
  }

  /** Class to fidelity. An element counts once, however often it is mentioned. */
  counts(required, elements, states) {
    return new Map(required.map((name) => [name, tally(elements, name, ({ id }) => states.get(id) === "retained")]));
  }

  certifiedClasses(counts, request) {
    return [...counts.keys()].filter((name) => this.isAtFloor(counts.get(name), this.floorOf(request, name)));
  }

  isReportedLost(state) {
    return state === "lost";
  }

  isUsable(parts, status) {
    return this.isStatusFit(status) && this.saysSomething(parts);
  }

  isStatusFit(status = "ok") {
    return status === "ok";
  }

  saysSomething(parts) {
    return parts.some((part) => part.hasWord);
  }

  /** G(c) of a required class. */
  floorOf(request, name) {
    return floorOf(request, name);
  }

  // compact

  /** compact.in to compact.out */
  compact(request) {
    const view = this.read(request);
    const nothing = new Map();
    if (this.changesNothing(view)) return this.result(view, nothing, "certified");
    const sound = this.cheapestSoundPlan(view);
    if (this.fits(view, sound)) return this.result(view, sound, "certified");
    if (!this.mayGoOnUncertified(request)) return this.refusal(view, sound);
    const provisional = this.provisionalPlan(view, sound);
    return this.fits(view, provisional) ? this.result(view, provisional, "provisional") : this.refusal(view, sound);
  }

  /** The request with its elements folded, and each question about a summary answered once. */
  read(request) {
    const spans = this.readSpans(request.spans, "in.spans");
    const required = sortedSet(request.required_classes);
    const floors = new Map(Object.entries(request.floors_permille ?? {}));
    for (const name of required) floors.set(name, this.floorOf(request, name));
    const view = { request, spans, required, floors, known: new Set(request.known_classes) };
    view.summarySpans = spans.filter(({ isSummary }) => isSummary);
    view.guarded = this.guardedClasses(view);
    view.summaries = request.summaries.map((summary) => this.readSummary(summary, view));
    return view;
  }

  readSpans(spans, path) {
    return spans.map((span, i) => this.readSpan(span, `${path}[${i}]`));
  }

  readSpan(span, path) {
    const { id, kind, tokens, text, lineage, elements = [] } = span;
    return {
      id, tokens, text, lineage,
      part: new Part(text),
      isKnown: this.isKnown(span),
      isSummary: kind === "summary" || lineage !== undefined,
      elements: elements.map((element, i) => this.reader.element(element, `${path}.elements[${i}]`)),
    };
  }

  isKnown({ elements }) {
    return elements !== undefined;
  }

  readSummary({ id, of, text, tokens, status }, { spans }) {
    const members = new Set(of);
    const summary = { id, text, tokens, part: new Part(text), spans: spans.filter((span) => members.has(span.id)) };
    summary.isUsable = this.isUsable([summary.part], status);
    summary.isClean = this.isClean(summary, spans);
    summary.kept = new Set(elementsOf(summary.spans).filter((element) => this.keeps(summary, element)).map((element) => element.id));
    return summary;
  }

  /** A floor guards a class, required or not. */
  guardedClasses({ floors }) {
    return sortedSet(floors.keys()).filter((name) => floors.get(name) > 0);
  }

  /** Usable, and it denies nothing that is known. */
  isClean(summary, spans) {
    return summary.isUsable && !this.denyAny([summary.part], elementsOf(spans));
  }

  denyAny(parts, elements) {
    return elements.some((element) => parts.some((part) => this.reader.denies(element, part)));
  }

  /** Once lost stays lost, even if the text names it again. */
  keeps(summary, element) {
    return !this.isLostBefore(element) && this.reader.state(element, [summary.part]) === "retained";
  }

  isLostBefore({ wasLost }) {
    return wasLost;
  }

  // Plans: used summary to the spans that are evicted under it.

  changesNothing(view) {
    return this.fits(view, new Map());
  }

  fits(view, plan) {
    return costOf(view, plan) <= view.request.budget_tokens;
  }

  /** Summary by summary: keep all its spans, or use it and keep what may not go. */
  cheapestSoundPlan(view) {
    const plan = new Map();
    for (const summary of view.summaries.filter(({ isClean }) => isClean)) {
      const going = this.going(summary, view);
      if (summary.tokens < tokensOf(going)) plan.set(summary, going);
    }
    return plan;
  }

  going(summary, view) {
    return summary.spans.filter((span) => this.mayGo(span, summary, view));
  }

  /** Takes a sound plan further, clean summaries first, until it fits or nothing more can be saved. */
  provisionalPlan(view, sound) {
    const usable = view.summaries.filter((summary) => summary.isUsable && summary.spans.length > 0);
    let plan = sound;
    for (const summary of [...usable.filter(({ isClean }) => isClean), ...usable.filter(({ isClean }) => !isClean)]) {
      if (this.fits(view, plan)) break;
      const further = new Map(plan).set(summary, summary.spans);
      if (costOf(view, further) < costOf(view, plan)) plan = further;
    }
    return plan;
  }

  mayGo(span, summary, view) {
    return span.isKnown && !this.isPoisoned(span) && this.obstacles(span, summary, view).length === 0 && !this.isDeniedElsewhere(span, view);
  }

  isPoisoned(span) {
    return span.isSummary && !this.isClear(span.lineage);
  }

  isClear(lineage) {
    return lineage !== undefined && lineage.ancestry_certified && lineage.decision === "certified";
  }

  /** The guarded classes that keep a span from going. */
  obstacles(span, summary, view) {
    return view.guarded.filter((name) =>
      !this.isKnownClass(name, view) || !this.isEffectiveIn(span, name) || !this.keepsEnough(span, summary, name, view));
  }

  isKnownClass(name, { known }) {
    return known.has(name);
  }

  isEffectiveIn({ lineage }, name) {
    return lineage === undefined || effectiveOf(lineage).has(name);
  }

  keepsEnough(span, summary, name, { floors }) {
    return this.isAtFloor(tallyKept(span.elements, name, summary), floors.get(name));
  }

  /** Whether another summary span of the request denies what is guarded in this one. */
  isDeniedElsewhere(span, { summarySpans, guarded }) {
    const others = summarySpans.filter((other) => other !== span).map(({ part }) => part);
    return this.denyAny(others, span.elements.filter((element) => guarded.includes(element.class)));
  }

  // Results

  result(view, plan, decision) {
    const goneUnder = new Map([...plan].flatMap(([summary, spans]) => spans.map((span) => [span, summary])));
    const kept = view.spans.filter((span) => !goneUnder.has(span));
    const lineages = new Map([...plan].map(([summary, spans]) => [summary, this.lineage(summary, spans, view, decision)]));
    const delivered = [...kept, ...plan.keys()].map(({ part }) => part);
    return {
      decision,
      ...(decision === "provisional" && { basis: this.basis(view.request) }),
      kept: kept.map(({ id }) => id),
      evicted: view.spans.filter((span) => goneUnder.has(span)).map((span) => this.tag(span, goneUnder.get(span))),
      output: this.output(view, plan, goneUnder, lineages, decision),
      contract: this.contract(view, this.deliveredLineages(kept, [...lineages.values()]), delivered),
    };
  }

  basis({ source_recoverable }) {
    return source_recoverable ? "recoverable" : "harmless";
  }

  tag(span, summary) {
    const counts = new Map(span.elements.map((element) => [element.class, tallyKept(span.elements, element.class, summary)]));
    return { span: span.id, summary: summary.id, fidelity: fidelities(counts) };
  }

  /** In order. A summary stands where the first span it replaces has stood. */
  output(view, plan, goneUnder, lineages, decision) {
    const stands = new Set();
    return view.spans.flatMap((span) => {
      const summary = goneUnder.get(span);
      if (summary === undefined) return [this.keptEntry(span)];
      if (stands.has(summary)) return [];
      stands.add(summary);
      return [this.summaryEntry(summary, plan.get(summary), lineages.get(summary), decision)];
    });
  }

  keptEntry({ id, text, lineage }) {
    return { kind: "span", span: id, text, ...(lineage !== undefined && { lineage }) };
  }

  summaryEntry(summary, spans, lineage, decision) {
    const lost = elementsOf(spans).filter(({ id }) => !summary.kept.has(id)).map(({ id }) => id);
    return { kind: "summary", summary: summary.id, text: summary.text, provisional: this.isMarked(decision), lineage, lost };
  }

  isMarked(decision) {
    return decision === "provisional";
  }

  lineage(summary, spans, view, decision) {
    const replaced = spans.filter(({ isSummary }) => isSummary);
    const classes = this.effectiveClasses(view, replaced);
    return {
      generation: this.lineageGeneration(spans),
      ancestry_certified: !replaced.some((span) => this.isPoisoned(span)),
      decision,
      effective: fidelities(new Map(classes.map((name) => [name, tallyKept(elementsOf(spans), name, summary)]))),
    };
  }

  lineageGeneration(spans) {
    return 1 + largest(spans.map(generationOf));
  }

  /** A class that is not effective in what is replaced will never be so again. */
  effectiveClasses({ known }, replaced) {
    return [...known].filter((name) => replaced.every(({ lineage }) => lineage !== undefined && effectiveOf(lineage).has(name)));
  }

  /** Undefined stands for the lineage that a summary span does not have. */
  deliveredLineages(kept, made) {
    return [...kept.filter(({ isSummary }) => isSummary).map(({ lineage }) => lineage), ...made];
  }

  /** Speaks of the context as it is delivered. */
  contract(view, lineages, parts) {
    const isClear = lineages.every((lineage) => this.isClear(lineage));
    return {
      required_classes: view.required,
      certified_classes: isClear ? view.required.filter((name) => this.isHeld(name, view, lineages, parts)) : [],
      generation: largest(lineages.map((lineage) => lineage?.generation ?? 1)),
      ancestry_certified: isClear,
    };
  }

  isHeld(name, { spans, floors }, lineages, parts) {
    const isAtFloor = lineages.every((lineage) => {
      const fidelity = effectiveOf(lineage).get(name);
      return fidelity !== undefined && this.isAtFloor(fidelity, floors.get(name));
    });
    return isAtFloor && !this.denyAny(parts, elementsOf(spans).filter((element) => element.class === name));
  }

  // Refusals

  /** `sound` is the cheapest sound plan. */
  refusal(view, sound) {
    const usable = view.summaries.filter(({ isUsable }) => isUsable);
    const covered = usable.flatMap(({ spans }) => spans);
    return {
      decision: "refuse",
      missing_classes: this.missingClasses(view, usable),
      over_budget_tokens: this.overBudget(view, sound),
      escalations: view.request.source_recoverable ? [...WAYS_ON, "retrieve"] : WAYS_ON,
      unknown_spans: covered.filter(({ isKnown }) => !isKnown).map(({ id }) => id),
      poisoned_spans: covered.filter((span) => this.isPoisoned(span)).map(({ id }) => id),
      unclean_summaries: usable.filter(({ isClean }) => !isClean).map(({ id }) => id),
    };
  }

  missingClasses(view, usable) {
    return sortedSet(usable.flatMap((summary) => summary.spans.flatMap((span) => this.obstacles(span, summary, view))));
  }

  overBudget(view, plan) {
    return costOf(view, plan) - view.request.budget_tokens;
  }
}

/** Tokens of what is kept and what is used. */
export function costOf({ spans }, plan) {
  return tokensOf(spans) + [...plan].reduce((sum, [summary, evicted]) => sum + summary.tokens - tokensOf(evicted), 0);
}

export function tokensOf(spans) {
  return spans.reduce((sum, { tokens }) => sum + tokens, 0);
}

export function elementsOf(spans) {
  return spans.flatMap(({ elements }) => elements);
}

/** How many elements of a class there are, and of how many `isKept` holds. */
export function tally(elements, name, isKept) {
  const ours = elements.filter((element) => element.class === name);
  return { retained: ours.filter(isKept).length, total: ours.length };
}

export function tallyKept(elements, name, summary) {
  return tally(elements, name, ({ id }) => summary.kept.has(id));
}

function effectiveOf({ effective }) {
  return new Map(effective.map((entry) => [entry.class, entry]));
}

/** 0 among none. (Math.max takes only so many arguments.) */
function largest(numbers) {
  return numbers.reduce((sofar, number) => Math.max(sofar, number), 0);
}

function generationOf({ isSummary, lineage }) {
  return lineage?.generation ?? (isSummary ? 1 : 0);
}
