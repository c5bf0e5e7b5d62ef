import type { Entity } from "../../../db/datasets.ts";
import type { Row } from "./csv-rows.ts";
import type { Mapping } from "./mapping.ts";
import { missingMark, numberIn, type Signs, signsOf } from "./numbers.ts";
import { periodOf } from "./periods.ts";
import { type Item, isFormula, placed, refuse, unitBy, unitName, wrongText } from "./reading.ts";
import { FileRefused, shown } from "./refusal.ts";

/** A plain table, CSV or a sheet, read as its mapping says. */

/** Rows in which the signs of numbers are looked for. */
const sampled = 2_000;

type Cells = Extract<Row, { line: number }>;

/** One figure that a row holds: in which column, and what is said about it. */
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

const same = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/** Where the mapping's columns are. Throws `FileRefused` for one that is not there. */
function layoutOf(cells: readonly string[], mapping: Mapping): Layout {
  const names = cells.map((cell) => cell.trim());
  const at = (column: string | undefined): number => {
    if (column === undefined) return -1;
    const found = names.findIndex((name) => same(name, column));
    if (found >= 0) return found;
    const there = names.slice(0, 20).map(shown).join(", ");
    throw new FileRefused("columns", `it has no column ${shown(column)}; it has ${there}`, "Mend the mapping.");
  };
  const { value, values = [], period, indicator, unit } = mapping;
  const plain = { indicator: indicator?.fixed, title: indicator?.title, unit: unit?.fixed, multiply: 1 };
  const wide = period?.columns === undefined ? undefined : new RegExp(period.columns);
  const measures: Measure[] = [
    ...(value === undefined ? [] : [{ ...plain, at: at(value), column: value, period: undefined }]),
    ...values.map((one) => ({
      ...{ at: at(one.column), column: one.column, indicator: one.indicator, title: one.title, period: undefined },
      unit: one.unit ?? unit?.fixed,
      multiply: one.multiply ?? 1,
    })),
    ...names.flatMap((column, i) =>
      wide?.test(column) ? [{ ...plain, at: i, column, period: periodOf(column, mapping.dates) }] : [],
    ),
  ];
  if (mapping.rows !== "entities" && measures.length === 0)
    throw new FileRefused(
      "columns",
      "the mapping names no column of values",
      "Say `value`, `values` or `period.columns`.",
    );
  return { names, measures, at };
}

/** A row's figures. */
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

  /** Cells of words by their columns; or what is wrong with one of them. */
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

  private value(row: Cells, { at, column }: Measure): { value: number | null; missing: string | null } | Item {
    const cell = (row.cells[at] ?? "").trim();
    const mark = missingMark(cell);
    if (mark !== undefined) return { value: null, missing: mark };
    const value = numberIn(cell, this.signs);
    if (value !== undefined) return { value, missing: null };
    if (isFormula(cell)) return refuse(row.line, column, "formula", `it holds a formula, ${shown(cell)}`);
    return refuse(row.line, column, "not_a_number", `${shown(cell)} is no number as this file writes them`);
  }

  *items(row: Cells): Generator<Item> {
    const { mapping } = this;
    const { place: where, period, dimensions = [], group = [], indicator, unit, flags, reliability_column } = mapping;
    const parts = this.named(row, [...dimensions, ...group, ...(indicator?.column ? [indicator.column] : [])]);
    if ("refused" in parts && typeof parts.refused === "object") return yield parts as Item;
    const words = parts as Record<string, string>;
    const given = where?.column ? this.cell(row, where.column) : (where?.fixed ?? "");
    const place = placed(row.line, where?.column ?? "place", given, mapping);
    if (!("place" in place)) return yield place;
    const said = period?.column ? this.cell(row, period.column) : (period?.fixed ?? "");
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
      const inUnit = unitBy(mapping, unit?.column ? this.cell(row, unit.column) : (measure.unit ?? ""));
      const code = measure.indicator ?? (indicator?.column ? (words[indicator.column] ?? "") : this.code);
      if (at === undefined)
        yield refuse(row.line, period?.column ?? measure.column, "period", `${shown(said)} is no period`);
      else if (!("value" in value)) yield value;
      else if (inUnit === undefined)
        yield refuse(row.line, unit?.column ?? "unit", "unit", "its unit is not known: list it under `units`");
      else
        yield {
          figure: {
            ...{ code, title: measure.title ?? code, unit: unitName(inUnit.unit), period: at, line: row.line, facts },
            ...{ dimensions: pick(dimensions), group: pick(group), missing: value.missing, ...place },
            value: value.value === null ? null : value.value * inUnit.multiply * measure.multiply,
            flags: this.cell(row, flags).toLowerCase(),
          },
        };
    }
  }
}

/** A row about one thing: its key, and its fields by the names that the mapping gives them. */
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

/** Takes rows up to the footer, below the header; a row that is too short or too long is refused. */
async function* body(rows: AsyncIterable<Row>, mapping: Mapping): AsyncGenerator<Row | { header: readonly string[] }> {
  let width = -1;
  for await (const row of rows) {
    if ("refused" in row) yield row;
    else if (width < 0) {
      if (row.line < (mapping.header_line ?? 1)) continue;
      width = row.cells.length;
      yield { header: row.cells };
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
 * The items of a table. The signs of numbers are found in its first rows, and reported in `decided`. Throws `FileRefused`
 * for a mapping that does not fit.
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
  if (!layout) throw new FileRefused("empty", "it has no header", "Say `header_line` in the mapping.");
  if (mapping.rows !== "entities") yield* release(layout);
}
