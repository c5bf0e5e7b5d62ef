import { csvRows, delimiterOf, type Row } from "./csv-rows.ts";
import { isBulkTsv, readBulkTsv } from "./read-bulk-tsv.ts";
import { readJsonStat } from "./read-json-stat.ts";
import { isSdmxCsv, readSdmxCsv } from "./read-sdmx-csv.ts";
import { tableItems } from "./read-table.ts";
import type { Reading, Source } from "./reading.ts";
import { FileRefused, shown } from "./refusal.ts";
import { headOf, openText, type TextFile } from "./text-file.ts";

/** The error for a file that needs a mapping to describe its columns. */
const unmapped = (): FileRefused =>
  new FileRefused(
    "format",
    "it does not say what its columns are",
    "Describe it with --mapping FILE; the guide `datasets` shows one.",
  );

const isMapped = ({ mapping }: Source): boolean =>
  mapping.value !== undefined ||
  mapping.values !== undefined ||
  mapping.values_from !== undefined ||
  mapping.period?.columns !== undefined ||
  mapping.rows === "entities";

const codeOf = ({ name, mapping }: Source): string =>
  mapping.code ?? mapping.name ?? name.replace(/\.(csv|tsv|txt|xlsx)(\.gz)?$/i, "").toLowerCase();

const factsOf = (source: Source) => ({ name: source.mapping.name ?? codeOf(source), title: codeOf(source) });

function readCsv(source: Source, text: TextFile): Reading {
  const delimiter = source.mapping.delimiter ?? delimiterOf(text.head);
  const decided: Record<string, string> = { encoding: text.encoding, delimiter };
  const items = () =>
    tableItems(csvRows(text.text(), { delimiter, quoted: true }), source.mapping, codeOf(source), decided);
  const notes = text.head.includes("\ufffd") ? ["some of its characters were already lost: names may be damaged"] : [];
  return { format: "csv", decided, facts: factsOf(source), notes, items };
}

async function* each(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}

async function readXlsx(source: Source): Promise<Reading> {
  if (!isMapped(source)) throw unmapped();
  // Workbooks are rare, so their parser is loaded on demand.
  const { xlsxRows } = await import("./xlsx-rows.ts");
  const { rows, formulas, sheet, sheets } = await xlsxRows(source.file, source.mapping.sheet);
  const decided: Record<string, string> = { sheet };
  // A workbook stores numbers, which are always written with a decimal point.
  const mapping = { ...source.mapping, decimal: source.mapping.decimal ?? ("." as const) };
  const others = sheets.filter((name) => name !== sheet).map(shown);
  const notes = [
    ...(formulas > 0 ? [`formulas in ${formulas} cells: their stored results were read`] : []),
    ...(source.mapping.sheet === undefined && others.length > 0
      ? [`only its first sheet, ${shown(sheet)}, was read, not ${others.join(", ")}: set \`sheet\` to read another`]
      : []),
  ];
  return {
    format: "xlsx",
    decided,
    facts: factsOf(source),
    notes,
    items: () => tableItems(each(rows), mapping, codeOf(source), decided),
  };
}

/** Reads SDMX-ML. Reports a message without data that is the publisher's refusal. */
async function readXml(source: Source, text: TextFile): Promise<Reading> {
  const { head } = text;
  const at = head.search(/<(?:\w{1,20}:)?Message[ >]/);
  const [, footer] = (at < 0 ? null : /code="(\d{1,9})"/.exec(head.slice(at, at + 500))) ?? [];
  if (footer !== undefined)
    throw new FileRefused(
      "empty",
      `it contains no data, only the publisher's refusal (footer ${footer})`,
      "Ask the publisher for less at a time, or for the bulk file.",
    );
  // XML files are rare, so the parser is loaded on demand.
  const { readSdmxXml } = await import("./read-sdmx-xml.ts");
  return readSdmxXml(source, text);
}

/** Detects a file's format and opens it. Throws `FileRefused` with a hint if it is not understood. */
export async function openReading(source: Source): Promise<Reading> {
  const head = await headOf(source.file, 4);
  if (head[0] === 0x50 && head[1] === 0x4b) return readXlsx(source);
  const text = await openText(source.file, source.mapping.encoding);
  const begin = text.head.trimStart();
  if (isMapped(source)) return readCsv(source, text);
  if (begin.startsWith("<")) return readXml(source, text);
  if (begin.startsWith("{") || begin.startsWith("[")) return readJsonStat(source, text);
  if (isBulkTsv(begin)) return readBulkTsv(source, text);
  if (isSdmxCsv(begin)) return readSdmxCsv(source, text);
  throw unmapped();
}
