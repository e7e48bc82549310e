"""Tests of certify and compact: python3 -m unittest test_compact.py"""

import itertools
import os
import random
import sys
import unicodedata
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import floorcheck
import guard
import test_floorcheck
from guard_text import Part, Reader
from test_floorcheck import BAD_NUMBERS, FLAG_PATHS, ask, changed, flags, run


def element(name, forms=None, inverted=None, of="a", **more):
    """An element of class a that is kept by its own name, unless said otherwise."""
    made = {"id": name, "class": of, "forms": [name] if forms is None else forms, **more}
    return made if inverted is None else {**made, "inverted_forms": inverted}


def span(name, *elements, tokens=10, kind="message", unknown=False, **more):
    made = {"id": name, "kind": kind, "role": "user", "tokens": tokens, "text": f"text of {name}", "elements": list(elements), **more}
    return changed(made, ["elements"], ...) if unknown else made


def lineage(effective, generation=1, ancestry=True, decision="certified"):
    """effective: {"a": (1, 2)}"""
    return {"generation": generation, "ancestry_certified": ancestry, "decision": decision, "effective": entries(effective)}


def entries(fidelities):
    return [{"class": name, "retained": retained, "total": total} for name, (retained, total) in fidelities.items()]


def summary(name, of, text, tokens=1, **more):
    return {"id": name, "of": list(of), "text": text, "tokens": tokens, **more}


def certify_in(elements, text, required=("a",), **more):
    """more: pins and status are the output's; spans stand beside the one with the elements."""
    output = {"text": text, **{name: more.pop(name) for name in ("pins", "status") if name in more}}
    return {"source": [span("s", *elements), *more.pop("spans", ())], "output": output, "required_classes": list(required), **more}


def compact_in(spans, summaries, budget=1, required=("a",), known=("a", "b"), floors=None, **conditions):
    made = {"spans": spans, "summaries": summaries, "required_classes": list(required), "known_classes": list(known),
            "budget_tokens": budget, **(flags(**conditions) if conditions else flags(strict=True))}
    return made if floors is None else {**made, "floors_permille": floors}


def certified(*arguments, **more):
    request = certify_in(*arguments, **more)
    floorcheck.validate("certify", request)
    return guard.Guard().certify(request)


def compacted(*arguments, policy="guard", **more):
    request = compact_in(*arguments, **more)
    floorcheck.validate("compact", request)
    return guard.Guard(policy).compact(request)


def state(text, forms, inverted=(), **more):
    reader = Reader()
    parts = [Part(one) for one in ([text] if isinstance(text, str) else text)]
    return reader.state(reader.element(element("x", list(forms), list(inverted), **more), "x"), parts)


class Retention(unittest.TestCase):
    def test_texts_and_phrases_are_folded(self):
        for text, form in [("Do  NOT\n\tdeploy", "do not deploy"), ("a b", " a\u00a0 b "), ("caf\u0065\u0301", "CAF\u00c9"),
                           ("x\u2028y\u0085z", "x y z"), ("stra\u00dfe", "STRASSE"), ("ΟΔΟΣ", "οδος")]:
            self.assertEqual(state(text, [form]), "retained", text)
        for text, form in [("a\u001fb", "a b"), ("a\ufeffb", "a b"), ("a\u200bb", "a b"), ("Deploy", "deplóy")]:
            self.assertEqual(state(text, [form]), "lost", text)

    def test_exact_keeps_capitals_but_not_white_space_or_composition(self):
        self.assertEqual(state("Orders_V2", ["orders_v2"], match="exact"), "lost")
        self.assertEqual(state("the\n table caf\u0065\u0301", ["table  caf\u00e9"], match="exact"), "retained")

    def test_a_phrase_that_is_empty_after_folding_never_occurs(self):
        for phrase in "", " ", "\u2003\n":
            self.assertEqual(state("a  b", [phrase]), "lost")
            self.assertEqual(state("", [phrase]), "lost")

    def test_no_word_character_is_glued_to_a_word_character(self):
        for text in "report", "ports", "port_2", "2port", "port\u0301", "po\u0301rt", "\u0301port", "port\u00b2":
            self.assertEqual(state(text, ["port"]), "lost", ascii(text))
        for text in "port", "(port)", "air-port", "port.", "a port,b":
            self.assertEqual(state(text, ["port"]), "retained", text)
        self.assertEqual(state("x=>y", ["=>"]), "retained")  # no word character at its ends
        self.assertEqual(state("xport port", ["port"]), "retained")  # the second place counts

    def test_exact_does_not_cut_a_run(self):
        exact = [("non-prod", "prod"), ("/etc/app.bak", "/etc/app"), ("1.5 ms", "5 ms"), ("a@b.c", "b.c"), ("10,000", "10"),
                 ("12:30", "30"), ("v1.2..3", "v1.2"), ("C++", "C"), ("$5", "5"), ("5%", "5"), ("#7", "7"), ("~x", "x"), ("a\\b", "b"),
                 ("..prod", "prod"), ("x.-. y", "x"), ("\u0661,\u0662", "\u0661")]
        for text, form in exact:
            self.assertEqual(state(text, [form], match="exact"), "lost", text)
            self.assertEqual(state(text, [form]), "retained", text)  # folded has no runs
        for text, form in [("to prod.", "prod"), ("prod...", "prod"), ("a,b", "a"), ("a:1", "1"), ("1, 2", "1"), ("1,a", "1"),
                           ("(/etc/app)", "/etc/app"), ("etc.", "etc."), ("etc.)", "etc."), ("x=1", "1"), ("a..", "a."), ("12:30", "12:30"),
                           ("-- x", "x"), ("\u00b2,3", "3")]:
            self.assertEqual(state(text, [form], match="exact"), "retained", text)

    def test_an_occurrence_inside_one_of_the_other_list_does_not_count(self):
        ban = (["deploy"], ["do not deploy", "deploy nothing"])
        self.assertEqual(state("please do not deploy", *ban), "inverted")
        self.assertEqual(state("do not deploy; deploy", *ban), "contradictory")
        self.assertEqual(state("deploy", *ban), "retained")
        self.assertEqual(state("never deploy again", ["never deploy again"], ["deploy"]), "retained")
        self.assertEqual(state("a b c", ["a b"], ["b c"]), "contradictory")  # neither is inside the other
        self.assertEqual(state("a b c d", ["b", "a b c d"], ["a b c"]), "retained")

    def test_one_occurrence_may_keep_several_elements(self):
        out = certified([element("x", ["rows 3 to 5"]), element("y", ["3 to 5"])], "delete rows 3 to 5")
        self.assertEqual(out["fidelity"], entries({"a": (2, 2)}))

    def test_an_occurrence_lies_within_one_part_and_the_parts_are_judged_together(self):
        self.assertEqual(state(["do not", "deploy"], ["do not deploy"]), "lost")
        self.assertEqual(state(["x", "deploy", "do not deploy"], ["deploy"], ["do not deploy"]), "contradictory")
        self.assertEqual(state(["deploy", "nothing"], ["deploy"], ["deploy nothing"]), "retained")
        self.assertEqual(state([], ["x"]), "lost")

    def test_the_same_folded_phrase_in_both_lists_is_a_bad_request(self):
        for forms, inverted, match in [(["Do  it"], ["x", "do it"], "folded"), (["\u00e9"], ["e\u0301"], "exact"), ([""], [" "], "folded")]:
            requests = [("certify", certify_in([element("x", forms, inverted, match=match)], "t"), "in.source[0].elements[0]"),
                        ("certify", certify_in([], "t", decoys=[element("x", forms, inverted, match=match)]), "in.decoys[0]"),
                        ("compact", compact_in([span("s", element("x", forms, inverted, match=match))], [], 99), "in.spans[0].elements[0]")]
            for op, request, path in requests:
                floorcheck.validate(op, request)
                with self.assertRaises(floorcheck.BadRequest) as caught:
                    getattr(guard.Guard(), op)(request)
                self.assertTrue(str(caught.exception).startswith(f"{path}.inverted_forms["), caught.exception)
        self.assertEqual(state("DO", ["do"], ["DO"], match="exact"), "inverted")


