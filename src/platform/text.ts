/** Texts up to this length normalise quickly even if they consist only of combining marks. */
const shortText = 1_000;

/**
 * Shortens long runs of combining marks, because normalising one takes quadratic time. Nothing is lost, since the marks
 * are removed anyway.
 */
const withShortRuns = (text: string): string =>
  text.length <= shortText ? text : text.replace(/(\p{M}{8})\p{M}+/gu, "$1");

/** Most words are plain ASCII, and fold six times as fast. */
const plain = /^[ -~]*$/;

/**
 * Returns the text in lower case without diacritics, so that `Pojisteni` matches `Pojištění`. Both sides of a
 * comparison are folded.
 */
export const fold = (text: string): string =>
  plain.test(text)
    ? text.toLowerCase()
    : withShortRuns(text)
        .normalize("NFKD")
        .replace(/\p{M}+/gu, "")
        .toLowerCase()
        .replaceAll("ł", "l")
        .replaceAll("ß", "ss");

/** Returns whether every word of the query occurs in the texts. A missing query matches everything. */
export function matchesText(query: string | undefined, texts: readonly string[]): boolean {
  if (query === undefined) return true;
  const where = fold(texts.join("\n"));
  return fold(query)
    .split(/\s+/)
    .every((word) => where.includes(word));
}

/** Returns the text with its `{names}` replaced by values. */
export const filled = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
