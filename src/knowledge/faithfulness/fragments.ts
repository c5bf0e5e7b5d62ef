import type { Token } from "../language/tokens.ts";
import type { Alignment } from "./alignment.ts";
import type { SourceIndex } from "./source-index.ts";

/** How literally, and in which order, a claim repeats its sources. All are shares, 0 to 1. */
export interface Fragments {
  /** Tokens inside copied runs of at least two (extractive fragment coverage; Grusky et al., 2018). */
  readonly copied: number;
  /** The longest copied run. */
  readonly longest: number;
  /** Neighbouring words of the claim that occur close together, in order, in one source sentence. */
  readonly pairs: number;
  /** Neighbouring words that occur close together only in reverse order. */
  readonly reversed: number;
  /** Neighbouring words that both occur, but never close together in one sentence. */
  readonly apart: number;
}

// Maximum number of positions examined per word. The positions of a more frequent word are no evidence.
const mostPositions = 60;
const nearby = 5;

/** Measures copied runs over all tokens, function words included: greedily, the longest run from each position. */
function runs(tokens: readonly Token[], index: SourceIndex): { copied: number; longest: number } {
  let copied = 0;
  let longest = 0;
  let at = 0;
  while (at < tokens.length) {
    let best = 0;
    for (const position of index.positionsOfForm(tokens[at]?.form ?? "").slice(0, mostPositions)) {
      let length = 1;
      while (at + length < tokens.length && index.tokens[position + length]?.form === tokens[at + length]?.form)
        length += 1;
      best = Math.max(best, length);
    }
    if (best >= 2) copied += best;
    longest = Math.max(longest, best);
    at += Math.max(1, best);
  }
  return { copied, longest };
}

function positionsOf(token: Token, index: SourceIndex): number[] {
  return index.match(token).keys.flatMap(([key]) => index.positionsOf(key).slice(0, mostPositions));
}

// 1: close and in order; -1: close but reversed; 0: both present but never close.
function order(left: readonly number[], right: readonly number[], index: SourceIndex): number {
  let result = 0;
  for (const a of left)
    for (const b of right) {
      if (a === b || index.sentenceOf[a] !== index.sentenceOf[b] || Math.abs(a - b) > nearby) continue;
      if (b > a) return 1;
      result = -1;
    }
  return result;
}

/** Measures copying and order in one claim. Called by the features once per claim. */
export function fragmentsOf({ tokens, words }: Alignment, index: SourceIndex): Fragments {
  const { copied, longest } = runs(tokens, index);
  const found = words.map((word) => ({ word, at: word.anywhere > 0 ? positionsOf(word.token, index) : [] }));
  const counts = { total: 0, pairs: 0, reversed: 0, apart: 0 };
  for (let i = 0; i + 1 < found.length; i += 1) {
    const left = found[i];
    const right = found[i + 1];
    if (left === undefined || right === undefined) continue;
    counts.total += 1;
    if (left.at.length === 0 || right.at.length === 0) continue;
    const way = order(left.at, right.at, index);
    if (way === 1) counts.pairs += 1;
    else if (way === -1) counts.reversed += 1;
    else counts.apart += 1;
  }
  const share = (part: number, whole: number) => (whole > 0 ? part / whole : 0);
  return {
    copied: share(copied, tokens.length),
    longest: share(longest, tokens.length),
    // A claim of one word has no pairs to miss.
    pairs: counts.total > 0 ? counts.pairs / counts.total : (words[0]?.anywhere ?? 0),
    reversed: share(counts.reversed, counts.total),
    apart: share(counts.apart, counts.total),
  };
}

/**
 * Returns the share of the claim's words that keep their order in one sentence: the longest increasing subsequence of
 * positions, over the words that the sentence has. 1 if it has fewer than two.
 */
export function keptOrder({ words }: Alignment, sentence: number | null, index: SourceIndex): number {
  const places = words.flatMap((word) => {
    if (sentence === null || !word.bySentence.has(sentence)) return [];
    const held = index.sentences[sentence];
    const at = held && positionsOf(word.token, index).find((position) => position >= held.from && position < held.to);
    return at === undefined ? [] : [at];
  });
  if (places.length < 2) return 1;
  const tails: number[] = [];
  for (const place of places) {
    const slot = tails.findIndex((tail) => tail >= place);
    if (slot < 0) tails.push(place);
    else tails[slot] = place;
  }
  return tails.length / places.length;
}

/**
 * Returns how close together the claim's words are in one sentence: the number of positions found over the number of
 * content words in the stretch that spans them. With fewer than two, returns their number.
 */
export function compactness({ words }: Alignment, sentence: number | null, index: SourceIndex): number {
  const held = sentence === null ? undefined : index.sentences[sentence];
  if (held === undefined) return 0;
  const places = new Set<number>();
  for (const { token } of words)
    for (const position of positionsOf(token, index))
      if (position >= held.from && position < held.to) places.add(position);
  if (places.size < 2) return places.size;
  const sorted = [...places].sort((a, b) => a - b);
  const stretch = index.tokens.slice(sorted[0] ?? 0, (sorted.at(-1) ?? 0) + 1).filter((token) => !token.empty).length;
  return stretch > 0 ? sorted.length / stretch : 0;
}