class Certify(unittest.TestCase):
    TWO = [element("x", inverted=["no x"]), element("y", inverted=["no y"])]

    def test_what_is_said_of_each_element(self):
        out = certified([*self.TWO, element("z"), element("q", of="b")], "x and no y, no x either")
        self.assertEqual(out, {"certified_classes": [], "fidelity": entries({"a": (0, 3)}), "lost": ["z"], "inverted": ["x", "y"],
                               "fabricated": []})

    def test_one_entry_per_required_class_and_an_empty_class_is_certified(self):
        out = certified([element("x", of="a"), element("y", of="b")], "x", required=["c", "a", "a"])
        self.assertEqual((out["certified_classes"], out["fidelity"]), (["a", "c"], entries({"a": (1, 1), "c": (0, 0)})))

    def test_pins_count(self):
        self.assertEqual(certified(self.TWO, "y", pins=["z", "x"])["certified_classes"], ["a"])
        self.assertEqual(certified(self.TWO, "x y", pins=["no x"])["inverted"], ["x"])

    def test_a_class_is_certified_at_its_floor_and_not_below(self):
        for text, floors, want in [("x", {"a": 500}, ["a"]), ("x", {"a": 501}, []), ("x", None, []), ("x", {"b": 0}, []), ("q", {"a": 0}, ["a"]),
                                   ("x no y", {"a": 500}, ["a"])]:
            more = {} if floors is None else {"floors_permille": floors}
            self.assertEqual(certified(self.TWO, text, **more)["certified_classes"], want, (text, floors))

    def test_an_unusable_output_is_measured_but_certifies_nothing(self):
        for status in "error", "refused", "partial", "opaque":
            out = certified(self.TWO, "x y", required=["a", "b"], status=status)
            self.assertEqual(out, {"certified_classes": [], "fidelity": entries({"a": (2, 2), "b": (0, 0)}), "lost": [], "inverted": [],
                                   "fabricated": []})
        for text in "", " \n", "->", "\u2014!":
            self.assertEqual(certified([], text)["certified_classes"], [], text)
            self.assertEqual(certified([], text, pins=["?", "_"])["certified_classes"], ["a"], text)
        out = certified([element("x", ["->"])], "->")
        self.assertEqual((out["certified_classes"], out["fidelity"]), ([], entries({"a": (1, 1)})))

    def test_unknown_elements_let_no_class_be_certified(self):
        out = certified(self.TWO, "x y", required=["a", "b"], floors_permille={"b": 0}, spans=[span("u", unknown=True)])
        self.assertEqual((out["certified_classes"], out["fidelity"]), ([], entries({"a": (2, 2), "b": (0, 0)})))

    def test_lost_on_a_source_element_changes_nothing(self):
        old = span("m", element("z", lost=True), kind="summary", lineage=lineage({"a": (0, 1)}, decision="provisional", ancestry=False))
        self.assertEqual(certified(self.TWO, "x y z", spans=[old])["certified_classes"], ["a"])

    def test_decoys_that_are_retained_are_named(self):
        decoys = [element("d1"), element("d2", inverted=["no d2"]), element("d3", of="z"), element("d4", inverted=["no d4"])]
        self.assertEqual(certified([], "d1 no d2, d3; d4, no d4", decoys=decoys, status="error")["fabricated"], ["d1", "d3"])


# A message with an element x, one with y, and one without any. M keeps x, N keeps nothing.
X, Y, PLAIN = span("s1", element("x", inverted=["no x"])), span("s2", element("y", inverted=["no y"])), span("s3", tokens=5)
M = summary("m", ["s1", "s2"], "only x")
N = summary("m", ["s1", "s2"], "nothing")
BOTH = summary("m", ["s1", "s2"], "x y")


def old(*elements, name="s1", effective=None, generation=1, **more):
    """A summary span; certified, unless said otherwise."""
    line = {key: more.pop(key) for key in ("ancestry", "decision") if key in more}
    counted = {"a": (sum(not one.get("lost", False) for one in elements), len(elements))}
    return span(name, *elements, kind="summary", lineage=lineage(counted if effective is None else effective, generation, **line), **more)


