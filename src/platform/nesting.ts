/** Levels of objects and lists in what a caller sends. Nobody needs more, and whatever walks a value may recurse. */
export const deepestNesting = 100;

const quote = 0x22;
const backslash = 0x5c;

/** Where the string that opens at `at` ends. */
function closingQuote(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before--;
    if ((end - before) % 2 === 1) return end;
  }
  return text.length;
}

/**
 * Whether a JSON text nests deeper than that. It is asked before the text is parsed: a value that is refused is never
 * made, and each character is looked at once. Of what is no JSON it may say anything.
 */
export function isNestedTooDeep(text: string, levels = deepestNesting): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = closingQuote(text, at);
    // [ and {, ] and }: each pair differs in one bit.
    else if ((code | 0x20) === 0x7b) {
      if (++depth > levels) return true;
    } else if ((code | 0x20) === 0x7d) depth--;
  }
  return false;
}
