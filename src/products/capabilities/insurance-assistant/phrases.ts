import { type SearchLanguage, searchLanguageOf, searchLanguages } from "../../../knowledge/language/languages.ts";
import { remarkLanguage } from "../../../knowledge/language/remark-language.ts";
import written from "./phrases.json" with { type: "json" };
import type { InsuranceAssistantInput } from "./schema.ts";

/** The assistant's own words. Everything else in an answer is quoted. */
export interface Phrases {
  /** Contains `{country}`. */
  readonly no_evidence: string;
  /** Contains the `{number}` of passages that are not read yet. */
  readonly unread: string;
  /** Introduces places that may answer, if nothing clearly does. */
  readonly nearest: string;
  /** Contains the number of the `{page}`. */
  readonly page: string;
  readonly no_advice: string;
  readonly weak: string;
  readonly samples: string;
  /** The cited documents are about several lines of insurance. */
  readonly lines: string;
  /** A cited document says that it is about an older version of the law. */
  readonly older: string;
  /** Contains the names of the `{languages}`. */
  readonly other_language: string;
  /** Contains the numbers of the `{sources}`, such as `[1], [3]`; so do the next two. */
  readonly amended: string;
  readonly disagree: string;
  readonly carriers_differ: string;
  readonly languages: Readonly<Record<SearchLanguage, string>>;
}

/** The phrases by language. */
export const phrases: Readonly<Record<SearchLanguage, Phrases>> = written;

/** Returns a phrase with the part in braces replaced. */
export const filled = (phrase: string, value: string): string => phrase.replace(/\{\w+\}/, () => value);

/** Returns a language by its name in any of them: "German", "němčina". */
const languageCalled = (name: string): SearchLanguage | undefined =>
  searchLanguages.find((language) =>
    Object.values(phrases).some(({ languages }) => languages[language].toLowerCase() === name.toLowerCase()),
  );

/**
 * Returns the language of the assistant's own words: the requested one, by its code or its name, otherwise the
 * question's. English replaces every language without phrases, because the next of the six would be a guess.
 */
export function phrasesLanguage({ language, question, country }: InsuranceAssistantInput): SearchLanguage {
  const wanted = language?.trim() ?? "";
  if (wanted === "") return remarkLanguage(question, country);
  return searchLanguageOf(wanted) ?? languageCalled(wanted) ?? "en";
}