class Plans(unittest.TestCase):
    def test_what_fits_is_left_alone(self):
        out = compacted([X, PLAIN], [summary("m", ["s1"], "x")], budget=15, known=[])
        self.assertEqual(out, {"decision": "certified", "kept": ["s1", "s3"], "evicted": [],
                               "output": [{"kind": "span", "span": "s1", "text": "text of s1"}, {"kind": "span", "span": "s3", "text": "text of s3"}],
                               "contract": {"required_classes": ["a"], "certified_classes": ["a"], "generation": 0, "ancestry_certified": True}})
        self.assertEqual(compacted([], [], budget=0)["contract"]["generation"], 0)

    def test_a_sound_plan_is_certified(self):
        out = compacted([X, PLAIN, Y], [BOTH], budget=6)
        self.assertEqual(out, {
            "decision": "certified", "kept": ["s3"],
            "evicted": [{"span": "s1", "summary": "m", "fidelity": entries({"a": (1, 1)})},
                        {"span": "s2", "summary": "m", "fidelity": entries({"a": (1, 1)})}],
            "output": [{"kind": "summary", "summary": "m", "text": "x y", "provisional": False, "lost": [],
                        "lineage": lineage({"a": (2, 2), "b": (0, 0)})}, {"kind": "span", "span": "s3", "text": "text of s3"}],
            "contract": {"required_classes": ["a"], "certified_classes": ["a"], "generation": 1, "ancestry_certified": True}})

    def test_what_may_not_go_stays_under_a_used_summary(self):
        out = compacted([X, Y], [M], budget=11)
        self.assertEqual((out["decision"], out["kept"], [tag["span"] for tag in out["evicted"]]), ("certified", ["s2"], ["s1"]))
        self.assertEqual(compacted([X, Y], [M], budget=10)["decision"], "refuse")

    def test_a_summary_that_saves_nothing_is_not_used(self):
        out = compacted([X, Y, PLAIN], [summary("m", ["s1"], "x", 10), summary("n", ["s2"], "y")], budget=16)
        self.assertEqual(out["kept"], ["s1", "s3"])

    def test_the_floor_holds_for_each_span(self):
        pair = span("s1", element("x1"), element("x2"))
        halves = dict(budget=1, floors={"a": 500})
        self.assertEqual(compacted([pair], [summary("m", ["s1"], "x1")], **halves)["decision"], "certified")
        self.assertEqual(compacted([pair], [summary("m", ["s1"], "x1")], budget=1, floors={"a": 501})["decision"], "refuse")
        self.assertEqual(compacted([pair, Y], [summary("m", ["s1", "s2"], "x1 x2")], **halves)["decision"], "refuse")

    def test_a_floor_guards_a_class_that_is_not_required(self):
        spans = [span("s1", element("x", of="b"))]
        for floors, want in [({"b": 1}, "refuse"), ({"b": 0}, "certified"), (None, "certified")]:
            self.assertEqual(compacted(spans, [summary("m", ["s1"], "?y")], floors=floors)["decision"], want)
        self.assertEqual(compacted([X], [summary("m", ["s1"], "y")], floors={"a": 0})["decision"], "certified")

    def test_every_guarded_class_must_be_known(self):
        out = compacted([PLAIN], [summary("m", ["s3"], "y")], required=["a", "q"], floors={"z": 1})
        self.assertEqual((out["decision"], out["missing_classes"]), ("refuse", ["q", "z"]))

    def test_unknown_elements_stay(self):
        out = compacted([span("s1", unknown=True)], [summary("m", ["s1"], "y")])
        self.assertEqual((out["decision"], out["missing_classes"], out["unknown_spans"]), ("refuse", [], ["s1"]))
        out = compacted([span("s1", unknown=True)], [summary("m", ["s1"], "y")], known=[])
        self.assertEqual(out["missing_classes"], ["a"])

    def test_a_clean_summary_says_the_opposite_of_nothing_that_is_known(self):
        for text in "x no z", "x z no z":
            elsewhere = span("s2", element("z", inverted=["no z"], of="whatever"))
            out = compacted([X, elsewhere], [summary("m", ["s1"], text)], budget=11)
            self.assertEqual((out["decision"], out["unclean_summaries"], out["missing_classes"]), ("refuse", ["m"], []))
        lost = old(element("z", inverted=["no z"], lost=True), name="s2", decision="provisional")
        self.assertEqual(compacted([X, lost], [summary("m", ["s1"], "x no z")], budget=11)["unclean_summaries"], ["m"])

    def test_an_unusable_summary_is_no_summary(self):
        for more in {"status": "partial"}, {"text": "?!"}:
            for conditions in {"strict": True}, {"recoverable": True}, {"strict": False}:
                out = compacted([X], [{**summary("m", ["s1"], "no x"), **more}], **conditions)
                self.assertEqual(out, {"decision": "refuse", "missing_classes": [], "over_budget_tokens": 9, "escalations": out["escalations"],
                                       "unknown_spans": [], "poisoned_spans": [], "unclean_summaries": []})

    def test_a_summary_span_goes_only_when_its_lineage_is_certified(self):
        for line in {"ancestry": False}, {"decision": "provisional"}:
            out = compacted([old(element("x"), **line)], [summary("m", ["s1"], "x")])
            self.assertEqual((out["decision"], out["poisoned_spans"], out["missing_classes"]), ("refuse", ["s1"], []))
        bare = span("s1", element("x"), kind="summary")
        out = compacted([bare], [summary("m", ["s1"], "x")])
        self.assertEqual((out["decision"], out["poisoned_spans"], out["missing_classes"]), ("refuse", ["s1"], []))
        self.assertEqual(compacted([old(element("x"))], [summary("m", ["s1"], "x")])["decision"], "certified")

    def test_a_summary_span_goes_only_when_every_guarded_class_is_effective(self):
        out = compacted([old(element("x"))], [summary("m", ["s1"], "x")], floors={"b": 1})
        self.assertEqual((out["decision"], out["missing_classes"]), ("refuse", ["b"]))

    def test_once_lost_stays_lost(self):
        spans = [old(element("x", lost=True), element("y"))]
        out = compacted(spans, [summary("m", ["s1"], "x y")], floors={"a": 500})
        self.assertEqual((out["decision"], out["output"][0]["lost"], out["evicted"][0]["fidelity"]), ("certified", ["x"], entries({"a": (1, 2)})))
        self.assertEqual(out["output"][0]["lineage"], lineage({"a": (1, 2)}, 2))
        self.assertEqual(compacted(spans, [summary("m", ["s1"], "x y")])["missing_classes"], ["a"])

    def test_what_another_summary_span_denies_stays(self):
        denier = old(name="s9", text="there is no x")
        out = compacted([X, denier], [summary("m", ["s1"], "x")], budget=11)
        self.assertEqual((out["decision"], out["missing_classes"], out["over_budget_tokens"]), ("refuse", [], 9))
        message = span("s9", text="there is no x")
        self.assertEqual(compacted([X, message], [summary("m", ["s1"], "x")], budget=11)["decision"], "certified")
        own = old(element("x", inverted=["no x"]), text="no x")
        self.assertEqual(compacted([own], [summary("m", ["s1"], "x")])["decision"], "certified")
        unguarded = span("s1", element("x", inverted=["no x"], of="b"))
        self.assertEqual(compacted([unguarded, denier], [summary("m", ["s1"], "x")], budget=11)["decision"], "certified")

    def test_the_flags_decide_when_no_sound_plan_fits(self):
        for conditions, policy, decision, basis in [
                (dict(recoverable=True, strict=True), "guard", "provisional", "recoverable"),
                (dict(strict=False), "guard", "provisional", "harmless"), (dict(costly=True), "guard", "refuse", None), (dict(costly=True), "joint", "provisional", "harmless"),
                (dict(strict=True, chaining=True, costly=True), "joint", "refuse", None)]:
            out = compacted([X, Y], [N], policy=policy, **conditions)
            self.assertEqual((out["decision"], out.get("basis")), (decision, basis), conditions)

    def test_a_provisional_plan_marks_what_it_uses_and_poisons_it(self):
        out = compacted([X, Y, PLAIN], [M], budget=6, recoverable=True)
        self.assertEqual((out["kept"], len(out["evicted"])), (["s3"], 2))
        self.assertEqual(out["output"][0], {"kind": "summary", "summary": "m", "text": "only x", "provisional": True, "lost": ["y"],
                                            "lineage": lineage({"a": (1, 2), "b": (0, 0)}, decision="provisional")})
        self.assertEqual(out["contract"], {"required_classes": ["a"], "certified_classes": [], "generation": 1, "ancestry_certified": False})

    def test_a_provisional_plan_may_use_what_is_not_clean_and_evict_what_is_unknown(self):
        out = compacted([X, span("s2", unknown=True)], [summary("m", ["s1", "s2"], "no x")], recoverable=True)
        self.assertEqual([tag["fidelity"] for tag in out["evicted"]], [entries({"a": (0, 1)}), []])
        self.assertEqual(out["output"][0]["lineage"]["effective"], entries({"a": (0, 1), "b": (0, 0)}))

    def test_a_recoverable_source_that_fits_no_budget_is_refused(self):
        out = compacted([X, Y], [summary("m", ["s1"], "q")], budget=10, recoverable=True)
        self.assertEqual((out["decision"], out["over_budget_tokens"]), ("refuse", 10))


