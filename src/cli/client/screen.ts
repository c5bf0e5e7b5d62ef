import type { Io } from "../io.ts";

/** Terminal output: colours, tables and outlines that fit. Nothing is ever truncated, so ids can be copied. */

export type Tone = "bold" | "dim" | "good" | "warn" | "bad";
const codes: Readonly<Record<Tone, number>> = { bold: 1, dim: 2, good: 32, warn: 33, bad: 31 };

/** Removes control characters, which could manipulate a terminal, from external text. */
export const harmless = (text: string): string => text.replace(/(?![\n\t])\p{Cc}/gu, "");

/** Removes control characters and, on a terminal, adds colour. Respects NO_COLOR (no-color.org) and TERM=dumb. */
export function paint(io: Io, tone: Tone | undefined, text: string): string {
  const colourless = !io.terminal || io.env.NO_COLOR || io.env.TERM === "dumb";
  return tone === undefined || colourless ? harmless(text) : `\u001b[${codes[tone]}m${harmless(text)}\u001b[0m`;
}

/** Returns the number of columns that a text takes. */
export const width = (text: string): number => Bun.stringWidth(text);

/** Breaks a text between words into lines of at most `columns`. A longer word gets a line of its own. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const paragraph of harmless(text).split("\n")) {
    let line = "";
    for (const word of paragraph.split(/\s+/).filter((part) => part !== "")) {
      if (line !== "" && width(line) + 1 + width(word) > columns) {
        lines.push(line);
        line = "";
      }
      line = line === "" ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines;
}

const longestWord = (text: string): number => Math.max(...text.split(/\s+/).map(width));

/** Wraps a text after a head, or below it if the longest word does not fit next to it. */
function hanging(head: string, text: string, columns: number): string[] {
  const beside = columns - width(head);
  if (longestWord(text) > beside && head.trim() !== "") {
    const margin = " ".repeat(head.search(/\S/) + 2);
    return [head.trimEnd(), ...wrap(text, columns - margin.length).map((line) => margin + line)];
  }
  const [first = "", ...rest] = wrap(text, beside);
  const margin = " ".repeat(width(head));
  return [head + first, ...rest.map((line) => margin + line)];
}

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  readonly align?: "right";
  readonly tone?: (row: Row) => Tone | undefined;
}

const gap = 2;
/** Minimum width, in columns, of a wrapped cell. */
const narrowestCell = 16;

function padded<Row>(column: Column<Row>, text: string, columns: number): string {
  const space = " ".repeat(Math.max(columns - width(text), 0));
  return column.align === "right" ? space + text : text + space;
}

/** Formats each row as a block of `title  value` lines, for a terminal too narrow for a table. */
function blocks<Row>(io: Io, columns: readonly Column<Row>[], rows: readonly Row[]): string[] {
  const titles = Math.max(...columns.map((column) => width(column.title)));
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [""]),
    ...columns.flatMap((column, place) => {
      const text = column.cell(row);
      if (place === 0) return wrap(text, io.columns).map((line) => paint(io, "bold", line));
      if (text === "") return [];
      return hanging(`  ${column.title.padEnd(titles)}  `, text, io.columns);
    }),
  ]);
}

/** Puts a cell's text on one line without tabs. */
const plainCell = (text: string): string => harmless(text).replaceAll(/\s+/g, " ").trim();
const tabbed = (cells: readonly string[]): string => cells.map(plainCell).join("\t");

/**
 * Formats a table that fits the terminal: its last column wraps and, if too little is left for it, rows become blocks.
 * Without a terminal, cells are separated by tabs, one row per line, below a line of titles. Returns nothing without
 * rows.
 */
