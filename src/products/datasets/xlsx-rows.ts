import { readFile, stat } from "node:fs/promises";
import { strFromU8, unzipSync } from "fflate";
import { Parser } from "htmlparser2";
import { readSheet } from "read-excel-file/universal";
import type { Row } from "./csv-rows.ts";
import { FileRefused } from "./refusal.ts";

/** A workbook is read whole, so both its packed and unpacked sizes are bounded; larger tables must come as CSV. */
const largestFile = 16 << 20;
const largestContent = 160 << 20;
const asCsv = "Save the sheet as CSV and import that.";

const contents = "xl/workbook.xml";

/** Returns the names of a workbook's sheets in order, from its table of contents. */
function sheetNamesIn(xml: string): string[] {
  const names: string[] = [];
  const onopentag = (element: string, { name }: Readonly<Record<string, string>>): void => {
    if (/^(\w+:)?sheet$/.test(element) && name !== undefined) names.push(name);
  };
  new Parser({ onopentag }, { xmlMode: true }).end(xml);
  return names;
}

/** Checks the unpacked size in the workbook's directory; returns its sheets and number of formulas. */
function inspect(bytes: Uint8Array): { readonly formulas: number; readonly sheets: readonly string[] } {
  let size = 0;
  const parts = unzipSync(bytes, {
    filter({ name, originalSize }) {
      size += originalSize;
      if (size > largestContent) throw new FileRefused("too_long", "its content is too large for a workbook", asCsv);
      return name === contents || /^xl\/worksheets\/[^/]+\.xml$/.test(name);
    },
  });
  const { [contents]: list, ...sheets } = parts;
  const formulas = Object.values(sheets).reduce(
    (sum, sheet) => sum + (strFromU8(sheet).match(/<f[ >/]/g)?.length ?? 0),
    0,
  );
  return { formulas, sheets: list ? sheetNamesIn(strFromU8(list)) : [] };
}

const textOf = (cell: unknown): string => {
  if (cell === null || cell === undefined) return "";
  return cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell);
};

/** The content read from a workbook. */
interface SheetRows {
  readonly rows: Row[];
  /** Number of cells with a formula. Their stored results are read; nothing is computed. */
  readonly formulas: number;
  /** The workbook's sheets in order, and the one that was read. */
  readonly sheets: readonly string[];
  readonly sheet: string;
}

/** Returns the rows of a sheet, by its name or its number from 1; the first one by default. Throws `FileRefused`. */
export async function xlsxRows(file: string, sheet = "1"): Promise<SheetRows> {
  if ((await stat(file)).size > largestFile) throw new FileRefused("too_long", "it is too large for a workbook", asCsv);
  const bytes = new Uint8Array(await readFile(file));
  try {
    const { formulas, sheets } = inspect(bytes);
    const number = /^\d+$/.test(sheet) && !sheets.includes(sheet) ? Number(sheet) : sheet;
    const cells = await readSheet(bytes.buffer, number);
    const name = typeof number === "number" ? (sheets[number - 1] ?? sheet) : sheet;
    return { formulas, sheets, sheet: name, rows: cells.map((row, i) => ({ line: i + 1, cells: row.map(textOf) })) };
  } catch (error) {
    if (error instanceof FileRefused) throw error;
    const reason = error instanceof Error ? error.message : "unknown";
    throw new FileRefused("malformed", `the workbook can't be read: ${reason}`, asCsv);
  }
}
