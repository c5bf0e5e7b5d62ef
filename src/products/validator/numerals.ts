import { fold } from "../../platform/text.ts";

/** A word for a number, and the words before it that could belong to one. */
const mostWords = 6;

/** The number that words are together: `two hundred`, `twenty five`, `sto dvacet tisíc`. */
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

/** The numbers that a word is made of: `fünfundzwanzig`, `zweihundert`; none, where it is made of anything else. */
function partsOf(word: string, numerals: Readonly<Record<string, number>>): number[] {
  const value = numerals[word];
  if (value !== undefined) return [value];
  const parts = word.split(/(hundert|tausend)|und/).filter((part) => part);
  const values = parts.flatMap((part) => numerals[part] ?? []);
  return parts.length > 1 && values.length === parts.length ? values : [];
}

/** Number words before a currency as digits of the same length, so that places in the text stay what they are. */
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
    // `300 korun` in digits before it is a number of its own.
    if (!start || /\d\s$/.test(text.slice(0, at + start.index))) return run;
    const written = String(together(all.slice(first).flatMap(({ values }) => values)));
    const length = run.length - start.index;
    return written.length > length ? run : run.slice(0, start.index) + written.padStart(length, " ");
  });
}
