import { beyondBounds } from "../../platform/json-bounds.ts";

/**
 * Throws for more values or levels than a caller may send: an answer is parsed, checked, hashed and written in the event
 * loop, whatever its length. Asked of what is no JSON too.
 */
export function checkBounds(text: string): void {
  const problem = beyondBounds(text);
  if (problem) throw new SyntaxError(`An answer ${problem}.`);
}

/** The JSON of an answer. Throws for what is none, or beyond the bounds. */
export function parsedAnswer(text: string): unknown {
  checkBounds(text);
  return JSON.parse(text);
}
