import { detectSearchLanguage } from "../../knowledge/language/detect.ts";
import cluesText from "./language-clues.tsv" with { type: "text" };

/** The languages in which questions about figures are answered. */
export const answerLanguages = ["en", "cs", "sk", "de"] as const;
export type AnswerLanguage = (typeof answerLanguages)[number];

/** Beginnings of words that one of Czech and Slovak has, and not the other. */
const clues = cluesText
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split("\t"))
  .map(([language = "", words = ""]) => ({ language, words: words.split("|") }));

/** The question's language where an answer can be in it, else English. A few words may have none that decides. */
export function languageOf(question: string): AnswerLanguage {
  const found = detectSearchLanguage(question);
  if (found !== "cs" && found !== "sk") return answerLanguages.find((language) => language === found) ?? "en";
  const words =
    question
      .normalize("NFC")
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const score = (language: string): number => {
    const own = clues.find((one) => one.language === language)?.words ?? [];
    return words.filter((word) => own.some((clue) => word.startsWith(clue))).length;
  };
  const [czech, slovak] = [score("cs"), score("sk")];
  return czech === slovak ? found : czech > slovak ? "cs" : "sk";
}
