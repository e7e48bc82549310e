"""Your decision under test:  floorcheck check -- python3 adapter.py

Replace the body of decide() by a call to your own code. What it is given and what it returns is in
floorcheck's docs/protocol.md; requests arrive checked, and what you print goes to stderr.
"""
import floorcheck


def decide(request):
    contract = request["contract"]
    missing = sorted(set(contract["required_classes"]) - set(contract["certified_classes"]))
    if contract["ancestry_certified"] and not missing:
        return {"decision": "certified"}
    dangerous = (request["consumer_strict"] or request["chaining_risk"]
                 or request["side_effect_cost_exceeds_refusal"])
    if request["source_recoverable"] or not dangerous:
        return {"decision": "provisional"}
    return {"decision": "refuse", "missing_classes": missing,
            "generation": contract["generation"], "ancestry_certified": contract["ancestry_certified"]}


if __name__ == "__main__":
    floorcheck.serve(name="my-compactor", version="0.1", decide=decide)
