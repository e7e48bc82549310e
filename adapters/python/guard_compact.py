"""Certificates of texts, and what a compaction may do: the ops certify and compact."""

from dataclasses import dataclass, field

from guard_decide import REQUIRED_CLASS_FLOOR_PERMILLE, Decider
from guard_text import Part, Reader

ESCALATIONS = ["raise_budget", "split_task", "checkpoint", "human"]  # and retrieve, where there is something to retrieve


@dataclass
class Lineage:
    """What a summary span says of its own making."""

    generation: int
    ancestry_certified: bool
    decision: str
    effective: dict  # class -> (retained, total)

    def is_certified(self):
        return self.ancestry_certified and self.decision == "certified"


@dataclass
class Span:
    """A span as the rules look at it."""

    id: str
    tokens: int
    part: Part
    elements: list  # those that are known
    has_known_elements: bool
    lineage: Lineage  # None: an original
    has_lineage: bool
    given: dict

    @property
    def generation(self):
        return self.lineage.generation if self.lineage else 0


@dataclass
class Summary:
    """A proposed summary, with what it may replace."""

    id: str
    tokens: int
    part: Part
    status: str
    spans: list
    kept: set = field(default_factory=set)  # ids of the spans' elements that it keeps


@dataclass
class Case:
    """A compact.in, read. A plan for it maps the id of each used summary to the spans evicted under it."""

    spans: list
    summary_spans: list  # those of the spans that stand for originals
    summaries: list
    required: list
    known: set
    floors: dict  # class -> permille, for every required class too
    budget: int
    flags: dict  # the request itself: it has them among its fields


