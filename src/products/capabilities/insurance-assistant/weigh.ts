import { namesIn } from "../../../knowledge/language/insurance-glossary.ts";
import type { SearchLanguage } from "../../../knowledge/language/languages.ts";
import { chosen, compose, mostQuotes } from "./compose.ts";
import type { Found, Readings, Weighed } from "./computation.ts";
import { judgedBy, type Way } from "./gate.ts";
import { asksOfStranger } from "./insurers.ts";
import { statesPrice } from "./prices.ts";
import { askedFor, intentOf, lacksNumber, matterOf } from "./question.ts";
import { saysAlone, togetherIn, toRead } from "./reading.ts";
import { type Supported, supportFor } from "./support.ts";

/** Maximum number of places named if nothing clearly answers. */
const mostNamed = 3;

/** Returns the chunks of the best sentences, each once. */
const nearestOf = (sentences: readonly Supported[]): number[] =>
  [...new Set(sentences.map(({ sentence }) => sentence.found.chunk.id))].slice(0, mostNamed);

/** Returns the nearest places for a question about a price: those that state one and have a word of the matter. */
function pricesOf(sentences: readonly Supported[], question: string, language: SearchLanguage): number[] {
  const matter = new Set(matterOf(question, askedFor(question, language)).map(({ stem }) => stem));
  return nearestOf(
    sentences.filter(({ sentence, covers }) => covers.some((stem) => matter.has(stem)) && statesPrice(sentence)),
  );
}

/** Returns which gate applies. */
function wayOf([best]: readonly Supported[], isRead: boolean): Way {
  if (!isRead) return "words";
  return best?.sentence.found.askedBefore === undefined ? "read" : "known";
}

/** Returns whether the first quoted sentence itself says what is asked, and not one next to it. */
const isSaid = (first: Supported | undefined, readings: Readings | undefined): boolean =>
  first !== undefined && (readings === undefined ? first.isToThePoint : saysAlone(first.sentence, readings));

/** Weighs what was found and makes an answer of it. Runs in a worker thread. */
export function weighed({ question, language, chunks, readings, later = [] }: Found): Weighed {
  const intent = intentOf(question);
  const { sentences, strangers, coverage, signals } = supportFor({ question, language, intent, chunks, readings });
  const { isAnswered, isCertain, isNear } = judgedBy(signals, wayOf(sentences, readings !== undefined));
  const best = chosen(sentences.filter(({ sentence }) => !strangers.has(sentence)));
  const picked = readings ? togetherIn(best, sentences, readings).slice(0, mostQuotes) : best;
  const [first] = best;
  const [nearestOne] = sentences;
  const isElsewhere = asksOfStranger(question, chunks) || lacksNumber(intent, first?.sentence.quote ?? "");
  // If no row of a table matches, or there is no price when one is asked for, the place is named and nothing is quoted.
  const isLacking =
    (nearestOne !== undefined && strangers.has(nearestOne.sentence)) ||
    (intent.price && first !== undefined && !statesPrice(first.sentence));
  const near = intent.price ? pricesOf(sentences, question, language) : isNear ? nearestOf(sentences) : [];
  return {
    isAdvice: intent.advice,
    isElsewhere,
    isEvidence: first !== undefined && isAnswered && !isElsewhere && !isLacking,
    isRead: readings !== undefined,
    isCertain: isCertain && isSaid(first, readings),
    nearest: isElsewhere ? [] : near,
    signals,
    coverage,
    stated: first?.stated ?? 0,
    toRead: toRead(sentences.map(({ sentence }) => sentence)),
    composition: compose(picked, sentences, later),
  };
}

/** Returns the question's words as insurance calls them in another language, or unchanged if it has no name there. */
export const inOtherWords = (question: string, asked: SearchLanguage, language: SearchLanguage): string =>
  askedFor(question, asked)
    .map(({ form }) => namesIn(language, form) || form)
    .join(" ");
