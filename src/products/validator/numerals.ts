import { fold } from "../../platform/text.ts";

/** Maximum number of words in a spelled-out number. */
const mostWords = 6;

/** Returns the value of number words in sequence: `two hundred`, `twenty five`, `sto dvacet tisíc`. */
function together(values: readonly number[]): number {
  let [total, part] = [0, 0];
  for (const value of values) {
    const isFactor = value === 100 || value === 1_000;
    part = isFactor && part < value ? Math.max(1, part) * value : part + value;
    if (value !== 1_000) continue;
    total += part;
    part = 0;
  }
  return total + part;
}

/**
 * Returns the numbers in a compound word such as `fünfundzwanzig` or `zweihundert`; empty if it contains anything else.
 */
function partsOf(word: string, numerals: Readonly<Record<string, number>>): number[] {
  const value = numerals[word];
  if (value !== undefined) return [value];
  const parts = word.split(/(hundert|tausend)|und/).filter((part) => part);
  const values = parts.flatMap((part) => numerals[part] ?? []);
  return parts.length > 1 && values.length === parts.length ? values : [];
}

/**
 * Replaces number words before a currency with digits, padded to the same length so that text offsets do not change.
 */
export function withDigits(
  text: string,
  numerals: Readonly<Record<string, number>>,
  joins: readonly string[],
  currency: string,
): string {
  const words = new RegExp(
    String.raw`(?<![\p{L}\p{N}])\p{L}{1,20}(?:[\s-]\p{L}{1,20}){0,${mostWords - 1}}(?=[\s-](?:${currency})(?![\p{L}]))`,
    "giu",
  );
  return text.replace(words, (run: string, at: number) => {
    const all = [...run.matchAll(/\p{L}+/gu)].map(({ 0: written, index }) => {
      const word = fold(written);
      return { index, values: partsOf(word, numerals), isJoin: joins.includes(word) };
    });
    let first = all.length;
    for (let at = first - 1; at >= 0 && (all[at]?.values.length || (at < all.length - 1 && all[at]?.isJoin)); at--)
      if (all[at]?.values.length) first = at;
    const start = all[first];
    // In `300 korun`, the digits before the word are a separate number.
    if (!start || /\d\s$/.test(text.slice(0, at + start.index))) return run;
    const written = String(together(all.slice(first).flatMap(({ values }) => values)));
    const length = run.length - start.index;
    return written.length > length ? run : run.slice(0, start.index) + written.padStart(length, " ");
  });
}
