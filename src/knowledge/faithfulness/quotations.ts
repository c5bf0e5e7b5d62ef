import type { EvaluatedClaim, Evaluation } from "./evaluate-claim.ts";

const plain = (text: string): string =>
  text
    .split(/\s+/)
    .join(" ")
    .trim()
    .replace(/(?<!\.)\.+$/, "")
    .toLowerCase();

/** Returns the answer with its amounts spelled as in the sources, in the same way as its claims. */
function compared(answer: string, claims: readonly EvaluatedClaim[]): string {
  const ends = [0, ...claims.map(({ end }) => end)];
  const pieces = claims.map((claim, at) => answer.slice(ends[at], claim.start) + claim.compared);
  return pieces.join("") + answer.slice(ends.at(-1));
}

/**
 * Returns a check of whether a claim is quoted: it belongs to a source sentence that the answer contains in full,
 * ignoring case and white space. Part of a sentence does not count: the rest may name the tariff or the case that it is
 * for.
 */
export function quotationsIn(answer: string, { claims, index }: Evaluation): (claim: EvaluatedClaim) => boolean {
  const whole = plain(compared(answer, claims));
  const held = index.sentences
    .map(({ source, start, end }) => plain(index.sources[source]?.slice(start, end) ?? ""))
    .filter((sentence) => whole.includes(sentence));
  return (claim) => held.some((sentence) => sentence.includes(plain(claim.compared)));
}
