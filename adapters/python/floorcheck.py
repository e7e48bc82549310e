"""Put your compaction decisions under test: copy this file beside your code.

    import floorcheck

    def decide(request):                      # the `in` of docs/protocol.md, already checked
        return {"decision": "provisional"}    # its `out`

    floorcheck.serve(name="acme", decide=decide)

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

__all__ = ["BadRequest", "serve", "validate"]

PROTOCOL = 1
FLAGS = ("source_recoverable", "consumer_strict", "chaining_risk", "side_effect_cost_exceeds_refusal")
NUMBER_LIMIT = 2**53  # every integer is smaller, either side of zero
GENERATION_LIMIT = 2**31
FLOOR_MAX_PERMILLE = 1000
LINE_MAX_BYTES = 16 * 2**20
HOLD_SECONDS = 0.05  # longest that a finished answer waits for its burst; the suite's shortest clock is 5 s


class BadRequest(Exception):
    """The request cannot be judged. The message names the path, then what is wrong:
    `in.contract.generation: must be 0 or more, got -1`.
    """


def serve(*, name, version="", policy="guard", decide=None, derive=None, max_batch=100, validate=True, stateful=False):
    """Answer requests on stdin until `bye` or end of input, then return.

    decide, derive: functions from `in` to `out`, sync or async; only those given are claimed.
    validate: check every request first, so that your functions see well-formed ones only.

    From here on stdout is stderr and stdin is empty for the rest of the program, child processes
    included: the protocol has both to itself. Nothing should be printed before.
    """
    functions = {op: function for op, function in (("decide", decide), ("derive", derive)) if function is not None}
    if not functions:
        raise ValueError("serve: give decide, derive or both")
    hello = {"protocol": PROTOCOL, "name": name, "version": version, "language": "python", "ops": list(functions),
             "policy": policy, "max_batch": max_batch, "stateful": stateful}
    requests, answers = _take_stdio()
    subject = _Subject(hello, functions, validate)
    try:
        _converse(subject, requests, _Outbox(answers))
    except BrokenPipeError:
        _note("nobody reads the answers any more")
    finally:
        subject.close()


def validate(op, request):
    """Raise BadRequest unless request is a well-formed `in` of op, "decide" or "derive".

    Checks what can be seen without deciding anything; that an event descends from a refused
    one is for `derive` itself to find.
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
    traceback.print_exception(problem, file=sys.stderr)
    return _error("internal", f"{type(problem).__name__}: {problem}")


def _error(code, message):
    return {"error": {"code": code, "message": message}}


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
    if "floors_permille" in event:
        floors = _field(event, "floors_permille", dict, path)
        for element_class in floors:
            _count(floors, element_class, FLOOR_MAX_PERMILLE, f"{path}floors_permille.")
    _check_flags(event, path)
    return name


def _check_certificate(entries, path):
    seen = set()
    for number, entry in enumerate(entries):
        here = f"{path}[{number}]"
        if type(entry) is not dict:
            raise _wrong_type(here, dict, entry)
        element_class = _field(entry, "class", str, here + ".")
        if element_class in seen:
            raise BadRequest(f"{here}.class: {_show(element_class)} is in this certificate already")
        seen.add(element_class)
        total = _count(entry, "total", NUMBER_LIMIT - 1, here + ".")
        retained = _count(entry, "retained", NUMBER_LIMIT - 1, here + ".")
        if retained > total:
            raise BadRequest(f"{here}.retained: must be at most total, {total}, got {retained}")


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


_CHECKS = {"decide": _check_decide, "derive": _check_derive}
