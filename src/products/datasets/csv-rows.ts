import type { Readable } from "node:stream";
import { type CsvError, type Info, parse } from "csv-parse";
import { FileRefused, type RefusedRow } from "./refusal.ts";

/** A row's cells and its line; or why it is none. */
export type Row = { readonly line: number; readonly cells: readonly string[] } | { readonly refused: RefusedRow };

export interface Dialect {
  readonly delimiter: string;
  /** False: quotes are characters like others, as in bulk TSV. */
  readonly quoted: boolean;
}

/** Characters of the longest row: no table has one, and a file without line breaks must not fill the memory. */
const longestRow = 1 << 20;

/** Damaged rows without a good one between them. */
const mostSkipped = 100_000;

const damaged = (line: number, detail: string): Row => ({
  refused: { line, column: null, code: "malformed", reason: `its quotes don't match (${detail})` },
});

const tooLong = (line: number): FileRefused =>
  new FileRefused(
    "too_long",
    `line ${line} has no end within ${longestRow} characters`,
    "A quote may be missing before it, or it is no table.",
  );

const unclosed = (): FileRefused =>
  new FileRefused(
    "malformed",
    "a quote in it is never closed",
    "Export it again; no row after the quote can be trusted.",
  );

/** The delimiter that splits the first lines into the same number of cells; the likeliest of the usual four. */
export function delimiterOf(head: string): string {
  const lines = head.split(/\r?\n/).slice(0, 50);
  const scored = ["\t", ";", ",", "|"].map((delimiter) => {
    const counts = lines.map((line) => line.replace(/"[^"]*"/g, "").split(delimiter).length - 1).filter((n) => n > 0);
    const usual = counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 0;
    return { delimiter, score: counts.filter((n) => n === usual).length * Math.min(usual, 3) };
  });
  return scored.toSorted((a, b) => b.score - a.score)[0]?.delimiter ?? ",";
}

interface Parsed {
  readonly info: Info;
  readonly record: string[];
}

/**
 * The rows of a text, one after the other. A row whose quotes are wrong is refused, and the next is read. Throws
 * `FileRefused` for a row that never ends.
 */
export async function* csvRows(text: Readable, { delimiter, quoted }: Dialect): AsyncGenerator<Row> {
  const skipped: Row[] = [];
  const parser = parse({
    info: true,
    delimiter,
    quote: quoted ? '"' : false,
    bom: true,
    relax_column_count: true,
    // A quote that is out of place is a character like others: its cell is then refused, and not all rows after it.
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: longestRow,
    skip_records_with_error: true,
  });
  parser.on("skip", (error: CsvError) => {
    const line = Number("lines" in error ? error.lines : 0);
    if (error.code === "CSV_MAX_RECORD_SIZE") parser.destroy(tooLong(line));
    else if (error.code === "CSV_QUOTE_NOT_CLOSED") parser.destroy(unclosed());
    else skipped.push(damaged(line, error.code.replace("CSV_", "").replaceAll("_", " ").toLowerCase()));
    if (skipped.length > mostSkipped) parser.destroy(unclosed());
  });
  text.on("error", (error) => parser.destroy(error));
  try {
    for await (const { info, record } of text.pipe(parser) as AsyncIterable<Parsed>) {
      if (skipped.length > 0) yield* skipped.splice(0);
      yield { line: info.lines, cells: record };
    }
    yield* skipped;
  } finally {
    text.destroy();
  }
}