class Guard(Decider):
    """A correct subject. Faults override one method each; requests arrive checked by the helper."""

    validate = True
    reader = Reader()
    required_class_floor_permille = REQUIRED_CLASS_FLOOR_PERMILLE

    # The op certify.

    def certify(self, request):
        spans = self.read_spans(request["source"], "in.source")
        parts = self.delivered_parts(request["output"])
        required = sorted(set(request["required_classes"]))
        elements = [element for span in spans for element in span.elements if element.element_class in required]
        states = self.states(elements, parts)
        fidelities = self.fidelities(required, elements, states, parts)
        floors = self.floors(required, request)
        certified = []
        if self.certifies_anything(spans, parts, request["output"].get("status", "ok")):
            certified = self.certified_classes(required, fidelities, floors)
        return {"certified_classes": certified, "fidelity": entries(fidelities),
                "lost": [element.id for element in elements if self.is_reported_lost(states[element.id])],
                "inverted": [element.id for element in elements if states[element.id] in ("inverted", "contradictory")],
                "fabricated": self.fabricated(request.get("decoys", ()), parts)}

    def delivered_parts(self, output):
        return [Part(text) for text in [output["text"], *output.get("pins", ())]]

    def states(self, elements, parts):
        return {element.id: self.reader.state(element, parts) for element in elements}

    def fidelities(self, required, elements, states, parts):
        """Count elements by identity: each is retained or not, however often the output has its forms."""
        return {name: count(elements, name, lambda element: states[element.id] == "retained") for name in required}

    def certifies_anything(self, spans, parts, status):
        return self.is_usable(parts, status) and all(span.has_known_elements for span in spans)

    def is_usable(self, parts, status):
        return self.is_status_fit(status) and self.says_something(parts)

    def is_status_fit(self, status):
        return status == "ok"

    def says_something(self, parts):
        return any(part.has_word() for part in parts)

    def certified_classes(self, required, fidelities, floors):
        return [name for name in required if self.reaches(fidelities[name], floors[name])]

    def is_reported_lost(self, state):
        return state == "lost"

    def fabricated(self, decoys, parts):
        decoys = [self.reader.element(decoy, f"in.decoys[{number}]") for number, decoy in enumerate(decoys)]
        return [decoy.id for decoy in decoys if self.reader.state(decoy, parts) == "retained"]

    def floors(self, required, request):
        return {**dict.fromkeys(required, self.required_class_floor_permille), **request.get("floors_permille", {})}

    # The op compact.

    def compact(self, request):
        case = self.read(request)
        if self.changes_nothing(case):
            return self.result(case, {}, "certified")
        plan = self.cheapest_sound_plan(case)
        if self.fits(case, plan):
            return self.result(case, plan, "certified")
        if self.must_refuse(case.flags):
            return self.refuse(case, plan)
        provisional_plan = self.provisional_plan(case, plan)
        if not self.fits(case, provisional_plan):
            return self.refuse(case, plan)
        return self.result(case, provisional_plan, "provisional")

    def read(self, request):
        spans = self.read_spans(request["spans"], "in.spans")
        summaries = [self.read_summary(given, spans) for given in request["summaries"]]
        required = sorted(set(request["required_classes"]))
        summary_spans = [span for span in spans if span.lineage is not None]
        return Case(spans, summary_spans, summaries, required, set(request["known_classes"]), self.floors(required, request),
                    request["budget_tokens"], request)

    def read_summary(self, given, spans):
        of = set(given["of"])
        summary = Summary(given["id"], given["tokens"], Part(given["text"]), given.get("status", "ok"),
                          [span for span in spans if span.id in of])
        summary.kept = {element.id for element in elements_of(summary.spans) if self.keeps(summary, element)}
        return summary

    def read_spans(self, given_spans, path):
        return [self.read_span(given, f"{path}[{number}]") for number, given in enumerate(given_spans)]

    def read_span(self, given, path):
        elements = [self.reader.element(element, f"{path}.elements[{number}]")
                    for number, element in enumerate(given.get("elements", ()))]
        return Span(given["id"], given["tokens"], Part(given["text"]), elements, self.has_known_elements(given),
                    self.read_lineage(given), "lineage" in given, given)

    def has_known_elements(self, given):
        return "elements" in given

    def read_lineage(self, given):
        """Return the lineage of a summary span. One without counts as generation 1, and certifies nothing."""
        if "lineage" in given:
            lineage = given["lineage"]
            effective = {entry["class"]: (entry["retained"], entry["total"]) for entry in lineage["effective"]}
            return Lineage(lineage["generation"], lineage["ancestry_certified"], lineage["decision"], effective)
        return Lineage(1, False, "provisional", {}) if given["kind"] == "summary" else None

    def keeps(self, summary, element):
        """Return whether a summary keeps an element. Once lost stays lost, even if the text names it again."""
        return not element.was_lost and self.reader.state(element, [summary.part]) == "retained"

    # Plans.

    def changes_nothing(self, case):
        return self.fits(case, {})

    def fits(self, case, plan):
        return cost(case, plan) <= case.budget

    def cheapest_sound_plan(self, case):
        """Use each clean summary that is cheaper than the spans that may go under it."""
        plan = {}
        for summary in case.summaries:
            if not self.is_clean(case, summary):
                continue
            going = self.going(case, summary)
            if summary.tokens < tokens(going):
                plan[summary.id] = going
        return plan

    def going(self, case, summary):
        return [span for span in summary.spans if self.may_go(case, span, summary)]

    def provisional_plan(self, case, plan):
        """Evict more than a sound plan, clean summaries first, until the budget is kept or nothing is left to do."""
        for summary in sorted(case.summaries, key=lambda summary: not self.is_clean(case, summary)):
            if self.fits(case, plan):
                break
            fuller = {**plan, summary.id: summary.spans}
            if self.is_usable_summary(summary) and summary.spans and cost(case, fuller) < cost(case, plan):
                plan = fuller
        return plan

    def is_usable_summary(self, summary):
        return self.is_usable([summary.part], summary.status)

    def is_clean(self, case, summary):
        """A clean summary is usable and says the opposite of nothing that is known."""
        return self.is_usable_summary(summary) and not self.opposes_any(elements_of(case.spans), [summary.part])

    def opposes_any(self, elements, parts):
        return any(self.reader.opposes(element, part) for element in elements for part in parts)

    def may_go(self, case, span, summary):
        return (span.has_known_elements and self.is_clean_lineage(span) and not self.blocking_classes(case, span, summary)
                and not self.is_opposed_elsewhere(case, span))

    def is_clean_lineage(self, span):
        return span.lineage is None or span.lineage.is_certified()

    def blocking_classes(self, case, span, summary):
        """Return the guarded classes that keep a span from going under a summary."""
        return [name for name in self.guarded(case) if not self.is_class_known(case, name) or not self.is_effective_in(span, name)
                or not self.is_at_floor(case, span, summary, name)]

    def guarded(self, case):
        return sorted(name for name, floor in case.floors.items() if floor > 0)

    def is_class_known(self, case, name):
        return name in case.known

    def is_effective_in(self, span, name):
        return not span.has_lineage or name in span.lineage.effective

    def is_at_floor(self, case, span, summary, name):
        return self.reaches(self.fidelity(span, summary, name), case.floors[name])

    def fidelity(self, span, summary, name):
        return count(span.elements, name, lambda element: element.id in summary.kept)

    def is_opposed_elsewhere(self, case, span):
        """Return whether another summary span says the opposite of what is guarded in this one."""
        others = [other.part for other in case.summary_spans if other is not span]
        guarded = self.guarded(case)
        return self.opposes_any([element for element in span.elements if element.element_class in guarded], others)

    # Results.

    def result(self, case, plan, decision):
        evicted_under = {span.id: summary for summary in case.summaries for span in plan.get(summary.id, ())}
        lineages = {summary.id: self.lineage(case, summary, plan[summary.id], decision)
                    for summary in case.summaries if summary.id in plan}
        kept = [span for span in case.spans if span.id not in evicted_under]
        used = [summary for summary in case.summaries if summary.id in plan]
        out = {"decision": decision}
        if decision == "provisional":
            out["basis"] = self.basis(case)
        out["kept"] = [span.id for span in kept]
        out["evicted"] = [self.tag(span, evicted_under[span.id]) for span in case.spans if span.id in evicted_under]
        out["output"] = self.output(case, plan, evicted_under, lineages, decision)
        delivered = self.delivered_lineages(kept, list(lineages.values()))
        out["contract"] = self.contract(case, delivered, [whole.part for whole in kept + used])
        return out

    def delivered_lineages(self, kept, new):
        return [span.lineage for span in kept if span.lineage is not None] + new

    def basis(self, case):
        return "recoverable" if case.flags["source_recoverable"] else "harmless"

    def tag(self, span, summary):
        names = sorted({element.element_class for element in span.elements})
        return {"span": span.id, "summary": summary.id,
                "fidelity": entries({name: self.fidelity(span, summary, name) for name in names})}

    def output(self, case, plan, evicted_under, lineages, decision):
        """Return what is delivered, in order. A summary stands where the first span that it replaces stood."""
        out, used = [], set()
        for span in case.spans:
            summary = evicted_under.get(span.id)
            if summary is None:
                out.append(self.kept_entry(span))
            elif summary.id not in used:
                used.add(summary.id)
                out.append(self.summary_entry(summary, plan[summary.id], lineages[summary.id], decision))
        return out

    def kept_entry(self, span):
        entry = {"kind": "span", "span": span.id, "text": span.given["text"]}
        return {**entry, "lineage": span.given["lineage"]} if span.has_lineage else entry

    def summary_entry(self, summary, spans, lineage, decision):
        return {"kind": "summary", "summary": summary.id, "text": summary.part.text,
                "provisional": self.is_marked(decision),
                "lineage": {"generation": lineage.generation, "ancestry_certified": lineage.ancestry_certified,
                            "decision": lineage.decision, "effective": entries(lineage.effective)},
                "lost": [element.id for element in elements_of(spans) if element.id not in summary.kept]}

    def is_marked(self, decision):
        return decision == "provisional"

    def lineage(self, case, summary, spans, decision):
        replaced = [span.lineage for span in spans if span.lineage is not None]
        effective = {name: count(elements_of(spans), name, lambda element: element.id in summary.kept)
                     for name in self.effective_classes(case, replaced)}
        return Lineage(self.lineage_generation(spans), all(lineage.is_certified() for lineage in replaced), decision, effective)

    def lineage_generation(self, spans):
        return 1 + max(span.generation for span in spans)

    def effective_classes(self, case, replaced):
        """A class that a replaced summary span does not hold is gone for good."""
        return sorted(case.known.intersection(*[lineage.effective for lineage in replaced]))

    def contract(self, case, lineages, parts):
        """Speak of the context as delivered. lineages: of all summary spans in it, kept and new."""
        is_certified = all(lineage.is_certified() for lineage in lineages)
        return {"required_classes": case.required,
                "certified_classes": [name for name in case.required if is_certified and self.holds(case, name, lineages, parts)],
                "generation": max([lineage.generation for lineage in lineages], default=0),  # originals have 0
                "ancestry_certified": is_certified}

    def holds(self, case, name, lineages, parts):
        at_floor = all(name in lineage.effective and self.reaches(lineage.effective[name], case.floors[name]) for lineage in lineages)
        return at_floor and not self.opposes_any([element for element in elements_of(case.spans) if element.element_class == name], parts)

    # Refusals.

    def refuse(self, case, plan):
        """plan: the cheapest sound one."""
        usable = [summary for summary in case.summaries if self.is_usable_summary(summary)]
        covered = [span for summary in usable for span in summary.spans]
        return {"decision": "refuse", "missing_classes": self.missing_classes(case, usable),
                "over_budget_tokens": self.over_budget(case, plan),
                "escalations": ESCALATIONS + (["retrieve"] if case.flags["source_recoverable"] else []),
                "unknown_spans": [span.id for span in covered if not span.has_known_elements],
                "poisoned_spans": [span.id for span in covered if not self.is_clean_lineage(span)],
                "unclean_summaries": [summary.id for summary in usable if not self.is_clean(case, summary)]}

    def missing_classes(self, case, usable):
        return sorted({name for summary in usable for span in summary.spans for name in self.blocking_classes(case, span, summary)})

    def over_budget(self, case, plan):
        return cost(case, plan) - case.budget


def tokens(holders):
    return sum(holder.tokens for holder in holders)


def cost(case, plan):
    """Return the tokens of the kept spans and the used summaries."""
    used = [summary for summary in case.summaries if summary.id in plan]
    return tokens(case.spans) - sum(tokens(spans) for spans in plan.values()) + tokens(used)


def elements_of(spans):
    return [element for span in spans for element in span.elements]


def count(elements, name, is_kept):
    """Return how many elements of a class are kept, and how many there are."""
    kept = [is_kept(element) for element in elements if element.element_class == name]
    return sum(kept), len(kept)


def entries(fidelities):
    return [{"class": name, "retained": retained, "total": total} for name, (retained, total) in sorted(fidelities.items())]
