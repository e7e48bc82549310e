"""Put your compaction decisions under test: copy this file beside your code.

    import floorcheck

    def decide(request):                      # the `in` of docs/protocol.md, already checked
        return {"decision": "provisional"}    # its `out`

    floorcheck.serve(name="acme", decide=decide)

Or a whole compactor, messages in and messages out:

    def reduce(messages, target_tokens):
        return messages[-20:]

    floorcheck.serve(name="acme", reduce=reduce, shape="openai")

A function may be async. A refusal is a result: return it. Raise BadRequest for what
cannot be judged; any other exception is reported as an internal error of yours.
"""

import json
import os
import re
import sys
import threading
import time
import traceback

__all__ = ["BadRequest", "Reduced", "Refused", "Unavailable", "serve", "validate"]

PROTOCOL = 1
FLAGS = ("source_recoverable", "consumer_strict", "chaining_risk", "side_effect_cost_exceeds_refusal")
ROLES = ("system", "user", "assistant", "tool")
MARKS = ("none", "provisional", "certified")
SPAN_KINDS = ("message", "call", "result", "summary", "pin")
MATCHES = ("folded", "exact")
STATUSES = ("ok", "error", "refused", "partial", "opaque")
LINEAGE_DECISIONS = ("certified", "provisional")  # of a refusal nothing comes
NUMBER_LIMIT = 2**53  # every integer is smaller, either side of zero
GENERATION_LIMIT = 2**31
FLOOR_MAX_PERMILLE = 1000
LINE_MAX_BYTES = 16 * 2**20
HOLD_SECONDS = 0.05  # longest that a finished answer waits for its burst; the suite's shortest clock is 5 s


class BadRequest(Exception):
    """The request cannot be judged. The message names the path, then what is wrong:
    `in.contract.generation: must be 0 or more, got -1`.
    """


class Refused(Exception):
    """Return it from reduce, or raise it: nothing was reduced, for the reason it is made with."""


class Unavailable(Exception):
    """Raise it from recall: what was asked for cannot be got back."""


class Reduced:
    """What reduce may return when its messages say something of themselves.

    messages: in the shape that is served.
    mark: "provisional" (something may be missing), "certified", or "none".
    generation: how many reductions deep, from 1; None where the runtime does not count.
    """

    def __init__(self, messages, mark=None, generation=None):
        self.messages, self.mark, self.generation = messages, mark, generation


def serve(*, name, version="", policy="guard", decide=None, derive=None, certify=None, compact=None, reduce=None, recall=None,
          shape="plain", trigger_messages=None, trigger_tokens=None, model=None, max_batch=100, validate=True, stateful=False):
    """Answer requests on stdin until `bye` or end of input, then return.

    decide, derive, certify, compact: functions from `in` to `out`, sync or async; only those given are claimed.
    reduce: a function from (messages, target_tokens) to messages, Reduced or Refused, sync or async.
    recall: a function from a query to a text, or Unavailable raised; asked about what was reduced in this process.
    shape: what messages look like to reduce: "plain" (docs/protocol.md), "openai", "anthropic"
        (then they are {"system": …, "messages": […]}), "langchain" (dicts) or "langchain-objects".
    trigger_messages, trigger_tokens: how long a conversation must be before reduce touches it.
    model: whether reduce asks a model for its summaries.
    validate: check every request first, so that your functions see well-formed ones only.

    From here on stdout is stderr and stdin is empty for the rest of the program, child processes
    included: the protocol has both to itself. Nothing should be printed before.
    """
    functions = {"decide": decide, "derive": derive, "certify": certify, "compact": compact,
                 "reduce": reduce and _reducer(reduce, shape), "recall": recall and _recaller(recall)}
    functions = {op: function for op, function in functions.items() if function is not None}
    if not functions:
        raise ValueError("serve: give decide, derive, certify, compact or reduce")
    hello = {"protocol": PROTOCOL, "name": name, "version": version, "language": "python", "ops": list(functions),
             "policy": policy, "max_batch": max_batch, "stateful": stateful}
    about_reduce = _about_reduce(trigger_messages=trigger_messages, trigger_tokens=trigger_tokens, model=model)
    if reduce is None and (recall is not None or about_reduce):
        raise ValueError(f"serve: {'recall' if recall else next(iter(about_reduce))} goes with reduce, which is not given")
    if about_reduce:
        hello["reduce"] = about_reduce
    requests, answers = _take_stdio()
    subject = _Subject(hello, functions, validate)
    try:
        _converse(subject, requests, _Outbox(answers))
    except BrokenPipeError:
        _note("nobody reads the answers any more")
    finally:
        subject.close()


def _about_reduce(**given):
    """Return hello's object about reduce: what was given, and nothing else."""
    for name, value in given.items():
        kind = bool if name == "model" else int
        if value is not None and (type(value) is not kind or value < 0):
            raise ValueError(f"serve: {name} must be {'true or false' if kind is bool else '0 or more'}, got {value!r}")
    return {name: value for name, value in given.items() if value is not None}


