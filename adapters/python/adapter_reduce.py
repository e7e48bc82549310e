"""Your compactor under test:  floorcheck check -- python3 adapter_reduce.py

Replace the body of reduce() by a call to your own code. It is given a whole conversation and the number of
tokens that may be left; shape says what messages look like ("anthropic", "langchain" and "plain" are others).
What you print goes to stderr; a model inside finds the suite's own at $FLOORCHECK_MODEL_URL (then say model=True).
"""
import floorcheck

NOTE = {"role": "system", "content": "Earlier turns are left out."}


def reduce(messages, target_tokens):
    """Stands for your compactor: leaves out the oldest turns, and says that something may be missing."""
    for start in [0, *turns(messages)]:
        kept = [message for number, message in enumerate(messages) if number >= start or message["role"] == "system"]
        if len(kept) < len(messages) and NOTE not in kept:
            kept.insert(0, NOTE)
        if tokens(kept) <= target_tokens:
            return floorcheck.Reduced(kept, mark="provisional" if NOTE in kept else "none")
    raise floorcheck.Refused("the newest turn alone is longer than that")


def turns(messages):
    """Yield where the user's turns begin, as long as no call waits for its result."""
    waiting = set()
    for number, message in enumerate(messages):
        if message["role"] == "user" and not waiting:
            yield number
        waiting |= {call["id"] for call in message.get("tool_calls") or ()}
        waiting.discard(message.get("tool_call_id"))


def tokens(messages):
    arguments = [call["function"]["arguments"] for message in messages for call in message.get("tool_calls") or ()]
    return sum(map(len, [message["content"] or "" for message in messages] + arguments)) // 4


if __name__ == "__main__":
    floorcheck.serve(name="my-compactor", version="0.1", reduce=reduce, shape="openai")
