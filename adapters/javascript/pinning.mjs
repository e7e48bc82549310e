// A black box that loses nothing: it keeps every sentence that may bear a load, and drops the rest.
//
//     floorcheck check -- node adapters/javascript/pinning.mjs
//
// A kept sentence stays word for word, in its message, in its place; calls stay with their results. Where there
// is nothing to drop it refuses. It keeps no state and asks no model.
import { Refused, serve } from "./floorcheck.mjs";

const CHARACTERS_PER_TOKEN = 4;

// A sentence ends with a stop before white space, not in a quotation, or with an empty line.
const SENTENCE = /(?:"[^"\n]*"|[^.!?\n]|[.!?](?!\s)|\n(?!\s*\n))*(?:[.!?]+|\n|$)\s*/g;

// Figures, quotations, what looks like a path or a name in code, and a capital inside a word.
const SIGN = /\p{N}|["“”„«»`]|(?<![\p{L}\p{N}_])['‘]|[\p{L}_][_/.:#@\\-]+[\p{L}_]|(?<![\p{L}_])[/~#@$][\p{L}_]|[\p{L}_]\p{Lu}/u;

// Bans, duties, conditions, orderings, guesses, states, corrections and agreements.
const WORD = new RegExp(
  "(?<![\\p{L}\\p{N}_])(?:not|never|no|none|cannot|must|shall|should|need|only|unless|if|when|before|after|first|then|until|by|" +
    "maybe|perhaps|possibly|might|done|open|pending|todo|finished|failed|forget|instead|agreed|title|use|call)(?![\\p{L}\\p{N}_])|n['’]t(?![\\p{L}\\p{N}_])",
  "iu",
);

function reduce(messages, targetTokens) {
  if (tokens(messages) <= targetTokens) return messages;
  const newest = messages.findLastIndex(({ role }) => role === "user");
  const kept = messages.flatMap((message, i) => {
    if (message.role === "system" || i === newest) return [message];
    const text = pinned(message.text);
    return text !== "" || message.calls?.length > 0 || message.role === "tool" ? [{ ...message, text }] : [];
  });
  if (tokens(kept) >= tokens(messages)) throw new Refused("every sentence may be needed");
  return kept;
}

const pinned = (text) => text.match(SENTENCE).filter(mayBearALoad).join("").trimEnd();

const mayBearALoad = (sentence) => SIGN.test(sentence) || WORD.test(sentence);

function tokens(messages) {
  const texts = messages.flatMap(({ text, calls = [] }) => [text, ...strings(calls.map(({ args }) => args))]);
  return Math.floor(texts.reduce((sum, text) => sum + text.length, 0) / CHARACTERS_PER_TOKEN);
}

/** Every string in the args of calls. */
function strings(value) {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
}

serve({ name: "pinning.mjs", version: "1", reduce });
