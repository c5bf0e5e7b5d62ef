/** In characters: an embedded check takes about two milliseconds for so much, and less is most of what it is asked. */
const shortest = 1_000;

/** Whether texts are so short together that a check of them may be waited for. */
export const isShort = (texts: readonly string[]): boolean =>
  texts.reduce((sum, { length }) => sum + length, 0) <= shortest;
