import type { EvaluatedClaim, Evaluation } from "./evaluate-claim.ts";

const plain = (text: string): string =>
  text
    .split(/\s+/)
    .join(" ")
    .trim()
    .replace(/(?<!\.)\.+$/, "")
    .toLowerCase();

/** An answer with its amounts as the sources write equal ones, as its claims are compared. */
function compared(answer: string, claims: readonly EvaluatedClaim[]): string {
  const ends = [0, ...claims.map(({ end }) => end)];
  const pieces = claims.map((claim, at) => answer.slice(ends[at], claim.start) + claim.compared);
  return pieces.join("") + answer.slice(ends.at(-1));
}

/**
 * Tells of each claim whether it is quoted: it belongs to a sentence of a source that the answer has from beginning to end,
 * whatever its case and spaces. A part of a sentence is none: what was cut off may be the tariff or the case that it is for.
 */
export function quotationsIn(answer: string, { claims, index }: Evaluation): (claim: EvaluatedClaim) => boolean {
  const whole = plain(compared(answer, claims));
  const held = index.sentences
    .map(({ source, start, end }) => plain(index.sources[source]?.slice(start, end) ?? ""))
    .filter((sentence) => whole.includes(sentence));
  return (claim) => held.some((sentence) => sentence.includes(plain(claim.compared)));
}
