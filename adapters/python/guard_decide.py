"""One decision, and the decisions of a chain: docs/protocol.md, ops decide and derive."""

from dataclasses import dataclass

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


class Decider:
    """Decides and derives. Requests arrive checked by the helper."""

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
