/**
 * Maximum nesting of objects and arrays in a caller's JSON. No caller needs more, and code that walks a value may
 * recurse.
 */
const deepestNesting = 100;
/** Maximum number of values. The longest list that an operation accepts has 10,000. */
const mostValues = 50_000;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** Returns the index of the quote that closes the string opened at `at`. */
function closingQuote(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before--;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

/**
 * Returns why a JSON text is rejected (nested too deep, too many values), or undefined if it is within bounds. Runs
 * before parsing, in one pass, so that a rejected value is never built. For text that is not JSON the result is
 * unspecified.
 */
export function beyondBounds(text: string): string | undefined {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = closingQuote(text, at);
    // Each pair, [ and {, ] and }, differs in one bit.
    else if ((code | 0x20) === 0x7b) {
      if (++depth > deepestNesting) return `must not be nested deeper than ${deepestNesting} levels`;
    } else if ((code | 0x20) === 0x7d) depth--;
    else if (code === comma && ++values > mostValues) return `must not contain more than ${mostValues} values`;
  }
  return undefined;
}
