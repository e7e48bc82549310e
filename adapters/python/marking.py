"""A black box that loses and says so: the newest turns, marked, and a memory that can be asked.

    floorcheck check -- python3 adapters/python/marking.py

Asked for something in whatever words, it gives back the sentence that is most like them, of all that it has
seen in this process.
"""
import difflib
import itertools
import re
import sys
import unicodedata

sys.dont_write_bytecode = True
import floorcheck

CHARACTERS_PER_TOKEN = 4
LEAST_LIKENESS = 0.6  # of the words that are asked for

# A sentence ends with a stop before white space, not in a quotation, or with an empty line.
SENTENCE = re.compile(r'(?:"[^"\n]*"|[^.!?\n]|[.!?](?!\s)|\n(?!\s*\n))*(?:[.!?]+|\n|$)\s*')

# What replaces, withdraws or completes something that was said before, and may still be said in what is kept.
CORRECTION = re.compile(r"\b(?:forget|no\s+longer|instead|done)\b", re.IGNORECASE)

# So that the mark outlives this reduction: what comes of a conversation that holds it is marked too.
NOTE = {"role": "system", "text": "Earlier turns are left out here."}

ALIKE = {"never": "not", "don't": "not", "perhaps": "maybe", "possibly": "maybe"}
GLUE = {"first", "then", "before", "you", "only"}  # where they stand is a matter of style

index = {}  # word -> the sentences that hold it
latest = {}  # sentence -> when it was heard last
clock = itertools.count()


def reduce(messages, target_tokens):
    for message in messages:
        remember(message)
    for start in [0, *turns(messages)]:
        kept = newest(messages, start)
        if tokens(kept) <= target_tokens:
            return floorcheck.Reduced(kept, mark="provisional" if NOTE in kept else "none")
    raise floorcheck.Refused("the newest turn alone is longer than that")


def newest(messages, start):
    """Return all from there on, and of what is before the system's messages and the corrections."""
    kept = []
    for number, message in enumerate(messages):
        if number >= start or message["role"] == "system":
            kept.append(message)
        elif message["role"] != "tool":  # a result does not go without its call
            text = "".join(filter(CORRECTION.search, SENTENCE.findall(message["text"])))
            kept += [{"role": message["role"], "text": text}] if text else []
    return kept if kept == messages or NOTE in kept else [NOTE, *kept]


def turns(messages):
    """Yield where the user's turns begin, as long as no call waits for its result."""
    waiting = set()
    for number, message in enumerate(messages):
        if message["role"] == "user" and not waiting:
            yield number
        waiting |= {call["id"] for call in message.get("calls", [])}
        waiting.discard(message.get("call_id"))


def remember(message):
    for text in texts(message):
        for sentence in SENTENCE.findall(text):
            latest[sentence] = next(clock)
            for word in words(sentence):
                index.setdefault(word, set()).add(sentence)


def recall(query):
    wanted = words(query)
    ranked = ((*in_common(wanted, words(sentence)), latest[sentence], sentence) for sentence in candidates(wanted))
    likeness, _, _, sentence = max(ranked, default=(0, 0, 0, ""))
    if likeness <= LEAST_LIKENESS * len(wanted):
        raise floorcheck.Unavailable(f"nothing that was said here is like {query!r}")
    return sentence.strip()


def candidates(wanted):
    """What holds most of the words holds one of the rarest of them."""
    rarest = sorted(set(wanted), key=lambda word: len(index.get(word, ())))[:int(len(wanted) * (1 - LEAST_LIKENESS)) + 1]
    return {sentence for word in rarest for sentence in index.get(word, ())}


def in_common(wanted, found):
    """How many words stand in both in the same order, and the most of them that stand together."""
    sizes = [block.size for block in difflib.SequenceMatcher(None, wanted, found, autojunk=False).get_matching_blocks()]
    return sum(sizes), max(sizes)


def words(text):
    text = unicodedata.normalize("NFC", text).casefold()
    plain = (word.strip(".,;:!?\"'()") for word in text.split())
    return [ALIKE.get(word, word) for word in plain if word and word not in GLUE]


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
    floorcheck.serve(name="marking.py", version="1", reduce=reduce, recall=recall)
