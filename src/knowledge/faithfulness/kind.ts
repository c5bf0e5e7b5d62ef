import { type Family, familyOf, type Language } from "../language/languages.ts";
import { isAbbreviation } from "./claims.ts";

/**
 * What an answer is judged as: each kind has a model and a threshold of its own. `asked` is a short English answer to a
 * single question: nearly all of its words must be in the sources, where a statement may add some.
 */
export type Kind = Family | "asked";

const sentenceEnd = /[.!?](?=["'”’)]?(?:\s|$))/g;

// `J. H. Williams III` and `World No. 1` end no sentence.
const endsIn = (text: string): number =>
  [...text.matchAll(sentenceEnd)].filter(({ index }) => !isAbbreviation(text.slice(0, index + 1))).length;

// A claim given as its own question, and what is said in a dialogue before a question, ask nothing of the sources.
const isQuestion = (text: string): boolean => /\?["'”’)]?$/.test(text) && endsIn(text) === 1;

/** Words of a short answer at most. */
const mostWords = 20;
const isShort = (text: string): boolean => (text.match(/\S+/g)?.length ?? 0) <= mostWords;

/** The kind of an answer to a question. The scorer and its training call it. */
export function kindOf(language: Language, question: string, answer: string): Kind {
  const family = familyOf(language);
  const asked = question.trim();
  return family === "english" && asked !== answer.trim() && isQuestion(asked) && isShort(answer) ? "asked" : family;
}
