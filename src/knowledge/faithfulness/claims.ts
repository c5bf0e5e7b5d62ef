import { fold } from "../../platform/text.ts";
import { isLight } from "../language/statement-words.ts";

/** A range of a text. Offsets are UTF-16 units into it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

// A full stop ends a sentence if white space and then a capital, a digit or an opening mark follow. A run of stops is
// matched only from its first one; matching from each would take quadratic time.
const boundary = /(?<![.!?…])[.!?…]+["'”“’)\]]*(?=\s+["'„“”‘([]*[\p{Lu}\p{N}])|(?<![!?…])[!?…]+["'”“’)\]]*(?=\s)|\n+/gu;

// Common abbreviations whose full stop does not end a sentence; also single letters (initials).
const abbreviation =
  /(?:^|[\s(])(?:\p{L}|mr|mrs|ms|dr|prof|st|no|vs|inc|ltd|co|jr|sr|e\.g|i\.e|etc|ing|mgr|bc|judr|mudr|rndr|phdr|č|čl|odst|písm|tzv|např|napr|tj|resp|mj|str|sv|cca|max|min|s\.r|a\.s|ul|nám|gen|plk|por|sgt|gov|sen|rep|approx|abs|nr|bzw|vgl|tzn|np|ust|pkt)\.$/iu;
// After these, a currency, a digit or a lower-case letter continues the sentence: `3 Mio. EUR`, `500 tis. obyvatel`.
const multiplier = /\d[ \u00a0\u202f]?(?:tis|tys|tsd|mil|mio|mln|mld|mrd|mia)\.$/iu;
const goesOn = /^\s*(?:\p{Ll}|\d|[€$£]|(?:Kč|Euro?|[A-Z]{3}|Ft|Kronen|Franken|Dollar)(?!\p{L}))/u;
// In Czech and Slovak the stop marks an ordinal: `3. dubna`, `21. století`.
const ordinal = /(?:^|\s)\d{1,2}\.$/u;

const germanMonth =
  /^\s*(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b/u;

// `Ab dem 43. Tag`, `bis zum vollendeten 18. Lebensjahr`: German nouns are capitalised, so the words before the number
// decide.
const germanOrdinal =
  /(?:^|[\s(])(?:dem|den|der|die|das|des|vom|zum|zur|am|im|beim|ab|bis|seit|nach|vor|pro|je|jede[mnrs]?|eine[mnrs]?|ihre[mnrs]?|seine[mnrs]?|diese[mnrs]?)(?:\s\p{Ll}+)?\s\d{1,3}\.$/iu;
const longestLead = 40;

/**
 * Checks whether a number and its stop are an ordinal before a German noun. A function word, which opens a sentence, is
 * no noun.
 */
function isGermanOrdinal(before: string, next: string): boolean {
  const word = /^\s*(\p{Lu}[\p{L}-]+)/u.exec(next)?.[1];
  const opens = (language: string) => word !== undefined && isLight(fold(word), language);
  return word !== undefined && !opens("de") && !opens("en") && germanOrdinal.test(before);
}

/** Checks whether the text up to a stop ends with an abbreviation, so that the stop does not end the sentence. */
export const isAbbreviation = (before: string): boolean => abbreviation.test(before.slice(-12));

function isBoundary(text: string, from: number, end: number, next: string): boolean {
  const before = text.slice(Math.max(from, end - longestLead), end);
  if (!before.endsWith(".")) return true;
  // Text with a space before its stops is split in the same way: the spacing is no evidence.
  const tight = before.replace(/\s+\.$/u, ".");
  if (isAbbreviation(tight)) return false;
  if (multiplier.test(tight)) return !goesOn.test(next);
  if (ordinal.test(tight) && (/^\s*[\p{Ll}\d]/u.test(next) || germanMonth.test(next))) return false;
  return !isGermanOrdinal(tight, next);
}

/** Splits a text into sentences, trimmed and without empty ones. A line break always ends a sentence. */
export function splitSentences(text: string): Span[] {
  const spans: Span[] = [];
  let from = 0;
  const push = (to: number) => {
    let start = from;
    let end = to;
    while (start < end && /\s/.test(text.charAt(start))) start += 1;
    while (end > start && /\s/.test(text.charAt(end - 1))) end -= 1;
    if (/[\p{L}\p{N}]/u.test(text.slice(start, end))) spans.push({ start, end });
    from = to;
  };
  for (const match of text.matchAll(boundary)) {
    const end = match.index + match[0].length;
    if (match[0].startsWith("\n") || isBoundary(text, from, end, text.slice(end, end + 14))) push(end);
  }
  push(text.length);
  return spans;
}

// Where a long sentence may be split: at a semicolon, or at a comma or dash before a conjunction that starts a new
// statement.
const clauseBoundary =
  /;\s+|(?:,|\s[-–—])\s+(?=(?:and|but|while|whereas|although|a|ale|zatímco|ačkoli|avšak|zatiaľ|hoci|avšak)\s)/giu;
const shortestClause = 40;

/**
 * Splits an answer into claims: its sentences, and within a sentence the co-ordinated clauses that can stand alone.
 * Each claim is checked separately and reported by its offsets in the answer.
 */
export function splitClaims(answer: string): Span[] {
  return splitSentences(answer).flatMap((sentence) => {
    const clauses: Span[] = [];
    let start = sentence.start;
    for (const match of answer.slice(sentence.start, sentence.end).matchAll(clauseBoundary)) {
      const cut = sentence.start + match.index;
      const next = cut + match[0].length;
      if (cut - start < shortestClause || sentence.end - next < shortestClause) continue;
      clauses.push({ start, end: cut });
      start = next;
    }
    return [...clauses, { start, end: sentence.end }];
  });
}
