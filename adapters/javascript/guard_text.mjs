/**
 * When does a text keep an element? A question of letters, not of sense: text and phrase are
 * compared folded, and a phrase has to stand by itself.
 */
import { BadRequest } from "./floorcheck.mjs";

const WORD = String.raw`[\p{L}\p{M}\p{N}_]`;
const HAS_WORD = new RegExp(WORD, "u");
/** Matches at a place between two word characters. */
const GLUED = new RegExp(`(?<=${WORD})${WORD}`, "uy");
/** Word characters and joiners; comma and colon join two decimal digits only. */
const RUN = /(?:[\p{L}\p{M}\p{N}_\-./\\@~+%$#]|(?<=\p{Nd})[,:](?=\p{Nd}))+/gu;

/** Text and phrases as they are compared. */
export function fold(text, isExact) {
  const plain = text.normalize("NFC").replace(/\p{White_Space}+/gu, " ").replace(/^ | $/g, "");
  return isExact ? plain : foldCase(plain).normalize("NFC");
}

/** Full case folding. One character at a time: toLowerCase() alone looks at a sigma's neighbours. */
function foldCase(text) {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  return Array.from(text, foldCharacter).join("");
}

const folded = new Map();

/** What differs by case alone comes out the same by way of the capitals: ß like SS. Only the dotless i is a letter of its own. */
function foldCharacter(character) {
  if (!folded.has(character)) {
    const own = character === "\u0131" ? character : character.toLowerCase().toUpperCase().toLowerCase();
    folded.set(character, own);
  }
  return folded.get(character);
}

/** One text of what is delivered. It is folded when that is first asked for. */
export class Part {
  #folded = new Map();
  #insides;

  constructor(text) {
    this.text = text;
  }

  get hasWord() {
    return HAS_WORD.test(this.text);
  }

  folded(isExact) {
    if (!this.#folded.has(isExact)) this.#folded.set(isExact, fold(this.text, isExact));
    return this.#folded.get(isExact);
  }

  /** Whether a place in the exact text is inside a run; the dots at the end of one are left out. */
  isInsideRun(place) {
    this.#insides ??= this.#findInsides(this.folded(true));
    return this.#insides[place] === 1;
  }

  #findInsides(text) {
    const insides = new Uint8Array(text.length + 1);
    for (const { 0: run, index } of text.matchAll(RUN)) {
      let { length } = run;
      while (run[length - 1] === ".") length--;
      if (length > 1) insides.fill(1, index + 1, index + length);
    }
    return insides;
  }
}

/** Finds elements in parts. A fault overrides one method of it. */
export class Reader {
  /** An element with its phrases folded. `path` is where the request has it. */
  element(given, path) {
    const isExact = this.isExact(given);
    const phrases = (list = []) => [...new Set(list.map((phrase) => fold(phrase, isExact)))];
    const [forms, inverted] = [phrases(given.forms), phrases(given.inverted_forms)];
    const both = inverted.find((phrase) => forms.includes(phrase));
    if (both !== undefined) throw new BadRequest(`${path}.inverted_forms: ${JSON.stringify(both)} is among the forms too, once both are folded`);
    return { id: given.id, class: given.class, isExact, forms, inverted, wasLost: given.lost === true };
  }

  isExact({ match }) {
    return match === "exact";
  }

  /** What the parts say of an element, each by itself and then together. */
  state(element, parts) {
    const isSaid = parts.some((part) => this.says(element, part));
    const isDenied = parts.some((part) => this.denies(element, part));
    return this.verdict(isSaid, isDenied);
  }

  verdict(isSaid, isDenied) {
    if (isSaid) return isDenied ? "contradictory" : "retained";
    return isDenied ? "inverted" : "lost";
  }

  /** Whether a form counts. */
  says({ forms, inverted, isExact }, part) {
    return this.counts(forms, inverted, isExact, part);
  }

  /** Whether an inverted form counts. */
  denies({ forms, inverted, isExact }, part) {
    return this.counts(inverted, forms, isExact, part);
  }

  /** Whether a phrase stands somewhere that is not within an occurrence of the other list. */
  counts(phrases, others, isExact, part) {
    const places = this.places(phrases, isExact, part);
    if (places.length === 0) return false;
    const around = this.places(others, isExact, part);
    return places.some((place) => !around.some((other) => this.isInside(place, other)));
  }

  isInside([start, end], [first, last]) {
    return first <= start && end <= last;
  }

  /** Where one of the phrases stands by itself, as [start, end]. */
  places(phrases, isExact, part) {
    const text = part.folded(isExact);
    return phrases.flatMap((phrase) => occurrences(text, phrase)).filter((place) =>
      place.every((end) => !this.isGlued(text, end) && !(isExact && this.cutsRun(part, end))));
  }

  isGlued(text, place) {
    GLUED.lastIndex = place;
    return GLUED.test(text);
  }

  cutsRun(part, place) {
    return part.isInsideRun(place);
  }
}

/** Every place of a phrase, overlapping ones too. An empty phrase has none. */
function occurrences(text, phrase) {
  const found = [];
  if (phrase === "") return found;
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1)) found.push([at, at + phrase.length]);
  return found;
}