def validate(op, request):
    """Raise BadRequest unless request is a well-formed `in` of op: decide, derive, certify, compact, reduce or recall.

    Checks what can be seen without deciding anything and without folding a text. That an event
    descends from a refused one is for `derive` itself to find, and that an element has the same
    folded phrase in both its lists for `certify` and `compact`.
    """
    if op not in _CHECKS:
        raise ValueError(f"validate: no checks for op {op!r}")
    if type(request) is not dict:
        raise _wrong_type("in", dict, request)
    _check_numbers(request)
    _CHECKS[op](request)


# The conversation.


def _converse(subject, requests, outbox):
    """Answer line by line; what is finished is sent before we wait for more."""
    for lines in _bursts(requests):
        outbox.begin(len(lines))
        for line in lines:
            message = _read(line, outbox)
            if message is None:
                continue
            if message.get("op") == "bye":
                return outbox.end()
            outbox.add(subject.line(message))
        outbox.end()


def _bursts(descriptor):
    """Yield lists of lines as they arrive: all complete ones that one read brought.

    A line beyond the limit is cut somewhere after it, so that it can neither fill the memory
    nor pass for a good one.
    """
    parts, size = [], 0
    while chunk := os.read(descriptor, 2**18):
        if size <= LINE_MAX_BYTES:
            parts.append(chunk)
            size += len(chunk)
        elif b"\n" in chunk:
            parts.append(chunk[chunk.index(b"\n"):])
        if b"\n" in chunk:
            *lines, rest = b"".join(parts).split(b"\n")
            yield lines
            parts, size = [rest], len(rest)
    if size:
        yield [b"".join(parts)]  # a last line without its LF


def _read(line, outbox):
    """Return the message in a line, or None after answering or noting why there is none."""
    if not line or line.isspace():
        return None
    try:
        message = _parse(line)
        if type(message) is not dict:
            raise ValueError("not an object")
        if type(message.get("id")) is not int:
            raise ValueError("no integer id")
        return message
    except (ValueError, RecursionError) as problem:
        _answer_malformed(line, problem, outbox)
        return None


def _parse(line):
    if len(line) > LINE_MAX_BYTES:
        raise ValueError(f"line longer than {LINE_MAX_BYTES} bytes")
    text = line.decode("utf-8")
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError:
        raise
    except ValueError:  # a number of thousands of digits, which int() declines to read
        return _PATIENT_DECODER.decode(text)


def _answer_malformed(line, problem, outbox):
    """Answer under the id that a broken line begins with, lest the other side wait for it."""
    start = re.match(rb'\s*\{\s*"id"\s*:\s*(-?\d{1,16})\s*[,}]', line[:100])
    if start:
        message = f"malformed line: {problem}"
        outbox.add(_encode_line({"id": int(start[1]), **_error("bad_request", message)}))
    else:
        _note(f"line passed over: {problem}: {line[:80]!r}")


def _no_constant(text):
    raise json.JSONDecodeError(f"{text} is not JSON", text, 0)


def _clipped_int(digits):
    """A number too long for 2^53 stays too large when it is cut to 20 characters."""
    return int(digits[:20])


_DECODER = json.JSONDecoder(parse_constant=_no_constant)
_PATIENT_DECODER = json.JSONDecoder(parse_constant=_no_constant, parse_int=_clipped_int)
_ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False)


def _encode_line(answer):
    return (_ENCODER.encode(answer) + "\n").encode("ascii")


def _note(text):
    print(f"floorcheck: {text}", file=sys.stderr)


def _take_stdio():
    """Return private descriptors of stdin and stdout, and leave stderr and nothing in their places.

    What was printed before and still sits in a buffer goes to stderr too: the buffers write to
    descriptor 1, whatever that is by then.
    """
    requests, answers = os.dup(0), os.dup(1)  # not inherited by child processes
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # started without a stderr
        os.dup2(nothing, 1)
    os.close(nothing)
    if sys.stdout is not None:
        sys.stdout.flush()
    sys.stdout = sys.stderr
    return requests, answers


class _Outbox:
    """Finished answers on their way out. Those of one burst leave in one write.

    A watcher sends what is held while a slow or hanging function keeps the rest of its burst
    waiting: otherwise a timeout would fall on a case that has long been answered.
    """

    def __init__(self, descriptor):
        self.descriptor = descriptor
        self.held = []
        self.lock = threading.Lock()
        self.in_burst = threading.Event()
        self.watcher = None

    def begin(self, lines):
        if lines > 1:
            self.in_burst.set()
            if self.watcher is None:
                self.watcher = threading.Thread(target=self.watch, daemon=True)
                self.watcher.start()

    def add(self, line):
        with self.lock:
            self.held.append(line)

    def end(self):
        self.in_burst.clear()
        self.send()

    def send(self):
        with self.lock:
            unsent = b"".join(self.held)
            self.held.clear()
            while unsent:
                unsent = unsent[os.write(self.descriptor, unsent):]

    def watch(self):
        while True:
            self.in_burst.wait()
            time.sleep(HOLD_SECONDS)
            try:
                self.send()
            except OSError:
                return  # the main thread meets the same closed pipe


