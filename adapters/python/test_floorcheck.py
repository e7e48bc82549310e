"""Tests of the Python adapters: python3 -m unittest test_floorcheck.py"""

import copy
import itertools
import json
import os
import random
import subprocess
import sys
import textwrap
import time
import unittest
from fractions import Fraction

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import floorcheck
import guard

DANGERS = ["consumer_strict", "chaining_risk", "side_effect_cost_exceeds_refusal"]


def flags(recoverable=False, strict=False, chaining=False, costly=False):
    return dict(source_recoverable=recoverable, consumer_strict=strict, chaining_risk=chaining,
                side_effect_cost_exceeds_refusal=costly)


def decide_in(required=("a",), certified=("a",), generation=1, ancestry=True, **more):
    contract = {"required_classes": list(required), "certified_classes": list(certified),
                "generation": generation, "ancestry_certified": ancestry}
    return {"contract": contract, **flags(strict=True), **more}


def event(name, inputs, certificate, required=("a",), floors=None, **conditions):
    """certificate: {"a": (3, 4)}"""
    entries = [{"class": key, "retained": retained, "total": total} for key, (retained, total) in certificate.items()]
    made = {"id": name, "inputs": list(inputs), "required_classes": list(required), "certificate": entries,
            **flags(**conditions)}
    return made if floors is None else {**made, "floors_permille": floors}


def derive_in(*events, originals=("o1", "o2")):
    return {"originals": list(originals), "events": list(events)}


def run(command, lines):
    """Feed lines to a program; return its answers, its exit code and its stderr."""
    if not isinstance(lines, bytes):
        lines = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    done = subprocess.run([sys.executable, *command], input=lines, capture_output=True, timeout=30, env=environment())
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode, done.stderr.decode()


