"""The guard with one mistake planted: each has been made in earnest, or is the smallest of its kind."""

from dataclasses import replace

import floorcheck
from guard_compact import Guard, cost, count, elements_of, tokens
from guard_decide import DANGERS
from guard_text import Part, Reader

FAULTS = {}  # name -> class, in the order of --list-faults


def fault(name, description):
    def register(guard_class):
        guard_class.name, guard_class.description = name, description
        FAULTS[name] = guard_class
        return guard_class

    return register


@fault("chaining-ignored", "chaining_risk is left out of the dangers")
class ChainingIgnored(Guard):
    dangers = tuple(danger for danger in DANGERS if danger != "chaining_risk")


@fault("danger-and", "under policy guard, too, only all three dangers together are one")
class DangerAnd(Guard):
    def is_dangerous(self, flags):
        return all(flags[danger] for danger in self.dangers)


@fault("recoverable-refuses", "refuses in danger although the source is recoverable")
class RecoverableRefuses(Guard):
    def must_refuse(self, flags):
        return self.is_dangerous(flags)


@fault("ancestry-ignored", "certifies whatever the ancestry")
class AncestryIgnored(Guard):
    def is_certified(self, required, certified, ancestry_certified):
        return super().is_certified(required, certified, True)


@fault("subset-overlap", "certifies when any required class is certified")
class SubsetOverlap(Guard):
    def is_certified(self, required, certified, ancestry_certified):
        return ancestry_certified and (not required or not required.isdisjoint(certified))


@fault("reason-all-required", "a refusal names all required classes as missing")
class ReasonAllRequired(Guard):
    def missing(self, required, certified):
        return sorted(required)


@fault("ratio-refuses", "refuses a summary of less than 15 % of its source, even a certified one")
class RatioRefuses(Guard):
    def decide(self, request):
        riders = request.get("riders", {})
        summary, source = riders.get("summary_tokens"), riders.get("source_tokens")
        if type(summary) is type(source) is int and summary * 100 < 15 * source:
            contract = request["contract"]
            return self.refusal(set(contract["required_classes"]), set(contract["certified_classes"]),
                                contract["generation"], contract["ancestry_certified"])
        return super().decide(request)


@fault("cached-per-contract", "remembers its first decision about a contract, whatever the flags later")
class CachedPerContract(Guard):
    def __init__(self, policy="guard"):
        super().__init__(policy)
        self.first = {}

    def decide(self, request):
        contract = request["contract"]
        key = (frozenset(contract["required_classes"]), frozenset(contract["certified_classes"]),
               contract["generation"], contract["ancestry_certified"])
        if key not in self.first:
            self.first[key] = super().decide(request)
        return self.first[key]


@fault("missing-flag-false", "a missing flag counts as false instead of as an error")
class MissingFlagFalse(Guard):
    validate = False  # it checks for itself, once the gaps are filled

    def certify(self, request):  # which has no flags
        floorcheck.validate("certify", request)
        return super().certify(request)

    def compact(self, request):
        request = with_flags(request)
        floorcheck.validate("compact", request)
        return super().compact(request)

    def decide(self, request):
        request = with_flags(request)
        floorcheck.validate("decide", request)
        return super().decide(request)

    def derive(self, request):
        if isinstance(request, dict) and isinstance(request.get("events"), list):
            request["events"] = [with_flags(event) for event in request["events"]]
        floorcheck.validate("derive", request)
        return super().derive(request)


def with_flags(holder):
    return {**dict.fromkeys(floorcheck.FLAGS, False), **holder} if isinstance(holder, dict) else holder


@fault("latest-only", "takes the event's own certificate for the whole chain's")
class LatestOnly(Guard):
    def effective(self, own, parents):
        return super().effective(own, [])


@fault("grandparent-skipped", "looks back to its inputs' own certificates and no further")
class GrandparentSkipped(Guard):
    def inherited(self, parent):
        return parent.own


@fault("merge-first-parent", "looks at the first input event only")
class MergeFirstParent(Guard):
    def parents(self, event, links, path):
        return super().parents(event, links, path)[:1]


@fault("generation-not-raised", "a child keeps the largest generation of its inputs")
class GenerationNotRaised(Guard):
    def generation(self, parents):
        return max((parent.generation for parent in parents), default=1)


@fault("provisional-parent-certified", "a provisional parent does not end the certified ancestry")
class ProvisionalParentCertified(Guard):
    def ancestry_certified(self, parents):
        return all(parent.ancestry_certified for parent in parents)


@fault("rounded-permille", "rounds a fidelity to the nearest permille before comparing it with the floor")
class RoundedPermille(Guard):
    def reaches(self, fidelity, floor_permille):
        retained, total = fidelity
        return total == 0 or (2000 * retained + total) // (2 * total) >= floor_permille


# Of reading. These faults show in certify and in compact.


