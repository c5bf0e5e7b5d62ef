import table from "./data/scope-words.tsv" with { type: "text" };
import { foldedWords, oneOf, readTable } from "./word-table.ts";

/** Words that bound a statement, in the six languages of the check's cases, folded: see the table. */
const classes = ["condition", "exception", "each", "measure", "adverb", "coin"] as const;
type ScopeClass = (typeof classes)[number];

const entries = readTable(table, ["class", "value", "words"]).map((row) => ({
  class: oneOf(row.class, classes),
  value: row.value,
  words: foldedWords(row.words),
}));

const ofClass = (wanted: ScopeClass) => entries.filter((entry) => entry.class === wanted);
const wordsOf = (wanted: ScopeClass): ReadonlySet<string> => new Set(ofClass(wanted).flatMap(({ words }) => words));
const valuesOf = (wanted: ScopeClass): ReadonlyMap<string, string> =>
  new Map(ofClass(wanted).flatMap(({ words, value }) => words.map((word) => [word, value] as const)));

/** What comes after them must hold for the statement, or is left out of it. */
export const conditions = wordsOf("condition");
export const exceptions = wordsOf("exception");
/** Currencies that the check's own table of quantities has no words for. */
export const coins = valuesOf("coin");
/** With a measure after them: so often. */
export const eachWords = wordsOf("each");
/** The measure of time that a word is for. */
export const measures = valuesOf("measure");
/** The measure of time that an adverb says is the period. */
export const periodAdverbs = valuesOf("adverb");
