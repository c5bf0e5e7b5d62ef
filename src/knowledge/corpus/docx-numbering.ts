import type { CheerioAPI } from "cheerio";

/** How a level of a list is numbered: `%1.%2` in decimals, from `start` on. */
interface Level {
  readonly format: string;
  readonly text: string;
  readonly start: number;
}

const romanDigits = [
  [1000, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"],
] as const;

function roman(value: number): string {
  let [rest, text] = [value, ""];
  for (const [worth, sign] of romanDigits)
    while (rest >= worth) {
      text += sign;
      rest -= worth;
    }
  return text;
}

/** a … z, then aa … zz, as word processors go on. */
const lettered = (value: number): string =>
  String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.min(8, Math.ceil(value / 26)));

function written(value: number, format: string): string {
  if (format === "lowerLetter") return lettered(value);
  if (format === "upperLetter") return lettered(value).toUpperCase();
  if (format === "lowerRoman") return roman(value);
  if (format === "upperRoman") return roman(value).toUpperCase();
  return format === "decimalZero" ? String(value).padStart(2, "0") : String(value);
}

/**
 * The numbers that a word processor shows before paragraphs. They are not in the text: they are counted from the lists'
 * definitions (ECMA-376, part 1, 17.9), and a clause can't be cited without them.
 */
export class Numbering {
  private readonly levels = new Map<string, ReadonlyMap<number, Level>>();
  private readonly lists = new Map<string, string>();
  private readonly counters = new Map<string, number[]>();

  /** `$` is the numbering part, when the document has one. */
  constructor($: CheerioAPI | undefined) {
    if (!$) return;
    for (const list of $("w\\:abstractNum").toArray()) {
      const levels = new Map<number, Level>();
      for (const level of $(list).children("w\\:lvl").toArray()) {
        const value = (name: string) => $(level).children(`w\\:${name}`).attr("w:val");
        levels.set(Number(level.attribs["w:ilvl"] ?? 0), {
          format: value("numFmt") ?? "decimal",
          text: value("lvlText") ?? "",
          start: Number(value("start") ?? 1) || 1,
        });
      }
      this.levels.set(list.attribs["w:abstractNumId"] ?? "", levels);
    }
    for (const num of $("w\\:num").toArray())
      this.lists.set(num.attribs["w:numId"] ?? "", $(num).children("w\\:abstractNumId").attr("w:val") ?? "");
  }

  /** Counts a paragraph of the list and answers its number; empty for a bullet. */
  next(list: string, level: number): string {
    const id = this.lists.get(list) ?? "";
    const levels = this.levels.get(id);
    const own = levels?.get(level);
    if (!levels || !own) return "";
    const counters = this.counters.get(id) ?? [];
    this.counters.set(id, counters);
    for (let above = 0; above < level; above++) counters[above] ??= levels.get(above)?.start ?? 1;
    counters[level] = (counters[level] ?? own.start - 1) + 1;
    counters.length = level + 1;
    if (own.format === "bullet" || own.format === "none") return "";
    return own.text.replace(/%(\d)/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      return written(counters[at] ?? 1, levels.get(at)?.format ?? "decimal");
    });
  }
}
