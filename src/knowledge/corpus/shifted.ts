/** Where signs stand beside the line: a footnote's mark or an exponent above it, an index below. */
export type Shift = "above" | "below";

const plain = "0123456789+-−–()";
const shiftedSigns = { above: "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾", below: "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₍₎" } as const;

/** What is longer, or has an amount or a word in it, is text that is only set like that. */
const markAtMost = 12;
const isText = /\d{4}|\d[\s.]\d{3}|\p{L}{3}/u;

/**
 * Text that a page sets above or below the line, as one line can hold it: `5 000` with a mark `1` is `5 000¹`, and never
 * an amount of five digits. Longer text keeps its signs, apart from a number before or after it.
 */
export function shifted(text: string, shift: Shift | undefined): string {
  if (shift === undefined) return text;
  if (text.trim().length > markAtMost || isText.test(text)) return text.replace(/^(?=\d)|(?<=\d)$/g, " ");
  return [...text].map((sign) => shiftedSigns[shift][plain.indexOf(sign)] ?? sign).join("");
}
