import { isCopula, markOf } from "../../language/statement-words.ts";
import { amountOf } from "./conflict.ts";
import { dropped, type Loss } from "./loss.ts";
import { isContent } from "./match.ts";
import type { Part, Statement } from "./read.ts";
import { containsPart, isConjunction, isCutBefore } from "./restrictions.ts";

/** Lists of requirements that a claim cuts short: `enclose the receipt and the report` is not `enclose the receipt`. */

const isRequired = ({ form }: Part): boolean => markOf("requires", form) !== undefined;
const isNoun = (part: Part): boolean => isContent(part) && part.role !== "predicate" && !isRequired(part);

/** Checks whether a sentence says what is required for something, or when a right begins. */
const isRequirement = ({ parts }: Statement): boolean =>
  parts.some((part) => part.concept === "must" || part.concept === "provide" || isRequired(part));

/** Splits a sentence into the pieces between its cuts. */
function piecesOf(said: Statement): (readonly Part[])[] {
  const starts = said.parts.flatMap((_, at) => (at === 0 || isCutBefore(said, at) ? [at] : []));
  return starts.map((at, i) => said.parts.slice(at, starts[i + 1]));
}

const isLedByAnd = (piece: readonly Part[], language: string): boolean =>
  piece[0] !== undefined && isConjunction(piece[0], language);

/** Infinitive endings, which show that something is to be done, and reflexive pronouns, which only verbs have. */
const infinitive: Readonly<Record<string, RegExp>> = { cs: /[aeiy]t$/, sk: /[aeiy]t$/, pl: /[aeiy]c$/, hu: /ni$/ };
const reflexive = /^(?:se|sa|sie|sich)$/;

/** Checks whether a piece is an item of a list: a noun, with neither a verb nor an amount. */
function isItem(piece: readonly Part[], language: string): boolean {
  const isVerb = ({ role, concept, form }: Part) =>
    (role === "predicate" && concept !== "must" && concept !== "provide") ||
    isCopula(form, language) ||
    reflexive.test(form);
  const isMeasured = ({ quantity }: Part) => quantity !== null && quantity.measure !== null;
  const [first] = piece.filter(isContent);
  const isDone = first === undefined || infinitive[language]?.test(first.form);
  return !isDone && piece.some(isNoun) && !piece.some(isVerb) && !piece.some(isMeasured);
}

/**
 * Returns the items of each list: the last noun before the first cut, and the items up to the one that `and`
 * introduces.
 */
function thingsIn({ language }: Statement, pieces: readonly (readonly Part[])[]): (readonly Part[])[][] {
  return pieces.flatMap((piece, last) => {
    if (last === 0 || !isLedByAnd(piece, language) || !isItem(piece, language)) return [];
    let first = last - 1;
    while (first > 0 && isItem(pieces[first] ?? [], language)) first -= 1;
    const list = pieces.slice(first, last + 1).map((one) => one.filter(isNoun));
    return [[list[0]?.slice(-1) ?? [], ...list.slice(1)]];
  });
}

/** Returns the conditions at the end of a sentence: `paid if the insured is admitted, stays three nights and pays`. */
function conditionsIn({ language }: Statement, pieces: readonly (readonly Part[])[]): (readonly Part[])[][] {
  const first = pieces.findIndex((piece) => piece.some(({ span }) => span === "condition"));
  const last = pieces.findLastIndex((piece) => isLedByAnd(piece, language));
  const lead = pieces[first] ?? [];
  // A condition that opens a sentence ends before its consequence.
  const isOpening = first === 0 && lead[0]?.role === "mark";
  if (first < 0 || isOpening || last <= first || last < pieces.length - 1) return [];
  const list = [lead.filter(({ span }) => span === "condition"), ...pieces.slice(first + 1)];
  return [list.map((piece) => piece.filter((part) => isContent(part) || amountOf(part) !== null))];
}

/** Requirements must be complete, unless the question is about one of them. */
export const lists: Loss = ({ claim, answer, question }, said) => {
  const pieces = piecesOf(said);
  const needed = isRequirement(said) ? thingsIn(said, pieces) : [];
  for (const list of [...needed, ...conditionsIn(said, pieces)]) {
    const isIn =
      ({ parts }: Statement) =>
      (item: readonly Part[]) =>
        item.filter((part) => containsPart(parts, part)).length * 2 >= item.length;
    const items = list.filter(({ length }) => length > 0);
    const lost = items.filter((item) => !isIn(answer)(item));
    if (items.some(isIn(claim)) && lost.length > 0 && !items.some(isIn(question))) return dropped(said, lost.flat());
  }
  return null;
};
