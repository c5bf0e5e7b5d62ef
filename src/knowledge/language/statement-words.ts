import marksTable from "./data/statement-marks.tsv" with { type: "text" };
import wordsTable from "./data/statement-words.tsv" with { type: "text" };
import { foldedWords, oneOf, readTable } from "./word-table.ts";

/**
 * The vocabulary of statements about insurance, in Czech, Slovak, English, German, Polish and Hungarian: predicates,
 * actors, things with several names, and the words that measure, bound, negate and quantify. Everything is folded.
 */

const wordClasses = ["predicate", "actor", "thing", "optional"] as const;
type WordClass = (typeof wordClasses)[number];

/** The meaning of a word: `cover+`, `insurer.dat`, `flood`. */
export interface Concept {
  readonly class: WordClass;
  readonly value: string;
}

interface Entry extends Concept {
  readonly text: string;
  readonly whole: boolean;
}

// An entry is a prefix: a suffix may follow it, but not another word.
const longestEnding = 5;
const shortestBeginning = 4;
const beginning = (word: string): string => word.slice(0, 3);

const entries = new Map<string, Entry[]>();
for (const row of readTable(wordsTable, ["class", "value", "words"]))
  for (const word of foldedWords(row.words)) {
    const text = word.replace(/\.$/, "");
    const whole = text !== word || text.length < shortestBeginning;
    const entry = { class: oneOf(row.class, wordClasses), value: row.value, text, whole };
    const known = entries.get(beginning(text));
    if (known === undefined) entries.set(beginning(text), [entry]);
    else known.push(entry);
  }

const known = new Map<string, readonly Concept[]>();

/**
 * Returns the concepts of a folded word, whole words before prefixes and longer ones before shorter; empty for most.
 */
export function conceptsOf(form: string): readonly Concept[] {
  const before = known.get(form);
  if (before !== undefined) return before;
  const found = (entries.get(beginning(form)) ?? [])
    .filter(
      ({ text, whole }) =>
        form === text || (!whole && form.startsWith(text) && form.length - text.length <= longestEnding),
    )
    .sort((a, b) => Number(b.text === form) - Number(a.text === form) || b.text.length - a.text.length)
    .map(({ class: kind, value }) => ({ class: kind, value }));
  // Bounded, so that callers' vocabulary cannot grow the memory of a long-running server.
  if (known.size > 20_000) known.clear();
  known.set(form, found);
  return found;
}

const markClasses = [
  "number",
  "ordinal",
  "multiplier",
  "month",
  "money",
  "time",
  "working",
  "bound",
  "bound-after",
  "way",
  "negation",
  "concord",
  "condition",
  "exception",
  "exception-after",
  "inclusion",
  "universal",
  "only",
  "per",
  "each",
  "and",
  "case",
  "yes",
  "mine",
  "who",
  "speaker",
  "or",
  "contrast",
  "copula",
  "preposition",
  "share",
  "unless",
  "turn",
  "proviso",
  "refers",
  "repeals",
  "replaces",
  "amends",
  "holds",
  "rule",
  "requires",
  "cause",
  "comparison",
  "attribution",
  "fee",
  "function",
] as const;
export type MarkClass = (typeof markClasses)[number];

const marks = readTable(marksTable, ["class", "value", "words"]).map((row) => ({
  class: oneOf(row.class, markClasses),
  value: row.value,
  words: foldedWords(row.words),
}));

/**
 * Returns the words of a class with their values; hyphens join the words of a phrase. The first entry of a word wins.
 */
const tableOf = (wanted: MarkClass): ReadonlyMap<string, string> =>
  new Map(
    marks
      .filter((entry) => entry.class === wanted)
      .toReversed()
      .flatMap(({ words, value }) => words.map((word) => [word, value] as const)),
  );

const tables = new Map(markClasses.map((wanted) => [wanted, tableOf(wanted)]));

/** Returns the value of a word in a class of marks; undefined if it is not in the class. */
export const markOf = (wanted: MarkClass, form: string): string | undefined => tables.get(wanted)?.get(form);

/** Returns the words of a class whose values are languages. */
const byLanguage = (wanted: MarkClass): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(marks.filter((entry) => entry.class === wanted).map(({ value, words }) => [value, new Set(words)] as const));

const functionWords = byLanguage("function");
/** Checks whether a folded word is a function word in one of the six languages; false for any other language. */
export const isLight = (form: string, language: string): boolean => functionWords.get(language)?.has(form) ?? false;

const prepositions = byLanguage("preposition");
/**
 * Checks whether a folded word introduces, in one of the six languages, what a statement applies to. Hungarian has
 * suffixes instead.
 */
export const isPreposition = (form: string, language: string): boolean =>
  prepositions.get(language)?.has(form) ?? false;

const copulas = byLanguage("copula");
/** Checks whether a folded word is a verb without meaning of its own, in one of the six languages. */
export const isCopula = (form: string, language: string): boolean => copulas.get(language)?.has(form) ?? false;

/** The phrases of a class by first word, the longest first. */
const phrases = new Map(
  markClasses.map((wanted) => {
    const byFirst = new Map<string, { readonly words: readonly string[]; readonly value: string }[]>();
    for (const [phrase, value] of tables.get(wanted) ?? []) {
      const [first = "", ...rest] = phrase.split("-");
      byFirst.set(
        first,
        [...(byFirst.get(first) ?? []), { words: rest, value }].sort((a, b) => b.words.length - a.words.length),
      );
    }
    return [wanted, byFirst] as const;
  }),
);

/**
 * Returns the longest phrase of a class that begins at a word: its value and its number of words; null if there is
 * none.
 */
export function phraseAt(
  wanted: MarkClass,
  forms: readonly string[],
  at: number,
): { readonly value: string; readonly length: number } | null {
  const found = phrases
    .get(wanted)
    ?.get(forms[at] ?? "")
    ?.find(({ words }) => words.every((word, i) => forms[at + 1 + i] === word));
  return found === undefined ? null : { value: found.value, length: found.words.length + 1 };
}

/** The languages whose function words are known here. */
export const statementLanguages: readonly string[] = [...functionWords.keys()];

const compoundEndings = new Map([...(tables.get("time") ?? [])].filter(([form]) => form.length > 2));
const compoundBeginnings = [...(tables.get("number") ?? [])].filter(([form]) => form.length > 2);

interface Compound {
  readonly value: number;
  readonly time: string;
}
const compounds = new Map<string, Compound | null>();

function findCompound(form: string): Compound | null {
  for (const [first, value] of compoundBeginnings) {
    if (!form.startsWith(first)) continue;
    const last = form.slice(first.length);
    const time = compoundEndings.get(last) ?? compoundEndings.get(last.replace(/[eorms]$/, ""));
    if (time !== undefined) return { value: Number(value), time };
  }
  return null;
}

/** Returns the number and the unit of time in one word: `dreimonatig`, `třicetidenní`. Null for any other word. */
export function compoundMeasure(form: string): Compound | null {
  if (form.length < 7) return null;
  const before = compounds.get(form);
  if (before !== undefined) return before;
  const found = findCompound(form);
  if (compounds.size > 20_000) compounds.clear();
  compounds.set(form, found);
  return found;
}
