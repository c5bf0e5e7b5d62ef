import { isCopula, markOf } from "../../language/statement-words.ts";
import { amountOf } from "./conflict.ts";
import { dropped, type Loss } from "./loss.ts";
import { isContent } from "./match.ts";
import type { Part, Statement } from "./read.ts";
import { has, isConjunction, isCutBefore } from "./restrictions.ts";

/** A list of what is needed that a claim cut short: `enclose the receipt and the report` is not `enclose the receipt`. */

const isRequired = ({ form }: Part): boolean => markOf("requires", form) !== undefined;
const isNoun = (part: Part): boolean => isContent(part) && part.role !== "predicate" && !isRequired(part);

/** Whether a sentence says what is needed for something, or with what a right begins. */
const isRequirement = ({ parts }: Statement): boolean =>
  parts.some((part) => part.concept === "must" || part.concept === "provide" || isRequired(part));

/** The pieces of a sentence between its cuts. */
function piecesOf(said: Statement): (readonly Part[])[] {
  const starts = said.parts.flatMap((_, at) => (at === 0 || isCutBefore(said, at) ? [at] : []));
  return starts.map((at, i) => said.parts.slice(at, starts[i + 1]));
}

const isLedByAnd = (piece: readonly Part[], language: string): boolean =>
  piece[0] !== undefined && isConjunction(piece[0], language);

/** How a verb ends that something is to be done with, and the words that only a verb has beside it. */
const infinitive: Readonly<Record<string, RegExp>> = { cs: /[aeiy]t$/, sk: /[aeiy]t$/, pl: /[aeiy]c$/, hu: /ni$/ };
const reflexive = /^(?:se|sa|sie|sich)$/;

/** Whether a piece is a thing in a list: it has a noun and says nothing of its own. */
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

/** The things of each list: the last one before the first cut, and those to the one that `and` leads in. */
function thingsIn({ language }: Statement, pieces: readonly (readonly Part[])[]): (readonly Part[])[][] {
  return pieces.flatMap((piece, last) => {
    if (last === 0 || !isLedByAnd(piece, language) || !isItem(piece, language)) return [];
    let first = last - 1;
    while (first > 0 && isItem(pieces[first] ?? [], language)) first -= 1;
    const list = pieces.slice(first, last + 1).map((one) => one.filter(isNoun));
    return [[list[0]?.slice(-1) ?? [], ...list.slice(1)]];
  });
}

/** The conditions that end a sentence: `paid if the insured is admitted, stays three nights and pays`. */
function conditionsIn({ language }: Statement, pieces: readonly (readonly Part[])[]): (readonly Part[])[][] {
  const first = pieces.findIndex((piece) => piece.some(({ span }) => span === "condition"));
  const last = pieces.findLastIndex((piece) => isLedByAnd(piece, language));
  const lead = pieces[first] ?? [];
  // A condition that opens a sentence ends before what holds under it.
  const isOpening = first === 0 && lead[0]?.role === "mark";
  if (first < 0 || isOpening || last <= first || last < pieces.length - 1) return [];
  const list = [lead.filter(({ span }) => span === "condition"), ...pieces.slice(first + 1)];
  return [list.map((piece) => piece.filter((part) => isContent(part) || amountOf(part) !== null))];
}

/** What is needed is told whole, unless the question is about one thing of it. */
export const lists: Loss = ({ claim, answer, question }, said) => {
  const pieces = piecesOf(said);
  const needed = isRequirement(said) ? thingsIn(said, pieces) : [];
  for (const list of [...needed, ...conditionsIn(said, pieces)]) {
    const isIn =
      ({ parts }: Statement) =>
      (item: readonly Part[]) =>
        item.filter((part) => has(parts, part)).length * 2 >= item.length;
    const items = list.filter(({ length }) => length > 0);
    const lost = items.filter((item) => !isIn(answer)(item));
    if (items.some(isIn(claim)) && lost.length > 0 && !items.some(isIn(question))) return dropped(said, lost.flat());
  }
  return null;
};
