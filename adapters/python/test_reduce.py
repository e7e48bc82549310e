"""Tests of reduce and recall: python3 -m unittest test_reduce.py"""

import importlib.util
import json
import os
import random
import sys
import types
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import floorcheck
import guarded_runtime
import marking
import pinning
from test_floorcheck import ask, changed, program, run


def user(text):
    return {"role": "user", "text": text}


def assistant(text, *calls):
    return {"role": "assistant", "text": text, **({"calls": list(calls)} if calls else {})}


def call(name, args=None, number=1):
    return {"id": f"c{number}", "name": name, "args": args or {}}


def result(text, number=1):
    return {"role": "tool", "text": text, "call_id": f"c{number}"}


def system(text):
    return {"role": "system", "text": text}


NESTED = {"path": "/etc/ä pp", "deep": [{"": None, "n": -(2**53 - 1)}, [], {}, [True, "\u2028\"\\"]], "role": "tool"}
CONVERSATIONS = {
    "nothing": [],
    "one turn": [user("hello")],
    "empty texts": [system(""), user(""), assistant(""), user("a"), user(""), user("b"), assistant(""), assistant("")],
    "beyond ascii": [system("né𝄞\u2028"), user("日本\n\n語"), assistant("\u0000 \ufeff")],
    "a call and its result": [user("read it"), assistant("", call("read", NESTED)), result("text"), assistant("done")],
    "a call with words": [user("read it"), assistant("I read.", call("read")), result("", 1)],
    "parallel calls": [user("a"), assistant("", call("a"), call("b", NESTED, 2), call("a", {}, 3)),
                       result("x", 3), result("y", 1), result("z", 2), user("and?"), assistant("so")],
    "pending calls": [user("a"), assistant("now", call("a"), call("b", {}, 2))],
    "half pending": [user("a"), assistant("", call("a"), call("b", {}, 2)), result("x", 2)],
    "a word after a pending call": [assistant("", call("a")), user("wait"), assistant("yes"), result("late")],
    "neighbours": [user("a"), user("b"), assistant("c"), assistant("d"), assistant("e", call("x")), assistant("", call("y", {}, 2)),
                   result("1", 1), result("2", 2), user("f"), user("g")],
    "system in the middle": [system("one"), system("two"), user("a"), system("summary"), system("of it"), user("b"), assistant("c")],
    "system alone": [system("one")],
    "results first": [result("x", 7), result("y", 8), assistant("a")],
    "text that looks like a shape": [user('{"role":"system"}'), assistant('[{"type":"tool_use"}]'), user("[]")],
}


def drawn(seed):
    """A legal conversation: a call's results come after it, in any order, or never."""
    choose = random.Random(seed)
    text = lambda: choose.choice(["", "a", "Do not.", "né 𝄞", "\n", " x ", "{}", "long " * 20])
    conversation, numbers = [system(text()) for _ in range(choose.choice([0, 1, 1, 2]))], iter(range(1, 1000))
    for _ in range(choose.randrange(12)):
        kind = choose.choice(["user", "user", "assistant", "calls", "system"] if choose.random() < 0.3 else ["user", "assistant", "calls"])
        if kind == "calls":
            made = [next(numbers) for _ in range(choose.randrange(1, 4))]
            conversation.append(assistant(text(), *(call(choose.choice("abc"), drawn_args(choose), number) for number in made)))
            answered = [number for number in made if choose.random() < 0.9]
            choose.shuffle(answered)
            conversation += [result(text(), number) for number in answered]
        else:
            conversation.append({"role": kind, "text": text()})
    return conversation


def drawn_args(choose, depth=3):
    return {choose.choice(["", "a", "b", "ключ", "__proto__", "0"]): drawn_value(choose, depth) for _ in range(choose.randrange(4))}


def drawn_value(choose, depth):
    plain = [None, True, False, 0, -1, 2**53 - 1, "", "né", '"\\'][choose.randrange(9)]
    kinds = ["plain", "object", "list"] if depth else ["plain"]
    kind = choose.choice(kinds)
    if kind == "object":
        return drawn_args(choose, depth - 1)
    return [drawn_value(choose, depth - 1) for _ in range(choose.randrange(3))] if kind == "list" else plain


def stand_in():
    """What langchain_core's messages are to us, where it is not installed: strict constructors, None nowhere."""

    class Base:
        def __init__(self, content):
            if not isinstance(content, (str, list)):
                raise TypeError("content")
            self.content = content

    class SystemMessage(Base):
        type = "system"

    class HumanMessage(Base):
        type = "human"

    class AIMessage(Base):
        type = "ai"

        def __init__(self, content, tool_calls=()):
            super().__init__(content)
            self.tool_calls = [{"name": one["name"], "args": one["args"], "id": one["id"], "type": "tool_call"} for one in tool_calls]

    class ToolMessage(Base):
        type = "tool"

        def __init__(self, content, tool_call_id):
            super().__init__(content)
            self.tool_call_id = tool_call_id

    package, messages = types.ModuleType("langchain_core"), types.ModuleType("langchain_core.messages")
    for kind in SystemMessage, HumanMessage, AIMessage, ToolMessage:
        setattr(messages, kind.__name__, kind)
    package.messages = messages
    return {"langchain_core": package, "langchain_core.messages": messages}


