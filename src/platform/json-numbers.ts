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
  return String(number) !== digits && !(Number.isFinite(number) && BigInt(number) === BigInt(digits));
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

/**
 * Where in a JSON text a whole number stands that `JSON.parse` would change, as 9007199254740993 into …992, as a JSON
 * pointer; undefined where there is none. For whoever takes a caller's JSON: what was not sent is neither run nor signed.
 * Nearly no text has a number so long, and is looked at again. Throws a `SyntaxError` for some texts that are no JSON.
 */
export function inexactNumberAt(text: string): string | undefined {
  if (!longNumber.test(text)) return undefined;
  const marked: unknown = JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) => {
    const source = typeof value === "number" ? context?.source : undefined;
    return source !== undefined && isChanged(source) ? inexact : value;
  });
  return placeIn(marked, "");
}
