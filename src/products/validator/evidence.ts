import { type Clause, holds } from "./clauses.ts";
import type { Money } from "./price.ts";
import type { Worded } from "./subject.ts";
import { findIn, matchAt } from "./words.ts";

/** How a clause mentions evidence: with a count or an event, by name only, or as not existing yet. */
export type Evidence = "shown" | "named" | "none" | null;

const isFigure = (word: string): boolean => /^\d/.test(word);

/** Whether a token is a count: digits, or a number word greater than one. */
function countsAt({ tokens, structure }: Worded, at: number): boolean {
  const word = tokens[at]?.word ?? "";
  return isFigure(word) || (structure.numerals[word] ?? 0) > 1;
}

/**
 * Whether a clause states a share of those counted: `62 of 100`, `7 in 10`, `every third`, or `58 %` in the past tense.
 */
function isShare(reading: Worded, clause: Clause, happened: boolean): boolean {
  const { text, tokens, structure } = reading;
  for (let at = clause.from; at < clause.to; at++) {
    if (!countsAt(reading, at)) continue;
    const end = tokens[at]?.end ?? 0;
    const isPercent = /^\s?%/.test(text.slice(end, end + 2)) || matchAt(tokens, at + 1, structure.percent) > 0;
    if (isPercent && happened) return true;
    const of = matchAt(tokens, at + 1, structure.ratios);
    if (of > 0 && at + 1 + of < clause.to && countsAt(reading, at + 1 + of)) return true;
  }
  return false;
}

/** Whether the clause says that something has happened, by a past form or a word such as `already`. */
function hasHappened({ tokens, structure }: Worded, { from, to }: Clause): boolean {
  for (let at = from; at < to; at++)
    if ((tokens[at]?.word.length ?? 0) > 2 && matchAt(tokens, at, structure.pasts) > 0) return true;
  return false;
}

const isLink = ({ tokens, structure }: Worded, at: number): boolean =>
  matchAt(tokens, at, structure.prepositions) > 0 || matchAt(tokens, at, structure.determiners) > 0;

/**
 * Classifies the evidence in a clause. Counts, surveys, pilots, orders and letters of intent are evidence; a planned or
 * missing test is not.
 */
export function evidenceIn(reading: Worded, clause: Clause): Evidence {
  const { tokens, structure } = reading;
  const noun = findIn(tokens, structure.evidence, clause.from, clause.to);
  const isPlanned = holds(reading, clause, structure.plans);
  let counts = false;
  for (let at = clause.from; at < clause.to; at++) counts ||= countsAt(reading, at);
  const happened = hasHappened(reading, clause);
  if (noun >= 0 && !counts) {
    const start = Math.max(clause.from, noun - 4);
    const isDenied = findIn(tokens, structure.negations, start, Math.min(clause.to, noun + 4)) >= 0;
    if (isDenied || isPlanned) return "none";
    if (clause.label === "proof") return "shown";
    // `According to a study`: the noun is near the clause's start, after a preposition or determiner.
    const isLed = noun > clause.from && noun < clause.from + 3 && isLink(reading, clause.from);
    return happened || isLed ? "named" : null;
  }
  if (noun >= 0) return isPlanned ? "named" : "shown";
  if (clause.label === "proof") return counts || happened ? "shown" : "named";
  if (isShare(reading, clause, happened)) return happened ? "shown" : "named";
  const isRepeated = counts && holds(reading, clause, structure.repeats);
  if (happened && isRepeated) return "shown";
  return happened && (counts || holds(reading, clause, structure.fractions)) ? "named" : null;
}

/** Returns the amounts in a clause that can be a price. */
export function pricesIn({ tokens, structure, amounts }: Worded, { from, to }: Clause): readonly Money[] {
  const isNow = findIn(tokens, structure.nows, from, to) >= 0 && findIn(tokens, structure.ours, from, to) < 0;
  // What people pay today is the status quo, not the offer.
  if (isNow) return [];
  return [...new Set(amounts.slice(from, to))].filter((one) => one !== undefined).filter(({ isOther }) => !isOther);
}

/** Whether a clause mentions a possible price. */
export const isAboutMoney = (reading: Worded, clause: Clause): boolean => pricesIn(reading, clause).length > 0;
