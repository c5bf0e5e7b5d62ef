import type { Entity } from "../../../db/datasets.ts";
import type { Row } from "./csv-rows.ts";
import type { Mapping } from "./mapping.ts";
import { missingMark, numberIn, type Signs, signsOf } from "./numbers.ts";
import { monthOf, periodOf } from "./periods.ts";
import { type Item, isFormula, placed, refuse, unitBy, unitName, wrongText } from "./reading.ts";
import { FileRefused, shown } from "./refusal.ts";
import { columnAt, type Header, headerOf } from "./table-header.ts";

/** Reads a plain table, from CSV or a sheet, according to its mapping. */

/** Number of rows from which the number notation is detected. */
const sampled = 2_000;

type Cells = Extract<Row, { line: number }>;

/** One figure of each row: its column and metadata. */
interface Measure {
  readonly at: number;
  readonly column: string;
  readonly indicator: string | undefined;
  readonly title: string | undefined;
  readonly unit: string | undefined;
  readonly multiply: number;
  readonly period: string | undefined;
}

interface Layout {
  readonly names: readonly string[];
  readonly measures: readonly Measure[];
  at(column: string | undefined): number;
}

/** Returns the columns of figures that the mapping names individually or by their first column. */
function measuresOf(header: Header, mapping: Mapping): Measure[] {
  const { names, units } = header;
  const { value, values = [], values_from, period, indicator, unit } = mapping;
  const plain = { indicator: indicator?.fixed, title: indicator?.title, unit: unit?.fixed, multiply: 1 };
  const wide = period?.columns === undefined ? undefined : new RegExp(period.columns);
  const from = values_from === undefined ? names.length : columnAt(header, values_from);
  return [
    ...(value === undefined ? [] : [{ ...plain, at: columnAt(header, value), column: value, period: undefined }]),
    ...values.map((one) => ({
      ...{ at: columnAt(header, one.column), column: one.column, indicator: one.indicator, title: one.title },
      unit: one.unit ?? unit?.fixed,
      multiply: one.multiply ?? 1,
      period: undefined,
    })),
    ...names.slice(from).map((column, i) => ({
      ...{ at: from + i, column, indicator: column, title: column, multiply: 1, period: undefined },
      unit: units[from + i] || unit?.fixed,
    })),
    ...names.flatMap((column, i) =>
      wide?.test(column) ? [{ ...plain, at: i, column, period: periodOf(column, mapping.dates) }] : [],
    ),
  ];
}

/** Resolves the mapping's columns. Throws `FileRefused` for a column that is missing. */
function layoutOf(header: Header, mapping: Mapping): Layout {
  const measures = measuresOf(header, mapping);
  if (mapping.rows !== "entities" && measures.length === 0)
    throw new FileRefused(
      "columns",
      "the mapping names no column of values",
      "Set `value`, `values`, `values_from` or `period.columns`.",
    );
  // Cached: every row looks up the same few columns.
  const known = new Map<string, number>();
  const at = (column: string | undefined): number => {
    if (column === undefined) return -1;
    const found = known.get(column) ?? columnAt(header, column);
    known.set(column, found);
    return found;
  };
  return { names: header.names, measures, at };
}

/** GENESIS's mark for a unit at the end of each row's label: `Bruttoinlandsprodukt (Mrd. EUR)`. */
const ownUnit = /^(jew\. ME|unit app\.)$/i;

/** GENESIS marks a final figure with `e`, which elsewhere means an estimate. */
const qualityColumn = "value_q";

const unknownUnit =
  "its unit is unknown: list it under `units` with its multiplier, or set `unit.label` to the column whose text ends with it";

/** Reads the figures of rows. */
class FigureReader {
  constructor(
    private readonly mapping: Mapping,
    private readonly layout: Layout,
    private readonly signs: Signs,
    private readonly code: string,
  ) {}

  private cell({ cells }: Cells, column: string | undefined): string {
    return column === undefined ? "" : (cells[this.layout.at(column)] ?? "").trim();
  }

