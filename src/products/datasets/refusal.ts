/** Why a row or a whole file is refused. */
export type RefusalCode =
  | "columns"
  | "damaged_text"
  | "duplicate_key"
  | "empty"
  | "formula"
  | "format"
  | "malformed"
  | "not_a_number"
  | "period"
  | "too_long"
  | "truncated"
  | "unit"
  | "unknown_country";

/** A refused row, with its line in the file, from 1. */
export interface RefusedRow {
  readonly line: number;
  readonly column: string | null;
  readonly code: RefusalCode;
  /** What is wrong and, if not obvious, what to do. */
  readonly reason: string;
}

/** Thrown if nothing of the file can be imported. The message says why, `hint` what to do. */
export class FileRefused extends Error {
  constructor(
    readonly code: RefusalCode,
    message: string,
    readonly hint: string,
  ) {
    super(message);
    this.name = "FileRefused";
  }
}

/** Quotes a cell's text for a message. */
export const shown = (cell: string): string => JSON.stringify(cell.length > 40 ? `${cell.slice(0, 40)}…` : cell);
