import { FileRefused } from "./refusal.ts";

/** The number notation of a file. */
export interface Signs {
  readonly decimal: "." | ",";
  /** `null` if thousands are not grouped. */
  readonly thousands: "," | "." | " " | "'" | null;
}

/** Marks of a missing figure, each for a different reason; stored as they are and never treated as zero. */
const missing = /^(:|-|–|\.|\.\.|\.\.\.|…|\/|x|X|c|n\/a|N\/A|NA|null|\(\))?$/;

/** Returns the mark in place of a number, `:` for an empty cell, or `undefined` if the cell has a value. */
export const missingMark = (cell: string): string | undefined => (missing.test(cell) ? cell || ":" : undefined);

const spaces = /[\u00a0\u2009\u202f ]/g;

/** Returns what a cell reveals about the notation, by the first matching pattern. */
function evidence(cell: string): "point" | "comma" | "point thousands" | "comma thousands" | "unclear" | undefined {
  const digits = cell.replace(spaces, "").replace(/^[-+]/, "");
  if (/^\d*$/.test(digits)) return undefined;
  const [comma, point] = [digits.indexOf(","), digits.indexOf(".")];
  if ((comma >= 0 && digits.lastIndexOf(".") > comma) || /^\d{1,3}(,\d{3}){2,}$/.test(digits)) return "comma thousands";
  if ((point >= 0 && digits.lastIndexOf(",") > point) || /^\d{1,3}(\.\d{3}){2,}$/.test(digits))
    return "point thousands";
  if (/^[1-9]\d{0,2},\d{3}$/.test(digits) || /^[1-9]\d{0,2}\.\d{3}$/.test(digits)) return "unclear";
  if (/^\d*,\d+$/.test(digits)) return "comma";
  return /^\d*\.\d+(e[-+]?\d+)?$/i.test(digits) ? "point" : undefined;
}

/**
 * Detects the notation from the first cells of a file. Throws `FileRefused` if it is ambiguous (1,234 may be more than
 * a thousand or a little more than one) or mixed.
 */
export function signsOf(cells: readonly string[], said: Partial<Signs>): Signs {
  const found = new Set(cells.map((cell) => evidence(cell.trim())));
  const thousands = cells.some((cell) => /\d[\u00a0\u2009\u202f ]\d{3}/.test(cell)) ? " " : null;
  if (said.decimal !== undefined) return { decimal: said.decimal, thousands: said.thousands ?? thousands };
  const isComma = found.has("comma") || found.has("point thousands");
  const isPoint = found.has("point") || found.has("comma thousands");
  if ((isComma && isPoint) || (found.has("unclear") && !isComma && !isPoint))
    throw new FileRefused(
      "not_a_number",
      isComma ? "its numbers are written in two ways" : "its numbers can be read in two ways, as 1,234 can",
      "Set `decimal` and `thousands` in the mapping.",
    );
  const grouped = isComma
    ? found.has("point thousands") || found.has("unclear")
      ? "."
      : null
    : found.has("comma thousands") || (found.has("unclear") && isPoint)
      ? ","
      : null;
  return { decimal: isComma ? "," : ".", thousands: said.thousands ?? thousands ?? grouped };
}

const plain = /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d{1,3})?$/i;

/**
 * Parses a cell's number; `undefined` if it has none. Digits beyond double precision are lost; nothing else is rounded.
 */
export function numberIn(cell: string, { decimal, thousands }: Signs): number | undefined {
  let digits = cell.trim().replace("\u2212", "-");
  if (thousands === " ") {
    const joined = digits.replace(spaces, "");
    const isGrouped = /^[-+]?\d{1,3}([\u00a0\u2009\u202f ]\d{3})*([.,]\d*)?$/.test(digits);
    if (joined !== digits && !isGrouped) return undefined;
    digits = joined;
  } else if (thousands !== null && digits.includes(thousands)) {
    const [whole = "", ...rest] = digits.split(decimal);
    const groups = whole.replace(/^[-+]/, "").split(thousands);
    const isGrouped = groups.every((group, i) => (i === 0 ? /^\d{1,3}$/ : /^\d{3}$/).test(group));
    if (!isGrouped || rest.join("").includes(thousands)) return undefined;
    digits = [whole.replaceAll(thousands, ""), ...rest].join(decimal);
  }
  const text = decimal === "," ? (digits.includes(".") ? "" : digits.replace(",", ".")) : digits;
  if (!plain.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