# The subject.


class _Unsupported(Exception):
    pass


class _Subject:
    """The user's functions behind the protocol's messages."""

    def __init__(self, hello, functions, validates):
        self.hello = hello
        self.functions = functions
        self.validates = validates
        self.loop = None

    def line(self, message):
        """Return the encoded answer; what cannot be encoded is an internal error of its own case."""
        answer = {"id": message["id"], **self.answer(message)}
        try:
            return _encode_line(answer)
        except (TypeError, ValueError, RecursionError):
            if type(answer.get("out")) is list:
                answer["out"] = [_encodable(one) for one in answer["out"]]
            return _encode_line(_encodable(answer))

    def answer(self, message):
        try:
            op = _field(message, "op", str, "")
            if op == "hello":
                return self.greet(message)
            if op == "batch":
                return self.batch(message)
            return self.run(op, self.function(op), _required(message, "in"))
        except BadRequest as problem:
            return _error("bad_request", str(problem))
        except _Unsupported as problem:
            return _error("unsupported", str(problem))

    def greet(self, message):
        versions = _field(message, "protocol", list, "")
        if not any(type(version) is int and version == PROTOCOL for version in versions):
            raise _Unsupported(f"protocol: {PROTOCOL} is the only version known here, offered {_show(versions)}")
        return self.hello

    def batch(self, message):
        op = _field(message, "of", str, "")
        function = self.function(op)
        return {"out": [self.run(op, function, request) for request in _field(message, "in", list, "")]}

    def function(self, op):
        if op not in self.functions:
            raise _Unsupported(f"op {_show(op)} is not claimed, only {', '.join(self.functions)}")
        return self.functions[op]

    def run(self, op, function, request):
        """Return the answer to one case. SystemExit is let through: exiting is the user's doing."""
        try:
            if self.validates:
                validate(op, request)
            out = function(request)
            if type(out) is not dict:
                out = self.settle(op, out)
            return {"out": out}
        except BadRequest as problem:
            return _error("bad_request", str(problem))
        except Unavailable as problem:
            return _error("unavailable", str(problem))
        except Exception as problem:
            return _internal(problem)

    def settle(self, op, out):
        """Await what is awaitable; then it is a dict or a mistake."""
        if hasattr(out, "__await__"):
            out = self.wait_for(out)
        if not isinstance(out, dict):
            raise TypeError(f"{op} returned {type(out).__name__}, want a dict")
        return out

    def wait_for(self, awaitable):
        import asyncio  # only here: it takes longer to load than all the rest

        if self.loop is None:
            self.loop = asyncio.new_event_loop()
            asyncio.set_event_loop(self.loop)
        try:
            return self.loop.run_until_complete(awaitable)
        except asyncio.CancelledError as problem:
            raise RuntimeError("cancelled") from problem

    def close(self):
        if self.loop is not None:
            self.loop.close()


def _encodable(answer):
    try:
        _ENCODER.encode(answer)
        return answer
    except (TypeError, ValueError, RecursionError) as problem:
        error = _internal(problem)
        return {"id": answer["id"], **error} if "id" in answer else error


def _internal(problem):
    traceback.print_exception(type(problem), problem, problem.__traceback__, file=sys.stderr)
    return _error("internal", f"{type(problem).__name__}: {problem}")


def _error(code, message):
    return {"error": {"code": code, "message": message}}


# Black boxes. A reducer answers the op reduce with the user's function, in the shape that it speaks.


def _reducer(reduce, shape):
    if shape not in _SHAPES:
        raise ValueError(f"serve: shape must be one of {', '.join(_SHAPES)}, got {shape!r}")
    write, read = _SHAPES[shape]
    if shape == "langchain-objects":
        import langchain_core.messages  # what is not installed is told now, not in mid-run

    def answer(request):
        try:
            result = reduce(write(request["messages"]), request["target_tokens"])
            return answer_later(result) if hasattr(result, "__await__") else _reduced(result, read)
        except Refused as refusal:
            return _refusal(refusal)

    async def answer_later(awaitable):
        try:
            return _reduced(await awaitable, read)
        except Refused as refusal:
            return _refusal(refusal)

    return answer


def _refusal(refusal):
    return {"refused": True, "reason": str(refusal)}


