/** In characters, and in marks that may end a sentence: what takes longer than a few milliseconds goes to a thread. */
const shortest = 1_000;
const fewest = 12;

const ends = /[.!?…;\n]/g;

/**
 * Whether texts are so short together that a check of them may be waited for. Rules and claims are looked at sentence by
 * sentence, so that a text of a hundred tiny ones is not short.
 */
export const isShort = (texts: readonly string[]): boolean =>
  texts.reduce((sum, { length }) => sum + length, 0) <= shortest &&
  texts.reduce((sum, text) => sum + (text.match(ends)?.length ?? 0), 0) <= fewest;
