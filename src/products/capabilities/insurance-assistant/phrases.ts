import type { SearchLanguage } from "../../../knowledge/language/languages.ts";
import written from "./phrases.json" with { type: "json" };

/** What the assistant says in its own words; everything else in an answer is quoted. */
export interface Phrases {
  /** With a gap for the `{country}`. */
  readonly no_evidence: string;
  /** Leads in to places that may answer, where nothing clearly does. */
  readonly nearest: string;
  /** With a gap for the number of the `{page}`. */
  readonly page: string;
  readonly no_advice: string;
  readonly weak: string;
  readonly samples: string;
  /** The cited documents are of several lines of insurance. */
  readonly lines: string;
  /** A cited document says of itself that it is of an older version of the law. */
  readonly older: string;
  /** With a gap for the names of the `{languages}`. */
  readonly other_language: string;
  /** With a gap for the numbers of the `{sources}`, such as `[1], [3]`; so has the next. */
  readonly disagree: string;
  readonly carriers_differ: string;
  readonly languages: Readonly<Record<SearchLanguage, string>>;
}

/** The phrases by language. The answer's composition and its judgement take them. */
export const phrases: Readonly<Record<SearchLanguage, Phrases>> = written;

/** A phrase with its gap filled. */
export const filled = (phrase: string, value: string): string => phrase.replace(/\{\w+\}/, () => value);