  /** Returns text cells by column, or the refusal of one of them. */
  private named(row: Cells, columns: readonly string[]): Record<string, string> | Item {
    const named: Record<string, string> = {};
    for (const column of columns) {
      const cell = this.cell(row, column);
      const wrong = wrongText(cell, this.mapping);
      if (wrong) return refuse(row.line, column, ...wrong);
      named[column] = cell;
    }
    return named;
  }

  /**
   * Returns the row's unit in words; `undefined` if it is unknown or a bare multiplier that the mapping does not list.
   */
  private unit(row: Cells, measure: Measure): ReturnType<typeof unitBy> {
    const { unit } = this.mapping;
    const said = unit?.column ? this.cell(row, unit.column) : (measure.unit ?? "");
    const [, own = ""] = (ownUnit.test(said) && /\(([^()]+)\)$/.exec(this.cell(row, unit?.label))) || [];
    const known = unitBy(this.mapping, ownUnit.test(said) ? own : said);
    return known && /^[\d.,\s]+$/.test(known.unit) ? undefined : known;
  }

  private period(row: Cells): string {
    const { column, month, fixed = "" } = this.mapping.period ?? {};
    const said = column ? this.cell(row, column) : fixed;
    return month === undefined ? said : monthOf(said, this.cell(row, month));
  }

  private flags(row: Cells): string {
    const { flags } = this.mapping;
    const said = this.cell(row, flags).toLowerCase();
    return flags?.toLowerCase() === qualityColumn && said === "e" ? "" : said;
  }

  private value(row: Cells, { at, column }: Measure): { value: number | null; missing: string | null } | Item {
    const cell = (row.cells[at] ?? "").trim();
    const mark = missingMark(cell);
    if (mark !== undefined) return { value: null, missing: mark };
    const value = numberIn(cell, this.signs);
    if (value !== undefined) return { value, missing: null };
    if (isFormula(cell)) return refuse(row.line, column, "formula", `it holds a formula, ${shown(cell)}`);
    return refuse(row.line, column, "not_a_number", `${shown(cell)} is not a number in this file's notation`);
  }

