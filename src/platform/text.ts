/** Up to here the marks of a text are put in order in a moment, even if it has nothing but marks. */
const shortText = 1_000;

/**
 * A text whose runs of combining marks are short: to order those of a run takes time by the square of its length.
 * Nothing is lost where marks are left out anyway.
 */
const withShortRuns = (text: string): string =>
  text.length <= shortText ? text : text.replace(/(\p{M}{8})\p{M}+/gu, "$1");

/** Most words have no letter beyond these: their folding takes a sixth of the time. */
const plain = /^[ -~]*$/;

/** Lower case without diacritics, so that `Pojisteni` finds `Pojištění`. Both sides of a comparison pass here. */
export const fold = (text: string): string =>
  plain.test(text)
    ? text.toLowerCase()
    : withShortRuns(text)
        .normalize("NFKD")
        .replace(/\p{M}+/gu, "")
        .toLowerCase()
        .replaceAll("ł", "l")
        .replaceAll("ß", "ss");

/** Whether every word of the query occurs somewhere in the texts. No query matches everything. */
export function matchesText(query: string | undefined, texts: readonly string[]): boolean {
  if (query === undefined) return true;
  const where = fold(texts.join("\n"));
  return fold(query)
    .split(/\s+/)
    .every((word) => where.includes(word));
}

/** A text with its `{names}` filled in. */
export const filled = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
