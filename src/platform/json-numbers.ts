/** Fewer digits than these are exact in a double, whatever they are. */
const longNumber = /\d{16}/;
const whole = /^(-?\d+)(\.0+)?$/;

/** What is wrong with a number that is not exact, for who sent it. */
export const wantsExact = "must be a whole number that a double holds exactly, as it does all up to 9007199254740991";

/** Stands for such a number until its place is found. */
const inexact = Symbol("inexact");

/** Whether a whole number is changed: it is not what was written, and would not even be written again as it was. */
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

/** Where a string ends that begins at a place. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

/** Whether a number outside the strings of a text is changed. Each character is looked at once. */
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

/** A place is looked for in texts of so many characters at most: it takes forty times as long as reading one. */
const longestPlaced = 65_536;

/**
 * Where in a JSON text a whole number stands that `JSON.parse` would change, as 9007199254740993 into …992, as a JSON
 * pointer; undefined where there is none, the whole text where it is too long to say more. For whoever takes a caller's
 * JSON: what was not sent is neither run nor signed. Nearly no text has a number so long, and is looked at again. Throws a
 * `SyntaxError` for some texts that are no JSON.
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