  *items(row: Cells): Generator<Item> {
    const { mapping } = this;
    const { place: where, period, dimensions = [], group = [], indicator, unit, reliability_column } = mapping;
    const parts = this.named(row, [...dimensions, ...group, ...(indicator?.column ? [indicator.column] : [])]);
    if ("refused" in parts && typeof parts.refused === "object") return yield parts as Item;
    const words = parts as Record<string, string>;
    const given = where?.column ? this.cell(row, where.column) : (where?.fixed ?? "");
    const place = placed(row.line, where?.column ?? "place", given, mapping);
    if (!("place" in place)) return yield place;
    const said = this.period(row);
    const reliability = this.cell(row, reliability_column);
    const url = this.cell(row, mapping.url_column);
    const facts = {
      ...(/^[A-D]$/.test(reliability) && { reliability: reliability as "A" | "B" | "C" | "D" }),
      ...(/^https?:\/\//.test(url) && { url }),
    };
    const pick = (columns: readonly string[]) => Object.fromEntries(columns.map((one) => [one, words[one] ?? ""]));
    for (const measure of this.layout.measures) {
      const at = measure.period ?? periodOf(said, mapping.dates);
      const value = this.value(row, measure);
      const inUnit = this.unit(row, measure);
      const code = measure.indicator ?? (indicator?.column ? (words[indicator.column] ?? "") : this.code);
      if (at === undefined)
        yield refuse(row.line, period?.column ?? measure.column, "period", `${shown(said)} is not a period`);
      else if (!("value" in value)) yield value;
      else if (inUnit === undefined) yield refuse(row.line, unit?.column ?? "unit", "unit", unknownUnit);
      else
        yield {
          figure: {
            ...{ code, title: measure.title ?? code, unit: unitName(inUnit.unit), period: at, line: row.line, facts },
            ...{ dimensions: pick(dimensions), group: pick(group), missing: value.missing, ...place },
            value: value.value === null ? null : value.value * inUnit.multiply * measure.multiply,
            flags: this.flags(row),
          },
        };
    }
  }
}

/** Returns a row about one entity: its key, and its fields under the mapping's names. */
function entityOf(row: Cells, mapping: Mapping, layout: Layout): Item {
  const { key = [], fields = Object.fromEntries(layout.names.map((name) => [name, name])) } = mapping;
  const cell = (column: string) => (row.cells[layout.at(column)] ?? "").trim();
  for (const column of [...key, ...Object.values(fields)]) {
    const wrong = wrongText(cell(column), mapping);
    if (wrong) return refuse(row.line, column, ...wrong);
  }
  const parts = key.map(cell);
  if (parts.length === 0 || parts.some((part) => part === ""))
    return refuse(row.line, key[0] ?? null, "empty", "its key is empty");
  const values = Object.entries(fields).map(([name, column]) => [name, cell(column) || null] as const);
  const entity: Entity = { key: parts.join("\u001f"), fields: Object.fromEntries(values), line: row.line };
  return { entity };
}

/** Yields the header, then the rows up to the footer; refuses rows that are too short or too long. */
async function* body(rows: AsyncIterable<Row>, mapping: Mapping): AsyncGenerator<Row | { header: Header }> {
  let width = -1;
  const header: (readonly string[])[] = [];
  for await (const row of rows) {
    if ("refused" in row) yield row;
    else if (width < 0) {
      if (row.line < (mapping.header_line ?? 1)) continue;
      header.push(row.cells);
      if (header.length < (mapping.header_lines ?? 1)) continue;
      width = row.cells.length;
      yield { header: headerOf(header, mapping) };
    } else if (mapping.footer !== undefined && row.cells[0]?.startsWith(mapping.footer)) return;
    else if (row.cells.length > width && row.cells.slice(width).some((cell) => cell.trim() !== ""))
      yield {
        refused: {
          line: row.line,
          column: null,
          code: "columns",
          reason: `it has more cells than the header's ${width}`,
        },
      };
    else if (row.cells.length < width)
      yield {
        refused: {
          line: row.line,
          column: null,
          code: "columns",
          reason: `it has ${row.cells.length} cells, the header ${width}: cut off?`,
        },
      };
    else yield row;
  }
}

/**
 * Yields the items of a table. The number notation is detected from its first rows and reported in `decided`. Throws
 * `FileRefused` if the mapping does not fit.
 */
export async function* tableItems(
  rows: AsyncIterable<Row>,
  mapping: Mapping,
  code: string,
  decided: Record<string, string>,
): AsyncGenerator<Item> {
  let layout: Layout | undefined;
  let reader: FigureReader | undefined;
  const waiting: Cells[] = [];
  const begin = (found: Layout): FigureReader => {
    const cells = waiting.flatMap((row) => found.measures.map(({ at }) => (row.cells[at] ?? "").trim()));
    const { decimal, thousands } = mapping;
    const signs = signsOf(cells, { ...(decimal && { decimal }), ...(thousands && { thousands }) });
    Object.assign(decided, { decimal: signs.decimal, thousands: signs.thousands ?? "none" });
    return new FigureReader(mapping, found, signs, code);
  };
  function* release(found: Layout): Generator<Item> {
    reader ??= begin(found);
    for (const row of waiting.splice(0)) yield* reader.items(row);
  }
  for await (const row of body(rows, mapping)) {
    if ("header" in row) layout = layoutOf(row.header, mapping);
    else if ("refused" in row) yield row;
    else if (layout && mapping.rows === "entities") yield entityOf(row, mapping, layout);
    else if (reader) yield* reader.items(row);
    else if (waiting.push(row) === sampled && layout) yield* release(layout);
  }
  if (!layout) throw new FileRefused("empty", "it has no header", "Set `header_line` in the mapping.");
  if (mapping.rows !== "entities") yield* release(layout);
}
