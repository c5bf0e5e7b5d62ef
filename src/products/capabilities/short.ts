/** In characters, in marks that may end a sentence, and in figures: what takes longer than a few milliseconds goes to a thread. */
const shortest = 1_000;
const fewest = 12;
const fewestFigures = 40;

const ends = /[.!?…;\n]/g;
const figures = /\d+/g;

/**
 * Whether texts are so short together that a check of them may be waited for. Rules and claims are looked at sentence by
 * sentence, and amounts are compared each with each: a text of a hundred tiny ones is not short.
 */
export function isShort(texts: readonly string[]): boolean {
  const count = (of: RegExp) => texts.reduce((sum, text) => sum + (text.match(of)?.length ?? 0), 0);
  return (
    texts.reduce((sum, { length }) => sum + length, 0) <= shortest &&
    count(ends) <= fewest &&
    count(figures) <= fewestFigures
  );
}
