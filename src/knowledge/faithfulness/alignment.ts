import type { Token } from "../language/tokens.ts";
import type { SourceIndex } from "./source-index.ts";

/** A claim's word that carries evidence, with what it was found as. */
export interface AlignedWord {
  readonly token: Token;
  /** Its place among all the claim's tokens. */
  readonly place: number;
  /** How much it says: its scaled inverse document frequency. */
  readonly weight: number;
  /** Best strength anywhere in the sources, 0 when it is not there. */
  readonly anywhere: number;
  /** Strength by sentence of the sources, only where it occurs. */
  readonly bySentence: ReadonlyMap<number, number>;
}

/** A claim laid against the sources. Coverage is the weighted share of its words, 0 to 1. */
export interface Alignment {
  readonly tokens: readonly Token[];
  readonly words: readonly AlignedWord[];
  readonly weight: number;
  /** The sentence covering most of the claim, or null when none has a word of it. */
  readonly best: number | null;
  /** The sentence that adds most to the best one. */
  readonly second: number | null;
  readonly covered: { readonly anywhere: number; readonly best: number; readonly pair: number };
}

/** How much a word says, by its key; numbers and names get theirs from the caller's table too. */
export type WeightOf = (token: Token) => number;

// The sentence with the highest sum of gains over what `held` already covers; the first of equals, so it is stable.
function bestSentence(words: readonly AlignedWord[], held: number | null): { at: number | null; gain: number } {
  const gains = new Map<number, number>();
  // A repeated word shares its map, so that a claim costs its distinct words only.
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

/** Lays a claim's tokens against the indexed sources. Called once a claim; features and verdict read the result. */
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
