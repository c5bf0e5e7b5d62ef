import { type Clause, holds } from "./clauses.ts";
import type { Money } from "./price.ts";
import type { Worded } from "./subject.ts";
import { findIn, matchAt } from "./words.ts";

/** How a clause speaks of evidence: with a count or what happened; in name only; or that there is none yet. */
export type Evidence = "shown" | "named" | "none" | null;

const isFigure = (word: string): boolean => /^\d/.test(word);

/** Whether something is counted from a token on: in digits, or in a word for a number that no article is. */
function countsAt({ tokens, structure }: Worded, at: number): boolean {
  const word = tokens[at]?.word ?? "";
  return isFigure(word) || (structure.numerals[word] ?? 0) > 1;
}

/** `62 of 100`, `7 in 10`, `every third`; `58 %` where it is said to have happened: a share of those who were counted. */
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

/** Whether the clause says that something has happened: by a form of the past, or a word such as `already`. */
function hasHappened({ tokens, structure }: Worded, { from, to }: Clause): boolean {
  for (let at = from; at < to; at++)
    if ((tokens[at]?.word.length ?? 0) > 2 && matchAt(tokens, at, structure.pasts) > 0) return true;
  return false;
}

const isLink = ({ tokens, structure }: Worded, at: number): boolean =>
  matchAt(tokens, at, structure.prepositions) > 0 || matchAt(tokens, at, structure.determiners) > 0;

/**
 * What a clause has of evidence. Counts, surveys, pilots, orders and letters of intent are some; a test that is only
 * planned, or that there was none, is not.
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
    // `According to a study`: the noun near the clause's beginning, after a word that leads to it.
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

/** The amounts within a clause that can be a price. */
export function pricesIn({ tokens, structure, amounts }: Worded, { from, to }: Clause): readonly Money[] {
  const isNow = findIn(tokens, structure.nows, from, to) >= 0 && findIn(tokens, structure.ours, from, to) < 0;
  // What people pay today is what they have, not what is offered.
  if (isNow) return [];
  return [...new Set(amounts.slice(from, to))].filter((one) => one !== undefined).filter(({ isOther }) => !isOther);
}

/** Whether a clause is about a price rather than about who was counted. */
export const isAboutMoney = (reading: Worded, clause: Clause): boolean => pricesIn(reading, clause).length > 0;