class Results(unittest.TestCase):
    def test_a_second_compaction_counts_on_from_the_first(self):
        first = old(element("x"), effective={"a": (1, 1), "b": (0, 0), "z": (0, 0)}, generation=4)
        second = old(element("y"), name="s2", generation=7)
        out = compacted([first, second, X | {"id": "s3", "elements": []}], [summary("m", ["s1", "s2", "s3"], "x y")], known=["a", "b"])
        self.assertEqual(out["output"][0]["lineage"], lineage({"a": (2, 2)}, 8))
        self.assertEqual(out["contract"]["generation"], 8)

    def test_an_event_is_certified_only_from_certified_lineages(self):
        out = compacted([old(element("x"), decision="provisional"), old(element("y"), name="s2")],
                        [summary("m", ["s1"], "x"), summary("n", ["s2"], "y")], recoverable=True)
        # One is poisoned, so the event is provisional; the other's ancestry is clean all the same.
        self.assertEqual(out["decision"], "refuse")  # budget 1, two summaries of 1
        out = compacted([old(element("x"), decision="provisional"), old(element("y"), name="s2")],
                        [summary("m", ["s1"], "x"), summary("n", ["s2"], "y")], budget=2, recoverable=True)
        self.assertEqual([(entry["lineage"]["ancestry_certified"], entry["lineage"]["decision"]) for entry in out["output"]],
                         [(False, "provisional"), (True, "provisional")])

    def test_a_summary_span_without_lineage_leaves_no_class_effective(self):
        out = compacted([span("s1", element("x"), kind="summary"), Y], [summary("m", ["s1", "s2"], "x y")], recoverable=True)
        self.assertEqual(out["output"][0]["lineage"], lineage({}, 2, ancestry=False, decision="provisional"))

    def test_the_contract_speaks_of_kept_summaries_too(self):
        kept = old(element("z", of="b"), name="s9", effective={"b": (1, 1)}, generation=5)
        out = compacted([X, kept], [summary("m", ["s1"], "x")], budget=11)
        self.assertEqual((out["decision"], out["contract"]),
                         ("certified", {"required_classes": ["a"], "certified_classes": [], "generation": 5, "ancestry_certified": True}))
        poisoned = old(name="s9", ancestry=False)
        out = compacted([X, poisoned], [summary("m", ["s1"], "x")], budget=11)
        self.assertEqual((out["decision"], out["contract"]["certified_classes"], out["contract"]["ancestry_certified"]), ("certified", [], False))

    def test_the_contract_holds_a_kept_summary_to_the_floor(self):
        half = old(element("z"), element("w", lost=True), name="s9")
        for floor, want in [(500, ["a"]), (501, [])]:
            out = compacted([PLAIN, half], [summary("m", ["s3"], "q")], budget=11, floors={"a": floor})
            self.assertEqual((out["decision"], out["contract"]["certified_classes"]), ("certified", want))

    def test_an_inverted_element_in_the_delivered_context_ends_its_class(self):
        message = span("s9", text="so there is no x")
        out = compacted([X, message], [summary("m", ["s1"], "x")], budget=11)
        self.assertEqual((out["decision"], out["contract"]["certified_classes"]), ("certified", []))
        out = compacted([X, message], [], budget=99)
        self.assertEqual(out["contract"]["certified_classes"], [])

    def test_on_a_no_op_the_contract_is_that_of_the_spans(self):
        spans = [old(element("x"), generation=3, decision="provisional"), span("s2", element("y"), unknown=True)]
        out = compacted(spans, [], budget=99)
        self.assertEqual(out["contract"], {"required_classes": ["a"], "certified_classes": [], "generation": 3, "ancestry_certified": False})
        self.assertEqual(out["output"][0]["lineage"], spans[0]["lineage"])
        self.assertEqual(compacted([span("s1", unknown=True)], [], budget=99, known=[])["contract"]["certified_classes"], ["a"])

    def test_a_class_that_is_not_known_is_not_certified_once_a_summary_is_delivered(self):
        out = compacted([PLAIN], [summary("m", ["s3"], "q")], known=[], floors={"a": 0})
        self.assertEqual((out["decision"], out["output"][0]["lineage"]["effective"], out["contract"]["certified_classes"]), ("certified", [], []))

    def test_a_refusal_says_why(self):
        spans = [X, old(element("y", of="b"), name="s2", effective={}), span("s3", unknown=True), span("s4", element("w"), kind="summary"),
                 span("s5", element("v")), span("s6", unknown=True)]
        summaries = [summary("m", ["s1", "s2", "s3"], "only y, no x"), summary("n", ["s4"], "w", 2), summary("p", ["s5"], "v", 2),
                     summary("q", ["s6"], "", 2)]
        out = compacted(spans, summaries, budget=5, floors={"b": 700})
        self.assertEqual(out, {"decision": "refuse", "missing_classes": ["a", "b"], "over_budget_tokens": 47, "escalations": out["escalations"],
                               "unknown_spans": ["s3"], "poisoned_spans": ["s4"], "unclean_summaries": ["m"]})
        self.assertNotIn("retrieve", out["escalations"])
        self.assertTrue(out["escalations"])
        self.assertIn("retrieve", compacted(spans, [], budget=5, recoverable=True)["escalations"])

    def test_a_result_fed_back_is_valid(self):
        out = compacted([X, Y, PLAIN], [M], budget=6, recoverable=True)
        entry = out["output"][0]
        elements = [{**one, "lost": one["id"] in entry["lost"]} for one in X["elements"] + Y["elements"]]
        again = span("m", *elements, kind="summary", text=entry["text"], lineage=entry["lineage"])
        out = compacted([again, PLAIN], [summary("m", ["m"], "x y")], budget=6)
        self.assertEqual((out["decision"], out["missing_classes"], out["poisoned_spans"]), ("refuse", ["a"], ["m"]))


WHOLE_SPAN = span("m1", element("x", inverted=["no x"], match="exact", lost=True), element("y", of="b"), kind="summary",
                  lineage=lineage({"a": (0, 1), "b": (1, 1)}))
WHOLE_CERTIFY = {"source": [span("s1", element("z", match="folded")), WHOLE_SPAN], "required_classes": ["a"], "floors_permille": {"a": 1},
                 "output": {"text": "t", "pins": ["p"], "status": "ok"}, "decoys": [element("d", inverted=[])]}
WHOLE_SUMMARIES = [summary("m1", ["s1", "m1"], "t", status="ok"), summary("m2", [], "u")]
WHOLE_COMPACT = {**compact_in([span("s1", element("z")), WHOLE_SPAN], WHOLE_SUMMARIES, floors={"a": 1}), "riders": {"quota_facts": None}}
NOT_A_COUNT = [..., None, True, "1", -1, *BAD_NUMBERS]
NOT_A_TEXT = [..., None, 1, []]
NOT_A_SET = [..., None, "a", [1], [None]]


def bad_spans(spans):
    first, second = [spans, 0], [spans, 1]
    return [
        *[([spans], value) for value in (..., None, {}, ["s"], [None], [[]])],
        *[(first + [name], value) for name in ("id", "role", "text", "kind") for value in NOT_A_TEXT],
        *[(first + ["kind"], value) for value in ("", "Message", "tool")], *[(first + ["tokens"], value) for value in NOT_A_COUNT],
        (first + ["id"], "m1"), *[(first + ["elements"], value) for value in (None, {}, "x", [1], [None])],
        *[(first + ["elements", 0, name], value) for name in ("id", "class") for value in NOT_A_TEXT],
        *[(first + ["elements", 0, "id"], value) for value in ("x", "y")],
        *[(first + ["elements", 0, "forms"], value) for value in NOT_A_SET],
        *[(first + ["elements", 0, "inverted_forms"], value) for value in NOT_A_SET if value is not ...],
        *[(first + ["elements", 0, "match"], value) for value in (None, 1, "", "Exact", "literal")],
        *[(first + ["elements", 0, "lost"], value) for value in (True, False, None)],
        *[(second + ["elements", 0, "lost"], value) for value in (None, 0, "true")],
        *[(second + ["lineage"], value) for value in (None, [], "x", {})],
        *[(second + ["lineage", "generation"], value) for value in [*NOT_A_COUNT, 2**31]],
        *[(second + ["lineage", "ancestry_certified"], value) for value in (..., None, 1)],
        *[(second + ["lineage", "decision"], value) for value in (..., None, "refuse", "none", True)],
        *[(second + ["lineage", "effective"], value) for value in (..., None, {}, [1])],
        *[(second + ["lineage", "effective", 0, name], value) for name in ("class", "retained", "total") for value in (..., None, -1, 1.0)],
        (second + ["lineage", "effective"], entries({"a": (1, 1)})), (second + ["lineage", "effective"], entries({"a": (0, 2)})),
        (second + ["lineage", "effective"], entries({"b": (0, 1)})), (second + ["lineage", "effective"], entries({"q": (0, 1)})),
        (second + ["lineage", "effective"], entries({"b": (1, 1)}) * 2), (second + ["lineage", "effective"], entries({"b": (2, 1)})),
        (first + ["lineage"], lineage({"a": (0, 1)})), (first + ["tokens"], 2**53 - 10), (first + ["x"], 0.5),
        (["required_classes"], ...), (["required_classes"], [1]),
        *[(["floors_permille"], value) for value in (None, [], *({"z": floor} for floor in (-1, 1001, None, True, 1.0)))],
    ]


