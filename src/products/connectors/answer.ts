import { beyondBounds } from "../../platform/json-bounds.ts";

/**
 * Throws if an answer has more values or nesting levels than a caller may send, since answers of any length are parsed,
 * validated, hashed and stored on the event loop. Also accepts text that is not JSON.
 */
export function checkBounds(text: string): void {
  const problem = beyondBounds(text);
  if (problem) throw new SyntaxError(`An answer ${problem}.`);
}

/** Parses an answer's JSON. Throws if it is invalid or exceeds the limits. */
export function parsedAnswer(text: string): unknown {
  checkBounds(text);
  return JSON.parse(text);
}
