"""Debian's ots, the Open Text Summarizer, as the summarizer of a conversation.

ots knows texts and no conversations: what stands between the system messages at the start
and the newest turn is given to it as one text, and one message with its extract takes its place.
"""
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python"))
import floorcheck

CHARACTERS_PER_TOKEN = 4


def reduce(messages, target_tokens):
    start, end = middle(messages)
    text = "\n".join(map(told, messages[start:end]))
    room = target_tokens * CHARACTERS_PER_TOKEN - sum(len(told(m)) for m in messages[:start] + messages[end:])
    if len(text) <= room or not text.strip():
        return messages
    return messages[:start] + [{"role": "user", "text": summarize(text, room)}] + messages[end:]


def middle(messages):
    """Return the bounds of what is neither a system message at the start nor the newest turn: the
    last message of the user, and what came after it.
    """
    start = next((number for number, message in enumerate(messages) if message["role"] != "system"), len(messages))
    turns = [number for number, message in enumerate(messages) if message["role"] == "user"]
    return start, turns[-1] if turns else len(messages)


def told(message):
    """Return a message as text: what it says, and what its calls say in their arguments."""
    said = [message["text"], *(text for call in message.get("calls", ()) for text in strings(call["args"]))]
    return "\n".join(filter(None, said))


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from strings(inner)


def summarize(text, room):
    """Return the share of the text, in whole percents and 1 at least, that fits into the room."""
    percent = min(100, max(1, 100 * room // len(text)))
    done = subprocess.run(["ots", f"--ratio={percent}"], input=text, capture_output=True, encoding="utf-8", check=True)
    return done.stdout.strip()


def version():
    """Return the version of Debian's package; ots itself still tells that of an older release."""
    query = ["dpkg-query", "--showformat=${Version}", "--show", "ots"]
    return subprocess.run(query, capture_output=True, encoding="utf-8", check=True).stdout


if __name__ == "__main__":
    floorcheck.serve(name="ots", version=version(), reduce=reduce, trigger_messages=4)
