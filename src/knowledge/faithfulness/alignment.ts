import type { Token } from "../language/tokens.ts";
import type { SourceIndex } from "./source-index.ts";

/** A word of a claim that carries evidence, and how it was found in the sources. */
export interface AlignedWord {
  readonly token: Token;
  /** Position among all of the claim's tokens. */
  readonly place: number;
  /** Weight as evidence: its scaled inverse document frequency. */
  readonly weight: number;
  /** Best match strength anywhere in the sources; 0 if they lack it. */
  readonly anywhere: number;
  /** Match strength by source sentence, only for those in which it occurs. */
  readonly bySentence: ReadonlyMap<number, number>;
}

/** A claim aligned with the sources. Coverage is the weighted share of its words, 0 to 1. */
export interface Alignment {
  readonly tokens: readonly Token[];
  readonly words: readonly AlignedWord[];
  readonly weight: number;
  /** The sentence that covers most of the claim; null if none has a word of it. */
  readonly best: number | null;
  /** The sentence that adds most to the coverage of the best one. */
  readonly second: number | null;
  readonly covered: { readonly anywhere: number; readonly best: number; readonly pair: number };
}

/** Weighs a token as evidence, by the caller's table. */
export type WeightOf = (token: Token) => number;

// The sentence with the highest sum of gains over what `held` already covers; the first of equals, so that it is
// stable.
function bestSentence(words: readonly AlignedWord[], held: number | null): { at: number | null; gain: number } {
  const gains = new Map<number, number>();
  // A repeated word shares its map, so a claim costs only its distinct words.
  const distinct = new Map<ReadonlyMap<number, number>, number>();
  for (const { weight, bySentence } of words) distinct.set(bySentence, (distinct.get(bySentence) ?? 0) + weight);
  for (const [bySentence, weight] of distinct) {
    const already = held === null ? 0 : (bySentence.get(held) ?? 0);
    for (const [sentence, strength] of bySentence)
      if (strength > already) gains.set(sentence, (gains.get(sentence) ?? 0) + weight * (strength - already));
  }
  let at: number | null = null;
  let gain = 0;
  for (const [sentence, value] of gains)
    if (value > gain + 1e-9 || (at !== null && Math.abs(value - gain) <= 1e-9 && sentence < at)) {
      at = sentence;
      gain = Math.max(gain, value);
    }
  return { at, gain };
}

/**
 * Aligns a claim's tokens with the indexed sources. Called once per claim; the features and the verdict read the
 * result.
 */
export function align(tokens: readonly Token[], index: SourceIndex, weightOf: WeightOf): Alignment {
  const words: AlignedWord[] = [];
  tokens.forEach((token, place) => {
    if (token.empty) return;
    const bySentence = index.sentencesWith(token);
    words.push({ token, place, weight: weightOf(token), anywhere: index.match(token).strength, bySentence });
  });
  const weight = words.reduce((sum, word) => sum + word.weight, 0);
  const first = bestSentence(words, null);
  const second = first.at === null ? { at: null, gain: 0 } : bestSentence(words, first.at);
  const share = (part: number) => (weight > 0 ? part / weight : 0);
  const anywhere = words.reduce((sum, word) => sum + word.weight * word.anywhere, 0);
  return {
    tokens,
    words,
    weight,
    best: first.at,
    second: second.at,
    covered: { anywhere: share(anywhere), best: share(first.gain), pair: share(first.gain + second.gain) },
  };
}
