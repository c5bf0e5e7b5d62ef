import { type SearchIndex, termIdOf } from "./search-index.ts";

/** Maps a question's word to words of answers with the probability that they predict it; both are English stems. */
export type Translations = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Looks up the translations of a question's words. */
export type TranslationTable = Pick<Translations, "get">;

/** Probabilities are quantised to 36 levels, each a quarter above the one below: one base-36 digit in the file. */
const lowest = 5e-4;
const step = 1.25;
const levels = 36;

/** Returns a probability as quantised in the file, so that training uses the shipped values. */
export const rounded = (probability: number): number => lowest * step ** levelOf(probability);

const levelOf = (probability: number): number =>
  Math.max(0, Math.min(levels - 1, Math.round(Math.log(probability / lowest) / Math.log(step))));

/**
 * The words of answers and, for each question word, its translations: index differences in that list in base 36, each
 * followed by its level.
 */
export interface PrintedTranslations {
  readonly answers: string;
  readonly questions: Readonly<Record<string, string>>;
}

const byText = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** Encodes translations for a file of weights, in a tenth of their size. */
export function printTranslations(translations: Translations): PrintedTranslations {
  const answers = [...new Set([...translations.values()].flatMap((terms) => [...terms.keys()]))].sort();
  const places = new Map(answers.map((term, at) => [term, at]));
  const line = (terms: ReadonlyMap<string, number>): string => {
    let last = 0;
    return [...terms]
      .sort(byText)
      .map(([term, probability]) => {
        const place = places.get(term) ?? 0;
        const distance = place - last;
        last = place;
        return distance.toString(36) + levelOf(probability).toString(36);
      })
      .join(" ");
  };
  const questions = [...translations].sort(byText).map(([word, terms]): [string, string] => [word, line(terms)]);
  return { answers: answers.join(" "), questions: Object.fromEntries(questions) };
}

/** Parses the result of `printTranslations`, a word at a time, since all would block the event loop for 20 ms. */
export function parseTranslations({ answers, questions }: PrintedTranslations): TranslationTable {
  const terms = answers.split(" ");
  const lines = new Map(Object.entries(questions));
  return {
    get(word) {
      let place = 0;
      const entries = lines.get(word)?.split(" ");
      return (
        entries &&
        new Map(
          entries.map((entry): [string, number] => {
            place += Number.parseInt(entry.slice(0, -1), 36);
            return [terms[place] ?? "", lowest * step ** Number.parseInt(entry.slice(-1), 36)];
          }),
        )
      );
    },
  };
}

interface Found {
  readonly id: number;
  readonly probability: number;
}

/** Cache of lookups, by translations and index. */
const remembered = new WeakMap<TranslationTable, WeakMap<SearchIndex, Map<string, readonly Found[]>>>();

/** Returns the index's terms that are translations of a question's word. */
export function translationsIn(index: SearchIndex, translations: TranslationTable, stem: string): readonly Found[] {
  const indexes = remembered.get(translations) ?? new WeakMap<SearchIndex, Map<string, readonly Found[]>>();
  remembered.set(translations, indexes);
  const stems = indexes.get(index) ?? new Map<string, readonly Found[]>();
  indexes.set(index, stems);
  const known = stems.get(stem);
  if (known) return known;
  const terms = translations.get(stem);
  if (!terms) return [];
  const found = [...terms].flatMap(([term, probability]) => {
    const id = termIdOf(index, term);
    return id === undefined ? [] : [{ id, probability }];
  });
  stems.set(stem, found);
  return found;
}
