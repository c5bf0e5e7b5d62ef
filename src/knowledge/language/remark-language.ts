import { once } from "../../platform/once.ts";
import table from "./data/other-languages.tsv" with { type: "text" };
import { count, detectInMarket, type Profile } from "./detect.ts";
import { isStopWord } from "./function-words.ts";
import { type SearchLanguage, searchLanguages } from "./languages.ts";
import { verdictProfile } from "./verdict-language.ts";
import { foldedWords, readTable } from "./word-table.ts";

/** Frequent words, by language, of questions in languages that no remark is in, folded. */
const others = once(
  () =>
    new Map(
      readTable(table, ["language", "words"]).map(({ language, words }) => [language, new Set(foldedWords(words))]),
    ),
);

const isOneOf = (language: string): language is SearchLanguage => searchLanguages.some((one) => one === language);

const isOfTheSix = (word: string): boolean => searchLanguages.some((language) => isStopWord(word, language));

/** Clues from words that none of the six languages has, which say more than shared ones. */
const ownWords = () =>
  [...others()].map(([language, words]) => ({
    pattern: new RegExp(`(?<!\\p{L})(?:${[...words].filter((word) => !isOfTheSix(word)).join("|")})(?!\\p{L})`, "gu"),
    weights: { [language]: 0.5 },
    folded: true as const,
  }));

const all = once(
  (): Profile<string> => ({
    languages: [...searchLanguages, ...others().keys()],
    isFunctionWord: (folded, language) =>
      isOneOf(language) ? isStopWord(folded, language) : (others().get(language)?.has(folded) ?? false),
    clues: [...verdictProfile.clues, ...ownWords()],
  }),
);

/**
 * Returns the language of the remarks around an answer, if none was asked for: the question's, by `detectInMarket`, or
 * English if the question is plainly in none of the six. Used by the assistant.
 */
export function remarkLanguage(question: string, country: string): SearchLanguage {
  const { scores } = count(question, all());
  const best = (some: readonly string[]): number => Math.max(0, ...some.map((language) => scores.get(language) ?? 0));
  return best([...others().keys()]) > best(searchLanguages) ? "en" : detectInMarket(question, country);
}
