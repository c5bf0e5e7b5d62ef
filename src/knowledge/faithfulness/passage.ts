import type { EvaluatedClaim } from "./evaluate-claim.ts";
import { lengthOf } from "./failure.ts";
import type { SourceIndex } from "./source-index.ts";

/** Sources so short are read whole: about what the reader of meaning takes in at once. */
const wholeCharacters = 500;
/** A claim of fewer words means nothing without its question. */
const fewestWords = 5;

/** Whether a claim is read beside all sources. */
export const isReadWhole = (index: SourceIndex): boolean => lengthOf(index) <= wholeCharacters;

/** Of longer sources, so many sentences and characters: about as much. */
const mostSentences = 5;
const mostCharacters = 700;

/** Places of the sentences that have most of a claim's words, the closest first: those that the alignment chose lead. */
function nearestSentences({ alignment: { best, second, words } }: EvaluatedClaim): number[] {
  const covered = new Map<number, number>();
  const distinct = new Map(words.map(({ bySentence, weight }) => [bySentence, weight]));
  for (const [bySentence, weight] of distinct)
    for (const [at, strength] of bySentence) covered.set(at, (covered.get(at) ?? 0) + weight * strength);
  const others = [...covered].sort(([a, one], [b, other]) => other - one || a - b).map(([at]) => at);
  return [...new Set([best, second, ...others].filter((at) => at !== null))];
}

/**
 * What a claim is to be read beside: all sources where they are short, else the sentences that have most of it, in their
 * order. Null where no sentence has a word of it. Training reads the same.
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

/** The claim as it is to be read: a very short one after its question. */
export const claimToRead = (claim: string, question: string, answer: string): string =>
  claim.split(/\s+/).length < fewestWords && question.trim() !== answer.trim() ? `${question} ${claim}` : claim;
