import { type Family, familyOf, type Language } from "../language/languages.ts";

/**
 * What an answer is judged as: each kind has a model and a threshold of its own. `asked` is a short English answer to a
 * single question: nearly all of its words must be in the sources, where a statement may add some.
 */
export type Kind = Family | "asked";

const sentenceEnd = /[.!?](?=\s|$)/g;

// A claim given as its own question, and what is said in a dialogue before a question, ask nothing of the sources.
const isQuestion = (text: string): boolean => text.endsWith("?") && text.match(sentenceEnd)?.length === 1;

/** Words of a short answer at most. */
const mostWords = 20;
const isShort = (text: string): boolean => (text.match(/\S+/g)?.length ?? 0) <= mostWords;

/** The kind of an answer to a question. The scorer and its training call it. */
export function kindOf(language: Language, question: string, answer: string): Kind {
  const family = familyOf(language);
  const asked = question.trim();
  return family === "english" && asked !== answer.trim() && isQuestion(asked) && isShort(answer) ? "asked" : family;
}
