import table from "./data/scope-words.tsv" with { type: "text" };
import { foldedWords, oneOf, readTable } from "./word-table.ts";

/** Words that bound a statement, in the six languages of the check's cases, folded; see the table. */
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

/** Words that introduce what must hold for the statement, or what is excluded from it. */
export const conditions = wordsOf("condition");
export const exceptions = wordsOf("exception");
/** Currencies for which the check's own table of quantities has no words. */
export const coins = valuesOf("coin");
/** Words that mean, before a unit of time, once in each. */
export const eachWords = wordsOf("each");
/** The unit of time of a word. */
export const measures = valuesOf("measure");
/** The unit of time that is the period of an adverb. */
export const periodAdverbs = valuesOf("adverb");
