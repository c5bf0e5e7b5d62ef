import { type SearchIndex, termIdOf } from "../../../src/knowledge/retrieval/search-index.ts";
import { rounded, type Translations } from "../../../src/knowledge/retrieval/translations.ts";

/** A question's stems, and the counts of the stems of the text that answers it. */
export interface Pair {
  readonly question: readonly string[];
  readonly answer: ReadonlyMap<string, number>;
}

/** A weak pair made of one text: its opening acts as the question, the rest as the answer. */
const openingWords = 14;
const shortestText = 40;
/** Weight of a weak pair relative to a question with its answer. */
export const openingWeight = 0.2;

const iterations = 3;
/** Initial ratio of the probability that a word is asked for by itself to that of any other word. */
const selfShare = 20;
/** Weight of the null word: question words that no word of the answer explains. */
const nobodyWeight = 3;
/** Smoothing that shrinks the probabilities of rare words towards zero. */
const smoothing = 4;
/** Pruning: minimum probability, minimum number of texts, and how many of the most useful remain. */
const leastProbability = 5e-4;
const leastTexts = 2;
const keptAtMost = 60_000;

/** Returns the weak pair of a text's stems, or null if the text is too short to have an opening and a rest. */
export function openingPair(terms: readonly { readonly stem: string; readonly isStop: boolean }[]): Pair | null {
  if (terms.length < shortestText) return null;
  const answer = new Map<string, number>();
  for (const { stem, isStop } of terms.slice(openingWords)) if (!isStop) answer.set(stem, (answer.get(stem) ?? 0) + 1);
  return { question: [...new Set(terms.slice(0, openingWords).map(({ stem }) => stem))], answer };
}

class Names {
  readonly list: string[] = [];
  readonly #ids = new Map<string, number>();

  idOf(name: string): number {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    this.#ids.set(name, this.list.length);
    return this.list.push(name) - 1;
  }
}

/** The offsets of a pair's links, and the number of its question words. */
interface Span {
  readonly from: number;
  readonly words: number;
  readonly terms: number;
}

/**
 * Learns which words of answers are associated with which words of questions: IBM model 1 (Brown et al., 1993; for
 * questions and answers Xue, Jeon and Croft, 2008). The pairs are indexed once, because training repeats without the
 * pairs of each fold.
 */
export class Associations {
  readonly #words = new Names();
  readonly #terms = new Names();
  readonly #ends: { word: number; term: number }[] = [];
  readonly #spans: Span[] = [];
  readonly #links: Uint32Array;
  readonly #weights: Float32Array;

  constructor(pairs: readonly Pair[]) {
    const nobody = this.#terms.idOf("");
    const ids = new Map<number, number>();
    const size = pairs.reduce((sum, { question, answer }) => sum + question.length * (answer.size + 1), 0);
    this.#links = new Uint32Array(size);
    this.#weights = new Float32Array(size);
    let at = 0;
    for (const { question, answer } of pairs) {
      const terms = [...answer].map(([stem, count]): [number, number] => [this.#terms.idOf(stem), 1 + Math.log(count)]);
      terms.push([nobody, nobodyWeight]);
      this.#spans.push({ from: at, words: question.length, terms: terms.length });
      for (const stem of question) {
        const word = this.#words.idOf(stem);
        for (const [term, weight] of terms) {
          const key = term * 2 ** 24 + word;
          let link = ids.get(key);
          if (link === undefined) {
            link = this.#ends.push({ word, term }) - 1;
            ids.set(key, link);
          }
          this.#links[at] = link;
          this.#weights[at++] = weight;
        }
      }
    }
  }

  /** Accumulates the expected count of each link over the weighted pairs. */
  #expected(probabilities: Float64Array, weightOf: (pair: number) => number): Float64Array {
    const counts = new Float64Array(this.#ends.length);
    for (const [pair, { from, words, terms }] of this.#spans.entries()) {
      const share = weightOf(pair);
      if (share === 0) continue;
      for (let start = from; start < from + words * terms; start += terms) {
        let total = 0;
        for (let at = start; at < start + terms; at++)
          total += (this.#weights[at] ?? 0) * (probabilities[this.#links[at] ?? 0] ?? 0);
        if (total <= 0) continue;
        for (let at = start; at < start + terms; at++) {
          const link = this.#links[at] ?? 0;
          counts[link] = (counts[link] ?? 0) + (share * (this.#weights[at] ?? 0) * (probabilities[link] ?? 0)) / total;
        }
      }
    }
    return counts;
  }

  /** Trains on the pairs with a non-zero weight. */
  #learn(weightOf: (pair: number) => number): Float64Array {
    let probabilities = Float64Array.from(this.#ends, ({ word, term }) =>
      this.#words.list[word] === this.#terms.list[term] ? selfShare : 1,
    );
    for (let i = 0; i < iterations; i++) {
      const counts = this.#expected(probabilities, weightOf);
      const totals = new Float64Array(this.#terms.list.length).fill(smoothing);
      totals[0] = 0;
      for (const [link, { term }] of this.#ends.entries()) totals[term] = (totals[term] ?? 0) + (counts[link] ?? 0);
      probabilities = counts.map((count, link) =>
        count === 0 ? 0 : count / (totals[this.#ends[link]?.term ?? 0] ?? 1),
      );
    }
    return probabilities;
  }

  /**
   * Returns the most useful associations, learned from the pairs to which `weightOf` gives a weight. `index` provides
   * the frequency of words in the bank.
   */
  translations(index: SearchIndex, weightOf: (pair: number) => number): Translations {
    const written = Math.max(1, index.meta.chunks * index.meta.average_length);
    const shares = this.#words.list.map((stem) => (index.frequencyOfAll[termIdOf(index, stem) ?? -1] ?? 0) / written);
    const texts = this.#terms.list.map((stem) => index.frequency[termIdOf(index, stem) ?? -1] ?? 0);
    const useful: { link: number; use: number; probability: number }[] = [];
    for (const [link, probability] of this.#learn(weightOf).entries()) {
      const { word = 0, term = 0 } = this.#ends[link] ?? {};
      const [share, found] = [(shares[word] ?? 0) + 1e-6, texts[term] ?? 0];
      const isOther = term !== 0 && this.#words.list[word] !== this.#terms.list[term];
      if (isOther && probability >= leastProbability && probability >= share && found >= leastTexts)
        useful.push({ link, probability, use: (probability * found) / Math.sqrt(share) });
    }
    useful.sort((a, b) => b.use - a.use || a.link - b.link);
    const kept = new Map<string, Map<string, number>>();
    for (const { link, probability } of useful.slice(0, keptAtMost)) {
      const { word = 0, term = 0 } = this.#ends[link] ?? {};
      const name = this.#words.list[word] ?? "";
      const terms = kept.get(name) ?? new Map<string, number>();
      kept.set(name, terms.set(this.#terms.list[term] ?? "", rounded(probability)));
    }
    return kept;
  }
}
