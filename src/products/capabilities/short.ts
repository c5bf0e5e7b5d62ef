/** Limits in characters, possible ends of sentences, and figures. Longer checks run in a worker thread. */
const shortest = 1_000;
const fewest = 12;
const fewestFigures = 40;

const ends = /[.!?…;\n]/g;
const figures = /\d+/g;

/**
 * Returns whether texts are short enough together to be checked inline. Rules and claims are checked sentence by
 * sentence, and amounts pairwise, so a text of a hundred tiny sentences is not short.
 */
export function isShort(texts: readonly string[]): boolean {
  const count = (of: RegExp) => texts.reduce((sum, text) => sum + (text.match(of)?.length ?? 0), 0);
  return (
    texts.reduce((sum, { length }) => sum + length, 0) <= shortest &&
    count(ends) <= fewest &&
    count(figures) <= fewestFigures
  );
}
