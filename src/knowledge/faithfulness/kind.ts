import { type Family, familyOf, type Language } from "../language/languages.ts";
import { isAbbreviation } from "./claims.ts";

/**
 * The kind of an answer; each kind has its own model and FAIL threshold. `asked` is a short English answer to a single
 * question: nearly all of its words must be in the sources, whereas a statement may add some.
 */
export type Kind = Family | "asked";

const sentenceEnd = /[.!?](?=["'”’)]?(?:\s|$))/g;

// `J. H. Williams III` and `World No. 1` do not end a sentence.
const endsIn = (text: string): number =>
  [...text.matchAll(sentenceEnd)].filter(({ index }) => !isAbbreviation(text.slice(0, index + 1))).length;

// A claim given as its own question, or dialogue before a question, asks nothing of the sources.
const isQuestion = (text: string): boolean => /\?["'”’)]?$/.test(text) && endsIn(text) === 1;

/** Maximum number of words in a short answer. */
const mostWords = 20;
const isShort = (text: string): boolean => (text.match(/\S+/g)?.length ?? 0) <= mostWords;

/** Returns the kind of an answer to a question. Used by the scorer and its training. */
export function kindOf(language: Language, question: string, answer: string): Kind {
  const family = familyOf(language);
  const asked = question.trim();
  return family === "english" && asked !== answer.trim() && isQuestion(asked) && isShort(answer) ? "asked" : family;
}
