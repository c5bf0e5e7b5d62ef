import { csvRows, delimiterOf, type Row } from "./csv-rows.ts";
import { periodOf } from "./periods.ts";
import { eurostat, geoOf, type Item, placed, type Reading, refuse, type Source, unitName } from "./reading.ts";
import { FileRefused, shown } from "./refusal.ts";
import type { TextFile } from "./text-file.ts";

/**
 * Reads Eurostat's bulk TSV: dimensions packed into the first cell, one column per period, and a flag after each value.
 */

const packedHeader = /^"?([\w,]+)\\(?:TIME_PERIOD|time)"?$/;

/** Whether a file starts like a bulk TSV, including one saved as CSV. */
export const isBulkTsv = (head: string): boolean => /^"?[\w,]+\\(TIME_PERIOD|time)\b/.test(head);

const cellOf = /^(:|[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\s*([a-z]*)$/;

/** Returns the table's code from the file's name: `estat_nama_10_gdp.tsv.gz` is nama_10_gdp. */
const codeOf = (name: string): string => {
  const [code = ""] = name.toLowerCase().split(/\.(?:gz|tsv|csv|txt)\b/);
  return code.replace(/^estat_/, "");
};

interface Header {
  readonly dimensions: readonly string[];
  readonly periods: readonly string[];
}

function headerOf(cells: readonly string[]): Header {
  const [packed = "", ...columns] = cells.map((cell) => cell.trim());
  const dimensions = packedHeader.exec(packed)?.[1]?.split(",") ?? [];
  const periods = columns.map((column) => {
    const period = periodOf(column);
    if (period === undefined)
      throw new FileRefused("period", `its column ${shown(column)} is not a period`, "Download the table again.");
    return period;
  });
  if (!dimensions.includes("geo"))
    throw new FileRefused("format", "it has no dimension geo", "Only tables by place can be imported.");
  if (new Set(periods).size < periods.length)
    throw new FileRefused("duplicate_key", "it has a period twice", "Download the table again.");
  return { dimensions, periods };
}

/** Yields the figures of one row, one per cell. */
function* figuresOf(
  row: Extract<Row, { line: number }>,
  header: Header,
  source: Source,
  code: string,
): Generator<Item> {
  const { line, cells } = row;
  const [packed = "", ...values] = cells;
  const keys = packed.split(",").map((key) => key.trim());
  if (keys.length !== header.dimensions.length)
    return yield refuse(line, null, "columns", `its key has ${keys.length} parts, not ${header.dimensions.length}`);
  if (values.length !== header.periods.length)
    return yield refuse(
      line,
      null,
      "columns",
      `it has ${values.length} values, not ${header.periods.length}: cut off?`,
    );
  const named = Object.fromEntries(header.dimensions.map((dimension, i) => [dimension, keys[i] ?? ""]));
  const { geo = "", unit = "", ...dimensions } = named;
  const place = placed(line, "geo", geoOf(geo), source.mapping);
  if (!("place" in place)) return yield place;
  const inUnit = unit === "" ? (source.mapping.unit?.fixed ?? "") : unitName(unit);
  if (inUnit === "") return yield refuse(line, "unit", "unit", "it has no unit: set `unit: {fixed: …}` in the mapping");
  const about = { code, title: source.mapping.title ?? code, unit: inUnit, dimensions, facts: {}, group: {}, line };
  for (const [i, period] of header.periods.entries()) {
    const cell = (values[i] ?? "").trim();
    const [, value = "", flags = ""] = cellOf.exec(cell) ?? [];
    if (value === "") yield refuse(line, period, "not_a_number", `${shown(cell)} is neither a number nor \`:\``);
    else
      yield {
        figure: {
          ...about,
          ...place,
          period,
          value: value === ":" ? null : Number(value),
          missing: value === ":" ? value : null,
          flags,
        },
      };
  }
}

/** Reads a bulk TSV. Throws `FileRefused`; a bad row or cell is refused individually. */
export function readBulkTsv(source: Source, text: TextFile): Reading {
  const code = source.mapping.code?.toLowerCase() ?? codeOf(source.name);
  const delimiter = text.head.startsWith('"') ? delimiterOf(text.head) : "\t";
  return {
    format: "bulk-tsv",
    decided: { encoding: text.encoding, decimal: "." },
    facts: { title: code, ...eurostat(code) },
    notes: [],
    async *items() {
      let header: Header | undefined;
      for await (const row of csvRows(text.text(), { delimiter, quoted: delimiter !== "\t" })) {
        if ("refused" in row) yield row;
        else if (header) yield* figuresOf(row, header, source, code);
        else header = headerOf(row.cells);
      }
    },
  };
}