BAD_CERTIFY = [
    *bad_spans("source"), *[(["output"], value) for value in (..., None, "t", [], {})], *[(["output", "text"], value) for value in NOT_A_TEXT],
    *[(["output", "pins"], value) for value in NOT_A_SET if value is not ...], *[(["output", "status"], value) for value in (None, "", "OK", 1)],
    *[(["decoys"], value) for value in (None, {}, [1])], *[(["decoys", 0, "lost"], value) for value in (True, False)],
    *[(["decoys", 0, "id"], value) for value in ("x", "z", None)], (["decoys", 0, "match"], "near"), (["decoys", 0, "forms"], ...),
]
FIRST = ["summaries", 0]
BAD_COMPACT = [
    *bad_spans("spans"), *[(path, value) for path in FLAG_PATHS for value in (..., None, 0, "true")],
    *[(["known_classes"], value) for value in NOT_A_SET], *[(["budget_tokens"], value) for value in NOT_A_COUNT],
    *[(["riders"], value) for value in (None, [], {"x": 1.5})], *[(["summaries"], value) for value in (..., None, {}, [1])],
    *[(FIRST + [name], value) for name in ("id", "text") for value in NOT_A_TEXT], (FIRST + ["id"], "m2"),
    *[(FIRST + ["of"], value) for value in [*NOT_A_SET, ["s9"], ["m2"], ["s1", "s1"]]], (["summaries", 1, "of"], ["s1"]),
    *[(FIRST + ["tokens"], value) for value in [*NOT_A_COUNT, 2**53 - 21]], *[(FIRST + ["status"], value) for value in (None, "", "Ok", 1)],
    (["spans", 1, "lineage", "generation"], 2**31 - 1),
]
ODD_SPANS = [(0, "role", ""), (0, "text", ""), (0, "elements", ...), (0, "elements", []), (0, "tokens", 0), (0, "x", None),
             (0, "kind", "pin"), (1, "kind", "message")]
GOOD_CERTIFY = [
    *[(["source", *path], value) for *path, value in ODD_SPANS], (["source"], []), (["source", 0, "id"], ""),
    (["output", "pins"], ...), (["output", "pins"], []),
    (["output", "status"], ...), (["output", "status"], "opaque"), (["decoys"], ...), (["decoys", 0, "id"], "s1"), (["floors_permille"], ...),
    (["floors_permille"], {"zz": 1000, "a": 0}), (["required_classes"], ["q", "q"]), (["source", 1, "lineage", "generation"], 2**31 - 1),
    (["source", 0, "elements", 0, "forms"], []), (["source", 1, "lineage"], ...), (["source", 1, "elements"], ...), (["riders"], None),
    (["source", 1, "elements", 0, "lost"], True), (["source", 1, "lineage", "effective"], []), (["source", 0, "tokens"], 2**53 - 11),
]
GOOD_COMPACT = [
    *[(["spans", *path], value) for *path, value in ODD_SPANS], (["summaries"], []), (["riders"], ...), (["riders"], {"x": None}),
    (FIRST + ["status"], ...), (FIRST + ["status"], "error"), (FIRST + ["of"], []), (["known_classes"], []), (["budget_tokens"], 0),
    (["budget_tokens"], 2**53 - 1), (["spans", 1, "lineage", "generation"], 2**31 - 2), (FIRST + ["tokens"], 2**53 - 22), (FIRST + ["text"], ""),
]


class BadRequests(unittest.TestCase):
    def test_the_list(self):
        for op, whole, bad in [("certify", WHOLE_CERTIFY, BAD_CERTIFY), ("compact", WHOLE_COMPACT, BAD_COMPACT)]:
            floorcheck.validate(op, whole)
            for path, value in bad:
                with self.subTest(op=op, path=path, value=value), self.assertRaisesRegex(floorcheck.BadRequest, r"^in\b[^ ]*: "):
                    floorcheck.validate(op, changed(whole, path, value))
            for request in None, [], "x", 3, {}:
                with self.assertRaises(floorcheck.BadRequest):
                    floorcheck.validate(op, request)

    def test_what_is_odd_but_good(self):
        for op, whole, good in [("certify", WHOLE_CERTIFY, GOOD_CERTIFY), ("compact", WHOLE_COMPACT, GOOD_COMPACT)]:
            for path, value in good:
                with self.subTest(op=op, path=path, value=value):
                    request = changed(whole, path, value)
                    floorcheck.validate(op, request)
                    getattr(guard.Guard(), op)(request)

    def test_a_generation_at_the_limit_may_stay_but_not_be_replaced(self):
        at_limit = changed(WHOLE_COMPACT, ["spans", 1, "lineage", "generation"], 2**31 - 1)
        with self.assertRaises(floorcheck.BadRequest):
            floorcheck.validate("compact", at_limit)
        floorcheck.validate("compact", changed(at_limit, FIRST + ["of"], ["s1"]))

    def test_messages_name_the_path(self):
        for path, value, message in [
                (["spans", 0, "kind"], "tool", 'in.spans[0].kind: must be message, call, result, summary or pin, got "tool"'),
                (["spans", 0, "elements", 0, "lost"], False, "in.spans[0].elements[0].lost: may not stand on an element of an original"),
                (["spans", 0, "id"], "m1", 'in.spans[1].id: "m1" is the id of another span already'),
                (["spans", 1, "elements", 0, "id"], "z", 'in.spans[1].elements[0].id: "z" is the id of another element already'),
                (["spans", 1, "lineage", "effective", 1, "total"], 2, "in.spans[1].lineage.effective[1].total: must be 1 by the span's elements, got 2"),
                (["summaries", 1, "of"], ["m1"], 'in.summaries[1].of[0]: "m1" is in summary "m1" already'),
                (FIRST + ["of"], ["s1", "s9"], 'in.summaries[0].of[1]: "s9" is no span'),
                (["spans", 1, "lineage", "decision"], "refuse", 'in.spans[1].lineage.decision: must be certified or provisional, got "refuse"'),
                (FIRST + ["tokens"], 2**53 - 21, "in: the tokens of spans and summaries must be less than 2^53 together, got 9007199254740992")]:
            with self.assertRaises(floorcheck.BadRequest) as caught:
                floorcheck.validate("compact", changed(WHOLE_COMPACT, path, value))
            self.assertEqual(str(caught.exception), message)


