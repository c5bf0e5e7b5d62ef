/** Lower case without accents, so that `Pojisteni` finds `Pojištění`. */
export const fold = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();

/** Whether every word of the query occurs somewhere in the texts. No query matches everything. */
export function matchesText(query: string | undefined, texts: readonly string[]): boolean {
  if (query === undefined) return true;
  const where = fold(texts.join("\n"));
  return fold(query)
    .split(/\s+/)
    .every((word) => where.includes(word));
}
