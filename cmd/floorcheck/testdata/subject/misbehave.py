"""A subject that does one thing wrong: misbehave.py MODE [FILE]

Where that would end it, it does so at one request only, which check asks early
and once: starting a process again and again takes its time.
"""

import json
import os
import sys
import time

FLAGS = ("consumer_strict", "chaining_risk", "side_effect_cost_exceeds_refusal")


def decide(request, mode):
    contract = request["contract"]
    missing = sorted(set(contract["required_classes"]) - set(contract["certified_classes"]))
    if not missing and contract["ancestry_certified"]:
        return {"decision": "certified"}
    if mode == "soft" or request["source_recoverable"] or not any(request[flag] for flag in FLAGS):
        return {"decision": "provisional"}
    named = contract["required_classes"] or contract["certified_classes"]
    if contract["generation"] == 7 and all(request[flag] for flag in FLAGS) and not named:
        if mode == "crash":
            sys.exit(5)
        if mode == "silent":
            time.sleep(600)
        if mode == "garbage":
            return "nothing of the kind"
    return {
        "decision": "refuse",
        "missing_classes": missing,
        "generation": contract["generation"],
        "ancestry_certified": contract["ancestry_certified"],
    }


def reduce(messages, mode):
    """Keep everything, but of every ninth conversation or so."""
    if len(json.dumps(messages)) % 9 == 3:
        if mode == "box-loses":
            return {"out": {"messages": []}}
        if mode == "box-throws":
            return {"error": {"code": "internal", "message": "out of order"}}
        if mode == "box-no-reason":
            return {"out": {"refused": True}}
        if mode == "box-dies":
            sys.exit(5)
        if mode == "box-silent":
            time.sleep(600)
    return {"out": {"messages": messages}}


mode = sys.argv[1]
for line in sys.stdin:
    message = json.loads(line)
    if message["op"] == "bye":
        break
    if message["op"] == "hello":
        answer = {"protocol": 1, "name": "misbehave", "ops": ["reduce" if mode.startswith("box-") else "decide"]}
    elif message["op"] == "reduce":
        answer = reduce(message["in"]["messages"], mode)
    elif mode == "error":
        answer = {"error": {"code": "internal", "message": "out of order"}}
    else:
        if mode == "slow":
            with open(sys.argv[2], "w") as file:
                print(os.getpid(), file=file)
            time.sleep(0.02)
        answer = {"out": decide(message["in"], mode)}
    print(json.dumps({"id": message["id"], **answer}), flush=True)
