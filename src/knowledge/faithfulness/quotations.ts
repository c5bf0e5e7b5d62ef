import type { EvaluatedClaim, Evaluation } from "./evaluate-claim.ts";

/** The words of a text between single spaces, whatever their case: its stops and commas are where a claim may be cut. */
const wordsOf = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/(?:[\s,;:!?…()"'„“”‚’–—]|\.(?!\d))+/gu, " ")
    .trim()} `;

/**
 * Tells of each claim whether it is quoted: it belongs to a sentence of a source that the answer has from beginning to end.
 * A part of a sentence is none: what was cut off may be the tariff or the case that it is for.
 */
export function quotationsIn({ claims, index }: Evaluation): (claim: EvaluatedClaim) => boolean {
  const answer = wordsOf(claims.map(({ compared }) => compared).join(" "));
  const held = index.sentences
    .map(({ source, start, end }) => wordsOf(index.sources[source]?.slice(start, end) ?? ""))
    .filter((sentence) => answer.includes(sentence));
  return ({ compared }) => held.some((sentence) => sentence.includes(wordsOf(compared)));
}
