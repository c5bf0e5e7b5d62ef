import { isStopWord } from "../../knowledge/language/function-words.ts";
import { gapBefore, type Reading, type Span } from "./clauses.ts";
import { findIn, type Language, matchAt, type WordLists } from "./words.ts";

/** A phrase for people or things. */
export interface Phrase extends Span {
  /** Whether a verb or mark after it shows where it ends, rather than only its length. */
  readonly isBounded: boolean;
}

/** A reading with its language and word lists. */
export interface Worded extends Reading {
  readonly language: Language;
  readonly lists: WordLists;
}

const longest = 10;
const isMarked = (gap: string): boolean => /[,.;:!?()=]|\s[-–—]\s/.test(gap);
const wordAt = ({ tokens }: Reading, at: number): string => tokens[at]?.word ?? "";
const isCapital = ({ text, tokens }: Reading, at: number): boolean =>
  /^\p{Lu}/u.test(text.slice(tokens[at]?.start ?? text.length, tokens[at]?.end));
const isNumber = (word: string): boolean => /^\d/.test(word);
const isNumberWord = (reading: Worded, at: number): boolean =>
  isNumber(wordAt(reading, at)) || reading.structure.numerals[wordAt(reading, at)] !== undefined;

const notPlural = /(?:ss|us|is|as|ous)$/;
const isPlural = (word: string): boolean =>
  (word.length > 3 && word.endsWith("s") && !notPlural.test(word)) ||
  /^(?:people|.*men|children|folk|staff)$/.test(word);

/** English: the verb follows a plural noun that no preposition or conjunction follows; a singular verb ends in `-s`. */
function isEnglishVerb(reading: Worded, at: number, from: number): boolean {
  const { structure, tokens } = reading;
  const [word, before] = [wordAt(reading, at), wordAt(reading, at - 1)];
  const isLink = [structure.prepositions, structure.joins, structure.relatives].some(
    (list) => matchAt(tokens, at, list) > 0,
  );
  if (isLink || /(?:ing|ed)$/.test(word) || isNumberWord(reading, at)) return false;
  const isSingular = /^(?:an?|every|each|any)$/.test(wordAt(reading, from));
  if (isSingular)
    return at - from > 1 && word.length > 3 && word.endsWith("s") && !notPlural.test(word) && !isStopWord(before, "en");
  const isAfterName = at > from + 1 && isCapital(reading, at - 1) && !isCapital(reading, at);
  if (isPlural(before) && isPlural(word)) return false;
  if ((isPlural(before) && matchAt(tokens, at - 1, structure.determiners) === 0) || isAfterName) return true;
  // `hotels by the lake turn away guests`: after a prepositional phrase, the next word shows whether this is the verb.
  const wasAdded = findIn(tokens, structure.prepositions, from, at - 1) >= 0 && !isStopWord(before, "en");
  const followers = [
    structure.determiners,
    structure.prepositions,
    structure.pronouns,
    structure.particles,
    structure.negations,
  ];
  return (
    wasAdded &&
    !isStopWord(word, "en") &&
    (followers.some((list) => matchAt(tokens, at + 1, list) > 0) || isNumberWord(reading, at + 1))
  );
}

/**
 * German: nouns are capitalised; the verb is the word after a noun that is neither a function word nor an adjective.
 */
function isGermanVerb(reading: Worded, at: number, from: number): boolean {
  const { structure, tokens } = reading;
  const word = wordAt(reading, at);
  if (at === from || isCapital(reading, at) || isNumberWord(reading, at)) return false;
  const isLink = [structure.prepositions, structure.determiners, structure.joins].some(
    (list) => matchAt(tokens, at, list) > 0,
  );
  if (isLink || !/(?:en|n|t|e|st)$/.test(word)) return false;
  const isAdjective = /(?:e|en|er|es|em)$/.test(word) && isCapital(reading, at + 1) && !isCapital(reading, at - 1);
  return isCapital(reading, at - 1) && !isAdjective && !/^\p{Ll}*(?:jahrige)/u.test(word);
}

const slavicVerbs = {
  cs: /(?:ají|ejí|ějí|ují|[ae]j|ou|[^nčšž]í|[^n]á)$/u,
  sk: /(?:ajú|ejú|ujú|ejú|ú|ia|[^n]á|[^nčšžc]í)$/u,
} as const;
const plainVerbs = /(?:aji|eji|uji|aju|uju|eju|ujou)$/;

