import { filled } from "../../platform/text.ts";
import { titleOf, unitIn } from "../capabilities/eu-market-data/titles.ts";
import { countryName } from "../datasets/places.ts";
import type { AnswerLanguage } from "../datasets/question-language.ts";
import { ownWords } from "./phrases.ts";
import { cs } from "./words/cs.ts";
import { de } from "./words/de.ts";
import { en, type Words } from "./words/en.ts";
import { sk } from "./words/sk.ts";

/** The fixed texts of documents by language. */
export const documentWords: Readonly<Record<AnswerLanguage, Words>> = { en, cs, sk, de };

/** What writes a document in one language. Text that callers, sites or sources wrote stays in theirs. */
export interface Voice {
  readonly language: AnswerLanguage;
  say(text: keyof Words, values?: Readonly<Record<string, string | number>>): string;
  /** A sentence of the product's own, which results and manifests have in English; another one stays as it is. */
  own(text: string): string;
  /** Whether `own` has it in this language. */
  knows(text: string): boolean;
  /** The same for a state, a demand on targets or a field of theirs. */
  term(text: string): string;
  /** Says that a text is in another language than the document's; nothing where it is in the same. */
  foreign(language: string): string;
  /** A number with two decimals at most. */
  number(value: number): string;
  /** A share of 1 as whole percent. */
  percent(share: number): string;
  /** An instant of RFC 3339, in UTC; nothing for null. */
  date(instant: string | null): string;
  country(code: string): string;
  /** A known indicator's name; another one keeps the title that it came with. */
  indicator(id: string, title?: string): string;
  /** A known unit's name; another one stays as its publisher writes it. */
  unit(unit: string): string;
}

/** The voice of a language; numbers, dates and countries by the rules of its locale. */
export function voiceIn(language: AnswerLanguage): Voice {
  const words = documentWords[language];
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const shares = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
  const dates = new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "medium", timeZone: "UTC" });
  return {
    language,
    say: (text, values = {}) => filled(words[text], values),
    own: (text) => ownWords(text, "sentence", language) ?? text,
    knows: (text) => language === "en" || ownWords(text, "sentence", language) !== null,
    term: (text) => ownWords(text, "term", language) ?? text,
    foreign(other) {
      if (other === language) return "";
      const name = new Intl.DisplayNames([language], { type: "language" }).of(other) ?? other;
      // Inside a sentence, Czech and Slovak write languages small.
      const isSmall = language === "cs" || language === "sk";
      return filled(words.in_language, { language: isSmall ? name.toLocaleLowerCase(language) : name });
    },
    number: (value) => numbers.format(value),
    percent: (share) => shares.format(share),
    date: (instant) => (instant === null ? "" : `${dates.format(new Date(instant))} UTC`),
    country: (code) => countryName(code, language),
    indicator(id, title = id) {
      const known = titleOf(id, language);
      return known === id ? (ownWords(title, "term", language) ?? title) : known;
    },
    unit: (unit) => ownWords(unit, "term", language) ?? unitIn(unit, language),
  };
}