def _reduced(result, read):
    """Return the reduce.out of what the user's function gave."""
    if isinstance(result, Refused):
        return _refusal(result)
    if not isinstance(result, Reduced):
        result = Reduced(result)
    out = {"messages": read(result.messages)}
    if result.mark is not None:
        if result.mark not in MARKS:
            raise _mistake("mark", f"must be {_one_of(MARKS)}", result.mark)
        out["mark"] = result.mark
    if result.generation is not None:
        if type(result.generation) is not int or not 0 <= result.generation < GENERATION_LIMIT:
            raise _mistake("generation", "must be an integer from 0 to 2^31 - 1", result.generation)
        out["generation"] = result.generation
    return out


def _recaller(recall):
    def answer(request):
        text = recall(request["query"])
        return answer_later(text) if hasattr(text, "__await__") else recalled(text)

    async def answer_later(awaitable):
        return recalled(await awaitable)

    def recalled(text):
        if not isinstance(text, str):
            raise TypeError(f"recall returned {_found(text)}, want a text")
        return {"text": text}

    return answer


# The shapes. Each writes messages as a runtime knows them and reads what it gives back. Of an SDK's
# objects the attributes are read like a dict's fields, and None is a field that is absent.


def _plain_messages(messages):
    return messages


def _read_plain(messages):
    return [_read_plain_message(message, path) for path, message in _each_message(messages)]


def _read_plain_message(message, path):
    role = _role(_member(message, "role"), f"{path}.role", _SAME)
    text = _text(_member(message, "text"), f"{path}.text")
    return _message(role, text, _flat_calls(message, "calls", path), _call_id(message, "call_id", path))


def _openai_messages(messages):
    return [_openai_message(message) for message in messages]


def _openai_message(message):
    out = {"role": message["role"], "content": message["text"]}
    if message.get("calls"):
        out["content"] = message["text"] or None
        out["tool_calls"] = [{"id": call["id"], "type": "function",
                              "function": {"name": call["name"], "arguments": _arguments(call["args"])}}
                             for call in message["calls"]]
    if "call_id" in message:
        out["tool_call_id"] = message["call_id"]
    return out


def _arguments(args):
    return json.dumps(args, ensure_ascii=False, separators=(",", ":"))


def _read_openai(messages):
    return [_read_openai_message(message, path) for path, message in _each_message(messages)]


def _read_openai_message(message, path):
    role = _role(_member(message, "role"), f"{path}.role", {**_SAME, "developer": "system"})
    calls = []
    for at, call in _each_call(message, "tool_calls", path):
        function = _member(call, "function")
        if function is None:
            raise _mistake(f"{at}.function", "must be an object", function)
        args = _read_arguments(_member(function, "arguments"), f"{at}.function.arguments")
        calls.append(_call(at, _member(call, "id"), _member(function, "name"), args, ("id", "function.name", "function.arguments")))
    content = _member(message, "content")
    text = "" if content is None and calls else _content(content, f"{path}.content")
    return _message(role, text, calls, _call_id(message, "tool_call_id", path))


def _read_arguments(text, path):
    try:
        return _DECODER.decode(_text(text, path))
    except (json.JSONDecodeError, RecursionError) as problem:
        raise _mistake(path, f"must be JSON ({problem})", text)


def _anthropic_conversation(messages):
    """Leading system messages stand apart; a later one stays where it is, with its role.

    Neighbours of one role become one message as long as _read_anthropic can take them apart again:
    there every text block begins a message, and calls belong to the text before them.
    """
    leading = 0
    while leading < len(messages) and messages[leading]["role"] == "system":
        leading += 1
    system = [{"type": "text", "text": message["text"]} for message in messages[:leading]]
    turns = []
    for message in messages[leading:]:
        role = "user" if message["role"] == "tool" else message["role"]
        blocks = _anthropic_blocks(message)
        if turns and turns[-1]["role"] == role and _can_follow(turns[-1]["content"][-1], blocks[0]):
            turns[-1]["content"] += blocks
        else:
            turns.append({"role": role, "content": blocks})
    for turn in turns:
        if _is_one_text(turn["content"]):
            turn["content"] = turn["content"][0]["text"]
    if _is_one_text(system) and system[0]["text"]:
        system = system[0]["text"]
    return {"system": system or "", "messages": turns}


def _anthropic_blocks(message):
    if message["role"] == "tool":
        result = {"type": "tool_result", "content": message["text"]}
        return [{**result, "tool_use_id": message["call_id"]} if "call_id" in message else result]
    calls = [{"type": "tool_use", "id": call["id"], "name": call["name"], "input": call["args"]}
             for call in message.get("calls", ())]
    return ([] if calls and not message["text"] else [{"type": "text", "text": message["text"]}]) + calls


def _can_follow(last, first):
    """Whether a message that begins with a block may be joined to one that ends with another.

    Results stand together and before all else, as the API has it; an empty text stays by itself.
    """
    if first["type"] == "tool_result":
        return last["type"] == "tool_result"
    return first["type"] == "text" and first["text"] != "" and last["type"] != "tool_use" and last.get("text") != ""


