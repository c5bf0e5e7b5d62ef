import { once } from "../../platform/once.ts";
import table from "./docx-symbols.tsv" with { type: "text" };

/** The private-use range in which programs store the characters of symbol fonts. */
const privateFrom = 0xf020;
const privateTo = 0xf0ff;
const privateBase = 0xf000;

/** Parses the table. A line has a font, the hexadecimal code of its first character, and consecutive characters. */
const signs = once(() => {
  const byCode = new Map<string, string>();
  for (const line of table.split("\n")) {
    const [font = "", code = "", row = ""] = line.split("\t");
    for (const [at, sign] of [...row].entries())
      byCode.set(`${font.toLowerCase()} ${Number.parseInt(code, 16) + at}`, sign);
  }
  return byCode;
});

/** Returns the character that a symbol font shows for a code; undefined if unknown. */
export function symbolOf(font: string, code: number): string | undefined {
  const isPrivate = code >= privateFrom && code <= privateTo;
  const own = signs().get(`${font.toLowerCase()} ${isPrivate ? code - privateBase : code}`);
  if (own !== undefined || isPrivate) return own;
  return code > 0x20 && code <= 0xffff ? String.fromCharCode(code) : undefined;
}

/** Replaces the characters of a symbol font with Unicode characters; unknown ones stay. */
export const withSymbols = (text: string, font: string | undefined): string =>
  font === undefined ? text : text.replace(/[\uf020-\uf0ff]/g, (sign) => symbolOf(font, sign.charCodeAt(0)) ?? sign);
