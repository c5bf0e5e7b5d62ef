import { detectLanguage } from "../language/detect.ts";
import type { Token } from "../language/tokens.ts";
import { tokenize } from "../language/tokens.ts";
import { splitSentences } from "./claims.ts";

/** In how many documents stems occur: figures only, counted by training and shipped with the weights. */
export interface DocumentFrequency {
  readonly documents: number;
  /** Number of documents with the key. Keys below `leastCount` are omitted and treated as rare. */
  readonly counts: Readonly<Record<string, number>>;
}

const leastCount = 5;
// Common words keep this share of a rare word's weight, so that a claim of common words still has to be covered.
const floor = 0.2;

/** Counts the keys of documents. Called only by training. */
export function countDocumentFrequency(documents: readonly string[]): DocumentFrequency {
  const counts = new Map<string, number>();
  for (const text of documents) {
    const language = detectLanguage(text);
    const keys = splitSentences(text).flatMap(({ start, end }) => tokenize(text.slice(start, end), language));
    for (const key of new Set(keys.filter(({ kind, empty }) => kind === "word" && !empty).map((token) => token.key)))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const kept = [...counts].filter(([, count]) => count >= leastCount).sort(([a], [b]) => (a < b ? -1 : 1));
  return { documents: documents.length, counts: Object.fromEntries(kept) };
}

/**
 * Returns a function that weighs a token, within [0.2, 1], by its scaled inverse document frequency. Numbers and dates
 * weigh nearly as much as a rare word.
 */
export function weightIn({ documents, counts }: DocumentFrequency): (token: Token) => number {
  const rarest = Math.log(documents / (leastCount - 1));
  return ({ kind, key }) => {
    if (kind !== "word") return floor + (1 - floor) * 0.8;
    const count = Object.hasOwn(counts, key) ? (counts[key] ?? 1) : leastCount - 1;
    return floor + (1 - floor) * Math.min(1, Math.max(0, Math.log(documents / count) / rarest));
  };
}