def _is_one_text(blocks):
    return len(blocks) == 1 and blocks[0]["type"] == "text"


def _read_anthropic(conversation):
    if _member(conversation, "messages") is None:
        raise TypeError(f'reduce must return {{"system": …, "messages": […]}}, returned {_found(conversation)}')
    out = []
    system = _member(conversation, "system")
    if isinstance(system, str):
        system = [system] if system else []
    for path, block in _each(system or (), "system", "a text block", strings=True):
        out.append(_message("system", block if isinstance(block, str) else _text(_member(block, "text"), f"{path}.text")))
    roles = {role: role for role in ("user", "assistant", "system")}
    for path, message in _each_message(_member(conversation, "messages")):
        role, content = _role(_member(message, "role"), f"{path}.role", roles), _member(message, "content")
        if isinstance(content, str):
            out.append(_message(role, content))
        else:
            out += _read_anthropic_blocks(role, content, f"{path}.content")
    return out


def _read_anthropic_blocks(role, blocks, path):
    out, own = [], None  # own: the message that a call belongs to
    for at, block in _each(blocks, path, "a block"):
        kind = _member(block, "type")
        if kind == "text":
            own = _message(role, _text(_member(block, "text"), f"{at}.text"))
            out.append(own)
        elif kind == "tool_use":
            if own is None:
                own = _message(role, "")
                out.append(own)
            call = _call(at, _member(block, "id"), _member(block, "name"), _member(block, "input"), ("id", "name", "input"))
            own.setdefault("calls", []).append(call)
        elif kind == "tool_result":
            content = _member(block, "content")
            text = "" if content is None else _content(content, f"{at}.content")
            out.append(_message("tool", text, call_id=_call_id(block, "tool_use_id", at)))
            own = None
        elif kind not in ("thinking", "redacted_thinking"):  # those are not part of what is said
            raise _mistake(f"{at}.type", "must be text, tool_use or tool_result", kind)
    return out or [_message(role, "")]


_LANGCHAIN_TYPES = {"system": "system", "user": "human", "assistant": "ai", "tool": "tool"}
_LANGCHAIN_ROLES = {**{kind: role for role, kind in _LANGCHAIN_TYPES.items()}, "user": "user", "assistant": "assistant",
                    "developer": "system", "AIMessageChunk": "assistant"}


def _langchain_messages(messages):
    return [_langchain_message(message) for message in messages]


def _langchain_message(message):
    out = {"type": _LANGCHAIN_TYPES[message["role"]], "content": message["text"]}
    if message.get("calls"):
        out["tool_calls"] = [{"id": call["id"], "name": call["name"], "args": call["args"]} for call in message["calls"]]
    if "call_id" in message:
        out["tool_call_id"] = message["call_id"]
    return out


def _langchain_objects(messages):
    from langchain_core import messages as langchain

    kinds = {"system": langchain.SystemMessage, "human": langchain.HumanMessage, "ai": langchain.AIMessage,
             "tool": langchain.ToolMessage}
    out = []
    for fields in _langchain_messages(messages):
        kind = fields.pop("type")
        if kind == "tool":
            fields.setdefault("tool_call_id", "")  # there it is required
        out.append(kinds[kind](**fields))
    return out


def _read_langchain(messages):
    return [_read_langchain_message(message, path) for path, message in _each_message(messages)]


def _read_langchain_message(message, path):
    kind, name = _member(message, "type"), "type"
    if kind is None and _member(message, "role") is not None:  # the short dicts that it takes as well
        kind, name = _member(message, "role"), "role"
    role = _role(kind, f"{path}.{name}", _LANGCHAIN_ROLES)
    # Where a model's own blocks are kept as content, its calls stand among them a second time.
    text = _content(_member(message, "content"), f"{path}.content", passed_over=("tool_use",))
    return _message(role, text, _flat_calls(message, "tool_calls", path), _call_id(message, "tool_call_id", path))


_SHAPES = {
    "plain": (_plain_messages, _read_plain),
    "openai": (_openai_messages, _read_openai),
    "anthropic": (_anthropic_conversation, _read_anthropic),
    "langchain": (_langchain_messages, _read_langchain),
    "langchain-objects": (_langchain_objects, _read_langchain),
}
_SAME = {role: role for role in ROLES}


def _message(role, text, calls=(), call_id=""):
    message = {"role": role, "text": text}
    if calls:
        message["calls"] = calls
    if call_id:
        message["call_id"] = call_id
    return message


def _flat_calls(message, field, path):
    """Return the calls of a message that holds them as they are on the wire, under whatever name."""
    return [_call(at, _member(call, "id"), _member(call, "name"), _member(call, "args"), ("id", "name", "args"))
            for at, call in _each_call(message, field, path)]


def _each_call(message, field, path):
    calls = _member(message, field)
    return _each(() if calls is None else calls, f"{path}.{field}", "a call")


