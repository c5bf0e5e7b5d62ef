import { type SearchIndex, termIdOf } from "./search-index.ts";

/** For a word of a question, words of answers with the probability that they ask for it; both are English stems. */
export type Translations = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** What a question's words are looked up in. */
export type TranslationTable = Pick<Translations, "get">;

/** Probabilities have 36 levels, each a quarter larger than the one below: one character in the file. */
const lowest = 5e-4;
const step = 1.25;
const levels = 36;

/** A probability as the file has it, so that training sees what is shipped. */
export const rounded = (probability: number): number => lowest * step ** levelOf(probability);

const levelOf = (probability: number): number =>
  Math.max(0, Math.min(levels - 1, Math.round(Math.log(probability / lowest) / Math.log(step))));

/** The words of answers, and for each word of questions its own: distances in that list in base 36, then the level. */
export interface PrintedTranslations {
  readonly answers: string;
  readonly questions: Readonly<Record<string, string>>;
}

const byText = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** Writes translations in a tenth of their size, for a file of weights. */
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

/** Reads what `printTranslations` has written: a word's line when it is asked for, since all of them take the loop 20 ms. */
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

/** What has been looked up, by the translations and the index that it holds for. */
const remembered = new WeakMap<TranslationTable, WeakMap<SearchIndex, Map<string, readonly Found[]>>>();

/** The terms of an index that a word of a question goes with. */
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
