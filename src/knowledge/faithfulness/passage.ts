import type { EvaluatedClaim } from "./evaluate-claim.ts";
import { lengthOf } from "./failure.ts";
import type { SourceIndex } from "./source-index.ts";

/** Sources up to this length are read in full: about what the reader takes at once. */
const wholeCharacters = 500;
/** A claim of fewer words means nothing without its question. */
const fewestWords = 5;

/** Checks whether each claim is read with all sources. */
export const isReadWhole = (index: SourceIndex): boolean => lengthOf(index) <= wholeCharacters;

/** Maximum number of sentences and characters read of longer sources: about as much. */
const mostSentences = 5;
const mostCharacters = 700;

/**
 * Returns the indices of the sentences that cover a claim, the closest first, led by those that the alignment chose.
 */
function nearestSentences({ alignment: { best, second, words } }: EvaluatedClaim): number[] {
  const covered = new Map<number, number>();
  const distinct = new Map(words.map(({ bySentence, weight }) => [bySentence, weight]));
  for (const [bySentence, weight] of distinct)
    for (const [at, strength] of bySentence) covered.set(at, (covered.get(at) ?? 0) + weight * strength);
  const others = [...covered].sort(([a, one], [b, other]) => other - one || a - b).map(([at]) => at);
  return [...new Set([best, second, ...others].filter((at) => at !== null))];
}

/**
 * Returns the passage with which a claim is read: all sources if they are short, otherwise the sentences that cover
 * most of it, in their order. Null if no sentence has a word of it. Training reads the same passages.
 */
export function passageFor(claim: EvaluatedClaim, index: SourceIndex): string | null {
  if (isReadWhole(index)) return index.sources.join(" ");
  const chosen: { readonly at: number; readonly text: string }[] = [];
  let characters = 0;
  for (const at of nearestSentences(claim)) {
    const sentence = index.sentences[at];
    const text = sentence ? (index.sources[sentence.source]?.slice(sentence.start, sentence.end) ?? "") : "";
    const isFirst = chosen.length === 0;
    if (!isFirst && (chosen.length >= mostSentences || characters + text.length > mostCharacters)) continue;
    chosen.push({ at, text });
    characters += text.length;
  }
  if (chosen.length === 0) return null;
  return chosen
    .sort((a, b) => a.at - b.at)
    .map(({ text }) => text)
    .join(" ");
}

/** Returns the claim as it is read: a very short one with its question in front. */
export const claimToRead = (claim: string, question: string, answer: string): string =>
  claim.split(/\s+/).length < fewestWords && question.trim() !== answer.trim() ? `${question} ${claim}` : claim;