def _call(path, call_id, name, args, fields):
    id_path, name_path, args_path = (f"{path}.{field}" for field in fields)
    if not isinstance(args, dict):
        raise _mistake(args_path, "must be an object", args)
    try:
        _ENCODER.encode(args)
    except (TypeError, ValueError, RecursionError) as problem:
        raise _mistake(args_path, f"must be JSON ({problem})", args)
    return {"id": _text(call_id, id_path), "name": _text(name, name_path), "args": args}


def _call_id(holder, field, path):
    """Return the id of the call that a result answers. Without one, it is for the suite to object."""
    value = _member(holder, field)
    return "" if value is None else _text(value, f"{path}.{field}")


def _member(holder, name):
    return holder.get(name) if isinstance(holder, dict) else getattr(holder, name, None)


def _each_message(messages):
    return _each(messages, "messages", "a message")


def _each(values, path, want, strings=False):
    """Yield the path and the value of each of a list's objects."""
    if not isinstance(values, (list, tuple)):
        raise _mistake(path, "must be a list", values)
    for number, value in enumerate(values):
        if value is None or isinstance(value, (bool, int, float, list, tuple)) or isinstance(value, str) and not strings:
            raise _mistake(f"{path}[{number}]", f"must be {want}", value)
        yield f"{path}[{number}]", value


def _role(value, path, known):
    if not isinstance(value, str) or value not in known:
        raise _mistake(path, f"must be {_one_of(known)}", value)
    return known[value]


def _text(value, path):
    if not isinstance(value, str):
        raise _mistake(path, "must be a string", value)
    return value


def _content(value, path, passed_over=()):
    """Return the text of a string, or of text parts, a line each."""
    if isinstance(value, str):
        return value
    texts = []
    for at, part in _each(value, path, "a text part", strings=True):
        if isinstance(part, str):
            texts.append(part)
        elif _member(part, "type") not in passed_over:
            texts.append(_text(_member(part, "text"), f"{at}.text"))
    return "\n".join(texts)


def _mistake(path, demand, value):
    return TypeError(f"reduce returned {path}: {demand}, got {_found(value)}")


def _one_of(names):
    *rest, last = names
    return f"{', '.join(rest)} or {last}"


def _found(value):
    """What a value is, short enough for a message."""
    if value is None:
        return "nothing"
    return _show(value) if isinstance(value, (str, bool, int, float)) else type(value).__name__


# What is a bad request. docs/protocol.md has the list; a function per payload follows it.


def _check_decide(request):
    contract = _field(request, "contract", dict, "in.")
    _strings(contract, "required_classes", "in.contract.")
    _strings(contract, "certified_classes", "in.contract.")
    _count(contract, "generation", GENERATION_LIMIT - 1, "in.contract.")
    _field(contract, "ancestry_certified", bool, "in.contract.")
    _check_flags(request, "in.")
    if "riders" in request:  # its numbers have been judged; nothing else in it matters
        _field(request, "riders", dict, "in.")


def _check_derive(request):
    originals = frozenset(_strings(request, "originals", "in."))
    earlier = set()
    for number, event in enumerate(_field(request, "events", list, "in.")):
        path = f"in.events[{number}]"
        if type(event) is not dict:
            raise _wrong_type(path, dict, event)
        earlier.add(_check_event(event, originals, earlier, path + "."))


def _check_event(event, originals, earlier, path):
    """Check one event against what came before it and return its id."""
    name = _field(event, "id", str, path)
    if name in originals or name in earlier:
        taken_by = "an original" if name in originals else "an earlier event"
        raise BadRequest(f"{path}id: {_show(name)} is {taken_by} already")
    inputs = _strings(event, "inputs", path)
    if not inputs:
        raise BadRequest(f"{path}inputs: must name an original or an earlier event, got []")
    for number, source in enumerate(inputs):
        if source not in originals and source not in earlier:
            raise BadRequest(f"{path}inputs[{number}]: {_show(source)} is no original and no earlier event")
    _strings(event, "required_classes", path)
    _check_certificate(_field(event, "certificate", list, path), f"{path}certificate")
    _check_floors(event, path)
    _check_flags(event, path)
    return name


def _check_floors(holder, path):
    if "floors_permille" in holder:
        floors = _field(holder, "floors_permille", dict, path)
        for element_class in floors:
            _count(floors, element_class, FLOOR_MAX_PERMILLE, f"{path}floors_permille.")


def _check_certificate(entries, path):
    seen = set()
    for number, entry in enumerate(entries):
        here = f"{path}[{number}]"
        if type(entry) is not dict:
            raise _wrong_type(here, dict, entry)
        element_class = _field(entry, "class", str, here + ".")
        if element_class in seen:
            raise BadRequest(f"{here}.class: {_show(element_class)} is in this list already")
        seen.add(element_class)
        total = _count(entry, "total", NUMBER_LIMIT - 1, here + ".")
        retained = _count(entry, "retained", NUMBER_LIMIT - 1, here + ".")
        if retained > total:
            raise BadRequest(f"{here}.retained: must be at most total, {total}, got {retained}")


