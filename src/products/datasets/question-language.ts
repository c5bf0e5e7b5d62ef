import { detectSearchLanguage } from "../../knowledge/language/detect.ts";
import { isStopWord } from "../../knowledge/language/function-words.ts";
import cluesText from "./language-clues.tsv" with { type: "text" };
import { folded } from "./phrases.ts";

/** The languages in which questions about figures are answered. */
export const answerLanguages = ["en", "cs", "sk", "de"] as const;
export type AnswerLanguage = (typeof answerLanguages)[number];

/** Prefixes of words that exist in only one of these languages. */
const clues = cluesText
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split("\t"))
  .map(([language = "", words = ""]) => ({ language, words: words.split("|") }));

/** Letters of Czech and Slovak that neither Hungarian nor French has; the other accented letters are inconclusive. */
const czechOrSlovak = /[ěščřžýůďťňľĺŕ]/iu;
const isFunctionWordOfThem = (word: string): boolean =>
  word.length > 1 && (isStopWord(folded(word), "cs") || isStopWord(folded(word), "sk"));

/** Returns the question's language if answers exist in it, otherwise English. A few words may be inconclusive. */
export function languageOf(asked: string): AnswerLanguage {
  // The s of "China's" would count as a word of its own in Czech and Slovak.
  const question = asked.replace(/(?<=\p{L})['’`´]s(?!\p{L})/giu, "");
  const found = detectSearchLanguage(question);
  if (found === "de") return found;
  const words =
    question
      .normalize("NFC")
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const score = (language: string): number => {
    const own = clues.find((one) => one.language === language)?.words ?? [];
    return words.filter((word) => own.some((clue) => word.startsWith(clue))).length;
  };
  const [czech, slovak, german] = [score("cs"), score("sk"), score("de")];
  const best = Math.max(czech, slovak, german);
  const isTold = best > 0 || czechOrSlovak.test(question) || words.some(isFunctionWordOfThem);
  if (!isTold || (found !== "cs" && found !== "sk")) {
    if (best === 0 || best * 2 < words.length) return "en";
    return best === german ? "de" : best === czech ? "cs" : "sk";
  }
  if (german > Math.max(czech, slovak)) return "de";
  return czech === slovak ? found : czech > slovak ? "cs" : "sk";
}
