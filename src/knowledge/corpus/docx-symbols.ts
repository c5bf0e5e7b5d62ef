import { once } from "../../platform/once.ts";
import table from "./docx-symbols.tsv" with { type: "text" };

/** Where programs put the signs of fonts that know no letters. */
const privateFrom = 0xf020;
const privateTo = 0xf0ff;
const privateBase = 0xf000;

/** A line of the table: a font, the code of its first sign in hexadecimal, and the signs from there on. */
const signs = once(() => {
  const byCode = new Map<string, string>();
  for (const line of table.split("\n")) {
    const [font = "", code = "", row = ""] = line.split("\t");
    for (const [at, sign] of [...row].entries())
      byCode.set(`${font.toLowerCase()} ${Number.parseInt(code, 16) + at}`, sign);
  }
  return byCode;
});

/** The sign that a symbol font shows for a code; undefined: it is not known here. */
export function symbolOf(font: string, code: number): string | undefined {
  const isPrivate = code >= privateFrom && code <= privateTo;
  const own = signs().get(`${font.toLowerCase()} ${isPrivate ? code - privateBase : code}`);
  if (own !== undefined || isPrivate) return own;
  return code > 0x20 && code <= 0xffff ? String.fromCharCode(code) : undefined;
}

/** Text with the signs of its symbol font as letters; a sign that is not known stays as it is. */
export const withSymbols = (text: string, font: string | undefined): string =>
  font === undefined ? text : text.replace(/[\uf020-\uf0ff]/g, (sign) => symbolOf(font, sign.charCodeAt(0)) ?? sign);
