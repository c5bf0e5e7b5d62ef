import { namesIn } from "../../../knowledge/language/insurance-glossary.ts";
import type { SearchLanguage } from "../../../knowledge/language/languages.ts";
import { compose } from "./compose.ts";
import type { Found, Weighed } from "./computation.ts";
import { judgedBy } from "./gate.ts";
import { asksOfStranger } from "./insurers.ts";
import { askedFor, intentOf, lacksNumber } from "./question.ts";
import { toRead } from "./reading.ts";
import { supportFor } from "./support.ts";

/** Weighs what was found, and makes an answer of it. A thread of the pool runs it. */
export function weighed({ question, language, chunks, readings }: Found): Weighed {
  const intent = intentOf(question);
  const { sentences, coverage, signals } = supportFor({ question, language, intent, chunks, readings });
  const { probability, answeredFrom, certainFrom } = judgedBy(signals, readings !== undefined);
  const [first] = sentences;
  const isElsewhere = asksOfStranger(question, chunks) || lacksNumber(intent, first?.sentence.quote ?? "");
  return {
    isAdvice: intent.advice,
    isElsewhere,
    isEvidence: first !== undefined && probability >= answeredFrom && !isElsewhere,
    isRead: readings !== undefined,
    isCertain: probability >= certainFrom,
    signals,
    coverage,
    stated: first?.stated ?? 0,
    toRead: toRead(sentences.map(({ sentence }) => sentence)),
    composition: compose(sentences),
  };
}

/** The question's words as insurance calls them in another language; what has no name there stays as it is. */
export const inOtherWords = (question: string, asked: SearchLanguage, language: SearchLanguage): string =>
  askedFor(question, asked)
    .map(({ form }) => namesIn(language, form) || form)
    .join(" ");
