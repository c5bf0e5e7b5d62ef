import type { Question } from "./question.ts";
import { readForward, type SearchIndex } from "./search-index.ts";

/** Maximum number of a chunk's terms that are read; longer chunks are judged by their beginning. */
const longest = 1_024;
/** Probability from which a translation counts as strong. */
const strong = 0.02;
/** Number of terms at a chunk's beginning searched for the answer to a type of question; for other types, all. */
const answerLimits: Readonly<Record<string, number>> = { yes_no: 5, definition: 20 };

/** What a term means for the question. Most terms have no mark. */
interface Mark {
  /** Index of the question's word that it is; -1 if none. */
  word: number;
  /** Index of the word that it is a synonym of; -1 if none. */
  synonymOf: number;
  /** The words that it predicts and, in parallel, their probabilities. */
  readonly translates: number[];
  readonly probabilities: number[];
  /** Indexes of the question's types that it answers. */
  readonly answers: number[];
}

/** For each term of an index, the position of its mark plus one; all zeros between searches. */
const tables = new WeakMap<SearchIndex, Uint16Array>();

function tableOf(index: SearchIndex): Uint16Array {
  const table = tables.get(index) ?? new Uint16Array(index.meta.terms);
  tables.set(index, table);
  return table;
}

const buffer = new Uint32Array(longest);

/**
 * The occurrences of a question's words in a chunk. One object is reused for all chunks of a question, because
 * allocating one per chunk took most of the time.
 */
export class Hits {
  readonly #marks: Mark[] = [];
  readonly #marked: number[] = [];
  readonly #answerLimits: readonly number[];
  readonly #slots: Uint16Array;
  /** Number of terms in the chunk, and of those that are words of the question. */
  length = 0;
  size = 0;
  /** Positions in the chunk and, in parallel, indexes of the question's words. */
  readonly at = new Uint16Array(longest);
  readonly word = new Uint8Array(longest);
  readonly counts: Uint16Array;
  /** The distinct words found, in the order of their first occurrence in the chunk, and its position. */
  distinct = 0;
  readonly found: Uint8Array;
  readonly firstAt: Int16Array;
  /** First position of a synonym of each word; -1 if there is none. */
  readonly synonymFirst: Int16Array;
  /** How strongly the chunk's words predict each word: sums of all translation probabilities and of the strong ones. */
  readonly translated: Float64Array;
  readonly strongly: Float64Array;
  /** For each type of the question, the number of terms that answer it within its limit. */
  readonly answerCounts: Uint16Array;

  constructor(
    readonly index: SearchIndex,
    question: Question,
  ) {
    const words = question.words.length;
    this.counts = new Uint16Array(words);
    this.found = new Uint8Array(words);
    this.firstAt = new Int16Array(words);
    this.synonymFirst = new Int16Array(words);
    this.translated = new Float64Array(words);
    this.strongly = new Float64Array(words);
    this.answerCounts = new Uint16Array(question.types.length);
    this.#answerLimits = question.types.map(({ type }) => answerLimits[type] ?? longest);
    this.#slots = tableOf(index);
    for (const { id, word, probability } of question.translations) {
      const { translates, probabilities } = this.#mark(id);
      translates.push(word);
      probabilities.push(probability);
    }
    for (const { id, word } of question.synonyms) this.#mark(id).synonymOf = word;
    for (const [w, { id }] of question.words.entries()) if (id >= 0) this.#mark(id).word = w;
    for (const [at, { answerTerms }] of question.types.entries())
      for (const id of answerTerms) this.#mark(id).answers.push(at);
  }

  #mark(id: number): Mark {
    const known = this.#marks[(this.#slots[id] ?? 0) - 1];
    if (known) return known;
    const mark: Mark = { word: -1, synonymOf: -1, translates: [], probabilities: [], answers: [] };
    this.#slots[id] = this.#marks.push(mark);
    this.#marked.push(id);
    return mark;
  }

  /** Clears the marks, because the next question needs an empty table. */
  release(): void {
    for (const id of this.#marked) this.#slots[id] = 0;
  }

  /** Reads a chunk. */
  read(chunk: number): void {
    this.length = readForward(this.index, chunk, buffer);
    this.size = 0;
    this.distinct = 0;
    this.counts.fill(0);
    this.firstAt.fill(-1);
    this.synonymFirst.fill(-1);
    this.translated.fill(0);
    this.strongly.fill(0);
    this.answerCounts.fill(0);
    const slots = this.#slots;
    for (let i = 0; i < this.length; i++) {
      const slot = slots[buffer[i] ?? 0] ?? 0;
      if (slot !== 0) this.#meet(i, this.#marks[slot - 1]);
    }
  }

  #meet(i: number, mark: Mark | undefined): void {
    if (!mark) return;
    const { word, synonymOf, translates, probabilities, answers } = mark;
    for (let t = 0; t < translates.length; t++) {
      const w = translates[t] ?? 0;
      const probability = probabilities[t] ?? 0;
      this.translated[w] = (this.translated[w] ?? 0) + probability;
      if (probability >= strong) this.strongly[w] = (this.strongly[w] ?? 0) + probability;
    }
    for (let a = 0; a < answers.length; a++) {
      const type = answers[a] ?? 0;
      if (i < (this.#answerLimits[type] ?? 0)) this.answerCounts[type] = (this.answerCounts[type] ?? 0) + 1;
    }
    if (synonymOf >= 0 && this.synonymFirst[synonymOf] === -1) this.synonymFirst[synonymOf] = i;
    if (word < 0) return;
    if (this.counts[word] === 0) {
      this.firstAt[word] = i;
      this.found[this.distinct++] = word;
    }
    this.counts[word] = (this.counts[word] ?? 0) + 1;
    this.at[this.size] = i;
    this.word[this.size++] = word;
  }
}
