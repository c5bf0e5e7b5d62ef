import { markOf } from "../../language/statement-words.ts";
import { amountOf, conflict, isEqualAmount, type Rule } from "./conflict.ts";
import { isContent } from "./match.ts";
import type { Part, Statement } from "./read.ts";
import {
  containsPart,
  isConjunction,
  isCutBefore,
  isKept,
  isOrdinal,
  type Restriction,
  restrictionsOf,
} from "./restrictions.ts";

/** Values that a sentence gives for several cases. */

const isCase = ({ form }: Part): boolean => markOf("case", form) !== undefined;
const isWithin = (restrictions: readonly Restriction[], at: number): boolean =>
  restrictions.some(({ from, to }) => from <= at && at <= to);

/** Returns where the words that belong to an amount end: at the next cut or the next amount of its kind. */
function endOf(statement: Statement, at: number): number {
  const { parts } = statement;
  const measure = parts[at]?.quantity?.measure;
  const end = parts.findIndex((part, i) => i > at && (isCutBefore(statement, i) || part.quantity?.measure === measure));
  return end < 0 ? parts.length : end;
}

/** Returns where the words that lead to an amount begin: at the last cut after the amount before it. */
function startOf(statement: Statement, after: number, at: number): number {
  for (let i = at; i > after; i -= 1) if (isCutBefore(statement, i)) return i;
  return after + 1;
}

/** Returns what a sentence gives an amount for: the restrictions in the words that lead to it and that follow it. */
function casesAt(statement: Statement, at: number, from: number): Restriction[] {
  const end = endOf(statement, at);
  const ordinals = statement.parts
    .slice(from, end)
    .flatMap((part, i) => (isOrdinal(part) ? [{ from: from + i, to: from + i, own: [part] }] : []));
  return [...restrictionsOf(statement).filter((one) => one.from >= from && one.to < end), ...ordinals];
}

/**
 * Checks whether a rival amount is of the same thing as the one held, for another case: neither names another thing.
 */
function isOfOtherCase(claim: Statement, statement: Statement, held: number, rival: number): boolean {
  const { parts, text, language } = statement;
  const isConjoining = (part: Part) => isConjunction(part, language) || isCase(part);
  const [earlier, later] = [Math.min(held, rival), Math.max(held, rival)];
  const start = startOf(statement, earlier, later);
  const restrictions = restrictionsOf(statement);
  const isHead = (at: number) => {
    const part = parts[at] as Part;
    if (!isContent(part) || isWithin(restrictions, at) || isCase(part) || isOrdinal(part)) return false;
    // Repeated for the later amount, it is the same thing.
    return held >= rival || !containsPart(claim.parts, part);
  };
  const places = parts.map((_, at) => at);
  if (places.some((at) => at >= start && at < later && isHead(at))) return false;
  // `From 100 to 120`, `14.7 (2022: 13.8)`: a change, a range or a comparison, without a word for the time.
  const between = parts.slice(earlier + 1, later);
  const isJoint = /[,;]/.test(text.slice(parts[earlier]?.end, parts[later]?.start)) || between.some(isConjoining);
  const isBare = !isJoint && !between.some(isContent);
  return !isBare || casesAt(statement, rival, rival).length > 0;
}

/** Checks whether an answer names the case that a sentence gives an amount for, as far as the sentence names one. */
function namesCase(statement: Statement, held: number, rival: number, answer: Statement, question: Statement): boolean {
  const isLater = held > rival;
  const from = isLater ? startOf(statement, rival, held) : held;
  const own = casesAt(statement, held, from);
  if (own.length > 0) return own.every((one) => isKept(one, answer, question));
  const rest = statement.parts
    .slice(held + 1, endOf(statement, held))
    .filter((part) => isContent(part) || amountOf(part) !== null);
  const isException =
    isLater || casesAt(statement, rival, startOf(statement, held, rival)).some(({ to }) => to < rival);
  // `In the first year 10 %, in the second 3 %`: the words before the first amount apply to it alone.
  const before = isLater ? [] : restrictionsOf(statement).filter(({ to }) => to < held);
  if (before.some((one) => isKept(one, answer, question))) return true;
  return !isException && rest.length > 0 && rest.every((part) => containsPart(answer.parts, part));
}

/** Returns the indices of a sentence's amounts that belong to no condition and that an answer leaves out. */
const omittedAmounts = ({ parts }: Statement, answer: Statement): number[] =>
  parts.flatMap((part, at) =>
    part.span === null && part.quantity !== null && !containsPart(answer.parts, part) ? [at] : [],
  );

/** Returns a key that identifies an amount, since a claim may repeat the same one many times. */
const amountKey = ({ quantity, date }: Part): string =>
  `${quantity?.measure} ${quantity?.count} ${quantity?.value} ${JSON.stringify(date)}`;

/** `80,000 for contents and 150,000 for the building` is not `80,000`. */
export const cases: Rule = (claim, { statement }, answer, question) => {
  const { parts, text } = statement;
  const open = omittedAmounts(statement, answer);
  if (open.length === 0) return null;
  const measured = claim.parts.filter(({ quantity }) => quantity?.measure != null);
  for (const part of new Map(measured.map((one) => [amountKey(one), one])).values()) {
    const able = open.filter((at) => parts[at]?.quantity?.measure === part.quantity?.measure);
    const places = parts.flatMap((other, at) => (isEqualAmount(part, other) && other.span === null ? [at] : []));
    const rivalOf = (held: number): number | undefined =>
      able.find((at) => isOfOtherCase(claim, statement, held, at) && !namesCase(statement, held, at, answer, question));
    const [held] = places;
    const rival = held === undefined ? undefined : rivalOf(held);
    if (held === undefined || rival === undefined || !places.every((place) => rivalOf(place) !== undefined)) continue;
    const from = held < rival ? startOf(statement, held, rival) : rival;
    return conflict("qualifier_dropped", [], [text.slice(parts[from]?.start, parts[endOf(statement, rival) - 1]?.end)]);
  }
  return null;
};