export function table<Row>(io: Io, columns: readonly Column<Row>[], rows: readonly Row[]): string[] {
  if (rows.length === 0) return [];
  if (!io.terminal)
    return [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ cell }) => cell(row)))].map(tabbed);
  const cells = rows.map((row) => columns.map((column) => harmless(column.cell(row))));
  const widths = columns.map(({ title }, place) =>
    Math.max(...[title, ...cells.map((row) => row[place] ?? "")].map(width)),
  );
  const whole = widths.at(-1) ?? 0;
  const before = widths.slice(0, -1).reduce((sum, columnWidth) => sum + columnWidth + gap, 0);
  const last = Math.min(whole, io.columns - before);
  const least = Math.max(Math.min(whole, narrowestCell), ...cells.map((row) => longestWord(row.at(-1) ?? "")));
  if (last < least) return blocks(io, columns, rows);
  widths[columns.length - 1] = last;
  const line = (texts: readonly string[], toneOf: (column: Column<Row>) => Tone | undefined): string =>
    columns
      .map((column, place) => paint(io, toneOf(column), padded(column, texts[place] ?? "", widths[place] ?? 0)))
      .join(" ".repeat(gap))
      .trimEnd();
  const body = rows.flatMap((row, index) => {
    const texts = cells[index] ?? [];
    const [first = "", ...more] = wrap(texts.at(-1) ?? "", last);
    const top = line([...texts.slice(0, -1), first], (column) => column.tone?.(row));
    return [top, ...more.map((text) => " ".repeat(before) + text)];
  });
  const titles = columns.map((column) => column.title);
  return [line(titles, () => "dim"), ...body];
}

/** Formats labels and values, one pair per line; with a tab if not on a terminal. Omits pairs without a value. */
export function facts(io: Io, pairs: readonly (readonly [label: string, value: string | null])[]): string[] {
  const shown = pairs.filter(([, value]) => value !== null && value !== "");
  if (!io.terminal) return shown.map(([label, value]) => tabbed([label, value ?? ""]));
  const labels = Math.max(0, ...shown.map(([label]) => width(label)));
  return shown.flatMap(([label, value]) => {
    const [first = "", ...rest] = hanging(`${label.padEnd(labels)}  `, value ?? "", io.columns);
    return [paint(io, "dim", first.slice(0, labels)) + first.slice(labels), ...rest];
  });
}

const isBranch = (value: unknown): value is object => typeof value === "object" && value !== null;
const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

function leaf(value: unknown): string {
  if (isBranch(value)) return Array.isArray(value) ? "none" : "{}";
  return typeof value === "string" ? value : value === null ? "none" : String(value);
}

/** Formats any JSON value as an indented outline. */
export function outline(value: unknown, columns: number, margin = ""): string[] {
  if (!isBranch(value) || isEmpty(value)) return hanging(margin, leaf(value), columns);
  if (Array.isArray(value))
    return value.flatMap((item: unknown) => {
      const [first = "", ...rest] = outline(item, columns, `${margin}  `);
      return [`${margin}- ${first.slice(margin.length + 2)}`, ...rest];
    });
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) =>
    isBranch(member) && !isEmpty(member)
      ? [`${margin}${harmless(key)}:`, ...outline(member, columns, `${margin}  `)]
      : hanging(`${margin}${harmless(key)}: `, leaf(member), columns),
  );
}

/** Prints lines of the result. */
export function printLines(io: Io, lines: readonly string[]): void {
  for (const line of lines) io.out(line);
}

/** Prints a heading and the lines below it. */
export function headed(io: Io, title: string, lines: readonly string[]): void {
  io.out(paint(io, "bold", title));
  printLines(io, lines);
}

/** Like `headed`, after a blank line. Prints nothing if there are no lines. */
export function section(io: Io, title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  io.out("");
  headed(io, title, lines);
}

/** Formats credits, such as `1,000 credits`. */
export const credits = (count: number): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? "credit" : "credits"}`;

/** Formats the time since an instant in its largest unit: `40s`, `12m`, `3h`, `20d`. */
export function age(at: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(at)) / 1000));
  const [count, unit] =
    seconds < 60
      ? [seconds, "s"]
      : seconds < 3600
        ? [seconds / 60, "m"]
        : seconds < 86_400
          ? [seconds / 3600, "h"]
          : [seconds / 86_400, "d"];
  return `${Math.floor(count)}${unit}`;
}

/** Formats a time of the API, which is UTC, as `2025-01-31 09:30:00`. */
export const instant = (at: string): string => at.slice(0, 19).replace("T", " ");
