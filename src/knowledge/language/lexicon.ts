import table from "./data/word-classes.tsv" with { type: "text" };
import { foldedWords, oneOf, readTable } from "./word-table.ts";

/**
 * Small closed word classes for Czech, Slovak and English, folded. They are grammar, not data: what negates, what
 * quantifies, what hedges. Words of several languages share one table, because the forms hardly collide and a source may
 * be in another language than the claim.
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

/** Words that begin with ne- without being negated; the rest of a ne- word is looked up in the source as its opposite. */
export const falseNegations = wordsOf("false_negation");

/** Beginnings of verbs that deny, refuse, stop or lose: negation by another word than `not`. */
export const rejections: readonly string[] = [...wordsOf("rejection")];

/** What a claim says about how many or how often; one that the source does not say widens or narrows the claim. */
export const universals = wordsOf("universal");

/** Hedges: what may be. A claim without them asserts more than a source with them. */
export const hedges = wordsOf("hedge");

/** Superlatives and ordinals: of each, one thing has the place, so that a novel one is seldom a paraphrase. */
export const extremes = wordsOf("extreme");

/** Approximators: a number after one of them may differ a little from the source's. */
export const approximators = wordsOf("approximator");

/** The first person and the opinion: no document can support them. */
export const personal = wordsOf("personal");
