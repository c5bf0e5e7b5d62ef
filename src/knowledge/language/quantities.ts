import { assert } from "../../platform/assert.ts";
import table from "./data/quantities.tsv" with { type: "text" };
import { foldedWords, oneOf, readTable } from "./word-table.ts";

/**
 * Words for numbers, dates and money in Czech, Slovak and English, folded. One (1) is left out because it is also a
 * pronoun.
 */
const kinds = ["number", "multiplier", "month", "weekday", "currency"] as const;
type Kind = (typeof kinds)[number];

const entries = readTable(table, ["kind", "value", "words"]).map((row) => ({
  kind: oneOf(row.kind, kinds),
  value: row.value,
  words: foldedWords(row.words),
}));

const ofKind = (wanted: Kind) => entries.filter(({ kind }) => kind === wanted);

function numberOf(value: string): number {
  const number = Number(value);
  assert(Number.isInteger(number) && number > 0, `"${value}" is a whole number`);
  return number;
}

const valuesOf = (kind: "number" | "multiplier"): ReadonlyMap<string, number> =>
  new Map(ofKind(kind).flatMap(({ value, words }) => words.map((word) => [word, numberOf(value)] as const)));

/** Returns the names of each month or weekday, in order. */
function namesOf(kind: "month" | "weekday", count: number): readonly (readonly string[])[] {
  const listed = ofKind(kind);
  assert(
    listed.length === count && listed.every(({ value }, at) => numberOf(value) === at + 1),
    `each ${kind} is listed once, in order`,
  );
  return listed.map(({ words }) => words);
}

/** Number words, from two up. */
export const numberWords = valuesOf("number");

/** Words that multiply the number before them. */
export const multipliers = valuesOf("multiplier");

/** Month names; index 0 is January. English May is left out because it is also a verb. */
export const months = namesOf("month", 12);

/** Weekdays; index 0 is Monday. */
export const weekdays = namesOf("weekday", 7);

/** The currency, or `%`, for which a word, a code or a sign is written. */
export const currencies: ReadonlyMap<string, string> = new Map(
  ofKind("currency").flatMap(({ value, words }) => words.map((word) => [word, value] as const)),
);
