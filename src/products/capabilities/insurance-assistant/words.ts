import { isStopWord } from "../../../knowledge/language/function-words.ts";
import { type SearchLanguage, searchLanguageOf } from "../../../knowledge/language/languages.ts";
import { stem } from "../../../knowledge/language/stem.ts";
import { insuranceGroupsOf } from "../../../knowledge/language/synonyms.ts";
import { parseNumber } from "../../../knowledge/language/tokens.ts";
import { fold } from "../../../platform/text.ts";

/** A word of a text: the stem, which is compared for equality, and the folded form, by which synonyms are found. */
export interface Key {
  readonly stem: string;
  readonly form: string;
}
/** The distinct words of a text, by their stems. */
export type Keys = ReadonlyMap<string, Key>;

const word = /\d+(?:[.,]\d+)*|\p{L}[\p{L}\p{M}]*/gu;

/** Returns a German infinitive without the `zu` inside: `abzuschliessen` becomes `abschliessen`. */
const withoutZu = (form: string): string =>
  form.replace(/^(ab|an|auf|aus|bei|ein|mit|nach|vor|weg|zuruck)zu(?=\p{L}{4,}(?:en|ern|eln)$)/u, "$1");

/** Returns the words of a text without function words, stemmed as in the search index. */
export function keysOf(text: string, language: string): Keys {
  const known = searchLanguageOf(language) ?? "en";
  const keys = new Map<string, Key>();
  for (const [written] of text.matchAll(word)) {
    const form = known === "de" ? withoutZu(fold(written)) : fold(written);
    const key = { stem: stem(form, known), form };
    if (form.length > 1 && !isStopWord(form, known) && !keys.has(key.stem)) keys.set(key.stem, key);
  }
  return keys;
}

// A synonym, a part of a compound or a stem that was cut elsewhere means the same, but less surely.
const synonym = 0.7;
const headOfCompound = 0.7;
const restOfCompound = 0.6;
const sameBeginning = 0.8;
const shortestPart = 5;

function commonBeginning(a: string, b: string): number {
  let common = 0;
  while (common < a.length && a.charCodeAt(common) === b.charCodeAt(common)) common += 1;
  return common;
}

/** Returns how alike two words are: 1 if equal, 0 if different, and between if they probably mean the same. */
export function likeness(a: Key, b: Key): number {
  if (a.stem === b.stem) return 1;
  if (/^\d/.test(a.stem) || /^\d/.test(b.stem)) return 0;
  const [part, whole] = a.stem.length < b.stem.length ? [a.stem, b.stem] : [b.stem, a.stem];
  const common = commonBeginning(part, whole);
  if (common >= shortestPart && common > 0.75 * whole.length) return sameBeginning;
  const groups = insuranceGroupsOf(a.form);
  if (groups.length > 0 && insuranceGroupsOf(b.form).some((group) => groups.includes(group))) return synonym;
  if (part.length < shortestPart || whole.length < part.length + 3) return 0;
  // A compound is a kind of what it ends in, and only related to what it begins with. The kind matters, because every
  // insurance is a Versicherung.
  if (whole.endsWith(part)) return part.startsWith("versicher") ? 0 : headOfCompound;
  return whole.startsWith(part) ? restOfCompound : 0;
}

const quantity = /(\d[\d\s\u00a0\u202f.,]*\d|\d)\s*(%|€|\p{L}+)?/gu;

/** Returns the numbers of a text with a unit after them. Units are distinguished by their first four letters. */
export function numbersOf(text: string, language: SearchLanguage): { readonly value: number; readonly unit: string }[] {
  return [...text.matchAll(quantity)].flatMap(([, written = "", unit]) =>
    unit === undefined
      ? []
      : [{ value: parseNumber(written, language === "en" ? "en" : "cs"), unit: fold(unit).slice(0, 4) }],
  );
}
