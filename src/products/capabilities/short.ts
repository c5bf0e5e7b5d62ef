/** In characters: an embedded check takes a few milliseconds for so much, for which everybody else waits. */
const shortest = 1_000;

/** Whether texts are so short together that a check of them may be waited for. */
export const isShort = (texts: readonly string[]): boolean =>
  texts.reduce((sum, { length }) => sum + length, 0) <= shortest;