/** Czech and Slovak: third-person endings, where no preposition or adjective requires a noun. */
const isSlavicVerb =
  (language: "cs" | "sk") =>
  (reading: Worded, at: number, from: number): boolean => {
    const { structure, tokens, text } = reading;
    const [word, before] = [wordAt(reading, at), wordAt(reading, at - 1)];
    if (at === from || word.length < 4 || isCapital(reading, at) || isNumberWord(reading, at - 1)) return false;
    if (
      [structure.prepositions, structure.joins].some(
        (list) => matchAt(tokens, at, list) > 0 || matchAt(tokens, at - 1, list) > 0,
      )
    )
      return false;
    if (isAnimate(reading, { from: at, to: at + 1 })) return false;
    const written = text.slice(tokens[at]?.start, tokens[at]?.end).toLowerCase();
    if (plainVerbs.test(word)) return true;
    const isInPhrase =
      at - 2 >= from && matchAt(tokens, at - 2, structure.prepositions) > 0 && /(?:i|e|y|ou|ym|im|ych)$/.test(before);
    // After a noun in an oblique case that ends a phrase, a third-person ending marks the verb.
    if (/(?:ach|ich|ech|och)$/.test(before) && /[íúáiu]$/u.test(written)) return true;
    return slavicVerbs[language].test(written) && !isInPhrase;
  };

const isVerb: Readonly<Record<Language, (reading: Worded, at: number, from: number) => boolean>> = {
  en: isEnglishVerb,
  de: isGermanVerb,
  cs: isSlavicVerb("cs"),
  sk: isSlavicVerb("sk"),
};

/** Whether a token is a Czech or Slovak dative plural for people, to whom something is given. */
export const isDative = (reading: Worded, at: number): boolean => {
  const { text, tokens, language } = reading;
  if (language !== "cs" && language !== "sk") return false;
  const written = text.slice(tokens[at]?.start ?? text.length, tokens[at]?.end).toLowerCase();
  return (language === "cs" ? /ům$/u : /(?:om|ám)$/u).test(written) && isAnimate(reading, { from: at, to: at + 1 });
};

/** Returns the people to whom something is given, with the adjective before them. */
export function givenTo(reading: Worded, { from, to }: Span): Phrase | null {
  for (let at = from; at < to; at++) {
    if (!isDative(reading, at)) continue;
    const hasAdjective =
      at > from && /[ýí]m$/u.test(reading.text.slice(reading.tokens[at - 1]?.start, reading.tokens[at - 1]?.end));
    return { ...phraseAt(reading, at, to), from: hasAdjective ? at - 1 : at };
  }
  return null;
}

/** Whether a token opens a relative clause, after which the phrase may continue. */
const isRelative = (reading: Worded, at: number): boolean =>
  matchAt(reading.tokens, at, reading.structure.relatives) > 0;

/** Returns the phrase that starts at a token, up to the next verb or punctuation mark. */
export function phraseAt(reading: Worded, from: number, end: number): Phrase {
  const { tokens, structure, lists, language } = reading;
  let inRelative = false;
  let to = from;
  for (; to < end && to - from < longest; to++) {
    if (to > from && isMarked(gapBefore(reading, to))) return { from, to, isBounded: true };
    if (to === from) continue;
    if (language === "en" && isRelative(reading, to)) {
      inRelative = true;
      to += 1;
      continue;
    }
    const isStrong = matchAt(tokens, to, structure.auxiliaries) > 0 || matchAt(tokens, to, lists.problem) > 0;
    if (isDative(reading, to - 1) && matchAt(tokens, to, structure.prepositions) === 0)
      return { from, to, isBounded: true };
    const isAgeing = matchAt(tokens, to - 1, structure.prepositions) > 0;
    if (isStrong && !isAgeing) return { from, to, isBounded: true };
    if (!inRelative && isVerb[language](reading, to, from)) return { from, to, isBounded: true };
  }
  return { from, to, isBounded: to === end };
}

/** Whether a phrase, up to its first preposition or relative clause, denotes people or firms. */
export function isAnimate({ tokens, lists, structure }: Worded, { from, to: end }: Span): boolean {
  let to = Math.min(end, from + 1);
  while (to < end && [structure.prepositions, structure.relatives].every((list) => matchAt(tokens, to, list) === 0))
    to += 1;
  return [lists.people, ...Object.values(lists.status), structure.animates].some(
    (list) => findIn(tokens, list, from, to) >= 0,
  );
}

/** Whether the people in a phrase would buy: the verb comes next, or at the clause's end after an auxiliary. */
export function isBuyer({ tokens, structure }: Worded, { to, isBounded }: Phrase, end: number): boolean {
  if (!isBounded || to >= end) return false;
  const isModal = [structure.modals, structure.auxiliaries].some((list) => matchAt(tokens, to, list) > 0);
  return findIn(tokens, structure.buys, to, isModal ? end : to + 1) >= 0;
}

/** Returns the phrase for people after an entry of a list, such as `for dog owners`; `null` if there is none. */
export function peopleAfter(reading: Worded, list: readonly string[], { from, to }: Span): Phrase | null {
  const { tokens } = reading;
  for (let at = findIn(tokens, list, from, to); at >= 0; at = findIn(tokens, list, at + 1, to)) {
    const start = at + matchAt(tokens, at, list);
    if (start >= to || isNumber(wordAt(reading, start)) || isMarked(gapBefore(reading, start))) continue;
    const phrase = phraseAt(reading, start, to);
    if (phrase.to > phrase.from && isAnimate(reading, phrase)) return phrase;
  }
  return null;
}
