import { stem } from "../language/stem.ts";

/** Linking elements between the parts of a German compound; often none. */
const linking = ["", "s", "es", "n", "en", "er", "e"];
const shortestPart = 4;
const shortestCompound = 10;

/**
 * Returns the parts of a German compound, as stems, by Koehn and Knight (2003): of all splits into words that the
 * corpus contains, the one whose parts have the highest geometric mean frequency; empty if it can't be split.
 * `frequencyOf` returns a stem's document frequency.
 */
export function compoundParts(word: string, frequencyOf: (stem: string) => number, depth = 2): string[] {
  if (word.length < shortestCompound || depth === 0) return [];
  let best: string[] = [];
  let bestMean = 0;
  for (let cut = shortestPart; cut <= word.length - shortestPart; cut++) {
    const right = word.slice(cut);
    const rightFrequency = frequencyOf(right);
    const rest = rightFrequency > 0 ? [right] : compoundParts(right, frequencyOf, depth - 1);
    if (rest.length === 0) continue;
    for (const link of linking) {
      const written = word.slice(0, cut);
      if (!written.endsWith(link) || written.length - link.length < shortestPart) continue;
      const left = stem(written.slice(0, written.length - link.length), "de");
      if (left.length < shortestPart || frequencyOf(left) === 0) continue;
      const parts = [left, ...rest];
      const mean = Math.exp(parts.reduce((sum, part) => sum + Math.log(frequencyOf(part)), 0) / parts.length);
      if (mean > bestMean) [best, bestMean] = [parts, mean];
    }
  }
  return best;
}