def _check_certify(request):
    element_ids = set()
    _check_spans(request, "source", element_ids)
    output = _field(request, "output", dict, "in.")
    _field(output, "text", str, "in.output.")
    if "pins" in output:
        _strings(output, "pins", "in.output.")
    if "status" in output:
        _word(output, "status", STATUSES, "in.output.")
    _strings(request, "required_classes", "in.")
    _check_floors(request, "in.")
    if "decoys" in request:
        for path, decoy in _objects(request, "decoys", "in."):
            _check_element(decoy, element_ids, path, "a decoy")
    _check_sum(request, "source")


def _check_compact(request):
    generations = _check_spans(request, "spans", set())
    for name in "required_classes", "known_classes":
        _strings(request, name, "in.")
    _check_floors(request, "in.")
    _check_flags(request, "in.")
    _count(request, "budget_tokens", NUMBER_LIMIT - 1, "in.")
    _check_summaries(request, generations)
    _check_sum(request, "spans", "summaries")
    if "riders" in request:
        _field(request, "riders", dict, "in.")


def _check_spans(request, name, element_ids):
    """Check a list of spans and return each one's generation by its id."""
    generations = {}
    for path, span in _objects(request, name, "in."):
        span_id = _new_id(span, generations, path, "span")
        kind = _word(span, "kind", SPAN_KINDS, path)
        for text in "role", "text":
            _field(span, text, str, path)
        _count(span, "tokens", NUMBER_LIMIT - 1, path)
        is_summary = kind == "summary" or "lineage" in span  # what is no original stands for originals
        if "elements" in span:
            for at, element in _objects(span, "elements", path):
                _check_element(element, element_ids, at, None if is_summary else "an element of an original")
        generations[span_id] = 1 if is_summary else 0
        if "lineage" in span:
            lineage = _field(span, "lineage", dict, path)
            generations[span_id] = _check_lineage(lineage, span.get("elements"), f"{path}lineage.")
    return generations


def _check_element(element, element_ids, path, never_lost):
    """never_lost: what the element is where it has no `lost`, or None where it may have one."""
    element_ids.add(_new_id(element, element_ids, path, "element"))
    _field(element, "class", str, path)
    _strings(element, "forms", path)
    if "inverted_forms" in element:
        _strings(element, "inverted_forms", path)
    if "match" in element:
        _word(element, "match", MATCHES, path)
    if "lost" in element:
        _field(element, "lost", bool, path)
        if never_lost:
            raise BadRequest(f"{path}lost: may not stand on {never_lost}")


def _check_lineage(lineage, elements, path):
    """Check a lineage, against the elements too where they are known, and return its generation."""
    generation = _count(lineage, "generation", GENERATION_LIMIT - 1, path)
    _field(lineage, "ancestry_certified", bool, path)
    _word(lineage, "decision", LINEAGE_DECISIONS, path)
    effective = _field(lineage, "effective", list, path)
    _check_certificate(effective, f"{path}effective")
    if elements is not None:
        counts = _counts(elements)
        for number, entry in enumerate(effective):
            for name, count in zip(("retained", "total"), counts.get(entry["class"], (0, 0))):
                if entry[name] != count:
                    raise BadRequest(f"{path}effective[{number}].{name}: must be {count} by the span's elements, got {entry[name]}")
    return generation


def _counts(elements):
    """Return, per class, how many elements are not lost and how many there are."""
    counts = {}
    for element in elements:
        retained, total = counts.get(element["class"], (0, 0))
        counts[element["class"]] = retained + (not element.get("lost", False)), total + 1
    return counts


def _check_summaries(request, generations):
    summary_ids, taken_by = set(), {}  # taken_by: span id -> id of the summary that it is in
    for path, summary in _objects(request, "summaries", "in."):
        summary_id = _new_id(summary, summary_ids, path, "summary")
        summary_ids.add(summary_id)
        for number, span_id in enumerate(_strings(summary, "of", path)):
            here = f"{path}of[{number}]: {_show(span_id)}"
            if span_id not in generations:
                raise BadRequest(f"{here} is no span")
            if span_id in taken_by:
                raise BadRequest(f"{here} is in summary {_show(taken_by[span_id])} already")
            if generations[span_id] == GENERATION_LIMIT - 1:
                raise BadRequest(f"{here} has generation {generations[span_id]}, and there is none after it")
            taken_by[span_id] = summary_id
        _field(summary, "text", str, path)
        _count(summary, "tokens", NUMBER_LIMIT - 1, path)
        if "status" in summary:
            _word(summary, "status", STATUSES, path)


