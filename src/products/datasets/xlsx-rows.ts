import { readFile, stat } from "node:fs/promises";
import { strFromU8, unzipSync } from "fflate";
import { readSheet } from "read-excel-file/universal";
import type { Row } from "./csv-rows.ts";
import { FileRefused } from "./refusal.ts";

/** A workbook is read whole, so that its size is bounded, packed and unpacked: larger tables come as CSV. */
const largestFile = 16 << 20;
const largestContent = 160 << 20;
const asCsv = "Save the sheet as CSV and import that.";

/** What the parts of the workbook unpack to, by its own directory; and whether sheets hold formulas. */
function inspect(bytes: Uint8Array): { readonly formulas: number } {
  let size = 0;
  const sheets = unzipSync(bytes, {
    filter({ name, originalSize }) {
      size += originalSize;
      if (size > largestContent) throw new FileRefused("too_long", "its content is too large for a workbook", asCsv);
      return /^xl\/worksheets\/[^/]+\.xml$/.test(name);
    },
  });
  const formulas = Object.values(sheets).reduce(
    (sum, sheet) => sum + (strFromU8(sheet).match(/<f[ >/]/g)?.length ?? 0),
    0,
  );
  return { formulas };
}

const textOf = (cell: unknown): string => {
  if (cell === null || cell === undefined) return "";
  return cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell);
};

/** A workbook's rows, and how many of its cells hold a formula: their stored results are read, nothing is computed. */
export async function xlsxRows(file: string, sheet: string | undefined): Promise<{ rows: Row[]; formulas: number }> {
  if ((await stat(file)).size > largestFile) throw new FileRefused("too_long", "it is too large for a workbook", asCsv);
  const bytes = new Uint8Array(await readFile(file));
  try {
    const { formulas } = inspect(bytes);
    const number = sheet === undefined ? 1 : /^\d+$/.test(sheet) ? Number(sheet) : sheet;
    const cells = await readSheet(bytes.buffer, number);
    return { formulas, rows: cells.map((row, i) => ({ line: i + 1, cells: row.map(textOf) })) };
  } catch (error) {
    if (error instanceof FileRefused) throw error;
    const reason = error instanceof Error ? error.message : "unknown";
    throw new FileRefused("malformed", `the workbook can't be read: ${reason}`, asCsv);
  }
}
