"""A subject that decides as docs/protocol.md and docs/rules.md say (families decide/ and derive/).

    python3 guard.py [--policy guard|joint] [--fault NAME] [--list-faults]

--fault plants one mistake that has been made in earnest, so that one can see the suite find it.
"""

import argparse
import difflib
import sys
from dataclasses import dataclass

sys.dont_write_bytecode = True  # a guard leaves nothing behind in the folder that it is run from
import floorcheck

DANGERS = ("consumer_strict", "chaining_risk", "side_effect_cost_exceeds_refusal")
REQUIRED_CLASS_FLOOR_PERMILLE = 1000  # where floors_permille names none


@dataclass
class Link:
    """What an event leaves to its descendants. A fidelity is (retained, total)."""

    own: dict  # class -> fidelity of its certificate
    effective: dict  # class -> least fidelity over the chain
    generation: int
    ancestry_certified: bool
    decision: str


class Guard:
    """A correct subject. Faults override one method each; requests arrive checked by the helper."""

    validate = True
    dangers = DANGERS

    def __init__(self, policy="guard"):
        self.policy = policy

    # The op decide.

    def decide(self, request):
        contract = request["contract"]
        required = set(contract["required_classes"])
        certified = set(contract["certified_classes"])
        return self.judge(required, certified, contract["generation"], contract["ancestry_certified"], request)

    def judge(self, required, certified, generation, ancestry_certified, flags):
        """Return a decide.out. An event of derive is judged by the same words as a contract."""
        if self.is_certified(required, certified, ancestry_certified):
            return {"decision": "certified"}
        if not self.must_refuse(flags):
            return {"decision": "provisional"}
        return self.refusal(required, certified, generation, ancestry_certified)

    def is_certified(self, required, certified, ancestry_certified):
        return ancestry_certified and required <= certified

    def must_refuse(self, flags):
        return not flags["source_recoverable"] and self.is_dangerous(flags)

    def is_dangerous(self, flags):
        counts = all if self.policy == "joint" else any
        return counts([flags[danger] for danger in self.dangers])

    def refusal(self, required, certified, generation, ancestry_certified):
        return {"decision": "refuse", "missing_classes": self.missing(required, certified),
                "generation": generation, "ancestry_certified": ancestry_certified}

    def missing(self, required, certified):
        return sorted(required - certified)

    # The op derive.

    def derive(self, request):
        links, answers = {}, []
        for number, event in enumerate(request["events"]):
            parents = self.parents(event, links, f"in.events[{number}].inputs")
            link, answer = self.derive_event(event, parents)
            links[event["id"]] = link
            answers.append(answer)
        return {"events": answers}

    def parents(self, event, links, path):
        """Return the links of the input events. Originals leave nothing and restrict nothing."""
        parents = []
        for number, source in enumerate(event["inputs"]):
            if source not in links:
                continue
            if links[source].decision == "refuse":
                raise floorcheck.BadRequest(f"{path}[{number}]: {source} was refused, nothing can come of it")
            parents.append(links[source])
        return parents

    def derive_event(self, event, parents):
        own = {entry["class"]: (entry["retained"], entry["total"]) for entry in event["certificate"]}
        effective = self.effective(own, parents)
        generation = self.generation(parents)
        ancestry_certified = self.ancestry_certified(parents)
        required = set(event["required_classes"])
        certified = self.at_their_floor(required, effective, event.get("floors_permille", {}))
        verdict = self.judge(required, certified, generation, ancestry_certified, event)
        link = Link(own, effective, generation, ancestry_certified, verdict["decision"])
        return link, event_answer(event["id"], link, verdict)

    def effective(self, own, parents):
        """Return the least fidelity per class; a class that one of them does not know is gone."""
        chain = [own] + [self.inherited(parent) for parent in parents]
        known_to_all = set(own).intersection(*chain)
        return {name: least([fidelities[name] for fidelities in chain]) for name in sorted(known_to_all)}

    def inherited(self, parent):
        return parent.effective

    def generation(self, parents):
        return 1 + max((parent.generation for parent in parents), default=0)

    def ancestry_certified(self, parents):
        return all(parent.ancestry_certified and parent.decision == "certified" for parent in parents)

    def at_their_floor(self, required, effective, floors_permille):
        """Return the required classes that are effective at their floor. One that is absent is not,
        even at floor 0: nothing is known of it.
        """
        floors = {name: floors_permille.get(name, REQUIRED_CLASS_FLOOR_PERMILLE) for name in required}
        return {name for name in required if name in effective and self.reaches(effective[name], floors[name])}

    def reaches(self, fidelity, floor_permille):
        """Compare by cross-multiplication; 0 of 0 reaches every floor."""
        retained, total = fidelity
        return retained * 1000 >= floor_permille * total


def event_answer(event_id, link, verdict):
    """Return an event of derive.out. A refused one made nothing that could have a generation."""
    answer = {"id": event_id, "decision": link.decision}
    if link.decision == "refuse":
        answer["missing_classes"] = verdict["missing_classes"]
    else:
        answer["generation"] = link.generation
        answer["effective"] = [{"class": name, "retained": retained, "total": total}
                               for name, (retained, total) in link.effective.items()]
    answer["ancestry_certified"] = link.ancestry_certified
    return answer


def least(fidelities):
    """Return the lowest fraction, the first of equals."""
    lowest = fidelities[0]
    for fidelity in fidelities[1:]:
        if is_below(fidelity, lowest):
            lowest = fidelity
    return lowest


def is_below(one, other):
    """Compare two fractions exactly; 0 of 0 is full fidelity, like 1 of 1."""
    (retained, total), (other_retained, other_total) = (pair if pair[1] else (1, 1) for pair in (one, other))
    return retained * other_total < other_retained * total


# The faults.

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


def main():
    parser = argparse.ArgumentParser(description="A subject for floorcheck that decides and derives correctly.")
    parser.add_argument("--policy", choices=["guard", "joint"], default="guard")
    parser.add_argument("--fault", metavar="NAME", help="plant one fault")
    parser.add_argument("--list-faults", action="store_true", help="print the faults' names and what they do")
    options = parser.parse_args()
    if options.list_faults:
        for name, guard_class in FAULTS.items():
            print(f"{name:<28}  {guard_class.description}")
        return
    if options.fault is not None and options.fault not in FAULTS:
        parser.error(unknown_fault(options.fault))

    guard = FAULTS.get(options.fault, Guard)(options.policy)
    floorcheck.serve(name="guard.py" + (f" --fault {options.fault}" if options.fault else ""), version="1",
                     policy=guard.policy, decide=guard.decide, derive=guard.derive, validate=guard.validate)


def unknown_fault(name):
    close = difflib.get_close_matches(name, FAULTS, n=1, cutoff=0.0)
    return f"unknown fault {name!r}; did you mean {close[0]!r}? (--list-faults prints all)"


if __name__ == "__main__":
    main()