# A restatement by other means: places are looked at letter by letter, and of plans all there are.


def restated_fold(text, exact):
    text = unicodedata.normalize("NFC", text)
    text = " ".join("".join(" " if one.isspace() and one not in "\x1c\x1d\x1e\x1f" else one for one in text).split(" "))
    while "  " in text:
        text = text.replace("  ", " ")
    text = text.strip(" ")
    return text if exact else unicodedata.normalize("NFC", text.casefold())


def restated_counts(text, element):
    """Return whether a form counts and whether an inverted form does."""
    exact = element.get("match") == "exact"
    text = restated_fold(text, exact)

    def word(at):
        return 0 <= at < len(text) and (text[at] == "_" or unicodedata.category(text[at])[0] in "LMN")

    def member(at):
        digits = 0 < at < len(text) - 1 and unicodedata.category(text[at - 1]) == unicodedata.category(text[at + 1]) == "Nd"
        return word(at) or 0 <= at < len(text) and (text[at] in "-./\\@~+%$#" or text[at] in ",:" and digits)

    def cut(at):
        if word(at - 1) and word(at):
            return True
        if not exact or not member(at - 1) or not member(at):
            return False
        return member(at + len(text[at:]) - len(text[at:].lstrip(".")))  # something besides dots goes on

    def places(phrases):
        folded = [restated_fold(phrase, exact) for phrase in phrases]
        return [(at, at + len(phrase)) for phrase in folded if phrase for at in range(len(text))
                if text.startswith(phrase, at) and not cut(at) and not cut(at + len(phrase))]

    both = [places(element["forms"]), places(element.get("inverted_forms", []))]
    return [any(not any(set(range(*one)) <= set(range(*other)) for other in others) for one in ours) for ours, others in (both, both[::-1])]


def restated_state(texts, element):
    counts = [restated_counts(text, element) for text in texts]
    return {(True, False): "retained", (False, True): "inverted", (True, True): "contradictory", (False, False): "lost"}[
        any(form for form, _ in counts), any(inverted for _, inverted in counts)]


class Restated:
    """2b over one request."""

    def __init__(self, request, policy):
        self.request, self.policy = request, policy
        self.spans = {span["id"]: span for span in request["spans"]}
        self.summaries = {summary["id"]: summary for summary in request["summaries"]}
        self.floors = {**{name: 1000 for name in request["required_classes"]}, **request.get("floors_permille", {})}
        self.guarded = [name for name, floor in self.floors.items() if floor]

    def is_summary(self, span):
        return span["kind"] == "summary" or "lineage" in span

    def trusted(self, span):
        line = span.get("lineage", {"ancestry_certified": not self.is_summary(span), "decision": "certified"})
        return line["ancestry_certified"] and line["decision"] == "certified"

    def usable(self, summary):
        return summary.get("status", "ok") == "ok" and any(one == "_" or unicodedata.category(one)[0] in "LMN" for one in summary["text"])

    def elements(self, spans=None):
        return [element for span in (self.spans.values() if spans is None else spans) for element in span.get("elements", [])]

    def clean(self, summary):
        return self.usable(summary) and not any(restated_counts(summary["text"], element)[1] for element in self.elements())

    def kept(self, element, summary):
        return not element.get("lost") and restated_state([summary["text"]], element) == "retained"

    def tally(self, elements, name, summary):
        ours = [element for element in elements if element["class"] == name]
        return sum(self.kept(element, summary) for element in ours), len(ours)

    def obstacles(self, span, summary):
        """Return the guarded classes in the way of a span, by the three reasons that a refusal gives."""
        found = set()
        for name in self.guarded:
            retained, total = self.tally(span.get("elements", []), name, summary)
            if retained * 1000 < self.floors[name] * total or name not in self.request["known_classes"]:
                found.add(name)
            if "lineage" in span and name not in [entry["class"] for entry in span["lineage"]["effective"]]:
                found.add(name)
        return found

    def may_go(self, span, summary):
        others = [other["text"] for other in self.spans.values() if self.is_summary(other) and other is not span]
        denied = any(restated_counts(text, element)[1] for element in span.get("elements", []) if element["class"] in self.guarded for text in others)
        return "elements" in span and self.trusted(span) and not self.obstacles(span, summary) and not denied

    def plans(self, is_usable, may_go):
        """Yield every plan, as a list of (summary, spans)."""
        choices = []
        for summary in self.summaries.values():
            going = [self.spans[name] for name in summary["of"] if may_go(self.spans[name], summary)] if is_usable(summary) else []
            choices.append([None] + [(summary, chosen) for size in range(1, len(going) + 1) for chosen in itertools.combinations(going, size)])
        for plan in itertools.product(*choices):
            yield [choice for choice in plan if choice]

    def cost(self, plan):
        gone = [span["id"] for _, spans in plan for span in spans]
        return sum(span["tokens"] for span in self.spans.values() if span["id"] not in gone) + sum(summary["tokens"] for summary, _ in plan)

    def decision(self):
        self.sound_cost = min(self.cost(plan) for plan in self.plans(self.clean, self.may_go))
        if self.sound_cost <= self.request["budget_tokens"]:
            return "certified"
        dangers = [self.request[name] for name in test_floorcheck.DANGERS]
        dangerous = all(dangers) if self.policy == "joint" else any(dangers)
        fits = min(self.cost(plan) for plan in self.plans(self.usable, lambda *_: True)) <= self.request["budget_tokens"]
        return "provisional" if fits and (self.request["source_recoverable"] or not dangerous) else "refuse"

    def check(self, test, out):
        test.assertEqual(out["decision"], self.decision())
        if out["decision"] == "refuse":
            return self.check_refusal(test, out)
        plan = [(self.summaries[name], [self.spans[tag["span"]] for tag in out["evicted"] if tag["summary"] == name])
                for name in dict.fromkeys(tag["summary"] for tag in out["evicted"])]
        if sum(span["tokens"] for span in self.spans.values()) <= self.request["budget_tokens"]:
            test.assertEqual(plan, [])
        test.assertLessEqual(self.cost(plan), self.request["budget_tokens"])
        if out["decision"] == "certified":
            test.assertTrue(all(self.clean(summary) and self.may_go(span, summary) for summary, spans in plan for span in spans))
        test.assertTrue(all(self.usable(summary) and span["id"] in summary["of"] for summary, spans in plan for span in spans))
        gone = [tag["span"] for tag in out["evicted"]]
        kept = [name for name in self.spans if name not in gone]
        test.assertEqual((out["kept"], sorted(gone + kept)), (kept, sorted(self.spans)))
        test.assertEqual([(entry["span"], entry["text"]) for entry in out["output"] if entry["kind"] == "span"],
                         [(name, self.spans[name]["text"]) for name in kept])
        basis = "recoverable" if self.request["source_recoverable"] else "harmless"
        test.assertEqual(out.get("basis"), basis if out["decision"] == "provisional" else None)
        listed = [entry["summary"] for entry in out["output"] if entry["kind"] == "summary"]
        test.assertEqual(sorted(listed), sorted(summary["id"] for summary, _ in plan))
        for tag in out["evicted"]:
            elements = self.spans[tag["span"]].get("elements", [])
            want = {name: self.tally(elements, name, self.summaries[tag["summary"]]) for name in sorted({element["class"] for element in elements})}
            test.assertEqual(tag["fidelity"], entries(want))
        lines = [self.line(self.spans[name]) for name in kept if self.is_summary(self.spans[name])]
        for summary, spans in plan:
            [entry] = [entry for entry in out["output"] if entry.get("summary") == summary["id"]]
            self.check_summary(test, entry, summary, spans, out["decision"])
            lines.append(entry["lineage"])
        texts = [self.spans[name]["text"] for name in kept] + [summary["text"] for summary, _ in plan]
        test.assertEqual(out["contract"], self.contract(lines, texts))

    def line(self, span):
        return span.get("lineage", {"generation": 1, "ancestry_certified": False, "decision": "certified", "effective": []})

    def check_summary(self, test, entry, summary, spans, decision):
        lines = [self.line(span) for span in spans if self.is_summary(span)]
        effective = {name: self.tally(self.elements(spans), name, summary) for name in sorted(set(self.request["known_classes"]))
                     if all(name in [one["class"] for one in line["effective"]] for line in lines)}
        test.assertEqual(entry, {
            "kind": "summary", "summary": summary["id"], "text": summary["text"], "provisional": decision == "provisional",
            "lost": [element["id"] for element in self.elements(spans) if not self.kept(element, summary)],
            "lineage": lineage(effective, 1 + max([0] + [line["generation"] for line in lines]),
                               all(line["ancestry_certified"] and line["decision"] == "certified" for line in lines), decision)})

    def contract(self, lines, texts):
        ancestry = all(line["ancestry_certified"] and line["decision"] == "certified" for line in lines)
        required = sorted(set(self.request["required_classes"]))
        held = []
        for name in required:
            found = [[one for one in line["effective"] if one["class"] == name] for line in lines]
            at_floor = all(one and one[0]["retained"] * 1000 >= self.floors[name] * one[0]["total"] for one in found)
            states = [restated_state(texts, element) for element in self.elements() if element["class"] == name]
            if ancestry and at_floor and not {"inverted", "contradictory"} & set(states):
                held.append(name)
        return {"required_classes": required, "certified_classes": held, "ancestry_certified": ancestry,
                "generation": max([0] + [line["generation"] for line in lines])}

    def check_refusal(self, test, out):
        usable = [summary for summary in self.summaries.values() if self.usable(summary)]
        covered = [(self.spans[name], summary) for summary in usable for name in summary["of"]]
        test.assertTrue(out["escalations"])
        names = "unknown_spans", "poisoned_spans", "unclean_summaries"
        test.assertEqual({**out, **{name: set(out[name]) for name in names}}, {
            "decision": "refuse", "escalations": out["escalations"], "over_budget_tokens": self.sound_cost - self.request["budget_tokens"],
            "missing_classes": sorted(set().union(*[self.obstacles(*pair) for pair in covered])),
            "unknown_spans": {span["id"] for span, _ in covered if "elements" not in span},
            "poisoned_spans": {span["id"] for span, _ in covered if not self.trusted(span)},
            "unclean_summaries": {summary["id"] for summary in usable if not self.clean(summary)}})


