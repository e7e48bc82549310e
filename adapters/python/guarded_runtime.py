"""A runtime that asks before it commits a summary:  python3 guarded_runtime.py floorcheck

The guard is `floorcheck serve reference`, a child process that lives as long as the runtime does. Whatever
goes wrong on the way to its answer, the history stays as it is.
"""
import json
import re
import subprocess
import sys
import threading
import unicodedata
from dataclasses import dataclass


class Refused(Exception):
    """The summary may not be committed. What can be done instead: raise the budget, split the task, read the
    originals again, set a checkpoint, ask a person."""


class GuardFailed(Exception):
    """There is no answer. That is no permission."""


class Guard:
    """The reference engine behind its line protocol, asked one thing at a time."""

    def __init__(self, command, timeout_seconds=5):
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.timeout_seconds = timeout_seconds
        self.asked = 0
        if self.exchange({"op": "hello", "protocol": [1]}).get("protocol") != 1:
            self.close()
            raise GuardFailed("it speaks another protocol")

    def ask(self, op, request):
        answer = self.exchange({"op": op, "in": request})
        if "out" not in answer:
            raise GuardFailed(answer.get("error"))
        return answer["out"]

    def exchange(self, message):
        self.asked += 1
        watchdog = threading.Timer(self.timeout_seconds, self.child.kill)
        watchdog.start()
        try:
            self.child.stdin.write(json.dumps({"id": self.asked, **message}).encode() + b"\n")
            self.child.stdin.flush()
            answer = json.loads(self.child.stdout.readline())
            if answer["id"] != self.asked:
                raise ValueError("an answer to another question")
            return answer
        except (OSError, ValueError, TypeError, KeyError) as problem:
            self.close()
            raise GuardFailed("no answer") from problem
        finally:
            watchdog.cancel()

    def close(self):
        self.child.terminate()
        self.child.communicate()


@dataclass(frozen=True)
class Element:
    """Something that a later step needs."""

    kind: str  # its class: identifier, negation, ordering, …
    sentence: str  # that says it
    forms: tuple  # texts that count as saying it
    inverted: tuple = ()  # texts that say the opposite
    exact: bool = False  # small and capital letters differ


@dataclass(frozen=True)
class Span:
    """A stretch of the history that is kept or replaced as one. An original is of generation 0."""

    text: str
    elements: tuple = ()  # of everything it stands for
    lost: frozenset = frozenset()  # those of them that it does not say
    generation: int = 0
    certified: bool = True  # so was it, and everything that it was made from
    originals: tuple = ()  # of a summary: what can be read again
    provisional: bool = False  # the mark: a strict reader goes to the originals


def compact(guard, history, count, summary, required, conditions, archive, room):
    """Return the history with a summary in place of its oldest spans, or raise Refused.

    required: the classes that the next step cannot do without. archive: whether originals are kept.
    room: how many characters the summary may have, pins included.
    """
    old, rest = history[:count], history[count:]
    elements = tuple(element for span in old for element in span.elements)
    lost_before = frozenset().union(*(span.lost for span in old))
    recoverable = archive and all(span.generation == 0 or span.originals for span in old)
    generation = 1 + max(span.generation for span in old)
    ancestry_certified = all(span.certified for span in old)

    def decide(text):
        lost = lost_before | not_said(text, elements)
        certified = sorted(set(required) - {element.kind for element in lost})
        contract = {"required_classes": sorted(required), "certified_classes": certified,
                    "generation": generation, "ancestry_certified": ancestry_certified}
        return lost, guard.ask("decide", {"contract": contract, "source_recoverable": recoverable, **conditions})

    def committed(text, lost, certified):
        kept = recoverable and not certified
        originals = sum((span.originals or (span,) for span in old), ()) if kept else ()
        return [Span(text, elements, lost, generation, certified, originals, provisional=not certified), *rest]

    lost, answer = decide(summary)
    if answer["decision"] == "certified":
        return committed(summary, lost, True)
    if answer["decision"] != "provisional":
        ancestry = "" if answer["ancestry_certified"] else "; made from what was not certified"
        raise Refused(f"missing: {', '.join(answer['missing_classes']) or 'nothing'}{ancestry}")
    pinned = "\n".join([summary, *sorted({element.sentence for element in lost - lost_before})])
    if len(pinned) <= room:
        lost_then, answer = decide(pinned)
        if answer["decision"] == "certified":
            return committed(pinned, lost_then, True)
    return committed(summary, lost, False)


def not_said(text, elements):
    """Return the elements that a text does not say to the letter, or says the opposite of."""
    return frozenset(element for element in elements if not says(text, element))


def says(text, element):
    forms = places(text, element.forms, element.exact)
    inverted = places(text, element.inverted, element.exact)
    return any_outside(forms, inverted) and not any_outside(inverted, forms)


def any_outside(places, others):
    return any(not any(first <= start and end <= last for first, last in others) for start, end in places)


def places(text, phrases, exact):
    """Where phrases stand by themselves: prod is not in non-prod, nor 5 ms in 1.5 ms."""
    pattern = r"(?<![\w./\\@~+%$#-])(?<!\d[,:]){}(?!\.*[\w/\\@~+%$#-])(?![,:]\d)"
    return [match.span() for phrase in phrases
            for match in re.finditer(pattern.format(re.escape(folded(phrase, exact))), folded(text, exact))]


def folded(text, exact):
    text = " ".join(unicodedata.normalize("NFC", text).split())
    return text if exact else text.casefold()


# Three spans of a history, a next step that deploys, and what becomes of two summaries.

TABLE = Element("identifier", "The table is orders_v2.", forms=("orders_v2",), exact=True)
BAN = Element("negation", "Do not run migrations against prod.", inverted=("run migrations against prod",),
              forms=("do not run migrations against prod", "never run migrations against prod"))
HISTORY = [Span("We move to a new schema. The table is orders_v2.", (TABLE,)),
           Span("Do not run migrations against prod. Staging comes first.", (BAN,)),
           Span("Deploy what we have.")]
FAITHFUL = "A move to table orders_v2. Never run migrations against prod."
FLUENT = "A move to table orders_v2. Migrations against prod were discussed."
STRICT = {"consumer_strict": True, "chaining_risk": True, "side_effect_cost_exceeds_refusal": True}


def show(guard, summary, archive, room):
    try:
        summarized, _ = compact(guard, HISTORY, 2, summary, {"identifier", "negation"}, STRICT, archive, room)
    except Refused as refusal:
        print(f"refuse: {refusal}; the history keeps its {len(HISTORY)} spans")
        return
    if summarized.provisional:
        print(f"provisional: marked, with {len(summarized.originals)} originals kept; lost: {', '.join(e.kind for e in summarized.lost)}")
    else:
        print(f"certified: {' / '.join(summarized.text.splitlines())}")


if __name__ == "__main__":
    reference = Guard([*sys.argv[1:], "serve", "reference"])
    show(reference, FAITHFUL, archive=False, room=80)
    show(reference, FLUENT, archive=True, room=200)
    show(reference, FLUENT, archive=True, room=80)
    show(reference, FLUENT, archive=False, room=80)
    reference.close()