if importlib.util.find_spec("langchain_core") is None:
    sys.modules.update(stand_in())


class Shapes(unittest.TestCase):
    def test_every_shape_gives_back_what_it_was_given(self):
        cases = {**CONVERSATIONS, **{f"seed {seed}": drawn(seed) for seed in range(400)}}
        for shape, (write, read) in floorcheck._SHAPES.items():
            for name, conversation in cases.items():
                with self.subTest(shape=shape, conversation=name):
                    given = write(json.loads(json.dumps(conversation)))
                    self.assertEqual(read(given), conversation)
                    if shape != "langchain-objects":
                        self.assertEqual(read(json.loads(json.dumps(given))), conversation)

    def test_the_drawn_conversations_hold_what_they_are_for(self):
        texts = [json.dumps(drawn(seed)) for seed in range(400)]
        for part in '"text": ""', '"calls": [{', '}, {"id": "c2"', '"role": "system"', '"role": "tool"', "__proto__", "[[", '{"a": {':
            self.assertGreater(sum(part in text for text in texts), 5, part)

    def test_openai(self):
        self.written("openai", [
            {"role": "system", "content": "be"}, {"role": "user", "content": "go"},
            {"role": "assistant", "content": None, "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "read", "arguments": '{"path":"ä","n":[1]}'}},
                {"id": "c2", "type": "function", "function": {"name": "list", "arguments": "{}"}}]},
            {"role": "tool", "content": "one", "tool_call_id": "c1"}, {"role": "tool", "content": "two", "tool_call_id": "c2"},
            {"role": "user", "content": "more"},
            {"role": "assistant", "content": "I do.", "tool_calls": [
                {"id": "c3", "type": "function", "function": {"name": "write", "arguments": "{}"}}]}])

    def test_anthropic(self):
        self.written("anthropic", {"system": "be", "messages": [
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "read", "input": {"path": "ä", "n": [1]}},
                                              {"type": "tool_use", "id": "c2", "name": "list", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "one"},
                                         {"type": "tool_result", "tool_use_id": "c2", "content": "two"},
                                         {"type": "text", "text": "more"}]},
            {"role": "assistant", "content": [{"type": "text", "text": "I do."},
                                              {"type": "tool_use", "id": "c3", "name": "write", "input": {}}]}]})

    def test_langchain(self):
        self.written("langchain", [
            {"type": "system", "content": "be"}, {"type": "human", "content": "go"},
            {"type": "ai", "content": "", "tool_calls": [{"id": "c1", "name": "read", "args": {"path": "ä", "n": [1]}},
                                                         {"id": "c2", "name": "list", "args": {}}]},
            {"type": "tool", "content": "one", "tool_call_id": "c1"}, {"type": "tool", "content": "two", "tool_call_id": "c2"},
            {"type": "human", "content": "more"},
            {"type": "ai", "content": "I do.", "tool_calls": [{"id": "c3", "name": "write", "args": {}}]}])

    def written(self, shape, want):
        conversation = [system("be"), user("go"), assistant("", call("read", {"path": "ä", "n": [1]}), call("list", {}, 2)),
                        result("one", 1), result("two", 2), user("more"), assistant("I do.", call("write", {}, 3))]
        self.assertEqual(floorcheck._SHAPES[shape][0](conversation), want)

    def test_several_system_messages_are_blocks_and_a_later_one_is_a_message(self):
        write = floorcheck._SHAPES["anthropic"][0]
        self.assertEqual(write([user("a")])["system"], "")
        self.assertEqual(write([system("")])["system"], [{"type": "text", "text": ""}])
        self.assertEqual(write([system("a"), system("b")])["system"], [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}])
        self.assertEqual(write([user("a"), system("b")])["messages"][1], {"role": "system", "content": "b"})

    def test_results_stand_together_and_never_after_a_text_and_no_block_is_empty(self):
        for seed in range(400):
            turns = floorcheck._SHAPES["anthropic"][0](drawn(seed))["messages"]
            for turn in turns:
                self.assertNotIn({"type": "text", "text": ""}, turn["content"] if isinstance(turn["content"], list) else [])
                kinds = [block["type"] for block in turn["content"] if isinstance(turn["content"], list)]
                self.assertEqual(kinds, sorted(kinds, key="tool_result text tool_use".split().index) if "tool_result" in kinds else kinds)
            for one, other in zip(turns, turns[1:]):
                edges = [one["content"][-1], other["content"][0]] if one["content"] and other["content"] else []
                apart = [block["type"] for block in edges if isinstance(block, dict)]
                self.assertNotEqual(apart, ["tool_result", "tool_result"])

    def test_what_runtimes_also_return_is_read(self):
        objects = types.SimpleNamespace
        used = objects(type="tool_use", id="c1", name="f", input={"a": 1})
        readings = [
            ("openai", [{"role": "developer", "content": "d"}], [system("d")]),
            ("openai", [{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}], [user("a\nb")]),
            ("openai", [{"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "f", "arguments": '{"a": 1}'}}]}],
             [assistant("", call("f", {"a": 1}))]),
            ("openai", [objects(role="assistant", content=None, tool_calls=[objects(id="c1", function=objects(name="f", arguments="{}"))])],
             [assistant("", call("f"))]),
            ("openai", (objects(role="assistant", content="a", tool_calls=None),), [assistant("a")]),
            ("anthropic", {"messages": [{"role": "user", "content": "a"}]}, [user("a")]),
            ("anthropic", {"system": None, "messages": []}, []),
            ("anthropic", {"system": [objects(type="text", text="s")], "messages": []}, [system("s")]),
            ("anthropic", {"messages": [{"role": "assistant", "content": [objects(type="thinking", thinking="hm"), objects(type="text", text="a"), used]}]},
             [assistant("a", call("f", {"a": 1}))]),
            ("anthropic", {"messages": [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "r"}]},
                                                                     {"type": "tool_result", "tool_use_id": "c2"}]}]}, [result("r"), result("", 2)]),
            ("anthropic", {"messages": [{"role": "assistant", "content": []}]}, [assistant("")]),
            ("anthropic", {"messages": [{"role": "assistant", "content": [{"type": "text", "text": "a"}, {"type": "tool_result", "tool_use_id": "c1"}, used]}]},
             [assistant("a"), result(""), assistant("", call("f", {"a": 1}))]),
            ("langchain", [{"role": "user", "content": "a"}, {"type": "AIMessageChunk", "content": ["b", {"type": "text", "text": "c"}]}],
             [user("a"), assistant("b\nc")]),
            ("langchain", [{"type": "ai", "content": [{"type": "text", "text": "a"}, {"type": "tool_use", "id": "c1", "name": "f", "input": {}}],
                            "tool_calls": [{"id": "c1", "name": "f", "args": {}}]}], [assistant("a", call("f"))]),
            ("plain", [{"role": "user", "text": "a", "calls": None, "call_id": None, "more": 1}], [user("a")]),
        ]
        for shape, returned, want in readings:
            with self.subTest(shape=shape, returned=returned):
                self.assertEqual(floorcheck._SHAPES[shape][1](returned), want)

    def test_what_is_strange_is_named_by_its_place(self):
        strange = [
            ("plain", None, "messages: must be a list, got nothing"),
            ("plain", "text", 'messages: must be a list, got "text"'),
            ("plain", {"messages": []}, "messages: must be a list, got dict"),
            ("plain", [user("a"), None], "messages[1]: must be a message, got nothing"),
            ("plain", ["a"], 'messages[0]: must be a message, got "a"'),
            ("plain", [[]], "messages[0]: must be a message, got list"),
            ("plain", [{"role": "bot", "text": ""}], 'messages[0].role: must be system, user, assistant or tool, got "bot"'),
            ("plain", [{"text": ""}], "messages[0].role: must be system, user, assistant or tool, got nothing"),
            ("plain", [{"role": ["user"], "text": ""}], "messages[0].role: must be system, user, assistant or tool, got list"),
            ("plain", [user("a"), {"role": "user"}], "messages[1].text: must be a string, got nothing"),
            ("plain", [user(3)], "messages[0].text: must be a string, got 3"),
            ("plain", [{**user("a"), "calls": {}}], "messages[0].calls: must be a list, got dict"),
            ("plain", [assistant("a", {"id": 1, "name": "f", "args": {}})], "messages[0].calls[0].id: must be a string, got 1"),
            ("plain", [assistant("a", call("f"), {"id": "1", "args": {}})], "messages[0].calls[1].name: must be a string, got nothing"),
            ("plain", [assistant("a", {"id": "1", "name": "f", "args": "{}"})], 'messages[0].calls[0].args: must be an object, got "{}"'),
            ("plain", [assistant("a", call("f", {"a": {1}}))], "messages[0].calls[0].args: must be JSON (Object of type set is not JSON serializable), got dict"),
            ("plain", [{**user("a"), "call_id": 5}], "messages[0].call_id: must be a string, got 5"),
            ("openai", [{"role": "user", "content": None}], "messages[0].content: must be a list, got nothing"),
            ("openai", [{"role": "user", "content": [{"type": "image_url"}]}], "messages[0].content[0].text: must be a string, got nothing"),
            ("openai", [{"role": "assistant", "tool_calls": [{"id": "1"}]}], "messages[0].tool_calls[0].function: must be an object, got nothing"),
            ("openai", [{"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": {}}}]}],
             "messages[0].tool_calls[0].function.arguments: must be a string, got dict"),
            ("openai", [{"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": "[]"}}]}],
             "messages[0].tool_calls[0].function.arguments: must be an object, got list"),
            ("openai", [{"role": "assistant", "tool_calls": [{"id": "1", "function": {"arguments": "{}"}}]}],
             "messages[0].tool_calls[0].function.name: must be a string, got nothing"),
            ("openai", [{"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": "{"}}]}],
             "messages[0].tool_calls[0].function.arguments: must be JSON ("),
            ("openai", [{"role": "tool", "content": "a", "tool_call_id": 4}], "messages[0].tool_call_id: must be a string, got 4"),
            ("anthropic", {"messages": 3}, "messages: must be a list, got 3"),
            ("anthropic", {"system": 3, "messages": []}, "system: must be a list, got 3"),
            ("anthropic", {"system": [{"type": "text"}], "messages": []}, "system[0].text: must be a string, got nothing"),
            ("anthropic", {"messages": [{"role": "tool", "content": ""}]}, 'messages[0].role: must be user, assistant or system, got "tool"'),
            ("anthropic", {"messages": [{"role": "user"}]}, "messages[0].content: must be a list, got nothing"),
            ("anthropic", {"messages": [{"role": "user", "content": [{"type": "image"}]}]},
             'messages[0].content[0].type: must be text, tool_use or tool_result, got "image"'),
            ("anthropic", {"messages": [{"role": "user", "content": ["a"]}]}, 'messages[0].content[0]: must be a block, got "a"'),
            ("anthropic", {"messages": [{"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "f"}]}]},
             "messages[0].content[0].input: must be an object, got nothing"),
            ("langchain", [{"type": "function", "content": ""}], "messages[0].type: must be "),
            ("langchain", [{"role": "bot", "content": ""}], "messages[0].role: must be "),
            ("langchain", [{"type": "human"}], "messages[0].content: must be a list, got nothing"),
            ("langchain", [{"type": "ai", "content": "", "tool_calls": [{"id": None, "name": "f", "args": {}}]}],
             "messages[0].tool_calls[0].id: must be a string, got nothing"),
        ]
        for shape, returned, message in strange:
            with self.subTest(shape=shape, returned=returned):
                with self.assertRaises(TypeError) as caught:
                    floorcheck._SHAPES[shape][1](returned)
                self.assertIn("reduce returned " + message, str(caught.exception))
        for returned in [], None, [user("a")], "text", {"system": ""}:
            with self.assertRaisesRegex(TypeError, r'^reduce must return {"system": …, "messages": \[…\]}, returned '):
                floorcheck._SHAPES["anthropic"][1](returned)


def reduce_in(*messages, target=100):
    return {"messages": list(messages), "target_tokens": target}


REDUCE = {"id": 1, "op": "reduce", "in": reduce_in(system("be"), user("go"), assistant("", call("f", NESTED)), result("x"))}


class Serving(unittest.TestCase):
    def test_hello_lists_what_was_given(self):
        hello = {"id": 0, "op": "hello", "protocol": [1]}
        full = "recall=str, trigger_messages=20, trigger_tokens=4000, model=True"
        [answer] = ask(f"floorcheck.serve(name='x', reduce=print, {full})", hello)
        self.assertEqual((answer["ops"], answer["reduce"]), (["reduce", "recall"], {"trigger_messages": 20, "trigger_tokens": 4000, "model": True}))
        [answer] = ask("floorcheck.serve(name='x', reduce=print, decide=print, model=False)", hello)
        self.assertEqual((answer["ops"], answer["reduce"]), (["decide", "reduce"], {"model": False}))
        [answer] = ask("floorcheck.serve(name='x', reduce=print)", hello)
        self.assertNotIn("reduce", answer)

    def test_what_does_not_fit_together_is_a_mistake(self):
        mistakes = dict(recall=str), dict(decide=str, recall=str), dict(decide=str, model=True), dict(reduce=str, shape="chat"), \
            dict(reduce=str, trigger_messages=-1), dict(reduce=str, trigger_tokens=1.5), dict(reduce=str, trigger_tokens=True), dict(reduce=str, model=1)
        for given in mistakes:
            with self.subTest(given), self.assertRaises(ValueError):
                floorcheck.serve(name="x", **given)

    def test_an_echo_in_every_shape_over_the_wire(self):
        lines = [{"id": number, "op": "reduce", "in": reduce_in(*conversation)} for number, conversation in enumerate(CONVERSATIONS.values())]
        for shape in floorcheck._SHAPES:
            if shape == "langchain-objects":
                continue  # the process has no stand-in; Shapes has it
            answers = ask(f"floorcheck.serve(name='x', reduce=lambda messages, target: messages, shape={shape!r})", *lines)
            self.assertEqual([answer["out"] for answer in answers], [{"messages": messages} for messages in CONVERSATIONS.values()], shape)

    def test_a_shape_that_is_not_installed_is_told_at_once(self):
        _, code, stderr = run(program("sys = __import__('sys'); sys.modules['langchain_core'] = None\n"
                                      "floorcheck.serve(name='x', reduce=print, shape='langchain-objects')"), [REDUCE])
        self.assertNotEqual(code, 0)
        self.assertIn("langchain_core", stderr)

    def test_the_function_is_given_the_target_and_its_prints_are_kept_out(self):
        [answer] = ask("""
            def reduce(messages, target_tokens):
                print("stray")
                return [{"role": "user", "text": str(target_tokens)}]
            floorcheck.serve(name="x", reduce=reduce)
            """, REDUCE)
        self.assertEqual(answer["out"], {"messages": [user("100")]})

    def test_marks_and_generations(self):
        for given, want in [
            ("[]", {}), ("[], mark='provisional'", {"mark": "provisional"}), ("[], 'certified', 0", {"mark": "certified", "generation": 0}),
            ("[], generation=2**31-1", {"generation": 2**31 - 1}), ("[], mark='none'", {"mark": "none"}),
        ]:
            [answer] = ask(f"floorcheck.serve(name='x', reduce=lambda m, t: floorcheck.Reduced({given}))", REDUCE)
            self.assertEqual(answer["out"], {"messages": [], **want})
        for given, place in [("[], mark='sure'", "mark"), ("[], generation=-1", "generation"), ("[], generation=True", "generation"),
                             ("[], generation=2**31", "generation"), ("[], generation=1.0", "generation"), ("None", "messages")]:
            [answer] = ask(f"floorcheck.serve(name='x', reduce=lambda m, t: floorcheck.Reduced({given}))", REDUCE)
            self.assertEqual(answer["error"]["code"], "internal")
            self.assertIn(f"reduce returned {place}: ", answer["error"]["message"])

    def test_a_refusal_may_be_returned_or_raised_and_nothing_else_is_one(self):
        source = """
            import asyncio
            def returned(m, t): return floorcheck.Refused("no")
            def raised(m, t): raise floorcheck.Refused("no")
            async def async_returned(m, t): return floorcheck.Refused("no")
            async def async_raised(m, t):
                await asyncio.sleep(0)
                raise floorcheck.Refused("no")
            def failed(m, t): raise RuntimeError("no")
            async def async_failed(m, t): raise RuntimeError("no")
            def nothing(m, t): pass
            async def async_nothing(m, t): pass
            def refused_by_another_name(m, t):
                class Refused(Exception): pass
                raise Refused("no")
            floorcheck.serve(name="x", reduce={})
            """
        for name in "returned", "raised", "async_returned", "async_raised":
            [answer] = ask(source.format(name), REDUCE)
            self.assertEqual(answer, {"id": 1, "out": {"refused": True, "reason": "no"}}, name)
        for name in "failed", "async_failed", "nothing", "async_nothing", "refused_by_another_name":
            [answer] = ask(source.format(name), REDUCE)
            self.assertEqual(answer["error"]["code"], "internal", name)

    def test_an_async_reduce(self):
        [answer] = ask("""
            async def reduce(messages, target_tokens): return floorcheck.Reduced(messages[1:2], generation=3)
            floorcheck.serve(name="x", reduce=reduce, shape="openai")
            """, REDUCE)
        self.assertEqual(answer["out"], {"messages": [user("go")], "generation": 3})

    def test_recall(self):
        source = """
            async def later(query): return query.upper()
            def given(query): return query.upper()
            def gone(query): raise floorcheck.Unavailable("gone: " + query)
            async def async_gone(query): raise floorcheck.Unavailable("gone: " + query)
            def none(query): pass
            def broken(query): return {}[query]
            floorcheck.serve(name="x", reduce=print, recall=%s)
            """
        query = {"id": 1, "op": "recall", "in": {"query": "é"}}
        for name in "given", "later":
            self.assertEqual(ask(source % name, query), [{"id": 1, "out": {"text": "É"}}])
        for name in "gone", "async_gone":
            self.assertEqual(ask(source % name, query), [{"id": 1, "error": {"code": "unavailable", "message": "gone: é"}}])
        for name in "none", "broken":
            self.assertEqual(ask(source % name, query)[0]["error"]["code"], "internal")

    def test_a_mistake_in_a_batch_is_that_of_its_own_case(self):
        [answer] = ask("floorcheck.serve(name='x', reduce=lambda messages, target: [messages[1]])",
                       {"id": 1, "op": "batch", "of": "reduce", "in": [REDUCE["in"], reduce_in(), {}]})
        self.assertEqual([one.get("error", {}).get("code") for one in answer["out"]], [None, "internal", "bad_request"])


MESSAGE = ["messages", 2]
CALL = ["messages", 2, "calls", 0]
WHOLE = REDUCE["in"]
BAD_REDUCE = [
    (["messages"], ...), (["messages"], None), (["messages"], {}), (["messages", 0], "a"), (["messages", 0], None), (["messages", 0], []),
    *[(["messages", 0, name], value) for name in ("role", "text") for value in (..., None, 1, [], {}, True)],
    *[(["messages", 0, "role"], value) for value in ("", "System", "developer", "human")],
    *[(MESSAGE + ["calls"], value) for value in (None, {}, "a", ["a"], [None], [[]])],
    *[(CALL + [name], value) for name in ("id", "name") for value in (..., None, 1, [])],
    *[(CALL + ["args"], value) for value in (..., None, [], "{}", 1)],
    *[(["messages", 3, "call_id"], value) for value in (None, 1, [])],
    *[(["target_tokens"], value) for value in (..., None, -1, 2**53, 1.0, 0.5, True, "1", [])],
    *[(path, value) for path in (CALL + ["args", "n"], ["x"], ["messages", 0, "x"], CALL + ["x"]) for value in (1.0, 0.5, 2**53, [{"n": -(2**53)}])],
]
GOOD_REDUCE = [
    (["messages"], []), (["target_tokens"], 0), (["target_tokens"], 2**53 - 1), (["x"], None), (["messages", 0, "x"], {"y": None}),
    (MESSAGE + ["calls"], []), (MESSAGE + ["calls"], ...), (["messages", 3, "call_id"], ...), (["messages", 3, "call_id"], ""),
    (CALL + ["args"], {}), (CALL + ["args"], {"a": [None, True, {"b": -5}]}), (CALL + ["id"], ""), (["messages", 0, "role"], "tool"),
]


class BadRequests(unittest.TestCase):
    def test_the_list_for_reduce(self):
        floorcheck.validate("reduce", WHOLE)
        for path, value in BAD_REDUCE:
            with self.subTest(path=path, value=value), self.assertRaises(floorcheck.BadRequest):
                floorcheck.validate("reduce", changed(WHOLE, path, value))
        for path, value in GOOD_REDUCE:
            floorcheck.validate("reduce", changed(WHOLE, path, value))

    def test_the_list_for_recall(self):
        floorcheck.validate("recall", {"query": "", "x": 1})
        for request in {}, {"query": None}, {"query": 1}, {"query": ["a"]}, {"query": "a", "x": 0.5}:
            with self.subTest(request), self.assertRaises(floorcheck.BadRequest):
                floorcheck.validate("recall", request)

    def test_both_want_an_object(self):
        for op in "reduce", "recall":
            for request in None, [], "x", 3, True:
                with self.assertRaises(floorcheck.BadRequest):
                    floorcheck.validate(op, request)

    def test_messages_name_the_path(self):
        for path, value, message in [
            (["messages", 0, "role"], "bot", 'in.messages[0].role: must be system, user, assistant or tool, got "bot"'),
            (["messages", 1, "text"], 5, "in.messages[1].text: must be a string, got 5"),
            (CALL + ["args"], [], "in.messages[2].calls[0].args: must be an object, got []"),
            (CALL + ["args", "n"], 1.5, "in.messages[2].calls[0].args.n: must be an integer without fraction or exponent, got 1.5"),
            (["target_tokens"], -1, "in.target_tokens: must be 0 or more, got -1"),
        ]:
            with self.assertRaises(floorcheck.BadRequest) as caught:
                floorcheck.validate("reduce", changed(WHOLE, path, value))
            self.assertEqual(str(caught.exception), message)

    def test_a_bad_request_never_reaches_the_function(self):
        lines = [{"id": number, "op": "reduce", "in": changed(WHOLE, path, value)} for number, (path, value) in enumerate(BAD_REDUCE)]
        answers = ask("floorcheck.serve(name='x', reduce=lambda messages, target: messages, shape='anthropic')", *lines)
        self.assertEqual([answer["error"]["code"] for answer in answers], ["bad_request"] * len(BAD_REDUCE))


CHAT = ["It is a nice day.", "Thank you so much!", "That sounds lovely to me.", "Well, well...", "Shall we go on? Sure."]
PLANTS = ["The bucket is stage_7.", "The timeout is limited to 250 ms.", "Do not delete the staging bucket.", "You must not touch it.",
          "First stop the worker, then drain the queue.", "Run the backup before you start the import.", "You must call the bank by Friday.",
          "Maybe the cache is the cause.", "Perhaps it was the proxy.", "Only deploy if the tests pass.", "The import is done.",
          "The review is still open.", 'The agreed title is "Wait. Then go".', "Forget that: delete the bucket is no longer needed.",
          "Use BigQuery instead of Postgres.", "Write to /etc/hosts.", "It fails in payments/core.", "We can't go there."]


def planted(seed, messages=14):
    """A conversation of chit-chat with every plant in it somewhere, and where each is: (sentence, role)."""
    choose = random.Random(seed)
    conversation, places = [], []
    for number in range(messages):
        text = [choose.choice(CHAT[:4]) for _ in range(choose.randrange(1, 6))]
        conversation.append({"role": "user" if number % 2 == 0 else "assistant", "text": text})
    for plant in PLANTS:
        message = choose.choice(conversation)
        message["text"].insert(choose.randrange(len(message["text"]) + 1), plant)
        places.append((plant, message["role"]))
    for message in conversation:
        message["text"] = choose.choice([" ", "\n", "\n\n"]).join(message["text"])
    conversation.insert(2, assistant("", call("look", {"where": "in the file a_b"}, 1)))
    conversation.insert(3, result("Nothing to see. Error 17 in main.go. Bye.", 1))
    conversation.append(assistant("", call("send", {"to": "x"}, 2)))
    return [system("You are kind. Never shout.")] + conversation, places


def characters(messages):
    return sum(len(message["text"]) for message in messages)


class BlackBoxes(unittest.TestCase):
    def test_under_target_nothing_changes(self):
        for file in "keep_last.py", "pinning.py", "marking.py", "adapter_reduce.py":
            lines = [{"id": seed, "op": "reduce", "in": reduce_in(*planted(seed)[0], target=10**6)} for seed in range(5)]
            answers, code, stderr = run([os.path.join(HERE, file)], lines)
            self.assertEqual([answer["out"]["messages"] for answer in answers], [planted(seed)[0] for seed in range(5)], file)
            self.assertEqual({answer["out"].get("mark", "none") for answer in answers}, {"none"}, file)
            self.assertEqual((code, stderr), (0, ""))

    def test_pinning_keeps_every_plant_in_its_role_and_the_rest_goes(self):
        for seed in range(60):
            conversation, places = planted(seed)
            out = pinning.reduce(conversation, 10)
            self.assertLess(characters(out), characters(conversation))
            for plant, role in places:
                self.assertTrue(any(plant in message["text"] for message in out if message["role"] == role), (seed, plant))
            newest = [message for message in conversation if message["role"] == "user"][-1]
            self.assertIn(newest, out)
            self.assertEqual(sum(sentence in message["text"] for message in out if message != newest for sentence in CHAT), 0)
            self.assertEqual([message for message in out if message["role"] == "system"], conversation[:1])
            self.assertEqual([message.get("calls") for message in out if message.get("calls")], [[call("look", {"where": "in the file a_b"}, 1)], [call("send", {"to": "x"}, 2)]])
            self.assertEqual([message for message in out if message["role"] == "tool"], [result("Error 17 in main.go.", 1)])

    def test_pinning_again_changes_nothing_and_then_refuses(self):
        conversation, _ = planted(3)
        once = pinning.reduce(conversation, 10)
        with self.assertRaises(floorcheck.Refused):
            pinning.reduce([message for message in once if message != conversation[-3]], 10)

    def test_sentences_put_together_again_are_the_text(self):
        choose = random.Random(1)
        for _ in range(3000):
            text = "".join(choose.choice(['a', ' ', '.', '"', '\n', '!', '...', 'é', '?']) for _ in range(choose.randrange(14)))
            self.assertEqual("".join(pinning.SENTENCE.findall(text)), text)

    def test_marking_gives_back_what_it_lost(self):
        said_otherwise = {"Do not delete the staging bucket.": "never delete the staging bucket", "Perhaps it was the proxy.": "possibly it was the proxy",
                          "Run the backup before you start the import.": "first run the backup, then start the import",
                          "Only deploy if the tests pass.": "deploy only if the tests pass"}
        for seed in range(20):
            conversation, places = planted(seed, messages=40)
            newest = [message for message in conversation if message["role"] == "user"][-1]
            target = marking.tokens([conversation[0], marking.NOTE, *conversation[conversation.index(newest):]]) + 60
            out = marking.reduce(conversation, target)
            self.assertEqual(out.mark, "provisional")
            self.assertLessEqual(marking.tokens(out.messages), target)
            self.assertEqual(out.messages[:2], [marking.NOTE, conversation[0]])
            self.assertIn(newest, out.messages)
            for plant, role in places:
                self.assertIn(plant, marking.recall(said_otherwise.get(plant, plant.rstrip("."))))
            for correction in "The import is done.", "Forget that: delete the bucket is no longer needed.", "Use BigQuery instead of Postgres.":
                self.assertTrue(any(correction in message["text"] for message in out.messages), correction)
            self.assertIn("a_b", marking.recall("file a_b"))
        for query in "stage", "5 ms", "start the backup first, then run the import", "":
            with self.subTest(query), self.assertRaises(floorcheck.Unavailable):
                marking.recall(query)

    def test_the_mark_outlives_a_second_reduction(self):
        once = marking.reduce([system("be"), user("Do not delete it."), assistant("x" * 400), user("go")], 50)
        twice = marking.reduce([*once.messages, assistant("Done so far."), user("more")], 50)
        self.assertEqual((twice.messages[:-2], twice.mark), (once.messages, "provisional"))

    def test_no_call_is_parted_from_its_result(self):
        waits = [user("a " * 300), assistant("", call("f")), user("and?"), assistant("soon"), result("late"), user("thanks")]
        self.assertEqual(marking.reduce(waits, 20).messages, [marking.NOTE, user("thanks")])
        with self.assertRaises(floorcheck.Refused):
            marking.reduce(waits[:-2], 20)

    def test_keep_last_loses_what_was_said_early_without_a_word(self):
        conversation = [system("be"), user("Do not delete it."), assistant("x" * 400), user("go")]
        [answer], _, _ = run([os.path.join(HERE, "keep_last.py")], [{"id": 1, "op": "reduce", "in": reduce_in(*conversation, target=50)}])
        self.assertEqual(answer["out"], {"messages": [system("be"), user("go")]})

    def test_the_template_marks_what_it_leaves_out_and_refuses_what_it_cannot(self):
        conversation = [system("be"), user("Do not delete it."), assistant("x" * 400), user("go"), assistant("", call("f"))]
        lines = [{"id": target, "op": "reduce", "in": reduce_in(*conversation, target=target)} for target in (50, 0)]
        marked, refused = run([os.path.join(HERE, "adapter_reduce.py")], lines)[0]
        self.assertEqual(marked["out"], {"messages": [system("Earlier turns are left out."), system("be"), *conversation[3:]], "mark": "provisional"})
        self.assertEqual(refused["out"], {"refused": True, "reason": "the newest turn alone is longer than that"})


class GuardedRuntime(unittest.TestCase):
    """Asked of guard.py, a correct subject too; cmd/floorcheck asks the reference."""

    def setUp(self):
        self.guard = guarded_runtime.Guard([sys.executable, os.path.join(HERE, "guard.py")])

    def tearDown(self):
        self.guard.close()

    def compact(self, history, count, summary, archive=True, room=0, conditions=guarded_runtime.STRICT):
        return guarded_runtime.compact(self.guard, history, count, summary, {"identifier", "negation"}, conditions, archive, room)

    def test_a_faithful_summary_is_kept_and_a_second_generation_counted(self):
        once = self.compact(guarded_runtime.HISTORY, 2, guarded_runtime.FAITHFUL, archive=False)
        self.assertEqual((once[0].generation, once[0].certified, once[0].provisional, once[0].originals), (1, True, False, ()))
        twice = self.compact(once, 2, guarded_runtime.FAITHFUL, archive=False)
        self.assertEqual((len(twice), twice[0].generation, twice[0].certified), (1, 2, True))

    def test_what_comes_of_a_provisional_summary_is_not_certified_whatever_it_says(self):
        once = self.compact(guarded_runtime.HISTORY, 2, guarded_runtime.FLUENT)
        self.assertEqual((once[0].provisional, once[0].originals), (True, tuple(guarded_runtime.HISTORY[:2])))
        twice = self.compact(once, 2, guarded_runtime.FAITHFUL, room=10**6)
        self.assertEqual((twice[0].provisional, len(twice[0].originals)), (True, 3))
        with self.assertRaisesRegex(guarded_runtime.Refused, "missing: negation; made from what was not certified"):
            self.compact(once, 2, guarded_runtime.FAITHFUL, archive=False)

    def test_where_nothing_is_dangerous_nothing_is_claimed_to_be_kept(self):
        calm = dict.fromkeys(guarded_runtime.STRICT, False)
        once = self.compact(guarded_runtime.HISTORY, 2, guarded_runtime.FLUENT, archive=False, conditions=calm)
        self.assertEqual((once[0].provisional, once[0].originals), (True, ()))
        with self.assertRaises(guarded_runtime.Refused):  # the originals of the first are gone
            self.compact(once, 2, guarded_runtime.FLUENT, archive=True)

    def test_no_answer_is_no_permission(self):
        self.guard.child.kill()
        self.guard.child.wait()
        with self.assertRaises(guarded_runtime.GuardFailed):
            self.compact(guarded_runtime.HISTORY, 2, guarded_runtime.FAITHFUL)
        for source in "", "print('rubbish')", "print('{\"id\":2}')", "import time; time.sleep(30)", "print('{\"id\":1,\"protocol\":2}')":
            with self.subTest(source), self.assertRaises(guarded_runtime.GuardFailed):
                guarded_runtime.Guard([sys.executable, "-c", source], timeout_seconds=0.5)

    def test_to_the_letter(self):
        element = guarded_runtime.Element("negation", "", forms=("do not drop it", "never drop it"), inverted=("drop it",))
        exact = guarded_runtime.Element("identifier", "", forms=("prod-1",), exact=True)
        for text, which, says in [
            ("Do  NOT\ndrop it.", element, True), ("drop it", element, False), ("Do not drop it. Drop it!", element, False),
            ("never drop items", element, False), ("", element, False), ("on prod-1.", exact, True), ("on PROD-1", exact, False),
            ("on non-prod-1", exact, False), ("prod-1.bak", exact, False), ("(prod-1)", exact, True), ("prod-1...", exact, True),
        ]:
            with self.subTest(text):
                self.assertEqual(guarded_runtime.says(text, which), says)


if __name__ == "__main__":
    unittest.main()
