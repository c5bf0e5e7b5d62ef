import type { AskedBefore, Chunk } from "../../../knowledge/corpus/corpus.ts";
import { knownLikeness } from "../../../knowledge/retrieval/known-questions.ts";
import type { Sentence } from "./sentences.ts";

/** Maximum that a known question adds to the score of a sentence that answers it. */
export const knownShare = 5;
/** Minimum likeness. Questions that are less alike ask something else. */
const leastAlike = 0.3;
/** How fast a known question counts less as its likeness decreases. */
const fading = 0.03;

const alike = ({ likeness }: { readonly likeness: number }): number => likeness;
const closeness = (likeness: number): number => Math.exp((likeness - 1) / fading);
const sum = (values: readonly number[]): number => values.reduce((whole, value) => whole + value, 0);
const most = (values: readonly number[]): number => Math.max(0, ...values);

/** Returns the known questions that a sentence answers; none if its passage has none. */
const answeredBy = ({ found, start, end }: Sentence) =>
  (found.askedBefore?.answered ?? []).filter(({ from, to }) => from < end && to > start);

/** What the known questions of the passages found say about the question, 0 to 1. */
export class KnownAnswers {
  private readonly all: readonly AskedBefore[];

  constructor(chunks: readonly Chunk[]) {
    this.all = chunks.flatMap(({ askedBefore }) => askedBefore ?? []);
  }

  /** Returns how surely a sentence answers, by the most similar known question that it answers. */
  of(sentence: Sentence): number {
    if (this.all.length === 0) return 0;
    const { askedBefore, likeness } = sentence.found;
    const own = askedBefore && { ...askedBefore, answered: answeredBy(sentence) };
    const nearest = knownLikeness({ askedBefore: own, likeness });
    return Math.max(0, (nearest - leastAlike) / (1 - leastAlike));
  }

  /** Returns the gate's signals: for the best sentence, its passage, and all passages. */
  signalsOf(best: Sentence | undefined) {
    const own = best?.found.askedBefore;
    const said = best ? answeredBy(best) : [];
    return {
      known: best && own ? this.of(best) : 0,
      known_share: this.shareOf(said),
      known_near: most((own?.answered ?? []).map(alike)),
      nearly: own?.nearly ?? 0,
      known_most: most(this.all.flatMap(({ answered }) => answered.map(alike))),
      nearly_most: most(this.all.map(({ nearly }) => nearly)),
    };
  }

  /**
   * Returns the share of some known questions in all that are like the question, 0 to 1. The nearest count by far the
   * most, among them the most similar of each passage that only nearly answers.
   */
  private shareOf(known: AskedBefore["answered"]): number {
    const all = this.all.flatMap(({ answered, nearly }) => [...answered.map(alike), nearly]);
    const whole = sum(all.map(closeness));
    return whole === 0 ? 0 : sum(known.map(alike).map(closeness)) / whole;
  }
}
