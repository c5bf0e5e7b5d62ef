import { splitSentences } from "../../../knowledge/faithfulness/claims.ts";
import { detectLanguage } from "../../../knowledge/language/detect.ts";
import type { Language } from "../../../knowledge/language/languages.ts";
import { numberWords } from "../../../knowledge/language/quantities.ts";
import { fold } from "../../../platform/text.ts";

/** A word or number. Offsets are in UTF-16 code units; `form` is folded, and figures have no spaces. */
export interface Word {
  readonly start: number;
  readonly end: number;
  readonly form: string;
  /** Clause number, increased at each comma, colon, dash and bracket. A negation does not reach across clauses. */
  readonly clause: number;
  /** The value of a number in figures or words, or null. */
  readonly value: number | null;
  /** Whether it is a number after a section sign or the word for it. */
  readonly section: boolean;
}

/** A sentence, or a piece of an overlong one. */
export interface Sentence {
  readonly start: number;
  readonly end: number;
  readonly words: readonly Word[];
  readonly language: Language;
  readonly question: boolean;
  /** Start and end of each quotation, unless it spans nearly the whole text. */
  readonly quotes: readonly (readonly [number, number])[];
}

/** Matches the parts of a text. The full stop of a leading "No." ends a clause. */
const part =
  /(?<section>§+|\b(?:sections?|secs?\.|ss?\.|article|art\.|paragraf\p{L}*|čl\.|článk\p{L}*)(?=\s*\d))|(?<number>\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d{1,3}(?:,\d{3})+(?!\d)|\d+)|(?<word>\p{L}[\p{L}\p{M}]*(?:['’]\p{L}+)?)|(?<sign>%)|(?<mark>[,;:()[\]–—\n]|\s-\s|(?<=^no)\.)/giu;

// English contractions in full, also without their apostrophe.
const contracted = new Map<string, readonly string[]>(
  Object.entries({
    cannot: ["can", "not"],
    cant: ["can", "not"],
    wont: ["will", "not"],
    dont: ["do", "not"],
    doesnt: ["does", "not"],
    didnt: ["did", "not"],
    isnt: ["is", "not"],
    arent: ["are", "not"],
    wasnt: ["was", "not"],
    neednt: ["need", "not"],
    shouldnt: ["should", "not"],
    wouldnt: ["would", "not"],
    couldnt: ["could", "not"],
    ive: ["i", "have"],
    im: ["i", "am"],
  }),
);
const endings = new Map(Object.entries({ ll: "will", re: "are", ve: "have", m: "am", d: "would", s: "" }));

/** Returns the folded forms of a written word. */
function formsOf(written: string): readonly string[] {
  const [base = "", ending] = fold(written).split(/['’]/);
  const joined = contracted.get(ending === undefined ? base : base + ending);
  if (joined !== undefined) return joined;
  if (ending === undefined) return [base.startsWith("procent") ? "percent" : base];
  if (ending === "t" && base.endsWith("n")) return [base.slice(0, -1), "not"];
  const full = endings.get(ending);
  return full === undefined || full === "" ? [base] : [base, full];
}

/** Returns whether a word opens a clause without a comma before it. */
const opens = (form: string): boolean => form === "if" || form === "unless" || form === "because";

/** Maximum words per piece. Bounds the work of one pattern, whatever the caller sends; real sentences are shorter. */
const longest = 80;

function wordsOf(text: string, from: number, to: number): Word[] {
  const words: Word[] = [];
  let clause = 0;
  let section = false;
  for (const match of text.slice(from, to).matchAll(part)) {
    const { number, word, sign, mark } = match.groups ?? {};
    const start = from + match.index;
    const place = { start, end: start + match[0].length, clause };
    if (mark !== undefined) clause += 1;
    else if (match.groups?.section !== undefined) {
      section = true;
      continue;
    } else if (number !== undefined) {
      const form = number.replace(/[^\d]/g, "");
      words.push({ ...place, form, value: Number(form), section });
    } else if (sign !== undefined) words.push({ ...place, form: "percent", value: null, section: false });
    else if (word !== undefined)
      for (const form of formsOf(word))
        words.push({
          ...place,
          clause: opens(form) ? ++clause : clause,
          form,
          value: numberWords.get(form) ?? null,
          section: false,
        });
    section = false;
  }
  return words;
}

const quoted = /„[^„“”]{1,400}[“”]|“[^“”]{1,400}”|"[^"]{1,400}"|»[^»«]{1,400}«|«[^«»]{1,400}»|‚[^‚‘]{1,400}‘/gu;

function quotesIn(text: string): [number, number][] {
  const found = [...text.matchAll(quoted)].map((match): [number, number] => [
    match.index,
    match.index + match[0].length,
  ]);
  // A caller who sends the whole answer in quotation marks quotes no one.
  return found.filter(([start, end]) => end - start < 0.6 * text.trim().length);
}

/** Maps a Czech or Slovak word to the form that the patterns know. */
export type Forms = (form: string, language: Language) => string;

/** Splits a text into sentences. Slovak words are mapped to the Czech forms that the patterns know. */
export function readText(text: string, otherwise: Language, forms: Forms): Sentence[] {
  const quotes = quotesIn(text);
  const whole = detectLanguage(text, otherwise);
  return splitSentences(text).flatMap(({ start, end }) => {
    const language = detectLanguage(text.slice(start, end), whole);
    const read = wordsOf(text, start, end);
    const words = language === "en" ? read : read.map((word) => ({ ...word, form: forms(word.form, language) }));
    const common = { language, question: /[?]["'”“’)\]]*$/.test(text.slice(end - 4, end)) };
    const inside = quotes.filter(([from, to]) => from < end && to > start);
    if (words.length <= longest) return [{ ...common, start, end, words, quotes: inside }];
    const pieces: Sentence[] = [];
    for (let at = 0; at < words.length; at += longest - 20) {
      const piece = words.slice(at, at + longest);
      const [first, last] = [piece[0], piece.at(-1)];
      if (first && last) pieces.push({ ...common, start: first.start, end: last.end, words: piece, quotes: inside });
      if (at + longest >= words.length) break;
    }
    return pieces;
  });
}
