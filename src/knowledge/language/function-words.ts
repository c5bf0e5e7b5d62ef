import { once } from "../../platform/once.ts";
import table from "./data/function-words.tsv" with { type: "text" };
import { checkedLanguages, type Language, type SearchLanguage, searchLanguages } from "./languages.ts";
import { foldedWords, oneOf, readTable } from "./word-table.ts";

/**
 * Function words, folded: they carry no evidence and no subject, and identify a language. The faithfulness check and
 * the search were trained with lists that differ in 67 words of Czech, Slovak and English: `used_by` separates them
 * until both are trained again.
 */
const entries = once(() =>
  readTable(table, ["language", "word", "used_by"]).map(({ language, word, used_by }) => ({
    language: oneOf(language, searchLanguages),
    words: foldedWords(word),
    used_by: oneOf(used_by, ["checker", "search", "both"]),
  })),
);

function listsFor(user: "checker" | "search", languages: readonly SearchLanguage[]) {
  const lists = new Map<SearchLanguage, Set<string>>(languages.map((language) => [language, new Set()]));
  for (const { language, words, used_by } of entries())
    if (used_by === user || used_by === "both") for (const word of words) lists.get(language)?.add(word);
  return lists;
}

const inClaims = once(() => listsFor("checker", checkedLanguages));
const inSearch = once(() => listsFor("search", searchLanguages));

/** Checks whether a folded word is a function word of the language. Used for claims and the source index. */
export const isFunctionWord = (folded: string, language: Language): boolean =>
  inClaims().get(language)?.has(folded) ?? false;

/**
 * Checks whether a folded word is a function word of the language. Used by the analysis of the search and by the
 * assistant.
 */
export const isStopWord = (folded: string, language: SearchLanguage): boolean =>
  inSearch().get(language)?.has(folded) ?? false;
