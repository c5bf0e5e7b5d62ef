import { type SearchIndex, termIdOf } from "./search-index.ts";

/** For a word of a question, words of answers with the probability that they ask for it; both are English stems. */
export type Translations = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** A question's stems, and how often its answer has each of its own. */
export interface Pair {
  readonly question: readonly string[];
  readonly answer: ReadonlyMap<string, number>;
}

const iterations = 3;
/** At the first step a word translates itself so much more often than another. */
const selfShare = 20;
/** Stands for what no word of the answer asks for. */
const nobody = "";
const nobodyWeight = 3;
/** Pulls the probabilities of words seen once or twice towards nothing. */
const smoothing = 2;
/** What is kept: at least so probable, and so many times as probable as without the answer's word. */
const leastProbability = 0.03;
const leastRatio = 3;

type Table = Map<string, Map<string, number>>;

function expectedCounts(pairs: readonly Pair[], table: Table | undefined): Table {
  const counts: Table = new Map();
  for (const { question, answer } of pairs) {
    const terms = [...answer].map(([term, count]): [string, number] => [term, 1 + Math.log(count)]);
    terms.push([nobody, nobodyWeight]);
    for (const word of question) {
      const shares = terms.map(
        ([term, weight]) => weight * (table ? (table.get(term)?.get(word) ?? 0) : term === word ? selfShare : 1),
      );
      const total = shares.reduce((sum, share) => sum + share, 0);
      if (total <= 0) continue;
      for (const [at, [term]] of terms.entries()) {
        const share = (shares[at] ?? 0) / total;
        if (share <= 1e-4) continue;
        const row = counts.get(term) ?? new Map<string, number>();
        counts.set(term, row);
        row.set(word, (row.get(word) ?? 0) + share);
      }
    }
  }
  return counts;
}

/**
 * Learns which words of answers a question's words go with, from questions with their right answers: IBM model 1 (Brown
 * et al., 1993; for questions and answers Xue, Jeon and Croft, 2008). `shareOf` says how frequent a word is at large.
 */
export function learnTranslations(pairs: readonly Pair[], shareOf: (word: string) => number): Translations {
  let table: Table | undefined;
  for (let i = 0; i < iterations; i++) {
    const counts = expectedCounts(pairs, table);
    table = new Map();
    for (const [term, row] of counts) {
      const total = [...row.values()].reduce((sum, count) => sum + count, term === nobody ? 0 : smoothing);
      table.set(term, new Map([...row].map(([word, count]) => [word, count / total])));
    }
  }
  const kept = new Map<string, Map<string, number>>();
  for (const [term, row] of table ?? [])
    for (const [word, probability] of row) {
      const isTelling = probability >= leastProbability && probability >= leastRatio * (shareOf(word) + 1e-4);
      if (term === nobody || term === word || !isTelling) continue;
      const words = kept.get(word) ?? new Map<string, number>();
      kept.set(word, words.set(term, Math.round(probability * 1_000) / 1_000));
    }
  return kept;
}

/** One line for each word of questions: `answer:31 word:120`, in thousandths. */
export const printTranslations = (translations: Translations): Record<string, string> =>
  Object.fromEntries(
    [...translations]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([word, terms]) => [
        word,
        [...terms]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([term, probability]) => `${term}:${Math.round(probability * 1_000)}`)
          .join(" "),
      ]),
  );

/** Reads what `printTranslations` has written. */
export const parseTranslations = (lines: Readonly<Record<string, string>>): Translations =>
  new Map(
    Object.entries(lines).map(([word, line]) => [
      word,
      new Map(
        line.split(" ").map((entry): [string, number] => {
          const [term = "", thousandths = "0"] = entry.split(":");
          return [term, Number(thousandths) / 1_000];
        }),
      ),
    ]),
  );

interface Found {
  readonly id: number;
  readonly probability: number;
}

/** What has been looked up, by the translations and the index that it holds for. */
const remembered = new WeakMap<Translations, WeakMap<SearchIndex, Map<string, readonly Found[]>>>();

/** The terms of an index that a word of a question goes with. */
export function translationsIn(index: SearchIndex, translations: Translations, stem: string): readonly Found[] {
  const terms = translations.get(stem);
  if (!terms) return [];
  const indexes = remembered.get(translations) ?? new WeakMap<SearchIndex, Map<string, readonly Found[]>>();
  remembered.set(translations, indexes);
  const stems = indexes.get(index) ?? new Map<string, readonly Found[]>();
  indexes.set(index, stems);
  const found =
    stems.get(stem) ??
    [...terms].flatMap(([term, probability]) => {
      const id = termIdOf(index, term);
      return id === undefined ? [] : [{ id, probability }];
    });
  stems.set(stem, found);
  return found;
}
