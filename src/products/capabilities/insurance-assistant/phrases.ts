import { type SearchLanguage, searchLanguageOf, searchLanguages } from "../../../knowledge/language/languages.ts";
import { remarkLanguage } from "../../../knowledge/language/remark-language.ts";
import written from "./phrases.json" with { type: "json" };
import type { InsuranceAssistantInput } from "./schema.ts";

/** What the assistant says in its own words; everything else in an answer is quoted. */
export interface Phrases {
  /** With a gap for the `{country}`. */
  readonly no_evidence: string;
  /** With a gap for the `{number}` of passages that are still to be read. */
  readonly unread: string;
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
  /** With a gap for the numbers of the `{sources}`, such as `[1], [3]`; so have the next two. */
  readonly amended: string;
  readonly disagree: string;
  readonly carriers_differ: string;
  readonly languages: Readonly<Record<SearchLanguage, string>>;
}

/** The phrases by language. The answer's composition and its judgement take them. */
export const phrases: Readonly<Record<SearchLanguage, Phrases>> = written;

/** A phrase with its gap filled. */
export const filled = (phrase: string, value: string): string => phrase.replace(/\{\w+\}/, () => value);

/** A language by its name in any of them: "German", "němčina". */
const languageCalled = (name: string): SearchLanguage | undefined =>
  searchLanguages.find((language) =>
    Object.values(phrases).some(({ languages }) => languages[language].toLowerCase() === name.toLowerCase()),
  );

/**
 * The language of the assistant's own words: the one that is asked for, by its code or its name, else the question's.
 * English stands for every language that there are no phrases in: the next of the six would be a guess. Evidence has it.
 */
export function phrasesLanguage({ language, question, country }: InsuranceAssistantInput): SearchLanguage {
  const wanted = language?.trim() ?? "";
  if (wanted === "") return remarkLanguage(question, country);
  return searchLanguageOf(wanted) ?? languageCalled(wanted) ?? "en";
}
