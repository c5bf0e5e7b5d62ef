import { amountOf, type Conflict, conflict, isEqualAmount, words } from "./conflict.ts";
import { type Evidence, isContent } from "./match.ts";
import type { Part, Statement } from "./read.ts";
import type { Statements } from "./sentences.ts";

/** Figures of a claim that its closest sentence lacks but another sentence of the sources has. */

const measured = new Set<Conflict["rule"]>(["number_differs", "unit_differs", "date_differs"]);

const occursIn = ({ sentences }: Statements, amount: Part): boolean =>
  sentences.some(({ statement }) => statement.parts.some((part) => isEqualAmount(amount, part)));

/**
 * Checks whether another sentence has the amount, and words that the closest one lacks: a claim made of both
 * contradicts neither.
 */
const isJoined = (amount: Part, [best, ...others]: readonly Evidence[]): boolean =>
  others.some(
    ({ statement, found }) =>
      found.some((part) => best?.missing.includes(part)) && statement.parts.some((part) => isEqualAmount(amount, part)),
  );

/**
 * Returns the words that belong to an amount: those since the amount before it, or, in Hungarian and without such
 * words, those after it.
 */
function wordsOf({ parts, language }: Statement, amount: Part): Part[] {
  const at = parts.indexOf(amount);
  const before = parts.slice(0, at).findLastIndex((part) => amountOf(part) !== null);
  const after = parts.findIndex((part, i) => i > at && amountOf(part) !== null);
  const led = parts.slice(before + 1, at).filter(isContent);
  const following = parts.slice(at + 1, after < 0 ? parts.length : after).filter(isContent);
  return language === "hu" || led.length === 0 ? following : led;
}

/**
 * Revises a conflict over a figure in view of all sources. A figure that another sentence has is not reported as
 * missing: the result is null if that sentence has the words too, and `number_elsewhere` if the closest one lacks the
 * figure's own words. Figures that no sentence has are reported first.
 */
export function reviseFigures(
  all: Statements,
  found: Conflict,
  claim: Statement,
  ranked: readonly Evidence[],
): Conflict | null {
  const amount = claim.parts.find((part) => amountOf(part) !== null && words(claim, [part])[0] === found.said[0]);
  const isMissing = found.rule === "number_missing";
  if (amount === undefined || !(isMissing || measured.has(found.rule)) || !occursIn(all, amount)) return found;
  if (!isMissing && isJoined(amount, ranked)) return null;
  const missing = ranked[0]?.missing ?? [];
  if (!isMissing && !wordsOf(claim, amount).some((part) => missing.includes(part))) return found;
  const absent = claim.parts.filter((part) => amountOf(part) !== null && !occursIn(all, part));
  return absent.length > 0
    ? conflict(found.rule, words(claim, absent), found.instead)
    : conflict("number_elsewhere", found.said);
}
