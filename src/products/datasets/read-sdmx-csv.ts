import { csvRows, delimiterOf, type Row } from "./csv-rows.ts";
import { missingMark, numberIn } from "./numbers.ts";
import { periodOf } from "./periods.ts";
import {
  eurostat,
  geoOf,
  type Item,
  isFormula,
  placed,
  type Reading,
  refuse,
  type Source,
  unitName,
} from "./reading.ts";
import { FileRefused, shown } from "./refusal.ts";
import type { TextFile } from "./text-file.ts";

/** Reads SDMX-CSV 1.0 and 2.0: plain, with label columns next to the codes, or with `CODE:Label` in each cell. */

/** Whether a file starts like SDMX-CSV. */
export const isSdmxCsv = (head: string): boolean =>
  /^\ufeff?"?(DATAFLOW|STRUCTURE)\b.*\bOBS_VALUE\b/.test(head.slice(0, head.search(/\r?\n|$/)));

interface Column {
  readonly name: string;
  readonly at: number;
  /** The index of its label column, if there is one. */
  readonly label: number | undefined;
}

interface Header {
  readonly columns: number;
  readonly flow: number;
  readonly title: number;
  readonly updated: number;
  readonly time: number;
  readonly value: number;
  readonly flags: number;
  readonly confidential: number;
  readonly dimensions: readonly Column[];
}

/** Columns before the dimensions. */
const leading = ["DATAFLOW", "STRUCTURE", "STRUCTURE_ID", "STRUCTURE_NAME", "ACTION", "LAST UPDATE"];

function headerOf(cells: readonly string[]): Header {
  const names = cells.map((cell) => cell.trim());
  const at = (...wanted: string[]) => names.findIndex((name) => wanted.includes(name));
  const time = at("TIME_PERIOD");
  const first = names.findLastIndex((name) => leading.includes(name)) + 1;
  const isLabelled = names.includes("STRUCTURE_NAME");
  const step = isLabelled ? 2 : 1;
  if (time < 0) throw new FileRefused("format", "it has no column TIME_PERIOD", "Download the table again.");
  const dimensions: Column[] = [];
  for (let i = first; i < time; i += step)
    dimensions.push({ name: names[i] ?? "", at: i, label: isLabelled ? i + 1 : undefined });
  if (!dimensions.some(({ name }) => name.toLowerCase() === "geo" || name === "REF_AREA"))
    throw new FileRefused("format", "it has no dimension geo", "Only tables by place can be imported.");
  const flow = at("STRUCTURE_ID") < 0 ? at("DATAFLOW") : at("STRUCTURE_ID");
  return {
    columns: names.length,
    ...{ flow, time, dimensions, title: at("STRUCTURE_NAME"), updated: at("LAST UPDATE"), value: at("OBS_VALUE") },
    flags: at("OBS_FLAG", "OBS_STATUS"),
    confidential: at("CONF_STATUS"),
  };
}

/** Converts `14/04/23 23:00:00`, day first, to a date. */
function dayOf(text: string): string | undefined {
  const [, day, month, year] = /^(\d\d)\/(\d\d)\/(\d\d) /.exec(text) ?? [];
  return year === undefined ? undefined : `20${year}-${month}-${day}`;
}