def reading_fault(name, description):
    """Register the fault of a guard that reads with a faulty reader."""
    def register(reader_class):
        fault(name, description)(type(reader_class.__name__, (Guard,), {"reader": reader_class()}))
        return reader_class

    return register


@reading_fault("polarity-ignored", "does not look for inverted forms")
class PolarityIgnored(Reader):
    def element(self, given, path):
        return replace(super().element(given, path), inverted_forms=[])


@reading_fault("contradictory-retained", "what is said and also denied counts as retained")
class ContradictoryRetained(Reader):
    def verdict(self, said, opposed):
        return "retained" if said else super().verdict(said, opposed)


@reading_fault("exact-as-folded", "compares exact elements without regard to capitals and joiners")
class ExactAsFolded(Reader):
    def is_exact(self, given):
        return False


@reading_fault("joiners-ignored", "finds prod in non-prod, and 5 ms in 1.5 ms")
class JoinersIgnored(Reader):
    def cuts_a_run(self, place, part):
        return False


@reading_fault("glued-words", "finds port in report")
class GluedWords(Reader):
    def stands_alone(self, place, text):
        return True


@reading_fault("nesting-ignored", "a form counts inside an inverted form too, and the other way round")
class NestingIgnored(Reader):
    def is_inside(self, place, others):
        return False


@reading_fault("parts-joined", "joins the delivered parts and finds what begins in one and ends in the next")
class PartsJoined(Reader):
    def state(self, element, parts):
        return super().state(element, [Part(" ".join(part.text for part in parts))])


# Of certificates.


@fault("pins-ignored", "does not count what the pins say")
class PinsIgnored(Guard):
    def delivered_parts(self, output):
        return super().delivered_parts(output)[:1]


@fault("status-ignored", "certifies and uses what is an error, a refusal, or cut off")
class StatusIgnored(Guard):
    def is_status_fit(self, status):
        return True


@fault("empty-text-certifies", "certifies and uses a text without a word, as long as nothing is missing")
class EmptyTextCertifies(Guard):
    def says_something(self, parts):
        return True


@fault("quota-passes", "counts mentions: two of one element stand for another that is lost")
class QuotaPasses(Guard):
    def fidelities(self, required, elements, states, parts):
        counts = super().fidelities(required, elements, states, parts)
        return {name: (min(total, self.mentions(elements, name, parts)), total) for name, (_, total) in counts.items()}

    def mentions(self, elements, name, parts):
        return sum(len(self.reader.places(element.forms, element.is_exact, part))
                   for element in elements if element.element_class == name for part in parts)


@fault("label-match", "an element is retained as soon as another of its class is")
class LabelMatch(Guard):
    def states(self, elements, parts):
        states = super().states(elements, parts)
        classes = {element.element_class for element in elements if states[element.id] == "retained"}
        return {element.id: "retained" if element.element_class in classes else states[element.id] for element in elements}


@fault("floor-950", "where no floor is given, 95 % is enough")
class Floor950(Guard):
    required_class_floor_permille = 950


@fault("floor-averaged", "holds the floors against the fidelity over all required classes together")
class FloorAveraged(Guard):
    def certified_classes(self, required, fidelities, floors):
        retained, total = (sum(pair[at] for pair in fidelities.values()) for at in (0, 1))
        return [name for name in required if self.reaches((retained, total), floors[name])]


@fault("floor-strict", "a class exactly at a floor below 1000 is not at it")
class FloorStrict(Guard):
    def reaches(self, fidelity, floor_permille):
        retained, total = fidelity
        return retained == total or retained * 1000 > floor_permille * total


@fault("empty-class-uncertified", "does not certify a class that the source has no element of")
class EmptyClassUncertified(Guard):
    def certified_classes(self, required, fidelities, floors):
        return [name for name in super().certified_classes(required, fidelities, floors) if fidelities[name] != (0, 0)]


@fault("inverted-reported-lost", "names what is inverted among what is lost")
class InvertedReportedLost(Guard):
    def is_reported_lost(self, state):
        return state != "retained"


@fault("unknown-as-none", "takes a span whose elements are unknown for one that has none")
class UnknownAsNone(Guard):
    def has_known_elements(self, given):
        return True


# Of plans.


@fault("unclean-used", "uses a summary that says the opposite of a known element")
class UncleanUsed(Guard):
    def is_clean(self, case, summary):
        return self.is_usable_summary(summary)


@fault("unknown-class-certified", "does not ask whether a guarded class is known")
class UnknownClassCertified(Guard):
    def is_class_known(self, case, name):
        return True


@fault("required-only-guarded", "a floor guards required classes only")
class RequiredOnlyGuarded(Guard):
    def guarded(self, case):
        return [name for name in super().guarded(case) if name in case.required]


@fault("lineage-decision-ignored", "a summary span that was made provisionally is as good as a certified one")
class LineageDecisionIgnored(Guard):
    def read_lineage(self, given):
        lineage = super().read_lineage(given)
        return lineage if lineage is None or "lineage" not in given else replace(lineage, decision="certified")


