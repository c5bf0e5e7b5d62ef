/** Lower case without diacritics, so that `Pojisteni` finds `Pojištění`. Both sides of a comparison pass here. */
export const fold = (text: string): string =>
  text
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
