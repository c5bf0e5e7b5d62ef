import type { Readable } from "node:stream";
import { type CsvError, type Info, parse } from "csv-parse";
import { FileRefused, type RefusedRow } from "./refusal.ts";

/** A row's line and cells, or why it is refused. */
export type Row = { readonly line: number; readonly cells: readonly string[] } | { readonly refused: RefusedRow };

export interface Dialect {
  readonly delimiter: string;
  /** If false, quotes are ordinary characters, as in bulk TSV. */
  readonly quoted: boolean;
}

/** Maximum length of a row in characters. It bounds the memory that a file without line breaks can use. */
const longestRow = 1 << 20;

/** Maximum number of consecutive damaged rows. */
const mostSkipped = 100_000;

const damaged = (line: number, detail: string): Row => ({
  refused: { line, column: null, code: "malformed", reason: `its quotes don't match (${detail})` },
});

const tooLong = (line: number): FileRefused =>
  new FileRefused(
    "too_long",
    `line ${line} has no end within ${longestRow} characters`,
    "A quote may be missing before it, or the file is not a table.",
  );

const unclosed = (): FileRefused =>
  new FileRefused(
    "malformed",
    "a quote in it is never closed",
    "Export it again; no row after the quote can be trusted.",
  );

/**
 * Returns the most likely of the four common delimiters: the one that splits the first lines into equally many cells.
 */
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
 * Yields the rows of a text. A row with broken quotes is refused and reading continues. Throws `FileRefused` for a row
 * that never ends.
 */
export async function* csvRows(text: Readable, { delimiter, quoted }: Dialect): AsyncGenerator<Row> {
  const skipped: Row[] = [];
  const parser = parse({
    info: true,
    delimiter,
    quote: quoted ? '"' : false,
    bom: true,
    relax_column_count: true,
    // Treat a misplaced quote as an ordinary character, so that only its cell is refused and not all rows after it.
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