def environment():
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return {**inherited, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": HERE}


def program(source):
    return ["-c", textwrap.dedent("import floorcheck\n") + textwrap.dedent(source)]


def ask(source, *lines):
    answers, code, stderr = run(program(source), lines if lines else b"")
    return answers


DECIDE = {"id": 1, "op": "decide", "in": decide_in()}
CONSTANT = """
def decide(request): return {"decision": "provisional"}
floorcheck.serve(name="constant", version="7", decide=decide)
"""


class Framing(unittest.TestCase):
    def test_hello_tells_what_was_given(self):
        [answer] = ask(CONSTANT, {"id": 0, "op": "hello", "protocol": [3, 1], "suite": "x", "x-new": 1.5})
        self.assertEqual(answer, {"id": 0, "protocol": 1, "name": "constant", "version": "7", "language": "python",
                                  "ops": ["decide"], "policy": "guard", "max_batch": 100, "stateful": False})

    def test_other_protocol_versions_are_unsupported(self):
        for versions in [], [2], [True], ["1"], [1.0]:
            [answer] = ask(CONSTANT, {"id": 0, "op": "hello", "protocol": versions})
            self.assertEqual(answer["error"]["code"], "unsupported", versions)

    def test_unclaimed_ops_are_unsupported_and_a_batch_of_one_is_one_error(self):
        unclaimed = {"op": "derive"}, {"op": "session.open"}, {"op": "batch", "of": "derive"}, {"op": "batch", "of": "batch"}
        answers = ask(CONSTANT, *({"id": 1, **op, "in": [{}, {}]} for op in unclaimed))
        self.assertEqual([answer["error"]["code"] for answer in answers], ["unsupported"] * 4)

    def test_a_message_without_its_parts_is_a_bad_request(self):
        broken = {}, {"op": 3}, {"op": "decide"}, {"op": "decide", "in": None}, {"op": "batch", "in": []}, \
                 {"op": "batch", "of": "decide"}, {"op": "batch", "of": "decide", "in": {}}, {"op": "hello"}
        answers = ask(CONSTANT, *({"id": 1, **message} for message in broken))
        self.assertEqual([answer["error"]["code"] for answer in answers], ["bad_request"] * len(broken))

    def test_a_batch_answers_case_by_case(self):
        [answer] = ask(CONSTANT, {"id": 4, "op": "batch", "of": "decide", "in": [decide_in(), {}, decide_in()]})
        self.assertEqual(answer["id"], 4)
        self.assertEqual([list(one) for one in answer["out"]], [["out"], ["error"], ["out"]])
        self.assertEqual(ask(CONSTANT, {"id": 4, "op": "batch", "of": "decide", "in": []}), [{"id": 4, "out": []}])

    def test_crlf_blank_lines_and_a_last_line_without_end(self):
        line = json.dumps(DECIDE).encode()
        answers, code, _ = run(program(CONSTANT), line + b"\r\n\r\n\n" + line)
        self.assertEqual((len(answers), code), (2, 0))

    def test_bye_and_end_of_input_exit_0(self):
        answers, code, stderr = run(program(CONSTANT), [DECIDE, {"id": 2, "op": "bye"}, DECIDE])
        self.assertEqual((len(answers), code, stderr), (1, 0, ""))
        self.assertEqual(run(program(CONSTANT), b""), ([], 0, ""))

    def test_what_has_no_integer_id_is_passed_over_with_a_note(self):
        for line in b"nonsense", b"[1]", b'{"op":"decide"}', b'{"id":"1","op":"decide"}', b'{"id":1.0}', b'{"id":true}', b"\xff":
            answers, code, stderr = run(program(CONSTANT), line + b"\n" + json.dumps(DECIDE).encode())
            self.assertEqual((len(answers), code), (1, 0), line)
            self.assertIn("passed over", stderr)

    def test_a_broken_line_that_begins_with_its_id_is_answered(self):
        deep = b"[" * 100_000
        for rest in b"NaN}", b"-Infinity}", b"\xff}", b"", deep, b'"' + b"x" * 2**24 + b'"}':
            answers, code, _ = run(program(CONSTANT), b'{"id":5,"op":"decide","in":' + rest + b"\n" + json.dumps(DECIDE).encode())
            self.assertEqual([(answer["id"], "error" in answer) for answer in answers], [(5, True), (1, False)], rest[:20])

    def test_a_number_of_thousands_of_digits_spoils_its_own_case_only(self):
        good = json.dumps(decide_in())
        line = '{"id":1,"op":"batch","of":"decide","in":[%s,{"x":-%s},%s]}' % (good, "9" * 9000, good)
        [answer], _, _ = run(program(CONSTANT), line.encode())
        self.assertIn("in.x: must be less than 2^53", answer["out"][1]["error"]["message"])
        self.assertIn("out", answer["out"][2])

    def test_text_beyond_ascii_comes_back_whole(self):
        source = """
        def decide(request): return {"decision": request["contract"]["required_classes"][0]}
        floorcheck.serve(name="echo", decide=decide)
        """
        [answer] = ask(source, {"id": 1, "op": "decide", "in": decide_in(required=["\u2028né𝄞"])})
        self.assertEqual(answer["out"]["decision"], "\u2028né𝄞")

    def test_each_line_is_answered_before_the_next_is_awaited(self):
        with self.start(CONSTANT) as process:
            for number in range(3):
                self.assertEqual(self.exchange(process, {**DECIDE, "id": number})["id"], number)
            process.stdin.write(json.dumps(DECIDE).encode() + b'\n{"id":2,"op":"dec')  # half a line keeps nothing back
            process.stdin.flush()
            self.assertEqual(json.loads(process.stdout.readline())["id"], 1)
            process.communicate()

    def test_a_slow_case_does_not_keep_back_the_answers_before_it(self):
        source = """
        import time
        def decide(request):
            time.sleep(request["contract"]["generation"])
            return {}
        floorcheck.serve(name="slow", decide=decide)
        """
        with self.start(source) as process:
            slow = {"id": 2, "op": "decide", "in": decide_in(generation=2)}
            quick = {"id": 1, "op": "decide", "in": decide_in(generation=0)}
            self.exchange(process, quick)
            process.stdin.write(b"".join(json.dumps(line).encode() + b"\n" for line in [quick, slow]))
            process.stdin.flush()
            begun = time.monotonic()
            self.assertEqual(json.loads(process.stdout.readline())["id"], 1)
            self.assertLess(time.monotonic() - begun, 1.5)
            process.communicate()

    def start(self, source):
        return subprocess.Popen([sys.executable, *program(source)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                env=environment())

    def exchange(self, process, message):
        process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())


class UserFunctions(unittest.TestCase):
    def test_stdout_is_out_of_reach(self):
        answers, code, stderr = run(program("""
            import os, subprocess, sys
            from sys import stdout
            print("early stray")
            def decide(request):
                print("stray")
                stdout.write("kept stray\\n"), stdout.flush()
                sys.__stdout__.write("dunder stray\\n"), sys.__stdout__.flush()
                os.write(1, b"raw stray\\n")
                subprocess.run([sys.executable, "-c", "print('child stray')"])
                return {"decision": "provisional"}
            floorcheck.serve(name="loud", decide=decide)
            print("late stray")
            """), [DECIDE, {**DECIDE, "id": 2}])
        self.assertEqual([answer["id"] for answer in answers], [1, 2])
        self.assertEqual(code, 0)
        for stray in "early", "kept", "dunder", "raw", "child", "late":
            self.assertIn(stray + " stray", stderr)

    def test_a_child_process_cannot_eat_the_requests(self):
        answers = ask("""
            import subprocess, sys
            def decide(request):
                subprocess.run([sys.executable, "-c", "import sys; sys.stdin.read()"], timeout=20)
                return {}
            floorcheck.serve(name="hungry", decide=decide)
            """, DECIDE, DECIDE)
        self.assertEqual(len(answers), 2)

    def test_async_functions_share_one_loop(self):
        answers = ask("""
            import asyncio
            loops = []
            async def decide(request):
                await asyncio.sleep(0)
                loops.append(asyncio.get_running_loop())
                return {"decision": "provisional", "loops": len(set(map(id, loops)))}
            async def derive(request): raise floorcheck.BadRequest("in: no")
            floorcheck.serve(name="async", decide=decide, derive=derive)
            """, DECIDE, DECIDE, {"id": 3, "op": "derive", "in": derive_in()})
        self.assertEqual([answer["out"]["loops"] for answer in answers[:2]], [1, 1])
        self.assertEqual(answers[2]["error"], {"code": "bad_request", "message": "in: no"})

    def test_mistakes_are_internal_errors_of_their_own_case(self):
        cases = ["1/0", "None", "'refuse'", "{'x': {1}}", "{'x': float('nan')}", "[]", "{}"]
        source = f"""
            cases = iter([lambda: 1/0, {', '.join('lambda: ' + case for case in cases[1:])}])
            def decide(request): return next(cases)()
            floorcheck.serve(name="faulty", decide=decide)
            """
        answers, code, stderr = run(program(source), [{"id": 1, "op": "batch", "of": "decide", "in": [decide_in()] * 7}])
        *wrong, right = answers[0]["out"]
        self.assertEqual([one["error"]["code"] for one in wrong], ["internal"] * 6)
        self.assertEqual(wrong[0]["error"]["message"], "ZeroDivisionError: division by zero")
        self.assertEqual((right, code), ({"out": {}}, 0))
        self.assertIn("Traceback", stderr)
        [single] = ask("def decide(r): return {1: {2}}\nfloorcheck.serve(name='x', decide=decide)", DECIDE)
        self.assertEqual((single["id"], single["error"]["code"]), (1, "internal"))

    def test_without_validation_the_function_sees_everything(self):
        source = "floorcheck.serve(name='x', decide=lambda request: {'saw': request}, validate=False)"
        self.assertEqual(ask(source, {"id": 1, "op": "decide", "in": [1.5]})[0]["out"], {"saw": [1.5]})

    def test_serving_nothing_is_a_mistake(self):
        with self.assertRaises(ValueError):
            floorcheck.serve(name="nothing")
        with self.assertRaises(ValueError):
            floorcheck.validate("session.open", {})


def changed(request, path, value):
    """A copy with the value at path replaced; `...` removes it."""
    request = copy.deepcopy(request)
    holder = request
    for key in path[:-1]:
        holder = holder[key]
    if value is ...:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return request


RIDERS = {"source_tokens": 10, "summary_tokens": 5, "quota_facts": None, "fluency_permille": "high"}
WHOLE_DECIDE = decide_in(riders=RIDERS)
WHOLE_DERIVE = derive_in(event("e1", ["o1"], {"a": (3, 4)}, floors={"a": 750}), event("e2", ["e1"], {"a": (1, 1)}))
FLAG_PATHS = [[flag] for flag in floorcheck.FLAGS]
EVENT = ["events", 0]
ENTRY = ["events", 0, "certificate", 0]

BAD_NUMBERS = [1.0, 0.5, 1e300, float("inf"), 2**53, -(2**53), 10**40]
BAD_DECIDE = [
    *[(path, ...) for path in FLAG_PATHS + [["contract"]]],
    *[(path, value) for path in FLAG_PATHS + [["contract", "ancestry_certified"]] for value in (None, 0, 1, "true")],
    *[(["contract", name], ...) for name in WHOLE_DECIDE["contract"]],
    *[(["contract"], value) for value in (None, [], "x")],
    *[(["contract", "generation"], value) for value in (-1, 2**31, True, None, "1", *BAD_NUMBERS)],
    *[(["contract", name], value) for name in ("required_classes", "certified_classes")
      for value in (None, "a", {}, [1], [None], ["a", ["b"]], [True])],
    *[(["riders"], value) for value in (None, [], 3)],
    *[(path, value) for path in (["riders", "source_tokens"], ["riders", "x"], ["x"], ["contract", "x"]) for value in BAD_NUMBERS],
    (["x"], {"y": [[], {"z": [1, 2.0]}]}),
]
BAD_DERIVE = [
    (["originals"], ...), (["events"], ...), (["originals"], None), (["events"], {}), (["originals"], [1]), (["events", 0], "e1"),
    *[(EVENT + [name], ...) for name in WHOLE_DERIVE["events"][0] if name != "floors_permille"],
    *[(EVENT + [flag], value) for flag in floorcheck.FLAGS for value in (None, 0, "true")],
    *[(EVENT + ["inputs"], value) for value in ([], None, "o1", [1], ["o9"], ["e2"], ["e1"])],
    (EVENT + ["id"], "o1"), (EVENT + ["id"], 1), (["events", 1, "id"], "e1"), (EVENT + ["required_classes"], [None]),
    (EVENT + ["certificate"], {}), (EVENT + ["certificate"], [3]),
    (EVENT + ["certificate"], [{"class": "a", "retained": 1, "total": 1}] * 2),
    *[(ENTRY + [name], value) for name in ("class", "retained", "total") for value in (..., None, True, -1, *BAD_NUMBERS)],
    (ENTRY + ["retained"], 5), (ENTRY + ["total"], 2),
    (EVENT + ["floors_permille"], None), (EVENT + ["floors_permille"], []),
    *[(EVENT + ["floors_permille"], {"z": value}) for value in (-1, 1001, None, True, "1", *BAD_NUMBERS)],
    (EVENT + ["x"], [{"y": 0.5}]), (ENTRY + ["x"], 2**53), (["x"], -(2**53)),
]
GOOD_DECIDE = [
    (["riders"], ...), (["riders"], {}), (["x"], None), (["riders", "x"], {"y": [None]}), (["riders", "source_tokens"], -5),
    (["contract", "required_classes"], ["a", "a"]), (["contract", "required_classes"], []), (["contract", "generation"], 0),
    (["contract", "generation"], 2**31 - 1), (["x"], 2**53 - 1), (["x"], 1 - 2**53), (["contract", "x"], False),
]
GOOD_DERIVE = [
    (["originals"], ["o1", "o1"]), (["events"], []), (EVENT + ["inputs"], ["o1", "o1"]), (EVENT + ["floors_permille"], ...),
    (EVENT + ["floors_permille"], {"a": 0, "z": 1000}), (EVENT + ["certificate"], []), (ENTRY + ["retained"], 0),
    (ENTRY + ["total"], 2**53 - 1), (EVENT + ["required_classes"], ["q", "q"]), (["events", 1, "inputs"], ["e1", "o2"]),
]


class BadRequests(unittest.TestCase):
    def test_the_list_for_decide(self):
        self.each_is_refused("decide", WHOLE_DECIDE, BAD_DECIDE)

    def test_the_list_for_derive(self):
        self.each_is_refused("derive", WHOLE_DERIVE, BAD_DERIVE)

    def each_is_refused(self, op, whole, bad):
        floorcheck.validate(op, whole)
        for path, value in bad:
            with self.subTest(op=op, path=path, value=value), self.assertRaises(floorcheck.BadRequest):
                floorcheck.validate(op, changed(whole, path, value))
        for request in None, [], "x", 3, True, {}:
            with self.assertRaises(floorcheck.BadRequest):
                floorcheck.validate(op, request)

    def test_what_is_odd_but_good(self):
        for path, value in GOOD_DECIDE:
            floorcheck.validate("decide", changed(WHOLE_DECIDE, path, value))
        for path, value in GOOD_DERIVE:
            floorcheck.validate("derive", changed(WHOLE_DERIVE, path, value))

    def test_messages_name_the_path(self):
        messages = [
            ("decide", WHOLE_DECIDE, ["contract", "generation"], -1, "in.contract.generation: must be 0 or more, got -1"),
            ("decide", WHOLE_DECIDE, ["contract"], ..., "in.contract: is missing"),
            ("decide", WHOLE_DECIDE, ["chaining_risk"], 1, "in.chaining_risk: must be true or false, got 1"),
            ("decide", WHOLE_DECIDE, ["x"], {"y": [2.5]}, "in.x.y[0]: must be an integer without fraction or exponent, got 2.5"),
            ("derive", WHOLE_DERIVE, ["events", 0, "inputs"], ["o1", "o9"], 'in.events[0].inputs[1]: "o9" is no original and no earlier event'),
            ("derive", WHOLE_DERIVE, ENTRY + ["total"], 2, "in.events[0].certificate[0].retained: must be at most total, 2, got 3"),
        ]
        for op, whole, path, value, message in messages:
            with self.assertRaises(floorcheck.BadRequest) as caught:
                floorcheck.validate(op, changed(whole, path, value))
            self.assertEqual(str(caught.exception), message)

    def test_exponents_are_bad_as_they_are_written(self):
        line = json.dumps({"id": 1, "op": "decide", "in": WHOLE_DECIDE}).replace('"generation": 1', '"generation": 1e0')
        for command in program(CONSTANT), [os.path.join(HERE, "decide_only.py")]:
            [answer], _, _ = run(command, line.encode())
            self.assertEqual(answer["error"]["code"], "bad_request")


def restated(policy, required, certified, ancestry, conditions):
    """decide/ in one sentence each, most permissive last."""
    dangers = sum(conditions[danger] for danger in DANGERS)
    decision = "provisional"
    if not conditions["source_recoverable"] and dangers >= {"guard": 1, "joint": 3}[policy]:
        decision = "refuse"
    if ancestry and all(name in certified for name in required):
        decision = "certified"
    return decision


def truth_table():
    sets = [[], ["a"], ["b"], ["b", "a", "b"]]
    bits = [False, True]
    for required, certified, ancestry, *rest in itertools.product(sets, sets, bits, bits, bits, bits, bits):
        yield required, certified, ancestry, flags(*rest)


class Decide(unittest.TestCase):
    def test_truth_table_under_both_policies(self):
        for policy in "guard", "joint":
            subject = guard.Guard(policy)
            for required, certified, ancestry, conditions in truth_table():
                out = subject.decide({**decide_in(required, certified, 3, ancestry), **conditions})
                self.check(out, policy, required, certified, ancestry, conditions)

    def test_the_small_adapter_agrees(self):
        rows = list(truth_table())
        requests = [{**decide_in(required, certified, 3, ancestry), **conditions} for required, certified, ancestry, conditions in rows]
        answers, code, _ = run([os.path.join(HERE, "decide_only.py")],
                               [{"id": number, "op": "decide", "in": request} for number, request in enumerate(requests)])
        self.assertEqual((len(answers), code), (len(rows), 0))
        for answer, row in zip(answers, rows):
            self.check(answer["out"], "guard", *row)

    def check(self, out, policy, required, certified, ancestry, conditions):
        decision = restated(policy, required, certified, ancestry, conditions)
        want = {"decision": decision}
        if decision == "refuse":
            want.update(missing_classes=sorted(set(required) - set(certified)), generation=3, ancestry_certified=ancestry)
        self.assertEqual(out, want)

    def test_the_small_adapter_knows_the_whole_list(self):
        bad = [changed(WHOLE_DECIDE, path, value) for path, value in BAD_DECIDE] + [None, [], "x", 3, True, {}]
        good = [changed(WHOLE_DECIDE, path, value) for path, value in GOOD_DECIDE]
        huge = json.dumps({"id": 0, "op": "decide", "in": {**WHOLE_DECIDE, "x": 7}}).replace('"x": 7', '"x": ' + "9" * 9000)
        lines = [json.dumps({"id": 1, "op": "decide", "in": request}) for request in bad + good]
        lines += [huge, '{"id":1,"op":"bye"}', huge]
        answers, code, stderr = run([os.path.join(HERE, "decide_only.py")], "\r\n".join(lines).encode())
        codes = [answer.get("error", {}).get("code") for answer in answers]
        self.assertEqual(codes, ["bad_request"] * len(bad) + [None] * len(good) + ["bad_request"])
        self.assertEqual((code, stderr), (0, ""))

    def test_the_small_adapter_is_small(self):
        with open(os.path.join(HERE, "decide_only.py")) as file:
            lines = file.read().split('"""')[2].splitlines()
        self.assertLessEqual(len([line for line in lines if line.strip() and not line.startswith("#")]), 22)


def derived(*events, policy="guard"):
    request = derive_in(*events)
    floorcheck.validate("derive", request)
    return guard.Guard(policy).derive(request)["events"]


def effective(answer):
    return {entry["class"]: (entry["retained"], entry["total"]) for entry in answer["effective"]}


class Derive(unittest.TestCase):
    def test_minimum_over_the_chain(self):
        floors = {"a": 500}
        answers = derived(event("e1", ["o1"], {"a": (3, 4)}, floors=floors), event("e2", ["e1"], {"a": (1, 2)}, floors=floors),
                          event("e3", ["e2"], {"a": (9, 9)}, floors=floors))
        self.assertEqual([effective(answer)["a"] for answer in answers], [(3, 4), (1, 2), (1, 2)])
        self.assertEqual([answer["generation"] for answer in answers], [1, 2, 3])
        self.assertEqual({answer["decision"] for answer in answers}, {"certified"})

    def test_0_of_0_is_full_fidelity(self):
        answers = derived(event("e1", ["o1"], {"a": (0, 0), "b": (0, 0)}), event("e2", ["e1"], {"a": (0, 0), "b": (1, 2)}, required=["a"]))
        self.assertEqual(effective(answers[1]), {"a": (0, 0), "b": (1, 2)})
        self.assertEqual(answers[1]["decision"], "certified")
        answers = derived(event("e1", ["o1"], {"b": (1, 2)}, required=[]), event("e2", ["e1"], {"b": (0, 0)}, required=[]))
        self.assertEqual(effective(answers[1]), {"b": (1, 2)})

    def test_huge_fractions_are_compared_exactly(self):
        total = 2**53 - 1
        low, high = (total - 2, total - 1), (total - 1, total)  # equal as floats
        for first, second in (low, high), (high, low):
            answers = derived(event("e1", ["o1"], {"a": first}, floors={"a": 999}), event("e2", ["e1"], {"a": second}, floors={"a": 999}))
            self.assertEqual(effective(answers[1])["a"], low)
        [answer] = derived(event("e1", ["o1"], {"a": high}, strict=True))
        self.assertEqual(answer, {"id": "e1", "decision": "refuse", "missing_classes": ["a"], "ancestry_certified": True})

    def test_a_merge_takes_the_worst_of_all_inputs(self):
        answers = derived(event("e1", ["o1"], {"a": (1, 1), "b": (1, 1)}), event("e2", ["e1"], {"a": (1, 1), "b": (1, 3)}),
                          event("e3", ["o2"], {"a": (2, 2), "c": (1, 1)}),
                          event("e4", ["e3", "o2", "e2", "e3"], {"a": (5, 5), "b": (5, 5), "c": (5, 5)}))
        self.assertEqual((answers[3]["generation"], list(effective(answers[3]))), (3, ["a"]))

    def test_widening_needs_the_class_in_every_ancestor(self):
        answers = derived(event("e1", ["o1"], {"a": (1, 1)}), event("e2", ["e1"], {"a": (1, 1), "b": (1, 1)}, required=["b", "a"], chaining=True))
        self.assertEqual((answers[1]["decision"], answers[1]["missing_classes"]), ("refuse", ["b"]))
        answers = derived(event("e1", ["o1"], {"a": (1, 1)}, required=["b"], floors={"b": 0}))
        self.assertEqual(answers[0]["decision"], "provisional")  # absent is not effective, whatever the floor

    def test_a_provisional_event_poisons_its_line_until_originals_begin_anew(self):
        kept = {"a": (1, 1)}
        answers = derived(event("e1", ["o1"], {"a": (0, 1)}), event("e2", ["e1", "o2"], kept), event("e3", ["e2"], kept, recoverable=True),
                          event("e4", ["o1"], kept), event("e5", ["e3", "e4"], kept, strict=True))
        self.assertEqual([answer["ancestry_certified"] for answer in answers], [True, False, False, True, False])
        self.assertEqual([answer["decision"] for answer in answers], ["provisional"] * 3 + ["certified", "refuse"])
        self.assertEqual(answers[4]["missing_classes"], ["a"])

    def test_nothing_comes_of_a_refused_event(self):
        refused = event("e1", ["o1"], {}, strict=True)
        with self.assertRaises(floorcheck.BadRequest) as caught:
            derived(refused, event("e2", ["o2", "e1"], {}))
        self.assertEqual(str(caught.exception), "in.events[1].inputs[1]: e1 was refused, nothing can come of it")
        self.assertEqual(len(derived(refused, event("e2", ["e1"], {}), policy="joint")), 2)
        self.assertEqual(len(derived(refused, event("e2", ["o1"], {"a": (1, 1)}))), 2)

    def test_random_histories_agree_with_a_restatement(self):
        rng = random.Random(20260)
        for _ in range(400):
            policy = rng.choice(["guard", "joint"])
            request = random_history(rng)
            floorcheck.validate("derive", request)
            try:
                got = guard.Guard(policy).derive(request)
            except floorcheck.BadRequest:
                got = None
            want = restated_history(policy, request)
            if got is not None:
                got = [{**out, "effective": {name: value(*pair) for name, pair in effective(out).items()}} if "effective" in out else out
                       for out in got["events"]]
            self.assertEqual(got, want)


def random_history(rng):
    events = []
    for number in range(rng.randint(0, 6)):
        sources = ["o1", "o2"] + [earlier["id"] for earlier in events]
        inputs = [sources[-1]] + rng.choices(sources, k=rng.randint(0, 2))
        certificate = {}
        for name in rng.sample("abc", rng.randint(0, 3)):
            total = rng.choice([0, 1, 3, 2**53 - 1])
            certificate[name] = (rng.choice([total, total, max(total - 1, 0)]), total)
        events.append(event(f"e{number}", inputs, certificate, required=rng.sample("abc", rng.randint(0, 2)),
                            floors=rng.choice([None, {"a": 600}, {"b": 0, "c": 1000}]), recoverable=rng.random() < 0.6,
                            strict=rng.random() < 0.5, chaining=rng.random() < 0.5, costly=rng.random() < 0.5))
    return derive_in(*events)


def value(retained, total):
    return Fraction(retained, total) if total else Fraction(1)


def restated_history(policy, request):
    """2c by walking all ancestors of each event; None where the request is bad."""
    events = {made["id"]: made for made in request["events"]}
    outs = {}
    for name, made in events.items():
        parents = [source for source in made["inputs"] if source in events]
        if any(outs[parent]["decision"] == "refuse" for parent in parents):
            return None
        line = ancestors(events, name)
        tables = [{entry["class"]: value(entry["retained"], entry["total"]) for entry in events[one]["certificate"]} for one in line]
        least = {key: min(table[key] for table in tables) for key in "abc" if all(key in table for table in tables)}
        floors = {"a": 1000, "b": 1000, "c": 1000, **made.get("floors_permille", {})}
        held = [key for key in made["required_classes"] if key in least and least[key] >= Fraction(floors[key], 1000)]
        ancestry = all(outs[one]["decision"] == "certified" for one in line if one != name)
        out = {"id": name, "decision": restated(policy, made["required_classes"], held, ancestry, made), "ancestry_certified": ancestry}
        if out["decision"] == "refuse":
            out["missing_classes"] = sorted(set(made["required_classes"]) - set(held))
        else:
            depth = 1 + max((outs[parent]["generation"] for parent in parents), default=0)
            out.update(generation=depth, effective=least)
        outs[name] = out
    return list(outs.values())


def ancestors(events, name):
    found = {name}
    for source in events[name]["inputs"]:
        if source in events:
            found |= ancestors(events, source)
    return found


KEPT = {"a": (1, 1)}
# One conversation per fault that tells it from the correct guard.
TELLING = {
    "chaining-ignored": [("decide", {**decide_in(certified=[]), **flags(chaining=True)})],
    "danger-and": [("decide", decide_in(certified=[]))],
    "recoverable-refuses": [("decide", {**decide_in(certified=[]), **flags(recoverable=True, strict=True)})],
    "ancestry-ignored": [("decide", decide_in(ancestry=False))],
    "subset-overlap": [("decide", decide_in(required=["a", "b"]))],
    "reason-all-required": [("decide", decide_in(required=["a", "b"]))],
    "ratio-refuses": [("decide", decide_in(riders={"source_tokens": 100, "summary_tokens": 14}))],
    "cached-per-contract": [("decide", decide_in(certified=[])), ("decide", {**decide_in(certified=[]), **flags()})],
    "missing-flag-false": [("decide", changed(decide_in(), ["chaining_risk"], ...))],
    "latest-only": [("derive", derive_in(event("e1", ["o1"], {"a": (1, 2)}, required=[]), event("e2", ["e1"], KEPT)))],
    "grandparent-skipped": [("derive", derive_in(event("e1", ["o1"], {"a": (1, 2)}, required=[]), event("e2", ["e1"], KEPT, required=[]),
                                                 event("e3", ["e2"], KEPT)))],
    "merge-first-parent": [("derive", derive_in(event("e1", ["o1"], KEPT), event("e2", ["o2"], {"a": (1, 2)}, required=[]),
                                                event("e3", ["e1", "e2"], KEPT)))],
    "generation-not-raised": [("derive", derive_in(event("e1", ["o1"], KEPT), event("e2", ["e1"], KEPT)))],
    "provisional-parent-certified": [("derive", derive_in(event("e1", ["o1"], {}), event("e2", ["e1"], {}, required=[])))],
    "rounded-permille": [("derive", derive_in(event("e1", ["o1"], {"a": (9999, 10000)})))],
}


class Faults(unittest.TestCase):
    def test_every_fault_shows(self):
        self.assertEqual(list(TELLING), list(guard.FAULTS)[:len(TELLING)])  # test_compact.py has the others
        for name, conversation in TELLING.items():
            with self.subTest(name):
                answers = self.answers(conversation, "--fault", name)
                self.assertNotEqual(answers, self.answers(conversation))
                self.assertNotIn("internal", [answer.get("error", {}).get("code") for answer in answers])  # wrong, not broken

    def test_a_missing_flag_is_filled_in_derive_too(self):
        request = changed(WHOLE_DERIVE, ["events", 0, "chaining_risk"], ...)
        self.assertIn("error", self.answers([("derive", request)])[0])
        self.assertIn("out", self.answers([("derive", request)], "--fault", "missing-flag-false")[0])
        for bad in None, {"events": 3}, {"events": [3]}:
            [answer] = self.answers([("derive", bad)], "--fault", "missing-flag-false")
            self.assertEqual(answer["error"]["code"], "bad_request")

    def test_the_rounding_fault_still_knows_0_of_0(self):
        conversation = [("derive", derive_in(event("e1", ["o1"], {"a": (0, 0)})))]
        self.assertEqual(self.answers(conversation, "--fault", "rounded-permille"), self.answers(conversation))

    def answers(self, conversation, *options):
        lines = [{"id": number, "op": op, "in": request} for number, (op, request) in enumerate(conversation)]
        answers, code, _ = run([os.path.join(HERE, "guard.py"), *options], lines)
        self.assertEqual((len(answers), code), (len(lines), 0))
        return answers

    def test_the_command_line(self):
        done = subprocess.run([sys.executable, os.path.join(HERE, "guard.py"), "--list-faults"], capture_output=True, text=True)
        self.assertEqual([line.split()[0] for line in done.stdout.splitlines()], list(guard.FAULTS))
        done = subprocess.run([sys.executable, os.path.join(HERE, "guard.py"), "--fault", "chaning-ignored"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("did you mean 'chaining-ignored'?", done.stderr)
        [hello], _, _ = run([os.path.join(HERE, "guard.py"), "--policy", "joint"], [{"id": 0, "op": "hello", "protocol": [1]}])
        self.assertEqual((hello["policy"], hello["ops"]), ("joint", ["decide", "derive", "certify", "compact"]))


if __name__ == "__main__":
    unittest.main()