def _check_sum(request, *names):
    """What all of it costs is a number too."""
    tokens = sum(holder["tokens"] for name in names for holder in request[name])
    if tokens >= NUMBER_LIMIT:
        raise BadRequest(f"in: the tokens of {' and '.join(names)} must be less than 2^53 together, got {tokens}")


def _check_reduce(request):
    for number, message in enumerate(_field(request, "messages", list, "in.")):
        path = f"in.messages[{number}]"
        if type(message) is not dict:
            raise _wrong_type(path, dict, message)
        if _field(message, "role", str, path + ".") not in ROLES:
            raise BadRequest(f"{path}.role: must be {_one_of(ROLES)}, got {_show(message['role'])}")
        _field(message, "text", str, path + ".")
        if "call_id" in message:
            _field(message, "call_id", str, path + ".")
        if "calls" in message:
            _check_calls(_field(message, "calls", list, path + "."), f"{path}.calls")
    _count(request, "target_tokens", NUMBER_LIMIT - 1, "in.")


def _check_calls(calls, path):
    for number, call in enumerate(calls):
        here = f"{path}[{number}]"
        if type(call) is not dict:
            raise _wrong_type(here, dict, call)
        _field(call, "id", str, here + ".")
        _field(call, "name", str, here + ".")
        _field(call, "args", dict, here + ".")


def _check_recall(request):
    _field(request, "query", str, "in.")


def _check_flags(holder, path):
    for flag in FLAGS:
        if type(holder.get(flag)) is not bool:
            raise _wrong_type(path + flag, bool, holder.get(flag, _ABSENT))


def _check_numbers(request):
    """Judge every number, in unknown fields too. A loop, not a recursion: nesting costs no stack."""
    holders = [("in", request)]
    for path, holder in holders:  # grows as it is walked
        for key, value in holder.items() if type(holder) is dict else enumerate(holder):
            kind = type(value)
            if kind is str or kind is bool:
                continue
            if kind is int:
                if not -NUMBER_LIMIT < value < NUMBER_LIMIT:
                    raise BadRequest(f"{_join(path, key)}: must be less than 2^53 from zero, got {_show(value)}")
            elif kind is float:
                raise BadRequest(f"{_join(path, key)}: must be an integer without fraction or exponent, got {value}")
            elif kind is dict or kind is list and not _ONLY_STRINGS.issuperset(map(type, value)):
                holders.append((_join(path, key), value))


def _join(path, key):
    return f"{path}.{key}" if type(key) is str else f"{path}[{key}]"


# Fields. A path ends with the dot before the field's name, or is empty for the message itself.

_ABSENT = object()
_KINDS = {dict: "an object", list: "an array", str: "a string", bool: "true or false", int: "an integer"}


def _required(holder, name, path=""):
    if name not in holder:
        raise _wrong_type(path + name, None, _ABSENT)
    return holder[name]


def _field(holder, name, kind, path):
    value = holder.get(name, _ABSENT)
    if type(value) is not kind:  # not isinstance: True is no integer here
        raise _wrong_type(path + name, kind, value)
    return value


def _strings(holder, name, path):
    values = _field(holder, name, list, path)
    if not _ONLY_STRINGS.issuperset(map(type, values)):
        number = next(number for number, value in enumerate(values) if type(value) is not str)
        raise _wrong_type(f"{path}{name}[{number}]", str, values[number])
    return values


_ONLY_STRINGS = frozenset([str])


def _objects(holder, name, path):
    """Yield the path, with its dot, and the value of each of a list's objects."""
    for number, value in enumerate(_field(holder, name, list, path)):
        if type(value) is not dict:
            raise _wrong_type(f"{path}{name}[{number}]", dict, value)
        yield f"{path}{name}[{number}].", value


def _word(holder, name, known, path):
    word = _field(holder, name, str, path)
    if word not in known:
        raise BadRequest(f"{path}{name}: must be {_one_of(known)}, got {_show(word)}")
    return word


def _new_id(holder, taken, path, what):
    name = _field(holder, "id", str, path)
    if name in taken:
        raise BadRequest(f"{path}id: {_show(name)} is the id of another {what} already")
    return name


def _count(holder, name, most, path):
    value = _field(holder, name, int, path)
    if value < 0:
        raise BadRequest(f"{path}{name}: must be 0 or more, got {value}")
    if value > most:
        raise BadRequest(f"{path}{name}: must be {most} or less, got {value}")
    return value


def _wrong_type(path, kind, value):
    if value is _ABSENT:
        return BadRequest(f"{path}: is missing")
    return BadRequest(f"{path}: must be {_KINDS[kind]}, got {_show(value)}")


def _show(value):
    """A value as JSON, short enough for a message."""
    text = json.dumps(value, default=repr)
    return text if len(text) <= 60 else text[:57] + "..."


_CHECKS = {"decide": _check_decide, "derive": _check_derive, "certify": _check_certify, "compact": _check_compact,
           "reduce": _check_reduce, "recall": _check_recall}
