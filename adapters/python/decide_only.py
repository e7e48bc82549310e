"""The op `decide` without the helper, policy guard: all that it takes to put a decision under test."""
import json

CONTRACT = "required_classes", "certified_classes", "generation", "ancestry_certified"
FLAGS = "consumer_strict", "chaining_risk", "side_effect_cost_exceeds_refusal", "source_recoverable"

# What is no integer below 2^53 is read as a complex number: json.dumps raises TypeError for one, wherever it hides.
INTEGER = lambda text: int(text) if len(text) < 18 and abs(int(text)) < 2**53 else complex(text)
READER = json.JSONDecoder(parse_int=INTEGER, parse_float=complex, parse_constant=complex)

def decide(case):
    required, certified, generation, ancestry = values = [case["contract"][name] for name in CONTRACT]
    *dangers, recoverable = flags = [case[name] for name in FLAGS]
    types = [type(value) for value in [*values, *flags, case.get("riders", {}), *required, *certified]]
    well_typed = types == [list, list, int, *5 * [bool], dict, *len(required + certified) * [str]] and json.dumps(case)
    if not well_typed or not 0 <= generation < 2**31: raise TypeError("a wrong type or number")
    missing = sorted({*required} - {*certified})
    if ancestry and not missing: return {"decision": "certified"}
    if recoverable or not any(dangers): return {"decision": "provisional"}
    return {"decision": "refuse", "missing_classes": missing, "generation": generation, "ancestry_certified": ancestry}

HELLO = {"protocol": 1, "name": "decide-only", "ops": ["decide"]}
UNSUPPORTED = {"error": {"code": "unsupported", "message": "decide alone is offered"}}

for message in map(READER.decode, open(0, encoding="utf-8")):
    if message["op"] == "bye": break
    try: answer = {"out": decide(message["in"])} if message["op"] == "decide" else HELLO if message["op"] == "hello" else UNSUPPORTED
    except (KeyError, TypeError) as problem: answer = {"error": {"code": "bad_request", "message": repr(problem)}}
    print(json.dumps({"id": message["id"], **answer}), flush=True)
