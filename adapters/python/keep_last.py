"""The black box that everybody writes first: the system message and the last messages that fit.

    floorcheck check -- python3 adapters/python/keep_last.py

It loses what was said early, without a word; nothing in it knows that a result belongs to a call.
"""
import sys

sys.dont_write_bytecode = True
import floorcheck

CHARACTERS_PER_TOKEN = 4


def reduce(messages, target_tokens):
    room = target_tokens * CHARACTERS_PER_TOKEN - sum(map(size, filter(is_system, messages)))
    start = len(messages)
    while start > 0:
        if not is_system(messages[start - 1]):
            room -= size(messages[start - 1])
            if room < 0:
                break
        start -= 1
    return [message for number, message in enumerate(messages) if number >= start or is_system(message)]


def size(message):
    arguments = [call["function"]["arguments"] for call in message.get("tool_calls", [])]
    return sum(map(len, [message["content"] or "", *arguments]))


def is_system(message):
    return message["role"] == "system"


if __name__ == "__main__":
    floorcheck.serve(name="keep_last.py", version="1", reduce=reduce, shape="openai")
