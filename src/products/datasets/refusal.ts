/** Why a row, or a whole file, is not taken over. */
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

/** A row that is refused, with its line in the file, from 1. */
export interface RefusedRow {
  readonly line: number;
  readonly column: string | null;
  readonly code: RefusalCode;
  /** What is wrong and, where it is not plain, what to do. */
  readonly reason: string;
}

/** Nothing of the file can be taken over. The message says why, `hint` what to do. */
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

/** A cell's text as a message shows it. */
export const shown = (cell: string): string => JSON.stringify(cell.length > 40 ? `${cell.slice(0, 40)}…` : cell);
