import type { SearchLanguage } from "../language/languages.ts";
import { analyse, type Term } from "./analysis.ts";
import { compoundParts } from "./compounds.ts";
import { answerTermIds, type QuestionType, questionTypesOf } from "./question-type.ts";
import { inverseFrequency, type SearchIndex, termIdOf } from "./search-index.ts";
import { synonymsOf } from "./thesaurus.ts";
import { type TranslationTable, translationsIn } from "./translations.ts";
import type { WeightedTerm } from "./words.ts";

/** Relative weight of function words, measured on the validation questions. */
const stopWeight = 0.3;
/** Weight of a compound's parts, which are implied but not written. */
const partWeight = 0.5;
/** Weight of a synonym. It adds candidates, whose order the features decide. */
const synonymWeight = 0.25;
/** Maximum number of distinct words used, the rarest first. A text with more is a document, not a question. */
const wordsAtMost = 48;

/** A distinct word of the question. */
export interface QuestionWord {
  /** -1 if no chunk contains it. */
  readonly id: number;
  readonly isStop: boolean;
  /** Number of occurrences in the question; `stopWeight` for a function word. */
  readonly weight: number;
  readonly idf: number;
  /** Its occurrences as a share of the corpus. */
  readonly share: number;
}

/** A question, analysed against an index. */
export interface Question {
  readonly language: SearchLanguage;
  readonly words: readonly QuestionWord[];
  /** The question's words in order, as indexes in `words`. */
  readonly sequence: readonly number[];
  /** Terms that are synonyms of a word of the question, with its index in `words`. */
  readonly synonyms: readonly { readonly id: number; readonly word: number }[];
  /** Terms that occur in answers to a word of the question, as learned from questions and answers. */
  readonly translations: readonly { readonly id: number; readonly word: number; readonly probability: number }[];
  /** The terms whose postings are searched. */
  readonly terms: readonly WeightedTerm[];
  /** The question's types, each with the terms that occur in answers to it. */
  readonly types: readonly { readonly type: QuestionType; readonly answerTerms: ReadonlySet<number> }[];
}

const lookUp = (index: SearchIndex, { stem, isStop }: Term, count: number): QuestionWord => {
  const id = termIdOf(index, stem) ?? -1;
  const frequency = (isStop ? index.frequencyOfAll : index.frequency)[id] ?? 0;
  const weight = isStop ? stopWeight : count;
  const { chunks, average_length } = index.meta;
  const share = frequency / Math.max(1, chunks * average_length);
  return { id, isStop, weight, idf: inverseFrequency(frequency, chunks), share };
};

const nothing: Term = { form: "", stem: "", isStop: true };

/** Returns those parts of a German question's compounds that the corpus contains. */
function partsOf(index: SearchIndex, stems: readonly string[]): WeightedTerm[] {
  const frequencyOf = (stem: string): number => index.frequency[termIdOf(index, stem) ?? -1] ?? 0;
  return stems
    .flatMap((stem) => compoundParts(stem, frequencyOf))
    .flatMap((part) => termIdOf(index, part) ?? [])
    .map((id) => ({ id, weight: partWeight }));
}

/** Returns the terms without duplicates, each with its largest weight. */
function distinct(terms: readonly WeightedTerm[]): WeightedTerm[] {
  const weights = new Map<number, number>();
  for (const { id, weight } of terms) weights.set(id, Math.max(weight, weights.get(id) ?? 0));
  return [...weights].map(([id, weight]) => ({ id, weight }));
}

/** Analyses a question, in its language, against an index. Only English has translations. */
export function readQuestion(
  index: SearchIndex,
  text: string,
  language: SearchLanguage,
  translations: TranslationTable,
): Question {
  const analysed = analyse(text, language);
  const counts = Map.groupBy(analysed, ({ stem }) => stem);
  const kept = [...counts.values()]
    .map(([term, ...more]) => ({ term: term ?? nothing, count: more.length + 1 }))
    .map(({ term, count }) => ({ ...lookUp(index, term, count), ...term }))
    .sort((a, b) => Number(a.isStop) - Number(b.isStop) || b.idf - a.idf || (a.stem < b.stem ? -1 : 1))
    .slice(0, wordsAtMost);
  const places = new Map(kept.map(({ stem }, at) => [stem, at]));
  const content = kept.filter(({ isStop }) => !isStop);
  const parts =
    language === "de"
      ? partsOf(
          index,
          content.map(({ stem }) => stem),
        )
      : [];
  const written = new Set(kept.map(({ id }) => id));
  const synonyms = content.flatMap(({ form }, word) =>
    synonymsOf(index, form).flatMap((id) => (written.has(id) ? [] : [{ id, word }])),
  );
  return {
    language,
    words: kept,
    sequence: analysed.flatMap(({ stem }) => places.get(stem) ?? []),
    synonyms,
    translations:
      language === "en"
        ? kept.flatMap(({ stem }, word) =>
            translationsIn(index, translations, stem).map((found) => ({ ...found, word })),
          )
        : [],
    terms: distinct([
      ...content.filter(({ id }) => id >= 0),
      ...parts,
      ...synonyms.map(({ id }) => ({ id, weight: synonymWeight })),
    ]),
    types: questionTypesOf(text).map((type) => ({ type, answerTerms: answerTermIds(index, type, language) })),
  };
}