@fault("no-lineage-trusted", "takes a summary span without a lineage for an original")
class NoLineageTrusted(Guard):
    def read_lineage(self, given):
        return super().read_lineage(given) if "lineage" in given else None


@fault("effective-ignored", "evicts a summary span whose lineage does not hold a guarded class")
class EffectiveIgnored(Guard):
    def is_effective_in(self, span, name):
        return True


@fault("lost-forgotten", "an element that was lost counts again once a text names it")
class LostForgotten(Guard):
    def keeps(self, summary, element):
        return super().keeps(summary, replace(element, was_lost=False))


@fault("opposed-elsewhere-ignored", "does not look whether another summary span says the opposite")
class OpposedElsewhereIgnored(Guard):
    def is_opposed_elsewhere(self, case, span):
        return False


@fault("floor-per-summary", "holds the floors against all spans of a summary together, not against each")
class FloorPerSummary(Guard):
    def is_at_floor(self, case, span, summary, name):
        together = count(elements_of(summary.spans), name, lambda element: element.id in summary.kept)
        return self.reaches(together, case.floors[name])


@fault("all-or-nothing", "uses a summary only when all its spans may go")
class AllOrNothing(Guard):
    def going(self, case, summary):
        going = super().going(case, summary)
        return going if len(going) == len(summary.spans) else []


@fault("evicts-when-full", "when no sound plan fits, evicts what may not go and calls it certified")
class EvictsWhenFull(Guard):
    def cheapest_sound_plan(self, case):
        return self.provisional_plan(case, super().cheapest_sound_plan(case))


@fault("short-summary-unused", "does not use a summary of less than 15 % of its spans' tokens")
class ShortSummaryUnused(Guard):
    def is_usable_summary(self, summary):
        return super().is_usable_summary(summary) and summary.tokens * 100 >= 15 * tokens(summary.spans)


@fault("budget-off-by-one", "goes one token over the budget")
class BudgetOffByOne(Guard):
    def fits(self, case, plan):
        return cost(case, plan) <= case.budget + 1


@fault("no-op-compacts", "compacts what fits already")
class NoOpCompacts(Guard):
    def changes_nothing(self, case):
        return False


# Of results.


@fault("provisional-unmarked", "does not mark the summaries of a provisional result")
class ProvisionalUnmarked(Guard):
    def is_marked(self, decision):
        return False


@fault("basis-always-recoverable", "calls a provisional result recoverable when the source is gone")
class BasisAlwaysRecoverable(Guard):
    def basis(self, case):
        return "recoverable"


@fault("kept-text-tidied", "tidies the white space of spans that it keeps")
class KeptTextTidied(Guard):
    def kept_entry(self, span):
        return {**super().kept_entry(span), "text": " ".join(span.part.text.split())}


@fault("generation-flat", "a summary has the largest generation of what it replaces")
class GenerationFlat(Guard):
    def lineage_generation(self, spans):
        return max(1, super().lineage_generation(spans) - 1)


@fault("effective-of-summary-alone", "a summary is effective in every known class, whatever it replaces")
class EffectiveOfSummaryAlone(Guard):
    def effective_classes(self, case, replaced):
        return super().effective_classes(case, [])


@fault("lineage-dropped", "a summary that replaces a summary span has no lineage")
class LineageDropped(Guard):
    def summary_entry(self, summary, spans, lineage, decision):
        entry = super().summary_entry(summary, spans, lineage, decision)
        if any(span.lineage is not None for span in spans):
            del entry["lineage"]
        return entry


@fault("lost-unlisted", "does not list what a summary has lost")
class LostUnlisted(Guard):
    def summary_entry(self, summary, spans, lineage, decision):
        return {**super().summary_entry(summary, spans, lineage, decision), "lost": []}


@fault("contract-of-summary-alone", "the contract speaks of the new summaries, not of those that were kept")
class ContractOfSummaryAlone(Guard):
    def delivered_lineages(self, kept, new):
        return new or super().delivered_lineages(kept, new)


# Of refusals.


@fault("refusal-without-reasons", "a refusal names no class, no span and no summary")
class RefusalWithoutReasons(Guard):
    def refuse(self, case, plan):
        refusal = super().refuse(case, plan)
        return {name: value if name in ("decision", "over_budget_tokens", "escalations") else [] for name, value in refusal.items()}


@fault("missing-all-guarded", "a refusal names all guarded classes")
class MissingAllGuarded(Guard):
    def missing_classes(self, case, usable):
        return self.guarded(case)


@fault("over-budget-of-all", "a refusal tells by how much everything is over the budget, not the cheapest sound plan")
class OverBudgetOfAll(Guard):
    def over_budget(self, case, plan):
        return super().over_budget(case, {})


@fault("refusal-without-ways", "a refusal names no way on")
class RefusalWithoutWays(Guard):
    def refuse(self, case, plan):
        return {**super().refuse(case, plan), "escalations": []}
