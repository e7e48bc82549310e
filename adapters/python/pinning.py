"""A black box that loses nothing: it keeps every sentence that may bear a load, and drops the rest.

    floorcheck check -- python3 adapters/python/pinning.py

A kept sentence stays word for word, in its message, in its place; calls stay with their results. Where there
is nothing to drop it refuses. It keeps no state and asks no model.
"""
import re
import sys

sys.dont_write_bytecode = True
import floorcheck

CHARACTERS_PER_TOKEN = 4

# A sentence ends with a stop before white space, not in a quotation, or with an empty line.
SENTENCE = re.compile(r'(?:"[^"\n]*"|[^.!?\n]|[.!?](?!\s)|\n(?!\s*\n))*(?:[.!?]+|\n|$)\s*')

# Figures, quotations, and what looks like a path or a name in code.
SIGN = re.compile(r"""\d|["“”„«»`]|(?<!\w)['‘]|\w[_/.:#@\\-]+\w|(?<!\w)[/~#@$]\w""")

# Bans, duties, conditions, orderings, guesses, states, corrections and agreements.
WORD = re.compile(
    r"\b(?:not|never|no|none|cannot|must|shall|should|need|only|unless|if|when|before|after|first|then|until|by|"
    r"maybe|perhaps|possibly|might|done|open|pending|todo|finished|failed|forget|instead|agreed|title|use|call)\b|n['’]t\b",
    re.IGNORECASE)


def reduce(messages, target_tokens):
    if tokens(messages) <= target_tokens:
        return messages
    newest = max((number for number, message in enumerate(messages) if message["role"] == "user"), default=None)
    kept = []
    for number, message in enumerate(messages):
        if message["role"] == "system" or number == newest:
            kept.append(message)
            continue
        text = pinned(message["text"])
        if text or message.get("calls") or message["role"] == "tool":
            kept.append({**message, "text": text})
    if tokens(kept) >= tokens(messages):
        raise floorcheck.Refused("every sentence may be needed")
    return kept


def pinned(text):
    return "".join(sentence for sentence in SENTENCE.findall(text) if may_bear_a_load(sentence)).rstrip()


def may_bear_a_load(sentence):
    return bool(SIGN.search(sentence) or WORD.search(sentence) or has_inner_capital(sentence))


def has_inner_capital(sentence):
    return any(letter.isupper() for word in re.findall(r"\w+", sentence) for letter in word[1:])


def tokens(messages):
    return sum(len(text) for message in messages for text in texts(message)) // CHARACTERS_PER_TOKEN


def texts(message):
    """Return what a message says: its text, and every string in the args of its calls."""
    return [message["text"], *strings([call["args"] for call in message.get("calls", [])])]


def strings(value):
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for item in inner for text in strings(item)]


if __name__ == "__main__":
    floorcheck.serve(name="pinning.py", version="1", reduce=reduce)
