import type { AskedBefore, Chunk } from "../../../knowledge/corpus/corpus.ts";
import type { Sentence } from "./sentences.ts";

/** What a known question that a sentence answers adds to its score at most. */
export const knownShare = 3;
/** Cosines of two questions hardly ever fall below. */
const leastAlike = 0.3;

const alike = ({ likeness }: { readonly likeness: number }): number => likeness;
const most = (values: readonly number[]): number => Math.max(0, ...values);

/** What the known questions beside the passages found say of what is asked, 0 to 1. */
export class KnownAnswers {
  private readonly all: readonly AskedBefore[];

  constructor(chunks: readonly Chunk[]) {
    this.all = chunks.flatMap(({ askedBefore }) => askedBefore ?? []);
  }

  /** How surely a sentence answers, by the likest known question that it does. */
  of({ found: { askedBefore, likeness }, start, end }: Sentence): number {
    if (this.all.length === 0) return 0;
    const own = askedBefore?.answered.filter(({ from, to }) => from < end && to > start);
    const nearest = own ? most(own.map(alike)) : expectedOf(likeness);
    return Math.max(0, (nearest - leastAlike) / (1 - leastAlike));
  }

  /** For the gate: what they say of the best sentence, its passage, and of all passages. */
  signalsOf(best: Sentence | undefined) {
    const own = best?.found.askedBefore;
    return {
      known: best && own ? this.of(best) : 0,
      known_near: most((own?.answered ?? []).map(alike)),
      nearly: own?.nearly ?? 0,
      known_most: most(this.all.flatMap(({ answered }) => answered.map(alike))),
      nearly_most: most(this.all.map(({ nearly }) => nearly)),
    };
  }
}

/**
 * What the likest known question of a passage that has none would come to, by how alike the passage itself is to what is
 * asked: so neither those that have some nor those that have none come first for that. A line through 28,000 passages
 * that were found for questions on the starter documents.
 */
const expectedOf = (likeness = leastAlike): number => 0.23 + 0.53 * likeness;