/** Returns the agency and code in `ESTAT:SDG_08_10(1.0)`. */
function flowOf(text: string): { readonly agency: string; readonly code: string } {
  const [, agency = "", code = text] = /^(?:([^:]+):)?([^(]+)/.exec(text) ?? [];
  return { agency, code: code.toLowerCase() };
}

/** Splits `FI193:Keski-Suomi (NUTS 2021)` at its first colon. */
const split = (cell: string): { readonly code: string; readonly label: string } => {
  const colon = cell.indexOf(":");
  return colon < 0 ? { code: cell, label: "" } : { code: cell.slice(0, colon), label: cell.slice(colon + 1) };
};

function* figureOf(
  { line, cells }: Extract<Row, { line: number }>,
  header: Header,
  { mapping }: Source,
): Generator<Item> {
  if (cells.length !== header.columns)
    return yield refuse(line, null, "columns", `it has ${cells.length} cells, not ${header.columns}: cut off?`);
  const cell = (at: number): string => (at < 0 ? "" : (cells[at] ?? "").trim());
  const { code } = flowOf(cell(header.flow));
  let [geo, unit] = ["", ""];
  const dimensions: Record<string, string> = {};
  const labels: string[] = [];
  for (const { name, at, label } of header.dimensions) {
    const known = label === undefined ? split(cell(at)) : { code: cell(at), label: cell(label) };
    if (name.toLowerCase() === "geo" || name === "REF_AREA") geo = known.code;
    else if (name.toLowerCase() === "unit") unit = known.label ? known.label : unitName(known.code);
    else {
      dimensions[name] = known.code;
      if (known.label) labels.push(known.label);
    }
  }
  const place = placed(line, "geo", geoOf(geo), mapping);
  if (!("place" in place)) return yield place;
  const period = periodOf(split(cell(header.time)).code);
  if (period === undefined)
    return yield refuse(line, "TIME_PERIOD", "period", `${shown(cell(header.time))} is not a period`);
  const inUnit = unit || mapping.unit?.fixed || "";
  if (inUnit === "") return yield refuse(line, "unit", "unit", "it has no unit: set `unit: {fixed: …}` in the mapping");
  const text = cell(header.value);
  const flags = split(cell(header.flags)).code.toLowerCase();
  const secret = split(cell(header.confidential)).code.toLowerCase();
  const value = numberIn(text, { decimal: ".", thousands: null });
  const mark = missingMark(text);
  if (value === undefined && mark === undefined)
    return yield refuse(
      line,
      "OBS_VALUE",
      isFormula(text) ? "formula" : "not_a_number",
      `${shown(text)} is not a number`,
    );
  const title = [cell(header.title) || mapping.title || code, ...labels].join(", ");
  yield {
    figure: {
      ...{ code, title, unit: inUnit, dimensions, facts: {}, group: {}, line, period, ...place },
      value: value ?? null,
      // An empty cell flagged as confidential is missing for that reason.
      missing: value === undefined ? (flags.includes("c") || secret ? "c" : (mark ?? ":")) : null,
      flags: flags + (secret && !flags.includes("c") ? secret : ""),
    },
  };
}

/** Returns the first two rows, which contain all of the file's metadata: every row repeats it. */
async function firstRows(text: TextFile, delimiter: string): Promise<readonly (readonly string[])[]> {
  const rows: (readonly string[])[] = [];
  for await (const row of csvRows(text.text(), { delimiter, quoted: true })) {
    if ("cells" in row) rows.push(row.cells);
    if (rows.length === 2) break;
  }
  return rows;
}

/** Reads SDMX-CSV. Throws `FileRefused`; a bad row is refused individually. */
export async function readSdmxCsv(source: Source, text: TextFile): Promise<Reading> {
  const delimiter = delimiterOf(text.head);
  const [names = [], first = []] = await firstRows(text, delimiter);
  const known = headerOf(names);
  const { agency, code } = flowOf(first[known.flow] ?? "");
  const retrieved = dayOf(first[known.updated] ?? "");
  const own = agency === "ESTAT" ? eurostat(code) : { name: code, code, publisher: agency };
  return {
    format: "sdmx-csv",
    decided: { encoding: text.encoding, delimiter, decimal: "." },
    facts: { title: first[known.title] || code, ...own, ...(retrieved && { retrieved }) },
    notes: [],
    async *items() {
      let header: Header | undefined;
      for await (const row of csvRows(text.text(), { delimiter, quoted: true })) {
        if ("refused" in row) yield row;
        else if (header) yield* figureOf(row, header, source);
        else header = headerOf(row.cells);
      }
    },
  };
}