WORDS = ["prod", "Prod", "non-prod", "no prod", "not", "5", "1.5", "1,5", "ms", "ms.", "x_1", "/a", "/a.b", "->", "é", "É", "e\u0301",
         ".", "..", ",", "a:1", "1:1"]


def random_text(rng, longest=6):
    return "".join(rng.choice(WORDS) + rng.choice([" ", " ", " ", "", "\n "]) for _ in range(rng.randint(0, longest)))


def random_element(rng, name, may_be_lost):
    """An element with phrases of a few words, the two lists apart."""
    while True:
        made = element(name, [random_text(rng, 2) for _ in range(rng.randint(1, 2))], rng.choice([None, [random_text(rng, 3)]]),
                       of=rng.choice("aab"), match=rng.choice(["exact", "folded"]))
        if may_be_lost and rng.random() < 0.3:
            made["lost"] = rng.random() < 0.7
        folded = [{restated_fold(phrase, made["match"] == "exact") for phrase in made.get(key, ())} for key in ("forms", "inverted_forms")]
        if folded[0].isdisjoint(folded[1]):
            return made


def random_span(rng, number, plant):
    is_summary = rng.random() < 0.35
    elements = [random_element(rng, f"x{number}.{place}", is_summary) for place in range(rng.choice([0, 1, 1, 2]))]
    made = span(f"s{number}", *elements, tokens=rng.choice([0, 1, 5, 10]), kind="summary" if is_summary else "message", text=random_text(rng))
    if is_summary and rng.random() < 0.85:
        counts = {name: (sum(not one.get("lost", False) for one in elements if one["class"] == name), sum(one["class"] == name for one in elements))
                  for name in rng.sample("abc", rng.choice([1, 2, 3, 3]))}
        made["lineage"] = lineage(counts, rng.randint(1, 5), rng.random() < 0.9, rng.choice(["certified"] * 4 + ["provisional"]))
    plant += [form for one in elements for form in one["forms"]]
    return changed(made, ["elements"], ...) if rng.random() < 0.1 else made


def random_compact(rng):
    plant = []
    spans = [random_span(rng, number, plant) for number in range(rng.randint(0, 4))]
    names = [one["id"] for one in spans]
    rng.shuffle(names)
    cut = rng.randint(0, len(names))
    summaries = []
    for number, of in enumerate([names[:cut], names[cut:]]):
        texts = [form for form in plant if rng.random() < 0.8] if rng.random() < 0.8 else [random_text(rng)]
        if rng.random() < 0.9:
            summaries.append(summary(f"m{number}", of, " ; ".join(texts + ["so"] * (rng.random() < 0.9)), rng.choice([0, 1, 3, 12]),
                                     status=rng.choice(["ok"] * 9 + ["partial"])))
    return compact_in(spans, summaries, budget=rng.randint(0, 20), required=rng.sample("abc", rng.choice([0, 1, 1, 2])),
                      known=rng.sample("abcd", rng.choice([2, 3, 4, 4])), floors=rng.choice([None, None, {"a": 500}, {"b": 1}, {"a": 0, "b": 1000}]),
                      recoverable=rng.random() < 0.3, strict=rng.random() < 0.4, chaining=rng.random() < 0.3, costly=rng.random() < 0.3)


class AgreesWithARestatement(unittest.TestCase):
    def test_reading(self):
        rng = random.Random(7)
        for _ in range(4000):
            given = random_element(rng, "x", False)
            texts = [random_text(rng, 12) for _ in range(rng.randint(0, 2))] + given["forms"] * (rng.random() < 0.5)
            got = state(texts, given["forms"], given.get("inverted_forms", ()), match=given["match"])
            self.assertEqual(got, restated_state(texts, given), (texts, given))

    def test_compactions(self):
        rng = random.Random(20261)
        decisions = []
        for _ in range(1500):
            request, policy = random_compact(rng), rng.choice(["guard", "joint"])
            floorcheck.validate("compact", request)
            out = guard.Guard(policy).compact(request)
            with self.subTest(request=request, policy=policy):
                Restated(request, policy).check(self, out)
            decisions.append(out["decision"] if out.get("evicted") != [] else "no-op")
        for decision in "certified", "provisional", "refuse", "no-op":
            self.assertGreater(decisions.count(decision), 50, decision)


