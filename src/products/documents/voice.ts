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

/** Formats a document in one language. Texts of callers, sites and sources stay in their own. */
export interface Voice {
  readonly language: AnswerLanguage;
  say(text: keyof Words, values?: Readonly<Record<string, string | number>>): string;
  /**
   * Translates one of the product's own sentences, which results and manifests have in English; returns other texts
   * unchanged.
   */
  own(text: string): string;
  /** Whether `own` has a translation. */
  knows(text: string): boolean;
  /** Like `own`, for a state, a demand on targets or one of their fields. */
  term(text: string): string;
  /** Returns a note that a text is in another language than the document; empty if it is in the same one. */
  foreign(language: string): string;
  /** Formats a number with at most two decimals. */
  number(value: number): string;
  /** Formats a share of 1 as a whole percentage. */
  percent(share: number): string;
  /** Formats an RFC 3339 instant in UTC; empty for null. */
  date(instant: string | null): string;
  country(code: string): string;
  /** Returns a known indicator's name; an unknown one keeps its own title. */
  indicator(id: string, title?: string): string;
  /** Returns a known unit's name; an unknown one stays as its publisher writes it. */
  unit(unit: string): string;
}

/** Creates the voice of a language, with its locale's formats for numbers, dates and countries. */
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
      // Czech and Slovak write language names in lower case within a sentence.
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
