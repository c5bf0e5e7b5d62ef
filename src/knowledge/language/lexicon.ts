import table from "./data/word-classes.tsv" with { type: "text" };
import { foldedWords, oneOf, readTable } from "./word-table.ts";

/**
 * Small closed word classes for Czech, Slovak and English, folded. They are grammar, not data: negators, quantifiers,
 * hedges. Words of several languages share one table, because the forms hardly collide and a source may be in another
 * language than the claim.
 */
const classes = [
  "negator",
  "false_negation",
  "rejection",
  "universal",
  "hedge",
  "extreme",
  "approximator",
  "personal",
] as const;
type WordClass = (typeof classes)[number];

const entries = readTable(table, ["class", "word"]).map((row) => ({
  class: oneOf(row.class, classes),
  words: foldedWords(row.word),
}));

const wordsOf = (wanted: WordClass): ReadonlySet<string> =>
  new Set(entries.flatMap((entry) => (entry.class === wanted ? entry.words : [])));

/** Words that negate what follows. English contractions arrive as two tokens: `didn`, `t`. */
export const negators = wordsOf("negator");

/**
 * Words that begin with `ne-` without being negated. The rest of any other `ne-` word is looked up in the source as its
 * opposite.
 */
export const falseNegations = wordsOf("false_negation");

/** Prefixes of verbs that deny, refuse, stop or lose: negation by a word other than `not`. */
export const rejections: readonly string[] = [...wordsOf("rejection")];

/** Quantifiers of number or frequency. One that the source does not have widens or narrows the claim. */
export const universals = wordsOf("universal");

/** Hedges: words of possibility. A claim without them asserts more than a source with them. */
export const hedges = wordsOf("hedge");

/** Superlatives and ordinals. Only one thing can hold each place, so a new one is seldom a paraphrase. */
export const extremes = wordsOf("extreme");

/** Approximators: a number after one of them may differ a little from the source's. */
export const approximators = wordsOf("approximator");

/** The first person and words of opinion, which no document can support. */
export const personal = wordsOf("personal");