STRICT, RECOVERABLE = dict(strict=True), dict(recoverable=True)
XY = [element("x", inverted=["no x"]), element("y", inverted=["no y"])]
XB = span("s1", element("x", of="b"))
# For each fault of these two ops one request that tells it from the correct guard.
TELLING = {
    "polarity-ignored": ("certify", certify_in(XY, "x, no y")),
    "contradictory-retained": ("certify", certify_in(XY, "x, y, no y")),
    "exact-as-folded": ("certify", certify_in([element("X", match="exact")], "x")),
    "joiners-ignored": ("certify", certify_in([element("prod", match="exact")], "non-prod")),
    "glued-words": ("certify", certify_in([element("port")], "report")),
    "nesting-ignored": ("certify", certify_in([element("x", ["do not x"], ["x"])], "do not x")),
    "parts-joined": ("certify", certify_in([element("x", ["do not deploy"])], "do not", pins=["deploy"])),
    "pins-ignored": ("certify", certify_in(XY, "x", pins=["y"])),
    "status-ignored": ("certify", certify_in(XY, "x y", status="partial")),
    "empty-text-certifies": ("certify", certify_in([], "--")),
    "quota-passes": ("certify", certify_in(XY, "x x")),
    "label-match": ("certify", certify_in(XY, "x")),
    "floor-950": ("certify", certify_in([element(f"x{number}") for number in range(20)], " ".join(f"x{number}" for number in range(19)))),
    "floor-averaged": ("certify", certify_in([*XY, element("z", of="b")], "x z", required=["a", "b"], floors_permille={"a": 600, "b": 600})),
    "floor-strict": ("certify", certify_in(XY, "x", floors_permille={"a": 500})),
    "empty-class-uncertified": ("certify", certify_in([], "x")),
    "inverted-reported-lost": ("certify", certify_in(XY, "x no y")),
    "unknown-as-none": ("compact", compact_in([span("s1", unknown=True)], [summary("m", ["s1"], "q")])),
    "unclean-used": ("compact", compact_in([X, Y], [summary("m", ["s1"], "x no y")], 11)),
    "unknown-class-certified": ("compact", compact_in([X], [summary("m", ["s1"], "x")], known=["b"])),
    "required-only-guarded": ("compact", compact_in([XB], [summary("m", ["s1"], "q")], floors={"b": 1000})),
    "lineage-decision-ignored": ("compact", compact_in([old(element("x"), decision="provisional")], [summary("m", ["s1"], "x")])),
    "no-lineage-trusted": ("compact", compact_in([span("s1", element("x"), kind="summary")], [summary("m", ["s1"], "x")])),
    "effective-ignored": ("compact", compact_in([old(element("x"), effective={})], [summary("m", ["s1"], "x")])),
    "lost-forgotten": ("compact", compact_in([old(element("x", lost=True))], [summary("m", ["s1"], "x")])),
    "opposed-elsewhere-ignored": ("compact", compact_in([X, old(name="s9", text="no x")], [summary("m", ["s1"], "x")], 11)),
    "floor-per-summary": ("compact", compact_in([X, Y], [M], floors={"a": 500})),
    "all-or-nothing": ("compact", compact_in([X, Y], [M], 11)),
    "evicts-when-full": ("compact", compact_in([X, Y], [M])),
    "short-summary-unused": ("compact", compact_in([X], [summary("m", ["s1"], "x", 1)])),
    "budget-off-by-one": ("compact", compact_in([X], [summary("m", ["s1"], "x", 2)])),
    "no-op-compacts": ("compact", compact_in([X], [summary("m", ["s1"], "x")], 10)),
    "provisional-unmarked": ("compact", compact_in([X], [summary("m", ["s1"], "q")], **RECOVERABLE)),
    "basis-always-recoverable": ("compact", compact_in([X], [summary("m", ["s1"], "q")], strict=False)),
    "kept-text-tidied": ("compact", compact_in([span("s1", text="a  b")], [], 99)),
    "generation-flat": ("compact", compact_in([old(element("x"))], [summary("m", ["s1"], "x")])),
    "effective-of-summary-alone": ("compact", compact_in([old(element("x"))], [summary("m", ["s1"], "x")])),
    "lineage-dropped": ("compact", compact_in([old(element("x"))], [summary("m", ["s1"], "x")])),
    "lost-unlisted": ("compact", compact_in([X], [summary("m", ["s1"], "q")], **RECOVERABLE)),
    "contract-of-summary-alone": ("compact", compact_in([X, old(name="s9", ancestry=False)], [summary("m", ["s1"], "x")], 11)),
    "refusal-without-reasons": ("compact", compact_in([X, Y], [M])),
    "missing-all-guarded": ("compact", compact_in([X, Y], [M], floors={"b": 1})),
    "over-budget-of-all": ("compact", compact_in([X, Y], [M])),
    "refusal-without-ways": ("compact", compact_in([X, Y], [M])),
}
# What they all answer alike: the plainest of everything.
PLAIN_CASES = [("decide", test_floorcheck.decide_in()), ("certify", certify_in([element("x")], "x")),
               ("compact", compact_in([span("s1", element("x"), tokens=6)], [summary("m", ["s1"], "x", 2)], 2))]


class Faults(unittest.TestCase):
    def test_every_fault_shows_and_leaves_the_plainest_cases_alone(self):
        self.assertEqual(list(test_floorcheck.TELLING) + list(TELLING), list(guard.FAULTS))
        right = self.answers([*PLAIN_CASES, *TELLING.values()])
        for number, (name, conversation) in enumerate(TELLING.items(), len(PLAIN_CASES)):
            with self.subTest(name):
                answers = self.answers([*PLAIN_CASES, conversation], "--fault", name)
                self.assertEqual(answers[:len(PLAIN_CASES)], right[:len(PLAIN_CASES)])
                self.assertNotEqual(answers[-1], right[number])
                self.assertIn("out", answers[-1])

    def test_a_missing_flag_is_filled_in_compact_too(self):
        request = changed(compact_in([X], [], 99), ["chaining_risk"], ...)
        cases = [("compact", request), ("certify", {}), ("compact", None), ("certify", certify_in([], "x")),
                 ("compact", {**request, "budget_tokens": -1})]
        outcomes = [[name for answer in self.answers(cases, *options) for name in answer] for options in ([], ["--fault", "missing-flag-false"])]
        self.assertEqual(outcomes, [["error", "error", "error", "out", "error"], ["out", "error", "error", "out", "error"]])

    def answers(self, cases, *options):
        lines = [{"id": number, "op": op, "in": request} for number, (op, request) in enumerate(cases)]
        answers, code, _ = run([os.path.join(HERE, "guard.py"), *options], lines)
        self.assertEqual((len(answers), code), (len(lines), 0))
        return [{name: value for name, value in answer.items() if name != "id"} for answer in answers]


class Serving(unittest.TestCase):
    def test_functions_for_certify_and_compact_are_claimed_and_checked(self):
        source = """
        async def certify(request): return {"certified_classes": [], "seen": len(request["source"])}
        def compact(request): return {"decision": "refuse", "seen": len(request["spans"])}
        floorcheck.serve(name="x", certify=certify, compact=compact)
        """
        hello, one, two, three, four = ask(source, {"id": 0, "op": "hello", "protocol": [1]}, {"id": 1, "op": "certify", "in": WHOLE_CERTIFY},
                                           {"id": 2, "op": "compact", "in": WHOLE_COMPACT}, {"id": 3, "op": "certify", "in": WHOLE_COMPACT},
                                           {"id": 4, "op": "decide", "in": {}})
        self.assertEqual(hello["ops"], ["certify", "compact"])
        self.assertEqual([one["out"]["seen"], two["out"]["seen"]], [2, 2])
        self.assertEqual([three["error"]["code"], four["error"]["code"]], ["bad_request", "unsupported"])


if __name__ == "__main__":
    unittest.main()
