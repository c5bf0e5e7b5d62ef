/** Position of characters relative to the baseline: superscript (a footnote mark or an exponent) or subscript. */
export type Shift = "above" | "below";

const plain = "0123456789+-−–()";
const shiftedSigns = { above: "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾", below: "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₍₎" } as const;

/** Longer text, or text that contains an amount or a word, is content that is merely set like that. */
const markAtMost = 12;
const isText = /\d{4}|\d[\s.]\d{3}|\p{L}{3}/u;

/**
 * Converts superscript or subscript text for a plain line: `5 000` with a footnote mark `1` becomes `5 000¹`, never a
 * longer number. Longer text keeps its characters and is separated from adjacent digits.
 */
export function shifted(text: string, shift: Shift | undefined): string {
  if (shift === undefined) return text;
  if (text.trim().length > markAtMost || isText.test(text)) return text.replace(/^(?=\d)|(?<=\d)$/g, " ");
  return [...text].map((sign) => shiftedSigns[shift][plain.indexOf(sign)] ?? sign).join("");
}
