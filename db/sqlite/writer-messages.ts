import type { Bound } from "../compiled-statement.ts";
import type { Outcome } from "../transition.ts";
import type { OpenFiles } from "./open-files.ts";
import type { Statements } from "./statements.ts";
import type { Executed } from "./writing-connection.ts";

/** A request to the writer thread, which answers each in order. A group is JSON text, the fastest to copy. */
export type ToWriter =
  | { readonly ask: "open"; readonly file: string; readonly files: OpenFiles; readonly statements: Statements }
  | { readonly ask: "look" }
  | { readonly ask: "begin" }
  | { readonly ask: "execute"; readonly sql: string; readonly parameters: readonly Bound[] }
  | { readonly ask: "end"; readonly commit: boolean }
  | { readonly ask: "close" }
  | string;

/** An error as it is sent between threads. `code` is SQLite's error code. */
export interface WrittenError {
  readonly message: string;
  readonly code: string | null;
}

export type FromWriter =
  | { readonly ready: true }
  | { readonly outcomes: readonly (Outcome | { readonly error: WrittenError })[] }
  | { readonly executed: Executed }
  | { readonly done: true }
  /** `fatal`: nothing can be written any more. */
  | { readonly error: WrittenError; readonly fatal: boolean };

/** An error with SQLite's error code, like those thrown by `bun:sqlite`. */
export class DatabaseError extends Error {
  readonly code: string;
  constructor({ message, code }: WrittenError) {
    super(message);
    this.name = "SQLiteError";
    this.code = code ?? "SQLITE_ERROR";
  }
}

export const writtenError = (error: unknown): WrittenError => ({
  message: error instanceof Error ? error.message : String(error),
  code: error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null,
});
