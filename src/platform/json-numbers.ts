/** Numbers with fewer digits than this are always exact in a double. */
const longNumber = /\d{16}/;
const whole = /^(-?\d+)(\.0+)?$/;

/** The error message for a number that a double cannot hold exactly. */
export const wantsExact =
  "must be a whole number that a double represents exactly, as it does all up to 9007199254740991";

/** Marks such a number until its position is found. */
const inexact = Symbol("inexact");

/** Returns whether parsing changes a whole number: it is not exact, and would not be serialised as it was written. */
function isChanged(source: string): boolean {
  const [, digits] = whole.exec(source) ?? [];
  if (digits === undefined) return false;
  const number = Number(digits);
  if (Number.isSafeInteger(number)) return false;
  return String(number) !== digits && !(Number.isFinite(number) && BigInt(number) === BigInt(digits));
}

const [quote, backslash, zero, nine] = ['"', "\\", "0", "9"].map((sign) => sign.charCodeAt(0));
const isDigit = (code: number): boolean => code >= (zero ?? 0) && code <= (nine ?? 0);
const inNumbers = new Set([..."0123456789.eE+-"].map((sign) => sign.charCodeAt(0)));

/** Returns the index of the quote that closes the string opened at `from`. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

/** Returns whether a number outside the strings of a text would be changed. Makes one pass. */
function hasChanged(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) === quote) at = endOfString(text, at);
    else if (isDigit(text.charCodeAt(at))) {
      const from = at;
      while (inNumbers.has(text.charCodeAt(at + 1))) at++;
      if (at - from >= 15 && isChanged(text.slice(from, at + 1))) return true;
    }
  }
  return false;
}

function placeIn(value: unknown, at: string): string | undefined {
  if (value === inexact) return at;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const place = placeIn(member, `${at}/${name}`);
    if (place !== undefined) return place;
  }
  return undefined;
}

/** Maximum length of a text in which the position is searched for, which takes forty times as long as parsing it. */
const longestPlaced = 65_536;

/**
 * Returns the JSON Pointer of the first whole number that `JSON.parse` would change, such as 9007199254740993 into
 * …992. Returns undefined if there is none, and the empty pointer (the whole text) if the text is too long to search.
 * Code that accepts a caller's JSON uses it so that nothing is run or signed that was not sent. Almost no text has a
 * number that long, so almost none is scanned again. Throws a `SyntaxError` for some texts that are not JSON.
 */
export function inexactNumberAt(text: string): string | undefined {
  if (!longNumber.test(text) || !hasChanged(text)) return undefined;
  if (text.length > longestPlaced) return "";
  const marked: unknown = JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) => {
    const source = typeof value === "number" ? context?.source : undefined;
    return source !== undefined && isChanged(source) ? inexact : value;
  });
  return placeIn(marked, "");
}
