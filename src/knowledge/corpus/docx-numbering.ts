import type { Part } from "./docx-parts.ts";
import { type Attributes, readXml } from "./docx-xml.ts";

/** Numbering of a list level, such as `%1.%2` in decimals from `start`. */
interface Level {
  format: string;
  text: string;
  start: number;
}

/** Maximum number of levels of a list, as the format defines, and maximum length of a number's text. */
const levelsAtMost = 9;
const textAtMost = 100;
/** Largest number written in Roman numerals; beyond it, their length would grow with the value. */
const romanAtMost = 3999;

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
  if (value > romanAtMost) return String(value);
  let [rest, text] = [value, ""];
  for (const [worth, digit] of romanDigits)
    while (rest >= worth) {
      text += digit;
      rest -= worth;
    }
  return text;
}

/** Returns a … z, then aa … zz, as word processors count. */
const lettered = (value: number): string =>
  String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.min(8, Math.ceil(value / 26)));

function written(value: number, format: string): string {
  if (format === "lowerLetter") return lettered(value);
  if (format === "upperLetter") return lettered(value).toUpperCase();
  if (format === "lowerRoman") return roman(value);
  if (format === "upperRoman") return roman(value).toUpperCase();
  return format === "decimalZero" ? String(value).padStart(2, "0") : String(value);
}

/** Reads the numbering part: the levels of each list, and the list that each `numId` refers to. */
function readDefinitions(part: Part | undefined) {
  const levels = new Map<string, Map<number, Level>>();
  const lists = new Map<string, string>();
  let definition: Map<number, Level> | undefined;
  let level: Level | undefined;
  let list: string | undefined;
  const open = (name: string, attributes: Attributes): void => {
    const value = attributes["w:val"];
    if (name === "w:abstractNum") {
      definition = new Map();
      levels.set(attributes["w:abstractNumId"] ?? "", definition);
    } else if (name === "w:num") list = attributes["w:numId"];
    else if (name === "w:abstractNumId" && list !== undefined) lists.set(list, value ?? "");
    else if (name === "w:lvl") {
      const at = Number(attributes["w:ilvl"] ?? 0);
      level = { format: "decimal", text: "", start: 1 };
      if (at >= 0 && at < levelsAtMost) definition?.set(at, level);
    } else if (level && name === "w:numFmt") level.format = value ?? "decimal";
    else if (level && name === "w:lvlText") level.text = (value ?? "").slice(0, textAtMost);
    else if (level && name === "w:start") level.start = Number(value ?? 1) || 1;
  };
  const close = (name: string): void => {
    if (name === "w:abstractNum") definition = undefined;
    else if (name === "w:lvl") level = undefined;
    else if (name === "w:num") list = undefined;
  };
  readXml(part, { open, close });
  return { levels, lists };
}

/**
 * The numbers that a word processor shows before paragraphs. They are not in the text, so they are computed from the
 * lists' definitions (ECMA-376, part 1, 17.9); without them a clause can't be cited.
 */
export class Numbering {
  private readonly levels: ReadonlyMap<string, ReadonlyMap<number, Level>>;
  private readonly lists: ReadonlyMap<string, string>;
  private readonly counters = new Map<string, number[]>();

  /** `part` is the numbering part, if the document has one. */
  constructor(part: Part | undefined) {
    const { levels, lists } = readDefinitions(part);
    this.levels = levels;
    this.lists = lists;
  }

  /** Counts a paragraph of the list and returns its number; empty for a bullet. */
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
