/** Levels of objects and lists in what a caller sends. Nobody needs more, and whatever walks a value may recurse. */
const deepestNesting = 100;
/** Values in it. The longest list that an operation takes has 10,000. */
const mostValues = 50_000;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

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
 * Why a JSON text is refused: it nests too deep, or holds too many values; undefined where it does neither. It is asked
 * before the text is parsed: a value that is refused is never made, and each character is looked at once. Of what is no
 * JSON it may say anything.
 */
export function beyondBounds(text: string): string | undefined {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = closingQuote(text, at);
    // [ and {, ] and }: each pair differs in one bit.
    else if ((code | 0x20) === 0x7b) {
      if (++depth > deepestNesting) return `must not be nested deeper than ${deepestNesting} levels`;
    } else if ((code | 0x20) === 0x7d) depth--;
    else if (code === comma && ++values > mostValues) return `must not hold more than ${mostValues} values`;
  }
  return undefined;
}
