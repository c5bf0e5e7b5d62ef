import { markOf } from "./statement-words.ts";

/** Words for a hundred in a compound; the other multipliers are also separate words. */
const hundreds = new Map([
  ["hundert", 100],
  ["szaz", 100],
  ["set", 100],
  ["sto", 100],
  ["sta", 100],
]);
const longest = 30;
const longestPart = 12;
const known = new Map<string, number | null>();

const wordOf = (form: string): number | null => {
  const written = form.length > 1 ? markOf("number", form) : undefined;
  return written === undefined ? null : Number(written);
};
const factorOf = (form: string): number | null => {
  const written = form.length > 3 ? markOf("multiplier", form) : undefined;
  return written === undefined ? (hundreds.get(form) ?? null) : Number(written);
};

/** Returns the number that a word is composed of, from left to right: ones and tens, hundreds, thousands, millions. */
function partsOf(form: string): number | null {
  const whole = wordOf(form) ?? (form.length > 3 ? factorOf(form) : null);
  if (whole !== null) return whole;
  for (let cut = Math.min(longestPart, form.length - 1); cut >= 2; cut -= 1) {
    const first = wordOf(form.slice(0, cut)) ?? factorOf(form.slice(0, cut));
    if (first === null) continue;
    const rest = joinedTo(first, form.slice(cut));
    if (rest !== null) return rest;
  }
  return null;
}

function joinedTo(first: number, rest: string): number | null {
  // German and Czech put the ones first: `fünfundzwanzig`, `pětadvacet`.
  const tens = /^(?:und|a)(?=\p{L}{4})/u.test(rest) ? wordOf(rest.replace(/^(?:und|a)/, "")) : null;
  if (tens !== null) return first < 10 && tens >= 20 && tens % 10 === 0 ? first + tens : null;
  for (let cut = Math.min(longestPart, rest.length); cut >= 3; cut -= 1) {
    const factor = factorOf(rest.slice(0, cut));
    if (factor === null || factor <= first) continue;
    const more = cut === rest.length ? 0 : partsOf(rest.slice(cut));
    if (more !== null && more < factor) return first * factor + more;
  }
  const less = partsOf(rest);
  return less !== null && first >= 20 && less < first && String(first).endsWith("0".repeat(String(less).length))
    ? first + less
    : null;
}

/**
 * Returns the number written as one folded word: `zweitausend`, `päťdesiattisíc`, `egymillió`. Null for any other word.
 */
export function compoundNumber(form: string): number | null {
  if (form.length < 6 || form.length > longest) return null;
  const before = known.get(form);
  if (before !== undefined) return before;
  const found = partsOf(form);
  // Bounded, so that callers' vocabulary cannot grow the memory of a long-running server.
  if (known.size > 20_000) known.clear();
  known.set(form, found);
  return found;
}
